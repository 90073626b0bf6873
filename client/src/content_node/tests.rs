// SPDX-License-Identifier: Apache-2.0
//! Tests of the client of content nodes against servers that send their answers byte by byte.

mod verified;

use std::{
	io::{Read, Write},
	net::TcpListener,
	sync::{mpsc, Arc},
	thread,
};

use content_fabric_identifiers::{HashKind, TenantId};
use content_fabric_primitives::{Authorization, Receiver, Until};
use subxt_signer::sr25519::dev;
use tempfile::TempDir;

use super::*;
use crate::{
	chain::wall_clock,
	folder::{Folder, Target},
	samples::drip::dripping,
};

/// Longest time that a test waits for a client that must not wait for the server.
const DEADLINE: Duration = Duration::from_secs(120);
const VERSION: VersionId = VersionId([7; 32]);
const ERROR: &str = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 100000\r\n\r\n";

/// The time of what drips in a test.
const SHORT: Duration = Duration::from_secs(1);
/// The times of all that comes at once. It may take a while on a machine with much to do.
const PATIENT: Patience = Patience {
	answer: DEADLINE,
	bytes: DEADLINE,
	failure: DEADLINE,
	brisk: Least { window: DEADLINE, ..Least::BRISK },
	lax: Least { window: DEADLINE, ..Least::LAX },
};

/// Has a client ask a server that drips. Returns its error.
fn error_of<T: Send + 'static>(
	patience: Patience,
	(head, drip): (&str, &'static str),
	ask: impl FnOnce(ContentNode) -> Result<T, NodeError> + Send + 'static,
) -> NodeError {
	let node = ContentNode::patient(dripping(head, drip), patience);
	let (sender, receiver) = mpsc::channel();
	thread::spawn(move || sender.send(ask(node).err()));
	let error = receiver.recv_timeout(DEADLINE).expect("the client does not wait for the server");
	error.expect("nothing of this is an answer; qed")
}

/// A row of a version without a tree.
const CLAIM: Claim = Claim { hash: HashKind::Sha256, size: None };

/// Begins a download of a version of this size.
fn begin(dir: &TempDir, size: DeclaredSize) -> Download {
	let folder = Arc::new(Folder::open(dir.path().into()).expect("it is a folder"));
	let target = Target::find(&folder, "file".into()).expect("nothing is there");
	Download::open(VERSION, size, target, Arc::default()).expect("there is room")
}

/// Asks for the bytes of a version of this size.
fn download(size: DeclaredSize) -> impl FnOnce(ContentNode) -> Result<(), NodeError> + Send {
	move |node| {
		let dir = TempDir::new().expect("temporary directories can be made; qed");
		begin(&dir, size).fetch(&node, CLAIM, Speed::Lax)
	}
}

fn requester() -> Requester {
	let (signer, to) = (Arc::new(dev::charlie().into()), Receiver::Node(NodeId([2; 10])));
	Requester::new(signer, [1; 32], to, TenantId([3; 10]))
}

/// Uploads a file of this module.
fn upload(node: ContentNode) -> Result<(), NodeError> {
	let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into();
	let upload = Upload { path, version: VERSION, size: 10, begun: false };
	node.upload(&upload, &Uploading::default(), Duration::ZERO, &requester())
}

fn status(node: ContentNode) -> Result<Status, NodeError> {
	let runtime = tokio::runtime::Builder::new_current_thread().build();
	runtime.expect("a runtime can be made; qed").block_on(node.status())
}

#[test]
fn an_error_whose_body_drips_is_known_by_its_status() {
	let patience = Patience { failure: SHORT, ..PATIENT };
	let known = |error| matches!(error, NodeError::Refused { status: 500, .. });
	assert!(known(error_of(patience, (ERROR, "x"), status)));
	assert!(known(error_of(patience, (ERROR, "x"), upload)));
	for size in [DeclaredSize::Exactly(1 << 20), DeclaredSize::AtMost(u64::MAX)] {
		assert!(known(error_of(patience, (ERROR, "x"), download(size))), "{size:?}");
	}
}

