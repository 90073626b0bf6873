// SPDX-License-Identifier: Apache-2.0
//! The targets of records.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{ContentObjectId, VersionId};
use scale_info::TypeInfo;

/// A content object of a tenant, or one of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct ContentRef {
	/// The object.
	pub object: ContentObjectId,
	/// One of its versions, or `None` for its head, whichever that is.
	pub version: Option<VersionId>,
}

/// The content that a record leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode, TypeInfo)]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
pub enum Resolution {
	/// Content that exists. Where the record names an object, `version` is the object's head, or
	/// `None` if it has no head.
	#[codec(index = 0)]
	Content(ContentRef),
	/// Content that has been deleted: the object, or the version that the record names.
	#[codec(index = 1)]
	Dangling(ContentRef),
}
