// SPDX-License-Identifier: Apache-2.0
//! Downloads: into a separate file, which is moved to its place when its bytes are right, or to another
//! destination, which gets verified bytes only.

use std::{
	io::{self, Read, Seek, SeekFrom, Write},
	path::PathBuf,
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
	time::Instant,
};

use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};

use super::{
	groups::{Groups, Part, GROUP},
	pace::Pace,
	sources::Claim,
	transfer::Transfer,
	ContentNode, NodeError,
};
use crate::{
	folder::{Partial, Target},
	text::{count, other_hash},
};

/// Number of bytes of a file that are read at once.
const PIECE: usize = 256 << 10;
/// Largest number of times that one node may cut a download.
const CUTS: usize = 100;

/// A download, to which several nodes may contribute. The bytes of a whole file that have arrived
/// stay for the next download, and for the next run.
///
/// The bytes of a BLAKE3 version are verified group by group before they are written, so all that a
/// node has sent stays, whatever it sends next. A SHA-256 version is verified as a whole.
pub struct Download {
	version: VersionId,
	/// The bytes that are wanted. `None` for a whole file, which one of several sizes may have.
	span: Option<Span>,
	size: DeclaredSize,
	output: Output,
	length: u64,
	state: State,
	/// Counts the bytes that are here.
	arrived: Arc<AtomicU64>,
}

/// Bytes of a BLAKE3 version of a known size.
#[derive(Clone, Copy, Debug)]
pub struct Span {
	/// The first byte, from 0.
	pub first: u64,
	/// The last byte.
	pub last: u64,
	/// Number of bytes of the version.
	pub size: u64,
}

/// Where the bytes go.
enum Output {
	/// A file, which is moved to its place unless it `stays`.
	File {
		target: Target,
		partial: Partial,
		stays: bool,
	},
	Stream {
		name: PathBuf,
		out: Box<dyn Write + Send>,
	},
}

/// The state of the bytes that are here.
enum State {
	/// An earlier run has left them.
	Left,
	/// They are the version's.
	Verified,
	/// They have been hashed, to be compared as a whole.
	Hashed(VersionCheck),
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

impl Span {
	/// Returns the span of a whole version.
	pub fn whole(size: u64) -> Self {
		Self { first: 0, last: size.saturating_sub(1), size }
	}
}

impl Download {
	/// Begins a download of a whole version, or resumes one that was cut. `size` limits a version
	/// without a tree. Blocks, like all functions here.
	pub fn open(
		version: VersionId,
		size: DeclaredSize,
		target: Target,
		arrived: Arc<AtomicU64>,
	) -> Result<Self, NodeError> {
		let failed = |error| NodeError::file("written", &target.path())(error);
		let partial = target.partial(version).map_err(failed)?;
		let length = partial.file().metadata().map_err(failed)?.len();
		arrived.fetch_add(length, Ordering::Relaxed);
		let (span, state) = (None, State::Left);
		let output = Output::File { target, partial, stays: false };
		Ok(Self { version, span, size, output, length, state, arrived })
	}

	/// Has the file stay where it is at the end.
	pub(super) fn staying(mut self) -> Self {
		if let Output::File { stays, .. } = &mut self.output {
			*stays = true;
		}
		self
	}

	/// Begins a download of some bytes of a version into a file.
	pub fn open_span(
		version: VersionId,
		span: Span,
		target: Target,
		arrived: Arc<AtomicU64>,
	) -> Result<Self, NodeError> {
		let failed = |error| NodeError::file("written", &target.path())(error);
		let partial = target.new_partial(version).map_err(failed)?;
		Ok(Self::of_span(version, span, Output::File { target, partial, stays: false }, arrived))
	}

	/// Begins a download of some bytes of a version, which are written as soon as they are verified.
	/// Errors name the destination by `name`.
	pub fn stream(
		version: VersionId,
		span: Span,
		name: PathBuf,
		out: Box<dyn Write + Send>,
		arrived: Arc<AtomicU64>,
	) -> Self {
		Self::of_span(version, span, Output::Stream { name, out }, arrived)
	}

	fn of_span(version: VersionId, span: Span, output: Output, arrived: Arc<AtomicU64>) -> Self {
		let (size, state) = (DeclaredSize::Exactly(span.size), State::Verified);
		Self { version, span: Some(span), size, output, length: 0, state, arrived }
	}

	/// Returns the place of the bytes when they are here.
	pub fn path(&self) -> PathBuf {
		match &self.output {
			Output::File { target, .. } => target.path(),
			Output::Stream { name, .. } => name.clone(),
		}
	}

	/// Returns the version.
	pub fn version(&self) -> VersionId {
		self.version
	}

	/// Returns the number of bytes that are here.
	pub fn length(&self) -> u64 {
		self.length
	}

	/// Returns the file of a download that is not moved to its place.
	pub(super) fn into_partial(mut self) -> Option<Partial> {
		let nothing = Output::Stream { name: PathBuf::new(), out: Box::new(io::sink()) };
		match std::mem::replace(&mut self.output, nothing) {
			Output::File { partial, stays: true, .. } => Some(partial),
			_ => None,
		}
	}

