// SPDX-License-Identifier: Apache-2.0
//! Records bytes that have become durable: all that arrive meanwhile, in one change.

use std::sync::{mpsc, Mutex, MutexGuard};

use codec::Encode;
use content_fabric_identifiers::{HashKind, VersionId};
use content_fabric_okvs::{disk::DiskError, Read, Transaction};

use super::{
	get, is_missing, largest, locked, needs, put_row, release, rows, Changed, Held, Keep, Row,
	Totals, VersionKey,
};

/// Bytes that wait to be recorded, each with the sender of its result.
#[derive(Debug, Default)]
pub(super) struct Arrivals(Mutex<Vec<(Arrival, mpsc::Sender<Changed<bool>>)>>);

/// Bytes that have become durable.
#[derive(Clone, Copy, Debug)]
struct Arrival {
	version: VersionId,
	hash: HashKind,
	size: u64,
	/// True if they came from another node.
	is_brought: bool,
	/// The time, in seconds.
	now: u64,
}

impl Keep {
	/// Records that the bytes of a version, which have its id by this kind of hash, are durable.
	/// Returns whether rows may be finalized now.
	///
	/// The first of several callers records the arrivals of all, with one synchronization.
	pub fn hold(&self, version: VersionId, hash: HashKind, size: u64, now: u64) -> Changed<bool> {
		self.arrive(Arrival { version, hash, size, is_brought: false, now })
	}

	/// Records that bytes of another node are durable, as [`Self::hold`] does, unless they are held
	/// already. Rows that have asked for them become rows like others.
	pub fn bring(&self, version: VersionId, hash: HashKind, size: u64, now: u64) -> Changed<()> {
		self.arrive(Arrival { version, hash, size, is_brought: true, now }).map(drop)
	}

	fn arrive(&self, arrival: Arrival) -> Changed<bool> {
		let (sender, receiver) = mpsc::channel();
		locked(&self.arrivals.0).push((arrival, sender));
		let writing = locked(&self.writing);
		let waiting = std::mem::take(&mut *locked(&self.arrivals.0));
		let all: Vec<_> = waiting.iter().map(|(arrival, _)| *arrival).collect();
		match self.record(&all, &writing) {
			Ok(owed) => {
				let pairs = waiting.iter().zip(owed);
				// Each of them waits for its answer.
				pairs.for_each(|((_, sender), owed)| drop(sender.send(Ok(owed))));
			},
			// One of them may be the cause.
			Err(_) => waiting.iter().for_each(|(arrival, sender)| {
				let owed = self.record(&[*arrival], &writing);
				drop(sender.send(owed.map(|owed| owed.contains(&true))));
			}),
		}
		drop(writing);
		let alone = |_| Ok(self.record(&[arrival], &locked(&self.writing))?.contains(&true));
		receiver.recv().unwrap_or_else(alone)
	}

	fn record(&self, arrivals: &[Arrival], writing: &MutexGuard<'_, ()>) -> Changed<Vec<bool>> {
		if arrivals.is_empty() {
			return Ok(Vec::new());
		}
		self.write(writing, |tx, totals| {
			arrivals.iter().map(|arrival| record(tx, arrival, totals)).collect()
		})
	}
}

/// Records that bytes are durable. Returns whether rows may be finalized now.
fn record(
	tx: &mut impl Transaction<Error = DiskError>,
	arrival: &Arrival,
	totals: &mut Totals,
) -> Changed<bool> {
	if !arrival.is_brought {
		return hold(tx, arrival, totals);
	}
	take_on(tx, arrival, totals)?;
	Ok(!is_held(tx, arrival)? && hold(tx, arrival, totals)?)
}

/// Returns whether the record has the same bytes already.
fn is_held(read: &impl Read<Error = DiskError>, arrival: &Arrival) -> Changed<bool> {
	let Arrival { version, hash, size, .. } = *arrival;
	let held: Option<Held> = get(read, &rows::held(version), rows::decode)?;
	Ok(held.is_some_and(|held| !held.is_damaged && (held.hash, held.size) == (hash, size)))
}

/// Records the rows that have asked for bytes as rows like others.
fn take_on(
	tx: &mut impl Transaction<Error = DiskError>,
	arrival: &Arrival,
	totals: &mut Totals,
) -> Changed<()> {
	let mut asked = Vec::<(VersionKey, Row)>::new();
	for pair in tx.range(&rows::asked_of(arrival.version))? {
		let (key, value) = pair?;
		let row = VersionKey::of_asked(&key).zip(rows::decode::<Row>(&value));
		let (key, row) = row.ok_or_else(|| super::damaged(&key))?;
		if row.is_of(arrival.hash, arrival.size) {
			asked.push((key, row));
		}
	}
	for (key, row) in &asked {
		put_row(tx, key, Some(*row), arrival.now, totals)?;
		tx.clear(&key.asked())?;
		totals.asked = totals.asked.saturating_sub(1);
	}
	Ok(())
}

/// Records bytes in the place of those that were held. Returns whether rows may be finalized now.
fn hold(
	tx: &mut impl Transaction<Error = DiskError>,
	arrival: &Arrival,
	totals: &mut Totals,
) -> Changed<bool> {
	let Arrival { version, hash, size, now, .. } = *arrival;
	let found = needs(tx, &rows::needs(version), usize::MAX)?;
	let promised = largest(tx, version)?.unwrap_or_default();
	release(tx, version, totals)?;
	let was_missing = is_missing(tx, version)?;
	// A release has promised the bytes again.
	totals.promised = totals.promised.saturating_sub(promised);
	let gone = found.is_empty().then_some(now);
	tx.set(&rows::held(version), &Held { hash, size, is_damaged: false, gone }.encode())?;
	if let Some(since) = gone {
		tx.set(&rows::gone(since, version), &[])?;
	}
	let mut is_owed = false;
	for (key, _) in found.iter().filter(|(_, row)| !row.is_final && row.is_of(hash, size)) {
		tx.set(&key.tagged(rows::OWED), &[])?;
		is_owed = true;
	}
	for (key, _) in found.iter().filter(|(_, row)| row.is_final) {
		tx.clear(&key.missing())?;
	}
	totals.missing = totals.missing.saturating_sub(was_missing.into());
	totals.held = totals.held.saturating_add(size);
	totals.versions += 1;
	Ok(is_owed)
}
