// SPDX-License-Identifier: Apache-2.0
//! Chain specifications of networks for tests.

use std::{
	io::Write,
	path::{Path, PathBuf},
	time::SystemTime,
};

use serde_json::Value;
use sp_crypto_hashing::twox_128;
use subxt::ext::codec::Encode;

use super::member::{node_command, output_of, NODE};
use crate::process::{program, program_folder};

/// The pace of a chain that is made for a test. On a live chain it never changes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
	/// Milliseconds of a slot.
	pub slot: u64,
	/// Blocks of a session.
	pub session: u32,
}

/// Storage of a genesis: keys and values in hex.
pub struct Top<'a>(&'a mut Value);

impl<'a> Top<'a> {
	/// Returns the storage of a raw specification.
	pub fn of(specification: &'a mut Value) -> Self {
		Self(&mut specification["genesis"]["raw"]["top"])
	}

	/// Returns the value of a key, if there is one.
	pub fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
		let value = self.0[to_hex(key)].as_str()?;
		Some(hex::decode(value.trim_start_matches("0x")).expect("values are in hex"))
	}

	/// Sets the value of a key.
	pub fn set(&mut self, key: &[u8], value: &[u8]) {
		self.0[to_hex(key)] = to_hex(value).into();
	}
}

fn to_hex(bytes: &[u8]) -> String {
	format!("0x{}", hex::encode(bytes))
}

/// Returns the raw specification of the chain `local`.
pub fn local() -> Value {
	read(&raw_local())
}

/// Writes the raw specification of the chain `local` with these bootnodes, and with a pace of its
/// own if one is given.
pub fn write(path: &Path, pace: Option<Pace>, bootnodes: &[String]) {
	let mut specification = local();
	specification["bootNodes"] = bootnodes.into();
	if let Some(Pace { slot, session }) = pace {
		let mut top = Top::of(&mut specification);
		top.set(&twox_128(b":SlotDuration:"), &slot.encode());
		top.set(&twox_128(b":SessionPeriod:"), &session.encode());
	}
	std::fs::write(path, specification.to_string()).expect("there is room for a file");
}

/// Sets a value of the genesis in a raw specification.
pub fn set(path: &Path, key: &[u8], value: &[u8]) {
	let mut specification = read(path);
	Top::of(&mut specification).set(key, value);
	std::fs::write(path, specification.to_string()).expect("there is room for a file");
}

/// Writes a copy of a specification with other bootnodes.
pub fn copy(from: &Path, to: &Path, bootnodes: &[String]) {
	let mut specification = read(from);
	specification["bootNodes"] = bootnodes.into();
	std::fs::write(to, specification.to_string()).expect("there is room for a file");
}

fn read(path: &Path) -> Value {
	let raw = std::fs::read(path).expect("the specification can be read");
	serde_json::from_slice(&raw).expect("a specification is JSON")
}

/// Returns the path of the raw specification of the chain `local`. The node builds it once: that
/// takes as long as compiling the runtime.
fn raw_local() -> PathBuf {
	let path = program_folder().join("local-chain.json");
	let modified = |path: &Path| -> std::io::Result<SystemTime> { path.metadata()?.modified() };
	let node = modified(&program(NODE)).expect("the node's program has a time");
	if modified(&path).is_ok_and(|time| time > node) {
		return path;
	}
	let raw = output_of(node_command().args(["build-spec", "--raw", "--chain", "local"]));
	// Another run may read the file meanwhile.
	let mut file = tempfile::NamedTempFile::new_in(program_folder()).expect("a file is made");
	file.write_all(&raw).expect("there is room for the file");
	file.persist(&path).expect("the file is renamed");
	path
}
