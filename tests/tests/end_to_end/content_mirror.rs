// SPDX-License-Identifier: Apache-2.0
//! Content nodes that get bytes from each other: copies that were asked for, healing, kills, and
//! sources that fail.

use std::{
	collections::BTreeMap,
	fs,
	io::Write,
	path::{Path, PathBuf},
	process::Command,
	time::Duration,
};

use content_fabric_client::{chain::rows, keys::Signer, samples::encoding::encoded};
use content_fabric_identifiers::{NodeId, TenantId};
use content_fabric_primitives::DraftVersion;
use content_fabric_tests::{
	fabric::draft,
	process::{fabric_json, fabric_report, fabric_text},
	store::Store,
	wait,
};
use rand::{rngs::StdRng, Rng, SeedableRng};
use serde_json::json;

use super::{
	content::{assert_served, content, path, place, tree, version},
	put_and_get::{send, server, World},
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(120);
/// Rate in bytes a second at which a pull of some megabytes takes seconds.
const SLOW: &str = "400000";

/// A chain with a content node of Dave's that takes content in, and others of the same provider that
/// are asked for copies.
struct Mirrors {
	world: World,
	/// The other nodes, with their operators.
	nodes: Vec<(NodeId, &'static str)>,
	stores: BTreeMap<usize, Store>,
}

impl Mirrors {
	async fn start(number: usize) -> Self {
		let world = World::start().await;
		let operators: [(&Signer, _); 2] =
			[(&world.fabric.eve, "//Eve"), (&world.fabric.alice, "//Alice")];
		let mut nodes = Vec::new();
		for (operator, key) in operators.into_iter().take(number) {
			nodes.push((world.fabric.add_node(key, operator).await, key));
		}
		Self { world, nodes, stores: BTreeMap::new() }
	}

	fn data(&self, index: usize) -> PathBuf {
		self.world.dir.path().join(format!("mirror-{index}"))
	}

	fn node(&self, index: usize) -> String {
		self.nodes[index].0.to_string()
	}

	/// Starts one of the others with these options, and tells the chain where it is.
	async fn serve(&mut self, index: usize, options: &str) {
		let (node, key) = self.nodes[index];
		let of = (self.world.fabric.provider, node);
		let data = self.data(index);
		let command = with_options(options);
		let store =
			Store::start_as(command, ["127.0.0.1:0", key, "0"], self.world.url(), of, &data);
		self.world.locate(node, &format!("http://{}", store.address)).await;
		self.stores.insert(index, store);
	}

	/// Kills the node that takes content in.
	fn kill_first(&mut self) {
		drop(self.world.store.take());
	}

	/// Starts the node that takes content in again, and tells the chain where it is.
	async fn serve_first(&mut self) {
		let ids = (self.world.fabric.provider, self.world.node);
		let data = self.world.dir.path().join("data");
		let store = Store::start(self.world.url(), ids, &data);
		self.world.locate(self.world.node, &format!("http://{}", store.address)).await;
		self.world.store = Some(store);
	}

	/// Puts a folder, with copies at the others. Returns the tenant.
	fn put(&self, name: &str) -> TenantId {
		let node = format!("http://{}", self.world.store().address);
		let copies: Vec<_> = self.nodes.iter().map(|(node, _)| node.to_string()).collect();
		let arguments =
			["put", &self.world.path(name), "--node", &node, "--copies", &copies.join(",")];
		fabric_json(self.world.url(), &arguments);
		self.world.tenant(name)
	}

	/// Returns the numbers of copies of a tenant that are held and that are not.
	async fn copies(&self, tenant: TenantId) -> (usize, usize) {
		let at = self.world.fabric.client.best().await;
		let rows = at.rows(rows::versions(), (tenant,)).await.expect("the node answers");
		let copies: Vec<_> = rows.into_iter().flat_map(|(_, row)| row.copies).collect();
		let held = copies.iter().filter(|copy| copy.held.is_some()).count();
		(held, copies.len() - held)
	}

	async fn all_are_held(&self, tenant: TenantId, copies: usize) {
		wait::until(PATIENCE, "not all copies are held", async || {
			self.copies(tenant).await == (copies, 0)
		})
		.await;
	}

	/// Returns the number of bytes that have arrived of pulls.
	fn arrived(&self, index: usize) -> u64 {
		length(&self.data(index).join("pulls"))
	}

	async fn has_begun(&self, index: usize) {
		wait::until(PATIENCE, "no bytes arrive", async || self.arrived(index) > 300_000).await;
	}
}

/// Returns the number of bytes in a folder, whose files come and go.
fn length(folder: &Path) -> u64 {
	let entries = fs::read_dir(folder).into_iter().flatten().flatten();
	let lengths = entries.map(|entry| match entry.metadata() {
		Ok(data) if data.is_dir() => length(&entry.path()),
		Ok(data) => data.len(),
		Err(_) => 0,
	});
	lengths.sum()
}

/// Returns a command that runs another one with more options.
fn with_options(options: &str) -> Command {
	let mut shell = Command::new("bash");
	shell.arg("-c").arg(format!("exec \"$0\" \"$@\" {options}"));
	shell
}

#[tokio::test]
async fn an_asked_node_pulls_and_a_node_that_has_lost_its_disk_heals() {
	let mut mirrors = Mirrors::start(1).await;
	let files = [content(1, 5_000), content(2, 3_000_000), Vec::new(), content(3, 70_000)];
	for (number, bytes) in files.iter().enumerate() {
		mirrors.world.file(&format!("site/{number}"), bytes);
	}
	let tenant = mirrors.put("site");
	assert_eq!(mirrors.copies(tenant).await, (4, 4));
	let url = mirrors.world.url().to_owned();
	let missing = |options: &[&str], code| {
		fabric_report(&url, &[&["copies", "missing", &tenant.to_string()], options].concat(), code)
	};
	let listed = missing(&["--no-probe"], 7);
	assert_eq!(listed["versions"].as_array().map(Vec::len), Some(4));
	assert_eq!(listed["versions"][0]["copies"][1]["state"], "asked");

	mirrors.serve(0, "").await;
	mirrors.all_are_held(tenant, 8).await;
	assert_eq!(missing(&[], 0)["versions"].as_array().map(Vec::len), Some(0));
	assert_served(&mirrors.stores[&0], &files);
	assert_eq!(mirrors.stores[&0].status("asked"), 0);

	// The first node loses its disk.
	mirrors.kill_first();
	let first = mirrors.world.dir.path().join("data");
	fs::remove_dir_all(&first).expect("it is there");
	// An earlier run has left the start of a download.
	let left = first
		.join("pulls")
		.join(place(&first, version(&files[0])).file_name().expect("it has one"));
	fs::create_dir_all(first.join("pulls")).expect("there is room");
	fs::write(left, &files[0][..99]).expect("there is room");
	let lost = missing(&[], 7);
	assert_eq!(lost["versions"].as_array().map(Vec::len), Some(4));
	assert_eq!(lost["versions"][0]["copies"][0]["state"], "unserved");
	let back = mirrors.world.path("back");
	fabric_json(&url, &["get", &tenant.to_string(), "--output", &back]);
	assert!(tree(Path::new(&mirrors.world.path("site"))) == tree(Path::new(&back)));
	mirrors.serve_first().await;
	wait::until(PATIENCE, "it does not heal", async || {
		let store = mirrors.world.store();
		store.status("missing") == 0 && store.status("versions") == 4
	})
	.await;
	assert_served(mirrors.world.store(), &files);
	assert_eq!(missing(&[], 0)["versions"].as_array().map(Vec::len), Some(0));

	// Without its record, it takes in the files that are here, and gets nothing again.
	mirrors.kill_first();
	fs::remove_file(first.join("record.okvs")).expect("it is there");
	fs::remove_dir_all(first.join("pulls")).expect("it is there");
	mirrors.serve_first().await;
	wait::until(PATIENCE, "it does not take in its files", async || {
		let store = mirrors.world.store();
		store.status("missing") == 0 && store.status("versions") == 4
	})
	.await;
	assert!(!first.join("pulls").exists(), "it has got versions again");
	assert_served(mirrors.world.store(), &files);

	// A copy is spoiled, and another one removed: a read finds it.
	let mirror = &mirrors.stores[&0];
	fs::write(place(&mirrors.data(0), version(&files[0])), b"spoiled").expect("there is room");
	fs::remove_file(place(&mirrors.data(0), version(&files[3]))).expect("it is there");
	for bytes in [&files[0], &files[3]] {
		mirror.ask("GET", &path(bytes), &[], &[]).expect(500);
	}
	for bytes in [&files[0], &files[3]] {
		mirror.wait("GET", &path(bytes), 200);
	}
	assert_served(mirror, &files);
	assert_eq!((mirror.status("damaged"), mirror.status("lost")), (0.into(), 0.into()));

	// Without another copy, the bytes are lost, and come back with a `put`.
	fabric_text(
		&url,
		&["copies", "remove", &tenant.to_string(), "--node", &mirrors.node(0), "--yes"],
	);
	mirror.wait("GET", &path(&files[1]), 404);
	fs::remove_file(place(&first, version(&files[1]))).expect("it is there");
	mirrors.world.store().ask("HEAD", &path(&files[1]), &[], &[]).expect(500);
	wait::until(PATIENCE, "it is not known to be lost", async || {
		mirrors.world.store().status("lost") == 1
	})
	.await;
	let report = mirrors.world.put("site");
	assert_eq!(report["sources"][0]["restored"]["files"], 1, "{report}");
	wait::until(PATIENCE, "it is still lost", async || mirrors.world.store().status("lost") == 0)
		.await;
}

#[tokio::test]
async fn pulls_go_on_after_kills_of_either_node_at_any_time() {
	let mut mirrors = Mirrors::start(1).await;
	let files: Vec<_> = (0..12).map(|seed| content(seed, 400_000 + seed as usize)).collect();
	for (number, bytes) in files.iter().enumerate() {
		mirrors.world.file(&format!("site/{number}"), bytes);
	}
	let tenant = mirrors.put("site");
	let mut random = StdRng::seed_from_u64(7);
	mirrors.serve(0, &format!("--mirror-rate {SLOW}")).await;
	for _ in 0..6 {
		tokio::time::sleep(Duration::from_millis(random.random_range(50..1_500))).await;
		match random.random() {
			true => {
				mirrors.kill_first();
				mirrors.serve_first().await;
			},
			false => {
				drop(mirrors.stores.remove(&0));
				mirrors.serve(0, &format!("--mirror-rate {SLOW}")).await;
			},
		}
	}
	drop(mirrors.stores.remove(&0));
	mirrors.serve(0, "").await;
	mirrors.all_are_held(tenant, 24).await;
	assert_served(&mirrors.stores[&0], &files);
	assert_served(mirrors.world.store(), &files);
	wait::until(PATIENCE, "parts are left", async || mirrors.arrived(0) == 0).await;
}

#[tokio::test]
async fn a_pull_ends_with_its_tenant_and_goes_on_when_a_source_that_vanished_is_back() {
	let mut mirrors = Mirrors::start(1).await;
	let (purged, kept) = (content(1, 6_000_000), content(2, 2_000_000));
	mirrors.world.file("purged/file", &purged);
	mirrors.world.file("kept/file", &kept);
	let tenant = mirrors.put("purged");
	mirrors.serve(0, &format!("--mirror-rate {SLOW}")).await;
	mirrors.has_begun(0).await;
	fabric_text(
		mirrors.world.url(),
		&["governance", "purge", &tenant.to_string(), "--reason", "x", "--yes"],
	);
	wait::until(PATIENCE, "parts are left", async || mirrors.arrived(0) == 0).await;
	assert_eq!(mirrors.stores[&0].status("asked"), 0);
	mirrors.stores[&0].ask("GET", &path(&purged), &[], &[]).expect(404);

	let tenant = mirrors.put("kept");
	mirrors.has_begun(0).await;
	mirrors.kill_first();
	let before = mirrors.arrived(0);
	assert!((300_000..kept.len() as u64).contains(&before), "{before}");
	// The part outlives the node that pulls, too.
	drop(mirrors.stores.remove(&0));
	mirrors.serve(0, "").await;
	mirrors.serve_first().await;
	mirrors.all_are_held(tenant, 2).await;
	assert_served(&mirrors.stores[&0], &[&kept]);
}

#[tokio::test]
async fn a_node_that_sends_other_bytes_is_left_for_the_next_one() {
	let mut mirrors = Mirrors::start(2).await;
	let bytes = content(1, 500_000);
	mirrors.world.file("site/file", &bytes);
	let second = mirrors.nodes.pop().expect("there are two");
	let tenant = mirrors.put("site");
	mirrors.serve(0, "").await;
	mirrors.all_are_held(tenant, 2).await;
	let length = bytes.len();
	let (liar, asked) =
		server(move |_, _, stream| send(stream, "200 OK", length, &content(9, length)));
	mirrors.world.locate(mirrors.world.node, &liar).await;
	mirrors.nodes.push(second);
	mirrors.serve(1, "").await;
	let arguments = ["copies", "add", &tenant.to_string(), "file", "--node", &mirrors.node(1)];
	let added = fabric_json(mirrors.world.url(), &arguments);
	assert_eq!(added["copies_added"], 1, "{added}");
	mirrors.all_are_held(tenant, 3).await;
	assert!(asked.load(std::sync::atomic::Ordering::SeqCst) > 0, "the liar was not asked");
	assert_served(&mirrors.stores[&1], &[&bytes]);
}

#[tokio::test]
async fn a_node_pulls_nothing_that_it_has_no_room_for_or_does_not_want() {
	let mut mirrors = Mirrors::start(2).await;
	let (small, large) = (content(1, 5_000), content(2, 3_000_000));
	mirrors.world.file("site/small", &small);
	mirrors.world.file("site/large", &large);
	let tenant = mirrors.put("site");
	mirrors.serve(0, "--no-mirror").await;
	let (node, key) = mirrors.nodes[1];
	let mut shell = Command::new("bash");
	shell.arg("-c").arg("exec \"$0\" \"${@/20000000/1000000}\"");
	let of = (mirrors.world.fabric.provider, node);
	let (url, data) = (mirrors.world.url(), mirrors.data(1));
	let narrow = Store::start_as(shell, ["127.0.0.1:0", key, "0"], url, of, &data);
	wait::until(PATIENCE, "the small file is not held", async || {
		mirrors.copies(tenant).await == (3, 3)
	})
	.await;
	assert_served(&narrow, &[&small]);
	let first = &mirrors.stores[&0];
	wait::until(PATIENCE, "it does not follow", async || first.status("asked") == 2).await;
	assert_eq!((first.status("versions"), first.status("promised_bytes")), (0.into(), "0".into()));
	first.ask("PUT", &path(&small), &[], &small).expect(403);
	assert_eq!(narrow.status("asked"), 1);

	drop(narrow);
	mirrors.serve(1, "").await;
	wait::until(PATIENCE, "the large file is not held", async || {
		mirrors.copies(tenant).await == (4, 2)
	})
	.await;
	assert_served(&mirrors.stores[&1], &[&small, &large]);
	assert_eq!(mirrors.stores[&0].status("versions"), 0);
}

#[tokio::test]
async fn new_copies_of_a_slow_node_do_not_keep_a_damaged_copy_waiting() {
	let mut mirrors = Mirrors::start(2).await;
	let bytes = content(1, 50_000);
	mirrors.world.file("site/file", &bytes);
	let tenant = mirrors.put("site");
	mirrors.serve(0, "").await;
	mirrors.serve(1, "").await;
	mirrors.all_are_held(tenant, 3).await;
	let first = mirrors.world.node.to_string();
	let url = mirrors.world.url().to_owned();
	fabric_text(&url, &["copies", "remove", &tenant.to_string(), "--node", &first, "--yes"]);
	// So many that all downloads of new copies wait for the first node, which never answers.
	let (silent, asked) = server(|_, _, _| std::thread::sleep(PATIENCE * 10));
	mirrors.world.locate(mirrors.world.node, &silent).await;
	for number in 0..200u64 {
		mirrors.world.file(&format!("more/{number}"), &content(number, 100));
	}
	let node = format!("http://{}", mirrors.world.store().address);
	let more = mirrors.world.path("more");
	fabric_json(&url, &["put", &more, "--node", &node, "--copies", &mirrors.node(0)]);
	let mirror = &mirrors.stores[&0];
	wait::until(PATIENCE, "nothing is pulled", async || {
		asked.load(std::sync::atomic::Ordering::SeqCst) > 0
	})
	.await;
	tokio::time::sleep(Duration::from_secs(3)).await;
	fs::write(place(&mirrors.data(0), version(&bytes)), b"spoiled").expect("there is room");
	mirror.ask("GET", &path(&bytes), &[], &[]).expect(500);
	mirror.wait("GET", &path(&bytes), 200);
	assert_eq!(mirror.status("asked"), 200);
}

#[tokio::test]
async fn a_source_that_drips_holds_no_download_for_ever() {
	let mut mirrors = Mirrors::start(1).await;
	let bytes = content(1, 200_000);
	mirrors.world.file("site/file", &bytes);
	mirrors.put("site");
	let sent = encoded(&bytes, 0, bytes.len() - 1);
	let (slow, asked) = server(move |_, _, stream| {
		let (sent, stream) = (sent.clone(), stream.try_clone());
		let mut stream = stream.expect("it is open");
		// Right bytes, which take minutes.
		std::thread::spawn(move || {
			send(&mut stream, "200 OK", sent.len(), &[]);
			let mut pieces = sent.chunks(1_000);
			while pieces.next().is_some_and(|piece| stream.write_all(piece).is_ok()) {
				std::thread::sleep(Duration::from_secs(1));
			}
		});
	});
	mirrors.world.locate(mirrors.world.node, &slow).await;
	mirrors.serve(0, "").await;
	wait::until(PATIENCE / 2, "the source is not left", async || {
		asked.load(std::sync::atomic::Ordering::SeqCst) > 1
	})
	.await;
}

#[tokio::test]
async fn unfinished_pulls_count_in_the_capacity_until_nobody_wants_them() {
	let mut mirrors = Mirrors::start(1).await;
	let bytes = content(1, 9_000_000);
	mirrors.world.file("site/file", &bytes);
	let tenant = mirrors.put("site");
	mirrors.serve(0, "--mirror-rate 1500000").await;
	wait::until(PATIENCE, "no bytes arrive", async || mirrors.arrived(0) > 4_000_000).await;
	mirrors.kill_first();
	let fabric = &mirrors.world.fabric;
	let versions = json!([{
		"object": fabric.object, "version": version(b"x"), "hash": "blake3", "size": 17_000_000
	}]);
	let request = json!({ "tenant": fabric.tenant, "kms": fabric.kms, "versions": versions });
	let draft =
		|| mirrors.stores[&0].ask("POST", "/v1/drafts", &[], request.to_string().as_bytes()).status;
	for _ in 0..20 {
		assert_eq!(draft(), 507);
		tokio::time::sleep(Duration::from_millis(200)).await;
	}
	let purge = ["governance", "purge", &tenant.to_string(), "--reason", "x", "--yes"];
	fabric_text(mirrors.world.url(), &purge);
	wait::until(PATIENCE, "there is no room again", async || draft() == 200).await;
	assert_eq!(mirrors.arrived(0), 0);
}

#[tokio::test]
async fn a_row_with_another_size_is_not_taken_over_with_the_bytes() {
	let mut mirrors = Mirrors::start(2).await;
	let bytes = content(1, 50_000);
	mirrors.world.file("site/file", &bytes);
	let fabric = &mirrors.world.fabric;
	let (provider, [asked, liar]) = (fabric.provider, [0, 1].map(|index| mirrors.nodes[index].0));
	// Another node declares that it has the same version with another size, and another tenant asks
	// for a copy.
	let id = version(&bytes);
	let version = DraftVersion { size: 50_001, ..draft(fabric.object, id) };
	let mut commit = fabric.commit(liar, &[version]).await;
	commit.copies = vec![(provider, asked)].try_into().expect("it is one");
	fabric.submit(&fabric.alice, fabric.signed(&fabric.charlie, &commit)).await;
	fabric.submit(&fabric.alice, fabric.finalize(liar, [(fabric.object, id)])).await;
	mirrors.nodes.pop();
	let tenant = mirrors.put("site");
	mirrors.serve(0, "").await;
	mirrors.all_are_held(tenant, 2).await;
	let store = &mirrors.stores[&0];
	tokio::time::sleep(Duration::from_secs(3)).await;
	let numbers = ["versions", "asked", "missing", "lost"].map(|name| store.status(name));
	assert_eq!(numbers, [1, 1, 0, 0]);
	assert_eq!(store.status("promised_bytes"), "0");
	assert_served(store, &[&bytes]);
}
