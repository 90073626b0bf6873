// SPDX-License-Identifier: Apache-2.0
//! The record: what the node promises, holds, owes and lets go of.

use std::ops::Deref;

use content_fabric_content_node::keep::{
	Identity, Keep, KeepError, Row, Totals, VersionKey, FORMAT,
};
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use tempfile::TempDir;

/// A record in a folder of its own.
struct Record {
	folder: TempDir,
	keep: Option<Keep>,
}

impl Deref for Record {
	type Target = Keep;

	fn deref(&self) -> &Keep {
		self.keep.as_ref().expect("it is open")
	}
}

impl Record {
	fn open() -> Self {
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let keep = Some(Keep::open(folder.path()).expect("the file can be made"));
		Self { folder, keep }
	}

	/// Opens the file again, which counts the totals: they must be those that were kept.
	fn reopen(&mut self) {
		let totals = self.totals();
		drop(self.keep.take());
		self.keep = Some(Keep::open(self.folder.path()).expect("the file is there"));
		assert_eq!(self.totals(), totals);
	}

	fn put(&mut self, key: VersionKey, row: Option<Row>, now: u64) {
		Keep::put(self, &[(key, row)], now).expect("the row is recorded");
		self.reopen();
	}

	fn hold(&mut self, version: u8, size: u64, now: u64) -> bool {
		let held = Keep::hold(self, VersionId([version; 32]), size, now);
		let held = held.expect("it is recorded");
		self.reopen();
		held
	}

	fn gone(&self, before: u64) -> Vec<VersionId> {
		Keep::gone(self, before, 10).expect("the file can be read")
	}
}

fn key(tenant: u8, version: u8) -> VersionKey {
	VersionKey {
		tenant: TenantId([tenant; 10]),
		object: ContentObjectId([7; 10]),
		version: VersionId([version; 32]),
	}
}

fn row(size: u64, is_final: bool) -> Row {
	Row { muid: [size as u8; 16], size, is_final, pending: None }
}

#[test]
fn bytes_are_promised_held_and_owed_until_they_are_final() {
	let mut keep = Record::open();
	keep.put(key(1, 1), Some(row(10, false)), 0);
	assert_eq!(keep.totals(), Totals { promised: 10, ..Totals::default() });
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![]));
	assert!(keep.hold(1, 10, 0));
	assert_eq!(keep.totals(), Totals { held: 10, versions: 1, ..Totals::default() });
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![key(1, 1)]));
	keep.put(key(1, 1), Some(row(10, true)), 0);
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![]));
	// Another tenant commits what is here already.
	keep.put(key(2, 1), Some(row(10, false)), 0);
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![key(2, 1)]));
	assert_eq!(keep.owed(Some(key(2, 1)), 9).ok(), Some(vec![]));
	assert_eq!(keep.totals().held, 10);
}

#[test]
fn rows_are_exchanged_unless_they_have_changed_since() {
	let mut keep = Record::open();
	let promise = Row { pending: Some(200), ..row(10, false) };
	let mut exchange = |from, to| {
		let replaced = keep.exchange([(key(1, 1), from, to)], 0).expect("it is recorded");
		keep.reopen();
		!replaced.is_empty()
	};
	assert!(exchange(None, Some(promise)));
	// It is there already.
	assert!(!exchange(None, Some(row(11, false))));
	// A finalized block confirms it.
	assert!(exchange(Some(promise), Some(row(10, false))));
	assert!(!exchange(Some(promise), None));
	assert_eq!(keep.totals().promised, 10);
	let mut exchange = |from, to| {
		let replaced = keep.exchange([(key(1, 2), from, to)], 0).expect("it is recorded");
		keep.reopen();
		!replaced.is_empty()
	};
	assert!(exchange(None, Some(promise)) && exchange(Some(promise), None));
	assert!(exchange(None, Some(promise)));
	assert_eq!(keep.totals().promised, 20);
	// It is confirmed or removed when its last block is final.
	assert_eq!(keep.pending(199).ok(), Some(vec![]));
	assert_eq!(keep.pending(200).ok(), Some(vec![key(1, 2)]));
}

#[test]
fn rows_that_declare_a_wrong_size_are_never_owed() {
	let mut keep = Record::open();
	keep.put(key(1, 1), Some(row(10, false)), 0);
	keep.put(key(2, 1), Some(row(11, false)), 0);
	assert_eq!(keep.totals().promised, 11);
	let version = VersionId([1; 32]);
	assert_eq!(keep.needed(version).ok(), Some(Some(11)));
	for (size, is_needed) in [(9, false), (10, true), (11, true), (12, false)] {
		assert_eq!(keep.needs(version, size).ok(), Some(is_needed), "{size}");
	}
	assert!(keep.hold(1, 10, 0));
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![key(1, 1)]));
}

