// SPDX-License-Identifier: Apache-2.0
//! The accounts, and how each of them, root and the council make calls by extrinsics.

use std::sync::LazyLock;

use codec::Encode;
use content_fabric_runtime::{
	configs::{CouncilCollective, ProxyType},
	AccountId, Multisig, Proxy, Runtime, RuntimeCall, System,
};
use frame_support::dispatch::GetDispatchInfo;
use pallet_content_fabric::fuzzing::{self, Draws};
use pallet_multisig::Timepoint;
use sp_core::{sr25519, Pair};
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Eve, Ferdie, One, Two};
use sp_runtime::traits::{BlakeTwo256, Hash};

use crate::motions::{as_root, close, propose};

/// The accounts that sign. The last one is poor.
pub const KEYS: [Sr25519Keyring; 8] = [Alice, Bob, Charlie, Dave, Eve, Ferdie, One, Two];
pub const POOR: Sr25519Keyring = Two;
/// The account that creates the pure proxy, and the one whose derivative acts.
pub const OWNER_OF_PURE: Sr25519Keyring = Eve;
const OWNER_OF_DERIVED: Sr25519Keyring = Ferdie;
const DERIVED_INDEX: u16 = 1;

/// The key pairs. Deriving one from its words takes longer than a block, so it is done once.
static PAIRS: LazyLock<Vec<sr25519::Pair>> =
	LazyLock::new(|| KEYS.iter().map(|key| key.pair()).collect());

/// Signs as one of the keys.
pub fn sign(key: Sr25519Keyring, message: &[u8]) -> sr25519::Signature {
	let place = KEYS.iter().position(|it| *it == key).expect("only these keys sign");
	PAIRS[place].sign(message)
}

/// An extrinsic to be signed.
pub type Signed = (Sr25519Keyring, RuntimeCall);

/// The origin of a call.
pub type Origin = fuzzing::Origin<AccountId>;

/// The accounts that can act, with those for which other accounts sign.
#[derive(Clone)]
pub struct Accounts {
	pub all: Vec<AccountId>,
	/// A multisig of two. Either of them can act alone.
	pub any_of_two: AccountId,
	/// A multisig of three. Two of them must act together.
	pub two_of_three: AccountId,
	pub pure: AccountId,
	pub derived: AccountId,
}

fn sorted(keys: &[Sr25519Keyring]) -> Vec<AccountId> {
	let mut accounts: Vec<_> = keys.iter().map(|key| key.to_account_id()).collect();
	accounts.sort();
	accounts
}

const TWO: [Sr25519Keyring; 2] = [Bob, Charlie];
const THREE: [Sr25519Keyring; 3] = [Charlie, Dave, Eve];

impl Accounts {
	/// The pure proxy is created by the first transaction of block `created`.
	pub fn new(created: u32) -> Self {
		let any_of_two = Multisig::multi_account_id(&sorted(&TWO), 1);
		let two_of_three = Multisig::multi_account_id(&sorted(&THREE), 2);
		let owner = OWNER_OF_PURE.to_account_id();
		let pure = Proxy::pure_account(&owner, &ProxyType::Any, 0, Some((created, 1)));
		let derived =
			pallet_utility::derivative_account_id(OWNER_OF_DERIVED.to_account_id(), DERIVED_INDEX);
		let mut all: Vec<_> = KEYS.iter().map(|key| key.to_account_id()).collect();
		all.extend([&any_of_two, &two_of_three, &pure, &derived].map(Clone::clone));
		Self { all, any_of_two, two_of_three, pure, derived }
	}

	/// Returns the key of an account that signs.
	pub fn key(account: &AccountId) -> Option<Sr25519Keyring> {
		KEYS.into_iter().find(|key| key.to_account_id() == *account)
	}

	pub fn pick(&self, draws: &mut Draws) -> AccountId {
		draws.pick(&self.all)
	}

	/// Returns the extrinsics by which an origin makes a call.
	pub fn extrinsics(&self, draws: &mut Draws, origin: &Origin, call: RuntimeCall) -> Vec<Signed> {
		match origin {
			Origin::Account(account) => self.by_account(draws, account, call),
			Origin::Root => self.as_root(draws, call),
			Origin::Council => by_council(draws, call, |members| members / 2 + 1),
		}
	}

	fn by_account(&self, draws: &mut Draws, account: &AccountId, call: RuntimeCall) -> Vec<Signed> {
		if draws.once_in(12) {
			if let Some(by_proxy) = by_proxy(draws, account, &call) {
				return vec![by_proxy];
			}
		}
		if draws.once_in(60) {
			return self.dispatched_as(draws, account, call);
		}
		if let Some(key) = Self::key(account) {
			return vec![(key, call)];
		}
		let call = Box::new(call);
		if *account == self.any_of_two {
			let (key, other_signatories) = signatory(draws, &TWO);
			let call = pallet_multisig::Call::as_multi_threshold_1 { other_signatories, call };
			vec![(key, call.into())]
		} else if *account == self.two_of_three {
			by_two_of_three(draws, &self.two_of_three, *call)
		} else if *account == self.derived {
			let call = pallet_utility::Call::as_derivative { index: DERIVED_INDEX, call };
			vec![(OWNER_OF_DERIVED, call.into())]
		} else {
			// The pure proxy, even if it has no delegate left.
			let real = account.clone().into();
			let call = pallet_proxy::Call::proxy { real, force_proxy_type: None, call };
			vec![(OWNER_OF_PURE, call.into())]
		}
	}

