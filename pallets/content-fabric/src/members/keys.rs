// SPDX-License-Identifier: Apache-2.0
//! Access keys: the levels of accounts other than the root.

use codec::{Encode, MaxEncodedLen};
use frame_support::{ensure, pallet_prelude::DispatchResult, storage::StorageDoubleMap};
use sp_runtime::{traits::Zero, DispatchError};

use super::{row_deposit, KeyOf, Member, MemberKind, Update, ID_LEN};
use crate::{types::AccountIdOf, Config, Error, KeyInfo, Pallet};

impl<T: Config> Pallet<T> {
	/// Gives an account an access key with a level, or revokes its access key.
	pub(crate) fn do_set_key<K: MemberKind<T>>(
		(who, member): (AccountIdOf<T>, Member<T, K>),
		account: AccountIdOf<T>,
		level: Option<K::Level>,
	) -> DispatchResult {
		let may = |own| K::can_set_level(own, member.level(&account), level);
		ensure!(member.level(&who).is_some_and(may), Error::<T>::NoPermission);
		Self::set_key(member, account, level)
	}

	/// Gives or revokes an access key without checking for permission.
	pub(crate) fn set_key<K: MemberKind<T>>(
		member: Member<T, K>,
		account: AccountIdOf<T>,
		level: Option<K::Level>,
	) -> DispatchResult {
		let id = member.id;
		match level {
			Some(level) => member.update(|member| member.put_key(&account, level))?,
			None => {
				let removed = member.update(|member| member.remove_key(&account))?;
				ensure!(removed, Error::<T>::KeyNotFound);
			},
		}
		Self::deposit_event(K::key_set(id, account, level));
		Ok(())
	}
}

impl<T: Config, K: MemberKind<T>> Update<T, K> {
	/// Gives an account an access key, or another level.
	fn put_key(&mut self, account: &AccountIdOf<T>, level: K::Level) -> DispatchResult {
		Pallet::<T>::ensure_not_zero(account)?;
		let granted = Pallet::<T>::mint_muid()?;
		let mut key = KeyInfo { level, granted, deposit: Zero::zero() };
		match self.key(account) {
			// All levels have the same size, so the deposit stays.
			Some(before) => key.deposit = before.deposit,
			None => {
				key.deposit = key_deposit::<T, K>(&key);
				self.add_row(K::keys, key.deposit)?;
			},
		}
		K::Keys::insert(self.id, account, key);
		Ok(())
	}

	/// Removes the access key of an account. Returns whether it had one.
	pub(super) fn remove_key(&mut self, account: &AccountIdOf<T>) -> Result<bool, DispatchError> {
		let Some(key) = self.key(account) else { return Ok(false) };
		K::Keys::remove(self.id, account);
		self.remove_row(K::keys, key.deposit)?;
		Ok(true)
	}
}

fn key_deposit<T: Config, K: MemberKind<T>>(key: &KeyOf<T, K>) -> crate::BalanceOf<T> {
	row_deposit::<T>(&[ID_LEN, AccountIdOf::<T>::max_encoded_len()], key.encoded_size())
}
