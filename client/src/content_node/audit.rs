// SPDX-License-Identifier: Apache-2.0
//! Audits: short requests that check that a content node has the bytes that it says it holds.

use std::{
	io,
	sync::Arc,
	time::{Duration, Instant},
};

use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};
use ureq::{unversioned::transport::DefaultConnector, Agent};

use super::{
	groups::GROUP,
	pace::{Least, Pace},
	transfer::Transfer,
	Claim, ContentNode, Download, NodeError, Patience, Span, Speed, Status,
};
use crate::{
	http::{config, Addresses, Arriving},
	profile::IndexUrl,
	text::{count, other_hash},
};

/// Largest number of groups that an audit asks for.
const GROUPS: u64 = 4;
/// Largest number of bytes of a version that an audit reads whole, because nothing proves a part.
const MAX_WHOLE: u64 = 1 << 20;
/// Largest number of bytes of the head of an answer.
const HEAD: usize = 8 << 10;
/// Largest number of bytes of the status of a node.
const STATUS: u64 = 16 << 10;

/// Bytes of a version that an audit asks for.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
	version: VersionId,
	hash: HashKind,
	span: Span,
}

impl Sample {
	/// Returns the bytes that a random number selects: at most four groups of 16 KiB of a BLAKE3
	/// version, or all bytes of a SHA-256 version of at most 1 MiB. `None` for other versions: they
	/// cannot be audited.
	pub fn of(version: VersionId, claim: Claim, random: u64) -> Option<Self> {
		let Claim { hash, size } = claim;
		let size = size?;
		let span = match hash {
			HashKind::Blake3 => {
				let first = random % size.div_ceil(GROUP).max(1) * GROUP;
				let end = first.saturating_add(GROUPS * GROUP).min(size);
				Span { first, last: end.saturating_sub(1), size }
			},
			HashKind::Sha256 if size <= MAX_WHOLE => Span::whole(size),
			HashKind::Sha256 => return None,
		};
		Some(Self { version, hash, span })
	}

	/// Returns the version.
	pub fn version(&self) -> VersionId {
		self.version
	}
}

/// An audit of a content node whose locator a stranger may have chosen. All its requests together
/// have a time limit. They follow no redirect, and read no more than they ask for.
pub struct Audit {
	url: IndexUrl,
	private: bool,
	begun: Instant,
	time: Duration,
}

impl Audit {
	/// Begins an audit that ends within a time. `private` lets it connect to any address, also in
	/// the own network.
	pub fn begin(url: IndexUrl, private: bool, time: Duration) -> Self {
		Self { url, private, begun: Instant::now(), time }
	}

	/// Returns whether an error came when the time was over, or nearly: timeouts are not exact.
	pub fn is_late(&self) -> bool {
		self.begun.elapsed() >= self.time - self.time / 16
	}

	/// Checks that the server is the content node with these ids. Blocks.
	pub fn identity(&self, expected: Status) -> Result<(), NodeError> {
		let node = self.node()?;
		let answer = node.agent.get(node.url.to(&["status"], &[])).call();
		let body = Arriving::new(node.answered(answer)?.into_body(), STATUS);
		let body = body.and_then(|body| body.all(self.left()));
		let body = body.map_err(|error| match ureq::Error::from(error) {
			error @ ureq::Error::BodyExceedsLimit(_) => node.malformed(&error),
			error => NodeError::Cut { arrived: 0, reason: error.to_string() },
		})?;
		let found: Status =
			serde_json::from_slice(&body).map_err(|error| node.malformed(&error))?;
		match found == expected {
			true => Ok(()),
			false => Err(node.wrong(format!("is the node {} of {}", found.node, found.provider))),
		}
	}

	/// Has the server send bytes of a version, and verifies them. Blocks.
	pub fn bytes(&self, sample: Sample) -> Result<(), NodeError> {
		let Sample { version, hash, span } = sample;
		let node = self.node()?;
		match hash {
			HashKind::Blake3 => {
				let (name, out) = (version.to_string().into(), Box::new(io::sink()));
				let mut download = Download::stream(version, span, name, out, Arc::default());
				download.fetch(&node, Claim { hash, size: Some(span.size) }, Speed::Lax)
			},
			HashKind::Sha256 => whole(&node, version, span.size),
		}
	}

