//! The calls on providers and tenants as a whole, and on their access keys.

use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::{bytes, member_id, number, option, unit, Call};
use crate::storage::Level;

/// `create_provider`, or `create_tenant`.
pub fn create_member(space: SpaceId, member: MemberId, max_held: u128) -> Call {
	let name = match member {
		MemberId::Provider(_) => "create_provider",
		MemberId::Tenant(_) => "create_tenant",
	};
	let id = bytes(member.as_bytes());
	Call::fabric(name, vec![("space", bytes(space)), ("id", id), ("max_held", number(max_held))])
}

/// `top_up_bond`
pub fn top_up_bond(member: MemberId, amount: u128) -> Call {
	Call::fabric("top_up_bond", vec![("member", member_id(member)), ("amount", number(amount))])
}

/// `set_max_held`
pub fn set_max_held(member: MemberId, amount: u128) -> Call {
	Call::fabric("set_max_held", vec![("member", member_id(member)), ("amount", number(amount))])
}

/// `nominate_root`. `created` is that of the member's row. `None` withdraws the nomination.
pub fn nominate_root(member: MemberId, created: [u8; 16], nominee: Option<&AccountId32>) -> Call {
	let nominee = option(nominee.map(|account| bytes(account.0)));
	Call::fabric(
		"nominate_root",
		vec![("member", member_id(member)), ("created", bytes(created)), ("nominee", nominee)],
	)
}

/// `accept_root`
pub fn accept_root(member: MemberId, max_held: u128) -> Call {
	Call::fabric("accept_root", vec![("member", member_id(member)), ("max_held", number(max_held))])
}

/// `purge_member`
pub fn purge_member(member: MemberId) -> Call {
	Call::fabric("purge_member", vec![("member", member_id(member))])
}

/// `delete_member`
pub fn delete_member(member: MemberId) -> Call {
	Call::fabric("delete_member", vec![("member", member_id(member))])
}

/// `set_provider_key`, or `set_tenant_key`. `None` revokes the access key.
pub fn set_key(member: MemberId, account: &AccountId32, level: Option<Level>) -> Call {
	let name = match member {
		MemberId::Provider(_) => "set_provider_key",
		MemberId::Tenant(_) => "set_tenant_key",
	};
	let id = bytes(member.as_bytes());
	let level = option(level.map(|level| unit(level.name())));
	Call::fabric(name, vec![("id", id), ("account", bytes(account.0)), ("level", level)])
}
