// SPDX-License-Identifier: Apache-2.0
//! Keys of the index. Every key is a packed tuple that begins with the number of its part.

use std::borrow::Cow;

use codec::{Decode, Encode};
use content_fabric_client::text::Text;
use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use content_fabric_okvs::tuple::{FromItem, Items, Subspace};
use content_fabric_primitives::{MemberId, Role};
use subxt::utils::AccountId32;

use crate::{
	rows::{Map, RowKey},
	source::{Hash, Topic},
};

/// Number of a part of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Part {
	/// Single values, by name.
	Meta = 0,
	/// The number of the incarnation of each member.
	Incarnation = 1,
	/// The member of each incarnation.
	Member = 2,
	/// Rows.
	Row = 3,
	/// Numbers of rows, by incarnation and map.
	Count = 4,
	/// Sums by space.
	Sum = 5,
	/// Sums by space and hour.
	Total = 6,
	/// Blocks, by number.
	Block = 7,
	/// Numbers of blocks, by hash.
	BlockHash = 8,
	/// Events, by block and place.
	Event = 9,
	/// Events by topic.
	History = 10,
	/// Incarnations that ended, whose rows have yet to be removed.
	Ended = 11,
	/// Rows in other orders. The number of the order follows.
	Order = 12,
}

/// The number of an incarnation: the rows under a member from its creation, or from its last purge,
/// to its end.
pub type Incarnation = u64;

/// The incarnation of rows that are under no member.
pub(crate) const FLAT: Incarnation = 0;

/// Returns the part's keys.
pub(crate) fn part(part: Part) -> Subspace {
	Subspace::new(&(part as u8,))
}

fn key<T: Items>(of: Part, items: &T) -> Vec<u8> {
	part(of).pack(items)
}

pub(crate) fn meta(name: &str) -> Vec<u8> {
	key(Part::Meta, &(name,))
}

/// Returns the number of a role.
pub(crate) const fn role_number(role: Role) -> u8 {
	match role {
		Role::Provider => 0,
		Role::Tenant => 1,
	}
}

/// Returns a member as items: the number of its role, and its id.
pub(crate) fn member_items(member: MemberId) -> (u8, [u8; 10]) {
	(role_number(member.role()), *member.as_bytes())
}

/// Returns the member of items.
pub(crate) fn member_of((role, id): (u8, [u8; 10])) -> MemberId {
	match role {
		0 => ProviderId(id).into(),
		_ => TenantId(id).into(),
	}
}

pub(crate) fn incarnation(member: MemberId) -> Vec<u8> {
	key(Part::Incarnation, &member_items(member))
}

pub(crate) fn member(incarnation: Incarnation) -> Vec<u8> {
	key(Part::Member, &(incarnation,))
}

pub(crate) fn ended(incarnation: Incarnation) -> Vec<u8> {
	key(Part::Ended, &(incarnation,))
}

pub(crate) fn count(incarnation: Incarnation, map: Map) -> Vec<u8> {
	key(Part::Count, &(incarnation, map.number()))
}

/// Returns the key of the sums of a space, or of all spaces.
pub(crate) fn sum(space: Option<SpaceId>) -> Vec<u8> {
	key(Part::Sum, &(space.map(|space| space.0),))
}

/// Returns the key of the sums of a space, or of all spaces, in an hour since the Unix epoch.
pub(crate) fn total(space: Option<SpaceId>, hour: u64) -> Vec<u8> {
	key(Part::Total, &(space.map(|space| space.0), hour))
}

/// Returns what the keys of a space's sums by hour begin with.
pub(crate) fn totals(space: Option<SpaceId>) -> Subspace {
	part(Part::Total).subspace(&(space.map(|space| space.0),))
}

pub(crate) fn block(number: u64) -> Vec<u8> {
	key(Part::Block, &(number,))
}

pub(crate) fn block_hash(hash: &Hash) -> Vec<u8> {
	key(Part::BlockHash, &(*hash,))
}

pub(crate) fn event(block: u64, index: u32) -> Vec<u8> {
	key(Part::Event, &(block, index))
}

/// Returns what the keys of a block's events begin with.
pub(crate) fn events(block: u64) -> Subspace {
	part(Part::Event).subspace(&(block,))
}

