// SPDX-License-Identifier: Apache-2.0
//! The server of a KMS: who gets the key of a file, by the final state, and the receipts of keys.

use std::{
	fs,
	io::{Read, Write},
	path::{Path, PathBuf},
	process::{Command, Output},
	sync::atomic::{AtomicU64, Ordering},
	thread,
	time::{Duration, Instant},
};

use age::{secrecy::ExposeSecret, x25519, DecryptError, Decryptor, Identity as AgeIdentity};
use age_core::format::{FileKey, Stanza};
use content_fabric_client::{
	chain::{calls, wall_clock},
	ids,
	keys::Signer,
	kms::{self, UnwrapRequest, Unwrapped},
	requests::sign,
};
use content_fabric_identifiers::{KmsId, TenantId, VersionId};
use content_fabric_primitives::{KmsKey, Receiver, TenantLevel, Until};
use content_fabric_tests::{
	client::{create_tenant, Remark},
	fabric::{draft, Fabric},
	kms::{Identity, Kms},
	page::{are_like, steps, typed, Step},
	process::{fabric_text, fixed_port, program, Node},
	wait,
};
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/kms.md");
/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest wait for an answer.
const ANSWER: Duration = Duration::from_secs(60);
const PLAIN: &[u8] = b"the figures of this year";

/// A chain, an identity on it, and the KMS.
struct Setup {
	fabric: Fabric,
	identity: Identity,
	kms: Option<Kms>,
	dir: tempfile::TempDir,
}

/// An answer: its status, its body, and two of its headers.
struct Answer {
	status: u16,
	json: Value,
	time: Option<String>,
	wait: Option<String>,
}

impl Setup {
	async fn start() -> Self {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
		let mut setup = Self::on(fabric, dir).await;
		setup.serve();
		setup
	}

	/// Puts the key of a new identity on the chain.
	async fn on(fabric: Fabric, dir: tempfile::TempDir) -> Self {
		let identity = Identity::new(dir.path(), "identity");
		let setup = Self { fabric, identity, kms: None, dir };
		setup.set_key(setup.identity.key).await;
		setup
	}

	fn data(&self) -> PathBuf {
		self.dir.path().join("receipts")
	}

	fn ids(&self) -> (TenantId, KmsId) {
		(self.fabric.tenant, self.fabric.kms)
	}

	/// Starts the server again.
	fn serve(&mut self) {
		self.serve_with(&[]);
	}

	/// Starts the server again, also with these identities.
	fn serve_with(&mut self, earlier: &[&Identity]) {
		drop(self.kms.take());
		let identities = [&[&self.identity], earlier].concat();
		self.kms = Some(Kms::start(self.fabric.url(), self.ids(), &identities, &self.data()));
	}

	/// Runs `fabric-kms serve`, which must end by itself.
	fn refused(&self, (tenant, kms): (TenantId, KmsId), identity: &Identity) -> String {
		let mut command = Command::new(program("fabric-kms"));
		command.args(["serve", "--listen", "127.0.0.1:0", "--url", self.fabric.url()]);
		command.args(["--tenant", &tenant.to_string(), "--kms", &kms.to_string(), "--data"]);
		command.arg(self.data()).arg("--identity").arg(&identity.path);
		command.arg("--passphrase-file").arg(&identity.passphrase);
		error_of(&command.output().expect("it starts"))
	}

	/// Sets the key on the chain, and waits until that is final.
	async fn set_key(&self, key: KmsKey) {
		let (tenant, kms) = self.ids();
		let set = calls::SetKms { tenant, kms, locator: b"https://127.0.0.1/kms".to_vec(), key };
		self.finally(&self.fabric.charlie, set).await;
	}

	/// Submits a call, and waits until its block is final.
	async fn finally(&self, signer: &Signer, call: impl calls::Call) {
		let block = self.fabric.submit(signer, call).await.block_number;
		self.until_final(block).await;
	}

	async fn until_final(&self, block: u64) {
		wait::until(PATIENCE, "the block is not final", async || {
			let at = self.fabric.client.chain.finalized().await.expect("the node answers");
			at.block_number() >= block
		})
		.await;
	}

	/// Gives an account a level, or takes it away, and waits until that is final.
	async fn grant(&self, signer: &Signer, level: Option<TenantLevel>) {
		let (id, account) = (self.fabric.tenant, *signer.account());
		self.finally(&self.fabric.charlie, calls::SetTenantKey { id, account, level }).await;
	}

	fn url(&self) -> &str {
		&self.kms.as_ref().expect("it was started").url
	}

