// SPDX-License-Identifier: Apache-2.0
//! Spaces, and their members: providers and tenants, which have much in common.

use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::{AdmissionPolicy, MemberId, ProviderLevel, Role, TenantLevel};

use super::{
	calls::{CreateProvider, CreateTenant, EncodedCall},
	rows::{self, Member, Rules, Space},
	Error, Snapshot,
};
use crate::text::Text;

/// Returns the word for a role.
pub const fn role_name(role: Role) -> &'static str {
	match role {
		Role::Provider => "provider",
		Role::Tenant => "tenant",
	}
}

/// Returns the word for the kind of a member.
pub const fn kind(member: MemberId) -> &'static str {
	role_name(member.role())
}

/// Returns the word for a level in a provider.
pub const fn provider_level_name(level: ProviderLevel) -> &'static str {
	match level {
		ProviderLevel::Admin => "admin",
		ProviderLevel::Root => "root",
	}
}

/// Returns the word for a level in a tenant.
pub const fn tenant_level_name(level: TenantLevel) -> &'static str {
	match level {
		TenantLevel::Read => "read",
		TenantLevel::Content => "content",
		TenantLevel::Kms => "kms",
		TenantLevel::Admin => "admin",
		TenantLevel::Root => "root",
	}
}

/// Returns the word for a policy of admission.
pub const fn admission_name(policy: AdmissionPolicy) -> &'static str {
	match policy {
		AdmissionPolicy::Open => "open",
		AdmissionPolicy::Approval => "approval",
	}
}

/// Returns the rules of a space that any account may join.
pub fn open_rules(provider_bond: u128, tenant_bond: u128) -> Rules {
	let (admission, partitions, sla) = (AdmissionPolicy::Open, 1, Text::default());
	Rules { provider_bond, tenant_bond, admission, partitions, sla }
}

impl Snapshot {
	/// Returns the call that creates a member.
	pub fn create_member(
		&self,
		space: SpaceId,
		member: MemberId,
		max_held: u128,
	) -> Result<EncodedCall, Error> {
		match member {
			MemberId::Provider(id) => self.encode(CreateProvider { space, id, max_held }),
			MemberId::Tenant(id) => self.encode(CreateTenant { space, id, max_held }),
		}
	}

	/// Returns the row of a space, which must exist.
	pub async fn space(&self, space: SpaceId) -> Result<Space, Error> {
		let unknown = || Error::Unknown { kind: "space", id: space.to_string() };
		self.get(rows::spaces(), (space,)).await?.ok_or_else(unknown)
	}

	/// Returns the row of a member, if it exists.
	pub async fn find_member(&self, member: MemberId) -> Result<Option<Member>, Error> {
		match member {
			MemberId::Provider(provider) => self.get(rows::providers(), (provider,)).await,
			MemberId::Tenant(tenant) => self.get(rows::tenants(), (tenant,)).await,
		}
	}

	/// Returns the row of a member, which must exist.
	pub async fn member(&self, member: MemberId) -> Result<Member, Error> {
		let unknown = || Error::Unknown { kind: kind(member), id: member.to_string() };
		self.find_member(member).await?.ok_or_else(unknown)
	}

	/// Counts the rows under a member, and its own, map by map.
	pub async fn count_rows(&self, member: MemberId) -> Result<usize, Error> {
		let own = usize::from(self.find_member(member).await?.is_some());
		let under = match member {
			MemberId::Provider(id) => {
				self.rows(rows::provider_keys(), (id,)).await?.len()
					+ self.rows(rows::nodes(), (id,)).await?.len()
			},
			MemberId::Tenant(id) => {
				self.rows(rows::tenant_keys(), (id,)).await?.len()
					+ self.rows(rows::kmses(), (id,)).await?.len()
					+ self.rows(rows::content_objects(), (id,)).await?.len()
					+ self.rows(rows::versions(), (id,)).await?.len()
					+ self.rows(rows::collections(), (id,)).await?.len()
					+ self.rows(rows::records(), (id,)).await?.len()
			},
		};
		Ok(own + under)
	}
}
