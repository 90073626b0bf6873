// SPDX-License-Identifier: Apache-2.0
//! Changes of a member: its rows are counted, and its funds held and released, in one place.
//!
//! Holds of one reason pool on an account, which may be the root of several members. So the pallet
//! never releases or slashes more than the member in question records, and a member records what
//! was held for it, whatever the deposit rates are by now.

use codec::MaxEncodedLen;
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get},
	storage::StorageMap,
	traits::{
		fungible::{BalancedHold, InspectHold, MutateHold},
		tokens::Precision,
		Imbalance, OnUnbalanced,
	},
};
use sp_runtime::{
	traits::{CheckedAdd, CheckedSub, Saturating, Zero},
	ArithmeticError, DispatchError,
};

use super::{InfoOf, Member, MemberKind};
use crate::{
	observer::Observer,
	types::{len_u32, AccountIdOf},
	BalanceOf, Config, Error, Event, HoldReason, MemberInfoOf, Nomination, Pallet, PurgeScope,
	RowCounts, SpaceInfoOf, SpaceRulesOf, Spaces, LOG_TARGET,
};

/// Bytes of a storage key in front of its own keys: the hashed names of the pallet and the map.
const MAP_PREFIX_LEN: usize = 32;
/// Bytes of the hash in front of each key.
const KEY_HASH_LEN: usize = 16;

/// Returns the length of the storage key of a row whose own keys have these lengths.
pub(crate) fn storage_key_len(keys: &[usize]) -> usize {
	keys.iter()
		.fold(MAP_PREFIX_LEN, |sum, len| sum.saturating_add(KEY_HASH_LEN).saturating_add(*len))
}

/// Returns the deposit for a row: a base, and an amount for each byte of its storage key and value.
/// `keys` and `value` are lengths.
pub(crate) fn row_deposit<T: Config>(keys: &[usize], value: usize) -> BalanceOf<T> {
	let bytes = BalanceOf::<T>::from(len_u32(storage_key_len(keys).saturating_add(value)));
	T::DepositBase::get().saturating_add(T::DepositPerByte::get().saturating_mul(bytes))
}

/// Returns the deposit for the row of a member, as large as it can grow.
fn own_deposit<T: Config, K: MemberKind<T>>() -> BalanceOf<T> {
	row_deposit::<T>(&[super::ID_LEN], InfoOf::<T, K>::max_encoded_len())
}