	fn left(&self) -> Duration {
		self.time.saturating_sub(self.begun.elapsed())
	}

	/// Returns a client that has the rest of the time for each of its requests.
	fn node(&self) -> Result<ContentNode, NodeError> {
		let (left, private) = (self.left(), self.private);
		if left.is_zero() {
			return Err(NodeError::Slow { arrived: 0, least: 1, window: self.time });
		}
		let least = Least { bytes: u64::MAX, window: left };
		let [answer, bytes, failure] = [left; 3];
		let patience = Patience { answer, bytes, failure, brisk: least, lax: least };
		let config = config(self.url.is_encrypted())
			.timeout_global(Some(left))
			.max_response_header_size(HEAD)
			.max_idle_connections(0);
		let addresses = Addresses::new(private);
		let agent = Agent::with_parts(config.build(), DefaultConnector::default(), addresses);
		Ok(ContentNode { agent, url: self.url.clone(), patience, meter: None, time: Some(left) })
	}
}

/// Reads a SHA-256 version of a size.
fn whole(node: &ContentNode, version: VersionId, size: u64) -> Result<(), NodeError> {
	let expected = count(size, "byte", "bytes");
	let other = |found: &str| NodeError::OtherBytes(format!("{found}, not {expected}"));
	let cut = |error: io::Error| NodeError::Cut { arrived: 0, reason: error.to_string() };
	let mut pace = Pace::new(node.patience.lax);
	let transfer = Transfer::plain(node, version, 0, &mut pace)?;
	if let Some(found) = transfer.announced().filter(|found| *found != size) {
		return Err(other(&count(found, "byte", "bytes")));
	}
	// One byte more shows an answer that is too long.
	let mut body = transfer.body(size.saturating_add(1)).map_err(cut)?;
	let mut check = VersionCheck::new(version, [HashKind::Sha256]);
	let mut arrived = 0;
	while arrived <= size {
		let bytes = body.next().map_err(cut)?;
		if bytes.is_empty() {
			break;
		}
		arrived += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
		check.update(&bytes);
	}
	match arrived == size {
		true if check.found().is_some() => Ok(()),
		true => Err(NodeError::OtherBytes(format!("bytes with {}", other_hash(&check)))),
		false if arrived > size => Err(other("more")),
		false => Err(NodeError::Cut { arrived, reason: "the connection was closed".into() }),
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const VERSION: VersionId = VersionId([7; 32]);

	fn span(hash: HashKind, size: Option<u64>, random: u64) -> Option<(u64, u64)> {
		let sample = Sample::of(VERSION, Claim { hash, size }, random);
		sample.map(|sample| (sample.span.first, sample.span.last))
	}

	#[test]
	fn a_sample_is_a_few_groups_from_any_group_on() {
		for (size, random, expected) in [
			(0, 5, (0, 0)),
			(1, 5, (0, 0)),
			(GROUP, 5, (0, GROUP - 1)),
			(GROUP + 1, 5, (GROUP, GROUP)),
			(10 * GROUP, 0, (0, 4 * GROUP - 1)),
			(10 * GROUP, 16, (6 * GROUP, 10 * GROUP - 1)),
			(10 * GROUP, 17, (7 * GROUP, 10 * GROUP - 1)),
			(10 * GROUP - 9, 19, (9 * GROUP, 10 * GROUP - 10)),
			(u64::MAX, u64::MAX, (u64::MAX % (1 << 50) * GROUP, u64::MAX - 1)),
		] {
			assert_eq!(
				span(HashKind::Blake3, Some(size), random),
				Some(expected),
				"{size} {random}"
			);
		}
		let firsts: std::collections::BTreeSet<_> = (0..100)
			.filter_map(|random| span(HashKind::Blake3, Some(10 * GROUP), random))
			.collect();
		assert_eq!(firsts.len(), 10);
	}

	#[test]
	fn versions_that_no_part_proves_are_read_whole_or_passed_over() {
		let whole = |size| span(HashKind::Sha256, size, 9);
		assert_eq!(whole(Some(0)), Some((0, 0)));
		assert_eq!(whole(Some(1 << 20)), Some((0, (1 << 20) - 1)));
		assert_eq!(whole(Some((1 << 20) + 1)), None);
		assert_eq!(whole(None), None);
		assert_eq!(span(HashKind::Blake3, None, 9), None);
	}
}
