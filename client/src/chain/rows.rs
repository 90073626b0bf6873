// SPDX-License-Identifier: Apache-2.0
//! Rows of the chain's storage. Fields are matched by their names, so rows with more fields are
//! read, too.

use std::collections::BTreeMap;

use codec::{Decode, Encode};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
	TenantId, VersionId,
};
use content_fabric_primitives::{
	AdmissionPolicy, ContentRef, MemberId, ProviderLevel, Role, TenantLevel,
};
use scale_decode::DecodeAsType;
use scale_encode::EncodeAsType;
use serde::Serialize;
use subxt::{storage::DynamicAddress, utils::AccountId32};

use crate::text::Text;

macro_rules! value {
	($($(#[$doc:meta])* $name:ident $(<$parameter:ident>)? { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeAsType)]
		pub struct $name $(<$parameter>)? { $($(#[$field_doc])* pub $field: $type,)* }
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
		/// The muid of its creation.
		created: Muid,
	}
	/// The rules of a space, in its row and in calls.
	#[derive(EncodeAsType)]
	Rules {
		/// The bond that a provider needs.
		provider_bond: u128,
		/// The bond that a tenant needs.
		tenant_bond: u128,
		/// The accounts that may become a provider or a tenant.
		admission: AdmissionPolicy,
		/// Number of partitions of the space's content.
		partitions: u32,
		/// The service level that providers agree to.
		sla: Text,
	}
	/// A provider or a tenant.
	Member {
		/// The space that it belongs to.
		space: SpaceId,
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
		/// The muid of its creation. Names this incarnation of the id.
		created: Muid,
	}
	/// An account that may become the root of a member.
	Nomination {
		/// The account.
		nominee: AccountId32,
		/// The block from which it may accept, if governance nominated it.
		governance_matures: Option<u64>,
	}
	/// The level of an account in a provider or a tenant.
	Key<Level> {
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
		locator: Text,
		/// The medallion of its muids.
		medallion: u64,
		/// The muid of its last commit.
		last_muid: Option<Muid>,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A KMS.
	Kms {
		/// Its locator.
		locator: Text,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A content object.
	ContentObject {
		/// Its head.
		head_version: Option<VersionId>,
		/// Number of its versions.
		version_count: u32,
		/// The deposit for this row.
		deposit: u128,
		/// The muid of its creation.
		created: Muid,
	}
	/// A version.
	Version {
		/// The provider whose node took in the data.
		originator: ProviderId,
		/// The node that took in the data.
		node: NodeId,
		/// The KMS that holds the keys of the data.
		kms: KmsId,
		/// The muid that the node gave it.
		muid: Muid,
		/// Size of the data in bytes, 0 if it is unknown.
		size: u64,
		/// The muid that the chain gave its commit.
		committed: Muid,
		/// The time of its finalization, in milliseconds since the Unix epoch.
		finalized: Option<u64>,
		/// True if finalizing makes it the head.
		set_head_on_finalize: bool,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A collection.
	Collection {
		/// The type of its records' keys.
		key_type: RecordKeyType<Text>,
		/// The syntax of the keys.
		syntax: RecordKeySyntax,
		/// Number of its records.
		record_count: u32,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A record.
	Record {
		/// The content that it names.
		target: ContentRef,
		/// The muid of its creation.
		created: Muid,
		/// The muid of its last put.
		updated: Muid,
		/// The deposit for this row.
		deposit: u128,
	}
	/// A purge that is under way.
	Purge {
		/// The block in which it was started.
		started: u64,
		/// Its place in the deletion queue.
		place: u64,
		/// Number of rows when it started.
		rows: u32,
	}
	/// An account, as `frame-system` and `pallet-balances` keep it.
	Account {
		/// Number of its transactions in blocks.
		nonce: u32,
		/// Its balance.
		data: Balance,
	}
	/// The balance of an account.
	Balance {
		/// The free balance. The frozen part of it cannot be spent.
		free: u128,
		/// The reserved balance, such as amounts on hold.
		reserved: u128,
		/// The frozen balance, which must stay on the account.
		frozen: u128,
	}
	/// The public parts of a validator's session keys.
	SessionKeys {
		/// The key that signs blocks.
		aura: [u8; 32],
		/// The key that signs votes on finality.
		grandpa: [u8; 32],
	}
	/// A runtime that may replace the present one.
	AuthorizedUpgrade {
		/// The hash of its code.
		code_hash: [u8; 32],
		/// True if it must have the same name and a higher version.
		check_version: bool,
	}
	/// The votes on a motion of the council.
	Votes {
		/// The number of the motion.
		index: u32,
		/// Number of members who must approve.
		threshold: u32,
		/// The members who approve.
		ayes: Vec<AccountId32>,
		/// The members who do not.
		nays: Vec<AccountId32>,
		/// The block at which the motion lapses.
		end: u64,
	}
}

/// An amount on hold.
#[derive(Clone, Debug, DecodeAsType)]
pub struct Hold {
	/// The reason.
	pub id: HoldReason,
	/// The amount.
	pub amount: u128,
}

/// The reason of a hold: a pallet, and its own reason.
pub type HoldReason = subxt::dynamic::Value;

impl Rules {
	/// Returns the bond that a member needs.
	pub fn bond(&self, role: Role) -> u128 {
		match role {
			Role::Provider => self.provider_bond,
			Role::Tenant => self.tenant_bond,
		}
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

#[cfg(all(test, feature = "cli"))]
impl Member {
	/// Returns a member with nothing under it.
	pub(crate) fn sample() -> Self {
		Self {
			space: SpaceId([1; 10]),
			root: AccountId32([1; 32]),
			nomination: None,
			max_held: 1_000,
			bond: 300,
			own_deposit: 20,
			deposit: 0,
			rows: BTreeMap::new(),
			empty_since: None,
			governance_delete: false,
			suspended: false,
			purge: None,
			created: Muid::from_bytes([1; 16]),
		}
	}
}

/// The scope of a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeAsType, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeScope {
	/// The rows under the member, at the request of its root.
	Rows,
	/// The rows and the member, at the request of governance.
	Member,
}

/// The place of a map, with the types of its keys and values. A single value is a map without keys.
pub type Map<Key, Value> = DynamicAddress<Key, Value>;

macro_rules! maps {
	($pallet:literal: $($(#[$doc:meta])* $function:ident = $name:literal: $key:ty => $value:ty;)*) => {$(
		$(#[$doc])*
		pub fn $function() -> Map<$key, $value> {
			subxt::dynamic::storage($pallet, $name)
		}
	)*};
}

maps! { "ContentFabric":
	/// The last muid that the chain has minted.
	last_muid = "LastMuid": () => Muid;
	/// The spaces, by space.
	spaces = "Spaces": (SpaceId,) => Space;
	/// The unused admissions, by space, account and role.
	admissions = "Admissions": (SpaceId, (AccountId32, Role)) => ();
	/// The providers, by provider.
	providers = "Providers": (ProviderId,) => Member;
	/// The access keys of providers, by provider and account.
	provider_keys = "ProviderKeys": (ProviderId, AccountId32) => Key<ProviderLevel>;
	/// The nodes, by provider and node.
	nodes = "Nodes": (ProviderId, NodeId) => Node;
	/// The tenants, by tenant.
	tenants = "Tenants": (TenantId,) => Member;
	/// The access keys of tenants, by tenant and account.
	tenant_keys = "TenantKeys": (TenantId, AccountId32) => Key<TenantLevel>;
	/// The KMSes, by tenant and KMS.
	kmses = "Kmses": (TenantId, KmsId) => Kms;
	/// The content objects, by tenant and object.
	content_objects = "ContentObjects": (TenantId, ContentObjectId) => ContentObject;
	/// The versions, by tenant, object and version.
	versions = "Versions": (TenantId, ContentObjectId, VersionId) => Version;
	/// The collections, by tenant and name.
	collections = "Collections": (TenantId, Text) => Collection;
	/// The records, by tenant, name of the collection, and key.
	records = "Records": (TenantId, Text, Text) => Record;
	/// The purges that are under way.
	purges = "Purges": (MemberId,) => Purge;
}

maps! { "Timestamp":
	/// The time of the block, in milliseconds since the Unix epoch.
	now = "Now": () => u64;
}

maps! { "System":
	/// The accounts.
	accounts = "Account": (AccountId32,) => Account;
	/// The runtime that may replace the present one.
	authorized_upgrade = "AuthorizedUpgrade": () => AuthorizedUpgrade;
}

maps! { "Balances":
	/// The amounts on hold, by account.
	holds = "Holds": (AccountId32,) => Vec<Hold>;
}

maps! { "Sudo":
	/// The account that can act as root. Only chains with `pallet-sudo` have this.
	sudo_key = "Key": () => AccountId32;
}

maps! { "CollatorSelection":
	/// The validators that the council names.
	named_validators = "Invulnerables": () => Vec<AccountId32>;
}

maps! { "Session":
	/// The active validators.
	validators = "Validators": () => Vec<AccountId32>;
	/// The validators of the next session, with their keys.
	queued_validators = "QueuedKeys": () => Vec<(AccountId32, SessionKeys)>;
	/// True if the next session has other validators, or other keys of them.
	validators_change = "QueuedChanged": () => bool;
	/// The positions of disabled active validators, with the severity of their offences.
	disabled_validators = "DisabledValidators": () => Vec<(u32, subxt::dynamic::Value)>;
	/// The registered session keys, by account.
	session_keys = "NextKeys": (AccountId32,) => SessionKeys;
	/// The number of the session.
	session_index = "CurrentIndex": () => u32;
}

maps! { "Council":
	/// The members of the council.
	council = "Members": () => Vec<AccountId32>;
	/// The votes on the council's motions, by the hash of the call.
	votes = "Voting": ([u8; 32],) => Votes;
	/// The deposits of the council's motions, by the hash of the call. They outlive the motions,
	/// and their type is up to the runtime.
	motion_deposits = "CostOf": ([u8; 32],) => ();
}

#[cfg(test)]
mod tests {
	use codec::{Compact, Encode};
	use content_fabric_identifiers::Medallion;
	use scale_info::{meta_type, PortableRegistry, Registry, TypeInfo};

	use super::*;

	/// Reads a value that a chain has encoded.
	fn decoded<Value: DecodeAsType, T: TypeInfo + Encode + 'static>(value: &T) -> Value {
		let mut registry = Registry::new();
		let id = registry.register_type(&meta_type::<T>()).id;
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
	struct AccountRow([u8; 32]);

	#[derive(Encode, TypeInfo)]
	struct NominationRow {
		nominee: AccountRow,
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
		root: AccountRow,
		root_since: Muid,
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
		let nomination =
			NominationRow { nominee: AccountRow([2; 32]), governance_matures: Some(9) };
		let member: Member = decoded(&MemberRow {
			space: SpaceId([1; 10]),
			root: AccountRow([3; 32]),
			root_since: created,
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
		assert_eq!((member.space, member.root), (SpaceId([1; 10]), AccountId32([3; 32])));
		assert_eq!((member.max_held, member.empty_since), (1_000, Some(6)));
		assert_eq!((member.suspended, member.governance_delete), (true, false));
		assert_eq!((member.purge, member.created), (Some(PurgeScope::Member), created));
		assert_eq!(decoded::<PurgeScope, _>(&Scope::Rows), PurgeScope::Rows);
		let nomination = member.nomination.expect("one was encoded");
		assert_eq!(nomination.nominee, AccountId32([2; 32]));
		assert_eq!(nomination.governance_matures, Some(9));
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
			assert_eq!((version.originator, version.kms), (ProviderId([1; 10]), KmsId([3; 10])));
			assert_eq!((version.muid, version.committed), (Muid::from_u128(4), Muid::from_u128(5)));
		}
	}

	#[test]
	fn shared_types_are_read_by_the_names_of_their_fields_and_variants() {
		let target =
			ContentRef { object: ContentObjectId([1; 10]), version: Some(VersionId([2; 32])) };
		assert_eq!(decoded::<ContentRef, _>(&target), target);
		for level in [TenantLevel::Content, TenantLevel::Kms, TenantLevel::Admin, TenantLevel::Root]
		{
			assert_eq!(decoded::<TenantLevel, _>(&level), level);
		}
		for key_type in [RecordKeyType::Nsid, RecordKeyType::Literal(Text(b"self".to_vec()))] {
			let encoded = key_type.as_ref().map(|literal| literal.0.clone());
			assert_eq!(decoded::<RecordKeyType<Text>, _>(&encoded), key_type);
		}
	}
}