	/// Makes a call as root: by sudo, where there is a sudo key, or by two thirds of the council.
	fn as_root(&self, draws: &mut Draws, call: RuntimeCall) -> Vec<Signed> {
		let sudo = pallet_sudo::Key::<Runtime>::get().and_then(|account| Self::key(&account));
		match sudo {
			Some(key) if !draws.once_in(5) => {
				let call = pallet_sudo::Call::sudo { call: Box::new(call) };
				vec![(key, call.into())]
			},
			_ => by_council(draws, as_root(call), |members| (2 * members).div_ceil(3)),
		}
	}

	/// Makes a call by root in the name of the account.
	fn dispatched_as(
		&self,
		draws: &mut Draws,
		account: &AccountId,
		call: RuntimeCall,
	) -> Vec<Signed> {
		let origin = frame_system::RawOrigin::Signed(account.clone());
		let as_origin = Box::new(content_fabric_runtime::OriginCaller::system(origin));
		let call = Box::new(call);
		let call = if draws.percent(50) {
			pallet_utility::Call::dispatch_as { as_origin, call }
		} else {
			pallet_utility::Call::dispatch_as_fallible { as_origin, call }
		};
		self.as_root(draws, call.into())
	}
}

/// Returns one of some signatories, and the accounts of the others in order.
fn signatory(draws: &mut Draws, keys: &[Sr25519Keyring]) -> (Sr25519Keyring, Vec<AccountId>) {
	let key = draws.pick(keys);
	let mut others = sorted(keys);
	others.retain(|account| *account != key.to_account_id());
	(key, others)
}

/// Makes a call by a delegate of the account, if it has one.
fn by_proxy(draws: &mut Draws, account: &AccountId, call: &RuntimeCall) -> Option<Signed> {
	let (delegates, _) = Proxy::proxies(account.clone());
	let key = draws.one_of(delegates.iter().filter_map(|it| Accounts::key(&it.delegate)))?;
	let (real, call) = (account.clone().into(), Box::new(call.clone()));
	let call = pallet_proxy::Call::proxy { real, force_proxy_type: None, call };
	Some((key, call.into()))
}

/// Returns the approvals of two signatories, or of one where another has already approved.
fn by_two_of_three(draws: &mut Draws, account: &AccountId, call: RuntimeCall) -> Vec<Signed> {
	let (first, others) = signatory(draws, &THREE);
	let hash = call.using_encoded(sp_io::hashing::blake2_256);
	let pending = pallet_multisig::Multisigs::<Runtime>::get(account, hash);
	let max_weight = call.get_dispatch_info().call_weight;
	let approve = |others, maybe_timepoint| {
		let (threshold, call) = (2, Box::new(call.clone()));
		pallet_multisig::Call::as_multi {
			threshold,
			other_signatories: others,
			maybe_timepoint,
			call,
			max_weight,
		}
		.into()
	};
	if let Some(pending) = pending {
		return vec![(first, approve(others, Some(pending.when)))];
	}
	let height = System::block_number();
	let index = System::extrinsic_index().unwrap_or_default();
	let second = draws.pick(&THREE.into_iter().filter(|key| *key != first).collect::<Vec<_>>());
	let mut others_of_second = sorted(&THREE);
	others_of_second.retain(|other| *other != second.to_account_id());
	let timepoint = Timepoint { height, index };
	vec![(first, approve(others, None)), (second, approve(others_of_second, Some(timepoint)))]
}

pub fn members_of_council() -> Vec<Sr25519Keyring> {
	let members = pallet_collective::Members::<Runtime, CouncilCollective>::get();
	members.iter().filter_map(Accounts::key).collect()
}

/// Returns a motion: its proposal, its votes and its closing.
fn by_council(
	draws: &mut Draws,
	call: RuntimeCall,
	needed: impl FnOnce(usize) -> usize,
) -> Vec<Signed> {
	let members = members_of_council();
	let needed = needed(members.len());
	let proposer = members.first().copied().unwrap_or(Alice);
	let threshold = needed as u32;
	let mut extrinsics = vec![(proposer, propose(threshold, &call))];
	if needed > 1 {
		let index = pallet_collective::ProposalCount::<Runtime, CouncilCollective>::get();
		let hash = BlakeTwo256::hash_of(&call);
		let vote = pallet_collective::Call::vote { proposal: hash, index, approve: true };
		let voters = members.into_iter().take(needed);
		extrinsics.extend(voters.map(|voter| (voter, RuntimeCall::Council(vote.clone()))));
		extrinsics.push((draws.pick(&KEYS), close(hash, index, &call)));
	}
	extrinsics
}
