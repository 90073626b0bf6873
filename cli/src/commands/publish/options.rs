// SPDX-License-Identifier: Apache-2.0
//! The command lines of `fabric publish` and `fabric put`.

use std::{ffi::OsString, str::FromStr};

use clap::{builder::NonEmptyStringValueParser, Args};
use content_fabric_client::{
	amount::{AmountError, AmountText, Units},
	chain::Snapshot,
	ids::{self, AnyId, IdError},
	keys::KeySource,
	publish,
};
use content_fabric_identifiers::{NodeId, ProviderId, SpaceId};
use subxt_signer::ExposeSecret;

use crate::{
	commands::{locator::Locator, Context, WaitFor},
	input::Input,
	node_name::NodeName,
	Error,
};

#[derive(Debug, Args)]
pub struct Options {
	/// The directory, or the manifest: a file of JSON lines; - is standard input
	pub input: Input,
	/// The space: a name, from which the id is derived, or ispc…
	#[arg(long, default_value = "cargo", value_name = "SPACE")]
	pub space: SpaceArgument,
	/// The node that commits the versions, inod…, for a key of its operator, or of an admin of its
	/// provider [default: a node of the provider that is named after the key for the provider]
	#[arg(long, value_name = "ID", value_parser = ids::parse::<NodeId>)]
	pub node: Option<NodeId>,
	#[command(flatten)]
	pub shared: Shared,
	/// The keys that sign.
	#[command(flatten)]
	pub keys: Keys,
	/// Values for entities that do not exist yet.
	#[command(flatten)]
	pub create: Create,
}

/// The options of both commands.
#[derive(Debug, Args)]
pub struct Shared {
	/// The name of the source, which becomes a tenant: of a directory, of a single file, or of the
	/// items of a manifest that name none [default: the name of the directory or of the file's
	/// folder, or of the manifest without .jsonl or .json]
	#[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
	pub source: Option<String>,
	/// Publish files and folders of a directory whose names begin with a dot, too
	#[arg(long)]
	pub hidden: bool,
	/// Another node that is asked to hold the content: inod…, or iprv…/inod…, or several separated by
	/// commas. May be given several times. They get it from the node that takes it in. With `none`, no
	/// node is asked [default: the profile's `copies`]
	#[arg(long, value_name = "NODE,…", value_delimiter = ',', value_parser = parse_copy)]
	pub copies: Option<Vec<CopyArgument>>,
	/// Arguments after the path, for which the error of the parser is misleading.
	#[arg(hide = true)]
	more: Vec<OsString>,
	/// Replace releases whose content has changed, and records that lead to something else
	#[arg(long)]
	pub replace: bool,
	/// Do not ask before a space, a provider or a tenant is created, or something is removed
	#[arg(long, short)]
	pub yes: bool,
	/// Show what would be done, and sign nothing
	#[arg(long)]
	pub dry_run: bool,
	/// Wait at the end until all is in best blocks, which a fork can retract, or in finalized ones
	#[arg(long, value_enum, default_value_t = WaitFor::Finalized, value_name = "BLOCK")]
	pub wait: WaitFor,
	/// Maximum number of seconds that a commit may be ahead of the clock of this machine [default:
	/// 60, except on development chains and with development keys]
	#[arg(long, value_name = "SECONDS", help_heading = "Signing")]
	pub max_ahead: Option<u64>,
	/// The most that may be on hold for each member that does not exist yet, bond and deposits
	/// together: '1.5 UNIT', or a whole number of the smallest unit [default: '100,000 UNIT' where a
	/// unit has 12 decimals]
	#[arg(
		long,
		value_name = "AMOUNT",
		allow_hyphen_values = true,
		help_heading = "Created if missing"
	)]
	pub max_held: Option<AmountText>,
}

/// A node that is asked for copies. `None` means that no node is asked.
pub type CopyArgument = Option<NodeName>;

fn parse_copy(text: &str) -> Result<CopyArgument, IdError> {
	if text == "none" {
		Ok(None)
	} else {
		text.parse().map(Some)
	}
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
	/// The key for the provider: its root's, an admin's, or with --node the node's operator's
	#[arg(long, value_name = "KEY")]
	pub provider: Option<KeySource>,
	/// The key for the tenants, which signs commits and records: their root's, or one with the level
	/// content or above. It becomes the root of those that are created
	#[arg(long, value_name = "KEY")]
	pub tenant: Option<KeySource>,
	/// The key of the governor, which signs only if the space does not exist
	#[arg(long, value_name = "KEY")]
	pub governor: Option<KeySource>,
}

impl Keys {
	/// Refuses ids of members in the place of their keys.
	pub fn ensure_no_ids(&self) -> Result<(), Error> {
		for (option, key) in [("--provider", &self.provider), ("--tenant", &self.tenant)] {
			let Some(KeySource::Phrase(text)) = key else { continue };
			if let Ok(id) = ids::parse_member(text.expose_secret()) {
				return Err(Error::Usage(format!(
					"{option} takes a key, and {id} is an id: --source is the name from which the id of \
					 a tenant is derived, and --node names a node of the provider"
				)));
			}
		}
		Ok(())
	}
}

