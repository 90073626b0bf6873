// SPDX-License-Identifier: Apache-2.0
//! A server that sends its answer byte by byte, for tests.

use std::{
	io::{Read, Write},
	net::{TcpListener, TcpStream},
	thread,
	time::Duration,
};

use crate::profile::IndexUrl;

/// Pause between two bytes.
const PAUSE: Duration = Duration::from_millis(50);

/// Starts a server that answers each request with `head` at once, and then with the bytes of `drip`
/// one by one, again and again, until the client leaves. Returns its URL.
pub fn dripping(head: &str, drip: &'static str) -> IndexUrl {
	let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port; qed");
	let address = listener.local_addr().expect("it is bound; qed");
	let head = head.to_owned();
	thread::spawn(move || {
		while let Ok((stream, _)) = listener.accept() {
			let head = head.clone();
			thread::spawn(move || answer(stream, &head, drip));
		}
	});
	format!("http://{address}").parse().expect("it is a URL; qed")
}

fn answer(mut stream: TcpStream, head: &str, drip: &str) {
	let _ = stream.set_nodelay(true);
	// The request is one piece, and not empty.
	let _ = stream.read(&mut [0; 4096]);
	let _ = stream.write_all(head.as_bytes());
	for byte in drip.bytes().cycle() {
		if stream.write_all(&[byte]).is_err() {
			return;
		}
		thread::sleep(PAUSE);
	}
}
