// SPDX-License-Identifier: Apache-2.0
//! Groups with their proof: `/v1/versions/{id}/verified`.

use bao_tree::{
	io::{
		outboard::PreOrderMemOutboard,
		sync::{encode_ranges_validated, DecodeResponseIter},
		BaoContentItem,
	},
	BaoTree, BlockSize, ChunkNum, ChunkRanges,
};

use super::{
	outboards::{content, Answer, Kind},
	*,
};

const GROUPS: BlockSize = BlockSize::from_chunk_log(4);

/// Returns the chunks of the groups from one up to and without another, of 16 KiB each.
fn chunks(first: u64, end: u64) -> ChunkRanges {
	ChunkRanges::from(ChunkNum(first * 16)..ChunkNum(end * 16))
}

/// Checks that an answer is the encoding of the groups of a part, which decodes.
fn assert_proves(answer: &Answer, bytes: &[u8], first: u64, last: u64) {
	let (from, to) = (first >> 14, (last >> 14) + 1);
	let ranges = chunks(from, to);
	let outboard = PreOrderMemOutboard::create(bytes, GROUPS);
	let mut expected = Vec::new();
	encode_ranges_validated(bytes, &outboard, &ranges, &mut expected).expect("it encodes");
	assert!(answer.body == expected, "{first} to {last} of {}: {}", bytes.len(), answer.head);
	let tree = BaoTree::new(bytes.len() as u64, GROUPS);
	let root = id_of(bytes).0.into();
	let mut found = Vec::new();
	for item in DecodeResponseIter::new(root, tree, &answer.body[..], &ranges) {
		if let BaoContentItem::Leaf(leaf) = item.expect("it decodes") {
			assert_eq!(leaf.offset, (from << 14) + found.len() as u64);
			found.extend_from_slice(&leaf.data);
		}
	}
	let end = ((to << 14) as usize).min(bytes.len());
	assert!(found == bytes[(from << 14) as usize..end]);
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_decode_against_the_id_of_their_version_and_equal_another_encoding() {
	for kind in Kind::ALL {
		let node = kind.start().await;
		for (seed, length) in [
			1,
			1 << 14,
			(1 << 14) + 1,
			100_000,
			1 << 20,
			(1 << 20) + 1,
			5_000_003,
			8 << 20,
			(8 << 20) + 1,
			21_234_567,
		]
		.into_iter()
		.enumerate()
		{
			let bytes = content(seed as u64, length);
			let path = node.add(&bytes).await + "/verified";
			let size = length as u64;
			let answer = node.fetch("GET", &path, "").await;
			assert_eq!(answer.status, 200, "{}", answer.head);
			assert_proves(&answer, &bytes, 0, size - 1);
			// Places that follow from the seed.
			let place = |number: u64| {
				let seed = format!("{seed} {number}");
				let hash = VersionHasher::hash(HashKind::Blake3, seed.as_bytes());
				u64::from_le_bytes(hash.0[..8].try_into().expect("there are 32")) % size
			};
			let mut parts = vec![(0, 0), (size - 1, size - 1), (size / 2, size - 1)];
			parts.extend((0..9).map(|number| {
				let (first, last) = (place(2 * number), place(2 * number + 1));
				(first.min(last), first.max(last))
			}));
			for (first, last) in parts {
				let query = format!("{path}?first={first}&last={last}");
				let answer = node.fetch("GET", &query, "").await;
				assert_eq!(answer.status, 200, "{}", answer.head);
				assert_proves(&answer, &bytes, first, last);
			}
		}
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_are_answered_as_immutable_bytes_with_a_tag_of_their_own() {
	let node = Node::start().await;
	let bytes = content(1, 2_000_000);
	let path = node.add(&bytes).await + "/verified";
	let whole = node.fetch("GET", &path, "").await;
	let tag = list(&whole.head, "etag").pop_first().expect("there is one");
	assert_eq!(list(&whole.head, "cache-control"), names("public, max-age=31536000, immutable"));
	assert_eq!(list(&whole.head, "content-type"), names("application/octet-stream"));
	for absent in ["accept-ranges", "content-range", "vary", "transfer-encoding"] {
		assert!(!whole.head.contains(&format!("\n{absent}:")), "{}", whole.head);
	}
	let plain = node.fetch("GET", &super::path(id_of(&bytes)), "").await;
	assert_ne!(list(&plain.head, "etag"), names(&tag));
	// The same groups, whatever part of them was asked for. A range is ignored.
	for query in ["?first=0", "?last=9999999999999999999999", "?first=16383&last=1999999"] {
		let range = "Range: bytes=0-9\r\n";
		let answer = node.fetch("GET", &format!("{path}{query}"), range).await;
		assert_eq!((answer.status, list(&answer.head, "etag")), (200, names(&tag)), "{query}");
		assert!(answer.body == whole.body, "{query}");
	}
	let part = node.fetch("GET", &format!("{path}?first=16384&last=16384"), "").await;
	assert_ne!(list(&part.head, "etag"), names(&tag));
	// Seven parents above one of 123 groups, and the group.
	assert_eq!(part.body.len(), 7 * 64 + (16 << 10));
	let head = node.fetch("HEAD", &path, "").await;
	assert_eq!(list(&head.head, "content-length"), names(&whole.body.len().to_string()));
	assert_eq!((head.status, head.body.len()), (200, 0));
	for (headers, expected) in [
		(format!("If-None-Match: {tag}\r\n"), 304),
		("If-None-Match: \"x\"\r\n".into(), 200),
		("If-Match: \"x\"\r\n".into(), 412),
	] {
		assert_eq!(node.fetch("GET", &path, &headers).await.status, expected, "{headers}");
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_that_do_not_exist_are_refused() {
	let node = Node::start().await;
	let held = path(id_of(HELD)) + "/verified";
	let empty = path(id_of(EMPTY)) + "/verified";
	let sum = node.put(HashKind::Sha256, b"bytes with a sum").await + "/verified";
	for (path, query, expected, reason) in [
		(
			&held,
			"?first=x",
			400,
			"`first` is `x`, expected a whole number: the version has 19 bytes",
		),
		(&held, "?last=-1", 400, "`last` is `-1`, expected a whole number"),
		(&held, "?last=", 400, "`last` is ``, expected a whole number"),
		(&held, "?first", 400, "`first` is ``, expected a whole number"),
		(&held, "?first=%31", 400, "`first` is `%31`, expected a whole number"),
		(&held, "?first=19", 400, "`first` is 19, and the version has 19 bytes"),
		(&held, "?first=99999999999999999999", 400, "and the version has 19 bytes"),
		(
			&held,
			"?first=7&last=6",
			400,
			"`first` is 7, after `last`, which is 6: the version has 19",
		),
		(&held, "?first=1&first=2", 400, "`first` is given more than once"),
		(&held, "?start=1", 400, "`start` is not a parameter"),
		(&empty, "?first=0", 400, "`first` is 0, and the version has 0 bytes"),
		(&empty, "?last=0", 400, "the version has 0 bytes"),
		(&sum, "", 400, "is a sha-256 hash, which proves only the whole version"),
		(&(path(id_of(PROMISED)) + "/verified"), "", 404, "the node does not have"),
		(&"/v1/versions/x/verified".into(), "", 400, "is not an id"),
	] {
		let (status, _, body) = node.exchange("GET", &format!("{path}{query}"), "", b"").await;
		assert_eq!(status, expected, "{path}{query}: {body}");
		assert!(body.contains(reason), "{path}{query}: {body}");
	}
	for (path, query, length) in [
		(&empty, "", 0),
		(&held, "", 19),
		(&held, "?first=18&last=18", 19),
		(&held, "?&last=0&", 19),
	] {
		let answer = node.fetch("GET", &format!("{path}{query}"), "").await;
		assert_eq!((answer.status, answer.body.len()), (200, length), "{path}{query}");
	}
	assert_eq!(node.ask("PUT", &held, "", HELD).await.0, 405);
}
