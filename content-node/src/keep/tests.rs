// SPDX-License-Identifier: Apache-2.0
use content_fabric_identifiers::ContentObjectId;

use super::*;

fn open() -> (tempfile::TempDir, Keep) {
	let folder = tempfile::tempdir().expect("there is room for a folder");
	let keep = Keep::open(folder.path()).expect("the file can be made");
	(folder, keep)
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

fn put(keep: &Keep, key: VersionKey, row: Option<Row>, now: u64) {
	keep.put(&[(key, row)], now).expect("the row is recorded");
	check(keep);
}

fn hold(keep: &Keep, version: u8, size: u64, now: u64) -> bool {
	let held = keep.hold(VersionId([version; 32]), size, now).expect("it is recorded");
	check(keep);
	held
}

/// Checks that the totals are those of the file.
fn check(keep: &Keep) {
	assert_eq!(keep.totals(), keep.count().expect("the file can be read"));
}

fn gone(keep: &Keep, before: u64) -> Vec<VersionId> {
	keep.gone(before, 10).expect("the file can be read")
}

#[test]
fn bytes_are_promised_held_and_owed_until_they_are_final() {
	let (_folder, keep) = open();
	put(&keep, key(1, 1), Some(row(10, false)), 0);
	assert_eq!(keep.totals(), Totals { promised: 10, ..Totals::default() });
	assert_eq!(keep.owed(9).ok(), Some(vec![]));
	assert!(hold(&keep, 1, 10, 0));
	assert_eq!(keep.totals(), Totals { held: 10, versions: 1, ..Totals::default() });
	assert_eq!(keep.owed(9).ok(), Some(vec![key(1, 1)]));
	put(&keep, key(1, 1), Some(row(10, true)), 0);
	assert_eq!(keep.owed(9).ok(), Some(vec![]));
	// Another tenant commits what is here already.
	put(&keep, key(2, 1), Some(row(10, false)), 0);
	assert_eq!(keep.owed(9).ok(), Some(vec![key(2, 1)]));
	assert_eq!(keep.totals().held, 10);
}

#[test]
fn rows_that_declare_a_wrong_size_are_never_owed() {
	let (_folder, keep) = open();
	put(&keep, key(1, 1), Some(row(10, false)), 0);
	put(&keep, key(2, 1), Some(row(11, false)), 0);
	assert_eq!(keep.totals().promised, 11);
	assert!(hold(&keep, 1, 10, 0));
	assert_eq!(keep.owed(9).ok(), Some(vec![key(1, 1)]));
}

#[test]
fn a_version_is_kept_until_no_tenant_needs_it_and_the_grace_time_is_over() {
	let (_folder, keep) = open();
	let version = VersionId([1; 32]);
	put(&keep, key(1, 1), Some(row(10, true)), 0);
	put(&keep, key(2, 1), Some(row(10, true)), 0);
	hold(&keep, 1, 10, 0);
	assert_eq!(keep.remove_tenant(TenantId([1; 10]), 100).ok(), Some(1));
	assert_eq!(gone(&keep, u64::MAX), []);
	assert_eq!(keep.release(version, false).ok(), Some(false));
	put(&keep, key(2, 1), None, 200);
	assert_eq!(gone(&keep, 199), []);
	assert_eq!(gone(&keep, 200), [version]);
	// It comes back in time, and goes again.
	put(&keep, key(3, 1), Some(row(10, true)), 300);
	assert_eq!(gone(&keep, u64::MAX), []);
	put(&keep, key(3, 1), None, 400);
	assert_eq!(gone(&keep, 399), []);
	assert_eq!(keep.release(version, false).ok(), Some(true));
	assert_eq!((gone(&keep, u64::MAX), keep.totals()), (vec![], Totals::default()));
}

#[test]
fn bytes_without_a_row_are_gone_at_once_and_lost_bytes_are_promised_again() {
	let (_folder, keep) = open();
	assert!(!hold(&keep, 1, 10, 5));
	assert_eq!(gone(&keep, 5), [VersionId([1; 32])]);
	put(&keep, key(1, 1), Some(row(10, false)), 6);
	assert_eq!(gone(&keep, u64::MAX), []);
	assert_eq!(keep.mark(VersionId([1; 32]), true).ok(), Some(()));
	check(&keep);
	assert_eq!(keep.totals().damaged, 1);
	assert_eq!(keep.release(VersionId([1; 32]), true).ok(), Some(true));
	check(&keep);
	assert_eq!(keep.totals(), Totals { promised: 10, ..Totals::default() });
}

#[test]
fn rows_are_pending_until_a_finalized_block_has_them() {
	let (_folder, keep) = open();
	let pending = Row { pending: Some(7), ..row(10, false) };
	put(&keep, key(1, 1), Some(pending), 0);
	assert_eq!(keep.pending(6).ok(), Some(vec![]));
	assert_eq!(keep.pending(7).ok(), Some(vec![key(1, 1)]));
	put(&keep, key(1, 1), Some(row(10, false)), 0);
	assert_eq!(keep.pending(u64::MAX).ok(), Some(vec![]));
}

#[test]
fn a_record_outlives_the_process_and_belongs_to_one_node() {
	let (folder, keep) = open();
	let identity = Identity { format: FORMAT, genesis: [1; 32], node: ([2; 10], [3; 10]) };
	keep.claim(&identity, folder.path()).expect("it is new");
	put(&keep, key(1, 1), Some(row(10, false)), 0);
	put(&keep, key(1, 2), Some(row(20, false)), 0);
	hold(&keep, 2, 20, 0);
	keep.reached(9).expect("it is recorded");
	let totals = keep.totals();
	drop(keep);
	let keep = Keep::open(folder.path()).expect("the file is there");
	assert_eq!((keep.totals(), keep.block().ok()), (totals, Some(Some(9))));
	assert!(keep.claim(&identity, folder.path()).is_ok());
	let other = Identity { genesis: [9; 32], ..identity };
	assert!(matches!(keep.claim(&other, folder.path()), Err(KeepError::Foreign { .. })));
}
