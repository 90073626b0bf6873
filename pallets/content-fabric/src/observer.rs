// SPDX-License-Identifier: Apache-2.0
//! Notifications to other pallets about changes of the directory.

use alloc::vec::Vec;
use core::marker::PhantomData;

use content_fabric_identifiers::{
	ContentObjectId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{ContentRef, MemberId};
use frame_support::pallet_prelude::Weight;

use crate::{Config, PurgeScope};

/// A version in a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedVersion {
	/// The tenant that owns the object.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The version.
	pub version: VersionId,
	/// Size of the data in bytes, as the tenant signed it. Zero if it is not known.
	pub size: u64,
	/// The provider of the node.
	pub provider: ProviderId,
	/// The node that the notification is about: the one that commits the version, holds its data,
	/// or has held it.
	pub node: NodeId,
	/// The medallion of the node. A node that was removed and created again has another one.
	pub medallion: Medallion,
	/// True if the data was declared complete.
	pub finalized: bool,
}

/// Reacts to changes of the directory, in another pallet. `()` does not, and costs nothing. A pair
/// notifies two observers, the first one first.
///
/// A call, or a step of a purge, notifies the observer after it has written all its rows and
/// deposited its events, in the order of its list. The observer runs in the storage layer of the
/// call, so what it writes is undone if the rest of the call fails, such as a later call of the
/// same batch. It cannot fail the call. If it may fail itself, it opens a storage layer of its own,
/// and drops the error.
///
/// An observer must not panic: a panic makes the block invalid, and one in a purge, which no
/// transaction causes, stops the chain.
///
/// A purge sends one notification for the whole member, none for a row under it. So keep sums of
/// versions per node and tenant, by the pair of medallion and tenant: then the end of a tenant's
/// purge drops all sums of the tenant, and the removal of a node all sums of the medallion. The
/// sums of nodes that a purge of their provider removed stay with medallions that no node has
/// again. A copy of a removed node can still be reported as removed: ignore it if there is no sum
/// for its medallion.
///
/// Each notification has a weight for its worst case, zero by default. It is added to the
/// weights of the calls and of the steps that send it, once for each item of a list.
pub trait Observer<AccountId, Balance> {
	/// False for an observer that ignores everything. Calls then prepare no lists for it.
	const IS_ENABLED: bool = true;

	/// A version was committed.
	fn on_version_committed(_version: &ObservedVersion) {}
	/// Weight of [`on_version_committed`](Self::on_version_committed).
	fn version_committed_weight() -> Weight {
		Weight::zero()
	}

	/// A node declared that it holds the data of a version. Happens once for each copy.
	/// [`on_version_finalized`](Self::on_version_finalized) follows if it is the first.
	fn on_copy_held(_version: &ObservedVersion) {}
	/// Weight of [`on_copy_held`](Self::on_copy_held).
	fn copy_held_weight() -> Weight {
		Weight::zero()
	}

	/// A copy that a node held was removed: by a call, with its version, or because a new node with
	/// its id was asked. Copies that were never held have no notification.
	fn on_copy_removed(_version: &ObservedVersion) {}
	/// Weight of [`on_copy_removed`](Self::on_copy_removed).
	fn copy_removed_weight() -> Weight {
		Weight::zero()
	}

	/// The data of a version was declared complete. This happens once in the life of a version.
	/// [`on_head_moved`](Self::on_head_moved) follows if it became the head.
	fn on_version_finalized(_version: &ObservedVersion) {}
	/// Weight of [`on_version_finalized`](Self::on_version_finalized).
	fn version_finalized_weight() -> Weight {
		Weight::zero()
	}

	/// The head of an object was set, or cleared with `None`: by a finalization, by the tenant, or
	/// because governance deleted it.
	fn on_head_moved(_tenant: TenantId, _object: ContentObjectId, _head: Option<VersionId>) {}
	/// Weight of [`on_head_moved`](Self::on_head_moved).
	fn head_moved_weight() -> Weight {
		Weight::zero()
	}

	/// A version was deleted by a call, not by a purge. If it was the head,
	/// [`on_head_moved`](Self::on_head_moved) comes before; then
	/// [`on_copy_removed`](Self::on_copy_removed) for each node that held it.
	fn on_version_deleted(_tenant: TenantId, _object: ContentObjectId, _version: VersionId) {}
	/// Weight of [`on_version_deleted`](Self::on_version_deleted).
	fn version_deleted_weight() -> Weight {
		Weight::zero()
	}

	/// A record was created, or pointed to other content.
	fn on_record_put(_tenant: TenantId, _collection: &[u8], _key: &[u8], _target: ContentRef) {}
	/// Weight of [`on_record_put`](Self::on_record_put).
	fn record_put_weight() -> Weight {
		Weight::zero()
	}

