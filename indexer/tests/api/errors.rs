// SPDX-License-Identifier: Apache-2.0
//! Wrong requests, and the headers of all answers.

use std::collections::BTreeSet;

use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, SpaceId, TenantId, VersionId};
use content_fabric_indexer::{index::Index, source::BlockRef};
use serde_json::Value as Json;

use crate::{
	http::{exchange, parse, request},
	server::Server,
	world::{account, KMS, NODE, OBJECT, PROVIDER, SPACE, TENANT},
};

#[tokio::test]
async fn each_wrong_parameter_is_named() {
	let server = Server::full().await;
	let tenant = format!("/v1/tenants/{TENANT}");
	let records = format!("{tenant}/collections/names/records");
	let signed = format!("/v1/accounts/{}/signed", account(1));
	let long = "a".repeat(700);
	let hash = "ab".repeat(32);
	for (target, field) in [
		("/v1/spaces?limit=0".into(), "limit"),
		("/v1/spaces?limit=101".into(), "limit"),
		("/v1/spaces?limit=-1".into(), "limit"),
		("/v1/spaces?limit=".into(), "limit"),
		("/v1/spaces?limit=1&limit=1".into(), "limit"),
		("/v1/spaces?order=oldest".into(), "order"),
		("/v1/spaces?sort=id".into(), "sort"),
		("/v1/status?x=1".into(), "x"),
		("/v1/spaces?cursor=%ff".into(), "cursor"),
		("/v1/spaces/x".into(), "space"),
		(format!("/v1/spaces/{TENANT}"), "space"),
		(format!("/v1/spaces/{SPACE}/members?role=node"), "role"),
		(format!("/v1/spaces/{SPACE}/members?order=name"), "order"),
		("/v1/totals?hours=0".into(), "hours"),
		("/v1/totals?hours=1e3".into(), "hours"),
		("/v1/totals?limit=1".into(), "limit"),
		(format!("/v1/members/{SPACE}"), "member"),
		("/v1/providers/iprv/nodes".into(), "provider"),
		(format!("/v1/providers/{PROVIDER}/nodes/x"), "node"),
		("/v1/tenants/iten0/objects".into(), "tenant"),
		(format!("{tenant}/objects/x"), "object"),
		(format!("{tenant}/objects/{OBJECT}/versions/x"), "version"),
		(format!("{tenant}/objects/{OBJECT}/versions?order=age"), "order"),
		(format!("{records}?order=age"), "order"),
		(format!("{records}?since=x"), "since"),
		(format!("{records}?until=-1"), "until"),
		(format!("{records}?since=5&until=5"), "until"),
		(format!("{records}?since=5&order=key"), "since"),
		(format!("{records}?prefix=a&order=newest"), "prefix"),
		(format!("{records}?prefix={long}"), "prefix"),
		("/v1/objects/x".into(), "object"),
		("/v1/versions/0x00".into(), "version"),
		("/v1/copies".into(), "state"),
		("/v1/copies?state=held".into(), "state"),
		("/v1/copies?state=missing&tenant=x".into(), "tenant"),
		(format!("/v1/copies?state=missing&provider={TENANT}"), "provider"),
		("/v1/copies?state=failing&node=x".into(), "node"),
		("/v1/copies?state=failing&space=x".into(), "space"),
		("/v1/names".into(), "prefix"),
		("/v1/names?prefix=a&words=b".into(), "words"),
		("/v1/names?words=".into(), "words"),
		("/v1/names?words=1+2+3+4+5+6+7+8+9".into(), "words"),
		("/v1/names?prefix=a&space=x".into(), "space"),
		("/v1/names?prefix=a&tenant=x".into(), "tenant"),
		("/v1/accounts/x".into(), "account"),
		("/v1/accounts/x/signed".into(), "account"),
		(format!("{signed}?order=age"), "order"),
		(format!("{signed}?member={NODE}"), "member"),
		(format!("{signed}?limit=101"), "limit"),
		(format!("{signed}?cursor=x"), "cursor"),
		("/v1/history/x".into(), "id"),
		(format!("/v1/history/{OBJECT}"), "id"),
		(format!("/v1/history/{NODE}?member=x"), "member"),
		("/v1/calls/reap".into(), "member"),
		(format!("/v1/calls/reap?member={TENANT}&limit=0"), "limit"),
		(format!("/v1/calls/set_suspended?member={TENANT}"), "enabled"),
		(format!("/v1/calls/set_suspended?member={TENANT}&enabled=1"), "enabled"),
		(format!("/v1/calls/governance_delete?member={TENANT}&slash=+1"), "slash"),
		(format!("/v1/calls/governance_delete?member={TENANT}&slash="), "slash"),
		(format!("/v1/calls/purge_member?member={TENANT}&reason=x"), "reason"),
		(format!("/v1/calls/remove_node?provider={PROVIDER}"), "node"),
		(format!("/v1/calls/delete_version?tenant={TENANT}&object={OBJECT}&version=x"), "version"),
		(format!("/v1/calls/delete_record?tenant={TENANT}&collection=a"), "key"),
		("/v1/governance?member=x".into(), "member"),
		("/v1/governance?space=x".into(), "space"),
		("/v1/blocks/x".into(), "block"),
		("/v1/blocks/+1".into(), "block"),
		("/v1/blocks/0x00".into(), "block"),
		("/v1/blocks/x/events".into(), "block"),
		("/v1/search".into(), "q"),
		("/v1/search?q=%20".into(), "q"),
		(format!("/v1/search?q={long}"), "q"),
		("/v1/feed?finalized=true".into(), "finalized"),
		("/v1/feed?space=x".into(), "space"),
		("/v1/feed?member=x".into(), "member"),
		("/v1/feed?kind=".into(), "kind"),
		("/v1/feed?kind=a,,b".into(), "kind"),
		("/v1/feed?after=".into(), "after"),
		("/v1/feed?after=5".into(), "after"),
		(format!("/v1/feed?after=5-0x{hash}"), "after"),
		(format!("/v1/feed?after=5-{hash}-3"), "after"),
		(format!("/v1/feed?after=5-0x{hash}-"), "after"),
		(format!("/v1/feed?after=%2b5-0x{hash}-3"), "after"),
		(format!("/v1/feed?after=5-0x{hash}-3-4"), "after"),
		(format!("/v1/feed?after=5-0x{hash}-4294967296"), "after"),
		("/v1/feed?limit=5".into(), "limit"),
		("/v1/spaces?%ff=1".into(), "query"),
		("/v1/members/%ff".into(), "path"),
		("/%zz".into(), "path"),
		("/%".into(), "path"),
		("/%2".into(), "path"),
		("/%+1".into(), "path"),
		("/a%c3".into(), "path"),
	] {
		let answer = server.get(&target).await;
		let error = &answer.json()["error"];
		assert_eq!((answer.status, &error["field"]), (400, &Json::from(field)), "{target}");
		assert_eq!(error["kind"], "bad-request", "{target}");
		assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{target}");
		assert_eq!(answer.header("access-control-allow-origin"), "*", "{target}");
	}
	let answer = server.get("/v1/spaces?limit=0").await;
	assert_eq!(answer.json()["error"]["message"], "limit is 0, expected 1 to 100");
	let header = [("Last-Event-ID", "x")];
	let answer = request(server.address, "GET", "/v1/feed", &header).await;
	assert_eq!(answer.json()["error"]["field"], "Last-Event-ID");
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
	let server = Server::full().await;
	let (space, tenant) = (SpaceId([99; 10]), TenantId([99; 10]));
	let (object, version) = (ContentObjectId([99; 10]), VersionId([99; 32]));
	let known = format!("/v1/tenants/{TENANT}");
	for target in [
		format!("/v1/spaces/{space}"),
		format!("/v1/spaces/{space}/members"),
		format!("/v1/spaces/{space}/members?order=bond"),
		format!("/v1/spaces/{space}/admissions"),
		format!("/v1/spaces/{space}/totals"),
		format!("/v1/members/{tenant}"),
		"/v1/calls/transfer".into(),
		format!("/v1/members/{tenant}/keys"),
		format!("/v1/providers/{PROVIDER}/nodes/{}", NodeId([99; 10])),
		format!("/v1/providers/{PROVIDER}/nodes/{}/versions", NodeId([99; 10])),
		"/v1/providers/iprv1111111111/nodes".into(),
		format!("/v1/tenants/{tenant}/kmses"),
		format!("/v1/tenants/{tenant}/kmses/{KMS}"),
		format!("{known}/kmses/{}", KmsId([99; 10])),
		format!("/v1/tenants/{tenant}/objects"),
		format!("/v1/tenants/{tenant}/collections"),
		format!("{known}/objects/{object}"),
		format!("{known}/objects/{object}/versions"),
		format!("{known}/objects/{object}/names"),
		format!("{known}/objects/{OBJECT}/versions/{version}"),
		format!("{known}/collections/none"),
		format!("{known}/collections/none/records"),
		format!("{known}/collections/none/records?order=newest"),
		format!("{known}/collections/names/records/none"),
		"/v1/blocks/99".into(),
		"/v1/blocks/99/events".into(),
		format!("/v1/blocks/0x{}", "00".repeat(32)),
		"/v1".into(),
		"/v1/".into(),
		"/v1/none".into(),
		"/v1/spaces/".into(),
		"/assets/none.js".into(),
		"/none.txt".into(),
	] {
		let answer = server.get(&target).await;
		let error = &answer.json()["error"];
		assert_eq!((answer.status, &error["kind"]), (404, &"not-found".into()), "{target}");
		assert_eq!(error["field"], Json::Null, "{target}");
	}
}

