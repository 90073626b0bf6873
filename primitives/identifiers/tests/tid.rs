// SPDX-License-Identifier: Apache-2.0
//! TIDs: every vector, every rule, and the generators.

#![cfg(feature = "std")]

mod common;

use std::thread;

use common::{list, text, texts, vectors};
use content_fabric_identifiers::{
	AtomicTidGenerator, ClockId, LenientTid, MillisClock, ParseTidError, SystemClock, Tid,
	TidError, TidGenerator,
};
use proptest::prelude::*;

const CLOCK_ID: ClockId = ClockId::MAX;
/// The error of the microsecond after the last.
const PAST_THE_END: TidError = TidError::TimestampTooLarge { found: Tid::MAX_TIMESTAMP + 1 };

fn parse(text: &str) -> Tid {
	text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn valid_vectors_hold_in_all_forms() {
	for vector in list(&vectors("tid")["valid"]) {
		let lenient: LenientTid = text(&vector["text"]).parse().expect("a lenient TID");
		assert_eq!(lenient.to_u64().to_string(), text(&vector["value"]));
		assert_eq!(lenient.timestamp().to_string(), text(&vector["timestamp"]));
		assert_eq!(vector["clock_id"], lenient.clock_id());
		assert_eq!(lenient.to_string(), text(&vector["text"]));
		assert_eq!(LenientTid::from_u64(lenient.to_u64()), lenient);
		let clock_id = ClockId::new(lenient.clock_id()).expect("10 bits");
		let made = Tid::new(lenient.timestamp(), clock_id);
		assert_eq!(lenient.strict(), made);
		assert_eq!(Tid::from_u64(lenient.to_u64()), made);
		assert_eq!(Tid::from_bytes(lenient.to_bytes()), made);
		let by_generator = vector["generated_by_conforming_generator"] == true;
		assert_eq!((made.is_ok(), lenient.has_top_bit()), (by_generator, !by_generator));
		let parsed = text(&vector["text"]).parse::<Tid>();
		assert_eq!(parsed, made.map_err(|_| ParseTidError::TopBit));
		if let Ok(tid) = parsed {
			assert_eq!((tid.to_u64(), tid.to_string()), (lenient.to_u64(), lenient.to_string()));
			assert_eq!(
				(tid.timestamp(), tid.clock_id()),
				(lenient.timestamp(), lenient.clock_id())
			);
		}
	}
}

#[test]
fn a_first_character_after_b_sets_the_top_bit() {
	for first in "cdefghij".chars() {
		for rest in ["222222222222", "zzzzzzzzzzzz"] {
			let text = format!("{first}{rest}");
			let error = text.parse::<Tid>().expect_err("the top bit is set");
			assert_eq!((error, error.position()), (ParseTidError::TopBit, 0));
			assert!(error.to_string().starts_with("byte 0 is after `b`"), "{error}");
			assert!(LenientTid::try_from(text.as_str()).is_ok_and(LenientTid::has_top_bit));
		}
	}
	let last = parse("bzzzzzzzzzzzz");
	assert_eq!(LenientTid::from(last).strict(), Ok(last));
	let found = Tid::MAX_TIMESTAMP + 1;
	assert_eq!(Tid::try_from(1 << 63), Err(TidError::TimestampTooLarge { found }));
	assert_eq!(Tid::try_from([0x80, 0, 0, 0, 0, 0, 0, 0]), Err(PAST_THE_END));
}

#[test]
fn invalid_vectors_are_refused_with_the_rule_and_the_byte() {
	for text in texts(&vectors("tid")["invalid"]) {
		assert!(text.parse::<Tid>().is_err(), "{text:?}");
	}
	for (text, error) in [
		("", ParseTidError::Length { found: 0 }),
		("3jzfcijpj2z2aa", ParseTidError::Length { found: 14 }),
		("3jzfcijpj2z21", ParseTidError::Character { at: 12 }),
		("3JZFCIJPJ2Z2A", ParseTidError::Character { at: 1 }),
		("\u{e9}jzfcijpj2z2", ParseTidError::Character { at: 0 }),
		("kjzfcijpj2z2a", ParseTidError::TooLarge),
		("zzzzzzzzzzzzz", ParseTidError::TooLarge),
		("1zzzzzzzzzzzz", ParseTidError::Character { at: 0 }),
	] {
		assert_eq!(text.parse::<Tid>(), Err(error), "{text:?}");
		assert_eq!(text.parse::<LenientTid>(), Err(error), "{text:?}");
	}
}

#[test]
fn text_is_right_aligned() {
	for vector in list(&vectors("tid")["left_aligned_is_wrong"]) {
		let value = text(&vector["value"]).parse().expect("a number");
		assert_ne!(LenientTid::from_u64(value).to_string(), text(&vector["wrong"]));
	}
}

#[test]
fn random_clock_ids_are_the_lowest_bits() {
	for bits in (0..=u64::from(u16::MAX)).flat_map(|bits| [bits, !bits, bits << 48]) {
		assert_eq!(u64::from(ClockId::random(bits).get()), bits % 1_024);
	}
	let generated = (0..3_000)
		.flat_map(|_| [TidGenerator::system().generate(), AtomicTidGenerator::system().generate()]);
	let clock_ids = generated.map(|tid| tid.expect("it is before 2255").clock_id());
	assert!(clock_ids.collect::<std::collections::BTreeSet<_>>().len() > 900);
}

#[test]
fn parts_are_in_range() {
	assert_eq!(ClockId::new(1_023), Ok(ClockId::MAX));
	let error = ClockId::new(1_024).expect_err("it needs 11 bits");
	assert_eq!(error.to_string(), "1024 is not a clock id: the largest is 1023");
	assert!(Tid::new(Tid::MAX_TIMESTAMP, CLOCK_ID).is_ok());
	assert_eq!(Tid::new(Tid::MAX_TIMESTAMP + 1, CLOCK_ID), Err(PAST_THE_END));
}

#[test]
fn eight_threads_share_a_generator() {
	const EACH: usize = 1_250_000;
	let generator = AtomicTidGenerator::new(SystemClock, CLOCK_ID);
	let mut tids: Vec<u64> = thread::scope(|scope| {
		let threads: Vec<_> = (0..8)
			.map(|_| {
				scope.spawn(|| {
					let tids: Vec<_> = (0..EACH)
						.map(|_| generator.generate().expect("it is before 2255").to_u64())
						.collect();
					assert!(
						tids.windows(2).all(|pair| pair[0] < pair[1]),
						"they rise in each thread"
					);
					tids
				})
			})
			.collect();
		threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).collect()
	});
	tids.sort_unstable();
	tids.dedup();
	assert_eq!(tids.len(), 8 * EACH);
}

