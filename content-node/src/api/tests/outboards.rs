// SPDX-License-Identifier: Apache-2.0
//! A node sends no wrong byte of a version, whatever happens to objects and outboards.

use std::{sync::Arc, time::Duration};

use object_store::{
	local::LocalFileSystem, memory::InMemory, path::Path as Key, ObjectStore, ObjectStoreExt,
};
use tokio::time::{sleep, Instant};

use super::*;

/// Longest wait for damage to be recorded.
const PATIENCE: Duration = Duration::from_secs(30);
const MIB: usize = 1 << 20;

/// A kind of store.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
	Folder,
	Memory,
}

/// An answer as it came, perhaps cut off.
#[derive(Debug)]
pub struct Answer {
	pub status: u16,
	pub head: String,
	pub body: Vec<u8>,
}

/// A node and the files of its store.
pub struct Stored {
	pub node: Node,
	files: Arc<dyn ObjectStore>,
}

impl std::ops::Deref for Stored {
	type Target = Node;

	fn deref(&self) -> &Node {
		&self.node
	}
}

impl Kind {
	pub const ALL: [Self; 2] = [Self::Folder, Self::Memory];

	pub async fn start(self) -> Stored {
		let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
		match self {
			Self::Memory => {
				let node = Node::start_on(Some(Store::of(memory.clone()))).await;
				Stored { node, files: memory }
			},
			Self::Folder => {
				let node = Node::start().await;
				let files = LocalFileSystem::new_with_prefix(node.folder.path().join("objects"));
				Stored { node, files: Arc::new(files.expect("it is there")) }
			},
		}
	}
}

impl Stored {
	async fn read(&self, key: &Key) -> Option<Vec<u8>> {
		let found = self.files.get(key).await.ok()?;
		Some(found.bytes().await.expect("it can be read").to_vec())
	}

	async fn write(&self, key: &Key, bytes: Vec<u8>) {
		self.files.put(key, bytes.into()).await.expect("there is room");
	}

	async fn until_damaged(&self, context: &str) {
		let start = Instant::now();
		while self.keep.totals().damaged == 0 {
			assert!(start.elapsed() < PATIENCE, "{context}: the damage is not recorded");
			sleep(Duration::from_millis(10)).await;
		}
	}
}

impl Node {
	/// Uploads bytes with an id of this kind. Returns their path.
	pub async fn put(&self, hash: HashKind, bytes: &[u8]) -> String {
		let path = path(promise(&self.keep, hash, bytes));
		let (status, head) = self.ask("PUT", &path, "", bytes).await;
		assert_eq!(status, 201, "{head}");
		path
	}

	/// Uploads bytes. Returns their path.
	pub async fn add(&self, bytes: &[u8]) -> String {
		self.put(HashKind::Blake3, bytes).await
	}

	/// Sends a request without a body. The answer may be cut off.
	pub async fn fetch(&self, method: &str, path: &str, headers: &str) -> Answer {
		let address = self.address;
		let request =
			format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
		let fetch = move || {
			let mut stream = TcpStream::connect(address).expect("it listens");
			stream.write_all(request.as_bytes()).expect("the request is taken");
			let mut answer = Vec::new();
			// A connection that is reset leaves what was read.
			drop(stream.read_to_end(&mut answer));
			let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
			let body = answer.split_off(end.expect("the answer has a head") + 4);
			let head = String::from_utf8_lossy(&answer).to_lowercase();
			let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
			Answer { status: status.expect("the answer has a status"), head, body }
		};
		tokio::task::spawn_blocking(fetch).await.expect("it ends")
	}
}

