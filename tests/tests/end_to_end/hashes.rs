// SPDX-License-Identifier: Apache-2.0
//! Both kinds of hash, from the draft of a commit to the bytes in the hands of a reader.

use std::{fs, time::Duration};

use content_fabric_client::chain::rows;
use content_fabric_identifiers::{Cid, HashKind, VersionHasher};
use content_fabric_tests::{
	process::{fabric_fails, fabric_json, fabric_report},
	store::Answer,
	wait,
};
use serde_json::json;

use super::{
	content::{content, signed},
	put_and_get::World,
};

/// Requests a draft for versions of some bytes.
fn draft(world: &World, cids: &[Cid], size: usize) -> Answer {
	let versions = cids.iter().map(|Cid { hash, version }| {
		let object = world.fabric.object;
		json!({ "object": object, "version": version, "hash": hash, "size": size })
	});
	let versions: Vec<_> = versions.collect();
	let (tenant, kms) = (world.fabric.tenant, world.fabric.kms);
	let request = json!({ "tenant": tenant, "kms": kms, "versions": versions });
	world.store().ask("POST", "/v1/drafts", &[], request.to_string().as_bytes())
}

#[tokio::test]
async fn bytes_are_taken_in_kept_and_got_by_either_kind_of_hash() {
	let world = World::start().await;
	let (fabric, store) = (&world.fabric, world.store());
	let bytes = content(5, 70_000);
	let cids = HashKind::ALL.map(|hash| Cid { hash, version: VersionHasher::hash(hash, &bytes) });
	let drafted = draft(&world, &cids, bytes.len()).expect(200).json();
	store.ask("POST", "/v1/commits", &[], signed(fabric, &drafted).as_bytes()).expect(200);
	let mut wrong = bytes.clone();
	wrong[40_000] ^= 1;
	for Cid { hash, version } in cids {
		let path = format!("/v1/versions/{}", Cid { hash, version });
		let refused = store.ask("PUT", &path, &[], &wrong).expect(422).json();
		let reason = refused["error"].as_str().unwrap_or_default();
		assert!(reason.contains(&format!("the {} hash hq__", hash.name())), "{reason}");
		store.ask("PUT", &path, &[], &bytes).expect(201);
		let key = (fabric.tenant, fabric.object, version);
		wait::until(Duration::from_secs(60), "the version is not final", async || {
			let row = fabric.client.best().await.get(&rows::versions(), key).await;
			row.expect("the node answers").is_some_and(|row| row.finalized.is_some())
		})
		.await;
	}
	let (out, file) = (world.path("out"), world.path("file"));
	let tenant = fabric.tenant.to_string();
	let create = ["collection", "create", &tenant, "names", "--key-type", "any", "--yes"];
	fabric_json(world.url(), &create);
	world.file("file", &bytes);
	for Cid { hash, version } in cids {
		let cid = Cid { hash, version }.to_string();
		for name in [&cid, &version.to_string()] {
			fabric_json(world.url(), &["get", name, "--raw", "-o", &out]);
			assert!(fs::read(&out).expect("it is there") == bytes);
			fs::remove_file(&out).expect("it is there");
			let verified = fabric_json(world.url(), &["verify", &file, "--version", name]);
			assert_eq!(
				(&verified[0]["verified"], &verified[0]["cid"]),
				(&true.into(), &json!(cid))
			);
		}
		let shown = fabric_json(world.url(), &["show", &cid]);
		let digits = hex::encode(version);
		assert_eq!(
			(&shown[0]["hash"], &shown[0]["cid"]),
			(&json!(format!("{hash}:{digits}")), &json!(cid))
		);

		// No bytes have the id as a hash of the other kind.
		let [blake3, sha256] = HashKind::ALL;
		let other = Cid { hash: if hash == blake3 { sha256 } else { blake3 }, version };
		let refused = draft(&world, &[other], bytes.len()).expect(400).json();
		let reason = refused["error"].as_str().unwrap_or_default();
		assert!(reason.contains(&format!("is {}, expected {hash}", other.hash)), "{reason}");
		// Nor do bytes of another length have it.
		for size in [1, bytes.len() - 1, bytes.len() + 1] {
			let refused = draft(&world, &[Cid { hash, version }], size).expect(400).json();
			let reason = refused["error"].as_str().unwrap_or_default();
			let expected = format!("is {size}, expected {}: the node has its bytes", bytes.len());
			assert!(reason.contains(&expected), "{reason}");
		}
		let reason = format!(
			"there is no version {other}: {version} is a {} hash, so its CID is {cid}",
			hash.name()
		);
		let path = format!("/v1/versions/{other}");
		for (method, path, body) in [
			("GET", path.clone(), &b""[..]),
			("GET", format!("{path}/upload"), b""),
			("PUT", path.clone(), &bytes),
		] {
			assert_eq!(store.ask(method, &path, &[], body).expect(404).json()["error"], reason);
		}
		let (other, object) = (other.to_string(), fabric.object.to_string());
		let (provider, node) = (fabric.provider.to_string(), world.node.to_string());
		let of_node = ["--provider", &provider, "--node", &node];
		let row = [&tenant[..], &object, &other];
		for command in [
			vec!["get", &other, "-o", &out],
			vec!["show", &other],
			[&["object", "set-head"][..], &row[..]].concat(),
			[&["version", "delete"][..], &row[..]].concat(),
			[&["version", "finalize"][..], &row[..], &of_node].concat(),
			[&["copies", "add"][..], &row[..], &of_node].concat(),
			[&["copies", "remove"][..], &row[..], &of_node].concat(),
			[&["governance", "delete-version"][..], &row[..], &["--reason", "x"]].concat(),
			vec!["record", "put", &tenant, "names", "n", "--object", &object, "--version", &other],
		] {
			fabric_fails(world.url(), &command, "not-found", &reason);
		}
		let report = fabric_report(world.url(), &["verify", &file, "--version", &other], 8);
		assert_eq!(report[0]["expected"], json!(version));
	}
	let checked = fabric_json(world.url(), &["verify", &file]);
	assert_eq!(checked[0]["found"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_line_with_the_other_kind_of_hash_than_the_chain_has_is_listed() {
	let world = World::start().await;
	let digits = "ab".repeat(32);
	let publish = |hash: &str, code| {
		let line =
			json!({ "name": "a", "version": "1", "hash": format!("{hash}:{digits}"), "size": 9 });
		world.file("docs.jsonl", line.to_string().as_bytes());
		let manifest = world.path("docs.jsonl");
		fabric_report(world.url(), &["publish", &manifest, "--space", "test"], code)
	};
	publish("sha256", 0);
	let report = publish("blake3", 6);
	let failed = &report["failed"][0];
	assert_eq!((&failed["record_key"], &failed["cause"]), (&json!("a:1"), &json!("changed")));
	let reason = failed["reason"].as_str().unwrap_or_default();
	assert!(reason.contains("the other kind of hash"), "{reason}");
	assert_eq!(publish("sha256", 0)["items"], 1, "only the record of the run");
}
