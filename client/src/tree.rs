//! `fabric tree`: the spaces with everything in them, read from the chain at one block.

use std::{
	collections::BTreeMap,
	io::{self, Write},
};

use clap::Args;
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	chain::{Chain, Snapshot},
	output::{count, Amount, Report},
	set_rules::Rules,
	storage::{self, PurgeScope},
	Error,
};

/// The arguments of `fabric tree`.
#[derive(Debug, Args)]
pub struct Options {
	/// List the versions of each content object, too.
	#[arg(long)]
	pub versions: bool,
}

/// Everything on the chain.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
	/// The number of the block at which it was read.
	pub block: u64,
	/// The spaces.
	pub spaces: Vec<Space>,
	/// Numbers of entities, over all spaces.
	pub totals: Totals,
	#[serde(skip)]
	list_versions: bool,
}

/// Numbers of entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
	/// Spaces.
	pub spaces: usize,
	/// Providers.
	pub providers: usize,
	/// Nodes.
	pub nodes: usize,
	/// Tenants.
	pub tenants: usize,
	/// KMSes.
	pub kmses: usize,
	/// Content objects.
	pub content_objects: usize,
	/// Content objects that have a head.
	pub heads: usize,
	/// Versions.
	pub versions: usize,
	/// Collections.
	pub collections: usize,
	/// Records.
	pub records: usize,
}

/// A space.
#[derive(Clone, Debug, Serialize)]
pub struct Space {
	/// Its id.
	pub id: String,
	/// The account that governs it.
	pub governor: String,
	/// Its rules.
	pub rules: Rules,
	/// Its providers.
	pub providers: Vec<Provider>,
	/// Its tenants.
	pub tenants: Vec<Tenant>,
}

/// A provider.
#[derive(Clone, Debug, Serialize)]
pub struct Provider {
	/// Its id.
	pub id: String,
	/// The fields that providers and tenants have in common.
	#[serde(flatten)]
	pub member: Member,
	/// Its access keys.
	pub keys: Vec<Key>,
	/// Its nodes.
	pub nodes: Vec<Node>,
}

/// A provider or a tenant: what both have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
	/// The account that owns it, on which bond and deposits are on hold.
	pub root: String,
	/// The account that may become the root, if one is nominated.
	pub nominee: Option<String>,
	/// The block from which the nominee may accept, if governance nominated it.
	pub nominee_matures: Option<u64>,
	/// The bond.
	pub bond: Amount,
	/// The deposit for its own row.
	pub own_deposit: Amount,
	/// The deposits for the rows under it.
	pub deposit: Amount,
	/// The most that may be on hold, bond and deposits together.
	pub max_held: Amount,
	/// True if governance has frozen it and opened its rows to deletion one by one.
	pub governance_delete: bool,
	/// True if governance has suspended it.
	pub suspended: bool,
	/// The scope of its purge, if one is under way. The rows that are left do not count, and are
	/// not listed.
	pub purge: Option<PurgeScope>,
	/// Number of rows under it.
	pub rows: u32,
}

/// An access key.
#[derive(Clone, Debug, Serialize)]
pub struct Key {
	/// The account.
	pub account: String,
	/// Its level.
	pub level: storage::Level,
}

/// A node.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
	/// Its id.
	pub id: String,
	/// The account that acts for it.
	pub operator: String,
	/// Its locator.
	pub locator: String,
	/// True if it has yet to be confirmed.
	pub pending: bool,
}

/// A tenant.
#[derive(Clone, Debug, Serialize)]
pub struct Tenant {
	/// Its id.
	pub id: String,
	/// The fields that providers and tenants have in common.
	#[serde(flatten)]
	pub member: Member,
	/// Its access keys.
	pub keys: Vec<Key>,
	/// Its KMSes.
	pub kmses: Vec<Kms>,
	/// Its content objects.
	pub content_objects: Vec<Object>,
	/// Its collections.
	pub collections: Vec<Collection>,
}

/// A KMS.
#[derive(Clone, Debug, Serialize)]
pub struct Kms {
	/// Its id.
	pub id: String,
	/// Its locator.
	pub locator: String,
}

/// A content object.
#[derive(Clone, Debug, Serialize)]
pub struct Object {
	/// The id of the tenant and the object in one.
	pub id: String,
	/// Its head.
	pub head: Option<String>,
	/// Its versions.
	pub versions: Vec<Version>,
}

/// A version.
#[derive(Clone, Debug, Serialize)]
pub struct Version {
	/// Its id.
	pub id: String,
	/// True if it is finalized.
	pub finalized: bool,
	/// Size of the data in bytes, 0 if it is unknown.
	pub size: u64,
}

/// A collection.
#[derive(Clone, Debug, Serialize)]
pub struct Collection {
	/// Its name.
	pub name: String,
	/// The type of its records' keys.
	pub key_type: String,
	/// The syntax of the keys.
	pub syntax: storage::Syntax,
	/// Number of its records.
	pub records: u32,
}

