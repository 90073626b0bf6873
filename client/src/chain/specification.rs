// SPDX-License-Identifier: Apache-2.0
//! The chain specification from which a light client starts.

use std::{
	fmt::{self, Display},
	fs,
	path::{Path, PathBuf},
	sync::Arc,
};

use serde::{de::IgnoredAny, Deserialize};
use serde_json::{Map, Value};

use super::Error;
use crate::text::{json_fault, printable};

/// A raw chain specification with the whole genesis and with bootnodes.
#[derive(Clone)]
pub struct Specification {
	path: PathBuf,
	text: Arc<str>,
}

/// The parts of a specification that are checked here. The light client checks the others.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parts {
	light_sync_state: Option<IgnoredAny>,
	relay_chain: Option<IgnoredAny>,
	genesis: Map<String, Value>,
	#[serde(default)]
	boot_nodes: Vec<String>,
}

impl Specification {
	/// Reads a file, and checks that a light client can start from it.
	pub fn read(path: &Path) -> Result<Self, Error> {
		let unreadable =
			|error| format!("cannot read the chain specification {}: {error}", path.display());
		let text = fs::read_to_string(path).map_err(unreadable).map_err(Error::Usage)?;
		check(path, &text).map_err(Error::Usage)?;
		Ok(Self { path: path.into(), text: text.into() })
	}

	/// Returns the path of the file.
	pub fn path(&self) -> &Path {
		&self.path
	}

	/// Returns the content of the file.
	#[cfg(feature = "light")]
	pub(super) fn text(&self) -> Arc<str> {
		self.text.clone()
	}
}

impl fmt::Debug for Specification {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { path, text } = self;
		f.debug_struct("Specification").field("path", path).field("length", &text.len()).finish()
	}
}

/// Returns the error of a specification from which no light client can start.
pub(super) fn unusable(problem: impl Display) -> String {
	format!("{problem}; make it with `content-fabric-node build-spec --raw`")
}

fn check(path: &Path, text: &str) -> Result<(), String> {
	let path = path.display();
	let parts: Parts = serde_json::from_str(text)
		.map_err(|error| json_fault(&error))
		.map_err(|fault| unusable(format!("{path} is not a chain specification: {fault}")))?;
	let checkpoint = match parts {
		Parts { light_sync_state: Some(_), .. } => Some("lightSyncState"),
		Parts { relay_chain: Some(_), .. } => Some("relayChain"),
		_ => None,
	};
	if let Some(field) = checkpoint {
		return Err(unusable(format!(
			"{path} has `{field}`, which would be trusted without a proof from the genesis"
		)));
	}
	let top = parts.genesis.get("raw").and_then(|raw| raw.get("top")).and_then(Value::as_object);
	if top.is_none_or(Map::is_empty) {
		return Err(unusable(match parts.genesis.contains_key("stateRootHash") {
			true => format!(
				"{path} has only `genesis.stateRootHash`, and a light client needs the whole genesis"
			),
			false => format!("{path} is not a raw chain specification"),
		}));
	}
	if parts.boot_nodes.is_empty() {
		return Err(format!(
			"{path} has no bootnodes, so a light client finds no node: list addresses in \
			 `bootNodes`, such as /dns/node.example.org/tcp/30333/p2p/12D3Koo…, or pass --url"
		));
	}
	match parts.boot_nodes.iter().find(|address| !is_address(address)) {
		Some(address) => Err(format!(
			"the bootnode `{}` of {path} is not an address with a TCP port and a peer id: correct \
			 it, as in /ip4/203.0.113.7/tcp/30333/p2p/12D3Koo…",
			printable(address)
		)),
		None => Ok(()),
	}
}

/// Returns whether a text has the parts of an address that a light client can connect to. It would
/// ignore other addresses silently.
fn is_address(text: &str) -> bool {
	let Some((host, rest)) = text.split_once("/tcp/") else { return false };
	let Some((port, peer)) = rest.split_once("/p2p/") else { return false };
	let port = port.split('/').next().unwrap_or_default();
	host.starts_with('/') && port.parse::<u16>().is_ok() && !peer.is_empty()
}

#[cfg(test)]
mod tests {
	use tempfile::TempDir;

	use super::*;

	const GENESIS: &str = r#""genesis":{"raw":{"top":{"0x00":"0x01"},"childrenDefault":{}}}"#;
	const BOOTNODES: &str = r#""bootNodes":["/ip4/127.0.0.1/tcp/30333/p2p/12D3Koo"]"#;

	/// Returns the error of a file with this content, without the path of its folder.
	fn error(content: &str) -> Option<String> {
		let dir = TempDir::new().expect("temporary directories can be made; qed");
		let path = dir.path().join("spec.json");
		fs::write(&path, content).expect("the directory is writable; qed");
		let error = Specification::read(&path).err()?.to_string();
		Some(error.replace(&format!("{}/", dir.path().display()), ""))
	}

	#[test]
	fn raw_specifications_with_bootnodes_are_taken() {
		assert_eq!(error(&format!("{{{GENESIS},{BOOTNODES}}}")), None);
		let ws = BOOTNODES.replace("/p2p/", "/ws/p2p/");
		assert_eq!(error(&format!("{{{GENESIS},{ws}}}")), None);
	}

	#[test]
	fn errors_name_the_file_and_the_cure() {
		let state_root = r#""genesis":{"stateRootHash":"0x00"}"#;
		let patch = r#""genesis":{"runtimeGenesis":{"patch":{}}}"#;
		let udp = BOOTNODES.replace("tcp", "udp");
		for (content, expected) in [
			(
				format!("{{{state_root},{BOOTNODES}}}"),
				"spec.json has only `genesis.stateRootHash`, and a light client needs the whole \
				 genesis; make it with `content-fabric-node build-spec --raw`",
			),
			(
				format!("{{{patch},{BOOTNODES}}}"),
				"spec.json is not a raw chain specification; make it with `content-fabric-node \
				 build-spec --raw`",
			),
			(
				format!("{{{GENESIS},{BOOTNODES},\"lightSyncState\":{{}}}}"),
				"spec.json has `lightSyncState`, which would be trusted without a proof from the \
				 genesis; make it with `content-fabric-node build-spec --raw`",
			),
			(
				format!("{{{GENESIS},{BOOTNODES},\"relayChain\":\"polkadot\"}}"),
				"spec.json has `relayChain`, which would be trusted without a proof from the genesis; \
				 make it with `content-fabric-node build-spec --raw`",
			),
			(
				format!("{{{GENESIS}}}"),
				"spec.json has no bootnodes, so a light client finds no node: list addresses in \
				 `bootNodes`, such as /dns/node.example.org/tcp/30333/p2p/12D3Koo…, or pass --url",
			),
			(
				format!("{{{GENESIS},{udp}}}"),
				"the bootnode `/ip4/127.0.0.1/udp/30333/p2p/12D3Koo` of spec.json is not an address \
				 with a TCP port and a peer id: correct it, as in \
				 /ip4/203.0.113.7/tcp/30333/p2p/12D3Koo…",
			),
			(
				format!("{{{GENESIS},"),
				"spec.json is not a chain specification: it ends too early, in line 1; make it with \
				 `content-fabric-node build-spec --raw`",
			),
		] {
			assert_eq!(error(&content).as_deref(), Some(expected), "{content}");
		}
		let missing = Specification::read(Path::new("no-such/spec.json"));
		let missing = missing.expect_err("there is no such file; qed").to_string();
		let expected = "cannot read the chain specification no-such/spec.json: ";
		assert!(missing.starts_with(expected), "{missing}");
	}
}
