// SPDX-License-Identifier: Apache-2.0
//! The tuple store beside a sorted map of tuples, on all backends.

mod common;

use std::{
	collections::{BTreeMap, BTreeSet},
	convert::Infallible,
	ops::{Bound, RangeBounds},
};

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::Harness,
	memory::MemoryDatabase,
	tuple::{
		pack, Element, Null, Subspace, UnpackError, UnpackErrorKind, Uuid, Versionstamp, MAX_DEPTH,
	},
	tuple_store::{
		Constraint, Free, Orders, OrdersError, Pattern, Position, Prefix, TupleStore,
		TupleStoreError,
	},
	Database, Durability, RangeOptions, Read, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

type Items = [Element<'static>; 3];
type Model = BTreeMap<Items, Vec<u8>>;
/// Packed tuples with their values, in the order in which they were found.
type Found = Vec<(Vec<u8>, Vec<u8>)>;

/// Few items, of every type but large integers, many of which are prefixes of others in bytes.
fn item(rng: &mut StdRng) -> Element<'static> {
	let items: [Element; 17] = [
		Null.into(),
		b"".as_slice().into(),
		b"\0".as_slice().into(),
		"".into(),
		"a".into(),
		"a\0b".into(),
		"ab".into(),
		vec![Element::Null].into(),
		vec!["a".into(), Element::Null].into(),
		rng.random_range(-1..2).into(),
		256.into(),
		1.0f32.into(),
		1.0f64.into(),
		Uuid([0; 16]).into(),
		Versionstamp { transaction: [0; 10], user: 0 }.into(),
		true.into(),
		false.into(),
	];
	items[rng.random_range(0..items.len())].clone()
}

fn tuple(rng: &mut StdRng) -> Items {
	std::array::from_fn(|_| item(rng))
}

