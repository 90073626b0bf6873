// SPDX-License-Identifier: Apache-2.0
//! `fabric doctor` on sound set-ups, where it must find nothing, and on broken ones, where it must
//! find what was broken.

use std::{
	fs,
	os::unix::fs::PermissionsExt,
	path::Path,
	process::{Command, Stdio},
	sync::Arc,
	time::Duration,
};

use content_fabric_client::{
	chain::{calls, wall_clock},
	keys::Signer,
};
use content_fabric_identifiers::{NodeId, TenantId};
use content_fabric_primitives::KmsKey;
use content_fabric_tests::{
	client::{create_tenant, rules, signer, Client, Remark, BOND},
	fabric::Fabric,
	indexer::{settled, Indexer},
	kms::{Identity, Kms},
	process::{fabric_command, fabric_json, fixed_port, report, stderr, write, Node, Process},
	raw::{storage_value, Raw},
	relay::{Lie, Relay},
	store::Store,
	wait,
};
use serde_json::{json, Value};

use super::{
	content::{self, place, version},
	content_operator::SetBalance,
	put_and_get::World,
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// A URL at which nothing answers.
const NOWHERE: &str = "http://127.0.0.1:1";

/// Runs the command, with these variables. Returns its findings. Its exit code must say whether
/// there are problems.
fn examined(url: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Vec<Value> {
	let mut command = fabric_command(url, &[&["--json", "doctor"], arguments].concat());
	let output = command.envs(variables.iter().copied()).output().expect("the client starts");
	let code = if output.status.success() { 0 } else { 10 };
	let found = report(&output, code);
	assert_eq!(
		found["problems"].as_u64().map(|problems| problems > 0),
		Some(code == 10),
		"{found}"
	);
	if code == 10 {
		assert!(stderr(&output).contains("\"class\":\"unhealthy\""), "{}", stderr(&output));
	}
	found["findings"].as_array().expect("a list").clone()
}

fn text<'a>(finding: &'a Value, field: &str) -> &'a str {
	finding[field].as_str().unwrap_or_default()
}

/// Checks that something is found, with a page that helps.
#[track_caller]
fn assert_finds(found: &[Value], severity: &str, topic: &str, seen: &str) {
	let is_it = |finding: &&Value| {
		text(finding, "severity") == severity
			&& text(finding, "topic") == topic
			&& text(finding, "seen").contains(seen)
	};
	let finding = found.iter().find(is_it);
	let finding = finding.unwrap_or_else(|| panic!("no {severity} of {topic}, {seen}: {found:#?}"));
	let page = text(finding, "page");
	assert!(page.starts_with("docs/") && page.contains(".md"), "{finding}");
	assert!(!text(finding, "why").is_empty() && !text(finding, "cure").is_empty(), "{finding}");
}

/// Checks that there is neither a problem nor a warning.
#[track_caller]
fn assert_sound(found: &[Value]) {
	let bad = |finding: &&Value| matches!(text(finding, "severity"), "problem" | "warning");
	let bad: Vec<_> = found.iter().filter(bad).collect();
	assert!(bad.is_empty(), "{bad:#?}");
}

/// A chain with a content node, an index and a KMS, and a tenant that uses them.
struct Scene {
	world: World,
	index: Indexer,
	identity: Identity,
	kms: Kms,
}

impl Scene {
	async fn start() -> Self {
		let world = World::start().await;
		let (fabric, dir) = (&world.fabric, world.dir.path());
		let index = Indexer::start(fabric.url(), &dir.join("index"), &[]);
		let identity = Identity::new(dir, "identity");
		set_kms(fabric, identity.key, "https://127.0.0.1/kms").await;
		let ids = (fabric.tenant, fabric.kms);
		let kms = Kms::start(fabric.url(), ids, &[&identity], &dir.join("receipts"));
		set_kms(fabric, identity.key, &kms.url).await;
		let scene = Self { world, index, identity, kms };
		let bytes = b"the bytes of a version";
		let fabric = &scene.world.fabric;
		content::commit(scene.world.store(), fabric, &[bytes]);
		scene.world.store().ask("PUT", &content::path(bytes), &[], bytes).expect(201);
		content::finalized(fabric, &[bytes]).await;
		scene.settle().await;
		scene
	}

