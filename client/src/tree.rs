//! `fabric tree`: the spaces with all that is in them, read from the chain at one block.

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
	chain::Chain,
	output::{count, Report},
	storage, Error,
};

/// All that is on the chain.
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
}

/// A space.
#[derive(Clone, Debug, Serialize)]
pub struct Space {
	/// Its id.
	pub id: String,
	/// The account that governs it.
	pub governor: String,
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
	/// The account that acts for it.
	pub root: String,
	/// Whether governance has frozen it.
	pub governance_delete: bool,
	/// Number of storage rows under it.
	pub rows: u32,
	/// The accounts that have a level in it, but its root.
	pub keys: Vec<Key>,
	/// Its nodes.
	pub nodes: Vec<Node>,
}

/// An account that has a level.
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
	/// Where it is reached.
	pub locator: String,
	/// Whether it has yet to be confirmed.
	pub pending: bool,
}

/// A tenant.
#[derive(Clone, Debug, Serialize)]
pub struct Tenant {
	/// Its id.
	pub id: String,
	/// The account that acts for it.
	pub root: String,
	/// Whether governance has frozen it.
	pub governance_delete: bool,
	/// Number of storage rows under it.
	pub rows: u32,
	/// The accounts that have a level in it, but its root.
	pub keys: Vec<Key>,
	/// Its KMSes.
	pub kmses: Vec<Kms>,
	/// Its content objects.
	pub content_objects: Vec<Object>,
}

/// A KMS.
#[derive(Clone, Debug, Serialize)]
pub struct Kms {
	/// Its id.
	pub id: String,
	/// Where it is reached.
	pub locator: String,
}

/// A content object.
#[derive(Clone, Debug, Serialize)]
pub struct Object {
	/// The id of the tenant and the object in one.
	pub id: String,
	/// The version that stands for it.
	pub head: Option<String>,
	/// Its versions.
	pub versions: Vec<Version>,
}

/// A version.
#[derive(Clone, Debug, Serialize)]
pub struct Version {
	/// Its id.
	pub id: String,
	/// Whether it is finalized.
	pub finalized: bool,
	/// Size of the data in bytes, 0 if it is not known.
	pub size: u64,
}

