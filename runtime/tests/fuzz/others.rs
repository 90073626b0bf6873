// SPDX-License-Identifier: Apache-2.0
//! Calls of other pallets that can interfere with the fabric: they move funds, change proxies,
//! pause calls, change the council, and fill blocks.

use codec::{Decode, Encode};
use content_fabric_runtime::{
	configs::{BlockWeights, CouncilCollective, ProxyType},
	units::{MILLIUNIT, UNIT},
	AccountId, Proxy, Runtime, RuntimeCall, System,
};
use frame_support::{dispatch::DispatchClass, traits::GetCallName, weights::Weight};
use pallet_content_fabric::{fuzzing::Draws, Call as Fabric};
use sp_core::H256;
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie, Dave, Eve};

use crate::{
	accounts::{self, Accounts, Origin},
	fabric, motions,
};

/// Returns a call, and who makes it.
pub fn call(draws: &mut Draws, accounts: &Accounts) -> (Origin, RuntimeCall) {
	let account = accounts.pick(draws);
	match draws.below(100) {
		0..34 => funds(draws, accounts, account),
		34..54 => proxies(draws, accounts, account),
		54..60 => multisigs(draws, accounts),
		60..76 => council(draws, accounts, account),
		76..84 => brakes(draws),
		84..88 => validators(draws, account),
		88..94 => weights(draws),
		94..97 => (Origin::Account(account), sudo(draws, accounts)),
		_ => if_else(draws, accounts),
	}
}

fn funds(draws: &mut Draws, accounts: &Accounts, account: AccountId) -> (Origin, RuntimeCall) {
	use pallet_balances::Call;
	let dest = accounts.pick(draws).into();
	let value = draws.pick(&[0, 1, MILLIUNIT, UNIT, 100 * UNIT, 10_000 * UNIT, u128::MAX]);
	let keep_alive = draws.percent(50);
	let call = match draws.below(16) {
		0..3 => Call::transfer_allow_death { dest, value },
		3..5 => Call::transfer_keep_alive { dest, value },
		5 => Call::transfer_all { dest, keep_alive },
		7 => Call::burn { value: value.min(10_000 * UNIT), keep_alive },
		8 => Call::upgrade_accounts { who: vec![account.clone()] },
		10 => Call::force_transfer { source: account.clone().into(), dest, value },
		// Funds for accounts that have lost theirs.
		_ => {
			let funds = [0, MILLIUNIT, 200 * UNIT];
			let new_free = if draws.once_in(6) { draws.pick(&funds) } else { 1_000_000 * UNIT };
			let poorest =
				accounts.all.iter().min_by_key(|account| System::account(*account).data.free);
			let who = if new_free > 200 * UNIT { poorest.cloned() } else { None };
			Call::force_set_balance { who: who.unwrap_or(account.clone()).into(), new_free }
		},
	};
	let is_forced = matches!(call, Call::force_transfer { .. } | Call::force_set_balance { .. });
	let origin = if is_forced { Origin::Root } else { Origin::Account(account) };
	(origin, call.into())
}

fn proxies(draws: &mut Draws, accounts: &Accounts, account: AccountId) -> (Origin, RuntimeCall) {
	use pallet_proxy::Call;
	let types = [ProxyType::Any, ProxyType::ContentFabric, ProxyType::ContentOperations];
	let proxy_type = draws.pick(&types);
	let delay = draws.pick(&[0, 0, 0, 1, 10]);
	let present = draws.one_of(Proxy::proxies(account.clone()).0.into_iter());
	let other = draws.pick(&accounts::KEYS).to_account_id();
	let call = match draws.below(16) {
		0..6 => Call::add_proxy { delegate: other.into(), proxy_type, delay },
		6 => Call::remove_proxies {},
		7 => Call::create_pure { proxy_type, delay, index: draws.below(2) as u16 },
		8..11 => {
			let (delegate, proxy_type, delay) = present
				.map_or((other, proxy_type, delay), |it| (it.delegate, it.proxy_type, it.delay));
			Call::remove_proxy { delegate: delegate.into(), proxy_type, delay }
		},
		11 => {
			let call_hash = H256::repeat_byte(draws.below(3) as u8);
			Call::announce { real: other.into(), call_hash }
		},
		12 => Call::poke_deposit {},
		// A call for an account, which the type of the proxy may not permit.
		_ => {
			let (_, call) = fabric::call(draws, accounts);
			let delegate = present.and_then(|it| Accounts::key(&it.delegate)).unwrap_or(Alice);
			let (real, call) = (account.into(), Box::new(call));
			let call = Call::proxy { real, force_proxy_type: Some(proxy_type), call };
			return (Origin::Account(delegate.to_account_id()), call.into());
		},
	};
	(Origin::Account(account), call.into())
}

