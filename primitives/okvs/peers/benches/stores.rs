//! Each backend beside direct use of what it is built on, on the same pairs in the same run, and
//! from a thousand to a million of them.
//!
//! Keys are those of children of parents, a hundred each: 23 bytes, with values of 100 bytes.

use std::{
	collections::BTreeMap,
	hint::black_box,
	time::{Duration, Instant},
};

use content_fabric_okvs::{
	chain::{ChainConfig, ChainDatabase},
	disk::{DiskConfig, DiskDatabase, Durability},
	memory::MemoryDatabase,
	successor, Database, Read, Transaction,
};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use redb::{ReadableDatabase, TableDefinition};
use sp_io::{storage, TestExternalities};

const CHILDREN: u32 = 100;
const TABLE: TableDefinition<&[u8], &[u8]> = TableDefinition::new("direct");

fn parent(number: u32) -> Vec<u8> {
	// Spread over the keys, so that those which follow each other in a benchmark do not here.
	[b"parent/", number.wrapping_mul(0x9e37_79b1).to_be_bytes().as_slice(), b"/child"].concat()
}

fn key(number: u32) -> Vec<u8> {
	let mut key = parent(number / CHILDREN);
	key.extend_from_slice(&u64::from(number % CHILDREN).to_be_bytes()[2..]);
	key
}

const VALUE: [u8; 100] = [7; 100];

fn pairs(count: u32) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
	(0..count).map(|number| (key(number), VALUE.to_vec()))
}

/// Numbers below a limit, in no order.
struct Numbers {
	next: u32,
	limit: u32,
}

impl Numbers {
	fn new(limit: u32) -> Self {
		Self { next: 0, limit }
	}

	fn next(&mut self) -> u32 {
		self.next = self.next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
		((u64::from(self.next) * u64::from(self.limit)) >> 32) as u32
	}
}

fn fill<D: Database>(database: &D, count: u32)
where
	D::Error: std::fmt::Debug,
{
	let mut transaction = database.begin().unwrap_or_else(|_| panic!("nothing else is open"));
	for (key, value) in pairs(count) {
		transaction.set(&key, &value).expect("nothing can fail");
	}
	transaction.commit().expect("nothing can fail");
}

/// Sets the children of a parent in one transaction.
fn set_children<D: Database<Error: std::fmt::Debug>>(database: &D, number: u32) {
	let mut transaction = database.begin().unwrap_or_else(|_| panic!("nothing else is open"));
	for (key, value) in children(number) {
		transaction.set(&key, &value).expect("nothing can fail");
	}
	transaction.commit().expect("can be written");
}

/// Deletes the children of a parent in one transaction.
fn delete_children<D: Database<Error: std::fmt::Debug>>(database: &D, number: u32) {
	let prefix = parent(number);
	let mut transaction = database.begin().unwrap_or_else(|_| panic!("nothing else is open"));
	transaction.remove_range(&prefix, successor(&prefix).as_deref()).expect("nothing can fail");
	transaction.commit().expect("can be written");
}

/// What is done to one store and to another.
type Step<'s> = (&'static str, Box<dyn FnMut() -> usize + 's>);
/// What puts back the children of a parent.
type Restore<'s> = Box<dyn FnMut(u32) + 's>;

fn compare(c: &mut Criterion, group: &str, steps: Vec<Step<'_>>) {
	let mut group = c.benchmark_group(group);
	for (name, mut step) in steps {
		group.bench_function(name, |b| b.iter(&mut step));
	}
}

/// Deletions change what is there, so that they are put back before the next one, without the time
/// that this takes.
fn compare_deletion(c: &mut Criterion, group: &str, steps: Vec<(Step<'_>, Restore<'_>)>) {
	let mut group = c.benchmark_group(group);
	for ((name, mut delete), mut restore) in steps {
		group.bench_function(name, |b| {
			b.iter_custom(|iterations| {
				let mut elapsed = Duration::ZERO;
				for _ in 0..iterations {
					let began = Instant::now();
					let number = black_box(delete());
					elapsed += began.elapsed();
					restore(number as u32);
				}
				elapsed
			})
		});
	}
}

fn children(number: u32) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
	let first = number * CHILDREN;
	(first..first + CHILDREN).map(|number| (key(number), VALUE.to_vec()))
}

