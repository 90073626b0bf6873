// SPDX-License-Identifier: Apache-2.0
//! The runbooks of `docs/operations.md`: the commands of each are typed into a shell, after what
//! makes it necessary.

use std::{
	fs,
	path::{Path, PathBuf},
	process::Command,
	time::Duration,
};

use content_fabric_client::{
	chain::calls::{self, Call},
	ids,
	keys::Signer,
};
use content_fabric_primitives::DraftVersion;
use content_fabric_tests::{
	client::{signer, VersionCommit},
	fabric::{draft, Fabric},
	indexer::{settled, Indexer},
	page::{are_like, steps, typed, Step},
	process::{fabric_fails, fabric_json, fabric_text, fixed_port, Node},
	raw::storage_key,
	store::Store,
	wait,
};
use scale_encode::EncodeAsType;

use super::{
	content::{self, version},
	put_and_get::World,
};

const PAGE: &str = include_str!("../../../docs/operations.md");
/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Blocks after which a nomination by governance matures.
const UNBONDING_PERIOD: u32 = 7 * 14_400;
/// Seconds for which bytes stay after their deletion, by default.
const GRACE: &str = "3600";

/// A chain with a content node, an index, and the runbook that is played.
struct Scene {
	world: World,
	index: Option<Indexer>,
	/// The folder of the content node.
	data: PathBuf,
	/// The ports of the chain's node and of the content node.
	ports: [u16; 2],
	/// The blocks of the runbook that are left, the last one first.
	blocks: Vec<Vec<Step>>,
	variables: Vec<(&'static str, String)>,
	/// The holder of the stolen key.
	thief: Signer,
	/// The holder of the key that takes its place.
	heir: Signer,
}

impl Scene {
	/// Starts everything, with the folder `site` in a tenant of that name.
	async fn start(runbook: &str) -> Self {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let ports = [fixed_port(), fixed_port()];
		let fabric = Fabric::start_on(ports[0], &dir.path().join("chain"), 0).await;
		let node = fabric.add_node("node", &fabric.dave).await;
		let index = Some(Indexer::start(fabric.url(), &dir.path().join("index"), &[]));
		let data = dir.path().join("data");
		let world = World { dir, fabric, node, store: None };
		let steps = steps(PAGE).into_iter().filter(|step| step.heading == runbook);
		let mut blocks: Vec<Vec<Step>> = Vec::new();
		for step in steps {
			match blocks.last_mut().filter(|block| block[0].block == step.block) {
				Some(block) => block.push(step),
				None => blocks.push(vec![step]),
			}
		}
		assert!(!blocks.is_empty(), "docs/operations.md has no commands under `{runbook}`");
		blocks.reverse();
		let (thief, heir) = (signer("//Eve"), signer("//Ferdie"));
		let mut scene =
			Self { world, index, data, ports, blocks, variables: Vec::new(), thief, heir };
		scene.serve("//Dave", GRACE);
		let (url, index) = (scene.store_url(), scene.index.as_ref().map(|index| index.url.clone()));
		scene.world.locate(node, &url).await;
		scene.world.file("site/index.html", b"hello");
		scene.world.file("site/about.html", b"about us");
		scene.put("site", "//Charlie");

		let Fabric { space, provider, kms, .. } = &scene.world.fabric;
		let values = [
			("FABRIC_URL", scene.world.url().to_owned()),
			("FABRIC_INDEX", index.unwrap_or_default()),
			("STORE", url),
			("SPACE", space.to_string()),
			("PROVIDER", provider.to_string()),
			("NODE", node.to_string()),
			("TENANT", scene.tenant()),
			("KMS", kms.to_string()),
			("STOLEN", scene.thief.account().to_string()),
			("NEW", scene.heir.account().to_string()),
			("NEW_KEY", "//Ferdie".into()),
			("ROOT_KEY", "//Charlie".into()),
			("ADMIN_KEY", "//Charlie".into()),
			("GOVERNOR_KEY", "//Alice".into()),
			("MEMBER_1_KEY", "//Alice".into()),
			("MEMBER_2_KEY", "//Bob".into()),
		];
		scene.variables.extend(values);
		scene
	}

	fn tenant(&self) -> String {
		self.world.tenant("site").to_string()
	}

	fn store_url(&self) -> String {
		format!("http://127.0.0.1:{}", self.ports[1])
	}

