// SPDX-License-Identifier: Apache-2.0
//! Identifiers of a content fabric as items.

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, Muid, NodeId, ProviderId, RecordKey,
	RecordKeySyntax, SpaceId, TenantId, Tid, VersionId,
};

use alloc::vec::Vec;

use super::{FromItem, Item, Reader, UnpackError, UnpackErrorKind, Uuid};

/// Items that are packed as others, to which they are converted and back.
macro_rules! identifiers {
	($($(#[$doc:meta])* $type:ty: $form:ty, $to:expr, $from:expr;)*) => {$(
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
	)*};
}

identifiers! {
	/// A UUID.
	Muid: Uuid, |id: Muid| Uuid(id.to_bytes()), |uuid: Uuid| Muid::from_bytes(uuid.0);
	/// A byte string of 20 bytes: the tenant's, then the object's.
	ContentObjectPath: [u8; 20], ContentObjectPath::to_bytes, ContentObjectPath::from_bytes;
	/// A byte string.
	SpaceId: [u8; SpaceId::LEN], |id: SpaceId| id.0, SpaceId;
	/// A byte string.
	ProviderId: [u8; ProviderId::LEN], |id: ProviderId| id.0, ProviderId;
	/// A byte string.
	TenantId: [u8; TenantId::LEN], |id: TenantId| id.0, TenantId;
	/// A byte string.
	NodeId: [u8; NodeId::LEN], |id: NodeId| id.0, NodeId;
	/// A byte string.
	KmsId: [u8; KmsId::LEN], |id: KmsId| id.0, KmsId;
	/// A byte string.
	ContentObjectId: [u8; ContentObjectId::LEN], |id: ContentObjectId| id.0, ContentObjectId;
	/// A byte string.
	VersionId: [u8; VersionId::LEN], |id: VersionId| id.0, VersionId;
}

/// An integer.
impl Item for Tid {
	#[inline]
	fn put(&self, packed: &mut Vec<u8>, nested: bool) {
		self.to_u64().put(packed, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		self.to_u64().capacity()
	}
}

/// Refuses integers of 64 bits, as the top bit of a TID is 0.
impl<'a> FromItem<'a> for Tid {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		let at = reader.at();
		let value = u64::read(reader)?;
		Self::from_u64(value).map_err(|_| UnpackError { at, kind: UnpackErrorKind::IntegerRange })
	}
}

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