/// A position of a pattern, as data that the model understands too.
#[derive(Clone, Debug)]
enum Wanted {
	Any,
	Item(Element<'static>),
	Range((Bound<Element<'static>>, Bound<Element<'static>>)),
	Prefix(&'static str),
}

impl Wanted {
	fn constraint(&self) -> Constraint {
		match self {
			Self::Any => Free.constraint(),
			Self::Item(item) => item.constraint(),
			Self::Range(range) => Constraint::within(range),
			Self::Prefix(prefix) => Prefix(*prefix).constraint(),
		}
	}

	fn matches(&self, item: &Element<'static>) -> bool {
		match (self, item) {
			(Self::Any, _) => true,
			(Self::Item(wanted), item) => wanted == item,
			(Self::Range(range), item) => range.contains(item),
			(Self::Prefix(prefix), Element::String(string)) => string.starts_with(prefix),
			(Self::Prefix(_), _) => false,
		}
	}
}

fn bound(rng: &mut StdRng) -> Bound<Element<'static>> {
	match rng.random_range(0..3) {
		0 => Bound::Included(item(rng)),
		1 => Bound::Excluded(item(rng)),
		_ => Bound::Unbounded,
	}
}

fn wanted(rng: &mut StdRng) -> [Wanted; 3] {
	std::array::from_fn(|_| match rng.random_range(0..8) {
		0..=2 => Wanted::Any,
		3..=5 => Wanted::Item(item(rng)),
		6 => Wanted::Range((bound(rng), bound(rng))),
		_ => Wanted::Prefix(["", "a", "a\0", "b"][rng.random_range(0..4)]),
	})
}

fn options(rng: &mut StdRng) -> RangeOptions {
	RangeOptions {
		reverse: rng.random(),
		offset: if rng.random() { 0 } else { rng.random_range(0..4) },
		limit: if rng.random() { usize::MAX } else { rng.random_range(0..6) },
	}
}

/// Returns the first order that begins with the wanted items, followed by the wanted range.
fn fitting(orders: &[[usize; 3]], wanted: &[Wanted; 3]) -> Option<[usize; 3]> {
	let bound = wanted.iter().filter(|wanted| matches!(wanted, Wanted::Item(_))).count();
	let ranges = |wanted: &Wanted| matches!(wanted, Wanted::Range(..) | Wanted::Prefix(_));
	let ranged = wanted.iter().filter(|wanted| ranges(wanted)).count();
	let fits = |order: &&[usize; 3]| {
		order[..bound].iter().all(|at| matches!(wanted[*at], Wanted::Item(_)))
			&& order[bound..bound + ranged].iter().all(|at| ranges(&wanted[*at]))
	};
	if ranged > 1 {
		return None;
	}
	orders.iter().find(fits).copied()
}

fn expected(
	model: &Model,
	order: [usize; 3],
	wanted: &[Wanted; 3],
	options: RangeOptions,
) -> Found {
	let matches =
		|items: &Items| wanted.iter().zip(items).all(|(wanted, item)| wanted.matches(item));
	let mut rows: Vec<_> = model.iter().filter(|(items, _)| matches(items)).collect();
	rows.sort_by_key(|(items, _)| order.map(|at| &items[at]));
	if options.reverse {
		rows.reverse();
	}
	let rows = rows.into_iter().skip(options.offset).take(options.limit);
	rows.map(|(items, value)| (pack(items.as_slice()), value.clone())).collect()
}

fn found<R: Read>(
	store: &TupleStore<3>,
	read: &R,
	pattern: &impl Pattern<3>,
	options: RangeOptions,
) -> Result<Found, TupleStoreError<R::Error>> {
	let rows = store.query(read, pattern, options)?;
	rows.map(|row| {
		let row = row?;
		let value = store.value(read, &row)?.expect("the tuple is in the first order, too");
		let value = value.as_ref().to_vec();
		assert!(row.value().is_none_or(|found| found == value));
		let items: Vec<Element> = (0..3).map(|at| row.item(at)).collect::<Result<_, _>>()?;
		Ok((pack(&items), value))
	})
	.collect()
}

/// Checks that a query goes on after each of its rows with the row after that one.
fn goes_on<R: Read>(
	store: &TupleStore<3>,
	read: &R,
	pattern: &impl Pattern<3>,
	reverse: bool,
) -> Result<(), TupleStoreError<R::Error>> {
	let options = RangeOptions { reverse, ..RangeOptions::default() };
	let places = |place: Option<&[u8]>| -> Result<Vec<_>, TupleStoreError<_>> {
		let rows = store.query_after(read, pattern, place, options)?;
		rows.map(|row| Ok(row?.place().to_vec())).collect()
	};
	let all = places(None)?;
	for (i, place) in all.iter().enumerate() {
		assert_eq!(places(Some(place))?, all[i + 1..], "after {place:?}");
	}
	Ok(())
}

fn orders<const N: usize, const COUNT: usize>(orders: [[usize; N]; COUNT]) -> Orders<N> {
	Orders::new(orders).expect("they are permutations")
}

/// Changes and queries at random give what a sorted map gives.
fn agrees_with_a_sorted_map(
	harness: &mut impl Harness<Database: Database<Error: std::fmt::Debug>>,
	seeds: std::ops::Range<u64>,
) {
	for seed in seeds {
		let rng = &mut StdRng::seed_from_u64(seed);
		harness.reset();
		let orders = match seed % 3 {
			0 => orders([[0, 1, 2]]),
			1 => Orders::covering(),
			_ => orders([[2, 0, 1], [0, 2, 1], [1, 0, 2]]),
		};
		// In bytes, the subspace of the one is a prefix of the other's.
		let store = TupleStore::new(Subspace::new(&("a",)), orders);
		let neighbour = TupleStore::new(Subspace::new(&("a\0b",)), Orders::<3>::covering());
		let (mut model, mut beside) = (Model::new(), Model::new());
		for _ in 0..6 {
			let played = harness.with(|database| -> Result<_, TupleStoreError<_>> {
				let mut transaction = database.begin()?;
				for _ in 0..rng.random_range(0..30) {
					let (store, model) = match rng.random_bool(0.8) {
						true => (&store, &mut model),
						false => (&neighbour, &mut beside),
					};
					let (items, value) =
						(tuple(rng), vec![rng.random::<u8>(); rng.random_range(0..3)]);
					let old = model.get(&items).map(Vec::as_slice);
					assert_eq!(store.get(&transaction, &items)?.as_deref(), old);
					if rng.random_bool(0.7) {
						store.insert(&mut transaction, &items, &value)?;
						model.insert(items, value);
					} else {
						let old = model.keys().nth(rng.random_range(0..3)).cloned();
						let items = old.unwrap_or(items);
						let removed = store.remove(&mut transaction, &items)?;
						assert_eq!(removed, model.remove(&items).is_some());
						assert!(!store.contains(&transaction, &items)?);
					}
				}
				for _ in 0..20 {
					let (wanted, options) = (wanted(rng), options(rng));
					let pattern = wanted.each_ref().map(Wanted::constraint);
					let rows = found(&store, &transaction, &pattern, options);
					match fitting(store.orders().as_slice(), &wanted) {
						Some(order) => {
							let expected = expected(&model, order, &wanted, options);
							assert_eq!(rows?, expected, "seed {seed}: {wanted:?} {options:?}");
							goes_on(&store, &transaction, &pattern, options.reverse)?;
						},
						None => assert!(matches!(rows, Err(TupleStoreError::NoOrder { .. }))),
					}
				}
				Ok(transaction.commit()?)
			});
			played.unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
		}
		let read = harness.with(|database| -> Result<_, TupleStoreError<_>> {
			let snapshot = database.begin_read()?;
			let mut keys = 0;
			for (store, model) in [(&store, &model), (&neighbour, &beside)] {
				let rows = found(store, &snapshot, &(Free, Free, Free), RangeOptions::default())?;
				assert_eq!(rows.len(), model.len());
				keys += store.orders().as_slice().len() * model.len();
			}
			assert_eq!(snapshot.range(b"")?.count(), keys);
			Ok(())
		});
		read.unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
	}
}

#[test]
fn on_all_backends_it_agrees_with_a_sorted_map() {
	agrees_with_a_sorted_map(&mut Memory::default(), 0..60);
	agrees_with_a_sorted_map(&mut Disk::new(Durability::Close), 0..12);
	agrees_with_a_sorted_map(&mut Chain::new(0.0), 0..12);
	agrees_with_a_sorted_map(&mut Chain::new(1.0), 0..12);
}

fn covering<const N: usize>(count: usize) {
	let orders = Orders::<N>::covering();
	assert_eq!(orders.as_slice().len(), count);
	assert_eq!(orders.as_slice()[0], std::array::from_fn(|position| position));
	assert_eq!(Orders::new(orders.as_slice()), Ok(orders.clone()));
	let beginnings: BTreeSet<BTreeSet<usize>> = orders
		.as_slice()
		.iter()
		.flat_map(|order| (0..=N).map(|len| order[..len].iter().copied().collect()))
		.collect();
	assert_eq!(beginnings.len(), 1 << N, "every set of positions begins an order");
}

#[test]
fn covering_orders_answer_every_set_of_bound_positions_and_are_as_few_as_possible() {
	covering::<1>(1);
	covering::<2>(2);
	covering::<3>(3);
	covering::<4>(6);
	covering::<5>(10);
	covering::<6>(20);
	covering::<9>(126);
}

#[test]
fn orders_that_are_not_permutations_are_refused() {
	assert_eq!(Orders::<2>::new([]), Err(OrdersError::Empty));
	assert_eq!(Orders::new([[0, 1], [0, 2]]), Err(OrdersError::NotAPermutation { order: 1 }));
	assert_eq!(Orders::new([[0, 1], [1, 0], [0, 1]]), Err(OrdersError::Duplicate { order: 2 }));
	let error = OrdersError::NotAPermutation { order: 1 }.to_string();
	assert_eq!(error, "order 1 does not list each position once");
}

#[test]
fn a_query_that_no_order_answers_names_its_positions() {
	let store = TupleStore::new(Subspace::new(&()), orders([[0, 1, 2]]));
	let database = MemoryDatabase::default();
	let snapshot = database.begin_read().expect("nothing else is open");
	for (pattern, positions) in [
		((1, Free, 2).constraints(), "bound positions: 0, 2; with a range: none"),
		(
			(Free, Constraint::within(&(1..)), Free).constraints(),
			"bound positions: none; with a range: 1",
		),
		(
			(Constraint::within(&(1..)), Constraint::within(&(..=2)), Free).constraints(),
			"bound positions: none; with a range: 0, 1",
		),
	] {
		let rows = store.query(&snapshot, &pattern, RangeOptions::default());
		let error = rows.err().expect("no order answers it").to_string();
		assert_eq!(error, format!("no declared order answers this query ({positions})"));
	}
}

#[test]
fn foreign_keys_are_errors_with_a_position() -> Result<(), TupleStoreError<Infallible>> {
	let store = TupleStore::new(Subspace::new(&("s",)), orders([[0, 1]]));
	let database = MemoryDatabase::default();
	let mut transaction = database.begin()?;
	let prefix = store.subspace().pack(&(0,));
	let at = prefix.len();
	let string = b"\x02text\0".as_slice();
	for (rest, position, kind) in [
		(string, at + 6, UnpackErrorKind::MissingItem),
		(b"\x02text\0\x02text", at + 11, UnpackErrorKind::MissingTerminator),
		(b"\x14\x14\x14", at + 2, UnpackErrorKind::ExcessItem),
		(b"\x14\x40", at + 1, UnpackErrorKind::UnknownCode(0x40)),
		(b"\x20\x00\x14", at + 3, UnpackErrorKind::Truncated),
		(b"\x30\x00\x14", at + 3, UnpackErrorKind::Truncated),
		(b"\x05\x14", at + 2, UnpackErrorKind::MissingTerminator),
	] {
		let key = [prefix.as_slice(), rest].concat();
		transaction.set(&key, b"")?;
		let mut rows = store.query(&transaction, &(Free, Free), RangeOptions::default())?;
		let error = TupleStoreError::Unpack(UnpackError { at: position, kind });
		assert_eq!(rows.next().and_then(Result::err), Some(error), "{rest:02x?}");
		transaction.remove(&key)?;
	}

	store.insert(&mut transaction, &("text", -1), b"")?;
	let mut rows = store.query(&transaction, &("text", Free), RangeOptions::default())?;
	let row = rows.next().expect("a row")?;
	assert_eq!((row.item(0), row.item(1)), (Ok("text"), Ok(-1)));
	assert_eq!(row.packed(1), [0x13, 0xfe]);
	let negative = UnpackError { at: at + 6, kind: UnpackErrorKind::IntegerRange };
	assert_eq!(row.item::<u8>(1), Err(negative));
	let error = row.item::<&[u8]>(0).expect_err("it is a string");
	assert_eq!(error.at, at);
	Ok(())
}

#[test]
fn tuples_nested_to_any_depth_are_found() -> Result<(), TupleStoreError<Infallible>> {
	let store = TupleStore::new(Subspace::new(&("deep",)), orders([[0, 1]]));
	let database = MemoryDatabase::default();
	let mut transaction = database.begin()?;
	let deep = |depth| (0..depth).fold(Element::Null, |inner, _| vec![inner].into());
	for depth in [1, MAX_DEPTH, MAX_DEPTH + 1, 2_000] {
		store.insert(&mut transaction, &(deep(depth), 7), b"")?;
	}
	let rows = store.query(&transaction, &(Free, 7), RangeOptions::default());
	assert!(matches!(rows, Err(TupleStoreError::NoOrder { .. })));
	let rows = store.query(&transaction, &(Free, Free), RangeOptions::default())?;
	let rows = rows.collect::<Result<Vec<_>, _>>()?;
	assert_eq!(rows.len(), 4);
	assert!(rows.iter().all(|row| row.item(1) == Ok(7)));
	// An item that is too deep to unpack fails alone.
	let unpacked = rows.iter().filter(|row| row.item::<Element>(0).is_ok()).count();
	assert_eq!(unpacked, 2);
	Ok(())
}