/// Returns bytes that differ from place to place.
pub fn content(seed: u64, length: usize) -> Vec<u8> {
	let word = |at: u64| (at ^ seed << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
	(0..length as u64).map(|at| word(at)[7]).collect()
}

fn key(version: VersionId, end: &str) -> Key {
	let name = hex::encode(version.0);
	Key::from(format!("{}/{}/{name}{end}", &name[..2], &name[2..4]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_byte_is_never_served_is_recorded_and_healed_by_an_upload() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		for (seed, length) in [100, 900 << 10, 5 * MIB, 17 * MIB + 5].into_iter().enumerate() {
			let bytes = content(seed as u64, length);
			let path = node.add(&bytes).await;
			let object = key(id_of(&bytes), "");
			for at in [0, length / 2, length - 1] {
				let range = (at.saturating_sub(9), at + 1);
				let ranged = format!("Range: bytes={}-{at}\r\n", range.0);
				let part = format!("{path}/verified?first={at}&last={at}");
				for (url, headers, expected) in [
					(&path, "", Some(&bytes[..])),
					(&path, &ranged, Some(&bytes[range.0..range.1])),
					(&format!("{path}/verified"), "", None),
					(&part, "", None),
				] {
					let context = format!("{kind:?}, {length} bytes, {at}: {url} {headers}");
					let sound = node.fetch("GET", url, headers).await;
					assert!(matches!(sound.status, 200 | 206), "{context}: {}", sound.head);
					assert!(expected.is_none_or(|expected| sound.body == expected), "{context}");
					let mut wrong = bytes.clone();
					wrong[at] ^= 1;
					node.write(&object, wrong).await;
					let cut = node.fetch("GET", url, headers).await;
					if cut.status == 500 {
						assert!(cut.head.contains("content-type: application/json"), "{context}");
					} else {
						// All that came before the wrong group.
						assert!(cut.body.len() < sound.body.len(), "{context}: {}", cut.head);
						assert!(sound.body.starts_with(&cut.body), "{context}");
					}
					node.until_damaged(&context).await;
					for url in [&path, url] {
						assert_eq!(node.fetch("GET", url, headers).await.status, 500, "{context}");
						assert_eq!(node.fetch("HEAD", url, "").await.status, 500, "{context}");
					}
					assert_eq!(node.ask("PUT", &path, "", &bytes).await.0, 201, "{context}");
					assert_eq!(node.keep.totals().damaged, 0, "{context}");
				}
			}
			assert!(node.fetch("GET", &path, "").await.body == bytes);
		}
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_without_damage_are_served_until_the_damage_is_known() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		let bytes = content(1, 9 * MIB);
		let path = node.add(&bytes).await;
		let mut wrong = bytes.clone();
		wrong[9 * MIB - 1] ^= 1;
		node.write(&key(id_of(&bytes), ""), wrong).await;
		let part = node.fetch("GET", &path, "Range: bytes=100-20099\r\n").await;
		assert!(part.status == 206 && part.body == bytes[100..20_100]);
		let group = node.fetch("GET", &format!("{path}/verified?last=0"), "").await;
		assert_eq!(group.status, 200);
		assert_eq!(node.keep.totals().damaged, 0);
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_are_cut_longer_or_gone_are_damaged() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		for (seed, length) in [900 << 10, 5 * MIB].into_iter().enumerate() {
			let bytes = content(seed as u64, length);
			let path = node.add(&bytes).await;
			let object = key(id_of(&bytes), "");
			for other in [Some(length - 1), Some(1), Some(0), Some(length + 1), None] {
				for (method, end, headers) in [
					("GET", "", ""),
					("GET", "", "Range: bytes=0-9\r\n"),
					("GET", "/verified", ""),
					("GET", "/verified?first=0&last=9", ""),
					("HEAD", "", ""),
					("HEAD", "/verified", ""),
				] {
					let context = format!("{kind:?}: {method} {length} {other:?} {end} {headers}");
					match other {
						Some(other) => {
							let mut wrong = bytes.clone();
							wrong.resize(other, 7);
							node.write(&object, wrong).await;
						},
						None => node.files.delete(&object).await.expect("it is there"),
					}
					let answer = node.fetch(method, &format!("{path}{end}"), headers).await;
					assert_eq!(answer.status, 500, "{context}: {}", answer.head);
					assert_eq!(node.keep.totals().damaged, 1, "{context}");
					assert_eq!(node.ask("PUT", &path, "", &bytes).await.0, 201, "{context}");
				}
			}
			assert!(node.fetch("GET", &path, "").await.body == bytes);
		}
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn outboards_that_are_wrong_or_gone_are_made_again_and_no_reader_fails() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		let mut seed = 0;
		// One level, and two.
		for length in [MIB + 1, 8 * MIB + 5] {
			for damage in ["first", "middle", "last", "cut", "longer", "empty", "gone"] {
				for (end, headers) in [
					("", ""),
					("", "Range: bytes=0-9\r\n"),
					("/verified", ""),
					("/verified?last=9", ""),
				] {
					// A block that was proven once is remembered, so each case has bytes of its own.
					seed += 1;
					let context = format!("{kind:?}, {length} bytes, {damage}: {end} {headers}");
					let bytes = content(seed, length);
					let path = node.add(&bytes).await;
					let outboard = key(id_of(&bytes), ".outboard");
					let sound = node.read(&outboard).await.expect("it is there");
					let mut wrong = sound.clone();
					match damage {
						"first" => wrong[0] ^= 1,
						"middle" => wrong[sound.len() / 2] ^= 1,
						"last" => wrong[sound.len() - 1] ^= 1,
						"cut" => drop(wrong.pop()),
						"longer" => wrong.push(0),
						_ => wrong.clear(),
					}
					match damage {
						"gone" => node.files.delete(&outboard).await.expect("it is there"),
						_ => node.write(&outboard, wrong).await,
					}
					let answer = node.fetch("GET", &format!("{path}{end}"), headers).await;
					assert!(matches!(answer.status, 200 | 206), "{context}: {}", answer.head);
					if end.is_empty() {
						let expected = if headers.is_empty() { &bytes[..] } else { &bytes[..10] };
						assert!(answer.body == expected, "{context}");
					} else {
						let length = list(&answer.head, "content-length");
						assert_eq!(length, names(&answer.body.len().to_string()), "{context}");
					}
					assert!(node.read(&outboard).await == Some(sound), "{context}");
					assert_eq!(node.keep.totals().damaged, 0, "{context}");
					node.app.store.remove(id_of(&bytes)).await.expect("it is removed");
					assert!(node.read(&outboard).await.is_none(), "{context}");
				}
			}
		}
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_to_both_the_object_and_its_outboard_is_recorded() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		let bytes = content(1, 3 * MIB);
		let path = node.add(&bytes).await;
		let (object, outboard) = (key(id_of(&bytes), ""), key(id_of(&bytes), ".outboard"));
		let mut wrong = bytes.clone();
		wrong[2 * MIB] ^= 1;
		node.write(&object, wrong).await;
		node.files.delete(&outboard).await.expect("it is there");
		assert_eq!(node.fetch("GET", &path, "Range: bytes=0-9\r\n").await.status, 500);
		assert_eq!(node.keep.totals().damaged, 1);
		assert_eq!(node.ask("PUT", &path, "", &bytes).await.0, 201);
		assert!(node.fetch("GET", &path, "").await.body == bytes);
		assert!(node.read(&outboard).await.is_some());
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn small_versions_are_checked_without_memory_for_them_too() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		let (bytes, client) = (content(1, 900 << 10), [127, 0, 0, 1].into());
		let path = node.add(&bytes).await;
		let mut all = Vec::new();
		while let Some(places) = node.app.answers.places(client, 1) {
			all.push(places);
		}
		for (end, headers, expected) in [
			("", "", Some(&bytes[..])),
			("", "Range: bytes=20000-60000\r\n", Some(&bytes[20_000..=60_000])),
			("/verified", "", None),
		] {
			let answer = node.fetch("GET", &format!("{path}{end}"), headers).await;
			assert!(matches!(answer.status, 200 | 206), "{}", answer.head);
			assert!(expected.is_none_or(|expected| answer.body == expected), "{kind:?} {headers}");
		}
		let mut wrong = bytes.clone();
		wrong[0] ^= 1;
		node.write(&key(id_of(&bytes), ""), wrong).await;
		assert_eq!(node.fetch("GET", &path, "Range: bytes=20000-60000\r\n").await.status, 500);
		assert_eq!(node.keep.totals().damaged, 1);
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn only_large_versions_with_a_blake3_hash_have_an_outboard() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		for (hash, length, expected) in [
			(HashKind::Blake3, MIB, None),
			(HashKind::Blake3, MIB + 1, Some(65 * 32)),
			// 513 groups, in two blocks.
			(HashKind::Blake3, 8 * MIB + 1, Some(515 * 32)),
			(HashKind::Sha256, 3 * MIB, None),
		] {
			let bytes = content(1, length);
			let path = node.put(hash, &bytes).await;
			let outboard = key(VersionHasher::hash(hash, &bytes), ".outboard");
			assert_eq!(node.read(&outboard).await.map(|bytes| bytes.len()), expected, "{length}");
			let part = node.fetch("GET", &path, "Range: bytes=1000000-1000009\r\n").await;
			assert!(part.status == 206 && part.body == bytes[1_000_000..1_000_010]);
		}
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_of_other_bytes_leaves_no_outboard_and_one_after_a_crash_replaces_it() {
	let node = Kind::Folder.start().await;
	let bytes = content(1, 3 * MIB);
	let version = promise(&node.keep, HashKind::Blake3, &bytes);
	let (path, outboard) = (path(version), key(version, ".outboard"));
	let mut wrong = bytes.clone();
	wrong[0] ^= 1;
	let (status, _, body) = node.exchange("PUT", &path, "", &wrong).await;
	let found = id_of(&wrong).to_string().to_lowercase();
	assert!(
		status == 422 && body.contains(&format!("the bytes have the blake3 hash {found}")),
		"{body}"
	);
	assert_eq!(node.read(&outboard).await, None);
	// A process that was killed has left all but the object.
	let uploads = node.folder.path().join("uploads");
	std::fs::write(uploads.join(hex::encode(version.0)), &bytes).expect("there is room");
	node.write(&outboard, vec![1; 7]).await;
	node.write(&key(version, ".outboard.new"), vec![1; 9]).await;
	let (status, state) = node.state(version).await;
	assert_eq!((status, &state["complete"]), (200, &json!(false)));
	assert_eq!(node.ask("PUT", &path, "", &bytes).await.0, 201);
	assert!(node.fetch("GET", &path, "").await.body == bytes);
	assert_eq!(node.read(&outboard).await.map(|bytes| bytes.len()), Some(192 * 32));
	assert_eq!(node.read(&key(version, ".outboard.new")).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outboard_is_durable_before_the_object_is_in_place() {
	let node = Node::start().await;
	let bytes = content(1, 2 * MIB);
	let version = promise(&node.keep, HashKind::Blake3, &bytes);
	let root = node.folder.path().canonicalize().expect("it is there");
	let name = hex::encode(version.0);
	let inner = root.join("objects").join(&name[..2]).join(&name[2..4]);
	let watched = (node.keep.clone(), version, inner.join(&name));
	node.disk.watched.set(watched).expect("it is set once");
	assert_eq!(node.ask("PUT", &path(version), "", &bytes).await.0, 201);
	let calls = node.disk.calls.lock().expect("no test has failed");
	let before: Vec<_> = calls.iter().filter(|call| !call.is_in_place).collect();
	let place = |path: &Path| before.iter().position(|call| call.path == path);
	let staged = place(&inner.join(format!("{name}.outboard.new")));
	let (folder, outer) = (place(&inner), place(&root.join("objects")));
	assert!(staged.is_some() && staged < folder && folder < outer, "{calls:?}");
	assert!(calls.iter().all(|call| !call.is_held), "{calls:?}");
}
