//! The two kinds of member: where their rows are, and what their errors and events are called.

use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use frame_support::{
	storage::{StorageDoubleMap, StorageMap},
	weights::Weight,
};

use crate::{
	BalanceOf, Config, Error, Event, HoldReason, KeyInfo, MemberInfoOf, ProviderKeys,
	ProviderLevel, Providers, Role, SpaceInfoOf, SpaceRulesOf, Subject, TenantKeys, TenantLevel,
	Tenants, WeightInfo,
};

/// Either kind of member: where its rows are and what its errors are called.
pub trait MemberKind<T: Config> {
	type Id: Copy + codec::FullCodec;
	type Map: StorageMap<Self::Id, MemberInfoOf<T>, Query = Option<MemberInfoOf<T>>>;
	type Level: Copy + codec::FullCodec;
	type Keys: StorageDoubleMap<
		Self::Id,
		T::AccountId,
		KeyInfo<Self::Level, BalanceOf<T>>,
		Query = Option<KeyInfo<Self::Level, BalanceOf<T>>>,
	>;

	/// What an account is admitted as to create such a member.
	const ROLE: Role;
	/// Why its bond is held.
	const BOND: HoldReason;
	/// The level of the root account.
	const ROOT: Self::Level;

	const NOT_FOUND: Error<T>;
	const ALREADY_EXISTS: Error<T>;
	const FROZEN: Error<T>;
	const UNDER_BONDED: Error<T>;
	const NOT_EMPTY: Error<T>;

	/// The count of such members in their space.
	fn count(space: &mut SpaceInfoOf<T>) -> &mut u32;

	/// The bond that the rules ask of such a member.
	fn bond(rules: &SpaceRulesOf<T>) -> BalanceOf<T>;

	fn subject(id: Self::Id) -> Subject;

	/// Whether an account at the level `own` may give one at the level `present` the level `new`.
	fn can_set_level(
		own: Self::Level,
		present: Option<Self::Level>,
		new: Option<Self::Level>,
	) -> bool;

	/// The weight of a deletion at once.
	fn deletion_weight(rows: u32) -> Weight;

	// What is told of members.
	fn created(id: Self::Id, space: SpaceId, root: T::AccountId) -> Event<T>;
	fn root_set(id: Self::Id, root: T::AccountId) -> Event<T>;
	fn key_set(id: Self::Id, account: T::AccountId, level: Option<Self::Level>) -> Event<T>;
	fn bond_topped_up(id: Self::Id, amount: BalanceOf<T>, bond: BalanceOf<T>) -> Event<T>;
	fn slashed(id: Self::Id, amount: BalanceOf<T>) -> Event<T>;
	fn deletion_started(id: Self::Id, rows: u32) -> Event<T>;
	fn deleted(id: Self::Id, rows: u32) -> Event<T>;
}

pub struct ProviderKind;

impl<T: Config> MemberKind<T> for ProviderKind {
	type Id = ProviderId;
	type Map = Providers<T>;
	type Level = ProviderLevel;
	type Keys = ProviderKeys<T>;

	const ROLE: Role = Role::Provider;
	const BOND: HoldReason = HoldReason::ProviderBond;
	const ROOT: ProviderLevel = ProviderLevel::Root;
	const NOT_FOUND: Error<T> = Error::ProviderNotFound;
	const ALREADY_EXISTS: Error<T> = Error::ProviderAlreadyExists;
	const FROZEN: Error<T> = Error::ProviderFrozen;
	const UNDER_BONDED: Error<T> = Error::ProviderUnderBonded;
	const NOT_EMPTY: Error<T> = Error::ProviderNotEmpty;

	fn count(space: &mut SpaceInfoOf<T>) -> &mut u32 {
		&mut space.provider_count
	}

	fn bond(rules: &SpaceRulesOf<T>) -> BalanceOf<T> {
		rules.provider_bond
	}

	fn subject(id: ProviderId) -> Subject {
		Subject::Provider(id)
	}

