// SPDX-License-Identifier: Apache-2.0
//! The genesis of chains that are made from this runtime alone.

use alloc::vec::Vec;

use frame_support::build_struct_json_patch;
use serde_json::Value;
use sp_genesis_builder::{PresetId, DEV_RUNTIME_PRESET, LOCAL_TESTNET_RUNTIME_PRESET};
use sp_keyring::{
	Ed25519Keyring,
	Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Eve},
};

use crate::{
	units::UNIT, AccountId, BalancesConfig, CollatorSelectionConfig, CouncilConfig,
	RuntimeGenesisConfig, SessionConfig, SessionKeys, SudoConfig,
};

/// The balance with which the account of every well-known development key starts.
const ENDOWMENT: u128 = 1_000_000 * UNIT;

/// A validator: the key of its account, with which it also signs blocks, and the key of its votes
/// on finality.
type Validator = (Sr25519Keyring, Ed25519Keyring);

fn accounts(keys: impl IntoIterator<Item = Sr25519Keyring>) -> Vec<AccountId> {
	keys.into_iter().map(|key| key.to_account_id()).collect()
}

fn session_keys((aura, grandpa): Validator) -> (AccountId, AccountId, SessionKeys) {
	let keys = SessionKeys { aura: aura.public().into(), grandpa: grandpa.public().into() };
	(aura.to_account_id(), aura.to_account_id(), keys)
}

/// Returns the patch of a genesis. The lists of Aura and of GRANDPA stay empty in it, as they come
/// from the keys of the sessions.
fn genesis(
	validators: &[Validator],
	council: &[Sr25519Keyring],
	sudo: Option<Sr25519Keyring>,
) -> Value {
	build_struct_json_patch!(RuntimeGenesisConfig {
		balances: BalancesConfig {
			balances: Sr25519Keyring::iter()
				.map(|key| (key.to_account_id(), ENDOWMENT))
				.collect::<Vec<_>>(),
		},
		collator_selection: CollatorSelectionConfig {
			invulnerables: accounts(validators.iter().map(|(aura, _)| *aura)),
		},
		session: SessionConfig {
			keys: validators.iter().copied().map(session_keys).collect::<Vec<_>>(),
		},
		council: CouncilConfig { members: accounts(council.iter().copied()) },
		sudo: SudoConfig { key: sudo.map(|key| key.to_account_id()) },
	})
}

/// One validator, and a sudo key: Alice is both.
fn development() -> Value {
	genesis(&[(Alice, Ed25519Keyring::Alice)], &[Alice, Bob, Charlie], Some(Alice))
}

/// Four validators, Alice to Dave, and no sudo: the council governs, which is Alice to Eve.
fn local_testnet() -> Value {
	genesis(
		&[
			(Alice, Ed25519Keyring::Alice),
			(Bob, Ed25519Keyring::Bob),
			(Charlie, Ed25519Keyring::Charlie),
			(Dave, Ed25519Keyring::Dave),
		],
		&[Alice, Bob, Charlie, Dave, Eve],
		None,
	)
}

/// The patch of a preset, as JSON; `None` if no preset has that name.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
	let patch = match id.as_ref() {
		DEV_RUNTIME_PRESET => development(),
		LOCAL_TESTNET_RUNTIME_PRESET => local_testnet(),
		_ => return None,
	};
	serde_json::to_vec(&patch).ok()
}

/// The names of the presets.
pub fn preset_names() -> Vec<PresetId> {
	Vec::from([DEV_RUNTIME_PRESET, LOCAL_TESTNET_RUNTIME_PRESET].map(PresetId::from))
}
