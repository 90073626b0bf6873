// SPDX-License-Identifier: Apache-2.0
//! Verified reads, from nodes that are honest and nodes that are not.

use std::{
	fs,
	io::{Read, Write},
	net::{TcpListener, TcpStream},
	path::{Path, PathBuf},
	sync::Mutex,
};

use content_fabric_identifiers::VersionHasher;
use proptest::{prelude::*, sample::Index};
use serde_json::Value;

use super::*;
use crate::{
	content_node::groups::{Groups, GROUP},
	samples::encoding::encoded,
	text::count,
};

/// The sizes at which the tree, a chunk or a group changes.
const SIZES: [usize; 11] =
	[0, 1, 1_023, 1_024, 1_025, 16_383, 16_384, 16_385, 1 << 20, (1 << 20) + 1, (5 << 20) + 3];
const LARGE: usize = (1 << 20) + 1;

/// Returns the data of the vectors.
fn data(size: usize) -> Vec<u8> {
	(0..=250).cycle().take(size).collect()
}

fn id(data: &[u8]) -> VersionId {
	VersionHasher::hash(HashKind::Blake3, data)
}

fn claim(size: usize) -> Claim {
	Claim { hash: HashKind::Blake3, size: Some(size as u64) }
}

/// Decodes an encoding. Returns the groups, and the error, if there is one.
fn decode(
	version: VersionId,
	size: usize,
	(first, last): (usize, usize),
	mut encoded: &[u8],
) -> (Vec<(u64, Vec<u8>)>, Option<String>) {
	let mut groups = Groups::new(version, size as u64, first as u64, last as u64);
	let mut found = Vec::new();
	while let Some(length) = groups.wants() {
		let Some((step, rest)) = encoded.split_at_checked(length) else {
			return (found, Some("it is short".into()));
		};
		encoded = rest;
		match groups.verify(step) {
			Ok(Some(start)) => found.push((start, step.to_vec())),
			Ok(None) => {},
			Err(error) => return (found, Some(error.to_string())),
		}
	}
	(found, None)
}

#[test]
fn the_encodings_of_the_vectors_are_verified() {
	let path = "../primitives/identifiers/tests/vectors/verified.json";
	let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
	let text = fs::read_to_string(path).expect("it is there");
	let vectors: Value = serde_json::from_str(&text).expect("vectors are JSON");
	let number = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("small");
	let mut count = 0;
	for case in vectors["cases"].as_array().expect("a list") {
		let data = data(number(&case["size"]));
		assert_eq!(hex::encode(id(&data).0), case["hash"].as_str().expect("a text"));
		for range in case["ranges"].as_array().expect("a list") {
			let bounds = (number(&range["first"]), number(&range["last"]));
			let encoded = encoded(&data, bounds.0, bounds.1);
			let hash = hex::encode(id(&encoded).0);
			assert_eq!(hash, range["encoding"].as_str().expect("a text"), "{bounds:?}");
			let mut groups =
				Groups::new(id(&data), data.len() as u64, bounds.0 as u64, bounds.1 as u64);
			assert_eq!(groups.encoded_len(), range["length"].as_u64().expect("a number"));
			assert!(groups.wants().is_some());
			let (found, error) = decode(id(&data), data.len(), bounds, &encoded);
			assert_eq!(error, None, "{bounds:?} of {}", data.len());
			let start = bounds.0 / 16_384 * 16_384;
			let end = ((bounds.1 / 16_384 + 1) * 16_384).min(data.len());
			assert!(found.into_iter().flat_map(|(_, bytes)| bytes).eq(data[start..end].to_vec()));
			count += 1;
		}
	}
	assert!(count > 60, "{count} vectors");
}

