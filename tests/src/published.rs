// SPDX-License-Identifier: Apache-2.0
//! Manifests on the chain: their tenant, its rows, and publishes that are under way.

use std::{
	io::Read,
	process::{Output, Stdio},
	time::Duration,
};

use content_fabric_client::ids;
use content_fabric_identifiers::TenantId;
use tokio::task::block_in_place;

use crate::{
	manifest::{checksums, names, CRATES_IO},
	process::{fabric_command, signal, stderr, Process},
	raw::{record_key, storage_key, Raw, Rows},
};

/// Time between two looks at a publish, some of whose versions are to be on the chain.
const PAUSE: Duration = Duration::from_millis(20);

/// Returns the tenant of the packages of crates.io, in the space of a publish that names none.
pub fn tenant() -> TenantId {
	ids::tenant(ids::space("cargo"), CRATES_IO)
}

/// Returns the keys of the content objects, versions and named records under the tenant after the
/// packages of crates.io in a manifest were published.
pub fn rows(manifest: &str) -> Rows {
	let (tenant, mut rows) = (tenant(), Rows::new());
	for (package, checksums) in checksums(manifest, CRATES_IO) {
		let object = ids::content_object(tenant, &package);
		let key = storage_key("ContentObjects", &[&tenant.0, &object.0]);
		rows.entry("ContentObjects").or_default().insert(key);
		let version =
			|version: [u8; 32]| storage_key("Versions", &[&tenant.0, &object.0, &version]);
		rows.entry("Versions").or_default().extend(checksums.into_iter().map(version));
	}
	let names = names(manifest, CRATES_IO).into_keys();
	rows.insert("Records", names.map(|name| record_key(tenant, "names", &name)).collect());
	rows
}

/// Checks that the packages of a manifest are on the chain, each version once and no others, and
/// that each name has a record.
pub async fn assert_published(raw: &Raw, manifest: &str) {
	let (found, expected) = (raw.rows(tenant()).await, rows(manifest));
	for map in ["ContentObjects", "Versions"] {
		assert_eq!(found[map], expected[map], "{map}");
	}
	let (found, names) = (&found["Records"], &expected["Records"]);
	assert!(found.is_superset(names), "a name has no record");
	assert!(found.len() > names.len(), "a run has no record");
}

/// A publish that is under way.
pub struct Publish(Process);

impl Publish {
	/// Starts to publish a manifest, and waits until some of its versions are on the chain.
	pub async fn start(url: &str, manifest: &str, options: &[&str]) -> Self {
		let (raw, prefix) = (Raw::connect(url).await, storage_key("Versions", &[&tenant().0]));
		let before = raw.keys(&prefix).await.len();
		let process = fabric_command(url, &["--json", "publish", manifest])
			.args(options)
			.stdin(Stdio::null())
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn();
		let mut publish = Self(Process(process.expect("the client starts")));
		while raw.keys(&prefix).await.len() <= before {
			if !publish.runs() {
				panic!("the publish has ended: {}", stderr(&publish.end()));
			}
			tokio::time::sleep(PAUSE).await;
		}
		publish
	}

	/// Returns whether the client has not ended.
	pub fn runs(&mut self) -> bool {
		self.0.try_wait().expect("the process can be waited for").is_none()
	}

	/// Interrupts the client as Ctrl-C does.
	pub fn interrupt(&self) {
		signal(&self.0, "-INT");
	}

	/// Waits for the next line on standard error, which the output lacks then.
	pub fn message(&mut self) -> String {
		let errors = self.0.stderr.as_mut().expect("it is piped");
		let (mut line, mut byte) = (Vec::new(), [0]);
		// The rest stays in the pipe.
		while block_in_place(|| errors.read(&mut byte)).is_ok_and(|length| length > 0) {
			match byte {
				[b'\n'] => break,
				[byte] => line.push(byte),
			}
		}
		String::from_utf8_lossy(&line).into_owned()
	}

	/// Waits until the client ends. Returns its output.
	pub fn end(self) -> Output {
		block_in_place(|| self.0.output())
	}
}