/// Funds on hold for a member.
#[derive(Clone, Copy, Default)]
struct Held<Balance> {
	bond: Balance,
	/// The deposits of the member's own row and of the rows under it.
	deposit: Balance,
}

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Adds a member without rows to a space. Holds the bond that the space requires, and the
	/// deposit for the member's row, on its root.
	pub fn create(id: K::Id, mut space: SpaceInfoOf<T>, info: NewMember<T>) -> DispatchResult {
		Pallet::<T>::ensure_not_zero(&info.root)?;
		let members = K::members(&mut space);
		*members = members.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		let created = Pallet::<T>::mint_muid()?;
		let info = MemberInfoOf::<T, K::Counts> {
			space: info.space,
			root: info.root,
			root_since: created,
			nomination: None,
			max_held: info.max_held,
			bond: K::required_bond(&space.rules),
			own_deposit: own_deposit::<T, K>(),
			deposit: Zero::zero(),
			rows: K::Counts::default(),
			empty_since: Some(frame_system::Pallet::<T>::block_number()),
			governance_delete: false,
			suspended: false,
			purge: None,
			created,
		};
		Spaces::<T>::insert(info.space, space);
		let mut update = Update { member: Self { id, info }, settled: Held::default() };
		update.settle()?;
		let info = update.member.info;
		K::Map::insert(id, &info);
		Pallet::<T>::deposit_event(K::created(id, info.space, info.root.clone()));
		T::Observer::on_member_created(id.into(), info.space, &info.root);
		Ok(())
	}

	/// Changes the member: counts the rows that `change` adds and removes, holds or releases the
	/// difference of their deposits at once, and writes the member back.
	///
	/// Fails with [`Error::HeldLimitExceeded`] if more would be held than the root has agreed to,
	/// and with [`Error::ProviderUnderBonded`] or [`Error::TenantUnderBonded`] if rows are added to
	/// an under-bonded member.
	pub fn update<R>(
		self,
		change: impl FnOnce(&mut Update<T, K>) -> Result<R, DispatchError>,
	) -> Result<R, DispatchError> {
		let rows = self.rows();
		self.update_bonded(|update| {
			let result = change(update)?;
			if update.rows() > rows {
				update.ensure_bonded()?;
			}
			Ok(result)
		})
	}

	/// Does the same for a member whose bond the caller has checked, with
	/// [`ensure_bonded_by`](Self::ensure_bonded_by).
	pub fn update_bonded<R>(
		self,
		change: impl FnOnce(&mut Update<T, K>) -> Result<R, DispatchError>,
	) -> Result<R, DispatchError> {
		let (id, rows) = (self.id, self.rows());
		let settled = self.held();
		let mut update = Update { member: self, settled };
		let result = change(&mut update)?;
		update.settle()?;
		update.note_whether_empty(rows);
		K::Map::insert(id, update.member.info);
		Ok(result)
	}

	/// Checks that the bond is what the rules of the space require. Without it, no rows can be
	/// added.
	pub fn ensure_bonded_by(&self, rules: &SpaceRulesOf<T>) -> Result<(), Error<T>> {
		ensure!(self.info.bond >= K::required_bond(rules), K::UNDER_BONDED);
		Ok(())
	}

	fn held(&self) -> Held<BalanceOf<T>> {
		let info = &self.info;
		Held { bond: info.bond, deposit: info.own_deposit.saturating_add(info.deposit) }
	}

	/// Checks the same by the present rules of the space.
	pub fn ensure_bonded(&self) -> Result<(), Error<T>> {
		let space = Spaces::<T>::get(self.info.space).ok_or(Error::SpaceNotFound)?;
		self.ensure_bonded_by(&space.rules)
	}

	/// Changes the member a last time, releases all that is on hold for it, and removes it.
	pub fn close<R>(
		self,
		change: impl FnOnce(&mut Update<T, K>) -> Result<R, DispatchError>,
	) -> Result<R, DispatchError> {
		let settled = self.held();
		let mut update = Update { member: self, settled };
		let result = change(&mut update)?;
		update.give_up_deposits();
		update.settle()?;
		update.member.remove()?;
		Ok(result)
	}
}

/// A member to be created.
pub(crate) struct NewMember<T: Config> {
	pub space: content_fabric_identifiers::SpaceId,
	pub root: AccountIdOf<T>,
	pub max_held: BalanceOf<T>,
}

/// An account that is no longer a root.
pub(crate) struct FormerRoot<T: Config> {
	pub root: AccountIdOf<T>,
	/// Funds that the currency has refused to release. They stay on hold on the account.
	pub unreleased: BalanceOf<T>,
}

/// A member that is being changed. [`Member::update`] settles its funds and writes it back.
pub(crate) struct Update<T: Config, K: MemberKind<T>> {
	member: Member<T, K>,
	/// The funds that are on hold so far.
	settled: Held<BalanceOf<T>>,
}

impl<T: Config, K: MemberKind<T>> core::ops::Deref for Update<T, K> {
	type Target = Member<T, K>;

	fn deref(&self) -> &Member<T, K> {
		&self.member
	}
}

impl<T: Config, K: MemberKind<T>> Update<T, K> {
	/// Counts a row that is added in one of the maps, with its deposit.
	pub fn add_row(
		&mut self,
		count: fn(&mut K::Counts) -> &mut u32,
		deposit: BalanceOf<T>,
	) -> DispatchResult {
		let info = &mut self.member.info;
		ensure!(info.rows.rows() < u32::MAX, ArithmeticError::Overflow);
		let rows = count(&mut info.rows);
		*rows = rows.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		info.deposit = info.deposit.checked_add(&deposit).ok_or(ArithmeticError::Overflow)?;
		Ok(())
	}

