//! Collections and their records: which keys they have, and what these lead to.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{traits::Dispatchable, DispatchResult};

use crate::{
	identifiers::{
		ClockId, ContentObjectId,
		RecordKeySyntax::{self, PathSegment, Unreserved},
		RecordKeyType, TenantId, Tid, VersionId,
	},
	mock::*,
	Call, CollectionNameOf, Collections, ContentRef, Error, Event, RecordInfo, RecordKeyOf,
	RecordKeyTypeOf, Records, Resolution, Subject,
};

/// The object as a whole.
const WHOLE: ContentRef = ContentRef { object: OBJECT, version: None };

/// The examples of the specification.
const VALID: [&str; 6] = ["1a2b3c", "self", "example.net", "~1.2-3_", "rDg8fH", "_"];
const VALID_IN_PATH_SEGMENT: &str = "prefix:suffix";
const INVALID: [&str; 11] = [
	"alpha/beta",
	".",
	"..",
	"#extra",
	"any space",
	"any+space",
	"number[3]",
	"number(3)",
	"\"quote\"",
	"dHJ1ZQ==",
	"",
];

/// Makes a call that takes all back if it fails, as transactions do.
fn dispatch(call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(TENANT_ROOT)).map(|_| ()).map_err(|error| error.error)
}

fn create(
	collection: &str,
	key_type: RecordKeyTypeOf<Test>,
	syntax: RecordKeySyntax,
) -> DispatchResult {
	dispatch(Call::create_collection { tenant: TENANT, name: name(collection), key_type, syntax })
}

fn delete_collection(collection: &str) -> DispatchResult {
	dispatch(Call::delete_collection { tenant: TENANT, name: name(collection) })
}

/// Puts a record; without a key, one that the chain mints.
fn put_to(collection: &str, key: Option<RecordKeyOf<Test>>, target: ContentRef) -> DispatchResult {
	let collection = name(collection);
	dispatch(Call::put_record { tenant: TENANT, collection, key, target })
}

/// Puts a record of the object.
fn put(collection: &str, text: &str) -> DispatchResult {
	put_to(collection, Some(key(text)), WHOLE)
}

fn delete(collection: &str, text: &str) -> DispatchResult {
	let (collection, key) = (name(collection), key(text));
	dispatch(Call::delete_record { tenant: TENANT, collection, key })
}

fn record(collection: &str, text: &str) -> Option<RecordInfo<Balance>> {
	Records::<Test>::get((TENANT, name(collection), key(text)))
}

fn resolve(collection: &str, text: &str) -> Option<Resolution> {
	ContentFabric::resolve(TENANT, name(collection).into(), key(text).into())
}

fn record_count(collection: &str) -> Option<u32> {
	Collections::<Test>::get(TENANT, name(collection)).map(|info| info.record_count)
}

/// The keys of a collection's records, in order.
fn keys_of(collection: &str) -> Vec<RecordKeyOf<Test>> {
	let page = ContentFabric::records(TENANT, name(collection).into(), None, 1_000);
	let mut keys: Vec<_> = page.items.into_iter().map(|(key, _)| key).collect();
	keys.sort();
	keys
}

/// Has the chain mint the key of a record.
fn mint(collection: &str) -> Tid {
	assert_ok!(put_to(collection, None, WHOLE));
	let Some(Event::RecordPut { tenant, collection: of, key, target }) = events().pop() else {
		panic!("putting a record is told");
	};
	assert_eq!((tenant, of, target), (TENANT, name(collection), WHOLE));
	assert!(Records::<Test>::contains_key((TENANT, name(collection), key.clone())));
	Tid::from_text(&key).expect("a minted key is a TID")
}

fn rows() -> Option<u32> {
	ContentFabric::rows(Subject::Tenant(TENANT))
}

#[test]
fn collections_are_of_every_type_in_both_dialects() {
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
				let collection = format!("c{count}");
				assert_ok!(create(&collection, key_type.clone(), syntax));
				let info =
					Collections::<Test>::get(TENANT, name(&collection)).expect("was created");
				assert_eq!((info.key_type, info.syntax), (key_type.clone(), syntax));
				assert_eq!((info.record_count, info.created), (0, muid(count)));
				assert_eq!(
					events().last(),
					Some(&Event::CollectionCreated {
						tenant: TENANT,
						collection: name(&collection)
					})
				);
				assert_noop!(
					create(&collection, key_type, syntax),
					Error::<Test>::CollectionAlreadyExists
				);
			}
		}
		assert_eq!(rows(), Some(TENANT_ROWS + 8));
	});
}

