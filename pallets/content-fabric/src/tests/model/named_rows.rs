// SPDX-License-Identifier: Apache-2.0
//! The property that events name every changed row.

use std::collections::{BTreeMap, BTreeSet};

use codec::Encode;

use crate::{
	identifiers::{ContentObjectId, ProviderId, SpaceId, TenantId},
	mock::*,
	Event, MemberId, Role,
};

/// The changes that a block has written: the keys with their values, or `None` where they were
/// removed.
pub type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Rows that no event names: counters of the whole pallet, and the deletion queue.
const NOT_NAMED: [&str; 6] =
	["LastMuid", "LastTid", "Medallions", "Purges", "DeletionQueue", "DeletionQueueBounds"];

/// The maps with rows under a provider, and under a tenant.
const UNDER_PROVIDERS: [&str; 2] = ["ProviderKeys", "Nodes"];
const UNDER_TENANTS: [&str; 6] =
	["TenantKeys", "Kmses", "ContentObjects", "Versions", "Collections", "Records"];

/// Returns the keys of rows that have changed between two moments of a block and that the events in
/// between do not name.
pub fn unnamed_changes(
	chain: &Chain,
	before: &Changes,
	after: &Changes,
	events: &[Event<Test>],
) -> Vec<Vec<u8>> {
	let named = NamedRows::of(events);
	let exempt = NOT_NAMED.map(|map| raw_key(map, &[]));
	let has_changed = |key: &Vec<u8>, value: &Option<Vec<u8>>| match before.get(key) {
		Some(before) => before != value,
		None => chain.value_before(key) != *value,
	};
	after
		.iter()
		.filter(|(key, value)| has_changed(key, value))
		.map(|(key, _)| key)
		.filter(|key| !exempt.iter().any(|map| key.starts_with(map)))
		.filter(|key| !named.contains(key))
		.cloned()
		.collect()
}

/// The rows that events name, with their parents.
#[derive(Default)]
struct NamedRows {
	keys: BTreeSet<Vec<u8>>,
	/// Prefixes of rows that a purge has removed.
	prefixes: Vec<Vec<u8>>,
}

impl NamedRows {
	fn of(events: &[Event<Test>]) -> Self {
		let mut named = Self::default();
		events.iter().for_each(|event| named.add(event));
		named
	}

	fn contains(&self, key: &[u8]) -> bool {
		self.keys.contains(key) || self.prefixes.iter().any(|prefix| key.starts_with(prefix))
	}

	fn row(&mut self, map: &str, keys: &[&[u8]]) {
		self.keys.insert(raw_key(map, keys));
	}

	fn space(&mut self, space: &SpaceId) {
		self.row("Spaces", &[&space.0]);
	}

	fn admission(&mut self, space: &SpaceId, account: AccountId, role: Role) {
		self.row("Admissions", &[&space.0, &(account, role).encode()]);
		self.space(space);
	}

	fn member(&mut self, member: &MemberId) {
		match member {
			MemberId::Provider(id) => self.row("Providers", &[&id.0]),
			MemberId::Tenant(id) => self.row("Tenants", &[&id.0]),
		}
	}

	fn under_provider(&mut self, map: &str, provider: &ProviderId, key: &[u8]) {
		self.row(map, &[&provider.0, key]);
		self.member(&MemberId::Provider(*provider));
	}

	fn under_tenant(&mut self, map: &str, tenant: &TenantId, key: &[u8]) {
		self.row(map, &[&tenant.0, key]);
		self.member(&MemberId::Tenant(*tenant));
	}

	fn version(&mut self, tenant: &TenantId, object: &ContentObjectId, version: &[u8]) {
		self.row("Versions", &[&tenant.0, &object.0, version]);
		self.under_tenant("ContentObjects", tenant, &object.0);
	}

