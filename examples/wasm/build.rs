// SPDX-License-Identifier: Apache-2.0
//! Builds the WASM of the parachain. It contains the hash of its metadata, which covers the
//! currency that the chain specification names.

use std::path::Path;

use substrate_wasm_builder::WasmBuilder;

fn main() {
	let parachain = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("parachain");
	WasmBuilder::new()
		.with_project(parachain.join("Cargo.toml"))
		.expect("the parachain is beside this package")
		.import_memory()
		.export_heap_base()
		.enable_metadata_hash("UNIT", 12)
		.build();
}