#[test]
fn the_name_of_a_collection_is_a_record_key_without_colons() {
	Chain::small_fabric().block(|| {
		for bad in ["", ".", "..", "a:b", "a b", "é", "a/b", "a\0", "%61"] {
			// In the wider dialect as well: it is that of the keys, not of the name.
			for syntax in [Unreserved, PathSegment] {
				assert_noop!(
					create(bad, RecordKeyType::Any, syntax),
					Error::<Test>::InvalidCollectionName
				);
			}
		}
		let longest = "n".repeat(128);
		for good in ["a", "...", "~", "A-b_c.D", "0", &longest] {
			assert_ok!(create(good, RecordKeyType::Any, Unreserved));
			assert_ok!(put(good, "k"));
			assert_eq!(keys_of(good), [key("k")]);
		}
		// Case counts.
		assert_ok!(create("Names", RecordKeyType::Any, Unreserved));
		assert_eq!(record_count("Names"), Some(0));
		assert!(CollectionNameOf::<Test>::try_from(vec![b'n'; 129]).is_err());
	});
}

#[test]
fn the_literal_of_a_collection_is_a_key_in_its_dialect() {
	Chain::small_fabric().block(|| {
		for bad in INVALID {
			for syntax in [Unreserved, PathSegment] {
				assert_noop!(
					create("c", RecordKeyType::Literal(key(bad)), syntax),
					Error::<Test>::InvalidRecordKey
				);
			}
		}
		let no_text = RecordKeyOf::<Test>::try_from(vec![0xff]).expect("is short");
		assert_noop!(
			create("c", RecordKeyType::Literal(no_text), PathSegment),
			Error::<Test>::InvalidRecordKey
		);
		let literal = || RecordKeyType::Literal(key(VALID_IN_PATH_SEGMENT));
		assert_noop!(create("c", literal(), Unreserved), Error::<Test>::InvalidRecordKey);
		assert_ok!(create("c", literal(), PathSegment));
		assert_ok!(put("c", VALID_IN_PATH_SEGMENT));
		assert_ok!(create("longest", RecordKeyType::Literal(key(&"k".repeat(512))), Unreserved));
		assert_ok!(put("longest", &"k".repeat(512)));
	});
}

#[test]
fn any_key_is_one_of_the_dialect() {
	Chain::small_fabric().block(|| {
		let collections = [("narrow", Unreserved), ("wide", PathSegment)];
		for (collection, syntax) in collections {
			assert_ok!(create(collection, RecordKeyType::Any, syntax));
			for valid in VALID {
				assert_eq!(put(collection, valid), Ok(()), "{valid}");
				assert_eq!(resolve(collection, valid), resolve(COLLECTION, RECORD));
			}
			for invalid in INVALID {
				assert_noop!(put(collection, invalid), Error::<Test>::InvalidRecordKey);
			}
			let no_text = RecordKeyOf::<Test>::try_from(vec![0xff]).expect("is short");
			assert_noop!(put_to(collection, Some(no_text), WHOLE), Error::<Test>::InvalidRecordKey);
		}
		assert_noop!(put("narrow", VALID_IN_PATH_SEGMENT), Error::<Test>::InvalidRecordKey);
		assert_ok!(put("wide", VALID_IN_PATH_SEGMENT));
		assert_eq!(
			collections.map(|(collection, _)| record_count(collection)),
			[Some(VALID.len() as u32), Some(VALID.len() as u32 + 1)]
		);
	});
}

#[test]
fn keys_have_up_to_512_bytes() {
	let mut chain = Chain::small_fabric();
	let longest = "k".repeat(512);
	chain.block(|| {
		assert_ok!(put(COLLECTION, &longest));
		assert!(RecordKeyOf::<Test>::try_from(vec![b'k'; 513]).is_err());
	});
	chain.block(|| {
		assert_eq!(
			resolve(COLLECTION, &longest),
			Some(Resolution::Content(ContentRef { version: Some(HEAD), ..WHOLE }))
		);
		assert_eq!(keys_of(COLLECTION), [key(&longest), key(RECORD)]);
		assert_ok!(delete(COLLECTION, &longest));
	});
}

