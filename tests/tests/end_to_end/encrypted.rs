// SPDX-License-Identifier: Apache-2.0
//! Files that are encrypted for a KMS: put, got, and refused, with a chain, a content node and the
//! KMS.

use std::{
	fs,
	io::{Read, Write},
	net::{TcpListener, TcpStream},
	os::unix::fs::PermissionsExt,
	path::{Path, PathBuf},
	process::{Output, Stdio},
	sync::{
		atomic::Ordering,
		mpsc::{channel, Receiver, Sender},
	},
	thread,
	time::Duration,
};

use age::{x25519, Recipient as _};
use age_core::format::FileKey;
use content_fabric_client::{
	chain::{calls, rows, VersionCommit},
	ids,
	kms::{AtBlock, UnwrapRequest, Unwrapped},
};
use content_fabric_identifiers::{ContentObjectId, HashKind, TenantId, VersionId};
use content_fabric_primitives::{DraftVersion, KmsKey};
use content_fabric_tests::{
	client::create_tenant,
	kms::{Identity, Kms},
	page::{are_like, steps, typed, Step},
	process::{fabric_command, failure, program, report, stderr, Failure, Process},
	wait,
};
use serde_json::{json, Value};

use super::{
	content::{content, place, tree, version},
	put_and_get::{send, World},
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Sizes around the length of the chunks that are encrypted, 64 KiB.
const SIZES: [usize; 6] = [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 5 << 20];
const PAGE: &str = include_str!("../../../docs/client.md");

/// A chain with a content node, and with a KMS of the tenant.
struct Secret {
	world: World,
	identity: Identity,
	kms: Option<Kms>,
}

impl Secret {
	async fn start() -> Self {
		let world = World::start().await;
		let identity = Identity::new(world.dir.path(), "identity");
		let mut secret = Self { world, identity, kms: None };
		secret.set_kms(secret.identity.key, "https://127.0.0.1/kms").await;
		secret.serve(&[]).await;
		secret
	}

	/// Starts the KMS, also with these earlier identities.
	async fn serve(&mut self, earlier: &[&Identity]) {
		self.serve_by(std::process::Command::new(program("fabric-kms")), earlier).await;
	}

	/// Starts the KMS as [`serve`](Self::serve) does, by a command.
	async fn serve_by(&mut self, command: std::process::Command, earlier: &[&Identity]) {
		let (fabric, data) = (&self.world.fabric, self.world.dir.path().join("receipts"));
		drop(self.kms.take());
		let identities = [&[&self.identity], earlier].concat();
		let ids = (fabric.tenant, fabric.kms);
		let kms = Kms::start_by(command, fabric.url(), ids, &identities, &data);
		self.set_kms(self.identity.key, &kms.url).await;
		self.kms = Some(kms);
	}

	/// Sets the row of the KMS, and waits until that is final.
	async fn set_kms(&self, key: KmsKey, locator: &str) {
		let fabric = &self.world.fabric;
		let (tenant, kms, locator) = (fabric.tenant, fabric.kms, locator.as_bytes().to_vec());
		let set = calls::SetKms { tenant, kms, locator: locator.clone(), key };
		fabric.submit(&fabric.charlie, set).await;
		self.until_final(async |at| {
			at.kms(tenant, kms)
				.await
				.is_ok_and(|row| (row.key, row.locator.0) == (key, locator.clone()))
		})
		.await;
	}

	async fn until_final(&self, is: impl AsyncFn(content_fabric_client::chain::Snapshot) -> bool) {
		wait::until(PATIENCE, "it is not final", async || {
			is(self.world.fabric.client.chain.finalized().await.expect("the node answers")).await
		})
		.await;
		let last = self.world.fabric.client.chain.finalized().await.expect("the node answers");
		wait::until(PATIENCE, "the KMS does not follow", async || {
			self.kms.as_ref().is_none_or(|kms| kms.block() >= last.block_number())
		})
		.await;
	}

	/// Gives an account a level in the tenant, or takes it away, and waits until that is final.
	async fn allow(&self, account: &str, allows: bool) {
		let (change, level): (_, &[_]) =
			if allows { ("grant", &["read"]) } else { ("revoke", &[]) };
		let tenant = self.world.fabric.tenant;
		let arguments = ["key", change, &tenant.to_string(), account];
		let arguments = [&arguments[..], level, &["--yes", "--signer", "//Charlie"]].concat();
		assert!(self.run(&arguments).status.success());
		let account: ids::Address = account.parse().expect("it is one");
		let key = (tenant, account.account);
		self.until_final(async |at| {
			at.get(rows::tenant_keys(), key).await.expect("the node answers").is_some() == allows
		})
		.await;
	}

	/// Returns a command with the records and pins of one machine.
	fn at(&self, machine: &str, arguments: &[&str]) -> std::process::Command {
		let mut command = fabric_command(self.world.url(), arguments);
		let home = self.world.dir.path().join(machine);
		command
			.env("FABRIC_CONFIG", home.join("config.toml"))
			.env("FABRIC_STATE", home.join("state"));
		command
	}

	fn run(&self, arguments: &[&str]) -> Output {
		self.at("here", arguments).output().expect("the client starts")
	}

	#[track_caller]
	fn report(&self, arguments: &[&str]) -> Value {
		report(&self.run(&[&["--json"], arguments].concat()), 0)
	}

	#[track_caller]
	fn failure(&self, arguments: &[&str]) -> Failure {
		failure(&self.run(&[&["--json"], arguments].concat()))
	}

	/// Returns the arguments of an encrypted put of a path to a content node.
	fn put_to(&self, path: &str, node: &str) -> Vec<String> {
		["put", path, "--source", "tenant", "--node", node, "--encrypt"].map(str::to_owned).into()
	}

	/// Puts a path of the folder encrypted. Returns the output, with a report.
	fn put(&self, name: &str, options: &[&str]) -> Output {
		let node = format!("http://{}", self.world.store().address);
		let put = self.put_to(&self.world.path(name), &node);
		let put = ["--json"].into_iter().chain(put.iter().map(String::as_str));
		self.run(&put.chain(options.iter().copied()).collect::<Vec<_>>())
	}

	fn tenant(&self) -> String {
		self.world.fabric.tenant.to_string()
	}

	/// Returns the versions of a file on the chain.
	async fn versions(&self, name: &str) -> Vec<(VersionId, rows::Version)> {
		let (client, tenant) = (&self.world.fabric.client, self.world.fabric.tenant);
		let object: ContentObjectId = ids::content_object(tenant, name);
		let rows = client.best().await.rows(rows::versions(), (tenant, object)).await;
		let rows = rows.expect("the node answers").into_iter();
		rows.map(|((.., version), row)| (version, row)).collect()
	}

	/// Returns the paths of the spool.
	fn spooled(&self) -> Vec<PathBuf> {
		let spool = self.world.dir.path().join("here/state/spool");
		let files = fs::read_dir(spool).expect("there is a spool");
		files.map(|file| file.expect("it can be read").path()).collect()
	}

	fn receipts(&self) -> usize {
		let (tenant, kms) = (self.tenant(), self.world.fabric.kms.to_string());
		let receipts = self.report(&["kms", "receipts", &tenant, &kms]);
		receipts["receipts"].as_array().map(Vec::len).expect("a list")
	}
}

fn mode(path: impl AsRef<Path>) -> u32 {
	fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[tokio::test]
async fn files_are_encrypted_put_once_and_got_back_by_readers_alone() {
	let mut secret = Secret::start().await;
	let world = &secret.world;
	for size in SIZES {
		world.file(&format!("site/{size}"), &content(size as u64, size));
	}
	world.file("site/sub/same", &content(1, 1));
	let [site, back] = ["site", "back"].map(|name| world.path(name));
	let planned = report(&secret.put("site", &["--dry-run"]), 0);
	assert_eq!(
		(&planned["sources"][0]["committed"], &planned["transactions"]),
		(&json!(7), &json!(0))
	);
	assert!(
		!world.dir.path().join("here").exists(),
		"a dry run encrypts nothing, and pins nothing"
	);
	let output = secret.put("site", &[]);
	let said = stderr(&output);
	assert!(said.contains("seen here for the first time"), "{said}");
	assert!(said.contains("names and sizes stay public"), "{said}");
	let put = report(&output, 0);
	let key = secret.identity.key.to_string();
	assert_eq!(put["encrypted"], json!({ "kms": world.fabric.kms, "key": key }));
	assert_eq!(
		(&put["sources"][0]["committed"], &put["sources"][0]["finalized"]),
		(&json!(7), &json!(7))
	);
	let versions = secret.versions("1").await;
	let [(sealed, row)] = &versions[..] else { panic!("{versions:?}") };
	assert_eq!(
		(row.kms, row.known_size(*sealed).is_some_and(|size| size > 1)),
		(Some(world.fabric.kms), true)
	);
	assert_ne!(*sealed, version(&content(1, 1)));
	secret
		.until_final(async |at| {
			let rows = at.rows(rows::versions(), (world.fabric.tenant,)).await;
			rows.expect("the node answers").iter().all(|(_, row)| row.finalized.is_some())
		})
		.await;

	// Nothing is added by the second put, and the spool is empty after it at the latest.
	let again = report(&secret.put("site", &[]), 0);
	assert_eq!(again["items"], 1, "only the record of the run: {again}");
	assert!(secret.spooled().is_empty());

	// Without the option, files are not put in plain by mistake.
	let node = format!("http://{}", world.store().address);
	let plain = ["put", &site, "--source", "tenant", "--node", &node, "--dry-run"];
	let refused = secret.failure(&plain);
	assert_eq!(refused.class, "usage");
	assert!(refused.error.contains("7 files with encrypted versions"), "{refused:?}");
	assert!(refused.error.contains("pass --encrypt, or --plain"), "{refused:?}");
	secret.report(&[&plain[..], &["--plain"]].concat());
	let state = world.dir.path().join("here/state");
	assert_eq!(
		(mode(&state), mode(state.join("spool")), mode(state.join("encrypted.jsonl"))),
		(0o700, 0o700, 0o600)
	);

	let tenant = secret.tenant();
	let got = secret.report(&["get", &tenant, "--output", &back]);
	assert_eq!(got["files"].as_array().map(Vec::len), Some(7), "{got}");
	assert!(tree(site.as_ref()) == tree(back.as_ref()));
	world.file("plain", b"x");
	assert_eq!(mode(format!("{back}/1")), mode(world.path("plain")));
	let got = secret.run(&["get", &tenant, "--output", &back]);
	assert_eq!(String::from_utf8_lossy(&got.stdout), "7 files were there before\n");
	let receipts = secret.receipts();
	assert_eq!(receipts, 7, "files that are there are not asked for again");

	// Another machine that has got the files knows them, and puts nothing.
	let there = |arguments: &[&str]| {
		secret.at("there", &[&["--json"], arguments].concat()).output().expect("the client starts")
	};
	fs::remove_dir_all(&back).expect("it is there");
	report(&there(&["get", &tenant, "--output", &back]), 0);
	let node = format!("http://{}", world.store().address);
	let put = secret.put_to(&back, &node);
	let put = report(&there(&put.iter().map(String::as_str).collect::<Vec<_>>()), 0);
	assert_eq!(put["items"], 1, "{put}");
	let verified = secret.run(&["verify", &format!("{back}/1")]);
	let words =
		format!("by the records of this machine, these are the decrypted bytes of {sealed}");
	assert!(String::from_utf8_lossy(&verified.stdout).contains(&words), "{verified:?}");

	// Bytes that another one has altered are not decrypted, and the KMS is not asked.
	let receipts = secret.receipts();
	let stored = place(&world.dir.path().join("data"), *sealed);
	let mut bytes = fs::read(&stored).expect("it is there");
	let last = bytes.len() - 1;
	bytes[last] ^= 1;
	fs::set_permissions(&stored, fs::Permissions::from_mode(0o600)).expect("it is ours");
	fs::write(&stored, bytes).expect("it is writable");
	let one = world.path("one");
	let refused = secret.failure(&["get", &tenant, "names", "1", "--output", &one]);
	assert_eq!(refused.class, "unserved", "{refused:?}");
	assert_eq!(secret.receipts(), receipts);
	assert!(!Path::new(&one).exists());

	// Without the KMS, nothing is decrypted, and nothing is lost.
	drop(secret.kms.take());
	let refused =
		secret.failure(&["get", &tenant, "names", "65536", "--output", &secret.world.path("one")]);
	assert_eq!(refused.class, "connection", "{refused:?}");
	assert!(refused.error.starts_with("the KMS at http://127.0.0.1:"), "{refused:?}");
	assert!(refused.error.contains(" does not answer: "), "{refused:?}");
	assert!(!Path::new(&secret.world.path("one")).exists());
	secret.serve(&[]).await;
	secret.report(&["get", &tenant, "names", "65536", "--output", &secret.world.path("one")]);
	assert!(fs::read(secret.world.path("one")).expect("it is there") == content(65536, 65536));

	// The versions stay when the KMS is removed, and are still not put in plain by mistake: neither
	// by their names, nor on a machine that has encrypted the same bytes.
	let kms = secret.world.fabric.kms.to_string();
	secret.report(&["kms", "remove", &tenant, &kms, "--yes", "--signer", "//Charlie"]);
	let node = format!("http://{}", secret.world.store().address);
	let plain = |machine: &str, path: &str| {
		let put = ["--json", "put", path, "--source", "tenant", "--node", &node, "--dry-run"];
		let output = secret.at(machine, &put).output().expect("the client starts");
		let refused = failure(&output);
		assert!(refused.error.contains("pass --encrypt, or --plain"), "{refused:?}");
		refused.error
	};
	assert!(plain("elsewhere", &site).contains("7 files with encrypted versions"));
	secret.world.file("renamed/new", &content(1, 1));
	let refused = plain("here", &secret.world.path("renamed"));
	assert!(refused.contains("1 file with encrypted versions, such as new"), "{refused}");
}

#[tokio::test]
async fn strangers_and_former_readers_are_refused_with_the_reason_of_the_kms() {
	let secret = Secret::start().await;
	let bytes = content(3, 300_000);
	secret.world.file("site/a", &bytes);
	secret.world.file("site/other", b"other");
	report(&secret.put("site", &[]), 0);
	let (tenant, out) = (secret.tenant(), secret.world.path("out"));
	let eve = secret.world.fabric.eve.account().to_string();
	let get = ["get", &tenant, "names", "a", "--signer", "//Eve", "--output", &out];
	let refused = secret.failure(&get);
	assert_eq!(refused.class, "refused", "{refused:?}");
	assert!(refused.error.contains(" refuses, with status 403: "), "{refused:?}");
	assert!(!Path::new(&out).exists());
	// Of a folder, each file has the reason.
	let folder = secret.world.path("folder");
	let refused = secret.run(&["--json", "get", &tenant, "--signer", "//Eve", "--output", &folder]);
	let refused: Value = serde_json::from_slice(&refused.stdout).expect("it is JSON");
	assert_eq!(refused["failed"].as_array().map(Vec::len), Some(2), "{refused}");

	secret.allow(&eve, true).await;
	secret.report(&get);
	assert!(fs::read(&out).expect("it is there") == bytes);
	fs::write(&out, "changed").expect("it is writable");
	let refused = secret.failure(&get);
	assert!(refused.error.ends_with("it has other content: pass --force to replace it"));
	secret.report(&[&get[..], &["--force"]].concat());
	assert!(fs::read(&out).expect("it is there") == bytes);
	let stream = ["get", &tenant, "names", "a", "--signer", "//Eve", "--output", "-"];
	let streamed = secret.run(&stream);
	assert!(streamed.status.success() && streamed.stdout == bytes, "{}", stderr(&streamed));
	secret.allow(&eve, false).await;
	let refused = secret.run(&stream);
	assert!(!refused.status.success() && refused.stdout.is_empty());
	assert!(stderr(&refused).contains("403"), "{}", stderr(&refused));

	// The encrypted bytes are for everyone.
	let [(sealed, _)] = &secret.versions("a").await[..] else { panic!("one version") };
	let (id, raw) = (sealed.to_string(), secret.world.path("raw"));
	let get = ["get", &id, "--raw", "--signer", "//Eve", "--output", &raw];
	secret.report(&get);
	let encrypted = fs::read(&raw).expect("it is there");
	assert_eq!(version(&encrypted), *sealed);
	let part = secret.world.path("part");
	let range = ["get", &id, "--range", "0-20", "--output", &part];
	let refused = secret.failure(&range);
	assert_eq!(refused.class, "usage");
	assert!(refused.error.ends_with("--range counts its encrypted bytes: pass --raw for these"));
	secret.report(&[&range[..], &["--raw"]].concat());
	assert_eq!(fs::read(&part).expect("it is there"), b"age-encryption.org/v1");
}

#[tokio::test]
async fn a_changed_key_needs_consent_and_old_files_stay_readable() {
	let mut secret = Secret::start().await;
	secret.world.file("site/old", b"old");
	report(&secret.put("site", &[]), 0);
	let (tenant, kms) = (secret.tenant(), secret.world.fabric.kms.to_string());
	let shown = secret.report(&["kms", "show", &tenant]);
	let first = secret.identity.key;
	assert_eq!((&shown[0]["key"], &shown[0]["pinned"]), (&json!(first), &json!(first)));
	assert_eq!((&shown[0]["serves"], &shown[0]["keys"]), (&json!(true), &json!([first])));

	let next = Identity::new(secret.world.dir.path(), "next");
	secret.set_kms(next.key, &secret.kms.as_ref().expect("it runs").url).await;
	let shown = secret.report(&["kms", "show", &tenant, &kms]);
	assert_eq!((&shown[0]["serves"], &shown[0]["pinned"]), (&json!(false), &json!(first)));
	assert_eq!(shown[0]["problem"], "its server does not have the key");
	// Its server gives no keys until somebody acts, so nobody waits for it.
	let back = secret.world.path("back");
	let refused = secret.run(&["--json", "get", &tenant, "names", "old", "--output", &back]);
	assert!(!stderr(&refused).contains("Asking again"), "{}", stderr(&refused));
	let refused = failure(&refused);
	assert_eq!(refused.class, "refused");
	assert!(
		refused.error.contains(" refuses, with status 409: the chain has the key "),
		"{refused:?}"
	);
	// As with a node that lies about the key. Consent to all questions is none to this one.
	secret.world.file("site/new", b"new");
	let refused = failure(&secret.put("site", &["--yes"]));
	assert_eq!(refused.class, "usage");
	for part in [&*format!("has the key {}, but {first} of ikms", next.key), "pass --kms-key age1"]
	{
		assert!(refused.error.contains(part), "{refused:?}");
	}
	let refused = failure(&secret.put("site", &["--kms-key", &first.to_string()]));
	assert!(refused.error.starts_with("--kms-key: "), "{refused:?}");
	assert!(secret.versions("new").await.is_empty());

	let old = secret.world.path("site/old");
	fs::remove_file(&old).expect("it is there");
	report(&secret.put("site", &["--kms-key", &next.key.to_string()]), 0);
	report(&secret.put("site", &[]), 0);
	let former = std::mem::replace(&mut secret.identity, next);
	secret.serve(&[&former]).await;
	secret.report(&["get", &tenant, "--output", &back]);
	assert_eq!(fs::read(format!("{back}/old")).expect("it is there"), b"old");
	assert_eq!(fs::read(format!("{back}/new")).expect("it is there"), b"new");

	// A machine that knows the files by `get` alone encrypts the old one for the new key.
	fs::remove_file(secret.world.dir.path().join("here/state/encrypted.jsonl"))
		.expect("it is there");
	secret.report(&["get", &tenant, "--output", &secret.world.path("again")]);
	report(&secret.put("again", &[]), 0);
	assert_eq!(secret.versions("old").await.len(), 2);
	assert_eq!(secret.versions("new").await.len(), 1);
}

#[tokio::test]
async fn nothing_is_encrypted_without_a_kms_that_can_be_asked() {
	let secret = Secret::start().await;
	let node = format!("http://{}", secret.world.store().address);
	secret.world.file("site/a", b"a");
	let site = secret.world.path("site");
	let refused = |options: &[&str]| {
		let put = ["put", &site, "--node", &node, "--encrypt"];
		let refused = secret.failure(&[&put[..], options].concat());
		(refused.class, refused.error)
	};
	let (class, error) = refused(&[]);
	assert!(
		error.contains(" has no KMS for which files could be encrypted: add one with"),
		"{error}"
	);
	assert_eq!(class, "not-found");
	let own = ["--source", "tenant"];
	let unknown = ids::kms(secret.world.fabric.tenant, "unknown").to_string();
	let (class, error) = refused(&[&own[..], &["--kms", &unknown]].concat());
	assert_eq!(class, "not-found", "{error}");
	secret.set_kms(secret.identity.key, "/ip4/127.0.0.1").await;
	let (class, error) = refused(&own);
	assert!(
		error.contains("cannot be reached, so nobody could read the files: its locator"),
		"{error}"
	);
	assert_eq!(class, "refused");
	let (_, error) = refused(&[&own[..], &["--spool", "/dev/null/x"]].concat());
	assert!(error.contains("cannot be reached"), "the chain is looked at first: {error}");
	let fabric = &secret.world.fabric;
	let second = calls::AddKms {
		kms: ids::kms(fabric.tenant, "second"),
		key: secret.identity.key,
		..fabric.add_kms()
	};
	fabric.submit(&fabric.charlie, second).await;
	secret
		.until_final(async |at| {
			let rows = at.rows(rows::kmses(), (fabric.tenant,)).await;
			rows.expect("the node answers").len() == 2
		})
		.await;
	let (class, error) = refused(&own);
	assert!(error.contains(" has several KMSes: name one with --kms: ikms"), "{error}");
	assert_eq!(class, "usage");
	assert!(secret.versions("a").await.is_empty());
}

#[tokio::test]
async fn a_version_that_only_says_that_it_is_encrypted_is_not_decrypted() {
	let secret = Secret::start().await;
	let stanza = format!("-> X25519 {0}\n{0}\n", "B".repeat(42) + "E");
	let garbage = |number| {
		let mac = "A".repeat(43);
		let head = format!("age-encryption.org/v1\n{}--- {mac}\n", stanza.repeat(number));
		[head.as_bytes(), &content(5, 20_000)].concat()
	};
	let malformed = "its bytes are not a file that age has encrypted: the header is malformed";
	let long = "its bytes have a header of more than 16384 bytes, which is too long";
	for (bytes, class, expected) in [
		(content(5, 20_000), "unserved", malformed),
		(garbage(10_000), "unserved", long),
		(garbage(17), "unserved", "it is encrypted for 17 X25519 keys, expected at most 16"),
		(garbage(16), "refused", " refuses, with status 422: no stanza is for a key of this KMS"),
	] {
		super::content::commit(secret.world.store(), &secret.world.fabric, &[&bytes]);
		secret.world.store().upload(&super::content::path(&bytes), &bytes);
		super::content::finalized(&secret.world.fabric, &[&bytes]).await;
		let (id, out) = (version(&bytes).to_string(), secret.world.path("out"));
		let refused = secret.failure(&["get", &id, "--output", &out]);
		assert_eq!(refused.class, class, "{refused:?}");
		assert!(refused.error.ends_with(expected), "{refused:?}");
		assert!(!Path::new(&out).exists());
		secret.report(&["get", &id, "--raw", "--output", &out]);
		assert!(fs::read(&out).expect("it is there") == bytes);
		fs::remove_file(&out).expect("it is there");
	}
	assert_eq!(secret.receipts(), 0);
}

/// Gives each reader a wrong key of a file.
fn wrong_key(_: usize, head: &str, stream: &mut TcpStream) {
	let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
	let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
	stream.read_exact(&mut body).expect("the body arrives");
	let request: UnwrapRequest = serde_json::from_slice(&body).expect("it is a request");
	let recipient: x25519::Recipient =
		request.recipient.to_string().parse().expect("it is a recipient");
	let (stanzas, _) =
		recipient.wrap_file_key(&FileKey::new(Box::new([7; 16]))).expect("it is wrapped");
	let stanza = stanzas.first().expect("there is one").into();
	let block = AtBlock { number: 1, hash: [1; 32] };
	let answer = Unwrapped { stanza, key: request.recipient, block };
	let answer = serde_json::to_vec(&answer).expect("it is JSON");
	send(stream, "200 OK", answer.len(), &answer);
}

#[tokio::test]
async fn the_kms_of_a_stranger_gives_nothing_and_the_right_one_is_asked_all_the_same() {
	let secret = Secret::start().await;
	let (bytes, fabric) = (content(9, 100_000), &secret.world.fabric);
	secret.world.file("site/a", &bytes);
	report(&secret.put("site", &[]), 0);
	let [(sealed, row)] = &secret.versions("a").await[..] else { panic!("one version") };
	// The tenant of the stranger is the first one of the chain.
	let tenant = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
	let (kms, object) = (ids::kms(tenant, "kms"), ids::content_object(tenant, "a"));
	let identity = Identity::new(secret.world.dir.path(), "stranger");
	let (liar, lies) = super::put_and_get::server(wrong_key);
	fabric.submit(&fabric.eve, create_tenant(fabric.space, tenant)).await;
	let add = calls::AddKms {
		tenant,
		kms,
		operator: *fabric.eve.account(),
		locator: liar.clone().into(),
		key: identity.key,
	};
	fabric.submit(&fabric.eve, add).await;
	// The stranger commits the same encrypted bytes, as ones for its own KMS.
	let node = fabric.add_node("other", &fabric.dave).await;
	let size = row.known_size(*sealed).expect("it is BLAKE3");
	let version = DraftVersion {
		object,
		version: *sealed,
		hash: HashKind::Blake3,
		size,
		set_head_on_finalize: false,
	};
	let commit = fabric.commit(node, &[version]).await;
	let commit = VersionCommit { tenant, kms: Some(kms), ..commit };
	fabric.submit(&fabric.dave, fabric.signed(&fabric.eve, &commit)).await;
	let finalize = calls::FinalizeVersions { tenant, ..fabric.finalize(node, [(object, *sealed)]) };
	fabric.submit(&fabric.dave, finalize).await;
	secret
		.until_final(async |at| {
			let row = at.get(rows::versions(), (tenant, object, *sealed)).await;
			row.expect("the node answers").is_some_and(|row| row.finalized.is_some())
		})
		.await;
	let (id, out) = (sealed.to_string(), secret.world.path("out"));
	let get = async |reason: &str| {
		let got = secret.run(&["get", &id, "--output", &out, "--force"]);
		let (said, own) = (stderr(&got), fabric.kms);
		let words = format!("{reason}. Asking the KMS {own} of {}", fabric.tenant);
		assert!(got.status.success() && said.contains(&words), "{said}, expected {words}");
		assert!(fs::read(&out).expect("it is there") == bytes);
		fs::remove_file(&out).expect("it is there");
	};
	get(&format!("the KMS at {liar} gives a key that does not open the file")).await;
	assert_eq!(lies.load(Ordering::SeqCst), 1);
	let data = secret.world.dir.path().join("stranger-receipts");
	let stranger = Kms::start(fabric.url(), (tenant, kms), &[&identity], &data);
	let set =
		calls::SetKms { tenant, kms, locator: stranger.url.clone().into(), key: identity.key };
	fabric.submit(&fabric.eve, set).await;
	secret
		.until_final(async |at| {
			let row = at.kms(tenant, kms).await.expect("the node answers");
			row.locator.0 == stranger.url.as_bytes()
		})
		.await;
	get("does not have the level read in the tenant at the last final block: its root or an admin gives \
	     it with `fabric key grant`")
	.await;

	// The row of the tenant's own KMS leads to the stranger's server.
	secret.set_kms(secret.identity.key, &stranger.url).await;
	let own = secret.tenant();
	let refused = secret.failure(&["get", &own, "names", "a", "--output", &out]);
	let words = format!("has not signed a request to the KMS {kms} for the tenant {tenant}");
	assert_eq!(refused.class, "refused", "{refused:?}");
	assert!(refused.error.contains(&words), "{refused:?}");
	assert!(!Path::new(&out).exists());
	let receipts = fs::read_to_string(data.join("receipts.jsonl")).expect("it is there");
	assert_eq!(receipts.lines().count(), 1, "only the line that begins it");
	assert_eq!(lies.load(Ordering::SeqCst), 1);
}

/// Has a program run at another time, in seconds from now.
fn shift(command: &mut std::process::Command, seconds: &str) {
	let folders = fs::read_dir("/usr/lib").expect("there are libraries");
	let paths = folders.map(|folder| folder.expect("it can be read").path());
	let library = paths.map(|path| path.join("faketime/libfaketimeMT.so.1"));
	let library = library.into_iter().find(|path| path.exists());
	command
		.env("LD_PRELOAD", library.expect("libfaketime is there: run scripts/setup"))
		.env("FAKETIME", seconds)
		.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
}

#[tokio::test]
async fn clocks_that_differ_by_an_hour_do_not_keep_a_reader_from_its_files() {
	let mut secret = Secret::start().await;
	secret.world.file("site/a", b"secret");
	report(&secret.put("site", &[]), 0);
	let (tenant, out) = (secret.tenant(), secret.world.path("out"));
	for (server, client, words) in [
		("+0", "+3600", "the clock of this machine is 60 minutes ahead of the KMS's"),
		("+0", "-3600", "the clock of this machine is 60 minutes behind the KMS's"),
		("+3600", "+0", "the clock of this machine is 60 minutes behind the KMS's"),
		("-3600", "+0", "the clock of this machine is 60 minutes ahead of the KMS's"),
	] {
		let mut command = std::process::Command::new(program("fabric-kms"));
		shift(&mut command, server);
		secret.serve_by(command, &[]).await;
		let mut get = secret.at("here", &["get", &tenant, "names", "a", "--output", &out]);
		shift(&mut get, client);
		let got = get.output().expect("the client starts");
		let said = stderr(&got);
		// A second may pass.
		let words = [words.to_owned(), words.replace("60", "59")];
		assert!(got.status.success(), "{server} {client}: {said}");
		assert!(words.iter().any(|words| said.contains(words)), "{server} {client}: {said}");
		assert_eq!(fs::read(&out).expect("it is there"), b"secret");
		fs::remove_file(&out).expect("it is there");
	}
}

/// A step of a put, at which it is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kill {
	/// The bytes are encrypted and recorded, and no commit is drafted.
	Recorded,
	/// A commit is drafted.
	Drafted,
	/// The commit is in a block.
	Committed,
	/// Half of the bytes are at the content node.
	Half,
	/// All bytes are at the content node.
	Whole,
}

/// Starts a server before a content node, which stops at a step: it says so, and nothing more.
fn stopping(store: String, step: Kill) -> (String, Receiver<()>) {
	let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
	let url = format!("http://{}", listener.local_addr().expect("it is bound"));
	let (sender, receiver) = channel();
	thread::spawn(move || {
		while let Ok((stream, _)) = listener.accept() {
			let (store, sender) = (store.clone(), sender.clone());
			thread::spawn(move || pass_on(stream, &store, step, &sender));
		}
	});
	(url, receiver)
}

/// Passes on one request, and the answer.
fn pass_on(mut client: TcpStream, store: &str, step: Kill, reached: &Sender<()>) {
	let (mut head, mut byte) = (Vec::new(), [0]);
	while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).is_ok_and(|read| read == 1) {
		head.push(byte[0]);
	}
	let text = String::from_utf8_lossy(&head).to_lowercase();
	let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
	let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
	if client.read_exact(&mut body).is_err() {
		return;
	}
	let stop = || {
		let _ = reached.send(());
		thread::sleep(PATIENCE);
	};
	let is = |at: Kill, line: &str| step == at && text.starts_with(line);
	if is(Kill::Recorded, "post /v1/drafts") || is(Kill::Drafted, "post /v1/commits") {
		return stop();
	}
	let half = is(Kill::Half, "put ");
	if half {
		body.truncate(body.len() / 2);
	}
	let mut server = TcpStream::connect(store).expect("it listens");
	head.truncate(head.len().saturating_sub(2));
	for part in [&head, &b"Connection: close\r\n\r\n"[..], &body] {
		server.write_all(part).expect("it is taken");
	}
	if half {
		drop(server);
		return stop();
	}
	let mut answer = Vec::new();
	server.read_to_end(&mut answer).expect("it answers");
	if is(Kill::Committed, "post /v1/commits") || is(Kill::Whole, "put ") {
		return stop();
	}
	// A client that has seen enough closes the connection.
	let _ = client.write_all(&answer);
}

