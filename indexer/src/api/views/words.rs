// SPDX-License-Identifier: Apache-2.0
//! Types that the description of the interface has instead of texts and of any JSON.

use std::collections::BTreeMap;

use utoipa::ToSchema;

macro_rules! words {
	($($(#[$doc:meta])* $name:ident = $($word:ident)|+,)*) => {$(
		$(#[$doc])*
		#[derive(ToSchema)]
		#[schema(rename_all = "kebab-case")]
		#[expect(dead_code, reason = "answers have it as text")]
		pub(crate) enum $name { $($word),+ }
	)*};
}

words! {
	/// The kind of a member.
	MemberKind = Provider | Tenant,
	/// The accounts that may become members of a space: any, or admitted ones.
	AdmissionKind = Open | Approval,
	/// The rows that a purge removes: those under the member, or also its own.
	Scope = Rows | Member,
	/// The result of an audit.
	AuditResult = Right | Wrong | Late | Refused,
	/// The kind of hash that the id of a version is.
	HashKind = Blake3 | Sha256,
	/// The state of a copy.
	CopyState = Held | Asked | Gone,
	/// The kind of an entity in which an account has a role.
	RoleIn = Space | Provider | Tenant | Node | Kms,
}

/// The value of a field of an event.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(no_recursion)]
#[expect(dead_code, reason = "answers have it as JSON")]
pub(crate) enum Field {
	Text(String),
	Number(i64),
	Flag(bool),
	None,
	List(Vec<Field>),
	Fields(BTreeMap<String, Field>),
}
