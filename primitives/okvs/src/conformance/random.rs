// SPDX-License-Identifier: Apache-2.0
//! Random transactions beside a sorted map.

use alloc::{collections::BTreeMap, format, vec::Vec};
use core::fmt;

use super::{in_transaction, read, Failure, Harness, Hex, Step};
use crate::{successor, Database, Pair, RangeOptions, Transaction};

type Map = BTreeMap<Hex, Hex>;

/// Returns a number below its argument.
type Random<'r> = &'r mut dyn FnMut(usize) -> usize;

/// Plays transactions of random steps, whose results, and what they leave behind, have to equal a
/// sorted map's. Where snapshots can be read beside transactions, some are held meanwhile, and have
/// to stay as they were.
///
/// `random` returns a number below its argument, the same sequence for the same test.
pub fn run_random<H: Harness>(
	harness: &mut H,
	transactions: usize,
	mut random: impl FnMut(usize) -> usize,
) -> Result<(), Failure> {
	harness.reset();
	let mut map = Map::new();
	let mut played = 0;
	while played < transactions {
		let part = 1 + random(20);
		let done = harness.with(|database| play(database, part, &mut map, &mut random));
		done.map_err(|failure| failure.in_step(played).in_case("random transactions"))?;
		played += part;
	}
	Ok(())
}

/// Plays a number of transactions. The map has the pairs before and after them.
fn play<D: Database<Error: fmt::Display>>(
	database: &D,
	transactions: usize,
	map: &mut Map,
	random: Random<'_>,
) -> Result<(), Failure> {
	let mut held = Vec::new();
	for number in 0..transactions {
		let mut written = map.clone();
		let mut transaction = database.begin()?;
		for _ in 0..=random(10) {
			let step = step(&mut written, random);
			in_transaction(database, &mut transaction, &step).map_err(|failure| {
				Failure::new(format!("{step:?}: {}", failure.problem)).in_step(number)
			})?;
			if D::CONCURRENT_SNAPSHOTS && random(20) == 0 {
				held.push((database.begin_read()?, map.clone()));
			}
		}
		match random(5) {
			0 => transaction.rollback()?,
			_ => {
				transaction.commit()?;
				*map = written;
			},
		}
		let snapshot = database.begin_read()?;
		read(&snapshot, &range(map, Hex(Vec::new()), RangeOptions::default()))?;
		match random(3) {
			0 if D::CONCURRENT_SNAPSHOTS => held.push((snapshot, map.clone())),
			1 if !held.is_empty() => drop(held.swap_remove(random(held.len()))),
			_ => {},
		}
		for (snapshot, map) in &held {
			read(snapshot, &between(map, key(random), None, select(random)))?;
		}
	}
	Ok(())
}

/// Returns a step that begins with these pairs, and leaves those behind that come after it.
fn step(map: &mut Map, random: Random<'_>) -> Step {
	match random(20) {
		0..7 => {
			let (key, value) =
				(key(random), Hex((0..random(4)).map(|_| random(256) as u8).collect()));
			map.insert(key.clone(), value.clone());
			Step::Set(key, value)
		},
		7 => {
			let key = key(random);
			let present = map.remove(&key).is_some();
			Step::Removed(key, present)
		},
		8 => {
			let key = key(random);
			map.remove(&key);
			Step::Clear(key)
		},
		9 => {
			let (start, end) = (key(random), end(random));
			remove(map, &start, end.as_deref(), usize::MAX);
			Step::RemoveRange { start, end }
		},
		10 => {
			let (start, end, limit) = (key(random), end(random), random(5));
			let (count, cursor) = remove(map, &start, end.as_deref(), limit);
			Step::RemoveRangeLimited { start, end, limit, count, cursor }
		},
		11 => {
			let (prefix, limit) = (key(random), random(5));
			let (count, cursor) = remove(map, &prefix, successor(&prefix).as_deref(), limit);
			Step::RemovePrefix { prefix, limit: Some(limit), count, more: cursor.is_some() }
		},
		12..16 => {
			let key = key(random);
			let value = map.get(&key).cloned();
			Step::Get(key, value)
		},
		16 => range(map, Hex(Vec::new()), RangeOptions::default()),
		17 => range(map, key(random), select(random)),
		_ => between(map, key(random), end(random), select(random)),
	}
}

/// Returns a key of few letters, so that keys meet.
fn key(random: Random<'_>) -> Hex {
	Hex((0..random(5)).map(|_| [0x00, 0x01, 0x61, 0xfe, 0xff][random(5)]).collect())
}

fn end(random: Random<'_>) -> Option<Hex> {
	(random(5) > 0).then(|| key(random))
}

fn select(random: Random<'_>) -> RangeOptions {
	let limit = if random(2) == 0 { usize::MAX } else { random(6) };
	RangeOptions { reverse: random(2) == 0, offset: random(2) * random(4), limit }
}

fn inside<'m>(
	map: &'m Map,
	start: &'m [u8],
	end: Option<&'m [u8]>,
) -> impl DoubleEndedIterator<Item = (&'m Hex, &'m Hex)> {
	map.iter().filter(move |(key, _)| ***key >= *start && end.is_none_or(|end| ***key < *end))
}

fn remove(map: &mut Map, start: &[u8], end: Option<&[u8]>, limit: usize) -> (usize, Option<Hex>) {
	let keys: Vec<_> = inside(map, start, end).map(|(key, _)| key.clone()).collect();
	keys.iter().take(limit).for_each(|key| drop(map.remove(key)));
	(keys.len().min(limit), keys.get(limit).cloned())
}

fn pairs(map: &Map, start: &[u8], end: Option<&[u8]>, select: RangeOptions) -> Vec<Pair<Hex>> {
	let mut pairs: Vec<_> = inside(map, start, end).collect();
	if select.reverse {
		pairs.reverse();
	}
	let pairs = pairs.into_iter().skip(select.offset).take(select.limit);
	pairs.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn range(map: &Map, prefix: Hex, select: RangeOptions) -> Step {
	let pairs = pairs(map, &prefix, successor(&prefix).as_deref(), select);
	Step::Range { prefix, select, pairs }
}

fn between(map: &Map, start: Hex, end: Option<Hex>, select: RangeOptions) -> Step {
	let pairs = pairs(map, &start, end.as_deref(), select);
	Step::Between { start, end, select, pairs }
}
