//! Builds the WASM runtime, which knows the hash of its metadata, so that it accepts transactions of
//! signers who check it (`CheckMetadataHash`).

#[cfg(feature = "std")]
fn main() {
	// Of a WASM file with the hash of its own metadata in it, `substrate-wasm-builder` makes two, and
	// takes a build of the executor for it. A test compares the file with the metadata instead.
	std::env::set_var("RUNTIME_METADATA_HASH", include_str!("metadata-hash").trim());
	substrate_wasm_builder::WasmBuilder::build_using_defaults();
}

#[cfg(not(feature = "std"))]
fn main() {}
