use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{
	ContentObjectId, Muid, RecordKeySyntax, RecordKeyType, VersionId,
};
use scale_info::TypeInfo;

/// A collection of a tenant: records under one name whose keys follow the same rules.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct CollectionInfo<Balance, RecordKey> {
	/// Which keys the records have.
	pub key_type: RecordKeyType<RecordKey>,
	/// Which characters the keys may have.
	pub syntax: RecordKeySyntax,
	/// Number of records in the collection.
	pub record_count: u32,
	/// What is held for this row.
	pub deposit: Balance,
	/// When the collection was created, by the chain's clock.
	pub created: Muid,
}

/// A record: a name for content.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct RecordInfo<Balance> {
	/// What the record names. It may since have been deleted.
	pub target: ContentRef,
	/// When the record was created, by the chain's clock.
	pub created: Muid,
	/// When the record was last put, by the chain's clock.
	pub updated: Muid,
	/// What is held for this row.
	pub deposit: Balance,
}

/// A content object, or one of its versions.
#[derive(
	Clone,
	Copy,
	Debug,
	PartialEq,
	Eq,
	Encode,
	Decode,
	DecodeWithMemTracking,
	MaxEncodedLen,
	TypeInfo,
)]
pub struct ContentRef {
	/// The object, of the tenant that the record belongs to.
	pub object: ContentObjectId,
	/// One version of it; `None` for whichever is the head.
	pub version: Option<VersionId>,
}

/// What a record leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub enum Resolution {
	/// Content that exists. For a record of an object as a whole, `version` is the object's head,
	/// or `None` if it has none.
	#[codec(index = 0)]
	Content(ContentRef),
	/// The object, or the version, has been deleted.
	#[codec(index = 1)]
	Dangling(ContentRef),
}
