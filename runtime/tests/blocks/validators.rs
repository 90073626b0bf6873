// SPDX-License-Identifier: Apache-2.0
//! Validators: changes by the council, and the disabling of those that vote twice.

use codec::{Decode, Encode};
use content_fabric_runtime::{
	configs::SessionPeriod, AccountId, CollatorSelection, Executive, Grandpa, Hash, Runtime,
	RuntimeCall, Session, SessionKeys, UncheckedExtrinsic,
};
use finality_grandpa::Precommit;
use frame_support::{assert_noop, assert_ok};
use sp_consensus_grandpa::{
	localized_payload, runtime_decl_for_grandpa_api::GrandpaApiV3, AuthorityId, Equivocation,
	EquivocationProof,
};
use sp_core::{
	offchain::{testing::TestTransactionPoolExt, TransactionPoolExt},
	H256,
};
use sp_keyring::{
	Ed25519Keyring,
	Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Eve},
};
use sp_keystore::{testing::MemoryKeystore, KeystoreExt};
use sp_runtime::{
	traits::{BadOrigin, Dispatchable},
	transaction_validity::InvalidTransaction,
	DispatchError,
};

use crate::{chain::*, council::council};

/// Blocks of a session in these tests.
const PERIOD: u32 = 10;

/// A chain with the validators Alice to Dave, and short sessions.
fn chain() -> Chain {
	let mut chain = Chain::with_validators(&[Alice, Bob, Charlie, Dave]);
	chain.run(|| SessionPeriod::set(&PERIOD));
	chain.state.register_extension(KeystoreExt::new(MemoryKeystore::new()));
	chain
}

fn accounts(keys: &[Sr25519Keyring]) -> Vec<AccountId> {
	let mut accounts: Vec<_> = keys.iter().copied().map(account).collect();
	accounts.sort();
	accounts
}

/// Makes blocks until the session changes this many times.
fn sessions(chain: &mut Chain, count: u32) {
	let index = chain.run(Session::current_index) + count;
	while chain.run(Session::current_index) < index {
		chain.block(|| ());
	}
}

/// Registers new session keys.
fn register(validator: Sr25519Keyring) -> SessionKeys {
	let owner = account(validator);
	let generated = SessionKeys::generate(&owner.encode(), None);
	let (keys, proof) = (generated.keys, generated.proof.encode());
	assert_ok!(Session::set_keys(signed(validator), keys.clone(), proof));
	keys
}

fn set_id() -> u64 {
	pallet_grandpa::CurrentSetId::<Runtime>::get()
}

fn authors() -> usize {
	pallet_aura::Authorities::<Runtime>::get().len()
}

/// Returns the active validators, the number of those that make blocks, and the id of the set of
/// voters.
fn state(chain: &mut Chain) -> (Vec<AccountId>, usize, u64) {
	chain.run(|| (Session::validators(), authors(), set_id()))
}

#[test]
fn validators_of_a_genesis_make_blocks_and_vote_on_finality() {
	chain().run(|| {
		assert_eq!(Session::validators(), accounts(&[Alice, Bob, Charlie, Dave]));
		assert_eq!(authors(), 4);
		let voters: Vec<_> =
			Grandpa::grandpa_authorities().into_iter().map(|(key, _)| key).collect();
		for key in [Ed25519Keyring::Alice, Ed25519Keyring::Dave] {
			assert!(voters.contains(&key.public().into()), "{key:?}");
		}
		assert_eq!(voters.len(), 4);
	});
}

