//! `fabric show`: the entities that an id names.
//!
//! The ids of nodes, KMSes, content objects and versions are unique under their parents only, so
//! one such id may name several entities. All of them are shown. A composed id `itq_…` names one
//! content object.

use std::{
	io::{self, Write},
	str::FromStr,
};

use clap::Args;
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId,
	VersionId,
};
use serde::{ser::SerializeMap, Serialize, Serializer};
use serde_json::Value;

use crate::{
	chain::{Chain, Snapshot},
	output::Report,
	storage::{self, Member, PurgeScope},
	Error,
};

/// The arguments of `fabric show`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of a space (ispc…), provider (iprv…), node (inod…), tenant (iten…), KMS (ikms…),
	/// content object (itq_… or iq__…) or version (hq__…).
	pub id: String,
}

/// An id of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyId {
	/// `ispc…`
	Space(SpaceId),
	/// `iprv…`
	Provider(ProviderId),
	/// `inod…`
	Node(NodeId),
	/// `iten…`
	Tenant(TenantId),
	/// `ikms…`
	Kms(KmsId),
	/// `iq__…`
	ContentObject(ContentObjectId),
	/// `itq_…`
	ContentObjectPath(ContentObjectPath),
	/// `hq__…`
	Version(VersionId),
}

impl FromStr for AnyId {
	type Err = Error;

	fn from_str(text: &str) -> Result<Self, Error> {
		macro_rules! by_prefix {
			($($variant:ident: $id:ident,)*) => {{
				$(if text.starts_with($id::PREFIX) {
					return text
						.parse()
						.map(Self::$variant)
						.map_err(|reason| Error::Id { text: text.into(), reason });
				})*
				[$($id::PREFIX),*]
			}};
		}
		let prefixes = by_prefix! {
			Space: SpaceId,
			Provider: ProviderId,
			Node: NodeId,
			Tenant: TenantId,
			Kms: KmsId,
			ContentObject: ContentObjectId,
			ContentObjectPath: ContentObjectPath,
			Version: VersionId,
		};
		Err(Error::IdKind { text: text.into(), prefixes: prefixes.join(", ") })
	}
}

/// An entity: its kind and its facts.
#[derive(Clone, Debug)]
pub struct Entity {
	kind: &'static str,
	facts: Vec<(&'static str, Value)>,
}

impl Serialize for Entity {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		let mut map = serializer.serialize_map(Some(self.facts.len() + 1))?;
		map.serialize_entry("kind", self.kind)?;
		for (name, fact) in &self.facts {
			map.serialize_entry(name, fact)?;
		}
		map.end()
	}
}

/// The entities that an id names, at least one.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Shown(Vec<Entity>);

impl Report for Shown {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for (i, entity) in self.0.iter().enumerate() {
			if i > 0 {
				writeln!(out)?;
			}
			writeln!(out, "{}", entity.kind)?;
			for (name, fact) in &entity.facts {
				match fact {
					Value::Null => writeln!(out, "  {name:<20} none")?,
					Value::String(text) => writeln!(out, "  {name:<20} {text}")?,
					other => writeln!(out, "  {name:<20} {other}")?,
				}
			}
		}
		Ok(())
	}
}

/// Finds the entities that an id names.
pub async fn run(options: Options, url: &str) -> Result<Shown, Error> {
	let id: AnyId = options.id.parse()?;
	let at = Chain::connect(url).await?.best().await?;
	let (kind, text, entities) = match id {
		AnyId::Space(id) => ("space", id.to_string(), space(&at, id).await?),
		AnyId::Provider(id) => {
			let info = at.get(&storage::providers(), (id.0,)).await?;
			let entity = info.map(|info| member("provider", id.to_string(), info));
			("provider", id.to_string(), entity.into_iter().collect())
		},
		AnyId::Tenant(id) => {
			let info = at.get(&storage::tenants(), (id.0,)).await?;
			let entity = info.map(|info| member("tenant", id.to_string(), info));
			("tenant", id.to_string(), entity.into_iter().collect())
		},
		AnyId::Node(id) => ("node", id.to_string(), nodes(&at, id).await?),
		AnyId::Kms(id) => ("KMS", id.to_string(), kmses(&at, id).await?),
		AnyId::ContentObject(id) => ("content object", id.to_string(), objects(&at, id).await?),
		AnyId::ContentObjectPath(path) => {
			let key = (path.tenant.0, path.object.0);
			let info = at.get(&storage::content_objects(), key).await?;
			let entity = info.map(|info| object(path, info));
			("content object", path.to_string(), entity.into_iter().collect())
		},
		AnyId::Version(id) => ("version", id.to_string(), versions(&at, id).await?),
	};
	if entities.is_empty() {
		return Err(Error::Unknown { kind, id: text });
	}
	Ok(Shown(entities))
}

/// Returns a packed muid as text.
fn muid(packed: [u8; 16]) -> Value {
	Muid::from_bytes(packed).to_string().into()
}

/// Returns an amount. It is a string in JSON, too: many readers of JSON take numbers for
/// floating-point ones, which are not exact at this size.
fn amount(amount: u128) -> Value {
	amount.to_string().into()
}

fn text(bytes: &[u8]) -> Value {
	String::from_utf8_lossy(bytes).into()
}