	/// Waits until all of them know the last block as a final one.
	async fn settle(&self) {
		let fabric = &self.world.fabric;
		let last = settled(&fabric.raw).await;
		self.index.wait_for_final(last);
		content::followed(fabric, self.world.store()).await;
		wait::until(PATIENCE, "the KMS does not follow", async || self.kms.block() >= last).await;
	}

	/// Examines the tenant, and all that belongs to it.
	fn examine(&self, more: &[&str]) -> Vec<Value> {
		let tenant = self.world.fabric.tenant.to_string();
		let all = ["--tenant", &tenant, "--index", &self.index.url, "--signer", "//Charlie"];
		examined(self.world.url(), &[&all[..], more].concat(), &[])
	}
}

/// Sets the key and the locator of the KMS, and waits until that is final.
async fn set_kms(fabric: &Fabric, key: KmsKey, locator: &str) {
	let (tenant, kms, locator) = (fabric.tenant, fabric.kms, locator.as_bytes().to_vec());
	fabric.submit(&fabric.charlie, calls::SetKms { tenant, kms, locator, key }).await;
	settled(&fabric.raw).await;
}

/// Sets the free balance of an account.
async fn give(fabric: &Fabric, account: &Signer, new_free: u128) {
	let call = SetBalance { who: (*account.account()).into(), new_free };
	fabric.submit(&fabric.alice, fabric.client.sudo(call)).await;
}

#[tokio::test]
async fn nothing_is_wrong_with_a_sound_set_up_and_little_is_printed() {
	let scene = Scene::start().await;
	let found = scene.examine(&[]);
	assert_sound(&found);
	for topic in ["node", "index", "account", "tenant", "content-node", "kms"] {
		let of_topic = found.iter().filter(|finding| text(finding, "topic") == topic);
		assert_eq!(of_topic.count(), 1, "{topic}: {found:#?}");
	}
	// Members and servers of an account are found by themselves.
	for key in ["//Charlie", "//Bob", "//Dave"] {
		let found = examined(scene.world.url(), &["--signer", key], &[]);
		assert_sound(&found);
		assert!(found.len() > 2, "{key}: {found:#?}");
	}
	let output = fabric_command(scene.world.url(), &["doctor"]).output().expect("it starts");
	let printed = String::from_utf8_lossy(&output.stdout).into_owned();
	assert_eq!(output.status.code(), Some(0), "{printed}");
	let lines: Vec<_> = printed.lines().collect();
	assert!(lines.len() == 3 && lines[0].starts_with("ok       ws://127.0.0.1:"), "{printed}");
	assert!(lines[1].starts_with("skipped  funds, members"), "{printed}");
	assert_eq!(lines[2], "0 problems, 0 warnings");
	// An account of no member.
	let tenant = scene.world.fabric.tenant.to_string();
	let found = examined(scene.world.url(), &["--tenant", &tenant, "--signer", "//Eve"], &[]);
	assert_finds(&found, "warning", "account", "has no access key in the tenant iten");
}

#[tokio::test]
async fn a_broken_connection_to_the_node_has_its_remedy() {
	let (_dir, node) = Node::start_anew(&[]);
	let (_other_dir, other) = {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let node = Node::start_without_sudo(&dir.path().join("chain"));
		(dir, node)
	};
	let index = tempfile::tempdir().expect("there is room for a folder");
	let index = Indexer::start(&other.url, index.path(), &[]);
	for (url, options, topic, seen) in [
		("ws://127.0.0.1:1", &[][..], "node", "Connection refused"),
		("http://127.0.0.1:1", &[], "node", "--url: `http://127.0.0.1:1` is not the URL of a node"),
		("ws://store.example.com", &[], "node", "is not encrypted and not on this machine"),
		(&index.url.replace("http", "ws"), &[], "node", "no node answers at ws://127.0.0.1"),
		(&node.url.replace("ws", "wss"), &[], "node", "no node answers at wss://127.0.0.1"),
		(&node.url, &["--genesis-hash", &"22".repeat(32)], "chain", ", expected 0x2222"),
		(
			&node.url,
			&["--index", NOWHERE],
			"index",
			"the index at http://127.0.0.1:1 does not answer",
		),
		(&node.url, &["--index", "ws://127.0.0.1"], "index", "is not the URL of an index"),
		(&node.url, &["--index", &index.url], "index", "follows the chain with the genesis hash"),
		(&node.url, &["--light", "none.json"], "settings", "cannot read the chain specification"),
	] {
		let options = match options {
			// Not together with a URL.
			["--light", path] => {
				let mut command = fabric_command("", &[]);
				let program = command.get_program().to_owned();
				command = Command::new(program);
				command.args(["--json", "--light", path, "doctor"]);
				command.env("FABRIC_CONFIG", "/nowhere/config.toml").env_remove("FABRIC_URL");
				let found = report(&command.output().expect("it starts"), 10);
				assert_finds(found["findings"].as_array().expect("a list"), "problem", topic, seen);
				continue;
			},
			options => options,
		};
		let found = examined(url, options, &[]);
		assert_finds(&found, "problem", topic, seen);
		// The report names the parts that need a chain.
		let is_unread = matches!(topic, "node" | "chain");
		let skipped = found
			.iter()
			.any(|found| text(found, "severity") == "skipped" && text(found, "topic") == "chain");
		assert_eq!(skipped, is_unread, "{url} {options:?}: {found:#?}");
	}
}

