//! The calls that this client makes.

use content_fabric_identifiers::{
	ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use subxt::{dynamic::Value, ext::scale_value::Composite, tx::DynamicPayload, utils::AccountId32};

use crate::{set_key::MemberId, storage::Level};

/// A call of the runtime, with its arguments by name.
#[derive(Clone, Debug)]
pub struct Call {
	pallet: &'static str,
	name: &'static str,
	arguments: Vec<(&'static str, Value)>,
}

impl Call {
	fn fabric(name: &'static str, arguments: Vec<(&'static str, Value)>) -> Self {
		Self { pallet: "ContentFabric", name, arguments }
	}

	/// Several calls that succeed or fail together.
	pub fn batch_all(calls: impl IntoIterator<Item = Self>) -> Self {
		let calls = calls.into_iter().map(|call| call.payload().into_value()).collect::<Vec<_>>();
		let calls = Value::unnamed_composite(calls);
		Self { pallet: "Utility", name: "batch_all", arguments: vec![("calls", calls)] }
	}

	/// A call as root, on chains that have a sudo key.
	pub fn sudo(call: Self) -> Self {
		let call = call.payload().into_value();
		Self { pallet: "Sudo", name: "sudo", arguments: vec![("call", call)] }
	}

	/// What subxt encodes by the chain's metadata.
	pub fn payload(self) -> DynamicPayload<Composite<()>> {
		subxt::dynamic::tx(self.pallet, self.name, Composite::named(self.arguments))
	}

	/// The pallet's and the call's name.
	pub fn name(&self) -> String {
		format!("{}.{}", self.pallet, self.name)
	}
}

fn id(bytes: impl AsRef<[u8]>) -> Value {
	Value::from_bytes(bytes)
}

/// `create_space`
pub fn create_space(space: SpaceId, governor: &AccountId32) -> Call {
	Call::fabric(
		"create_space",
		vec![("space", id(space)), ("governor", Value::from_bytes(governor.0))],
	)
}

/// `create_provider`
pub fn create_provider(space: SpaceId, provider: ProviderId) -> Call {
	Call::fabric("create_provider", vec![("space", id(space)), ("provider", id(provider))])
}

/// `create_node`
pub fn create_node(
	provider: ProviderId,
	node: NodeId,
	operator: &AccountId32,
	locator: &str,
) -> Call {
	Call::fabric(
		"create_node",
		vec![
			("provider", id(provider)),
			("node", id(node)),
			("operator", Value::from_bytes(operator.0)),
			("locator", Value::from_bytes(locator)),
		],
	)
}

/// `set_provider_key`, or `set_tenant_key`. `None` takes the account's level.
pub fn set_key(member: MemberId, account: &AccountId32, level: Option<Level>) -> Call {
	let level = match level {
		Some(level) => {
			let level = Value::unnamed_variant(level.name(), []);
			Value::unnamed_variant("Some", [level])
		},
		None => Value::unnamed_variant("None", []),
	};
	let (call, kind, id) = match member {
		MemberId::Provider(provider) => ("set_provider_key", "provider", id(provider)),
		MemberId::Tenant(tenant) => ("set_tenant_key", "tenant", id(tenant)),
	};
	let account = Value::from_bytes(account.0);
	Call::fabric(call, vec![(kind, id), ("account", account), ("level", level)])
}

/// `confirm_node`
pub fn confirm_node(provider: ProviderId, node: NodeId) -> Call {
	Call::fabric("confirm_node", vec![("provider", id(provider)), ("node", id(node))])
}

/// `create_tenant`
pub fn create_tenant(space: SpaceId, tenant: TenantId) -> Call {
	Call::fabric("create_tenant", vec![("space", id(space)), ("tenant", id(tenant))])
}

/// `add_kms`
pub fn add_kms(tenant: TenantId, kms: KmsId, locator: &str) -> Call {
	Call::fabric(
		"add_kms",
		vec![("tenant", id(tenant)), ("kms", id(kms)), ("locator", Value::from_bytes(locator))],
	)
}

/// `create_content_object`
pub fn create_content_object(tenant: TenantId, object: ContentObjectId) -> Call {
	Call::fabric("create_content_object", vec![("tenant", id(tenant)), ("object", id(object))])
}

/// What `commit_version` is told.
#[derive(Clone, Copy, Debug)]
pub struct Commit {
	/// The provider whose node takes in the data.
	pub originator: ProviderId,
	/// The node that takes in the data.
	pub node: NodeId,
	/// The tenant who owns the object.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The version.
	pub version: VersionId,
	/// Size of the data in bytes, 0 if it is not known.
	pub size: u64,
	/// Whether finalizing makes the version the head.
	pub set_head_on_finalize: bool,
	/// The KMS that holds the keys of the data.
	pub kms: KmsId,
}

/// `commit_version`
pub fn commit_version(commit: &Commit) -> Call {
	let message = Value::named_composite([
		("originator", id(commit.originator)),
		("node", id(commit.node)),
		("tenant", id(commit.tenant)),
		("object", id(commit.object)),
		("version", id(commit.version)),
		("size", Value::u128(commit.size.into())),
		("set_head_on_finalize", Value::bool(commit.set_head_on_finalize)),
		("kms", id(commit.kms)),
	]);
	Call::fabric("commit_version", vec![("message", message)])
}

/// `finalize_version`
pub fn finalize_version(tenant: TenantId, object: ContentObjectId, version: VersionId) -> Call {
	Call::fabric(
		"finalize_version",
		vec![("tenant", id(tenant)), ("object", id(object)), ("version", id(version))],
	)
}

/// `set_head_version`
pub fn set_head_version(tenant: TenantId, object: ContentObjectId, version: VersionId) -> Call {
	let version = Value::unnamed_variant("Some", [id(version)]);
	Call::fabric(
		"set_head_version",
		vec![("tenant", id(tenant)), ("object", id(object)), ("version", version)],
	)
}

/// `governance_delete_tenant`
pub fn governance_delete_tenant(tenant: TenantId, max_rows: u32) -> Call {
	Call::fabric(
		"governance_delete_tenant",
		vec![("tenant", id(tenant)), ("max_rows", Value::u128(max_rows.into()))],
	)
}
