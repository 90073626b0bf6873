// SPDX-License-Identifier: Apache-2.0
//! A random state of version 1: members that were handed over, frozen or are being deleted, keys of
//! every level, rows without parents, rows that do not decode, and counts that are wrong.

use codec::{Compact, Encode};
use content_fabric_identifiers::{Medallion, Muid, SpaceId};
use rand::{rngs::StdRng, Rng, SeedableRng};
use sp_crypto_hashing::{blake2_128, blake2_256, twox_64};

use crate::{AccountId, Holds, Rows, STORAGE_DEPOSIT, STORAGE_VERSION};

const SPACES: u8 = 4;
/// Number of tenants for each five of which there are two providers.
const TENANTS: u16 = 5;
const PROVIDERS: u16 = 2;
/// Most objects of a tenant. Each has up to three versions, and records.
const OBJECTS: u32 = 600;
/// The factor by which the chain scatters medallions.
const SCATTER: u64 = 679_535_556_991;
/// A unit of the chain's currency.
const UNIT: u128 = 1_000_000_000_000;

/// The state, and what is on hold for it.
pub struct Old {
	/// The spaces, the last of which is empty.
	pub spaces: Vec<SpaceId>,
	/// The accounts that own members, have access keys, or pay for others.
	pub accounts: Vec<AccountId>,
	/// The pallet's rows.
	pub rows: Rows,
	/// The funds on hold.
	pub holds: Holds,
	broken: u32,
	rng: StdRng,
	stamps: i32,
	places: u64,
	medallions: u64,
	/// Number of the providers and of the tenants of each space.
	members: [[u32; 2]; SPACES as usize],
}

/// Returns the storage key of a row.
fn raw_key(map: &str, keys: &[&[u8]]) -> Vec<u8> {
	let mut raw = crate::map(map);
	for key in keys {
		raw.extend(blake2_128(key));
		raw.extend_from_slice(key);
	}
	raw
}

/// A member, while its rows are made.
struct Owner {
	id: [u8; 10],
	is_deleted: bool,
	deposit: u128,
	rows: u32,
}

impl Old {
	/// Makes a state with at least this many rows. Of those under members, so many percent do not
	/// decode.
	pub fn random(seed: u64, rows: usize, broken: u32) -> Self {
		let account = |number: u32| blake2_256(&number.encode());
		let mut old = Self {
			spaces: (0..SPACES).map(|space| SpaceId([space; 10])).collect(),
			accounts: (0..200).map(account).collect(),
			rows: Rows::new(),
			holds: Holds::new(),
			broken,
			rng: StdRng::seed_from_u64(seed),
			stamps: 0,
			places: 0,
			medallions: 0,
			members: Default::default(),
		};
		let (mut providers, mut tenants) = (0..=u16::MAX, 0..=u16::MAX);
		while old.rows.len() < rows {
			// The last space stays empty.
			for number in providers.by_ref().take(PROVIDERS.into()) {
				let space = old.rng.random_range(0..usize::from(SPACES) - 1);
				old.provider(number, space);
			}
			for number in tenants.by_ref().take(TENANTS.into()) {
				let space = old.rng.random_range(0..usize::from(SPACES) - 1);
				old.tenant(number, space);
			}
		}
		for (space, [providers, tenants]) in old.members.into_iter().enumerate() {
			let id = old.spaces[space].0;
			// No bonds, and open to all.
			let rules = (0u128, 0u128, 0u8, 1u32, b"sla".to_vec());
			let row = (old.accounts[0], rules, providers, tenants, 0u32, old.stamp());
			old.put("Spaces", &[&id], row);
		}
		old.values();
		old
	}

	fn put(&mut self, map: &str, keys: &[&[u8]], row: impl Encode) {
		self.rows.insert(raw_key(map, keys), row.encode());
	}

	fn chance(&mut self, percent: u32) -> bool {
		self.rng.random_ratio(percent, 100)
	}

	fn account(&mut self) -> AccountId {
		let place = self.rng.random_range(0..self.accounts.len());
		self.accounts[place]
	}

