// SPDX-License-Identifier: Apache-2.0
//! `fabric key`: grants and revokes access keys, the levels of accounts in a provider or a tenant.

use clap::{Args, Subcommand, ValueEnum};
use content_fabric_identifiers::{ProviderId, TenantId};
use content_fabric_primitives::{MemberId, ProviderLevel, TenantLevel};
use subxt::utils::AccountId32;

use super::{Action, Authority, Context, Setting, Submit, View};
use crate::{
	chain::{self, calls, provider_level_name, rows, tenant_level_name, Snapshot},
	ids, Error,
};

/// The commands of access keys.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Give an account a level in a provider or a tenant, or change its level
	#[command(after_long_help = "\
Examples:
  fabric key grant iprv… 5Grw… admin
  fabric key grant iten… 5F3s… content --signer keystore:docs.json

Levels of a provider: admin (manages the nodes).
Levels of a tenant: content (manages content), kms (the account of a KMS; also manages content), \
admin (manages KMSes, collections and access keys).
The signer's level must be above both the current and the new level of the account.")]
	Grant(Submit<Grant>),
	/// Revoke the level of an account in a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric key revoke iten… 5F3s…")]
	Revoke(Submit<Revoke>),
}

/// `fabric key grant`
#[derive(Debug, Args)]
pub struct Grant {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The account
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
	/// The level
	level: Level,
}

/// `fabric key revoke`
#[derive(Debug, Args)]
pub struct Revoke {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The account
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
}

/// A level of an account in a provider or a tenant, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Level {
	/// Manages the content of a tenant
	Content,
	/// Is the account of a KMS of a tenant, and also manages content
	Kms,
	/// Manages the nodes of a provider, or the KMSes, collections and access keys of a tenant
	Admin,
}

impl From<Level> for TenantLevel {
	fn from(level: Level) -> Self {
		match level {
			Level::Content => Self::Content,
			Level::Kms => Self::Kms,
			Level::Admin => Self::Admin,
		}
	}
}

/// The access key that an account is to have in a member. `None` revokes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
	Provider(ProviderId, Option<ProviderLevel>),
	Tenant(TenantId, Option<TenantLevel>),
}

impl Wanted {
	/// Returns an access key with a level, which must be one of the member's kind.
	fn granted(member: MemberId, level: Level) -> Result<Self, Error> {
		match (member, level) {
			(MemberId::Provider(id), Level::Admin) => {
				Ok(Self::Provider(id, Some(ProviderLevel::Admin)))
			},
			(MemberId::Provider(_), level) => Err(Error::Text {
				text: tenant_level_name(level.into()).into(),
				what: "a level of providers",
				reason: "expected admin".into(),
			}),
			(MemberId::Tenant(id), level) => Ok(Self::Tenant(id, Some(level.into()))),
		}
	}

	const fn revoked(member: MemberId) -> Self {
		match member {
			MemberId::Provider(id) => Self::Provider(id, None),
			MemberId::Tenant(id) => Self::Tenant(id, None),
		}
	}

	/// Returns the action. It asks, as the present level is what a node says.
	fn action(self, at: &View, account: AccountId32, summary: String) -> Result<Action, Error> {
		match self {
			Self::Provider(id, level) => {
				let call = calls::SetProviderKey { id, account, level };
				at.destructive(Authority::Provider, call, summary)
			},
			Self::Tenant(id, level) => {
				let call = calls::SetTenantKey { id, account, level };
				at.destructive(Authority::Tenant, call, summary)
			},
		}
	}
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Grant(command) => command.run(context, Grant::prepare).await,
		Command::Revoke(command) => command.run(context, Revoke::prepare).await,
	}
}

impl Grant {
	async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { member, account, level } = self;
		let wanted = Wanted::granted(member, level)?;
		let level = tenant_level_name(level.into());
		let at = setting.view().await?;
		at.member(member).await?;
		let summary = match present(&at, member, account).await? {
			Some(present) => {
				format!("change the level of {account} in {member} from {present} to {level}")
			},
			None => format!("give {account} the level {level} in {member}"),
		};
		wanted.action(&at, account, summary)
	}
}

impl Revoke {
	async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { member, account } = self;
		let at = setting.view().await?;
		at.member(member).await?;
		let unknown = || chain::Error::Unknown {
			kind: "access key",
			id: format!("of {account} in {member}"),
		};
		let level = present(&at, member, account).await?.ok_or_else(unknown)?;
		let summary = format!("revoke the level {level} of {account} in {member}");
		Wanted::revoked(member).action(&at, account, summary)
	}
}

/// Returns the word for the level of the access key that an account has in a member.
async fn present(
	at: &Snapshot,
	member: MemberId,
	account: AccountId32,
) -> Result<Option<&'static str>, Error> {
	match member {
		MemberId::Provider(id) => {
			let key = at.get(&rows::provider_keys(), (id, account)).await?;
			Ok(key.map(|key| provider_level_name(key.level)))
		},
		MemberId::Tenant(id) => {
			let key = at.get(&rows::tenant_keys(), (id, account)).await?;
			Ok(key.map(|key| tenant_level_name(key.level)))
		},
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::class::Class;

	const PROVIDER: ProviderId = ProviderId([1; 10]);
	const TENANT: TenantId = TenantId([1; 10]);

	#[test]
	fn each_kind_of_member_has_its_levels() {
		for (level, of_provider, of_tenant) in [
			(Level::Content, None, Some(TenantLevel::Content)),
			(Level::Kms, None, Some(TenantLevel::Kms)),
			(Level::Admin, Some(ProviderLevel::Admin), Some(TenantLevel::Admin)),
		] {
			let provider = Wanted::granted(PROVIDER.into(), level).ok();
			assert_eq!(provider, of_provider.map(|level| Wanted::Provider(PROVIDER, Some(level))));
			let tenant = Wanted::granted(TENANT.into(), level).ok();
			assert_eq!(tenant, of_tenant.map(|level| Wanted::Tenant(TENANT, Some(level))));
		}
	}

	#[test]
	fn a_level_of_the_other_kind_is_a_usage_error_that_names_the_levels() {
		let error =
			Wanted::granted(PROVIDER.into(), Level::Content).expect_err("it has no content");
		assert_eq!(error.class(), Class::Usage);
		assert_eq!(error.to_string(), "`content` is not a level of providers: expected admin");
	}

	#[test]
	fn root_is_not_a_level_on_the_command_line() {
		let names: Vec<_> = Level::value_variants()
			.iter()
			.filter_map(|level| level.to_possible_value())
			.map(|value| value.get_name().to_owned())
			.collect();
		assert_eq!(names, ["content", "kms", "admin"]);
	}
}