#[test]
fn a_named_validator_is_active_from_the_second_session_change() {
	let mut chain = chain();
	chain.block(|| {
		register(Eve);
		assert_ok!(CollatorSelection::add_invulnerable(council(3, 5), account(Eve)));
	});
	let (four, five) =
		(accounts(&[Alice, Bob, Charlie, Dave]), accounts(&[Alice, Bob, Charlie, Dave, Eve]));
	sessions(&mut chain, 1);
	assert_eq!(state(&mut chain), (four, 4, 0));
	sessions(&mut chain, 1);
	assert_eq!(state(&mut chain), (five.clone(), 5, 1));

	// So does one that it no longer names.
	chain.block(|| {
		assert_ok!(CollatorSelection::remove_invulnerable(council(3, 5), account(Alice)));
	});
	sessions(&mut chain, 1);
	assert_eq!(state(&mut chain), (five, 5, 1));
	sessions(&mut chain, 1);
	let four = accounts(&[Bob, Charlie, Dave, Eve]);
	assert_eq!(state(&mut chain), (four, 4, 2));
	sessions(&mut chain, 3);
	assert_eq!(chain.run(set_id), 2);
}

#[test]
fn new_keys_are_active_from_the_second_session_change() {
	let mut chain = chain();
	let keys = chain.block(|| register(Bob));
	let votes = |keys: &SessionKeys| {
		Grandpa::grandpa_authorities().iter().any(|(voter, _)| *voter == keys.grandpa)
	};
	sessions(&mut chain, 1);
	assert!(!chain.run(|| votes(&keys)));
	sessions(&mut chain, 1);
	assert!(chain.run(|| votes(&keys)));
	assert_eq!(chain.run(|| (authors(), set_id())), (4, 1));
}

#[test]
fn a_validator_that_is_named_twice_votes_once() {
	let mut chain = chain();
	chain.block(|| {
		let names = [Alice, Bob, Charlie, Charlie].map(account);
		assert_ok!(CollatorSelection::set_invulnerables(council(3, 5), names.into()));
	});
	sessions(&mut chain, 2);
	assert_eq!(
		chain.run(|| (Session::validators(), authors(), Grandpa::grandpa_authorities().len())),
		(accounts(&[Alice, Bob, Charlie]), 3, 3)
	);
}

#[test]
fn the_council_alone_names_validators() {
	let mut chain = chain();
	chain.block(|| {
		register(Eve);
		let eve = account(Eve);
		for origin in [signed(Eve), council(2, 5)] {
			assert_noop!(
				CollatorSelection::add_invulnerable(origin.clone(), eve.clone()),
				BadOrigin
			);
			assert_noop!(CollatorSelection::remove_invulnerable(origin, account(Bob)), BadOrigin);
		}
		assert!(CollatorSelection::register_as_candidate(signed(Eve)).is_err());
	});
	sessions(&mut chain, 2);
	assert_eq!(chain.run(Session::validators), accounts(&[Alice, Bob, Charlie, Dave]));
}

#[test]
fn a_validator_without_keys_is_left_out() {
	let mut chain = chain();
	chain.block(|| {
		// Whoever has no keys cannot be added one by one.
		let error: DispatchError =
			pallet_collator_selection::Error::<Runtime>::ValidatorNotRegistered.into();
		let added = CollatorSelection::add_invulnerable(council(3, 5), account(Eve));
		assert_eq!(added.map(|_| ()).map_err(|failed| failed.error), Err(error));
		assert_ok!(Session::purge_keys(signed(Dave)));
	});
	sessions(&mut chain, 2);
	assert_eq!(
		chain.run(|| (Session::validators(), authors())),
		(accounts(&[Alice, Bob, Charlie]), 3)
	);
}

#[test]
fn an_empty_list_of_validators_is_ignored() {
	let mut chain = chain();
	chain.block(|| {
		pallet_collator_selection::Invulnerables::<Runtime>::kill();
	});
	sessions(&mut chain, 3);
	assert_eq!(chain.run(|| (authors(), set_id())), (4, 0));
}

#[test]
fn a_proof_for_another_validator_is_rejected() {
	let mut chain = chain();
	chain.block(|| {
		let generated = SessionKeys::generate(&account(Eve).encode(), None);
		let (keys, proof) = (generated.keys, generated.proof.encode());
		// The proof names its owner.
		assert_noop!(
			Session::set_keys(signed(Bob), keys.clone(), proof.clone()),
			pallet_session::Error::<Runtime>::InvalidProof
		);
		assert_ok!(Session::set_keys(signed(Eve), keys, proof));
	});
}