	fn signed_until(&self, signer: &Signer, recipient: Option<KmsKey>, until: u64) -> String {
		let (tenant, kms) = self.ids();
		let genesis = self.fabric.client.chain.identity().genesis_hash;
		let to = Receiver::Kms(kms, recipient);
		sign(signer, &genesis, to, tenant, Until::new(until)).to_string()
	}

	fn signed(&self, signer: &Signer, recipient: Option<KmsKey>) -> String {
		self.signed_until(signer, recipient, wall_clock() / 1_000_000 + 600)
	}

	fn get(&self, path: &str, header: Option<&str>) -> Answer {
		ask(self.url(), path, header, None).expect("it answers")
	}

	fn post(&self, header: &str, request: &UnwrapRequest) -> Answer {
		let body = serde_json::to_string(request).expect("it is JSON");
		ask(self.url(), "/v1/unwrap", Some(header), Some(&body)).expect("it answers")
	}

	/// Asks for the key of a file, and decrypts it with the answer.
	fn read(&self, signer: &Signer, encrypted: &[u8]) -> Result<Vec<u8>, Answer> {
		let reader = x25519::Identity::generate();
		let request = request_for(encrypted, &reader);
		let answer = self.post(&self.signed(signer, Some(request.recipient)), &request);
		if answer.status != 200 {
			return Err(answer);
		}
		let given: Unwrapped = serde_json::from_value(answer.json).expect("it is a stanza");
		let file_key = opened(&given, &reader).expect("it is for the reader");
		let plain = age::decrypt(&Given(file_key), encrypted);
		Ok(plain.expect("it is the key of the file"))
	}

	fn assert_reads(&self, signer: &Signer) {
		let read = self.read(signer, &encrypted_for(self.identity.key));
		assert_eq!(read.map_err(|answer| answer.json), Ok(PLAIN.to_vec()));
	}

	#[track_caller]
	fn assert_refused(&self, signer: &Signer, status: u16, reason: &str) {
		let Err(answer) = self.read(signer, &encrypted_for(self.identity.key)) else {
			panic!("a key was given, expected {reason}");
		};
		answer.assert(status, reason);
	}

	async fn until_ready(&self, is_ready: bool, reason: &str) {
		// Finality stalls after a minute.
		wait::until(2 * PATIENCE, reason, async || {
			let answer = self.get("/ready", None);
			let error = answer.json["error"].as_str().unwrap_or_default();
			(answer.status == 200) == is_ready && (is_ready || error.contains(reason))
		})
		.await;
	}

	fn receipts(&self) -> Value {
		let header = self.signed(&self.fabric.charlie, None);
		let answer = self.get("/v1/receipts?limit=1000", Some(&header));
		assert_eq!(answer.status, 200, "{}", answer.json);
		answer.json["receipts"].clone()
	}
}

impl Answer {
	#[track_caller]
	fn assert(&self, status: u16, reason: &str) {
		let error = self.json["error"].as_str().unwrap_or_default();
		let is_expected = self.status == status && error.contains(reason);
		assert!(is_expected, "{} {error}, expected {status} {reason}", self.status);
	}
}

/// Sends a request. `None` if the server ends before it has answered.
fn ask(url: &str, path: &str, header: Option<&str>, body: Option<&str>) -> Option<Answer> {
	let agent = ureq::Agent::config_builder()
		.timeout_global(Some(ANSWER))
		.http_status_as_error(false)
		.build()
		.new_agent();
	let (url, header) = (format!("{url}{path}"), header.unwrap_or_default());
	let answer = match body {
		Some(body) => {
			let post = agent.post(url).header("Content-Type", "application/json");
			post.header("Authorization", header).send(body)
		},
		None => agent.get(url).header("Authorization", header).call(),
	};
	let mut answer = answer.ok()?;
	let header = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
	let (time, wait) = (header("WWW-Authenticate"), header("Retry-After"));
	assert_eq!(header("Cache-Control").as_deref(), Some("no-store"));
	let text = answer.body_mut().read_to_string().ok()?;
	let json = serde_json::from_str(&text).unwrap_or(Value::String(text));
	Some(Answer { status: answer.status().as_u16(), json, time, wait })
}

fn error_of(output: &Output) -> String {
	assert!(!output.status.success());
	String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Encrypts the text for a KMS, as any program that has the age format does.
fn encrypted_for(key: KmsKey) -> Vec<u8> {
	let recipient: x25519::Recipient = key.to_string().parse().expect("it is a recipient");
	age::encrypt(&recipient, PLAIN).expect("it can be encrypted")
}

/// Notes the stanzas of a file.
struct Noting(std::sync::Mutex<Vec<kms::Stanza>>);

impl AgeIdentity for Noting {
	fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
		let args = [&[stanza.tag.clone()][..], &stanza.args].concat();
		let noted = kms::Stanza { args, body: stanza.body.clone() };
		self.0.lock().expect("nothing has failed").push(noted);
		None
	}
}

