// SPDX-License-Identifier: Apache-2.0
//! Values for fuzzing that borrow their texts from the fuzzer's bytes.

use arbitrary::{Arbitrary, Error, Result, Unstructured};

use crate::{Did, Handle, Nsid, RecordKey, RecordKeySyntax, RecordPath};

/// Takes a text that has to be a valid one by itself.
macro_rules! whole_text {
	($($name:ident)*) => {$(
		impl<'a> Arbitrary<'a> for $name<'a> {
			fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
				let text: &'a str = bytes.arbitrary()?;
				Self::try_from(text).map_err(|_| Error::IncorrectFormat)
			}
		}
	)*};
}

whole_text! { Nsid Did Handle }

/// Takes a text up to the first character that the dialect does not allow.
fn key<'a>(bytes: &mut Unstructured<'a>, syntax: RecordKeySyntax) -> Result<RecordKey<'a>> {
	let text: &'a str = bytes.arbitrary()?;
	let allowed = text.bytes().take(RecordKey::MAX_LEN).take_while(|byte| syntax.allows(*byte));
	RecordKey::parse(&text[..allowed.count()], syntax).map_err(|_| Error::IncorrectFormat)
}

impl<'a> Arbitrary<'a> for RecordKey<'a> {
	fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
		key(bytes, RecordKeySyntax::PathSegment)
	}
}

#[cfg(feature = "alloc")]
impl<'a> Arbitrary<'a> for crate::RecordKeyBuf {
	fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
		RecordKey::arbitrary(bytes).map(Self::from)
	}
}

impl<'a> Arbitrary<'a> for RecordPath<'a> {
	fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
		let collection = key(bytes, RecordKeySyntax::Unreserved)?;
		Self::new(collection, bytes.arbitrary()?).map_err(|_| Error::IncorrectFormat)
	}
}

#[cfg(feature = "text")]
impl<'a> Arbitrary<'a> for crate::RecordUri<'a> {
	fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
		Ok(Self::new(bytes.arbitrary()?, bytes.arbitrary()?))
	}
}
