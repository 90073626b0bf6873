// SPDX-License-Identifier: Apache-2.0
//! The genesis of a chain that begins with the old runtime, and with rows of storage version 1.

use std::{collections::BTreeMap, path::Path};

use content_fabric_storage_v1::{AccountId, Old};
use serde_json::{json, Value};
use sp_crypto_hashing::twox_128;
use subxt::{
	ext::codec::{Decode, Encode},
	utils::AccountId32,
};

use super::blobs;
use crate::{
	client::signer,
	network::specification::{self, Top},
	raw::{key_of, storage_value, HoldReason, STORAGE_DEPOSIT},
};

/// The funds of each account, besides what is on hold: a million units.
const ENDOWMENT: u64 = 1_000_000_000_000_000_000;
/// The members of the council.
const COUNCIL: [&str; 3] = ["//Alice", "//Bob", "//Charlie"];
/// The accounts of development keys that have funds.
const KEYS: [&str; 6] = ["//Alice", "//Bob", "//Charlie", "//Dave", "//Eve", "//Ferdie"];
/// The flags of a balance whose holds count as those of the present currency pallet do.
const NEW_LOGIC: u128 = 1 << 127;

/// Returns the raw specification of a chain whose authorities are Alice to Dave, with the state of
/// the pallet and the holds for it. The runtimes after the first have sessions of so many blocks.
pub fn raw(dir: &Path, old: &Old, session: u32) -> Value {
	let (aura, grandpa): (Vec<_>, Vec<_>) =
		authorities().into_iter().map(|(_, (aura, grandpa))| (aura, (grandpa, 1))).unzip();
	let text = |key: &str| signer(key).account().to_string();
	let plain = json!({
		"name": "Content Fabric Upgrade",
		"id": "content_fabric_upgrade",
		"chainType": "Local",
		"bootNodes": [],
		"protocolId": null,
		"properties": { "tokenSymbol": "UNIT", "tokenDecimals": 12, "ss58Format": 42 },
		"genesis": { "runtimeGenesis": {
			"code": format!("0x{}", hex::encode(blobs::old())),
			"patch": {
				"aura": { "authorities": aura },
				"grandpa": { "authorities": grandpa },
				"balances": { "balances": KEYS.map(|key| (text(key), ENDOWMENT)) },
				"council": { "members": COUNCIL.map(text) },
				"sudo": { "key": text(COUNCIL[0]) },
			},
		} },
	});
	let path = dir.join("plain-chain-spec.json");
	std::fs::write(&path, plain.to_string()).expect("there is room for a file");
	let mut specification = specification::make_raw(&path);
	let mut top = Top::of(&mut specification);
	top.set(&twox_128(b":SessionPeriod:"), &session.encode());
	for (key, row) in &old.rows {
		top.set(key, row);
	}
	hold(&mut top, old);
	specification
}

/// Puts accounts with funds on hold into the genesis.
fn hold(top: &mut Top, old: &Old) {
	let mut holds = BTreeMap::<AccountId, Vec<(HoldReason, u128)>>::new();
	for ((account, reason), amount) in old.holds.iter().filter(|(_, amount)| **amount > 0) {
		let reason = (STORAGE_DEPOSIT.0, *reason);
		holds.entry(*account).or_default().push((reason, *amount));
	}
	let key = storage_value("Balances", "TotalIssuance");
	let issued = top.get(&key).expect("there are funds");
	let mut issued = u128::decode(&mut &issued[..]).expect("it is an amount");
	for account in &old.accounts {
		let held = holds.get(account).cloned().unwrap_or_default();
		let reserved: u128 = held.iter().map(|(_, amount)| amount).sum();
		let has_holds = u32::from(!held.is_empty());
		// The nonce; consumers, providers and others; and the balance.
		let references = (0u32, has_holds, 1u32, 0u32);
		let balance = (u128::from(ENDOWMENT), reserved, 0u128, NEW_LOGIC);
		top.set(&key_of("System", "Account", &[account]), &(references, balance).encode());
		if has_holds > 0 {
			top.set(&key_of("Balances", "Holds", &[account]), &held.encode());
		}
		issued += u128::from(ENDOWMENT) + reserved;
	}
	top.set(&key, &issued.encode());
}

/// Returns the validators of the chain `local`, with the addresses of their Aura and GRANDPA keys.
fn authorities() -> Vec<(AccountId32, (String, String))> {
	let mut specification = specification::local();
	let key = storage_value("Session", "QueuedKeys");
	let queued = Top::of(&mut specification).get(&key).expect("the chain has validators");
	let queued: Vec<(AccountId, (AccountId, AccountId))> =
		Decode::decode(&mut &queued[..]).expect("each has two keys");
	let address = |key| AccountId32(key).to_string();
	let addresses =
		|(account, (aura, grandpa))| (AccountId32(account), (address(aura), address(grandpa)));
	queued.into_iter().map(addresses).collect()
}
