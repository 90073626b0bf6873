// SPDX-License-Identifier: Apache-2.0
//! Downloads: into a file of its own, which is moved to its place when the hash is right.

use std::{
	io::{self, Read, Write},
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
	time::Instant,
};

use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};
use ureq::{http::Response, Body};

use super::{pace::Pace, ContentNode, NodeError, IDLE};
use crate::{
	folder::{Partial, Target},
	http::Arriving,
	text::{self, count},
};

/// Number of bytes of a file that are read at once.
const PIECE: usize = 256 << 10;
/// Largest number of times that one node may cut a download.
const CUTS: usize = 100;

/// A download, which several nodes may bring about. The bytes that have arrived stay for the next
/// download, and for the next run.
pub struct Download {
	check: VersionCheck,
	size: DeclaredSize,
	target: Target,
	partial: Partial,
	length: u64,
	/// Counts the bytes that are here.
	arrived: Arc<AtomicU64>,
}

/// The minimum speed of a node that sends the bytes of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
	/// 16 KiB a second, while another node may have them.
	Brisk,
	/// 16 KiB a minute, from the last node.
	Lax,
}

/// The size of a version, by the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredSize {
	/// All rows of the version declare this size.
	Exactly(u64),
	/// The largest of the sizes that rows declare, or the largest number if a row does not know it.
	AtMost(u64),
}

impl DeclaredSize {
	/// Returns the size of a version by the sizes in its rows. Some of them may be unknown. Anyone
	/// can commit a version with a wrong size, so sizes that differ only bound it.
	pub fn of(sizes: impl IntoIterator<Item = Option<u64>>) -> Self {
		let declared =
			sizes.into_iter().map(|size| size.map_or(Self::AtMost(u64::MAX), Self::Exactly));
		let joined = declared.reduce(|one, other| match one == other {
			true => one,
			false => Self::AtMost(one.limit().max(other.limit())),
		});
		joined.unwrap_or(Self::AtMost(u64::MAX))
	}

	/// Returns the most bytes that the version can have.
	pub fn limit(self) -> u64 {
		match self {
			Self::Exactly(size) | Self::AtMost(size) => size,
		}
	}

	/// Returns the size, with a limit if it is not certain, so that a node cannot fill the disk.
	#[must_use]
	pub fn bounded(self, most: u64) -> Self {
		match self {
			Self::AtMost(size) => Self::AtMost(size.min(most)),
			exactly => exactly,
		}
	}

	/// Returns the size, if it is certain.
	pub fn exact(self) -> Option<u64> {
		match self {
			Self::Exactly(size) => Some(size),
			Self::AtMost(_) => None,
		}
	}
}

impl Download {
	/// Begins a download, or goes on with one that was cut. The version is a hash of one of these
	/// kinds. Blocks, as all of this does.
	pub fn open(
		version: VersionId,
		hashes: &[HashKind],
		size: DeclaredSize,
		target: Target,
		arrived: Arc<AtomicU64>,
	) -> Result<Self, NodeError> {
		let partial =
			target.partial(version).map_err(NodeError::file("written", &target.path()))?;
		let check = VersionCheck::new(version, hashes.iter().copied());
		let mut this = Self { check, size, target, partial, length: 0, arrived };
		this.read_again()?;
		Ok(this)
	}

	/// Hashes what an earlier run has left.
	fn read_again(&mut self) -> Result<(), NodeError> {
		let mut piece = vec![0; PIECE];
		loop {
			let read = self.partial.file().read(&mut piece);
			let read = read.map_err(|error| self.failed("read", error))?;
			match piece.get(..read) {
				Some(bytes) if !bytes.is_empty() => self.count(bytes),
				_ => break,
			}
		}
		match self.length > self.size.limit() {
			true => self.restart(),
			false => Ok(()),
		}
	}

	/// Returns the error of the file.
	fn failed(&self, action: &'static str, error: io::Error) -> NodeError {
		NodeError::file(action, &self.target.path())(error)
	}

	/// Returns the place of the bytes when they are whole.
	pub fn target(&self) -> &Target {
		&self.target
	}

	/// Returns the version.
	pub fn version(&self) -> VersionId {
		self.check.version()
	}

	/// Returns the number of bytes that are here.
	pub fn length(&self) -> u64 {
		self.length
	}

	fn count(&mut self, bytes: &[u8]) {
		let number = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
		self.check.update(bytes);
		self.length = self.length.saturating_add(number);
		self.arrived.fetch_add(number, Ordering::Relaxed);
	}

	fn restart(&mut self) -> Result<(), NodeError> {
		self.partial.file().set_len(0).map_err(|error| self.failed("written", error))?;
		self.arrived.fetch_sub(self.length, Ordering::Relaxed);
		self.check.restart();
		self.length = 0;
		Ok(())
	}

	/// Has a node send the bytes, from where they end. When their hash is right, the target is
	/// there.
	pub fn fetch(&mut self, node: &ContentNode, speed: Speed) -> Result<(), NodeError> {
		// Others may have sent wrong bytes before.
		let mut is_mixed = self.length > 0;
		let mut cuts = 0;
		// A cut gives a node no more time.
		let least = match speed {
			Speed::Brisk => node.patience.brisk,
			Speed::Lax => node.patience.lax,
		};
		let mut pace = Pace::new(least);
		loop {
			let before = self.length;
			match self.receive(node, &mut pace) {
				Ok(()) => {},
				Err(NodeError::Cut { .. } | NodeError::Unreachable { .. })
					if pace.left().is_zero() =>
				{
					let (bytes, window) = (least.bytes, least.window);
					return Err(NodeError::Slow { arrived: pace.arrived(), least: bytes, window });
				},
				Err(NodeError::Cut { .. }) if self.length > before && cuts < CUTS => {
					cuts += 1;
					continue;
				},
				Err(error) => return Err(error),
			}
			if self.check.found().is_some() {
				return self.put().map_err(|error| self.failed("written", error));
			}
			let other = format!("bytes with {}", text::other_hash(&self.check));
			self.restart()?;
			if !std::mem::take(&mut is_mixed) {
				return Err(NodeError::OtherBytes(other));
			}
		}
	}