	fn stamp(&mut self) -> Muid {
		self.stamps += 1;
		Muid::new(1_000, Medallion::MAX, self.stamps).expect("is in range")
	}

	fn locator(&mut self) -> Vec<u8> {
		vec![b'x'; self.rng.random_range(1..=256)]
	}

	/// Values that are not in a map.
	fn values(&mut self) {
		let last = Muid::new(2_000, Medallion::MAX, 0).expect("is in range");
		self.put("LastMuid", &[], last);
		let tid: u64 = self.rng.random::<u64>() >> 1;
		self.put("LastTid", &[], tid);
		self.put("MedallionCount", &[], self.medallions);
		self.put("DeletionQueueBounds", &[], (0u64, self.places));
		self.put("RecentDeletions", &[], (7u32, vec![(0u8, [0u8; 10])]));
		self.put(STORAGE_VERSION, &[], 1u16);
	}

	/// Adds a row under a member, which may be one that does not decode.
	fn child(
		&mut self,
		owner: &mut Owner,
		map: &str,
		keys: &[&[u8]],
		row: impl Encode,
		deposit: u128,
	) {
		if self.chance(self.broken) {
			self.rows.insert(raw_key(map, keys), vec![0xff; 3]);
		} else {
			self.put(map, keys, row);
		}
		owner.deposit += deposit;
		owner.rows += 1;
	}

	fn deposit(&mut self) -> u128 {
		self.rng.random_range(1..1_000) * UNIT / 1_000_000
	}

	/// Writes a member whose rows have been made. A kind is also the index of the reason of its
	/// bond.
	fn member(&mut self, kind: u8, owner: &Owner, space: usize, root: AccountId) {
		let depositor = if self.chance(20) { self.account() } else { root };
		let (deposit, bond) = match owner.is_deleted {
			// A deletion settles all funds when it starts.
			true => (0, 0),
			false => (owner.deposit, self.rng.random_range(0..100) * UNIT / 100),
		};
		for (reason, amount) in [(kind, bond), (STORAGE_DEPOSIT, deposit)] {
			*self.holds.entry((depositor, reason)).or_default() += amount;
		}
		let rows = if self.chance(10) { self.rng.random() } else { owner.rows };
		let frozen = self.chance(10);
		let row = (self.spaces[space], root, depositor, bond, deposit, rows);
		let row = (row, frozen, owner.is_deleted, self.stamp());
		self.members[space][usize::from(kind)] += 1;
		let map = ["Providers", "Tenants"][usize::from(kind)];
		self.put(map, &[&owner.id], row);
		if owner.is_deleted && self.chance(80) {
			let member = [&[kind][..], &owner.id].concat();
			let cursor: Vec<u8> = vec![1; self.rng.random_range(0..1_024)];
			let stage: u8 = self.rng.random_range(0..8);
			self.put("Deletions", &[&member], (3u32, self.places, rows, stage, cursor));
			let place = self.places.to_le_bytes();
			let mut key = crate::map("DeletionQueue");
			key.extend(twox_64(&place));
			key.extend(place);
			self.rows.insert(key, member);
			self.places += self.rng.random_range(1..3);
		}
	}

	fn owner(&mut self, number: u16) -> Owner {
		let mut id = [0; 10];
		id[..2].copy_from_slice(&number.to_be_bytes());
		Owner { id, is_deleted: self.chance(10), deposit: 0, rows: 0 }
	}

	/// Access keys, now and then also of the root.
	fn keys(&mut self, owner: &mut Owner, map: &str, root: &AccountId, levels: u8) {
		for _ in 0..self.rng.random_range(0..6) {
			let account = if self.chance(15) { *root } else { self.account() };
			let key = raw_key(map, &[&owner.id, &account]);
			if self.rows.contains_key(&key) {
				continue;
			}
			let (level, deposit) = (self.rng.random_range(0..levels), self.deposit());
			let id = owner.id;
			self.child(owner, map, &[&id, &account], (level, deposit), deposit);
		}
	}