#[test]
fn without_any_keys_blocks_go_on_until_the_council_names_others() {
	let mut chain = chain();
	chain.block(|| {
		for validator in [Alice, Bob, Charlie, Dave] {
			assert_ok!(Session::purge_keys(signed(validator)));
		}
	});
	sessions(&mut chain, 3);
	assert_eq!(chain.run(|| (Session::validators().len(), authors(), set_id())), (0, 4, 0));

	// An upgrade in the meantime does not begin the sessions anew.
	chain.run(|| {
		let last = frame_system::LastRuntimeUpgradeInfo {
			spec_version: 2.into(),
			spec_name: "content-fabric".into(),
		};
		frame_system::LastRuntimeUpgrade::<Runtime>::put(last);
	});
	for _ in 0..3 {
		chain.measured_block(|| ());
	}
	assert_eq!(chain.run(Session::validators), []);

	chain.block(|| {
		register(Eve);
		assert_ok!(CollatorSelection::set_invulnerables(council(3, 5), vec![account(Eve)]));
	});
	sessions(&mut chain, 2);
	assert_eq!(state(&mut chain), (accounts(&[Eve]), 1, 1));
}

/// Returns the extrinsic with which a node reports that a validator voted for two blocks.
fn report(chain: &mut Chain, offender: Ed25519Keyring, round: u64) -> UncheckedExtrinsic {
	let (pool, submitted) = TestTransactionPoolExt::new();
	chain.state.register_extension(TransactionPoolExt::new(pool));
	chain.run(|| {
		let vote = |byte| {
			let vote = Precommit { target_hash: H256([byte; 32]), target_number: 3 };
			let message = finality_grandpa::Message::<Hash, u32>::Precommit(vote.clone());
			(vote, offender.sign(&localized_payload(round, set_id(), &message)).into())
		};
		let identity = AuthorityId::from(offender.public());
		let (first, second) = (vote(1), vote(2));
		let equivocation = finality_grandpa::Equivocation {
			round_number: round,
			identity: identity.clone(),
			first,
			second,
		};
		let proof = EquivocationProof::new(set_id(), Equivocation::Precommit(equivocation));
		let ownership = Runtime::generate_key_ownership_proof(set_id(), identity);
		let ownership = ownership.expect("the validator is active").decode();
		let ownership = ownership.expect("the proof is of the type of the chain");
		assert_eq!(Grandpa::submit_unsigned_equivocation_report(proof, ownership), Some(()));
	});
	let report = submitted.write().transactions.pop().expect("the report was submitted");
	Decode::decode(&mut &report[..]).expect("the report is an extrinsic")
}

fn disabled() -> Vec<AccountId> {
	let validators = Session::validators();
	let index = |index: u32| validators[index as usize].clone();
	Session::disabled_validators().into_iter().map(index).collect()
}

/// Makes the next block that a validator makes that is not disabled.
fn enabled_block(chain: &mut Chain, body: impl FnOnce()) {
	let disabled = chain.run(Session::disabled_validators);
	let authors = chain.run(authors) as u32;
	let blocked = |slot: u32| disabled.contains(&(slot % authors));
	let mut passed = 0;
	while blocked(chain.number + 1 + passed) {
		passed += 1;
	}
	chain.pass(passed);
	chain.block(body);
}

/// Makes such blocks until the session changes this many times.
fn enabled_sessions(chain: &mut Chain, count: u32) {
	let index = chain.run(Session::current_index) + count;
	while chain.run(Session::current_index) < index {
		enabled_block(chain, || ());
	}
}