/// Answers with a value in place of the fields of an answer.
fn with(method: &'static str, fields: Value) -> Lie {
	Arc::new(move |asked, _, result| {
		if asked == method {
			match (result.as_object_mut(), fields.as_object()) {
				(Some(result), Some(fields)) => result.extend(fields.clone()),
				_ => *result = fields.clone(),
			}
		}
	})
}

/// Answers with a time of the chain that is off by seconds, and that the chain is a live one.
fn off_by(seconds: i64) -> Lie {
	let now = format!("0x{}", hex::encode(storage_value("Timestamp", "Now")));
	Arc::new(move |method, params, result| {
		if method == "system_chainType" {
			*result = "Live".into();
		}
		if method == "state_getStorage" && params[0] == now.as_str() {
			let millis = (wall_clock() / 1_000).saturating_add_signed(seconds * 1_000);
			*result = format!("0x{}", hex::encode(millis.to_le_bytes())).into();
		}
	})
}

/// Removes the extension that checks the hash of the metadata.
fn without_hash() -> Lie {
	let [name, other] = ["CheckMetadataHash", "CheckMetadataHush"].map(hex::encode);
	Arc::new(move |method, params, result| {
		let function = params[0].as_str().unwrap_or_default();
		if method == "state_call" && function.starts_with("Metadata_") {
			*result = result.as_str().unwrap_or_default().replace(&name, &other).into();
		}
	})
}

// The lying node runs beside the test, which waits for the client.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_not_sound_is_named() {
	let (dir, node) = Node::start_anew(&[]);
	// The genesis block has no time.
	fabric_json(&node.url, &["space", "create", "--name", "a", "--governor", &alice()]);
	let config = dir.path().join("config.toml").display().to_string();
	let variables = [("FABRIC_CONFIG", config.as_str())];
	for (lie, severity, topic, seen) in [
		(
			with("system_health", json!({ "isSyncing": true })),
			"warning",
			"node",
			"synchronizes: its best block is 1",
		),
		(
			with("system_health", json!({ "peers": 0, "shouldHavePeers": true })),
			"problem",
			"node",
			"has no peers",
		),
		(
			with("system_version", "0.0.1-abc\u{1b}[2J".into()),
			"warning",
			"version",
			"has the version 0.0.1-abc\\u{1b}[2J",
		),
		(off_by(-3_600), "problem", "finality", "has had no new block for 60 minutes"),
		(off_by(3_610), "problem", "clock", "the clock of this machine is 60 minutes behind"),
		(without_hash(), "problem", "runtime", "does not check the hash of its metadata"),
	] {
		let liar = Relay::lying(&node.url, lie).await;
		let found = examined(&liar.url, &[], &variables);
		assert_finds(&found, severity, topic, seen);
	}
	assert!(!Path::new(&config).with_file_name("known-chains.toml").exists(), "it pins nothing");
}

fn alice() -> String {
	signer("//Alice").account().to_string()
}