fn multisigs(draws: &mut Draws, accounts: &Accounts) -> (Origin, RuntimeCall) {
	use pallet_multisig::Call;
	let pending = draws.one_of(pallet_multisig::Multisigs::<Runtime>::iter());
	let mut signatories = [Charlie, Dave, Eve].map(|key| key.to_account_id());
	signatories.sort();
	let others = |who: &AccountId| signatories.iter().filter(|it| *it != who).cloned().collect();
	let threshold = 2;
	match pending {
		Some((_, call_hash, operation)) if draws.percent(70) => {
			let (timepoint, who) = (operation.when, operation.depositor);
			let other_signatories = others(&who);
			let call = Call::cancel_as_multi { threshold, other_signatories, timepoint, call_hash };
			(Origin::Account(who), call.into())
		},
		_ => {
			let (who, (_, call)) = (draws.pick(&signatories), fabric::call(draws, accounts));
			let call = Call::approve_as_multi {
				threshold,
				other_signatories: others(&who),
				maybe_timepoint: None,
				call_hash: call.using_encoded(sp_io::hashing::blake2_256),
				max_weight: Weight::from_parts(1_000_000_000, 0),
			};
			(Origin::Account(who), call.into())
		},
	}
}

/// Returns a part of a motion that stays open, or a change of the council.
fn council(draws: &mut Draws, accounts: &Accounts, account: AccountId) -> (Origin, RuntimeCall) {
	use pallet_collective::Call;
	type Proposals = pallet_collective::Proposals<Runtime, CouncilCollective>;
	type ProposalOf = pallet_collective::ProposalOf<Runtime, CouncilCollective>;
	type Voting = pallet_collective::Voting<Runtime, CouncilCollective>;

	let members = accounts::members_of_council();
	let member = if members.is_empty() { Alice } else { draws.pick(&members) };
	let by_member = Origin::Account(member.to_account_id());
	let open = draws.one_of(Proposals::get().into_iter());
	// The index is the first field of the votes, which is private.
	let index = |hash| u32::decode(&mut &Voting::get(hash)?.encode()[..]).ok();
	let open = open.and_then(|hash| Some((hash, ProposalOf::get(hash)?, index(hash)?)));
	match (draws.below(16), open) {
		(0..6, Some((hash, call, index))) => {
			(Origin::Account(account), motions::close(hash, index, &call))
		},
		(6..11, Some((proposal, _, index))) => {
			let call = Call::vote { proposal, index, approve: draws.percent(70) };
			(by_member, RuntimeCall::Council(call))
		},
		(11, Some((proposal_hash, ..))) => {
			let call = Call::disapprove_proposal { proposal_hash };
			(Origin::Root, RuntimeCall::Council(call))
		},
		(12, _) => {
			let sizes = [&[Alice][..], &[Alice, Bob, Charlie], &[Alice, Bob, Charlie, Dave]];
			let new_members = draws.pick(&sizes).iter().map(|key| key.to_account_id()).collect();
			let call = Call::set_members { new_members, prime: None, old_count: 3 };
			(Origin::Root, RuntimeCall::Council(call))
		},
		(13, _) => {
			let (_, call) = fabric::call(draws, accounts);
			let (length_bound, proposal) = (call.encoded_size() as u32, Box::new(call));
			(by_member, RuntimeCall::Council(Call::execute { proposal, length_bound }))
		},
		_ => {
			let (_, call) = fabric::call(draws, accounts);
			(by_member, motions::propose(draws.pick(&[1, 2, 3]), &call))
		},
	}
}