/// A file key that was given.
struct Given(FileKey);

impl AgeIdentity for Given {
	fn unwrap_stanza(&self, _: &Stanza) -> Option<Result<FileKey, DecryptError>> {
		Some(Ok(FileKey::new(Box::new(*self.0.expose_secret()))))
	}
}

/// Returns the request for the key of a file, with all its stanzas, grease included.
fn request_for(encrypted: &[u8], reader: &x25519::Identity) -> UnwrapRequest {
	let noting = Noting(Default::default());
	let decryptor = Decryptor::new(encrypted).expect("it is an age file");
	let unopened = decryptor.decrypt(std::iter::once(&noting as &dyn AgeIdentity));
	assert!(matches!(unopened.err(), Some(DecryptError::NoMatchingKeys)));
	let recipient = reader.to_public().to_string().parse().expect("it is a key");
	let stanzas = noting.0.into_inner().expect("nothing has failed");
	UnwrapRequest { recipient, object: None, version: None, stanzas }
}

fn opened(given: &Unwrapped, reader: &x25519::Identity) -> Option<FileKey> {
	let (tag, args) = given.stanza.args.split_first()?;
	let body = given.stanza.body.clone();
	reader.unwrap_stanza(&Stanza { tag: tag.clone(), args: args.to_vec(), body })?.ok()
}

#[tokio::test]
async fn readers_get_keys_until_the_block_that_revokes_them_is_final() {
	let mut setup = Setup::start().await;
	let Setup { fabric, .. } = &setup;
	let no_level = "the account does not have the level read in the tenant";
	setup.assert_refused(&fabric.eve, 403, no_level);
	setup.grant(&fabric.eve, Some(TenantLevel::Read)).await;
	setup.assert_reads(&fabric.eve);
	setup.assert_reads(&fabric.charlie);
	// The key of a provider is none in the tenant, and an operator of the KMS reads nothing.
	setup.assert_refused(&fabric.bob, 403, no_level);
	setup.assert_refused(&fabric.dave, 403, no_level);
	setup.grant(&fabric.eve, None).await;
	setup.assert_refused(&fabric.eve, 403, no_level);

	// The chain serves on, and finalizes nothing.
	setup.grant(&fabric.eve, Some(TenantLevel::Read)).await;
	let (port, chain) = (fixed_port(), setup.dir.path().join("chain"));
	let Setup { fabric, identity, kms, dir } = setup;
	drop(kms);
	let again = move |process: Node| {
		process.stop();
		Node::start_on(port, &chain, &["--finalize-after", "3600000"])
	};
	let fabric = fabric.served_by(again).await;
	setup = Setup { fabric, identity, kms: None, dir };
	setup.serve();
	let fabric = &setup.fabric;
	setup.assert_reads(&fabric.eve);
	let revoke =
		calls::SetTenantKey { id: fabric.tenant, account: *fabric.eve.account(), level: None };
	fabric.submit(&fabric.charlie, revoke).await;
	let revoked = Instant::now();
	setup.assert_reads(&fabric.eve);
	// From a minute on, nobody gets a key, and certainly not within less.
	setup.until_ready(false, "finality stalls").await;
	assert!(revoked.elapsed() > PATIENCE / 2, "{:?}", revoked.elapsed());
	setup.assert_refused(&fabric.charlie, 503, "finality stalls");
	let header = setup.signed(&fabric.charlie, None);
	setup.get("/v1/receipts", Some(&header)).assert(503, "finality stalls");
	assert_eq!(setup.get("/health", None).status, 200);
}

