//! Rows of the chain's storage, as this client reads them. Fields are matched by name, so rows with
//! more fields can be read, too.

use std::{collections::BTreeMap, fmt};

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
			/// Returns the name on the chain.
			pub fn name(self) -> &'static str {
				match self {
					$(Self::$variant => stringify!($variant),)*
				}
			}
		}

		impl fmt::Display for $name {
			/// Writes the name on the command line.
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
		/// Number of unused admissions.
		admission_count: u32,
		/// When it was created: a muid of the chain, packed.
		created: [u8; 16],
	}
	/// The rules of a space.
	Rules {
		/// The bond that a provider needs.
		provider_bond: u128,
		/// The bond that a tenant needs.
		tenant_bond: u128,
		/// The accounts that may become a provider or a tenant.
		admission: Admission,
		/// Number of partitions of the space's content.
		partitions: u32,
		/// The service level that providers agree to.
		sla: Vec<u8>,
	}
	/// A provider or a tenant.
	Member {
		/// The space that it belongs to.
		space: [u8; 10],
		/// The account that owns it, on which bond and deposits are on hold.
		root: AccountId32,
		/// The account that may become the root, if one is nominated.
		nomination: Option<Nomination>,
		/// The most that may be on hold for it, bond and deposits together.
		max_held: u128,
		/// Its bond.
		bond: u128,
		/// The deposit for its own row.
		own_deposit: u128,
		/// The deposits for the rows under it.
		deposit: u128,
		/// Number of rows under it, by map.
		rows: BTreeMap<String, u32>,
		/// The block since which it has had no rows.
		empty_since: Option<u64>,
		/// True if governance has frozen it and opened its rows to deletion one by one.
		governance_delete: bool,
		/// True if governance has suspended it.
		suspended: bool,
		/// The scope of its purge, if one is under way.
		purge: Option<PurgeScope>,
		/// When it was created: a muid of the chain, packed. Names this incarnation of the id.
		created: [u8; 16],
	}
	/// An account that may become the root of a member.
	Nomination {
		/// The account.
		nominee: AccountId32,
		/// The block from which it may accept, if governance nominated it.
		governance_matures: Option<u64>,
	}
	/// The level of an account in a provider or a tenant.
	Key {
		/// The level.
		level: Level,
	}
	/// A node.
	Node {
		/// The account that acts for it.
		operator: AccountId32,
		/// True if it has yet to be confirmed.
		pending: bool,
		/// Its locator.
		locator: Vec<u8>,
		/// The medallion of its muids.
		medallion: u64,
		/// The muid of its last commit, packed.
		last_muid: Option<[u8; 16]>,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A KMS.
	Kms {
		/// Its locator.
		locator: Vec<u8>,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A content object.
	ContentObject {
		/// Its head.
		head_version: Option<[u8; 32]>,
		/// Number of its versions.
		version_count: u32,
		/// The deposit for this row.
		deposit: u128,
		/// When it was created: a muid of the chain, packed.
		created: [u8; 16],
	}
	/// A version.
	Version {
		/// The provider whose node took in the data.
		originator: [u8; 10],
		/// The node that took in the data.
		node: [u8; 10],
		/// The KMS that holds the keys of the data.
		kms: [u8; 10],
		/// The muid that the node gave it, packed.
		muid: [u8; 16],
		/// Size of the data in bytes, 0 if it is unknown.
		size: u64,
		/// When it was committed: a muid of the chain, packed.
		committed: [u8; 16],
		/// When it was finalized, in milliseconds since the Unix epoch.
		finalized: Option<u64>,
		/// True if finalizing makes it the head.
		set_head_on_finalize: bool,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A collection.
	Collection {
		/// The type of its records' keys.
		key_type: RecordKeyType<Vec<u8>>,
		/// The syntax of the keys.
		syntax: Syntax,
		/// Number of its records.
		record_count: u32,
	}
	/// A record.
	Record {
		/// The content that it names.
		target: ContentRef,
	}
	/// A purge that is under way.
	Purge {
		/// Number of rows when it started.
		rows: u32,
	}
}

impl Member {
	/// Returns the number of rows under the member.
	pub fn row_count(&self) -> u32 {
		self.rows.values().fold(0, |sum, rows| sum.saturating_add(*rows))
	}

	/// Returns the deposits, for its own row and those under it.
	pub fn deposits(&self) -> u128 {
		self.own_deposit.saturating_add(self.deposit)
	}

	/// Returns all that is on hold for the member.
	pub fn held(&self) -> u128 {
		self.bond.saturating_add(self.deposits())
	}
}

impl Collection {
	/// Returns the type of its records' keys, with the literal as a text.
	pub fn key_type(&self) -> RecordKeyType<String> {
		self.key_type.as_ref().map(|key| String::from_utf8_lossy(key).into_owned())
	}
}

/// The scope of a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeScope {
	/// The rows under the member, at the request of its root.
	Rows,
	/// The rows and the member, at the request of governance.
	Member,
}

/// The target of a record: a content object, or one of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType)]
pub struct ContentRef {
	/// The object.
	pub object: [u8; 10],
	/// The version, or `None` for the head.
	pub version: Option<[u8; 32]>,
}

choice! {
	/// The level of an account in a provider, `Admin` or `Root`, or in a tenant.
	Level {
		/// Signs commits; manages content objects, versions, heads and records.
		Content,
		/// The account of a KMS. May do what `Content` may.
		Kms,
		/// Manages nodes, or KMSes and collections; gives access keys.
		Admin,
		/// The root account. No access key has this level.
		#[value(skip)]
		Root,
	}
	/// The accounts that may become a provider or a tenant of a space.
	Admission {
		/// Any account.
		Open,
		/// Accounts that the governor has admitted.
		Approval,
	}
	/// The characters that record keys may have.
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

/// The place of a map, with the types of its keys and values. A single value is a map without keys.
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

/// The last muid that the chain has minted, packed.
pub fn last_muid() -> Map<(), [u8; 16]> {
	map("LastMuid")
}

/// The spaces, by space.
pub fn spaces() -> Map<(Id,), Space> {
	map("Spaces")
}

/// The providers, by provider.
pub fn providers() -> Map<(Id,), Member> {
	map("Providers")
}

/// The access keys of providers, by provider and account.
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

/// The access keys of tenants, by tenant and account.
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

/// The purges that are under way, by [`member_id`](crate::calls::member_id).
pub fn purges() -> Map<(Value,), Purge> {
	map("Purges")
}

#[cfg(test)]
mod tests {
	use codec::{Compact, Encode};
	use content_fabric_identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, VersionId,
	};
	use content_fabric_primitives as primitives;
	use scale_info::{meta_type, PortableRegistry, Registry, TypeInfo};

	use super::*;

	/// Reads a value that the chain has encoded.
	fn decoded<Value: DecodeAsType>(value: &(impl TypeInfo + Encode + 'static)) -> Value {
		fn id<T: TypeInfo + 'static>(_: &T, registry: &mut Registry) -> u32 {
			registry.register_type(&meta_type::<T>()).id
		}
		let mut registry = Registry::new();
		let id = id(value, &mut registry);
		let registry = PortableRegistry::from(registry);
		Value::decode_as_type(&mut &value.encode()[..], id, &registry)
			.expect("the row is of the type")
	}

	#[derive(Encode, TypeInfo)]
	enum Scope {
		Rows,
		Member,
	}

	#[derive(Encode, TypeInfo)]
	struct Account([u8; 32]);

	#[derive(Encode, TypeInfo)]
	struct NominationRow {
		nominee: Account,
		governance_matures: Option<u32>,
	}

	#[derive(Encode, TypeInfo)]
	struct Counts {
		keys: u32,
		nodes: u32,
	}

	/// The row of a provider, with the names and types of the pallet.
	#[derive(Encode, TypeInfo)]
	struct MemberRow {
		space: SpaceId,
		root: Account,
		nomination: Option<NominationRow>,
		max_held: u128,
		bond: u128,
		own_deposit: u128,
		deposit: u128,
		rows: Counts,
		empty_since: Option<u32>,
		governance_delete: bool,
		suspended: bool,
		purge: Option<Scope>,
		created: Muid,
	}

	#[test]
	fn rows_of_members_are_read_with_their_counts_and_nominations() {
		let created = Muid::new(7, Medallion::MAX, 1).expect("the time is within range");
		let nomination = NominationRow { nominee: Account([2; 32]), governance_matures: Some(9) };
		let member: Member = decoded(&MemberRow {
			space: SpaceId([1; 10]),
			root: Account([3; 32]),
			nomination: Some(nomination),
			max_held: 1_000,
			bond: 100,
			own_deposit: 20,
			deposit: 3,
			rows: Counts { keys: 4, nodes: 5 },
			empty_since: Some(6),
			governance_delete: false,
			suspended: true,
			purge: Some(Scope::Member),
			created,
		});
		assert_eq!((member.row_count(), member.deposits(), member.held()), (9, 23, 123));
		assert_eq!((member.max_held, member.empty_since), (1_000, Some(6)));
		assert_eq!((member.suspended, member.governance_delete), (true, false));
		assert_eq!((member.purge, member.created), (Some(PurgeScope::Member), created.to_bytes()));
		assert_eq!(decoded::<PurgeScope>(&Scope::Rows), PurgeScope::Rows);
		let nomination = member.nomination.expect("one was encoded");
		assert_eq!((nomination.nominee.0, nomination.governance_matures), ([2; 32], Some(9)));
	}

	/// The row of a version, with the names and types of the pallet.
	#[derive(Encode, TypeInfo)]
	struct VersionRow {
		originator: ProviderId,
		node: NodeId,
		kms: KmsId,
		muid: Muid,
		size: Compact<u64>,
		committed: Muid,
		finalized: Option<u64>,
		set_head_on_finalize: bool,
		deposit: u128,
	}

	#[test]
	fn sizes_of_versions_are_read_from_their_compact_form() {
		for size in [0, 63, 64, u64::from(u32::MAX), u64::MAX] {
			let version: Version = decoded(&VersionRow {
				originator: ProviderId([1; 10]),
				node: NodeId([2; 10]),
				kms: KmsId([3; 10]),
				muid: Muid::from_u128(4),
				size: size.into(),
				committed: Muid::from_u128(5),
				finalized: Some(6),
				set_head_on_finalize: true,
				deposit: 7,
			});
			assert_eq!((version.size, version.finalized, version.deposit), (size, Some(6), 7));
			assert_eq!((version.originator, version.kms), ([1; 10], [3; 10]));
		}
	}

	#[test]
	fn shared_types_are_read_by_the_names_of_their_fields_and_variants() {
		let (object, version) = (ContentObjectId([1; 10]), VersionId([2; 32]));
		let target: ContentRef =
			decoded(&primitives::ContentRef { object, version: Some(version) });
		assert_eq!(target, ContentRef { object: object.0, version: Some(version.0) });
		for (level, meant) in [
			(primitives::TenantLevel::Content, Level::Content),
			(primitives::TenantLevel::Kms, Level::Kms),
			(primitives::TenantLevel::Admin, Level::Admin),
			(primitives::TenantLevel::Root, Level::Root),
		] {
			assert_eq!(decoded::<Level>(&level), meant);
		}
		assert_eq!(decoded::<Level>(&primitives::ProviderLevel::Admin), Level::Admin);
		let policy = primitives::AdmissionPolicy::Approval;
		assert_eq!(decoded::<Admission>(&policy), Admission::Approval);
	}
}
