//! Plans what is left to be done for the objects and versions of a tenant.

use std::collections::BTreeMap;

use content_fabric_identifiers::{ContentObjectId, NodeId, ProviderId, TenantId, VersionId};
use content_fabric_primitives::DraftVersion;

use super::{records, report::PublishedRegistry};
use crate::{
	chain::Snapshot,
	ids,
	input::{Registry, Release},
	storage::{self, ContentObject, ContentRef, Version},
	Error,
};

/// A version under its tenant.
pub type VersionKey = (ContentObjectId, VersionId);

/// The content of a tenant on the chain.
#[derive(Default)]
pub struct OnChain {
	pub objects: BTreeMap<ContentObjectId, ContentObject>,
	pub versions: BTreeMap<VersionKey, Version>,
	/// The targets of the records in the collection of names, by key.
	pub names: BTreeMap<Vec<u8>, ContentRef>,
}

impl OnChain {
	pub async fn read(at: &Snapshot, tenant: TenantId) -> Result<Self, Error> {
		let (versions, records) = (storage::versions(), storage::records());
		let names = records::NAMES.as_bytes().to_vec();
		let (objects, versions, names) = tokio::try_join!(
			read_objects(at, tenant),
			at.rows(&versions, (tenant.0,)),
			at.rows(&records, (tenant.0, names)),
		)?;
		Ok(Self {
			objects,
			versions: versions
				.into_iter()
				.map(|((_, object, version), info)| {
					((ContentObjectId(object), VersionId(version)), info)
				})
				.collect(),
			names: names.into_iter().map(|((_, _, key), record)| (key, record.target)).collect(),
		})
	}
}

/// Reads the content objects of a tenant.
pub async fn read_objects(
	at: &Snapshot,
	tenant: TenantId,
) -> Result<BTreeMap<ContentObjectId, ContentObject>, Error> {
	let objects = at.rows(&storage::content_objects(), (tenant.0,)).await?;
	Ok(objects.into_iter().map(|((_, object), info)| (ContentObjectId(object), info)).collect())
}

/// The provider that publishes, in its present incarnation.
#[derive(Clone, Copy, Debug)]
pub struct Originator {
	pub id: ProviderId,
	/// When it was created: a muid of the chain, packed.
	pub created: [u8; 16],
}

impl Originator {
	/// Returns whether the provider may finalize a version: only one that its own nodes took in
	/// since it was created.
	fn may_finalize(&self, version: &Version) -> bool {
		// The packed form of muids has their order.
		version.originator == self.id.0 && version.committed > self.created
	}
}

/// A version that a node of the provider committed, and that it has yet to finalize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unfinalized {
	pub node: NodeId,
	pub object: ContentObjectId,
	pub version: VersionId,
}

/// The work left for objects and versions, in its order.
#[derive(Default)]
pub struct Plan {
	/// The versions to be finalized, by node.
	pub finalize: Vec<Unfinalized>,
	/// The versions to be committed and finalized. Those of an object ascend.
	pub drafts: Vec<DraftVersion>,
	/// The versions to be made the head, unless finalizing them has done so.
	pub heads: Vec<VersionKey>,
}

impl Plan {
	/// Plans for the packages of a registry, and counts what is planned.
	pub fn new(
		tenant: TenantId,
		originator: Originator,
		registry: &Registry,
		on_chain: &OnChain,
		published: &mut PublishedRegistry,
	) -> Self {
		let mut plan = Self::default();
		for (name, releases) in registry {
			let object = ids::content_object(tenant, name);
			plan.add(originator, object, releases, on_chain, published);
		}
		plan.finalize.sort_unstable();
		published.committed = plan.drafts.len();
		published.finalized = plan.finalize.len() + plan.drafts.len();
		plan
	}

	/// Adds what a package still needs.
	fn add(
		&mut self,
		originator: Originator,
		object: ContentObjectId,
		releases: &[Release],
		on_chain: &OnChain,
		published: &mut PublishedRegistry,
	) {
		let found = on_chain.objects.get(&object);
		published.created += usize::from(found.is_none());
		let head = releases.last().map(|release| release.checksum);
		for release in releases {
			let version = release.checksum;
			let is_head = head == Some(version);
			match on_chain.versions.get(&(object, version)) {
				None => self.drafts.push(DraftVersion {
					object,
					version,
					size: release.size.unwrap_or(0),
					set_head_on_finalize: is_head,
				}),
				Some(present) if present.finalized.is_some() => {
					if is_head && found.and_then(|found| found.head_version) != Some(version.0) {
						self.heads.push((object, version));
					}
				},
				Some(present) if originator.may_finalize(present) => {
					self.finalize.push(Unfinalized { node: NodeId(present.node), object, version });
					if is_head {
						self.heads.push((object, version));
					}
				},
				Some(_) => published.unfinalized += 1,
			}
		}
	}
}

/// Leaves out the versions that are the heads of their objects.
pub fn other_than_heads(
	versions: Vec<VersionKey>,
	objects: &BTreeMap<ContentObjectId, ContentObject>,
) -> Vec<VersionKey> {
	let head = |object: ContentObjectId| objects.get(&object).and_then(|info| info.head_version);
	versions.into_iter().filter(|(object, version)| head(*object) != Some(version.0)).collect()
}

