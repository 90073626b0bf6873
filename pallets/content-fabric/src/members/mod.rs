//! What providers and tenants have in common: both are members of a space with a root account, keys
//! that give other accounts a level, a bond, deposits and a count for the rows under them, and a
//! flag by which governance freezes them.

mod kinds;
mod lifecycle;

use codec::Encode;
use content_fabric_identifiers::SpaceId;
use frame_support::{
	ensure,
	pallet_prelude::DispatchResult,
	storage::{StorageDoubleMap, StorageMap},
};
use frame_system::{ensure_signed, pallet_prelude::OriginFor};
pub(crate) use kinds::{MemberKind, ProviderKind, TenantKind};
use sp_runtime::{
	traits::{Saturating, Zero},
	ArithmeticError, DispatchError,
};

use crate::{
	bonds::{account_len, hold, release, release_on_exit, row_deposit, slash},
	BalanceOf, Config, Error, HoldReason, KeyInfo, MemberInfoOf, Pallet, SpaceInfoOf, SpaceRulesOf,
	Spaces,
};

/// Bytes of the id of an entity that others are nested under, or that is nested itself.
pub(crate) const ID_LEN: usize = 10;

/// A member that was read from storage. What changes it also writes it back, unless it says
/// otherwise.
pub(crate) struct Member<T: Config, K: MemberKind<T>> {
	pub id: K::Id,
	pub info: MemberInfoOf<T>,
}

