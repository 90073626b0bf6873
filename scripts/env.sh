# Sourced by the scripts beside it: where build output goes, and which toolchain makes WASM.
# shellcheck shell=bash

cache_dir="${XDG_CACHE_HOME:-$HOME/.cache}/content-fabric"
wasm_target=wasm32v1-none
wasm_toolchain=content-fabric-wasm
rust_channel=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' "$root/rust-toolchain.toml")

# Kept outside the checkout, so that a fresh clone can use what an earlier one built.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache_dir/target}"

# From outside the checkout the WASM build does not find the lock file by itself.
export WASM_BUILD_WORKSPACE_HINT="$root"

# Prints a problem and how to solve it, and stops.
die() {
	printf 'error: %s\n' "$*" >&2
	exit 1
}

step() { printf '\n==> %s\n' "$*"; }

# Whether the Rust toolchain $1 has the libraries of the WASM target.
has_wasm_target() {
	local libdir
	libdir=$(rustc "+$1" --print target-libdir --target "$wasm_target" 2>/dev/null) || return 1
	compgen -G "$libdir/libcore-*.rlib" >/dev/null
}

# Points the runtime's build at the toolchain that has the WASM target, native or linked by `setup`.
select_wasm_toolchain() {
	if has_wasm_target "$rust_channel"; then
		wasm_cargo=(cargo)
		unset WASM_BUILD_TOOLCHAIN
	elif has_wasm_target "$wasm_toolchain"; then
		wasm_cargo=(cargo "+$wasm_toolchain")
		export WASM_BUILD_TOOLCHAIN="$wasm_toolchain"
	else
		return 1
	fi
}
