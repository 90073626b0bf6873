//! The set of validators: the accounts that the council names and that have session keys.
//!
//! The council names them in `pallet-collator-selection`, whose invulnerables they are; nobody else
//! can be a candidate. A change is queued when the next session begins, and takes effect when the one
//! after that begins. An offender is disabled until validators or their keys change: it makes no
//! blocks, but its votes on finality count. The council keeps it out by removing it.

use alloc::{collections::BTreeMap, vec::Vec};

use frame_support::weights::Weight;
use pallet_session::historical;
use sp_runtime::{traits::Convert, Perbill};
use sp_staking::{
	offence::{OffenceDetails, OffenceSeverity, OnOffenceHandler},
	SessionIndex,
};

use crate::{configs::SessionsKept, AccountId, Historical, Runtime, Session, SessionKeys};

/// Changes the set of validators only where it differs from the active one, in its members or in
/// their keys: each change raises the id of GRANDPA's set, and lengthens the proof by which a new
/// node or a light client follows finality.
pub struct NamedValidators;

impl NamedValidators {
	/// Returns the named validators that have session keys, with these, in the order of their
	/// accounts. The list of names can have one twice, which must not have two votes.
	fn ready() -> BTreeMap<AccountId, SessionKeys> {
		pallet_collator_selection::Invulnerables::<Runtime>::get()
			.into_iter()
			.filter_map(|validator| Session::load_keys(&validator).map(|keys| (validator, keys)))
			.collect()
	}

	/// Returns the validators of a session, unless nobody could make blocks.
	fn unless_empty(validators: BTreeMap<AccountId, SessionKeys>) -> Option<Vec<AccountId>> {
		(!validators.is_empty()).then(|| validators.into_keys().collect())
	}
}

impl pallet_session::SessionManager<AccountId> for NamedValidators {
	/// A change of keys alone counts, too: the keys of a session are proven against the root that is
	/// made of the validators returned here.
	fn new_session(_: SessionIndex) -> Option<Vec<AccountId>> {
		// Those that were queued are active from this session on.
		let active: BTreeMap<_, _> =
			pallet_session::QueuedKeys::<Runtime>::get().into_iter().collect();
		let ready = Self::ready();
		if ready == active {
			return None;
		}
		Self::unless_empty(ready)
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
///
/// An offence of an earlier set has no consequence. The validator may have new keys since then, and
/// each of the many votes of that time could be reported by itself.
pub struct DisableOffenders;

impl OnOffenceHandler<AccountId, historical::IdentificationTuple<Runtime>, Weight>
	for DisableOffenders
{
	fn on_offence(
		offences: &[OffenceDetails<AccountId, historical::IdentificationTuple<Runtime>>],
		severities: &[Perbill],
		session: SessionIndex,
	) -> Weight {
		let db = <Runtime as frame_system::Config>::DbWeight::get();
		let before = pallet_grandpa::CurrentSetId::<Runtime>::get().checked_sub(1);
		let last_before = before.and_then(pallet_grandpa::SetIdSession::<Runtime>::get);
		if last_before.is_some_and(|last| session <= last) {
			return db.reads(2);
		}
		for (OffenceDetails { offender: (validator, ()), .. }, severity) in
			offences.iter().zip(severities)
		{
			Session::report_offence(validator.clone(), OffenceSeverity(*severity));
		}
		// The validators, those disabled, and the latter again.
		let weight = db.reads_writes(2, 1).saturating_mul(offences.len() as u64);
		weight.saturating_add(db.reads(2))
	}
}
