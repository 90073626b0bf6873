// SPDX-License-Identifier: Apache-2.0
//! The view functions: queries of the state by clients. Their signatures are in the pallet module,
//! as FRAME cannot import them.

use alloc::vec::Vec;

use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use content_fabric_primitives::{MemberId, Resolution};
use sp_runtime::traits::Saturating;

use crate::{
	members::{by_kind, Member, MemberKind, ProviderKind, Tenant, TenantKind},
	BondInfo, BondInfoOf, CollectionNameOf, Config, ContentObjects, DeletionQueueBounds, Pallet,
	PurgeProgress, Purges, RecordKeyOf, Records, VersionInfoOf, Versions,
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
}
