// SPDX-License-Identifier: Apache-2.0
//! Providers and tenants, their access keys, and their purges.

use std::ops::Bound;

use content_fabric_client::chain::{
	provider_level_name,
	rows::{self, PurgeScope},
	tenant_level_name,
};
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::tuple_store::Constraint;
use content_fabric_primitives::{MemberId, Role};
use subxt::utils::AccountId32;

use super::{Found, Page, Slice, View};
use crate::{
	index::{
		error::Result,
		keys::{member_of, role_number, FLAT},
		orders::{Rank, STORES},
		read,
	},
	rows::Map,
};

/// A provider or a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberItem {
	/// Its id.
	pub id: MemberId,
	/// Its row.
	pub row: rows::Member,
	/// The bond that its space asks for.
	pub required_bond: u128,
}

/// An order of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberOrder {
	/// Providers before tenants, ascending by id.
	Id,
	/// The oldest first.
	Age,
	/// The highest bond first. A list without a next page.
	Bond,
	/// The most rows first. A list without a next page.
	Rows,
}

/// A purge under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeItem {
	/// The member.
	pub member: MemberId,
	/// The row of the purge.
	pub row: rows::Purge,
	/// The row of the member.
	pub member_row: Option<rows::Member>,
	/// Number of blocks since its start.
	pub blocks: u64,
}

impl PurgeItem {
	/// Returns the number of rows that are left.
	pub fn rows_left(&self) -> u32 {
		self.member_row.as_ref().map_or(0, |row| row.row_count())
	}

	/// Returns the scope.
	pub fn scope(&self) -> PurgeScope {
		let scope = self.member_row.as_ref().and_then(|row| row.purge);
		scope.unwrap_or(PurgeScope::Member)
	}
}

/// Returns a constraint that all items meet, to name the position that an order goes on with.
pub(super) fn any() -> Constraint {
	Constraint::within(&(Bound::<u128>::Unbounded, Bound::Unbounded))
}

impl View<'_> {
	/// Returns a provider or a tenant.
	pub fn member(&self, id: MemberId) -> Found<MemberItem> {
		let Some(row) = self.member_row(id)? else { return Ok(None) };
		let space = self.space(row.space)?;
		let required_bond = space.map_or(0, |space| space.rules.bond(id.role()));
		Ok(Some(MemberItem { id, row, required_bond }))
	}

	pub(crate) fn member_row(&self, id: MemberId) -> Found<rows::Member> {
		read::member(&self.read, id)
	}

	/// Returns the members of a space, of a role or of both. `None` if the space does not exist.
	pub fn members(
		&self,
		space: SpaceId,
		role: Option<Role>,
		order: MemberOrder,
		slice: &Slice,
	) -> Found<Page<MemberItem>> {
		let Some(rows::Space { rules, .. }) = self.space(space)? else { return Ok(None) };
		let item = |role: u8, id: [u8; 10]| {
			let id = member_of((role, id));
			let row = self.member_row(id)?;
			Ok(row.map(|row| MemberItem { id, row, required_bond: rules.bond(id.role()) }))
		};
		let space = Constraint::bound(&space);
		let role = role.map(role_number);
		let in_role = role.map_or_else(Constraint::free, |role| Constraint::bound(&role));
		let highest = |rank: Rank| {
			let rank = Constraint::bound(&(rank as u8));
			let pattern = [space.clone(), in_role.clone(), rank, any(), Constraint::free()];
			let slice = Slice { after: None, limit: slice.limit };
			let rows = self.found(&STORES.ranks, &pattern, &slice, true)?;
			let page = self.collect(&slice, rows, |row| item(row.item(1)?, row.item(4)?))?;
			Ok(Page { next: None, ..page })
		};
		let page = match order {
			MemberOrder::Id => {
				// Each role has its own range. A place in the first is before all of the second,
				// and one in the second is after all of the first.
				let mut rows = Vec::new();
				for role in role.map_or(vec![0, 1], |role| vec![role]) {
					let role = Constraint::bound(&role);
					let pattern = [space.clone(), role, Constraint::free(), any()];
					rows.push(self.found(&STORES.members, &pattern, slice, false)?);
				}
				let rows = rows.into_iter().flatten();
				self.collect(slice, rows, |row| item(row.item(1)?, row.item(3)?))
			},
			MemberOrder::Age => {
				let pattern = [space, in_role, any(), Constraint::free()];
				let rows = self.found(&STORES.members, &pattern, slice, false)?;
				self.collect(slice, rows, |row| item(row.item(1)?, row.item(3)?))
			},
			MemberOrder::Bond => highest(Rank::Bond),
			MemberOrder::Rows => highest(Rank::Rows),
		};
		page.map(Some)
	}

	/// Returns the access keys of a member: accounts, and the words for their levels. `None` if the
	/// member does not exist.
	pub fn keys(
		&self,
		member: MemberId,
		slice: &Slice,
	) -> Found<Page<(AccountId32, &'static str)>> {
		match member {
			MemberId::Provider(provider) => {
				let page = self.under(provider, Map::ProviderKeys, slice)?;
				Ok(page.map(|page| page.map(|key| (key.id, provider_level_name(key.row)))))
			},
			MemberId::Tenant(tenant) => {
				let page = self.under(tenant, Map::TenantKeys, slice)?;
				Ok(page.map(|page| page.map(|key| (key.id, tenant_level_name(key.row)))))
			},
		}
	}

	/// Returns the purges under way, by member.
	pub fn purges(&self, slice: &Slice) -> Result<Page<PurgeItem>> {
		self.rows_of(Map::Purges, (FLAT, None), &[], slice, |key, stored| {
			let (member,) = key.try_into()?;
			let row: rows::Purge = stored.row.value.try_into()?;
			let blocks = self.state().last.number.saturating_sub(row.started);
			Ok(PurgeItem { member, row, member_row: self.member_row(member)?, blocks })
		})
	}
}