#[tokio::test]
async fn a_chain_that_is_not_the_pinned_one_is_named() {
	let (dir, node) = Node::start_anew(&[]);
	let genesis = "11".repeat(32);
	write(
		dir.path(),
		"known-chains.toml",
		&format!(
			"[main]\ngenesis-hash = \"0x{genesis}\"\ndecimals = 12\nsymbol = \"UNIT\"\n\
			 kind = \"development\"\nchecks-metadata-hash = true\n"
		),
	);
	let profile = format!("[profile.main]\nurl = \"{}\"\n", node.url);
	let config = write(dir.path(), "config.toml", &profile);
	let found = examined(&node.url, &["--profile", "main"], &[("FABRIC_CONFIG", &config)]);
	assert_finds(&found, "problem", "chain", &format!("but 0x{genesis} is pinned"));
	write(dir.path(), "known-chains.toml", "[main\n");
	let found = examined(&node.url, &["--profile", "main"], &[("FABRIC_CONFIG", &config)]);
	assert_finds(&found, "problem", "settings", "known-chains.toml");
}

#[tokio::test]
async fn finality_that_stalls_is_named() {
	let (_dir, node) = Node::start_anew(&["--finalize-after", "3600000"]);
	let client = Client::connect(&node.url).await;
	for _ in 0..22 {
		client.submit(&signer("//Alice"), Remark { remark: Vec::new() }).await;
	}
	let found = examined(&node.url, &[], &[]);
	assert_finds(&found, "problem", "finality", "its best block is 22, its last final one 0");
}

/// Runs a program of OpenSSL, which must succeed.
fn openssl(dir: &Path, arguments: &str) {
	let mut command = Command::new("openssl");
	let output = command.current_dir(dir).args(arguments.split(' ')).output();
	let output = output.expect("openssl, of the package openssl, starts");
	assert!(output.status.success(), "{arguments}: {}", stderr(&output));
}

#[tokio::test]
async fn each_fault_of_a_certificate_has_its_remedy() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let dir = dir.path();
	let new = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -batch";
	for authority in ["ca", "foreign"] {
		let files = format!("-keyout {authority}.key -out {authority}.pem -subj /CN={authority}");
		openssl(dir, &format!("{new} -x509 {files} -days 2"));
	}
	for (name, host, days) in [("expired", "localhost", -1), ("other", "example.com", 2)] {
		openssl(
			dir,
			&format!("{new} -keyout {name}.key -out {name}.csr -subj /CN={host} -addext subjectAltName=DNS:{host}"),
		);
		openssl(
			dir,
			&format!(
				"x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy \
				 -out {name}.pem -days {days}"
			),
		);
	}
	fs::copy(dir.join("other.pem"), dir.join("unknown.pem")).expect("there is room");
	fs::copy(dir.join("other.key"), dir.join("unknown.key")).expect("there is room");
	fs::write(dir.join("none.pem"), "").expect("there is room");
	for (name, authorities, cure) in [
		("expired", "ca.pem", "Renew the certificate"),
		("other", "ca.pem", "Use the host name in the certificate"),
		("unknown", "foreign.pem", "Get a certificate of an authority"),
		("unknown", "none.pem", "Install the certificates of authorities"),
	] {
		let port = fixed_port();
		let mut server = Command::new("openssl");
		server.current_dir(dir).args(["s_server", "-quiet", "-accept"]);
		server.arg(format!("127.0.0.1:{port}"));
		server.args(["-cert", &format!("{name}.pem"), "-key", &format!("{name}.key")]);
		server.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
		let _server = Process(server.spawn().expect("it starts"));
		wait::until(PATIENCE, "no server listens", async || {
			tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok()
		})
		.await;
		let authorities = dir.join(authorities).display().to_string();
		let folder = dir.join("no-folder").display().to_string();
		let variables = [("SSL_CERT_FILE", authorities.as_str()), ("SSL_CERT_DIR", &folder)];
		let found = examined(&format!("wss://localhost:{port}"), &[], &variables);
		let finding = found.iter().find(|finding| text(finding, "topic") == "node");
		let finding = finding.unwrap_or_else(|| panic!("{found:#?}"));
		assert!(text(finding, "cure").starts_with(cure), "{name}: {finding}");
	}
}

