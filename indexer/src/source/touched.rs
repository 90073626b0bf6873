// SPDX-License-Identifier: Apache-2.0
//! The rows that an event touches.

use std::collections::{BTreeMap, BTreeSet};

use codec::{Decode, Encode};
use content_fabric_client::text::Text;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{MemberId, Role};
use scale_decode::DecodeAsType;
use subxt::utils::AccountId32;

use crate::rows::RowKey;

macro_rules! events {
	($($name:ident { $($field:ident: $type:ty),* },)*) => {
		/// An event of the pallet, with the fields that name rows. Fields are matched by their
		/// names.
		#[derive(Clone, Debug, PartialEq, Eq, DecodeAsType)]
		pub enum FabricEvent {
			$(
				#[doc = concat!("The event `", stringify!($name), "`.")]
				$name { $(
					#[doc = concat!("The field `", stringify!($field), "`.")]
					$field: $type,
				)* },
			)*
		}

		impl FabricEvent {
			/// Returns the name of the event.
			pub const fn name(&self) -> &'static str {
				match self {
					$(Self::$name { .. } => stringify!($name),)*
				}
			}
		}
	};
}

events! {
	SpaceCreated { space: SpaceId, governor: AccountId32 },
	SpaceRulesSet { space: SpaceId },
	SpaceGovernorSet { space: SpaceId, governor: AccountId32 },
	SpaceDeleted { space: SpaceId },
	Admitted { space: SpaceId, account: AccountId32, role: Role },
	AdmissionUsed { space: SpaceId, account: AccountId32, role: Role },
	AdmissionRevoked { space: SpaceId, account: AccountId32, role: Role },
	ProviderCreated { provider: ProviderId, space: SpaceId, root: AccountId32 },
	TenantCreated { tenant: TenantId, space: SpaceId, root: AccountId32 },
	BondToppedUp { member: MemberId },
	MaxHeldSet { member: MemberId },
	RootNominated { member: MemberId, nominee: Option<AccountId32> },
	RootSet { member: MemberId, root: AccountId32, previous: AccountId32 },
	MemberEmptied { member: MemberId },
	MemberDeleted { member: MemberId, space: SpaceId },
	ProviderKeySet { provider: ProviderId, account: AccountId32 },
	TenantKeySet { tenant: TenantId, account: AccountId32 },
	NodeCreated { provider: ProviderId, node: NodeId, operator: AccountId32 },
	NodeConfirmed { provider: ProviderId, node: NodeId },
	NodeLocatorSet { provider: ProviderId, node: NodeId },
	NodeOperatorSet { provider: ProviderId, node: NodeId, operator: AccountId32 },
	NodeRemoved { provider: ProviderId, node: NodeId },
	KmsAdded { tenant: TenantId, kms: KmsId },
	KmsLocatorSet { tenant: TenantId, kms: KmsId },
	KmsRemoved { tenant: TenantId, kms: KmsId },
	ContentObjectCreated { tenant: TenantId, object: ContentObjectId },
	ContentObjectDeleted { tenant: TenantId, object: ContentObjectId },
	VersionCommitted {
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		originator: ProviderId,
		node: NodeId
	},
	VersionFinalized { tenant: TenantId, object: ContentObjectId, version: VersionId },
	HeadVersionSet { tenant: TenantId, object: ContentObjectId, version: Option<VersionId> },
	VersionDeleted { tenant: TenantId, object: ContentObjectId, version: VersionId },
	CollectionCreated { tenant: TenantId, collection: Text },
	CollectionDeleted { tenant: TenantId, collection: Text },
	RecordPut { tenant: TenantId, collection: Text, key: Text },
	RecordDeleted { tenant: TenantId, collection: Text, key: Text },
	Slashed { member: MemberId },
	Suspended { member: MemberId },
	GovernanceDeleteSet { member: MemberId },
	GovernanceDeleted { member: MemberId },
	PurgeStarted { member: MemberId },
	PurgeProgressed { member: MemberId },
	Purged { member: MemberId, space: SpaceId },
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
	/// The rows that may differ from those of the parent.
	pub rows: BTreeSet<RowKey>,
	/// The members under which all rows ended, or that are new.
	pub ended: BTreeSet<MemberId>,
	/// The records that were put, with the place of the last event that put them.
	pub put: BTreeMap<RowKey, u32>,
}