	/// Returns whether a node with this claim can send the bytes.
	pub fn accepts(&self, claim: Claim) -> bool {
		self.span
			.is_none_or(|span| claim == Claim { hash: HashKind::Blake3, size: Some(span.size) })
	}

	/// Returns the error of the output.
	fn failed(&self, action: &'static str, error: io::Error) -> NodeError {
		NodeError::file(action, &self.path())(error)
	}

	fn write(&mut self, node: &ContentNode, bytes: &[u8]) -> Result<(), NodeError> {
		let written = match &mut self.output {
			Output::File { partial, .. } => partial.file().write_all(bytes),
			Output::Stream { out, .. } => out.write_all(bytes),
		};
		written.map_err(|error| self.failed("written", error))?;
		let number = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
		self.length = self.length.saturating_add(number);
		self.arrived.fetch_add(number, Ordering::Relaxed);
		match &node.meter {
			Some(meter) => meter(self.version, number),
			None => Ok(()),
		}
	}

	/// Removes the end of the file.
	fn truncate(&mut self, length: u64) -> Result<(), NodeError> {
		if let (true, Output::File { partial, .. }) = (length < self.length, &self.output) {
			partial.file().set_len(length).map_err(|error| self.failed("written", error))?;
			self.arrived.fetch_sub(self.length - length, Ordering::Relaxed);
			self.length = length;
		}
		Ok(())
	}

	/// Has `feed` take `size` bytes of the file from `start`, in pieces.
	fn read(&self, start: u64, size: u64, mut feed: impl FnMut(&[u8])) -> Result<(), NodeError> {
		let Output::File { partial, .. } = &self.output else { return Ok(()) };
		let mut file = partial.file();
		let failed = |error| self.failed("read", error);
		file.seek(SeekFrom::Start(start)).map_err(failed)?;
		let (mut file, mut piece) = (file.take(size), vec![0; PIECE]);
		loop {
			let read = file.read(&mut piece).map_err(failed)?;
			match piece.get(..read) {
				Some(bytes) if !bytes.is_empty() => feed(bytes),
				_ => return Ok(()),
			}
		}
	}

	/// Has a node send the bytes that are missing. When all are verified, the target exists. `claim`
	/// is from the node's row.
	pub fn fetch(
		&mut self,
		node: &ContentNode,
		claim: Claim,
		speed: Speed,
	) -> Result<(), NodeError> {
		// Others may have sent wrong bytes before.
		let mut is_mixed = self.length > 0;
		let mut cuts = 0;
		// A cut gives a node no more time.
		let least = match speed {
			Speed::Brisk => node.patience.brisk,
			Speed::Lax => node.patience.lax,
		};
		let mut pace = Pace::new(least);
		let begun = Instant::now();
		let has_time = || node.time.is_none_or(|time| begun.elapsed() < time);
		loop {
			let before = self.length;
			let received = match claim.hash {
				HashKind::Blake3 => {
					self.receive_groups(node, claim.size.unwrap_or_default(), &mut pace)
				},
				HashKind::Sha256 => self.receive_whole(node, &mut is_mixed, &mut pace),
			};
			match received {
				Ok(true) => {
					return self.finish(claim.hash).map_err(|error| self.failed("written", error));
				},
				Ok(false) => {},
				Err(NodeError::Cut { .. } | NodeError::Unreachable { .. })
					if pace.left().is_zero() =>
				{
					let (bytes, window) = (least.bytes, least.window);
					return Err(NodeError::Slow { arrived: pace.arrived(), least: bytes, window });
				},
				Err(NodeError::Cut { .. }) if self.length > before && cuts < CUTS && has_time() => {
					cuts += 1;
				},
				Err(error) => return Err(error),
			}
		}
	}

	/// Moves the file to its place, unless another run has brought the same bytes there.
	fn finish(&mut self, hash: HashKind) -> io::Result<()> {
		let (target, partial) = match &mut self.output {
			Output::File { stays: true, .. } => return Ok(()),
			Output::File { target, partial, .. } => (target, partial),
			Output::Stream { out, .. } => return out.flush(),
		};
		if target.put(partial)? {
			return Ok(());
		}
		let check = VersionCheck::new(self.version, [hash]);
		match self.span.is_none() && target.again()?.has(check)? {
			true => partial.remove(),
			false => Err(io::Error::other("another command has written it meanwhile")),
		}
	}