fn memory(c: &mut Criterion, count: u32) {
	let ours = MemoryDatabase::default();
	fill(&ours, count);
	let direct: BTreeMap<_, _> = pairs(count).collect();
	let snapshot = ours.begin_read().expect("nothing can fail");
	let (mut a, mut b) = (Numbers::new(count), Numbers::new(count));
	compare(
		c,
		&format!("memory/get/{count}"),
		vec![
			(
				"ours",
				Box::new(|| snapshot.get(&key(a.next())).map_or(0, |v| v.map_or(0, <[u8]>::len))),
			),
			("BTreeMap", Box::new(|| direct.get(&key(b.next())).map_or(0, Vec::len))),
		],
	);
	let parents = count / CHILDREN;
	let (mut a, mut b) = (Numbers::new(parents), Numbers::new(parents));
	compare(
		c,
		&format!("memory/scan 100/{count}"),
		vec![
			(
				"ours",
				Box::new(|| {
					let range = snapshot.range(&parent(a.next())).expect("nothing can fail");
					range
						.map(|pair| {
							pair.map_or(0, |(key, value)| {
								black_box(key).len() + black_box(value).len()
							})
						})
						.sum()
				}),
			),
			(
				"BTreeMap",
				Box::new(|| {
					let prefix = parent(b.next());
					let range = direct
						.range(prefix.clone()..)
						.take_while(|(key, _)| key.starts_with(&prefix));
					range.map(|(key, value)| black_box(key).len() + black_box(value).len()).sum()
				}),
			),
		],
	);
	drop(snapshot);
	let direct = std::cell::RefCell::new(direct);
	let (mut a, mut b) = (Numbers::new(parents), Numbers::new(parents));
	compare(
		c,
		&format!("memory/set 100/{count}"),
		vec![
			(
				"ours",
				Box::new(|| {
					set_children(&ours, a.next());
					0
				}),
			),
			(
				"BTreeMap",
				Box::new(|| {
					for (key, value) in children(b.next()) {
						// Made from slices on either side.
						direct
							.borrow_mut()
							.insert(key.as_slice().to_vec(), value.as_slice().to_vec());
					}
					0
				}),
			),
		],
	);
	let (mut a, mut b) = (Numbers::new(parents), Numbers::new(parents));
	compare_deletion(
		c,
		&format!("memory/delete 100/{count}"),
		vec![
			(
				(
					"ours",
					Box::new(|| {
						let number = a.next();
						delete_children(&ours, number);
						number as usize
					}),
				),
				Box::new(|number| {
					set_children(&ours, number);
				}),
			),
			(
				(
					"BTreeMap",
					Box::new(|| {
						let number = b.next();
						let prefix = parent(number);
						let mut direct = direct.borrow_mut();
						let keys: Vec<_> = direct
							.range(prefix.clone()..)
							.take_while(|(key, _)| key.starts_with(&prefix))
							.map(|(key, _)| key.clone())
							.collect();
						keys.iter().for_each(|key| {
							direct.remove(key);
						});
						number as usize
					}),
				),
				Box::new(|number| direct.borrow_mut().extend(children(number))),
			),
		],
	);
}

