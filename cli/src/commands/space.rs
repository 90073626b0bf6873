// SPDX-License-Identifier: Apache-2.0
//! `fabric space`: creates, changes and deletes spaces, and admits accounts to them.

use clap::{
	builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
	Args, Subcommand,
};
use content_fabric_client::{
	amount::{AmountText, Units},
	chain::{admission_name, calls, open_rules, role_name, rows, TextLimit},
	ids::{self, Address},
	text::{count, printable, Text},
};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::{AdmissionPolicy, Role};
use subxt::utils::AccountId32;

use super::{address::account_of, Action, Authority, Context, Setting, Submit, View};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a space
	#[command(after_long_help = "\
Examples:
  fabric space create --name docs --governor 5Grw… --provider-bond '100 UNIT' --tenant-bond '1 UNIT'
  fabric space create --name docs --governor 5Grw… --council propose --signer env:MEMBER_KEY

Root or the council creates spaces. On a development chain the sudo key does it.")]
	Create(Submit<Create>),
	/// Change rules of a space. Rules that are not given keep their values
	#[command(after_long_help = "\
Examples:
  fabric space set-rules ispc… --tenant-bond '2.5 UNIT'
  fabric space set-rules ispc… --admission approval --dry-run

The call sets all rules, and takes those that are not named from the chain. The command shows all of
them, and asks.")]
	SetRules(Submit<SetRules>),
	/// Change the governor of a space
	#[command(after_long_help = "\
Example:
  fabric space set-governor ispc… 5F3s…")]
	SetGovernor(Submit<SetGovernor>),
	/// Admit an account to a space whose rules ask for approval
	#[command(after_long_help = "\
Example:
  fabric space admit ispc… 5F3s… provider

Each admission is good for one provider or tenant.")]
	Admit(Submit<Admission>),
	/// Revoke unused admissions of an account
	#[command(after_long_help = "\
Example:
  fabric space revoke-admission ispc… 5F3s… provider")]
	RevokeAdmission(Submit<Admission>),
	/// Delete a space that has no providers and no tenants, with its unused admissions
	#[command(after_long_help = "\
Example:
  fabric space delete ispc…

Unused admissions are listed and revoked in the same transaction.")]
	Delete(Submit<Delete>),
}

/// The rules of a space.
#[derive(Debug, Default, PartialEq, Args)]
pub struct RuleOptions {
	/// The bond that a provider needs: '100 UNIT', or a whole number of the smallest unit
	#[arg(long, value_name = "AMOUNT")]
	provider_bond: Option<AmountText>,
	/// The bond that a tenant needs
	#[arg(long, value_name = "AMOUNT")]
	tenant_bond: Option<AmountText>,
	/// The accounts that may become a provider or a tenant
	#[arg(long, value_name = "POLICY", value_parser = admission_parser())]
	admission: Option<AdmissionPolicy>,
	/// Number of partitions that nodes divide the content into
	#[arg(long, value_name = "N")]
	partitions: Option<u32>,
	/// The service level that providers agree to, or a link to it
	#[arg(long, value_name = "TEXT")]
	sla: Option<String>,
}

fn admission_parser() -> impl TypedValueParser<Value = AdmissionPolicy> {
	let open = PossibleValue::new("open").help("Any account");
	let approval = PossibleValue::new("approval").help("Accounts that governance has admitted");
	PossibleValuesParser::new([open, approval]).map(|name| match name.as_str() {
		"open" => AdmissionPolicy::Open,
		_ => AdmissionPolicy::Approval,
	})
}

impl RuleOptions {
	/// Returns these rules, completed from `present` where none is named.
	fn resolve(&self, at: &View, present: &calls::Rules) -> Result<calls::Rules, Error> {
		let units = at.units();
		let amount = |text: &Option<AmountText>, present| {
			text.as_ref().map_or(Ok(present), |text| text.resolve(units))
		};
		if let Some(sla) = &self.sla {
			TextLimit::Sla.ensure(at, "--sla", sla)?;
		}
		Ok(calls::Rules {
			provider_bond: amount(&self.provider_bond, present.provider_bond)?,
			tenant_bond: amount(&self.tenant_bond, present.tenant_bond)?,
			admission: self.admission.unwrap_or(present.admission),
			partitions: self.partitions.unwrap_or(present.partitions),
			sla: self.sla.clone().map_or_else(|| present.sla.clone(), |sla| Text(sla.into())),
		})
	}
}

