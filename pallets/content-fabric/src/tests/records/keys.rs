// SPDX-License-Identifier: Apache-2.0
//! Record keys: which ones a collection has by its type and syntax, and which the chain mints.

use codec::{DecodeAll, Encode};
use frame_support::assert_noop;
use sp_runtime::traits::Dispatchable;

use super::*;
use crate::{
	identifiers::{
		ClockId,
		RecordKeySyntax::{PathSegment, Unreserved},
		RecordKeyType,
	},
	Call, Error,
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

/// Puts records of the whole object with the extrinsic: the call is decoded from its bytes and
/// dispatched.
fn put_by_extrinsic(collection: &str, keys: &[&str]) -> DispatchResult {
	let records: Vec<_> = keys.iter().map(|text| (Some(key(text)), whole_object())).collect();
	let call = Call::<Test>::put_records {
		tenant: TENANT,
		collection: name(collection),
		records: records.try_into().expect("test lists are short"),
	};
	let bytes = RuntimeCall::from(call).encode();
	let call = RuntimeCall::decode_all(&mut &bytes[..]).expect("a call decodes from its bytes");
	call.dispatch(signed(TENANT_ROOT)).map(|_| ()).map_err(|error| error.error)
}

/// Returns a key that is not text.
fn no_text() -> RecordKeyOf<Test> {
	vec![b'a', 0xff].try_into().expect("two bytes are a short key")
}

/// Puts one record of the whole object under a key that need not be text.
fn put_bytes(collection: &str, key: RecordKeyOf<Test>) -> DispatchResult {
	let records = vec![(Some(key), whole_object())].try_into().expect("test lists are short");
	ContentFabric::put_records(signed(TENANT_ROOT), TENANT, name(collection), records)
}

#[test]
fn every_example_key_of_the_specifications_is_accepted_or_refused_alone() {
	for Examples { syntax, valid, invalid } in EXAMPLES {
		Chain::small_fabric().block(|| {
			assert_ok!(create("alone", RecordKeyType::Any, syntax));
			for (text, count) in valid.iter().zip(1..) {
				assert_eq!(put_by_extrinsic("alone", &[text]), Ok(()), "{text} in {syntax:?}");
				let event = was_put("alone", text, whole_object());
				assert_eq!(events().last(), Some(&event));
				assert_eq!(
					resolve("alone", text),
					Some(Resolution::Content(one_version(HEAD))),
					"{text} in {syntax:?}"
				);
				assert_eq!(record_count("alone"), Some(count));
			}
			for text in invalid {
				assert_noop!(put_by_extrinsic("alone", &[text]), Error::<Test>::InvalidRecordKey);
			}
			assert_eq!(record_count("alone"), Some(valid.len() as u32));
		});
	}
}

#[test]
fn all_valid_example_keys_of_a_specification_are_put_with_one_call() {
	for Examples { syntax, valid, .. } in EXAMPLES {
		Chain::small_fabric().block(|| {
			assert_ok!(create("together", RecordKeyType::Any, syntax));
			let before = events().len();
			assert_ok!(put_by_extrinsic("together", valid));
			let expected: Vec<_> =
				valid.iter().map(|text| was_put("together", text, whole_object())).collect();
			assert_eq!(events()[before..], expected);
			let mut keys: Vec<_> = valid.iter().map(|text| key(text)).collect();
			keys.sort();
			assert_eq!(keys_of("together"), keys);
			assert_eq!(record_count("together"), Some(valid.len() as u32));
			assert_eq!(rows(), TENANT_ROWS + 1 + valid.len() as u32);
		});
	}
}

#[test]
fn one_invalid_example_key_among_all_valid_ones_is_enough_to_refuse_the_call() {
	for Examples { syntax, valid, invalid } in EXAMPLES {
		Chain::small_fabric().block(|| {
			assert_ok!(create("together", RecordKeyType::Any, syntax));
			for text in invalid {
				for place in [0, valid.len() / 2, valid.len()] {
					let mut keys = valid.to_vec();
					keys.insert(place, text);
					assert_noop!(
						put_by_extrinsic("together", &keys),
						Error::<Test>::InvalidRecordKey
					);
				}
			}
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
				let narrow = put_by_extrinsic("narrow", &[text]);
				let wide = put_by_extrinsic("wide", &[text]);
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
				assert_noop!(put_bytes(&collection, no_text()), Error::<Test>::InvalidRecordKey);
			}
		}
	});
}

#[test]
fn keys_have_up_to_512_bytes() {
	let longest = "k".repeat(512);
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put_by_extrinsic(COLLECTION, &[&longest]));
		assert!(RecordKeyOf::<Test>::try_from(vec![b'k'; 513]).is_err());
	});
	chain.block(|| {
		let content = Some(Resolution::Content(one_version(HEAD)));
		assert_eq!(resolve(COLLECTION, &longest), content);
		assert_eq!(keys_of(COLLECTION), [key(&longest), key(RECORD)]);
		assert_ok!(delete(COLLECTION, &[&longest]));
		assert_eq!(resolve(COLLECTION, &longest), None);
	});
}

#[test]
fn the_literal_of_a_collection_is_a_key_in_its_syntax() {
	Chain::small_fabric().block(|| {
		let literal = |text: &str| RecordKeyType::Literal(key(text));
		for Examples { syntax, valid, invalid } in EXAMPLES {
			for text in invalid.iter().chain(&[""]) {
				assert_noop!(
					create("refused", literal(text), syntax),
					Error::<Test>::InvalidRecordKey
				);
			}
			assert_noop!(
				create("refused", RecordKeyType::Literal(no_text()), syntax),
				Error::<Test>::InvalidRecordKey
			);
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
		let now = System::block_number() * 6_000_000;
		let [first, second] = [0, 1].map(|micros| {
			let tid = Tid::new(now + micros, ClockId::MAX).expect("is in range");
			tid.to_string()
		});
		let target = whole_object();
		assert_ok!(put_into(
			EMPTY_COLLECTION,
			&[(None, target), (Some(TID), target), (None, target)]
		));
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
		let next = Tid::new(System::block_number() * 6_000_000, ClockId::MAX).expect("is in range");
		let next = next.to_string();
		let target = ContentRef { object: EMPTY_OBJECT, version: None };
		let (given, minted) = ((Some(&next[..]), target), (None, whole_object()));
		assert_noop!(
			put_into(EMPTY_COLLECTION, &[given, minted]),
			Error::<Test>::RecordAlreadyExists
		);
		assert_ok!(put_into(EMPTY_COLLECTION, &[given]));
		assert_noop!(put_into(EMPTY_COLLECTION, &[minted]), Error::<Test>::RecordAlreadyExists);
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