	fn can_set_level(
		own: ProviderLevel,
		present: Option<ProviderLevel>,
		new: Option<ProviderLevel>,
	) -> bool {
		own.can_set_level(present, new)
	}

	fn deletion_weight(rows: u32) -> Weight {
		T::WeightInfo::governance_delete_provider(rows)
	}

	fn created(provider: ProviderId, space: SpaceId, root: T::AccountId) -> Event<T> {
		Event::ProviderCreated { provider, space, root }
	}

	fn root_set(provider: ProviderId, root: T::AccountId) -> Event<T> {
		Event::ProviderRootSet { provider, root }
	}

	fn key_set(
		provider: ProviderId,
		account: T::AccountId,
		level: Option<ProviderLevel>,
	) -> Event<T> {
		Event::ProviderKeySet { provider, account, level }
	}

	fn bond_topped_up(provider: ProviderId, amount: BalanceOf<T>, bond: BalanceOf<T>) -> Event<T> {
		Event::ProviderBondToppedUp { provider, amount, bond }
	}

	fn slashed(provider: ProviderId, amount: BalanceOf<T>) -> Event<T> {
		Event::ProviderSlashed { provider, amount }
	}

	fn deletion_started(provider: ProviderId, rows: u32) -> Event<T> {
		Event::ProviderDeletionStarted { provider, rows }
	}

	fn deleted(provider: ProviderId, rows: u32) -> Event<T> {
		Event::ProviderDeleted { provider, rows }
	}
}

pub struct TenantKind;

impl<T: Config> MemberKind<T> for TenantKind {
	type Id = TenantId;
	type Map = Tenants<T>;
	type Level = TenantLevel;
	type Keys = TenantKeys<T>;

	const ROLE: Role = Role::Tenant;
	const BOND: HoldReason = HoldReason::TenantBond;
	const ROOT: TenantLevel = TenantLevel::Root;
	const NOT_FOUND: Error<T> = Error::TenantNotFound;
	const ALREADY_EXISTS: Error<T> = Error::TenantAlreadyExists;
	const FROZEN: Error<T> = Error::TenantFrozen;
	const UNDER_BONDED: Error<T> = Error::TenantUnderBonded;
	const NOT_EMPTY: Error<T> = Error::TenantNotEmpty;

	fn count(space: &mut SpaceInfoOf<T>) -> &mut u32 {
		&mut space.tenant_count
	}

	fn bond(rules: &SpaceRulesOf<T>) -> BalanceOf<T> {
		rules.tenant_bond
	}

	fn subject(id: TenantId) -> Subject {
		Subject::Tenant(id)
	}

	fn can_set_level(
		own: TenantLevel,
		present: Option<TenantLevel>,
		new: Option<TenantLevel>,
	) -> bool {
		own.can_set_level(present, new)
	}

	fn deletion_weight(rows: u32) -> Weight {
		T::WeightInfo::governance_delete_tenant(rows)
	}

	fn created(tenant: TenantId, space: SpaceId, root: T::AccountId) -> Event<T> {
		Event::TenantCreated { tenant, space, root }
	}

	fn root_set(tenant: TenantId, root: T::AccountId) -> Event<T> {
		Event::TenantRootSet { tenant, root }
	}

	fn key_set(tenant: TenantId, account: T::AccountId, level: Option<TenantLevel>) -> Event<T> {
		Event::TenantKeySet { tenant, account, level }
	}

	fn bond_topped_up(tenant: TenantId, amount: BalanceOf<T>, bond: BalanceOf<T>) -> Event<T> {
		Event::TenantBondToppedUp { tenant, amount, bond }
	}

	fn slashed(tenant: TenantId, amount: BalanceOf<T>) -> Event<T> {
		Event::TenantSlashed { tenant, amount }
	}

	fn deletion_started(tenant: TenantId, rows: u32) -> Event<T> {
		Event::TenantDeletionStarted { tenant, rows }
	}

	fn deleted(tenant: TenantId, rows: u32) -> Event<T> {
		Event::TenantDeleted { tenant, rows }
	}
}
