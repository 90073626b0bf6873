// SPDX-License-Identifier: Apache-2.0
//! The funds of the operator of a content node, who pays for commits and finalizations.

use content_fabric_client::{amount::Units, chain::Snapshot, content_node::Funds};
use content_fabric_identifiers::Muid;

use super::{plan::Item, upload::Store, work::RegistryWork};
use crate::Error;

impl RegistryWork<'_> {
	/// Checks that the operator can pay for the first commit. Otherwise, the
	/// content node would refuse the draft, but only after the tenant was created: a draft before
	/// that would be of no use, and keep others waiting. Passes if the node does not report the
	/// amount, or the chain does not report fees.
	pub(super) async fn ensure_operator_pays(
		&self,
		at: &Snapshot,
		units: &Units,
		store: &Store,
	) -> Result<(), Error> {
		let drafts = self.plan.items.iter().filter_map(Item::draft);
		let drafts: Vec<_> = drafts.take(self.limits.items[0]).collect();
		if drafts.is_empty() {
			return Ok(());
		}
		let Funds { operator, balance } = store.node.funds().await?;
		let balance = balance.and_then(|digits| digits.parse::<u128>().ok());
		let (Some(operator), Some(balance)) = (operator, balance) else { return Ok(()) };
		// Fees do not depend on the muid.
		let (muid, mut needed) = (Muid::from_bytes([0; Muid::LEN]), 0u128);
		for call in self.names.commit_calls(at, muid, drafts, None)? {
			let Some(fee) = at.fee(&call).await? else { return Ok(()) };
			needed = needed.saturating_add(fee);
		}
		match balance < needed {
			true => Err(Error::Funds(format!(
				"the operator of the content node at {}, {operator}, can spend {}, and needs about {} for \
				 the fees of a commit and its finalization: the provider has to transfer more to it",
				store.node.url(),
				units.amount(balance),
				units.amount(needed)
			))),
			false => Ok(()),
		}
	}
}
