//! `fabric publish`: puts the packages of a lock file on the chain.
//!
//! Each registry becomes a tenant, each package a content object, each of its versions a version
//! whose id is the SHA-256 checksum in the lock file. What is there already is left alone, so a run
//! that was interrupted is finished by the next one. The highest version in the file becomes the
//! object's head.

use std::{
	collections::BTreeMap,
	io::{self, Write},
};

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	calls::{self, Call, Commit},
	chain::{Account, Chain, Snapshot},
	cli::PublishOptions,
	ids,
	lockfile::{Content, Registry, Skipped},
	output::{count, Progress, Report},
	storage::{self, ContentObject, Version},
	Error,
};

/// Calls in one transaction. A batch of so many is a small part of a block's weight and length.
const BATCH: usize = 400;

/// Who publishes, and where.
pub struct Publisher {
	governor: Account,
	provider: Account,
	tenant: Account,
	node_locator: String,
	kms_locator: String,
	space_id: SpaceId,
	provider_id: ProviderId,
	node_id: NodeId,
}

/// What was published.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
	/// The space's id.
	pub space: String,
	/// The provider's id.
	pub provider: String,
	/// The id of the node that took in the content.
	pub node: String,
	/// The registries of the lock file.
	pub registries: Vec<PublishedRegistry>,
	/// The packages that could not be published.
	pub skipped: Vec<Skipped>,
	/// The number of transactions that it took.
	pub transactions: u64,
}

/// What was published of a registry.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PublishedRegistry {
	/// The registry as the lock file names it.
	pub source: String,
	/// The tenant's id.
	pub tenant: String,
	/// Packages of the registry in the lock file.
	pub packages: usize,
	/// Versions of these packages in the lock file.
	pub versions: usize,
	/// Content objects that this run created.
	pub created: usize,
	/// Versions that this run committed.
	pub committed: usize,
	/// Versions that this run finalized.
	pub finalized: usize,
	/// Heads that this run set, besides those that came with a finalization.
	pub heads_set: usize,
}

impl PublishedRegistry {
	fn is_unchanged(&self) -> bool {
		self.created + self.committed + self.finalized + self.heads_set == 0
	}
}

impl Report for Published {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for skipped in &self.skipped {
			writeln!(out, "skipped {} {}: {}", skipped.name, skipped.version, skipped.reason)?;
		}
		writeln!(out, "space {}, provider {}, node {}", self.space, self.provider, self.node)?;
		for registry in &self.registries {
			writeln!(out, "tenant {} holds {}", registry.tenant, registry.source)?;
			writeln!(
				out,
				"  {} with {} in the lock file",
				count(registry.packages as u64, "package", "packages"),
				count(registry.versions as u64, "version", "versions")
			)?;
			if registry.is_unchanged() {
				writeln!(out, "  nothing to add: all of it was published before")?;
			} else {
				writeln!(
					out,
					"  added {}, {}; finalized {}",
					count(registry.created as u64, "content object", "content objects"),
					count(registry.committed as u64, "version", "versions"),
					count(registry.finalized as u64, "version", "versions")
				)?;
			}
		}
		let versions: usize = self.registries.iter().map(|registry| registry.versions).sum();
		writeln!(
			out,
			"published {}, skipped {}, in {}",
			count(versions as u64, "version", "versions"),
			count(self.skipped.len() as u64, "package", "packages"),
			count(self.transactions, "transaction", "transactions")
		)
	}
}

/// The calls that are left to make for some packages. The provider's come after the tenant's.
#[derive(Default)]
struct Work {
	tenant: Vec<Call>,
	provider: Vec<Call>,
}

impl Work {
	fn len(&self) -> usize {
		self.tenant.len() + self.provider.len()
	}
}

