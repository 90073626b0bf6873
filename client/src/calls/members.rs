//! The calls on providers and tenants.

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};
use subxt::utils::AccountId32;

use super::{bytes, number, option, unit, Call};
use crate::{member::MemberId, storage::Level};

/// `create_provider`
pub fn create_provider(space: SpaceId, provider: ProviderId) -> Call {
	Call::fabric("create_provider", vec![("space", bytes(space)), ("provider", bytes(provider))])
}

/// `create_tenant`
pub fn create_tenant(space: SpaceId, tenant: TenantId) -> Call {
	Call::fabric("create_tenant", vec![("space", bytes(space)), ("tenant", bytes(tenant))])
}

/// `top_up_provider_bond`, or `top_up_tenant_bond`.
pub fn top_up_bond(member: MemberId, amount: u128) -> Call {
	let (call, kind, id) = match member {
		MemberId::Provider(provider) => ("top_up_provider_bond", "provider", bytes(provider)),
		MemberId::Tenant(tenant) => ("top_up_tenant_bond", "tenant", bytes(tenant)),
	};
	Call::fabric(call, vec![(kind, id), ("amount", number(amount))])
}

/// `set_provider_key`, or `set_tenant_key`. `None` takes the account's level.
pub fn set_key(member: MemberId, account: &AccountId32, level: Option<Level>) -> Call {
	let (call, kind, id) = match member {
		MemberId::Provider(provider) => ("set_provider_key", "provider", bytes(provider)),
		MemberId::Tenant(tenant) => ("set_tenant_key", "tenant", bytes(tenant)),
	};
	let level = option(level.map(|level| unit(level.name())));
	Call::fabric(call, vec![(kind, id), ("account", bytes(account.0)), ("level", level)])
}

/// `create_node`
pub fn create_node(
	provider: ProviderId,
	node: NodeId,
	operator: &AccountId32,
	locator: &str,
) -> Call {
	Call::fabric(
		"create_node",
		vec![
			("provider", bytes(provider)),
			("node", bytes(node)),
			("operator", bytes(operator.0)),
			("locator", bytes(locator)),
		],
	)
}

/// `confirm_node`
pub fn confirm_node(provider: ProviderId, node: NodeId) -> Call {
	Call::fabric("confirm_node", vec![("provider", bytes(provider)), ("node", bytes(node))])
}

/// `add_kms`
pub fn add_kms(tenant: TenantId, kms: KmsId, locator: &str) -> Call {
	Call::fabric(
		"add_kms",
		vec![("tenant", bytes(tenant)), ("kms", bytes(kms)), ("locator", bytes(locator))],
	)
}
