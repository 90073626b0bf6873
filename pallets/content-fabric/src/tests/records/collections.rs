// SPDX-License-Identifier: Apache-2.0
//! Collections: their names, types and counts, and how they are kept apart.

use frame_support::assert_noop;

use super::*;
use crate::{
	identifiers::{
		RecordKeySyntax::{PathSegment, Unreserved},
		RecordKeyType,
	},
	Error,
};

#[test]
fn collections_have_every_type_of_key_in_both_syntaxes() {
	Chain::small_fabric().block(|| {
		let mut count = 0;
		for syntax in [Unreserved, PathSegment] {
			for key_type in [
				RecordKeyType::Tid,
				RecordKeyType::Nsid,
				RecordKeyType::Any,
				RecordKeyType::Literal(key("self")),
			] {
				count += 1;
				let text = format!("c{count}");
				assert_ok!(create(&text, key_type.clone(), syntax));
				let (tenant, collection) = (TENANT, name(&text));
				let info = Collections::<Test>::get(TENANT, &collection).expect("was created");
				assert_eq!((&info.key_type, info.syntax), (&key_type, syntax));
				assert_eq!((info.record_count, info.created), (0, muid(count)));
				let event = Event::CollectionCreated { tenant, collection };
				assert_eq!(events().last(), Some(&event));
				let taken = Error::<Test>::CollectionAlreadyExists;
				assert_noop!(create(&text, key_type, syntax), taken);
			}
		}
	});
}

#[test]
fn the_name_of_a_collection_is_a_record_key_without_colons() {
	Chain::small_fabric().block(|| {
		for bad in ["", ".", "..", "a:b", "a b", "é", "a/b", "a\0", "%61"] {
			// The syntax applies to the keys, so the wider one changes nothing.
			for syntax in [Unreserved, PathSegment] {
				let created = create(bad, RecordKeyType::Any, syntax);
				assert_eq!(created, Err(Error::<Test>::InvalidCollectionName.into()), "{bad}");
			}
		}
		let longest = "n".repeat(128);
		for good in ["a", "...", "~", "A-b_c.D", "0", &longest] {
			assert_ok!(create(good, RecordKeyType::Any, Unreserved));
			assert_ok!(put_keys(good, &["k"]));
			assert_eq!(keys_of(good), [key("k")]);
		}
		// Names are case-sensitive.
		assert_ok!(create("Names", RecordKeyType::Any, Unreserved));
		assert_eq!((record_count("Names"), record_count(COLLECTION)), (Some(0), Some(1)));
	});
}

#[test]
fn only_an_empty_collection_is_deleted() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put_keys(COLLECTION, &["a", "b", "c"]));
		assert_eq!((record_count(COLLECTION), rows()), (Some(4), TENANT_ROWS + 3));
	});
	chain.block(|| {
		for keys in [&["b"][..], &["a", RECORD]] {
			assert_noop!(delete_collection(COLLECTION), Error::<Test>::CollectionNotEmpty);
			assert_ok!(delete(COLLECTION, keys));
		}
		assert_eq!(record_count(COLLECTION), Some(1));
		assert_noop!(delete_collection(COLLECTION), Error::<Test>::CollectionNotEmpty);
		assert_ok!(delete(COLLECTION, &["c"]));
		assert_eq!((record_count(COLLECTION), rows()), (Some(0), TENANT_ROWS - 1));
		assert_ok!(delete_collection(COLLECTION));
		let event = Event::CollectionDeleted { tenant: TENANT, collection: name(COLLECTION) };
		assert_eq!(events().last(), Some(&event));
		assert_eq!((record_count(COLLECTION), rows()), (None, TENANT_ROWS - 2));
	});
	chain.block(|| {
		assert_noop!(delete_collection(COLLECTION), Error::<Test>::CollectionNotFound);
		assert_noop!(put_keys(COLLECTION, &[RECORD]), Error::<Test>::CollectionNotFound);
		// The name is free, and the new collection has rules of its own.
		assert_ok!(create(COLLECTION, RecordKeyType::Tid, Unreserved));
		assert_noop!(put_keys(COLLECTION, &[RECORD]), Error::<Test>::InvalidRecordKey);
		assert_eq!(record_count(COLLECTION), Some(0));
	});
}

#[test]
fn records_need_a_collection() {
	Chain::small_fabric().block(|| {
		for collection in ["", "unknown", "name", "names.", "Names"] {
			assert_noop!(put_keys(collection, &["new"]), Error::<Test>::CollectionNotFound);
			assert_noop!(delete(collection, &[RECORD]), Error::<Test>::CollectionNotFound);
			assert_noop!(delete_collection(collection), Error::<Test>::CollectionNotFound);
		}
	});
}