/// Puts a folder, and kills the put at a step.
fn killed(secret: &Secret, name: &str, step: Kill) {
	let (url, reached) = stopping(secret.world.store().address.clone(), step);
	let put = secret.put_to(&secret.world.path(name), &url);
	let mut command = secret.at("here", &put.iter().map(String::as_str).collect::<Vec<_>>());
	command.stdout(Stdio::null()).stderr(Stdio::null());
	let process = Process(command.spawn().expect("the client starts"));
	reached.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{step:?} is not reached"));
	drop(process);
}

#[tokio::test]
async fn a_put_that_is_killed_at_any_step_goes_on_with_the_same_version() {
	let secret = Secret::start().await;
	let steps = [Kill::Recorded, Kill::Drafted, Kill::Committed, Kill::Half, Kill::Whole];
	for (number, step) in steps.into_iter().enumerate() {
		let (folder, name) = (format!("site{number}"), format!("file{number}"));
		let bytes = content(number as u64, 3_000_000);
		secret.world.file(&format!("{folder}/{name}"), &bytes);
		killed(&secret, &folder, step);
		let spooled = secret.spooled();
		let [kept] = &spooled[..] else { panic!("{step:?}: {spooled:?}") };
		assert_eq!(mode(kept), 0o600);
		// Leftovers of a run that was killed earlier go away.
		let unfinished = kept.with_file_name("unfinished-1.age");
		fs::write(&unfinished, "half").expect("there is room");
		let sealed = version(&fs::read(kept).expect("it is there"));
		let output = secret.put(&folder, &[]);
		assert!(
			!stderr(&output).contains("fabric version delete"),
			"{step:?}: {}",
			stderr(&output)
		);
		report(&output, 0);
		let versions = secret.versions(&name).await;
		let [(found, row)] = &versions[..] else { panic!("{step:?}: {versions:?}") };
		assert_eq!((*found, row.finalized.is_some()), (sealed, true), "{step:?}");
		assert!(!unfinished.exists());
		let out = secret.world.path("out");
		secret.report(&["get", &secret.tenant(), "names", &name, "--output", &out, "--force"]);
		assert!(fs::read(&out).expect("it is there") == bytes, "{step:?}");
		secret
			.until_final(async |at| {
				let rows = at.rows(rows::versions(), (secret.world.fabric.tenant,)).await;
				rows.expect("the node answers").iter().all(|(_, row)| row.finalized.is_some())
			})
			.await;
		report(&secret.put(&folder, &[]), 0);
		assert!(secret.spooled().is_empty(), "{step:?}");
	}
}

