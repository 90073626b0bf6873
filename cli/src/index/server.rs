// SPDX-License-Identifier: Apache-2.0
//! A server of given answers, for tests.

use std::{
	io::{Read, Write},
	net::TcpListener,
	sync::{Arc, Mutex},
	thread,
};

use content_fabric_client::profile::IndexUrl;

/// The genesis hash in [`status`].
pub(crate) const GENESIS: [u8; 32] = [0xab; 32];

/// A server that gives its answers in their order, one for each connection.
pub(crate) struct Server {
	pub(crate) url: IndexUrl,
	targets: Arc<Mutex<Vec<String>>>,
}

impl Server {
	pub(crate) fn start(answers: Vec<Vec<u8>>) -> Self {
		let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port; qed");
		let address = listener.local_addr().expect("it is bound; qed");
		let targets = Arc::new(Mutex::new(Vec::new()));
		let asked = targets.clone();
		thread::spawn(move || {
			for answer in answers {
				let Ok((mut stream, _)) = listener.accept() else { return };
				let mut request = Vec::new();
				let mut byte = [0];
				while !request.ends_with(b"\r\n\r\n") {
					match stream.read(&mut byte) {
						Ok(1) => request.push(byte[0]),
						_ => break,
					}
				}
				let request = String::from_utf8_lossy(&request).into_owned();
				let target = request.split(' ').nth(1).unwrap_or_default().to_owned();
				asked.lock().expect("nobody panics with it; qed").push(target);
				// A client that has read enough closes the connection.
				let _ = stream.write_all(&answer);
			}
		});
		let url = format!("http://{address}").parse().expect("it is a URL; qed");
		Self { url, targets }
	}

	/// Returns what was asked for, in its order.
	pub(crate) fn targets(&self) -> Vec<String> {
		self.targets.lock().expect("nobody panics with it; qed").clone()
	}
}

/// Returns an answer of a content type.
pub(crate) fn answer(status: &str, content_type: &str, body: &str) -> Vec<u8> {
	let length = body.len();
	format!(
		"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
		 Connection: close\r\n\r\n{body}"
	)
	.into_bytes()
}

/// Returns an answer in JSON.
pub(crate) fn json(body: &str) -> Vec<u8> {
	answer("200 OK", "application/json", body)
}

/// Returns the start of an answer: its block, which is 90 seconds old.
pub(crate) fn at(number: u64) -> String {
	let hash = "0c".repeat(32);
	format!(r#""at":{{"number":{number},"hash":"0x{hash}","time":1,"age":90000}}"#)
}

/// Returns a page of a list.
pub(crate) fn page(number: u64, items: &[String], next: Option<&str>) -> Vec<u8> {
	let next = next.map_or_else(|| "null".into(), |next| format!("\"{next}\""));
	json(&format!(r#"{{{},"items":[{}],"next":{next}}}"#, at(number), items.join(",")))
}

/// Returns the status of an index of the chain with the genesis hash [`GENESIS`].
pub(crate) fn status() -> Vec<u8> {
	let genesis = hex::encode(GENESIS);
	let item = format!(r#"{{"genesis":"0x{genesis}","behind":0,"historySince":null,"new":[]}}"#);
	json(&format!(r#"{{{},"item":{item}}}"#, at(7)))
}