#[tokio::test]
async fn a_tenant_that_is_suspended_frozen_or_purged_gives_no_keys() {
	let mut setup = Setup::start().await;
	let fabric = &setup.fabric;
	let (member, created) = (fabric.tenant.into(), fabric.tenant_row().await.created);
	setup.assert_reads(&fabric.charlie);
	for enabled in [true, false] {
		let call = calls::SetSuspended { member, created, enabled, reason: Vec::new() };
		setup.finally(&fabric.alice, call).await;
		match enabled {
			true => setup.assert_refused(&fabric.charlie, 403, "the tenant is suspended"),
			false => setup.assert_reads(&fabric.charlie),
		}
	}
	for enabled in [true, false] {
		let call = calls::SetGovernanceDelete { member, created, enabled, reason: Vec::new() };
		setup.finally(&fabric.alice, call).await;
		match enabled {
			true => setup.assert_refused(&fabric.charlie, 403, "the tenant is frozen"),
			false => setup.assert_reads(&fabric.charlie),
		}
	}
	fabric.delete_tenant().await;
	let (best, _) = fabric.raw.best_block().await;
	setup.until_final(best).await;
	// It is being purged, or gone.
	setup.assert_refused(&fabric.charlie, 403, "the tenant ");
	// The root gets no receipts of a tenant that is gone.
	let header = setup.signed(&fabric.charlie, None);
	wait::until(PATIENCE, "the tenant is still there", async || {
		// Each block has a step of the purge.
		fabric.submit(&fabric.alice, Remark { remark: Vec::new() }).await;
		setup.get("/v1/receipts", Some(&header)).status == 403
	})
	.await;
	setup.assert_refused(&fabric.charlie, 403, "the tenant does not exist");
	let gone = setup.refused(setup.ids(), &setup.identity);
	assert!(gone.contains("tenant") && gone.contains("iten"), "{gone}");

	// A stranger takes the ids, which are free, and names the public key of the KMS.
	let create = create_tenant(fabric.space, fabric.tenant);
	fabric.submit(&fabric.eve, create).await;
	let same = calls::AddKms { key: setup.identity.key, ..fabric.add_kms() };
	setup.finally(&fabric.eve, same).await;
	setup.assert_refused(&fabric.eve, 403, "the tenant does not exist");
	let header = setup.signed(&fabric.eve, None);
	assert_eq!(setup.get("/v1/receipts", Some(&header)).status, 403);
	// Nor does a server that starts anew show the receipts of the tenant that is gone.
	drop(setup.kms.take());
	let other = setup.refused(setup.ids(), &setup.identity);
	assert!(other.contains("\"created\":") && other.contains("name another --data"), "{other}");
}

#[tokio::test]
async fn a_server_without_the_key_on_the_chain_does_not_start_and_gives_nothing() {
	let mut setup = Setup::start().await;
	let other = Identity::new(setup.dir.path(), "other");
	let (tenant, kms) = setup.ids();
	let used = setup.refused((tenant, kms), &setup.identity);
	assert!(used.contains("another process has it"), "{used}");
	let refused = setup.refused((tenant, kms), &other);
	let words =
		[&setup.identity.key.to_string()[..], &other.key.to_string(), "--identity", "kms set"];
	assert!(words.iter().all(|word| refused.contains(word)), "{refused}");
	let refused = setup.refused((tenant, KmsId([9; 10])), &setup.identity);
	assert!(refused.contains("has no KMS ikms") && refused.contains("fabric kms add"), "{refused}");
	let refused = setup.refused((TenantId([9; 10]), kms), &setup.identity);
	assert!(refused.contains("tenant iten"), "{refused}");

	setup.set_key(other.key).await;
	let reason = "which this server does not have";
	setup.assert_refused(&setup.fabric.charlie, 409, reason);
	setup.until_ready(false, reason).await;
	let status = setup.get("/v1/status", None).json;
	assert_eq!(status["key"], other.key.to_string());
	assert_eq!(status["keys"], serde_json::json!([setup.identity.key]));
	setup.set_key(setup.identity.key).await;
	setup.assert_reads(&setup.fabric.charlie);
	setup.until_ready(true, "ready").await;

	// Rotated: the new key counts, and the earlier identity is for earlier files.
	setup.set_key(other.key).await;
	setup.serve_with(&[&other]);
	setup.assert_reads(&setup.fabric.charlie);
	let read = setup.read(&setup.fabric.charlie, &encrypted_for(other.key));
	assert_eq!(read.map_err(|answer| answer.json), Ok(PLAIN.to_vec()));
	// Removed while the server runs.
	setup.finally(&setup.fabric.charlie, calls::RemoveKms { tenant, kms }).await;
	setup.assert_refused(&setup.fabric.charlie, 409, "the chain has no KMS");
}

