//! The genesis of chains that are made from this runtime alone.

use alloc::{vec, vec::Vec};

use frame_support::build_struct_json_patch;
use serde_json::Value;
use sp_consensus_aura::sr25519::AuthorityId as AuraId;
use sp_consensus_grandpa::AuthorityId as GrandpaId;
use sp_genesis_builder::{PresetId, DEV_RUNTIME_PRESET, LOCAL_TESTNET_RUNTIME_PRESET};
use sp_keyring::{Ed25519Keyring, Sr25519Keyring};

use crate::{
	units::UNIT, AccountId, AuraConfig, BalancesConfig, CouncilConfig, GrandpaConfig,
	RuntimeGenesisConfig, SudoConfig,
};

/// The balance with which the account of every well-known development key starts.
const ENDOWMENT: u128 = 1_000_000 * UNIT;

fn genesis(
	authorities: Vec<(AuraId, GrandpaId)>,
	council: Vec<AccountId>,
	sudo: Option<AccountId>,
) -> Value {
	build_struct_json_patch!(RuntimeGenesisConfig {
		balances: BalancesConfig {
			balances: Sr25519Keyring::iter()
				.map(|key| (key.to_account_id(), ENDOWMENT))
				.collect::<Vec<_>>(),
		},
		aura: AuraConfig {
			authorities: authorities.iter().map(|(aura, _)| aura.clone()).collect::<Vec<_>>(),
		},
		grandpa: GrandpaConfig {
			authorities: authorities
				.iter()
				.map(|(_, grandpa)| (grandpa.clone(), 1))
				.collect::<Vec<_>>(),
		},
		council: CouncilConfig { members: council },
		sudo: SudoConfig { key: sudo },
	})
}

fn council() -> Vec<AccountId> {
	[Sr25519Keyring::Alice, Sr25519Keyring::Bob, Sr25519Keyring::Charlie]
		.map(|key| key.to_account_id())
		.to_vec()
}

/// One authority, and a sudo key: Alice is both.
fn development() -> Value {
	genesis(
		vec![(Sr25519Keyring::Alice.public().into(), Ed25519Keyring::Alice.public().into())],
		council(),
		Some(Sr25519Keyring::Alice.to_account_id()),
	)
}

/// Two authorities, Alice and Bob, and no sudo: the council governs.
fn local_testnet() -> Value {
	genesis(
		vec![
			(Sr25519Keyring::Alice.public().into(), Ed25519Keyring::Alice.public().into()),
			(Sr25519Keyring::Bob.public().into(), Ed25519Keyring::Bob.public().into()),
		],
		council(),
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
	vec![PresetId::from(DEV_RUNTIME_PRESET), PresetId::from(LOCAL_TESTNET_RUNTIME_PRESET)]
}