	/// A record was deleted by a call, not by a purge.
	fn on_record_deleted(_tenant: TenantId, _collection: &[u8], _key: &[u8]) {}
	/// Weight of [`on_record_deleted`](Self::on_record_deleted).
	fn record_deleted_weight() -> Weight {
		Weight::zero()
	}

	/// A node was removed by a call, not by a purge. No node has its medallion again.
	fn on_node_removed(_provider: ProviderId, _node: NodeId, _medallion: Medallion) {}
	/// Weight of [`on_node_removed`](Self::on_node_removed).
	fn node_removed_weight() -> Weight {
		Weight::zero()
	}

	/// A member was created, by a call or in the genesis.
	fn on_member_created(_member: MemberId, _space: SpaceId, _root: &AccountId) {}
	/// Weight of [`on_member_created`](Self::on_member_created).
	fn member_created_weight() -> Weight {
		Weight::zero()
	}

	/// The root of a member without rows deleted it. `created` distinguishes incarnations of an id.
	fn on_member_deleted(_member: MemberId, _created: Muid) {}
	/// Weight of [`on_member_deleted`](Self::on_member_deleted).
	fn member_deleted_weight() -> Weight {
		Weight::zero()
	}

	/// A purge ended: all rows under the member were removed, none with a notification of its own.
	/// With [`PurgeScope::Member`] the member was removed, too; with [`PurgeScope::Rows`] it stays.
	fn on_member_purged(_member: MemberId, _created: Muid, _scope: PurgeScope) {}
	/// Weight of [`on_member_purged`](Self::on_member_purged).
	fn member_purged_weight() -> Weight {
		Weight::zero()
	}

	/// Governance slashed this much of the bond of a member, maybe nothing.
	fn on_slashed(_member: MemberId, _created: Muid, _amount: Balance) {}
	/// Weight of [`on_slashed`](Self::on_slashed).
	fn slashed_weight() -> Weight {
		Weight::zero()
	}
}

impl<AccountId, Balance> Observer<AccountId, Balance> for () {
	const IS_ENABLED: bool = false;
}

macro_rules! observer_pair {
	($($weight:ident, $notify:ident($($argument:ident: $type:ty),*);)*) => {
		impl<AccountId, Balance: Copy, One, Other> Observer<AccountId, Balance> for (One, Other)
		where
			One: Observer<AccountId, Balance>,
			Other: Observer<AccountId, Balance>,
		{
			const IS_ENABLED: bool = One::IS_ENABLED || Other::IS_ENABLED;

			$(
				fn $notify($($argument: $type),*) {
					One::$notify($($argument),*);
					Other::$notify($($argument),*);
				}

				fn $weight() -> Weight {
					One::$weight().saturating_add(Other::$weight())
				}
			)*
		}
	};
}

observer_pair! {
	version_committed_weight, on_version_committed(version: &ObservedVersion);
	copy_held_weight, on_copy_held(version: &ObservedVersion);
	copy_removed_weight, on_copy_removed(version: &ObservedVersion);
	version_finalized_weight, on_version_finalized(version: &ObservedVersion);
	head_moved_weight, on_head_moved(
		tenant: TenantId, object: ContentObjectId, head: Option<VersionId>
	);
	version_deleted_weight, on_version_deleted(
		tenant: TenantId, object: ContentObjectId, version: VersionId
	);
	record_put_weight, on_record_put(
		tenant: TenantId, collection: &[u8], key: &[u8], target: ContentRef
	);
	record_deleted_weight, on_record_deleted(tenant: TenantId, collection: &[u8], key: &[u8]);
	node_removed_weight, on_node_removed(
		provider: ProviderId, node: NodeId, medallion: Medallion
	);
	member_created_weight, on_member_created(member: MemberId, space: SpaceId, root: &AccountId);
	member_deleted_weight, on_member_deleted(member: MemberId, created: Muid);
	member_purged_weight, on_member_purged(member: MemberId, created: Muid, scope: PurgeScope);
	slashed_weight, on_slashed(member: MemberId, created: Muid, amount: Balance);
}

/// The notifications of a list, which are sent once all rows of the call are written.
pub(crate) struct Notifications<T, Item> {
	items: Vec<Item>,
	_config: PhantomData<T>,
}

impl<T: Config, Item> Notifications<T, Item> {
	pub fn none() -> Self {
		Self { items: Vec::new(), _config: PhantomData }
	}

	/// Adds an item, unless the observer ignores everything.
	pub fn push(&mut self, item: impl FnOnce() -> Item) {
		if T::Observer::IS_ENABLED {
			self.items.push(item());
		}
	}
}

impl<T, Item> IntoIterator for Notifications<T, Item> {
	type Item = Item;
	type IntoIter = alloc::vec::IntoIter<Item>;

	fn into_iter(self) -> Self::IntoIter {
		self.items.into_iter()
	}
}
