// SPDX-License-Identifier: Apache-2.0
//! The content node, with a chain and over HTTP: bytes come in, are finalized, served and let go.

use std::{
	collections::BTreeMap,
	fs,
	io::Write,
	path::{Path, PathBuf},
	time::{Duration, Instant},
};

use content_fabric_client::{
	chain::{calls, rows},
	ids,
	keys::Signer,
};
use content_fabric_identifiers::{HashKind, KmsId, NodeId, VersionHasher, VersionId};
use content_fabric_tests::{
	fabric::Fabric,
	process::{fabric_text, write},
	store::{Answer, Store},
	wait,
};
use serde_json::{json, Value};
use subxt::utils::AccountId32;

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";
/// Number of bytes of a page of the record.
const PAGE: usize = 4_096;
/// Longest wait for a state of the chain.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn version(bytes: &[u8]) -> VersionId {
	VersionHasher::hash(HashKind::Blake3, bytes)
}

pub(super) fn path(bytes: &[u8]) -> String {
	format!("/v1/versions/{}", version(bytes))
}

/// Returns bytes that differ from place to place.
pub(super) fn content(seed: u64, length: usize) -> Vec<u8> {
	(0..length as u64)
		.map(|at| ((at ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8)
		.collect()
}

/// Requests a draft for contents, as ones that are encrypted for the KMS.
pub(super) fn draft(store: &Store, fabric: &Fabric, contents: &[impl AsRef<[u8]>]) -> Answer {
	draft_for(Some(fabric.kms), store, fabric, contents)
}

fn draft_for(
	kms: Option<KmsId>,
	store: &Store,
	fabric: &Fabric,
	contents: &[impl AsRef<[u8]>],
) -> Answer {
	let versions = contents.iter().map(|bytes| {
		let bytes = bytes.as_ref();
		json!({ "object": fabric.object, "version": version(bytes), "hash": "blake3", "size": bytes.len() })
	});
	let versions: Vec<_> = versions.collect();
	let request = json!({ "tenant": fabric.tenant, "kms": kms, "versions": versions });
	store.ask("POST", "/v1/drafts", &[], request.to_string().as_bytes())
}

/// Signs a draft, in the name of an account.
fn sign(draft: &Value, signer: &Signer, account: &AccountId32) -> String {
	let payload = draft["payload"].as_str().and_then(|text| text.strip_prefix("0x"));
	let payload = hex::decode(payload.expect("the draft has a payload")).expect("it is hex");
	let signature = format!("0x01{}", hex::encode(signer.sign(&payload)));
	json!({ "draft": draft, "account": account, "signature": signature }).to_string()
}

/// Signs a draft with the key of the tenant.
pub(super) fn signed(fabric: &Fabric, draft: &Value) -> String {
	sign(draft, &fabric.charlie, fabric.charlie.account())
}

/// Has contents drafted, signs the draft, and has it committed.
pub(super) fn commit(store: &Store, fabric: &Fabric, contents: &[impl AsRef<[u8]>]) {
	commit_draft(store, fabric, draft(store, fabric, contents));
}

/// Commits contents as [`commit`] does, as plain ones.
pub(super) fn commit_plain(store: &Store, fabric: &Fabric, contents: &[impl AsRef<[u8]>]) {
	commit_draft(store, fabric, draft_for(None, store, fabric, contents));
}

fn commit_draft(store: &Store, fabric: &Fabric, draft: Answer) {
	let draft = draft.expect(200).json();
	store.ask("POST", "/v1/commits", &[], signed(fabric, &draft).as_bytes()).expect(200);
}

/// Waits until the chain knows that contents are complete, whatever it has taken back before.
pub(super) async fn finalized(fabric: &Fabric, contents: &[impl AsRef<[u8]>]) {
	for bytes in contents {
		let key = (fabric.tenant, fabric.object, version(bytes.as_ref()));
		wait::until(PATIENCE, &format!("{} is not final", key.2), async || {
			let row = fabric.client.best().await.get(&rows::versions(), key).await;
			row.expect("the node answers").is_some_and(|row| row.finalized.is_some())
		})
		.await;
	}
}

/// Waits until a content node has followed the chain up to its best block.
pub(super) async fn followed(fabric: &Fabric, store: &Store) {
	let (best, _) = fabric.raw.best_block().await;
	wait::until(PATIENCE, "the block is not followed", async || {
		store.status("finalized_block").as_u64() >= Some(best)
	})
	.await;
}

/// Checks that a content node serves contents.
pub(super) fn assert_served(store: &Store, contents: &[impl AsRef<[u8]>]) {
	for bytes in contents {
		let bytes = bytes.as_ref();
		assert!(store.ask("GET", &path(bytes), &[], &[]).expect(200).body == bytes);
	}
}

/// Returns the path of the file of a version, in the data folder of a content node.
pub(super) fn place(data: &Path, version: VersionId) -> PathBuf {
	let name = hex::encode(version.0);
	data.join("objects").join(&name[..2]).join(&name[2..4]).join(&name)
}

/// Returns the files under a folder with their bytes, by their paths.
pub(super) fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
	let mut found = BTreeMap::new();
	for entry in fs::read_dir(folder).expect("the folder exists") {
		let entry = entry.expect("the folder can be read");
		let (path, name) = (entry.path(), PathBuf::from(entry.file_name()));
		if path.is_dir() {
			found.extend(tree(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes)));
		} else {
			found.insert(name, fs::read(&path).expect("the file can be read"));
		}
	}
	found
}

