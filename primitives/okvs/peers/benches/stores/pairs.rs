// SPDX-License-Identifier: Apache-2.0
//! The pairs that all stores hold.

use std::{ops::Bound, sync::LazyLock};

use rand::{rngs::SmallRng, RngCore, SeedableRng};

pub const CHILDREN: u32 = 100;
/// Number of bytes of a value.
pub const VALUE: usize = 100;

pub type Key = [u8; 23];
pub type Pair = (Key, &'static [u8]);

/// Random bytes that the values are cut out of. A store that compresses its blocks gains nothing
/// from them.
static NOISE: LazyLock<Vec<u8>> = LazyLock::new(|| {
	let mut noise = vec![0; 1 << 16];
	SmallRng::seed_from_u64(7).fill_bytes(&mut noise);
	noise
});

/// The keys of the children of a parent: those from `start` up to, and without, `end`.
pub struct Family {
	/// The bytes that the keys of all children begin with.
	pub start: [u8; 17],
	/// The first key after them.
	pub end: [u8; 17],
}

impl Family {
	pub fn bounds(&self) -> (Bound<&[u8]>, Bound<&[u8]>) {
		(Bound::Included(&self.start), Bound::Excluded(&self.end))
	}
}

pub fn family(parent: u32) -> Family {
	let mut start = *b"parent/____/child";
	// Neighbours in number are spread over the keys, as the steps of a benchmark are in no order.
	start[7..11].copy_from_slice(&parent.wrapping_mul(0x9e37_79b1).to_be_bytes());
	let mut end = start;
	end[16] += 1;
	Family { start, end }
}

fn child(parent: u32, child: u32) -> Key {
	let mut key = [0; 23];
	key[..17].copy_from_slice(&family(parent).start);
	key[19..].copy_from_slice(&child.to_be_bytes());
	key
}

pub fn key(number: u32) -> Key {
	child(number / CHILDREN, number % CHILDREN)
}

/// Returns a key that no store holds, of a child which a parent does not have.
pub fn absent(number: u32) -> Key {
	child(number / CHILDREN, CHILDREN + number % CHILDREN)
}

pub fn value(number: u32) -> &'static [u8] {
	let start = number.wrapping_mul(0x85eb_ca6b) as usize % (NOISE.len() - VALUE);
	&NOISE[start..start + VALUE]
}

/// Returns the pairs from a number on.
pub fn pairs(numbers: std::ops::Range<u32>) -> impl Iterator<Item = Pair> {
	numbers.map(|number| (key(number), value(number)))
}

pub fn children(parent: u32) -> impl Iterator<Item = Pair> {
	pairs(parent * CHILDREN..(parent + 1) * CHILDREN)
}

/// Returns a closure that returns numbers below a limit, in no order, the same ones in each run.
pub fn numbers(limit: u32) -> impl FnMut() -> u32 {
	let mut random = SmallRng::seed_from_u64(12);
	move || ((u64::from(random.next_u32()) * u64::from(limit)) >> 32) as u32
}
