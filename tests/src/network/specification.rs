// SPDX-License-Identifier: Apache-2.0
//! Chain specifications of networks for tests.

use std::{fs, path::Path};

use serde_json::Value;
use sp_crypto_hashing::twox_128;
use subxt::ext::codec::Encode;

use super::member::NODE;
use crate::process::raw_specification;

/// The pace of a chain that is made for a test. On a live chain it never changes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
	/// Milliseconds of a slot.
	pub slot: u64,
	/// Blocks of a session.
	pub session: u32,
}

/// A raw chain specification.
pub struct Specification(Value);

impl Specification {
	/// Returns the specification of the chain `local`.
	pub fn local() -> Self {
		Self::read(&raw_specification(NODE, "local"))
	}

	/// Reads one from a file.
	pub fn read(path: &Path) -> Self {
		let raw = fs::read(path).expect("the specification can be read");
		Self(serde_json::from_slice(&raw).expect("a specification is JSON"))
	}

	/// Writes it to a file.
	pub fn write(&self, path: &Path) {
		fs::write(path, self.0.to_string()).expect("there is room for a file");
	}

	/// Gives it these bootnodes.
	pub fn with_bootnodes(mut self, bootnodes: &[String]) -> Self {
		self.0["bootNodes"] = bootnodes.into();
		self
	}

	/// Gives its chain a pace.
	pub fn with_pace(self, Pace { slot, session }: Pace) -> Self {
		self.with(&twox_128(b":SlotDuration:"), &slot.encode())
			.with(&twox_128(b":SessionPeriod:"), &session.encode())
	}

	/// Sets a value of the genesis.
	pub fn with(mut self, key: &[u8], value: &[u8]) -> Self {
		self.0["genesis"]["raw"]["top"][to_hex(key)] = to_hex(value).into();
		self
	}

	/// Returns the runtime of the genesis.
	pub fn code(&self) -> Vec<u8> {
		let code = self.0["genesis"]["raw"]["top"][to_hex(b":code")].as_str();
		let code = code.expect("every genesis has a runtime").trim_start_matches("0x");
		hex::decode(code).expect("values are in hex")
	}
}

fn to_hex(bytes: &[u8]) -> String {
	format!("0x{}", hex::encode(bytes))
}
