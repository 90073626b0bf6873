//! Funds on hold: the bonds of members, and a deposit for every row under them.
//!
//! Holds of one reason pool on an account, which may be the depositor of several members. So no more
//! is ever released or slashed than what the member in question has recorded, and what is recorded
//! is what was held, whatever the parameters are by now.

use codec::MaxEncodedLen;
use frame_support::{
	pallet_prelude::{DispatchResult, Get},
	traits::{
		fungible::{BalancedHold, MutateHold},
		tokens::Precision,
		Imbalance, OnUnbalanced,
	},
};
use sp_runtime::traits::{Saturating, Zero};

use crate::{types::AccountIdOf, BalanceOf, Config, HoldReason};

/// Bytes of a row's storage key before its own keys: the hashed names of the pallet and the map.
const MAP_PREFIX_LEN: usize = 32;
/// Bytes of the hash in front of every key.
const KEY_HASH_LEN: usize = 16;

/// Bytes of the storage key of a row whose own keys have these lengths.
pub(crate) fn storage_key_len(keys: &[usize]) -> usize {
	MAP_PREFIX_LEN + keys.iter().map(|len| KEY_HASH_LEN + len).sum::<usize>()
}

/// The deposit for a row: a base, and an amount for each byte that it has in state, storage key and
/// value. `keys` and `value` are lengths.
pub(crate) fn row_deposit<T: Config>(keys: &[usize], value: usize) -> BalanceOf<T> {
	let bytes = storage_key_len(keys) + value;
	let bytes = BalanceOf::<T>::from(u32::try_from(bytes).unwrap_or(u32::MAX));
	T::DepositBase::get().saturating_add(T::DepositPerByte::get().saturating_mul(bytes))
}

/// Bytes of a key that is an account.
pub(crate) fn account_len<T: Config>() -> usize {
	AccountIdOf::<T>::max_encoded_len()
}

/// Holds an amount on an account. Fails if the account does not have it free.
pub(crate) fn hold<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> DispatchResult {
	if amount.is_zero() {
		return Ok(());
	}
	T::Currency::hold(&reason.into(), who, amount)
}

/// Releases an amount, or as much of it as there is left on hold: somebody outside this pallet may
/// have slashed the account.
pub(crate) fn release<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> DispatchResult {
	if !amount.is_zero() {
		T::Currency::release(&reason.into(), who, amount, Precision::BestEffort)?;
	}
	Ok(())
}

/// Releases an amount where something goes, or somebody else takes over. An account that cannot take
/// what is its own must not stand in the way of that, so then the log says so.
pub(crate) fn release_on_exit<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) {
	if let Err(error) = release::<T>(reason, who, amount) {
		log::error!(
			target: crate::LOG_TARGET,
			"{amount:?} could not be released to {who:?}, what is left of it stays on hold: {error:?}"
		);
	}
}

/// Slashes an amount, or as much of it as there is left on hold. Returns what was slashed.
pub(crate) fn slash<T: Config>(
	reason: HoldReason,
	who: &AccountIdOf<T>,
	amount: BalanceOf<T>,
) -> BalanceOf<T> {
	if amount.is_zero() {
		return amount;
	}
	let (credit, _) = T::Currency::slash(&reason.into(), who, amount);
	let slashed = credit.peek();
	T::Slash::on_unbalanced(credit);
	slashed
}
