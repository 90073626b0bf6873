//! The calls on nodes and KMSes.

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, TenantId};
use subxt::utils::AccountId32;

use super::{bytes, Call};

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

/// `set_node_operator`
pub fn set_node_operator(provider: ProviderId, node: NodeId, operator: &AccountId32) -> Call {
	Call::fabric(
		"set_node_operator",
		vec![("provider", bytes(provider)), ("node", bytes(node)), ("operator", bytes(operator.0))],
	)
}

/// `add_kms`
pub fn add_kms(tenant: TenantId, kms: KmsId, locator: &str) -> Call {
	Call::fabric(
		"add_kms",
		vec![("tenant", bytes(tenant)), ("kms", bytes(kms)), ("locator", bytes(locator))],
	)
}