impl Publisher {
	/// Reads the keys and derives the ids.
	pub fn new(options: &PublishOptions) -> Result<Self, Error> {
		let provider: Account = options.provider.parse()?;
		let space_id = ids::space(&options.space);
		let provider_id = ids::provider(space_id, &provider.id.to_string());
		Ok(Self {
			governor: options.governor.parse()?,
			provider,
			tenant: options.tenant.parse()?,
			node_locator: options.node_locator.clone(),
			kms_locator: options.kms_locator.clone(),
			space_id,
			provider_id,
			node_id: ids::node(provider_id, "publisher"),
		})
	}

	/// Publishes what is not on the chain yet.
	pub async fn publish(&self, chain: &Chain, content: Content) -> Result<Published, Error> {
		let mut transactions = self.ensure_space(chain).await? + self.ensure_node(chain).await?;
		let mut registries = Vec::new();
		for (source, registry) in &content.registries {
			let tenant = ids::tenant(self.space_id, source);
			let kms = ids::kms(tenant, "publisher");
			transactions += self.ensure_tenant(chain, tenant, kms).await?;
			let (published, sent) =
				self.publish_registry(chain, source, registry, tenant, kms).await?;
			transactions += sent;
			registries.push(published);
		}
		Ok(Published {
			space: self.space_id.to_string(),
			provider: self.provider_id.to_string(),
			node: self.node_id.to_string(),
			registries,
			skipped: content.skipped,
			transactions,
		})
	}

	async fn ensure_space(&self, chain: &Chain) -> Result<u64, Error> {
		let space = chain.best().await?.get(&storage::spaces(), (self.space_id.0,)).await?;
		if space.is_some() {
			return Ok(0);
		}
		let create = calls::create_space(self.space_id, &self.governor.id);
		submit(chain, &self.governor, [Call::sudo(create)]).await
	}

	async fn ensure_node(&self, chain: &Chain) -> Result<u64, Error> {
		let (provider, node) = (self.provider_id, self.node_id);
		let at = chain.best().await?;
		let mut missing = Vec::new();
		match at.get(&storage::providers(), (provider.0,)).await? {
			Some(found) => {
				ensure_owner("provider", provider.to_string(), found.root, &self.provider)?
			},
			None => missing.push(calls::create_provider(self.space_id, provider)),
		}
		let found = at.get(&storage::nodes(), (provider.0, node.0)).await?;
		if found.is_none() {
			let (operator, locator) = (&self.provider.id, &self.node_locator);
			missing.push(calls::create_node(provider, node, operator, locator));
		}
		if found.is_none_or(|node| node.pending) {
			missing.push(calls::confirm_node(provider, node));
		}
		submit(chain, &self.provider, missing).await
	}

	async fn ensure_tenant(
		&self,
		chain: &Chain,
		tenant: TenantId,
		kms: KmsId,
	) -> Result<u64, Error> {
		let at = chain.best().await?;
		let mut missing = Vec::new();
		match at.get(&storage::tenants(), (tenant.0,)).await? {
			Some(found) => ensure_owner("tenant", tenant.to_string(), found.root, &self.tenant)?,
			None => missing.push(calls::create_tenant(self.space_id, tenant)),
		}
		if at.get(&storage::kmses(), (tenant.0, kms.0)).await?.is_none() {
			missing.push(calls::add_kms(tenant, kms, &self.kms_locator));
		}
		submit(chain, &self.tenant, missing).await
	}

	async fn publish_registry(
		&self,
		chain: &Chain,
		source: &str,
		registry: &Registry,
		tenant: TenantId,
		kms: KmsId,
	) -> Result<(PublishedRegistry, u64), Error> {
		let mut published = PublishedRegistry {
			source: source.into(),
			tenant: tenant.to_string(),
			packages: registry.len(),
			versions: registry.values().map(BTreeMap::len).sum(),
			..Default::default()
		};
		let on_chain = OnChain::read(&chain.best().await?, tenant).await?;
		let mut batches = vec![Work::default()];
		for (name, releases) in registry {
			let object = ids::content_object(tenant, name);
			let path = ContentObjectPath { tenant, object };
			self.plan_package(
				path,
				kms,
				releases.values(),
				&on_chain,
				&mut batches,
				&mut published,
			);
		}
		batches.retain(|work| work.len() > 0);

		let mut transactions = 0;
		let mut progress = Progress::new(batches.iter().map(|work| work.len() as u64).sum());
		for Work { tenant, provider } in batches {
			for (signer, calls) in [(&self.tenant, tenant), (&self.provider, provider)] {
				let steps = calls.len() as u64;
				let sent = submit(chain, signer, calls).await?;
				if sent > 0 {
					progress.advance(steps, "calls published");
				}
				transactions += sent;
			}
		}
		progress.finish();
		Ok((published, transactions))
	}

