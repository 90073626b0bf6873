// SPDX-License-Identifier: Apache-2.0
//! The orders in which rows are found, besides that of their keys.

use std::{borrow::Cow, collections::BTreeSet, sync::LazyLock};

use codec::{Decode, Encode};
use content_fabric_client::record_names::name_of;
use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, VersionId};
use content_fabric_okvs::{
	tuple_store::{Orders, TupleStore},
	Error, Read, Transaction,
};
use content_fabric_primitives::{ContentRef, MemberId, ProviderLevel, TenantLevel};
use subxt::utils::AccountId32;

use super::keys::{member_items, part, Incarnation, Part, FLAT};
use crate::rows::{Row, RowKey, RowValue};

/// The most words of a name that are indexed.
const MAX_WORDS: usize = 32;

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
}

type Id = [u8; 10];
type Bytes<'a> = Cow<'a, [u8]>;

macro_rules! orders {
	($(
		$number:literal $store:ident[$items:literal]
			$name:ident($($item:ident: $type:ty),+) $orders:expr,
	)*) => {
		/// The tuple stores. Values are empty.
		pub(crate) struct Found {
			$(pub $store: TupleStore<$items>,)*
		}

		/// The tuple stores.
		pub(crate) static FOUND: LazyLock<Found> =
			LazyLock::new(|| Found { $($store: store($number, $orders),)* });

		/// A place of a row in one of the orders.
		#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
		enum Entry<'a> {
			$($name($($type),+),)*
		}

		impl Entry<'_> {
			/// Returns whether the entry is there, and how many keys it takes.
			fn find<R: Read>(&self, read: &R) -> Result<(bool, usize), Error<R::Error>> {
				match self {
					$(Self::$name($($item),+) => {
						let keys = FOUND.$store.orders().as_slice().len();
						Ok((FOUND.$store.contains(read, &($($item,)+))?, keys))
					},)*
				}
			}

			/// Writes the entry.
			fn insert<Tx: Transaction>(&self, tx: &mut Tx) -> Result<(), Error<Tx::Error>> {
				match self {
					$(Self::$name($($item),+) => FOUND.$store.insert(tx, &($($item,)+), &[]),)*
				}
			}

			/// Removes the entry.
			fn remove<Tx: Transaction>(&self, tx: &mut Tx) -> Result<bool, Error<Tx::Error>> {
				match self {
					$(Self::$name($($item),+) => FOUND.$store.remove(tx, &($($item,)+)),)*
				}
			}
		}
	};
}

