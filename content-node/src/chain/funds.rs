// SPDX-License-Identifier: Apache-2.0
//! The funds of the operator, who pays for commits and finalizations.

use std::{collections::hash_map::Entry, sync::atomic::Ordering};

use content_fabric_client::{
	amount::Amount,
	chain::{
		calls::{CommitVersions, Encoded, FinalizeVersions},
		Error as ChainError, Snapshot, VersionCommit,
	},
};
use content_fabric_identifiers::{ContentObjectId, KmsId, Muid, TenantId, VersionId};
use content_fabric_primitives::{DraftVersion, HashKind};
use subxt::utils::{AccountId32, MultiSignature};

use tracing::{info, warn};

use super::{tip::Tip, Fabric, Link, Refusal};

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
		self.operator.account()
	}

	/// Returns the amount that the operator could spend at the last request to the chain, in the
	/// smallest unit.
	pub fn balance(&self) -> Option<u128> {
		*self.balance.borrow()
	}

	/// Returns the number of commits of one version, with their finalizations, for which the balance
	/// suffices. `None` if the chain does not say what they cost, or that they cost nothing.
	pub fn affordable_commits(&self) -> Option<u128> {
		let fee = (*self.fee.borrow())?;
		self.balance()?.checked_div(fee)
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

	/// Reads the amount that the operator can spend, and logs when it no longer suffices for a
	/// commit of one version and its finalization, and when it does again. `seen` is the last
	/// amount.
	pub(super) async fn watch_funds(
		&self,
		link: &Link,
		at: &Snapshot,
		seen: &mut Option<u128>,
	) -> Result<(), ChainError> {
		let Some(spendable) = self.read_balance(at).await? else { return Ok(()) };
		if seen.replace(spendable) == Some(spendable) {
			return Ok(());
		}
		let needed = match self.fee(at, &self.smallest_commit()).await {
			Err(error) if error.is_connection() => return Err(error),
			fee => fee.ok().flatten(),
		};
		self.fee.send_replace(needed);
		let Some(needed) = needed else { return Ok(()) };
		let is_short = spendable < needed;
		if self.is_short.swap(is_short, Ordering::Relaxed) == is_short {
			return Ok(());
		}
		let units = &link.chain.identity().units;
		let (account, spendable, needed) =
			(*self.operator(), units.amount(spendable), units.amount(needed));
		match is_short {
			true => warn!("{}", Shortage { account, spendable, needed }),
			false => info!("the operator of the node, {account}, can pay for commits again"),
		}
		Ok(())
	}

	/// Returns the commit with the lowest fee.
	fn smallest_commit(&self) -> VersionCommit {
		let (object, version) = (ContentObjectId([0; 10]), VersionId([0; 32]));
		let hash = HashKind::Sha256;
		let version = DraftVersion { object, version, hash, size: 0, set_head_on_finalize: false };
		VersionCommit {
			muid: Muid::from_bytes([0; Muid::LEN]),
			originator: self.provider,
			node: self.node,
			copies: Default::default(),
			tenant: TenantId([0; 10]),
			kms: Some(KmsId([0; 10])),
			create_objects: false,
			versions: vec![version].try_into().unwrap_or_default(),
		}
	}

	/// Checks that the operator can pay for a commit and for the finalization of its versions.
	/// Passes if the chain reports neither the fee of a call nor the balance of an account.
	pub(super) async fn ensure_funds(
		&self,
		tip: &Tip,
		commit: &VersionCommit,
	) -> Result<(), Refusal> {
		let mut fees = tip.fees.lock().await;
		let fee = match fees.entry((commit.versions.len(), commit.create_objects)) {
			Entry::Occupied(known) => *known.get(),
			Entry::Vacant(unknown) => *unknown.insert(self.fee(&tip.at, commit).await?),
		};
		let (Some(needed), Some(spendable)) = (fee, tip.spendable) else { return Ok(()) };
		if spendable >= needed {
			return Ok(());
		}
		let units = &tip.link.chain.identity().units;
		let (spendable, needed) = (units.amount(spendable), units.amount(needed));
		Err(Refusal::Funds(Shortage { account: *self.operator(), spendable, needed }))
	}

	/// Returns the fees of a commit and of the finalization of its versions.
	async fn fee(&self, at: &Snapshot, commit: &VersionCommit) -> Result<Option<u128>, ChainError> {
		// A signature of any account has this length.
		let (tenant_signer, signature) = (*self.operator(), MultiSignature::Sr25519([0; 64]));
		let commit_call =
			at.encode(CommitVersions { tenant_signer, commit: Encoded::new(commit), signature })?;
		let (provider, node, tenant) = (self.provider, self.node, commit.tenant);
		let versions = commit.versions.iter().map(|version| (version.object, version.version));
		let versions = versions.collect();
		let finalize_call = at.encode(FinalizeVersions { provider, node, tenant, versions })?;
		let fees = (at.fee(&commit_call).await?, at.fee(&finalize_call).await?);
		Ok(fees.0.zip(fees.1).map(|(commit, finalize)| commit.saturating_add(finalize)))
	}
}