	/// Starts the content node with the key of its operator and a grace time, in place of the one
	/// that runs.
	fn serve(&mut self, key: &str, grace: &str) {
		drop(self.world.store.take());
		let address = format!("127.0.0.1:{}", self.ports[1]);
		let ids = (self.world.fabric.provider, self.world.node);
		let options = [address.as_str(), key, grace];
		let store = Store::start_with(options, self.world.url(), ids, &self.data);
		self.world.store = Some(store);
	}

	/// Waits until the content node has followed the chain.
	async fn followed(&self) {
		content::followed(&self.world.fabric, self.world.store()).await;
	}

	fn set(&mut self, name: &'static str, value: impl ToString) {
		self.variables.retain(|(known, _)| *known != name);
		self.variables.push((name, value.to_string()));
	}

	/// Puts a folder with a key, as a person would without the runbook.
	fn put(&self, folder: &str, key: &str) {
		let (folder, url) = (self.world.path(folder), self.store_url());
		fabric_json(self.world.url(), &["put", &folder, "--node", &url, "--signer", key]);
	}

	/// Gives the thief a level in the tenant.
	fn steal(&self, level: &str) {
		let (tenant, thief) = (self.tenant(), self.thief.account().to_string());
		fabric_json(self.world.url(), &["key", "grant", &tenant, &thief, level, "--yes"]);
	}

	/// Types the commands of the next block. Each must succeed, and print what the page shows, if it
	/// shows something.
	async fn play(&mut self) {
		for Step { line, command, output, .. } in self.blocks.pop().expect("a block is left") {
			if command.starts_with("fabric history") || command.starts_with("fabric who") {
				let index = self.index.as_ref().expect("it runs");
				index.wait_for_final(settled(&self.world.fabric.raw).await);
			}
			let (code, printed) = typed(&command, self.world.dir.path(), &self.variables);
			let is_like = output.is_empty() || are_like(&output, &printed);
			assert!(
				code == Some(0) && is_like,
				"docs/operations.md, line {line}: `{command}` ends with {code:?} and prints\n{}",
				printed.join("\n"),
			);
		}
	}

	/// Checks that the runbook has been played to its end.
	fn end(self) {
		assert!(self.blocks.is_empty(), "some blocks of the runbook were not played");
	}

	/// Checks that the tenant has the files of the folder `site`, and that the content node serves
	/// them.
	fn assert_site(&self) {
		let back = tempfile::tempdir().expect("there is room for a folder");
		let output = back.path().join("back");
		let path = output.to_string_lossy();
		fabric_json(self.world.url(), &["get", &self.tenant(), "--output", &path]);
		assert!(content::tree(self.world.path("site").as_ref()) == content::tree(&output));
	}

	/// Checks that a command of the thief is refused.
	fn assert_refused(&self, command: &[&str], reason: &str) {
		let command = [command, &["--signer", "//Eve", "--yes"]].concat();
		fabric_fails(self.world.url(), &command, "refused", reason);
	}
}

/// The call that writes storage directly.
#[derive(EncodeAsType)]
struct SetStorage {
	items: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Call for SetStorage {
	const PALLET: &'static str = "System";
	const NAME: &'static str = "set_storage";
}

impl Scene {
	/// Has the nomination of the tenant mature, as it does after the blocks of the unbonding period.
	async fn skip_unbonding(&self) {
		let fabric = &self.world.fabric;
		let key = storage_key("Tenants", &[&self.world.tenant("site").0]);
		let mut row = fabric.raw.pairs(&key, None).await.remove(&key).expect("the tenant exists");
		let (best, _) = fabric.raw.best_block().await;
		let matures = (0..=best).find_map(|block| {
			let bytes = (u32::try_from(block).ok()? + UNBONDING_PERIOD).to_le_bytes();
			row.windows(bytes.len()).position(|window| window == bytes)
		});
		let at = matures.expect("a nomination waits for the unbonding period");
		row[at..at + 4].copy_from_slice(&0u32.to_le_bytes());
		let set = fabric.client.sudo(SetStorage { items: vec![(key, row)] });
		fabric.submit(&fabric.alice, set).await;
	}

	/// Makes a commit of a file for the folder's tenant.
	async fn commit(&self, path: &str, bytes: &[u8]) -> VersionCommit {
		let tenant = self.world.tenant("site");
		let object = ids::content_object(tenant, path);
		let size = bytes.len() as u64;
		let draft = DraftVersion { size, ..draft(object, version(bytes)) };
		let commit = self.world.fabric.commit(self.world.node, &[draft]).await;
		VersionCommit { tenant, kms: None, ..commit }
	}