#[tokio::test]
async fn all_answers_have_the_headers_of_the_interface() {
	let server = Server::full().await;
	for (method, target, status) in [
		("GET", "/v1/status", 200),
		("HEAD", "/v1/status", 200),
		("GET", "/v1/none", 404),
		("GET", "/v1/spaces?limit=0", 400),
		("POST", "/v1/status", 405),
		("DELETE", "/", 405),
		("OPTIONS", "/v1/status", 204),
		("GET", "/%ff", 400),
		("GET", "/metrics", 200),
		("GET", "/openapi.json", 200),
		("GET", "/health", 200),
		("GET", "/ready", 200),
		("HEAD", "/v1/feed", 200),
	] {
		let answer = request(server.address, method, target, &[]).await;
		assert_eq!(answer.status, status, "{method} {target}");
		assert_eq!(answer.header("access-control-allow-origin"), "*", "{method} {target}");
		assert_eq!(answer.header("x-content-type-options"), "nosniff", "{method} {target}");
		assert_eq!(answer.header("cache-control"), "no-store", "{method} {target}");
		let exposed = answer.header("access-control-expose-headers");
		assert_eq!(exposed, "Allow, ETag, Retry-After", "{method} {target}");
		assert_eq!(answer.body.is_empty(), ["HEAD", "OPTIONS"].contains(&method), "{target}");
	}
	let refused = request(server.address, "POST", "/v1/status", &[]).await;
	assert_eq!(refused.header("allow"), "GET, HEAD, OPTIONS");
	assert_eq!(refused.json()["error"]["kind"], "method-not-allowed");
	let preflight = request(server.address, "OPTIONS", "/v1/status", &[]).await;
	assert_eq!(preflight.header("access-control-allow-methods"), "GET, HEAD, OPTIONS");
	let (head, get) =
		(request(server.address, "HEAD", "/v1/status", &[]).await, server.get("/v1/status").await);
	assert_eq!(head.header("content-length"), get.header("content-length"));
}