	/// Assigns the next medallion, as the chain scatters them.
	fn medallion(&mut self) -> Medallion {
		let (first, last) = (Medallion::FIRST_ASSIGNABLE.get(), Medallion::LAST_ASSIGNABLE.get());
		let place = self.medallions.wrapping_mul(SCATTER) % (last - first + 1);
		self.medallions += 1;
		Medallion::new(first + place).expect("it is in range")
	}

	fn provider(&mut self, number: u16, space: usize) {
		let mut owner = self.owner(number);
		let root = self.account();
		self.keys(&mut owner, "ProviderKeys", &root, 2);
		for node in 0..self.rng.random_range(0..20u8) {
			let medallion = self.medallion();
			let (pending, locator, deposit) = (self.chance(30), self.locator(), self.deposit());
			let last = if pending { None } else { Some(self.stamp()) };
			let row = (pending, locator, medallion, last, deposit);
			let id = owner.id;
			self.child(&mut owner, "Nodes", &[&id, &[node; 10]], row, deposit);
		}
		match self.chance(3) {
			// Only its children are left.
			true => {},
			false => self.member(0, &owner, space, root),
		}
	}

	fn tenant(&mut self, number: u16, space: usize) {
		let mut owner = self.owner(number);
		let (root, id) = (self.account(), owner.id);
		self.keys(&mut owner, "TenantKeys", &root, 3);
		for kms in 0..self.rng.random_range(0..4u8) {
			let (locator, deposit) = (self.locator(), self.deposit());
			self.child(&mut owner, "Kmses", &[&id, &[kms; 10]], (locator, deposit), deposit);
		}
		for object in 0..self.rng.random_range(0..OBJECTS) {
			self.object(&mut owner, object);
		}
		for collection in 0..self.rng.random_range(0..4u8) {
			self.collection(&mut owner, collection);
		}
		match self.chance(3) {
			true => {},
			false => self.member(1, &owner, space, root),
		}
	}

	fn object(&mut self, owner: &mut Owner, number: u32) {
		let (id, mut object) = (owner.id, [0; 10]);
		object[..4].copy_from_slice(&number.to_be_bytes());
		let created = self.stamp();
		let versions = self.rng.random_range(0..4u8);
		for version in 0..versions {
			let (committed, deposit) = (self.stamp(), self.deposit());
			let finalized = self.chance(70).then_some(9_000u64);
			let row = (id, [version; 10], Compact(self.rng.random::<u64>()), committed, finalized);
			let row = (row, self.chance(50), [0u8; 10], deposit);
			self.child(owner, "Versions", &[&id, &object, &[version; 32]], row, deposit);
		}
		if self.chance(2) {
			// The versions have lost their object.
			return;
		}
		let head = self.chance(50).then(|| [self.rng.random_range(0..4u8); 32]);
		let count = if self.chance(5) { self.rng.random() } else { u32::from(versions) };
		let deposit = self.deposit();
		let row = (head, count, deposit, created);
		self.child(owner, "ContentObjects", &[&id, &object], row, deposit);
	}

	fn collection(&mut self, owner: &mut Owner, number: u8) {
		let (id, name) = (owner.id, vec![b'a' + number; self.rng.random_range(1..128)].encode());
		let records = self.rng.random_range(0..200u32);
		for record in 0..records {
			let (created, updated, deposit) = (self.stamp(), self.stamp(), self.deposit());
			let target = ([0u8; 10], self.chance(50).then_some([0u8; 32]));
			let key = format!("record-{record}").into_bytes().encode();
			let row = (target, created, updated, deposit);
			self.child(owner, "Records", &[&id, &name, &key], row, deposit);
		}
		if self.chance(2) {
			return;
		}
		let (created, deposit) = (self.stamp(), self.deposit());
		let count = if self.chance(5) { self.rng.random() } else { records };
		// Keys of any kind.
		let row = (3u8, self.rng.random_range(0..2u8), count, deposit, created);
		self.child(owner, "Collections", &[&id, &name], row, deposit);
	}
}