#[tokio::test]
async fn requests_of_others_replayed_late_or_full_of_garbage_get_nothing() {
	let setup = Setup::start().await;
	let (fabric, reader) = (&setup.fabric, x25519::Identity::generate());
	let request = request_for(&encrypted_for(setup.identity.key), &reader);
	let header = setup.signed(&fabric.charlie, Some(request.recipient));
	// Somebody who sees the request has another recipient, or gets what only the reader can open.
	let thief = x25519::Identity::generate();
	let recipient = thief.to_public().to_string().parse().expect("it is a key");
	let stolen = UnwrapRequest { recipient, ..request.clone() };
	setup.post(&header, &stolen).assert(401, "has not signed a request");
	let seen: Unwrapped = serde_json::from_value(setup.post(&header, &request).json)
		.expect("the same request is answered again");
	assert!(opened(&seen, &thief).is_none() && opened(&seen, &reader).is_some());
	let genesis = fabric.client.chain.identity().genesis_hash;
	let now = wall_clock() / 1_000_000;
	let (tenant, kms) = setup.ids();
	let to = Receiver::Kms(kms, Some(request.recipient));
	let other = Receiver::Kms(KmsId([9; 10]), Some(request.recipient));
	let until = Until::new(now + 600);
	for header in [
		sign(&fabric.charlie, &[9; 32], to, tenant, until),
		sign(&fabric.charlie, &genesis, other, tenant, until),
		sign(&fabric.charlie, &genesis, to, TenantId([9; 10]), until),
	] {
		setup.post(&header.to_string(), &request).assert(401, "has not signed a request");
	}
	// The clock of a client is an hour behind or ahead: the answer has the server's.
	for clock in [now - 3_600, now + 3_600] {
		let header = setup.signed_until(&fabric.charlie, Some(request.recipient), clock + 1_800);
		let answer = setup.post(&header, &request);
		answer.assert(401, "The clock of this KMS is at");
		let time = answer.time.expect("it has the time");
		let time = time.strip_prefix("Fabric time=\"").and_then(|text| text.strip_suffix('"'));
		let time: Until = time.and_then(|text| text.parse().ok()).expect("it is a time");
		let until = time.seconds() + 1_800;
		let header = setup.signed_until(&fabric.charlie, Some(request.recipient), until);
		assert_eq!(setup.post(&header, &request).status, 200);
	}
	let released = setup.receipts().as_array().map_or(0, Vec::len);
	assert_eq!(released, 3);

	// 10,000 stanzas of garbage, and one that is the file's.
	let garbage = |number: usize| {
		let share = ["B", "C", "D", "E", "F"][number % 5].repeat(42) + "E";
		let tag = ["X25519", "X25519", "scrypt", "->"][number % 4];
		kms::Stanza { args: vec![tag.into(), share], body: vec![number as u8; 32] }
	};
	let full = UnwrapRequest { stanzas: (0..16).map(garbage).collect(), ..request.clone() };
	let mut refused = 0;
	while refused < 10_000 / 16 {
		let answer = setup.post(&header, &full);
		match answer.status {
			422 => refused += 1,
			429 => assert!(answer.wait.is_some()),
			_ => answer.assert(422, "no stanza is for a key of this KMS"),
		}
	}
	let stanza = |length| kms::Stanza { args: vec!["X25519".into()], body: vec![1; length] };
	for (stanzas, status, reason) in [
		((0..17).map(garbage).collect(), 400, "`stanzas` has 17 stanzas"),
		(vec![], 400, "`stanzas` has 0 stanzas"),
		(vec![stanza(513)], 400, "`stanzas[0].body` has 513 bytes"),
		(vec![stanza(512)], 422, "no stanza is for"),
		(vec![stanza(100_000)], 413, "the body has more than 65536 bytes"),
	] {
		setup.post(&header, &UnwrapRequest { stanzas, ..request.clone() }).assert(status, reason);
	}
	assert_eq!(setup.receipts().as_array().map_or(0, Vec::len), released);
	let own = request.stanzas.iter().filter(|stanza| stanza.args[0] == "X25519").cloned();
	let stanzas = (0..15).map(garbage).chain(own).collect();
	assert_eq!(setup.post(&header, &UnwrapRequest { stanzas, ..request.clone() }).status, 200);
}

