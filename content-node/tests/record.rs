// SPDX-License-Identifier: Apache-2.0
//! The record: what the node promises, holds, owes and lets go of.

use std::ops::Deref;

use codec::Encode;
use content_fabric_content_node::keep::{Identity, Keep, KeepError, Row, Totals, VersionKey};
use content_fabric_identifiers::{ContentObjectId, HashKind, TenantId, VersionId};
use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase},
	Database, Read, Transaction,
};
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
		let held = Keep::hold(self, VersionId([version; 32]), HashKind::Blake3, size, now);
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
	Row { muid: [size as u8; 16], hash: HashKind::Blake3, size, is_final, pending: None }
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
		let hashes = keep.hashes(version, Some(size), 9).expect("it can be read");
		assert_eq!(!hashes.is_empty(), is_needed, "{size}");
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
fn final_versions_without_bytes_are_missing_until_they_are_held_or_not_needed() {
	let mut keep = Record::open();
	let missing = |keep: &Keep| {
		let mut all = Vec::new();
		while let Some(found) =
			keep.missing_after(all.last().copied(), 1).expect("it is read").first()
		{
			all.push(*found);
		}
		assert_eq!(all.len() as u64, keep.totals().missing);
		all.into_iter().map(|version| version.0[0]).collect::<Vec<_>>()
	};
	// One has yet to arrive, one has a final row of two tenants, and one is held.
	keep.put(key(1, 1), Some(row(10, false)), 0);
	keep.put(key(1, 2), Some(row(10, true)), 0);
	keep.put(key(2, 2), Some(row(10, true)), 0);
	keep.put(key(1, 3), Some(row(10, false)), 0);
	keep.hold(3, 10, 0);
	keep.put(key(1, 3), Some(row(10, true)), 0);
	assert_eq!(missing(&keep), [2]);
	// The bytes are lost, and damaged ones are held.
	keep.mark(VersionId([3; 32]), true).expect("it is recorded");
	assert_eq!(missing(&keep), [2]);
	keep.release(VersionId([3; 32])).expect("it is recorded");
	keep.reopen();
	assert_eq!(missing(&keep), [2, 3]);
	assert!(!keep.hold(3, 10, 0));
	assert_eq!(missing(&keep), [2]);
	keep.put(key(1, 2), None, 0);
	assert_eq!(missing(&keep), [2]);
	keep.put(key(2, 2), Some(row(10, false)), 0);
	assert!(missing(&keep).is_empty());
	keep.put(key(2, 2), Some(row(10, true)), 0);
	assert_eq!(missing(&keep), [2]);
	assert_eq!(keep.remove_tenant(TenantId([2; 10]), 0).ok(), Some(1));
	keep.reopen();
	assert!(missing(&keep).is_empty());
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
fn a_version_that_was_deleted_and_committed_again_is_that_of_the_later_block() {
	let mut keep = Record::open();
	let former = Row { muid: [1; 16], ..row(10, true) };
	let again = Row { muid: [2; 16], pending: Some(9), ..row(10, false) };
	keep.put(key(1, 1), Some(former), 0);
	keep.hold(1, 10, 0);
	let place = key(1, 1);
	keep.exchange([(place, Some(former), Some(again))], 0).expect("it is recorded");
	// Block 7 finalized the former row, and block 8 has deleted it.
	for (block, seen) in [(7, Some(former)), (8, None)] {
		keep.confirm(&[(place, seen)], block, 0).expect("it is recorded");
		assert_eq!(keep.row(&place).ok(), Some(Some(again)), "block {block}");
		assert_eq!(keep.gone(u64::MAX), []);
	}
	// The block that the row came in, and an earlier one that has it as well.
	let confirmed = Row { pending: None, ..again };
	for (block, seen) in [(8, Some(confirmed)), (9, Some(confirmed)), (9, None)] {
		keep.exchange([(place, Some(confirmed), Some(again))], 0).expect("it is recorded");
		keep.confirm(&[(place, seen)], block, 0).expect("it is recorded");
		assert_eq!(keep.row(&place).ok(), Some(seen), "block {block}");
	}
	keep.reopen();
}

#[test]
fn a_record_outlives_the_process_and_belongs_to_one_node() {
	let mut keep = Record::open();
	let identity = Identity { genesis: [1; 32], node: ([2; 10], [3; 10]), medallion: 4 };
	assert_eq!(keep.is_of(identity.node, None).ok(), Some(false));
	assert!(matches!(keep.claim(&identity, true), Err(KeepError::NothingToForget)));
	keep.claim(&identity, false).expect("it is new");
	keep.put(key(1, 1), Some(row(10, false)), 0);
	assert_eq!((keep.block_hash().ok(), keep.first_block().ok()), (Some(None), Some(None)));
	keep.begin([8; 32]).expect("it is recorded");
	keep.reached(9, [9; 32]).expect("it is recorded");
	keep.reopen();
	assert_eq!((keep.totals().promised, keep.block().ok()), (10, Some(Some(9))));
	assert_eq!(keep.block_hash().ok(), Some(Some([9; 32])));
	assert_eq!(keep.first_block().ok(), Some(Some([8; 32])));
	assert!(keep.claim(&identity, false).is_ok());
	for (node, genesis, is_of) in [
		(identity.node, None, true),
		(identity.node, Some([1; 32]), true),
		(identity.node, Some([9; 32]), false),
		(([2; 10], [4; 10]), None, false),
	] {
		assert_eq!(keep.is_of(node, genesis).ok(), Some(is_of), "{node:?} {genesis:?}");
	}
	for forget in [false, true] {
		let other = Identity { genesis: [9; 32], ..identity };
		assert!(matches!(keep.claim(&other, forget), Err(KeepError::Foreign { .. })));
	}
}

#[test]
fn the_record_of_an_earlier_node_passes_to_the_new_one_which_may_forget_it() {
	let mut keep = Record::open();
	let first = Identity { genesis: [1; 32], node: ([2; 10], [3; 10]), medallion: 4 };
	assert_eq!(keep.claim(&first, false).expect("it is new"), None);
	keep.put(key(1, 1), Some(row(10, true)), 0);
	assert!(matches!(keep.claim(&first, true), Err(KeepError::NothingToForget)));
	let second = Identity { medallion: 5, ..first };
	assert_eq!(keep.claim(&second, false).expect("it is the same id"), Some(4));
	assert_eq!(keep.claim(&second, false).expect("it is its own"), None);
	assert_eq!(keep.forgets_earlier().ok(), Some(false));
	keep.has_earlier().expect("it is recorded");
	keep.reopen();
	keep.claim(&second, true).expect("there was an earlier one");
	keep.has_earlier().expect("it is known");
	keep.reopen();
	assert_eq!(keep.forgets_earlier().ok(), Some(true));
	// The nodes before this one are forgotten, and later ones are not.
	let third = Identity { medallion: 6, ..first };
	assert_eq!(keep.claim(&third, false).expect("it is the same id"), Some(5));
	assert_eq!(keep.forgets_earlier().ok(), Some(false));
}

#[test]
fn rows_that_are_asked_for_promise_nothing_until_their_bytes_are_here() {
	let mut keep = Record::open();
	let (one, other) = (key(1, 1), key(2, 1));
	let asked = [(one, Some(row(10, false))), (other, Some(row(10, false)))];
	keep.ask(&asked).expect("it is recorded");
	keep.ask(&asked).expect("it is recorded again");
	keep.reopen();
	let totals = keep.totals();
	assert_eq!((totals.asked, totals.promised, totals.missing), (2, 0, 0));
	assert_eq!(keep.needed(one.version).ok(), Some(None));
	assert_eq!(keep.wants(one.version).ok(), Some(true));
	assert_eq!(keep.asked_of(one.version).map(|rows| rows.len()).ok(), Some(2));
	assert_eq!(keep.asked_after(Some(one), 9).map(|rows| rows.len()).ok(), Some(1));
	keep.remove_tenant(one.tenant, 0).expect("it is recorded");
	assert_eq!(keep.asked_of(one.version).ok(), Some(vec![(other, row(10, false))]));
	keep.ask(&[(other, None), (one, None)]).expect("it is recorded");
	assert_eq!((keep.totals().asked, keep.wants(one.version).ok()), (0, Some(false)));
	// Final rows want their bytes back when these are missing or damaged.
	keep.put(one, Some(row(10, true)), 0);
	assert_eq!(keep.wants(one.version).ok(), Some(true));
	keep.hold(1, 10, 0);
	assert_eq!(keep.wants(one.version).ok(), Some(false));
	keep.mark(one.version, true).expect("it is recorded");
	assert_eq!(keep.wants(one.version).ok(), Some(true));
	assert_eq!(keep.has_bytes(one.version, &row(10, true)).ok(), Some(false));
}

#[test]
fn bytes_of_another_node_serve_the_rows_that_asked_for_them_and_are_held_once() {
	let mut keep = Record::open();
	let bring = |keep: &mut Record, size| {
		let brought = keep.bring(key(1, 1).version, HashKind::Blake3, size, 5);
		brought.expect("it is recorded");
		keep.reopen();
	};
	let (one, other, wrong) = (key(1, 1), key(2, 1), key(3, 1));
	let rows = [(one, 10), (other, 10), (wrong, 11)];
	let asked = rows.map(|(key, size)| (key, Some(row(size, false))));
	keep.ask(&asked).expect("it is recorded");
	bring(&mut keep, 10);
	let held = Totals { held: 10, versions: 1, asked: 1, ..Totals::default() };
	assert_eq!(keep.totals(), held);
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![one, other]));
	assert_eq!(keep.asked_of(one.version).ok(), Some(vec![(wrong, row(11, false))]));
	// A row that asks later finds the bytes here.
	let later = key(4, 1);
	keep.ask(&[(later, Some(row(10, false)))]).expect("it is recorded");
	bring(&mut keep, 10);
	assert_eq!((keep.totals(), keep.row(&later).ok()), (held, Some(Some(row(10, false)))));
	// Bytes that nobody has asked for are sound again, and owed by the rows that they are for.
	keep.mark(one.version, true).expect("it is recorded");
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![]));
	bring(&mut keep, 10);
	assert_eq!(keep.owed(None, 9).map(|owed| owed.len()).ok(), Some(3));
	assert_eq!(keep.totals(), held);
	// Bytes of another size take their place. A final row had lacked them.
	keep.put(key(5, 1), Some(row(11, true)), 0);
	bring(&mut keep, 11);
	assert_eq!(keep.totals(), Totals { held: 11, versions: 1, ..Totals::default() });
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![wrong]));
	// A final row whose bytes are missing has them again.
	keep.release(wrong.version).expect("it is recorded");
	assert_eq!(keep.totals().missing, 1);
	bring(&mut keep, 11);
	assert_eq!((keep.totals().missing, keep.totals().held), (0, 11));
}