/// Returns all rules in their order, each with its name and its value.
fn listed(rules: &calls::Rules, units: &Units) -> [(&'static str, String); 5] {
	[
		("provider bond", units.amount(rules.provider_bond).to_string()),
		("tenant bond", units.amount(rules.tenant_bond).to_string()),
		("admission", admission_name(rules.admission).into()),
		("partitions", rules.partitions.to_string()),
		("service level", quoted(&rules.sla.0)),
	]
}

/// Returns a text in quotes, which it cannot end itself, or in hex if it is not UTF-8.
fn quoted(text: &[u8]) -> String {
	match std::str::from_utf8(text) {
		Ok(text) => printable(&format!("{text:?}")),
		Err(_) => format!("0x{}", hex::encode(text)),
	}
}

fn rules_text(rules: &calls::Rules, units: &Units) -> String {
	listed(rules, units).map(|(name, value)| format!("{name} {value}")).join(", ")
}

/// Returns all rules in words, each with its present value if it changes.
fn change_text(present: &calls::Rules, rules: &calls::Rules, units: &Units) -> String {
	let changes = listed(present, units).into_iter().zip(listed(rules, units));
	let change = |((name, old), (_, new))| match old == new {
		true => format!("{name} {new} (unchanged)"),
		false => format!("{name} {old} → {new}"),
	};
	changes.map(change).collect::<Vec<_>>().join(", ")
}

#[derive(Debug, Args)]
pub struct Create {
	/// The name, from which the id is derived
	#[arg(long, required_unless_present = "id")]
	name: Option<String>,
	/// The id, ispc…
	#[arg(long, conflicts_with = "name")]
	id: Option<SpaceId>,
	/// The account that governs the space
	#[arg(long, value_name = "ACCOUNT")]
	governor: Address,
	#[command(flatten)]
	rules: RuleOptions,
}

#[derive(Debug, Args)]
pub struct SetRules {
	/// The space, ispc…
	space: SpaceId,
	#[command(flatten)]
	rules: RuleOptions,
}

#[derive(Debug, Args)]
pub struct SetGovernor {
	/// The space, ispc…
	space: SpaceId,
	/// The new governor
	governor: Address,
}

/// `fabric space admit` and `fabric space revoke-admission`
#[derive(Debug, Args)]
pub struct Admission {
	/// The space, ispc…
	space: SpaceId,
	/// The account
	account: Address,
	/// The kind of member that the account may become the root of
	#[arg(value_parser = role_parser())]
	role: Role,
}

fn role_parser() -> impl TypedValueParser<Value = Role> {
	let provider = PossibleValue::new("provider").help("A provider");
	let tenant = PossibleValue::new("tenant").help("A tenant");
	PossibleValuesParser::new([provider, tenant]).map(|name| match name.as_str() {
		"provider" => Role::Provider,
		_ => Role::Tenant,
	})
}

#[derive(Debug, Args)]
pub struct Delete {
	/// The space, ispc…
	space: SpaceId,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Create(command) => command.run(context, create).await,
		Command::SetRules(command) => command.run(context, set_rules).await,
		Command::SetGovernor(command) => command.run(context, set_governor).await,
		Command::Admit(command) => command.run(context, admit).await,
		Command::RevokeAdmission(command) => command.run(context, revoke).await,
		Command::Delete(command) => command.run(context, delete).await,
	}
}

async fn create(options: Create, setting: &Setting<'_>) -> Result<Action, Error> {
	let space = match (options.id, &options.name) {
		(Some(id), _) => id,
		(None, Some(name)) => ids::space(name),
		(None, None) => return Err(Error::Usage("a space needs --name or --id".into())),
	};
	let at = setting.view().await?;
	let rules = options.rules.resolve(&at, &open_rules(0, 0))?;
	let governor = account_of(&at, &options.governor)?;
	let summary = format!(
		"create the space {space}, governed by {governor}, with these rules: {}",
		rules_text(&rules, at.units())
	);
	let call = calls::CreateSpace { space, governor, rules };
	at.action(Authority::Council, call, summary)
}

/// The action asks: the call has all rules, and those that are not named are what a node says.
async fn set_rules(options: SetRules, setting: &Setting<'_>) -> Result<Action, Error> {
	if options.rules == RuleOptions::default() {
		return Err(Error::Usage("no rule is named: see `fabric space set-rules --help`".into()));
	}
	let at = setting.view().await?;
	let (space, present) = (options.space, at.space(options.space).await?.rules);
	let rules = options.rules.resolve(&at, &present)?;
	let changes = change_text(&present, &rules, at.units());
	let summary = format!("set the rules of {space}: {changes}");
	let call = calls::SetSpaceRules { space, rules };
	at.destructive(Authority::Governance(space), call, summary)
}