#[test]
fn the_largest_sizes_are_refused_by_their_hash() {
	let version = VersionId([0; 32]);
	for (first, last) in [(0, u64::MAX - 1), (u64::MAX - 1, u64::MAX - 1), (7, u64::MAX)] {
		let mut groups = Groups::new(version, u64::MAX, first, last);
		assert!(groups.encoded_len() > 16_000);
		assert_eq!(groups.wants(), Some(64));
		let error = groups.verify(&[0; 64]).expect_err("it is another hash").to_string();
		let all = "bytes 0 to 18,446,744,073,709,551,614";
		assert_eq!(error, format!("it sends hashes of {all} that are not the version's"));
	}
}

proptest! {
	#![proptest_config(ProptestConfig::with_cases(200))]

	#[test]
	fn any_range_is_verified_and_no_bit_of_it_can_differ(
		size in 1..400_000usize,
		ends: (Index, Index),
		bit: Index,
	) {
		let data = data(size);
		let ends = (ends.0.index(size), ends.1.index(size));
		let bounds = (ends.0.min(ends.1), ends.0.max(ends.1));
		let mut encoded = encoded(&data, bounds.0, bounds.1);
		let expected = Groups::new(id(&data), size as u64, bounds.0 as u64, bounds.1 as u64);
		prop_assert_eq!(expected.encoded_len(), encoded.len() as u64);
		let (whole, error) = decode(id(&data), size, bounds, &encoded);
		prop_assert_eq!(error, None);
		let start = bounds.0 / 16_384 * 16_384;
		prop_assert_eq!(whole.first().map(|(at, _)| *at), Some(start as u64));
		let bytes: Vec<u8> = whole.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
		let end = (bounds.1 / 16_384 + 1) * 16_384;
		prop_assert!(bytes == data[start..end.min(size)]);

		let bit = bit.index(8 * encoded.len());
		encoded[bit / 8] ^= 1 << (bit % 8);
		let (before, error) = decode(id(&data), size, bounds, &encoded);
		prop_assert!(error.is_some_and(|error| error.contains("that are not the version's")));
		prop_assert!(before.len() < whole.len() && before == whole[..before.len()]);
	}
}

/// The paths that a node was asked for.
type Asked = Arc<Mutex<Vec<String>>>;

/// Starts a node that answers each request in its way, by the bytes that are asked for of `size`.
fn node(
	size: usize,
	patience: Patience,
	answer: impl Fn((usize, usize), &mut TcpStream) + Send + Sync + 'static,
) -> (ContentNode, Asked) {
	let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port; qed");
	let url = format!("http://{}", listener.local_addr().expect("it is bound; qed"));
	let (asked, answer) = (Asked::default(), Arc::new(answer));
	let kept = asked.clone();
	thread::spawn(move || {
		while let Ok((mut stream, _)) = listener.accept() {
			let (mut head, mut byte) = (Vec::new(), [0]);
			while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
				head.push(byte[0]);
			}
			let head = String::from_utf8_lossy(&head).into_owned();
			let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
			let query = |name: &str| {
				let value = path.split(['?', '&']).find_map(|part| part.strip_prefix(name))?;
				value.parse().ok()
			};
			let bounds = (query("first=").unwrap_or(0), query("last=").unwrap_or(size.max(1) - 1));
			kept.lock().expect("nobody panics").push(path.clone());
			let answer = answer.clone();
			thread::spawn(move || answer(bounds, &mut stream));
		}
	});
	(ContentNode::patient(url.parse().expect("it is a URL; qed"), patience), asked)
}

