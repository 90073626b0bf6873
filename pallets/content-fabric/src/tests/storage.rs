// SPDX-License-Identifier: Apache-2.0
//! The keys of the storage, as others compute them, and what stands in front of each part.

use std::collections::{BTreeMap, BTreeSet};

use codec::Decode;
use frame_support::{assert_ok, Blake2_128, StorageHasher, Twox128, Twox64Concat};

use crate::{mock::*, Role};

/// A part of the key of a row, encoded.
#[derive(Clone, Copy)]
enum Part {
	/// Always this many bytes.
	Fixed(usize),
	/// Bytes with their number in front.
	Text,
}

impl Part {
	/// Returns the length of this part, with which `key` begins.
	fn len(self, key: &[u8]) -> usize {
		match self {
			Self::Fixed(len) => len,
			Self::Text => {
				let mut rest = key;
				Vec::<u8>::decode(&mut rest).expect("a text has its length in front");
				key.len() - rest.len()
			},
		}
	}
}

const ID: Part = Part::Fixed(10);
const ACCOUNT: Part = Part::Fixed(8);
const VERSION: Part = Part::Fixed(32);

/// The maps whose keys users choose, with the parts of their keys.
const MAPS: [(&str, &[Part]); 13] = [
	("Spaces", &[ID]),
	("Admissions", &[ID, Part::Fixed(8 + 1)]),
	("Providers", &[ID]),
	("ProviderKeys", &[ID, ACCOUNT]),
	("Nodes", &[ID, ID]),
	("Tenants", &[ID]),
	("TenantKeys", &[ID, ACCOUNT]),
	("Kmses", &[ID, ID]),
	("ContentObjects", &[ID, ID]),
	("Versions", &[ID, ID, VERSION]),
	("Collections", &[ID, Part::Text]),
	("Records", &[ID, Part::Text, Part::Text]),
	("Purges", &[Part::Fixed(1 + 10)]),
];

/// Returns the keys of the pallet's rows behind the names of pallet and map, by the map. Single
/// values have none.
fn keys_by_map() -> BTreeMap<String, Vec<Vec<u8>>> {
	let names = MAPS.iter().map(|(map, _)| *map).chain(["DeletionQueue"]);
	let names: BTreeMap<_, _> = names.map(|map| (Twox128::hash(map.as_bytes()), map)).collect();
	let prefix = Twox128::hash(b"ContentFabric").to_vec();
	let mut keys = BTreeMap::<String, Vec<Vec<u8>>>::new();
	let next = |key: &Vec<u8>| sp_io::storage::next_key(key);
	for key in std::iter::successors(next(&prefix), next).take_while(|key| key.starts_with(&prefix))
	{
		let (map, key) = key[16..].split_at(16);
		if !key.is_empty() {
			let map = names.get(map).expect("every map of the pallet is listed here");
			keys.entry(map.to_string()).or_default().push(key.to_vec());
		}
	}
	keys
}

#[test]
fn every_part_of_a_key_that_users_choose_is_behind_its_cryptographic_hash() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(ContentFabric::admit(signed(GOVERNOR), SPACE, STRANGER, Role::Tenant));
		for member in THE_MEMBERS {
			assert_ok!(purge_member(member));
		}
		let mut keys = keys_by_map();
		let places = keys.remove("DeletionQueue").expect("two purges are queued");
		let expected = [0u64, 1].map(|place| Twox64Concat::hash(&place.to_le_bytes()));
		assert_eq!(BTreeSet::from_iter(places), BTreeSet::from(expected));
		for (map, parts) in MAPS {
			let keys = keys.remove(map).unwrap_or_else(|| panic!("{map} has no row"));
			for key in keys {
				let mut rest = &key[..];
				for part in parts {
					let (hash, behind) = rest.split_at(16);
					let (own, after) = behind.split_at(part.len(behind));
					assert_eq!(hash, Blake2_128::hash(own), "{map}: {key:?}");
					rest = after;
				}
				assert!(rest.is_empty(), "{map}: {key:?}");
			}
		}
	});
}

#[test]
fn the_maps_listed_here_are_those_of_the_pallet() {
	let source = include_str!("../lib.rs");
	let maps = source.split("pub type ").skip(1).filter_map(|definition| {
		let (name, rest) = definition.split_once("<T: Config> =")?;
		let kind = rest.trim_start();
		let is_map = ["StorageMap", "StorageDoubleMap", "StorageNMap"]
			.iter()
			.any(|map| kind.starts_with(&format!("{map}<")));
		is_map.then_some(name)
	});
	let listed = MAPS.iter().map(|(map, _)| *map).chain(["DeletionQueue"]);
	assert_eq!(maps.collect::<BTreeSet<_>>(), listed.collect());
}
