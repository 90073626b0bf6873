# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it: where build output goes, what is built, and which toolchain
# makes WASM.
# shellcheck shell=bash
# They set `root`, and use what is set here.
# shellcheck disable=SC2034,SC2154

cache_dir="${XDG_CACHE_HOME:-$HOME/.cache}/content-fabric"
# Tools of `scripts/lint`, from PyPI. Another version goes to another folder.
lint_packages=(typos==1.52.0 taplo==0.9.3)
lint_tools="$cache_dir/lint-${lint_packages[*]//[ =]/-}/bin"
# Draws the diagrams of the site of documentation, from npm.
mermaid_package=@mermaid-js/tiny@11.17.2
mermaid="$cache_dir/mermaid-${mermaid_package##*@}.js"
# A server with the interface of S3, from PyPI.
s3_package='moto[server]==5.2.1'
s3_tools="$cache_dir/s3-${s3_package##*==}/bin"
# Tools of `scripts/docs`, `scripts/lint --dependencies`, `scripts/assure interface`,
# `scripts/assure parachain` and `scripts/release packages` from crates.io, which `scripts/setup`
# compiles. Each goes to a folder of its own.
docs_crates=(mdbook@0.5.4)
lint_crates=(zepter@1.88.2 cargo-deny@0.20.2)
interface_crates=(cargo-semver-checks@0.51.0 cargo-public-api@0.52.0)
parachain_crates=(polkadot-omni-node@0.24.0)
packages_crates=(cargo-deb@3.8.0)
crate_tools="$cache_dir/tools"
# The tool of `scripts/monitoring`, from Debian's package `prometheus`.
promtool="$cache_dir/tools/prometheus/usr/bin/promtool"
wasm_target=wasm32v1-none
wasm_toolchain=content-fabric-wasm
wasm_toolchain_dir="$cache_dir/wasm-toolchain"
rust_channel=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' "$root/rust-toolchain.toml")

# Kept outside the checkout, so that a fresh clone can use what an earlier one built.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache_dir/target}"

# Builds of the scripts are rarely repeated after a small edit.
export CARGO_INCREMENTAL=0

# Use Debian's OpenSSL. A dependency of the node contains its sources, but they take minutes to
# compile.
export OPENSSL_NO_VENDOR=1

# Prints a problem and how to solve it, and stops.
die() {
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# Prints the heading of the next step of a script. If `STEP_TIMES` names a file, also appends the
# duration of the previous step to it.
step() {
	end_step
	step_name=$* step_start=$SECONDS
	printf '\n==> %s\n' "$*"
}
end_step() {
	if [ -n "${STEP_TIMES:-}" ] && [ -n "${step_name:-}" ]; then
		printf '%6d s  %s\n' $((SECONDS - step_start)) "$step_name" >>"$STEP_TIMES"
	fi
	step_name=''
}

# The packages and features that the demo, the lints and the tests share. Each script builds only
# the targets that it needs. Cargo takes the features of shared dependencies from this selection, so
# it compiles each dependency once: about 900 crates, which are most of a build. If a test needs a
# feature of a dependency that the programs share, `tests/Cargo.toml` has to enable it as well.
# Otherwise cargo compiles that dependency, and all that depend on it, twice.
# shellcheck disable=SC2034
selection=(
	--locked --workspace
	--features content-fabric-identifiers/arbitrary
	--features 'content-fabric-okvs/bigint content-fabric-okvs/chain content-fabric-okvs/conformance'
	--features 'pallet-content-fabric/fuzzing pallet-content-fabric/runtime-benchmarks'
	--features content-fabric-runtime/runtime-benchmarks
)
# The folder of the programs that are built with `selection`.
programs="$CARGO_TARGET_DIR/debug"
# The arguments for optimized programs, which are used or measured. `fabric` has the light client.
# shellcheck disable=SC2034
optimized=(--locked --release --workspace --features content-fabric-cli/light)

# The pallet and the libraries under it, with all their features and nothing else.
# shellcheck disable=SC2034
libraries=(
	--all-features -p content-fabric-identifiers -p content-fabric-okvs -p content-fabric-primitives
	-p pallet-content-fabric
)

# Succeeds if the Rust toolchain $1 has the libraries of the WASM target.
has_wasm_target() {
	local libdir
	libdir=$(rustc "+$1" --print target-libdir --target "$wasm_target" 2>/dev/null) || return 1
	compgen -G "$libdir/libcore-*.rlib" >/dev/null
}

# Succeeds if the toolchain that `setup` made has libraries that fit its compiler, which an upgrade
# of Debian replaces.
has_fitting_wasm_toolchain() {
	has_wasm_target "$wasm_toolchain" &&
		[ "$(rustc "+$wasm_toolchain" --version)" = "$(cat "$wasm_toolchain_dir/version" 2>/dev/null)" ]
}

# Points the runtime's build at the toolchain that has the WASM target: rustup's, or the one that
# `setup` made.
select_wasm_toolchain() {
	if has_wasm_target "$rust_channel"; then
		wasm_cargo=(cargo)
		unset WASM_BUILD_TOOLCHAIN
	elif has_fitting_wasm_toolchain; then
		wasm_cargo=(cargo "+$wasm_toolchain")
		export WASM_BUILD_TOOLCHAIN="$wasm_toolchain"
		# A toolchain that is named is used as it is: rustup does not try to download the targets in
		# rust-toolchain.toml.
		export RUSTUP_TOOLCHAIN="$rust_channel"
	else
		return 1
	fi
}

# Builds the runtime to which tests upgrade networks. Needs `select_wasm_toolchain`.
build_drill_runtime() {
	export DRILL_RUNTIME="$CARGO_TARGET_DIR/drill-runtime.wasm"
	WASM_BUILD_PROFILE=wasm-quick cargo run --locked --quiet --release \
		-p content-fabric-runtime-wasm --features drill --example blob >"$DRILL_RUNTIME"
}
