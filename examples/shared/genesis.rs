// SPDX-License-Identifier: Apache-2.0
//! The genesis of a chain.

use serde_json::Value;
use sp_genesis_builder::{runtime_decl_for_genesis_builder::GenesisBuilder, DEV_RUNTIME_PRESET};
use sp_runtime::traits::Block;

/// Returns the development preset with a patch, as JSON.
pub fn genesis<B: Block, Runtime: GenesisBuilder<B>>(patch: Value) -> Vec<u8> {
	let preset = |id: Option<&str>| -> Value {
		let json = Runtime::get_preset(&id.map(Into::into)).expect("the preset exists");
		serde_json::from_slice(&json).expect("presets are JSON")
	};
	let mut genesis = preset(None);
	merge(&mut genesis, preset(Some(DEV_RUNTIME_PRESET)));
	merge(&mut genesis, patch);
	serde_json::to_vec(&genesis).expect("all keys are text")
}

fn merge(into: &mut Value, patch: Value) {
	match (into, patch) {
		(Value::Object(into), Value::Object(patch)) => {
			for (key, value) in patch {
				merge(into.entry(key).or_insert(Value::Null), value);
			}
		},
		(into, patch) => *into = patch,
	}
}