#[test]
fn an_answer_whose_head_or_json_drips_is_not_waited_for() {
	let patience = Patience { answer: SHORT, bytes: SHORT, ..PATIENT };
	let head = ("HTTP/1.1 200 OK\r\nX: ", "x");
	for error in [
		error_of(patience, head, status),
		error_of(patience, head, upload),
		error_of(patience, head, download(DeclaredSize::Exactly(9))),
		error_of(patience, ("", "HTTP/1.1 100 Continue\r\n\r\n"), status),
	] {
		assert!(matches!(error, NodeError::Unreachable { .. } | NodeError::Slow { .. }), "{error}");
	}
	// The head of the answer has the same time.
	let patience = Patience { answer: 5 * SHORT, ..PATIENT };
	let error = error_of(patience, ("HTTP/1.1 200 OK\r\n\r\n", " "), status);
	assert!(matches!(error, NodeError::Wrong { .. }), "{error}");
	assert!(error.to_string().ends_with("the time is over"), "{error}");
}

#[test]
fn a_version_whose_bytes_drip_is_left_however_they_are_framed() {
	let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
	let trailers = format!("{chunked}1\r\nx\r\n0\r\n");
	for drip in [
		("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n", "x"),
		("HTTP/1.1 200 OK\r\n\r\n", "x"),
		(chunked, "1\r\nx\r\n"),
		(chunked, " "),
		(&trailers, "a: b\r\n"),
	] {
		let lax = Least { window: SHORT, ..Least::LAX };
		let patience = Patience { lax, ..PATIENT };
		let error = error_of(patience, drip, download(DeclaredSize::Exactly(1 << 20)));
		assert!(matches!(error, NodeError::Slow { .. }), "{drip:?}: {error}");
		assert_eq!(error.to_string(), "it sends less than 16,384 bytes in 1 second");
	}
}

#[test]
fn a_slow_node_is_left_while_others_may_have_the_bytes_and_they_stay() {
	let dir = TempDir::new().expect("temporary directories can be made; qed");
	let begin = || begin(&dir, DeclaredSize::Exactly(1 << 20));
	let mut slow = begin();
	// More than is expected of the last node, and less than of the others.
	let head = "HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n";
	let head = format!("{head}{}", "x".repeat(100 << 10));
	let (second, long) = (Duration::from_secs(1), DEADLINE);
	let patience = Patience {
		brisk: Least { window: second, ..Least::BRISK },
		lax: Least { window: long, ..Least::LAX },
		..Patience::default()
	};
	let node = ContentNode::patient(dripping(&head, "x"), patience);
	let error = slow.fetch(&node, CLAIM, Speed::Brisk).expect_err("it is slow");
	assert_eq!(error.to_string(), "it sends less than 327,680 bytes in 1 second");
	let NodeError::Slow { arrived, .. } = error else { panic!("{error}") };
	let length = slow.length();
	assert!(arrived >= 100 << 10 && length >= arrived, "{arrived} {length}");
	drop(slow);
	assert_eq!(begin().length(), length, "the bytes stay");
}

#[test]
fn an_answer_about_what_has_arrived_is_not_waited_for_as_a_commit_is() {
	let patience = Patience { bytes: Duration::from_secs(1), ..Patience::default() };
	assert!(patience.answer >= DEADLINE);
	for head in ["HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"] {
		let (sender, receiver) = mpsc::channel();
		let node = ContentNode::patient(dripping(head, " "), patience);
		thread::spawn(move || sender.send(node.arrived(VERSION).err()));
		let half = DEADLINE / 2;
		let error = receiver.recv_timeout(half).expect("the client does not wait for the server");
		assert!(matches!(error, Some(NodeError::Unreachable { .. } | NodeError::Wrong { .. })));
	}
}

