// SPDX-License-Identifier: Apache-2.0
//! An observer that records notifications in storage.

use codec::{Decode, Encode};
use frame_support::{pallet_prelude::ValueQuery, parameter_types, storage_alias, weights::Weight};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
	},
	ContentRef, MemberId, ObservedVersion, Observer, PurgeScope,
};

use super::{AccountId, Balance};

parameter_types! {
	/// True if notifications are noted.
	pub static Recording: bool = false;
	/// Runs after each notification that was noted.
	pub static OnNotice: fn() = || {};
	/// The weight of each kind of notification.
	pub static NoticeWeights: [Weight; 13] = [Weight::zero(); 13];
}

/// The fields of an [`ObservedVersion`].
pub type Version = (TenantId, ContentObjectId, VersionId, u64, ProviderId, NodeId, Medallion, bool);

/// A notification. The place of its kind is also the place of its weight.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Notice {
	VersionCommitted(Version),
	VersionFinalized(Version),
	HeadMoved(TenantId, ContentObjectId, Option<VersionId>),
	RecordPut(TenantId, Vec<u8>, Vec<u8>, ContentRef),
	RecordDeleted(TenantId, Vec<u8>, Vec<u8>),
	MemberCreated(MemberId, SpaceId, AccountId),
	MemberDeleted(MemberId, Muid),
	MemberPurged(MemberId, Muid, PurgeScope),
	Slashed(MemberId, Muid, Balance),
	VersionDeleted(TenantId, ContentObjectId, VersionId),
	NodeRemoved(ProviderId, NodeId, Medallion),
	CopyHeld(Version),
	CopyRemoved(Version),
}

/// The notifications so far.
#[storage_alias]
pub type Notices = StorageValue<Recorder, Vec<Notice>, ValueQuery>;

pub struct Recorder;

impl Recorder {
	fn note(notice: Notice) {
		if Recording::get() {
			Notices::append(notice);
			OnNotice::get()();
		}
	}
}

fn fields(version: &ObservedVersion) -> Version {
	let ObservedVersion { tenant, object, version, size, provider, node, medallion, finalized } =
		*version;
	(tenant, object, version, size, provider, node, medallion, finalized)
}

/// The weights of the kinds, by their places.
macro_rules! weights {
	($($function:ident: $place:literal,)*) => {$(
		fn $function() -> Weight {
			NoticeWeights::get()[$place]
		}
	)*};
}

impl Observer<AccountId, Balance> for Recorder {
	fn on_version_committed(version: &ObservedVersion) {
		Self::note(Notice::VersionCommitted(fields(version)));
	}

	fn on_version_finalized(version: &ObservedVersion) {
		Self::note(Notice::VersionFinalized(fields(version)));
	}

	fn on_head_moved(tenant: TenantId, object: ContentObjectId, head: Option<VersionId>) {
		Self::note(Notice::HeadMoved(tenant, object, head));
	}

	fn on_record_put(tenant: TenantId, collection: &[u8], key: &[u8], target: ContentRef) {
		Self::note(Notice::RecordPut(tenant, collection.into(), key.into(), target));
	}

	fn on_record_deleted(tenant: TenantId, collection: &[u8], key: &[u8]) {
		Self::note(Notice::RecordDeleted(tenant, collection.into(), key.into()));
	}

	fn on_member_created(member: MemberId, space: SpaceId, root: &AccountId) {
		Self::note(Notice::MemberCreated(member, space, *root));
	}

	fn on_member_deleted(member: MemberId, created: Muid) {
		Self::note(Notice::MemberDeleted(member, created));
	}

	fn on_member_purged(member: MemberId, created: Muid, scope: PurgeScope) {
		Self::note(Notice::MemberPurged(member, created, scope));
	}

	fn on_slashed(member: MemberId, created: Muid, amount: Balance) {
		Self::note(Notice::Slashed(member, created, amount));
	}

	fn on_version_deleted(tenant: TenantId, object: ContentObjectId, version: VersionId) {
		Self::note(Notice::VersionDeleted(tenant, object, version));
	}

	fn on_node_removed(provider: ProviderId, node: NodeId, medallion: Medallion) {
		Self::note(Notice::NodeRemoved(provider, node, medallion));
	}

	fn on_copy_held(version: &ObservedVersion) {
		Self::note(Notice::CopyHeld(fields(version)));
	}

	fn on_copy_removed(version: &ObservedVersion) {
		Self::note(Notice::CopyRemoved(fields(version)));
	}

	weights! {
		version_committed_weight: 0,
		version_finalized_weight: 1,
		head_moved_weight: 2,
		record_put_weight: 3,
		record_deleted_weight: 4,
		member_created_weight: 5,
		member_deleted_weight: 6,
		member_purged_weight: 7,
		slashed_weight: 8,
		version_deleted_weight: 9,
		node_removed_weight: 10,
		copy_held_weight: 11,
		copy_removed_weight: 12,
	}
}
