// SPDX-License-Identifier: Apache-2.0
//! The view functions: queries of the state by clients. Their signatures are in the pallet module,
//! as FRAME cannot import them.

use alloc::vec::Vec;

use codec::FullCodec;
use content_fabric_identifiers::{ContentObjectId, SpaceId, TenantId, VersionId};
use content_fabric_primitives::{MemberId, Resolution, Role};
use frame_support::{
	storage::{StorageDoubleMap, StorageMap},
	IterableStorageDoubleMap, IterableStorageMap,
};
use sp_runtime::traits::Saturating;

use crate::{
	members::{by_kind, InfoOf, Member, MemberKind, ProviderKind, Tenant, TenantKind},
	paging::{page, page_of, Page},
	types::AccountIdOf,
	Admissions, BondInfo, BondInfoOf, CollectionNameOf, Config, ContentObjects,
	DeletionQueueBounds, Pallet, PurgeProgress, Purges, RecordInfoOf, RecordKeyOf, Records,
	VersionInfoOf, Versions,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn rows_of(member: MemberId) -> Option<u32> {
		by_kind!(member, rows_of_kind())
	}

	fn rows_of_kind<K: MemberKind<T>>(id: K::Id) -> Option<u32> {
		Member::<T, K>::stored(id).ok().map(|member| member.rows())
	}

	pub(crate) fn bond_of(member: MemberId) -> Option<BondInfoOf<T>> {
		by_kind!(member, bond_of_kind())
	}

	fn bond_of_kind<K: MemberKind<T>>(id: K::Id) -> Option<BondInfoOf<T>> {
		let member = Member::<T, K>::undeleted(id).ok()?;
		let info = member.info();
		let rules = Self::space(info.space).ok()?.rules;
		Some(BondInfo {
			root: info.root.clone(),
			bond: info.bond,
			required: K::required_bond(&rules),
			deposit: info.own_deposit.saturating_add(info.deposit),
			max_held: info.max_held,
		})
	}

	pub(crate) fn head_of(
		tenant: TenantId,
		object: ContentObjectId,
	) -> Option<(VersionId, VersionInfoOf<T>)> {
		let tenant = Tenant::<T>::unpurged(tenant)?.id;
		let version = ContentObjects::<T>::get(tenant, object)?.head_version?;
		Some((version, Versions::<T>::get((tenant, object, version))?))
	}

	pub(crate) fn resolution(
		tenant: TenantId,
		collection: Vec<u8>,
		key: Vec<u8>,
	) -> Option<Resolution> {
		let tenant = Tenant::<T>::unpurged(tenant)?.id;
		let collection = CollectionNameOf::<T>::try_from(collection).ok()?;
		let key = RecordKeyOf::<T>::try_from(key).ok()?;
		let record = Records::<T>::get((tenant, collection, key))?;
		Some(Self::resolve_target(tenant, record.target))
	}

	pub(crate) fn progress(member: MemberId) -> Option<PurgeProgress> {
		let purge = Purges::<T>::get(member)?;
		Some(PurgeProgress {
			rows: purge.rows,
			rows_left: Self::rows_of(member)?,
			places_before: purge.place.saturating_sub(DeletionQueueBounds::<T>::get().first),
		})
	}

	pub(crate) fn admissions_of(
		space: SpaceId,
		after: Option<(AccountIdOf<T>, Role)>,
		limit: u32,
	) -> Page<(AccountIdOf<T>, Role), ()> {
		let after = after.map(|admission| Admissions::<T>::hashed_key_for(space, admission));
		page(Admissions::<T>::iter_prefix(space), after, limit)
	}

	pub(crate) fn versions_of(
		tenant: TenantId,
		object: ContentObjectId,
		after: Option<VersionId>,
		limit: u32,
	) -> Page<VersionId, VersionInfoOf<T>> {
		let after = after.map(|version| Versions::<T>::hashed_key_for((tenant, object, version)));
		let rows = Versions::<T>::iter_prefix((tenant, object));
		under::<T, TenantKind, _, _>(tenant, || page(rows, after, limit))
	}

	pub(crate) fn records_of(
		tenant: TenantId,
		collection: Vec<u8>,
		after: Option<RecordKeyOf<T>>,
		limit: u32,
	) -> Page<RecordKeyOf<T>, RecordInfoOf<T>> {
		let list = || {
			// No collection has a name that is too long.
			let Ok(collection) = CollectionNameOf::<T>::try_from(collection) else {
				return Page::empty();
			};
			let after = after.map(|key| Records::<T>::hashed_key_for((tenant, &collection, key)));
			page(Records::<T>::iter_prefix((tenant, &collection)), after, limit)
		};
		under::<T, TenantKind, _, _>(tenant, list)
	}
}

/// Lists the rows of a map.
pub(crate) fn list<Map, Key, Info>(after: Option<Key>, limit: u32) -> Page<Key, Info>
where
	Map: IterableStorageMap<
			Key,
			Info,
			Iterator = frame_support::storage::PrefixIterator<(Key, Info)>,
		> + StorageMap<Key, Info>,
	Key: FullCodec + Clone,
	Info: FullCodec,
{
	page(Map::iter(), after.map(Map::hashed_key_for), limit)
}

/// Lists the members of a space. They are found among those of all spaces.
pub(crate) fn members_of<T: Config, K: MemberKind<T>>(
	space: SpaceId,
	after: Option<K::Id>,
	limit: u32,
) -> Page<K::Id, InfoOf<T, K>>
where
	K::Map: IterableStorageMap<
		K::Id,
		InfoOf<T, K>,
		Iterator = frame_support::storage::PrefixIterator<(K::Id, InfoOf<T, K>)>,
	>,
{
	let after = after.map(K::Map::hashed_key_for);
	page_of(<K::Map as IterableStorageMap<_, _>>::iter(), after, limit, |info| info.space == space)
}

/// Lists the rows of a map under a member.
pub(crate) fn list_under<T, K, Map, Key, Info>(
	member: K::Id,
	after: Option<Key>,
	limit: u32,
) -> Page<Key, Info>
where
	T: Config,
	K: MemberKind<T>,
	Map: IterableStorageDoubleMap<
			K::Id,
			Key,
			Info,
			PrefixIterator = frame_support::storage::PrefixIterator<(Key, Info)>,
		> + StorageDoubleMap<K::Id, Key, Info>,
	Key: FullCodec + Clone,
	Info: FullCodec,
{
	let after = after.map(|key| Map::hashed_key_for(member, key));
	under::<T, K, _, _>(member, || page(Map::iter_prefix(member), after, limit))
}

/// Lists rows under a member. A member that does not exist or is being purged has none.
fn under<T: Config, K: MemberKind<T>, Key, Info>(
	member: K::Id,
	list: impl FnOnce() -> Page<Key, Info>,
) -> Page<Key, Info> {
	match Member::<T, K>::unpurged(member) {
		Some(member) => Page { created: Some(member.info().created), ..list() },
		None => Page::empty(),
	}
}