pub(super) async fn start(dir: &Path) -> (Fabric, NodeId, Store) {
	let fabric = Fabric::start(&dir.join("chain"), 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let store = Store::start(fabric.url(), (fabric.provider, node), &dir.join("data"));
	(fabric, node, store)
}

/// Checks that a draft is refused with a reason if a size cannot be right.
fn assert_sizes_are_checked(store: &Store, fabric: &Fabric) {
	let draft = |bytes: &[u8], size: &Value| {
		let versions = json!([{ "object": fabric.object, "version": version(bytes), "hash": "blake3", "size": size }]);
		let request = json!({ "tenant": fabric.tenant, "kms": fabric.kms, "versions": versions });
		store.ask("POST", "/v1/drafts", &[], request.to_string().as_bytes())
	};
	let whole = "expected `size` as a whole number of bytes, or its digits as text";
	for (bytes, size, expected) in [
		(&b"some"[..], json!(1.5), "invalid `size`: expected a whole number, found 1.5"),
		(b"some", json!(-1), whole),
		(b"some", json!("1.5"), whole),
		(b"some", json!("-1"), whole),
		(b"some", json!(null), whole),
		(b"some", json!(true), whole),
		(b"some", json!(0), "is 0, expected the number of its bytes"),
		(b"some", json!("0"), "is 0, expected the number of its bytes"),
		(b"", json!(7), "is 7, expected 0: it is the hash of no bytes"),
	] {
		let refused = draft(bytes, &size).expect(400).json();
		let reason = refused["error"].as_str().unwrap_or_default();
		assert!(reason.contains(expected), "{size}: {reason}");
	}
	draft(b"", &json!(0)).expect(200);
	draft(b"some", &json!("4")).expect(200);
}

#[tokio::test]
async fn bytes_are_committed_uploaded_finalized_served_and_let_go() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let (small, large, empty) = (content(1, 5_000), content(2, 3_000_000), Vec::new());
	store.wait("PUT", &path(&small), 403);
	let drafted = draft(&store, &fabric, &[&small, &large, &empty]).expect(200).body;
	// The client signs the draft as it is, without a connection.
	let file = write(dir.path(), "draft.json", &String::from_utf8_lossy(&drafted));
	let genesis = hex::encode(fabric.client.chain.identity().genesis_hash);
	let options = ["--genesis-hash", &genesis, "--max-ahead", "3600", "--yes"];
	let sign_it = [&["version", "sign", &file, "--signer", "//Charlie"], &options[..]].concat();
	let signed = fabric_text(NOWHERE, &sign_it);
	store.ask("POST", "/v1/commits", &[], signed.as_bytes()).expect(200);
	// A draft is committed once.
	store.ask("POST", "/v1/commits", &[], signed.as_bytes()).expect(409);

	// Wrong bytes, and bytes of a wrong length.
	store.ask("PUT", &path(&small), &[], &content(9, 5_000)).expect(422);
	store.ask("PUT", &path(&small), &[], &small[1..]).expect(422);
	store.ask("PUT", &path(&small), &[], &[&small[..], b"x"].concat()).expect(413);
	let refused = store.ask("DELETE", &path(&small), &[], &[]).expect(405).head;
	assert!(refused.contains("allow: get,head,put"), "{refused}");
	let encoded = path(&small).replace('_', "%5F");
	assert_eq!(store.arrived(&encoded), Some(0));
	store.ask("HEAD", &encoded, &[], &[]).expect(404);
	store.ask("GET", "/v1/versions/", &[], &[]).expect(404);
	store.ask("GET", &format!("{}/x", path(&small)), &[], &[]).expect(404);
	for name in ["..", "..%2f..%2fetc%2fpasswd", "hq__", "%00"] {
		store.ask("PUT", &format!("/v1/versions/{name}"), &[], b"x").expect(400);
	}
	assert!(tree(&dir.path().join("data/objects")).is_empty());

	// In parts. One of them is refused.
	let range = |from: usize, to: usize| format!("Content-Range: bytes {from}-{}/3000000", to - 1);
	let put = |from: usize, to: usize| {
		store.ask("PUT", &path(&large), &[&range(from, to)], &large[from..to])
	};
	assert!(put(0, 1_000_000).expect(202).head.contains("upload-offset: 1000000"));
	assert!(put(999_999, 2_000_000).expect(409).head.contains("upload-offset: 1000000"));
	assert_eq!(store.arrived(&path(&large)), Some(1_000_000));
	store.ask("GET", &path(&large), &[], &[]).expect(404);
	put(1_000_000, 3_000_000).expect(201);
	store.ask("PUT", &path(&small), &[], &small).expect(201);
	store.ask("PUT", &path(&small), &[], &small).expect(200);
	store.ask("PUT", &path(&empty), &[], &empty).expect(201);
	finalized(&fabric, &[&small, &large, &empty]).await;

	// Whole, in ranges, and beyond the end.
	for bytes in [&small, &large, &empty] {
		let answer = store.ask("GET", &path(bytes), &[], &[]).expect(200);
		assert!(answer.body == *bytes);
		for line in [
			&format!("etag: \"{}\"", hex::encode(version(bytes).0)),
			"cache-control: public, max-age=31536000, immutable",
			"x-content-type-options: nosniff",
			"content-security-policy: sandbox",
			"access-control-allow-origin: *",
			"content-type: application/octet-stream",
		] {
			assert!(answer.head.contains(line), "{line}: {}", answer.head);
		}
	}
	let part = store.ask("GET", &path(&large), &["Range: bytes=2000000-2999999"], &[]).expect(206);
	assert!(part.body == large[2_000_000..]);
	assert!(part.head.contains("content-range: bytes 2000000-2999999/3000000"));
	let beyond = store.ask("GET", &path(&large), &["Range: bytes=3000000-"], &[]).expect(416);
	assert!(beyond.head.contains("content-range: bytes */3000000"));
	let tag = format!("If-None-Match: \"{}\"", hex::encode(version(&small).0));
	store.ask("GET", &path(&small), &[&tag], &[]).expect(304);
	let by_hex = format!("/v1/versions/{}", hex::encode(version(&small).0));
	assert!(store.ask("GET", &by_hex, &[], &[]).expect(200).body == small);
	let status = store.ask("GET", "/v1/status", &[], &[]).expect(200).json();
	assert_eq!((&status["versions"], &status["held_bytes"]), (&3.into(), &"3005000".into()));
	let figures = store.ask("GET", "/metrics", &[], &[]).expect(200).body;
	assert!(String::from_utf8_lossy(&figures).contains("fabric_store_state{of=\"versions\"} 3"));

	// A version without room is not even drafted.
	let versions = json!([{ "object": fabric.object, "version": version(b"?"), "hash": "blake3", "size": 20_000_000 }]);
	let request = json!({ "tenant": fabric.tenant, "kms": fabric.kms, "versions": versions });
	store.ask("POST", "/v1/drafts", &[], request.to_string().as_bytes()).expect(507);
	assert_sizes_are_checked(&store, &fabric);
	// Without the signature of the tenant nothing is committed.
	let other = draft(&store, &fabric, &[b"other"]).expect(200).json();
	for (account, status, reason) in [
		(fabric.charlie.account(), 400, "the signature was not made by"),
		(fabric.bob.account(), 403, "SignerNotPermitted"),
	] {
		let signed = sign(&other, &fabric.bob, account);
		let refused = store.ask("POST", "/v1/commits", &[], signed.as_bytes()).expect(status);
		assert!(refused.json()["error"].as_str().is_some_and(|text| text.contains(reason)));
	}

	fabric.delete_tenant().await;
	for bytes in [&small, &large, &empty] {
		store.wait("GET", &path(bytes), 404);
	}
	let objects = dir.path().join("data/objects");
	wait::until(PATIENCE, "files are left", async || tree(&objects).is_empty()).await;
}

