// SPDX-License-Identifier: Apache-2.0
//! serde: texts in formats that people read, the packed bytes in others. Types without packed bytes
//! are texts everywhere.

use core::{fmt, marker::PhantomData, str::FromStr};

use serde::{de, Deserialize, Deserializer, Serialize, Serializer};

use crate::{
	Authority, ClockId, ContentObjectId, ContentObjectPath, Did, Handle, HashKind, KmsId,
	LenientTid, Medallion, Muid, NodeId, Nsid, ProviderId, RecordKey, RecordKeySyntax,
	RecordKeyType, RecordPath, RecordUri, SpaceId, TenantId, Tid, VersionId,
};

const TEXT: &str = "the text of an identifier";

/// Reads a text by its `FromStr`.
struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for TextVisitor<T> {
	type Value = T;

	fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(TEXT)
	}

	fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
		text.parse().map_err(E::custom)
	}
}

/// Reads a text that the value borrows.
struct BorrowedVisitor<T>(PhantomData<T>);

impl<'de, T: TryFrom<&'de str, Error: fmt::Display>> de::Visitor<'de> for BorrowedVisitor<T> {
	type Value = T;

	fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{TEXT} that can be borrowed")
	}

	fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<T, E> {
		T::try_from(text).map_err(E::custom)
	}
}

/// Reads the packed bytes, as bytes or as a list of them.
struct BytesVisitor<const N: usize>;

impl<'de, const N: usize> de::Visitor<'de> for BytesVisitor<N> {
	type Value = [u8; N];

	fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{N} bytes")
	}

	fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<[u8; N], E> {
		bytes.try_into().map_err(|_| E::invalid_length(bytes.len(), &self))
	}

	fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<[u8; N], A::Error> {
		let mut bytes = [0; N];
		for (at, byte) in bytes.iter_mut().enumerate() {
			*byte = list.next_element()?.ok_or_else(|| de::Error::invalid_length(at, &self))?;
		}
		match list.next_element::<u8>()? {
			Some(_) => Err(de::Error::invalid_length(N + 1, &self)),
			None => Ok(bytes),
		}
	}
}

/// The two forms of an id. `$from_bytes` returns a `Result`.
macro_rules! text_or_bytes {
	($($name:ident: $from_bytes:expr;)*) => {$(
		impl Serialize for $name {
			fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
				if serializer.is_human_readable() {
					serializer.collect_str(self)
				} else {
					serializer.serialize_bytes(&self.to_bytes())
				}
			}
		}

		impl<'de> Deserialize<'de> for $name {
			fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
				if deserializer.is_human_readable() {
					deserializer.deserialize_str(TextVisitor(PhantomData))
				} else {
					let visitor = BytesVisitor::<{ $name::LEN }>;
					let bytes = deserializer.deserialize_bytes(visitor)?;
					$from_bytes(bytes).map_err(de::Error::custom)
				}
			}
		}
	)*};
}

/// Ids for which every value of the right length is valid.
macro_rules! all_bytes {
	($($name:ident)*) => {
		text_or_bytes! {
			$($name: |bytes| Ok::<_, core::convert::Infallible>($name::from_bytes(bytes));)*
		}
	};
}

all_bytes! {
	Muid LenientTid SpaceId ProviderId TenantId NodeId KmsId ContentObjectId VersionId ContentObjectPath
}

text_or_bytes! {
	Medallion: Medallion::from_bytes;
	ClockId: ClockId::from_bytes;
	Tid: Tid::from_bytes;
}

/// A text in every format, read by the visitor.
macro_rules! text {
	($(($($generics:tt)*) $name:ty: $visitor:ident;)*) => {$(
		impl<$($generics)*> Serialize for $name {
			fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
				serializer.collect_str(self)
			}
		}

		impl<'de: $($generics)*, $($generics)*> Deserialize<'de> for $name {
			fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
				deserializer.deserialize_str($visitor(PhantomData))
			}
		}
	)*};
}

text! {
	('a) RecordKey<'a>: BorrowedVisitor;
	('a) RecordPath<'a>: BorrowedVisitor;
	('a) RecordUri<'a>: BorrowedVisitor;
	('a) Authority<'a>: BorrowedVisitor;
	('a) Nsid<'a>: BorrowedVisitor;
	('a) Did<'a>: BorrowedVisitor;
	('a) Handle<'a>: BorrowedVisitor;
	('a) RecordKeyType<RecordKey<'a>>: BorrowedVisitor;
	() RecordKeySyntax: TextVisitor;
	() HashKind: TextVisitor;
}

#[cfg(feature = "alloc")]
text! {
	() crate::RecordKeyBuf: TextVisitor;
	() RecordKeyType<crate::RecordKeyBuf>: TextVisitor;
}