#[test]
fn a_collection_of_tids_accepts_tids_only() {
	Chain::small_fabric().block(|| {
		// The last one has its top bit set: such are read, though no clock makes them.
		for tid in ["3jui7kd54zh2y", "2222222222222", "bzzzzzzzzzzzz", "jzzzzzzzzzzzz"] {
			assert_eq!(put(EMPTY_COLLECTION, tid), Ok(()), "{tid}");
		}
		for other in [
			"self",
			"3jui7kd54zh2",
			"3jui7kd54zh2yy",
			"3JUI7KD54ZH2Y",
			"0000000000000",
			"kzzzzzzzzzzzz",
			"3jui-7kd-54zh-2y",
			"",
		] {
			assert_noop!(put(EMPTY_COLLECTION, other), Error::<Test>::InvalidRecordKey);
		}
		assert_eq!(record_count(EMPTY_COLLECTION), Some(4));
	});
}

#[test]
fn a_collection_of_nsids_accepts_nsids_only() {
	Chain::small_fabric().block(|| {
		for syntax in [Unreserved, PathSegment] {
			let collection = format!("{syntax:?}");
			assert_ok!(create(&collection, RecordKeyType::Nsid, syntax));
			for nsid in ["app.bsky.feed.post", "com.example.fooBar", "a.b-1.c"] {
				assert_eq!(put(&collection, nsid), Ok(()), "{nsid}");
			}
			for other in [
				"self",
				"example.net",
				"com.example.foo_bar",
				"com.example.3",
				"com..foo",
				"3jui7kd54zh2y",
				VALID_IN_PATH_SEGMENT,
				"",
			] {
				assert_noop!(put(&collection, other), Error::<Test>::InvalidRecordKey);
			}
		}
	});
}

#[test]
fn a_collection_of_one_key_accepts_no_other() {
	Chain::small_fabric().block(|| {
		assert_ok!(create("one", RecordKeyType::Literal(key("self")), Unreserved));
		for other in ["Self", "selfish", "sel", "3jui7kd54zh2y", "_", ""] {
			assert_noop!(put("one", other), Error::<Test>::InvalidRecordKey);
		}
		assert_ok!(put("one", "self"));
		assert_ok!(put("one", "self"));
		assert_eq!(record_count("one"), Some(1));
	});
}

#[test]
fn minted_keys_rise_over_the_life_of_the_chain() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(create("more.runs", RecordKeyType::Tid, Unreserved));
	});
	let mut tids = Vec::new();
	for _ in 0..3 {
		chain.block(|| {
			let now = System::block_number() * 6_000_000;
			for (place, collection) in
				[EMPTY_COLLECTION, "more.runs", EMPTY_COLLECTION].into_iter().enumerate()
			{
				let tid = mint(collection);
				assert_eq!(tid.timestamp(), now + place as u64);
				assert_eq!(tid.clock_id(), ClockId::MAX.get());
				tids.push(tid);
			}
		});
	}
	// Where time steps back, or a record has been deleted, no key comes again.
	chain.block(|| {
		System::set_block_number(2);
		tids.push(mint(EMPTY_COLLECTION));
		assert_ok!(delete(EMPTY_COLLECTION, &tids[9].to_string()));
		tids.push(mint(EMPTY_COLLECTION));
	});
	assert!(tids.is_sorted_by(|a, b| a < b));
	let texts: Vec<_> = tids.iter().map(|tid| tid.to_string()).collect();
	assert!(texts.is_sorted_by(|a, b| a < b));
	chain.block(|| {
		assert_eq!(record_count(EMPTY_COLLECTION), Some(7));
		assert_eq!(record_count("more.runs"), Some(3));
	});
}

#[test]
fn only_tids_are_minted() {
	Chain::small_fabric().block(|| {
		assert_ok!(create("nsids", RecordKeyType::Nsid, Unreserved));
		assert_ok!(create("one", RecordKeyType::Literal(key("self")), Unreserved));
		// Not even where the one key that there can be is a TID.
		let literal = RecordKeyType::Literal(key("3jui7kd54zh2y"));
		assert_ok!(create("tid", literal, Unreserved));
		for collection in [COLLECTION, "nsids", "one", "tid"] {
			assert_noop!(put_to(collection, None, WHOLE), Error::<Test>::RecordKeyRequired);
		}
	});
}

#[test]
fn a_minted_key_replaces_no_record() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		// Somebody knows which key comes next.
		let next = Tid::new(System::block_number() * 6_000_000, ClockId::MAX).expect("is in range");
		let target = ContentRef { object: EMPTY_OBJECT, version: None };
		assert_ok!(put_to(EMPTY_COLLECTION, Some(key(&next.to_string())), target));
		assert_noop!(put_to(EMPTY_COLLECTION, None, WHOLE), Error::<Test>::RecordAlreadyExists);
		assert_eq!(
			record(EMPTY_COLLECTION, &next.to_string()).map(|info| info.target),
			Some(target)
		);
		assert_eq!(record_count(EMPTY_COLLECTION), Some(1));
	});
	// Time goes on.
	chain.block(|| mint(EMPTY_COLLECTION));
}

