//! The calls on spaces.

use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::Role;
use subxt::{dynamic::Value, utils::AccountId32};

use super::{bytes, list, number, role_name, unit, Call};
use crate::storage::Rules;

/// `create_space`
pub fn create_space(space: SpaceId, governor: &AccountId32, rules: &Rules) -> Call {
	Call::fabric(
		"create_space",
		vec![
			("space", bytes(space)),
			("governor", bytes(governor.0)),
			("rules", space_rules(rules)),
		],
	)
}

/// `set_space_rules`
pub fn set_space_rules(space: SpaceId, rules: &Rules) -> Call {
	Call::fabric("set_space_rules", vec![("space", bytes(space)), ("rules", space_rules(rules))])
}

/// `admit`
pub fn admit(space: SpaceId, account: &AccountId32, role: Role) -> Call {
	Call::fabric(
		"admit",
		vec![
			("space", bytes(space)),
			("account", bytes(account.0)),
			("role", unit(role_name(role))),
		],
	)
}

/// `revoke_admissions`
pub fn revoke_admissions<'a>(
	space: SpaceId,
	admissions: impl IntoIterator<Item = (&'a AccountId32, Role)>,
) -> Call {
	let admissions = admissions
		.into_iter()
		.map(|(account, role)| Value::unnamed_composite([bytes(account.0), unit(role_name(role))]));
	Call::fabric(
		"revoke_admissions",
		vec![("space", bytes(space)), ("admissions", list(admissions))],
	)
}

fn space_rules(rules: &Rules) -> Value {
	Value::named_composite([
		("provider_bond", number(rules.provider_bond)),
		("tenant_bond", number(rules.tenant_bond)),
		("admission", unit(rules.admission.name())),
		("partitions", number(rules.partitions)),
		("sla", bytes(&rules.sla)),
	])
}
