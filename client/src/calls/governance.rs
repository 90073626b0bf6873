//! The calls by which whole providers and tenants are deleted.

use super::{bytes, number, Call};
use crate::member::MemberId;

/// `governance_delete_provider`, or `governance_delete_tenant`.
pub fn governance_delete(member: MemberId, slash: u128, max_rows: u32) -> Call {
	let (call, kind, id) = match member {
		MemberId::Provider(provider) => ("governance_delete_provider", "provider", bytes(provider)),
		MemberId::Tenant(tenant) => ("governance_delete_tenant", "tenant", bytes(tenant)),
	};
	Call::fabric(call, vec![(kind, id), ("slash", number(slash)), ("max_rows", number(max_rows))])
}

/// `reap`
pub fn reap(member: MemberId, limit: u32) -> Call {
	Call::fabric("reap", vec![("subject", member.subject()), ("limit", number(limit))])
}