#[test]
fn a_record_names_what_exists() {
	let other_tenant = TenantId([7; 10]);
	let of_other = ContentObjectId([8; 10]);
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::create_tenant(signed(TENANT_ROOT), SPACE, other_tenant));
		assert_ok!(ContentFabric::create_content_object(
			signed(TENANT_ROOT),
			other_tenant,
			of_other
		));
		let unknown = ContentObjectId([7; 10]);
		for (object, version, error) in [
			(unknown, None, Error::<Test>::ContentObjectNotFound),
			(unknown, Some(HEAD), Error::ContentObjectNotFound),
			(of_other, None, Error::ContentObjectNotFound),
			(OBJECT, Some(VersionId([7; 32])), Error::VersionNotFound),
			(EMPTY_OBJECT, Some(HEAD), Error::VersionNotFound),
		] {
			let target = ContentRef { object, version };
			let error = sp_runtime::DispatchError::from(error);
			assert_noop!(put_to(COLLECTION, Some(key("new")), target), error);
			// Nor does a record come to name it later.
			assert_noop!(put_to(COLLECTION, Some(key(RECORD)), target), error);
			assert_noop!(put_to(EMPTY_COLLECTION, None, target), error);
		}
		// A version need not be finalized.
		for version in [HEAD, DRAFT, FINALIZED] {
			let target = ContentRef { object: OBJECT, version: Some(version) };
			assert_ok!(put_to(COLLECTION, Some(key("new")), target));
			assert_eq!(resolve(COLLECTION, "new"), Some(Resolution::Content(target)));
		}
	});
}

#[test]
fn a_record_is_put_into_a_collection() {
	Chain::small_fabric().block(|| {
		for collection in ["", "unknown", "name", "names.", "Names"] {
			assert_noop!(put(collection, "new"), Error::<Test>::CollectionNotFound);
			assert_noop!(put_to(collection, None, WHOLE), Error::<Test>::CollectionNotFound);
			assert_noop!(delete(collection, RECORD), Error::<Test>::RecordNotFound);
			assert_noop!(delete_collection(collection), Error::<Test>::CollectionNotFound);
		}
		assert_noop!(delete(COLLECTION, "new"), Error::<Test>::RecordNotFound);
		assert_noop!(delete(EMPTY_COLLECTION, RECORD), Error::<Test>::RecordNotFound);
	});
}

#[test]
fn a_record_that_is_put_again_keeps_when_it_was_created() {
	let mut chain = Chain::small_fabric();
	let before = chain.block(|| record(COLLECTION, RECORD)).expect("is there from the beginning");
	assert_eq!(before.created, before.updated);
	chain.block(|| {
		let target = ContentRef { object: OBJECT, version: Some(DRAFT) };
		assert_ok!(put_to(COLLECTION, Some(key(RECORD)), target));
		let after = record(COLLECTION, RECORD).expect("was put again");
		assert_eq!((after.target, after.created), (target, before.created));
		assert_eq!(after.updated, muid(1));
		assert!(after.updated > before.updated);
		assert_eq!(
			events(),
			[Event::RecordPut {
				tenant: TENANT,
				collection: name(COLLECTION),
				key: key(RECORD),
				target
			}]
		);
		assert_eq!((record_count(COLLECTION), rows()), (Some(1), Some(TENANT_ROWS)));
		// To point where it pointed already is to have been put as well.
		assert_ok!(put_to(COLLECTION, Some(key(RECORD)), target));
		assert_eq!(record(COLLECTION, RECORD).map(|info| info.updated), Some(muid(2)));
	});
	// One that was deleted is new.
	chain.block(|| {
		assert_ok!(delete(COLLECTION, RECORD));
		assert_ok!(put(COLLECTION, RECORD));
		assert_eq!(
			record(COLLECTION, RECORD).map(|info| (info.created, info.updated)),
			Some((muid(1), muid(1)))
		);
	});
}