	/// Subtracts a row that is removed from one of the maps, with its deposit.
	pub fn remove_row(
		&mut self,
		count: fn(&mut K::Counts) -> &mut u32,
		deposit: BalanceOf<T>,
	) -> DispatchResult {
		let info = &mut self.member.info;
		let rows = count(&mut info.rows);
		*rows = rows.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
		info.deposit = info.deposit.checked_sub(&deposit).ok_or(ArithmeticError::Underflow)?;
		Ok(())
	}

	/// Re-prices a row that has changed its size.
	pub fn reprice_row(&mut self, before: BalanceOf<T>, after: BalanceOf<T>) -> DispatchResult {
		let info = &mut self.member.info;
		let deposit = info.deposit.checked_sub(&before).ok_or(ArithmeticError::Underflow)?;
		info.deposit = deposit.checked_add(&after).ok_or(ArithmeticError::Overflow)?;
		Ok(())
	}

	/// Adds to the bond.
	pub fn add_bond(&mut self, amount: BalanceOf<T>) -> DispatchResult {
		let info = &mut self.member.info;
		info.bond = info.bond.checked_add(&amount).ok_or(ArithmeticError::Overflow)?;
		Ok(())
	}

	/// Slashes the bond by at most `amount`. Returns what was slashed.
	pub fn slash(&mut self, amount: BalanceOf<T>) -> BalanceOf<T> {
		let info = &mut self.member.info;
		let amount = amount.min(info.bond);
		info.bond = info.bond.saturating_sub(amount);
		self.settled.bond = info.bond;
		slash::<T>(K::BOND, &info.root, amount)
	}

	/// Sets the most that may be on hold.
	pub fn set_max_held(&mut self, max_held: BalanceOf<T>) -> Result<(), Error<T>> {
		self.member.info.max_held = max_held;
		self.ensure_within_limit()
	}

	/// Makes an account the root: holds bond and deposits on it, and releases them on the former
	/// root.
	pub fn set_root(
		&mut self,
		root: AccountIdOf<T>,
		max_held: BalanceOf<T>,
	) -> Result<FormerRoot<T>, DispatchError> {
		self.set_max_held(max_held)?;
		let held = self.member.held();
		hold::<T>(K::BOND, &root, held.bond)?;
		hold::<T>(HoldReason::StorageDeposit, &root, held.deposit)?;
		self.member.info.root_since = Pallet::<T>::mint_muid()?;
		let former = core::mem::replace(&mut self.member.info.root, root);
		let refused = release_held::<T>(K::BOND, &former, self.settled);
		self.settled = held;
		Ok(FormerRoot { root: former, unreleased: refused.bond.saturating_add(refused.deposit) })
	}

	pub fn nominate(&mut self, nomination: Option<Nomination<AccountIdOf<T>, BlockOf<T>>>) {
		self.member.info.nomination = nomination;
	}

	pub fn set_governance_delete(&mut self, enabled: bool) {
		self.member.info.governance_delete = enabled;
	}

	pub fn set_suspended(&mut self, enabled: bool) {
		self.member.info.suspended = enabled;
	}

	/// Closes the member to all changes of its rows, which a purge will remove. If the member
	/// itself is to be removed, sets its bond and all deposits to zero. Otherwise the deposits stay
	/// until the rows are gone: a root that got them back at once could fill the state again with
	/// the same funds, faster than rows are removed.
	pub fn close_for_purge(&mut self, scope: PurgeScope) {
		self.member.info.purge = Some(scope);
		if scope == PurgeScope::Member {
			self.give_up_deposits();
		}
	}

	fn give_up_deposits(&mut self) {
		let info = &mut self.member.info;
		(info.bond, info.own_deposit, info.deposit) = Default::default();
	}

	/// Sets the number of rows that a purge has left in each map.
	pub fn set_rows(&mut self, rows: K::Counts) {
		self.member.info.rows = rows;
	}

	/// Opens the member again after a purge has removed all its rows, and sets their deposits to
	/// zero.
	pub fn end_purge(&mut self) {
		self.member.info.purge = None;
		self.member.info.deposit = Zero::zero();
	}

	fn ensure_within_limit(&self) -> Result<(), Error<T>> {
		let Held { bond, deposit } = self.member.held();
		let total = bond.checked_add(&deposit);
		let within = total.is_some_and(|total| total <= self.member.info.max_held);
		ensure!(within, Error::HeldLimitExceeded);
		Ok(())
	}