	/// Writes the groups that a node sends. Returns whether all bytes are here: if the file had wrong
	/// bytes, the node has to be asked for them.
	fn receive_groups(
		&mut self,
		node: &ContentNode,
		size: u64,
		pace: &mut Pace,
	) -> Result<bool, NodeError> {
		let Span { first, last, .. } = self.span.unwrap_or(Span::whole(size));
		let kept = match self.state {
			State::Verified => self.length,
			// Asks for the last group again: its proof has the hashes of all groups before.
			State::Left | State::Hashed(_) => self.length.min(last) / GROUP * GROUP,
		};
		let at = first.saturating_add(kept);
		if at > last {
			let problem = format!("a version of {size} bytes, but more bytes are verified");
			return Err(NodeError::OtherBytes(problem));
		}
		let mut groups = Groups::new(self.version, size, at, last);
		let to_end = last.saturating_add(1) >= size;
		let (from, to) = ((at > 0).then_some(at), (!to_end).then_some(last));
		let transfer = Transfer::verified(node, self.version, from, to, pace)?;
		let expected = groups.encoded_len();
		if let Some(found) = transfer.announced().filter(|found| *found != expected) {
			let [found, expected] = [found, expected].map(|bytes| count(bytes, "byte", "bytes"));
			let wanted = format!("the bytes {at} to {last} of {size}");
			let problem = format!("{found}, and {wanted} with their hashes have {expected}");
			return Err(NodeError::OtherBytes(problem));
		}
		let mut body = transfer.body(expected).map_err(|error| self.cut(&error))?;
		let mut bytes = Vec::new();
		while let Some(length) = groups.wants() {
			body.exactly(length, &mut bytes).map_err(|error| self.cut(&error))?;
			let Some(start) = groups.verify(&bytes)? else { continue };
			if !matches!(self.state, State::Verified) {
				self.truncate(kept)?;
				if !self.keeps(groups.before())? {
					return Ok(false);
				}
			}
			let position =
				|at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX);
			let end = position(last.saturating_add(1)).min(bytes.len());
			let begin = position(first.saturating_add(self.length)).min(end);
			self.write(node, bytes.get(begin..end).unwrap_or_default())?;
		}
		Ok(true)
	}

	/// Compares the bytes of an earlier run with the version. Removes all bytes from the first wrong
	/// part on. Returns whether all parts are right.
	fn keeps(&mut self, parts: &[Part]) -> Result<bool, NodeError> {
		for part in parts {
			let mut read = Ok(());
			let is_right = part.has(|hasher| {
				read = self.read(part.start, part.size, |bytes| {
					hasher.update(bytes);
				});
			});
			read?;
			if !is_right {
				self.truncate(part.start)?;
				self.state = State::Verified;
				return Ok(false);
			}
		}
		self.state = State::Verified;
		Ok(true)
	}

	/// Writes what a node sends, to its end. Returns whether its hash is right. If it is not, and
	/// others have sent some of the bytes (`is_mixed`), the node has to be asked for all of them.
	fn receive_whole(
		&mut self,
		node: &ContentNode,
		is_mixed: &mut bool,
		pace: &mut Pace,
	) -> Result<bool, NodeError> {
		let mut check = match std::mem::replace(&mut self.state, State::Left) {
			State::Hashed(check) => check,
			State::Left | State::Verified => {
				let mut check = VersionCheck::new(self.version, [HashKind::Sha256]);
				self.read(0, self.length, |bytes| check.update(bytes))?;
				check
			},
		};
		if self.length > self.size.limit() {
			self.restart(&mut check)?;
		}
		let received = self.receive_rest(node, &mut check, pace);
		let other = match received {
			Ok(()) if check.found().is_none() => {
				let other = format!("bytes with {}", other_hash(&check));
				self.restart(&mut check)?;
				Some(NodeError::OtherBytes(other))
			},
			_ => None,
		};
		self.state = State::Hashed(check);
		received?;
		match other {
			None => Ok(true),
			Some(_) if std::mem::take(is_mixed) => Ok(false),
			Some(other) => Err(other),
		}
	}

	/// Forgets all bytes.
	fn restart(&mut self, check: &mut VersionCheck) -> Result<(), NodeError> {
		check.restart();
		self.truncate(0)
	}

	/// Writes and hashes what a node sends, to its end.
	fn receive_rest(
		&mut self,
		node: &ContentNode,
		check: &mut VersionCheck,
		pace: &mut Pace,
	) -> Result<(), NodeError> {
		if self.size == DeclaredSize::Exactly(self.length) {
			return Ok(());
		}
		let transfer = match Transfer::plain(node, self.version, self.length, pace) {
			// The range is beyond the end: what is here is too long, or whole.
			Err(NodeError::Refused { status: 416, .. }) if self.size.exact().is_none() => {
				return Ok(())
			},
			transfer => transfer?,
		};
		if self.length > 0 && !transfer.begins_at(self.length) {
			self.restart(check)?;
		}
		self.ensure_length(transfer.announced())?;
		let mut body = transfer.body(u64::MAX).map_err(|error| self.cut(&error))?;
		loop {
			let bytes = body.next().map_err(|error| self.cut(&error))?;
			if bytes.is_empty() {
				break;
			}
			let left = self.size.limit().saturating_sub(self.length);
			if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > left {
				// Nothing of it can be right.
				self.restart(check)?;
				return Err(self.other_length("more"));
			}
			self.write(node, &bytes)?;
			check.update(&bytes);
		}
		match self.size.exact() {
			Some(size) if self.length < size => Err(self.cut(&"the connection was closed")),
			_ => Ok(()),
		}
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

impl Drop for Download {
	fn drop(&mut self) {
		// The next run can use neither an empty file nor a part of a version.
		if let (true, Output::File { partial, .. }) =
			(self.length == 0 || self.span.is_some(), &self.output)
		{
			let _ = partial.remove();
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
