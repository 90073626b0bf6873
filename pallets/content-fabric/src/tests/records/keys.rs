// SPDX-License-Identifier: Apache-2.0
//! Record keys: which ones a collection has by its type and syntax, and which the chain mints.

use frame_support::assert_noop;

use super::*;
use crate::{
	identifiers::{
		ClockId,
		RecordKeySyntax::{PathSegment, Unreserved},
		RecordKeyType,
	},
	Error,
};

/// The examples of a specification of record keys.
struct Examples {
	syntax: RecordKeySyntax,
	valid: &'static [&'static str],
	invalid: &'static [&'static str],
}

/// The whole lists of both specifications: of the one without colons, and of the one with them.
const EXAMPLES: [Examples; 2] = [
	Examples {
		syntax: Unreserved,
		valid: &["3jui7kd54zh2y", "self", "example.com", "~1.2-3_", "dHJ1ZQ"],
		invalid: &[
			"literal:self",
			"alpha/beta",
			".",
			"..",
			"#extra",
			"@handle",
			"any space",
			"any+space",
			"number[3]",
			"number(3)",
			"\"quote\"",
			"pre:fix",
			"dHJ1ZQ==",
		],
	},
	Examples {
		syntax: PathSegment,
		valid: &["1a2b3c", "self", "example.net", "~1.2-3_", "rDg8fH", "prefix:suffix", "_"],
		invalid: &[
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
		],
	},
];

/// Returns the TID that the chain mints this many microseconds after the time of the block.
fn minted_tid(micros: u64) -> String {
	let now = System::block_number() * 6_000_000;
	Tid::new(now + micros, ClockId::MAX).expect("is in range").to_string()
}

#[test]
fn every_example_key_of_the_specifications_is_accepted_or_refused_alone() {
	for Examples { syntax, valid, invalid } in EXAMPLES {
		Chain::small_fabric().block(|| {
			assert_ok!(create("alone", RecordKeyType::Any, syntax));
			for text in valid {
				assert_eq!(put_keys("alone", &[text]), Ok(()), "{text} in {syntax:?}");
				assert_eq!(resolve("alone", text), the_head(), "{text} in {syntax:?}");
			}
			let refused = Err(Error::<Test>::InvalidRecordKey.into());
			for text in invalid {
				assert_eq!(put_keys("alone", &[text]), refused, "{text} in {syntax:?}");
			}
			assert_eq!(record_count("alone"), Some(valid.len() as u32));
		});
	}
}

