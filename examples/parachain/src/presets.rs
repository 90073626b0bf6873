// SPDX-License-Identifier: Apache-2.0
//! The genesis of a development chain.

use alloc::{vec, vec::Vec};

use frame_support::build_struct_json_patch;
use sp_genesis_builder::{PresetId, DEV_RUNTIME_PRESET};
use sp_keyring::Sr25519Keyring;

use crate::{
	BalancesConfig, CollatorSelectionConfig, ParachainInfoConfig, RuntimeGenesisConfig,
	SessionConfig, SessionKeys, SudoConfig, PARA_ID, UNIT,
};

/// One collator, and a sudo key: Alice is both.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
	if id != DEV_RUNTIME_PRESET {
		return None;
	}
	let alice = Sr25519Keyring::Alice.to_account_id();
	let keys = SessionKeys { aura: Sr25519Keyring::Alice.public().into() };
	let patch = build_struct_json_patch!(RuntimeGenesisConfig {
		balances: BalancesConfig {
			balances: Sr25519Keyring::well_known()
				.map(|key| (key.to_account_id(), 1_000_000 * UNIT))
				.collect::<Vec<_>>(),
		},
		parachain_info: ParachainInfoConfig { parachain_id: PARA_ID.into() },
		collator_selection: CollatorSelectionConfig {
			invulnerables: vec![alice.clone()],
			candidacy_bond: UNIT,
		},
		session: SessionConfig { keys: vec![(alice.clone(), alice.clone(), keys)] },
		sudo: SudoConfig { key: Some(alice) },
	});
	serde_json::to_vec(&patch).ok()
}

pub fn preset_names() -> Vec<PresetId> {
	vec![DEV_RUNTIME_PRESET.into()]
}
