// SPDX-License-Identifier: Apache-2.0
//! The id of a version from its data, and its CID.

use std::io::Write;

use content_fabric_identifiers::{Cid, ParseCidError, VersionHasher, VersionId};

/// Data, its SHA-256 hash and its CID. The hashes of the first two are the examples of FIPS 180-4;
/// the CIDs are `b` and the lower-case base32 of `01551220` and the hash.
const VECTORS: [(&[u8], &str, &str); 2] = [
	(
		b"",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku",
	),
	(
		b"abc",
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu",
	),
];

#[test]
fn the_id_of_data_is_their_sha_256_hash_whatever_the_pieces() {
	for (data, hash, cid) in VECTORS {
		let id = VersionHasher::hash(data);
		assert_eq!((hex::encode(id), Cid(id).to_string().as_str()), (hash.into(), cid));
		assert_eq!(cid.parse(), Ok(Cid(id)));
	}
	let data: Vec<u8> = (0..1_000u32).flat_map(u32::to_le_bytes).collect();
	for length in [1, 63, 64, 65, 4_000] {
		let mut hasher = VersionHasher::new();
		for piece in data.chunks(length) {
			hasher.write_all(piece).expect("a hasher takes all");
		}
		assert_eq!(hasher.finish(), VersionHasher::hash(&data));
	}
}

#[test]
fn a_cid_has_a_fixed_beginning_and_can_be_in_another_base() {
	let id = VersionId(core::array::from_fn(|index| index as u8));
	let hex = format!("f01551220{}", hex::encode(id));
	assert_eq!(hex.parse(), Ok(Cid(id)));
	// The longest base: binary digits.
	let bits = [1, 0x55, 0x12, 0x20].iter().chain(&id.0).map(|byte| format!("{byte:08b}"));
	assert_eq!(format!("0{}", bits.collect::<String>()).parse(), Ok(Cid(id)));
}

#[test]
fn other_texts_and_other_cids_are_refused() {
	let zeros = "00".repeat(32);
	for text in
		["", "b", "bafkrei", "hq__1", "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyk0"]
	{
		assert_eq!(text.parse::<Cid>(), Err(ParseCidError::Syntax), "{text}");
	}
	// Decoding these would take minutes.
	for base in ["z", "Z", "9", "k", "f"] {
		let long = base.repeat(1 << 20);
		assert_eq!(long.parse::<Cid>(), Err(ParseCidError::Syntax), "{base}");
	}
	for text in [
		// Version 0, a structure (`dag-pb`), SHA-512, 31 bytes of SHA-256, 33 bytes, and a path.
		"QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
		&format!("f01701220{zeros}"),
		&format!("f01551340{zeros}{zeros}"),
		&format!("f0155121f{}", &zeros[2..]),
		&format!("f01551220{zeros}00"),
		&format!("/ipfs/f01551220{zeros}"),
	] {
		assert_eq!(text.parse::<Cid>(), Err(ParseCidError::Kind), "{text}");
	}
}