/// Reads everything on the chain.
pub async fn run(options: Options, url: &str) -> Result<Tree, Error> {
	let at = Chain::connect(url).await?.best().await?;
	let mut providers = providers(&at).await?;
	let mut tenants = tenants(&at).await?;
	let mut spaces = Vec::new();
	for ((space,), info) in at.rows(&storage::spaces(), ()).await? {
		spaces.push(Space {
			id: SpaceId(space).to_string(),
			governor: info.governor.to_string(),
			rules: (&info.rules).into(),
			providers: providers.remove(&space).unwrap_or_default(),
			tenants: tenants.remove(&space).unwrap_or_default(),
		});
	}
	let totals = Totals::of(&spaces);
	Ok(Tree { block: at.block_number(), spaces, totals, list_versions: options.versions })
}

/// Reads the providers, by space.
async fn providers(at: &Snapshot) -> Result<BTreeMap<storage::Id, Vec<Provider>>, Error> {
	let mut keys = keys(at.rows(&storage::provider_keys(), ()).await?);
	let mut nodes = BTreeMap::<_, Vec<_>>::new();
	for ((provider, node), info) in at.rows(&storage::nodes(), ()).await? {
		nodes.entry(provider).or_default().push(Node {
			id: NodeId(node).to_string(),
			operator: info.operator.to_string(),
			locator: String::from_utf8_lossy(&info.locator).into_owned(),
			pending: info.pending,
		});
	}
	let mut providers = BTreeMap::<_, Vec<_>>::new();
	for ((provider,), info) in at.rows(&storage::providers(), ()).await? {
		let listed = info.purge.is_none();
		providers.entry(info.space).or_default().push(Provider {
			id: ProviderId(provider).to_string(),
			member: info.into(),
			keys: keys.remove(&provider).filter(|_| listed).unwrap_or_default(),
			nodes: nodes.remove(&provider).filter(|_| listed).unwrap_or_default(),
		});
	}
	Ok(providers)
}

/// Reads the tenants, by space.
async fn tenants(at: &Snapshot) -> Result<BTreeMap<storage::Id, Vec<Tenant>>, Error> {
	let mut keys = keys(at.rows(&storage::tenant_keys(), ()).await?);
	let mut kmses = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, kms), info) in at.rows(&storage::kmses(), ()).await? {
		kmses.entry(tenant).or_default().push(Kms {
			id: KmsId(kms).to_string(),
			locator: String::from_utf8_lossy(&info.locator).into_owned(),
		});
	}
	let mut objects = objects(at).await?;
	let mut collections = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, name), info) in at.rows(&storage::collections(), ()).await? {
		collections.entry(tenant).or_default().push(Collection {
			name: String::from_utf8_lossy(&name).into_owned(),
			key_type: info.key_type().to_string(),
			syntax: info.syntax,
			records: info.record_count,
		});
	}
	let mut tenants = BTreeMap::<_, Vec<_>>::new();
	for ((tenant,), info) in at.rows(&storage::tenants(), ()).await? {
		let listed = info.purge.is_none();
		tenants.entry(info.space).or_default().push(Tenant {
			id: TenantId(tenant).to_string(),
			member: info.into(),
			keys: keys.remove(&tenant).filter(|_| listed).unwrap_or_default(),
			kmses: kmses.remove(&tenant).filter(|_| listed).unwrap_or_default(),
			content_objects: objects.remove(&tenant).filter(|_| listed).unwrap_or_default(),
			collections: collections.remove(&tenant).filter(|_| listed).unwrap_or_default(),
		});
	}
	Ok(tenants)
}

/// Reads the content objects, by tenant.
async fn objects(at: &Snapshot) -> Result<BTreeMap<storage::Id, Vec<Object>>, Error> {
	let mut versions = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, object, version), info) in at.rows(&storage::versions(), ()).await? {
		versions.entry((tenant, object)).or_default().push(Version {
			id: VersionId(version).to_string(),
			finalized: info.finalized.is_some(),
			size: info.size,
		});
	}
	let mut objects = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, object), info) in at.rows(&storage::content_objects(), ()).await? {
		let path = ContentObjectPath { tenant: TenantId(tenant), object: ContentObjectId(object) };
		objects.entry(tenant).or_default().push(Object {
			id: path.to_string(),
			head: info.head_version.map(|version| VersionId(version).to_string()),
			versions: versions.remove(&(tenant, object)).unwrap_or_default(),
		});
	}
	Ok(objects)
}

impl From<storage::Member> for Member {
	fn from(info: storage::Member) -> Self {
		let nomination = info.nomination.as_ref();
		Self {
			root: info.root.to_string(),
			nominee: nomination.map(|nomination| nomination.nominee.to_string()),
			nominee_matures: nomination.and_then(|nomination| nomination.governance_matures),
			bond: Amount(info.bond),
			own_deposit: Amount(info.own_deposit),
			deposit: Amount(info.deposit),
			max_held: Amount(info.max_held),
			governance_delete: info.governance_delete,
			suspended: info.suspended,
			purge: info.purge,
			rows: info.row_count(),
		}
	}
}

