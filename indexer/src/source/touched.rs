// SPDX-License-Identifier: Apache-2.0
//! The rows that an event touches.

use std::collections::BTreeSet;

use codec::{Decode, Encode};
use content_fabric_client::text::Text;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{MemberId, Role};
use scale_decode::DecodeAsType;
use subxt::utils::AccountId32;

use crate::rows::{Map, RowKey};

macro_rules! events {
	($(
		$name:ident { $($field:ident: $type:ty),+ } => [$($row:ident($($part:expr),+)),+]
		$(names [$($account:ident),+])?,
	)*) => {
		/// An event of the pallet, with the fields that name rows. Fields are matched by their
		/// names.
		#[derive(Clone, Debug, PartialEq, Eq, DecodeAsType)]
		pub enum FabricEvent {
			$(
				#[doc = concat!("The event `", stringify!($name), "`.")]
				$name { $(
					#[doc = concat!("The field `", stringify!($field), "`.")]
					$field: $type,
				)+ },
			)*
		}

		// No function uses the fields of all events.
		#[allow(unused_variables)]
		impl FabricEvent {
			/// Returns the name of the event.
			pub const fn name(&self) -> &'static str {
				match self {
					$(Self::$name { .. } => stringify!($name),)*
				}
			}

			/// Returns the rows that the event may change, besides the members that they are under.
			fn rows(&self) -> Vec<RowKey> {
				match self.clone() {
					$(Self::$name { $($field),+ } => vec![$(RowKey::$row($($part),+)),+],)*
				}
			}

			/// Returns the accounts that the event names, besides those in keys of rows.
			fn accounts(&self) -> Vec<Option<AccountId32>> {
				match self.clone() {
					$(Self::$name { $($field),+ } => vec![$($($account.into()),+)?],)*
				}
			}
		}
	};
}

events! {
	SpaceCreated { space: SpaceId, governor: AccountId32 } => [Space(space)] names [governor],
	SpaceRulesSet { space: SpaceId } => [Space(space)],
	SpaceGovernorSet { space: SpaceId, governor: AccountId32 } => [Space(space)] names [governor],
	SpaceDeleted { space: SpaceId } => [Space(space)],
	Admitted { space: SpaceId, account: AccountId32, role: Role }
		=> [Space(space), Admission(space, (account, role))],
	AdmissionUsed { space: SpaceId, account: AccountId32, role: Role }
		=> [Space(space), Admission(space, (account, role))],
	AdmissionRevoked { space: SpaceId, account: AccountId32, role: Role }
		=> [Space(space), Admission(space, (account, role))],
	ProviderCreated { provider: ProviderId, space: SpaceId, root: AccountId32 }
		=> [Provider(provider), Space(space)] names [root],
	TenantCreated { tenant: TenantId, space: SpaceId, root: AccountId32 }
		=> [Tenant(tenant), Space(space)] names [root],
	BondToppedUp { member: MemberId } => [member(member)],
	MaxHeldSet { member: MemberId } => [member(member)],
	RootNominated { member: MemberId, nominee: Option<AccountId32> }
		=> [member(member)] names [nominee],
	RootSet { member: MemberId, root: AccountId32, previous: AccountId32 }
		=> [member(member)] names [root, previous],
	MemberEmptied { member: MemberId } => [member(member), Purge(member)],
	MemberDeleted { member: MemberId, space: SpaceId }
		=> [member(member), Purge(member), Space(space)],
	ProviderKeySet { provider: ProviderId, account: AccountId32 }
		=> [ProviderKey(provider, account)],
	TenantKeySet { tenant: TenantId, account: AccountId32 } => [TenantKey(tenant, account)],
	NodeCreated { provider: ProviderId, node: NodeId, operator: AccountId32 }
		=> [Node(provider, node)] names [operator],
	NodeConfirmed { provider: ProviderId, node: NodeId } => [Node(provider, node)],
	NodeLocatorSet { provider: ProviderId, node: NodeId } => [Node(provider, node)],
	NodeOperatorSet { provider: ProviderId, node: NodeId, operator: AccountId32 }
		=> [Node(provider, node)] names [operator],
	NodeRemoved { provider: ProviderId, node: NodeId } => [Node(provider, node)],
	KmsAdded { tenant: TenantId, kms: KmsId } => [Kms(tenant, kms)],
	KmsLocatorSet { tenant: TenantId, kms: KmsId } => [Kms(tenant, kms)],
	KmsRemoved { tenant: TenantId, kms: KmsId } => [Kms(tenant, kms)],
	ContentObjectCreated { tenant: TenantId, object: ContentObjectId }
		=> [ContentObject(tenant, object)],
	ContentObjectDeleted { tenant: TenantId, object: ContentObjectId }
		=> [ContentObject(tenant, object)],
	// The commit is noted in the row of the node.
	VersionCommitted {
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		originator: ProviderId,
		node: NodeId
	} => [
		ContentObject(tenant, object),
		Version(tenant, object, version),
		Node(originator, node)
	],
	VersionFinalized { tenant: TenantId, object: ContentObjectId, version: VersionId }
		=> [ContentObject(tenant, object), Version(tenant, object, version)],
	HeadVersionSet { tenant: TenantId, object: ContentObjectId, version: Option<VersionId> }
		=> [ContentObject(tenant, object)],
	VersionDeleted { tenant: TenantId, object: ContentObjectId, version: VersionId }
		=> [ContentObject(tenant, object), Version(tenant, object, version)],
	CollectionCreated { tenant: TenantId, collection: Text } => [Collection(tenant, collection)],
	CollectionDeleted { tenant: TenantId, collection: Text } => [Collection(tenant, collection)],
	RecordPut { tenant: TenantId, collection: Text, key: Text }
		=> [Collection(tenant, collection.clone()), Record(tenant, collection, key)],
	RecordDeleted { tenant: TenantId, collection: Text, key: Text }
		=> [Collection(tenant, collection.clone()), Record(tenant, collection, key)],
	Slashed { member: MemberId } => [member(member)],
	Suspended { member: MemberId } => [member(member)],
	GovernanceDeleteSet { member: MemberId } => [member(member)],
	GovernanceDeleted { member: MemberId } => [member(member)],
	PurgeStarted { member: MemberId } => [member(member), Purge(member)],
	PurgeProgressed { member: MemberId } => [member(member), Purge(member)],
	Purged { member: MemberId, space: SpaceId } => [member(member), Purge(member), Space(space)],
}

