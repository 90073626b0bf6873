// SPDX-License-Identifier: Apache-2.0
//! The level of an account in a member, and what it lacks for a call.

use content_fabric_primitives::{MemberId, ProviderLevel, TenantLevel};
use subxt::utils::AccountId32;

use super::{
	calls::{Call, EncodedCall},
	kind, rows, tenant_level_name, Error, Snapshot,
};

/// Returns why the rows of a member cannot be changed: it is frozen, suspended or being purged.
/// `None` if it is open.
pub fn closed(row: &rows::Member) -> Option<&'static str> {
	match row {
		row if row.governance_delete => Some("is frozen by governance"),
		row if row.suspended => Some("is suspended by governance"),
		row if row.purge.is_some() => Some("is being purged"),
		_ => None,
	}
}

/// The standing of an account in a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
	/// The member.
	pub member: MemberId,
	/// The root of the member, which pays its bond and deposits.
	pub root: AccountId32,
	/// The account.
	pub account: AccountId32,
	/// The level of the account. A provider has the levels `Admin` and `Root` only.
	pub level: Option<TenantLevel>,
}

impl Snapshot {
	/// Returns the standing of an account in a member, which has this row. An access key of an
	/// earlier life of the member does not count.
	pub async fn standing(
		&self,
		member: MemberId,
		row: &rows::Member,
		account: &AccountId32,
	) -> Result<Standing, Error> {
		let level = match member {
			_ if row.root == *account => Some(TenantLevel::Root),
			MemberId::Provider(id) => {
				let key = self.get(rows::provider_keys(), (id, *account)).await?;
				key.filter(|key| key.granted > row.created).map(|key| match key.level {
					ProviderLevel::Admin => TenantLevel::Admin,
					ProviderLevel::Root => TenantLevel::Root,
				})
			},
			MemberId::Tenant(id) => {
				let key = self.get(rows::tenant_keys(), (id, *account)).await?;
				key.filter(|key| key.granted > row.created).map(|key| key.level)
			},
		};
		Ok(Standing { member, root: row.root, account: *account, level })
	}

	/// Returns why an account may not make a call for the member that the call names. `None` if it
	/// may, or if no level decides on that.
	pub async fn lacking_level(
		&self,
		call: &EncodedCall,
		account: &AccountId32,
	) -> Result<Option<String>, Error> {
		let Some((member, needed)) = call.member().zip(call.level()) else {
			return Ok(None);
		};
		let row = self.member(member).await?;
		Ok(self.standing(member, &row, account).await?.lacks(needed))
	}
}

impl Standing {
	/// Returns what the account lacks for a call, and who can help, if its level does not permit it.
	pub fn refusal<C: Call>(&self) -> Option<String> {
		C::LEVEL.and_then(|needed| self.lacks(needed))
	}

	/// Returns what the account lacks, and who can help, if its level is below this one.
	pub(crate) fn lacks(&self, needed: TenantLevel) -> Option<String> {
		let Self { member, root, account, level } = self;
		if *level >= Some(needed) {
			return None;
		}
		let has = match level {
			Some(level) => format!("the level {}", tenant_level_name(*level)),
			None => "no access key".into(),
		};
		let help = match needed {
			TenantLevel::Root => format!("only its root, {root}, can do that"),
			TenantLevel::Admin => format!(
				"its root, {root}, or an admin can do that, and the root can give the level with \
				 `fabric key grant {member} {account} admin`"
			),
			needed => format!(
				"its root, {root}, or an admin can give the level with `fabric key grant {member} \
				 {account} {}`",
				tenant_level_name(needed)
			),
		};
		let (kind, needed) = (kind(*member), tenant_level_name(needed));
		Some(format!(
			"the account {account} has {has} in the {kind} {member}, and needs the level {needed}; {help}"
		))
	}
}

#[cfg(test)]
mod tests {
	use std::collections::BTreeMap;

	use content_fabric_identifiers::{ProviderId, TenantId};

	use super::{
		super::calls::{FinalizeVersions, PutRecords, FABRIC},
		*,
	};

	const README: &str = include_str!("../../../pallets/content-fabric/README.md");

	/// Returns the level that the README of the pallet has for an origin.
	fn in_readme(origin: &str) -> Option<TenantLevel> {
		let origin = origin.trim();
		let begins = |words: &str| origin.starts_with(words);
		if begins("the root") {
			Some(TenantLevel::Root)
		} else if begins("an Admin or the root") || origin.contains("provider Admin") {
			// The tenant's level comes first.
			let is_content = begins("tenant Content");
			Some(if is_content { TenantLevel::Content } else { TenantLevel::Admin })
		} else if origin.contains("tenant Admin") {
			Some(TenantLevel::Admin)
		} else {
			begins("tenant Content").then_some(TenantLevel::Content)
		}
	}

	#[test]
	fn calls_need_the_levels_that_the_pallet_documents() {
		let (_, rest) = README.split_once("| call | index | origin |").expect("it has a table");
		let rows = rest.lines().skip(2).take_while(|line| line.starts_with("| `"));
		let documented = rows.map(|row| {
			let cells: Vec<_> = row.split(" | ").collect();
			(cells[0].trim_matches(['|', ' ', '`']), in_readme(cells[2]))
		});
		assert_eq!(documented.collect::<BTreeMap<_, _>>(), FABRIC.iter().copied().collect());
	}

	#[test]
	fn a_level_permits_what_those_below_it_permit() {
		let (root, account) = (AccountId32([1; 32]), AccountId32([2; 32]));
		let of = |member: MemberId, level| Standing { member, root, account, level };
		let tenant = |level| of(TenantId([3; 10]).into(), level);
		for (level, puts) in [
			(None, false),
			(Some(TenantLevel::Read), false),
			(Some(TenantLevel::Content), true),
			(Some(TenantLevel::Kms), true),
			(Some(TenantLevel::Root), true),
		] {
			assert_eq!(tenant(level).refusal::<PutRecords>().is_none(), puts, "{level:?}");
		}
		let provider = |level| of(ProviderId([4; 10]).into(), level);
		assert!(provider(None).refusal::<FinalizeVersions>().is_some());
		assert_eq!(provider(Some(TenantLevel::Admin)).refusal::<FinalizeVersions>(), None);
	}

	#[test]
	fn refusals_name_the_level_and_the_command_that_gives_it() {
		let (root, account) = (AccountId32([1; 32]), AccountId32([2; 32]));
		let member = TenantId([3; 10]).into();
		let standing = Standing { member, root, account, level: Some(TenantLevel::Read) };
		let lacks = |needed| standing.lacks(needed).unwrap_or_default();
		assert_eq!(
			lacks(TenantLevel::Content),
			format!(
				"the account {account} has the level read in the tenant {member}, and needs the level \
				 content; its root, {root}, or an admin can give the level with `fabric key grant \
				 {member} {account} content`"
			)
		);
		assert!(lacks(TenantLevel::Admin).ends_with(&format!("{member} {account} admin`")));
		assert!(lacks(TenantLevel::Root).ends_with(&format!("only its root, {root}, can do that")));
	}
}
