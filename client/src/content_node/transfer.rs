// SPDX-License-Identifier: Apache-2.0
//! Requests for the bytes of a version, and answers that must not come too slowly.

use std::{io, time::Instant};

use content_fabric_identifiers::VersionId;
use ureq::{http::Response, Body};

use super::{pace::Pace, ContentNode, NodeError, IDLE};
use crate::http::Arriving;

/// An answer whose head has arrived.
pub(super) struct Transfer<'a> {
	answer: Response<Body>,
	pace: &'a mut Pace,
}

/// The body of an answer.
pub(super) struct Bytes<'a> {
	body: Arriving,
	pace: &'a mut Pace,
	/// The last piece, and how much of it has been taken.
	piece: Vec<u8>,
	taken: usize,
}

impl<'a> Transfer<'a> {
	/// Asks for the bytes of a version from a byte to the end.
	pub(super) fn plain(
		node: &ContentNode,
		version: VersionId,
		from: u64,
		pace: &'a mut Pace,
	) -> Result<Self, NodeError> {
		let range = (from > 0).then(|| format!("bytes={from}-"));
		Self::begin(node, node.version_url(version), range, pace)
	}

	/// Asks for the groups that have these bytes, with the hashes that prove them.
	pub(super) fn verified(
		node: &ContentNode,
		version: VersionId,
		first: Option<u64>,
		last: Option<u64>,
		pace: &'a mut Pace,
	) -> Result<Self, NodeError> {
		let bounds = [("first", first), ("last", last)];
		let bounds: Vec<_> =
			bounds.into_iter().filter_map(|(name, at)| Some((name, at?.to_string()))).collect();
		let bounds: Vec<_> = bounds.iter().map(|(name, at)| (*name, at.as_str())).collect();
		let url = node.url.to(&["versions", &version.to_string(), "verified"], &bounds);
		Self::begin(node, url, None, pace)
	}

	fn begin(
		node: &ContentNode,
		url: String,
		range: Option<String>,
		pace: &'a mut Pace,
	) -> Result<Self, NodeError> {
		let mut request = node.agent.get(url);
		if let Some(range) = range {
			request = request.header("range", range);
		}
		let patience = pace.left().min(node.patience.bytes);
		let request = request.config().timeout_recv_response(Some(patience));
		let request = request.timeout_per_read(Some(IDLE)).build();
		let answer = node.answered(timed(pace, || (request.call(), 0)))?;
		Ok(Self { answer, pace })
	}

	/// Returns whether the answer is the rest from a byte.
	pub(super) fn begins_at(&self, at: u64) -> bool {
		let range = self.answer.headers().get("content-range");
		let range = range.and_then(|value| value.to_str().ok());
		let begins = format!("bytes {at}-");
		self.answer.status().as_u16() == 206
			&& range.is_some_and(|range| range.starts_with(&begins))
	}

	/// Returns the length that the node announces.
	pub(super) fn announced(&self) -> Option<u64> {
		self.answer.body().content_length()
	}

	/// Begins to read the body, of which no more than `limit` bytes count.
	pub(super) fn body(self, limit: u64) -> io::Result<Bytes<'a>> {
		let body = Arriving::new(self.answer.into_body(), limit)?;
		Ok(Bytes { body, pace: self.pace, piece: Vec::new(), taken: 0 })
	}
}

impl Bytes<'_> {
	/// Returns the next bytes, or none at the end.
	pub(super) fn next(&mut self) -> io::Result<Vec<u8>> {
		let patience = self.pace.left();
		timed(self.pace, || {
			let piece = self.body.next(patience);
			let length = piece.as_ref().map_or(0, Vec::len);
			(piece, u64::try_from(length).unwrap_or(u64::MAX))
		})
	}

	/// Puts the next bytes into `bytes`, exactly this many.
	pub(super) fn exactly(&mut self, length: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
		bytes.clear();
		while bytes.len() < length {
			if self.taken == self.piece.len() {
				(self.piece, self.taken) = (self.next()?, 0);
				if self.piece.is_empty() {
					let reason = "the connection was closed";
					return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
				}
			}
			let end = self.piece.len().min(self.taken + length - bytes.len());
			bytes.extend_from_slice(self.piece.get(self.taken..end).unwrap_or_default());
			self.taken = end;
		}
		Ok(())
	}
}

/// Waits for a read from a node, which returns the number of bytes that have arrived.
fn timed<T>(pace: &mut Pace, wait: impl FnOnce() -> (T, u64)) -> T {
	let start = Instant::now();
	let (awaited, bytes) = wait();
	pace.count(start.elapsed(), bytes);
	awaited
}
