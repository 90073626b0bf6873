// SPDX-License-Identifier: Apache-2.0
//! A client that sends what it is told to, and reads answers.

use std::{collections::BTreeMap, io::ErrorKind, net::SocketAddr, time::Duration};

use serde_json::Value as Json;
use tokio::{net::TcpStream, time::timeout};

/// Longest wait for anything.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// An answer.
#[derive(Debug)]
pub struct Answer {
	pub status: u16,
	pub headers: BTreeMap<String, String>,
	pub body: Vec<u8>,
}

impl Answer {
	pub fn header(&self, name: &str) -> &str {
		self.headers.get(name).map_or("", String::as_str)
	}

	pub fn json(&self) -> Json {
		let body = || String::from_utf8_lossy(&self.body);
		serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", body()))
	}
}

/// Connects to a server.
pub async fn connect(address: SocketAddr) -> TcpStream {
	TcpStream::connect(address).await.expect("the server listens")
}

/// Sends bytes. Returns whether the server takes them all.
pub async fn send(stream: &TcpStream, mut bytes: &[u8]) -> bool {
	while !bytes.is_empty() {
		match stream.try_write(bytes) {
			Ok(written) => bytes = &bytes[written..],
			Err(error) if error.kind() == ErrorKind::WouldBlock => {
				stream.writable().await.expect("the stream is open");
			},
			Err(_) => return false,
		}
	}
	true
}

/// Reads some bytes. Returns false at the end; a connection that is refused may be reset.
pub async fn receive(stream: &TcpStream, buffer: &mut Vec<u8>) -> bool {
	let mut bytes = [0; 8_192];
	loop {
		match stream.try_read(&mut bytes) {
			Ok(read) => {
				buffer.extend_from_slice(&bytes[..read]);
				return read > 0;
			},
			Err(error) if error.kind() == ErrorKind::WouldBlock => {
				stream.readable().await.expect("the stream is open");
			},
			Err(_) => return false,
		}
	}
}

/// Reads all that comes until the end.
pub async fn receive_all(stream: &TcpStream, buffer: &mut Vec<u8>) {
	while receive(stream, buffer).await {}
}

/// Sends bytes and reads all that comes until the end.
pub async fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
	let stream = connect(address).await;
	let mut answer = Vec::new();
	let exchanged = timeout(PATIENCE, async {
		send(&stream, bytes).await;
		receive_all(&stream, &mut answer).await;
	});
	exchanged.await.expect("the answer ends");
	answer
}

/// Reads an answer.
pub fn parse(bytes: &[u8]) -> Answer {
	let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("it has a head");
	let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
	let mut lines = head.lines();
	let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
	let headers = lines.filter_map(|line| {
		let (name, value) = line.split_once(": ")?;
		Some((name.to_ascii_lowercase(), value.to_owned()))
	});
	Answer {
		status: status.parse().expect("it has a status"),
		headers: headers.collect(),
		body: bytes[end + 4..].to_vec(),
	}
}

/// Returns a request with headers. The answer ends with the connection, as it is HTTP/1.0.
fn head(method: &str, target: &str, headers: &[(&str, &str)]) -> String {
	let headers: String =
		headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
	format!("{method} {target} HTTP/1.0\r\nHost: localhost\r\n{headers}\r\n")
}

/// Sends a request with headers.
pub async fn request(
	address: SocketAddr,
	method: &str,
	target: &str,
	headers: &[(&str, &str)],
) -> Answer {
	parse(&exchange(address, head(method, target, headers).as_bytes()).await)
}

/// Gets a resource.
pub async fn get(address: SocketAddr, target: &str) -> Answer {
	request(address, "GET", target, &[]).await
}

/// A message of the feed.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
	pub id: String,
	pub event: String,
	pub data: Json,
}

/// A reader of the feed.
pub struct Feed {
	stream: TcpStream,
	buffer: Vec<u8>,
	pub answer: Answer,
}

impl Feed {
	/// Opens the feed.
	pub async fn open(address: SocketAddr, target: &str, headers: &[(&str, &str)]) -> Self {
		let stream = connect(address).await;
		assert!(send(&stream, head("GET", target, headers).as_bytes()).await);
		let mut feed = Self { stream, buffer: Vec::new(), answer: parse(b"HTTP/1.1 0 \r\n\r\n") };
		let head = feed.until(b"\r\n\r\n").await.expect("the answer has a head");
		feed.answer = parse(&head);
		feed
	}

	async fn until(&mut self, end: &[u8]) -> Option<Vec<u8>> {
		loop {
			let found = self.buffer.windows(end.len()).position(|window| window == end);
			if let Some(at) = found {
				return Some(self.buffer.drain(..at + end.len()).collect());
			}
			let read = timeout(PATIENCE, receive(&self.stream, &mut self.buffer)).await;
			if !read.expect("something comes") {
				return None;
			}
		}
	}

	/// Returns the next message.
	pub async fn any(&mut self) -> Message {
		let bytes = self.until(b"\n\n").await.expect("the feed goes on");
		let text = String::from_utf8(bytes).expect("messages are text");
		let field = |name: &str| {
			let line = text.lines().find_map(|line| line.strip_prefix(name));
			line.map(str::trim).unwrap_or_default().to_owned()
		};
		let data = serde_json::from_str(&field("data:")).expect("data is JSON");
		Message { id: field("id:"), event: field("event:"), data }
	}

	/// Returns the next message that is not a head.
	pub async fn next(&mut self) -> Message {
		loop {
			let message = self.any().await;
			if message.event != "head" {
				return message;
			}
		}
	}

	/// Returns the name of the next message, and the number of the block that it names.
	pub async fn step(&mut self) -> (String, u64) {
		let message = self.next().await;
		let number = message.data["number"].as_u64().expect("it names a block");
		(message.event, number)
	}

	/// Reads what is left of the answer.
	pub async fn rest(mut self) -> Vec<u8> {
		let read = timeout(PATIENCE, receive_all(&self.stream, &mut self.buffer)).await;
		read.expect("the answer ends");
		self.buffer
	}
}