/// Sends a head with a length, and a body, which may have another one.
fn send(stream: &mut TcpStream, status: &str, length: usize, body: &[u8]) {
	let head =
		format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
	// A client that has seen enough closes the connection.
	let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn honest(data: &[u8]) -> (ContentNode, Asked) {
	let served = data.to_vec();
	node(data.len(), PATIENT, move |(first, last), stream| {
		let body = encoded(&served, first, last);
		send(stream, "200 OK", body.len(), &body);
	})
}

fn dir() -> TempDir {
	TempDir::new().expect("temporary directories can be made; qed")
}

fn target(dir: &TempDir) -> Target {
	let folder = Arc::new(Folder::open(dir.path().into()).expect("it is a folder"));
	Target::find(&folder, "file".into()).expect("it can be looked for")
}

fn open(dir: &TempDir, data: &[u8]) -> Download {
	let size = DeclaredSize::Exactly(data.len() as u64);
	Download::open(id(data), size, target(dir), Arc::default()).expect("there is room")
}

fn file(dir: &TempDir) -> Vec<u8> {
	fs::read(dir.path().join("file")).expect("it is there")
}

/// Leaves bytes as an interrupted run does.
fn leave(dir: &TempDir, data: &[u8], bytes: &[u8]) {
	drop(open(dir, data));
	let name = format!("{}-0123456789abcdef", hex::encode(id(data).0));
	fs::write(dir.path().join(crate::folder::RESERVED).join(name), bytes).expect("there is room");
}

/// Returns the only file of an unfinished download.
fn partial(dir: &TempDir) -> PathBuf {
	let mut files = fs::read_dir(dir.path().join(crate::folder::RESERVED)).expect("it is there");
	let file = files.next().expect("there is one").expect("it can be read").path();
	assert!(files.next().is_none(), "there is one file");
	file
}

/// Returns the query of each request.
fn queries(asked: &Asked) -> Vec<String> {
	let asked = asked.lock().expect("nobody panics");
	let query = |path: &String| {
		let (path, query) = path.split_once('?').unwrap_or((path, ""));
		assert!(path.starts_with("/v1/versions/hq__") && path.ends_with("/verified"), "{path}");
		query.to_owned()
	};
	asked.iter().map(query).collect()
}

#[test]
fn versions_of_all_sizes_are_fetched_by_one_request() {
	for size in SIZES {
		let (data, dir) = (data(size), dir());
		let (node, asked) = honest(&data);
		let mut download = open(&dir, &data);
		download.fetch(&node, claim(size), Speed::Lax).expect("the node is honest");
		assert_eq!(download.length(), size as u64);
		assert!(file(&dir) == data, "{size} bytes");
		assert_eq!(queries(&asked), [""], "{size} bytes");
	}
}

#[test]
fn a_liar_is_left_at_its_first_wrong_group_and_the_next_node_sends_the_rest() {
	let size = LARGE;
	let right = data(size);
	let all = encoded(&right, 0, size - 1);
	let mut wrong_data = right.clone();
	wrong_data[700_000] ^= 1;
	let mut wrong_group = all.clone();
	let at = wrong_group.len() - (size - 700_000) - 64;
	wrong_group[at] ^= 1;
	let other = encoded(&wrong_data, 0, size - 1);
	let length = count(all.len(), "byte", "bytes");
	let and = format!("and the bytes 0 to {} of {size} with their hashes have {length}", size - 1);
	type Answer = Box<dyn Fn(&mut TcpStream) + Send + Sync>;
	let answers: Vec<(Answer, String, bool)> = vec![
		(
			Box::new(move |stream| send(stream, "200 OK", wrong_group.len(), &wrong_group)),
			"bytes 688,128 to 704,511 that are not the version's".into(),
			true,
		),
		// All of another version.
		(
			Box::new(move |stream| send(stream, "200 OK", other.len(), &other)),
			"hashes of bytes 0 to 1,048,576 that are not the version's".into(),
			false,
		),
		// The bytes alone, as under another URL.
		(
			{
				let body = right.clone();
				Box::new(move |stream| send(stream, "200 OK", body.len(), &body))
			},
			format!("it sends 1,048,577 bytes, {and}"),
			false,
		),
		(
			Box::new(move |stream| {
				send(stream, "200 OK", 10, &[0; 10]);
			}),
			format!("it sends 10 bytes, {and}"),
			false,
		),
		// Without a length, and without an end.
		(
			Box::new(|stream| {
				let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
				while stream.write_all(&[7; 4_096]).is_ok() {}
			}),
			"hashes of bytes 0 to 1,048,576 that are not the version's".into(),
			false,
		),
		(
			{
				let all = all.clone();
				Box::new(move |stream| {
					let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
					let _ = stream.write_all(&all[..300_000]);
				})
			},
			"the transfer ended after".into(),
			true,
		),
		(
			Box::new(|stream| send(stream, "404 Not Found", 0, b"")),
			"refuses, with status 404".into(),
			false,
		),
		(
			Box::new(|stream| {
				let head = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3600\r\n";
				let _ = stream.write_all(format!("{head}Content-Length: 0\r\n\r\n").as_bytes());
			}),
			"refuses, with status 503".into(),
			false,
		),
		(Box::new(|_| {}), "does not answer".into(), false),
	];
	for (answer, reason, has_some) in answers {
		let dir = dir();
		// A node that is cut is asked for more, and has nothing more to say.
		let first = Mutex::new(true);
		let (liar, _) = node(size, PATIENT, move |_, stream| {
			if std::mem::take(&mut *first.lock().expect("nobody panics")) {
				answer(stream);
			}
		});
		let mut download = open(&dir, &right);
		let error = download.fetch(&liar, claim(size), Speed::Lax).expect_err("it lies");
		let error = match (has_some, reason.starts_with("the transfer")) {
			(true, true) => {
				assert!(error.to_string().contains("does not answer"), "{error}");
				reason.clone()
			},
			_ => error.to_string(),
		};
		assert!(error.contains(&reason), "{error}, expected {reason}");
		let kept = download.length();
		assert_eq!(kept > 0, has_some, "{reason}");
		assert_eq!(kept % GROUP, 0, "{reason}");
		assert!(!dir.path().join("file").exists());
		assert!(
			!has_some || fs::read(partial(&dir)).expect("it is there") == right[..kept as usize]
		);

		let (next, asked) = honest(&right);
		download.fetch(&next, claim(size), Speed::Lax).expect("the node is honest");
		assert!(file(&dir) == right, "{reason}");
		let rest = if has_some { format!("first={kept}") } else { String::new() };
		assert_eq!(queries(&asked), [rest], "{reason}");
	}
}

#[test]
fn a_node_that_stops_is_left_after_its_time_with_what_it_has_sent() {
	let (right, dir) = (data(LARGE), dir());
	let sent = encoded(&right, 0, LARGE - 1);
	let lax = Least { window: SHORT, ..Least::LAX };
	let (late, _) = node(LARGE, Patience { lax, ..PATIENT }, move |_, stream| {
		send(stream, "200 OK", sent.len(), &sent[..500_000]);
		let _ = stream.read(&mut [0]);
	});
	let mut download = open(&dir, &right);
	let error = download.fetch(&late, claim(LARGE), Speed::Lax).expect_err("it is late");
	assert!(matches!(error, NodeError::Slow { .. }), "{error}");
	assert_eq!(download.length(), 491_520);
	drop(download);
	let (next, asked) = honest(&right);
	let mut download = open(&dir, &right);
	download.fetch(&next, claim(LARGE), Speed::Lax).expect("the node is honest");
	assert!(file(&dir) == right);
	assert_eq!(queries(&asked), ["first=491520"]);
}

#[test]
fn a_download_of_a_server_leaves_a_node_after_its_time_however_steady_it_sends() {
	let (right, dir) = (data(LARGE), dir());
	let sent = encoded(&right, 0, LARGE - 1);
	// Fast enough, and yet not done in time.
	let (steady, asked) = node(LARGE, PATIENT, move |_, stream| {
		send(stream, "200 OK", sent.len(), &[]);
		let mut pieces = sent.chunks(20_000);
		while pieces.next().is_some_and(|piece| stream.write_all(piece).is_ok()) {
			thread::sleep(SHORT / 5);
		}
	});
	let access = Access { private: true, meter: Arc::new(|_, _| Ok(())), time: SHORT };
	let steady = ContentNode::with_access(steady.url().clone(), &access);
	let mut download = open(&dir, &right);
	let error = download.fetch(&steady, claim(LARGE), Speed::Brisk).expect_err("it takes long");
	assert!(matches!(error, NodeError::Cut { .. }), "{error}");
	assert!((1..right.len() as u64).contains(&download.length()), "{}", download.length());
	assert_eq!(queries(&asked).len(), 1);
}

#[test]
fn bytes_of_an_earlier_run_are_verified_by_the_next_answer() {
	let right = data(LARGE);
	let mut damaged = right.clone();
	damaged[600_000] ^= 1;
	let left: [(&str, Vec<u8>, &[&str]); 8] = [
		("nothing", Vec::new(), &[""]),
		("less than a group", right[..16_383].to_vec(), &[""]),
		("a group", right[..16_384].to_vec(), &["first=16384"]),
		("a part of a group", right[..500_001].to_vec(), &["first=491520"]),
		("all", right.clone(), &["first=1048576"]),
		("more than all", [&right[..], b"x"].concat(), &["first=1048576"]),
		// The largest part of the tree with the damage is fetched again.
		("damage", damaged[..900_000].to_vec(), &["first=884736", "first=524288"]),
		("other bytes", vec![0; LARGE - 1], &["first=1048576", ""]),
	];
	for (what, left, expected) in left {
		let dir = dir();
		leave(&dir, &right, &left);
		let (node, asked) = honest(&right);
		let counted = Arc::default();
		let size = DeclaredSize::Exactly(LARGE as u64);
		let opened = Download::open(id(&right), size, target(&dir), Arc::clone(&counted));
		let mut download = opened.expect("there is room");
		assert_eq!(download.length(), left.len() as u64);
		download.fetch(&node, claim(LARGE), Speed::Lax).expect("the node is honest");
		assert!(file(&dir) == right, "{what}");
		assert_eq!(queries(&asked), expected, "{what}");
		assert_eq!(counted.load(std::sync::atomic::Ordering::Relaxed), LARGE as u64, "{what}");
	}
}

#[test]
fn a_wrong_size_of_another_row_costs_nothing_that_is_verified() {
	let (right, dir) = (data(LARGE), dir());
	let (node, asked) = honest(&right);
	leave(&dir, &right, &right[..500_001]);
	let mut download = open(&dir, &right);
	let wrong = [0, 1, 16_384, 32_768, LARGE - 1, LARGE + 1, 2 * LARGE, usize::MAX];
	let lie = |download: &mut Download| {
		for wrong in wrong {
			let error = download.fetch(&node, claim(wrong), Speed::Lax).expect_err("it is wrong");
			assert!(matches!(error, NodeError::OtherBytes(_)), "{wrong}: {error}");
			assert!(!dir.path().join("file").exists(), "{wrong}");
		}
	};
	lie(&mut download);
	let sent = encoded(&right, 491_520, LARGE - 1);
	let (cutter, _) = self::node(LARGE, PATIENT, move |(first, _), stream| match first {
		491_520 => send(stream, "200 OK", sent.len(), &sent[..40_000]),
		_ => send(stream, "404 Not Found", 0, b""),
	});
	download.fetch(&cutter, claim(LARGE), Speed::Lax).expect_err("it is cut");
	assert_eq!(download.length(), 524_288);
	// Of 32 groups, which are all here, but for another version.
	let error = download.fetch(&node, claim(524_288), Speed::Lax).expect_err("it is wrong");
	let reason = "it sends a version of 524288 bytes, but more bytes are verified";
	assert_eq!(error.to_string(), reason);
	lie(&mut download);
	asked.lock().expect("nobody panics").clear();
	download.fetch(&node, claim(LARGE), Speed::Lax).expect("the node is honest");
	assert!(file(&dir) == right);
	assert_eq!(queries(&asked), ["first=524288"]);
	// A row that says so of a version that is not empty.
	let other = self::dir();
	let mut download = open(&other, &right);
	let (nothing, none) = honest(&[]);
	let error = download.fetch(&nothing, claim(0), Speed::Lax).expect_err("it is not empty");
	assert_eq!(error.to_string(), "it sends nothing, but the version is not empty");
	assert_eq!(queries(&none), [""]);
}

/// A destination that keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
	fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
		self.0.lock().expect("nobody panics").write(bytes)
	}

	fn flush(&mut self) -> std::io::Result<()> {
		Ok(())
	}
}

