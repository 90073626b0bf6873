//! Providers and tenants, which have much in common.

use std::{fmt, str::FromStr};

use content_fabric_identifiers::{ProviderId, TenantId};
use subxt::dynamic::Value;

use crate::{
	chain::Snapshot,
	storage::{self, Level, Member},
	Error,
};

/// The id of a provider or a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberId {
	/// `iprv…`
	Provider(ProviderId),
	/// `iten…`
	Tenant(TenantId),
}

impl FromStr for MemberId {
	type Err = Error;

	fn from_str(text: &str) -> Result<Self, Error> {
		let id = |reason| Error::Id { text: text.into(), reason };
		match text {
			_ if text.starts_with(ProviderId::PREFIX) => {
				text.parse().map(Self::Provider).map_err(id)
			},
			_ if text.starts_with(TenantId::PREFIX) => text.parse().map(Self::Tenant).map_err(id),
			_ => {
				let prefixes = [ProviderId::PREFIX, TenantId::PREFIX].join(", ");
				Err(Error::IdKind { text: text.into(), prefixes })
			},
		}
	}
}

impl fmt::Display for MemberId {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Provider(provider) => provider.fmt(f),
			Self::Tenant(tenant) => tenant.fmt(f),
		}
	}
}

impl From<ProviderId> for MemberId {
	fn from(provider: ProviderId) -> Self {
		Self::Provider(provider)
	}
}

impl From<TenantId> for MemberId {
	fn from(tenant: TenantId) -> Self {
		Self::Tenant(tenant)
	}
}

impl MemberId {
	/// What it is the id of.
	pub fn kind(self) -> &'static str {
		match self {
			Self::Provider(_) => "provider",
			Self::Tenant(_) => "tenant",
		}
	}

	/// That accounts can be given the level in it.
	pub fn ensure_has(self, level: Level) -> Result<(), Error> {
		let (what, levels) = match self {
			Self::Provider(_) => ("a level of providers", &[Level::Node, Level::Admin][..]),
			Self::Tenant(_) => {
				("a level of tenants", &[Level::Content, Level::Kms, Level::Admin][..])
			},
		};
		if levels.contains(&level) {
			return Ok(());
		}
		let names: Vec<_> = levels.iter().map(Level::to_string).collect();
		let reason = format!("these are {}", names.join(", "));
		Err(Error::Text { text: level.to_string(), what, reason })
	}

	/// The pallet's `Subject`.
	pub fn subject(self) -> Value {
		match self {
			Self::Provider(id) => Value::unnamed_variant("Provider", [Value::from_bytes(id)]),
			Self::Tenant(id) => Value::unnamed_variant("Tenant", [Value::from_bytes(id)]),
		}
	}

	/// What the chain knows of it, if it exists.
	pub async fn find(self, at: &Snapshot) -> Result<Option<Member>, Error> {
		match self {
			Self::Provider(provider) => at.get(&storage::providers(), (provider.0,)).await,
			Self::Tenant(tenant) => at.get(&storage::tenants(), (tenant.0,)).await,
		}
	}

	/// What the chain knows of it. It must exist.
	pub async fn get(self, at: &Snapshot) -> Result<Member, Error> {
		let unknown = || Error::Unknown { kind: self.kind(), id: self.to_string() };
		self.find(at).await?.ok_or_else(unknown)
	}

	/// Number of the storage rows under it, and its own, in all maps.
	pub async fn count_rows(self, at: &Snapshot) -> Result<usize, Error> {
		let own = usize::from(self.find(at).await?.is_some());
		let under = match self {
			Self::Provider(ProviderId(id)) => {
				at.rows(&storage::provider_keys(), (id,)).await?.len()
					+ at.rows(&storage::nodes(), (id,)).await?.len()
			},
			Self::Tenant(TenantId(id)) => {
				at.rows(&storage::tenant_keys(), (id,)).await?.len()
					+ at.rows(&storage::kmses(), (id,)).await?.len()
					+ at.rows(&storage::content_objects(), (id,)).await?.len()
					+ at.rows(&storage::versions(), (id,)).await?.len()
					+ at.rows(&storage::collections(), (id,)).await?.len()
					+ at.rows(&storage::records(), (id,)).await?.len()
			},
		};
		Ok(own + under)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ids_of_members_are_told_by_their_prefix() {
		for text in ["iprv1111111111", "iten1111111111"] {
			let id: MemberId = text.parse().expect("it is an id");
			assert_eq!(id.to_string(), text);
		}
		for text in ["", "iten", "ispc1111111111", "iprv0"] {
			assert!(text.parse::<MemberId>().is_err(), "{text:?}");
		}
	}
}