#[test]
fn only_the_colon_divides_the_two_syntaxes() {
	Chain::small_fabric().block(|| {
		for (collection, syntax) in [("narrow", Unreserved), ("wide", PathSegment)] {
			assert_ok!(create(collection, RecordKeyType::Any, syntax));
		}
		for examples in EXAMPLES {
			for text in examples.valid.iter().chain(examples.invalid) {
				let narrow = put_keys("narrow", &[text]);
				let wide = put_keys("wide", &[text]);
				if text.contains(':') {
					let refused: DispatchResult = Err(Error::<Test>::InvalidRecordKey.into());
					assert_eq!((narrow, wide), (refused, Ok(())), "{text}");
				} else {
					assert_eq!(narrow, wide, "{text}");
				}
			}
		}
	});
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

/// Returns a key that is not text.
fn no_text() -> RecordKeyOf<Test> {
	bounded([b'a', 0xff])
}

#[test]
fn an_empty_key_and_one_that_is_not_text_are_refused_by_every_type() {
	Chain::small_fabric().block(|| {
		for syntax in [Unreserved, PathSegment] {
			for (kind, key_type) in [
				("tid", RecordKeyType::Tid),
				("nsid", RecordKeyType::Nsid),
				("any", RecordKeyType::Any),
				("literal", RecordKeyType::Literal(key("self"))),
			] {
				let collection = format!("{kind}.{syntax:?}");
				assert_ok!(create(&collection, key_type, syntax));
				assert_noop!(put_keys(&collection, &[""]), Error::<Test>::InvalidRecordKey);
				let records = bounded([(Some(no_text()), whole_object())]);
				let (tenant, collection) = (TENANT, name(&collection));
				let put = Call::put_records { tenant, collection, records };
				assert_refused(TENANT_ROOT, put, Error::<Test>::InvalidRecordKey);
			}
		}
	});
}

#[test]
fn the_literal_of_a_collection_is_a_key_in_its_syntax() {
	Chain::small_fabric().block(|| {
		let literal = |text: &str| RecordKeyType::Literal(key(text));
		for Examples { syntax, valid, invalid } in EXAMPLES {
			for text in invalid.iter().chain(&[""]) {
				let refused = create("refused", literal(text), syntax);
				assert_eq!(refused, Err(Error::<Test>::InvalidRecordKey.into()), "{text}");
			}
			let no_text = RecordKeyType::Literal(no_text());
			assert_noop!(create("refused", no_text, syntax), Error::<Test>::InvalidRecordKey);
			for (text, place) in valid.iter().zip(1..) {
				let collection = format!("{syntax:?}.{place}");
				assert_ok!(create(&collection, literal(text), syntax));
				assert_ok!(put_keys(&collection, &[text]));
			}
		}
		let longest = "k".repeat(512);
		assert_ok!(create("longest", literal(&longest), Unreserved));
		assert_ok!(put_keys("longest", &[&longest]));
	});
}

#[test]
fn a_collection_of_one_literal_accepts_no_other_key() {
	Chain::small_fabric().block(|| {
		assert_ok!(create("one", RecordKeyType::Literal(key("self")), Unreserved));
		for other in ["Self", "selfish", "sel", "literal:self", TID, "_", ""] {
			assert_noop!(put_keys("one", &[other]), Error::<Test>::InvalidRecordKey);
			assert_noop!(put_keys("one", &["self", other]), Error::<Test>::InvalidRecordKey);
		}
		assert_ok!(put_keys("one", &["self"]));
		assert_ok!(put_keys("one", &["self"]));
		assert_eq!(record_count("one"), Some(1));
	});
}

#[test]
fn a_collection_of_tids_accepts_tids_only() {
	Chain::small_fabric().block(|| {
		for tid in [TID, "2222222222222", "bzzzzzzzzzzzz"] {
			assert_eq!(put_keys(EMPTY_COLLECTION, &[tid]), Ok(()), "{tid}");
		}
		for other in [
			"self",
			"3jui7kd54zh2",
			"3jui7kd54zh2yy",
			"3JUI7KD54ZH2Y",
			"0000000000000",
			"kzzzzzzzzzzzz",
			// The top bit is set, which no clock does.
			"c222222222222",
			"jzzzzzzzzzzzz",
			"3jui-7kd-54zh-2y",
		] {
			assert_noop!(put_keys(EMPTY_COLLECTION, &[other]), Error::<Test>::InvalidRecordKey);
		}
		assert_eq!(record_count(EMPTY_COLLECTION), Some(3));
	});
}

#[test]
fn a_collection_of_nsids_accepts_nsids_only() {
	Chain::small_fabric().block(|| {
		for syntax in [Unreserved, PathSegment] {
			let collection = format!("{syntax:?}");
			assert_ok!(create(&collection, RecordKeyType::Nsid, syntax));
			for nsid in ["app.bsky.feed.post", "com.example.fooBar", "a.b-1.c"] {
				assert_eq!(put_keys(&collection, &[nsid]), Ok(()), "{nsid}");
			}
			for other in [
				"self",
				"example.net",
				"com.example.foo_bar",
				"com.example.3",
				"com..foo",
				TID,
				"prefix:suffix",
			] {
				assert_noop!(put_keys(&collection, &[other]), Error::<Test>::InvalidRecordKey);
			}
			assert_eq!(record_count(&collection), Some(3));
		}
	});
}

#[test]
fn minted_keys_rise_within_a_list_and_over_lists_collections_and_blocks() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(create("more.runs", RecordKeyType::Tid, Unreserved));
	});
	let mut tids = Vec::new();
	for _ in 0..3 {
		chain.block(|| {
			let now = System::block_number() * 6_000_000;
			let lists = [(EMPTY_COLLECTION, 3), ("more.runs", 2), (EMPTY_COLLECTION, 1)];
			let minted = lists.map(|(collection, count)| mint(collection, count)).concat();
			for (tid, place) in minted.iter().zip(0..) {
				assert_eq!(tid.timestamp(), now + place);
				assert_eq!(tid.clock_id(), ClockId::MAX.get());
			}
			assert_eq!(minted.len(), 6);
			tids.extend(minted);
		});
	}
	// No key returns where time steps back, nor where its record has been deleted.
	chain.block(|| {
		System::set_block_number(2);
		let minted = mint(EMPTY_COLLECTION, 2);
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
