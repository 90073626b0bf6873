// SPDX-License-Identifier: Apache-2.0
//! The command line of `fabric publish`.

use std::str::FromStr;

use clap::{builder::NonEmptyStringValueParser, Args};
use content_fabric_client::{
	amount::{AmountError, AmountText},
	ids::{self, IdError},
	keys::KeySource,
};
use content_fabric_identifiers::SpaceId;

use crate::{commands::WaitFor, input::Input};

/// Values for entities that do not exist yet.
const NODE_LOCATOR: &str = "/ip4/127.0.0.1/tcp/30333";
const BOND: &str = "1000000000000";
pub(super) const MAX_HELD: &str = "100000000000000000";

#[derive(Debug, Args)]
pub struct Options {
	/// The directory, or the manifest: a file of JSON lines; - is standard input
	pub input: Input,
	/// The name of the source of a directory, or of the items of a manifest that name none
	/// [default: the name of the directory, or of the file without .jsonl or .json]
	#[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
	pub source: Option<String>,
	/// Publish files and folders of a directory whose names begin with a dot, too
	#[arg(long)]
	pub hidden: bool,
	/// The space: a name, from which the id is derived, or ispc…
	#[arg(long, default_value = "cargo", value_name = "SPACE")]
	pub space: SpaceArgument,
	/// Replace releases whose content has changed, and records that lead to something else
	#[arg(long)]
	pub replace: bool,
	/// Do not ask before a space, a provider or a tenant is created
	#[arg(long, short)]
	pub yes: bool,
	/// Show what would be done, and sign nothing
	#[arg(long)]
	pub dry_run: bool,
	/// Wait at the end until all is in best blocks, which a fork can retract, or in finalized ones
	#[arg(long, value_enum, default_value_t = WaitFor::Finalized, value_name = "BLOCK")]
	pub wait: WaitFor,
	/// The keys that sign.
	#[command(flatten)]
	pub keys: Keys,
	/// Values for entities that do not exist yet.
	#[command(flatten)]
	pub create: Create,
}

/// The keys that sign.
#[derive(Debug, Args)]
#[command(next_help_heading = "Signing")]
pub struct Keys {
	/// The key for every role that has no key of its own: env:NAME, file:PATH, keystore:PATH, -
	/// for standard input, or a development key such as //Alice
	///
	/// [default: the profile's; on development chains //Bob for the provider, //Charlie for
	/// the tenant, //Alice for the governor]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	pub signer: Option<KeySource>,
	/// The key of the provider's root, which operates the node that takes in the content
	#[arg(long, value_name = "KEY")]
	pub provider: Option<KeySource>,
	/// The key of the root of the tenants, which signs commits and records
	#[arg(long, value_name = "KEY")]
	pub tenant: Option<KeySource>,
	/// Maximum number of seconds that a commit may be ahead of the clock of this machine [default:
	/// 60, except on development chains and with development keys]
	#[arg(long, value_name = "SECONDS")]
	pub max_ahead: Option<u64>,
	/// The key of the governor, which signs only if the space does not exist
	#[arg(long, value_name = "KEY")]
	pub governor: Option<KeySource>,
}

/// Values for entities that do not exist yet.
#[derive(Debug, Args)]
#[command(next_help_heading = "Created if missing")]
pub struct Create {
	/// The locator of the provider's node
	#[arg(long, default_value = NODE_LOCATOR, value_name = "LOCATOR")]
	pub node_locator: String,
	/// The bond that the space asks of a provider: '1.5 UNIT', or a whole number of the smallest
	/// unit
	#[arg(
		long,
		default_value = BOND,
		value_name = "AMOUNT",
		allow_hyphen_values = true
	)]
	pub provider_bond: AmountText,
	/// The bond that the space asks of a tenant
	#[arg(
		long,
		default_value = BOND,
		value_name = "AMOUNT",
		allow_hyphen_values = true
	)]
	pub tenant_bond: AmountText,
	/// The most that may be on hold for the provider, and for each tenant: bond and deposits
	/// together
	#[arg(
		long,
		default_value = MAX_HELD,
		value_name = "AMOUNT",
		allow_hyphen_values = true
	)]
	pub max_held: AmountText,
}

impl Create {
	/// Returns the values for a tenant, where provider and node exist.
	pub(super) fn of_tenant(max_held: AmountText) -> Result<Self, AmountError> {
		Ok(Self {
			node_locator: NODE_LOCATOR.into(),
			provider_bond: BOND.parse()?,
			tenant_bond: BOND.parse()?,
			max_held,
		})
	}
}

/// A space on the command line: its id, or the name that the id is derived from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceArgument {
	pub id: SpaceId,
	pub name: Option<String>,
}

impl FromStr for SpaceArgument {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		if text.starts_with(SpaceId::PREFIX) || text.is_empty() {
			return Ok(Self { id: ids::parse(text)?, name: None });
		}
		Ok(Self { id: ids::space(text), name: Some(text.to_owned()) })
	}
}

#[cfg(test)]
mod tests {
	use clap::Parser;

	use super::*;
	use crate::cli::Cli;

	#[test]
	fn an_amount_below_zero_is_refused_as_an_amount() {
		for option in ["--max-held", "--provider-bond", "--tenant-bond"] {
			let line = ["fabric", "publish", "site", option, "-5"];
			let error = Cli::try_parse_from(line).expect_err("it is below zero").to_string();
			assert!(error.contains("`-5` is not an amount: "), "{error}");
		}
	}

	#[test]
	fn a_space_is_named_or_given_by_its_id() {
		let named: SpaceArgument = "cargo".parse().expect("it is a name");
		assert_eq!((named.id, named.name.as_deref()), (ids::space("cargo"), Some("cargo")));
		let given: SpaceArgument = named.id.to_string().parse().expect("it is an id");
		assert_eq!((given.id, given.name), (named.id, None));
		assert!("ispc0".parse::<SpaceArgument>().is_err());
		assert!("".parse::<SpaceArgument>().is_err());
	}
}
