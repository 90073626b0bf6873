//! Commits: drafted by the node, signed by the tenant's key, submitted by the provider's.

use content_fabric_identifiers::{KmsId, Medallion, Muid, MuidGenerator, TenantId};

use super::{
	plan::Draft,
	step::{calls_of, Step},
	Publisher, Session,
};
use crate::{
	calls::{self, Call, Commit},
	chain::Chain,
	signing::commit_payload,
	storage, Error,
};

impl Publisher {
	/// Commits versions and finalizes versions, in one transaction.
	pub(super) async fn send_versions(
		&self,
		session: &mut Session<'_>,
		tenant: TenantId,
		kms: KmsId,
		drafts: &[Draft],
		finalize: &[Step],
	) -> Result<(), Error> {
		let mut calls = self.signed(session.chain, tenant, kms, drafts).await?;
		calls.extend(calls_of(finalize, tenant));
		match session.send(&self.provider, calls).await {
			// The clock of a chain that makes blocks for transactions only may have stood still for
			// long; that of the block that this transaction was in does not.
			Err(error) if error.is_fabric("MuidTooOld") => {
				let mut calls = self.signed(session.chain, tenant, kms, drafts).await?;
				calls.extend(calls_of(finalize, tenant));
				session.send(&self.provider, calls).await?;
				Ok(())
			},
			sent => sent.map(drop),
		}
	}

	/// The commits with muids of the node, by the chain's clock and later than all that the node
	/// has committed with; signed by the tenant's key.
	async fn signed(
		&self,
		chain: &Chain,
		tenant: TenantId,
		kms: KmsId,
		drafts: &[Draft],
	) -> Result<Vec<Call>, Error> {
		if drafts.is_empty() {
			return Ok(Vec::new());
		}
		let at = chain.best().await?;
		let now = at.now_micros().await?;
		let node = at.get(&storage::nodes(), (self.provider_id.0, self.node_id.0)).await?;
		let node =
			node.ok_or_else(|| Error::Unknown { kind: "node", id: self.node_id.to_string() })?;
		let last = node.last_muid.map(Muid::from_bytes);
		let muids = muids(now, node.medallion, last, drafts.len())
			.map_err(|reason| Error::Muid { node: self.node_id.to_string(), reason })?;

		let genesis_hash = chain.genesis_hash();
		let sign = |(draft, muid): (&Draft, Muid)| {
			let commit = Commit {
				originator: self.provider_id,
				node: self.node_id,
				tenant,
				object: draft.object,
				version: draft.version,
				size: draft.size,
				muid,
				set_head_on_finalize: draft.is_head,
				kms,
			};
			let signature = self.tenant.sign(&commit_payload(&genesis_hash, &commit));
			calls::commit_version(&self.tenant.id, &commit, &signature)
		};
		Ok(drafts.iter().zip(muids).map(sign).collect())
	}
}

/// So many muids of a medallion at the time `now`, rising and later than the last one.
fn muids(now: u64, medallion: u64, last: Option<Muid>, count: usize) -> Result<Vec<Muid>, String> {
	let medallion = Medallion::new(medallion).map_err(|error| error.to_string())?;
	let mut generator = MuidGenerator::new(move || now, medallion);
	if let Some(last) = last {
		generator.observe(last);
	}
	let mut transaction = generator.begin().map_err(|error| error.to_string())?;
	(0..count).map(|_| transaction.create().map_err(|error| error.to_string())).collect()
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn muids_rise_from_the_chains_time_or_from_the_last_one() {
		let medallion = Medallion::FIRST_ASSIGNABLE;
		let ahead = Muid::new(2_000, medallion, 7);
		for (last, timestamp) in
			[(None, 1_000), (Muid::new(10, medallion, 7), 1_000), (ahead, 2_001)]
		{
			let made = muids(1_000, medallion.get(), last, 3).expect("there is time left");
			assert!(made.iter().all(|muid| muid.medallion() == medallion.get()));
			assert!(made.iter().all(|muid| muid.timestamp() == timestamp));
			assert!(last.into_iter().chain(made.iter().copied()).is_sorted_by(|a, b| a < b));
			assert_eq!(made.len(), 3);
		}
		assert!(muids(1_000, u64::MAX, None, 1).is_err());
		assert!(muids(u64::MAX, medallion.get(), None, 1).is_err());
	}
}
