// SPDX-License-Identifier: Apache-2.0
//! Providers and tenants, and their access keys.

use std::ops::Bound;

use content_fabric_client::chain::rows;
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{disk::DiskError, tuple_store::Constraint, Read};
use content_fabric_primitives::{MemberId, ProviderLevel, Role, TenantLevel};
use subxt::utils::AccountId32;

use super::page::{unreadable, value, Page, ReadError, Slice};
use super::View;
use crate::{
	index::{
		error::Error,
		keys::{member_of, Incarnation, FLAT},
		orders::{Rank, FOUND},
		writer::{read_incarnation, read_owner, Owner},
	},
	rows::{Map, RowKey, RowValue},
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

/// The level of an access key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
	/// The level in a provider.
	Provider(ProviderLevel),
	/// The level in a tenant.
	Tenant(TenantLevel),
}

/// An access key of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyItem {
	/// The account.
	pub account: AccountId32,
	/// Its level.
	pub level: Level,
}

/// Returns a constraint that all numbers meet, to name the position that an order goes on with.
fn any_number() -> Constraint {
	Constraint::within(&(Bound::<u128>::Unbounded, Bound::Unbounded))
}

/// Returns the number of a role in keys.
fn number(role: Role) -> u8 {
	match role {
		Role::Provider => 0,
		Role::Tenant => 1,
	}
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns a provider or a tenant.
	pub fn member(&self, id: MemberId) -> Result<Option<MemberItem>, Error> {
		let Some(row) = self.member_row(id)? else { return Ok(None) };
		let space = self.space(row.space)?;
		let required_bond = space.map_or(0, |space| space.row.rules.bond(id.role()));
		Ok(Some(MemberItem { id, row, required_bond }))
	}

	pub(crate) fn member_row(&self, id: MemberId) -> Result<Option<rows::Member>, Error> {
		let Some(stored) = self.stored(FLAT, &RowKey::member(id))? else { return Ok(None) };
		value!(stored, Member).map(Some)
	}

	/// Returns the present incarnation of a member with its owner. `None` if the member does not
	/// exist.
	pub(crate) fn present(
		&self,
		member: impl Into<MemberId>,
	) -> Result<Option<(Incarnation, Owner)>, Error> {
		let Some(m) = read_incarnation(&self.read, member.into())? else { return Ok(None) };
		let owner = read_owner(&self.read, m)?
			.ok_or_else(|| Error::corrupted(format!("the member of incarnation {m}")))?;
		Ok(Some((m, owner)))
	}

	/// Returns the members of a space, of a role or of both. `None` if the space does not exist.
	pub fn members(
		&self,
		space: SpaceId,
		role: Option<Role>,
		order: MemberOrder,
		slice: &Slice,
	) -> Result<Option<Page<MemberItem>>, ReadError> {
		let Some(found) = self.space(space)? else { return Ok(None) };
		let rules = found.row.rules;
		let item = |role: u8, id: [u8; 10]| {
			let id = member_of((role, id));
			let row = self.member_row(id)?;
			Ok(row.map(|row| MemberItem { id, row, required_bond: rules.bond(id.role()) }))
		};
		let role = role.map(number);
		let page = match order {
			MemberOrder::Id => {
				// Each role has its own range. A place in the first is before all of the second,
				// and one in the second is after all of the first.
				let roles = role.map_or(vec![0, 1], |role| vec![role]);
				let any_id = Constraint::within(&(Bound::<[u8; 10]>::Unbounded, Bound::Unbounded));
				let mut rows = Vec::new();
				for role in roles {
					let role = Constraint::bound(&role);
					let pattern =
						[Constraint::bound(&space), role, Constraint::free(), any_id.clone()];
					rows.push(self.found(&FOUND.members, &pattern, slice, false)?);
				}
				self.collect(slice, rows.into_iter().flatten(), |row| {
					item(row.item(1).map_err(unreadable)?, row.item(3).map_err(unreadable)?)
				})?
			},
			MemberOrder::Age => {
				let pattern = [
					Constraint::bound(&space),
					role.map_or_else(Constraint::free, |role| Constraint::bound(&role)),
					any_number(),
					Constraint::free(),
				];
				let rows = self.found(&FOUND.members, &pattern, slice, false)?;
				self.collect(slice, rows, |row| {
					item(row.item(1).map_err(unreadable)?, row.item(3).map_err(unreadable)?)
				})?
			},
			MemberOrder::Bond => self.highest(space, role, Rank::Bond, slice, item)?,
			MemberOrder::Rows => self.highest(space, role, Rank::Rows, slice, item)?,
		};
		Ok(Some(page))
	}

	fn highest(
		&self,
		space: SpaceId,
		role: Option<u8>,
		rank: Rank,
		slice: &Slice,
		item: impl Fn(u8, [u8; 10]) -> Result<Option<MemberItem>, ReadError>,
	) -> Result<Page<MemberItem>, ReadError> {
		let pattern = [
			Constraint::bound(&space),
			role.map_or_else(Constraint::free, |role| Constraint::bound(&role)),
			Constraint::bound(&(rank as u8)),
			any_number(),
			Constraint::free(),
		];
		let slice = Slice { after: None, limit: slice.limit };
		let rows = self.found(&FOUND.ranks, &pattern, &slice, true)?;
		let page = self.collect(&slice, rows, |row| {
			item(row.item(1).map_err(unreadable)?, row.item(4).map_err(unreadable)?)
		})?;
		Ok(Page { next: None, ..page })
	}

	/// Returns the access keys of a member. `None` if the member does not exist.
	pub fn keys(
		&self,
		member: MemberId,
		slice: &Slice,
	) -> Result<Option<Page<KeyItem>>, ReadError> {
		let map = match member.role() {
			Role::Provider => Map::ProviderKeys,
			Role::Tenant => Map::TenantKeys,
		};
		let Some((m, owner)) = self.present(member)? else { return Ok(None) };
		let rows = self.rows_of(map, Some(owner), m, &[], slice)?;
		let page = self.collect(slice, rows, |(key, stored)| {
			Ok(match (key, stored.row.value) {
				(RowKey::ProviderKey(_, account), RowValue::ProviderKey(level)) => {
					Some(KeyItem { account, level: Level::Provider(level) })
				},
				(RowKey::TenantKey(_, account), RowValue::TenantKey(level)) => {
					Some(KeyItem { account, level: Level::Tenant(level) })
				},
				_ => None,
			})
		})?;
		Ok(Some(page))
	}
}
