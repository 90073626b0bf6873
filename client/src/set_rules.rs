//! `fabric set-rules`: gives a space new rules.

use std::io::{self, Write};

use clap::{ArgGroup, Args};
use content_fabric_identifiers::SpaceId;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	governance, ids,
	output::{amount, Amount, Report},
	storage::{self, Admission},
	text_limits::TextLimit,
	Error,
};

/// The arguments of `fabric set-rules`: at least one rule.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("rules").required(true).multiple(true))]
pub struct Options {
	/// The id of the space, ispc….
	pub space: String,
	/// The bond that a provider needs, in the smallest unit of the chain's currency.
	#[arg(long, group = "rules", value_parser = amount, value_name = "N")]
	pub provider_bond: Option<u128>,
	/// The bond that a tenant needs, in the smallest unit of the chain's currency.
	#[arg(long, group = "rules", value_parser = amount, value_name = "N")]
	pub tenant_bond: Option<u128>,
	/// The accounts that may become a provider or a tenant.
	#[arg(long, group = "rules")]
	pub admission: Option<Admission>,
	/// Number of partitions of the space's content.
	#[arg(long, group = "rules", value_name = "N")]
	pub partitions: Option<u32>,
	/// The service level that providers agree to, or a link to it.
	#[arg(long, group = "rules", value_name = "TEXT")]
	pub sla: Option<String>,
	/// The key of the space's governor, which signs: a secret phrase, or a derivation such as
	/// //Alice.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
}

/// The rules of a space.
#[derive(Clone, Debug, Serialize)]
pub struct Rules {
	/// The bond that a provider needs.
	pub provider_bond: Amount,
	/// The bond that a tenant needs.
	pub tenant_bond: Amount,
	/// The accounts that may become a provider or a tenant.
	pub admission: Admission,
	/// Number of partitions of the space's content.
	pub partitions: u32,
	/// The service level that providers agree to.
	pub sla: String,
}

impl From<&storage::Rules> for Rules {
	fn from(rules: &storage::Rules) -> Self {
		Self {
			provider_bond: Amount(rules.provider_bond),
			tenant_bond: Amount(rules.tenant_bond),
			admission: rules.admission,
			partitions: rules.partitions,
			sla: String::from_utf8_lossy(&rules.sla).into_owned(),
		}
	}
}

/// A space and its rules.
#[derive(Clone, Debug, Serialize)]
pub struct RulesSet {
	/// The id of the space.
	pub space: String,
	/// Its new rules.
	#[serde(flatten)]
	pub rules: Rules,
}

impl Report for RulesSet {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Rules { provider_bond, tenant_bond, admission, partitions, sla } = &self.rules;
		writeln!(out, "space {} has new rules", self.space)?;
		writeln!(out, "  bond of a provider {provider_bond}")?;
		writeln!(out, "  bond of a tenant   {tenant_bond}")?;
		writeln!(out, "  admission          {admission}")?;
		writeln!(out, "  partitions         {partitions}")?;
		writeln!(out, "  service level      {}", if sla.is_empty() { "none" } else { sla.as_str() })
	}
}

/// Sets the rules that are named, and keeps the others.
pub async fn run(options: Options, url: &str) -> Result<RulesSet, Error> {
	let space: SpaceId = ids::parse(&options.space)?;
	let governor: Account = options.governor.parse()?;
	let chain = Chain::connect(url).await?;
	let at = chain.best().await?;
	if let Some(sla) = &options.sla {
		TextLimit::Sla.ensure(&at, "--sla", sla)?;
	}
	let present = at.get(&storage::spaces(), (space.0,)).await?;
	let unknown = || Error::Unknown { kind: "space", id: space.to_string() };
	let present = present.ok_or_else(unknown)?.rules;
	let rules = storage::Rules {
		provider_bond: options.provider_bond.unwrap_or(present.provider_bond),
		tenant_bond: options.tenant_bond.unwrap_or(present.tenant_bond),
		admission: options.admission.unwrap_or(present.admission),
		partitions: options.partitions.unwrap_or(present.partitions),
		sla: options.sla.map_or(present.sla, String::into_bytes),
	};
	let call = calls::set_space_rules(space, &rules);
	governance::submit(&chain, &governor, space, call).await?;
	Ok(RulesSet { space: space.to_string(), rules: (&rules).into() })
}