/// Values for a space and a provider that do not exist yet.
#[derive(Debug, Args)]
#[command(next_help_heading = "Created if missing")]
pub struct Create {
	/// The locator of the provider's node
	#[arg(long, default_value = publish::Options::NODE_LOCATOR, value_name = "LOCATOR")]
	pub node_locator: Locator,
	/// The bond that the space asks of a provider: '1.5 UNIT', or a whole number of the smallest
	/// unit [default: '1 UNIT' where a unit has 12 decimals]
	#[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
	pub provider_bond: Option<AmountText>,
	/// The bond that the space asks of a tenant [default: '1 UNIT' where a unit has 12 decimals]
	#[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
	pub tenant_bond: Option<AmountText>,
}

impl Shared {
	/// Returns the settings of the library, for a space.
	pub fn of(
		&self,
		space: SpaceId,
		context: &Context,
		units: &Units,
	) -> Result<publish::Options, AmountError> {
		let mut options = publish::Options::new(space);
		options.replace = self.replace;
		options.finalized = self.wait == WaitFor::Finalized;
		options.patience = context.timeout();
		options.max_ahead = self.max_ahead;
		set(&mut options.max_held, &self.max_held, units)?;
		Ok(options)
	}
}

impl Shared {
	/// Refuses more than one path, such as further nodes after `--copies`.
	pub fn ensure_one_path(&self) -> Result<(), Error> {
		if self.more.is_empty() {
			return Ok(());
		}
		let given = self.more.len() + 1;
		let hint = match self.copies {
			Some(_) => "; separate the nodes of --copies by commas, or repeat the option",
			None => "",
		};
		Err(Error::Usage(format!("the command takes one path, and {given} are given{hint}")))
	}

	/// Returns the nodes that are asked to hold what `own` takes in: the ones of the command line,
	/// or else the others of the profile.
	pub async fn copies(
		&self,
		at: &Snapshot,
		context: &Context,
		own: (ProviderId, NodeId),
	) -> Result<Vec<(ProviderId, NodeId)>, Error> {
		let Some(given) = &self.copies else {
			let mut others = NodeName::find(context.profile_copies(), at).await?;
			others.retain(|node| *node != own);
			return Ok(others);
		};
		let names: Vec<_> = given.iter().copied().flatten().collect();
		if !names.is_empty() && names.len() < given.len() {
			return Err(Error::Usage("--copies: `none` stands alone".into()));
		}
		NodeName::find(&names, at).await
	}
}

impl Create {
	/// Adds the values to settings.
	pub fn add_to(&self, options: &mut publish::Options, units: &Units) -> Result<(), AmountError> {
		options.node_locator = self.node_locator.to_string();
		set(&mut options.provider_bond, &self.provider_bond, units)?;
		set(&mut options.tenant_bond, &self.tenant_bond, units)
	}
}

/// Sets an amount, if one is given.
fn set(amount: &mut u128, given: &Option<AmountText>, units: &Units) -> Result<(), AmountError> {
	if let Some(given) = given {
		*amount = given.resolve(units)?;
	}
	Ok(())
}

/// A space on the command line: its id, or the name that the id is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceArgument(pub SpaceId);

impl FromStr for SpaceArgument {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		// The id of something else is not the name of a space.
		let is_id = text.parse::<AnyId>().is_ok() && !ids::names_version(text);
		if text.starts_with(SpaceId::PREFIX) || text.is_empty() || is_id {
			return Ok(Self(ids::parse(text)?));
		}
		Ok(Self(ids::space(text)))
	}
}

#[cfg(test)]
mod tests {
	use clap::{CommandFactory, Parser};

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
	fn help_shows_the_default_amounts_in_units() {
		let units = Units::new(12, "UNIT");
		let help = Cli::command().find_subcommand_mut("publish").map(|publish| {
			let help = publish.render_long_help().to_string();
			help.split_whitespace().collect::<Vec<_>>().join(" ")
		});
		let help = help.expect("there is such a command");
		for amount in [publish::Options::MAX_HELD, publish::Options::BOND] {
			let shown =
				format!("[default: '{}' where a unit has 12 decimals]", units.amount(amount));
			assert!(help.contains(&shown), "{shown}: {help}");
		}
		assert!(!help.contains("00000000"), "{help}");
	}

	#[test]
	fn a_space_is_named_or_given_by_its_id() {
		let named: SpaceArgument = "cargo".parse().expect("it is a name");
		assert_eq!(named.0, ids::space("cargo"));
		assert_eq!(named.0.to_string().parse(), Ok(named));
		assert!("ispc0".parse::<SpaceArgument>().is_err());
		assert!("".parse::<SpaceArgument>().is_err());
		let tenant = content_fabric_identifiers::TenantId([1; 10]).to_string();
		let error = tenant.parse::<SpaceArgument>().expect_err("it is another id").to_string();
		assert!(error.contains("is the id of a tenant, expected "), "{error}");
		assert!("iten".parse::<SpaceArgument>().is_ok(), "it is a name");
	}
}
