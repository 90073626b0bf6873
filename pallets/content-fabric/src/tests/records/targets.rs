// SPDX-License-Identifier: Apache-2.0
//! Targets of records: they exist when a record is put, and may be deleted later.

use frame_support::assert_noop;
use sp_runtime::DispatchError;

use super::*;
use crate::{identifiers::ContentObjectId, Error};

const EMPTY_TARGET: ContentRef = ContentRef { object: EMPTY_OBJECT, version: None };

/// Deletes [`OBJECT`] with all its versions.
fn delete_the_object() {
	assert_ok!(set_head(OBJECT, None));
	for version in [HEAD, DRAFT, FINALIZED] {
		assert_ok!(delete_version(OBJECT, version));
	}
	assert_ok!(delete_object(OBJECT));
}

#[test]
fn a_record_can_only_name_what_exists() {
	let (tenant, of_other) = (OTHER_TENANT, ContentObjectId([8; 10]));
	Chain::small_fabric().block(|| {
		make(TENANT_ROOT, crate::mock::create(tenant.into(), MAX_HELD));
		make(TENANT_ROOT, Call::create_content_object { tenant, object: of_other });
		for (object, version, error) in [
			(OTHER_OBJECT, None, Error::<Test>::ContentObjectNotFound),
			(OTHER_OBJECT, Some(HEAD), Error::ContentObjectNotFound),
			(of_other, None, Error::ContentObjectNotFound),
			(OBJECT, Some(NEW), Error::VersionNotFound),
			(EMPTY_OBJECT, Some(HEAD), Error::VersionNotFound),
		] {
			let (target, error) = (ContentRef { object, version }, DispatchError::from(error));
			assert_noop!(put(&[("new", target)]), error);
			// A record that exists cannot be turned to it either, nor one with a minted key.
			assert_noop!(put(&[(RECORD, target)]), error);
			assert_noop!(put_into(EMPTY_COLLECTION, &[(None, target)]), error);
			// One such target is enough to refuse a whole list.
			assert_noop!(put(&[("a", EMPTY_TARGET), ("b", target), ("c", EMPTY_TARGET)]), error);
		}
	});
}

#[test]
fn a_record_names_a_version_whether_or_not_it_is_finalized() {
	Chain::small_fabric().block(|| {
		let versions = [("head", HEAD), ("draft", DRAFT), ("finalized", FINALIZED)];
		assert_ok!(put(&versions.map(|(text, version)| (text, one_version(version)))));
		for (text, version) in versions {
			let content = Resolution::Content(one_version(version));
			assert_eq!(resolve(COLLECTION, text), Some(content));
		}
	});
}

#[test]
fn a_record_of_an_object_leads_to_its_head() {
	Chain::small_fabric().block(|| {
		assert_eq!(resolve(COLLECTION, RECORD), the_head());
		for version in [Some(FINALIZED), None] {
			assert_ok!(set_head(OBJECT, version));
			let content = Resolution::Content(ContentRef { object: OBJECT, version });
			assert_eq!(resolve(COLLECTION, RECORD), Some(content));
		}
		// The record itself has not changed.
		assert_eq!(record(COLLECTION, RECORD).map(|info| info.target), Some(whole_object()));
	});
}

#[test]
fn a_record_dangles_once_its_version_or_its_object_is_deleted() {
	let mut chain = Chain::small_fabric();
	let (of_draft, of_object) = (one_version(DRAFT), whole_object());
	chain.block(|| {
		assert_ok!(put(&[("draft", of_draft)]));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Content(of_draft)));
	});
	chain.block(|| {
		assert_ok!(delete_version(OBJECT, DRAFT));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Dangling(of_draft)));
		// The record of the object still leads to the head.
		assert_eq!(resolve(COLLECTION, RECORD), the_head());
	});
	chain.block(|| {
		assert_ok!(commit(DRAFT));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Content(of_draft)));
	});
	chain.block(|| {
		delete_the_object();
		assert_eq!(resolve(COLLECTION, RECORD), Some(Resolution::Dangling(of_object)));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Dangling(of_draft)));
	});
	// The record leads to the object again once that is created again.
	chain.block(|| {
		assert_ok!(create_object(OBJECT));
		assert_eq!(resolve(COLLECTION, RECORD), Some(Resolution::Content(of_object)));
	});
}

#[test]
fn a_dangling_record_is_put_anew_or_deleted() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put(&[("draft", one_version(DRAFT))]));
		delete_the_object();
	});
	chain.block(|| {
		// Not with the target that was deleted.
		assert_noop!(put(&[(RECORD, whole_object())]), Error::<Test>::ContentObjectNotFound);
		assert_ok!(put(&[(RECORD, EMPTY_TARGET)]));
		assert_eq!(resolve(COLLECTION, RECORD), Some(Resolution::Content(EMPTY_TARGET)));
		assert_ok!(delete(COLLECTION, &["draft"]));
		assert_eq!(resolve(COLLECTION, "draft"), None);
	});
}

#[test]
fn nothing_is_resolved_where_no_record_exists() {
	Chain::small_fabric().block(|| {
		for (collection, text) in [
			(COLLECTION, "new"),
			(COLLECTION, ""),
			(EMPTY_COLLECTION, RECORD),
			("unknown", RECORD),
			("", RECORD),
		] {
			assert_eq!(resolve(collection, text), None);
		}
		let resolve = |tenant, collection: &[u8], key: &[u8]| {
			ContentFabric::resolve(tenant, collection.to_vec(), key.to_vec())
		};
		let (collection, record) = (COLLECTION.as_bytes(), RECORD.as_bytes());
		assert!(resolve(TENANT, collection, record).is_some());
		assert_eq!(resolve(OTHER_TENANT, collection, record), None);
		// No collection and no record has a name that is longer than any can be.
		let too_long = [b'x'; 10_000];
		assert_eq!(resolve(TENANT, collection, &too_long), None);
		assert_eq!(resolve(TENANT, &too_long, record), None);
	});
}