#[test]
fn rows_that_ask_while_their_bytes_arrive_are_counted_right() {
	let mut record = Record::open();
	let keep: &Keep = &record;
	let asked = [(key(1, 1), Some(row(10, false)))];
	for _ in 0..50 {
		std::thread::scope(|scope| {
			let bring = || keep.bring(key(1, 1).version, HashKind::Blake3, 10, 1);
			scope.spawn(move || bring().expect("it is recorded"));
			scope.spawn(|| keep.ask(&asked).expect("it is recorded"));
			scope.spawn(|| keep.ask(&[(key(1, 1), None)]).expect("it is recorded"));
		});
	}
	record.reopen();
}

#[test]
fn one_row_is_enough_to_know_that_bytes_are_wanted() {
	let rows = [(key(1, 1), Some(row(10, true))), (key(2, 1), Some(row(10, true)))];
	// Asked for, missing, and damaged. The second row, which nothing has to read, is spoiled.
	for (state, tag) in [("asked", b'a'), ("missing", b'r'), ("damaged", b'r')] {
		let mut keep = Record::open();
		match state {
			"asked" => keep.ask(&rows).expect("it is recorded"),
			_ => Keep::put(&keep, &rows, 0).expect("it is recorded"),
		}
		if state == "damaged" {
			keep.hold(1, 10, 0);
			keep.mark(rows[0].0.version, true).expect("it is recorded");
		}
		drop(keep.keep.take());
		let file = DiskDatabase::open(DiskConfig::new(keep.folder.path().join("record.okvs")));
		let file = file.expect("it is a file");
		let mut tx = file.begin().expect("it can be written");
		let VersionKey { tenant, object, version } = rows[1].0;
		let place = match tag {
			b'a' => [&[tag][..], &version.0, &tenant.0, &object.0].concat(),
			_ => [&[tag][..], &tenant.0, &object.0, &version.0].concat(),
		};
		assert!(tx.contains_key(&place).expect("it can be read"), "{state}");
		tx.set(&place, b"x").expect("there is room");
		tx.commit().expect("there is room");
		drop(file);
		let keep = Keep::open(keep.folder.path()).expect("it can be opened");
		assert_eq!(keep.wants(version).ok(), Some(true), "{state}");
		assert!(keep.asked_of(version).is_err() || keep.lacking(version).is_err(), "{state}");
	}
}

