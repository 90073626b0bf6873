//! Builds the WASM runtime. It contains the hash of its metadata, so that it accepts transactions
//! of signers who check that hash (`CheckMetadataHash`).

#[cfg(feature = "std")]
fn main() {
	// `substrate-wasm-builder` can compute the hash, but then builds the WASM twice, and the
	// executor too. Instead the hash is in a file, which a test compares with the metadata.
	std::env::set_var("RUNTIME_METADATA_HASH", include_str!("metadata-hash").trim());
	substrate_wasm_builder::WasmBuilder::build_using_defaults();
}

#[cfg(not(feature = "std"))]
fn main() {}
