// SPDX-License-Identifier: Apache-2.0
//! The hash tree of versions, compared with BLAKE3 itself and another implementation of the encoding.

use bao_tree::{
	io::{outboard::PreOrderMemOutboard, sync::encode_ranges_validated},
	BlockSize, ChunkNum, ChunkRanges,
};
use content_fabric_content_node::tree::{encode_part, fold, hashes, Builder, Tree, BLOCK, GROUP};
use content_fabric_identifiers::{HashKind, VersionHasher};
use proptest::prelude::*;

fn content(length: usize) -> Vec<u8> {
	(0..length as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

#[test]
fn an_outboard_proves_every_block_up_to_the_id() {
	let block = (BLOCK * GROUP) as usize;
	for length in [
		GROUP as usize + 1,
		5 * GROUP as usize - 7,
		block - 1,
		block,
		block + 1,
		2 * block + 3 * GROUP as usize,
	] {
		let bytes = content(length);
		let (mut builder, mut outboard) = (Builder::default(), Vec::new());
		// In pieces of any length.
		for piece in bytes.chunks(77_777) {
			builder.update(piece);
			outboard.extend(builder.take());
		}
		let (root, rest) = builder.finish();
		outboard.extend(rest);
		assert_eq!(root, VersionHasher::hash(HashKind::Blake3, &bytes).0, "{length}");
		let tree = Tree { size: length as u64 };
		assert_eq!(outboard.len() as u64, tree.outboard(), "{length}");
		let at = |level, index| {
			let part = tree.block(level, index);
			hashes(&outboard[part.start as usize..part.end as usize])
		};
		let top = tree.top();
		assert_eq!((top, fold(&at(top, 0), true)), (usize::from(length > block), root), "{length}");
		for index in (0..tree.groups().div_ceil(BLOCK)).filter(|_| top == 1) {
			assert_eq!(fold(&at(0, index), false), at(1, 0)[index as usize], "{length}");
		}
	}
}

#[test]
fn the_outboard_of_a_large_version_is_in_three_levels() {
	// 2^27 groups, 2^18 blocks, 2^9 blocks of blocks.
	let tree = Tree { size: 1 << 41 };
	assert_eq!((tree.groups(), tree.top()), (1 << 27, 2));
	assert_eq!(tree.outboard(), ((1 << 27) + (1 << 18) + (1 << 9)) * 32);
	assert_eq!(tree.block(1, 3), ((1 << 27) + 3 * 512) * 32..((1 << 27) + 4 * 512) * 32);
	assert_eq!(tree.block(2, 0).end, tree.outboard());
	assert_eq!(Tree::above(1, &(511..513)), 0..2);
	// One byte more begins a level.
	assert_eq!(Tree { size: (1 << 41) + 1 }.top(), 3);
	// A way from the root to the last group.
	let last = tree.groups() - 1..tree.groups();
	assert_eq!(tree.encoded(&last), 27 * 64 + GROUP);
	assert_eq!(tree.encoded(&(0..1 << 27)), ((1 << 27) - 1) * 64 + (1 << 41));
	assert_eq!(Tree { size: u64::MAX }.top(), 5);
}

proptest! {
	#![proptest_config(ProptestConfig::with_cases(200))]

	#[test]
	fn encodings_are_those_of_another_implementation(
		length in 1..900_000usize,
		a in any::<prop::sample::Index>(),
		b in any::<prop::sample::Index>(),
	) {
		let bytes = content(length);
		let tree = Tree { size: length as u64 };
		let count = tree.groups() as usize;
		let (a, b) = (a.index(count) as u64, b.index(count) as u64);
		let groups = a.min(b)..a.max(b) + 1;
		let encoded = encode_part(&bytes, &groups);
		prop_assert_eq!(encoded.len() as u64, tree.encoded(&groups));
		let outboard = PreOrderMemOutboard::create(&bytes, BlockSize::from_chunk_log(4));
		let ranges = ChunkRanges::from(ChunkNum(groups.start * 16)..ChunkNum(groups.end * 16));
		let mut expected = Vec::new();
		encode_ranges_validated(&bytes[..], &outboard, &ranges, &mut expected).expect("it encodes");
		prop_assert!(encoded == expected);
	}
}
