// SPDX-License-Identifier: Apache-2.0
//! The orders in which rows are found, besides that of their keys.

use std::{collections::BTreeSet, sync::LazyLock};

use codec::{Decode, Encode};
use content_fabric_client::{record_names::name_of, text::Text};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, SpaceId, VersionId,
};
use content_fabric_okvs::{
	tuple_store::{Orders, TupleStore},
	Error, Read, Transaction,
};
use content_fabric_primitives::{ProviderLevel, TenantLevel};

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

/// The tuple stores. Values are empty.
pub(crate) struct Found {
	/// Creation, space.
	pub spaces: TupleStore<2>,
	/// Space, role, creation, id of a member.
	pub members: TupleStore<4>,
	/// Space, role, rank, value, id of a member.
	pub ranks: TupleStore<5>,
	/// Object, incarnation, creation.
	pub objects: TupleStore<3>,
	/// Version, incarnation, object, commit.
	pub versions: TupleStore<4>,
	/// Provider, node, commit, incarnation, object, version.
	pub intake: TupleStore<6>,
	/// Name of a record in lower case, incarnation, collection, record key.
	pub names: TupleStore<4>,
	/// Word, incarnation, collection, record key.
	pub words: TupleStore<4>,
	/// Incarnation, object, version, collection, record key.
	pub targets: TupleStore<5>,
	/// Incarnation, collection, time, record key.
	pub times: TupleStore<4>,
	/// Account, incarnation, kind, id, role.
	pub accounts: TupleStore<5>,
	/// Medallion, incarnation, node.
	pub medallions: TupleStore<3>,
	/// Node, incarnation.
	pub nodes: TupleStore<2>,
	/// KMS, incarnation.
	pub kmses: TupleStore<2>,
	/// Name of a collection, incarnation.
	pub collections: TupleStore<2>,
}

/// The tuple stores.
pub(crate) static FOUND: LazyLock<Found> = LazyLock::new(|| Found {
	spaces: store(0, [[0, 1]]),
	members: store(1, [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]]),
	ranks: store(2, [[0, 1, 2, 3, 4], [0, 2, 3, 1, 4]]),
	objects: store(3, [[0, 1, 2], [1, 2, 0]]),
	versions: store(4, [[0, 1, 2, 3], [1, 2, 3, 0]]),
	intake: store(5, [[0, 1, 2, 3, 4, 5]]),
	names: store(6, [[0, 1, 2, 3]]),
	words: store(7, [[0, 1, 2, 3]]),
	targets: store(8, [[0, 1, 2, 3, 4]]),
	times: store(9, [[0, 1, 2, 3]]),
	accounts: store(10, [[0, 1, 2, 3, 4]]),
	medallions: store(11, [[0, 1, 2]]),
	nodes: store(12, [[0, 1]]),
	kmses: store(13, [[0, 1]]),
	collections: store(14, [[0, 1]]),
});

fn store<const N: usize, const M: usize>(number: u8, orders: [[usize; N]; M]) -> TupleStore<N> {
	let orders = Orders::new(orders).expect("each order is a permutation; qed");
	TupleStore::new(part(Part::Order).subspace(&(number,)), orders)
}

/// The kind of entity in which an account has a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoleIn {
	Space = 0,
	Member = 1,
	Node = 2,
}

/// A place of a row in one of the orders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
	Space(u128, SpaceId),
	Member(SpaceId, u8, u128, [u8; 10]),
	Rank(SpaceId, u8, u8, u128, [u8; 10]),
	Object(ContentObjectId, Incarnation, u128),
	Version(VersionId, Incarnation, ContentObjectId, u128),
	Intake(ProviderId, NodeId, u128, Incarnation, ContentObjectId, VersionId),
	Name(Vec<u8>, Incarnation, Text, Text),
	Word(Vec<u8>, Incarnation, Text, Text),
	Target(Incarnation, ContentObjectId, Option<VersionId>, Text, Text),
	Time(Incarnation, Text, u64, Text),
	Account([u8; 32], Incarnation, u8, Vec<u8>, &'static str),
	Medallion(u64, Incarnation, NodeId),
	Node(NodeId, Incarnation),
	Kms(KmsId, Incarnation),
	Collection(Text, Incarnation),
}

/// Passes the store of an entry and its tuple to another macro.
macro_rules! each {
	($entry:expr, $put:ident) => {
		match $entry {
			Entry::Space(created, space) => $put!(spaces, (*created, *space)),
			Entry::Member(space, role, created, id) => {
				$put!(members, (*space, *role, *created, *id))
			},
			Entry::Rank(space, role, rank, value, id) => {
				$put!(ranks, (*space, *role, *rank, *value, *id))
			},
			Entry::Object(object, m, created) => $put!(objects, (*object, *m, *created)),
			Entry::Version(version, m, object, committed) => {
				$put!(versions, (*version, *m, *object, *committed))
			},
			Entry::Intake(provider, node, committed, m, object, version) => {
				$put!(intake, (*provider, *node, *committed, *m, *object, *version))
			},
			Entry::Name(name, m, collection, key) => {
				$put!(names, (&name[..], *m, &collection.0[..], &key.0[..]))
			},
			Entry::Word(word, m, collection, key) => {
				$put!(words, (&word[..], *m, &collection.0[..], &key.0[..]))
			},
			Entry::Target(m, object, version, collection, key) => {
				$put!(targets, (*m, *object, *version, &collection.0[..], &key.0[..]))
			},
			Entry::Time(m, collection, time, key) => {
				$put!(times, (*m, &collection.0[..], *time, &key.0[..]))
			},
			Entry::Account(account, m, kind, id, role) => {
				$put!(accounts, (*account, *m, *kind, &id[..], *role))
			},
			Entry::Medallion(medallion, m, node) => $put!(medallions, (*medallion, *m, *node)),
			Entry::Node(node, m) => $put!(nodes, (*node, *m)),
			Entry::Kms(kms, m) => $put!(kmses, (*kms, *m)),
			Entry::Collection(name, m) => $put!(collections, (&name.0[..], *m)),
		}
	};
}