	/// Adds the calls that a package still needs, each version's into the batch that has room for
	/// it.
	fn plan_package<'a>(
		&self,
		path: ContentObjectPath,
		kms: KmsId,
		releases: impl DoubleEndedIterator<Item = &'a [u8; 32]>,
		on_chain: &OnChain,
		batches: &mut Vec<Work>,
		published: &mut PublishedRegistry,
	) {
		let ContentObjectPath { tenant, object } = path;
		let mut work = Vec::new();
		let found = on_chain.objects.get(&object);
		if found.is_none() {
			work.push((Some(calls::create_content_object(tenant, object)), None));
			published.created += 1;
		}
		let releases: Vec<_> = releases.copied().map(VersionId).collect();
		for &version in &releases {
			let is_head = releases.last() == Some(&version);
			let found_version = on_chain.versions.get(&(object, version));
			let commit = found_version.is_none().then(|| {
				published.committed += 1;
				calls::commit_version(&Commit {
					originator: self.provider_id,
					node: self.node_id,
					tenant,
					object,
					version,
					// A lock file does not say.
					size: 0,
					set_head_on_finalize: is_head,
					kms,
				})
			});
			let finalize = found_version.is_none_or(|found| found.finalized.is_none()).then(|| {
				published.finalized += 1;
				calls::finalize_version(tenant, object, version)
			});
			let head = found.and_then(|object| object.head_version);
			let set_head = (is_head && finalize.is_none() && head != Some(version.0)).then(|| {
				published.heads_set += 1;
				calls::set_head_version(tenant, object, version)
			});
			work.push((commit.or(set_head), finalize));
		}
		for (by_tenant, by_provider) in work {
			if batches.last().is_none_or(|batch| batch.tenant.len() >= BATCH) {
				batches.push(Work::default());
			}
			if let Some(batch) = batches.last_mut() {
				batch.tenant.extend(by_tenant);
				batch.provider.extend(by_provider);
			}
		}
	}
}

/// What a tenant has on the chain.
struct OnChain {
	objects: BTreeMap<ContentObjectId, ContentObject>,
	versions: BTreeMap<(ContentObjectId, VersionId), Version>,
}

impl OnChain {
	async fn read(at: &Snapshot, tenant: TenantId) -> Result<Self, Error> {
		let objects = at.rows(&storage::content_objects(), (tenant.0,)).await?;
		let versions = at.rows(&storage::versions(), (tenant.0,)).await?;
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
		})
	}
}

/// Submits calls in one transaction, if there are any. Returns the number of transactions.
async fn submit(
	chain: &Chain,
	signer: &Account,
	calls: impl IntoIterator<Item = Call>,
) -> Result<u64, Error> {
	let mut calls: Vec<_> = calls.into_iter().collect();
	let call = match calls.len() {
		0 => return Ok(0),
		1 => calls.remove(0),
		_ => Call::batch_all(calls),
	};
	chain.submit(signer, call).await?;
	Ok(1)
}

fn ensure_owner(
	kind: &'static str,
	id: String,
	owner: AccountId32,
	signer: &Account,
) -> Result<(), Error> {
	if owner == signer.id {
		return Ok(());
	}
	Err(Error::Foreign { kind, id, owner: owner.to_string(), signer: signer.id.to_string() })
}
