// SPDX-License-Identifier: Apache-2.0
//! The state that the migration must produce: a pure function from the rows of version 1 to those
//! of version 2, which knows both layouts by their bytes alone.

use std::collections::BTreeMap;

use codec::{Compact, Decode, DecodeAll, Encode};
use content_fabric_identifiers::Muid;
use sp_crypto_hashing::{blake2_128, twox_64};

use crate::{map, AccountId, Holds, Id, Rows, STORAGE_DEPOSIT};

type Hash = [u8; 32];

/// The state of version 2.
pub struct Expected {
	/// The pallet's rows.
	pub rows: Rows,
	/// The funds on hold.
	pub holds: Holds,
}

/// A member of version 1. Tuples are encoded as the structures that they stand for.
type OldMember = ((Id, AccountId, AccountId, u128, u128, u32), bool, bool, Muid);
type OldNode = (bool, Vec<u8>, u64, Option<Muid>, u128);
type OldVersion = ((Id, Id, Compact<u64>, Muid, Option<u64>), bool, Id, u128);
type Kms = (Vec<u8>, u128);
/// Its key type is not a literal in these states, so one byte.
type Collection = (u8, u8, u32, u128, Muid);
type Record = ((Id, Option<Hash>), Muid, Muid, u128);

/// A member of version 2, while its rows are counted.
struct Member {
	kind: u8,
	space: Id,
	root: AccountId,
	bond: u128,
	deposit: u128,
	/// Keys and nodes; or keys, KMSes, objects, versions, collections and records.
	rows: Vec<u32>,
	frozen: bool,
	is_deleted: bool,
	/// True if the deposits of its rows are still on hold.
	has_deposits: bool,
	created: Muid,
}

impl Member {
	/// Returns the encoded row, with zero in place of blocks of the migration.
	fn encode(&self) -> Vec<u8> {
		let is_empty = self.rows.iter().all(|count| *count == 0);
		let mut row = (&self.space, &self.root, None::<()>, u128::MAX, self.bond).encode();
		row.extend((0u128, self.deposit).encode());
		self.rows.iter().for_each(|count| row.extend(count.encode()));
		let purge = self.is_deleted.then_some(1u8);
		row.extend((is_empty.then_some(0u32), self.frozen, false, purge, &self.created).encode());
		row
	}

	/// Counts a row in a map, and returns what of its deposit is on hold.
	fn count(&mut self, map: usize, deposit: u128) -> u128 {
		let deposit = if self.has_deposits { deposit } else { 0 };
		self.rows[map] += 1;
		self.deposit += deposit;
		deposit
	}
}

/// Returns what is behind the hash of the key at an offset.
fn part(key: &[u8], at: usize) -> &[u8] {
	&key[at + 16..]
}

/// Returns the member that a row is under.
fn member_of(key: &[u8]) -> Id {
	part(key, 32)[..10].try_into().expect("it has 10 bytes")
}

fn decode<T: Decode>(row: &[u8]) -> Option<T> {
	T::decode_all(&mut &row[..]).ok()
}

struct Migration<'a> {
	old: &'a Rows,
	granted: Muid,
	new: Rows,
	holds: Holds,
	members: BTreeMap<(u8, Id), Member>,
	/// Places in the queue, of members with and without one in version 1.
	places: BTreeMap<(u8, Id), u64>,
	/// The first and the next place of the queue.
	queue: (u64, u64),
}

/// Returns the state of version 2. `granted` is the muid of the migration.
pub fn after(old: &Rows, holds: Holds, granted: Muid) -> Expected {
	let mut migration = Migration {
		old,
		granted,
		new: Rows::new(),
		holds,
		members: BTreeMap::new(),
		places: BTreeMap::new(),
		queue: (0, 0),
	};
	migration.values();
	migration.members();
	migration.keys(0, "ProviderKeys", |level| (level == 1).then_some(1));
	migration.nodes();
	migration.keys(1, "TenantKeys", Some);
	migration.kmses();
	migration.contents();
	migration.records();
	migration.finish()
}