#[tokio::test]
async fn a_named_version_is_one_of_the_tenant_for_the_kms() {
	let setup = Setup::start().await;
	let fabric = &setup.fabric;
	let node = fabric.add_node("node", &fabric.dave).await;
	let (encrypted, plain) = (VersionId([1; 32]), VersionId([2; 32]));
	let commit = fabric.commit(node, &[draft(fabric.object, encrypted)]).await;
	fabric.submit(&fabric.dave, fabric.signed(&fabric.charlie, &commit)).await;
	let commit = fabric.commit(node, &[draft(fabric.object, plain)]).await;
	let commit = content_fabric_tests::client::VersionCommit { kms: None, ..commit };
	setup.finally(&fabric.dave, fabric.signed(&fabric.charlie, &commit)).await;
	let reader = x25519::Identity::generate();
	let request = request_for(&encrypted_for(setup.identity.key), &reader);
	let header = setup.signed(&fabric.charlie, Some(request.recipient));
	let other = ids::content_object(fabric.tenant, "other");
	let named = |object, version| {
		let (object, version) = (Some(object), Some(version));
		setup.post(&header, &UnwrapRequest { object, version, ..request.clone() })
	};
	for _ in 0..2 {
		assert_eq!(named(fabric.object, encrypted).status, 200);
		let reason = "the version is not one of the object in the tenant";
		named(fabric.object, plain).assert(403, reason);
		named(fabric.object, VersionId([3; 32])).assert(403, reason);
		named(other, encrypted).assert(403, reason);
	}
	let receipts = setup.receipts();
	assert_eq!(receipts.as_array().map(Vec::len), Some(2));
	assert_eq!(receipts[1]["version"], encrypted.to_string());
	assert_eq!(receipts[1]["account"], fabric.charlie.account().to_string());
	assert_eq!(receipts[1]["number"], 2);
	let block = receipts[1]["block"]["number"].as_u64().expect("it is a block");
	let hash = fabric.client.chain.block_hash(block).await.expect("the node answers");
	let hash = format!("0x{}", hex::encode(hash.expect("it is there")));
	assert_eq!(receipts[1]["block"]["hash"], hash);
	// The program makes the same headers.
	let (tenant, kms) = (fabric.tenant.to_string(), fabric.kms.to_string());
	let text = fabric_text(fabric.url(), &["account", "sign-request", &tenant, &kms]);
	let value = text.trim_end().strip_prefix("Authorization: ").expect("it is a header");
	assert_eq!(setup.get("/v1/receipts", Some(value)).json["receipts"], receipts);
	let recipient = request.recipient.to_string();
	let sign = ["account", "sign-request", &tenant, &kms, "--for", &recipient];
	let text = fabric_text(fabric.url(), &sign);
	let value = text.trim_end().strip_prefix("Authorization: ").expect("it is a header");
	assert_eq!(setup.post(value, &request).status, 200);
	let node = node.to_string();
	let sign = ["account", "sign-request", &tenant, &node, "--for", &recipient];
	let reason = "is a content node, and --for is for requests to a KMS";
	content_fabric_tests::process::fabric_fails(fabric.url(), &sign, "usage", reason);
}

#[tokio::test]
async fn no_key_leaves_without_a_receipt_whenever_the_server_is_killed() {
	let mut setup = Setup::start().await;
	let reader = x25519::Identity::generate();
	let request = request_for(&encrypted_for(setup.identity.key), &reader);
	let header = setup.signed(&setup.fabric.charlie, Some(request.recipient));
	let body = serde_json::to_string(&request).expect("it is JSON");
	let answered = AtomicU64::new(0);
	for round in 1..=8u64 {
		let (url, before) = (setup.url().to_owned(), answered.load(Ordering::Relaxed));
		thread::scope(|scope| {
			for _ in 0..4 {
				scope.spawn(|| {
					while let Some(answer) = ask(&url, "/v1/unwrap", Some(&header), Some(&body)) {
						match answer.status {
							200 => answered.fetch_add(1, Ordering::Relaxed),
							status => panic!("{status}: {}", answer.json),
						};
					}
				});
			}
			while answered.load(Ordering::Relaxed) < before + 3 * round {
				thread::sleep(Duration::from_millis(1));
			}
			drop(setup.kms.take());
		});
		let log = setup.data().join("receipts.jsonl");
		// As if the machine had also lost a part of the last write.
		let torn = fs::OpenOptions::new().append(true).open(&log);
		torn.and_then(|mut log| log.write_all(b"{\"number\":")).expect("there is room");
		setup.serve();
		let metrics = setup.get("/metrics", None).json;
		let figures = metrics.as_str().expect("it is text").to_owned();
		let receipts = figures.lines().find_map(|line| {
			line.strip_prefix("fabric_kms_state{of=\"receipts\"} ")?.parse::<u64>().ok()
		});
		let answered = answered.load(Ordering::Relaxed);
		assert!(receipts >= Some(answered), "{receipts:?} receipts of {answered} keys");
	}
	setup.assert_reads(&setup.fabric.charlie);
}

