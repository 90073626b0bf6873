// SPDX-License-Identifier: Apache-2.0
//! The genesis of a development chain.

use alloc::{vec, vec::Vec};

use frame_support::build_struct_json_patch;
use sp_genesis_builder::{PresetId, DEV_RUNTIME_PRESET};
use sp_keyring::{Ed25519Keyring, Sr25519Keyring};

use crate::{AuraConfig, BalancesConfig, GrandpaConfig, RuntimeGenesisConfig, SudoConfig, UNIT};

/// One validator, and a sudo key: Alice is both.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
	if id != DEV_RUNTIME_PRESET {
		return None;
	}
	let patch = build_struct_json_patch!(RuntimeGenesisConfig {
		balances: BalancesConfig {
			balances: Sr25519Keyring::well_known()
				.map(|key| (key.to_account_id(), 1_000_000 * UNIT))
				.collect::<Vec<_>>(),
		},
		aura: AuraConfig { authorities: vec![Sr25519Keyring::Alice.public().into()] },
		grandpa: GrandpaConfig { authorities: vec![(Ed25519Keyring::Alice.public().into(), 1)] },
		sudo: SudoConfig { key: Some(Sr25519Keyring::Alice.to_account_id()) },
	});
	serde_json::to_vec(&patch).ok()
}

pub fn preset_names() -> Vec<PresetId> {
	vec![DEV_RUNTIME_PRESET.into()]
}