#[test]
fn records_are_counted_and_only_an_empty_collection_is_deleted() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		for count in 2..=5 {
			assert_ok!(put(COLLECTION, &format!("r{count}")));
			assert_eq!(record_count(COLLECTION), Some(count));
			assert_noop!(delete_collection(COLLECTION), Error::<Test>::CollectionNotEmpty);
		}
		assert_eq!(rows(), Some(TENANT_ROWS + 4));
	});
	chain.block(|| {
		for count in (2..=5).rev() {
			let text = format!("r{count}");
			assert_ok!(delete(COLLECTION, &text));
			assert_eq!(
				events().last(),
				Some(&Event::RecordDeleted {
					tenant: TENANT,
					collection: name(COLLECTION),
					key: key(&text)
				})
			);
			assert_eq!(record_count(COLLECTION), Some(count - 1));
			assert_noop!(delete_collection(COLLECTION), Error::<Test>::CollectionNotEmpty);
		}
		assert_ok!(delete(COLLECTION, RECORD));
		assert_ok!(delete_collection(COLLECTION));
		assert_eq!(
			events().last(),
			Some(&Event::CollectionDeleted { tenant: TENANT, collection: name(COLLECTION) })
		);
		assert_eq!((record_count(COLLECTION), rows()), (None, Some(TENANT_ROWS - 2)));
		assert_noop!(delete_collection(COLLECTION), Error::<Test>::CollectionNotFound);
		assert_noop!(put(COLLECTION, RECORD), Error::<Test>::CollectionNotFound);
	});
	// The name is free again, and the new collection has rules of its own.
	chain.block(|| {
		assert_ok!(create(COLLECTION, RecordKeyType::Tid, Unreserved));
		assert_noop!(put(COLLECTION, RECORD), Error::<Test>::InvalidRecordKey);
		assert_eq!(record_count(COLLECTION), Some(0));
	});
}

#[test]
fn a_collection_whose_name_others_begin_with_is_apart_from_them() {
	let mut chain = Chain::small_fabric();
	let tid = "3jui7kd54zh2y";
	chain.block(|| {
		assert_ok!(create("n", RecordKeyType::Any, Unreserved));
		// Name and key together are the same in both.
		assert_ok!(put("n", "amesa"));
		assert_ok!(put(COLLECTION, "a"));
		for collection in ["n", COLLECTION, EMPTY_COLLECTION] {
			assert_ok!(put(collection, tid));
		}
	});
	let lists =
		|chain: &mut Chain| chain.block(|| ["n", COLLECTION, EMPTY_COLLECTION].map(keys_of));
	let of_names = || vec![key(tid), key("a"), key(RECORD)];
	assert_eq!(lists(&mut chain), [vec![key(tid), key("amesa")], of_names(), vec![key(tid)]]);
	chain.block(|| {
		for text in [tid, "amesa"] {
			assert_ok!(delete("n", text));
		}
		assert_ok!(delete_collection("n"));
	});
	assert_eq!(lists(&mut chain), [vec![], of_names(), vec![key(tid)]]);
	chain.block(|| {
		for text in [tid, "a", RECORD] {
			assert_ok!(delete(COLLECTION, text));
		}
		assert_ok!(delete_collection(COLLECTION));
		assert_eq!(record_count(EMPTY_COLLECTION), Some(1));
	});
	assert_eq!(lists(&mut chain), [vec![], vec![], vec![key(tid)]]);
	chain.block(|| {
		assert_eq!(
			resolve(EMPTY_COLLECTION, tid),
			Some(Resolution::Content(ContentRef { version: Some(HEAD), ..WHOLE }))
		);
	});
}

#[test]
fn collections_of_two_tenants_share_nothing_but_the_name() {
	let other = TenantId([7; 10]);
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let (root, object) = (|| signed(TENANT_ROOT), ContentObjectId([8; 10]));
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, other));
		assert_ok!(ContentFabric::create_content_object(root(), other, object));
		let (key_type, syntax) = (RecordKeyType::Any, PathSegment);
		let collection = || name(COLLECTION);
		assert_ok!(ContentFabric::create_collection(root(), other, collection(), key_type, syntax));
		let target = ContentRef { object, version: None };
		assert_ok!(ContentFabric::put_record(
			root(),
			other,
			collection(),
			Some(key(RECORD)),
			target
		));
		assert_eq!(
			ContentFabric::resolve(other, collection().into(), key(RECORD).into()),
			Some(Resolution::Content(target))
		);
		assert_ok!(delete(COLLECTION, RECORD));
	});
	chain.block(|| {
		assert_eq!(resolve(COLLECTION, RECORD), None);
		assert!(
			ContentFabric::resolve(other, name(COLLECTION).into(), key(RECORD).into()).is_some()
		);
	});
}