#[tokio::test]
async fn a_key_that_cannot_sign_and_an_account_without_funds_are_named() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let url = fabric.url();
	let path = |name: &str| dir.path().join(name).display().to_string();
	let open = write(dir.path(), "open.key", "//Alice\n");
	fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).expect("it is ours");
	let password = write(dir.path(), "password", "sesame\n");
	let wrong = write(dir.path(), "wrong", "open\n");
	for file in [&password, &wrong] {
		fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("it is ours");
	}
	let new = ["key", "new", &path("me.json"), "--password"];
	let mut new = fabric_command(url, &new);
	let made = new.env("FABRIC_PASSWORD_FILE", &password).output().expect("it starts");
	assert!(made.status.success(), "{}", stderr(&made));
	let keystore = format!("keystore:{}", path("me.json"));
	for (key, variables, topic, seen) in [
		(format!("file:{open}"), &[][..], "key", "is accessible to other users (mode 0644)"),
		(format!("file:{}", path("absent")), &[], "key", "cannot read file:"),
		("env:NO_SUCH_KEY".into(), &[], "key", "NO_SUCH_KEY is not set"),
		(keystore.clone(), &[("FABRIC_PASSWORD_FILE", wrong.as_str())], "key", "the password of "),
		// No funds, with the password and without.
		(keystore.clone(), &[("FABRIC_PASSWORD_FILE", &password)], "account", "can spend 0 UNIT"),
		(keystore.clone(), &[], "account", "can spend 0 UNIT"),
	] {
		let found = examined(url, &["--signer", &key], variables);
		assert_finds(&found, "problem", topic, seen);
	}
	let found = examined(url, &["--signer", &keystore], &[]);
	let unopened = found.iter().find(|finding| text(finding, "topic") == "key");
	assert!(unopened.is_some_and(|finding| text(finding, "severity") == "skipped"), "{found:#?}");
	// A key of standard input is not read.
	let found = examined(url, &["--signer", "-"], &[]);
	assert!(found.iter().any(|found| text(found, "seen").contains("--account")), "{found:#?}");
	let minimum: u128 =
		fabric.client.best().await.constant("Balances", "ExistentialDeposit").expect("it is there");
	give(&fabric, &fabric.eve, minimum + 7).await;
	let eve = fabric.eve.account().to_string();
	let found = examined(url, &["--account", &eve], &[]);
	assert_finds(&found, "problem", "account", "can spend 0.000000000007 UNIT");
}

#[tokio::test]
async fn members_that_are_closed_or_lack_funds_are_named() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), BOND).await;
	let tenant = fabric.tenant.to_string();
	let provider = fabric.provider.to_string();
	let examine = |more: &[&str]| {
		examined(
			fabric.url(),
			&[&["--tenant", &tenant, "--provider", &provider], more].concat(),
			&[],
		)
	};
	fabric.freeze_tenant(true).await;
	assert_finds(&examine(&[]), "problem", "tenant", "is frozen by governance");
	fabric.freeze_tenant(false).await;
	let governance = ["--reason", "test", "--yes"];
	let of = |command: &str, id: &str| {
		let command = [&["governance", command, id], &governance[..]].concat();
		fabric_json(fabric.url(), &command);
	};
	of("suspend", &provider);
	assert_finds(&examine(&[]), "problem", "provider", "is suspended by governance");
	of("resume", &provider);
	let (space, rules) = (fabric.space, rules(2 * BOND));
	fabric.submit(&fabric.alice, calls::SetSpaceRules { space, rules }).await;
	let found = examine(&[]);
	for topic in ["tenant", "provider"] {
		assert_finds(
			&found,
			"problem",
			topic,
			"has a bond of 1 UNIT, and its space requires 2 UNIT",
		);
	}
	let held = fabric.tenant_row().await;
	let amount = held.bond + held.deposit + held.own_deposit + 7;
	let member = fabric.tenant.into();
	fabric.submit(&fabric.charlie, calls::SetMaxHeld { member, amount }).await;
	let seen = "may have only 0.000000000007 UNIT more on hold";
	assert_finds(&examine(&[]), "problem", "tenant", seen);
	let absent = content_fabric_client::ids::tenant(fabric.space, "absent").to_string();
	let found = examined(fabric.url(), &["--tenant", &absent, "--kms", "ikmsXZ9KkLM2Bd5Zs"], &[]);
	assert_finds(&found, "problem", "tenant", "the chain has no tenant iten");
	assert_finds(&found, "problem", "settings", "there is no KMS ikms");
}