#[test]
fn a_stream_has_exactly_the_verified_bytes_of_its_range() {
	let right = data(LARGE);
	let mut wrong = encoded(&right, 0, LARGE - 1);
	// The first hashes, and five groups with the hashes between them, are right.
	wrong[100_000..].fill(7);
	for (first, last) in [
		(0, LARGE - 1),
		(0, 0),
		(LARGE - 1, LARGE - 1),
		(16_383, 16_384),
		(100, 99_999),
		(500_000, 1_000_000),
	] {
		let span = Span { first: first as u64, last: last as u64, size: LARGE as u64 };
		let kept = Kept::default();
		let out = Box::new(kept.clone());
		let mut stream = Download::stream(id(&right), span, "there".into(), out, Arc::default());
		let body = wrong.clone();
		let (liar, _) = node(LARGE, PATIENT, move |_, stream| {
			let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
			let _ = stream.write_all(&body);
		});
		let lied = stream.fetch(&liar, claim(LARGE), Speed::Lax);
		let written = kept.0.lock().expect("nobody panics").len();
		assert!(kept.0.lock().expect("nobody panics")[..] == right[first..first + written]);
		assert_eq!(lied.is_err(), written <= last - first, "{first} to {last}: {lied:?}");
		if lied.is_err() {
			let (honest, asked) = honest(&right);
			stream.fetch(&honest, claim(LARGE), Speed::Lax).expect("the node is honest");
			let at = first + written;
			let mut query = Vec::new();
			query.extend((at > 0).then(|| format!("first={at}")));
			query.extend((last + 1 < LARGE).then(|| format!("last={last}")));
			assert_eq!(queries(&asked), [query.join("&")]);
		}
		assert!(kept.0.lock().expect("nobody panics")[..] == right[first..=last], "{first}");
		for other in [CLAIM, claim(LARGE + 1)] {
			assert!(!stream.accepts(other));
		}
		assert!(stream.accepts(claim(LARGE)));
	}
}