#[test]
fn a_validator_that_votes_for_two_blocks_is_disabled_until_the_council_puts_it_back() {
	let mut chain = chain();
	chain.block(|| ());
	let first = report(&mut chain, Ed25519Keyring::Bob, 7);
	chain.block(|| {
		assert_ok!(Executive::apply_extrinsic(first.clone()).expect("the report is valid"));
		assert_eq!(disabled(), [account(Bob)]);
	});
	// It is reported once.
	enabled_block(&mut chain, || {
		assert!(Executive::apply_extrinsic(first).is_err());
	});
	// No more than a third is disabled, or the chain would stop.
	let second = report(&mut chain, Ed25519Keyring::Charlie, 8);
	enabled_block(&mut chain, || {
		assert_ok!(Executive::apply_extrinsic(second).expect("the report is valid"));
		assert_eq!(disabled(), [account(Bob)]);
	});
	// Sessions alone do not reinstate it.
	enabled_sessions(&mut chain, 3);
	assert_eq!(chain.run(disabled), [account(Bob)]);

	enabled_block(&mut chain, || {
		assert_ok!(CollatorSelection::remove_invulnerable(council(3, 5), account(Bob)));
	});
	enabled_sessions(&mut chain, 2);
	assert_eq!(chain.run(Session::validators), accounts(&[Alice, Charlie, Dave]));
	chain.block(|| {
		assert_ok!(CollatorSelection::add_invulnerable(council(3, 5), account(Bob)));
	});
	sessions(&mut chain, 2);
	assert_eq!(chain.run(|| (authors(), disabled())), (4, Vec::new()));
}

#[test]
fn offences_of_an_earlier_set_disable_nobody() {
	let mut chain = chain();
	chain.block(|| ());
	let early = report(&mut chain, Ed25519Keyring::Bob, 7);
	chain.block(|| {
		register(Bob);
	});
	sessions(&mut chain, 2);
	assert_eq!(chain.run(set_id), 1);
	chain.block(|| {
		let refused = Executive::apply_extrinsic(early);
		assert_eq!(refused, Err(InvalidTransaction::BadProof.into()));
		assert_eq!(disabled(), []);
		let old = AuthorityId::from(Ed25519Keyring::Bob.public());
		assert_eq!(Runtime::generate_key_ownership_proof(0, old.clone()), None);
		assert_eq!(Runtime::generate_key_ownership_proof(1, old), None);
	});
}

#[test]
fn an_offender_does_not_escape_by_new_keys() {
	let mut chain = chain();
	chain.block(|| {
		register(Bob);
	});
	let late = report(&mut chain, Ed25519Keyring::Bob, 7);
	// Nor do the keys of another validator between the report and its block.
	chain.block(|| {
		register(Charlie);
		assert_ok!(Executive::apply_extrinsic(late).expect("the report is valid"));
		assert_eq!(disabled(), [account(Bob)]);
	});
}

#[test]
fn a_report_of_the_session_before_counts() {
	let mut chain = chain();
	let before = report(&mut chain, Ed25519Keyring::Bob, 7);
	sessions(&mut chain, 1);
	chain.block(|| {
		assert_ok!(Executive::apply_extrinsic(before).expect("the report is valid"));
		assert_eq!(disabled(), [account(Bob)]);
	});
}

#[test]
fn reports_with_a_signature_are_refused() {
	let mut chain = chain();
	let report = report(&mut chain, Ed25519Keyring::Bob, 7);
	let RuntimeCall::Grandpa(pallet_grandpa::Call::report_equivocation_unsigned {
		equivocation_proof,
		key_owner_proof,
	}) = report.function
	else {
		panic!("nodes report equivocations")
	};
	chain.block(|| {
		let call =
			pallet_grandpa::Call::report_equivocation { equivocation_proof, key_owner_proof };
		let refused = RuntimeCall::Grandpa(call).dispatch(signed(Alice));
		let filtered = frame_system::Error::<Runtime>::CallFiltered;
		assert_eq!(refused.map_err(|failed| failed.error), Err(filtered.into()));
		assert_eq!(disabled(), []);
	});
}
