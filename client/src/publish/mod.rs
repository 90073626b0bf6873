//! `fabric publish`: puts the packages that a file names on the chain.
//!
//! Each registry becomes a tenant, each package a content object, each of its versions a version
//! whose id is its SHA-256 checksum. The node commits what a key of the tenant has signed. The
//! highest version in the file becomes the object's head. Records in the collection `names` lead
//! from the names of packages, and from names with versions, to their content; a record in the
//! collection `runs` stands for each run.
//!
//! What is there already is left alone, so a run that was interrupted is finished by the next one.

mod commits;
mod options;
mod plan;
mod records;
mod report;
mod step;

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};
pub use options::Options;
pub use report::{Published, PublishedRegistry, SkippedRecord};
use subxt::utils::AccountId32;

use crate::{
	calls::{self, Call},
	chain::{Account, Chain, Events},
	content::{self, Content, Registry},
	ids,
	output::Progress,
	put_record,
	storage::{self, Admission, Rules},
	Error,
};
use plan::{Batch, OnChain, Plan};
use records::RecordPlan;
use step::calls_of;

/// Calls in one transaction. A batch of so many is a small part of a block's weight and length,
/// with the signatures that it carries.
const BATCH: usize = 200;

/// Publishes what the file names and is not on the chain yet.
pub async fn run(options: Options, url: &str) -> Result<Published, Error> {
	// A bad file or key is told before a node is looked for.
	let content = content::read(&options.path, options.format, options.source.as_deref())?;
	let publisher = Publisher::new(&options)?;
	publisher.publish(&Chain::connect(url).await?, content).await
}

/// Who publishes, and where.
struct Publisher {
	governor: Account,
	provider: Account,
	tenant: Account,
	node_locator: String,
	kms_locator: String,
	/// The rules of the space if it has yet to be created.
	rules: Rules,
	space_id: SpaceId,
	provider_id: ProviderId,
	node_id: NodeId,
}

impl Publisher {
	/// Reads the keys and derives the ids.
	fn new(options: &Options) -> Result<Self, Error> {
		let provider: Account = options.provider.parse()?;
		let space_id = ids::space(&options.space);
		let provider_id = ids::provider(space_id, &provider.id.to_string());
		Ok(Self {
			governor: options.governor.parse()?,
			provider,
			tenant: options.tenant.parse()?,
			node_locator: options.node_locator.clone(),
			kms_locator: options.kms_locator.clone(),
			rules: Rules {
				provider_bond: options.provider_bond,
				tenant_bond: options.tenant_bond,
				admission: Admission::Open,
				partitions: 1,
				sla: Vec::new(),
			},
			space_id,
			provider_id,
			node_id: ids::node(provider_id, "publisher"),
		})
	}

	async fn publish(&self, chain: &Chain, content: Content) -> Result<Published, Error> {
		let mut session = Session { chain, transactions: 0 };
		self.ensure_space(&mut session).await?;
		self.ensure_node(&mut session).await?;
		let mut registries = Vec::new();
		for (source, registry) in &content.registries {
			registries.push(self.publish_registry(&mut session, source, registry).await?);
		}
		Ok(Published {
			format: content.format,
			space: self.space_id.to_string(),
			provider: self.provider_id.to_string(),
			node: self.node_id.to_string(),
			registries,
			skipped: content.skipped,
			transactions: session.transactions,
		})
	}

	async fn ensure_space(&self, session: &mut Session<'_>) -> Result<(), Error> {
		let at = session.chain.best().await?;
		if at.get(&storage::spaces(), (self.space_id.0,)).await?.is_none() {
			let create = calls::create_space(self.space_id, &self.governor.id, &self.rules);
			session.send(&self.governor, vec![Call::sudo(create)]).await?;
		}
		Ok(())
	}

	async fn ensure_node(&self, session: &mut Session<'_>) -> Result<(), Error> {
		let (provider, node) = (self.provider_id, self.node_id);
		let at = session.chain.best().await?;
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
		session.send(&self.provider, missing).await?;
		Ok(())
	}

	async fn ensure_tenant(
		&self,
		session: &mut Session<'_>,
		tenant: TenantId,
		kms: KmsId,
	) -> Result<(), Error> {
		let at = session.chain.best().await?;
		let mut missing = Vec::new();
		match at.get(&storage::tenants(), (tenant.0,)).await? {
			Some(found) => ensure_owner("tenant", tenant.to_string(), found.root, &self.tenant)?,
			None => missing.push(calls::create_tenant(self.space_id, tenant)),
		}
		if at.get(&storage::kmses(), (tenant.0, kms.0)).await?.is_none() {
			missing.push(calls::add_kms(tenant, kms, &self.kms_locator));
		}
		session.send(&self.tenant, missing).await?;
		Ok(())
	}

	async fn publish_registry(
		&self,
		session: &mut Session<'_>,
		source: &str,
		registry: &Registry,
	) -> Result<PublishedRegistry, Error> {
		let tenant = ids::tenant(self.space_id, source);
		let kms = ids::kms(tenant, "publisher");
		self.ensure_tenant(session, tenant, kms).await?;
		let mut published = PublishedRegistry {
			source: source.into(),
			tenant: tenant.to_string(),
			packages: registry.len(),
			versions: registry.values().map(Vec::len).sum(),
			..Default::default()
		};
		let on_chain = OnChain::read(&session.chain.best().await?, tenant).await?;
		let plan = Plan::new(tenant, registry, &on_chain, &mut published);
		let records = RecordPlan::new(tenant, registry, &on_chain, &mut published)?;

		let mut progress = Progress::new((plan.len() + records.len()) as u64);
		for batch in plan.batches {
			self.send_batch(session, &mut progress, tenant, kms, batch).await?;
		}
		let mut last = None;
		for steps in records.batches() {
			last = session.send(&self.tenant, calls_of(steps, tenant)).await?;
			progress.advance(steps.len() as u64, "calls published");
		}
		progress.finish();
		// The record of the run is the last of all.
		if let Some(events) = last {
			published.run = Some(put_record::put_key(&events, records::RUNS)?);
		}
		Ok(published)
	}

	async fn send_batch(
		&self,
		session: &mut Session<'_>,
		progress: &mut Progress,
		tenant: TenantId,
		kms: KmsId,
		batch: Batch,
	) -> Result<(), Error> {
		let steps = batch.len() as u64;
		let Batch { tenant: by_tenant, commits, finalize } = batch;
		session.send(&self.tenant, calls_of(&by_tenant, tenant)).await?;
		self.send_versions(session, tenant, kms, &commits, &finalize).await?;
		progress.advance(steps, "calls published");
		Ok(())
	}
}

/// A connection on which transactions are counted.
struct Session<'a> {
	chain: &'a Chain,
	transactions: u64,
}

impl Session<'_> {
	/// Submits calls in one transaction, if there are any. Returns what it has told of.
	async fn send(
		&mut self,
		signer: &Account,
		mut calls: Vec<Call>,
	) -> Result<Option<Events>, Error> {
		let call = match calls.len() {
			0 => return Ok(None),
			1 => calls.remove(0),
			_ => Call::batch_all(calls),
		};
		// One that fails is in a block too.
		self.transactions += 1;
		self.chain.submit(signer, call).await.map(Some)
	}
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