/// A subject of an event. History is found by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Topic {
	/// Decisions of governance.
	Governance,
	/// A space.
	Space(SpaceId),
	/// A provider or a tenant.
	Member(MemberId),
	/// A node, of any provider.
	Node(NodeId),
	/// A KMS, of any tenant.
	Kms(KmsId),
	/// A content object of a tenant.
	ContentObject(TenantId, ContentObjectId),
	/// An account that the event names.
	Account(AccountId32),
}

/// The rows and members that the events of a block touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
	/// The rows that may differ from the parent's.
	pub rows: BTreeSet<RowKey>,
	/// The members under which all rows ended, or that are new.
	pub ended: BTreeSet<MemberId>,
	/// The records that were put.
	pub put: BTreeSet<RowKey>,
}

impl Touched {
	/// Adds what an event touches.
	pub fn add(&mut self, event: &FabricEvent) {
		for row in event.rows() {
			if matches!(event, FabricEvent::RecordPut { .. }) && row.map() == Map::Records {
				self.put.insert(row.clone());
			}
			// The member counts the row.
			self.rows.extend(row.parent().map(RowKey::member));
			self.rows.insert(row);
		}
		self.ended.extend(match event {
			FabricEvent::ProviderCreated { provider, .. } => Some((*provider).into()),
			FabricEvent::TenantCreated { tenant, .. } => Some((*tenant).into()),
			FabricEvent::PurgeStarted { member }
			| FabricEvent::MemberDeleted { member, .. }
			| FabricEvent::Purged { member, .. } => Some(*member),
			_ => None,
		});
	}
}

impl FabricEvent {
	/// Returns what the event is about.
	pub fn topics(&self) -> BTreeSet<Topic> {
		let accounts = self.accounts().into_iter().flatten();
		let mut topics: BTreeSet<_> = accounts.map(Topic::Account).collect();
		for row in self.rows() {
			topics.extend(row.parent().or_else(|| row.as_member()).map(Topic::Member));
			topics.extend(match row {
				RowKey::Space(space) => Some(Topic::Space(space)),
				RowKey::Admission(_, (account, _))
				| RowKey::ProviderKey(_, account)
				| RowKey::TenantKey(_, account) => Some(Topic::Account(account)),
				RowKey::Node(_, node) => Some(Topic::Node(node)),
				RowKey::Kms(_, kms) => Some(Topic::Kms(kms)),
				RowKey::ContentObject(tenant, object) => Some(Topic::ContentObject(tenant, object)),
				_ => None,
			});
		}
		topics.extend(self.is_governance().then_some(Topic::Governance));
		topics
	}

	/// Returns whether the event reports a decision of governance, or how it is carried out.
	pub const fn is_governance(&self) -> bool {
		matches!(
			self,
			Self::Slashed { .. }
				| Self::Suspended { .. }
				| Self::GovernanceDeleteSet { .. }
				| Self::GovernanceDeleted { .. }
				| Self::PurgeStarted { .. }
				| Self::Purged { .. }
				| Self::MemberEmptied { .. }
				| Self::SpaceCreated { .. }
				| Self::SpaceRulesSet { .. }
				| Self::SpaceGovernorSet { .. }
				| Self::SpaceDeleted { .. }
		)
	}
}
