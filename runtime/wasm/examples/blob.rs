// SPDX-License-Identifier: Apache-2.0
//! Writes the runtime to standard output, as a chain stores it.

use std::io::{stdout, Write};

use content_fabric_runtime_wasm::WASM_BINARY;

fn main() -> Result<(), std::io::Error> {
	let blob = WASM_BINARY.ok_or_else(|| {
		std::io::Error::other("the runtime was not built: build without SKIP_WASM_BUILD")
	})?;
	stdout().write_all(blob)
}
