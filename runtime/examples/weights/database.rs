// SPDX-License-Identifier: Apache-2.0
//! A node's database, and blocks on it. They are executed in WASM, their state root is computed,
//! and they are committed, and reverted or kept.

use std::{error::Error, path::Path, time::Duration};

use codec::{DecodeAll, Encode};
use content_fabric_runtime::{Hash, Header, OpaqueBlock, System};
use content_fabric_runtime_wasm::WASM_BINARY;
use frame_support::weights::Weight;
use sc_client_api::{Backend as _, BlockImportOperation, NewBlockState, TrieCacheContext};
use sc_client_db::{Backend, BlocksPruning, DatabaseSettings, DatabaseSource, PruningMode};
use sc_executor::WasmExecutor;
use sp_core::{
	storage::Storage,
	traits::{CallContext, CodeExecutor, RuntimeCode, WrappedRuntimeCode},
};
use sp_io::SubstrateHostFunctions;
use sp_runtime::{
	generic::Digest,
	traits::{BlakeTwo256, Header as _},
	StateVersion,
};
use sp_state_machine::{
	backend::AsTrieBackend, Backend as StateBackend, Ext, OverlayedChanges, TrieBackend,
	TrieBackendBuilder,
};

use crate::{state::PARENT_NUMBER, stopwatch::Stopwatch, transactions::begin};

type State = <Backend<OpaqueBlock> as sc_client_api::Backend<OpaqueBlock>>::State;
type Overlay = OverlayedChanges<BlakeTwo256>;
/// A state that records what is read from it.
type Recording<'a> =
	TrieBackend<&'a <State as AsTrieBackend<BlakeTwo256>>::TrieBackendStorage, BlakeTwo256>;
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// The size of the trie's cache, and the number of states, that a node keeps by default.
const TRIE_CACHE: usize = 1 << 30;
const STATES: u32 = 256;
/// Number of blocks whose changes may stay in memory before they are final, as in a node.
const CANONICALIZATION_DELAY: u64 = 4_096;

/// A database, and the parent of the next block.
pub struct Database {
	backend: Backend<OpaqueBlock>,
	executor: WasmExecutor<SubstrateHostFunctions>,
	code: WrappedRuntimeCode<'static>,
	code_hash: Vec<u8>,
	parent: Hash,
}

/// A block that is being built.
pub struct Block {
	state: State,
	overlay: Overlay,
}

fn settings(path: &Path) -> DatabaseSettings {
	DatabaseSettings {
		trie_cache_maximum_size: Some(TRIE_CACHE),
		state_pruning: Some(PruningMode::blocks_pruning(STATES)),
		source: DatabaseSource::ParityDb { path: path.into() },
		blocks_pruning: BlocksPruning::KeepFinalized,
		pruning_filters: Vec::new(),
		metrics_registry: None,
	}
}

impl Database {
	/// Makes a database whose first block has the given state. Returns the hash of that block.
	pub fn make(path: &Path, storage: Storage) -> Outcome<Hash> {
		let backend = Backend::<OpaqueBlock>::new(settings(path), CANONICALIZATION_DELAY)?;
		let mut operation = backend.begin_operation()?;
		let root = operation.set_genesis_state(storage, true, StateVersion::V1)?;
		let header = header(0, Hash::default(), root);
		let (hash, final_block) = (header.hash(), NewBlockState::Final);
		operation.set_block_data(header, Some(Vec::new()), None, None, final_block, true)?;
		backend.commit_operation(operation)?;
		Ok(hash)
	}

	/// Opens a database whose first block has this hash.
	pub fn open(path: &Path, first: Hash) -> Outcome<Self> {
		let code = WASM_BINARY.ok_or("build without SKIP_WASM_BUILD")?;
		let database = Self {
			backend: Backend::new(settings(path), CANONICALIZATION_DELAY)?,
			executor: WasmExecutor::builder().build(),
			code: WrappedRuntimeCode(code.into()),
			code_hash: sp_io::hashing::blake2_256(code).to_vec(),
			parent: first,
		};
		// Compiles the runtime.
		let state = database.backend.state_at(first, TrieCacheContext::Trusted)?;
		database.call(&state, &mut Overlay::default(), "Core_version", &[])?;
		Ok(database)
	}

	/// Calls a function of the WASM runtime.
	fn call(
		&self,
		state: &State,
		overlay: &mut Overlay,
		function: &str,
		arguments: &[u8],
	) -> Outcome<Vec<u8>> {
		let code = RuntimeCode {
			code_fetcher: &self.code,
			heap_pages: None,
			hash: self.code_hash.clone(),
		};
		overlay.enter_runtime().map_err(|_| "the runtime is running")?;
		let context = CallContext::Onchain { import: true };
		let mut ext = Ext::new(overlay, state, None);
		let (answer, _) = self.executor.call(&mut ext, &code, function, arguments, context);
		overlay.exit_runtime().map_err(|_| "the runtime is not running")?;
		Ok(answer?)
	}

