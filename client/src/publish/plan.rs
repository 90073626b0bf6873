//! What is left to be done for the objects and versions of a tenant.

use std::collections::BTreeMap;

use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};

use super::{records, report::PublishedRegistry, step::Step, BATCH};
use crate::{
	chain::Snapshot,
	content::{Registry, Release},
	ids,
	storage::{self, Collection, ContentObject, ContentRef, Version},
	Error,
};

/// What a tenant has on the chain.
pub struct OnChain {
	pub objects: BTreeMap<ContentObjectId, ContentObject>,
	pub versions: BTreeMap<(ContentObjectId, VersionId), Version>,
	/// The collections, by name.
	pub collections: BTreeMap<Vec<u8>, Collection>,
	/// The targets of the records in the collection of names, by key.
	pub names: BTreeMap<Vec<u8>, ContentRef>,
}

impl OnChain {
	pub async fn read(at: &Snapshot, tenant: TenantId) -> Result<Self, Error> {
		let objects = at.rows(&storage::content_objects(), (tenant.0,)).await?;
		let versions = at.rows(&storage::versions(), (tenant.0,)).await?;
		let collections = at.rows(&storage::collections(), (tenant.0,)).await?;
		let names = records::NAMES.as_bytes().to_vec();
		let names = at.rows(&storage::records(), (tenant.0, names)).await?;
		Ok(Self {
			objects: objects
				.into_iter()
				.map(|((_, object), info)| (ContentObjectId(object), info))
				.collect(),
			versions: versions
				.into_iter()
				.map(|((_, object, version), info)| {
					((ContentObjectId(object), VersionId(version)), info)
				})
				.collect(),
			collections: collections.into_iter().map(|((_, name), info)| (name, info)).collect(),
			names: names.into_iter().map(|((_, _, key), record)| (key, record.target)).collect(),
		})
	}
}

/// A version that the node is to commit.
#[derive(Clone, Copy, Debug)]
pub struct Draft {
	pub object: ContentObjectId,
	pub version: VersionId,
	/// Size of the data in bytes, 0 if it is not known.
	pub size: u64,
	/// Whether it is to be the head.
	pub is_head: bool,
}

/// What goes together. The tenant's calls come first, in one transaction; then the provider's.
#[derive(Default)]
pub struct Batch {
	pub tenant: Vec<Step>,
	pub commits: Vec<Draft>,
	pub finalize: Vec<Step>,
}

impl Batch {
	/// Number of calls.
	pub fn len(&self) -> usize {
		self.tenant.len() + self.commits.len() + self.finalize.len()
	}

	fn is_full(&self) -> bool {
		self.tenant.len() >= BATCH || self.commits.len() + self.finalize.len() >= BATCH
	}
}

/// What objects and versions still need, in the order in which it is done.
#[derive(Default)]
pub struct Plan {
	pub batches: Vec<Batch>,
}

impl Plan {
	/// Plans for the packages of a registry, and counts what is planned.
	pub fn new(
		tenant: TenantId,
		registry: &Registry,
		on_chain: &OnChain,
		published: &mut PublishedRegistry,
	) -> Self {
		let mut plan = Self::default();
		for (name, releases) in registry {
			plan.add(tenant, name, releases, on_chain, published);
		}
		plan.batches.retain(|batch| batch.len() > 0);
		plan
	}

	/// Number of calls.
	pub fn len(&self) -> usize {
		self.batches.iter().map(Batch::len).sum()
	}