#[test]
fn a_record_of_another_format_is_not_read() {
	let identity = Identity { genesis: [1; 32], node: ([2; 10], [3; 10]), medallion: 4 };
	for format in [3u8, 5] {
		let mut keep = Record::open();
		drop(keep.keep.take());
		let file = DiskDatabase::open(DiskConfig::new(keep.folder.path().join("record.okvs")));
		let file = file.expect("it is a file");
		let mut tx = file.begin().expect("it can be written");
		tx.set(b"i", &(format, identity).encode()).expect("there is room");
		tx.commit().expect("there is room");
		drop(file);
		let keep = Keep::open(keep.folder.path()).expect("it can be opened");
		let claimed = keep.claim(&identity, false);
		assert!(matches!(claimed, Err(KeepError::Foreign { .. })), "{format}");
	}
}

#[test]
fn rows_of_another_kind_of_hash_are_never_owed() {
	let mut keep = Record::open();
	let [blake3, sha256] = HashKind::ALL;
	let version = VersionId([1; 32]);
	let hashes =
		|keep: &Record, limit| keep.hashes(version, Some(10), limit).expect("it can be read");
	keep.put(key(1, 1), Some(row(10, false)), 0);
	let of_size = |size| keep.hashes(version, size, 9).expect("it can be read");
	assert_eq!([Some(10), Some(11), None].map(of_size), [vec![blake3], vec![], vec![blake3]]);
	keep.put(key(2, 1), Some(Row { hash: sha256, ..row(10, false) }), 0);
	assert_eq!(hashes(&keep, 9), HashKind::ALL);
	// Not all of them were read.
	assert_eq!(hashes(&keep, 1), HashKind::ALL);
	assert!(keep.hold(1, 10, 0));
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![key(1, 1)]));
	let held = keep.held(version).expect("it can be read").expect("it is held");
	assert_eq!(held.hash, blake3);
	// Nor if they come later, or the bytes were found sound again.
	keep.put(key(3, 1), Some(Row { hash: sha256, ..row(10, false) }), 0);
	for is_damaged in [true, false] {
		keep.mark(version, is_damaged).expect("it is recorded");
	}
	assert_eq!(keep.owed(None, 9).ok(), Some(vec![key(1, 1)]));
	assert_eq!(keep.totals(), Totals { held: 10, versions: 1, ..Totals::default() });
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
			let held = Keep::hold(
				&record,
				VersionId([version; 32]),
				HashKind::Blake3,
				u64::from(version),
				0,
			);
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
				let found = all(&keep).expect("a record without noticed damage can be read");
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
		let hold = |version| move || keep.hold(VersionId([version; 32]), HashKind::Blake3, 10, 1);
		// Half of them have a row.
		let threads: Vec<_> = (0..128).map(|version| scope.spawn(hold(version))).collect();
		let ends = threads.into_iter().map(|thread| thread.join().expect("it ends"));
		ends.map(|held| held.expect("it is recorded")).collect()
	});
	assert!((0..128).all(|version| owed[version] == (version < 64)), "{owed:?}");
	record.reopen();
	let totals = Totals { held: 1_280, versions: 128, ..Totals::default() };
	assert_eq!(record.totals(), totals);
	assert_eq!(record.owed(None, 100).expect("the file can be read").len(), 64);
}

