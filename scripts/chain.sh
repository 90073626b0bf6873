# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it: starts a development chain and what follows it. The caller has
# sourced env.sh, and has a folder in `dir`.
# shellcheck shell=bash

pids=()

# Stops what was started, the last first, and removes the folder.
stop_all() {
	local i
	for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
		kill "${pids[i]}" 2>/dev/null || true
		wait "${pids[i]}" 2>/dev/null || true
	done
	# shellcheck disable=SC2154
	rm -rf "$dir"
}

# Prints a log, and stops.
die_with_log() {
	cat "$1" >&2
	shift
	die "$* (its output is above)"
}

# Waits until the process $1 has logged what the pattern $3 takes from its log $2, and prints that.
wait_for_log() {
	local pid=$1 log=$2 found
	for _ in $(seq 300); do
		found=$(sed -n "$3" "$log" | head -n 1)
		if [ -n "$found" ]; then
			printf '%s\n' "$found"
			return
		fi
		kill -0 "$pid" 2>/dev/null || die_with_log "$log" "$4 stopped"
		sleep 0.1
	done
	die_with_log "$log" "$4 did not start within 30 seconds"
}

# Starts a development chain, and sets `node_url`.
start_chain() {
	local port
	# shellcheck disable=SC2154
	"$programs/content-fabric-node-mock" --dev --base-path "$dir/chain" --rpc-port 0 \
		--no-prometheus --no-telemetry >"$dir/node.log" 2>&1 &
	pids+=($!)
	# The node chooses a free port and logs it.
	port=$(wait_for_log $! "$dir/node.log" \
		's/.*Running JSON-RPC server: addr=127\.0\.0\.1:\([0-9]*\).*/\1/p' "the node")
	# shellcheck disable=SC2034
	node_url="ws://127.0.0.1:$port"
}

# Starts a content node with its data in $dir/$1, for the node $3 of the provider $2, whose operator
# has the key $4, with these arguments. Sets `store_url`.
start_store() {
	NO_COLOR=1 "$programs/fabric-store" serve --url "$node_url" --data "$dir/$1" \
		--listen 127.0.0.1:0 --provider "$2" --node "$3" --key "$4" "${@:5}" >"$dir/$1.log" 2>&1 &
	pids+=($!)
	# shellcheck disable=SC2034
	store_url=$(wait_for_log $! "$dir/$1.log" 's|.*serving \(http://[0-9.:]*\).*|\1|p' \
		"the content node")
}

# Starts the KMS $2 of the tenant $1, with the identity in the file $3, and its passphrase in the file
# $4. Sets `kms_url`.
start_kms() {
	NO_COLOR=1 "$programs/fabric-kms" serve --url "$node_url" --data "$dir/kms" \
		--listen 127.0.0.1:0 --tenant "$1" --kms "$2" --identity "$3" --passphrase-file "$4" \
		>"$dir/kms.log" 2>&1 &
	pids+=($!)
	# shellcheck disable=SC2034
	kms_url=$(wait_for_log $! "$dir/kms.log" 's|.*serving \(http://[0-9.:]*\).*|\1|p' "the KMS")
}

# Starts an index of the chain with these arguments, and sets `index_url`.
start_index() {
	NO_COLOR=1 "$programs/fabric-indexer" serve --url "$node_url" --data "$dir/index" \
		--listen 127.0.0.1:0 "$@" >"$dir/index.log" 2>&1 &
	pids+=($!)
	# shellcheck disable=SC2034
	index_url=$(wait_for_log $! "$dir/index.log" 's|.*serving \(http://[0-9.:]*\).*|\1|p' "the index")
}