impl Migration<'_> {
	fn rows(&self, name: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
		let prefix = map(name);
		let rows = self.old.range(prefix.clone()..).take_while(|(key, _)| key.starts_with(&prefix));
		rows.map(|(key, row)| (key.clone(), row.clone())).collect()
	}

	fn value<T: Decode>(&self, name: &str) -> T {
		decode(&self.old[&map(name)]).expect("the value decodes")
	}

	fn release(&mut self, account: &AccountId, reason: u8, amount: u128) {
		if amount > 0 {
			let key = (*account, reason);
			let held = self.holds.get_mut(&key).expect("it was on hold");
			*held -= amount;
			if *held == 0 {
				self.holds.remove(&key);
			}
		}
	}

	fn values(&mut self) {
		for name in ["Spaces", "Admissions"] {
			self.new.extend(self.rows(name));
		}
		self.new.insert(map("LastMuid"), self.granted.encode());
		let tid: u64 = self.value("LastTid");
		self.new.insert(map("LastTid"), tid.to_be_bytes().to_vec());
		self.new.insert(map("MedallionCount"), self.value::<u64>("MedallionCount").encode());
		self.new.insert(map(":__STORAGE_VERSION__:"), 2u16.encode());
		self.queue = self.value("DeletionQueueBounds");
		for (key, row) in self.rows("Deletions") {
			let member = part(&key, 32);
			let id = (member[0], member[1..11].try_into().expect("it has 10 bytes"));
			let (_, place, ..): (u32, u64, u32, u8, Vec<u8>) = decode(&row).expect("it decodes");
			self.places.insert(id, place);
		}
	}

	fn members(&mut self) {
		for (kind, name, maps) in [(0u8, "Providers", 2), (1, "Tenants", 6)] {
			for (key, row) in self.rows(name) {
				let id = member_of(&key);
				let old: OldMember = decode(&row).expect("members decode in these states");
				let ((space, root, depositor, bond, deposit, _), frozen, is_deleted, created) = old;
				let is_handed_over = depositor != root;
				if is_handed_over {
					self.release(&depositor, kind, bond);
					self.release(&depositor, STORAGE_DEPOSIT, deposit);
				}
				if is_deleted && !self.places.contains_key(&(kind, id)) {
					self.places.insert((kind, id), self.queue.1);
					self.queue.1 += 1;
				}
				let member = Member {
					kind,
					space,
					root,
					bond: if is_handed_over { 0 } else { bond },
					deposit: 0,
					rows: vec![0; maps],
					frozen,
					is_deleted,
					has_deposits: !is_handed_over && !is_deleted,
					created,
				};
				self.members.insert((kind, id), member);
			}
		}
	}

	fn keys(&mut self, kind: u8, name: &str, level_of: fn(u8) -> Option<u8>) {
		for (key, row) in self.rows(name) {
			let Some(member) = self.members.get_mut(&(kind, member_of(&key))) else { continue };
			let account: AccountId = decode(part(&key, 32 + 26)).expect("it is an account");
			let Some((level, deposit)) = decode::<(u8, u128)>(&row) else {
				member.count(0, 0);
				self.new.insert(key, row);
				continue;
			};
			match level_of(level).filter(|_| account != member.root) {
				Some(level) => {
					let deposit = member.count(0, deposit);
					self.new.insert(key, (level, self.granted, deposit).encode());
				},
				None => {
					let deposit = if member.has_deposits { deposit } else { 0 };
					let root = member.root;
					self.release(&root, STORAGE_DEPOSIT, deposit);
				},
			}
		}
	}

	fn nodes(&mut self) {
		for (key, row) in self.rows("Nodes") {
			let Some(member) = self.members.get_mut(&(0, member_of(&key))) else { continue };
			let row = match decode::<OldNode>(&row) {
				Some((pending, locator, medallion, last, deposit)) => {
					let deposit = member.count(1, deposit);
					(&member.root, pending, locator, medallion, last, deposit).encode()
				},
				None => {
					member.count(1, 0);
					row
				},
			};
			self.new.insert(key, row);
		}
	}

	fn kmses(&mut self) {
		for (key, row) in self.rows("Kmses") {
			let Some(member) = self.members.get_mut(&(1, member_of(&key))) else { continue };
			let row = match decode::<Kms>(&row) {
				Some((locator, deposit)) => (locator, member.count(1, deposit)).encode(),
				None => {
					member.count(1, 0);
					row
				},
			};
			self.new.insert(key, row);
		}
	}

	/// Content objects and their versions.
	fn contents(&mut self) {
		let old_objects = self.rows("ContentObjects");
		let old_versions = self.rows("Versions");
		let object_of =
			|key: &[u8]| -> Id { part(key, 32 + 26)[..10].try_into().expect("it has 10 bytes") };
		let exists: std::collections::BTreeSet<(Id, Id)> =
			old_objects.iter().map(|(key, _)| (member_of(key), object_of(key))).collect();
		let mut counts = BTreeMap::<(Id, Id), u32>::new();
		let mut finalized = BTreeMap::<(Id, Id, Hash), Muid>::new();
		for (key, row) in old_versions {
			let (id, object) = (member_of(&key), object_of(&key));
			let version: Hash = part(&key, 32 + 26 + 26).try_into().expect("it has 32 bytes");
			let Some(member) = self.members.get_mut(&(1, id)) else { continue };
			let decoded: Option<OldVersion> = decode(&row);
			if !exists.contains(&(id, object)) {
				let deposit = decoded.filter(|_| member.has_deposits).map_or(0, |it| it.3);
				let root = member.root;
				self.release(&root, STORAGE_DEPOSIT, deposit);
				continue;
			}
			*counts.entry((id, object)).or_default() += 1;
			let row = match decoded {
				Some(((originator, node, size, committed, at), set_head, kms, deposit)) => {
					if at.is_some() {
						finalized.insert((id, object, version), committed);
					}
					let deposit = member.count(3, deposit);
					let ids = (originator, node, kms);
					(ids, committed, size, committed, at, set_head, deposit).encode()
				},
				None => {
					member.count(3, 0);
					row
				},
			};
			self.new.insert(key, row);
		}
		for (key, row) in old_objects {
			let (id, object) = (member_of(&key), object_of(&key));
			let Some(member) = self.members.get_mut(&(1, id)) else { continue };
			let decoded: Option<(Option<Hash>, u32, u128, Muid)> = decode(&row);
			let row = match decoded {
				Some((head, _, deposit, created)) => {
					let head = head.and_then(|head| {
						finalized.get(&(id, object, head)).map(|committed| (head, *committed))
					});
					let since = head.map_or(created, |(_, committed)| committed);
					let count = counts.get(&(id, object)).copied().unwrap_or(0);
					let deposit = member.count(2, deposit);
					(head.map(|it| it.0), since, created, count, deposit, created).encode()
				},
				None => {
					member.count(2, 0);
					row
				},
			};
			self.new.insert(key, row);
		}
	}

	/// Collections and their records.
	fn records(&mut self) {
		let old_collections = self.rows("Collections");
		let name_of =
			|key: &[u8]| -> Vec<u8> { Vec::decode(&mut part(key, 32 + 26)).expect("it is a name") };
		let exists: std::collections::BTreeSet<(Id, Vec<u8>)> =
			old_collections.iter().map(|(key, _)| (member_of(key), name_of(key))).collect();
		let mut counts = BTreeMap::<(Id, Vec<u8>), u32>::new();
		for (key, row) in self.rows("Records") {
			let parent = (member_of(&key), name_of(&key));
			let Some(member) = self.members.get_mut(&(1, parent.0)) else { continue };
			let decoded: Option<Record> = decode(&row);
			if !exists.contains(&parent) {
				let deposit = decoded.filter(|_| member.has_deposits).map_or(0, |it| it.3);
				let root = member.root;
				self.release(&root, STORAGE_DEPOSIT, deposit);
				continue;
			}
			*counts.entry(parent).or_default() += 1;
			let row = match decoded {
				Some((target, created, updated, deposit)) => {
					(target, created, updated, member.count(5, deposit)).encode()
				},
				None => {
					member.count(5, 0);
					row
				},
			};
			self.new.insert(key, row);
		}
		for (key, row) in old_collections {
			let parent = (member_of(&key), name_of(&key));
			let Some(member) = self.members.get_mut(&(1, parent.0)) else { continue };
			let row = match decode::<Collection>(&row) {
				Some((key_type, syntax, _, deposit, created)) => {
					let count = counts.get(&parent).copied().unwrap_or(0);
					(key_type, syntax, count, member.count(4, deposit), created).encode()
				},
				None => {
					member.count(4, 0);
					row
				},
			};
			self.new.insert(key, row);
		}
	}

	fn finish(mut self) -> Expected {
		let names = ["Providers", "Tenants"].map(map);
		for (key, _) in self.old.iter() {
			let kind = names.iter().position(|name| key.starts_with(name));
			if let Some(kind) = kind {
				let member = &self.members[&(kind as u8, member_of(key))];
				assert_eq!(usize::from(member.kind), kind);
				self.new.insert(key.clone(), member.encode());
			}
		}
		for ((kind, id), place) in &self.places {
			let Some(member) = self.members.get(&(*kind, *id)).filter(|it| it.is_deleted) else {
				continue;
			};
			let name = [&[*kind][..], id].concat();
			let rows: u32 = member.rows.iter().sum();
			let mut key = map("Purges");
			key.extend(blake2_128(&name));
			key.extend(&name);
			self.new.insert(key, (0u32, place, rows, Vec::<u8>::new(), 0u32).encode());
			let mut key = map("DeletionQueue");
			key.extend(twox_64(&place.to_le_bytes()));
			key.extend(place.to_le_bytes());
			self.new.insert(key, name);
		}
		self.new.insert(map("DeletionQueueBounds"), self.queue.encode());
		Expected { rows: self.new, holds: self.holds }
	}
}
