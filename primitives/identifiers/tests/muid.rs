// SPDX-License-Identifier: Apache-2.0
//! Muids: every vector, every rule, and the generator.

#![cfg(feature = "std")]

mod common;

use std::collections::BTreeSet;

use common::{list, text, texts, vectors};
use content_fabric_identifiers::{
	Medallion, Muid, MuidError, MuidGenerator, MuidParts, ParseMedallionError, ParseMuidError,
	ResolveMuidError,
};
use proptest::prelude::*;
use serde_json::Value;

fn parse(text: &str) -> Muid {
	text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn canonical_vectors_hold_in_all_forms() {
	for vector in list(&vectors("muid")["canonical"]) {
		let muid = parse(text(&vector["text"]));
		assert_eq!(muid.timestamp(), vector["timestamp"].as_u64().expect("a number"));
		assert_eq!(muid.medallion(), vector["medallion"].as_u64().expect("a number"));
		assert_eq!(i64::from(muid.offset()), vector["offset"].as_i64().expect("a number"));
		assert_eq!(muid.to_string(), text(&vector["text"]));
		let mut packed = [0; 16];
		hex::decode_to_slice(text(&vector["packed"]), &mut packed).expect("16 bytes in hex");
		assert_eq!((muid.to_bytes(), Muid::from_bytes(packed)), (packed, muid));
	}
}

#[test]
fn short_and_old_forms_are_read() {
	for vector in list(&vectors("muid")["accepted_short_forms"]) {
		assert_eq!(parse(text(&vector["text"])).to_string(), text(&vector["canonical"]));
	}
	let muid = parse("5D5EAC793E61F-1BFC71B112D-0000000B");
	for (muid, short) in [
		(muid, "5D5EAC793E61F-1BFC71B112D-0000000B"),
		(muid.with_offset(0), "5D5EAC793E61F-1BFC71B112D"),
		(parse("5D5EAC793E61F-00000000000-00000001"), "5D5EAC793E61F-00000000000-00000001"),
		(parse("5D5EAC793E61F"), "5D5EAC793E61F"),
	] {
		assert_eq!(muid.short().to_string(), short);
		assert_eq!(parse(short), muid);
	}
}

#[test]
fn everything_else_is_refused_with_the_rule_and_the_byte() {
	for text in texts(&vectors("muid")["rejected"]) {
		assert!(text.parse::<Muid>().is_err(), "{text:?}");
	}
	let group = |at, expected, found| ParseMuidError::Group { at, expected, found };
	for (text, error) in [
		("", ParseMuidError::Length { found: 0 }),
		("5D5EAC793E61F-", ParseMuidError::Length { found: 14 }),
		("5D5EAC793E61G", ParseMuidError::Digit { at: 12 }),
		("5D5EAC793E61F_1BFC71B112D", ParseMuidError::Dash { at: 13 }),
		("5D5EAC793E61F-1BFC71B112D-0000000G", ParseMuidError::Digit { at: 33 }),
		("5D5EAC793E61F-1BFC71B112D00000000B", ParseMuidError::Dash { at: 25 }),
		("5D5EAC793E61F-0000000000000-0000B", ParseMuidError::OldTail { at: 32 }),
		("5D5EAC793E61F-1000000000000", ParseMuidError::OldTail { at: 14 }),
		("5D5EAC793E61\u{e9}", ParseMuidError::Length { found: 14 }),
		// One digit is missing, or one is left over.
		("5D5EAC793E61", ParseMuidError::HexLength { found: 12 }),
		("5D5EAC793E61F1BFC71B112G", ParseMuidError::Digit { at: 23 }),
		("5D5EAC793E61F1BFC71B112D0000000G", ParseMuidError::Digit { at: 31 }),
		("+D5EAC793E61F1BFC71B112D0000000B", ParseMuidError::Digit { at: 0 }),
		("5D5EAC793E61F-1BFC71B112D-00000B", group(26, 8, 6)),
		("5D5EAC793E61F-1BFC71B112", group(14, 11, 10)),
		("5D5EAC793E61-1BFC71B112D-0000000B", group(0, 13, 12)),
		("5D5EAC793E61F-1BFC71B112-0000000B", group(14, 11, 10)),
		("5D5EAC793E61F-1BFC71B112D-000000B", group(26, 8, 7)),
		("5D5EAC793E61F0-1BFC71B112D-0000000B", group(0, 13, 14)),
		("5D5EAC793E61F-1BFC71B112D-0000000B0", group(26, 8, 9)),
		("5D5EAC793E61F-1BFC71B112D-0000000B-0", ParseMuidError::Length { found: 36 }),
	] {
		assert_eq!(text.parse::<Muid>(), Err(error), "{text:?}");
		assert_eq!(Muid::from_text(text.as_bytes()), Err(error), "{text:?}");
	}
	// Digits without dashes. Texts of 25 and 34 bytes lack a dash.
	for length in (1..48).filter(|length| ![13, 24, 25, 32, 34].contains(length)) {
		let error = Err(ParseMuidError::HexLength { found: length });
		assert_eq!("A".repeat(length).parse::<Muid>(), error);
	}
	assert_eq!(group(0, 13, 12).to_string(), "the group at byte 0 has 12 digits, expected 13");
	assert_eq!((group(0, 13, 12).position(), group(26, 8, 9).position()), (12, 34));
	assert_eq!(ParseMuidError::Digit { at: 12 }.to_string(), "byte 12 is not a hexadecimal digit");
}

#[test]
fn parts_out_of_range_are_refused() {
	let sentinel = MuidParts { medallion: Medallion::MAX.get() + 1, ..Default::default() };
	assert_eq!(Muid::from_parts(sentinel).map(Muid::parts), Ok(sentinel));
	let found = sentinel.medallion + 1;
	let parts = MuidParts { medallion: found, ..sentinel };
	assert_eq!(Muid::try_from(parts), Err(MuidError::MedallionTooLarge { found }));
	let found = Muid::MAX_TIMESTAMP + 1;
	let error = Err(MuidError::TimestampTooLarge { found });
	assert_eq!(Muid::try_from(MuidParts { timestamp: found, ..sentinel }), error);
	assert_eq!(Muid::new(found, MEDALLION, 0), error);
}

#[test]
fn the_text_of_a_medallion_is_its_part_of_a_muid() {
	let medallion = parse("5D5EAC793E61F-1BFC71B112D-0000000B").medallion();
	let medallion = Medallion::new(medallion).expect("in range");
	assert_eq!(medallion.to_string(), "1BFC71B112D");
	assert_eq!("1bfc71b112d".parse(), Ok(medallion));
	assert_eq!(Medallion::from_bytes(medallion.to_bytes()), Ok(medallion));
	for (text, error) in [
		("1BFC71B112", ParseMedallionError::Length { found: 10 }),
		("1BFC71B112G", ParseMedallionError::Digit { at: 10 }),
		("+BFC71B112D", ParseMedallionError::Digit { at: 0 }),
	] {
		assert_eq!(Medallion::try_from(text), Err(error));
	}
	assert!(matches!("FFFFFFFFFFF".parse::<Medallion>(), Err(ParseMedallionError::TooLarge(_))));
}

#[test]
fn order_is_that_of_the_vectors() {
	let vectors = vectors("muid");
	let ascending: Vec<_> = texts(&vectors["ascending"]).map(parse).collect();
	assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn medallions_are_in_range() {
	let vectors = &vectors("muid")["medallion"];
	for legal in list(&vectors["legal"]) {
		assert!(Medallion::new(legal.as_u64().expect("a number")).is_ok());
	}
	for illegal in list(&vectors["illegal"]) {
		let value = illegal.as_u64().expect("a number");
		let error = Medallion::new(value).expect_err("it is too large");
		assert!(error.to_string().starts_with(&format!("{value} is not a medallion")));
	}
	for only_read in list(&vectors["only_read"]) {
		let medallion = only_read.as_u64().expect("a number");
		let read = parse(&format!("0000000000001-{medallion:011X}"));
		assert_eq!((read.medallion(), Muid::from_bytes(read.to_bytes())), (medallion, read));
	}
	let (first, last) = (Medallion::FIRST_ASSIGNABLE, Medallion::LAST_ASSIGNABLE);
	assert_eq!(vectors["assignable_first"], first.get());
	assert_eq!(vectors["assignable_last"], last.get());
	assert!(first.is_assignable() && last.is_assignable());
	for neighbour in [first.get() - 1, last.get() + 1] {
		assert!(!Medallion::new(neighbour).expect("legal").is_assignable());
	}
	assert_eq!((Medallion::random(0), Medallion::random(u64::MAX)), (first, last));
}

/// The result of a reference in the vectors: a muid, or the name of an error.
fn resolved(vector: &Value) -> Result<Muid, &str> {
	match vector.get("error") {
		Some(error) => Err(text(error)),
		None => Ok(parse(text(&vector["absolute"]))),
	}
}

#[test]
fn a_reference_takes_from_its_context_only_what_it_leaves_out() {
	for vector in list(&vectors("muid")["references"]) {
		let (reference, context) = (parse(text(&vector["reference"])), text(&vector["context"]));
		let found = reference.resolve(parse(context)).map_err(|error| match error {
			ResolveMuidError::OtherTransaction { .. } => "other_transaction",
			ResolveMuidError::BeforeTransaction { .. } => "before_transaction",
			ResolveMuidError::RelativeContext { .. } => "relative_context",
			error => panic!("{error}"),
		});
		assert_eq!(found, resolved(vector), "{vector}");
	}
}

#[test]
fn a_reference_that_leads_nowhere_is_explained() {
	let context = parse("5D5EAC793E61F-1BFC71B112D-0000000B");
	let error =
		|reference: &str, context| parse(reference).resolve(context).map_err(|e| e.to_string());
	for (reference, context, reason) in [
		(
			"0000000000001-00000000002-FFFFFFFF",
			context,
			"offset -1 counts back in another transaction than the context's",
		),
		(
			"0000000000000-00000000000-FFFFFFF4",
			context,
			"offset -12 counts back from 11, which is before the start of the transaction",
		),
		(
			"0000000000000-00000000000-FFFFFFFF",
			context.with_offset(-2),
			"the context has the negative offset -2: resolve it first",
		),
	] {
		assert_eq!(error(reference, context), Err(reason.to_owned()));
	}
}

const MEDALLION: Medallion = Medallion::FIRST_ASSIGNABLE;

#[test]
fn creations_of_a_transaction_are_told_apart() {
	let mut generator = MuidGenerator::system();
	let mut transaction = generator.begin().expect("it is before 2112");
	let muids: BTreeSet<_> =
		(0..1_000).map(|_| transaction.create().expect("there are offsets left")).collect();
	assert_eq!(muids.len(), 1_000);
	assert!(muids.iter().all(|muid| muid.with_offset(0) == transaction.muid()));
	assert_eq!(muids.last().map(|muid| muid.offset()), Some(1_000));
	assert!(generator.begin().expect("it is before 2112").muid() > *muids.last().expect("some"));
}

proptest! {
	#[test]
	fn every_value_is_a_muid_and_round_trips(value: u128) {
		let muid = Muid::from_u128(value);
		prop_assert_eq!(muid.to_u128(), value);
		prop_assert_eq!(Muid::from_bytes(muid.to_bytes()), muid);
		prop_assert_eq!(parse(&muid.to_string()), muid);
		prop_assert_eq!(parse(&muid.to_string().to_lowercase()), muid);
		prop_assert_eq!(parse(&muid.short().to_string()), muid);
		prop_assert_eq!(muid.to_string().replace('-', ""), hex::encode_upper(muid.to_bytes()));
		let mut digits = [0; Muid::HEX_LEN];
		let digits = muid.write_hex_to(&mut digits);
		prop_assert_eq!(digits, hex::encode_upper(muid.to_bytes()));
		prop_assert_eq!(parse(digits), muid);
		prop_assert_eq!(parse(&digits[..24]), muid.with_offset(0));
		prop_assert_eq!(Muid::from_parts(muid.parts()), Ok(muid));
		prop_assert_eq!(Muid::try_from(&muid.to_bytes()[..]), Ok(muid));
	}

	#[test]
	fn muids_their_bytes_and_their_texts_sort_by_time_then_writer_then_unsigned_offset(
		a: u128,
		b: u128,
		shared in 0..4usize,
	) {
		// Some share a timestamp, and some a medallion, too.
		let b = match shared {
			0 => b,
			1 => a & !0 << 76 | b >> 52,
			2 => a & !0 << 32 | b >> 96,
			_ => a,
		};
		let [a, b] = [a, b].map(Muid::from_u128);
		let by_parts = |muid: Muid| {
			let MuidParts { timestamp, medallion, offset } = muid.parts();
			(timestamp, medallion, offset as u32)
		};
		let order = by_parts(a).cmp(&by_parts(b));
		prop_assert_eq!(a.cmp(&b), order);
		prop_assert_eq!(a.parts().cmp(&b.parts()), order);
		prop_assert_eq!(a.to_bytes().cmp(&b.to_bytes()), order);
		prop_assert_eq!(a.to_string().cmp(&b.to_string()), order);
	}
	#[test]
	fn what_resolves_is_absolute_and_takes_no_part_that_the_reference_has(
		reference: u128,
		context: u128,
		shape in 0..32u8,
	) {
		// Some leave out parts, share parts with the context, or have small offsets.
		let bit = |number: u8| shape >> number & 1 == 1;
		let context = Muid::from_u128(context).with_offset(context as i32 >> (context % 31));
		let mut parts = Muid::from_u128(reference).parts();
		parts.timestamp = if bit(0) { 0 } else if bit(1) { context.timestamp() } else { parts.timestamp };
		parts.medallion = if bit(2) { 0 } else if bit(3) { context.medallion() } else { parts.medallion };
		parts.offset = if bit(4) { 0 } else { parts.offset >> (reference % 31) };
		let reference = Muid::from_parts(parts).expect("in range");

		let or = |part, of_context| if part == 0 { of_context } else { part };
		let timestamp = or(parts.timestamp, context.timestamp());
		let medallion = or(parts.medallion, context.medallion());
		let is_of_context = (timestamp, medallion) == (context.timestamp(), context.medallion());
		let leaves_out_all = parts == MuidParts::default();
		let needs_offset = leaves_out_all || parts.offset < 0;
		match reference.resolve(context) {
			Ok(absolute) => {
				prop_assert_eq!((absolute.timestamp(), absolute.medallion()), (timestamp, medallion));
				prop_assert!(absolute.offset() >= 0);
				let back = i64::from(parts.offset.min(0));
				let expected = if needs_offset { i64::from(context.offset()) + back } else { parts.offset.into() };
				prop_assert_eq!(i64::from(absolute.offset()), expected);
				prop_assert!(is_of_context || parts.offset >= 0);
				// An absolute muid leads to itself, whatever the context.
				if timestamp != 0 && medallion != 0 {
					prop_assert_eq!(absolute.resolve(context), Ok(absolute));
					prop_assert_eq!(absolute.resolve(Muid::default()), Ok(absolute));
				}
			},
			Err(ResolveMuidError::OtherTransaction { offset }) => {
				prop_assert!(!is_of_context && offset == parts.offset && offset < 0);
			},
			Err(ResolveMuidError::RelativeContext { offset }) => {
				prop_assert!(is_of_context && needs_offset && offset == context.offset() && offset < 0);
			},
			Err(ResolveMuidError::BeforeTransaction { offset, from }) => {
				prop_assert_eq!((offset, from), (parts.offset, context.offset()));
				prop_assert!(is_of_context && from >= 0 && i64::from(from) + i64::from(offset) < 0);
			},
			Err(error) => panic!("{error}"),
		}
	}
}