async fn space(at: &Snapshot, id: SpaceId) -> Result<Vec<Entity>, Error> {
	let info = at.get(&storage::spaces(), (id.0,)).await?;
	let entity = info.map(|info| Entity {
		kind: "space",
		facts: vec![
			("id", id.to_string().into()),
			("governor", info.governor.to_string().into()),
			("providers", info.provider_count.into()),
			("tenants", info.tenant_count.into()),
			("provider_bond", amount(info.rules.provider_bond)),
			("tenant_bond", amount(info.rules.tenant_bond)),
			("admission", info.rules.admission.to_string().into()),
			("unused_admissions", info.admission_count.into()),
			("partitions", info.rules.partitions.into()),
			("sla", text(&info.rules.sla)),
			("created", muid(info.created)),
		],
	});
	Ok(entity.into_iter().collect())
}

fn member(kind: &'static str, id: String, info: Member) -> Entity {
	let nomination = info.nomination.as_ref();
	let purge = info.purge.map(|scope| match scope {
		PurgeScope::Rows => "rows",
		PurgeScope::Member => "member",
	});
	Entity {
		kind,
		facts: vec![
			("id", id.into()),
			("space", SpaceId(info.space).to_string().into()),
			("root", info.root.to_string().into()),
			("nominee", nomination.map(|nomination| nomination.nominee.to_string()).into()),
			("nominee_matures", nomination.and_then(|it| it.governance_matures).into()),
			("bond", amount(info.bond)),
			("own_deposit", amount(info.own_deposit)),
			("deposit", amount(info.deposit)),
			("max_held", amount(info.max_held)),
			("rows", info.row_count().into()),
			("empty_since", info.empty_since.into()),
			("governance_delete", info.governance_delete.into()),
			("suspended", info.suspended.into()),
			("purge", purge.into()),
			("created", muid(info.created)),
		],
	}
}

async fn nodes(at: &Snapshot, id: NodeId) -> Result<Vec<Entity>, Error> {
	let rows = at.rows(&storage::nodes(), ()).await?.into_iter();
	Ok(rows
		.filter(|((_, node), _)| *node == id.0)
		.map(|((provider, _), info)| Entity {
			kind: "node",
			facts: vec![
				("id", id.to_string().into()),
				("provider", ProviderId(provider).to_string().into()),
				("operator", info.operator.to_string().into()),
				("locator", text(&info.locator)),
				("pending", info.pending.into()),
				("medallion", format!("{:011X}", info.medallion).into()),
				("last_muid", info.last_muid.map_or(Value::Null, muid)),
				("deposit", amount(info.deposit)),
			],
		})
		.collect())
}

async fn kmses(at: &Snapshot, id: KmsId) -> Result<Vec<Entity>, Error> {
	let rows = at.rows(&storage::kmses(), ()).await?.into_iter();
	Ok(rows
		.filter(|((_, kms), _)| *kms == id.0)
		.map(|((tenant, _), info)| Entity {
			kind: "KMS",
			facts: vec![
				("id", id.to_string().into()),
				("tenant", TenantId(tenant).to_string().into()),
				("locator", text(&info.locator)),
				("deposit", amount(info.deposit)),
			],
		})
		.collect())
}

async fn objects(at: &Snapshot, id: ContentObjectId) -> Result<Vec<Entity>, Error> {
	let rows = at.rows(&storage::content_objects(), ()).await?.into_iter();
	Ok(rows
		.filter(|((_, object), _)| *object == id.0)
		.map(|((tenant, _), info)| {
			object(ContentObjectPath { tenant: TenantId(tenant), object: id }, info)
		})
		.collect())
}

fn object(path: ContentObjectPath, info: storage::ContentObject) -> Entity {
	let head = info.head_version.map(|version| VersionId(version).to_string());
	Entity {
		kind: "content object",
		facts: vec![
			("id", path.to_string().into()),
			("tenant", path.tenant.to_string().into()),
			("object", path.object.to_string().into()),
			("head", head.into()),
			("versions", info.version_count.into()),
			("deposit", amount(info.deposit)),
			("created", muid(info.created)),
		],
	}
}

async fn versions(at: &Snapshot, id: VersionId) -> Result<Vec<Entity>, Error> {
	let rows = at.rows(&storage::versions(), ()).await?.into_iter();
	Ok(rows
		.filter(|((_, _, version), _)| *version == id.0)
		.map(|((tenant, object, _), info)| {
			let path =
				ContentObjectPath { tenant: TenantId(tenant), object: ContentObjectId(object) };
			Entity {
				kind: "version",
				facts: vec![
					("id", id.to_string().into()),
					("sha256", hex::encode(id.0).into()),
					("object", path.to_string().into()),
					("originator", ProviderId(info.originator).to_string().into()),
					("node", NodeId(info.node).to_string().into()),
					("kms", KmsId(info.kms).to_string().into()),
					("muid", muid(info.muid)),
					("size", info.size.into()),
					("committed", muid(info.committed)),
					("finalized", info.finalized.into()),
					("set_head_on_finalize", info.set_head_on_finalize.into()),
					("deposit", amount(info.deposit)),
				],
			}
		})
		.collect())
}
