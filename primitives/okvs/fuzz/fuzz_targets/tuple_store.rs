// SPDX-License-Identifier: Apache-2.0
//! Any sequence of changes and queries gives in a tuple store what it gives on a sorted set of
//! tuples.

#![no_main]

use std::collections::BTreeSet;

use content_fabric_okvs::{
	memory::MemoryDatabase,
	tuple::{Element, Subspace},
	tuple_store::{Constraint, Orders, TupleStore, TupleStoreError},
	Database, RangeOptions, Transaction,
};
use libfuzzer_sys::fuzz_target;

type Items = [Element<'static>; 3];

/// Takes an item. Many are prefixes of others in bytes.
fn item(input: &mut &[u8]) -> Option<Element<'static>> {
	let (&code, rest) = input.split_first()?;
	*input = rest;
	let text = ["", "a", "a\0", "a\0b", "ab"][usize::from(code >> 4) % 5];
	Some(match code % 6 {
		0 => Element::Null,
		1 => text.as_bytes().into(),
		2 => text.into(),
		3 => vec![Element::Null, text.into()].into(),
		4 => Element::Int((i128::from(code) - 128) * 3),
		_ => Element::Bool(code & 16 != 0),
	})
}

fn items(input: &mut &[u8]) -> Option<Items> {
	Some([item(input)?, item(input)?, item(input)?])
}

fuzz_target!(|input: &[u8]| {
	let raw = input;
	let mut input = input;
	let orders = Orders::covering();
	let store = TupleStore::new(Subspace::new(&("fuzz",)), orders.clone());
	let database = MemoryDatabase::default();
	let mut transaction = database.begin().expect("nothing else is open");
	let mut set = BTreeSet::<Items>::new();
	while let Some((&code, rest)) = input.split_first() {
		input = rest;
		let Some(items) = items(&mut input) else { break };
		match code % 4 {
			0 | 1 => {
				store.insert(&mut transaction, &items, &[code]).expect("nothing can fail");
				set.insert(items);
			},
			2 => {
				let removed = store.remove(&mut transaction, &items).expect("nothing can fail");
				assert_eq!(removed, set.remove(&items));
			},
			_ => {
				// The upper bits bind positions.
				let bound = |at: usize| code >> 4 & 1 << at != 0;
				let pattern: [Constraint; 3] = std::array::from_fn(|at| {
					if bound(at) {
						Constraint::bound(&items[at])
					} else {
						Constraint::free()
					}
				});
				let count = (0..3).filter(|at| bound(*at)).count();
				let begins = |order: &&[usize; 3]| order[..count].iter().all(|at| bound(*at));
				let order = orders.as_slice().iter().find(begins).expect("the orders cover it");
				let matches = |row: &&Items| (0..3).all(|at| !bound(at) || row[at] == items[at]);
				let mut expected: Vec<_> = set.iter().filter(matches).collect();
				expected.sort_by_key(|row| order.map(|at| &row[at]));
				let rows = store
					.query(&transaction, &pattern, RangeOptions::default())
					.expect("the orders cover it");
				let mut count = 0;
				for (row, expected) in rows.zip(&expected) {
					let row = row.expect("nothing else wrote the keys");
					let found = row.get::<(Element, Element, Element)>().expect("three items");
					assert_eq!(<[Element; 3]>::from(found), **expected);
					count += 1;
				}
				assert_eq!(count, expected.len());
			},
		}
	}
	transaction.commit().expect("nothing can fail");
	let snapshot = database.begin_read().expect("nothing can fail");
	let free = [Constraint::free(), Constraint::free(), Constraint::free()];
	let all = store.query(&snapshot, &free, RangeOptions::default());
	assert_eq!(all.expect("any order answers it").count(), set.len());

	// Keys that nothing valid wrote give rows or errors, and no panic.
	let database = MemoryDatabase::default();
	let mut transaction = database.begin().expect("nothing else is open");
	let key = [store.subspace().pack(&(0,)).as_slice(), raw].concat();
	transaction.set(&key, b"").expect("nothing can fail");
	for row in
		store.query(&transaction, &free, RangeOptions::default()).expect("any order answers it")
	{
		match row {
			Ok(row) => drop(row.get::<(Element, Element, Element)>()),
			Err(error) => assert!(matches!(error, TupleStoreError::Unpack(_))),
		}
	}
});
