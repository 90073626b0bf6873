// SPDX-License-Identifier: Apache-2.0
//! Names of a content network in a tuple store: what a name stands for, and who names what. The
//! same code runs in memory, on disk and in the state of a chain.

use content_fabric_okvs::{
	chain::{ChainConfig, ChainDatabase},
	disk::{DiskConfig, DiskDatabase},
	memory::MemoryDatabase,
	tuple::Subspace,
	tuple_store::{
		Free, Orders, OrdersError, Pattern, Prefix, TupleStore, TupleStoreError, Within,
	},
	Database, RangeOptions, Read,
};

/// A collection names a target since a time.
type Name = (&'static str, &'static str, &'static str, u64);

const NAMES: [Name; 6] = [
	("crates", "serde", "object-1", 2015),
	("crates", "serde_json", "object-2", 2016),
	("crates", "tokio", "object-3", 2017),
	("debian", "librust-serde-dev", "object-1", 2019),
	("debian", "librust-tokio-dev", "object-3", 2020),
	("mirror", "serde", "object-1", 2021),
];

/// The positions are collection, name, target and time.
fn names() -> Result<TupleStore<4>, OrdersError> {
	let orders = Orders::new([
		// What a name of a collection stands for.
		[0, 1, 2, 3],
		// Who names a target.
		[2, 0, 1, 3],
		// What a collection named when.
		[0, 3, 1, 2],
	])?;
	Ok(TupleStore::new(Subspace::new(&("name",)), orders))
}

/// Writes the names, and prints what can be found.
fn run<D>(database: &D) -> Result<(), Box<dyn std::error::Error>>
where
	D: Database<Error: std::error::Error + 'static>,
{
	let names = names()?;
	database.transact(|transaction| {
		for name in NAMES {
			names.insert(transaction, &name, b"")?;
		}
		Ok::<_, TupleStoreError<_>>(())
	})?;

	let snapshot = database.begin_read()?;
	println!("`crates/serde` stands for:");
	print(&names, &snapshot, &("crates", "serde", Free, Free), RangeOptions::default())?;
	println!("Names of `object-1`:");
	print(&names, &snapshot, &(Free, Free, "object-1", Free), RangeOptions::default())?;
	println!("Names in `crates` that begin with `serde`:");
	print(&names, &snapshot, &("crates", Prefix("serde"), Free, Free), RangeOptions::default())?;
	println!("The newest name in `crates` before 2017:");
	let newest = RangeOptions::REVERSE.limit(1);
	print(&names, &snapshot, &("crates", Free, Free, Within(..2017u64)), newest)
}

fn print<R: Read<Error: std::error::Error + 'static>>(
	names: &TupleStore<4>,
	snapshot: &R,
	pattern: &impl Pattern<4>,
	options: RangeOptions,
) -> Result<(), Box<dyn std::error::Error>> {
	for row in names.query(snapshot, pattern, options)? {
		let row = row?;
		let (collection, name, target, since): (&str, &str, &str, u64) = row.get()?;
		println!("  {collection}/{name} -> {target}, since {since}");
	}
	Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
	println!("In memory\n");
	run(&MemoryDatabase::open(())?)?;

	println!("\nOn disk\n");
	let folder = tempfile::tempdir()?;
	run(&DiskDatabase::open(DiskConfig::new(folder.path().join("names")))?)?;

	println!("\nIn the state of a chain\n");
	let mut state = sp_io::TestExternalities::default();
	state.execute_with(|| run(&ChainDatabase::open(ChainConfig::new(b"names")?)?))
}
