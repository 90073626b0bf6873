// SPDX-License-Identifier: Apache-2.0
//! Roles of accounts.

use std::borrow::Cow;

use content_fabric_client::{chain::rows, ids::AnyId};
use content_fabric_identifiers::{KmsId, NodeId, SpaceId};
use content_fabric_okvs::tuple_store::Free;
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::page::{Owners, Slice};
use super::{Found, View};
use crate::index::{
	error::{Error, Result},
	keys::{member_of, FLAT},
	orders::{RoleIn, STORES},
};

/// Largest number of roles of an account that are returned.
pub const MAX_ROLES: usize = 100;

/// A role of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleItem {
	/// The space, the member, the node or the KMS that the role is in.
	pub id: AnyId,
	/// The role: `governor`, `root`, `nominee`, `operator`, or the level of an access key.
	pub role: String,
	/// The row of the member that has the account as its root.
	pub row: Option<rows::Member>,
}

/// The word for the access key of the highest level.
const ROOT_KEY: &str = "root-key";

impl View<'_> {
	/// Returns the roles of an account, at most [`MAX_ROLES`], and whether it has more.
	pub fn roles(&self, account: AccountId32) -> Result<(Vec<RoleItem>, bool)> {
		let mut owners = Owners::new(self);
		// One more, to know whether there are more.
		let slice = Slice { after: None, limit: MAX_ROLES + 1 };
		let pattern = (account.0, Free, Free, Free, Free);
		let rows = self.found(&STORES.accounts, &pattern, &slice, false)?;
		let page = self.collect(&slice, rows, |row| {
			let (m, id): (_, Cow<'_, [u8]>) = (row.item(1)?, row.item(3)?);
			match m == FLAT || owners.get(m)?.is_some() {
				true => self.role(account, row.item(2)?, &id, row.item(4)?),
				false => Ok(None),
			}
		})?;
		// There is no next page for what the time did not suffice for.
		if page.next.is_some() && page.items.len() <= MAX_ROLES && self.is_late() {
			return Err(Error::TooSlow);
		}
		let mut roles = page.items;
		let more = page.next.is_some() || roles.len() > MAX_ROLES;
		roles.truncate(MAX_ROLES);
		Ok((roles, more))
	}

	fn role(&self, account: AccountId32, kind: u8, id: &[u8], role: String) -> Found<RoleItem> {
		let wrong = || Error::corrupted("the role of an account");
		let ten = |id: &[u8]| <[u8; 10]>::try_from(id).map_err(|_| wrong());
		let (id, member) = match kind {
			kind if kind == RoleIn::Space as u8 => (AnyId::Space(SpaceId(ten(id)?)), None),
			kind if kind == RoleIn::Node as u8 => (AnyId::Node(NodeId(ten(id)?)), None),
			kind if kind == RoleIn::Kms as u8 => (AnyId::Kms(KmsId(ten(id)?)), None),
			kind if kind == RoleIn::Member as u8 => {
				let (role, id) = id.split_first().ok_or_else(wrong)?;
				let member = member_of((*role, ten(id)?));
				let id = match member {
					MemberId::Provider(provider) => AnyId::Provider(provider),
					MemberId::Tenant(tenant) => AnyId::Tenant(tenant),
				};
				(id, Some(member))
			},
			_ => return Err(wrong()),
		};
		let row = match member {
			Some(member) if ["root", ROOT_KEY].contains(&&*role) => self.member_row(member)?,
			_ => None,
		};
		if role != ROOT_KEY {
			return Ok(Some(RoleItem { id, role, row }));
		}
		// The root's own access key says nothing new.
		let is_own = row.is_some_and(|row| row.root == account);
		Ok((!is_own).then(|| RoleItem { id, role: "root".into(), row: None }))
	}
}
