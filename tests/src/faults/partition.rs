//! Networks that are cut in parts.

use rand::seq::SliceRandom;

use super::{Faults, ALL, RECOVERY};

impl Faults {
	/// Cuts the network in halves, of which none finalizes anything. Then one validator alone is
	/// cut off: the others finalize, and it catches up when the cut is healed.
	pub async fn partition(&mut self) {
		let mut order = ALL;
		order.shuffle(&mut self.random);
		let (half, other) = order.split_at(ALL.len() / 2);
		self.testbed.switch.partition(&[half, other]);
		self.stands_still().await;

		let (alone, three) = order.split_first().expect("there are validators");
		self.testbed.switch.partition(&[three, &[*alone]]);
		let time = self.testbed.finalizes(three, 2, RECOVERY).await;
		println!("three of four finalize {time:.1?} after they are together");

		self.testbed.switch.heal();
		self.recovers("the cut is healed").await;
	}
}
