// SPDX-License-Identifier: Apache-2.0
//! Ranges from both ends.

use alloc::{format, string::ToString, vec, vec::Vec};
use core::fmt;

use super::{Failure, Harness, Problem};
use crate::{
	successor, Database, DoubleEndedRead, Error, KeyRange, Pair, RangeOptions, Transaction,
};

/// Orders of steps from the front and from the back, each repeated until the range ends.
const ORDERS: [&[bool]; 7] = [
	&[false],
	&[true],
	&[false, true],
	&[true, false],
	&[false, false, true],
	&[true, true, false],
	&[false, true, true, false],
];

/// Compares ranges from both ends with ranges that ascend, in a transaction with writes of its own
/// and in a snapshot. Returns the number of ranges.
pub fn run_double_ended<H: Harness>(harness: &mut H) -> Result<usize, Failure>
where
	for<'db> <H::Database as Database>::Snapshot<'db>: DoubleEndedRead,
	for<'db> <H::Database as Database>::Transaction<'db>: DoubleEndedRead,
{
	harness.reset();
	let compared = harness.with(|database| {
		let mut transaction = database.begin()?;
		for number in 0..20u8 {
			transaction.set(&[number / 5, number], &[number])?;
		}
		let mut count = compare(&transaction)?;
		transaction.commit()?;
		let snapshot = database.begin_read()?;
		count += compare(&snapshot)?;
		drop(snapshot);

		let mut transaction = database.begin()?;
		for number in [0, 3, 7, 19] {
			transaction.clear(&[number / 5, number])?;
		}
		for number in [2, 4, 11, 30] {
			transaction.set(&[number / 5, number], b"new")?;
			transaction.set(&[number / 5, number, 0], b"new")?;
		}
		transaction.remove_range(&[2], successor(&[2]).as_deref())?;
		transaction.set(&[2, 0], b"new")?;
		count += compare(&transaction)?;
		transaction.commit()?;
		let snapshot = database.begin_read()?;
		Ok(count + compare(&snapshot)?)
	});
	compared.map_err(|problem: Problem| Failure {
		case: "ranges from both ends".to_string(),
		step: problem.step,
		problem: problem.text,
	})
}

fn compare<R: DoubleEndedRead<Error: fmt::Display>>(reader: &R) -> Result<usize, Problem> {
	let (mut count, edges) = (0, [&[][..], &[0, 4], &[1], &[2, 0], &[3, 19], &[9]]);
	for start in edges {
		for end in edges {
			compare_range(reader, start..end)?;
			compare_range(reader, start..=end)?;
			count += 2;
		}
		compare_range(reader, start..)?;
		count += 1;
	}
	compare_range(reader, ..)?;
	Ok(count + 1)
}

fn compare_range<R: DoubleEndedRead<Error: fmt::Display>>(
	reader: &R,
	keys: impl KeyRange + Clone,
) -> Result<(), Problem> {
	type Owned = (Vec<u8>, Vec<u8>);
	let owned = |pair: Result<Pair<R::Bytes<'_>>, Error<R::Error>>| {
		pair.map(|(key, value)| (key.to_vec(), value.to_vec()))
	};
	let expected = reader.range_in(keys.clone(), RangeOptions::default())?.map(owned);
	let expected = expected.collect::<Result<Vec<Owned>, _>>()?;
	for order in ORDERS {
		let mut range = reader.range_double_ended(keys.clone())?;
		let mut left = expected.iter();
		for back in order.iter().cycle().take(expected.len() + 3) {
			let (found, expected) = match back {
				true => (range.next_back(), left.next_back()),
				false => (range.next(), left.next()),
			};
			let found = found.map(owned).transpose()?;
			if found.as_ref() != expected {
				let bounds = (keys.start_bound(), keys.end_bound());
				return Err(Problem {
					step: vec![],
					text: format!("found {found:?} instead of {expected:?} in {bounds:?}"),
				});
			}
		}
	}
	Ok(())
}
