// SPDX-License-Identifier: Apache-2.0
//! The orders in which rows are found, besides the order of their keys.

use std::{collections::BTreeSet, sync::LazyLock};

use codec::{Decode, Encode};
use content_fabric_client::record_names::name_of_record;
use content_fabric_okvs::{
	tuple_store::{Orders, TupleStore},
	Error, Transaction,
};
use content_fabric_primitives::{ContentRef, MemberId, ProviderLevel, TenantLevel};
use scale_info::TypeInfo;
use subxt::utils::AccountId32;

use super::{
	folded::Folded,
	keys::{member_items, part, Incarnation, Part, FLAT},
};
use crate::rows::{Row, RowKey, RowValue};

/// A value by which members are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rank {
	/// The bond.
	Bond = 0,
	/// The number of rows.
	Rows = 1,
}

/// The kind of entity in which an account has a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoleIn {
	Space = 0,
	Member = 1,
	Node = 2,
	Kms = 3,
}

/// The state of a copy whose node has declared that it holds the data.
pub(crate) const HELD: u8 = 0;
/// The state of a copy that a node was only asked for.
pub(crate) const ASKED: u8 = 1;

macro_rules! orders {
	($($(#[$doc:meta])* $number:literal $store:ident[$items:literal] $orders:expr,)*) => {
		/// The tuple stores. Values are empty.
		pub(crate) struct Stores {
			$($(#[$doc])* pub $store: TupleStore<$items>,)*
		}

		/// The tuple stores.
		pub(crate) static STORES: LazyLock<Stores> =
			LazyLock::new(|| Stores { $($store: store($number, $orders),)* });
	};
}

// The number of each store, the number of items of its tuples, and the orders of these items. `m`
// is an incarnation. Times are the muids of the chain in the rows, never those in ids or keys,
// which anybody may choose.
orders! {
	/// Creation, space.
	0 spaces[2] [[0, 1]],
	/// Space, role, creation, id.
	1 members[4] [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]],
	/// Space, role, [`Rank`], value, id.
	2 ranks[5] [[0, 1, 2, 3, 4], [0, 2, 3, 1, 4]],
	/// Content object, m, creation.
	3 objects[3] [[0, 1, 2], [1, 2, 0]],
	/// Version, m, content object, commit.
	4 versions[4] [[0, 1, 2, 3], [1, 2, 3, 0]],
	/// Medallion of a node, commit, m, content object, version.
	5 copies[5] [[0, 1, 2, 3, 4]],
	/// [`Folded`] name, m, collection, key.
	6 names[4] [[0, 1, 2, 3]],
	/// Word of a folded name, m, collection, key.
	7 words[4] [[0, 1, 2, 3]],
	/// m, content object, version, collection, key.
	8 targets[5] [[0, 1, 2, 3, 4]],
	/// m, collection, last put, key.
	9 times[4] [[0, 1, 2, 3]],
	/// Account, m, [`RoleIn`], id, role.
	10 accounts[5] [[0, 1, 2, 3, 4]],
	/// Medallion of a node, m, node.
	11 medallions[3] [[0, 1, 2]],
	/// Node, m.
	12 nodes[2] [[0, 1]],
	/// KMS, m.
	13 kmses[2] [[0, 1]],
	/// Folded name of a collection, m, name.
	14 collections[3] [[0, 1, 2]],
	/// Medallion of a node, [`HELD`] or [`ASKED`], version, m, content object.
	15 states[5] [[0, 1, 2, 3, 4], [3, 0, 1, 2, 4]],
}

fn store<const N: usize, const M: usize>(number: u8, orders: [[usize; N]; M]) -> TupleStore<N> {
	let orders = Orders::new(orders).expect("each order is a permutation; qed");
	TupleStore::new(part(Part::Order).subspace(&(number,)), orders)
}

/// A row with what the index adds to it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub(crate) struct Stored {
	/// The row.
	pub row: Row,
	/// The block that put it last, or that last asked a node for a copy of it. Only for records and
	/// versions for which it was indexed.
	pub put: Option<u64>,
}

/// Writes the keys of a row that changes.
pub(crate) fn change<Tx: Transaction>(
	tx: &mut Tx,
	m: Incarnation,
	key: &RowKey,
	old: Option<&Stored>,
	new: Option<&Stored>,
) -> Result<(), Error<Tx::Error>> {
	let keys = |stored: Option<&Stored>| stored.map(|stored| keys(m, key, stored));
	let (old, new) = (keys(old).unwrap_or_default(), keys(new).unwrap_or_default());
	old.difference(&new).try_for_each(|key| tx.clear(key))?;
	new.difference(&old).try_for_each(|key| tx.set(key, &[]))
}

/// Returns the keys of a row in all orders.
pub(crate) fn keys(m: Incarnation, key: &RowKey, stored: &Stored) -> BTreeSet<Vec<u8>> {
	let stores = &*STORES;
	let mut keys = BTreeSet::new();
	match (key, &stored.row.value) {
		(RowKey::Space(space), RowValue::Space(row)) => {
			keys.extend(stores.spaces.keys(&(row.created.to_u128(), *space)));
			let kind = RoleIn::Space as u8;
			let role = (row.governor.0, FLAT, kind, &space.0[..], "governor");
			keys.extend(stores.accounts.keys(&role));
		},
		(RowKey::Provider(_) | RowKey::Tenant(_), RowValue::Member(row)) => {
			let Some(member) = key.as_member() else { return keys };
			let (role, id) = member_items(member);
			keys.extend(stores.members.keys(&(row.space, role, row.created.to_u128(), id)));
			let rows = u128::from(row.row_count());
			for (rank, value) in [(Rank::Bond, row.bond), (Rank::Rows, rows)] {
				keys.extend(stores.ranks.keys(&(row.space, role, rank as u8, value, id)));
			}
			keys.extend(role_in(FLAT, member, row.root, "root"));
			if let Some(nomination) = &row.nomination {
				keys.extend(role_in(FLAT, member, nomination.nominee, "nominee"));
			}
		},
		(RowKey::ProviderKey(provider, account), RowValue::ProviderKey(level)) => {
			let word = match level {
				ProviderLevel::Admin => "admin",
				ProviderLevel::Root => "root-key",
			};
			keys.extend(role_in(m, (*provider).into(), *account, word));
		},
		(RowKey::TenantKey(tenant, account), RowValue::TenantKey(level)) => {
			let word = match level {
				TenantLevel::Read => "read",
				TenantLevel::Content => "content",
				TenantLevel::Kms => "kms",
				TenantLevel::Admin => "admin",
				TenantLevel::Root => "root-key",
			};
			keys.extend(role_in(m, (*tenant).into(), *account, word));
		},
		(RowKey::Node(_, node), RowValue::Node(row)) => {
			let role = (row.operator.0, m, RoleIn::Node as u8, &node.0[..], "operator");
			keys.extend(stores.accounts.keys(&role));
			keys.extend(stores.medallions.keys(&(u64::from(row.medallion), m, *node)));
			keys.extend(stores.nodes.keys(&(*node, m)));
		},
		(RowKey::Kms(_, kms), RowValue::Kms(row)) => {
			let role = (row.operator.0, m, RoleIn::Kms as u8, &kms.0[..], "operator");
			keys.extend(stores.accounts.keys(&role));
			keys.extend(stores.kmses.keys(&(*kms, m)));
		},
		(RowKey::Collection(_, name), RowValue::Collection(_)) => {
			let folded = Folded::new(&name.raw());
			keys.extend(stores.collections.keys(&(folded.as_bytes(), m, &name.0[..])));
		},
		(RowKey::ContentObject(_, object), RowValue::ContentObject(row)) => {
			keys.extend(stores.objects.keys(&(*object, m, row.created.to_u128())));
		},
		(RowKey::Version(_, object, version), RowValue::Version(row)) => {
			let (at, object, version) = (row.committed.to_u128(), *object, *version);
			keys.extend(stores.versions.keys(&(version, m, object, at)));
			for copy in &row.copies {
				let medallion = u64::from(copy.medallion);
				keys.extend(stores.copies.keys(&(medallion, at, m, object, version)));
				let state = if copy.held.is_some() { HELD } else { ASKED };
				keys.extend(stores.states.keys(&(medallion, state, version, m, object)));
			}
		},
		(RowKey::Record(tenant, collection, key), RowValue::Record(row)) => {
			let ContentRef { object, version } = row.target;
			let name = Folded::new(&name_of_record(*tenant, &key.raw(), object));
			let (collection, key) = (&collection.0[..], &key.0[..]);
			for word in name.words() {
				keys.extend(stores.words.keys(&(&word[..], m, collection, key)));
			}
			keys.extend(stores.names.keys(&(name.as_bytes(), m, collection, key)));
			keys.extend(stores.times.keys(&(m, collection, row.updated.to_u128(), key)));
			keys.extend(stores.targets.keys(&(m, object, version, collection, key)));
		},
		_ => {},
	}
	keys
}

/// Returns the keys of an account's role in a member.
fn role_in(m: Incarnation, member: MemberId, account: AccountId32, role: &str) -> Vec<Vec<u8>> {
	let (number, id) = member_items(member);
	let id = [&[number], &id[..]].concat();
	STORES.accounts.keys(&(account.0, m, RoleIn::Member as u8, &id[..], role)).collect()
}