#[tokio::test]
async fn on_a_full_disk_no_key_is_given_and_the_server_says_so() {
	let mut setup = Setup::start().await;
	drop(setup.kms.take());
	// The limit of file sizes, in units of 1,024 bytes, stands for a full disk.
	let mut shell = Command::new("bash");
	shell.args(["-c", "ulimit -S -f 1 && exec \"$0\" \"$@\""]).arg(program("fabric-kms"));
	let data = setup.dir.path().join("full");
	let (url, ids) = (setup.fabric.url(), setup.ids());
	setup.kms = Some(Kms::start_by(shell, url, ids, &[&setup.identity], &data));
	let charlie = &setup.fabric.charlie;
	setup.assert_reads(charlie);
	setup.assert_reads(charlie);
	for _ in 0..2 {
		setup.assert_refused(charlie, 503, "the receipt of the key cannot be written");
		setup.get("/ready", None).assert(503, "receipts cannot be written: File too large");
	}
	assert_eq!(setup.receipts().as_array().map(Vec::len), Some(2));
	// With room again, it goes on by itself.
	let id = setup.kms.as_ref().expect("it serves").process.id().to_string();
	let mut raise = Command::new("prlimit");
	raise.args(["--pid", &id, "--fsize=unlimited"]);
	if !raise.status().is_ok_and(|status| status.success()) {
		eprintln!("not tried with room again: the limit of a process may not be raised here");
		return;
	}
	setup.until_ready(true, "ready").await;
	setup.assert_reads(charlie);
	assert_eq!(setup.receipts().as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_lost_chain_gives_no_keys_until_it_is_back() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let mut setup = Setup::on(fabric, dir).await;
	setup.serve();
	setup.assert_reads(&setup.fabric.charlie);
	let reader = x25519::Identity::generate();
	let request = request_for(&encrypted_for(setup.identity.key), &reader);
	let header = setup.signed(&setup.fabric.charlie, Some(request.recipient));
	let Setup { fabric, identity, kms, dir } = setup;
	let served = kms.as_ref().expect("it serves").url.clone();
	let lost = |process: Node| {
		process.stop();
		let body = serde_json::to_string(&request).expect("it is JSON");
		let answer = ask(&served, "/v1/unwrap", Some(&header), Some(&body)).expect("it answers");
		answer.assert(503, "the final state of the chain is not known now");
		Node::start_on(port, &chain, &[])
	};
	let fabric = fabric.served_by(lost).await;
	let mut setup = Setup { fabric, identity, kms, dir };
	setup.until_ready(true, "ready").await;
	setup.assert_reads(&setup.fabric.charlie);

	// After a restart of the machine, the KMS may start before the node.
	drop(setup.kms.take());
	let (url, ids, data) = (setup.fabric.url().to_owned(), setup.ids(), setup.data());
	let Setup { fabric, identity, dir, .. } = setup;
	let mut starting = None;
	let later = |process: Node| {
		process.stop();
		let kms = starting.insert(thread::spawn(move || {
			let kms = Kms::start(&url, ids, &[&identity], &data);
			(kms, identity)
		}));
		thread::sleep(Duration::from_secs(3));
		assert!(!kms.is_finished(), "it serves or ends without a chain");
		Node::start_on(port, &chain, &[])
	};
	let fabric = fabric.served_by(later).await;
	let (kms, identity) = starting.expect("it was begun").join().expect("it serves");
	let setup = Setup { fabric, identity, kms: Some(kms), dir };
	setup.assert_reads(&setup.fabric.charlie);
}

/// Runs `fabric-kms unwrap` on a file.
fn unwrap(file: &Path, identity: &Identity, output: Option<&Path>) -> Output {
	let mut command = Command::new(program("fabric-kms"));
	command.arg("unwrap").arg(file).arg("--identity").arg(&identity.path);
	command.arg("--passphrase-file").arg(&identity.passphrase);
	if let Some(output) = output {
		command.arg("--output").arg(output);
	}
	command.output().expect("it starts")
}

#[test]
fn unwrap_needs_no_chain_and_writes_no_partial_file() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let [identity, other] = ["a", "b"].map(|name| Identity::new(dir.path(), name));
	let recipient: x25519::Recipient = identity.key.to_string().parse().expect("it is one");
	let bytes: Vec<u8> = (0..200_000u32).map(|at| at as u8).collect();
	let whole = age::encrypt(&recipient, &bytes).expect("it can be encrypted");
	let (file, output) = (dir.path().join("file.age"), dir.path().join("file"));
	let put = |bytes: &[u8]| fs::write(&file, bytes).expect("there is room");
	let files = || fs::read_dir(dir.path()).expect("it is a folder").count();
	put(&whole);
	let before = files();
	let to_stdout = unwrap(&file, &identity, None);
	assert!(to_stdout.status.success() && to_stdout.stdout == bytes);
	let refused = error_of(&unwrap(&file, &other, Some(&output)));
	assert!(refused.contains(" is not encrypted for any of the identities"), "{refused}");
	let mut damaged = whole.clone();
	*damaged.last_mut().expect("it has bytes") ^= 1;
	let passphrase = age::scrypt::Recipient::new("x".to_owned().into());
	let for_a_passphrase = age::encrypt(&passphrase, b"x").expect("it can be encrypted");
	for (bytes, reason) in [
		(&damaged[..], "its encrypted bytes were altered: they do not decrypt"),
		(&whole[..whole.len() - 1], "its encrypted bytes were altered: they do not decrypt"),
		(&whole[..100_000], "its encrypted bytes were altered: they do not decrypt"),
		(&whole[..20], "its bytes are not a file that age has encrypted: the header is cut"),
		(b"", "its bytes are not a file that age has encrypted: the header is cut"),
		(b"plain text of no format at all, which is long enough", "the header is malformed"),
		(&for_a_passphrase, "it is encrypted with a passphrase, not for a KMS"),
	] {
		put(bytes);
		let refused = error_of(&unwrap(&file, &identity, Some(&output)));
		assert!(refused.contains(reason) && refused.contains("file.age"), "{refused}");
		assert_eq!(files(), before, "{reason}: something was left behind");
	}
	put(&whole);
	assert!(unwrap(&file, &identity, Some(&output)).status.success());
	assert_eq!(fs::read(&output).expect("it is there"), bytes);
	let refused = error_of(&unwrap(&file, &identity, Some(&output)));
	assert!(refused.contains("exists already"), "{refused}");
	let missing = error_of(&unwrap(&dir.path().join("no"), &identity, None));
	assert!(missing.contains("no cannot be read: No such file"), "{missing}");
}

