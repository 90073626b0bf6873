// SPDX-License-Identifier: Apache-2.0
//! Measures every call of the pallet against its weight: how long it takes in WASM on the database
//! of a node, and the size of its proof, in states of several sizes. See `docs/benchmarks.md`.
//!
//! `weights FOLDER [ROWS...]` makes its databases in the folder. It must run as root, to empty the
//! cache of the operating system.

mod cases;
mod database;
mod hooks;
mod state;
mod stopwatch;
mod table;
#[path = "../../tests/shared/transactions.rs"]
mod transactions;

use std::{
	collections::BTreeMap, error::Error, fs::File, path::Path, process::Command, time::Duration,
};

use codec::Encode;
use content_fabric_runtime::{AccountId, Hash, Runtime, RuntimeCall, RuntimeOrigin};
use frame_metadata_hash_extension::CheckMetadataHash;
use frame_support::{traits::GetCallName, weights::Weight};
use sp_core::Pair;

use self::{
	cases::{dispatch, Case},
	database::{Database, Outcome},
	state::{Group, Signer},
	table::{Measured, Table},
	transactions::transaction,
};

/// Rows of the states that are measured.
const SIZES: [u32; 3] = [10_000, 100_000, 1_000_000];
/// Rows that a group has, among them an access key in the large tenant and one in the provider.
/// Together, the groups have half of all rows.
const ROWS_OF_GROUP: u32 = 16;
/// Rows of a large tenant for each object: the object, two versions, two records. The large tenant
/// has a quarter of all rows, and the other two as many together.
const ROWS_OF_OBJECT: u32 = 5;
/// Measurements of a call without a long list, and such calls in one block.
const CALLS: u32 = 72;
const IN_BLOCK: u32 = 8;
/// Number of blocks with a call that has a long list. Each has one such call.
const LONG_BLOCKS: u32 = 5;

/// The calls of a case that were prepared in a state.
struct Prepared {
	name: &'static str,
	variant: String,
	/// Calls with their origins.
	calls: Vec<(RuntimeOrigin, RuntimeCall)>,
	blocks: Vec<Blocks>,
}

/// The extrinsics of two blocks. Those of the first do nothing. Those of the second are by the same
/// signers.
struct Blocks {
	nothing: Vec<Vec<u8>>,
	calls: Vec<Vec<u8>>,
}

/// Returns blocks with these calls, each with a few of them.
fn blocks(calls: &[(Group, Signer, RuntimeCall)], shape: Shape) -> Vec<Blocks> {
	let mut calls = calls.iter().cycle();
	let block = |_| {
		let mut nonces = BTreeMap::<AccountId, u32>::new();
		let mut both = Blocks { nothing: Vec::new(), calls: Vec::new() };
		for (group, signer, call) in calls.by_ref().take(shape.in_block as usize) {
			let nonce = nonces.entry(group.account(*signer)).or_default();
			let nothing = frame_system::Call::remark { remark: Vec::new() };
			both.nothing.push(extrinsic(group, *signer, nothing.into(), *nonce));
			both.calls.push(extrinsic(group, *signer, call.clone(), *nonce));
			*nonce += 1;
		}
		both
	};
	(0..shape.blocks).map(block).collect()
}

/// Returns a signed extrinsic.
fn extrinsic(group: &Group, signer: Signer, call: RuntimeCall, nonce: u32) -> Vec<u8> {
	let call = match signer {
		Signer::Sudo => RuntimeCall::Sudo(pallet_sudo::Call::sudo { call: Box::new(call) }),
		_ => call,
	};
	let sign = |payload: &[u8]| group.key(signer).sign(payload);
	let hash = CheckMetadataHash::new(false);
	transaction(group.account(signer), sign, nonce, 0, call, hash).encode()
}

/// Blocks that are measured, and calls in each.
#[derive(Clone, Copy)]
struct Shape {
	in_block: u32,
	blocks: u32,
}

/// Returns the number of groups in a state with `rows` rows.
fn groups(rows: u32) -> u32 {
	rows / 2 / ROWS_OF_GROUP
}

/// Returns the number of the large tenant's objects in a state with `rows` rows.
fn objects(rows: u32) -> u32 {
	rows / 4 / ROWS_OF_OBJECT
}

/// The groups of each case.
struct Shares {
	objects: u32,
	/// Groups that each case has at most.
	each: u32,
	next: u32,
}

impl Shares {
	fn new(rows: u32, cases: usize) -> Self {
		Self { objects: objects(rows), each: groups(rows) / cases as u32, next: 0 }
	}

	/// Returns the shape of a case, and groups that no other case has: one for each call, if there
	/// are enough.
	fn take(&mut self, is_long: bool) -> (Shape, Vec<Group>) {
		// No group has two calls in a block.
		let shape = match is_long {
			true => Shape { in_block: 1, blocks: LONG_BLOCKS },
			false => {
				let in_block = self.each.min(IN_BLOCK);
				Shape { in_block, blocks: CALLS / in_block }
			},
		};
		let first = self.next;
		self.next += self.each.min(shape.in_block * shape.blocks);
		let group = |number| Group { number, objects: self.objects };
		(shape, (first..self.next).map(group).collect())
	}
}

/// Makes a database with `rows` rows. Returns the calls to measure in it, and the hash of its first
/// block.
fn make(path: &Path, rows: u32) -> Outcome<(Vec<Prepared>, Hash)> {
	let cases = cases::all();
	let mut shares = Shares::new(rows, cases.len());
	let shares: Vec<_> = cases.iter().map(|case| shares.take(case.is_long)).collect();
	let with_shares = || cases.iter().zip(&shares);
	let prepare = || {
		for (case, (_, groups)) in with_shares() {
			groups.iter().for_each(|group| (case.prepare)(group));
		}
	};
	let finish =
		|| with_shares().map(|(case, (shape, groups))| prepared(case, *shape, groups)).collect();
	let (storage, prepared) = state::make(groups(rows), objects(rows), prepare, finish)?;
	Ok((prepared, Database::make(path, storage)?))
}