#[tokio::test]
async fn uris_and_heads_are_limited() {
	let server = Server::full().await;
	let long = format!("/v1/spaces?cursor={}", "a".repeat(9_000));
	let answer = server.get(&long).await;
	assert_eq!((answer.status, &answer.json()["error"]["kind"]), (400, &"bad-request".into()));
	let head = format!("GET /v1/status HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(20 << 10));
	let answer = parse(&exchange(server.address, head.as_bytes()).await);
	// These come from the HTTP library, which has no hook for them.
	assert_eq!((answer.status, answer.body.len()), (431, 0));
	let raw = parse(&exchange(server.address, b"GET /v1/\xff HTTP/1.0\r\n\r\n").await);
	assert_eq!((raw.status, raw.body.len()), (400, 0));
}

#[tokio::test]
async fn calls_need_the_metadata_of_the_node() {
	let server = Server::full().await;
	let answer = server.get(&format!("/v1/calls/purge_member?member={TENANT}")).await;
	assert_eq!(answer.status, 503);
	assert_eq!(answer.json()["error"]["message"], "the node has not been asked yet");
}

#[tokio::test]
async fn the_document_describes_every_path() {
	let server = Server::full().await;
	let document = server.json("/openapi.json").await;
	let paths = document["paths"].as_object().expect("it has paths");
	assert_eq!(paths.len(), 43);
	for (path, methods) in paths {
		let operation = &methods["get"];
		assert!(operation["summary"].is_string(), "{path}");
		let parts = path.matches('{').count();
		let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
		let described = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
		assert_eq!(parts, described, "{path}");
		if path.starts_with("/v1") {
			let responses = operation["responses"].as_object().expect("it has responses");
			for status in ["200", "400", "404", "429", "500", "503"] {
				assert!(responses.contains_key(status), "{path} {status}");
			}
		}
	}
	let ids: BTreeSet<_> =
		paths.values().filter_map(|path| path["get"]["operationId"].as_str()).collect();
	assert_eq!(ids.len(), paths.len());
	// All that is referred to is described.
	let text = document.to_string();
	let schemas = document["components"]["schemas"].as_object().expect("it has schemas");
	for reference in text.split("#/components/schemas/").skip(1) {
		let name = reference.split('"').next().unwrap_or_default();
		assert!(schemas.contains_key(name), "{name}");
	}
}

#[tokio::test]
async fn an_index_that_is_not_ready_says_so() {
	let server = Server::full().await;
	for (best, finalized, expected) in [
		(5, 5, "ready\n"),
		(30, 15, "ready\n"),
		(25, 5, "ready\n"),
		(26, 5, "ready, but finality stalls: the node's best block is 26, its last final one 5\n"),
	] {
		server.status.send_modify(|progress| {
			(progress.node_best, progress.node_finalized) = (best, finalized);
		});
		let answer = server.get("/ready").await;
		assert_eq!((answer.status, String::from_utf8_lossy(&answer.body)), (200, expected.into()));
	}
	server.status.send_modify(|progress| progress.node_finalized = 16);
	let answer = server.get("/ready").await;
	assert_eq!(answer.status, 503);
	assert_eq!(answer.json()["error"]["message"], "the index is 11 final blocks behind its node");
	server.status.send_modify(|progress| {
		progress.connected = false;
		progress.error = Some("refused".into());
	});
	let answer = server.get("/ready").await;
	assert_eq!(answer.json()["error"]["message"], "the node does not answer: refused");
	assert_eq!(server.get("/health").await.status, 200);
	let text = String::from_utf8(server.get("/metrics").await.body).expect("figures are text");
	for line in [
		"fabric_indexer_requests_total{path=\"/ready\",status=\"503\"} 2",
		"fabric_indexer_block 5",
		"fabric_indexer_node_block{of=\"best\"} 26",
		"fabric_indexer_node_block{of=\"finalized\"} 16",
		"fabric_indexer_rows{of=\"Records\"} 5",
		"fabric_indexer_node_connected 0",
		"fabric_indexer_feed_readers 0",
	] {
		assert!(text.contains(line), "{line} is not in {text}");
	}

	// During a resync the rows come from several blocks.
	begin_resync(&server.index);
	let answer = server.get("/v1/status").await;
	assert_eq!(answer.status, 503);
	assert_eq!(answer.json()["error"]["message"], "a resync is under way");
	assert_eq!(answer.header("retry-after"), "1");
	assert_eq!(server.get("/metrics").await.status, 200);
}

fn begin_resync(index: &Index) {
	let mut state = index.state().expect("the index is readable").expect("it is begun");
	state.resync = Some(BlockRef { number: 9, hash: [0; 32] });
	index.begin(state).expect("the index is writable");
}

#[tokio::test]
async fn an_index_whose_chain_was_begun_anew_says_so() {
	let server = Server::full().await;
	let status = server.item("/v1/status").await;
	assert_eq!((&status["problem"], &status["node"]["begunAnew"]), (&Json::Null, &false.into()));
	let problem = "block 1 is final in the index with hash 0x01, and the chain was begun anew";
	server.status.send_modify(|progress| {
		progress.begun_anew = true;
		progress.error = Some(problem.into());
	});
	let status = server.item("/v1/status").await;
	assert_eq!((&status["problem"], &status["node"]["begunAnew"]), (&problem.into(), &true.into()));
	let head = server.feed("/v1/feed").await.any().await;
	assert_eq!(head.data["node"]["begunAnew"], true);
	let answer = server.get("/ready").await;
	assert_eq!((answer.status, &answer.json()["error"]["message"]), (503, &problem.into()));
	let text = String::from_utf8(server.get("/metrics").await.body).expect("figures are text");
	assert!(text.contains("fabric_indexer_node_begun_anew 1"), "{text}");
	// The index still serves its rows.
	assert_eq!(server.items("/v1/spaces").await.len(), 2);
}