	fn apply(&self, state: &State, overlay: &mut Overlay, extrinsic: &[u8]) -> Outcome<()> {
		let answer = self.call(state, overlay, "BlockBuilder_apply_extrinsic", extrinsic)?;
		let result = sp_runtime::ApplyExtrinsicResult::decode_all(&mut &answer[..])?;
		match result {
			Ok(Ok(())) => Ok(()),
			failed => Err(format!("an extrinsic failed: {failed:?}").into()),
		}
	}

	/// Begins a block. The caller may do something natively before anything else.
	pub fn block(&self, prepare: impl FnOnce()) -> Outcome<Block> {
		let state = self.backend.state_at(self.parent, TrieCacheContext::Trusted)?;
		let mut overlay = Overlay::default();
		let number = PARENT_NUMBER + 1;
		let (header, inherent) = begin(number, self.parent, number.into());
		self.call(&state, &mut overlay, "Core_initialize_block", &header.encode())?;
		self.apply(&state, &mut overlay, &inherent.encode())?;
		natively(&state, &mut overlay, prepare);
		Ok(Block { state, overlay })
	}

	/// Returns how long a block takes from its first extrinsic to its commit. The block is then
	/// reverted.
	pub fn time_extrinsics(&self, extrinsics: &[Vec<u8>]) -> Outcome<Duration> {
		let mut block = self.block(|| ())?;
		let watch = Stopwatch::start()?;
		for extrinsic in extrinsics {
			self.apply(&block.state, &mut block.overlay, extrinsic)?;
		}
		self.commit(block)?;
		let time = watch.elapsed()?;
		self.backend.revert(1, false)?;
		Ok(time)
	}

	/// Returns how long the end of a block takes, with its hooks and its commit, and the weight of
	/// the hooks. The block is then reverted.
	pub fn time_end(&self, prepare: impl FnOnce()) -> Outcome<(Duration, Weight)> {
		let mut block = self.block(prepare)?;
		let before = block.weight();
		let watch = Stopwatch::start()?;
		self.call(&block.state, &mut block.overlay, "BlockBuilder_finalize_block", &[])?;
		let after = block.weight();
		self.commit(block)?;
		let time = watch.elapsed()?;
		self.backend.revert(1, false)?;
		Ok((time, after - before))
	}

	/// Commits a block, which can be reverted.
	fn commit(&self, mut block: Block) -> Outcome<()> {
		let changes = block.overlay.drain_storage_changes(&block.state, StateVersion::V1)?;
		// The parent is the first block of the database, whose number is 0.
		let header = header(1, self.parent, changes.transaction_storage_root);
		let mut operation = self.backend.begin_operation()?;
		self.backend.begin_state_operation(&mut operation, self.parent)?;
		let state = NewBlockState::Best;
		operation.set_block_data(header, Some(Vec::new()), None, None, state, true)?;
		operation.update_db_storage(changes.transaction)?;
		operation.update_storage(changes.main_storage_changes, changes.child_storage_changes)?;
		self.backend.commit_operation(operation)?;
		Ok(())
	}

	/// Runs `body` natively on the state, and returns the size of the proof of all that was read,
	/// and of what is needed to compute the new state root.
	pub fn prove<R>(&self, body: impl FnOnce() -> R) -> Outcome<(R, u64)> {
		let state = self.backend.state_at(self.parent, TrieCacheContext::Untrusted)?;
		let trie = state.as_trie_backend();
		let recording: Recording<'_> =
			TrieBackendBuilder::new(trie.backend_storage(), *trie.root())
				.with_recorder(Default::default())
				.build();
		let result = natively(&recording, &mut Overlay::default(), || {
			let result = body();
			sp_io::storage::root(StateVersion::V1);
			result
		});
		let proof = recording.extract_proof().ok_or("there is a recorder")?;
		Ok((result, proof.encoded_size() as u64))
	}
}

impl Block {
	fn weight(&mut self) -> Weight {
		natively(&self.state, &mut self.overlay, || System::block_weight().total())
	}
}

/// Runs native code on a state.
fn natively<S: StateBackend<BlakeTwo256>, R>(
	state: &S,
	overlay: &mut Overlay,
	body: impl FnOnce() -> R,
) -> R {
	sp_externalities::set_and_run_with_externalities(&mut Ext::new(overlay, state, None), body)
}

fn header(number: u32, parent: Hash, state_root: Hash) -> Header {
	Header::new(number, Hash::default(), state_root, parent, Digest::default())
}