#[test]
fn damaged_bytes_are_not_owed_until_they_are_sound_again() {
	let mut keep = Record::open();
	let version = VersionId([1; 32]);
	keep.put(key(1, 1), Some(row(10, false)), 0);
	keep.hold(1, 10, 0);
	keep.mark(version, true).expect("it is recorded");
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![]));
	// Another tenant commits the same bytes.
	keep.put(key(2, 1), Some(row(10, false)), 0);
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![]));
	keep.mark(version, false).expect("it is recorded");
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![key(1, 1), key(2, 1)]));
}

#[test]
fn a_version_is_kept_until_no_tenant_needs_it_and_the_grace_time_is_over() {
	let mut keep = Record::open();
	let version = VersionId([1; 32]);
	keep.put(key(1, 1), Some(row(10, true)), 0);
	keep.put(key(2, 1), Some(row(10, true)), 0);
	keep.hold(1, 10, 0);
	assert_eq!(keep.remove_tenant(TenantId([1; 10]), 100).ok(), Some(1));
	assert_eq!(keep.gone(u64::MAX), []);
	assert_eq!(keep.let_go(&[version], u64::MAX).ok(), Some(vec![]));
	keep.put(key(2, 1), None, 200);
	assert_eq!(keep.gone(199), []);
	assert_eq!(keep.gone(200), [version]);
	// It comes back in time, and goes again.
	keep.put(key(3, 1), Some(row(10, true)), 300);
	assert_eq!(keep.gone(u64::MAX), []);
	keep.put(key(3, 1), None, 400);
	assert_eq!(keep.gone(399), []);
	assert_eq!(keep.let_go(&[version], 399).ok(), Some(vec![]));
	assert_eq!(keep.let_go(&[version, version], u64::MAX).ok(), Some(vec![version]));
	assert_eq!((keep.gone(u64::MAX), keep.totals()), (vec![], Totals::default()));
}

#[test]
fn all_rows_of_a_tenant_are_removed_however_many_they_are() {
	const ROWS: u32 = 2_500;
	let mut keep = Record::open();
	let of = |tenant, number: u32| {
		let mut version = [0; 32];
		version[..4].copy_from_slice(&number.to_be_bytes());
		VersionKey { version: VersionId(version), ..key(tenant, 0) }
	};
	for tenant in [1, 2, 3] {
		let rows: Vec<_> =
			(0..ROWS).map(|number| (of(tenant, number), Some(row(1, true)))).collect();
		Keep::put(&keep, &rows, 0).expect("they are recorded");
	}
	assert_eq!(keep.totals().promised, u64::from(ROWS));
	assert_eq!(keep.remove_tenant(TenantId([2; 10]), 0).ok(), Some(ROWS as usize));
	keep.reopen();
	let left = keep.rows_after(None, usize::MAX).expect("the file can be read");
	let expected = [1, 3].map(|tenant| (0..ROWS).map(move |number| of(tenant, number)));
	assert!(left.into_iter().map(|(key, _)| key).eq(expected.into_iter().flatten()));
	for tenant in [1, 3] {
		assert_eq!(keep.remove_tenant(TenantId([tenant; 10]), 0).ok(), Some(ROWS as usize));
	}
	assert_eq!(keep.totals(), Totals::default());
}

#[test]
fn bytes_without_a_row_are_gone_at_once_and_lost_bytes_are_promised_again() {
	let mut keep = Record::open();
	assert!(!keep.hold(1, 10, 5));
	assert_eq!(keep.gone(5), [VersionId([1; 32])]);
	keep.put(key(1, 1), Some(row(10, false)), 6);
	assert_eq!(keep.gone(u64::MAX), []);
	assert_eq!(keep.mark(VersionId([1; 32]), true).ok(), Some(()));
	keep.reopen();
	assert_eq!(keep.totals().damaged, 1);
	keep.release(VersionId([1; 32])).expect("it is recorded");
	keep.reopen();
	assert_eq!(keep.totals(), Totals { promised: 10, ..Totals::default() });
}

#[test]
fn rows_are_pending_until_a_finalized_block_has_them() {
	let mut keep = Record::open();
	let pending = Row { pending: Some(7), ..row(10, false) };
	keep.put(key(1, 1), Some(pending), 0);
	assert_eq!(keep.pending(6).ok(), Some(vec![]));
	assert_eq!(keep.pending(7).ok(), Some(vec![key(1, 1)]));
	keep.put(key(1, 1), Some(row(10, false)), 0);
	assert_eq!(keep.pending(u64::MAX).ok(), Some(vec![]));
}

