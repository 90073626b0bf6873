// SPDX-License-Identifier: Apache-2.0
//! Limits by address.

use std::{
	num::NonZeroU32,
	time::{Duration, Instant},
};

use content_fabric_http_server::Limits as Http;
use content_fabric_indexer::api::Limits;
use tokio::{net::TcpStream, time::timeout};

use crate::{
	http::{connect, get, receive_all, send, PATIENCE},
	server::{limits, Server},
};

fn number(number: u32) -> NonZeroU32 {
	NonZeroU32::new(number).expect("it is not 0")
}

/// Returns limits with other ones of connections.
fn with(http: Http) -> Limits {
	Limits { http, ..limits() }
}

#[tokio::test]
async fn clients_that_ask_too_often_have_to_wait() {
	let limits = Limits { rate: number(1), burst: number(3), ..limits() };
	let server = Server::new(limits).await;
	for _ in 0..3 {
		assert_eq!(server.get("/v1/status").await.status, 200);
	}
	let answer = server.get("/v1/status").await;
	assert_eq!((answer.status, &answer.json()["error"]["kind"]), (429, &"too-many".into()));
	assert_eq!(answer.header("retry-after"), "1");
	assert_eq!(answer.header("access-control-allow-origin"), "*");
	tokio::time::sleep(Duration::from_millis(1_100)).await;
	assert_eq!(server.get("/v1/status").await.status, 200);
}

#[tokio::test]
async fn readers_of_the_feed_are_limited_by_address() {
	let server = Server::new(Limits { feeds_each: 2, ..limits() }).await;
	let first = server.feed("/v1/feed").await;
	let second = server.feed("/v1/feed").await;
	assert_eq!((first.answer.status, second.answer.status), (200, 200));
	let answer = get(server.address, "/v1/feed").await;
	assert_eq!((answer.status, &answer.json()["error"]["kind"]), (429, &"too-many".into()));
	assert_eq!(answer.header("retry-after"), "5");
	drop(first);
	let begin = Instant::now();
	loop {
		let feed = server.feed("/v1/feed").await;
		if feed.answer.status == 200 {
			return;
		}
		assert!(begin.elapsed() < PATIENCE, "the place of a reader that is gone is not free");
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
}

/// Returns whether the server closes a connection within a time.
async fn closes(stream: &TcpStream, time: Duration) -> bool {
	let mut bytes = Vec::new();
	timeout(time, receive_all(stream, &mut bytes)).await.is_ok()
}

#[tokio::test]
async fn connections_are_limited_by_address() {
	let server = Server::new(with(Http { connections_each: 2, ..Http::default() })).await;
	let first = connect(server.address).await;
	let _second = connect(server.address).await;
	let third = connect(server.address).await;
	assert!(closes(&third, PATIENCE).await);
	assert!(!closes(&first, Duration::from_millis(50)).await);
	drop(first);
	tokio::time::sleep(Duration::from_millis(200)).await;
	assert_eq!(server.get("/health").await.status, 200);
}

#[tokio::test]
async fn idle_connections_and_slow_heads_are_closed() {
	let head_time = Duration::from_millis(200);
	let server = Server::new(with(Http { head_time, ..Http::default() })).await;
	let idle = connect(server.address).await;
	let slow = connect(server.address).await;
	assert!(send(&slow, b"GET / HTTP/1.1\r\nHost:").await);
	let kept = connect(server.address).await;
	assert!(send(&kept, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").await);
	for stream in [&idle, &slow, &kept] {
		assert!(closes(stream, PATIENCE).await);
	}
	// The feed is not idle.
	let mut feed = server.feed("/v1/feed").await;
	tokio::time::sleep(head_time * 2).await;
	assert_eq!(feed.any().await.event, "head");
	tokio::time::sleep(head_time * 2).await;
	drop(feed);
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_disconnected() {
	let write_time = Duration::from_millis(300);
	let server = Server::new(with(Http { write_time, ..Http::default() })).await;
	let stream = connect(server.address).await;
	let request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000);
	// The server takes requests as long as it can write answers.
	let written = timeout(write_time, send(&stream, &request)).await;
	tokio::time::sleep(write_time * 4).await;
	let mut bytes = Vec::new();
	let read = timeout(PATIENCE, receive_all(&stream, &mut bytes)).await;
	let is_whole = bytes.windows(8).filter(|window| window == b"HTTP/1.1").count() == 2_000;
	assert!(read.is_ok(), "the connection is still open");
	assert!(!is_whole, "{written:?}");
}

#[tokio::test]
async fn streams_end_when_the_server_stops() {
	let mut server = Server::new(limits()).await;
	let mut feed = server.feed("/v1/feed").await;
	assert_eq!(feed.any().await.event, "head");
	let idle = connect(server.address).await;
	server.stop().await;
	assert!(feed.rest().await.is_empty());
	drop(idle);
	assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn reads_are_limited_in_time_and_number() {
	let server = Server::filled(Limits { read_time: Duration::ZERO, ..limits() }).await;
	for target in ["/v1/spaces", "/v1/names?words=serde", "/v1/search?q=serde", "/v1/totals"] {
		let answer = server.get(target).await;
		let error = &answer.json()["error"];
		assert_eq!((answer.status, &error["kind"]), (503, &"unavailable".into()), "{target}");
		assert_eq!(error["message"], "the query takes too long", "{target}");
		assert_eq!(answer.header("retry-after"), "1", "{target}");
	}
	let none = Limits { reads: 0, read_wait: Duration::from_millis(10), ..limits() };
	let answer = Server::new(none).await.get("/v1/spaces").await;
	assert_eq!(answer.status, 503);
	assert_eq!(answer.json()["error"]["message"], "too many queries are under way");
}
