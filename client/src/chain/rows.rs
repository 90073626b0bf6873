// SPDX-License-Identifier: Apache-2.0
//! Rows of the chain's storage, with the types of a client. Fields are matched by their names, so
//! rows with more fields are read, too.

use std::collections::BTreeMap;

use codec::{Decode, Encode};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
pub use content_fabric_primitives::PurgeScope;
use content_fabric_primitives::{
	CollectionInfo, ContentObjectInfo, KeyInfo, KmsInfo, MemberId, MemberInfo, NodeInfo,
	ProviderLevel, RecordInfo, Role, SpaceInfo, SpaceRules, TenantLevel, VersionInfo,
};
use scale_decode::DecodeAsType;
use subxt::{storage::DynamicAddress, utils::AccountId32};

use crate::text::Text;

macro_rules! value {
	($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeAsType)]
		pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
	)*};
}

/// A space.
pub type Space = SpaceInfo<AccountId32, u128, Text>;
/// The rules of a space, in its row and in calls.
pub type Rules = SpaceRules<u128, Text>;
/// A provider or a tenant, with the number of rows under it by map.
pub type Member = MemberInfo<AccountId32, u128, u64, BTreeMap<String, u32>>;
/// An account that may become the root of a member.
pub type Nomination = content_fabric_primitives::Nomination<AccountId32, u64>;
/// The level of an account in a provider or a tenant.
pub type Key<Level> = KeyInfo<Level, u128>;
/// A node.
pub type Node = NodeInfo<AccountId32, u128, Text>;
/// A KMS.
pub type Kms = KmsInfo<AccountId32, u128, Text>;
/// A content object.
pub type ContentObject = ContentObjectInfo<u128>;
/// A version. The time of its finalization is in milliseconds since the Unix epoch.
pub type Version = VersionInfo<u64, u128, Vec<Copy>>;
/// A copy of a version. The time from which its node holds the data is in milliseconds since the
/// Unix epoch.
pub type Copy = content_fabric_primitives::Copy<u64>;
/// A collection.
pub type Collection = CollectionInfo<u128, Text>;
/// A record.
pub type Record = RecordInfo<u128>;
/// A purge that is under way.
pub type Purge = content_fabric_primitives::Purge<u64, Vec<u8>>;

value! {
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
	use content_fabric_identifiers::{Medallion, RecordKeyType};
	use content_fabric_primitives::HashKind;
	use content_fabric_primitives::{ContentRef, ProviderRowCounts};
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

	/// An account as chains describe it.
	#[derive(Encode, TypeInfo)]
	struct AccountRow([u8; 32]);

	#[test]
	fn rows_of_members_are_read_with_their_counts_and_nominations() {
		let created = Muid::new(7, Medallion::MAX, 1).expect("the time is within range");
		let nomination = content_fabric_primitives::Nomination {
			nominee: AccountRow([2; 32]),
			governance_matures: Some(9u32),
		};
		let member: Member = decoded(&MemberInfo {
			space: SpaceId([1; 10]),
			root: AccountRow([3; 32]),
			root_since: created,
			nomination: Some(nomination),
			max_held: 1_000u128,
			bond: 100,
			own_deposit: 20,
			deposit: 3,
			rows: ProviderRowCounts { keys: 4, nodes: 5 },
			empty_since: Some(6),
			governance_delete: false,
			suspended: true,
			purge: Some(PurgeScope::Member),
			created,
		});
		assert_eq!((member.row_count(), member.deposits(), member.held()), (9, 23, 123));
		assert_eq!((member.space, member.root), (SpaceId([1; 10]), AccountId32([3; 32])));
		assert_eq!((member.max_held, member.empty_since), (1_000, Some(6)));
		assert_eq!((member.suspended, member.governance_delete), (true, false));
		assert_eq!((member.purge, member.created), (Some(PurgeScope::Member), created));
		assert_eq!(decoded::<PurgeScope, _>(&PurgeScope::Rows), PurgeScope::Rows);
		let nomination = member.nomination.expect("one was encoded");
		assert_eq!(nomination.nominee, AccountId32([2; 32]));
		assert_eq!(nomination.governance_matures, Some(9));
	}

	#[test]
	fn sizes_of_versions_are_read_from_their_compact_form() {
		for size in [0, 63, 64, u64::from(u32::MAX), u64::MAX] {
			let copy = |held| Copy {
				provider: ProviderId([1; 10]),
				node: NodeId([2; 10]),
				medallion: Medallion::FIRST_ASSIGNABLE,
				held,
			};
			let copies = vec![copy(Some(6)), copy(None)];
			let version: Version = decoded(&VersionInfo {
				copies: copies.clone(),
				kms: Some(KmsId([3; 10])),
				muid: Muid::from_u128(4),
				hash: HashKind::Sha256,
				size: size.into(),
				committed: Muid::from_u128(5),
				finalized: Some(6u64),
				set_head_on_finalize: true,
				deposit: 7u128,
			});
			assert_eq!(version.hash, HashKind::Sha256);
			assert_eq!((version.size.0, version.finalized, version.deposit), (size, Some(6), 7));
			assert_eq!((version.copies, version.kms), (copies, Some(KmsId([3; 10]))));
			assert_eq!((version.muid, version.committed), (Muid::from_u128(4), Muid::from_u128(5)));
		}
	}

	#[test]
	fn shared_types_are_read_by_the_names_of_their_fields_and_variants() {
		let target =
			ContentRef { object: ContentObjectId([1; 10]), version: Some(VersionId([2; 32])) };
		assert_eq!(decoded::<ContentRef, _>(&target), target);
		for level in [
			TenantLevel::Read,
			TenantLevel::Content,
			TenantLevel::Kms,
			TenantLevel::Admin,
			TenantLevel::Root,
		] {
			assert_eq!(decoded::<TenantLevel, _>(&level), level);
		}
		for key_type in [RecordKeyType::Nsid, RecordKeyType::Literal(Text(b"self".to_vec()))] {
			let encoded = key_type.as_ref().map(|literal| literal.0.clone());
			assert_eq!(decoded::<RecordKeyType<Text>, _>(&encoded), key_type);
		}
	}
}
