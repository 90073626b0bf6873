// SPDX-License-Identifier: Apache-2.0
//! The rate of requests of each client, or of each account.

use std::{
	hash::Hash,
	net::IpAddr,
	num::NonZeroU32,
	sync::atomic::{AtomicU64, Ordering},
	time::Instant,
};

use governor::{
	clock::{Clock, DefaultClock},
	state::keyed::DashMapStateStore,
	Quota, RateLimiter,
};

/// Number of seconds after which clients that have sent nothing for a while are forgotten.
const FORGET: u64 = 60;

/// A limit of the requests of each client, which is an address or another key.
#[derive(Debug)]
pub struct Rate<Key: Clone + Eq + Hash = IpAddr> {
	limiter: RateLimiter<Key, DashMapStateStore<Key>, DefaultClock>,
	clock: DefaultClock,
	since: Instant,
	/// Number of times that clients could have been forgotten.
	forgotten: AtomicU64,
}

impl<Key: Clone + Eq + Hash> Rate<Key> {
	/// Allows each client so many requests a second on average, and so many at once.
	pub fn new(each_second: NonZeroU32, at_once: NonZeroU32) -> Self {
		let quota = Quota::per_second(each_second).allow_burst(at_once);
		Self {
			limiter: RateLimiter::dashmap(quota),
			clock: DefaultClock::default(),
			since: Instant::now(),
			forgotten: AtomicU64::new(0),
		}
	}

	/// Counts a request. If its client sends too many, returns the number of seconds to wait.
	pub fn count(&self, client: Key) -> Result<(), u64> {
		let now = self.since.elapsed().as_secs() / FORGET;
		if self.forgotten.swap(now, Ordering::Relaxed) != now {
			self.limiter.retain_recent();
			self.limiter.shrink_to_fit();
		}
		self.limiter
			.check_key(&client)
			.map_err(|until| until.wait_time_from(self.clock.now()).as_secs().saturating_add(1))
	}
}
