//! The pallet's storage as this client reads it. Fields are matched by name, so a chain whose
//! values hold more facts can be read as well.

use scale_decode::DecodeAsType;
use serde::Serialize;
use subxt::{
	ext::frame_decode::helpers::IntoEncodableValues, storage::DynamicAddress, utils::AccountId32,
};

macro_rules! value {
	($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, DecodeAsType)]
		pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
	)*};
}

value! {
	/// A space.
	Space {
		/// The account that governs it.
		governor: AccountId32,
		/// Number of its providers.
		provider_count: u32,
		/// Number of its tenants.
		tenant_count: u32,
	}
	/// A provider or a tenant.
	Member {
		/// The space that it belongs to.
		space: [u8; 10],
		/// The account that acts for it.
		root: AccountId32,
		/// Number of storage rows under it.
		rows: u32,
		/// Whether governance has frozen it.
		governance_delete: bool,
	}
	/// A node.
	Node {
		/// Whether it has yet to be confirmed.
		pending: bool,
		/// Where it is reached.
		locator: Vec<u8>,
	}
	/// A KMS.
	Kms {
		/// Where it is reached.
		locator: Vec<u8>,
	}
	/// A content object.
	ContentObject {
		/// Its head.
		head_version: Option<[u8; 32]>,
		/// Number of its versions.
		version_count: u32,
	}
	/// A version.
	Version {
		/// The provider whose node took in the data.
		originator: [u8; 10],
		/// The node that took in the data.
		node: [u8; 10],
		/// Size of the data in bytes, 0 if it is not known.
		size: u64,
		/// When it was committed: the packed form of a muid of the chain.
		committed: [u8; 16],
		/// When it was finalized, in milliseconds since the Unix epoch.
		finalized: Option<u64>,
		/// The KMS that holds the keys of the data.
		kms: [u8; 10],
	}
}

/// The level of an account in a provider or a tenant. A provider has those named `Node`, `Admin` and
/// `Root`; a tenant all but `Node`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Level {
	/// Operates nodes.
	Node,
	/// Manages content.
	Content,
	/// The account of a KMS.
	Kms,
	/// Manages nodes or KMSes, and the levels below.
	Admin,
	/// The root account, which no key makes one.
	#[value(skip)]
	Root,
}

impl Level {
	/// The name on the chain.
	pub fn name(self) -> &'static str {
		match self {
			Self::Node => "Node",
			Self::Content => "Content",
			Self::Kms => "Kms",
			Self::Admin => "Admin",
			Self::Root => "Root",
		}
	}
}

/// Where a map of the pallet is, with the types of its keys and values.
pub type Map<Key, Value> = DynamicAddress<Key, Value>;

/// The bytes of an id, except a version's.
pub type Id = [u8; 10];

fn map<Key: IntoEncodableValues, Value: DecodeAsType>(name: &str) -> Map<Key, Value> {
	subxt::dynamic::storage("ContentFabric", name)
}

/// The spaces, by space.
pub fn spaces() -> Map<(Id,), Space> {
	map("Spaces")
}

/// The providers, by provider.
pub fn providers() -> Map<(Id,), Member> {
	map("Providers")
}

/// The levels of accounts in providers, by provider and account.
pub fn provider_keys() -> Map<(Id, [u8; 32]), Level> {
	map("ProviderKeys")
}

/// The nodes, by provider and node.
pub fn nodes() -> Map<(Id, Id), Node> {
	map("Nodes")
}

/// The tenants, by tenant.
pub fn tenants() -> Map<(Id,), Member> {
	map("Tenants")
}

/// The levels of accounts in tenants, by tenant and account.
pub fn tenant_keys() -> Map<(Id, [u8; 32]), Level> {
	map("TenantKeys")
}

/// The KMSes, by tenant and KMS.
pub fn kmses() -> Map<(Id, Id), Kms> {
	map("Kmses")
}

/// The content objects, by tenant and object.
pub fn content_objects() -> Map<(Id, Id), ContentObject> {
	map("ContentObjects")
}

/// The versions, by tenant, object and version.
pub fn versions() -> Map<(Id, Id, [u8; 32]), Version> {
	map("Versions")
}