fn disk(c: &mut Criterion, count: u32) {
	let directory = tempfile::tempdir().expect("there is room for a folder");
	let config = DiskConfig::new(directory.path().join("ours")).durability(Durability::Close);
	let ours = DiskDatabase::open(config).expect("the file can be made");
	fill(&ours, count);
	let direct = redb::Database::create(directory.path().join("direct")).expect("can be made");
	let write = |run: &dyn Fn(&mut redb::Table<&[u8], &[u8]>)| {
		let mut transaction = direct.begin_write().expect("nothing else is open");
		transaction.set_durability(redb::Durability::None).expect("there are no savepoints");
		run(&mut transaction.open_table(TABLE).expect("the table can be opened"));
		transaction.commit().expect("the file can be written");
	};
	let insert = |pairs: Vec<(Vec<u8>, Vec<u8>)>| {
		write(&move |table| {
			for (key, value) in &pairs {
				table.insert(key.as_slice(), value.as_slice()).expect("can be written");
			}
		});
	};
	insert(pairs(count).collect());

	let snapshot = ours.begin_read().expect("the file can be read");
	let reading = direct.begin_read().expect("the file can be read");
	let table = reading.open_table(TABLE).expect("the table is there");
	let (mut a, mut b) = (Numbers::new(count), Numbers::new(count));
	compare(
		c,
		&format!("disk/get/{count}"),
		vec![
			(
				"ours",
				Box::new(|| {
					let value = snapshot.get(&key(a.next())).expect("can be read");
					value.map_or(0, |value| value.as_ref().len())
				}),
			),
			(
				"redb",
				Box::new(|| {
					let value = table.get(key(b.next()).as_slice()).expect("can be read");
					value.map_or(0, |value| value.value().len())
				}),
			),
		],
	);
	let parents = count / CHILDREN;
	let (mut a, mut b) = (Numbers::new(parents), Numbers::new(parents));
	compare(
		c,
		&format!("disk/scan 100/{count}"),
		vec![
			(
				"ours",
				Box::new(|| {
					let range = snapshot.range(&parent(a.next())).expect("can be read");
					range
						.map(|pair| {
							pair.map_or(0, |(key, value)| key.as_ref().len() + value.as_ref().len())
						})
						.sum()
				}),
			),
			(
				"redb",
				Box::new(|| {
					let prefix = parent(b.next());
					let end = successor(&prefix).expect("is not ff only");
					let range =
						table.range(prefix.as_slice()..end.as_slice()).expect("can be read");
					range
						.map(|pair| {
							pair.map_or(0, |(key, value)| key.value().len() + value.value().len())
						})
						.sum()
				}),
			),
		],
	);
	drop(table);
	drop(reading);
	drop(snapshot);
	let (mut a, mut b) = (Numbers::new(parents), Numbers::new(parents));
	compare(
		c,
		&format!("disk/set 100/{count}"),
		vec![
			(
				"ours",
				Box::new(|| {
					set_children(&ours, a.next());
					0
				}),
			),
			(
				"redb",
				Box::new(|| {
					insert(children(b.next()).collect());
					0
				}),
			),
		],
	);
	let (mut a, mut b) = (Numbers::new(parents), Numbers::new(parents));
	compare_deletion(
		c,
		&format!("disk/delete 100/{count}"),
		vec![
			(
				(
					"ours",
					Box::new(|| {
						let number = a.next();
						delete_children(&ours, number);
						number as usize
					}),
				),
				Box::new(|number| {
					set_children(&ours, number);
				}),
			),
			(
				(
					"redb",
					Box::new(|| {
						let number = b.next();
						let prefix = parent(number);
						let end = successor(&prefix).expect("is not ff only");
						write(&|table| {
							table
								.retain_in(prefix.as_slice()..end.as_slice(), |_, _| false)
								.expect("the file can be written");
						});
						number as usize
					}),
				),
				Box::new(|number| insert(children(number).collect())),
			),
		],
	);
}

/// What the chain's host is given directly: the same keys, in a subspace.
const SUBSPACE: &[u8] = b"s";

fn host_key(key: &[u8]) -> Vec<u8> {
	[SUBSPACE, key].concat()
}

