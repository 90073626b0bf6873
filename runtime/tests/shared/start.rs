// SPDX-License-Identifier: Apache-2.0
//! The genesis of a chain with validators and a council.

use content_fabric_runtime::{
	AccountId, Balance, BalancesConfig, CollatorSelectionConfig, CouncilConfig,
	RuntimeGenesisConfig, SessionConfig, SessionKeys,
};
use sp_keyring::{Ed25519Keyring, Sr25519Keyring};

pub fn genesis(
	balances: Vec<(AccountId, Balance)>,
	validators: &[Sr25519Keyring],
	council: &[Sr25519Keyring],
) -> RuntimeGenesisConfig {
	let accounts = |keys: &[Sr25519Keyring]| keys.iter().map(|key| key.to_account_id()).collect();
	let session_keys = |key: &Sr25519Keyring| {
		let grandpa: Ed25519Keyring = key.to_string().parse().expect("both have the same names");
		let keys = SessionKeys { aura: key.public().into(), grandpa: grandpa.public().into() };
		(key.to_account_id(), key.to_account_id(), keys)
	};
	RuntimeGenesisConfig {
		balances: BalancesConfig { balances, ..Default::default() },
		collator_selection: CollatorSelectionConfig {
			invulnerables: accounts(validators),
			..Default::default()
		},
		session: SessionConfig {
			keys: validators.iter().map(session_keys).collect(),
			..Default::default()
		},
		council: CouncilConfig { members: accounts(council), ..Default::default() },
		..Default::default()
	}
}