	/// Sets the object and the version of a file.
	fn set_content(&mut self, path: &str, bytes: &[u8]) {
		self.set("OBJECT", ids::content_object(self.world.tenant("site"), path));
		self.set("VERSION", version(bytes));
	}
}

/// Makes the call that finalizes the versions of a commit.
fn finalize(commit: &VersionCommit) -> calls::FinalizeVersions {
	let (provider, node, tenant) = (commit.originator, commit.node, commit.tenant);
	let versions = commit.versions.iter().map(|draft| (draft.object, draft.version)).collect();
	calls::FinalizeVersions { provider, node, tenant, versions }
}

#[tokio::test]
async fn a_stolen_content_key() {
	let mut scene = Scene::start("### A stolen Content key").await;
	let tenant = scene.tenant();
	scene.steal("content");
	for (path, bytes) in [("index.html", &b"spoiled"[..]), ("spam.html", b"spam")] {
		let commit = scene.commit(path, bytes).await;
		let fabric = &scene.world.fabric;
		let (commit, finalize) = (fabric.signed(&scene.thief, &commit), finalize(&commit));
		fabric.submit(&fabric.dave, commit).await;
		fabric.submit(&fabric.dave, finalize).await;
	}
	let spam = ids::content_object(scene.world.tenant("site"), "spam.html").to_string();
	let put = ["record", "put", &tenant, "names", "spam.html", "--object", &spam];
	fabric_json(scene.world.url(), &[&put[..], &["--signer", "//Eve"]].concat());
	let delete = ["record", "delete", &tenant, "names", "about.html"];
	fabric_json(scene.world.url(), &[&delete[..], &["--signer", "//Eve", "--yes"]].concat());
	let commit = scene.commit("later", b"later").await;
	let unused = scene.world.fabric.signed(&scene.thief, &commit);

	scene.play().await;
	let fabric = &scene.world.fabric;
	fabric.assert_refused(&fabric.dave, unused, "SignerNotPermitted").await;
	let delete = ["record", "delete", &tenant, "names", "index.html"];
	scene.assert_refused(&delete, "needs the level content");
	scene.play().await;
	scene.set_content("spam.html", b"spam");
	scene.play().await;
	scene.assert_site();
	scene.end();
}

#[tokio::test]
async fn a_stolen_admin_key() {
	let mut scene = Scene::start("### A stolen Admin key").await;
	let tenant = scene.tenant();
	scene.steal("admin");
	let granted = signer("//One").account().to_string();
	let grant = ["key", "grant", &tenant, &granted, "content"];
	fabric_json(scene.world.url(), &[&grant[..], &["--signer", "//Eve", "--yes"]].concat());

	scene.set("GRANTED", &granted);
	scene.play().await;
	scene.assert_refused(&grant, "needs the level admin");
	let delete = ["record", "delete", &tenant, "names", "index.html", "--yes"];
	let by_granted = [&delete[..], &["--signer", "//One"]].concat();
	fabric_fails(scene.world.url(), &by_granted, "refused", "needs the level content");
	scene.play().await;
	fabric_json(scene.world.url(), &[&grant[..], &["--signer", "//Ferdie", "--yes"]].concat());
	scene.end();
}

#[tokio::test]
async fn a_stolen_operator_key_of_a_node() {
	let mut scene = Scene::start("### A stolen operator key of a node").await;
	scene.set("ADMIN_KEY", "//Bob");
	scene.world.file("site/new.html", b"new");
	let commit = scene.commit("new.html", b"new").await;
	let fabric = &scene.world.fabric;
	fabric.submit(&fabric.dave, fabric.signed(&fabric.charlie, &commit)).await;
	fabric.submit(&fabric.dave, finalize(&commit)).await;

	scene.play().await;
	let fabric = &scene.world.fabric;
	fabric.assert_refused(&fabric.dave, finalize(&commit), "NoPermission").await;
	scene.serve("//Ferdie", GRACE);
	scene.followed().await;
	scene.play().await;
	scene.assert_site();
	scene.end();
}

#[tokio::test]
async fn a_stolen_operator_key_of_a_kms() {
	let mut scene = Scene::start("### A stolen operator key of a KMS").await;
	let [tenant, kms] = {
		let Fabric { tenant, kms, .. } = &scene.world.fabric;
		[tenant.to_string(), kms.to_string()]
	};
	let recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
	let set = ["kms", "set", &tenant, &kms, "--locator", "https://thief.example.org", "--yes"];
	let by_operator = [&set[..], &["--key", recipient, "--signer", "//Dave"]].concat();
	fabric_json(scene.world.url(), &by_operator);

	scene.set("TENANT", &tenant);
	scene.set("RECIPIENT", recipient);
	scene.play().await;
	fabric_fails(scene.world.url(), &by_operator, "refused", "needs the level admin");
	let shown = fabric_text(scene.world.url(), &["show", &kms]);
	let operator = scene.heir.account().to_string();
	assert!(shown.contains("https://kms.example.org") && shown.contains(&operator), "{shown}");
	scene.end();
}

#[tokio::test]
async fn a_stolen_root_key() {
	let mut scene = Scene::start("### A stolen root key").await;
	let tenant = scene.tenant();
	scene.play().await;
	let nominate = ["member", "nominate", &tenant, &scene.thief.account().to_string(), "--yes"];
	let by_former = [&nominate[..], &["--signer", "//Charlie"]].concat();
	fabric_fails(scene.world.url(), &by_former, "refused", "Bad origin");
	fabric_json(scene.world.url(), &[&nominate[..], &["--signer", "//Ferdie"]].concat());
	scene.end();
}

#[tokio::test]
async fn a_thief_who_is_the_root() {
	let mut scene = Scene::start("### A thief who is the root").await;
	let (tenant, url) = (scene.tenant(), scene.world.url().to_owned());
	let thief = scene.thief.account().to_string();
	let nominate = ["member", "nominate", &tenant, &thief, "--signer", "//Charlie", "--yes"];
	fabric_json(&url, &nominate);
	let accept = ["member", "accept", &tenant, "--max-held", "100 UNIT", "--yes"];
	fabric_json(&url, &[&accept[..], &["--signer", "//Eve"]].concat());

	scene.play().await;
	let delete = ["record", "delete", &tenant, "names", "index.html"];
	scene.assert_refused(&delete, "TenantSuspended");
	scene.assert_refused(&["member", "nominate", &tenant, "--withdraw"], "TenantSuspended");
	let by_heir = [&accept[..], &["--signer", "//Ferdie"]].concat();
	fabric_fails(&url, &by_heir, "refused", "NominationNotMature");
	scene.skip_unbonding().await;
	scene.play().await;
	scene.assert_refused(&delete, "needs the level ");
	scene.put("site", "//Ferdie");
	scene.assert_site();
	scene.end();
}

#[tokio::test]
async fn a_stolen_governor_key() {
	let mut scene = Scene::start("### A stolen governor key").await;
	let (tenant, url) = (scene.tenant(), scene.world.url().to_owned());
	let (space, thief) = (scene.world.fabric.space.to_string(), scene.thief.account().to_string());
	fabric_json(&url, &["space", "set-governor", &space, &thief, "--yes"]);
	let suspend = ["governance", "suspend", &tenant, "--reason", "none"];
	fabric_json(&url, &[&suspend[..], &["--signer", "//Eve", "--yes"]].concat());

	scene.play().await;
	scene.assert_refused(&suspend, "Bad origin");
	scene.play().await;
	scene.put("site", "//Charlie");
	scene.end();
}

#[tokio::test]
async fn a_takedown() {
	let mut scene = Scene::start("### Take content down").await;
	scene.world.file("site/bad.html", b"bad");
	scene.put("site", "//Charlie");
	scene.set_content("bad.html", b"bad");
	for _ in 0..3 {
		scene.play().await;
	}
	scene.followed().await;
	content::assert_served(scene.world.store(), &[b"bad"]);
	scene.serve("//Dave", "0");
	scene.world.store().wait("GET", &content::path(b"bad"), 404);
	scene.play().await;
	scene.serve("//Dave", GRACE);
	fs::remove_file(scene.world.path("site/bad.html")).expect("it is there");
	scene.assert_site();
	scene.put("site", "//Charlie");
	scene.end();
}

#[tokio::test]
async fn a_content_node_is_restored() {
	let mut scene = Scene::start("### Restore a content node").await;
	let backup = scene.world.dir.path().join("backup");
	copy(&scene.data.join("objects"), &backup);
	scene.world.file("site/late.html", b"late");
	scene.put("site", "//Charlie");
	drop(scene.world.store.take());
	// The folders of a damaged node are still there.
	damage(&scene.data.join("objects"));
	fs::remove_file(scene.data.join("record.okvs")).expect("it is there");

	let data = scene.data.display().to_string();
	scene.set("DATA", data);
	scene.set("BACKUP", backup.display());
	scene.play().await;
	scene.serve("//Dave", GRACE);
	scene.followed().await;
	scene.play().await;
	scene.assert_site();
	scene.end();
}

#[tokio::test]
async fn a_node_and_an_index_are_restored() {
	let mut scene = Scene::start("### Restore a node and an index").await;
	let [chain, index, backup] = ["chain", "index", "backup"].map(|name| scene.world.path(name));
	let block = scene.blocks[0].clone();
	scene.index.take().expect("it runs").stop();
	copy(index.as_ref(), backup.as_ref());
	scene.world.file("site/late.html", b"late");
	scene.put("site", "//Charlie");
	scene.set("DATA", &index);
	scene.set("BACKUP", &backup);
	scene.world.file("index/spoiled", b"spoiled");
	scene.play().await;
	assert!(!Path::new(&index).join("spoiled").exists(), "the folder was not emptied");
	let restored = Indexer::start(scene.world.url(), index.as_ref(), &[]);
	restored.wait_for_final(settled(&scene.world.fabric.raw).await);

	let Scene { mut world, ports, variables, .. } = scene;
	let (dir, variables) = (world.dir.path().to_owned(), &variables);
	let restart = |process: Node| {
		process.stop();
		fs::remove_dir_all(&backup).expect("it is there");
		copy(chain.as_ref(), backup.as_ref());
		let variables: Vec<_> = variables
			.iter()
			.map(
				|(name, value)| {
					if *name == "DATA" {
						(*name, chain.clone())
					} else {
						(*name, value.clone())
					}
				},
			)
			.collect();
		for step in block {
			assert_eq!(typed(&step.command, &dir, &variables).0, Some(0), "{}", step.command);
		}
		Node::start_on(ports[0], chain.as_ref(), &[])
	};
	world.fabric = world.fabric.served_by(restart).await;
	let store = world.store.as_ref().expect("it runs");
	wait::until(PATIENCE, "the content node does not follow the restored node", async || {
		store.status("problem").is_null() && store.status("finalized_block").is_u64()
	})
	.await;
	world.file("site/after.html", b"after");
	let report = world.put("site");
	assert_eq!(report["sources"][0]["finalized"], 1, "{report}");
	restored.wait_for_final(settled(&world.fabric.raw).await);
}

/// Spoils every file in a folder.
fn damage(folder: &Path) {
	for entry in fs::read_dir(folder).expect("it is a folder") {
		let path = entry.expect("the folder can be read").path();
		match path.is_dir() {
			true => damage(&path),
			false => fs::write(&path, b"spoiled").expect("it can be written"),
		}
	}
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
	let copied = Command::new("cp").arg("-a").args([from, to]).status();
	assert!(copied.expect("cp starts").success(), "the folder is not copied");
}

#[tokio::test]
async fn a_chain_that_is_begun_anew() {
	let mut scene = Scene::start("### A chain that is begun anew").await;
	let chain = scene.world.dir.path().join("chain");
	let anew = |process: Node| {
		process.stop();
		fs::remove_dir_all(&chain).expect("it is there");
		Node::start_on(scene.ports[0], &chain, &[])
	};
	scene.world.fabric = scene.world.fabric.served_by(anew).await;
	wait::until(PATIENCE, "the content node follows another chain", async || {
		scene.world.store().status("problem").is_string()
	})
	.await;
	let refused = content::draft(scene.world.store(), &scene.world.fabric, &[b"new"]);
	assert!(matches!(refused.status, 424 | 503), "{}", refused.head);
	content::assert_served(scene.world.store(), &[b"hello"]);

	let url = scene.world.url().to_owned();
	let governor = scene.world.fabric.alice.account().to_string();
	let create = ["space", "create", "--name", "test", "--governor", &governor];
	fabric_json(&url, &create);
	drop(scene.index.take());
	scene.index = Some(Indexer::start(&url, &scene.world.dir.path().join("new-index"), &[]));
	scene.set("ADMIN_KEY", "//Bob");
	scene.set("OPERATOR", scene.world.fabric.dave.account().to_string());
	scene.play().await;
	scene.data = scene.world.dir.path().join("new-data");
	scene.serve("//Dave", GRACE);
	scene.followed().await;
	scene.play().await;
	scene.assert_site();
	let index = scene.index.as_ref().expect("it runs");
	index.wait_for_final(settled(&scene.world.fabric.raw).await);
	scene.end();
}
