// SPDX-License-Identifier: Apache-2.0
//! Calls of the WASM runtime, as a node makes them for its clients.

use std::sync::LazyLock;

use codec::{Decode, Encode};
use content_fabric_runtime_wasm::WASM_BINARY;
use frame_metadata::RuntimeMetadataPrefixed;
use sc_executor::WasmExecutor;
use sp_core::traits::{CallContext, CodeExecutor, RuntimeCode, WrappedRuntimeCode};
use sp_io::{SubstrateHostFunctions, TestExternalities};

/// Compiles the runtime once, and keeps it.
static EXECUTOR: LazyLock<WasmExecutor<SubstrateHostFunctions>> =
	LazyLock::new(|| WasmExecutor::builder().build());

/// Calls a runtime API of the WASM runtime.
pub fn call<Answer: Decode>(
	state: &mut TestExternalities,
	function: &str,
	arguments: &[u8],
) -> Answer {
	let code = WASM_BINARY.expect("tests need the WASM runtime: build without SKIP_WASM_BUILD");
	let fetcher = WrappedRuntimeCode(code.into());
	let code = RuntimeCode { code_fetcher: &fetcher, heap_pages: None, hash: vec![1] };
	let (answer, _) =
		EXECUTOR.call(&mut state.ext(), &code, function, arguments, CallContext::Offchain);
	let answer = answer.unwrap_or_else(|error| panic!("{function}: {error}"));
	Answer::decode(&mut &answer[..]).expect("the answer is of this type")
}

/// Returns the metadata of a version.
pub fn metadata(version: u32) -> RuntimeMetadataPrefixed {
	// Constants may be computed from the state.
	let mut state = TestExternalities::default();
	let metadata: Option<Vec<u8>> =
		call(&mut state, "Metadata_metadata_at_version", &version.encode());
	let metadata = metadata.expect("the version is supported");
	RuntimeMetadataPrefixed::decode(&mut &metadata[..]).expect("the answer is metadata")
}
