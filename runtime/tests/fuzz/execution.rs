// SPDX-License-Identifier: Apache-2.0
//! The two executions of a block: natively, and in WASM. Each has a state of its own in a trie.

use std::time::{Duration, Instant};

use codec::{Decode, Encode};
use content_fabric_runtime::{Executive, Header, System, UncheckedExtrinsic};
use content_fabric_runtime_wasm::WASM_BINARY;
use pallet_content_fabric::NestingLimit;
use sc_executor::WasmExecutor;
use sp_core::{
	traits::{CallContext, CodeExecutor, RuntimeCode, WrappedRuntimeCode},
	H256,
};
use sp_externalities::Externalities;
use sp_io::{SubstrateHostFunctions, TestExternalities};
use sp_runtime::ApplyExtrinsicResult;

/// The outcome of an extrinsic; `None` if its bytes do not decode, for which the WASM traps.
pub type Applied = Option<ApplyExtrinsicResult>;

/// An execution of blocks. Errors describe traps and panics.
pub trait Execution {
	fn state(&mut self) -> &mut TestExternalities;
	fn initialize(&mut self, header: &Header) -> Result<(), String>;
	fn apply(&mut self, extrinsic: &[u8]) -> Result<Applied, String>;
	fn finalize(&mut self) -> Result<Header, String>;

	/// Applies an extrinsic as a block author does: one that is not valid changes nothing.
	fn try_apply(&mut self, extrinsic: &[u8]) -> Result<Applied, String> {
		self.state().ext().storage_start_transaction();
		let applied = self.apply(extrinsic);
		let is_valid = matches!(applied, Ok(Some(Ok(_))));
		self.end_transaction(is_valid)?;
		applied
	}

	fn end_transaction(&mut self, keep: bool) -> Result<(), String> {
		let mut ext = self.state().ext();
		let ended = match keep {
			true => ext.storage_commit_transaction(),
			false => ext.storage_rollback_transaction(),
		};
		ended.map_err(|()| "an extrinsic has closed a storage layer that is not its own".into())
	}

	/// Writes the changes of the block to the trie, and returns its root.
	fn commit(&mut self) -> Result<H256, String> {
		let state = self.state();
		state.commit_all()?;
		Ok(*state.backend.root())
	}

	/// Passes blocks without making them.
	fn set_number(&mut self, number: u32) {
		self.state().execute_with(|| System::set_block_number(number));
	}
}

/// The native execution. It panics where the WASM traps.
pub struct Native(pub TestExternalities);

impl Execution for Native {
	fn state(&mut self) -> &mut TestExternalities {
		&mut self.0
	}

	fn initialize(&mut self, header: &Header) -> Result<(), String> {
		self.0.execute_with(|| Executive::initialize_block(header));
		Ok(())
	}

	fn apply(&mut self, extrinsic: &[u8]) -> Result<Applied, String> {
		let decoded = decode(extrinsic);
		let apply = |decoded: UncheckedExtrinsic| {
			NestingLimit::check(&decoded.function)?;
			self.0.execute_with(|| Executive::apply_extrinsic(decoded))
		};
		Ok(decoded.map(apply))
	}

	fn finalize(&mut self) -> Result<Header, String> {
		Ok(self.0.execute_with(Executive::finalize_block))
	}
}

/// Decodes an extrinsic as the runtime APIs do: bytes after it are ignored, and the depth of its
/// calls is checked later.
pub fn decode(extrinsic: &[u8]) -> Option<UncheckedExtrinsic> {
	UncheckedExtrinsic::decode(&mut &*extrinsic).ok()
}

/// The WASM, compiled once.
#[derive(Clone)]
pub struct Blob {
	executor: WasmExecutor<SubstrateHostFunctions>,
	code: &'static [u8],
}

impl Blob {
	pub fn new() -> Self {
		let code = WASM_BINARY.expect("tests need the WASM runtime: build without SKIP_WASM_BUILD");
		let executor = WasmExecutor::builder().with_max_runtime_instances(8).build();
		Self { executor, code }
	}
}

/// The runtime's WASM.
pub struct Wasm {
	state: TestExternalities,
	blob: Blob,
	/// Time of the last call.
	pub took: Duration,
}

impl Wasm {
	pub fn new(state: TestExternalities, blob: Blob) -> Self {
		Self { state, blob, took: Duration::ZERO }
	}

	fn call(&mut self, function: &str, arguments: &[u8]) -> Result<Vec<u8>, String> {
		let fetcher = WrappedRuntimeCode(self.blob.code.into());
		let code = RuntimeCode { code_fetcher: &fetcher, heap_pages: None, hash: vec![1] };
		let context = CallContext::Onchain { import: false };
		let mut ext = self.state.ext();
		let start = Instant::now();
		let (answer, _) = self.blob.executor.call(&mut ext, &code, function, arguments, context);
		self.took = start.elapsed();
		answer.map_err(|error| format!("{function}: {error}"))
	}

	/// Applies an extrinsic and undoes it. Returns the time that it took.
	pub fn time(&mut self, extrinsic: &[u8]) -> Result<Duration, String> {
		self.state.ext().storage_start_transaction();
		let applied = self.apply(extrinsic);
		self.end_transaction(false)?;
		applied.map(|_| self.took)
	}
}

impl Execution for Wasm {
	fn state(&mut self) -> &mut TestExternalities {
		&mut self.state
	}

	fn initialize(&mut self, header: &Header) -> Result<(), String> {
		self.call("Core_initialize_block", &header.encode()).map(drop)
	}

	fn apply(&mut self, extrinsic: &[u8]) -> Result<Applied, String> {
		match self.call("BlockBuilder_apply_extrinsic", extrinsic) {
			Ok(answer) => match Decode::decode(&mut &answer[..]) {
				Ok(result) => Ok(Some(result)),
				Err(error) => Err(format!("the result of an extrinsic does not decode: {error}")),
			},
			Err(error) => Err(error),
		}
	}

	fn finalize(&mut self) -> Result<Header, String> {
		let header = self.call("BlockBuilder_finalize_block", &[])?;
		Header::decode(&mut &header[..]).map_err(|error| format!("a header: {error}"))
	}
}
