// SPDX-License-Identifier: Apache-2.0
//! Record keys: which ones a collection has by its type and syntax, and which the chain mints.

use frame_support::assert_noop;

use super::*;
use crate::{
	identifiers::{
		RecordKeySyntax::{PathSegment, Unreserved},
		RecordKeyType,
	},
	Error,
};

/// Collections of a type in some syntaxes, with keys that they accept, and keys that they refuse.
type Kind = (
	RecordKeyTypeOf<Test>,
	&'static [RecordKeySyntax],
	&'static [&'static str],
	&'static [&'static str],
);

/// Returns collections of every type in both syntaxes. The crate `content-fabric-identifiers` tests
/// the syntaxes with the whole lists of their specifications.
fn kinds() -> [Kind; 6] {
	let both = &[Unreserved, PathSegment];
	// Only the colon divides the two syntaxes.
	let no_key = &["alpha/beta", ".", "..", "@handle", "any space", "dHJ1ZQ==", "é"];
	[
		(RecordKeyType::Any, &[Unreserved], &["3jui7kd54zh2y", "self", "~1.2-3_"], no_key),
		(RecordKeyType::Any, &[Unreserved], &["dHJ1ZQ"], &["prefix:suffix"]),
		(RecordKeyType::Any, &[PathSegment], &["self", "prefix:suffix", "_"], no_key),
		(
			RecordKeyType::Tid,
			both,
			&[TID, "2222222222222", "bzzzzzzzzzzzz"],
			// In the last one the top bit is set, which no clock does.
			&["self", "3jui7kd54zh2", "3jui7kd54zh2yy", "3JUI7KD54ZH2Y", "c222222222222"],
		),
		(
			RecordKeyType::Nsid,
			both,
			&["app.bsky.feed.post", "com.example.fooBar", "a.b-1.c"],
			&["self", "example.net", "com.example.foo_bar", "com..foo", TID, "prefix:suffix"],
		),
		(
			RecordKeyType::Literal(key("self")),
			both,
			&["self"],
			&["Self", "selfish", "sel", "literal:self", TID, "_"],
		),
	]
}

/// Returns the TID that the chain mints this many microseconds after the time of the block.
fn minted_tid(micros: u64) -> String {
	let now = System::block_number() * 6_000_000;
	Tid::new(now + micros, chain_clock_id()).expect("is in range").to_string()
}

/// Returns a key that is not text.
fn no_text() -> RecordKeyOf<Test> {
	bounded([b'a', 0xff])
}

#[test]
fn a_collection_accepts_the_keys_of_its_type_and_syntax_and_no_others() {
	for (key_type, syntaxes, valid, invalid) in kinds() {
		for syntax in syntaxes {
			let check = |keys: &[&str], expected: DispatchResult| {
				assert_eq!(
					put_keys("alone", keys),
					expected,
					"{keys:?} in {key_type:?}, {syntax:?}"
				);
			};
			Chain::small_fabric().block(|| {
				assert_ok!(create("alone", key_type.clone(), *syntax));
				for text in valid {
					// Putting a key again makes no other record.
					check(&[text, text], Ok(()));
					assert_eq!(resolve("alone", text), the_head());
				}
				for text in invalid.iter().chain(&[""]) {
					for list in [&[*text][..], &[valid[0], text]] {
						check(list, Err(Error::<Test>::InvalidRecordKey.into()));
					}
				}
				let (tenant, collection) = (TENANT, name("alone"));
				let records = bounded([(Some(no_text()), whole_object())]);
				let put = Call::put_records { tenant, collection, records };
				assert_refused(TENANT_ROOT, put, Error::<Test>::InvalidRecordKey);
				assert_eq!(record_count("alone"), Some(valid.len() as u32));
			});
		}
	}
}

#[test]
fn record_keys_are_case_sensitive() {
	Chain::small_fabric().block(|| {
		assert_ok!(put_keys(COLLECTION, &["Self", "self", "SELF"]));
		assert_eq!(keys_of(COLLECTION), [key("SELF"), key("Self"), key(RECORD), key("self")]);
		assert_ok!(delete(COLLECTION, &["self"]));
		assert_eq!(resolve(COLLECTION, "self"), None);
		assert!(resolve(COLLECTION, "Self").is_some());
	});
}

#[test]
fn the_literal_of_a_collection_is_a_key_in_its_syntax() {
	Chain::small_fabric().block(|| {
		let longest = "k".repeat(512);
		for (syntax, valid, invalid) in [
			(
				Unreserved,
				&["self", "~1.2-3_", &longest][..],
				&["", "..", "any space", "pre:fix"][..],
			),
			(PathSegment, &["pre:fix"], &["", "..", "any space"]),
		] {
			let literals = invalid.iter().map(|text| key(text)).chain([no_text()]);
			for literal in literals.map(RecordKeyType::Literal) {
				let refused = create("refused", literal.clone(), syntax);
				assert_eq!(refused, Err(Error::<Test>::InvalidRecordKey.into()), "{literal:?}");
			}
			for (text, place) in valid.iter().zip(1..) {
				let collection = format!("{syntax:?}.{place}");
				assert_ok!(create(&collection, RecordKeyType::Literal(key(text)), syntax));
				assert_ok!(put_keys(&collection, &[text]));
			}
		}
	});
}