/// Answers each request with the next of these answers. Returns the URL, and the heads of the
/// requests.
fn answering(answers: Vec<String>) -> (IndexUrl, mpsc::Receiver<String>) {
	let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port; qed");
	let url = format!("http://{}", listener.local_addr().expect("it is bound; qed"));
	let (sender, receiver) = mpsc::channel();
	thread::spawn(move || {
		for answer in answers {
			let (mut stream, _) = listener.accept().expect("it listens; qed");
			let (mut head, mut byte) = (Vec::new(), [0]);
			while !head.ends_with(b"\r\n\r\n") && stream.read_exact(&mut byte).is_ok() {
				head.push(byte[0]);
			}
			// The file that is uploaded has this many bytes.
			let _ = stream.read_exact(&mut [0; 10]);
			let _ = sender.send(String::from_utf8_lossy(&head).into_owned());
			let head =
				format!("HTTP/1.1 {answer}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
			let _ = stream.write_all(head.as_bytes());
		}
	});
	(url.parse().expect("it is a URL; qed"), receiver)
}

#[test]
fn a_request_that_is_refused_for_its_time_is_sent_once_more_by_the_clock_of_the_node() {
	let now = wall_clock() / 1_000_000;
	let refusal = |time: u64| {
		format!("401 Unauthorized\r\nWWW-Authenticate: Fabric time=\"{}\"", Until::new(time))
	};
	let until = |head: &str| {
		let line = head.lines().find_map(|line| line.strip_prefix("authorization: "));
		line.and_then(|line| line.parse::<Authorization>().ok()).expect("it is signed").until
	};
	let (late, created) = (refusal(now + 7_200), || "201 Created".to_owned());
	for (answers, sent, is_taken) in [
		(vec![created()], 1, true),
		(vec![late.clone(), created()], 2, true),
		(vec![refusal(now - 7_200), created()], 2, true),
		(vec![late.clone(), late.clone(), created()], 2, false),
		// The time is not what is wrong, or is not said, or is of another day.
		(vec![refusal(now), created()], 1, false),
		(vec!["401 Unauthorized".to_owned(), created()], 1, false),
		(vec![refusal(now + 90_000), created()], 1, false),
	] {
		let last = answers[..sent].last().cloned();
		let (url, heads) = answering(answers);
		let taken = upload(ContentNode::patient(url, PATIENT));
		match (&taken, is_taken) {
			(Ok(()), true) => {},
			(Err(error @ NodeError::Unauthorized { .. }), false) => {
				assert!(error.is_lasting() && !error.is_transient(), "{error}");
			},
			_ => panic!("{last:?}: {taken:?}"),
		}
		let heads: Vec<_> = heads.try_iter().collect();
		assert_eq!(heads.len(), sent, "{last:?}");
		let ends: Vec<_> = heads.iter().map(|head| until(head).seconds()).collect();
		let is_near = |seconds: u64, expected: u64| seconds.abs_diff(expected) < 120;
		assert!(is_near(ends[0], now + 1_800), "{ends:?}");
		if sent == 2 {
			assert!(ends[1].abs_diff(ends[0]) > 7_000, "{ends:?}");
		}
	}
}

#[test]
fn a_version_of_unknown_size_is_bounded() {
	for head in ["Content-Length: 9000\r\n\r\n", "Content-Length: 12\r\n\r\n123456789012", "\r\n"] {
		let head = format!("HTTP/1.1 200 OK\r\n{head}");
		let size = DeclaredSize::AtMost(u64::MAX).bounded(10);
		let error = error_of(PATIENT, (&head, "x"), download(size));
		assert!(matches!(error, NodeError::OtherBytes(_)), "{head}: {error}");
		assert!(error
			.to_string()
			.ends_with("at most 10 bytes are taken of a version of unknown size"));
	}
	assert_eq!(DeclaredSize::Exactly(20).bounded(10), DeclaredSize::Exactly(20));
}

#[test]
fn a_download_of_a_server_keeps_to_public_addresses_and_to_its_meter() {
	let dir = TempDir::new().expect("temporary directories can be made; qed");
	let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";
	let fetch = |private, meter: Meter| {
		let access = Access { private, meter, time: Duration::from_secs(60) };
		let node = ContentNode::with_access(dripping(head, "x"), &access);
		let error = begin(&dir, DeclaredSize::Exactly(100_000)).fetch(&node, CLAIM, Speed::Lax);
		error.expect_err("it is not the version; qed")
	};
	let refused = fetch(false, Arc::new(|_, _| Ok(())));
	assert!(matches!(refused, NodeError::Unreachable { .. }), "{refused}");
	let ended = fetch(
		true,
		Arc::new(|version, bytes| match (version, bytes) {
			(VERSION, 1..) => Err(NodeError::Interrupted),
			_ => Ok(()),
		}),
	);
	assert!(matches!(ended, NodeError::Interrupted), "{ended}");
}
