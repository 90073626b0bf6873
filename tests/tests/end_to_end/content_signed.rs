// SPDX-License-Identifier: Apache-2.0
//! Signed requests to a content node: which accounts may sign them, and for how long.

use std::{
	fs,
	path::PathBuf,
	time::{Duration, Instant},
};

use content_fabric_client::{chain::calls, ids, keys::Signer};
use content_fabric_identifiers::TenantId;
use content_fabric_primitives::TenantLevel;
use content_fabric_tests::{
	fabric::Fabric,
	process::{fabric_command, fabric_fails, fabric_json, fabric_text, fixed_port, Node},
	store::{Answer, Store},
	wait,
};
use serde_json::json;

use super::content::{assert_served, commit, content, finalized, path, start, version};

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";
/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time for which a content node remembers that an account may upload, and for a look-up.
const REMEMBERED: Duration = Duration::from_secs(11);

async fn grant(fabric: &Fabric, signer: &Signer, level: Option<TenantLevel>) {
	let (id, account) = (fabric.tenant, *signer.account());
	fabric.submit(&fabric.charlie, calls::SetTenantKey { id, account, level }).await;
}

/// Requests a draft that somebody signs for a tenant.
fn draft_by(store: &Store, fabric: &Fabric, signer: &Signer, tenant: TenantId) -> Answer {
	let bytes = b"a draft";
	let version =
		json!({ "object": fabric.object, "version": version(bytes), "hash": "blake3", "size": 7 });
	let request = json!({ "tenant": tenant, "versions": [version] }).to_string();
	let signed = store.signed(signer, tenant);
	store.ask("POST", "/v1/drafts", &[&signed], request.as_bytes())
}

fn assert_refused(answer: Answer, status: u16, reason: &str) {
	let answer = answer.expect(status).json();
	let found = answer["error"].as_str().unwrap_or_default();
	assert!(found.contains(reason), "{found}, expected {reason}");
}

#[tokio::test]
async fn only_accounts_with_the_level_draft_and_upload_until_its_removal_is_final() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let (tenant, eve) = (fabric.tenant, &fabric.eve);
	let (bytes, other) = (content(1, 50_000), content(2, 50_000));
	commit(&store, &fabric, &[&bytes]);
	let put = |signer: &Signer, tenant: TenantId, bytes: &[u8], of: &[u8]| {
		store.ask("PUT", &path(of), &[&store.signed(signer, tenant)], bytes)
	};

	assert_refused(draft_by(&store, &fabric, eve, tenant), 403, "has no access key in the tenant");
	assert_refused(put(eve, tenant, &bytes, &bytes), 403, "has no access key in the tenant");
	grant(&fabric, eve, Some(TenantLevel::Read)).await;
	assert_refused(draft_by(&store, &fabric, eve, tenant), 403, "has the level read in the tenant");
	// Nobody has a level in what is not there, and no other tenant has the version.
	let nobody = TenantId([9; 10]);
	assert_refused(draft_by(&store, &fabric, &fabric.charlie, nobody), 403, "does not exist");
	for other in [nobody, TenantId([8; 10])] {
		let refused = put(&fabric.charlie, other, &bytes, &bytes);
		assert_refused(refused, 401, "has not signed a request");
	}
	// The root is not the only one, and a level counts at once.
	grant(&fabric, eve, Some(TenantLevel::Content)).await;
	draft_by(&store, &fabric, eve, tenant).expect(200);

	// A colleague spoils an upload, and the bytes arrive all the same.
	let half = format!("Content-Range: bytes 0-24999/{}", bytes.len());
	store.ask("PUT", &path(&bytes), &[&half], &bytes[..25_000]).expect(202);
	assert_refused(put(eve, tenant, &other, &bytes), 422, "the bytes have");
	assert_eq!(store.arrived(&path(&bytes)), Some(0));
	put(eve, tenant, &bytes, &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	assert_served(&store, &[&bytes]);

	grant(&fabric, eve, None).await;
	let start = Instant::now();
	wait::until(PATIENCE, "the removal does not count", async || {
		draft_by(&store, &fabric, eve, tenant).status == 403
	})
	.await;
	assert!(start.elapsed() < PATIENCE);
	assert_refused(put(eve, tenant, &bytes, &bytes), 403, "has no access key in the tenant");

	// The chain would refuse the commits.
	fabric.freeze_tenant(true).await;
	wait::until(PATIENCE, "the freeze does not count", async || {
		draft_by(&store, &fabric, &fabric.charlie, tenant).status == 403
	})
	.await;
	let refused = draft_by(&store, &fabric, &fabric.charlie, tenant);
	assert_refused(refused, 403, "is frozen by governance");
	fabric.freeze_tenant(false).await;
	draft_by(&store, &fabric, &fabric.charlie, tenant).expect(200);
	fabric.delete_tenant().await;
	wait::until(PATIENCE, "the deletion does not count", async || {
		draft_by(&store, &fabric, &fabric.charlie, tenant).status == 403
	})
	.await;
}

