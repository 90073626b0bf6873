// SPDX-License-Identifier: Apache-2.0
//! Roles of accounts.

use std::borrow::Cow;

use content_fabric_client::chain::rows;
use content_fabric_identifiers::{NodeId, SpaceId};
use content_fabric_okvs::tuple_store::Free;
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::page::{Owners, Slice, MAX_SKIPPED};
use super::View;
use crate::index::{
	error::Error,
	keys::{member_of, FLAT},
	orders::{RoleIn, FOUND},
};

/// The most roles of an account that are returned.
pub const MAX_ROLES: usize = 100;

/// The roles of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountItem {
	/// The account.
	pub account: AccountId32,
	/// Its roles, at most [`MAX_ROLES`].
	pub roles: Vec<RoleItem>,
	/// True if it has more.
	pub more: bool,
}

/// A role of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleItem {
	/// The entity that the role is in.
	pub kind: RoleKind,
	/// The role: `governor`, `root`, `nominee`, `operator`, or the level of an access key.
	pub role: String,
	/// The row of the member whose root the account is.
	pub row: Option<rows::Member>,
}

/// The entity that a role is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleKind {
	/// A space.
	Space(SpaceId),
	/// A provider or a tenant.
	Member(MemberId),
	/// A node.
	Node(NodeId),
}

/// The word for the access key of the highest level.
const ROOT_KEY: &str = "root-key";

impl View<'_> {
	/// Returns the roles of an account. One without roles has an empty list.
	pub fn account(&self, account: AccountId32) -> Result<AccountItem, Error> {
		let mut owners = Owners::new(self);
		let slice = Slice { after: None, limit: MAX_ROLES };
		let mut skipped = 0;
		let mut roles: Vec<RoleItem> = Vec::new();
		let pattern = (account.0, Free, Free, Free, Free);
		for row in self.found(&FOUND.accounts, &pattern, &slice, false)? {
			self.check_time()?;
			let (_, row) = row?;
			let (m, id): (_, Cow<'_, [u8]>) = (row.item(1)?, row.item(3)?);
			let role = match m == FLAT || owners.get(m)?.is_some() {
				true => Some(self.role(row.item(2)?, &id, row.item(4)?)?),
				false => None,
			};
			// The root's own access key says nothing new.
			let is_known = |role: &RoleItem| {
				roles.iter().any(|known| (known.kind, &known.role) == (role.kind, &role.role))
			};
			match role.filter(|role| !is_known(role)) {
				Some(_) if roles.len() == MAX_ROLES => {
					return Ok(AccountItem { account, roles, more: true });
				},
				Some(role) => roles.push(role),
				None => skipped += 1,
			}
			if skipped == MAX_SKIPPED {
				return Ok(AccountItem { account, roles, more: true });
			}
		}
		Ok(AccountItem { account, roles, more: false })
	}

	fn role(&self, kind: u8, id: &[u8], role: String) -> Result<RoleItem, Error> {
		let wrong = || Error::corrupted("the role of an account");
		let ten = |id: &[u8]| <[u8; 10]>::try_from(id).map_err(|_| wrong());
		let kind = match kind {
			kind if kind == RoleIn::Space as u8 => RoleKind::Space(SpaceId(ten(id)?)),
			kind if kind == RoleIn::Member as u8 => {
				let (role, id) = id.split_first().ok_or_else(wrong)?;
				RoleKind::Member(member_of((*role, ten(id)?)))
			},
			kind if kind == RoleIn::Node as u8 => RoleKind::Node(NodeId(ten(id)?)),
			_ => return Err(wrong()),
		};
		let row = match kind {
			RoleKind::Member(member) if role == "root" => self.member_row(member)?,
			_ => None,
		};
		let role = if role == ROOT_KEY { "root".into() } else { role };
		Ok(RoleItem { kind, role, row })
	}
}