	/// Moves the file to its place, unless another run has brought the same bytes there.
	fn put(&self) -> io::Result<()> {
		if self.target.put(&self.partial)? {
			return Ok(());
		}
		let check = VersionCheck::new(self.version(), self.check.kinds());
		match self.target.again()?.has(check)? {
			true => self.partial.remove(),
			false => Err(io::Error::other("another command has written it meanwhile")),
		}
	}

	/// Writes what a node sends, to its end.
	fn receive(&mut self, node: &ContentNode, pace: &mut Pace) -> Result<(), NodeError> {
		if self.size == DeclaredSize::Exactly(self.length) {
			return Ok(());
		}
		let mut request = node.agent.get(node.version_url(self.version()));
		if self.length > 0 {
			request = request.header("range", format!("bytes={}-", self.length));
		}
		let patience = pace.left().min(node.patience.bytes);
		let request = request.config().timeout_recv_response(Some(patience));
		let request = request.timeout_per_read(Some(IDLE)).build();
		let answer = match node.answered(timed(pace, || (request.call(), 0))) {
			// The range is beyond the end: what is here is too long, or whole.
			Err(NodeError::Refused { status: 416, .. }) if self.size.exact().is_none() => {
				return Ok(())
			},
			answer => answer?,
		};
		if self.length > 0 && !self.continues(&answer) {
			self.restart()?;
		}
		self.ensure_length(answer.body().content_length())?;
		let body = Arriving::new(answer.into_body(), u64::MAX);
		let body = body.map_err(|error| self.cut(&error))?;
		loop {
			let patience = pace.left();
			let piece = timed(pace, || {
				let piece = body.next(patience);
				let length = piece.as_ref().map_or(0, Vec::len);
				(piece, u64::try_from(length).unwrap_or(u64::MAX))
			});
			let bytes = piece.map_err(|error| self.cut(&error))?;
			if bytes.is_empty() {
				break;
			}
			let left = self.size.limit().saturating_sub(self.length);
			if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > left {
				// Nothing of it can be right.
				self.restart()?;
				return Err(self.other_length("more"));
			}
			let written = self.partial.file().write_all(&bytes);
			written.map_err(|error| self.failed("written", error))?;
			self.count(&bytes);
			if let Some(meter) = &node.meter {
				meter(self.version(), u64::try_from(bytes.len()).unwrap_or(u64::MAX))?;
			}
		}
		match self.size.exact() {
			Some(size) if self.length < size => Err(self.cut(&"the connection was closed")),
			_ => Ok(()),
		}
	}

	/// Returns whether an answer begins where the bytes end.
	fn continues(&self, answer: &Response<Body>) -> bool {
		let range = answer.headers().get("content-range").and_then(|value| value.to_str().ok());
		let begins = format!("bytes {}-", self.length);
		answer.status().as_u16() == 206 && range.is_some_and(|range| range.starts_with(&begins))
	}

	/// Checks the length that a node announces.
	fn ensure_length(&self, announced: Option<u64>) -> Result<(), NodeError> {
		let Some(announced) = announced else { return Ok(()) };
		let all = self.length.saturating_add(announced);
		match self.size {
			DeclaredSize::Exactly(size) if all == size => Ok(()),
			DeclaredSize::AtMost(size) if all <= size => Ok(()),
			_ => Err(self.other_length(&count(all, "byte", "bytes"))),
		}
	}

	fn other_length(&self, found: &str) -> NodeError {
		let expected = count(self.size.limit(), "byte", "bytes");
		NodeError::OtherBytes(match self.size {
			DeclaredSize::Exactly(_) => format!("{found}, and the chain has {expected}"),
			DeclaredSize::AtMost(_) => {
				format!("{found}, and at most {expected} are taken of a version of unknown size")
			},
		})
	}

	fn cut(&self, reason: &impl ToString) -> NodeError {
		NodeError::Cut { arrived: self.length, reason: reason.to_string() }
	}
}

/// Waits for something of a node, which returns how many bytes have arrived.
fn timed<T>(pace: &mut Pace, wait: impl FnOnce() -> (T, u64)) -> T {
	let start = Instant::now();
	let (awaited, bytes) = wait();
	pace.count(start.elapsed(), bytes);
	awaited
}

impl Drop for Download {
	fn drop(&mut self) {
		// An empty file is of no use to the next run.
		if self.length == 0 {
			let _ = self.partial.remove();
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn sizes_that_differ_or_are_unknown_only_bound_a_version() {
		for (sizes, expected) in [
			(&[][..], DeclaredSize::AtMost(u64::MAX)),
			(&[None], DeclaredSize::AtMost(u64::MAX)),
			(&[Some(3), Some(3)], DeclaredSize::Exactly(3)),
			(&[Some(3), Some(5), Some(3)], DeclaredSize::AtMost(5)),
			(&[Some(3), None], DeclaredSize::AtMost(u64::MAX)),
		] {
			assert_eq!(DeclaredSize::of(sizes.iter().copied()), expected, "{sizes:?}");
		}
	}
}
