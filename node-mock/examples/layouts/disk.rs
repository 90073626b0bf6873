// SPDX-License-Identifier: Apache-2.0
//! The time that deletions take on the databases of a node: ParityDB and, with the feature
//! `rocksdb`, RocksDB.
//!
//! A deletion is the work of a block: its changes, the new root, and the import, which writes the
//! new nodes of the trie. The first time ends when the node could go on with the next block, the
//! second when the database has written everything and is closed. Every run works on a copy of the
//! same database, opened anew.

use std::{
	fs, io,
	path::{Path, PathBuf},
	time::{Duration, Instant},
};

use content_fabric_runtime::{Header, OpaqueBlock};
use sc_client_api::{Backend as _, BlockImportOperation, NewBlockState, TrieCacheContext};
use sc_client_db::{Backend, BlocksPruning, DatabaseSettings, DatabaseSource, PruningMode};
use sp_externalities::set_and_run_with_externalities;
use sp_runtime::{
	traits::{BlakeTwo256, Header as _},
	StateVersion, Storage,
};
use sp_state_machine::{Ext, OverlayedChanges};

use crate::{grouped, maps::*};

/// Number of runs. Their median is printed.
const RUNS: usize = 5;
/// As large as the default of a node.
const TRIE_CACHE: usize = 1 << 30;

/// The location of a database in a folder.
type Source = fn(PathBuf) -> DatabaseSource;

const DATABASES: &[(&str, Source)] = &[
	("ParityDB", |path| DatabaseSource::ParityDb { path }),
	// The cache that a node has by default, in MiB.
	#[cfg(feature = "rocksdb")]
	("RocksDB", |path| DatabaseSource::RocksDb { path, cache_size: 1024 }),
];

/// A chain with nothing but a state, in a folder.
struct Chain {
	backend: Backend<OpaqueBlock>,
	best: Header,
}

impl Chain {
	/// Makes a chain whose state is empty.
	fn create(source: DatabaseSource) -> Self {
		let backend = open(source);
		let mut operation = backend.begin_operation().expect("the database is open");
		let root = operation.set_genesis_state(Storage::default(), true, StateVersion::V1);
		let root = root.expect("the state is empty");
		let best = header(0, Default::default(), root);
		let mut chain = Self { backend, best: best.clone() };
		chain.import(operation, best);
		chain
	}

	/// Adds a block that does this work.
	fn block(&mut self, work: impl FnOnce()) {
		let parent = self.best.hash();
		let state = self.backend.state_at(parent, TrieCacheContext::Trusted);
		let state = state.expect("the state of the best block is there");
		let mut overlay = OverlayedChanges::<BlakeTwo256>::default();
		set_and_run_with_externalities(&mut Ext::new(&mut overlay, &state, None), work);
		let changes = overlay.drain_storage_changes(&state, StateVersion::V1);
		let changes = changes.expect("the work leaves no transaction open");

		let mut operation = self.backend.begin_operation().expect("the database is open");
		let began = self.backend.begin_state_operation(&mut operation, parent);
		began.expect("the state of the best block is there");
		let updated = operation.update_db_storage(changes.transaction);
		updated.expect("the changes fit the state");
		let updated =
			operation.update_storage(changes.main_storage_changes, changes.child_storage_changes);
		updated.expect("the changes fit the state");
		self.import(
			operation,
			header(self.best.number + 1, parent, changes.transaction_storage_root),
		);
	}

	fn import(
		&mut self,
		mut operation: <Backend<OpaqueBlock> as sc_client_api::Backend<OpaqueBlock>>::BlockImportOperation,
		header: Header,
	) {
		let body = Some(Vec::new());
		let set =
			operation.set_block_data(header.clone(), body, None, None, NewBlockState::Best, true);
		set.expect("the operation has no other block");
		self.backend.commit_operation(operation).expect("the disk has room");
		self.best = header;
	}
}

fn open(source: DatabaseSource) -> Backend<OpaqueBlock> {
	let settings = DatabaseSettings {
		trie_cache_maximum_size: Some(TRIE_CACHE),
		state_pruning: Some(PruningMode::blocks_pruning(256)),
		source,
		blocks_pruning: BlocksPruning::KeepAll,
		pruning_filters: Vec::new(),
		metrics_registry: None,
	};
	Backend::new(settings, 256).expect("the folder can be written")
}

fn header(number: u32, parent: sp_core::H256, root: sp_core::H256) -> Header {
	Header::new(number, Default::default(), root, parent, Default::default())
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
	fs::create_dir(to)?;
	for entry in fs::read_dir(from)? {
		let entry = entry?;
		let to = to.join(entry.file_name());
		if entry.file_type()?.is_dir() {
			copy(&entry.path(), &to)?;
		} else {
			fs::copy(entry.path(), to)?;
		}
	}
	Ok(())
}

/// Returns the median times until a deletion is imported, and until it is written.
fn times(source: Source, way: &Way, children: u32) -> [Duration; 2] {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let filled = dir.path().join("filled");
	let mut chain = Chain::create(source(filled.clone()));
	chain.block(|| fill(way.create, children));
	let best = chain.best.clone();
	drop(chain);

	let runs = [(); RUNS].map(|()| {
		let path = dir.path().join("run");
		copy(&filled, &path).expect("the disk has room");
		let mut chain = Chain { backend: open(source(path.clone())), best: best.clone() };
		let began = Instant::now();
		chain.block(|| (way.delete)(children));
		let imported = began.elapsed();
		drop(chain);
		let written = began.elapsed();
		fs::remove_dir_all(path).expect("the database is closed");
		[imported, written]
	});
	[0, 1].map(|which| {
		let mut times = runs.map(|run| run[which]);
		times.sort();
		times[RUNS / 2]
	})
}

/// Prints the table of what is measured on disk.
pub fn print() {
	println!("\n| database | children | way | imported | per child | written |");
	println!("| --- | ---: | --- | ---: | ---: | ---: |");
	for (database, source) in DATABASES {
		for (children, _) in SIZES {
			for way in WAYS {
				let [imported, written] = times(*source, &way, children);
				let (each, name) = (imported / children, way.name);
				let children = grouped(children as usize);
				print!("| {database} | {children} | {name} | {imported:.2?} | {each:.2?} ");
				println!("| {written:.2?} |");
			}
		}
	}
}