impl Touched {
	/// Adds what an event touches.
	pub fn add(&mut self, index: u32, event: &FabricEvent) {
		use FabricEvent as E;
		match event {
			E::SpaceCreated { space, .. }
			| E::SpaceRulesSet { space }
			| E::SpaceGovernorSet { space, .. }
			| E::SpaceDeleted { space } => self.space(*space),
			E::Admitted { space, account, role }
			| E::AdmissionUsed { space, account, role }
			| E::AdmissionRevoked { space, account, role } => {
				self.rows.insert(RowKey::Admission(*space, (*account, *role)));
				self.space(*space);
			},
			E::ProviderCreated { provider, space, .. } => self.born(*provider, *space),
			E::TenantCreated { tenant, space, .. } => self.born(*tenant, *space),
			E::BondToppedUp { member }
			| E::MaxHeldSet { member }
			| E::RootNominated { member, .. }
			| E::RootSet { member, .. }
			| E::Slashed { member }
			| E::Suspended { member }
			| E::GovernanceDeleteSet { member }
			| E::GovernanceDeleted { member } => self.member(*member),
			E::MemberEmptied { member } | E::PurgeProgressed { member } => self.purge(*member),
			E::PurgeStarted { member } => {
				self.ended.insert(*member);
				self.purge(*member);
			},
			E::MemberDeleted { member, space } | E::Purged { member, space } => {
				self.ended.insert(*member);
				self.purge(*member);
				self.space(*space);
			},
			E::ProviderKeySet { provider, account } => {
				self.child(RowKey::ProviderKey(*provider, *account));
			},
			E::TenantKeySet { tenant, account } => self.child(RowKey::TenantKey(*tenant, *account)),
			E::NodeCreated { provider, node, .. }
			| E::NodeConfirmed { provider, node }
			| E::NodeLocatorSet { provider, node }
			| E::NodeOperatorSet { provider, node, .. }
			| E::NodeRemoved { provider, node } => self.child(RowKey::Node(*provider, *node)),
			E::KmsAdded { tenant, kms }
			| E::KmsLocatorSet { tenant, kms }
			| E::KmsRemoved { tenant, kms } => self.child(RowKey::Kms(*tenant, *kms)),
			E::ContentObjectCreated { tenant, object }
			| E::ContentObjectDeleted { tenant, object } => {
				self.child(RowKey::ContentObject(*tenant, *object));
			},
			E::VersionCommitted { tenant, object, version, originator, node } => {
				self.version(*tenant, *object, *version);
				// The commit is noted in the row of the node.
				self.child(RowKey::Node(*originator, *node));
			},
			E::VersionFinalized { tenant, object, version }
			| E::VersionDeleted { tenant, object, version } => {
				self.version(*tenant, *object, *version);
			},
			E::HeadVersionSet { tenant, object, .. } => {
				self.child(RowKey::ContentObject(*tenant, *object));
			},
			E::CollectionCreated { tenant, collection }
			| E::CollectionDeleted { tenant, collection } => {
				self.child(RowKey::Collection(*tenant, collection.clone()));
			},
			E::RecordPut { tenant, collection, key } => {
				let row = RowKey::Record(*tenant, collection.clone(), key.clone());
				self.put.insert(row, index);
				self.record(*tenant, collection, key);
			},
			E::RecordDeleted { tenant, collection, key } => {
				self.record(*tenant, collection, key);
			},
		}
	}

	fn space(&mut self, space: SpaceId) {
		self.rows.insert(RowKey::Space(space));
	}

	fn member(&mut self, member: MemberId) {
		self.rows.insert(RowKey::member(member));
	}

	fn born(&mut self, member: impl Into<MemberId>, space: SpaceId) {
		let member = member.into();
		self.ended.insert(member);
		self.member(member);
		self.space(space);
	}

	fn purge(&mut self, member: MemberId) {
		self.member(member);
		self.rows.insert(RowKey::Purge(member));
	}

	/// Adds a row under a member, which counts it.
	fn child(&mut self, row: RowKey) {
		self.rows.extend(row.parent().map(RowKey::member));
		self.rows.insert(row);
	}

	fn version(&mut self, tenant: TenantId, object: ContentObjectId, version: VersionId) {
		self.child(RowKey::ContentObject(tenant, object));
		self.rows.insert(RowKey::Version(tenant, object, version));
	}

	fn record(&mut self, tenant: TenantId, collection: &Text, key: &Text) {
		self.child(RowKey::Collection(tenant, collection.clone()));
		self.rows.insert(RowKey::Record(tenant, collection.clone(), key.clone()));
	}
}

impl FabricEvent {
	/// Returns what the event is about.
	pub fn topics(&self) -> BTreeSet<Topic> {
		let mut touched = Touched::default();
		touched.add(0, self);
		let mut topics = BTreeSet::new();
		for row in touched.rows {
			topics.extend(row.parent().or_else(|| row.as_member()).map(Topic::Member));
			match row {
				RowKey::Space(space) => drop(topics.insert(Topic::Space(space))),
				RowKey::Admission(_, (account, _))
				| RowKey::ProviderKey(_, account)
				| RowKey::TenantKey(_, account) => drop(topics.insert(Topic::Account(account))),
				RowKey::Node(_, node) => drop(topics.insert(Topic::Node(node))),
				RowKey::Kms(_, kms) => drop(topics.insert(Topic::Kms(kms))),
				RowKey::ContentObject(tenant, object) => {
					topics.insert(Topic::ContentObject(tenant, object));
				},
				_ => {},
			}
		}
		topics.extend(self.accounts().into_iter().flatten().map(Topic::Account));
		if self.is_governance() {
			topics.insert(Topic::Governance);
		}
		topics
	}

	/// Returns the accounts that the event names, besides those in keys of rows.
	fn accounts(&self) -> [Option<AccountId32>; 2] {
		match self {
			Self::SpaceCreated { governor: account, .. }
			| Self::SpaceGovernorSet { governor: account, .. }
			| Self::ProviderCreated { root: account, .. }
			| Self::TenantCreated { root: account, .. }
			| Self::NodeCreated { operator: account, .. }
			| Self::NodeOperatorSet { operator: account, .. } => [Some(*account), None],
			Self::RootNominated { nominee, .. } => [*nominee, None],
			Self::RootSet { root, previous, .. } => [Some(*root), Some(*previous)],
			_ => [None, None],
		}
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