#[tokio::test]
async fn a_content_node_that_does_not_serve_is_named() {
	let mut scene = Scene::start().await;
	let (node, provider) = (scene.world.node, scene.world.fabric.provider);
	let url = format!("http://{}", scene.world.store().address);
	let locate = async |scene: &Scene, of: NodeId, locator: &str| {
		scene.world.locate(of, locator).await;
		scene.settle().await;
	};
	for (locator, severity, seen) in [
		(NOWHERE, "problem", "does not answer: "),
		("/ip4/127.0.0.1", "warning", "names no HTTP server"),
		("http://no-such-host.invalid", "problem", "does not answer: "),
		(&scene.kms.url, "problem", "does not report its state: "),
		(&scene.index.url, "problem", "does not report its state: "),
	] {
		locate(&scene, node, locator).await;
		assert_finds(&scene.examine(&[]), severity, "content-node", seen);
	}
	locate(&scene, node, &url).await;
	assert_sound(&scene.examine(&[]));

	// The locator of another node leads to this one, and it is not confirmed.
	let fabric = &scene.world.fabric;
	let second = content_fabric_client::ids::node(provider, "second");
	fabric.submit(&fabric.bob, fabric.create_node(second, &fabric.eve)).await;
	locate(&scene, second, &url).await;
	let id = second.to_string();
	let found = examined(scene.world.url(), &["--node", &id], &[]);
	assert_finds(
		&found,
		"problem",
		"content-node",
		&format!("is the server of {node} of {provider}"),
	);
	assert_finds(&found, "problem", "content-node", "is not confirmed");
	let absent = content_fabric_client::ids::node(provider, "absent").to_string();
	let found = examined(scene.world.url(), &["--node", &absent], &[]);
	assert_finds(&found, "problem", "settings", "there is no node inod");
	let named = format!("{provider}/{absent}");
	let found = examined(scene.world.url(), &["--node", &named], &[]);
	assert_finds(&found, "problem", "content-node", "the chain has no node inod");

	// A damaged file.
	let bytes = b"the bytes of a version";
	let data = scene.world.dir.path().join("data");
	fs::write(place(&data, version(bytes)), b"others").expect("there is room");
	let store = scene.world.store();
	store.ask("GET", &content::path(bytes), &[], &[]).expect(500);
	wait::until(PATIENCE, "no other node is looked for", async || store.status("lost") == 1).await;
	let damaged = "lacks sound bytes: 1 damaged and 0 missing versions, and no other node holds 1";
	assert_finds(&scene.examine(&[]), "problem", "content-node", damaged);
	scene.world.store().ask("PUT", &content::path(bytes), &[], bytes).expect(201);
	assert_sound(&scene.examine(&[]));

	// An operator without funds, and one that is another.
	let fabric = &scene.world.fabric;
	let minimum: u128 =
		fabric.client.best().await.constant("Balances", "ExistentialDeposit").expect("it is there");
	give(fabric, &fabric.dave, minimum + 7).await;
	scene.settle().await;
	let store = scene.world.store();
	wait::until(PATIENCE, "the balance is not known", async || store.status("balance") == "7")
		.await;
	assert_finds(&scene.examine(&[]), "problem", "content-node", "cannot pay for a commit");
	give(fabric, &fabric.dave, 1 << 60).await;
	let operator = *fabric.eve.account();
	let set = calls::SetNodeOperator { provider, node, operator };
	fabric.submit(&fabric.bob, set).await;
	scene.settle().await;
	let seen = format!("and the operator on the chain is {operator}");
	assert_finds(&scene.examine(&[]), "problem", "content-node", &seen);

	// No node holds the version any more.
	let remove = calls::RemoveNode { provider, node };
	fabric.submit(&fabric.bob, remove).await;
	scene.world.store = None;
	assert_finds(
		&scene.examine(&[]),
		"problem",
		"tenant",
		"no node of the chain holds 1 of 1 version",
	);
}

#[tokio::test]
async fn a_full_content_node_is_named() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let store = Store::start(fabric.url(), of, &dir.path().join("data"));
	let room = |store: &Store| store.status("room_bytes").as_str().map(str::to_owned);
	assert_eq!(room(&store).as_deref(), Some("20000000"));
	let bytes = content::content(1, 20_000_000);
	content::commit(&store, &fabric, &[&bytes]);
	assert_eq!(room(&store).as_deref(), Some("0"));
	let locator = format!("http://{}", store.address).into_bytes();
	let set = calls::SetNodeLocator { provider: of.0, node: of.1, locator };
	fabric.submit(&fabric.bob, set).await;
	let found = examined(fabric.url(), &["--node", &of.1.to_string()], &[]);
	assert_finds(&found, "problem", "content-node", "has no room for more bytes");
}

