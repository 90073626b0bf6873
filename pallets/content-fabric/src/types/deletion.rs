use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use frame_support::{traits::ConstU32, BoundedVec};
use scale_info::TypeInfo;

use super::Subject;

/// The most deletions of a block that are remembered. In a block with more, every deletion that starts
/// waits for the next one.
pub const MAX_RECENT_DELETIONS: u32 = 64;

/// Longest raw storage key of a row that a deletion removes, in bytes.
pub(crate) const MAX_RAW_KEY_LEN: u32 = 1_024;

/// How far a deletion that takes several steps has come.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct Deletion<BlockNumber> {
	/// The block in which it was started.
	pub started: BlockNumber,
	/// The place in the queue.
	pub place: u64,
	/// Number of rows when the deletion started.
	pub rows: u32,
	/// The map that rows are being removed from.
	pub stage: DeletionStage,
	/// The storage key in that map that was removed last: the next step goes on from there, instead
	/// of looking past all that was removed in the same block.
	pub cursor: BoundedVec<u8, ConstU32<MAX_RAW_KEY_LEN>>,
}

/// The map that a deletion removes rows from, in the order in which it goes through them. Children
/// go before their parents.
#[derive(
	Clone,
	Copy,
	Debug,
	PartialEq,
	Eq,
	PartialOrd,
	Ord,
	Encode,
	Decode,
	DecodeWithMemTracking,
	MaxEncodedLen,
	TypeInfo,
)]
pub enum DeletionStage {
	/// [`Nodes`](crate::Nodes) of a provider.
	#[codec(index = 0)]
	Nodes,
	/// [`ProviderKeys`](crate::ProviderKeys) of a provider, the last stage of its deletion.
	#[codec(index = 1)]
	ProviderKeys,
	/// [`Records`](crate::Records) of a tenant.
	#[codec(index = 2)]
	Records,
	/// [`Collections`](crate::Collections) of a tenant.
	#[codec(index = 3)]
	Collections,
	/// [`Versions`](crate::Versions) of a tenant.
	#[codec(index = 4)]
	Versions,
	/// [`ContentObjects`](crate::ContentObjects) of a tenant.
	#[codec(index = 5)]
	ContentObjects,
	/// [`Kmses`](crate::Kmses) of a tenant.
	#[codec(index = 6)]
	Kmses,
	/// [`TenantKeys`](crate::TenantKeys) of a tenant, the last stage of its deletion.
	#[codec(index = 7)]
	TenantKeys,
}

impl DeletionStage {
	/// Where the deletion of a subject starts.
	pub(crate) fn first(subject: Subject) -> Self {
		match subject {
			Subject::Provider(_) => Self::Nodes,
			Subject::Tenant(_) => Self::Records,
		}
	}

	/// The stage after this one, unless it is the last.
	pub(crate) fn next(self) -> Option<Self> {
		match self {
			Self::Nodes => Some(Self::ProviderKeys),
			Self::Records => Some(Self::Collections),
			Self::Collections => Some(Self::Versions),
			Self::Versions => Some(Self::ContentObjects),
			Self::ContentObjects => Some(Self::Kmses),
			Self::Kmses => Some(Self::TenantKeys),
			Self::ProviderKeys | Self::TenantKeys => None,
		}
	}
}

/// The places of the deletions that wait: those from `first` up to, but without, `next`. A place
/// whose deletion has come to its end ahead of its turn is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct QueueBounds {
	/// The place that is next in turn.
	pub first: u64,
	/// The place that the next deletion will be given.
	pub next: u64,
}

/// The members whose subtrees have gone in a block.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct DeletionsInBlock<BlockNumber> {
	/// The block.
	pub block: BlockNumber,
	/// The members. If there is no room for more, any may have gone.
	pub subjects: BoundedVec<Subject, ConstU32<MAX_RECENT_DELETIONS>>,
}

/// What a deletion has yet to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct DeletionProgress {
	/// Number of rows when the deletion started.
	pub rows: u32,
	/// Number of rows that are left.
	pub rows_left: u32,
	/// The map that rows are being removed from.
	pub stage: DeletionStage,
	/// Number of places in the queue before this one. Some may be empty.
	pub places_before: u64,
}