#[test]
fn a_record_of_an_object_leads_to_its_head() {
	Chain::small_fabric().block(|| {
		let head = |version| {
			let root = signed(TENANT_ROOT);
			assert_ok!(ContentFabric::set_head_version(root, TENANT, OBJECT, version));
			resolve(COLLECTION, RECORD)
		};
		let content = |version| Some(Resolution::Content(ContentRef { object: OBJECT, version }));
		assert_eq!(resolve(COLLECTION, RECORD), content(Some(HEAD)));
		assert_eq!(head(Some(FINALIZED)), content(Some(FINALIZED)));
		assert_eq!(head(None), content(None));
		// The record itself did not change.
		assert_eq!(record(COLLECTION, RECORD).map(|info| info.target), Some(WHOLE));
	});
}

#[test]
fn a_record_may_outlive_what_it_names() {
	let mut chain = Chain::small_fabric();
	let of_version = ContentRef { object: OBJECT, version: Some(DRAFT) };
	chain.block(|| {
		assert_ok!(put_to(COLLECTION, Some(key("draft")), of_version));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Content(of_version)));
	});
	chain.block(|| {
		assert_ok!(ContentFabric::delete_version(signed(TENANT_ROOT), TENANT, OBJECT, DRAFT));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Dangling(of_version)));
		assert!(matches!(resolve(COLLECTION, RECORD), Some(Resolution::Content(_))));
	});
	chain.block(|| {
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::set_head_version(root(), TENANT, OBJECT, None));
		for version in [HEAD, FINALIZED] {
			assert_ok!(ContentFabric::delete_version(root(), TENANT, OBJECT, version));
		}
		assert_ok!(ContentFabric::delete_content_object(root(), TENANT, OBJECT));
		assert_eq!(resolve(COLLECTION, RECORD), Some(Resolution::Dangling(WHOLE)));
		assert_eq!(resolve(COLLECTION, "draft"), Some(Resolution::Dangling(of_version)));
		// A list that has such records in it is told all the same.
		let page = ContentFabric::resolutions(TENANT, name(COLLECTION).into(), None, 10);
		let mut items = page.items;
		items.sort_by(|a, b| a.0.cmp(&b.0));
		assert_eq!(
			items,
			[
				(key("draft"), Resolution::Dangling(of_version)),
				(key(RECORD), Resolution::Dangling(WHOLE)),
			]
		);
		// It can be pointed to what there is, and deleted.
		let target = ContentRef { object: EMPTY_OBJECT, version: None };
		assert_ok!(put_to(COLLECTION, Some(key(RECORD)), target));
		assert_eq!(resolve(COLLECTION, RECORD), Some(Resolution::Content(target)));
		assert_ok!(delete(COLLECTION, "draft"));
	});
}

#[test]
fn where_there_is_no_record_nothing_is_resolved() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_eq!(resolve(COLLECTION, "new"), None);
		assert_eq!(resolve(COLLECTION, ""), None);
		assert_eq!(resolve(EMPTY_COLLECTION, RECORD), None);
		assert_eq!(resolve("unknown", RECORD), None);
		// What is longer than names and keys can be names nothing.
		let (known, long) = (name(COLLECTION).into_inner(), vec![b'x'; 10_000]);
		let resolve_bytes = |name, key| ContentFabric::resolve(TENANT, name, key);
		assert!(resolve_bytes(known.clone(), RECORD.into()).is_some());
		assert_eq!(resolve_bytes(known, long.clone()), None);
		assert_eq!(resolve_bytes(long.clone(), RECORD.into()), None);
		let page = ContentFabric::records(TENANT, long.clone(), None, 10);
		assert_eq!((page.items.len(), page.next), (0, None));
		let page = ContentFabric::resolutions(TENANT, long, None, 10);
		assert_eq!((page.items.len(), page.next), (0, None));
		let unknown = TenantId([7; 10]);
		assert_eq!(
			ContentFabric::resolve(unknown, name(COLLECTION).into(), key(RECORD).into()),
			None
		);
		// Under a frozen tenant everything can still be read.
		let subject = Subject::Tenant(TENANT);
		assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, true));
		assert!(resolve(COLLECTION, RECORD).is_some());
	});
	// Under one that is being deleted nothing is, though the rows are still there.
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 0));
		assert!(record(COLLECTION, RECORD).is_some());
		assert_eq!(resolve(COLLECTION, RECORD), None);
	});
}
