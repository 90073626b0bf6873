// SPDX-License-Identifier: Apache-2.0
//! The last block that the node has followed.

use std::time::Duration;

use content_fabric_client::{
	chain::{wall_clock, Error as ChainError, Snapshot},
	text::length_of_time,
};
use tokio::time::sleep;
use tracing::{info, warn};

use super::Fabric;

/// Largest number of blocks after the last final one while finality does not count as stalled.
const STALLED: u64 = 20;
/// Pause between two looks at finality.
const LOOK: Duration = Duration::from_secs(2);

/// A finalized block that the node has followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
	number: u64,
	/// In microseconds since the Unix epoch. The genesis block has no time.
	time: Option<u64>,
}

/// A stall of finality.
#[derive(Clone, Copy, Debug)]
pub struct Stall {
	/// The best block.
	pub best: u64,
	/// The last final block that the node has followed.
	pub followed: u64,
	/// The number of seconds since that block.
	age: Option<u64>,
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

	/// Returns the stall of finality, if there is one: more blocks than usual are not final.
	pub fn stall(&self) -> Option<Stall> {
		let (best, followed) = (self.best()?, self.followed()?);
		let is_stall = best.saturating_sub(followed) > STALLED;
		is_stall.then(|| Stall { best, followed, age: self.age() })
	}

	/// Logs when finality stalls, and when it no longer does, without end.
	pub async fn keep_watching_finality(&self) {
		let mut stalls = false;
		loop {
			sleep(LOOK).await;
			match self.stall() {
				Some(Stall { best, followed, age }) if !stalls => {
					stalls = true;
					let age = age.map(|age| format!(", {} old", length_of_time(age)));
					warn!(
						"finality stalls: the chain's best block is {best}, the last final one that the \
						 node has followed is {followed}{}. Commits, uploads and reads go on. New copies, \
						 and the removal of bytes that nobody needs, wait",
						age.unwrap_or_default()
					);
				},
				// A chain that is lost may still stall.
				None if stalls && self.best().is_some() => {
					stalls = false;
					info!("finality no longer stalls");
				},
				_ => {},
			}
		}
	}
}
