//! serde: texts in formats that people read, the packed bytes in others.

use core::{fmt, marker::PhantomData, str::FromStr};

use serde::{de, Deserialize, Deserializer, Serialize, Serializer};

use crate::{
	ContentObjectId, ContentObjectPath, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, Tid,
	VersionId,
};

/// Reads a text by its `FromStr`.
struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for TextVisitor<T> {
	type Value = T;

	fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str("the text of an identifier")
	}

	fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
		text.parse().map_err(E::custom)
	}
}

macro_rules! text_or_bytes {
	($($name:ident: $len:literal, $to_bytes:expr, $from_bytes:expr;)*) => {$(
		impl Serialize for $name {
			fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
				if serializer.is_human_readable() {
					serializer.collect_str(self)
				} else {
					let to_bytes: fn(&Self) -> [u8; $len] = $to_bytes;
					to_bytes(self).serialize(serializer)
				}
			}
		}

		impl<'de> Deserialize<'de> for $name {
			fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
				if deserializer.is_human_readable() {
					deserializer.deserialize_str(TextVisitor(PhantomData))
				} else {
					<[u8; $len]>::deserialize(deserializer).map($from_bytes)
				}
			}
		}
	)*};
}

text_or_bytes! {
	Muid: 16, |muid| muid.to_bytes(), Muid::from_bytes;
	Tid: 8, |tid| tid.to_bytes(), Tid::from_bytes;
	SpaceId: 10, |id| id.0, SpaceId;
	ProviderId: 10, |id| id.0, ProviderId;
	TenantId: 10, |id| id.0, TenantId;
	NodeId: 10, |id| id.0, NodeId;
	KmsId: 10, |id| id.0, KmsId;
	ContentObjectId: 10, |id| id.0, ContentObjectId;
	VersionId: 32, |id| id.0, VersionId;
	ContentObjectPath: 20, |path| path.to_bytes(), ContentObjectPath::from_bytes;
}
