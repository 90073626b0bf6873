// SPDX-License-Identifier: Apache-2.0
//! The content of a tenant on the chain.

use std::{
	cell::Cell,
	collections::{BTreeMap, HashMap, HashSet},
};

use content_fabric_identifiers::{
	ContentObjectId, HashKind, Medallion, NodeId, TenantId, Tid, VersionId,
};
use content_fabric_primitives::ContentRef;

use super::{
	copies::{Asked, Lack},
	plan::Item,
	NAMES, RUNS,
};
use crate::{
	chain::{rows, Chain, Error, Snapshot},
	text::Text,
};

/// Number of rows after which a report is due.
const REPORTED: u64 = 1_000;

/// A version under its tenant.
pub(super) type VersionKey = (ContentObjectId, VersionId);

/// The collection and the key of a record.
pub(super) type RecordName = (String, String);

/// The nodes of the provider that publishes, by their medallions.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnNodes(pub HashSet<Medallion>);

/// State of a version on the chain, for the provider that publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
	Finalized,
	/// No node holds it, and one of the provider was asked to. It may become the head with that.
	Unfinalized {
		node: NodeId,
		sets_head: bool,
	},
	/// No node holds it, and no node of the provider was asked to.
	Foreign,
}

#[derive(Clone, Debug, Default)]
pub(super) struct OnChain {
	pub objects: HashMap<ContentObjectId, Option<VersionId>>,
	pub versions: HashMap<VersionKey, Presence>,
	/// The versions whose ids are SHA-256 hashes. All others have BLAKE3 hashes.
	pub sha256: HashSet<VersionKey>,
	/// The targets of the records of names.
	pub names: HashMap<String, ContentRef>,
	/// True if the record of the run is there.
	pub has_run: bool,
	/// The changes of copies that versions lack.
	pub lacks: HashMap<VersionKey, Vec<Lack>>,
	/// The rows that only removals need.
	pub held: Held,
}

/// The deposits of rows, and the records of all collections.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
	pub objects: HashMap<ContentObjectId, u128>,
	pub versions: HashMap<VersionKey, u128>,
	/// The targets and the deposits of records.
	pub records: BTreeMap<RecordName, (ContentRef, u128)>,
}

impl OwnNodes {
	/// Returns the state of a version.
	fn presence(&self, version: &rows::Version) -> Presence {
		let own = version.copies.iter().find(|copy| self.0.contains(&copy.medallion));
		match (version.finalized, own) {
			(Some(_), _) => Presence::Finalized,
			(None, Some(copy)) => {
				Presence::Unfinalized { node: copy.node, sets_head: version.set_head_on_finalize }
			},
			(None, None) => Presence::Foreign,
		}
	}
}

impl OnChain {
	/// Reads the state of a tenant, with what removals need if something `removes`. Reports the
	/// number of rows that were read from time to time.
	pub(super) async fn read(
		chain: &Chain,
		at: &Snapshot,
		tenant: TenantId,
		(own, asked): (OwnNodes, Asked),
		(run, removes): (Tid, bool),
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
		let Self { objects, versions, sha256, names, has_run, lacks, held } = &mut on_chain;
		let Held { objects: of_objects, versions: of_versions, records } = held;
		tokio::try_join!(
			async {
				let key = (tenant, Text(RUNS.into()), Text(run.to_string().into()));
				*has_run = at.get(rows::records(), key).await?.is_some();
				Ok(())
			},
			chain.scan(at, rows::content_objects(), (tenant,), |mut key, row| {
				count();
				let object = key.part()?;
				objects.insert(object, row.head_version);
				if removes {
					of_objects.insert(object, row.deposit);
				}
				Ok(())
			}),
			chain.scan(at, rows::versions(), (tenant,), |mut key, row| {
				count();
				let version = (key.part()?, key.part()?);
				versions.insert(version, own.presence(&row));
				let lacking = asked.lacking(&row);
				if !lacking.is_empty() {
					lacks.insert(version, lacking);
				}
				if row.hash == HashKind::Sha256 {
					sha256.insert(version);
				}
				if removes {
					of_versions.insert(version, row.deposit);
				}
				Ok(())
			}),
			async {
				let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
				if removes {
					let all = chain.scan(at, rows::records(), (tenant,), |mut key, row| {
						count();
						let (collection, key) = (text(key.part()?), text(key.part()?));
						if collection == NAMES {
							names.insert(key.clone(), row.target);
						}
						records.insert((collection, key), (row.target, row.deposit));
						Ok(())
					});
					return all.await;
				}
				let names = chain.scan(
					at,
					rows::records(),
					(tenant, Text(NAMES.into())),
					|mut key, row| {
						count();
						names.insert(text(key.part()?), row.target);
						Ok(())
					},
				);
				names.await
			},
		)?;
		Ok(on_chain)
	}

	/// Returns whether the target of a record does not exist.
	pub(super) fn is_dangling(&self, target: &ContentRef) -> bool {
		match target.version {
			None => !self.objects.contains_key(&target.object),
			Some(version) => !self.versions.contains_key(&(target.object, version)),
		}
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
			Item::DeleteVersion { version, .. } => !self.versions.contains_key(version),
			Item::DeleteObject { object, .. } => !self.objects.contains_key(object),
			Item::DeleteRecord { record, .. } => !self.held.records.contains_key(record),
			Item::Copy { version, lack, .. } => {
				let lacks = |lacks: &Vec<Lack>| lacks.iter().any(|found| found.node == lack.node);
				self.versions.contains_key(version) && !self.lacks.get(version).is_some_and(lacks)
			},
		}
	}

	fn is_final(&self, version: &VersionKey) -> bool {
		self.versions.get(version) == Some(&Presence::Finalized)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{HashKind, Muid, ProviderId};

	use super::*;

	fn medallion(number: u64) -> Medallion {
		Medallion::new(number).expect("it is within range; qed")
	}

	fn muid(timestamp: u64) -> Muid {
		Muid::new(timestamp, Medallion::FIRST_ASSIGNABLE, 0).expect("it is within range; qed")
	}

	fn version(asked: &[u64], finalized: Option<u64>) -> rows::Version {
		let copy = |number: &u64| rows::Copy {
			provider: ProviderId([2; 10]),
			node: NodeId([3; 10]),
			medallion: medallion(*number),
			held: None,
		};
		rows::Version {
			copies: asked.iter().map(copy).collect(),
			kms: None,
			muid: muid(1),
			hash: HashKind::Sha256,
			size: 0.into(),
			committed: muid(2),
			finalized,
			set_head_on_finalize: false,
			deposit: 0,
		}
	}

	#[test]
	fn the_provider_finalizes_what_its_present_nodes_were_asked_to_hold() {
		let own = OwnNodes([5, 6].map(medallion).into());
		let unfinalized = Presence::Unfinalized { node: NodeId([3; 10]), sets_head: false };
		for (row, presence) in [
			(version(&[6], None), unfinalized),
			(version(&[1, 5], None), unfinalized),
			(version(&[1], None), Presence::Foreign),
			(version(&[], None), Presence::Foreign),
			(version(&[1], Some(1)), Presence::Finalized),
			(version(&[5], Some(1)), Presence::Finalized),
		] {
			assert_eq!(own.presence(&row), presence);
		}
		assert_eq!(OwnNodes::default().presence(&version(&[5], None)), Presence::Foreign);
	}
}