impl Entry {
	/// Returns whether the entry is there, and how many keys it takes.
	fn find<R: Read>(&self, read: &R) -> Result<(bool, usize), Error<R::Error>> {
		/// Looks for one tuple of a store.
		macro_rules! find {
			($store:ident, $tuple:expr) => {{
				let keys = FOUND.$store.orders().as_slice().len();
				Ok((FOUND.$store.contains(read, &$tuple)?, keys))
			}};
		}
		each!(self, find)
	}

	/// Writes or removes the entry.
	fn write<Tx: Transaction>(&self, tx: &mut Tx, is_there: bool) -> Result<(), Error<Tx::Error>> {
		/// Writes or removes one tuple of a store.
		macro_rules! put {
			($store:ident, $tuple:expr) => {
				match is_there {
					true => FOUND.$store.insert(tx, &$tuple, &[]),
					false => FOUND.$store.remove(tx, &$tuple).map(drop),
				}
			};
		}
		each!(self, put)
	}
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
		entry.write(tx, false)?;
	}
	for entry in new.difference(&old) {
		entry.write(tx, true)?;
	}
	Ok(())
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

fn number(muid: Muid) -> u128 {
	muid.to_u128()
}

fn entries(m: Incarnation, key: &RowKey, stored: &Stored) -> BTreeSet<Entry> {
	let mut entries = BTreeSet::new();
	match (key, &stored.row.value) {
		(RowKey::Space(space), RowValue::Space(row)) => {
			entries.insert(Entry::Space(number(row.created), *space));
			let kind = RoleIn::Space as u8;
			entries.insert(Entry::Account(
				row.governor.0,
				FLAT,
				kind,
				space.0.to_vec(),
				"governor",
			));
		},
		(RowKey::Provider(_) | RowKey::Tenant(_), RowValue::Member(row)) => {
			let Some(member) = key.as_member() else { return entries };
			let (role, id) = member_items(member);
			entries.insert(Entry::Member(row.space, role, number(row.created), id));
			let rows = u128::from(row.row_count());
			for (rank, value) in [(Rank::Bond, row.bond), (Rank::Rows, rows)] {
				entries.insert(Entry::Rank(row.space, role, rank as u8, value, id));
			}
			let nominee = row.nomination.as_ref().map(|nomination| nomination.nominee);
			let accounts = [(Some(row.root), "root"), (nominee, "nominee")];
			for (account, word) in accounts {
				let Some(account) = account else { continue };
				let id = [&[role], &id[..]].concat();
				let kind = RoleIn::Member as u8;
				entries.insert(Entry::Account(account.0, FLAT, kind, id, word));
			}
		},
		(RowKey::ProviderKey(_, account), RowValue::ProviderKey(level)) => {
			let word = match level {
				ProviderLevel::Admin => "admin",
				ProviderLevel::Root => "root-key",
			};
			entries.insert(access(m, key, account.0, word));
		},
		(RowKey::TenantKey(_, account), RowValue::TenantKey(level)) => {
			let word = match level {
				TenantLevel::Content => "content",
				TenantLevel::Kms => "kms",
				TenantLevel::Admin => "admin",
				TenantLevel::Root => "root-key",
			};
			entries.insert(access(m, key, account.0, word));
		},
		(RowKey::Node(_, node), RowValue::Node(row)) => {
			let kind = RoleIn::Node as u8;
			let id = node.0.to_vec();
			entries.insert(Entry::Account(row.operator.0, m, kind, id, "operator"));
			entries.insert(Entry::Medallion(row.medallion, m, *node));
			entries.insert(Entry::Node(*node, m));
		},
		(RowKey::Kms(_, kms), RowValue::Kms(_)) => {
			entries.insert(Entry::Kms(*kms, m));
		},
		(RowKey::Collection(_, name), RowValue::Collection(_)) => {
			entries.insert(Entry::Collection(name.clone(), m));
		},
		(RowKey::ContentObject(_, object), RowValue::ContentObject(row)) => {
			entries.insert(Entry::Object(*object, m, number(row.created)));
		},
		(RowKey::Version(_, object, version), RowValue::Version(row)) => {
			let committed = number(row.committed);
			entries.insert(Entry::Version(*version, m, *object, committed));
			entries.insert(Entry::Intake(
				row.originator,
				row.node,
				committed,
				m,
				*object,
				*version,
			));
		},
		(RowKey::Record(_, collection, key), RowValue::Record(row)) => {
			let (c, k) = (collection.clone(), key.clone());
			let name = name_of(&key.raw()).into_owned().into_bytes();
			for word in words(&name) {
				entries.insert(Entry::Word(word, m, c.clone(), k.clone()));
			}
			entries.insert(Entry::Name(name.to_ascii_lowercase(), m, c.clone(), k.clone()));
			let target = row.target;
			entries.insert(Entry::Time(m, c.clone(), stored.time, k.clone()));
			entries.insert(Entry::Target(m, target.object, target.version, c, k));
		},
		_ => {},
	}
	entries
}

fn access(m: Incarnation, key: &RowKey, account: [u8; 32], word: &'static str) -> Entry {
	let id = key.parent().map(member_items).map(|(role, id)| [&[role], &id[..]].concat());
	Entry::Account(account, m, RoleIn::Member as u8, id.unwrap_or_default(), word)
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

	#[test]
	fn all_orders_are_permutations() {
		assert_eq!(FOUND.members.orders().as_slice().len(), 3);
	}
}
