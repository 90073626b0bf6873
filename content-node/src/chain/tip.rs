// SPDX-License-Identifier: Apache-2.0
//! The state at the best block, as far as drafts and commits depend on it. It is read once for each
//! block, however many drafts are requested.

use std::{collections::HashMap, sync::Arc};

use content_fabric_client::chain::{Error as ChainError, MuidSource, Snapshot};
use tokio::sync::{Mutex, OnceCell};

use super::{Fabric, Link};

/// The state at the best block.
pub(super) struct Tip {
	pub link: Arc<Link>,
	pub at: Snapshot,
	/// The time of the block, in microseconds since the Unix epoch.
	pub now: u64,
	pub muids: MuidSource,
	/// Amount that the operator can spend. `None` if the chain stores accounts in a form that this
	/// program does not know.
	pub spendable: Option<u128>,
	/// Fees of a commit and its finalization, by the number of versions, and by whether objects
	/// are created. `None` if the chain does not report fees.
	pub fees: Mutex<HashMap<(usize, bool), Option<u128>>>,
	stands_still: OnceCell<bool>,
}

impl Tip {
	/// Returns whether the chain [stands still](content_fabric_client::chain::Chain::stands_still)
	/// since the block.
	pub async fn stands_still(&self) -> Result<bool, ChainError> {
		let found = self.stands_still.get_or_try_init(|| self.link.chain.stands_still(&self.at));
		Ok(*found.await?)
	}
}

impl Fabric {
	/// Returns the state at the best block. One caller at a time asks the chain.
	pub(super) async fn tip(&self) -> Result<Arc<Tip>, ChainError> {
		let mut last = self.tip.lock().await;
		let link = self.link()?;
		let hash = link.chain.best_hash().await?;
		let is_same =
			|tip: &&Arc<Tip>| Arc::ptr_eq(&tip.link, &link) && tip.at.block_hash() == hash;
		if let Some(tip) = last.as_ref().filter(is_same) {
			return Ok(tip.clone());
		}
		let at = link.chain.at(hash).await?;
		let ids = (self.provider, self.node);
		let (now, muids, spendable) = tokio::try_join!(
			at.now_micros(),
			MuidSource::read(&at, ids, false),
			self.read_balance(&at)
		)?;
		let (fees, stands_still) = (Mutex::default(), OnceCell::new());
		let tip = Arc::new(Tip { link, at, now, muids, spendable, fees, stands_still });
		*last = Some(tip.clone());
		Ok(tip)
	}
}