/// Returns a call that pauses calls, or that lifts a pause soon after.
fn brakes(draws: &mut Draws) -> (Origin, RuntimeCall) {
	let paused = draws.one_of(pallet_tx_pause::PausedCalls::<Runtime>::iter_keys());
	let is_safe = pallet_safe_mode::EnteredUntil::<Runtime>::get().is_some();
	let call = match paused {
		_ if is_safe => RuntimeCall::SafeMode(pallet_safe_mode::Call::force_exit {}),
		Some(ident) => RuntimeCall::TxPause(pallet_tx_pause::Call::unpause { ident }),
		None if draws.percent(15) => RuntimeCall::SafeMode(pallet_safe_mode::Call::force_enter {}),
		None => {
			let name = draws.pick(Fabric::<Runtime>::get_call_names());
			let bytes = |text: &str| text.as_bytes().to_vec().try_into().expect("names are short");
			let full_name = (bytes("ContentFabric"), bytes(name));
			RuntimeCall::TxPause(pallet_tx_pause::Call::pause { full_name })
		},
	};
	(Origin::Council, call)
}

fn validators(draws: &mut Draws, account: AccountId) -> (Origin, RuntimeCall) {
	use pallet_collator_selection::Call;
	let who = draws.pick(&[Alice, Bob, Charlie, Dave]).to_account_id();
	match draws.below(4) {
		0 => (Origin::Council, Call::add_invulnerable { who }.into()),
		1 => (Origin::Council, Call::remove_invulnerable { who }.into()),
		2 => (Origin::Account(account), pallet_session::Call::purge_keys {}.into()),
		_ => (Origin::Account(account), Call::register_as_candidate {}.into()),
	}
}

/// Returns a call whose weight root sets, so that the block has little left, or a long one.
fn weights(draws: &mut Draws) -> (Origin, RuntimeCall) {
	use frame_system::Call;
	let weighed = |call: Call<Runtime>, max: Weight, part| {
		let weight = max.saturating_sub(System::block_weight().total()) / 100 * part;
		pallet_utility::Call::with_weight { call: Box::new(call.into()), weight }.into()
	};
	let (part, limits) = (draws.pick(&[10, 50, 90, 99]), BlockWeights::get());
	let call = match draws.below(3) {
		0 => Call::remark { remark: vec![0; draws.pick(&[0, 1_000, 100_000])] }.into(),
		1 => {
			let max = limits.get(DispatchClass::Normal).max_total.unwrap_or(Weight::MAX);
			weighed(Call::remark { remark: Vec::new() }, max, part)
		},
		// Operational, so that it may take the whole block.
		_ => weighed(Call::set_heap_pages { pages: 2_048 }, limits.max_block, part),
	};
	(Origin::Root, call)
}

/// Returns a call as root by an account that may not have the sudo key.
fn sudo(draws: &mut Draws, accounts: &Accounts) -> RuntimeCall {
	let (_, call) = fabric::call(draws, accounts);
	let (call, who) = (Box::new(call), accounts.pick(draws).into());
	RuntimeCall::Sudo(match draws.below(3) {
		0 => pallet_sudo::Call::sudo { call },
		1 => pallet_sudo::Call::sudo_as { who, call },
		_ => pallet_sudo::Call::set_key { new: who },
	})
}

fn if_else(draws: &mut Draws, accounts: &Accounts) -> (Origin, RuntimeCall) {
	let (origin, main) = fabric::call(draws, accounts);
	let (_, fallback) = fabric::call(draws, accounts);
	let (main, fallback) = (Box::new(main), Box::new(fallback));
	(origin, pallet_utility::Call::if_else { main, fallback }.into())
}
