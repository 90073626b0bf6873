// SPDX-License-Identifier: Apache-2.0
//! Identifiers of a content fabric as items.

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, Muid, NodeId, ProviderId, RecordKey,
	RecordKeySyntax, SpaceId, TenantId, Tid, VersionId,
};

use alloc::vec::Vec;

use super::{Element, FromItem, Item, Reader, UnpackError, UnpackErrorKind, Uuid};

fn bytes<const N: usize>(bytes: [u8; N]) -> Element<'static> {
	bytes.to_vec().into()
}

macro_rules! identifiers {
	($($(#[$doc:meta])* $type:ty: $form:ty, $to:expr, $from:expr, $element:expr;)*) => {$(
		$(#[$doc])*
		impl Item for $type {
			#[inline]
			fn put(&self, packed: &mut Vec<u8>, nested: bool) {
				$to(*self).put(packed, nested);
			}

			#[inline]
			fn capacity(&self) -> usize {
				$to(*self).capacity()
			}
		}

		impl<'a> FromItem<'a> for $type {
			#[inline]
			fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
				<$form>::read(reader).map($from)
			}
		}

		impl From<$type> for Element<'_> {
			fn from(id: $type) -> Self {
				$element($to(id))
			}
		}
	)*};
}

identifiers! {
	/// A UUID.
	Muid: Uuid, |id: Muid| Uuid(id.to_bytes()), |uuid: Uuid| Muid::from_bytes(uuid.0),
		Element::from;
	/// An integer.
	Tid: u64, Tid::to_u64, Tid::from_u64, Element::from;
	/// A byte string of 20 bytes: those of the tenant, then those of the object.
	ContentObjectPath: [u8; 20], ContentObjectPath::to_bytes, ContentObjectPath::from_bytes,
		bytes;
}

macro_rules! entity_ids {
	($($type:ident)*) => {
		identifiers! {$(
			/// A byte string.
			$type: [u8; $type::LEN], |id: $type| id.0, $type, bytes;
		)*}
	};
}

entity_ids! { SpaceId ProviderId TenantId NodeId KmsId ContentObjectId VersionId }

/// A string.
impl Item for RecordKey<'_> {
	#[inline]
	fn put(&self, packed: &mut Vec<u8>, nested: bool) {
		self.as_str().put(packed, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		self.as_str().capacity()
	}
}

/// Accepts the record keys of [`RecordKeySyntax::PathSegment`], which include all others.
impl<'a> FromItem<'a> for RecordKey<'a> {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		let start = reader.at();
		let invalid =
			|at| UnpackError { at, kind: UnpackErrorKind::Invalid { expected: "record key" } };
		let text = <&str>::read(reader).map_err(|error| match error.kind {
			UnpackErrorKind::NotBorrowable => invalid(start),
			_ => error,
		})?;
		RecordKey::parse(text, RecordKeySyntax::PathSegment)
			.map_err(|error| invalid(start + 1 + error.position()))
	}
}

impl<'a> From<RecordKey<'a>> for Element<'a> {
	fn from(key: RecordKey<'a>) -> Self {
		key.as_str().into()
	}
}