fn prepared(case: &Case, shape: Shape, groups: &[Group]) -> Prepared {
	let mut name = "";
	let mut call = |group: &Group| {
		let (signer, call) = (case.make)(group);
		name = call.get_call_name();
		(*group, signer, case.nest(call))
	};
	let calls: Vec<_> = groups.iter().map(&mut call).collect();
	let with_origin = |(group, signer, call): &(Group, Signer, RuntimeCall)| {
		(group.origin(*signer), call.clone())
	};
	Prepared {
		name,
		variant: case.variant.clone(),
		calls: calls.iter().map(with_origin).collect(),
		blocks: blocks(&calls, shape),
	}
}

/// Empties the cache of the operating system, so that rows are read from the disk.
fn forget_files() -> Outcome<()> {
	Command::new("sync").status()?;
	std::fs::write("/proc/sys/vm/drop_caches", "3")
		.map_err(|error| format!("only root can clear the memory of the system: {error}").into())
}

/// Reads all files of a database, so that the operating system has them in its cache.
fn remember_files(path: &Path) -> Outcome<()> {
	for entry in std::fs::read_dir(path)? {
		let entry = entry?.path();
		match entry.is_dir() {
			true => remember_files(&entry)?,
			false => _ = std::io::copy(&mut File::open(entry)?, &mut std::io::sink())?,
		}
	}
	Ok(())
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> T {
	values.sort();
	values[values.len() / 2]
}

/// Returns how long a call takes, as the median of all blocks: the time that a block with such
/// calls takes longer than one that does nothing, divided by their number.
fn time(database: &Database, case: &Prepared) -> Outcome<Duration> {
	let mut times = Vec::new();
	for Blocks { nothing, calls } in &case.blocks {
		// The first time reads the accounts of the signers.
		database.time_extrinsics(nothing)?;
		let without = database.time_extrinsics(nothing)?;
		let with = database.time_extrinsics(calls)?;
		times.push(with.saturating_sub(without) / calls.len() as u32);
	}
	Ok(median(times))
}

/// Returns how long the call of each case takes.
fn times(database: &Database, cases: &[Prepared]) -> Outcome<Vec<Duration>> {
	let time = |case| {
		time(database, case)
			.map_err(|error| format!("{} {}: {error}", case.name, case.variant).into())
	};
	// One block of each case reads the upper layers of the trie.
	for case in cases.iter().filter(|case| case.blocks.len() > LONG_BLOCKS as usize) {
		let first = case.blocks.first().map_or(&[][..], |blocks| &blocks.calls);
		database.time_extrinsics(first)?;
	}
	cases.iter().map(time).collect()
}

/// Measures all calls in a state with `rows` rows.
fn measure(folder: &Path, rows: u32, table: &mut Table) -> Outcome<()> {
	let path = folder.join(rows.to_string());
	eprintln!("{rows} rows: making the state");
	let (cases, first) = make(&path, rows)?;
	forget_files()?;
	eprintln!("{rows} rows: reading from the disk");
	let database = Database::open(&path, first)?;
	let from_disk = times(&database, &cases)?;
	drop(database);
	remember_files(&path)?;
	eprintln!("{rows} rows: reading from memory");
	let database = Database::open(&path, first)?;
	let from_memory = times(&database, &cases)?;
	eprintln!("{rows} rows: proving");
	for ((case, from_disk), from_memory) in cases.iter().zip(from_disk).zip(from_memory) {
		let (weight, proof) = proof(&database, case)?;
		let measured = Measured { from_disk: Some(from_disk), from_memory, proof, weight };
		table.add(case.name, &case.variant, rows, measured);
	}
	hooks::idle(&database, rows, table)?;
	drop(database);
	std::fs::remove_dir_all(&path)?;
	Ok(())
}

/// Returns the weight of a case's call, and the largest proof of some of its calls.
fn proof(database: &Database, case: &Prepared) -> Outcome<(Weight, u64)> {
	let mut largest = 0;
	let mut weight = Weight::zero();
	for (origin, call) in case.calls.iter().take(LONG_BLOCKS as usize) {
		let (dispatched, proof) = database.prove(|| dispatch(call, origin))?;
		weight =
			dispatched.map_err(|error| format!("{} {}: {error:?}", case.name, case.variant))?;
		largest = largest.max(proof);
	}
	Ok((weight, largest))
}

fn main() -> Result<(), Box<dyn Error>> {
	let mut arguments = std::env::args_os().skip(1);
	let folder = arguments.next().ok_or("usage: weights FOLDER [ROWS...]")?;
	let sizes: Result<Vec<u32>, _> = arguments.map(|rows| rows.to_string_lossy().parse()).collect();
	let sizes = Some(sizes?).filter(|sizes| !sizes.is_empty()).unwrap_or(SIZES.to_vec());
	let mut table = Table::default();
	for rows in &sizes {
		measure(Path::new(&folder), *rows, &mut table)?;
	}
	let calls = pallet_content_fabric::Call::<Runtime>::get_call_names();
	let missing: Vec<_> = calls.iter().filter(|name| !table.has(name)).collect();
	if !missing.is_empty() {
		return Err(format!("these calls were not measured: {missing:?}").into());
	}
	table.print(&sizes);
	table.check()
}
