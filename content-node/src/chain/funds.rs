// SPDX-License-Identifier: Apache-2.0
//! The funds of the operator, who pays for commits and finalizations.

use content_fabric_client::{
	amount::Amount,
	chain::{
		calls::{CommitVersions, Encoded, EncodedCall, FinalizeVersions},
		Error as ChainError, Snapshot, VersionCommit,
	},
};
use subxt::utils::{AccountId32, MultiSignature};

use super::{Fabric, Refusal};

/// The operator cannot pay for a commit.
#[derive(Debug, thiserror::Error)]
#[error(
	"the operator of the node, {account}, can spend {spendable}, and needs {needed} for the fees of \
	 the commit and the finalization: the provider has to transfer more to it"
)]
pub struct Shortage {
	account: AccountId32,
	spendable: Amount,
	needed: Amount,
}

impl Fabric {
	/// Returns the account of the operator.
	pub fn operator(&self) -> &AccountId32 {
		self.signer.account()
	}

	/// Returns the amount that the operator could spend at the last request to the chain, in the
	/// smallest unit.
	pub fn balance(&self) -> Option<u128> {
		*self.balance.borrow()
	}

	/// Reads the amount that the operator can spend. Returns `None` if the chain stores accounts in
	/// a form that this program does not know.
	pub(super) async fn read_balance(&self, at: &Snapshot) -> Result<Option<u128>, ChainError> {
		let spendable = match at.spendable(self.operator()).await {
			Err(error) if error.is_connection() => return Err(error),
			spendable => spendable.ok(),
		};
		self.balance.send_replace(spendable);
		Ok(spendable)
	}

	/// Checks that the operator can pay for a commit and for the finalization of its versions.
	/// Passes if the chain reports neither the fee of a call nor the balance of an account.
	pub(super) async fn ensure_funds(
		&self,
		at: &Snapshot,
		commit: &VersionCommit,
	) -> Result<(), Refusal> {
		// A signature of any account has this length.
		let (tenant_signer, signature) = (*self.operator(), MultiSignature::Sr25519([0; 64]));
		let commit_call =
			at.encode(CommitVersions { tenant_signer, commit: Encoded::new(commit), signature })?;
		let (originator, node, tenant) = (self.provider, self.node, commit.tenant);
		let versions = commit.versions.iter().map(|version| (version.object, version.version));
		let versions = versions.collect();
		let finalize_call = at.encode(FinalizeVersions { originator, node, tenant, versions })?;
		self.ensure_pays(at, [&commit_call, &finalize_call]).await
	}

	async fn ensure_pays(&self, at: &Snapshot, calls: [&EncodedCall; 2]) -> Result<(), Refusal> {
		let mut needed = 0u128;
		for call in calls {
			let Some(fee) = at.fee(call).await? else { return Ok(()) };
			needed = needed.saturating_add(fee);
		}
		let Some(spendable) = self.read_balance(at).await?.filter(|found| *found < needed) else {
			return Ok(());
		};
		let link = self.link()?;
		let units = &link.chain.identity().units;
		let (spendable, needed) = (units.amount(spendable), units.amount(needed));
		Err(Refusal::Funds(Shortage { account: *self.operator(), spendable, needed }))
	}
}
