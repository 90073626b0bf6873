//! The chain's storage as this client reads it. Fields are matched by name, so a chain whose values
//! hold more facts can be read as well.

use std::fmt;

use content_fabric_identifiers::{RecordKeySyntax, RecordKeyType};
use scale_decode::DecodeAsType;
use serde::Serialize;
use subxt::{
	dynamic::Value, ext::frame_decode::helpers::IntoEncodableValues, storage::DynamicAddress,
	utils::AccountId32,
};

macro_rules! value {
	($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, DecodeAsType)]
		pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
	)*};
}

macro_rules! choice {
	($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType, Serialize, clap::ValueEnum)]
		#[serde(rename_all = "kebab-case")]
		pub enum $name { $($(#[$variant_doc])* $variant,)* }

		impl $name {
			/// The name on the chain.
			pub fn name(self) -> &'static str {
				match self {
					$(Self::$variant => stringify!($variant),)*
				}
			}
		}

		impl fmt::Display for $name {
			/// The name on the command line.
			fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
				match clap::ValueEnum::to_possible_value(self) {
					Some(value) => f.pad(value.get_name()),
					None => f.pad(self.name()),
				}
			}
		}
	)*};
}

value! {
	/// A space.
	Space {
		/// The account that governs it.
		governor: AccountId32,
		/// Its rules.
		rules: Rules,
		/// Number of its providers.
		provider_count: u32,
		/// Number of its tenants.
		tenant_count: u32,
		/// Number of admissions that have not been used.
		admission_count: u32,
		/// When it was created: the packed form of a muid of the chain.
		created: [u8; 16],
	}
	/// The rules of a space.
	Rules {
		/// What a provider must have bonded.
		provider_bond: u128,
		/// What a tenant must have bonded.
		tenant_bond: u128,
		/// Who may become a provider or a tenant.
		admission: Admission,
		/// The number of partitions of the space's content.
		partitions: u32,
		/// The service level that providers agree to.
		sla: Vec<u8>,
	}
	/// A provider or a tenant.
	Member {
		/// The space that it belongs to.
		space: [u8; 10],
		/// The account that acts for it.
		root: AccountId32,
		/// The account on which the bond and the deposits are held.
		depositor: AccountId32,
		/// What is held as its bond.
		bond: u128,
		/// What is held for the rows under it.
		deposit: u128,
		/// Number of storage rows under it.
		rows: u32,
		/// Whether governance has frozen it.
		governance_delete: bool,
		/// Whether governance has deleted it, and rows under it are left.
		being_deleted: bool,
		/// When it was created: the packed form of a muid of the chain.
		created: [u8; 16],
	}
	/// The level of an account in a provider or a tenant.
	Key {
		/// The level.
		level: Level,
	}
	/// A node.
	Node {
		/// Whether it has yet to be confirmed.
		pending: bool,
		/// Where it is reached.
		locator: Vec<u8>,
		/// Who it is among the writers of muids.
		medallion: u64,
		/// The packed form of the muid with which it committed last.
		last_muid: Option<[u8; 16]>,
		/// What is held for this row.
		deposit: u128,
	}
	/// A KMS.
	Kms {
		/// Where it is reached.
		locator: Vec<u8>,
		/// What is held for this row.
		deposit: u128,
	}
	/// A content object.
	ContentObject {
		/// Its head.
		head_version: Option<[u8; 32]>,
		/// Number of its versions.
		version_count: u32,
		/// What is held for this row.
		deposit: u128,
		/// When it was created: the packed form of a muid of the chain.
		created: [u8; 16],
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
		/// Whether finalizing makes it the head.
		set_head_on_finalize: bool,
		/// The KMS that holds the keys of the data.
		kms: [u8; 10],
		/// What is held for this row.
		deposit: u128,
	}
	/// A collection.
	Collection {
		/// Which keys its records have.
		key_type: KeyType,
		/// Which characters these may have.
		syntax: Syntax,
		/// Number of its records.
		record_count: u32,
	}
	/// A record.
	Record {
		/// What it names.
		target: ContentRef,
	}
	/// The deletion of a provider or a tenant that takes several steps.
	Deletion {
		/// Number of rows when it started.
		rows: u32,
	}
}

/// What a record names: a content object, or one of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType)]
pub struct ContentRef {
	/// The object.
	pub object: [u8; 10],
	/// The version, or none for whichever is the head.
	pub version: Option<[u8; 32]>,
}

/// Which keys the records of a collection have.
#[derive(Clone, Debug, PartialEq, Eq, DecodeAsType)]
pub enum KeyType {
	/// TIDs.
	Tid,
	/// NSIDs.
	Nsid,
	/// This one.
	Literal(Vec<u8>),
	/// All record keys.
	Any,
}

impl From<KeyType> for RecordKeyType<String> {
	fn from(key_type: KeyType) -> Self {
		match key_type {
			KeyType::Tid => Self::Tid,
			KeyType::Nsid => Self::Nsid,
			KeyType::Literal(key) => Self::Literal(String::from_utf8_lossy(&key).into_owned()),
			KeyType::Any => Self::Any,
		}
	}
}

choice! {
	/// The level of an account in a provider or a tenant. A provider has those named `Node`,
	/// `Admin` and `Root`; a tenant all but `Node`.
	Level {
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
	/// Who may become a provider or a tenant of a space.
	Admission {
		/// Any account.
		Open,
		/// Those that the governor has admitted.
		Approval,
	}
	/// What an account is admitted to a space as.
	Role {
		/// As a provider.
		Provider,
		/// As a tenant.
		Tenant,
	}
	/// Which characters record keys may have.
	Syntax {
		/// Letters, digits, `.`, `-`, `_` and `~`.
		Unreserved,
		/// Those, and `:`.
		PathSegment,
	}
}

impl From<Syntax> for RecordKeySyntax {
	fn from(syntax: Syntax) -> Self {
		match syntax {
			Syntax::Unreserved => Self::Unreserved,
			Syntax::PathSegment => Self::PathSegment,
		}
	}
}

/// Where a map of a pallet is, with the types of its keys and values. A single value is a map
/// without keys.
pub type Map<Key, Value> = DynamicAddress<Key, Value>;

/// The bytes of an id, except a version's.
pub type Id = [u8; 10];

fn map<Key: IntoEncodableValues, Value: DecodeAsType>(name: &str) -> Map<Key, Value> {
	subxt::dynamic::storage("ContentFabric", name)
}

/// The time of the block, in milliseconds since the Unix epoch.
pub fn now() -> Map<(), u64> {
	subxt::dynamic::storage("Timestamp", "Now")
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
pub fn provider_keys() -> Map<(Id, [u8; 32]), Key> {
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
pub fn tenant_keys() -> Map<(Id, [u8; 32]), Key> {
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

/// The collections, by tenant and name.
pub fn collections() -> Map<(Id, Vec<u8>), Collection> {
	map("Collections")
}

/// The records, by tenant, name of the collection, and key.
pub fn records() -> Map<(Id, Vec<u8>, Vec<u8>), Record> {
	map("Records")
}

/// The deletions that take several steps, by [subject](crate::member::MemberId::subject).
pub fn deletions() -> Map<(Value,), Deletion> {
	map("Deletions")
}
