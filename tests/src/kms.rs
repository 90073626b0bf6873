// SPDX-License-Identifier: Apache-2.0
//! The KMS as a process, and its identities.

use std::{
	fs,
	os::unix::fs::PermissionsExt,
	path::{Path, PathBuf},
	process::Command,
	time::Duration,
};

use content_fabric_identifiers::{KmsId, TenantId};
use content_fabric_primitives::KmsKey;
use serde_json::Value;

use crate::process::{output_of, program, serving, Process};

/// Longest time that a KMS may take to serve.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The secret key of a KMS, in a file.
pub struct Identity {
	/// The file.
	pub path: PathBuf,
	/// A file with the passphrase of the file.
	pub passphrase: PathBuf,
	/// The public key.
	pub key: KmsKey,
}

impl Identity {
	/// Makes an identity in a folder.
	pub fn new(dir: &Path, name: &str) -> Self {
		let (path, passphrase) = (dir.join(name), dir.join("passphrase"));
		fs::write(&passphrase, "correct horse battery staple\n").expect("there is room for a file");
		let private = fs::Permissions::from_mode(0o600);
		fs::set_permissions(&passphrase, private).expect("it is ours");
		let mut command = Command::new(program("fabric-kms"));
		command.args(["key", "new"]).arg("--output").arg(&path);
		command.arg("--passphrase-file").arg(&passphrase);
		let key = String::from_utf8(output_of(&mut command)).expect("it is text");
		let key = key.trim().parse().expect("it is the key");
		Self { path, passphrase, key }
	}
}

/// A running KMS, killed as a crash does when dropped.
pub struct Kms {
	/// Its process.
	pub process: Process,
	/// The URL that it serves.
	pub url: String,
}

impl Kms {
	/// Starts the server of a KMS with identities, the present one first, and waits until it serves.
	pub fn start(
		url: &str,
		(tenant, kms): (TenantId, KmsId),
		identities: &[&Identity],
		data: &Path,
	) -> Self {
		Self::start_by(Command::new(program("fabric-kms")), url, (tenant, kms), identities, data)
	}

	/// Starts the server as [`start`](Self::start) does, by a command.
	pub fn start_by(
		mut command: Command,
		url: &str,
		(tenant, kms): (TenantId, KmsId),
		identities: &[&Identity],
		data: &Path,
	) -> Self {
		command.args(["serve", "--listen", "127.0.0.1:0", "--url", url]);
		command.args(["--tenant", &tenant.to_string(), "--kms", &kms.to_string()]);
		command.arg("--data").arg(data);
		command.args(
			identities.iter().map(|identity| format!("--identity={}", identity.path.display())),
		);
		let passphrase = identities.first().map(|identity| identity.passphrase.display());
		command.args(passphrase.map(|path| format!("--passphrase-file={path}")));
		let served = serving(command, "serving http://", START_TIMEOUT);
		let (process, address) = served.unwrap_or_else(|log| panic!("no KMS:\n{log}"));
		Self { process, url: format!("http://{address}") }
	}

	/// Returns the number of the last final block that it knows. 0 if it knows none.
	pub fn block(&self) -> u64 {
		let mut answer =
			ureq::get(format!("{}/v1/status", self.url)).call().expect("the KMS answers");
		let text = answer.body_mut().read_to_string().expect("the answer is text");
		let status: Value = serde_json::from_str(&text).expect("the answer is JSON");
		status["block"]["number"].as_u64().unwrap_or(0)
	}
}
