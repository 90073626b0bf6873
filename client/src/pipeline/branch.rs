// SPDX-License-Identifier: Apache-2.0
//! The best chain of blocks, as far as it concerns a round.

use std::collections::VecDeque;

use super::{Hash, Head};

/// Number of blocks that are remembered. Forks are shorter.
const DEPTH: usize = 1_024;

/// The last blocks of the best chain, the newest last.
#[derive(Debug, Default)]
pub(super) struct Branch(VecDeque<Head>);

/// The effect of a block on the best chain when it joins it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
	/// The blocks that are no longer in the best chain, the newest first.
	pub retracted: Vec<Hash>,
	/// The blocks that have joined it, the oldest first.
	pub added: Vec<Head>,
}

impl Branch {
	/// Returns the newest block.
	pub(super) fn tip(&self) -> Option<Head> {
		self.0.back().copied()
	}

	/// Returns the parent that must be known before `joining` blocks can join, the newest first.
	/// `None` if they can: a parent is known, or they reach below all that is.
	pub(super) fn missing(&self, joining: &[Head]) -> Option<Hash> {
		let oldest = joining.last()?;
		let is_known = self.0.iter().any(|block| block.hash == oldest.parent);
		let first = self.0.front()?;
		(!is_known && oldest.number > first.number).then_some(oldest.parent)
	}

	/// Makes blocks, the newest first, the end of the best chain.
	pub(super) fn join(&mut self, joining: Vec<Head>) -> Change {
		let mut change = Change::default();
		let Some(oldest) = joining.last() else { return change };
		while let Some(tip) = self.0.back() {
			if tip.hash == oldest.parent {
				break;
			}
			change.retracted.push(tip.hash);
			self.0.pop_back();
		}
		change.added.extend(joining.into_iter().rev());
		self.0.extend(&change.added);
		let excess = self.0.len().saturating_sub(DEPTH);
		self.0.drain(..excess);
		change
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn head(hash: u8, parent: u8, number: u64) -> Head {
		Head { hash: [hash; 32], parent: [parent; 32], number }
	}

	fn branch() -> Branch {
		let mut branch = Branch::default();
		for number in 1..=4 {
			let change = branch.join(vec![head(number, number - 1, number.into())]);
			assert_eq!(change.added.len(), 1);
			assert!(change.retracted.is_empty());
		}
		branch
	}

	#[test]
	fn blocks_that_were_not_announced_are_missing_until_a_known_parent() {
		let mut branch = branch();
		let mut joining = vec![head(7, 6, 7)];
		assert_eq!(branch.missing(&joining), Some([6; 32]));
		joining.push(head(6, 5, 6));
		assert_eq!(branch.missing(&joining), Some([5; 32]));
		joining.push(head(5, 4, 5));
		assert_eq!(branch.missing(&joining), None);
		let change = branch.join(joining);
		let added: Vec<_> = change.added.iter().map(|head| head.number).collect();
		assert_eq!((added, change.retracted), (vec![5, 6, 7], vec![]));
	}

	#[test]
	fn a_fork_retracts_the_blocks_above_its_parent() {
		let mut branch = branch();
		let joining = vec![head(14, 13, 4), head(13, 2, 3)];
		assert_eq!(branch.missing(&joining), None);
		let change = branch.join(joining);
		assert_eq!(change.retracted, [[4; 32], [3; 32]]);
		let hashes: Vec<_> = branch.0.iter().map(|head| head.hash[0]).collect();
		assert_eq!(hashes, [1, 2, 13, 14]);
		assert_eq!(branch.tip(), Some(head(14, 13, 4)));
	}

	#[test]
	fn a_chain_below_all_known_blocks_replaces_them() {
		let mut branch = branch();
		let joining = vec![head(21, 20, 1)];
		assert_eq!(branch.missing(&joining), None);
		assert_eq!(branch.join(joining).retracted.len(), 4);
	}
}