#[cfg(test)]
mod tests {
	use super::*;

	const TENANT: TenantId = TenantId([1; 10]);
	const ORIGINATOR: Originator = Originator { id: ProviderId([2; 10]), created: [5; 16] };

	fn registry(packages: u8, releases: u8) -> Registry {
		let release = |checksum: u8, version: u8| Release {
			version: version.to_string(),
			checksum: VersionId([checksum; 32]),
			size: Some(version.into()),
		};
		(0..packages)
			.map(|i| (format!("p{i:03}"), (0..releases).map(|j| release(j, j)).collect()))
			.collect()
	}

	fn object() -> ContentObjectId {
		ids::content_object(TENANT, "p000")
	}

	fn version(originator: ProviderId, committed: u8, finalized: Option<u64>) -> Version {
		Version {
			originator: originator.0,
			node: [3; 10],
			kms: [0; 10],
			muid: [0; 16],
			size: 0,
			committed: [committed; 16],
			finalized,
			set_head_on_finalize: false,
			deposit: 0,
		}
	}

	/// A chain with versions 0 and 1 of an object, and a head.
	fn on_chain(head: u8, first: Version, second: Version) -> OnChain {
		let info = ContentObject {
			head_version: Some([head; 32]),
			version_count: 2,
			deposit: 0,
			created: [0; 16],
		};
		OnChain {
			objects: BTreeMap::from([(object(), info)]),
			versions: BTreeMap::from([
				((object(), VersionId([0; 32])), first),
				((object(), VersionId([1; 32])), second),
			]),
			names: BTreeMap::new(),
		}
	}

	fn plan(on_chain: &OnChain, releases: u8) -> (Plan, PublishedRegistry) {
		let mut published = PublishedRegistry::default();
		let registry = registry(1, releases);
		let plan = Plan::new(TENANT, ORIGINATOR, &registry, on_chain, &mut published);
		(plan, published)
	}

	#[test]
	fn every_version_is_drafted_once_and_those_of_an_object_ascend() {
		let mut published = PublishedRegistry::default();
		let registry = registry(150, 3);
		let plan = Plan::new(TENANT, ORIGINATOR, &registry, &OnChain::default(), &mut published);
		let counts = (published.created, published.committed, published.finalized);
		assert_eq!(counts, (150, 450, 450));
		assert!(plan.finalize.is_empty() && plan.heads.is_empty());
		for (package, drafts) in registry.keys().zip(plan.drafts.chunks(3)) {
			let object = ids::content_object(TENANT, package);
			for (draft, number) in drafts.iter().zip(0..) {
				assert_eq!((draft.object, draft.version), (object, VersionId([number; 32])));
				assert_eq!((draft.size, draft.set_head_on_finalize), (number.into(), number == 2));
			}
		}
	}

	#[test]
	fn what_is_finalized_is_left_alone_and_another_head_is_set() {
		let finalized = || version(ProviderId([9; 10]), 1, Some(1));
		for (head, expected) in [(1, vec![]), (0, vec![(object(), VersionId([1; 32]))])] {
			let (plan, published) = plan(&on_chain(head, finalized(), finalized()), 2);
			assert!(plan.drafts.is_empty() && plan.finalize.is_empty());
			assert_eq!(plan.heads, expected);
			assert_eq!((published.created, published.committed, published.finalized), (0, 0, 0));
		}
	}

	#[test]
	fn only_what_is_missing_is_committed() {
		let finalized = || version(ORIGINATOR.id, 6, Some(1));
		let (plan, published) = plan(&on_chain(1, finalized(), finalized()), 4);
		let drafts: Vec<_> =
			plan.drafts.iter().map(|draft| (draft.size, draft.set_head_on_finalize)).collect();
		assert_eq!(drafts, [(2, false), (3, true)]);
		assert_eq!((published.created, published.committed, published.finalized), (0, 2, 2));
		assert!(plan.heads.is_empty());
	}

	#[test]
	fn the_provider_finalizes_what_it_has_committed_itself_and_in_this_life() {
		let own = || version(ORIGINATOR.id, 6, None);
		let (plan, published) = plan(&on_chain(0, own(), own()), 2);
		let keys: Vec<_> = plan.finalize.iter().map(|found| found.version.0[0]).collect();
		assert_eq!((keys, published.finalized, published.committed), (vec![0, 1], 2, 0));
		assert_eq!(plan.heads, [(object(), VersionId([1; 32]))]);
		assert_eq!(published.unfinalized, 0);

		for foreign in [version(ProviderId([9; 10]), 6, None), version(ORIGINATOR.id, 5, None)] {
			let (plan, published) = self::plan(&on_chain(0, own(), foreign), 2);
			assert_eq!((plan.finalize.len(), published.unfinalized), (1, 1));
			assert!(plan.heads.is_empty(), "a version that is not finalized cannot be the head");
		}
	}

	#[test]
	fn heads_that_finalizing_has_set_are_not_set_again() {
		let chain = on_chain(1, version(ORIGINATOR.id, 6, None), version(ORIGINATOR.id, 6, None));
		let (zero, one) = ((object(), VersionId([0; 32])), (object(), VersionId([1; 32])));
		assert_eq!(other_than_heads(vec![zero, one], &chain.objects), [zero]);
	}
}
