// SPDX-License-Identifier: Apache-2.0
//! Reads values of the index, at one moment or in a transaction.

use codec::{Decode, DecodeAll, Encode};
use content_fabric_client::chain::rows::Member;
use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use content_fabric_okvs::{
	disk::DiskError,
	tuple::{unpack, Element},
	Read,
};
use content_fabric_primitives::MemberId;
use scale_info::TypeInfo;

use super::{
	error::{Error, Found, Result},
	keys::{self, Incarnation, FLAT},
	orders::Stored,
};
use crate::rows::{Map, RowKey};

/// A snapshot of the file, or a transaction.
pub(crate) trait Store: Read<Error = DiskError> {}

impl<R: Read<Error = DiskError>> Store for R {}

/// The member of an incarnation, and the space of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub(crate) struct Owner {
	/// The member.
	pub member: MemberId,
	/// Its space.
	pub space: SpaceId,
}

impl Owner {
	/// Returns the member if it is a provider.
	pub fn provider(self) -> Option<ProviderId> {
		match self.member {
			MemberId::Provider(provider) => Some(provider),
			MemberId::Tenant(_) => None,
		}
	}

	/// Returns the member if it is a tenant.
	pub fn tenant(self) -> Option<TenantId> {
		match self.member {
			MemberId::Tenant(tenant) => Some(tenant),
			MemberId::Provider(_) => None,
		}
	}
}

/// Decodes a value. `what` names it in the error.
pub(crate) fn decode<Value: Decode>(mut bytes: &[u8], what: &str) -> Result<Value> {
	Value::decode_all(&mut bytes).map_err(|_| Error::corrupted(what))
}

/// Returns the value of a key. `what` names it in the error.
pub(crate) fn value<Value: Decode>(read: &impl Store, key: &[u8], what: &str) -> Found<Value> {
	read.get(key)?.map(|bytes| decode(&bytes, what)).transpose()
}

/// Returns a row at its place.
pub(crate) fn stored(read: &impl Store, place: &[u8]) -> Found<Stored> {
	value(read, place, "a row")
}

/// Returns the row of a member.
pub(crate) fn member(read: &impl Store, member: MemberId) -> Found<Member> {
	let stored = stored(read, &keys::row(FLAT, &RowKey::member(member)))?;
	Ok(stored.map(|stored| stored.row.value.try_into()).transpose()?)
}

/// Returns the present incarnation of a member.
pub(crate) fn incarnation(read: &impl Store, member: MemberId) -> Found<Incarnation> {
	value(read, &keys::incarnation(member), "the incarnation of a member")
}

/// Returns the member of an incarnation, and its space.
pub(crate) fn owner(read: &impl Store, m: Incarnation) -> Result<Owner> {
	let owner = value(read, &keys::member(m), "the member of an incarnation")?;
	owner.ok_or_else(|| Error::corrupted(format!("the member of incarnation {m}")))
}

/// Reads the place of a row of a map: its incarnation, its key, and whether the incarnation has not
/// ended.
pub(crate) fn place(
	read: &impl Store,
	map: Map,
	place: &[u8],
) -> Result<(Incarnation, RowKey, bool)> {
	let wrong = || Error::corrupted("the key of a row");
	let rest = place.strip_prefix(keys::map(map).prefix()).ok_or_else(wrong)?;
	let items: Vec<Element<'_>> = unpack(rest)?;
	let m = match items.first() {
		Some(Element::Int(m)) => u64::try_from(*m).map_err(|_| wrong())?,
		_ => return Err(wrong()),
	};
	let (member, is_present) = match m {
		FLAT => (None, true),
		m => {
			let member = owner(read, m)?.member;
			(Some(member), incarnation(read, member)? == Some(m))
		},
	};
	let key = keys::read_row(map, m, member, place).ok_or_else(wrong)?;
	Ok((m, key, is_present))
}
