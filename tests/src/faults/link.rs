// SPDX-License-Identifier: Apache-2.0
//! Networks that are slow and lose frames.

use std::time::Duration;

use super::{Faults, ALL};

/// The delay of each frame.
const LATENCY: Duration = Duration::from_millis(500);
/// The part of the frames that is lost.
const LOSS: f64 = 0.1;
/// Longest time in which such a network finalizes a few blocks.
const SLOW_FINALITY: Duration = Duration::from_secs(300);

impl Faults {
	/// Delays all frames, and loses some. Finality goes on.
	pub async fn slow_link(&mut self) {
		self.testbed.switch.set_link(LATENCY, LOSS);
		// The first blocks may have been voted on before.
		self.testbed.finalizes(&ALL, 3, SLOW_FINALITY).await;
		let time = self.testbed.finalizes(&ALL, 5, SLOW_FINALITY).await;
		println!("5 blocks are finalized in {time:.1?} with delays of {LATENCY:?} and loss {LOSS}");
		self.testbed.switch.set_link(Duration::ZERO, 0.0);
		self.recovers("the delays and losses").await;
	}
}
