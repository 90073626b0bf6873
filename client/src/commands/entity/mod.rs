// SPDX-License-Identifier: Apache-2.0
//! Entities, as `fabric show` and `fabric tree` print them.

mod fact;
mod read;

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::MemberId;
use serde::Serialize;
use subxt::utils::AccountId32;

use self::fact::{Fact, Maturity, Millis, PurgeState, Size};
pub use self::{fact::Stamp, read::Entities};
use crate::{amount::Amount, output::as_text, text::Text};

macro_rules! entities {
	($($(#[$doc:meta])* $name:ident {
		$($(#[$field_doc:meta])* $field:ident: $type:ty,)*
	})*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, Serialize)]
		pub struct $name {
			$($(#[$field_doc])* pub $field: $type,)*
		}

		impl $name {
			fn facts(&self) -> Vec<(&'static str, String)> {
				vec![$((stringify!($field), self.$field.fact())),*]
			}
		}
	)*};
}

entities! {
	/// A space.
	Space {
		/// Its id.
		id: SpaceId,
		/// The account that governs it.
		governor: AccountId32,
		/// Number of its providers.
		provider_count: u32,
		/// Number of its tenants.
		tenant_count: u32,
		/// The bond that a provider needs.
		provider_bond: Amount,
		/// The bond that a tenant needs.
		tenant_bond: Amount,
		/// The accounts that may become a provider or a tenant: `open` or `approval`.
		admission: &'static str,
		/// Number of unused admissions.
		unused_admissions: u32,
		/// Number of partitions of its content.
		partitions: u32,
		/// The service level that providers agree to.
		sla: Text,
		/// The muid of its creation.
		created: Stamp,
	}
	/// A provider or a tenant.
	Member {
		/// Its id.
		#[serde(serialize_with = "as_text")]
		id: MemberId,
		/// The space that it belongs to.
		space: SpaceId,
		/// The account that owns it.
		root: AccountId32,
		/// The account that may become the root.
		nominee: Option<AccountId32>,
		/// The block from which the nominee may accept, if governance nominated it.
		nominee_matures: Option<Maturity>,
		/// The bond.
		bond: Amount,
		/// The deposit for its own row.
		own_deposit: Amount,
		/// The deposits for the rows under it.
		deposit: Amount,
		/// The most that may be on hold for it.
		max_held: Amount,
		/// Number of rows under it.
		rows: u32,
		/// Number of rows under it, by map.
		row_counts: BTreeMap<String, u32>,
		/// The block since which it has had no rows.
		empty_since: Option<u64>,
		/// True if governance has frozen it and opened its rows to deletion one by one.
		governance_delete: bool,
		/// True if governance has suspended it.
		suspended: bool,
		/// Its purge, if one is under way.
		purge: Option<PurgeState>,
		/// The muid of its creation.
		created: Stamp,
	}
	/// An access key.
	Key {
		/// The account.
		account: AccountId32,
		/// Its level.
		level: &'static str,
	}
	/// A node.
	Node {
		/// Its id.
		id: NodeId,
		/// The provider that runs it.
		provider: ProviderId,
		/// The account that acts for it.
		operator: AccountId32,
		/// Its locator.
		locator: Text,
		/// True if it has yet to be confirmed.
		pending: bool,
		/// The medallion of its muids.
		medallion: String,
		/// The muid of its last commit.
		last_muid: Option<Stamp>,
		/// The deposit for its row.
		deposit: Amount,
	}
	/// A KMS.
	Kms {
		/// Its id.
		id: KmsId,
		/// The tenant that it belongs to.
		tenant: TenantId,
		/// Its locator.
		locator: Text,
		/// The deposit for its row.
		deposit: Amount,
	}
	/// A collection.
	Collection {
		/// Its name.
		name: Text,
		/// The type of its records' keys.
		key_type: String,
		/// The syntax of the keys.
		syntax: String,
		/// Number of its records.
		record_count: u32,
	}
	/// A content object.
	ContentObject {
		/// The id of the tenant and the object in one.
		id: ContentObjectPath,
		/// The tenant that owns it.
		tenant: TenantId,
		/// Its id in the tenant.
		object: ContentObjectId,
		/// Its head.
		head: Option<VersionId>,
		/// Number of its versions.
		version_count: u32,
		/// The deposit for its row.
		deposit: Amount,
		/// The muid of its creation.
		created: Stamp,
	}
	/// A version.
	Version {
		/// Its id.
		id: VersionId,
		/// The hash of its data in hex.
		sha256: String,
		/// The content object that it belongs to.
		object: ContentObjectPath,
		/// The provider whose node took in the data.
		originator: ProviderId,
		/// The node that took in the data.
		node: NodeId,
		/// The KMS that holds the keys of the data.
		kms: KmsId,
		/// The muid that the node gave it.
		muid: Stamp,
		/// Size of the data in bytes, if it is known.
		size: Size,
		/// The muid that the chain gave its commit.
		committed: Stamp,
		/// The time of its finalization.
		finalized: Option<Millis>,
		/// True if finalizing makes it the head.
		set_head_on_finalize: bool,
		/// The deposit for its row.
		deposit: Amount,
	}
}

/// An entity. In JSON, its kind is the field `kind`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind")]
pub enum Entity {
	/// A space.
	#[serde(rename = "space")]
	Space(Space),
	/// A provider.
	#[serde(rename = "provider")]
	Provider(Member),
	/// A tenant.
	#[serde(rename = "tenant")]
	Tenant(Member),
	/// An access key.
	#[serde(rename = "key")]
	Key(Key),
	/// A node.
	#[serde(rename = "node")]
	Node(Node),
	/// A KMS.
	#[serde(rename = "KMS")]
	Kms(Kms),
	/// A collection.
	#[serde(rename = "collection")]
	Collection(Collection),
	/// A content object.
	#[serde(rename = "content object")]
	ContentObject(ContentObject),
	/// A version.
	#[serde(rename = "version")]
	Version(Version),
}

impl Entity {
	/// Returns the word for the kind.
	pub const fn kind(&self) -> &'static str {
		match self {
			Self::Space(_) => "space",
			Self::Provider(_) => "provider",
			Self::Tenant(_) => "tenant",
			Self::Key(_) => "key",
			Self::Node(_) => "node",
			Self::Kms(_) => "KMS",
			Self::Collection(_) => "collection",
			Self::ContentObject(_) => "content object",
			Self::Version(_) => "version",
		}
	}

	/// Returns the names of the facts with their texts.
	pub fn facts(&self) -> Vec<(&'static str, String)> {
		match self {
			Self::Space(space) => space.facts(),
			Self::Provider(member) | Self::Tenant(member) => member.facts(),
			Self::Key(key) => key.facts(),
			Self::Node(node) => node.facts(),
			Self::Kms(kms) => kms.facts(),
			Self::Collection(collection) => collection.facts(),
			Self::ContentObject(object) => object.facts(),
			Self::Version(version) => version.facts(),
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::Muid;

	use super::*;
	use crate::{amount::Units, chain::rows::PurgeScope};

	#[test]
	fn text_and_json_of_a_member_have_the_same_facts_with_its_state() {
		let units = Units::new(12, "UNIT");
		let id = TenantId([1; 10]).into();
		let root = AccountId32([2; 32]);
		let tenant = Entity::Tenant(Member {
			id,
			space: SpaceId([3; 10]),
			root,
			nominee: Some(root),
			nominee_matures: Some(Maturity { block: 1_234, now: 1_200 }),
			bond: units.amount(1_500_000_000_000),
			own_deposit: units.amount(0),
			deposit: units.amount(0),
			max_held: units.amount(0),
			rows: 1_287,
			row_counts: [("content_objects".into(), 1_287)].into(),
			empty_since: None,
			governance_delete: false,
			suspended: true,
			purge: Some(PurgeState { scope: PurgeScope::Member, rows: 4_287, rows_left: 1_287 }),
			created: Stamp(Muid::from_u128(0)),
		});
		let json = serde_json::to_value(&tenant).expect("the entity is JSON");
		assert_eq!((&json["kind"], &json["id"]), (&"tenant".into(), &id.to_string().into()));
		assert_eq!((&json["bond"], &json["rows"]), (&"1500000000000".into(), &1_287.into()));
		assert_eq!((&json["purge"]["scope"], &json["suspended"]), (&"member".into(), &true.into()));
		let facts = tenant.facts();
		let fact = |name| facts.iter().find(|(found, _)| *found == name).map(|(_, fact)| &fact[..]);
		assert_eq!(fact("bond"), Some("1.5 UNIT"));
		assert_eq!(fact("rows"), Some("1,287"));
		assert_eq!(fact("row_counts"), Some("content objects 1,287"));
		assert_eq!(fact("nominee_matures"), Some("block 1,234, in 34 blocks"));
		assert_eq!(fact("purge"), Some("of the member, 1,287 of 4,287 rows left"));
		assert_eq!(fact("empty_since"), Some("none"));
		let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
		assert!(names.iter().all(|name| json.get(name).is_some()), "{names:?} {json}");
	}
}