fn chain(c: &mut Criterion, count: u32) {
	let mut ours = TestExternalities::default();
	let database = || {
		let subspace = ChainConfig::new(SUBSPACE).expect("the subspace is allowed");
		ChainDatabase::open(subspace).expect("nothing can fail")
	};
	ours.execute_with(|| fill(&database(), count));
	ours.commit_all().expect("no storage layer is open");
	let mut direct = TestExternalities::default();
	direct.execute_with(|| {
		pairs(count).for_each(|(key, value)| storage::set(&host_key(&key), &value))
	});
	direct.commit_all().expect("no storage layer is open");

	let parents = count / CHILDREN;
	let mut group = c.benchmark_group(format!("chain/get/{count}"));
	ours.execute_with(|| {
		let (database, mut numbers) = (database(), Numbers::new(count));
		let snapshot = database.begin_read().expect("nothing else is open");
		group.bench_function("ours", |b| {
			b.iter(|| snapshot.get(&key(numbers.next())).map_or(0, |v| v.map_or(0, |v| v.len())))
		});
	});
	direct.execute_with(|| {
		let mut numbers = Numbers::new(count);
		group.bench_function("sp-io", |b| {
			b.iter(|| storage::get(&host_key(&key(numbers.next()))).map_or(0, |value| value.len()))
		});
	});
	group.finish();

	let mut group = c.benchmark_group(format!("chain/scan 100/{count}"));
	ours.execute_with(|| {
		let (database, mut numbers) = (database(), Numbers::new(parents));
		let snapshot = database.begin_read().expect("nothing else is open");
		group.bench_function("ours", |b| {
			b.iter(|| {
				let range = snapshot.range(&parent(numbers.next())).expect("nothing can fail");
				range
					.map(|pair| pair.map_or(0, |(key, value)| key.len() + value.len()))
					.sum::<usize>()
			})
		});
	});
	direct.execute_with(|| {
		let mut numbers = Numbers::new(parents);
		group.bench_function("sp-io", |b| {
			b.iter(|| {
				let prefix = host_key(&parent(numbers.next()));
				let (mut total, mut next) = (0, storage::next_key(&prefix));
				while let Some(key) = next.filter(|key| key.starts_with(&prefix)) {
					total += key.len() + storage::get(&key).map_or(0, |value| value.len());
					next = storage::next_key(&key);
				}
				total
			})
		});
	});
	group.finish();

	// In a storage layer that is rolled back.
	let mut group = c.benchmark_group(format!("chain/delete 100/{count}"));
	group.bench_function("ours", |b| {
		b.iter_custom(|iterations| {
			let mut elapsed = Duration::ZERO;
			let mut numbers = Numbers::new(parents);
			for _ in 0..iterations {
				ours.execute_with(|| {
					let number = numbers.next();
					storage::start_transaction();
					let began = Instant::now();
					delete_children(&database(), number);
					elapsed += began.elapsed();
					storage::rollback_transaction();
				});
			}
			elapsed
		})
	});
	group.bench_function("sp-io", |b| {
		b.iter_custom(|iterations| {
			let mut elapsed = Duration::ZERO;
			let mut numbers = Numbers::new(parents);
			for _ in 0..iterations {
				direct.execute_with(|| {
					let prefix = host_key(&parent(numbers.next()));
					storage::start_transaction();
					let began = Instant::now();
					storage::start_transaction();
					black_box(storage::clear_prefix(&prefix, None));
					storage::commit_transaction();
					elapsed += began.elapsed();
					storage::rollback_transaction();
				});
			}
			elapsed
		})
	});
	group.finish();

	let mut group = c.benchmark_group(format!("chain/delete 100, counted/{count}"));
	for (name, externalities, by_store) in
		[("ours", &mut ours, true), ("sp-io", &mut direct, false)]
	{
		group.bench_function(BenchmarkId::from_parameter(name), |b| {
			b.iter_custom(|iterations| {
				let mut elapsed = Duration::ZERO;
				let mut numbers = Numbers::new(parents);
				for _ in 0..iterations {
					externalities.execute_with(|| {
						let prefix = parent(numbers.next());
						storage::start_transaction();
						let began = Instant::now();
						if by_store {
							let database = database();
							let mut transaction = database.begin().expect("nothing else is open");
							let removed = transaction.remove_prefix(&prefix, usize::MAX);
							drop(black_box(removed.expect("nothing can fail")));
							transaction.commit().expect("nothing can fail");
						} else {
							let prefix = host_key(&prefix);
							storage::start_transaction();
							let (mut count, mut next) = (0, storage::next_key(&prefix));
							while let Some(key) = next.filter(|key| key.starts_with(&prefix)) {
								storage::clear(&key);
								count += 1;
								next = storage::next_key(&key);
							}
							black_box(count);
							storage::commit_transaction();
						}
						elapsed += began.elapsed();
						storage::rollback_transaction();
					});
				}
				elapsed
			})
		});
	}
}

fn stores(c: &mut Criterion) {
	for count in [1_000, 10_000, 100_000, 1_000_000] {
		memory(c, count);
		disk(c, count);
		chain(c, count);
	}
}

criterion_group! {
	name = benches;
	config = Criterion::default()
		.sample_size(30)
		.warm_up_time(Duration::from_millis(300))
		.measurement_time(Duration::from_secs(1));
	targets = stores
}
criterion_main!(benches);
