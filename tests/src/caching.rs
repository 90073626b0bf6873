// SPDX-License-Identifier: Apache-2.0
//! A caching proxy between HTTP clients and a server. It keeps all answers that it may, and can cut
//! uploads.

use std::{
	collections::HashMap,
	io::{self, copy, Read, Write},
	net::{Shutdown, TcpListener, TcpStream},
	sync::{
		atomic::{AtomicUsize, Ordering},
		Arc, Mutex, MutexGuard, PoisonError,
	},
	thread,
};

/// A caching proxy on a free port of this machine.
pub struct CachingProxy {
	/// The address that it serves.
	pub address: String,
	inner: Arc<Inner>,
}

struct Inner {
	server: String,
	/// The answers that are kept, by method and path.
	kept: Mutex<HashMap<String, Vec<u8>>>,
	hits: AtomicUsize,
	/// Numbers of bytes after which the next uploads are cut.
	cuts: Mutex<Vec<u64>>,
}

impl CachingProxy {
	/// Starts a proxy to the server at an address.
	pub fn start(server: &str) -> Self {
		let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
		let address = listener.local_addr().expect("it is bound").to_string();
		let inner = Arc::new(Inner {
			server: server.to_owned(),
			kept: Mutex::default(),
			hits: AtomicUsize::new(0),
			cuts: Mutex::default(),
		});
		let shared = inner.clone();
		thread::spawn(move || {
			while let Ok((stream, _)) = listener.accept() {
				let inner = shared.clone();
				// A side that is gone ends the exchange.
				thread::spawn(move || drop(inner.exchange(stream)));
			}
		});
		Self { address, inner }
	}

	/// Returns the number of requests that were answered without the server.
	pub fn hits(&self) -> usize {
		self.inner.hits.load(Ordering::SeqCst)
	}

	/// Cuts the next uploads after so many bytes, the last of these numbers first.
	pub fn cut(&self, after: &[u64]) {
		*self.inner.cuts.lock().unwrap_or_else(PoisonError::into_inner) = after.to_vec();
	}

	/// Returns the number of uploads that have yet to be cut.
	pub fn cuts(&self) -> usize {
		self.inner.cuts.lock().unwrap_or_else(PoisonError::into_inner).len()
	}
}

impl Inner {
	/// Passes one request on, and its answer back. Answers itself if it has kept the answer.
	fn exchange(&self, mut client: TcpStream) -> io::Result<()> {
		let (mut head, mut byte) = (Vec::new(), [0]);
		while !head.ends_with(b"\r\n\r\n") {
			client.read_exact(&mut byte)?;
			head.push(byte[0]);
		}
		let head = String::from_utf8_lossy(&head).into_owned();
		let (first, headers) = head.split_once("\r\n").unwrap_or_default();
		let is_kept = |name: &&str| !name.to_lowercase().starts_with("connection:");
		let headers: Vec<_> = headers.trim().split("\r\n").filter(is_kept).collect();
		let has = |name: &str| headers.iter().any(|line| line.to_lowercase().starts_with(name));
		let may_keep = (first.starts_with("GET ") || first.starts_with("HEAD ")) && !has("range:");
		let kept = self.kept().get(first).cloned();
		if let Some(answer) = kept.filter(|_| may_keep) {
			self.hits.fetch_add(1, Ordering::SeqCst);
			return client.write_all(&answer);
		}
		let mut server = TcpStream::connect(&self.server)?;
		let headers = headers.join("\r\n");
		let request = format!("{first}\r\n{headers}\r\nConnection: close\r\n\r\n");
		server.write_all(request.as_bytes())?;
		if first.starts_with("PUT ") {
			let cut = self.cuts.lock().unwrap_or_else(PoisonError::into_inner).pop();
			if let Some(most) = cut {
				copy(&mut Read::take(&client, most), &mut server)?;
				// The server takes in what was sent before it notices the end.
				return server.shutdown(Shutdown::Write).and_then(|()| drain(server));
			}
		}
		let (mut from, mut to) = (client.try_clone()?, server.try_clone()?);
		// The body ends with the answer, at the latest.
		thread::spawn(move || copy(&mut from, &mut to));
		let mut answer = Vec::new();
		server.read_to_end(&mut answer)?;
		if may_keep && is_cacheable(&answer) {
			self.kept().insert(first.to_owned(), answer.clone());
		}
		client.write_all(&answer)?;
		client.shutdown(Shutdown::Both)
	}

	fn kept(&self) -> MutexGuard<'_, HashMap<String, Vec<u8>>> {
		self.kept.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

fn drain(mut stream: TcpStream) -> io::Result<()> {
	copy(&mut stream, &mut io::sink()).map(drop)
}

/// Returns whether caches that are set to keep what exists, what is empty, and what is not found may
/// keep an answer.
fn is_cacheable(answer: &[u8]) -> bool {
	let text = String::from_utf8_lossy(answer).to_lowercase();
	let head = text.split("\r\n\r\n").next().unwrap_or_default();
	let status = head.split(' ').nth(1).unwrap_or_default();
	matches!(status, "200" | "204" | "404") && !head.contains("\r\ncache-control: no-store")
}
