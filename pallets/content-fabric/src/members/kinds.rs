// SPDX-License-Identifier: Apache-2.0
//! The two kinds of member: their maps, names, and the table of their child maps.

use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use content_fabric_primitives::{MemberId, ProviderLevel, Role, TenantLevel};
use frame_support::storage::{StorageDoubleMap, StorageMap};

use crate::{
	deletion::ChildMap, types::AccountIdOf, BalanceOf, Collections, Config, ContentObjects, Error,
	Event, HoldReason, KeyInfoOf, Kmses, MemberInfoOf, Nodes, ProviderKeys, ProviderRowCounts,
	Providers, Records, RowCounts, SpaceInfoOf, SpaceRulesOf, TenantKeys, TenantRowCounts, Tenants,
	Versions,
};

/// The row of a member of a kind.
pub type InfoOf<T, K> = MemberInfoOf<T, <K as MemberKind<T>>::Counts>;
/// An access key of a member of a kind.
pub type KeyOf<T, K> = KeyInfoOf<T, <K as MemberKind<T>>::Level>;

/// A kind of member.
pub trait MemberKind<T: Config>: Sized + 'static {
	type Id: Copy + Into<MemberId> + codec::FullCodec;
	type Counts: RowCounts + Copy + codec::FullCodec + codec::MaxEncodedLen;
	type Map: StorageMap<Self::Id, InfoOf<T, Self>, Query = Option<InfoOf<T, Self>>>;
	type Level: Copy + codec::FullCodec;
	type Keys: StorageDoubleMap<
		Self::Id,
		AccountIdOf<T>,
		KeyOf<T, Self>,
		Query = Option<KeyOf<T, Self>>,
	>;

	const ROLE: Role;
	/// The reason for which the bond is held.
	const BOND: HoldReason;
	/// The level of the root.
	const ROOT: Self::Level;

	const NOT_FOUND: Error<T>;
	const ALREADY_EXISTS: Error<T>;
	const NOT_EMPTY: Error<T>;
	const FROZEN: Error<T>;
	const SUSPENDED: Error<T>;
	const UNDER_BONDED: Error<T>;

	/// The maps with rows under such a member, in the order in which a purge clears them: access
	/// keys first, so that they stop counting at once, then children before their parents.
	const CHILDREN: &'static [ChildMap<T, Self>];

	/// Returns the count of access keys.
	fn keys(counts: &mut Self::Counts) -> &mut u32;

	/// Returns the count of such members in their space.
	fn members(space: &mut SpaceInfoOf<T>) -> &mut u32;

	/// Returns the bond that the rules of a space require.
	fn required_bond(rules: &SpaceRulesOf<T>) -> BalanceOf<T>;

	/// Returns whether the level `own` may change an access key from `present` to `new`.
	fn can_set_level(
		own: Self::Level,
		present: Option<Self::Level>,
		new: Option<Self::Level>,
	) -> bool;

	/// Returns the event of a creation.
	fn created(id: Self::Id, space: SpaceId, root: T::AccountId) -> Event<T>;

	/// Returns the event of a change of an access key.
	fn key_set(id: Self::Id, account: T::AccountId, level: Option<Self::Level>) -> Event<T>;
}

pub struct ProviderKind;

impl<T: Config> MemberKind<T> for ProviderKind {
	type Id = ProviderId;
	type Counts = ProviderRowCounts;
	type Map = Providers<T>;
	type Level = ProviderLevel;
	type Keys = ProviderKeys<T>;