#[test]
fn minted_keys_rise_within_a_list_and_over_lists_collections_and_blocks() {
	let mut chain = Chain::small_fabric();
	chain.block(|| assert_eq!(create("more.runs", RecordKeyType::Tid, Unreserved), Ok(())));
	let mut tids = Vec::new();
	for _ in 0..3 {
		chain.block(|| {
			let now = System::block_number() * 6_000_000;
			let lists = [(EMPTY_COLLECTION, 3), ("more.runs", 2), (EMPTY_COLLECTION, 1)];
			let minted = lists.map(|(collection, count)| mint(collection, count)).concat();
			for (tid, place) in minted.iter().zip(0..) {
				assert_eq!(tid.timestamp(), now + place);
				assert_eq!(tid.clock_id(), chain_clock_id().get());
			}
			assert_eq!(minted.len(), 6);
			tids.extend(minted);
		});
	}
	// No key returns where time steps back, nor where its record has been deleted.
	chain.block(|| {
		System::set_block_number(2);
		let (last, minted) = (tids[tids.len() - 1].timestamp(), mint(EMPTY_COLLECTION, 2));
		assert_eq!([minted[0], minted[1]].map(Tid::timestamp), [last + 1, last + 2]);
		tids.extend(&minted);
		assert_ok!(delete(EMPTY_COLLECTION, &[&minted[1].to_string()]));
		tids.extend(mint(EMPTY_COLLECTION, 1));
	});
	assert!(tids.is_sorted_by(|a, b| a < b));
	let texts: Vec<_> = tids.iter().map(|tid| tid.to_string()).collect();
	assert!(texts.is_sorted_by(|a, b| a < b));
	chain.block(|| {
		// Three blocks of four, and two of the last three.
		assert_eq!(record_count(EMPTY_COLLECTION), Some(14));
		assert_eq!(record_count("more.runs"), Some(6));
	});
}

#[test]
fn given_and_minted_keys_stand_side_by_side_in_a_list() {
	Chain::small_fabric().block(|| {
		let (target, [first, second]) = (whole_object(), [0, 1].map(minted_tid));
		let list = [(None, target), (Some(TID), target), (None, target)];
		assert_ok!(put_into(EMPTY_COLLECTION, &list));
		let puts = [&first[..], TID, &second].map(|text| was_put(EMPTY_COLLECTION, text, target));
		assert_eq!(events(), puts);
	});
}

#[test]
fn only_tids_are_minted() {
	Chain::small_fabric().block(|| {
		assert_ok!(create("nsids", RecordKeyType::Nsid, Unreserved));
		assert_ok!(create("one", RecordKeyType::Literal(key("self")), Unreserved));
		// Not even where the only key of the collection is a TID.
		assert_ok!(create("tid", RecordKeyType::Literal(key(TID)), Unreserved));
		for (collection, valid) in
			[(COLLECTION, "new"), ("nsids", "a.b.c"), ("one", "self"), ("tid", TID)]
		{
			let (given, minted) = ((Some(valid), whole_object()), (None::<&str>, whole_object()));
			for list in [&[minted][..], &[given, minted]] {
				assert_noop!(put_into(collection, list), Error::<Test>::RecordKeyRequired);
			}
			assert_ok!(put_into(collection, &[given]));
		}
	});
}

#[test]
fn a_minted_key_replaces_no_record() {
	let mut chain = Chain::small_fabric();
	let taken = chain.block(|| {
		// Anyone can tell which key comes next.
		let next = minted_tid(0);
		let target = ContentRef { object: EMPTY_OBJECT, version: None };
		let (given, minted) = ((Some(&next[..]), target), (None, whole_object()));
		let put = |list: &[_]| put_into(EMPTY_COLLECTION, list);
		assert_noop!(put(&[given, minted]), Error::<Test>::RecordAlreadyExists);
		assert_ok!(put(&[given]));
		assert_noop!(put(&[minted]), Error::<Test>::RecordAlreadyExists);
		assert_eq!(record(EMPTY_COLLECTION, &next).map(|info| info.target), Some(target));
		assert_eq!(record_count(EMPTY_COLLECTION), Some(1));
		next
	});
	// A key is free again as soon as time moves on.
	chain.block(|| {
		let [tid] = mint(EMPTY_COLLECTION, 1)[..] else { panic!("one key was minted") };
		assert_ne!(tid.to_string(), taken);
		assert_eq!(record_count(EMPTY_COLLECTION), Some(2));
	});
}
