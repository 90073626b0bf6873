//! Commits: drafted by the node, signed by the tenant's key, submitted by the provider's.

use content_fabric_identifiers::{KmsId, Medallion, Muid, NodeId, TenantId};
use content_fabric_primitives::DraftVersion;

use super::{
	plan::{Unfinalized, VersionKey},
	Publisher,
};
use crate::{
	calls::{self, Call, VersionCommit},
	chain::Chain,
	storage, Error,
};

impl Publisher {
	/// Returns the calls that commit versions and finalize them, for the provider to sign: they
	/// succeed or fail together.
	pub(super) async fn commit(
		&self,
		chain: &Chain,
		tenant: TenantId,
		kms: KmsId,
		drafts: &[DraftVersion],
	) -> Result<Vec<Call>, Error> {
		let commit = VersionCommit {
			muid: self.next_muid(chain).await?,
			originator: self.provider_id,
			node: self.node_id,
			tenant,
			kms,
			create_objects: true,
			versions: drafts.to_vec().try_into().expect("the chain's limit is a u32; qed"),
		};
		let signature = self.tenant.sign(&commit.payload(chain.genesis_hash()));
		let versions: Vec<_> = drafts.iter().map(|draft| (draft.object, draft.version)).collect();
		Ok(vec![
			calls::commit_versions(&self.tenant.id, &commit, &signature),
			self.finalize_versions(self.node_id, tenant, &versions),
		])
	}

	/// Returns the calls that finalize versions of the provider's nodes: one for each node.
	pub(super) fn finalize(&self, tenant: TenantId, versions: &[Unfinalized]) -> Vec<Call> {
		let by_node = versions.chunk_by(|a, b| a.node == b.node);
		by_node
			.map(|versions| {
				let node = versions[0].node;
				let versions: Vec<_> =
					versions.iter().map(|found| (found.object, found.version)).collect();
				self.finalize_versions(node, tenant, &versions)
			})
			.collect()
	}

	fn finalize_versions(&self, node: NodeId, tenant: TenantId, versions: &[VersionKey]) -> Call {
		calls::finalize_versions(self.provider_id, node, tenant, versions)
	}

	/// Returns the muid of the node's next commit: at the time of the chain, and later than all
	/// that the node has committed and the chain has minted. A version becomes the head only if it
	/// was drafted after the tenant's last decision about the head, which has a muid of the chain.
	async fn next_muid(&self, chain: &Chain) -> Result<Muid, Error> {
		let at = chain.best().await?;
		let (nodes, last_muid) = (storage::nodes(), storage::last_muid());
		let (now, node, minted) = tokio::try_join!(
			at.now_micros(),
			at.get(&nodes, (self.provider_id.0, self.node_id.0)),
			at.get(&last_muid, ()),
		)?;
		let id = || self.node_id.to_string();
		let node = node.ok_or_else(|| Error::Unknown { kind: "node", id: id() })?;
		let earlier = [node.last_muid, minted].into_iter().flatten().map(Muid::from_bytes);
		muid(now, node.medallion, earlier).map_err(|reason| Error::Muid { node: id(), reason })
	}
}

/// Returns a muid of a medallion at the time `now`, or later if an earlier muid is not.
fn muid(now: u64, medallion: u64, earlier: impl IntoIterator<Item = Muid>) -> Result<Muid, String> {
	let medallion = Medallion::new(medallion).map_err(|error| error.to_string())?;
	let last = earlier.into_iter().max();
	Muid::next_transaction(last, now, medallion).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn muids_have_the_chains_time_or_the_next_after_those_before() {
		let medallion = Medallion::FIRST_ASSIGNABLE;
		let at = |timestamp, medallion: Medallion| {
			Muid::new(timestamp, medallion, 7).expect("the time is within range")
		};
		for (earlier, timestamp) in [
			(vec![], 1_000),
			(vec![at(10, medallion)], 1_000),
			(vec![at(1_000, medallion)], 1_001),
			(vec![at(2_000, medallion), at(3_000, Medallion::MAX)], 3_001),
			(vec![at(3_000, medallion), at(2_000, Medallion::MAX)], 3_001),
		] {
			let muid = muid(1_000, medallion.get(), earlier).expect("there is time left");
			assert_eq!(muid, Muid::new(timestamp, medallion, 0).expect("it is within range"));
		}
		assert!(muid(1_000, u64::MAX, None).is_err());
		assert!(muid(u64::MAX, medallion.get(), None).is_err());
	}
}