#[tokio::test]
async fn drafts_that_together_exceed_the_capacity_are_not_both_committed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	// The node has room for 20 million bytes.
	let request = |name: &str| {
		let versions = json!([{
			"object": fabric.object, "version": version(name.as_bytes()), "hash": "blake3", "size": "12000000"
		}]);
		json!({ "tenant": fabric.tenant, "kms": fabric.kms, "versions": versions }).to_string()
	};
	let ask = |path, body: &str| store.ask("POST", path, &[], body.as_bytes());
	// The second one fits while nobody has committed the first one.
	let drafts =
		["first", "second"].map(|name| ask("/v1/drafts", &request(name)).expect(200).json());
	ask("/v1/commits", &signed(&fabric, &drafts[0])).expect(200);
	let full = ask("/v1/commits", &signed(&fabric, &drafts[1]));
	let reason = full.expect(507).json()["error"].as_str().unwrap_or_default().to_owned();
	let expected = "the versions need 12000000 bytes, but the node has room for 8000000";
	assert_eq!(reason, expected);
	ask("/v1/drafts", &request("third")).expect(507);
	let status = store.ask("GET", "/v1/status", &[], &[]).expect(200).json();
	assert_eq!(status["promised_bytes"], "12000000");
}

#[tokio::test]
async fn nothing_is_lost_or_finalized_in_part_by_kills_and_damage_is_found() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, mut store) = start(dir.path()).await;
	let data = dir.path().join("data");
	let contents: Vec<_> = (0..4).map(|seed| content(seed, 400_000)).collect();
	commit(&store, &fabric, &contents);
	for (number, bytes) in contents.iter().enumerate() {
		let mut stream = store.send("PUT", &path(bytes), &[], bytes.len());
		// The last one is whole, and may or may not be in place.
		let sent = [1, 300_000, 399_999, 400_000][number];
		stream.write_all(&bytes[..sent]).expect("the bytes are taken");
		tokio::time::sleep(Duration::from_millis(20)).await;
		drop(store);
		store = Store::start(fabric.url(), (fabric.provider, node), &data);
		let key = (fabric.tenant, fabric.object, version(bytes));
		if sent < bytes.len() {
			let row = fabric.client.best().await.get(&rows::versions(), key).await;
			let row = row.expect("the node answers").expect("it is committed");
			assert!(row.finalized.is_none());
		}
		let start = Instant::now();
		while let Some(offset) = store.arrived(&path(bytes)) {
			let offset = usize::try_from(offset).expect("the version is small");
			assert!(offset <= sent);
			let range = format!("Content-Range: bytes {offset}-399999/400000");
			// A file that was whole when the node was killed is uploaded again.
			let (headers, from) =
				if offset == 400_000 { (vec![], 0) } else { (vec![range.as_str()], offset) };
			let put = store.ask("PUT", &path(bytes), &headers, &bytes[from..]);
			assert!(matches!(put.status, 200 | 201), "{}", put.status);
			assert!(start.elapsed() < PATIENCE, "the upload does not end");
		}
	}
	finalized(&fabric, &contents).await;
	assert_served(&store, &contents);

	// A byte rots.
	let file = place(&data, version(&contents[0]));
	let mut rotten = contents[0].clone();
	rotten[200_000] ^= 1;
	fs::write(&file, rotten).expect("the file can be written");
	store.ask("GET", &path(&contents[0]), &[], &[]).expect(500);
	assert_eq!(store.ask("GET", "/v1/status", &[], &[]).json()["damaged"], 1);
	drop(store);
	let checked = Store::check(&data, &[]);
	let report = String::from_utf8_lossy(&checked.stdout);
	assert!(report.contains(&format!("{} is damaged", version(&contents[0]))), "{report}");
	assert!(!checked.status.success());
	fs::write(&file, &contents[0]).expect("the file can be written");
	let checked = Store::check(&data, &[]);
	assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));

	// A file is lost, and uploaded again.
	let store = Store::start(fabric.url(), (fabric.provider, node), &data);
	fs::remove_file(&file).expect("it is there");
	store.ask("GET", &path(&contents[0]), &[], &[]).expect(500);
	assert_eq!(store.ask("GET", "/v1/status", &[], &[]).json()["damaged"], 1);
	store.ask("PUT", &path(&contents[0]), &[], &contents[0]).expect(201);
	assert_served(&store, &contents[..1]);
	drop(store);

	// The record is damaged: the program says so in one line, or it has lost nothing that counts.
	let record = data.join("record.okvs");
	let sound = fs::read(&record).expect("the record is a file");
	let mut refused = 0;
	for start in (0..sound.len()).step_by(PAGE) {
		let mut damaged = sound.clone();
		damaged[start..].iter_mut().take(PAGE).for_each(|byte| *byte = 0);
		fs::write(&record, damaged).expect("there is room");
		let checked = Store::check(&data, &[]);
		let errors = String::from_utf8_lossy(&checked.stderr);
		let lines: Vec<_> = errors.lines().filter(|line| line.starts_with("error: ")).collect();
		assert!(!errors.contains("panicked"), "the page at {start}: {errors}");
		assert_eq!(lines.len(), usize::from(!checked.status.success()), "{errors}");
		refused += usize::from(errors.contains("`fabric-store check --repair`"));
	}
	assert!(refused > 0, "no damaged record was refused");

	// It is made again from the files and the chain.
	fs::remove_file(&record).expect("it is there");
	assert!(Store::check(&data, &["--repair"]).status.success());
	let store = Store::start(fabric.url(), (fabric.provider, node), &data);
	for bytes in &contents {
		assert!(store.wait("GET", &path(bytes), 200).body == *bytes);
	}
}