	fn add(&mut self, event: &Event<Test>) {
		match event {
			Event::SpaceCreated { space, .. }
			| Event::SpaceRulesSet { space, .. }
			| Event::SpaceGovernorSet { space, .. }
			| Event::SpaceDeleted { space } => self.space(space),
			Event::MemberDeleted { member, space, .. } | Event::Purged { member, space, .. } => {
				self.space(space);
				self.member(member);
			},
			Event::BondToppedUp { member, .. }
			| Event::MaxHeldSet { member, .. }
			| Event::RootNominated { member, .. }
			| Event::RootSet { member, .. }
			| Event::MemberEmptied { member }
			| Event::Slashed { member, .. }
			| Event::Suspended { member, .. }
			| Event::GovernanceDeleteSet { member, .. }
			| Event::GovernanceDeleted { member, .. }
			| Event::ChildDeletedByGovernance { member, .. }
			| Event::PurgeStarted { member, .. } => self.member(member),
			Event::Admitted { space, account, role }
			| Event::AdmissionUsed { space, account, role }
			| Event::AdmissionRevoked { space, account, role } => self.admission(space, *account, *role),
			Event::ProviderCreated { provider, space, .. } => {
				self.space(space);
				self.member(&MemberId::Provider(*provider));
			},
			Event::TenantCreated { tenant, space, .. } => {
				self.space(space);
				self.member(&MemberId::Tenant(*tenant));
			},
			Event::ProviderKeySet { provider, account, .. } => {
				self.under_provider("ProviderKeys", provider, &account.encode())
			},
			Event::TenantKeySet { tenant, account, .. } => {
				self.under_tenant("TenantKeys", tenant, &account.encode())
			},
			Event::NodeCreated { provider, node, .. }
			| Event::NodeConfirmed { provider, node }
			| Event::NodeLocatorSet { provider, node }
			| Event::NodeOperatorSet { provider, node, .. }
			| Event::NodeRemoved { provider, node } => self.under_provider("Nodes", provider, &node.0),
			Event::KmsAdded { tenant, kms, .. }
			| Event::KmsSet { tenant, kms, .. }
			| Event::KmsRemoved { tenant, kms } => self.under_tenant("Kmses", tenant, &kms.0),
			Event::ContentObjectCreated { tenant, object }
			| Event::ContentObjectDeleted { tenant, object }
			| Event::HeadVersionSet { tenant, object, .. } => {
				self.under_tenant("ContentObjects", tenant, &object.0)
			},
			Event::VersionCommitted { tenant, object, version, originator, node, .. } => {
				self.version(tenant, object, &version.0);
				self.under_provider("Nodes", originator, &node.0);
			},
			// The rows that it speaks of have events of their own.
			Event::CopiesAsked { .. } => {},
			Event::CopyAdded { tenant, object, version, .. }
			| Event::CopyHeld { tenant, object, version, .. }
			| Event::CopyRemoved { tenant, object, version, .. }
			| Event::VersionFinalized { tenant, object, version, .. }
			| Event::VersionDeleted { tenant, object, version } => self.version(tenant, object, &version.0),
			Event::CollectionCreated { tenant, collection }
			| Event::CollectionDeleted { tenant, collection } => {
				self.under_tenant("Collections", tenant, &collection.encode())
			},
			Event::RecordPut { tenant, collection, key, .. }
			| Event::RecordDeleted { tenant, collection, key } => {
				self.row("Records", &[&tenant.0, &collection.encode(), &key.encode()]);
				self.under_tenant("Collections", tenant, &collection.encode());
			},
			Event::PurgeProgressed { member, .. } => {
				self.member(member);
				let (maps, id): (&[&str], _) = match member {
					MemberId::Provider(id) => (&UNDER_PROVIDERS, id.0),
					MemberId::Tenant(id) => (&UNDER_TENANTS, id.0),
				};
				self.prefixes.extend(maps.iter().map(|map| raw_key(map, &[&id])));
			},
			Event::__Ignore(..) => {},
		}
	}
}