#[test]
fn the_tenants_of_a_version_are_found_whatever_sizes_and_however_many_rows_they_have() {
	let keep = Record::open();
	let (version, all) = (VersionId([3; 32]), u64::MAX);
	let rows: Vec<_> = [(1, 5), (255, 5), (2, 0), (1, 0), (4, all)]
		.into_iter()
		.flat_map(|(tenant, size)| {
			let objects = [[0; 10], [tenant; 10], [255; 10]].map(ContentObjectId);
			let of = move |object| VersionKey { object, ..key(tenant, 3) };
			// An object has one size of a version.
			let object = move |place: usize| objects[if size == 5 { place } else { 2 - place }];
			(0..2).map(move |place| (of(object(place)), Some(row(size, false))))
		})
		.collect();
	keep.deref().put(&rows, 0).expect("they are recorded");
	// Its neighbors in the file.
	for other in [2, 4] {
		keep.deref().put(&[(key(9, other), Some(row(5, false)))], 0).expect("it is recorded");
	}
	let tenants = |limit| {
		let found = keep.tenants(version, limit).expect("the file can be read");
		found.into_iter().map(|tenant| tenant.0[0]).collect::<Vec<_>>()
	};
	assert_eq!(tenants(10), [1, 2, 4, 255]);
	// The largest sizes come first.
	assert_eq!((tenants(1), tenants(2), tenants(0)), (vec![4], vec![1, 4], vec![]));
	let is_of = |tenant, limit| {
		let tenant = TenantId([tenant; 10]);
		keep.is_of_tenant(version, tenant, limit).expect("the file can be read")
	};
	for tenant in [1, 2, 4, 255] {
		assert!(is_of(tenant, 3), "{tenant}");
	}
	assert!(!is_of(9, 10) && !is_of(0, 10) && !is_of(2, 2));
	assert_eq!(keep.tenants(VersionId([5; 32]), 10).map(|found| found.len()).ok(), Some(0));
}