#[test]
fn a_range_in_a_file_leaves_nothing_behind_unless_it_is_whole() {
	let (right, dir) = (data(LARGE), dir());
	let span = Span { first: 5, last: 700_000, size: LARGE as u64 };
	let open = || {
		let opened = Download::open_span(id(&right), span, target(&dir), Arc::default());
		opened.expect("there is room")
	};
	let mut cut = open();
	let sent = encoded(&right, 0, 700_000);
	let (cutter, _) = node(LARGE, PATIENT, move |_, stream| {
		send(stream, "200 OK", sent.len(), &sent[..100_000]);
	});
	let error = cut.fetch(&cutter, claim(LARGE), Speed::Lax).expect_err("it is cut");
	assert!(cut.length() > 0, "{error}");
	assert!(!dir.path().join("file").exists());
	drop(cut);
	let reserved = dir.path().join(crate::folder::RESERVED);
	assert_eq!(fs::read_dir(&reserved).expect("it is there").count(), 0);
	let (node, asked) = honest(&right);
	open().fetch(&node, claim(LARGE), Speed::Lax).expect("the node is honest");
	assert!(file(&dir) == right[5..=700_000]);
	assert_eq!(queries(&asked), ["first=5&last=700000"]);
	assert_eq!(fs::read_dir(&reserved).expect("it is there").count(), 0);
}