#[tokio::test]
async fn damaged_bytes_are_not_finalized_for_another_commit_and_are_replaced_by_who_has_them() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let file = |bytes: &[u8]| place(&dir.path().join("data"), version(bytes));
	let damaged = || store.ask("GET", "/v1/status", &[], &[]).expect(200).json()["damaged"].clone();
	let contents = [content(1, 3_000_000), content(2, 3_000_000), content(3, 3_000_000)];
	let [rotten, cut, sound] = &contents;
	commit(&store, &fabric, &contents);
	contents.iter().for_each(|bytes| store.upload(&path(bytes), bytes));
	finalized(&fabric, &contents).await;

	// A byte rots, and nobody notices before the same bytes are committed for another object.
	let mut changed = rotten.clone();
	changed[2_000_000] ^= 1;
	// A disk that rots leaves the time of the file as it was.
	let time = fs::metadata(file(rotten)).and_then(|data| data.modified()).expect("it has a time");
	fs::write(file(rotten), changed).expect("the file can be written");
	let opened = fs::File::options().write(true).open(file(rotten)).expect("the file is there");
	opened.set_modified(time).expect("the time can be set");
	let other = ids::content_object(fabric.tenant, "other");
	let create = calls::CreateContentObject { tenant: fabric.tenant, object: other };
	fabric.submit(&fabric.charlie, create).await;
	let versions = [rotten, sound]
		.map(|bytes| json!({ "object": other, "version": version(bytes), "hash": "blake3", "size": bytes.len() }));
	let request = json!({ "tenant": fabric.tenant, "kms": fabric.kms, "versions": versions });
	let request = request.to_string();
	let draft = store.ask("POST", "/v1/drafts", &[], request.as_bytes()).expect(200).json();
	store.ask("POST", "/v1/commits", &[], signed(&fabric, &draft).as_bytes()).expect(200);
	wait::until(PATIENCE, "the damage is not noticed", async || damaged() == 1).await;
	let is_final = async |bytes: &[u8]| {
		let key = (fabric.tenant, other, version(bytes));
		let row = fabric.client.best().await.get(&rows::versions(), key).await;
		row.expect("the node answers").expect("it is committed").finalized.is_some()
	};
	wait::until(PATIENCE, "sound bytes wait", async || is_final(sound).await).await;
	assert!(!is_final(rotten).await, "damaged bytes are final");
	// Any client that has the bytes can mend them.
	assert_eq!(store.arrived(&path(rotten)), Some(0));
	store.ask("PUT", &path(rotten), &[], rotten).expect(201);
	wait::until(PATIENCE, "the mended bytes wait", async || is_final(rotten).await).await;
	assert_served(&store, &[rotten]);
	assert_eq!(damaged(), 0);

	// A file is cut: every kind of read finds it, and records it.
	followed(&fabric, &store).await;
	for (method, range) in [("GET", None), ("HEAD", None), ("GET", Some("Range: bytes=2000000-"))] {
		fs::write(file(cut), &cut[..1_000_000]).expect("the file can be written");
		let headers: Vec<_> = range.into_iter().collect();
		store.ask(method, &path(cut), &headers, &[]).expect(500);
		assert_eq!(damaged(), 1, "{method} {range:?}");
		store.ask("PUT", &path(cut), &[], cut).expect(201);
		assert_served(&store, &[cut]);
		assert_eq!(damaged(), 0);
	}
	// Nobody has read it: who offers the bytes finds it.
	for other in [&cut[1..], &rotten[..]] {
		fs::write(file(cut), other).expect("the file can be written");
		store.ask("PUT", &path(cut), &[], cut).expect(201);
		store.ask("PUT", &path(cut), &[], cut).expect(200);
		store.ask("PUT", &path(cut), &[], &cut[1..]).expect(422);
		assert_served(&store, &[cut]);
	}
	// The process starts again between the upload and the finalization, and knows nothing.
	let late = content(4, 50_000);
	commit(&store, &fabric, &[&late]);
	store.ask("PUT", &path(&late), &[], &late).expect(201);
	drop(store);
	let _store = Store::start(fabric.url(), (fabric.provider, node), &dir.path().join("data"));
	finalized(&fabric, &[&late]).await;
}