#[tokio::test]
async fn lost_files_of_this_machine_mean_new_versions_and_it_says_so() {
	let secret = Secret::start().await;
	secret.world.file("site/a", &content(7, 3_000_000));
	killed(&secret, "site", Kill::Half);
	let [(lost, _)] = &secret.versions("a").await[..] else { panic!("one version") };
	// With the spool, the bytes of the commit are gone.
	fs::remove_dir_all(secret.world.dir.path().join("here/state/spool")).expect("it is there");
	let output = secret.put("site", &[]);
	let said = stderr(&output);
	report(&output, 0);
	let command = said.lines().find_map(|line| line.trim().strip_prefix("fabric version delete "));
	let command = command.unwrap_or_else(|| panic!("{said}"));
	assert!(command.ends_with(&lost.to_string()), "{said}");
	assert_eq!(secret.versions("a").await.len(), 2);
	let words = ["version", "delete"].into_iter().chain(command.split(' '));
	let delete: Vec<_> = words.chain(["--yes", "--signer", "//Charlie"]).collect();
	assert!(secret.run(&delete).status.success());
	let [(put, row)] = &secret.versions("a").await[..] else { panic!("one version") };
	assert!(put != lost && row.finalized.is_some());

	// Without the records, nobody knows which file the version is.
	fs::remove_file(secret.world.dir.path().join("here/state/encrypted.jsonl"))
		.expect("it is there");
	let output = secret.put("site", &[]);
	let said = stderr(&output);
	report(&output, 0);
	let words = "1 file with encrypted versions that this machine has no record of, such as a";
	assert!(said.contains(words), "{said}");
	assert_eq!(secret.versions("a").await.len(), 2);
	let again = report(&secret.put("site", &[]), 0);
	assert_eq!(again["items"], 1, "{again}");
}

#[tokio::test]
async fn the_commands_of_the_page_about_encrypted_content_print_what_it_says() {
	let secret = Secret::start().await;
	let store = format!("http://{}", secret.world.store().address);
	let home = secret.world.dir.path().join("home");
	fs::create_dir(&home).expect("there is room for a folder");
	let all = steps(PAGE);
	let steps: Vec<_> = all.iter().filter(|step| step.heading == "## Encrypted content").collect();
	assert!(steps.len() > 3, "the page has examples");
	for Step { line, command, output, .. } in steps {
		let command = command.replace("https://store.example.com", &store);
		let (_, printed) = typed(&command, &home, &[("FABRIC_URL", secret.world.url().to_owned())]);
		assert!(
			are_like(output, &printed),
			"docs/client.md, line {line}: `{command}` prints\n{}\nand not\n{}",
			printed.join("\n"),
			output.join("\n")
		);
		// The page does not wait for a level to be final.
		let (best, _) = secret.world.fabric.raw.best_block().await;
		secret.until_final(async |at| at.block_number() >= best).await;
	}
}
