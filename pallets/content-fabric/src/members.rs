//! What providers and tenants have in common: both are members of a space with a root account, keys
//! that give other accounts a level, a count of the rows under them, and a flag by which governance
//! freezes them.

use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use frame_support::{
	ensure,
	pallet_prelude::DispatchResult,
	storage::{StorageDoubleMap, StorageMap},
};
use sp_runtime::{ArithmeticError, DispatchError};

use crate::{
	Config, Error, MemberInfoOf, Pallet, ProviderKeys, ProviderLevel, Providers, SpaceInfoOf,
	Spaces, TenantKeys, TenantLevel, Tenants,
};

/// Either kind of member: where its rows are and what its errors are called.
pub(crate) trait MemberKind<T: Config> {
	type Id: Copy + codec::FullCodec;
	type Map: StorageMap<Self::Id, MemberInfoOf<T>, Query = Option<MemberInfoOf<T>>>;
	type Level: Copy + codec::FullCodec;
	type Keys: StorageDoubleMap<Self::Id, T::AccountId, Self::Level, Query = Option<Self::Level>>;

	/// The level of the root account.
	const ROOT: Self::Level;

	const NOT_FOUND: Error<T>;
	const ALREADY_EXISTS: Error<T>;
	const FROZEN: Error<T>;
	const NOT_EMPTY: Error<T>;

	/// The count of such members in their space.
	fn count(space: &mut SpaceInfoOf<T>) -> &mut u32;
}

pub(crate) struct ProviderKind;

impl<T: Config> MemberKind<T> for ProviderKind {
	type Id = ProviderId;
	type Map = Providers<T>;
	type Level = ProviderLevel;
	type Keys = ProviderKeys<T>;

	const ROOT: ProviderLevel = ProviderLevel::Root;
	const NOT_FOUND: Error<T> = Error::ProviderNotFound;
	const ALREADY_EXISTS: Error<T> = Error::ProviderAlreadyExists;
	const FROZEN: Error<T> = Error::ProviderFrozen;
	const NOT_EMPTY: Error<T> = Error::ProviderNotEmpty;

	fn count(space: &mut SpaceInfoOf<T>) -> &mut u32 {
		&mut space.provider_count
	}
}

pub(crate) struct TenantKind;

impl<T: Config> MemberKind<T> for TenantKind {
	type Id = TenantId;
	type Map = Tenants<T>;
	type Level = TenantLevel;
	type Keys = TenantKeys<T>;

	const ROOT: TenantLevel = TenantLevel::Root;
	const NOT_FOUND: Error<T> = Error::TenantNotFound;
	const ALREADY_EXISTS: Error<T> = Error::TenantAlreadyExists;
	const FROZEN: Error<T> = Error::TenantFrozen;
	const NOT_EMPTY: Error<T> = Error::TenantNotEmpty;

	fn count(space: &mut SpaceInfoOf<T>) -> &mut u32 {
		&mut space.tenant_count
	}
}

/// A member that was read from storage. What changes it also writes it back.
pub(crate) struct Member<T: Config, K: MemberKind<T>> {
	pub id: K::Id,
	pub info: MemberInfoOf<T>,
}

pub(crate) type Provider<T> = Member<T, ProviderKind>;
pub(crate) type Tenant<T> = Member<T, TenantKind>;

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Adds a member with no rows to a space.
	pub fn create(space: SpaceId, id: K::Id, root: T::AccountId) -> DispatchResult {
		ensure!(!K::Map::contains_key(id), K::ALREADY_EXISTS);
		Spaces::<T>::try_mutate(space, |info| {
			let count = K::count(info.as_mut().ok_or(Error::<T>::SpaceNotFound)?);
			*count = count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
			Ok::<_, DispatchError>(())
		})?;
		let created = Pallet::<T>::mint_muid()?;
		K::Map::insert(
			id,
			MemberInfoOf::<T> { space, root, rows: 0, governance_delete: false, created },
		);
		Ok(())
	}

	pub fn load(id: K::Id) -> Result<Self, Error<T>> {
		let info = K::Map::get(id).ok_or(K::NOT_FOUND)?;
		Ok(Self { id, info })
	}

	/// The member, if it is not frozen.
	pub fn active(id: K::Id) -> Result<Self, Error<T>> {
		let member = Self::load(id)?;
		member.ensure_active()?;
		Ok(member)
	}

	pub fn ensure_active(&self) -> Result<(), Error<T>> {
		ensure!(!self.info.governance_delete, K::FROZEN);
		Ok(())
	}

	/// The member, if it is not frozen and `who` has a level in it that may do what is asked.
	pub fn by(who: &T::AccountId, id: K::Id, may: fn(K::Level) -> bool) -> Result<Self, Error<T>> {
		let member = Self::active(id)?;
		ensure!(member.level(who).is_some_and(may), Error::<T>::NoPermission);
		Ok(member)
	}

	/// The level of an account.
	pub fn level(&self, who: &T::AccountId) -> Option<K::Level> {
		if self.info.root == *who {
			return Some(K::ROOT);
		}
		K::Keys::get(self.id, who)
	}

	/// Gives an account other than the root a key with a level, or takes its key. Counts the row, but
	/// does not save the member. `present` is the account's level so far.
	pub fn set_key(
		&mut self,
		account: &T::AccountId,
		present: Option<K::Level>,
		level: Option<K::Level>,
	) -> DispatchResult {
		match level {
			Some(level) => K::Keys::insert(self.id, account, level),
			None => K::Keys::remove(self.id, account),
		}
		match (present.is_some(), level.is_some()) {
			(false, true) => self.count_row(),
			(true, false) => self.count_row_off(),
			_ => Ok(()),
		}
	}

	/// Hands the member over.
	pub fn set_root(mut self, root: T::AccountId) {
		self.info.root = root;
		self.save();
	}

	/// The member, if governance has given its children up to deletion.
	pub fn given_up(id: K::Id) -> Result<Self, Error<T>> {
		let member = Self::load(id)?;
		ensure!(member.info.governance_delete, Error::<T>::GovernanceDeleteNotSet);
		Ok(member)
	}

	/// Freezes the member, or lifts that.
	pub fn set_governance_delete(mut self, governance_delete: bool) {
		self.info.governance_delete = governance_delete;
		self.save();
	}

	/// Counts a row that was added under the member, but does not save the member.
	pub fn count_row(&mut self) -> DispatchResult {
		self.info.rows = self.info.rows.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		Ok(())
	}

	fn count_row_off(&mut self) -> DispatchResult {
		self.info.rows = self.info.rows.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
		Ok(())
	}

	pub fn save(self) {
		K::Map::insert(self.id, self.info);
	}

	/// Counts a row that was added under the member.
	pub fn add_row(mut self) -> DispatchResult {
		self.count_row()?;
		self.save();
		Ok(())
	}

	/// Counts off a row that was removed from under the member.
	pub fn remove_row(mut self) -> DispatchResult {
		self.count_row_off()?;
		self.save();
		Ok(())
	}

	pub fn ensure_empty(&self) -> Result<(), Error<T>> {
		ensure!(self.info.rows == 0, K::NOT_EMPTY);
		Ok(())
	}

	/// Removes the member from its space. The caller has removed, or ruled out, rows under it.
	pub fn remove(self) -> DispatchResult {
		Spaces::<T>::try_mutate(self.info.space, |info| {
			let count = K::count(info.as_mut().ok_or(Error::<T>::SpaceNotFound)?);
			*count = count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok::<_, DispatchError>(())
		})?;
		K::Map::remove(self.id);
		Ok(())
	}
}