// The number of each store, the items of its tuples, and the orders of these items. A medallion is
// that of a node, a kind is a `RoleIn`, and `m` is an incarnation.
orders! {
	0 spaces[2] Space(created: u128, space: SpaceId) [[0, 1]],
	1 members[4] Member(space: SpaceId, role: u8, created: u128, id: Id)
		[[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]],
	2 ranks[5] Rank(space: SpaceId, role: u8, rank: u8, value: u128, id: Id)
		[[0, 1, 2, 3, 4], [0, 2, 3, 1, 4]],
	3 objects[3] Object(object: ContentObjectId, m: Incarnation, created: u128)
		[[0, 1, 2], [1, 2, 0]],
	4 versions[4]
		Version(version: VersionId, m: Incarnation, object: ContentObjectId, committed: u128)
		[[0, 1, 2, 3], [1, 2, 3, 0]],
	5 intake[6] Intake(
		provider: ProviderId, node: NodeId, committed: u128,
		m: Incarnation, object: ContentObjectId, version: VersionId
	) [[0, 1, 2, 3, 4, 5]],
	// Names and words of records are in lower case.
	6 names[4] Name(name: Bytes<'a>, m: Incarnation, collection: Bytes<'a>, key: Bytes<'a>)
		[[0, 1, 2, 3]],
	7 words[4] Word(word: Bytes<'a>, m: Incarnation, collection: Bytes<'a>, key: Bytes<'a>)
		[[0, 1, 2, 3]],
	8 targets[5] Target(
		m: Incarnation, object: ContentObjectId, version: Option<VersionId>,
		collection: Bytes<'a>, key: Bytes<'a>
	) [[0, 1, 2, 3, 4]],
	9 times[4] Time(m: Incarnation, collection: Bytes<'a>, time: u64, key: Bytes<'a>)
		[[0, 1, 2, 3]],
	10 accounts[5]
		Account(account: [u8; 32], m: Incarnation, kind: u8, id: Bytes<'a>, role: &'static str)
		[[0, 1, 2, 3, 4]],
	11 medallions[3] Medallion(medallion: u64, m: Incarnation, node: NodeId) [[0, 1, 2]],
	12 nodes[2] Node(node: NodeId, m: Incarnation) [[0, 1]],
	13 kmses[2] Kms(kms: KmsId, m: Incarnation) [[0, 1]],
	14 collections[2] Collection(name: Bytes<'a>, m: Incarnation) [[0, 1]],
}

fn store<const N: usize, const M: usize>(number: u8, orders: [[usize; N]; M]) -> TupleStore<N> {
	let orders = Orders::new(orders).expect("each order is a permutation; qed");
	TupleStore::new(part(Part::Order).subspace(&(number,)), orders)
}

/// A row with what the index adds to it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Stored {
	/// The row.
	pub row: Row,
	/// The block that put it last, and its time in milliseconds. Only for records whose put was
	/// indexed.
	pub put: Option<(u64, u64)>,
	/// The time by which a record is found, in milliseconds since the Unix epoch: that of its
	/// TID, or else that of its put. 0 if neither is known.
	pub time: u64,
}

/// Writes the places of a row that changes.
pub(crate) fn change<Tx: Transaction>(
	tx: &mut Tx,
	m: Incarnation,
	key: &RowKey,
	old: Option<&Stored>,
	new: Option<&Stored>,
) -> Result<(), Error<Tx::Error>> {
	let old = old.map(|old| entries(m, key, old)).unwrap_or_default();
	let new = new.map(|new| entries(m, key, new)).unwrap_or_default();
	for entry in old.difference(&new) {
		entry.remove(tx)?;
	}
	new.difference(&old).try_for_each(|entry| entry.insert(tx))
}

/// Returns how many keys the orders need for a row, and how many of its places are missing.
pub(crate) fn missing<R: Read>(
	read: &R,
	m: Incarnation,
	key: &RowKey,
	stored: &Stored,
) -> Result<(u64, u64), Error<R::Error>> {
	let (mut needed, mut missing) = (0, 0);
	for entry in entries(m, key, stored) {
		let (is_there, keys) = entry.find(read)?;
		needed += u64::try_from(keys).unwrap_or(u64::MAX);
		missing += u64::from(!is_there);
	}
	Ok((needed, missing))
}

/// Returns the number of keys in all orders.
pub(crate) fn count_keys<R: Read>(read: &R) -> Result<u64, Error<R::Error>> {
	let prefix = part(Part::Order);
	read.range(prefix.prefix())?.try_fold(0, |count, pair| pair.map(|_| count + 1))
}

/// Returns the words of a name, in lower case: what stands between ASCII characters that are neither
/// letters nor digits.
pub fn words(name: &[u8]) -> BTreeSet<Vec<u8>> {
	let lower = name.to_ascii_lowercase();
	let parts = lower.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric());
	parts.filter(|word| !word.is_empty()).take(MAX_WORDS).map(<[u8]>::to_vec).collect()
}

fn entries<'a>(m: Incarnation, key: &'a RowKey, stored: &Stored) -> BTreeSet<Entry<'a>> {
	let mut entries = BTreeSet::new();
	match (key, &stored.row.value) {
		(RowKey::Space(space), RowValue::Space(row)) => {
			entries.insert(Entry::Space(row.created.to_u128(), *space));
			let (kind, id) = (RoleIn::Space as u8, space.0[..].into());
			entries.insert(Entry::Account(row.governor.0, FLAT, kind, id, "governor"));
		},
		(RowKey::Provider(_) | RowKey::Tenant(_), RowValue::Member(row)) => {
			let Some(member) = key.as_member() else { return entries };
			let (role, id) = member_items(member);
			entries.insert(Entry::Member(row.space, role, row.created.to_u128(), id));
			let rows = u128::from(row.row_count());
			for (rank, value) in [(Rank::Bond, row.bond), (Rank::Rows, rows)] {
				entries.insert(Entry::Rank(row.space, role, rank as u8, value, id));
			}
			let nominee = row.nomination.as_ref().map(|nomination| nomination.nominee);
			let nominee = nominee.map(|account| (account, "nominee"));
			for (account, word) in [(row.root, "root")].into_iter().chain(nominee) {
				entries.insert(role_in(FLAT, member, account, word));
			}
		},
		(RowKey::ProviderKey(provider, account), RowValue::ProviderKey(level)) => {
			let word = match level {
				ProviderLevel::Admin => "admin",
				ProviderLevel::Root => "root-key",
			};
			entries.insert(role_in(m, (*provider).into(), *account, word));
		},
		(RowKey::TenantKey(tenant, account), RowValue::TenantKey(level)) => {
			let word = match level {
				TenantLevel::Content => "content",
				TenantLevel::Kms => "kms",
				TenantLevel::Admin => "admin",
				TenantLevel::Root => "root-key",
			};
			entries.insert(role_in(m, (*tenant).into(), *account, word));
		},
		(RowKey::Node(_, node), RowValue::Node(row)) => {
			let (kind, id) = (RoleIn::Node as u8, node.0[..].into());
			entries.insert(Entry::Account(row.operator.0, m, kind, id, "operator"));
			entries.insert(Entry::Medallion(row.medallion, m, *node));
			entries.insert(Entry::Node(*node, m));
		},
		(RowKey::Kms(_, kms), RowValue::Kms(_)) => {
			entries.insert(Entry::Kms(*kms, m));
		},
		(RowKey::Collection(_, name), RowValue::Collection(_)) => {
			entries.insert(Entry::Collection(name.0[..].into(), m));
		},
		(RowKey::ContentObject(_, object), RowValue::ContentObject(row)) => {
			entries.insert(Entry::Object(*object, m, row.created.to_u128()));
		},
		(RowKey::Version(_, object, version), RowValue::Version(row)) => {
			let (at, object, version) = (row.committed.to_u128(), *object, *version);
			entries.insert(Entry::Version(version, m, object, at));
			entries.insert(Entry::Intake(row.originator, row.node, at, m, object, version));
		},
		(RowKey::Record(_, collection, key), RowValue::Record(row)) => {
			let name = name_of(&key.raw()).to_ascii_lowercase().into_bytes();
			let (c, k) = (|| collection.0[..].into(), || key.0[..].into());
			for word in words(&name) {
				entries.insert(Entry::Word(word.into(), m, c(), k()));
			}
			let ContentRef { object, version } = row.target;
			entries.insert(Entry::Name(name.into(), m, c(), k()));
			entries.insert(Entry::Time(m, c(), stored.time, k()));
			entries.insert(Entry::Target(m, object, version, c(), k()));
		},
		_ => {},
	}
	entries
}

/// Returns the place of an account's role in a member.
fn role_in(
	m: Incarnation,
	member: MemberId,
	account: AccountId32,
	role: &'static str,
) -> Entry<'static> {
	let (number, id) = member_items(member);
	let id = [&[number], &id[..]].concat().into();
	Entry::Account(account.0, m, RoleIn::Member as u8, id, role)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn names_are_split_into_lower_case_words() {
		let expected = ["1", "228", "json", "serde"].map(|word| word.as_bytes().to_vec());
		assert_eq!(words(b"Serde_json:1..228~serde+ json-"), BTreeSet::from(expected));
		assert_eq!(words(b"--").len(), 0);
		assert_eq!(words("1.".repeat(3).as_bytes()).len(), 1);
	}
}
