// SPDX-License-Identifier: Apache-2.0
//! Spaces, members, nodes, accounts and purges, as readers see them.

use std::collections::BTreeMap;

use content_fabric_client::{
	chain::{
		admission_name, kind, role_name,
		rows::{self, PurgeScope},
	},
	ids::AnyId,
};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives as primitives;
use subxt::utils::AccountId32;

use super::{
	millis,
	words::{AdmissionKind, MemberKind, RoleIn, Scope},
	Audit,
};
use crate::{
	audit::Evidence,
	index::view::{Item, MemberItem, NodeItem, PurgeItem, RoleItem},
	rows::Map,
};

answers! {
	/// A space.
	Space of (SpaceId, rows::Space) = (id, row) => {
		/// The id, `ispc…`.
		id: String = id.to_string(),
		/// The account that governs it.
		governor: String = row.governor.to_string(),
		/// The bond that a provider needs, in the smallest unit.
		provider_bond: String = row.rules.provider_bond.to_string(),
		/// The bond that a tenant needs, in the smallest unit.
		tenant_bond: String = row.rules.tenant_bond.to_string(),
		/// The accounts that may become members: `open` for any, `approval` for admitted ones.
		#[schema(value_type = AdmissionKind)]
		admission: &'static str = admission_name(row.rules.admission),
		/// Number of partitions of the space's content.
		partitions: u32 = row.rules.partitions,
		/// The service level that providers agree to.
		sla: String = row.rules.sla.raw().into_owned(),
		/// Number of providers.
		provider_count: u32 = row.provider_count,
		/// Number of tenants.
		tenant_count: u32 = row.tenant_count,
		/// Number of unused admissions.
		admission_count: u32 = row.admission_count,
		/// The muid of its creation.
		created: String = row.created.to_string(),
		/// The time of its creation, in milliseconds since the Unix epoch.
		created_at: u64 = millis(row.created),
	}

	/// A provider or a tenant.
	Member of MemberItem = MemberItem { id, row, required_bond } => {
		/// The id, `iprv…` or `iten…`.
		id: String = id.to_string(),
		/// The role: `provider` or `tenant`.
		#[schema(value_type = MemberKind)]
		role: &'static str = kind(id),
		/// The space.
		space: String = row.space.to_string(),
		/// The account that owns it.
		root: String = row.root.to_string(),
		/// The account that may become the root.
		nominee: Option<String> =
			row.nomination.as_ref().map(|nomination| nomination.nominee.to_string()),
		/// The bond, in the smallest unit.
		bond: String = row.bond.to_string(),
		/// The bond that the space asks for, in the smallest unit.
		required_bond: String = required_bond.to_string(),
		/// The deposits for its row and those under it, in the smallest unit.
		deposits: String = row.deposits().to_string(),
		/// All that is on hold, in the smallest unit.
		held: String = row.held().to_string(),
		/// The most that may be on hold, in the smallest unit.
		max_held: String = row.max_held.to_string(),
		/// Number of rows under it.
		row_count: u32 = row.row_count(),
		/// Number of rows under it, by map.
		rows: BTreeMap<String, u32> = counts(id.role(), &row),
		/// True if governance has suspended it.
		suspended: bool = row.suspended,
		/// True if governance has frozen it.
		governance_delete: bool = row.governance_delete,
		/// The scope of its purge, `rows` or `member`, if one is under way.
		#[schema(value_type = Option<Scope>)]
		purge: Option<PurgeScope> = row.purge,
		/// The block since which it has had no rows.
		empty_since: Option<u64> = row.empty_since,
		/// The muid of its creation.
		created: String = row.created.to_string(),
		/// The time of its creation, in milliseconds since the Unix epoch.
		created_at: u64 = millis(row.created),
	}

	/// An unused admission to a space.
	Admission of (AccountId32, primitives::Role) = (account, role) => {
		/// The admitted account.
		account: String = account.to_string(),
		/// The role that it may take: `provider` or `tenant`.
		#[schema(value_type = MemberKind)]
		role: &'static str = role_name(role),
	}

	/// An access key of a member.
	Key of (AccountId32, &'static str) = (account, level) => {
		/// The account.
		account: String = account.to_string(),
		/// Its level: `root`, `admin`, `kms`, `content` or `read`.
		level: &'static str = level,
	}

	/// A node of a provider.
	Node of (NodeItem, Option<Evidence>) = (Item { member, id, row }, evidence) => {
		/// The id, `inod…`.
		id: String = id.to_string(),
		/// The provider.
		provider: String = member.to_string(),
		/// The account that acts for it.
		operator: String = row.operator.to_string(),
		/// True if it has yet to be confirmed.
		pending: bool = row.pending,
		/// Its locator.
		locator: String = row.locator.raw().into_owned(),
		/// The medallion: the eleven hex digits that its muids have.
		medallion: String = row.medallion.to_string(),
		/// The muid of its last commit.
		last_muid: Option<String> = row.last_muid.map(|muid| muid.to_string()),
		/// The deposit for its row, in the smallest unit.
		deposit: String = row.deposit.to_string(),
		/// Results of its audits. `null` if this index has not audited it.
		audit: Option<Audit> = evidence.map(Audit::from),
	}

	/// The roles of an account.
	Account of (AccountId32, Vec<RoleItem>, bool) = (account, roles, more) => {
		/// The account.
		account: String = account.to_string(),
		/// Its roles, at most 100.
		roles: Vec<Role> = roles.into_iter().map(Role::from).collect(),
		/// True if it has more.
		more: bool = more,
	}

	/// A role of an account.
	Role of RoleItem = RoleItem { id, role, row } => {
		/// The id of the space, the member, the node or the KMS.
		member: String = id.to_string(),
		/// The kind of that id: `space`, `provider`, `tenant`, `node` or `kms`.
		#[schema(value_type = RoleIn)]
		kind: &'static str = match id {
			AnyId::Kms(_) => "kms",
			id => id.kind(),
		},
		/// The role: `governor`, `root`, `nominee`, `admin`, `kms`, `content`, `read` or
		/// `operator`.
		role: String = role,
		/// All that is on hold, for the role `root`.
		held: Option<String> = row.as_ref().map(|row| row.held().to_string()),
		/// The bond, for the role `root`.
		bond: Option<String> = row.as_ref().map(|row| row.bond.to_string()),
		/// The deposits, for the role `root`.
		deposits: Option<String> = row.as_ref().map(|row| row.deposits().to_string()),
	}

	/// A purge under way.
	Purge of PurgeItem = item => {
		/// The member.
		member: String = item.member.to_string(),
		/// The role of the member: `provider` or `tenant`.
		#[schema(value_type = MemberKind)]
		role: &'static str = kind(item.member),
		/// The space of the member.
		space: Option<String> = item.member_row.as_ref().map(|row| row.space.to_string()),
		/// The scope: `rows` or `member`.
		#[schema(value_type = Scope)]
		scope: PurgeScope = item.scope(),
		/// Number of rows at its start.
		rows: u32 = item.row.rows,
		/// Number of rows that are left.
		rows_left: u32 = item.rows_left(),
		/// The block in which it was started.
		started_in: u64 = item.row.started,
		/// Its place in the deletion queue, as digits.
		place: String = item.row.place.to_string(),
		/// Number of rows that were removed in a block, on average since its start.
		rate: Option<f64> = progress(&item).map(|(removed, blocks)| rate(removed, blocks)),
		/// Number of blocks until its end at this rate. `null` for more than 4,294,967,295, too.
		blocks_left: Option<u32> = progress(&item).and_then(|(removed, blocks)| {
			let left = u64::from(item.rows_left()).saturating_mul(blocks).div_ceil(removed);
			u32::try_from(left).ok()
		}),
	}
}

fn counts(role: primitives::Role, row: &rows::Member) -> BTreeMap<String, u32> {
	Map::under(role).iter().map(|map| (map.name().to_owned(), map.count(row))).collect()
}

/// Returns how many rows a purge has removed, and in how many blocks. `None` before its first rows.
fn progress(item: &PurgeItem) -> Option<(u64, u64)> {
	let removed = item.row.rows.saturating_sub(item.rows_left());
	(removed > 0 && item.blocks > 0).then_some((removed.into(), item.blocks))
}

/// Returns rows per block with two decimal places.
#[expect(clippy::cast_precision_loss, reason = "numbers of rows and blocks are far below 2^52")]
fn rate(removed: u64, blocks: u64) -> f64 {
	(removed as f64 * 100.0 / blocks as f64).round() / 100.0
}
