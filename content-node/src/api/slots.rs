// SPDX-License-Identifier: Apache-2.0
//! Limits of what clients do at the same time: all of them together, and each of them.

use std::{
	collections::HashMap,
	net::{IpAddr, Ipv6Addr},
	sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Places for connections or uploads, counted in all and for each client.
#[derive(Debug)]
pub struct Slots {
	most: usize,
	most_each: usize,
	taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
	all: usize,
	/// By client. None of them is 0.
	each: HashMap<IpAddr, usize>,
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub struct Slot(Arc<Slots>, IpAddr);

impl Slots {
	/// Creates `most` places. One client can take `most_each` of them.
	pub fn new((most, most_each): (usize, usize)) -> Arc<Self> {
		Arc::new(Self { most, most_each, taken: Mutex::default() })
	}

	/// Takes a place. `None` if all of them, or all of the client, are taken.
	pub fn take(self: &Arc<Self>, client: IpAddr) -> Option<Slot> {
		let client = network(client);
		let mut taken = self.lock();
		let own = taken.each.get(&client).copied().unwrap_or_default();
		if taken.all >= self.most || own >= self.most_each {
			return None;
		}
		taken.all += 1;
		taken.each.insert(client, own + 1);
		Some(Slot(self.clone(), client))
	}

	/// Returns the number of places that are taken.
	pub fn taken(&self) -> usize {
		self.lock().all
	}

	fn lock(&self) -> MutexGuard<'_, Taken> {
		// No code panics while it holds this lock.
		self.taken.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

impl Drop for Slot {
	fn drop(&mut self) {
		let mut taken = self.0.lock();
		taken.all = taken.all.saturating_sub(1);
		match taken.each.remove(&self.1) {
			Some(own) if own > 1 => _ = taken.each.insert(self.1, own - 1),
			_ => {},
		}
	}
}

/// Returns the part of an address that its client cannot choose: all of IPv4, and the first 64 bits
/// of IPv6.
fn network(client: IpAddr) -> IpAddr {
	match client {
		IpAddr::V4(_) => client,
		IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
	}
}
