//! The calls by which governance acts on members, and that by which anyone removes the rows of one
//! that is being purged.

use content_fabric_primitives::MemberId;
use subxt::dynamic::Value;

use super::{bytes, member_id, number, Call};

/// `set_suspended`. `created` is that of the member's row.
pub fn set_suspended(member: MemberId, created: [u8; 16], enabled: bool, reason: &str) -> Call {
	Call::fabric(
		"set_suspended",
		vec![
			("member", member_id(member)),
			("created", bytes(created)),
			("enabled", Value::bool(enabled)),
			("reason", bytes(reason)),
		],
	)
}

/// `governance_delete`. `created` is that of the member's row.
pub fn governance_delete(member: MemberId, created: [u8; 16], slash: u128, reason: &str) -> Call {
	Call::fabric(
		"governance_delete",
		vec![
			("member", member_id(member)),
			("created", bytes(created)),
			("slash", number(slash)),
			("reason", bytes(reason)),
		],
	)
}

/// `reap`
pub fn reap(member: MemberId, limit: u32) -> Call {
	Call::fabric("reap", vec![("member", member_id(member)), ("limit", number(limit))])
}
