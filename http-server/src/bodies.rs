// SPDX-License-Identifier: Apache-2.0
//! Memory for the bodies of requests and of answers. All bodies of a kind share one limit.

use std::{net::IpAddr, sync::Arc};

use axum::body::Bytes;

use crate::gate::{client_of, Gate, Pass};

/// Number of bytes of a body that take no place, so that clients cannot keep small bodies of others
/// out. All connections together have 32 MiB of them.
const FREE: usize = 16 << 10;
/// Number of bytes of a place, the unit in which further memory is taken.
const PLACE: usize = 64 << 10;

/// The memory that the bodies of requests share, or the bodies of answers.
#[derive(Clone, Debug)]
pub struct Bodies(Arc<Gate>);

/// Places that are taken, until it is dropped.
#[derive(Debug)]
pub struct Places {
	_passes: Vec<Pass>,
}

/// The bytes of an answer, with the places that they take.
struct Placed {
	bytes: Bytes,
	_places: Places,
}

/// The bytes of a body that have arrived. Dropping it frees its places.
#[derive(Debug)]
pub struct Buffer {
	bodies: Bodies,
	client: IpAddr,
	bytes: Vec<u8>,
	places: Vec<Pass>,
}

impl Bodies {
	/// Makes memory of `most` bytes, of which each client can take `most_each`. Both are rounded down
	/// to 64 KiB.
	pub fn new(most: usize, most_each: usize) -> Self {
		Self(Arc::new(Gate::new(most / PLACE, most_each / PLACE)))
	}

	/// Returns the number of bytes that are taken, without the free ones.
	pub fn taken(&self) -> usize {
		self.0.taken().saturating_mul(PLACE)
	}

	/// Takes the places for a body of this length. Returns `None` if there is no room.
	pub fn places(&self, client: IpAddr, length: u64) -> Option<Places> {
		let passes = (0..length.div_ceil(PLACE as u64)).map(|_| self.0.take(client_of(client)));
		passes.collect::<Option<_>>().map(|_passes| Places { _passes })
	}

	/// Makes an empty buffer for the body of a client. It takes no places yet.
	pub fn buffer(&self, client: IpAddr) -> Buffer {
		let (bodies, client) = (self.clone(), client_of(client));
		Buffer { bodies, client, bytes: Vec::new(), places: Vec::new() }
	}
}

impl Places {
	/// Keeps the places for as long as any part of the bytes is there.
	pub fn hold(self, bytes: Bytes) -> Bytes {
		Bytes::from_owner(Placed { bytes, _places: self })
	}
}

impl AsRef<[u8]> for Placed {
	fn as_ref(&self) -> &[u8] {
		&self.bytes
	}
}

impl Buffer {
	/// Appends bytes. Returns `false`, and changes nothing, if there is no room for them.
	pub fn append(&mut self, bytes: &[u8]) -> bool {
		let length = self.bytes.len().saturating_add(bytes.len());
		let counted = length.saturating_sub(FREE);
		let mut needed = counted.div_ceil(PLACE).saturating_sub(self.places.len());
		if needed > 0 {
			// Doubles the places, so that not every step moves the bytes.
			needed = needed.max(self.places.len());
		}
		let more = (0..needed).map(|_| self.bodies.0.take(self.client));
		let Some(more) = more.collect::<Option<Vec<_>>>() else { return false };
		self.places.extend(more);
		let room = self.places.len().saturating_mul(PLACE).saturating_add(FREE);
		if length > self.bytes.capacity() {
			self.bytes.reserve_exact(room.saturating_sub(self.bytes.len()));
		}
		self.bytes.extend_from_slice(bytes);
		true
	}

	/// Returns the bytes.
	pub fn bytes(&self) -> &[u8] {
		&self.bytes
	}

	/// Takes the bytes with their places, and leaves the buffer empty.
	pub fn take(&mut self) -> Self {
		let empty = self.bodies.buffer(self.client);
		std::mem::replace(self, empty)
	}
}

impl AsRef<[u8]> for Buffer {
	fn as_ref(&self) -> &[u8] {
		&self.bytes
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Returns memory of 32 MiB, of which a client can take 8 MiB.
	fn memory() -> Bodies {
		Bodies::new(32 << 20, 8 << 20)
	}

	fn address(last: u8) -> IpAddr {
		[127, 0, 0, last].into()
	}

	#[test]
	fn bodies_take_what_has_arrived_up_to_the_share_of_a_client_and_the_bound_of_all() {
		let bodies = memory();
		let mut all = Vec::new();
		for client in 1..=5 {
			let mut buffer = bodies.buffer(address(client));
			while buffer.append(&[1; 1_000]) {}
			assert!(bodies.taken() + FREE * usize::from(client) >= buffer.bytes().len());
			all.push(buffer);
		}
		let lengths: Vec<_> = all.iter().map(|buffer| buffer.bytes().len()).collect();
		assert!(lengths[..4].iter().all(|length| *length > (8 << 20) - PLACE), "{lengths:?}");
		assert!(lengths.iter().sum::<usize>() <= (32 << 20) + 5 * FREE, "{lengths:?}");
		// The free bytes alone.
		assert!((FREE - 1_000..=FREE).contains(&lengths[4]), "{lengths:?}");
		assert_eq!(bodies.taken(), 32 << 20);
		// A moved buffer keeps its places until it is dropped.
		let moved = all[0].take();
		assert_eq!((all[0].bytes().len(), bodies.taken()), (0, 32 << 20));
		drop(moved);
		assert!(all[4].append(&[1; 2 * PLACE]));
		drop(all);
		assert_eq!(bodies.taken(), 0);
	}

	#[test]
	fn small_bodies_keep_nobody_out() {
		let bodies = memory();
		let small: Vec<_> = (0..2_048)
			.map(|_| {
				let mut buffer = bodies.buffer(address(1));
				assert!(buffer.append(&[1; FREE]));
				buffer
			})
			.collect();
		assert_eq!((small.len(), bodies.taken()), (2_048, 0));
		assert!(bodies.buffer(address(1)).append(&vec![1; 1 << 20]));
	}

	#[test]
	fn answers_keep_their_places_until_the_last_part_of_them_is_gone() {
		let answers = memory();
		let take = |client| answers.places(address(client), (1 << 20) - 1);
		let mut bytes = take(1).expect("there is room").hold(Bytes::from_static(b"an answer"));
		let others: Vec<_> = std::iter::from_fn(|| take(1)).collect();
		assert_eq!((others.len(), answers.taken()), (7, 8 << 20));
		assert!(take(2).is_some());
		drop(others);
		let start = bytes.split_to(2);
		assert_eq!((&start[..], &bytes[..]), (&b"an"[..], &b" answer"[..]));
		drop(bytes);
		assert_eq!(answers.taken(), 1 << 20);
		drop(start);
		assert_eq!(answers.taken(), 0);
	}

	#[test]
	fn bytes_without_room_leave_a_buffer_as_it_was() {
		let bodies = memory();
		let mut buffer = bodies.buffer(address(1));
		assert!(buffer.append(b"start"));
		assert!(!buffer.append(&vec![0; 9 << 20]));
		assert_eq!((buffer.bytes(), bodies.taken()), (&b"start"[..], 0));
		assert!(buffer.append(b" and end"));
		assert_eq!(buffer.bytes(), b"start and end");
	}
}