#[test]
fn a_record_outlives_the_process_and_belongs_to_one_node() {
	let mut keep = Record::open();
	let identity = Identity { format: FORMAT, genesis: [1; 32], node: ([2; 10], [3; 10]) };
	assert_eq!(keep.is_of(identity.node).ok(), Some(false));
	keep.claim(&identity).expect("it is new");
	keep.put(key(1, 1), Some(row(10, false)), 0);
	assert_eq!((keep.block_hash().ok(), keep.first_block().ok()), (Some(None), Some(None)));
	keep.begin([8; 32]).expect("it is recorded");
	keep.reached(9, [9; 32]).expect("it is recorded");
	keep.reopen();
	assert_eq!((keep.totals().promised, keep.block().ok()), (10, Some(Some(9))));
	assert_eq!(keep.block_hash().ok(), Some(Some([9; 32])));
	assert_eq!(keep.first_block().ok(), Some(Some([8; 32])));
	assert!(keep.claim(&identity).is_ok());
	assert_eq!(keep.is(&identity).ok(), Some(true));
	assert_eq!(keep.is(&Identity { genesis: [9; 32], ..identity.clone() }).ok(), Some(false));
	assert_eq!(keep.is_of(identity.node).ok(), Some(true));
	assert_eq!(keep.is_of(([2; 10], [4; 10])).ok(), Some(false));
	let other = Identity { genesis: [9; 32], ..identity };
	assert!(matches!(keep.claim(&other), Err(KeepError::Foreign { .. })));
}

/// Returns all that a record has.
fn all(keep: &Keep) -> Result<impl PartialEq + std::fmt::Debug, KeepError> {
	let (rows, held) = (keep.rows_after(None, usize::MAX)?, keep.held_after(None, usize::MAX)?);
	let rest = (keep.owed(None, usize::MAX)?, keep.pending(u64::MAX)?, keep.block()?);
	Ok((rows, held, rest, keep.totals()))
}

#[test]
fn a_flipped_byte_of_the_file_is_noticed_or_one_that_nobody_reads() {
	let (folder, file) = {
		let mut record = Record::open();
		for version in 0..=255 {
			let row = row(u64::from(version), version % 2 == 0);
			Keep::put(&record, &[(key(version % 7, version), Some(row))], 0).expect("it is new");
		}
		for version in 0..128 {
			let held = Keep::hold(&record, VersionId([version; 32]), u64::from(version), 0);
			held.expect("it is recorded");
		}
		record.reopen();
		drop(record.keep.take());
		let file = record.folder.path().join("record.okvs");
		(record.folder, file)
	};
	let sound = std::fs::read(&file).expect("the record is a file");
	let expected = all(&Keep::open(folder.path()).expect("it is sound")).expect("it is sound");
	let mut counts = std::collections::BTreeMap::<&str, usize>::new();
	for number in 0..400 {
		// Places all over the file.
		let place = (number * 0x9e37_79b9 + 12_345) % sound.len();
		let mut flipped = sound.clone();
		flipped[place] ^= 1 << (number % 8);
		std::fs::write(&file, flipped).expect("there is room");
		let outcome = match Keep::open(folder.path()) {
			Err(_) => "refused",
			Ok(keep) if keep.was_repaired() => "repaired",
			Ok(keep) => {
				let found = all(&keep).expect("what is not noticed can be read");
				assert!(found == expected, "the byte at {place} changes the record unnoticed");
				"not read"
			},
		};
		*counts.entry(outcome).or_default() += 1;
	}
	println!("{counts:?} in {} bytes", sound.len());
	assert!(counts.get("refused").or(counts.get("repaired")) > Some(&0), "{counts:?}");
}

#[test]
fn uploads_that_end_at_the_same_time_are_all_recorded() {
	let mut record = Record::open();
	for version in 0..64 {
		record.put(key(1, version), Some(row(10, false)), 0);
	}
	let keep: &Keep = &record;
	let owed: Vec<_> = std::thread::scope(|scope| {
		let hold = |version| move || keep.hold(VersionId([version; 32]), 10, 1);
		// Half of them have a row.
		let threads: Vec<_> = (0..128).map(|version| scope.spawn(hold(version))).collect();
		let ends = threads.into_iter().map(|thread| thread.join().expect("it ends"));
		ends.map(|held| held.expect("it is recorded")).collect()
	});
	assert!((0..128).all(|version| owed[version] == (version < 64)), "{owed:?}");
	record.reopen();
	let totals = Totals { held: 1_280, promised: 0, versions: 128, damaged: 0 };
	assert_eq!(record.totals(), totals);
	assert_eq!(record.owed(None, 100).expect("the file can be read").len(), 64);
}
