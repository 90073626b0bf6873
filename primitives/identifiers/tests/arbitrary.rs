// SPDX-License-Identifier: Apache-2.0
//! Values for fuzzing are valid, whatever bytes they are made of.

#![cfg(all(feature = "arbitrary", feature = "alloc", feature = "text"))]

use arbitrary::{Arbitrary, Unstructured};
use content_fabric_identifiers::{
	Authority, ClockId, ContentObjectPath, Did, Handle, HashKind, LenientTid, Medallion, Muid,
	MuidParts, Nsid, RecordKey, RecordKeyBuf, RecordKeySyntax, RecordKeyType, RecordPath,
	RecordUri, TenantId, Tid,
};
use proptest::prelude::*;

fn make<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Option<T> {
	T::arbitrary(&mut Unstructured::new(bytes)).ok()
}

proptest! {
	#[test]
	fn made_values_round_trip_through_their_texts(
		bytes in prop_oneof![
			prop::collection::vec(any::<u8>(), 0..100),
			"[a-z]{1,5}[.]?[a-z.]{0,12}[a-z:]{0,5}".prop_map(String::into_bytes),
			"did:[a-z]{1,3}:[a-z]{1,8}".prop_map(String::into_bytes),
		],
	) {
		macro_rules! check {
			($($name:ty)*) => {$(
				if let Some(value) = make::<$name>(&bytes) {
					let text = value.to_string();
					prop_assert_eq!(<$name>::try_from(&*text), Ok(value), "{}", text);
				}
			)*};
		}
		check! {
			Muid Tid LenientTid Medallion ClockId TenantId ContentObjectPath RecordKeySyntax HashKind RecordKey<'_>
			RecordPath<'_> RecordUri<'_> Authority<'_> Nsid<'_> Did<'_> Handle<'_>
			RecordKeyType<RecordKey<'_>>
		}
		if let Some(key) = make::<RecordKeyBuf>(&bytes) {
			prop_assert_eq!(key.as_str().parse(), Ok(key));
		}
		if let Some(parts) = make::<MuidParts>(&bytes) {
			prop_assert_eq!(Muid::from_parts(parts).map(Muid::parts), Ok(parts));
		}
	}
}

#[test]
fn texts_are_made_of_the_bytes_of_a_text() {
	// The length of a text is taken from the last byte.
	let made = |text: &str| [text.as_bytes(), &[text.len() as u8]].concat();
	assert_eq!(
		make::<Nsid>(&made("app.bsky.feed")).map(|nsid| nsid.as_str()),
		Some("app.bsky.feed")
	);
	assert_eq!(make::<Did>(&made("did:web:x")).map(|did| did.as_str()), Some("did:web:x"));
	assert_eq!(make::<Handle>(&made("example.com")).map(|name| name.as_str()), Some("example.com"));
	assert_eq!(make::<RecordKey>(&made("pre:fix/a")).map(|key| key.as_str()), Some("pre:fix"));
	assert_eq!(make::<Nsid>(&made("app")), None);
}
