//! The calls on spaces.

use content_fabric_identifiers::SpaceId;
use subxt::{dynamic::Value, utils::AccountId32};

use super::{bytes, number, unit, Call};
use crate::storage::{Role, Rules};

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
	Call::fabric("admit", admission(space, account, role))
}

/// `revoke_admission`
pub fn revoke_admission(space: SpaceId, account: &AccountId32, role: Role) -> Call {
	Call::fabric("revoke_admission", admission(space, account, role))
}

fn admission(space: SpaceId, account: &AccountId32, role: Role) -> Vec<(&'static str, Value)> {
	vec![("space", bytes(space)), ("account", bytes(account.0)), ("role", unit(role.name()))]
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
