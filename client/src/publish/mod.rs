//! `fabric publish`: puts the packages that a file names on the chain.
//!
//! Each registry becomes a tenant, each package a content object, each of its versions a version
//! whose id is its SHA-256 checksum. The node commits what a key of the tenant has signed, and
//! finalizes it in the same transaction. The highest version in the file becomes the object's head.
//! Records in the collection `names` lead from the names of packages, and from names with versions,
//! to their content. A record in the collection `runs` stands for each run.
//!
//! Content that is on the chain already is left alone, so the next run finishes one that was
//! interrupted.

mod commits;
mod options;
mod plan;
mod records;
mod report;
mod session;

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};
use content_fabric_primitives::MemberId;
pub use options::Options;
pub use report::{Published, PublishedRegistry, SkippedRecord};
use subxt::utils::AccountId32;

use crate::{
	calls::{self, Call},
	chain::{Account, Chain},
	ids,
	input::{self, Content, Registry},
	member,
	output::Progress,
	put_record,
	storage::{self, Admission, Rules},
	text_limits::TextLimit,
	Error,
};
use plan::{OnChain, Originator, Plan};
use session::Session;

/// Publishes the content that the file names and the chain lacks.
pub async fn run(options: Options, url: &str) -> Result<Published, Error> {
	// Validates the file and the keys before connecting.
	let content = input::read(&options.path, options.format, options.source.as_deref())?;
	let publisher = Publisher::new(&options)?;
	publisher.publish(&Chain::connect(url).await?, content).await.map_err(with_advice)
}

/// Adds what to do about an error that another run can mend.
fn with_advice(error: Error) -> Error {
	if matches!(error, Error::Disconnected) {
		return error.with_hint("run the same command again to continue");
	}
	let names = ["VersionAlreadyExists", "MuidNotMonotonic"];
	if error.is_nonce_taken() || names.iter().any(|name| error.is_fabric(name)) {
		return error.with_hint(
			"another run may be publishing through this node: run the same command again",
		);
	}
	error
}

/// The accounts that publish, and what they create.
struct Publisher {
	governor: Account,
	provider: Account,
	tenant: Account,
	node_locator: String,
	kms_locator: String,
	/// The rules of the space if it does not exist.
	rules: Rules,
	/// The limit on what is held for the provider and the tenants that do not exist.
	max_held: u128,
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
			max_held: options.max_held,
			space_id,
			provider_id,
			node_id: ids::node(provider_id, "publisher"),
		})
	}

	async fn publish(&self, chain: &Chain, content: Content) -> Result<Published, Error> {
		let at = chain.best().await?;
		TextLimit::Locator.ensure(&at, "--node-locator", &self.node_locator)?;
		TextLimit::Locator.ensure(&at, "--kms-locator", &self.kms_locator)?;
		// An earlier run that was killed may have left transactions, which the plan must know.
		tokio::try_join!(
			chain.wait_for_pool(&self.governor.id),
			chain.wait_for_pool(&self.provider.id),
			chain.wait_for_pool(&self.tenant.id),
		)?;
		let mut session = Session::new(chain).await?;
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
			skipped: content.failed,
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
			Some(found) => ensure_owner(provider.into(), found.root, &self.provider)?,
			None => {
				missing.push(calls::create_member(self.space_id, provider.into(), self.max_held))
			},
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
			Some(found) => ensure_owner(tenant.into(), found.root, &self.tenant)?,
			None => missing.push(calls::create_member(self.space_id, tenant.into(), self.max_held)),
		}
		if at.get(&storage::kmses(), (tenant.0, kms.0)).await?.is_none() {
			missing.push(calls::add_kms(tenant, kms, &self.kms_locator));
		}
		for (name, key_type) in records::collections() {
			let row = (tenant.0, name.as_bytes().to_vec());
			let found = at.get(&storage::collections(), row).await?;
			missing.extend(records::ensure_collection(tenant, name, &key_type, found)?);
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
		let at = session.chain.best().await?;
		let created = member::get(self.provider_id.into(), &at).await?.created;
		let originator = Originator { id: self.provider_id, created };
		let on_chain = OnChain::read(&at, tenant).await?;
		let plan = Plan::new(tenant, originator, registry, &on_chain, &mut published);
		let puts =
			records::plan(tenant, registry, &on_chain, session.limits.record_key, &mut published);
		drop(on_chain);

		let steps = plan.finalize.len() + plan.drafts.len() + plan.heads.len() + puts.len();
		let mut progress = Progress::new(steps as u64);
		published.heads_set = self.send_versions(session, tenant, kms, plan, &mut progress).await?;
		let most = session.limits.records;
		let put = async |puts: &[_]| Ok(records::calls_of(tenant, puts));
		let last = session.send_all(&self.tenant, &puts, most, &mut progress, put).await?;
		progress.finish();
		// The record of the run is the last of all.
		if let Some(events) = last {
			published.run = Some(put_record::put_key(&events, records::RUNS)?);
		}
		Ok(published)
	}

	/// Does what is planned for versions. Returns the number of heads that it set.
	async fn send_versions(
		&self,
		session: &mut Session<'_>,
		tenant: TenantId,
		kms: KmsId,
		plan: Plan,
		progress: &mut Progress,
	) -> Result<usize, Error> {
		let (chain, most) = (session.chain, session.limits.versions);
		let Plan { finalize, drafts, heads } = plan;
		let calls = async |versions: &[_]| Ok(self.finalize(tenant, versions));
		session.send_all(&self.provider, &finalize, most, progress, calls).await?;
		let calls = async |drafts: &[_]| self.commit(chain, tenant, kms, drafts).await;
		session.send_all(&self.provider, &drafts, most, progress, calls).await?;
		if heads.is_empty() {
			return Ok(0);
		}
		let planned = heads.len();
		let objects = plan::read_objects(&chain.best().await?, tenant).await?;
		let heads = plan::other_than_heads(heads, &objects);
		progress.advance((planned - heads.len()) as u64, "heads checked");
		let calls = async |heads: &[plan::VersionKey]| {
			let set = heads
				.iter()
				.map(|(object, version)| calls::set_head_version(tenant, *object, *version));
			Ok(set.collect())
		};
		session.send_all(&self.tenant, &heads, most, progress, calls).await?;
		Ok(heads.len())
	}
}

fn ensure_owner(member: MemberId, owner: AccountId32, signer: &Account) -> Result<(), Error> {
	if owner == signer.id {
		return Ok(());
	}
	Err(Error::Foreign {
		kind: member::kind(member),
		id: member.to_string(),
		owner: owner.to_string(),
		signer: signer.id.to_string(),
	})
}
