// SPDX-License-Identifier: Apache-2.0
//! Spaces, members, nodes, accounts and purges, as readers see them.

use std::collections::BTreeMap;

use content_fabric_client::chain::{
	admission_name, kind, provider_level_name, role_name, rows::PurgeScope, tenant_level_name,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::millis;
use crate::{
	index::view::{
		AccountItem, AdmissionItem, KeyItem, Level, MemberItem, NodeItem, PurgeItem, RoleItem,
		RoleKind, SpaceItem,
	},
	probe::{Answer, Evidence, Probes},
	rows::Map,
};

/// A space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Space {
	/// The id, `ispc…`.
	pub id: String,
	/// The account that governs it.
	pub governor: String,
	/// The bond that a provider needs, in the smallest unit.
	pub provider_bond: String,
	/// The bond that a tenant needs, in the smallest unit.
	pub tenant_bond: String,
	/// The accounts that may become members: `open` for any, `approval` for admitted ones.
	pub admission: &'static str,
	/// Number of partitions of the space's content.
	pub partitions: u32,
	/// The service level that providers agree to.
	pub sla: String,
	/// Number of providers.
	pub provider_count: u32,
	/// Number of tenants.
	pub tenant_count: u32,
	/// Number of unused admissions.
	pub admission_count: u32,
	/// The muid of its creation.
	pub created: String,
	/// The time of its creation, in milliseconds since the Unix epoch.
	pub created_at: u64,
}

impl From<SpaceItem> for Space {
	fn from(SpaceItem { id, row }: SpaceItem) -> Self {
		Self {
			id: id.to_string(),
			governor: row.governor.to_string(),
			provider_bond: row.rules.provider_bond.to_string(),
			tenant_bond: row.rules.tenant_bond.to_string(),
			admission: admission_name(row.rules.admission),
			partitions: row.rules.partitions,
			sla: row.rules.sla.raw().into_owned(),
			provider_count: row.provider_count,
			tenant_count: row.tenant_count,
			admission_count: row.admission_count,
			created: row.created.to_string(),
			created_at: millis(row.created),
		}
	}
}

/// A provider or a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
	/// The id, `iprv…` or `iten…`.
	pub id: String,
	/// The role: `provider` or `tenant`.
	pub role: &'static str,
	/// The space.
	pub space: String,
	/// The account that owns it.
	pub root: String,
	/// The account that may become the root.
	pub nominee: Option<String>,
	/// The bond, in the smallest unit.
	pub bond: String,
	/// The bond that the space asks for, in the smallest unit.
	pub required_bond: String,
	/// The deposits for its row and those under it, in the smallest unit.
	pub deposits: String,
	/// All that is on hold, in the smallest unit.
	pub held: String,
	/// The most that may be on hold, in the smallest unit.
	pub max_held: String,
	/// Number of rows under it.
	pub row_count: u32,
	/// Number of rows under it, by map.
	pub rows: BTreeMap<String, u32>,
	/// True if governance has suspended it.
	pub suspended: bool,
	/// True if governance has frozen it.
	pub governance_delete: bool,
	/// The scope of its purge, `rows` or `member`, if one is under way.
	pub purge: Option<&'static str>,
	/// The block since which it has had no rows.
	pub empty_since: Option<u64>,
	/// The muid of its creation.
	pub created: String,
	/// The time of its creation, in milliseconds since the Unix epoch.
	pub created_at: u64,
}

/// Returns the word for the scope of a purge.
const fn scope(purge: PurgeScope) -> &'static str {
	match purge {
		PurgeScope::Rows => "rows",
		PurgeScope::Member => "member",
	}
}

impl From<MemberItem> for Member {
	fn from(MemberItem { id, row, required_bond }: MemberItem) -> Self {
		let rows = Map::under(id.role()).iter().map(|map| {
			let count = row.rows.get(map.count_name().unwrap_or_default());
			(map.name().to_owned(), count.copied().unwrap_or_default())
		});
		Self {
			role: kind(id),
			id: id.to_string(),
			space: row.space.to_string(),
			root: row.root.to_string(),
			nominee: row.nomination.as_ref().map(|nomination| nomination.nominee.to_string()),
			bond: row.bond.to_string(),
			required_bond: required_bond.to_string(),
			deposits: row.deposits().to_string(),
			held: row.held().to_string(),
			max_held: row.max_held.to_string(),
			row_count: row.row_count(),
			rows: rows.collect(),
			suspended: row.suspended,
			governance_delete: row.governance_delete,
			purge: row.purge.map(scope),
			empty_since: row.empty_since,
			created: row.created.to_string(),
			created_at: millis(row.created),
		}
	}
}

/// An unused admission to a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Admission {
	/// The admitted account.
	pub account: String,
	/// The role that it may take: `provider` or `tenant`.
	pub role: &'static str,
}

impl From<AdmissionItem> for Admission {
	fn from(AdmissionItem { account, role }: AdmissionItem) -> Self {
		Self { account: account.to_string(), role: role_name(role) }
	}
}

/// An access key of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Key {
	/// The account.
	pub account: String,
	/// Its level: `root`, `admin`, `kms` or `content`.
	pub level: &'static str,
}

impl From<KeyItem> for Key {
	fn from(KeyItem { account, level }: KeyItem) -> Self {
		let level = match level {
			Level::Provider(level) => provider_level_name(level),
			Level::Tenant(level) => tenant_level_name(level),
		};
		Self { account: account.to_string(), level }
	}
}