#[tokio::test]
async fn a_kms_that_gives_no_keys_is_named() {
	let scene = Scene::start().await;
	let fabric = &scene.world.fabric;
	let other = Identity::new(scene.world.dir.path(), "other");
	set_kms(fabric, other.key, &scene.kms.url).await;
	scene.settle().await;
	let found = scene.examine(&[]);
	assert_finds(&found, "problem", "kms", "does not have the key on the chain, age1");
	set_kms(fabric, scene.identity.key, NOWHERE).await;
	scene.settle().await;
	assert_finds(&scene.examine(&[]), "problem", "kms", "does not answer: ");
	for locator in ["http://kms.example.com", "/ip4/127.0.0.1"] {
		set_kms(fabric, scene.identity.key, locator).await;
		scene.settle().await;
		let seen =
			if locator.starts_with('/') { "names no HTTP server" } else { "is not encrypted" };
		assert_finds(&scene.examine(&[]), "problem", "kms", seen);
	}
	set_kms(fabric, scene.identity.key, &scene.kms.url).await;
	scene.settle().await;
	assert_sound(&scene.examine(&[]));

	fabric.freeze_tenant(true).await;
	scene.settle().await;
	let found = scene.examine(&[]);
	assert_finds(&found, "problem", "tenant", "is frozen by governance");

	// The pinned key is another one.
	let config = scene.world.dir.path().join("config.toml").display().to_string();
	let tenant = fabric.tenant.to_string();
	let pins =
		format!("[\"{}\".{tenant}]\n{} = \"{}\"\n", scene.world.url(), fabric.kms, other.key);
	write(scene.world.dir.path(), "known-kms-keys.toml", &pins);
	let kms = fabric.kms.to_string();
	let found = examined(scene.world.url(), &["--kms", &kms], &[("FABRIC_CONFIG", &config)]);
	assert_finds(&found, "problem", "kms", "and this machine has encrypted for age1");
	// The tenant was not named.
	assert_finds(&found, "problem", "tenant", "is frozen by governance");

	// A stranger has a KMS with the same id.
	let twin = TenantId([7; 10]);
	fabric.submit(&fabric.eve, create_tenant(fabric.space, twin)).await;
	let add = calls::AddKms {
		tenant: twin,
		kms: fabric.kms,
		operator: *fabric.eve.account(),
		locator: NOWHERE.into(),
		key: other.key,
	};
	fabric.submit(&fabric.eve, add).await;
	scene.settle().await;
	let found = examined(scene.world.url(), &["--kms", &kms], &[]);
	assert_finds(&found, "problem", "settings", "2 tenants have a KMS ikms");
	let found = examined(scene.world.url(), &["--kms", &kms, "--tenant", &tenant], &[]);
	assert!(found.iter().all(|found| text(found, "topic") != "settings"), "{found:#?}");
}

#[tokio::test]
async fn servers_of_a_chain_that_was_begun_anew_are_named() {
	let port = fixed_port();
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start_on(port, &dir.path().join("first"), 0).await;
	let index = Indexer::start(fabric.url(), &dir.path().join("index"), &[]);
	index.wait_for_final(settled(&fabric.raw).await);
	let (other_dir, other) = Node::start_anew(&[]);
	for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
		fabric_json(&other.url, &["space", "create", "--name", name, "--governor", &alice()]);
	}
	let raw = Raw::connect(&other.url).await;
	settled(&raw).await;
	let found = examined(&other.url, &["--index", &index.url], &[]);
	assert_finds(&found, "problem", "index", "follows a chain with another block");
	drop(other_dir);

	// The index loses its node.
	let url = fabric.url().to_owned();
	drop(fabric);
	index.wait_until(|status| status["node"]["connected"] == false);
	let found = examined(&url, &["--index", &index.url], &[]);
	assert_finds(&found, "problem", "node", "no node answers");
	assert_finds(&found, "problem", "index", "the index at ");
}