	/// Holds or releases the difference between what the member records and what is on hold so far.
	///
	/// A deposit that the currency refuses to release stays on record, and is released with that
	/// for the member's own row.
	fn settle(&mut self) -> DispatchResult {
		let now = self.member.held();
		if now.bond > self.settled.bond || now.deposit > self.settled.deposit {
			self.ensure_within_limit()?;
		}
		let info = &mut self.member.info;
		hold::<T>(
			HoldReason::StorageDeposit,
			&info.root,
			now.deposit.saturating_sub(self.settled.deposit),
		)?;
		hold::<T>(K::BOND, &info.root, now.bond.saturating_sub(self.settled.bond))?;
		let released = Held {
			bond: self.settled.bond.saturating_sub(now.bond),
			deposit: self.settled.deposit.saturating_sub(now.deposit),
		};
		let refused = release_held::<T>(K::BOND, &info.root, released);
		if info.purge != Some(PurgeScope::Member) {
			info.own_deposit = info.own_deposit.saturating_add(refused.deposit);
		}
		self.settled = self.member.held();
		Ok(())
	}

	/// Records since when the member has been empty, if that has changed.
	fn note_whether_empty(&mut self, rows_before: u32) {
		let (rows, member) = (self.rows(), self.member_id());
		let info = &mut self.member.info;
		if rows > 0 {
			info.empty_since = None;
		} else if rows_before > 0 {
			info.empty_since = Some(frame_system::Pallet::<T>::block_number());
			Pallet::<T>::deposit_event(Event::MemberEmptied { member });
		}
	}
}

type BlockOf<T> = frame_system::pallet_prelude::BlockNumberFor<T>;

/// Releases a bond and deposits. Returns what the currency refuses to release.
///
/// An account without free funds cannot take back less than the existential deposit. A bond alone
/// can be less, so deposits are released first. They can be less as well, so refused ones are
/// released again after the bond.
fn release_held<T: Config>(
	bond: HoldReason,
	who: &AccountIdOf<T>,
	held: Held<BalanceOf<T>>,
) -> Held<BalanceOf<T>> {
	let deposit = release::<T>(HoldReason::StorageDeposit, who, held.deposit);
	let bond = release::<T>(bond, who, held.bond);
	Held { bond, deposit: release::<T>(HoldReason::StorageDeposit, who, deposit) }
}

/// Holds an amount on an account. Fails if the account does not have it free.
fn hold<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> DispatchResult {
	if amount.is_zero() {
		return Ok(());
	}
	T::Currency::hold(&reason.into(), who, amount)
}

/// Returns an amount, or what is left on hold if that is less. Other pallets can slash the hold.
/// They can also unreserve more than they have reserved, which leaves holds without funds. A
/// release of more than there is would fail, or lose what an account without free funds cannot take
/// back.
fn at_most_left<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> BalanceOf<T> {
	if amount.is_zero() {
		return amount;
	}
	let on_hold = T::Currency::balance_on_hold(&reason.into(), who);
	amount.min(on_hold).min(T::Currency::total_balance_on_hold(who))
}

/// Releases an amount, or as much of it as is left. An account that cannot take back its own funds
/// must not stop a row or a member from being removed. So a failure is logged, and the amount that
/// stays on hold is returned.
fn release<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> BalanceOf<T> {
	let amount = at_most_left::<T>(reason, who, amount);
	if amount.is_zero() {
		return amount;
	}
	match T::Currency::release(&reason.into(), who, amount, Precision::Exact) {
		Ok(_) => Zero::zero(),
		Err(error) => {
			log::error!(
				target: LOG_TARGET,
				"cannot release {amount:?} to {who:?}, so it stays on hold: {error:?}"
			);
			amount
		},
	}
}

/// Slashes an amount, or as much of it as is left on hold. Returns what was slashed.
fn slash<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> BalanceOf<T> {
	let amount = at_most_left::<T>(reason, who, amount);
	if amount.is_zero() {
		return amount;
	}
	let (credit, _) = T::Currency::slash(&reason.into(), who, amount);
	let slashed = credit.peek();
	T::Slash::on_unbalanced(credit);
	slashed
}
