// SPDX-License-Identifier: Apache-2.0
//! The rows that an event touches.

use std::collections::BTreeSet;

use codec::{Decode, Encode};
use content_fabric_client::chain::FabricEvent as E;
use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, SpaceId, TenantId};
use content_fabric_primitives::MemberId;
use scale_info::TypeInfo;
use subxt::utils::AccountId32;

use crate::rows::{Map, RowKey};

/// A subject of an event. History is found by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, TypeInfo)]
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
	/// The account that signed the transaction.
	Signer(AccountId32),
}

/// The rows and members that the events of a block touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
	/// The rows that may differ from the parent's.
	pub rows: BTreeSet<RowKey>,
	/// The members under which all rows ended, or that are new.
	pub ended: BTreeSet<MemberId>,
	/// The records that were put, and the versions that a node was asked to hold.
	pub put: BTreeSet<RowKey>,
}

impl Touched {
	/// Adds what an event touches.
	pub fn add(&mut self, event: &E) {
		for row in rows(event) {
			let is_put = match event {
				E::RecordPut { .. } => row.map() == Map::Records,
				E::VersionCommitted { .. } | E::CopyAdded { .. } => row.map() == Map::Versions,
				_ => false,
			};
			if is_put {
				self.put.insert(row.clone());
			}
			// The member counts the row.
			self.rows.extend(row.parent().map(RowKey::member));
			self.rows.insert(row);
		}
		self.ended.extend(match event {
			E::ProviderCreated { provider, .. } => Some((*provider).into()),
			E::TenantCreated { tenant, .. } => Some((*tenant).into()),
			E::PurgeStarted { member, .. }
			| E::MemberDeleted { member, .. }
			| E::Purged { member, .. } => Some(*member),
			_ => None,
		});
	}
}

/// Returns the rows that an event may change, besides the members that they are under.
fn rows(event: &E) -> Vec<RowKey> {
	use RowKey as R;
	match event.clone() {
		E::SpaceCreated { space, .. }
		| E::SpaceRulesSet { space, .. }
		| E::SpaceGovernorSet { space, .. }
		| E::SpaceDeleted { space } => vec![R::Space(space)],
		E::Admitted { space, account, role }
		| E::AdmissionUsed { space, account, role }
		| E::AdmissionRevoked { space, account, role } => {
			vec![R::Space(space), R::Admission(space, (account, role))]
		},
		E::ProviderCreated { provider, space, .. } => vec![R::Provider(provider), R::Space(space)],
		E::TenantCreated { tenant, space, .. } => vec![R::Tenant(tenant), R::Space(space)],
		E::BondToppedUp { member, .. }
		| E::MaxHeldSet { member, .. }
		| E::RootNominated { member, .. }
		| E::RootSet { member, .. }
		| E::Slashed { member, .. }
		| E::Suspended { member, .. }
		| E::GovernanceDeleteSet { member, .. }
		| E::GovernanceDeleted { member, .. }
		| E::ChildDeletedByGovernance { member, .. } => vec![R::member(member)],
		E::MemberEmptied { member }
		| E::PurgeStarted { member, .. }
		| E::PurgeProgressed { member, .. } => vec![R::member(member), R::Purge(member)],
		E::MemberDeleted { member, space, .. } | E::Purged { member, space, .. } => {
			vec![R::member(member), R::Purge(member), R::Space(space)]
		},
		E::ProviderKeySet { provider, account, .. } => vec![R::ProviderKey(provider, account)],
		E::TenantKeySet { tenant, account, .. } => vec![R::TenantKey(tenant, account)],
		E::NodeCreated { provider, node, .. }
		| E::NodeConfirmed { provider, node }
		| E::NodeLocatorSet { provider, node }
		| E::NodeOperatorSet { provider, node, .. }
		| E::NodeRemoved { provider, node } => vec![R::Node(provider, node)],
		E::KmsAdded { tenant, kms, .. }
		| E::KmsSet { tenant, kms, .. }
		| E::KmsRemoved { tenant, kms } => vec![R::Kms(tenant, kms)],
		E::ContentObjectCreated { tenant, object }
		| E::ContentObjectDeleted { tenant, object }
		| E::HeadVersionSet { tenant, object, .. } => vec![R::ContentObject(tenant, object)],
		// The commit is noted in the row of the node.
		E::VersionCommitted { tenant, object, version, originator, node, .. } => vec![
			R::ContentObject(tenant, object),
			R::Version(tenant, object, version),
			R::Node(originator, node),
		],
		E::VersionFinalized { tenant, object, version, .. }
		| E::VersionDeleted { tenant, object, version } => {
			vec![R::ContentObject(tenant, object), R::Version(tenant, object, version)]
		},
		E::CopyAdded { tenant, object, version, provider, node }
		| E::CopyHeld { tenant, object, version, provider, node }
		| E::CopyRemoved { tenant, object, version, provider, node } => vec![
			R::ContentObject(tenant, object),
			R::Version(tenant, object, version),
			R::Node(provider, node),
		],
		E::CopiesAsked { tenant, copies, .. } => {
			let nodes = copies.into_iter().map(|(provider, node)| R::Node(provider, node));
			nodes.chain([R::Tenant(tenant)]).collect()
		},
		E::CollectionCreated { tenant, collection }
		| E::CollectionDeleted { tenant, collection } => vec![R::Collection(tenant, collection)],
		E::RecordPut { tenant, collection, key, .. }
		| E::RecordDeleted { tenant, collection, key } => {
			vec![R::Collection(tenant, collection.clone()), R::Record(tenant, collection, key)]
		},
	}
}

/// Returns the accounts that an event names, besides those in keys of rows.
fn accounts(event: &E) -> Vec<AccountId32> {
	match event {
		E::SpaceCreated { governor: account, .. }
		| E::SpaceGovernorSet { governor: account, .. }
		| E::ProviderCreated { root: account, .. }
		| E::TenantCreated { root: account, .. }
		| E::NodeCreated { operator: account, .. }
		| E::NodeOperatorSet { operator: account, .. }
		| E::KmsAdded { operator: account, .. } => vec![*account],
		E::RootNominated { nominee, .. } => nominee.iter().copied().collect(),
		E::RootSet { root, previous, .. } => vec![*root, *previous],
		_ => Vec::new(),
	}
}

/// Returns what an event is about.
pub fn topics(event: &E) -> BTreeSet<Topic> {
	let mut topics: BTreeSet<_> = accounts(event).into_iter().map(Topic::Account).collect();
	for row in rows(event) {
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
	topics.extend(is_governance(event).then_some(Topic::Governance));
	topics
}

/// Returns whether the event reports a decision of governance, or how it is carried out. Roots may
/// also nominate and purge, with the same events.
const fn is_governance(event: &E) -> bool {
	matches!(
		event,
		E::Slashed { .. }
			| E::Suspended { .. }
			| E::GovernanceDeleteSet { .. }
			| E::GovernanceDeleted { .. }
			| E::ChildDeletedByGovernance { .. }
			| E::PurgeStarted { .. }
			| E::Purged { .. }
			| E::MemberEmptied { .. }
			| E::RootNominated { .. }
			| E::Admitted { .. }
			| E::AdmissionRevoked { .. }
			| E::SpaceCreated { .. }
			| E::SpaceRulesSet { .. }
			| E::SpaceGovernorSet { .. }
			| E::SpaceDeleted { .. }
	)
}