async fn set_governor(options: SetGovernor, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, SetGovernor { space, governor }) = (setting.view().await?, options);
	let governor = account_of(&at, &governor)?;
	let summary = format!("make {governor} the governor of {space}");
	let call = calls::SetSpaceGovernor { space, governor };
	at.destructive(Authority::Governance(space), call, summary)
}

async fn admit(options: Admission, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, Admission { space, account, role }) = (setting.view().await?, options);
	let account = account_of(&at, &account)?;
	let summary = format!("admit {account} to {space} as a {}", role_name(role));
	let call = calls::Admit { space, account, role };
	at.action(Authority::Governance(space), call, summary)
}

async fn revoke(options: Admission, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, Admission { space, account, role }) = (setting.view().await?, options);
	let account = account_of(&at, &account)?;
	let name = role_name(role);
	let summary = format!("revoke the admission of {account} to {space} as a {name}");
	let call = calls::RevokeAdmissions { space, admissions: vec![(account, role)] };
	at.destructive(Authority::Governance(space), call, summary)
}

async fn delete(options: Delete, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, space) = (setting.view().await?, options.space);
	at.space(space).await?;
	let mut admissions: Vec<(AccountId32, Role)> = Vec::new();
	at.chain
		.scan(&at, rows::admissions(), (space,), |mut key, ()| {
			admissions.push(key.part()?);
			Ok(())
		})
		.await?;
	admissions.sort_by_key(|(account, role)| (account.0, *role as u8));
	let summary = deletion_text(space, &admissions);
	let mut call = at.encode(calls::DeleteSpace { space })?;
	if !admissions.is_empty() {
		// A call takes as many admissions as a space can have.
		let revoke = at.encode(calls::RevokeAdmissions { space, admissions })?;
		call = at.encode(calls::BatchAll { calls: vec![revoke, call] })?;
	}
	let action = at.action_of(Authority::Governance(space), call, summary);
	Ok(Action { destructive: true, ..action })
}

/// Returns what deleting a space does, with the admissions that it revokes first.
fn deletion_text(space: SpaceId, admissions: &[(AccountId32, Role)]) -> String {
	if admissions.is_empty() {
		return format!("delete the space {space}");
	}
	let number = count(admissions.len(), "unused admission", "unused admissions");
	let list =
		admissions.iter().map(|(account, role)| format!("{account} as a {}", role_name(*role)));
	let list = list.collect::<Vec<_>>().join(", ");
	format!("revoke {number} ({list}), and delete the space {space}")
}

#[cfg(test)]
mod tests {
	use super::*;

	fn rules(sla: &[u8]) -> calls::Rules {
		calls::Rules {
			provider_bond: 10_000,
			tenant_bond: 250,
			admission: AdmissionPolicy::Approval,
			partitions: 4,
			sla: Text(sla.to_vec()),
		}
	}

	#[test]
	fn a_change_shows_every_rule_that_is_signed() {
		let units = Units::new(2, "UNIT");
		let new = calls::Rules {
			provider_bond: 1,
			admission: AdmissionPolicy::Open,
			sla: Text(b"gold".to_vec()),
			..rules(b"")
		};
		assert_eq!(
			change_text(&rules(b""), &new, &units),
			"provider bond 100 UNIT → 0.01 UNIT, tenant bond 2.5 UNIT (unchanged), admission approval \
			 → open, partitions 4 (unchanged), service level \"\" → \"gold\""
		);
		assert_eq!(
			rules_text(&new, &units),
			"provider bond 0.01 UNIT, tenant bond 2.5 UNIT, admission open, partitions 4, service \
			 level \"gold\""
		);
	}

	#[test]
	fn deleting_a_space_names_the_admissions_that_it_revokes() {
		let (space, account) = (SpaceId([1; 10]), AccountId32([2; 32]));
		assert_eq!(deletion_text(space, &[]), format!("delete the space {space}"));
		assert_eq!(
			deletion_text(space, &[(account, Role::Provider), (account, Role::Tenant)]),
			format!(
				"revoke 2 unused admissions ({account} as a provider, {account} as a tenant), and \
				 delete the space {space}"
			)
		);
	}

	#[test]
	fn a_service_level_cannot_pose_as_other_rules() {
		for (sla, shown) in [
			(&b"x\", tenant bond 1 UNIT"[..], r#""x\", tenant bond 1 UNIT""#),
			("a\u{1b}[2J\n\u{202e}".as_bytes(), r#""a\u{1b}[2J\n\u{202e}""#),
			(b"\xff\x00", "0xff00"),
		] {
			assert_eq!(quoted(sla), shown);
		}
	}
}