#[tokio::test]
async fn a_level_counts_in_the_best_block_and_in_the_last_final_one() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	grant(&fabric, &fabric.eve, Some(TenantLevel::Content)).await;
	let (granted, _) = fabric.raw.best_block().await;
	let store = Store::start(fabric.url(), of, &dir.path().join("data"));
	wait::until(PATIENCE, "the level is not final", async || {
		store.status("finalized_block").as_u64() >= Some(granted)
	})
	.await;
	drop(store);
	let again = |options: &'static [&'static str]| {
		let chain = PathBuf::from(&chain);
		move |process: Node| {
			process.stop();
			Node::start_on(port, &chain, options)
		}
	};
	let fabric = fabric.served_by(again(&["--finalize-after", "3600000"])).await;
	let store = Store::start(fabric.url(), of, &dir.path().join("data"));
	wait::until(PATIENCE, "the chain is not followed", async || {
		store.status("finalized_block").is_u64()
	})
	.await;
	let draft_of = |signer: &Signer| draft_by(&store, &fabric, signer, fabric.tenant);
	// Neither of these blocks is final.
	grant(&fabric, &fabric.bob, Some(TenantLevel::Content)).await;
	draft_of(&fabric.bob).expect(200);
	grant(&fabric, &fabric.eve, None).await;
	draft_of(&fabric.eve).expect(200);
	tokio::time::sleep(REMEMBERED).await;
	draft_of(&fabric.eve).expect(200);
	draft_of(&fabric.bob).expect(200);
	grant(&fabric, &fabric.bob, None).await;
	tokio::time::sleep(REMEMBERED).await;
	assert_refused(draft_of(&fabric.bob), 403, "has no access key in the tenant");
}

#[tokio::test]
async fn a_header_that_the_program_signs_serves_any_other_program() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let (tenant, node) = (fabric.tenant.to_string(), node.to_string());
	let bytes = content(1, 5_000);
	commit(&store, &fabric, &[&bytes]);
	let sign = ["account", "sign-request", &tenant, &node];
	let header = fabric_text(fabric.url(), &sign);
	store.ask("PUT", &path(&bytes), &[header.trim_end()], &bytes).expect(201);
	let json = fabric_json(fabric.url(), &[&sign[..], &["--minutes", "1"]].concat());
	assert_eq!(json["account"], fabric.charlie.account().to_string());
	let signed = format!("Authorization: {}", json["authorization"].as_str().unwrap_or_default());
	assert!(signed.contains(json["until"].as_str().unwrap_or("no time")), "{signed}");
	store.ask("PUT", &path(&bytes), &[&signed], &bytes).expect(200);
	// Without a connection.
	let genesis = hex::encode(fabric.client.chain.identity().genesis_hash);
	let offline = [&sign[..], &["--genesis-hash", &genesis, "--signer", "//Charlie"]].concat();
	let signed = fabric_text(NOWHERE, &offline);
	store.ask("PUT", &path(&bytes), &[signed.trim_end()], &bytes).expect(200);
	let other = "00".repeat(32);
	let elsewhere = [&sign[..], &["--genesis-hash", &other, "--signer", "//Charlie"]].concat();
	let signed = fabric_text(NOWHERE, &elsewhere);
	let refused = store.ask("PUT", &path(&bytes), &[signed.trim_end()], &bytes);
	assert_refused(refused, 401, "has not signed a request");
	for minutes in ["0", "61"] {
		let options = [&sign[..], &["--minutes", minutes]].concat();
		let output = fabric_command(fabric.url(), &options).output().expect("it starts");
		assert_eq!(output.status.code(), Some(2), "{minutes}");
	}
}

#[tokio::test]
async fn a_put_by_an_account_without_the_level_uploads_nothing_and_says_why() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let (site, url) = (dir.path().join("tenant"), format!("http://{}", store.address));
	fs::create_dir(&site).expect("it is new");
	fs::write(site.join("object"), content(1, 5_000)).expect("there is room");
	let site = site.to_string_lossy().into_owned();
	assert_eq!(ids::tenant(fabric.space, "tenant"), fabric.tenant);
	let put = ["put", &site, "--node", &url, "--signer", "//Eve", "--timeout", "5", "--yes"];
	fabric_fails(fabric.url(), &put, "refused", "needs the level content");
	assert_eq!(store.status("promised_bytes"), "0");
}
