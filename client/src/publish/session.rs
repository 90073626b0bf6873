//! Sends the planned calls in as few transactions as the chain allows.

use std::ops::Range;

use crate::{
	calls::Call,
	chain::{Account, Chain, Events},
	output::Progress,
	room::Room,
	Error,
};

/// The largest lists that the chain takes, from its metadata.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
	/// Versions in a commit, and in a call that finalizes versions.
	pub versions: usize,
	/// Records in a call.
	pub records: usize,
	/// Bytes in a record key.
	pub record_key: usize,
}

/// A connection on which transactions are counted.
pub struct Session<'a> {
	pub chain: &'a Chain,
	pub limits: Limits,
	pub transactions: u64,
	room: Room,
}

impl<'a> Session<'a> {
	/// Reads the limits of the chain.
	pub async fn new(chain: &'a Chain) -> Result<Self, Error> {
		let at = chain.best().await?;
		let limit = |name| -> Result<usize, Error> {
			let limit: u32 = at.constant("ContentFabric", name)?;
			Ok(usize::try_from(limit).unwrap_or(usize::MAX).max(1))
		};
		let limits = Limits {
			versions: limit("MaxVersionsPerCommit")?,
			records: limit("MaxRecordsPerCall")?,
			record_key: limit("MaxRecordKeyLen")?,
		};
		Ok(Self { chain, limits, transactions: 0, room: Room::read(&at)? })
	}

	/// Submits calls in one transaction, if there are any. Returns its events.
	pub async fn send(
		&mut self,
		signer: &Account,
		calls: Vec<Call>,
	) -> Result<Option<Events>, Error> {
		match one_call(calls) {
			Some(call) => self.submit(signer, call).await.map(Some),
			None => Ok(None),
		}
	}

	/// Submits the calls that `calls_of` makes of items: of at most `most` items in a transaction,
	/// and of fewer where that many have no room. Returns the events of the last transaction.
	pub async fn send_all<Item>(
		&mut self,
		signer: &Account,
		items: &[Item],
		most: usize,
		progress: &mut Progress,
		calls_of: impl AsyncFn(&[Item]) -> Result<Vec<Call>, Error>,
	) -> Result<Option<Events>, Error> {
		let mut cuts = Cuts::new(items.len(), most);
		let mut last = None;
		while let Some(range) = cuts.next() {
			let part = &items[range.clone()];
			let Some(call) = one_call(calls_of(part).await?) else { break };
			if part.len() > 1 && !self.has_room_for(&mut cuts, part.len(), call.clone()).await? {
				cuts.halve();
				continue;
			}
			last = match self.submit(signer, call).await {
				// The clock of a chain that makes blocks for transactions only may have stood still
				// for long. That of the block that this transaction was in has not.
				Err(error) if error.is_fabric("MuidTooOld") => {
					self.send(signer, calls_of(part).await?).await?
				},
				sent => Some(sent?),
			};
			progress.advance(part.len() as u64, "versions and records published");
			cuts.done(range.len());
		}
		Ok(last)
	}

	/// Returns whether there is room for a call with this many items. Asks the chain only if there
	/// was none as large before.
	async fn has_room_for(&self, cuts: &mut Cuts, items: usize, call: Call) -> Result<bool, Error> {
		let at = self.chain.best().await?;
		let encoded = at.encode(call)?;
		let size = (items, encoded.len());
		if cuts.is_known(size) {
			return Ok(true);
		}
		let has_room = self.room.is_enough_for(&at, &encoded).await?;
		if has_room {
			cuts.known = size;
		}
		Ok(has_room)
	}

	async fn submit(&mut self, signer: &Account, call: Call) -> Result<Events, Error> {
		// A transaction that fails is in a block, too.
		self.transactions += 1;
		self.chain.submit(signer, call).await
	}
}

/// Returns the calls as one, if there are any.
fn one_call(mut calls: Vec<Call>) -> Option<Call> {
	match calls.len() {
		0 | 1 => calls.pop(),
		_ => Some(Call::batch_all(calls)),
	}
}

/// The places where a list is cut into parts.
#[derive(Debug)]
struct Cuts {
	/// Number of items that were sent.
	sent: usize,
	/// Number of all items.
	all: usize,
	/// Number of items that are tried next.
	size: usize,
	/// The largest part that there is room for: its items, and its encoded length.
	known: (usize, usize),
}

impl Cuts {
	fn new(all: usize, most: usize) -> Self {
		Self { sent: 0, all, size: most.max(1), known: (0, 0) }
	}

	/// Returns the items to be sent next.
	fn next(&self) -> Option<Range<usize>> {
		let end = self.all.min(self.sent.saturating_add(self.size));
		(self.sent < end).then_some(self.sent..end)
	}

	/// Makes this part and those to come half as large.
	fn halve(&mut self) {
		let left = self.all - self.sent;
		self.size = self.size.min(left).div_ceil(2);
	}

	fn done(&mut self, items: usize) {
		self.sent += items;
	}

	fn is_known(&self, (items, length): (usize, usize)) -> bool {
		items <= self.known.0 && length <= self.known.1
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Returns the lengths of the parts, where there is room for `room` items in a transaction.
	fn parts(all: usize, most: usize, room: usize) -> Vec<usize> {
		let mut cuts = Cuts::new(all, most);
		let mut parts = Vec::new();
		while let Some(range) = cuts.next() {
			if range.len() > 1 && range.len() > room {
				cuts.halve();
				continue;
			}
			assert_eq!(range.start, parts.iter().sum::<usize>(), "no item is left out");
			parts.push(range.len());
			cuts.done(range.len());
		}
		assert_eq!(parts.iter().sum::<usize>(), all);
		parts
	}

	#[test]
	fn lists_are_cut_by_the_limit_of_the_call_and_by_the_room_in_a_block() {
		assert_eq!(parts(1_250, 500, 500), [500, 500, 250]);
		assert_eq!(parts(500, 500, 500), [500]);
		assert_eq!(parts(1_000, 500, 300), [250, 250, 250, 250]);
		assert_eq!(parts(7, 500, 3), [2, 2, 2, 1]);
		assert_eq!(parts(3, 500, 0), [1, 1, 1]);
		assert_eq!(parts(2, 0, 1), [1, 1]);
		assert!(parts(0, 500, 500).is_empty());
	}

	#[test]
	fn the_chain_is_asked_once_for_parts_of_the_same_size() {
		let mut cuts = Cuts::new(1_000, 500);
		assert!(!cuts.is_known((500, 20_000)));
		cuts.known = (500, 20_000);
		assert!(cuts.is_known((500, 20_000)) && cuts.is_known((250, 10_000)));
		assert!(!cuts.is_known((500, 20_001)));
	}

	#[test]
	fn several_calls_become_a_batch() {
		let call = |name| Call::fabric(name, Vec::new());
		assert!(one_call(Vec::new()).is_none());
		let name = |calls| one_call(calls).map(|call| call.name());
		assert_eq!(name(vec![call("a")]).as_deref(), Some("ContentFabric.a"));
		assert_eq!(name(vec![call("a"), call("b")]).as_deref(), Some("Utility.batch_all"));
	}
}
