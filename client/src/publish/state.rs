// SPDX-License-Identifier: Apache-2.0
//! The content of a tenant on the chain.

use std::{cell::Cell, collections::HashMap};

use content_fabric_identifiers::{
	ContentObjectId, Muid, NodeId, ProviderId, TenantId, Tid, VersionId,
};
use content_fabric_primitives::ContentRef;

use super::{plan::Item, NAMES, RUNS};
use crate::{
	chain::{rows, Chain, Error, Snapshot},
	text::Text,
};

/// Number of rows after which a report is due.
const REPORTED: u64 = 1_000;

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
	/// The provider's own node has committed it, and it can be finalized. It may become the head
	/// with that.
	Unfinalized {
		node: NodeId,
		sets_head: bool,
	},
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
			(None, true) => Presence::Unfinalized {
				node: version.node,
				sets_head: version.set_head_on_finalize,
			},
			(None, false) => Presence::Foreign,
		}
	}
}

impl OnChain {
	/// Reads the state of a tenant. Reports the number of rows that were read from time to time.
	pub(super) async fn read(
		chain: &Chain,
		at: &Snapshot,
		tenant: TenantId,
		originator: Originator,
		run: Tid,
		report: impl Fn(u64),
	) -> Result<Self, Error> {
		let mut on_chain = Self::default();
		let rows_read = Cell::new(0u64);
		let count = || {
			rows_read.set(rows_read.get() + 1);
			if rows_read.get().is_multiple_of(REPORTED) {
				report(rows_read.get());
			}
		};
		let Self { objects, versions, names, has_run } = &mut on_chain;
		tokio::try_join!(
			async {
				let key = (tenant, Text(RUNS.into()), Text(run.to_string().into()));
				*has_run = at.get(rows::records(), key).await?.is_some();
				Ok(())
			},
			chain.scan(at, rows::content_objects(), (tenant,), |mut key, row| {
				count();
				objects.insert(key.part()?, row.head_version);
				Ok(())
			}),
			chain.scan(at, rows::versions(), (tenant,), |mut key, row| {
				count();
				versions.insert((key.part()?, key.part()?), originator.presence(&row));
				Ok(())
			}),
			chain.scan(at, rows::records(), (tenant, Text(NAMES.into())), |mut key, row| {
				count();
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
	use content_fabric_identifiers::{HashKind, Medallion};

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
			hash: HashKind::Sha256,
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
		let own = Presence::Unfinalized { node: NodeId([3; 10]), sets_head: false };
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