	/// Adds what a package still needs.
	fn add(
		&mut self,
		tenant: TenantId,
		name: &str,
		releases: &[Release],
		on_chain: &OnChain,
		published: &mut PublishedRegistry,
	) {
		let object = ids::content_object(tenant, name);
		let found = on_chain.objects.get(&object);
		if found.is_none() {
			self.batch().tenant.push(Step::CreateObject(object));
			published.created += 1;
		}
		let head = releases.last().map(|release| VersionId(release.checksum));
		for release in releases {
			let version = VersionId(release.checksum);
			let is_head = head == Some(version);
			let present = on_chain.versions.get(&(object, version));
			let batch = self.batch();
			if present.is_none() {
				let size = release.size.unwrap_or(0);
				batch.commits.push(Draft { object, version, size, is_head });
				published.committed += 1;
			}
			if present.is_none_or(|present| present.finalized.is_none()) {
				batch.finalize.push(Step::Finalize(object, version));
				published.finalized += 1;
			} else if is_head && found.and_then(|found| found.head_version) != Some(version.0) {
				batch.tenant.push(Step::SetHead(object, version));
				published.heads_set += 1;
			}
		}
	}

	/// The last batch, if it has room; a new one if it has not.
	fn batch(&mut self) -> &mut Batch {
		if self.batches.last().is_none_or(Batch::is_full) {
			self.batches.push(Batch::default());
		}
		self.batches.last_mut().expect("one was added if there was none; qed")
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn registry(packages: u8, releases: u8) -> Registry {
		let release = |checksum: u8, version: u8| Release {
			version: version.to_string(),
			checksum: [checksum; 32],
			size: Some(version.into()),
		};
		(0..packages)
			.map(|i| (format!("p{i:03}"), (0..releases).map(|j| release(j, j)).collect()))
			.collect()
	}

	fn nothing() -> OnChain {
		OnChain {
			objects: BTreeMap::new(),
			versions: BTreeMap::new(),
			collections: BTreeMap::new(),
			names: BTreeMap::new(),
		}
	}

	#[test]
	fn a_plan_is_cut_into_batches_and_misses_nothing() {
		let (tenant, registry) = (TenantId([1; 10]), registry(150, 3));
		let mut published = PublishedRegistry::default();
		let plan = Plan::new(tenant, &registry, &nothing(), &mut published);
		let counts = (published.created, published.committed, published.finalized);
		assert_eq!(counts, (150, 450, 450));
		assert_eq!(plan.len(), 150 + 450 + 450);
		assert!(plan.batches.len() >= 900 / BATCH);
		for batch in &plan.batches {
			assert!(batch.len() > 0);
			assert!(batch.tenant.len() <= BATCH);
			assert!(batch.commits.len() + batch.finalize.len() <= BATCH + 1);
			// Who is committed here is finalized here.
			assert_eq!(batch.commits.len(), batch.finalize.len());
		}
		let drafts: Vec<_> = plan.batches.iter().flat_map(|batch| &batch.commits).collect();
		assert_eq!(drafts.iter().filter(|draft| draft.is_head).count(), 150);
		assert!(drafts.iter().all(|draft| draft.is_head == (draft.size == 2)));
	}

	#[test]
	fn what_is_there_is_left_alone_and_a_head_that_is_another_is_set() {
		let (tenant, registry) = (TenantId([1; 10]), registry(1, 2));
		let object = ids::content_object(tenant, "p000");
		let version = |finalized| Version {
			originator: [0; 10],
			node: [0; 10],
			size: 0,
			committed: [0; 16],
			finalized,
			set_head_on_finalize: false,
			kms: [0; 10],
			deposit: 0,
		};
		let found = |head: u8| ContentObject {
			head_version: Some([head; 32]),
			version_count: 2,
			deposit: 0,
			created: [0; 16],
		};
		let mut on_chain = nothing();
		for i in 0..2 {
			on_chain.versions.insert((object, VersionId([i; 32])), version(Some(1)));
		}
		for (head, heads_set) in [(1, 0), (0, 1)] {
			on_chain.objects.insert(object, found(head));
			let mut published = PublishedRegistry::default();
			let plan = Plan::new(tenant, &registry, &on_chain, &mut published);
			assert_eq!((plan.len(), published.heads_set), (heads_set, heads_set));
		}

		on_chain.versions.insert((object, VersionId([1; 32])), version(None));
		let mut published = PublishedRegistry::default();
		let plan = Plan::new(tenant, &registry, &on_chain, &mut published);
		assert_eq!((plan.len(), published.committed, published.finalized), (1, 0, 1));
	}
}
