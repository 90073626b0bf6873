// SPDX-License-Identifier: Apache-2.0
//! The set of validators: the accounts that the council names and that have session keys.
//!
//! The council names them in `pallet-collator-selection`, whose invulnerables they are; nobody else
//! can be a candidate. A change is queued when the next session begins, and takes effect when the
//! one after that begins. An offender is disabled until validators or their keys change: it makes
//! no blocks, but its votes on finality count. The council keeps it out by removing it.

use alloc::{collections::BTreeMap, vec::Vec};

use frame_support::{traits::KeyOwnerProofSystem, weights::Weight};
use sp_consensus_grandpa::{AuthorityId, KEY_TYPE};
use sp_core::crypto::KeyTypeId;
use sp_runtime::Perbill;
use sp_session::MembershipProof;
use sp_staking::{
	offence::{OffenceDetails, OffenceSeverity, OnOffenceHandler},
	SessionIndex,
};

use crate::{AccountId, Grandpa, Runtime, Session, SessionKeys};

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
	/// A change of keys alone counts, too.
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

	fn start_session(_: SessionIndex) {}

	fn end_session(_: SessionIndex) {}
}

/// Finds the validator that votes on finality with a key, for reports of equivocations.
///
/// The chain has the active keys, so that a proof has nothing but the session in which it was made.
/// `pallet-session` would prove by registered keys, which may be new ones that vote later: an
/// offender could escape by registering others.
pub struct ActiveVoters;

impl ActiveVoters {
	/// Returns the validator with this key. While a change of the voters is pending, they differ
	/// from the session's.
	fn owner((kind, key): (KeyTypeId, AuthorityId)) -> Option<AccountId> {
		let (voters, validators) = (Grandpa::grandpa_authorities(), Session::validators());
		let aligned = Grandpa::pending_change().is_none() && voters.len() == validators.len();
		if kind != KEY_TYPE || !aligned {
			return None;
		}
		let position = voters.iter().position(|(voter, _)| *voter == key)?;
		validators.into_iter().nth(position)
	}

	/// Returns whether the active voters belong to a session. An offence of earlier ones has no
	/// consequence. The validator may have new keys since then, and each of the many votes of that
	/// time could be reported by itself.
	fn voted_in(session: SessionIndex) -> bool {
		let before = pallet_grandpa::CurrentSetId::<Runtime>::get().checked_sub(1);
		let last_before = before.and_then(pallet_grandpa::SetIdSession::<Runtime>::get);
		last_before.is_none_or(|last| session > last) && session <= Session::current_index()
	}

	fn proof() -> MembershipProof {
		MembershipProof {
			session: Session::current_index(),
			trie_nodes: Vec::new(),
			validator_count: Session::validators().len() as u32,
		}
	}
}

impl KeyOwnerProofSystem<(KeyTypeId, AuthorityId)> for ActiveVoters {
	type Proof = MembershipProof;
	type IdentificationTuple = AccountId;

	fn prove(key: (KeyTypeId, AuthorityId)) -> Option<MembershipProof> {
		Self::owner(key).map(|_| Self::proof())
	}

	fn check_proof(key: (KeyTypeId, AuthorityId), proof: MembershipProof) -> Option<AccountId> {
		let MembershipProof { session, .. } = proof;
		let expected = MembershipProof { session, ..Self::proof() };
		(Self::voted_in(session) && proof == expected).then(|| Self::owner(key)).flatten()
	}
}

/// Disables validators whose offence was proven.
pub struct DisableOffenders;

impl OnOffenceHandler<AccountId, AccountId, Weight> for DisableOffenders {
	fn on_offence(
		offences: &[OffenceDetails<AccountId, AccountId>],
		severities: &[Perbill],
		_: SessionIndex,
	) -> Weight {
		for (offence, severity) in offences.iter().zip(severities) {
			Session::report_offence(offence.offender.clone(), OffenceSeverity(*severity));
		}
		// The validators, those disabled, and the latter again.
		let db = <Runtime as frame_system::Config>::DbWeight::get();
		db.reads_writes(2, 1).saturating_mul(offences.len() as u64)
	}
}
