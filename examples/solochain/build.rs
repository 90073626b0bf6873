// SPDX-License-Identifier: Apache-2.0
//! Builds the WASM runtime, with the feature `wasm`.

fn main() {
	#[cfg(feature = "wasm")]
	substrate_wasm_builder::WasmBuilder::build_using_defaults();
}