/// A node of a provider.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Node {
	/// The id, `inod…`.
	pub id: String,
	/// The provider.
	pub provider: String,
	/// The account that acts for it.
	pub operator: String,
	/// True if it has yet to be confirmed.
	pub pending: bool,
	/// Its locator.
	pub locator: String,
	/// The medallion of its muids, as digits.
	pub medallion: String,
	/// The muid of its last commit.
	pub last_muid: Option<String>,
	/// The deposit for its row, in the smallest unit.
	pub deposit: String,
	/// Results of its probes. `null` if this index has not probed it.
	pub probe: Option<Probe>,
}

impl Node {
	/// Makes the node, with what is known of its answers.
	pub(crate) fn new(NodeItem { provider, id, row }: NodeItem, probes: &Probes) -> Self {
		Self {
			probe: probes.of(row.medallion).map(Probe::from),
			id: id.to_string(),
			provider: provider.to_string(),
			operator: row.operator.to_string(),
			pending: row.pending,
			locator: row.locator.raw().into_owned(),
			medallion: row.medallion.to_string(),
			last_muid: row.last_muid.map(|muid| muid.to_string()),
			deposit: row.deposit.to_string(),
		}
	}
}

/// Results of the probes of a node, in this hour and the 23 before it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Probe {
	/// The last answer: `good`; `status`, an error or a redirect; `other`, not that of the node;
	/// `none`; or `locator`, if it names no HTTP server.
	pub answer: &'static str,
	/// The HTTP status of the last answer, if that is `good`, `status` or `other`.
	pub status: Option<u16>,
	/// The time of the last probe, in milliseconds since the Unix epoch.
	pub at: u64,
	/// Number of probes.
	pub asked: u32,
	/// Number of good answers.
	pub good: u32,
	/// Share of good answers, from 0 to 1.
	pub share: f64,
}

impl From<Evidence> for Probe {
	fn from(Evidence { answer, at, asked, good }: Evidence) -> Self {
		let (answer, status) = match answer {
			Answer::Good => ("good", Some(200)),
			Answer::Status(status) => ("status", Some(status)),
			Answer::Other => ("other", Some(200)),
			Answer::None => ("none", None),
			Answer::Locator => ("locator", None),
		};
		let share = f64::from(good) / f64::from(asked.max(1));
		Self { answer, status, at, asked, good, share }
	}
}

/// The roles of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Account {
	/// The account.
	pub account: String,
	/// Its roles, at most 100.
	pub roles: Vec<Role>,
	/// True if it has more.
	pub more: bool,
}

/// A role of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Role {
	/// The id of the space, the member or the node.
	pub member: String,
	/// The kind of that id: `space`, `provider`, `tenant` or `node`.
	pub kind: &'static str,
	/// The role: `governor`, `root`, `nominee`, `admin`, `kms`, `content` or `operator`.
	pub role: String,
	/// All that is on hold, for the role `root`.
	pub held: Option<String>,
	/// The bond, for the role `root`.
	pub bond: Option<String>,
	/// The deposits, for the role `root`.
	pub deposits: Option<String>,
}

impl From<RoleItem> for Role {
	fn from(RoleItem { kind: entity, role, row }: RoleItem) -> Self {
		let (member, kind) = match entity {
			RoleKind::Space(space) => (space.to_string(), "space"),
			RoleKind::Member(member) => (member.to_string(), kind(member)),
			RoleKind::Node(node) => (node.to_string(), "node"),
		};
		let amount = |of: &dyn Fn(&content_fabric_client::chain::rows::Member) -> u128| {
			row.as_ref().map(|row| of(row).to_string())
		};
		Self {
			member,
			kind,
			role,
			held: amount(&|row| row.held()),
			bond: amount(&|row| row.bond),
			deposits: amount(&|row| row.deposits()),
		}
	}
}

impl From<AccountItem> for Account {
	fn from(AccountItem { account, roles, more }: AccountItem) -> Self {
		let roles = roles.into_iter().map(Role::from).collect();
		Self { account: account.to_string(), roles, more }
	}
}

/// A purge under way.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purge {
	/// The member.
	pub member: String,
	/// The role of the member: `provider` or `tenant`.
	pub role: &'static str,
	/// The space of the member.
	pub space: Option<String>,
	/// The scope: `rows` or `member`.
	pub scope: &'static str,
	/// Number of rows at its start.
	pub rows: u32,
	/// Number of rows that are left.
	pub rows_left: u32,
	/// The block in which it was started.
	pub started_in: u64,
	/// Its place in the deletion queue.
	pub place: u64,
	/// Number of rows that were removed in a block, on average since its start.
	pub rate: Option<f64>,
	/// Number of blocks until its end at this rate.
	pub blocks_left: Option<u64>,
}

impl Purge {
	/// Makes the purge as it is at a block.
	pub(crate) fn new(PurgeItem { member, row, member_row }: PurgeItem, block: u64) -> Self {
		let rows_left = member_row.as_ref().map_or(0, |row| row.row_count());
		let removed = u64::from(row.rows.saturating_sub(rows_left));
		let blocks = block.saturating_sub(row.started);
		let is_known = removed > 0 && blocks > 0;
		let left = u64::from(rows_left).saturating_mul(blocks);
		let purge = member_row.as_ref().and_then(|row| row.purge).unwrap_or(PurgeScope::Member);
		Self {
			member: member.to_string(),
			role: kind(member),
			space: member_row.map(|row| row.space.to_string()),
			scope: scope(purge),
			rows: row.rows,
			rows_left,
			started_in: row.started,
			place: row.place,
			rate: is_known.then(|| rate(removed, blocks)),
			blocks_left: is_known.then(|| left.div_ceil(removed)),
		}
	}
}

/// Returns rows per block with two decimal places.
#[expect(clippy::cast_precision_loss, reason = "numbers of rows and blocks are far below 2^52")]
fn rate(removed: u64, blocks: u64) -> f64 {
	(removed as f64 * 100.0 / blocks as f64).round() / 100.0
}
