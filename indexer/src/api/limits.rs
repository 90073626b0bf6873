// SPDX-License-Identifier: Apache-2.0
//! Limits of the server.

use std::{num::NonZeroU32, time::Duration};

/// Limits of the server. Addresses are the remote ends of connections; of IPv6 ones, the first half
/// counts.
#[derive(Clone, Debug)]
pub struct Limits {
	/// Requests a second, by address, on average.
	pub rate: NonZeroU32,
	/// Requests at once, by address.
	pub burst: NonZeroU32,
	/// Reads of the index at the same time.
	pub reads: usize,
	/// Reads of the index at the same time, by address.
	pub reads_each: usize,
	/// Longest time of a read.
	pub read_time: Duration,
	/// Longest wait of a read for others to end.
	pub read_wait: Duration,
	/// Readers of the feed.
	pub feeds: usize,
	/// Readers of the feed, by address.
	pub feeds_each: usize,
	/// Time between two `head` messages of the feed.
	pub head_interval: Duration,
	/// Connections.
	pub http: content_fabric_http_server::Limits,
	/// Largest length of the URI of a request, in bytes.
	pub uri: usize,
	/// Largest number of final blocks by which a ready index may be behind its node.
	pub ready_behind: u64,
}

impl Default for Limits {
	fn default() -> Self {
		let number = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
		Self {
			rate: number(50),
			burst: number(200),
			reads: 64,
			reads_each: 16,
			read_time: Duration::from_secs(2),
			read_wait: Duration::from_secs(2),
			feeds: 1_000,
			feeds_each: 20,
			head_interval: Duration::from_secs(5),
			http: content_fabric_http_server::Limits::default(),
			uri: 8 << 10,
			ready_behind: 10,
		}
	}
}
