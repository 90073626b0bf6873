// SPDX-License-Identifier: Apache-2.0
//! Tests of the client of an index against a server of given answers.

use std::time::Duration;

use content_fabric_client::{class::Class, samples::drip::dripping};
use content_fabric_identifiers::TenantId;

use super::{
	server::{answer, json, page, status, Server, GENESIS},
	*,
};
use crate::Error;

const TIMEOUT: Duration = Duration::from_secs(10);

async fn connect(server: &Server) -> Result<Index, IndexError> {
	Index::connect(server.url.clone(), TIMEOUT, Some(GENESIS)).await
}

/// Asks for numbers, and gets these answers.
async fn list(answers: Vec<Vec<u8>>, limit: u32) -> Result<List<u32>, IndexError> {
	let server = Server::start([vec![status()], answers].concat());
	connect(&server).await?.list(&["numbers"], &[], limit).await
}

/// Asks for one page of numbers, and gets this answer.
async fn numbers(answer: Vec<u8>) -> Result<List<u32>, IndexError> {
	list(vec![answer], 5).await
}

fn error(result: Result<List<u32>, IndexError>) -> (Class, String) {
	let error = Error::from(result.expect_err("the answer is refused; qed"));
	let text = error.to_string();
	assert_eq!(text.lines().count(), 1, "{text}");
	(error.class(), text)
}

#[tokio::test]
async fn pages_are_followed_by_their_cursors_up_to_the_limit() {
	let numbers = |range: std::ops::Range<u32>| range.map(|n| n.to_string()).collect::<Vec<_>>();
	let answers =
		vec![status(), page(8, &numbers(0..100), Some("a b")), page(9, &numbers(100..130), None)];
	let server = Server::start(answers.clone());
	let index = connect(&server).await.expect("it is the same chain");
	let query = [("order", "newest")];
	let list: List<u32> = index.list(&["x"], &query, 1_000).await.expect("the pages are sound");
	assert_eq!((list.items.len(), list.at.number, list.more), (130, 9, false));
	assert_eq!(
		server.targets(),
		["/v1/status", "/v1/x?order=newest&limit=100", "/v1/x?order=newest&limit=100&cursor=a+b"]
	);

	let mut answers = answers;
	answers[2] = page(9, &numbers(100..120), Some("c"));
	let server = Server::start(answers);
	let index = connect(&server).await.expect("it is the same chain");
	let list: List<u32> = index.list(&["x"], &[], 120).await.expect("the pages are sound");
	assert_eq!((list.items.len(), list.more), (120, true));
	assert!(server.targets()[2].contains("limit=20&"), "{:?}", server.targets());
}

#[tokio::test]
async fn endless_pages_are_refused() {
	let same = page(8, &[], Some("a"));
	let few = (0..100).map(|place| page(8, &[], Some(&place.to_string()))).collect();
	let many = page(8, &["1".into(), "2".into(), "3".into()], None);
	for (answers, expected) in [
		(vec![same.clone(), same], "the same page twice"),
		(few, "too many pages with few items"),
		(vec![many], "more items than were asked for"),
	] {
		let text = error(list(answers, 2).await).1;
		assert!(text.ends_with(expected), "{text}");
	}
}

