// SPDX-License-Identifier: Apache-2.0
//! Recognizes the chain on a new connection. A development chain that was begun anew has the same
//! genesis, but other blocks.

use content_fabric_client::chain::Chain;

use crate::{output::warn, Error};

/// The first block of the watched chain, and the state of the node that serves it.
#[derive(Debug, Default)]
pub struct Origin {
	/// The hash of the first block after the genesis, from the first connection on which it was
	/// there. A fork replaces it only in the first seconds of a chain.
	first: Option<[u8; 32]>,
	/// True if the node of this connection has that block.
	is_same: bool,
	/// True if the user was told that the node is behind.
	is_behind: bool,
}

impl Origin {
	/// Prepares for a new connection.
	pub fn disconnected(&mut self) {
		self.is_same = false;
	}

	/// Checks that the chain begins as it did before. Passes while it has only its genesis block.
	pub async fn ensure_same(&mut self, chain: &Chain) -> Result<(), Error> {
		// A light client does not go back that far.
		if self.is_same || chain.is_light() {
			return Ok(());
		}
		let Some(found) = chain.block_hash(1).await? else { return Ok(()) };
		let seen = *self.first.get_or_insert(found);
		self.is_same = seen == found;
		match self.is_same {
			true => Ok(()),
			false => Err(Error::OtherChain { block: 1, found, seen }),
		}
	}

	/// Warns once that the node, at the block `found`, has yet to reach the last printed one.
	pub fn behind(&mut self, found: u64, printed: u64) {
		if !std::mem::replace(&mut self.is_behind, true) {
			warn(&format!("the node is behind: at block {found}, and {printed} was printed"));
		}
	}

	/// Notes that the node has the last printed block.
	pub fn caught_up(&mut self) {
		self.is_behind = false;
	}
}
