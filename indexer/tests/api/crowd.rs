// SPDX-License-Identifier: Apache-2.0
//! Many readers of the feed that come and go.

use std::{
	net::{IpAddr, SocketAddr},
	time::{Duration, Instant},
};

use futures::{future::join_all, stream, StreamExt};
use rustix::net::{shutdown, Shutdown};
use tokio::{
	net::{TcpSocket, TcpStream},
	time::{sleep, timeout},
};

use crate::{
	http::{get, receive, receive_all, send, PATIENCE},
	program::Program,
};

/// Number of readers of an address in a round, and of addresses.
const EACH: u8 = 8;
const ADDRESSES: u8 = 50;
/// Number of times that they all come and go. No address asks more often than it may.
const ROUNDS: u64 = 25;
/// Number of readers that come at once. More would have to wait for the system to accept them.
const AT_ONCE: usize = 100;
/// The last of the ways to go. It is noticed only at the next `head`, so it has a round of its own,
/// the first one, in which most memory is needed at the same time.
const ASKS_MORE: u64 = 6;
/// Largest number of bytes by which the memory may grow from the first rounds to the last: much
/// less than a kilobyte for each reader.
const GROWTH: u64 = 4 << 20;

/// Connects from an address.
async fn connect(server: SocketAddr, address: IpAddr) -> TcpStream {
	let socket = TcpSocket::new_v4().expect("there are free files");
	socket.bind((address, 0).into()).expect("all of 127.0.0.0/8 is this machine");
	socket.connect(server).await.expect("the server listens")
}

/// Reads the start of the feed. It must be the head of an answer with a first message.
async fn read(stream: &TcpStream) {
	let mut bytes = Vec::new();
	while !bytes.windows(11).any(|window| window == b"event: head") {
		let read = timeout(PATIENCE, receive(stream, &mut bytes)).await;
		let text = String::from_utf8_lossy(&bytes);
		assert!(read.expect("something comes"), "the feed ends: {text}");
	}
	assert!(bytes.starts_with(b"HTTP/1.1 200 OK"));
}

/// Comes and goes, in one of several ways.
async fn come_and_go(server: SocketAddr, address: IpAddr, way: u64) {
	let stream = connect(server, address).await;
	let request = b"GET /v1/feed HTTP/1.1\r\nHost: localhost\r\n\r\n";
	if way == 0 {
		// Goes in the middle of the request.
		assert!(send(&stream, &request[..20]).await);
		return;
	}
	assert!(send(&stream, request).await);
	match way {
		// Goes before the answer: the unread answer resets the connection.
		1 => {},
		2 => read(&stream).await,
		// Resets the connection.
		3 | 4 => {
			if way == 3 {
				read(&stream).await;
			}
			stream.set_zero_linger().expect("the socket is open");
		},
		// Ends its half of the connection, and waits for the server to end the other.
		5 => {
			read(&stream).await;
			shutdown(&stream, Shutdown::Write).expect("the socket is open");
			let ended = timeout(PATIENCE, receive_all(&stream, &mut Vec::new())).await;
			ended.expect("the server ends the connection");
		},
		// Asks for more while the feed is being sent.
		_ => {
			read(&stream).await;
			assert!(send(&stream, request).await);
		},
	}
}

async fn figure(server: SocketAddr, name: &str) -> u64 {
	let text = String::from_utf8(get(server, "/metrics").await.body).expect("figures are text");
	let line = text.lines().find_map(|line| line.strip_prefix(&format!("fabric_indexer_{name} ")));
	line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}: {text}"))
}

/// Waits until no reader of the feed is left, and no connection besides the one that asks.
async fn all_gone(server: SocketAddr) {
	let begin = Instant::now();
	loop {
		let figures = (
			figure(server, "feed_readers").await,
			figure(server, "reads").await,
			figure(server, "connections").await,
		);
		if figures == (0, 1, 1) || figures == (0, 0, 1) {
			return;
		}
		assert!(begin.elapsed() < PATIENCE, "readers, reads and connections: {figures:?}");
		sleep(Duration::from_millis(50)).await;
	}
}

#[tokio::test]
async fn ten_thousand_readers_of_the_feed_leave_nothing_behind() {
	let program = Program::start(5_000, 5_000);
	let server = program.address;
	let mut before = None;
	let mut readers = 0;
	for round in 0..ROUNDS {
		let crowd = (0..EACH).flat_map(|each| (0..ADDRESSES).map(move |address| (each, address)));
		let visits = crowd.map(|(each, address)| {
			let way = match round == 0 {
				true => ASKS_MORE,
				false => (round + u64::from(each) + u64::from(address)) % ASKS_MORE,
			};
			come_and_go(server, [127, 0, 1, address + 1].into(), way)
		});
		readers += stream::iter(visits).buffer_unordered(AT_ONCE).count().await;
		all_gone(server).await;
		if round == 4 {
			before = Some((program.memory(), program.files()));
		}
	}
	assert_eq!(readers, 10_000);
	let (memory, files) = before.expect("there were five rounds");
	let grown = program.memory().saturating_sub(memory);
	assert!(grown < GROWTH, "{grown} bytes more than {memory}");
	assert!(program.files() <= files + 2, "{} open files, and {files} before", program.files());
	assert_eq!(get(server, "/v1/spaces").await.status, 200);
	// All places of an address are free again.
	let streams = join_all((0..20).map(|_| connect(server, [127, 0, 1, 1].into()))).await;
	for stream in streams {
		let request = b"GET /v1/feed HTTP/1.1\r\nHost: localhost\r\n\r\n";
		assert!(send(&stream, request).await);
		read(&stream).await;
	}
}