impl Totals {
	fn of(spaces: &[Space]) -> Self {
		let mut totals = Self { spaces: spaces.len(), ..Self::default() };
		for provider in spaces.iter().flat_map(|space| &space.providers) {
			totals.providers += 1;
			totals.nodes += provider.nodes.len();
		}
		for tenant in spaces.iter().flat_map(|space| &space.tenants) {
			totals.tenants += 1;
			totals.kmses += tenant.kmses.len();
			totals.content_objects += tenant.content_objects.len();
			for object in &tenant.content_objects {
				totals.heads += usize::from(object.head.is_some());
				totals.versions += object.versions.len();
			}
			totals.collections += tenant.collections.len();
			totals.records += tenant
				.collections
				.iter()
				.map(|collection| collection.records as usize)
				.sum::<usize>();
		}
		totals
	}
}

/// Returns access keys by the provider or tenant that they are in.
fn keys(rows: Vec<((storage::Id, [u8; 32]), storage::Key)>) -> BTreeMap<storage::Id, Vec<Key>> {
	let mut keys = BTreeMap::<_, Vec<_>>::new();
	for ((id, account), key) in rows {
		let account = AccountId32(account).to_string();
		keys.entry(id).or_default().push(Key { account, level: key.level });
	}
	keys
}

fn write_keys(keys: &[Key], out: &mut dyn Write) -> io::Result<()> {
	keys.iter().try_for_each(|key| writeln!(out, "    key {}, level {}", key.account, key.level))
}

impl Member {
	/// Writes the rest of the line that begins with the member's id.
	fn write(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { root, bond, own_deposit, deposit, max_held, .. } = self;
		let rows = count(self.rows, "row", "rows");
		write!(out, ", root {root}, {rows}, bond {bond}, own deposit {own_deposit}")?;
		write!(out, ", deposit {deposit}, at most {max_held} on hold")?;
		if let Some(nominee) = &self.nominee {
			write!(out, ", nominated root {nominee}")?;
		}
		if let Some(block) = self.nominee_matures {
			write!(out, " from block {block} on")?;
		}
		if self.governance_delete {
			write!(out, ", frozen by governance")?;
		}
		if self.suspended {
			write!(out, ", suspended")?;
		}
		match self.purge {
			Some(PurgeScope::Rows) => write!(out, ", being purged by its root")?,
			Some(PurgeScope::Member) => write!(out, ", being deleted")?,
			None => {},
		}
		writeln!(out)
	}
}

impl Report for Tree {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for space in &self.spaces {
			writeln!(out, "space {}, governed by {}", space.id, space.governor)?;
			for provider in &space.providers {
				provider.write(out)?;
			}
			for tenant in &space.tenants {
				tenant.write(out, self.list_versions)?;
			}
		}
		let totals = &self.totals;
		let parts = [
			count(totals.spaces as u64, "space", "spaces"),
			count(totals.providers as u64, "provider", "providers"),
			count(totals.nodes as u64, "node", "nodes"),
			count(totals.tenants as u64, "tenant", "tenants"),
			count(totals.kmses as u64, "KMS", "KMSes"),
			count(totals.content_objects as u64, "content object", "content objects"),
			count(totals.heads as u64, "head", "heads"),
			count(totals.versions as u64, "version", "versions"),
			count(totals.collections as u64, "collection", "collections"),
			count(totals.records as u64, "record", "records"),
		];
		writeln!(out, "block {}: {}", self.block, parts.join(", "))
	}
}

impl Provider {
	fn write(&self, out: &mut dyn Write) -> io::Result<()> {
		write!(out, "  provider {}", self.id)?;
		self.member.write(out)?;
		write_keys(&self.keys, out)?;
		for node in &self.nodes {
			let state = if node.pending { "pending" } else { "confirmed" };
			let Node { id, operator, locator, .. } = node;
			writeln!(out, "    node {id}, {state}, at {locator}, operator {operator}")?;
		}
		Ok(())
	}
}

impl Tenant {
	fn write(&self, out: &mut dyn Write, list_versions: bool) -> io::Result<()> {
		write!(out, "  tenant {}", self.id)?;
		self.member.write(out)?;
		write_keys(&self.keys, out)?;
		for kms in &self.kmses {
			writeln!(out, "    kms {} at {}", kms.id, kms.locator)?;
		}
		for collection in &self.collections {
			let Collection { name, key_type, syntax, .. } = collection;
			let records = count(collection.records, "record", "records");
			writeln!(out, "    collection {name}, type {key_type}, syntax {syntax}, {records}")?;
		}
		for object in &self.content_objects {
			let versions = count(object.versions.len() as u64, "version", "versions");
			let head = object.head.as_deref().unwrap_or("none");
			writeln!(out, "    object {}, {versions}, head {head}", object.id)?;
			if list_versions {
				for version in &object.versions {
					let state = if version.finalized { "finalized" } else { "committed" };
					writeln!(out, "      version {}, {state}", version.id)?;
				}
			}
		}
		Ok(())
	}
}
