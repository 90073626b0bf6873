// SPDX-License-Identifier: Apache-2.0
//! The migrations of this runtime's own state.

use alloc::vec::Vec;

use frame_support::{traits::OnRuntimeUpgrade, weights::Weight, BoundedVec};
use sp_runtime::traits::OpaqueKeys;

use crate::{AccountId, Grandpa, Runtime, SessionKeys, System};

/// Begins sessions on a chain that had none: its authorities, which were named in its genesis and
/// could not change, become the validators that the council names. The account of a validator is
/// that of its Aura key. A chain that has validators is left alone.
pub struct BeginSessions;

impl OnRuntimeUpgrade for BeginSessions {
	fn on_runtime_upgrade() -> Weight {
		let db = <Runtime as frame_system::Config>::DbWeight::get();
		// If all validators have removed their keys, their list is empty, too.
		let is_begun = pallet_session::CurrentIndex::<Runtime>::get() > 0;
		if is_begun || !pallet_session::Validators::<Runtime>::get().is_empty() {
			return db.reads(2);
		}
		let validators = authorities();
		for (validator, keys) in &validators {
			pallet_session::NextKeys::<Runtime>::insert(validator, keys);
			for kind in SessionKeys::key_ids() {
				let key = (*kind, keys.get_raw(*kind).to_vec());
				pallet_session::KeyOwner::<Runtime>::insert(key, validator);
			}
			// The keys hold on to the account, as those of a genesis do.
			if System::inc_consumers_without_limit(validator).is_err() {
				System::inc_providers(validator);
			}
		}
		let mut accounts: Vec<AccountId> =
			validators.iter().map(|(validator, _)| validator.clone()).collect();
		pallet_session::Validators::<Runtime>::put(&accounts);
		pallet_session::QueuedKeys::<Runtime>::put(&validators);
		accounts.sort();
		pallet_collator_selection::Invulnerables::<Runtime>::put(BoundedVec::truncate_from(
			accounts,
		));
		let set = pallet_grandpa::CurrentSetId::<Runtime>::get();
		pallet_grandpa::SetIdSession::<Runtime>::insert(set, 0);

		let rows = 4 * validators.len() as u64;
		db.reads_writes(6 + rows, 4 + rows)
	}
}

/// Returns the authorities with their keys. Those of Aura and of GRANDPA stood in the same order
/// in every genesis.
fn authorities() -> Vec<(AccountId, SessionKeys)> {
	let aura = pallet_aura::Authorities::<Runtime>::get();
	let grandpa = Grandpa::grandpa_authorities();
	aura.into_iter()
		.zip(grandpa)
		.map(|(aura, (grandpa, _))| {
			let account: [u8; 32] = aura.clone().into_inner().0;
			(account.into(), SessionKeys { aura, grandpa })
		})
		.collect()
}
