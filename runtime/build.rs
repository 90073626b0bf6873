// SPDX-License-Identifier: Apache-2.0
//! Builds the WASM runtime. It contains the hash of its metadata, so that it accepts transactions
//! of signers who check that hash (`CheckMetadataHash`).

#[cfg(feature = "std")]
fn main() {
	// `substrate-wasm-builder` can compute the hash, but then builds the WASM twice, and the
	// executor too. Instead the hash is in a file, which a test compares with the metadata.
	let hash = include_str!("metadata-hash").trim();
	std::env::set_var("RUNTIME_METADATA_HASH", hash);
	// Cargo does not build a crate of a registry again because of another environment, so an earlier
	// hash would stay in the runtime. It does because of another flag.
	substrate_wasm_builder::WasmBuilder::init_with_defaults()
		.append_to_rust_flags(format!("--cfg metadata_hash_{hash}"))
		.build();
}

#[cfg(not(feature = "std"))]
fn main() {}