#[test]
fn milliseconds_are_padded() {
	let mut generator = TidGenerator::new(MillisClock(|| 1_682_739_741_953), CLOCK_ID);
	assert_eq!(generator.generate().map(|tid| tid.timestamp()), Ok(1_682_739_741_953_000));
	assert!(TidGenerator::new(MillisClock(|| u64::MAX), CLOCK_ID).generate().is_err());
}

proptest! {
	#[test]
	fn every_value_round_trips(value: u64) {
		let lenient = LenientTid::from_u64(value);
		prop_assert_eq!(lenient.to_string().parse(), Ok(lenient));
		prop_assert_eq!(LenientTid::try_from(&lenient.to_bytes()[..]), Ok(lenient));
		let tid = lenient.strict();
		prop_assert_eq!(tid.is_ok(), value >> 63 == 0);
		prop_assert_eq!(lenient.to_string().parse::<Tid>().ok(), tid.ok());
		if let Ok(tid) = tid {
			prop_assert_eq!(parse(&tid.to_string()), tid);
			prop_assert_eq!(Tid::from_text(&tid.to_text()), Ok(tid));
			prop_assert_eq!(Tid::try_from(tid.to_bytes()), Ok(tid));
			prop_assert_eq!(Tid::try_from(u64::from(tid)), Ok(tid));
		}
	}
}
