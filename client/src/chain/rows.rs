//! Rows of the chain's storage. Fields are matched by their names, so rows with more fields are
//! read, too.

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
	TenantId, VersionId,
};
use content_fabric_primitives::{
	AdmissionPolicy, ContentRef, MemberId, ProviderLevel, Role, TenantLevel,
};
use scale_decode::DecodeAsType;
use serde::Serialize;
use subxt::{
	ext::frame_decode::helpers::IntoEncodableValues, storage::DynamicAddress, utils::AccountId32,
};

use crate::text::Text;

macro_rules! value {
	($($(#[$doc:meta])* $name:ident $(<$parameter:ident>)? { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, DecodeAsType)]
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
		/// When it was created.
		created: Muid,
	}
	/// The rules of a space.
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
		/// When it was created. Names this incarnation of the id.
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
		/// When it was created.
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
		/// When it was committed: a muid of the chain.
		committed: Muid,
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
		/// The deposit for this row.
		deposit: u128,
	}
	/// A purge that is under way.
	Purge {
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
		/// What it can spend, except what is frozen.
		free: u128,
		/// What is on hold.
		reserved: u128,
		/// What must stay on the account.
		frozen: u128,
	}
	/// An amount on hold.
	Hold {
		/// The reason.
		id: HoldReason,
		/// The amount.
		amount: u128,
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

/// The reason of a hold: a pallet, and its own reason.
pub type HoldReason = subxt::dynamic::Value;

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

/// The scope of a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeScope {
	/// The rows under the member, at the request of its root.
	Rows,
	/// The rows and the member, at the request of governance.
	Member,
}

/// The place of a map, with the types of its keys and values. A single value is a map without keys.
pub type Map<Key, Value> = DynamicAddress<Key, Value>;

fn map<Key: IntoEncodableValues, Value: DecodeAsType>(name: &str) -> Map<Key, Value> {
	subxt::dynamic::storage("ContentFabric", name)
}

macro_rules! maps {
	($($(#[$doc:meta])* $function:ident = $name:literal: $key:ty => $value:ty;)*) => {$(
		$(#[$doc])*
		pub fn $function() -> Map<$key, $value> {
			map($name)
		}
	)*};
}

maps! {
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

/// The time of the block, in milliseconds since the Unix epoch.
pub fn now() -> Map<(), u64> {
	subxt::dynamic::storage("Timestamp", "Now")
}

/// The accounts.
pub fn accounts() -> Map<(AccountId32,), Account> {
	subxt::dynamic::storage("System", "Account")
}

/// The amounts on hold, by account.
pub fn holds() -> Map<(AccountId32,), Vec<Hold>> {
	subxt::dynamic::storage("Balances", "Holds")
}

/// The account that can act as root. Only chains with `pallet-sudo` have this.
pub fn sudo_key() -> Map<(), AccountId32> {
	subxt::dynamic::storage("Sudo", "Key")
}

/// The members of the council.
pub fn council() -> Map<(), Vec<AccountId32>> {
	subxt::dynamic::storage("Council", "Members")
}

/// The votes on the council's motions, by the hash of the call.
pub fn votes() -> Map<([u8; 32],), Votes> {
	subxt::dynamic::storage("Council", "Voting")
}