#[tokio::test]
async fn errors_are_reported_with_their_field_and_have_a_class() {
	let body = |kind: &str, field: &str| {
		format!(r#"{{"error":{{"kind":"{kind}","field":{field},"message":"no\u001b[2J\nway"}}}}"#)
	};
	for (status, kind, field, class, expected) in [
		("400 Bad Request", "bad-request", "\"limit\"", Class::Usage, "bad request, field `limit`"),
		("404 Not Found", "not-found", "null", Class::NotFound, "not found"),
		("429 Too Many Requests", "too-many", "null", Class::Connection, "too many requests"),
		("503 Unavailable", "unavailable", "null", Class::Connection, "unavailable"),
		("500 Internal", "of-a-new-kind", "null", Class::Connection, "internal error"),
	] {
		let answer = answer(status, "application/json; charset=utf-8", &body(kind, field));
		let (found, text) = error(numbers(answer).await);
		assert_eq!(found, class, "{text}");
		let expected = format!(r": no\u{{1b}}[2J\nway ({expected})");
		assert!(text.ends_with(&expected), "{text}");
	}
	let (class, text) = error(numbers(answer("502 Bad", "application/json", "{}")).await);
	assert_eq!(class, Class::Connection);
	assert!(text.ends_with("the HTTP status 502, and no error"), "{text}");
}

#[tokio::test]
async fn answers_that_are_too_long_are_not_read() {
	let long = format!(r#"{{"items":"{}"}}"#, "a".repeat(5 << 20));
	let (class, text) = error(numbers(json(&long)).await);
	assert_eq!(class, Class::Connection);
	assert!(text.ends_with("gives an answer of more than 4194304 bytes"), "{text}");
}

#[tokio::test]
async fn answers_that_are_not_json_are_refused() {
	for answer in [
		answer("200 OK", "text/html", "<p>Welcome"),
		answer("502 Bad Gateway", "text/html", "<p>Sorry"),
		json("<p>Welcome"),
		json(r#"{"items":["#),
	] {
		let (class, text) = error(numbers(answer).await);
		assert_eq!(class, Class::Connection);
		assert!(text.contains("gives an answer that is not JSON"), "{text}");
	}
	let (_, text) = error(numbers(json(r#"{"items":[]}"#)).await);
	assert!(text.contains("does not understand: missing field `at`"), "{text}");
}

#[tokio::test]
async fn an_index_of_another_chain_is_refused_where_the_chain_is_known() {
	let connect = |genesis| async move {
		let server = Server::start(vec![status()]);
		Index::connect(server.url.clone(), TIMEOUT, genesis).await.map(drop)
	};
	assert!(connect(Some(GENESIS)).await.is_ok());
	assert!(connect(None).await.is_ok());
	let error = connect(Some([1; 32])).await.expect_err("the chain is another one");
	assert_eq!(error.class(), Class::Connection);
	let expected = format!("0x{}, expected 0x{}: ", "ab".repeat(32), "01".repeat(32));
	assert!(error.to_string().contains(&expected), "{error}");
}

#[tokio::test]
async fn redirections_are_not_followed() {
	let other = Server::start(vec![status()]);
	let location = other.url.to(&["status"], &[]);
	let moved = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
	let error = connect(&Server::start(vec![moved.into_bytes()])).await.map(drop);
	let error = error.expect_err("it is refused").to_string();
	assert!(error.contains("redirects to another address"), "{error}");
	assert!(other.targets().is_empty(), "the client asked elsewhere");
}

#[tokio::test]
async fn an_index_that_does_not_answer_is_named_without_its_secrets() {
	let url: IndexUrl = "http://me:sesame@127.0.0.1:1/sesame".parse().expect("it is a URL");
	let error = Index::connect(url, TIMEOUT, None).await.map(drop).expect_err("nobody listens");
	assert_eq!(error.class(), Class::Connection);
	let shown = format!("{error} {error:?}");
	assert!(shown.starts_with("the index at http://127.0.0.1:1 does not answer: "), "{shown}");
	assert!(!shown.contains("sesame"), "{shown}");
}

#[test]
fn ids_are_read_as_ids() {
	let record = |tenant: &str, version: &str| {
		let object = content_fabric_identifiers::ContentObjectId([2; 10]);
		serde_json::from_str::<Record>(&format!(
			r#"{{"tenant":"{tenant}","collection":"c","key":"k","object":"{object}",
			    "version":{version},"createdAt":1,"updatedAt":2}}"#
		))
	};
	let tenant = TenantId([1; 10]).to_string();
	let version = content_fabric_identifiers::VersionId([3; 32]);
	for text in [format!("\"{version}\""), format!("\"0x{}\"", "03".repeat(32))] {
		let record = record(&tenant, &text).expect("the ids are valid");
		assert_eq!(record.version, Some(version));
	}
	assert!(record(&tenant, "null").is_ok_and(|record| record.version.is_none()));
	for (tenant, version) in [("iten0", "null"), ("\\u001b[2J", "null"), (&tenant, "\"hq__0\"")] {
		assert!(record(tenant, version).is_err(), "{tenant} {version}");
	}
}

#[tokio::test]
async fn an_answer_that_drips_is_not_waited_for() {
	let json = "Content-Type: application/json\r\n\r\n";
	for head in [
		"HTTP/1.1 200 OK\r\nX: ".to_owned(),
		format!("HTTP/1.1 200 OK\r\n{json}"),
		format!("HTTP/1.1 503 Unavailable\r\n{json}"),
	] {
		let connect = Index::connect(dripping(&head, " "), Duration::from_secs(1), None);
		let error = connect.await.map(drop).expect_err("it has no end");
		assert!(matches!(error, IndexError::Unreachable { .. }), "{head}: {error}");
		assert!(error.to_string().ends_with("the time is over"), "{head}: {error}");
	}
}
