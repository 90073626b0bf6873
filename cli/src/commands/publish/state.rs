// SPDX-License-Identifier: Apache-2.0
//! The content of a tenant on the chain.

use std::collections::HashMap;

use content_fabric_client::{
	chain::{rows, Chain, Snapshot},
	text::Text,
};
use content_fabric_identifiers::{
	ContentObjectId, Muid, NodeId, ProviderId, TenantId, Tid, VersionId,
};
use content_fabric_primitives::ContentRef;

use super::{plan::Item, NAMES, RUNS};
use crate::Error;

/// A version under its tenant.
pub(super) type VersionKey = (ContentObjectId, VersionId);

/// The provider that publishes, in its present incarnation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Originator {
	pub id: ProviderId,
	/// When it was created. `None` if it does not exist yet.
	pub created: Option<Muid>,
}

/// State of a version on the chain, for the provider that publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
	Finalized,
	/// The provider's own node has committed it, and it can be finalized.
	Unfinalized(NodeId),
	/// Another provider has committed it, or an earlier one with the same id.
	Foreign,
}

#[derive(Debug, Default)]
pub(super) struct OnChain {
	pub objects: HashMap<ContentObjectId, Option<VersionId>>,
	pub versions: HashMap<VersionKey, Presence>,
	/// The targets of the records of names.
	pub names: HashMap<String, ContentRef>,
	/// True if the record of the run is there.
	pub has_run: bool,
}

impl Originator {
	/// Returns the state of a version: the provider can finalize only versions that its own nodes
	/// took in since it was created.
	fn presence(&self, version: &rows::Version) -> Presence {
		let is_own = version.originator == self.id
			&& self.created.is_some_and(|created| version.committed > created);
		match (version.finalized, is_own) {
			(Some(_), _) => Presence::Finalized,
			(None, true) => Presence::Unfinalized(version.node),
			(None, false) => Presence::Foreign,
		}
	}
}

impl OnChain {
	pub(super) async fn read(
		chain: &Chain,
		at: &Snapshot,
		tenant: TenantId,
		originator: Originator,
		run: Tid,
	) -> Result<Self, Error> {
		let mut on_chain = Self::default();
		let Self { objects, versions, names, has_run } = &mut on_chain;
		tokio::try_join!(
			async {
				let key = (tenant, Text(RUNS.into()), Text(run.to_string().into()));
				*has_run = at.get(rows::records(), key).await?.is_some();
				Ok(())
			},
			chain.scan(at, rows::content_objects(), (tenant,), |mut key, row| {
				objects.insert(key.part()?, row.head_version);
				Ok(())
			}),
			chain.scan(at, rows::versions(), (tenant,), |mut key, row| {
				versions.insert((key.part()?, key.part()?), originator.presence(&row));
				Ok(())
			}),
			chain.scan(at, rows::records(), (tenant, Text(NAMES.into())), |mut key, row| {
				let key = String::from_utf8_lossy(&key.part::<Vec<u8>>()?).into_owned();
				names.insert(key, row.target);
				Ok(())
			}),
		)?;
		Ok(on_chain)
	}

	/// Returns whether the chain has an item of an earlier plan.
	pub(super) fn has(&self, item: &Item) -> bool {
		match item {
			Item::Finalize { version, .. } => self.is_final(version),
			Item::Commit { draft, .. } => self.is_final(&(draft.object, draft.version)),
			Item::Head { version: (object, version), .. } => {
				self.objects.get(object) == Some(&Some(*version))
			},
			Item::Name { key, target, .. } => self.names.get(key) == Some(target),
			Item::Run { .. } => self.has_run,
		}
	}

	fn is_final(&self, version: &VersionKey) -> bool {
		self.versions.get(version) == Some(&Presence::Finalized)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::Medallion;

	use super::*;

	fn muid(timestamp: u64) -> Muid {
		Muid::new(timestamp, Medallion::FIRST_ASSIGNABLE, 0).expect("it is within range; qed")
	}

	fn version(originator: ProviderId, committed: u64, finalized: Option<u64>) -> rows::Version {
		rows::Version {
			originator,
			node: NodeId([3; 10]),
			kms: None,
			muid: muid(1),
			size: 0.into(),
			committed: muid(committed),
			finalized,
			set_head_on_finalize: false,
			deposit: 0,
		}
	}

	#[test]
	fn the_provider_finalizes_what_it_has_committed_itself_and_in_this_life() {
		let id = ProviderId([2; 10]);
		let originator = Originator { id, created: Some(muid(5)) };
		let own = Presence::Unfinalized(NodeId([3; 10]));
		let foreign = ProviderId([9; 10]);
		for (row, presence) in [
			(version(id, 6, None), own),
			(version(id, 5, None), Presence::Foreign),
			(version(foreign, 6, None), Presence::Foreign),
			(version(foreign, 6, Some(1)), Presence::Finalized),
		] {
			assert_eq!(originator.presence(&row), presence);
		}
		let unborn = Originator { id, created: None };
		assert_eq!(unborn.presence(&version(id, 6, None)), Presence::Foreign);
	}
}
