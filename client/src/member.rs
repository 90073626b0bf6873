//! Providers and tenants, which have much in common.

use clap::{
	builder::{PossibleValuesParser, TypedValueParser},
	Args,
};
use content_fabric_identifiers::{ProviderId, TenantId};
use content_fabric_primitives::ParseMemberIdError;
pub use content_fabric_primitives::{MemberId, Role};

use crate::{
	chain::{Account, Chain, Snapshot},
	ids,
	output::Amount,
	storage::{self, Level, Member},
	Error,
};

/// The arguments of a command that the root of a member signs.
#[derive(Debug, Args)]
pub struct ByRoot {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
	/// The key of the root account, which signs: a secret phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

impl ByRoot {
	/// Reads id and key, and then connects to the chain.
	pub async fn connect(&self, url: &str) -> Result<(MemberId, Account, Chain), Error> {
		let member = parse(&self.id)?;
		let signer = self.signer.parse()?;
		Ok((member, signer, Chain::connect(url).await?))
	}
}

/// Reads the id of a provider or a tenant.
pub fn parse(text: &str) -> Result<MemberId, Error> {
	text.parse().map_err(|error| match error {
		ParseMemberIdError::Prefix => {
			let needed = [ProviderId::PREFIX, TenantId::PREFIX];
			let unknown = || Error::IdKind { text: text.into(), prefixes: needed.join(", ") };
			ids::other_kind(text, &needed).unwrap_or_else(unknown)
		},
		ParseMemberIdError::Id(reason) => Error::Id { text: text.into(), reason },
	})
}

/// Returns the word for a role.
pub const fn role_name(role: Role) -> &'static str {
	match role {
		Role::Provider => "provider",
		Role::Tenant => "tenant",
	}
}

/// Returns what reads a role from the command line.
pub fn role_parser() -> impl TypedValueParser<Value = Role> {
	let names = [Role::Provider, Role::Tenant].map(role_name);
	PossibleValuesParser::new(names).map(|name| match name == role_name(Role::Provider) {
		true => Role::Provider,
		false => Role::Tenant,
	})
}

/// Returns the word for what an id names.
pub const fn kind(member: MemberId) -> &'static str {
	role_name(member.role())
}

/// Checks that an access key in the member can have the level.
pub fn ensure_grantable(member: MemberId, level: Level) -> Result<(), Error> {
	let (what, levels) = match member.role() {
		Role::Provider => ("a level of providers", &[Level::Admin][..]),
		Role::Tenant => ("a level of tenants", &[Level::Content, Level::Kms, Level::Admin][..]),
	};
	if levels.contains(&level) {
		return Ok(());
	}
	let names: Vec<_> = levels.iter().map(Level::to_string).collect();
	let reason = format!("expected {}", names.join(", "));
	Err(Error::Text { text: level.to_string(), what, reason })
}

/// Returns the row of a member, if it exists.
pub async fn find(member: MemberId, at: &Snapshot) -> Result<Option<Member>, Error> {
	match member {
		MemberId::Provider(provider) => at.get(&storage::providers(), (provider.0,)).await,
		MemberId::Tenant(tenant) => at.get(&storage::tenants(), (tenant.0,)).await,
	}
}

/// Returns the row of a member, which must exist.
pub async fn get(member: MemberId, at: &Snapshot) -> Result<Member, Error> {
	let unknown = || Error::Unknown { kind: kind(member), id: member.to_string() };
	find(member, at).await?.ok_or_else(unknown)
}

/// Adds to the chain's refusal of a limit how much is on hold for the member.
pub async fn explain_limit(error: Error, member: MemberId, chain: &Chain) -> Error {
	if !error.is_fabric("HeldLimitExceeded") {
		return error;
	}
	let info = async { get(member, &chain.best().await?).await };
	match info.await {
		Ok(info) => error.with_hint(format!("{} is on hold for {member}", Amount(info.held()))),
		// The refusal matters more than a failure to explain it.
		Err(_) => error,
	}
}

/// Counts the rows under a member, and its own, map by map.
pub async fn count_rows(member: MemberId, at: &Snapshot) -> Result<usize, Error> {
	let own = usize::from(find(member, at).await?.is_some());
	let under = match member {
		MemberId::Provider(ProviderId(id)) => {
			at.rows(&storage::provider_keys(), (id,)).await?.len()
				+ at.rows(&storage::nodes(), (id,)).await?.len()
		},
		MemberId::Tenant(TenantId(id)) => {
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

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ids_of_members_are_recognized_by_their_prefix() {
		for text in ["iprv1111111111", "iten1111111111"] {
			assert_eq!(parse(text).expect("the id is valid").to_string(), text);
		}
		for text in ["", "iten", "space", "iprv0"] {
			let error = parse(text).expect_err("the id is invalid").to_string();
			assert!(error.contains("is not an id: "), "{text:?}: {error}");
		}
		let error = parse("ispc1111111111").expect_err("a space is no member").to_string();
		assert_eq!(
			error,
			"`ispc1111111111` is the id of a space: a provider or a tenant is needed (iprv…, iten…)"
		);
	}

	#[test]
	fn each_role_has_its_levels() {
		let provider = MemberId::from(ProviderId([1; 10]));
		let tenant = MemberId::from(TenantId([1; 10]));
		for (member, level, grantable) in [
			(provider, Level::Admin, true),
			(provider, Level::Content, false),
			(provider, Level::Kms, false),
			(provider, Level::Root, false),
			(tenant, Level::Content, true),
			(tenant, Level::Kms, true),
			(tenant, Level::Admin, true),
			(tenant, Level::Root, false),
		] {
			assert_eq!(ensure_grantable(member, level).is_ok(), grantable, "{member} {level}");
		}
	}
}
