// SPDX-License-Identifier: Apache-2.0
//! The last block that the node has followed.

use content_fabric_client::chain::{wall_clock, Error as ChainError, Snapshot};

use super::Fabric;

/// A finalized block that the node has followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
	number: u64,
	/// In microseconds since the Unix epoch. The genesis block has no time.
	time: Option<u64>,
}

impl Fabric {
	/// Notes the number of the last finalized block that the node has followed, and its time if it
	/// is the last finalized block of the chain.
	pub(super) async fn note_followed(&self, number: u64, at: &Snapshot) -> Result<(), ChainError> {
		let time = match at.block_number() == number {
			true => Some(at.now_micros().await?).filter(|time| *time > 0),
			false => None,
		};
		self.followed.send_replace(Some(Followed { number, time }));
		Ok(())
	}

	/// Returns the last finalized block that the node has followed since it started. `None` if it
	/// has not compared itself with the chain yet, or has lost the chain.
	pub fn followed(&self) -> Option<u64> {
		self.followed.borrow().as_ref().map(|followed| followed.number)
	}

	/// Returns the number of seconds since that block, by the clock of this machine. `None` while it
	/// is the genesis block, or while the node catches up with the chain.
	pub fn age(&self) -> Option<u64> {
		let time = self.followed.borrow().as_ref()?.time?;
		Some(wall_clock().saturating_sub(time) / 1_000_000)
	}

	/// Waits until the node follows the chain.
	pub async fn until_followed(&self) {
		// The sender is `self`, so this waits until the value is there.
		let _ = self.followed.subscribe().wait_for(Option::is_some).await;
	}

	/// Returns the number of the best block, as the chain's node has reported it a few seconds ago
	/// at most. `None` if that is not known, or the chain is lost.
	pub fn best(&self) -> Option<u64> {
		self.followed()?;
		Some(self.link().ok()?.chain.heads()?.best)
	}
}