pub(crate) type Provider<T> = Member<T, ProviderKind>;
pub(crate) type Tenant<T> = Member<T, TenantKind>;

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Adds a member with no rows to a space, and holds the bond that the space asks for on its root
	/// account.
	pub fn create(
		space: SpaceId,
		mut space_info: SpaceInfoOf<T>,
		id: K::Id,
		root: T::AccountId,
	) -> DispatchResult {
		let count = K::count(&mut space_info);
		*count = count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		let bond = K::bond(&space_info.rules);
		hold::<T>(K::BOND, &root, bond)?;
		Spaces::<T>::insert(space, space_info);
		let info = MemberInfoOf::<T> {
			space,
			depositor: root.clone(),
			root,
			bond,
			deposit: Zero::zero(),
			rows: 0,
			governance_delete: false,
			being_deleted: false,
			created: Pallet::<T>::mint_muid()?,
		};
		K::Map::insert(id, info);
		Ok(())
	}

	/// That a member can be created with this id.
	pub fn ensure_vacant(id: K::Id) -> Result<(), Error<T>> {
		match K::Map::get(id) {
			None => Ok(()),
			Some(info) if info.being_deleted => Err(Error::BeingDeleted),
			Some(_) => Err(K::ALREADY_EXISTS),
		}
	}

	/// The member, if it is not being deleted.
	pub fn load(id: K::Id) -> Result<Self, Error<T>> {
		let info = K::Map::get(id).ok_or(K::NOT_FOUND)?;
		ensure!(!info.being_deleted, Error::BeingDeleted);
		Ok(Self { id, info })
	}

	/// The member, if it is not frozen either.
	pub fn active(id: K::Id) -> Result<Self, Error<T>> {
		let member = Self::load(id)?;
		member.ensure_active()?;
		Ok(member)
	}

	/// The member, if it is being deleted.
	pub fn being_deleted(id: K::Id) -> Result<Self, Error<T>> {
		let info = K::Map::get(id).ok_or(K::NOT_FOUND)?;
		ensure!(info.being_deleted, Error::NotBeingDeleted);
		Ok(Self { id, info })
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

	/// That the origin is the root of a member that is not frozen, or the governance of its space.
	pub fn ensure_root_or_governance(&self, origin: OriginFor<T>) -> DispatchResult {
		let is_root = ensure_signed(origin.clone()).is_ok_and(|who| who == self.info.root);
		let frozen = self.ensure_active();
		if is_root && frozen.is_ok() {
			return Ok(());
		}
		match Pallet::<T>::ensure_governance(origin, self.info.space) {
			Err(_) if is_root => Ok(frozen?),
			governed => governed,
		}
	}

	/// The level of an account.
	pub fn level(&self, who: &T::AccountId) -> Option<K::Level> {
		if self.info.root == *who {
			return Some(K::ROOT);
		}
		Some(K::Keys::get(self.id, who)?.level)
	}

	/// Gives an account a key with a level, or takes its key, if `who` may.
	pub fn set_key(
		mut self,
		who: &T::AccountId,
		account: &T::AccountId,
		level: Option<K::Level>,
	) -> DispatchResult {
		let key = K::Keys::get(self.id, account);
		// The root may take the key that it had before it became the root, and nobody else may.
		let own_key = who == account && level.is_none() && key.is_some();
		let present = match self.info.root == *account && !own_key {
			true => Some(K::ROOT),
			false => key.map(|key| key.level),
		};
		let may = |own| K::can_set_level(own, present, level);
		ensure!(self.level(who).is_some_and(may), Error::<T>::NoPermission);
		match (key, level) {
			(None, None) => {},
			(None, Some(level)) => {
				self.ensure_bonded()?;
				self.add_key(account, level)?;
				self.save();
			},
			// Levels are of one size, so the deposit stays.
			(Some(key), Some(level)) => K::Keys::insert(self.id, account, KeyInfo { level, ..key }),
			(Some(key), None) => {
				K::Keys::remove(self.id, account);
				self.remove_row(key.deposit)?;
			},
		}
		Ok(())
	}

	/// Gives an account that has none a key. Does not save the member.
	pub fn add_key(&mut self, account: &T::AccountId, level: K::Level) -> DispatchResult {
		let mut key = KeyInfo { level, deposit: Zero::zero() };
		key.deposit = row_deposit::<T>(&[ID_LEN, account_len::<T>()], key.encoded_size());
		K::Keys::insert(self.id, account, key);
		self.count_row(key.deposit)
	}

	/// Adds to the bond. If somebody else than the depositor pays, all that is held for the member
	/// moves to that account, which becomes the depositor. Does not save the member.
	pub fn top_up(&mut self, who: T::AccountId, amount: BalanceOf<T>) -> DispatchResult {
		let bond = self.info.bond.saturating_add(amount);
		if who == self.info.depositor {
			hold::<T>(K::BOND, &who, amount)?;
		} else {
			hold::<T>(K::BOND, &who, bond)?;
			hold::<T>(HoldReason::StorageDeposit, &who, self.info.deposit)?;
			self.release_all();
			self.info.depositor = who;
		}
		self.info.bond = bond;
		Ok(())
	}

	fn release_all(&self) {
		let info = &self.info;
		release_on_exit::<T>(K::BOND, &info.depositor, info.bond);
		release_on_exit::<T>(HoldReason::StorageDeposit, &info.depositor, info.deposit);
	}

	/// Slashes at most the bond. Does not save the member. Returns what was slashed.
	pub fn slash(&mut self, amount: BalanceOf<T>) -> BalanceOf<T> {
		let amount = amount.min(self.info.bond);
		self.info.bond -= amount;
		slash::<T>(K::BOND, &self.info.depositor, amount)
	}

	/// Gives back all that is held for the member: its bond, and the deposits of all rows. Does not
	/// save the member.
	pub fn settle(&mut self) {
		self.release_all();
		(self.info.bond, self.info.deposit) = (Zero::zero(), Zero::zero());
	}

	/// That the bond is what the rules of the space ask for, without which no rows can be added.
	pub fn ensure_bonded(&self) -> Result<(), Error<T>> {
		let space = Spaces::<T>::get(self.info.space).ok_or(Error::SpaceNotFound)?;
		self.ensure_bonded_by(&space.rules)
	}

	pub fn ensure_bonded_by(&self, rules: &SpaceRulesOf<T>) -> Result<(), Error<T>> {
		ensure!(self.info.bond >= K::bond(rules), K::UNDER_BONDED);
		Ok(())
	}

	/// The member, if the origin is the governance of its space.
	pub fn governed(origin: OriginFor<T>, id: K::Id) -> Result<Self, DispatchError> {
		let member = Self::load(id)?;
		Pallet::<T>::ensure_governance(origin, member.info.space)?;
		Ok(member)
	}

	/// The member, if governance has given its children up to deletion.
	pub fn given_up(id: K::Id) -> Result<Self, Error<T>> {
		let member = Self::load(id)?;
		ensure!(member.info.governance_delete, Error::<T>::GovernanceDeleteNotSet);
		Ok(member)
	}

	/// Counts a row that was added under the member, and holds its deposit. Does not save the member.
	pub fn count_row(&mut self, deposit: BalanceOf<T>) -> DispatchResult {
		self.info.rows = self.info.rows.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		self.hold_deposit(deposit)
	}

	fn count_row_off(&mut self, deposit: BalanceOf<T>) -> DispatchResult {
		self.info.rows = self.info.rows.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
		release_on_exit::<T>(HoldReason::StorageDeposit, &self.info.depositor, deposit);
		self.info.deposit = self.info.deposit.saturating_sub(deposit);
		Ok(())
	}

	fn hold_deposit(&mut self, deposit: BalanceOf<T>) -> DispatchResult {
		hold::<T>(HoldReason::StorageDeposit, &self.info.depositor, deposit)?;
		self.info.deposit = self.info.deposit.saturating_add(deposit);
		Ok(())
	}

	fn release_deposit(&mut self, deposit: BalanceOf<T>) -> DispatchResult {
		release::<T>(HoldReason::StorageDeposit, &self.info.depositor, deposit)?;
		self.info.deposit = self.info.deposit.saturating_sub(deposit);
		Ok(())
	}

	pub fn save(self) {
		K::Map::insert(self.id, self.info);
	}

	/// Counts a row that was added under the member, and holds its deposit.
	pub fn add_row(mut self, deposit: BalanceOf<T>) -> DispatchResult {
		self.count_row(deposit)?;
		self.save();
		Ok(())
	}

	/// Counts off a row that was removed from under the member, and gives its deposit back.
	pub fn remove_row(mut self, deposit: BalanceOf<T>) -> DispatchResult {
		self.count_row_off(deposit)?;
		self.save();
		Ok(())
	}

	/// Holds or gives back what the deposit of a row that has changed its size differs by.
	pub fn change_row(mut self, before: BalanceOf<T>, after: BalanceOf<T>) -> DispatchResult {
		if after == before {
			return Ok(());
		}
		match after > before {
			true => self.hold_deposit(after - before)?,
			false => self.release_deposit(before - after)?,
		}
		self.save();
		Ok(())
	}

	pub fn ensure_empty(&self) -> Result<(), Error<T>> {
		ensure!(self.info.rows == 0, K::NOT_EMPTY);
		Ok(())
	}

	/// Removes the member from its space. The caller has settled what is held for it, and removed, or
	/// ruled out, rows under it.
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