	const ROLE: Role = Role::Provider;
	const BOND: HoldReason = HoldReason::ProviderBond;
	const ROOT: ProviderLevel = ProviderLevel::Root;
	const NOT_FOUND: Error<T> = Error::ProviderNotFound;
	const ALREADY_EXISTS: Error<T> = Error::ProviderAlreadyExists;
	const NOT_EMPTY: Error<T> = Error::ProviderNotEmpty;
	const FROZEN: Error<T> = Error::ProviderFrozen;
	const SUSPENDED: Error<T> = Error::ProviderSuspended;
	const UNDER_BONDED: Error<T> = Error::ProviderUnderBonded;
	const CHILDREN: &'static [ChildMap<T, Self>] = &[
		ChildMap::of::<ProviderKeys<T>, _>(|counts: &mut ProviderRowCounts| &mut counts.keys),
		ChildMap::of::<Nodes<T>, _>(|counts: &mut ProviderRowCounts| &mut counts.nodes),
	];

	fn keys(counts: &mut ProviderRowCounts) -> &mut u32 {
		&mut counts.keys
	}

	fn members(space: &mut SpaceInfoOf<T>) -> &mut u32 {
		&mut space.provider_count
	}

	fn required_bond(rules: &SpaceRulesOf<T>) -> BalanceOf<T> {
		rules.provider_bond
	}

	fn can_set_level(
		own: ProviderLevel,
		present: Option<ProviderLevel>,
		new: Option<ProviderLevel>,
	) -> bool {
		own.can_set_level(present, new)
	}

	fn created(provider: ProviderId, space: SpaceId, root: T::AccountId) -> Event<T> {
		Event::ProviderCreated { provider, space, root }
	}

	fn key_set(
		provider: ProviderId,
		account: T::AccountId,
		level: Option<ProviderLevel>,
	) -> Event<T> {
		Event::ProviderKeySet { provider, account, level }
	}
}

pub struct TenantKind;

impl<T: Config> MemberKind<T> for TenantKind {
	type Id = TenantId;
	type Counts = TenantRowCounts;
	type Map = Tenants<T>;
	type Level = TenantLevel;
	type Keys = TenantKeys<T>;

	const ROLE: Role = Role::Tenant;
	const BOND: HoldReason = HoldReason::TenantBond;
	const ROOT: TenantLevel = TenantLevel::Root;
	const NOT_FOUND: Error<T> = Error::TenantNotFound;
	const ALREADY_EXISTS: Error<T> = Error::TenantAlreadyExists;
	const NOT_EMPTY: Error<T> = Error::TenantNotEmpty;
	const FROZEN: Error<T> = Error::TenantFrozen;
	const SUSPENDED: Error<T> = Error::TenantSuspended;
	const UNDER_BONDED: Error<T> = Error::TenantUnderBonded;
	const CHILDREN: &'static [ChildMap<T, Self>] = &[
		ChildMap::of::<TenantKeys<T>, _>(|counts: &mut TenantRowCounts| &mut counts.keys),
		ChildMap::of::<Records<T>, _>(|counts: &mut TenantRowCounts| &mut counts.records),
		ChildMap::of::<Collections<T>, _>(|counts: &mut TenantRowCounts| &mut counts.collections),
		ChildMap::of::<Versions<T>, _>(|counts: &mut TenantRowCounts| &mut counts.versions),
		ChildMap::of::<ContentObjects<T>, _>(|counts: &mut TenantRowCounts| {
			&mut counts.content_objects
		}),
		ChildMap::of::<Kmses<T>, _>(|counts: &mut TenantRowCounts| &mut counts.kmses),
	];

	fn keys(counts: &mut TenantRowCounts) -> &mut u32 {
		&mut counts.keys
	}

	fn members(space: &mut SpaceInfoOf<T>) -> &mut u32 {
		&mut space.tenant_count
	}

	fn required_bond(rules: &SpaceRulesOf<T>) -> BalanceOf<T> {
		rules.tenant_bond
	}

	fn can_set_level(
		own: TenantLevel,
		present: Option<TenantLevel>,
		new: Option<TenantLevel>,
	) -> bool {
		own.can_set_level(present, new)
	}

	fn created(tenant: TenantId, space: SpaceId, root: T::AccountId) -> Event<T> {
		Event::TenantCreated { tenant, space, root }
	}

	fn key_set(tenant: TenantId, account: T::AccountId, level: Option<TenantLevel>) -> Event<T> {
		Event::TenantKeySet { tenant, account, level }
	}
}