#[tokio::test]
async fn the_memory_of_the_server_is_small_and_closed_to_others() {
	let setup = Setup::start().await;
	let id = setup.kms.as_ref().expect("it serves").process.id();
	// The kernel gives the files of such a process to root.
	let mut environment = String::new();
	let read = fs::File::open(format!("/proc/{id}/limits"))
		.and_then(|mut file| file.read_to_string(&mut environment));
	assert!(read.is_ok() && environment.contains("Max core file size"));
	// To open an identity takes the most.
	let status = fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
	let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
	let peak = peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
	let peak = peak.expect("the system counts it");
	assert!(peak <= 64 << 10, "{peak} KiB");
	let core = environment.lines().find(|line| line.starts_with("Max core file size"));
	let numbers: Vec<_> = core.unwrap_or_default().split_whitespace().skip(4).take(2).collect();
	assert_eq!(numbers, ["0", "0"]);
}

#[tokio::test]
async fn every_command_of_the_page_does_what_it_says() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let kms = ids::kms(fabric.tenant, "keys");
	let home = dir.path().join("home");
	fs::create_dir(&home).expect("there is room for a folder");
	let mut variables = vec![
		("FABRIC_URL", fabric.url().to_owned()),
		("TENANT", fabric.tenant.to_string()),
		("KMS", kms.to_string()),
		("OPERATOR", fabric.dave.account().to_string()),
		("READER", fabric.eve.account().to_string()),
		("ADMIN_KEY", "//Charlie".to_owned()),
	];
	let mut setup = None::<Setup>;
	let (mut fabric, mut dir) = (Some(fabric), Some(dir));
	let steps = steps(PAGE);
	assert!(steps.len() > 10, "the page has commands");
	for Step { line, command, output, .. } in steps {
		if command.starts_with("curl") && setup.is_none() {
			let key = fs::read_to_string(home.join("kms-key")).expect("the page made it");
			let key = key.trim().parse().expect("it is a key");
			let (path, passphrase) = (home.join("kms-identity.age"), home.join("passphrase"));
			let identity = Identity { path, passphrase, key };
			let fabric = Fabric { kms, ..fabric.take().expect("it is the first time") };
			let dir = dir.take().expect("it is the first time");
			let mut started = Setup { fabric, identity, kms: None, dir };
			let (best, _) = started.fabric.raw.best_block().await;
			started.until_final(best).await;
			started.serve();
			started.until_ready(true, "ready").await;
			started.assert_reads(&started.fabric.eve);
			let encrypted = encrypted_for(key);
			fs::write(home.join("report.age"), encrypted).expect("there is room");
			variables.push(("KMS_URL", started.url().to_owned()));
			setup = Some(started);
		}
		let (code, printed) = typed(&command, &home, &variables);
		assert!(
			code == Some(0) && are_like(&output, &printed),
			"docs/kms.md, line {line}: `{command}` prints\n{}\nand not\n{}",
			printed.join("\n"),
			output.join("\n")
		);
	}
	let mut setup = setup.expect("the page asks the server");
	// As the page says of a rotation.
	let (best, _) = setup.fabric.raw.best_block().await;
	setup.until_final(best).await;
	setup.assert_refused(&setup.fabric.eve, 409, "which this server does not have");
	let key = fs::read_to_string(home.join("kms-key-2")).expect("the page made it");
	let (path, passphrase) = (home.join("kms-identity-2.age"), home.join("passphrase"));
	let other = Identity { path, passphrase, key: key.trim().parse().expect("it is a key") };
	setup.serve_with(&[&other]);
	setup.assert_refused(&setup.fabric.eve, 403, "does not have the level read");
	setup.assert_reads(&setup.fabric.charlie);
}