/// Reads everything. `list_versions` says whether the text lists versions too; the data has them in
/// any case.
pub async fn read(chain: &Chain, list_versions: bool) -> Result<Tree, Error> {
	let at = chain.best().await?;
	let mut totals = Totals::default();

	let mut provider_keys = keys(at.rows(&storage::provider_keys(), ()).await?);
	let mut nodes = BTreeMap::<_, Vec<_>>::new();
	for ((provider, node), info) in at.rows(&storage::nodes(), ()).await? {
		totals.nodes += 1;
		nodes.entry(provider).or_default().push(Node {
			id: NodeId(node).to_string(),
			locator: String::from_utf8_lossy(&info.locator).into_owned(),
			pending: info.pending,
		});
	}
	let mut providers = BTreeMap::<_, Vec<_>>::new();
	for ((provider,), info) in at.rows(&storage::providers(), ()).await? {
		totals.providers += 1;
		providers.entry(info.space).or_default().push(Provider {
			id: ProviderId(provider).to_string(),
			root: info.root.to_string(),
			governance_delete: info.governance_delete,
			rows: info.rows,
			keys: provider_keys.remove(&provider).unwrap_or_default(),
			nodes: nodes.remove(&provider).unwrap_or_default(),
		});
	}

	let mut tenant_keys = keys(at.rows(&storage::tenant_keys(), ()).await?);
	let mut kmses = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, kms), info) in at.rows(&storage::kmses(), ()).await? {
		totals.kmses += 1;
		kmses.entry(tenant).or_default().push(Kms {
			id: KmsId(kms).to_string(),
			locator: String::from_utf8_lossy(&info.locator).into_owned(),
		});
	}
	let mut versions = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, object, version), info) in at.rows(&storage::versions(), ()).await? {
		totals.versions += 1;
		versions.entry((tenant, object)).or_default().push(Version {
			id: VersionId(version).to_string(),
			finalized: info.finalized.is_some(),
			size: info.size,
		});
	}
	let mut objects = BTreeMap::<_, Vec<_>>::new();
	for ((tenant, object), info) in at.rows(&storage::content_objects(), ()).await? {
		totals.content_objects += 1;
		totals.heads += usize::from(info.head_version.is_some());
		let path = ContentObjectPath { tenant: TenantId(tenant), object: ContentObjectId(object) };
		objects.entry(tenant).or_default().push(Object {
			id: path.to_string(),
			head: info.head_version.map(|version| VersionId(version).to_string()),
			versions: versions.remove(&(tenant, object)).unwrap_or_default(),
		});
	}
	let mut tenants = BTreeMap::<_, Vec<_>>::new();
	for ((tenant,), info) in at.rows(&storage::tenants(), ()).await? {
		totals.tenants += 1;
		tenants.entry(info.space).or_default().push(Tenant {
			id: TenantId(tenant).to_string(),
			root: info.root.to_string(),
			governance_delete: info.governance_delete,
			rows: info.rows,
			keys: tenant_keys.remove(&tenant).unwrap_or_default(),
			kmses: kmses.remove(&tenant).unwrap_or_default(),
			content_objects: objects.remove(&tenant).unwrap_or_default(),
		});
	}

	let mut spaces = Vec::new();
	for ((space,), info) in at.rows(&storage::spaces(), ()).await? {
		totals.spaces += 1;
		spaces.push(Space {
			id: SpaceId(space).to_string(),
			governor: info.governor.to_string(),
			providers: providers.remove(&space).unwrap_or_default(),
			tenants: tenants.remove(&space).unwrap_or_default(),
		});
	}
	Ok(Tree { block: at.block_number(), spaces, totals, list_versions })
}

/// Keys by the provider or tenant that they are in.
fn keys(rows: Vec<((storage::Id, [u8; 32]), storage::Level)>) -> BTreeMap<storage::Id, Vec<Key>> {
	let mut keys = BTreeMap::<_, Vec<_>>::new();
	for ((id, account), level) in rows {
		let account = AccountId32(account).to_string();
		keys.entry(id).or_default().push(Key { account, level });
	}
	keys
}

fn write_keys(keys: &[Key], out: &mut dyn Write) -> io::Result<()> {
	keys.iter()
		.try_for_each(|key| writeln!(out, "    key {}, level {}", key.account, key.level.name()))
}

fn frozen(governance_delete: bool) -> &'static str {
	if governance_delete {
		", frozen by governance"
	} else {
		""
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
		];
		writeln!(out, "block {}: {}", self.block, parts.join(", "))
	}
}

impl Provider {
	fn write(&self, out: &mut dyn Write) -> io::Result<()> {
		let rows = count(self.rows, "row", "rows");
		let frozen = frozen(self.governance_delete);
		writeln!(out, "  provider {}, root {}, {rows}{frozen}", self.id, self.root)?;
		write_keys(&self.keys, out)?;
		for node in &self.nodes {
			let state = if node.pending { "pending" } else { "confirmed" };
			writeln!(out, "    node {}, {state}, at {}", node.id, node.locator)?;
		}
		Ok(())
	}
}

impl Tenant {
	fn write(&self, out: &mut dyn Write, list_versions: bool) -> io::Result<()> {
		let rows = count(self.rows, "row", "rows");
		let frozen = frozen(self.governance_delete);
		writeln!(out, "  tenant {}, root {}, {rows}{frozen}", self.id, self.root)?;
		write_keys(&self.keys, out)?;
		for kms in &self.kmses {
			writeln!(out, "    kms {} at {}", kms.id, kms.locator)?;
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
