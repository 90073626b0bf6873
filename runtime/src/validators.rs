//! Who makes and finalizes blocks: the validators that the council names, as far as they have
//! session keys.
//!
//! The council names them in `pallet-collator-selection`, whose invulnerables they are; nobody else
//! can be a candidate. A change is queued when the next session begins, and sits when the one after
//! that begins. An offender is disabled until the set changes: it makes no blocks, but its votes on
//! finality count. The council reinstates it by taking it out of the set and putting it back.

use alloc::vec::Vec;

use frame_support::weights::Weight;
use pallet_session::historical;
use sp_runtime::{traits::Convert, Perbill};
use sp_staking::{
	offence::{OffenceDetails, OffenceSeverity, OnOffenceHandler},
	SessionIndex,
};

use crate::{configs::SessionsKept, AccountId, Historical, Runtime, Session};

/// Changes the set of validators only where it differs from the one that sits: each change raises
/// the id of GRANDPA's set, and lengthens the proof by which a new node or a light client follows
/// finality.
pub struct NamedValidators;

impl NamedValidators {
	/// Returns the named validators that have session keys, in the order of their accounts.
	fn ready() -> Vec<AccountId> {
		pallet_collator_selection::Invulnerables::<Runtime>::get()
			.into_iter()
			.filter(|validator| Session::load_keys(validator).is_some())
			.collect()
	}

	/// Returns the validators of a session, unless nobody could make blocks.
	fn unless_empty(validators: Vec<AccountId>) -> Option<Vec<AccountId>> {
		(!validators.is_empty()).then_some(validators)
	}
}

impl pallet_session::SessionManager<AccountId> for NamedValidators {
	fn new_session(_: SessionIndex) -> Option<Vec<AccountId>> {
		// On a chain that once had no sessions, those of its genesis sit in another order.
		let mut sitting = Session::validators();
		sitting.sort();
		Self::unless_empty(Self::ready()).filter(|ready| *ready != sitting)
	}

	fn new_session_genesis(_: SessionIndex) -> Option<Vec<AccountId>> {
		Self::unless_empty(Self::ready())
	}

	fn start_session(index: SessionIndex) {
		Historical::prune_up_to(index.saturating_sub(SessionsKept::get()));
	}

	fn end_session(_: SessionIndex) {}
}

/// Identifies a validator by its account, and by nothing else.
pub struct AccountAlone;

impl Convert<AccountId, Option<()>> for AccountAlone {
	fn convert(_: AccountId) -> Option<()> {
		Some(())
	}
}

fn identified(validators: Vec<AccountId>) -> Vec<(AccountId, ())> {
	validators.into_iter().map(|validator| (validator, ())).collect()
}

impl historical::SessionManager<AccountId, ()> for NamedValidators {
	fn new_session(index: SessionIndex) -> Option<Vec<(AccountId, ())>> {
		<Self as pallet_session::SessionManager<_>>::new_session(index).map(identified)
	}

	fn new_session_genesis(index: SessionIndex) -> Option<Vec<(AccountId, ())>> {
		<Self as pallet_session::SessionManager<_>>::new_session_genesis(index).map(identified)
	}

	fn start_session(index: SessionIndex) {
		<Self as pallet_session::SessionManager<_>>::start_session(index);
	}

	fn end_session(index: SessionIndex) {
		<Self as pallet_session::SessionManager<_>>::end_session(index);
	}
}

/// Disables validators whose offence was proven.
pub struct DisableOffenders;

impl OnOffenceHandler<AccountId, historical::IdentificationTuple<Runtime>, Weight>
	for DisableOffenders
{
	fn on_offence(
		offences: &[OffenceDetails<AccountId, historical::IdentificationTuple<Runtime>>],
		severities: &[Perbill],
		_: SessionIndex,
	) -> Weight {
		for (OffenceDetails { offender: (validator, ()), .. }, severity) in
			offences.iter().zip(severities)
		{
			Session::report_offence(validator.clone(), OffenceSeverity(*severity));
		}
		// The validators, those disabled, and the latter again.
		let weight = <Runtime as frame_system::Config>::DbWeight::get().reads_writes(2, 1);
		weight.saturating_mul(offences.len() as u64)
	}
}