/// Returns what the keys of a topic's events begin with. Block and place follow.
pub(crate) fn topic(topic: &Topic) -> Subspace {
	part(Part::History).subspace(&(topic.encode().as_slice(),))
}

/// Returns what the keys of the rows of a map begin with.
pub(crate) fn map(map: Map) -> Subspace {
	part(Part::Row).subspace(&(map.number(),))
}

/// Returns what the keys of the rows of a map and an incarnation begin with.
pub(crate) fn rows(map: Map, incarnation: Incarnation) -> Subspace {
	part(Part::Row).subspace(&(map.number(), incarnation))
}

/// Returns the key of a row. Map and incarnation come before the parts of its key.
pub(crate) fn row(incarnation: Incarnation, row: &RowKey) -> Vec<u8> {
	let rows = rows(row.map(), incarnation);
	match row {
		RowKey::Space(space) => rows.pack(&(*space,)),
		RowKey::Admission(space, (account, role)) => {
			rows.pack(&(*space, account.0, role.encode().as_slice()))
		},
		RowKey::Provider(provider) => rows.pack(&(*provider,)),
		RowKey::Tenant(tenant) => rows.pack(&(*tenant,)),
		RowKey::ProviderKey(_, account) | RowKey::TenantKey(_, account) => rows.pack(&(account.0,)),
		RowKey::Node(_, node) => rows.pack(&(*node,)),
		RowKey::Kms(_, kms) => rows.pack(&(*kms,)),
		RowKey::ContentObject(_, object) => rows.pack(&(*object,)),
		RowKey::Version(_, object, version) => rows.pack(&(*object, *version)),
		RowKey::Collection(_, name) => rows.pack(&(name.0.as_slice(),)),
		RowKey::Record(_, collection, key) => {
			rows.pack(&(collection.0.as_slice(), key.0.as_slice()))
		},
		RowKey::Purge(member) => rows.pack(&member_items(*member)),
	}
}

/// Reads the key of a row back. `member` names its incarnation; it does not matter for rows under
/// no member. `None` if the key has another form.
pub(crate) fn read_row(
	map: Map,
	incarnation: Incarnation,
	member: Option<MemberId>,
	key: &[u8],
) -> Option<RowKey> {
	fn one<'k, T: FromItem<'k>>(rows: &Subspace, key: &'k [u8]) -> Option<T> {
		rows.unpack(key).ok().map(|(item,)| item)
	}
	let rows = &rows(map, incarnation);
	let (provider, tenant) = match member {
		Some(MemberId::Provider(provider)) => (Some(provider), None),
		Some(MemberId::Tenant(tenant)) => (None, Some(tenant)),
		None => (None, None),
	};
	Some(match map {
		Map::Spaces => RowKey::Space(one(rows, key)?),
		Map::Admissions => {
			let (space, account, role) = rows.unpack::<(_, _, Cow<'_, [u8]>)>(key).ok()?;
			RowKey::Admission(space, (AccountId32(account), Role::decode(&mut &role[..]).ok()?))
		},
		Map::Providers => RowKey::Provider(one(rows, key)?),
		Map::ProviderKeys => RowKey::ProviderKey(provider?, AccountId32(one(rows, key)?)),
		Map::Nodes => RowKey::Node(provider?, one(rows, key)?),
		Map::Tenants => RowKey::Tenant(one(rows, key)?),
		Map::TenantKeys => RowKey::TenantKey(tenant?, AccountId32(one(rows, key)?)),
		Map::Kmses => RowKey::Kms(tenant?, one(rows, key)?),
		Map::ContentObjects => RowKey::ContentObject(tenant?, one(rows, key)?),
		Map::Versions => {
			let (object, version) = rows.unpack(key).ok()?;
			RowKey::Version(tenant?, object, version)
		},
		Map::Collections => RowKey::Collection(tenant?, text(one(rows, key)?)),
		Map::Records => {
			let (collection, key) = rows.unpack(key).ok()?;
			RowKey::Record(tenant?, text(collection), text(key))
		},
		Map::Purges => RowKey::Purge(member_of(rows.unpack(key).ok()?)),
	})
}

/// Returns the text of an item.
pub(crate) fn text(item: Cow<'_, [u8]>) -> Text {
	Text(item.into_owned())
}
