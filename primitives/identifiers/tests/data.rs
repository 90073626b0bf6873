// SPDX-License-Identifier: Apache-2.0
//! The id of a version from its data, and its CID.

mod common;

use std::io::Write;

use cid::{multihash::Multihash, Cid as AnyCid};
use common::{list, text, vectors};
use content_fabric_identifiers::{
	Cid, HashKind, ParseCidError, VersionCheck, VersionHasher, VersionId,
};

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
fn the_id_of_data_is_its_hash_whatever_the_pieces() {
	let sha256 = HashKind::Sha256;
	for (data, hash, cid) in VECTORS {
		let version = VersionHasher::hash(sha256, data);
		let found = Cid { hash: sha256, version };
		assert_eq!((hex::encode(version), found.to_string().as_str()), (hash.into(), cid));
		assert_eq!(cid.parse(), Ok(found));
	}
	// `b` and the lower-case base32 of `01551e20` and the hash.
	for (data, cid) in [
		("", "bafkr4ifpcne3t5pzugtkaqcn5i3nzskjtpfslsnnyejlpte2spfoihzsmi"),
		("abc", "bafkr4ideg6z2yocgkez77nr3outtvdnvjdcvqrs5phnqh7jvtrwnlpm5qu"),
	] {
		let hash = HashKind::Blake3;
		let found = Cid { hash, version: VersionHasher::hash(hash, data.as_bytes()) };
		assert_eq!((found.to_string().as_str(), cid.parse()), (cid, Ok(found)));
	}
	for case in list(&vectors("blake3")["cases"]) {
		let size = case["size"].as_u64().expect("a size") as usize;
		let data: Vec<u8> = (0..=250).cycle().take(size).collect();
		let hash = VersionHasher::hash(HashKind::Blake3, &data);
		assert_eq!(hex::encode(hash), text(&case["hash"]), "{size} bytes");
	}
	let data: Vec<u8> = (0..1_000u32).flat_map(u32::to_le_bytes).collect();
	for (kind, length) in HashKind::ALL
		.into_iter()
		.flat_map(|kind| [1, 63, 64, 65, 1_024, 1_025, 4_000].map(|length| (kind, length)))
	{
		let mut hasher = VersionHasher::new(kind);
		assert_eq!(hasher.kind(), kind);
		for piece in data.chunks(length) {
			hasher.write_all(piece).expect("a hasher takes all");
		}
		assert_eq!(hasher.finish(), VersionHasher::hash(kind, &data));
	}
}

#[test]
fn no_data_has_the_id_of_no_data() {
	for kind in HashKind::ALL {
		assert_eq!(VersionHasher::hash(kind, b""), kind.of_no_data());
	}
}

#[test]
fn a_check_finds_the_kind_among_those_that_are_possible() {
	use HashKind::{Blake3, Sha256};
	for kind in HashKind::ALL {
		let version = VersionHasher::hash(kind, b"abc");
		for (kinds, found) in [
			(&[][..], None),
			(&[Blake3], Some(Blake3).filter(|other| *other == kind)),
			(&[Sha256], Some(Sha256).filter(|other| *other == kind)),
			(&[Sha256, Blake3, Sha256], Some(kind)),
		] {
			let mut check = VersionCheck::new(version, kinds.iter().copied());
			check.update(b"other bytes");
			assert_eq!(check.found(), None);
			check.restart();
			check.write_all(b"ab").expect("a check takes all");
			assert_eq!(check.found(), None);
			check.update(b"c");
			assert_eq!((check.version(), check.found()), (version, found), "{kinds:?}");
			let hashes = check.hashes().map(|cid| (cid.hash, cid.version));
			assert!(check.kinds().eq(check.hashes().map(|cid| cid.hash)));
			let hash = |kind| (kind, VersionHasher::hash(kind, b"abc"));
			let expected = HashKind::ALL.into_iter().filter(|kind| kinds.contains(kind)).map(hash);
			assert!(hashes.eq(expected));
		}
	}
}

#[test]
fn the_kinds_of_hash_have_texts() {
	for (text, name, kind) in
		[("blake3", "BLAKE3", HashKind::Blake3), ("sha256", "SHA-256", HashKind::Sha256)]
	{
		assert_eq!((text.parse(), kind.to_string(), kind.name()), (Ok(kind), text.into(), name));
	}
	for other in ["", "Blake3", "SHA-256", "sha512", "blake3 "] {
		assert!(other.parse::<HashKind>().is_err(), "{other}");
	}
}

#[test]
fn a_cid_has_a_fixed_beginning_and_can_be_in_another_base() {
	let version = VersionId(core::array::from_fn(|index| index as u8));
	for (hash, code, start) in
		[(HashKind::Sha256, 0x12, "bafkrei"), (HashKind::Blake3, 0x1e, "bafkr4i")]
	{
		let cid = Cid { hash, version };
		assert!(cid.to_string().starts_with(start), "{cid}");
		let hash = Multihash::wrap(code.into(), &version.0).expect("there is room for 32 bytes");
		assert_eq!(AnyCid::new_v1(0x55, hash).to_string(), cid.to_string());
		let hex = format!("f0155{code:02x}20{}", hex::encode(version));
		assert_eq!(hex.parse(), Ok(cid));
		// The longest base: binary digits.
		let bits = [1, 0x55, code, 0x20].into_iter().chain(version.0);
		let bits: String = bits.map(|byte| format!("{byte:08b}")).collect();
		assert_eq!(format!("0{bits}").parse(), Ok(cid));
	}
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
		// Version 0, a structure (`dag-pb`), SHA-512, BLAKE2b, 31 bytes of SHA-256, 33 bytes, and a
		// path.
		"QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
		&format!("f01701220{zeros}"),
		&format!("f01551340{zeros}{zeros}"),
		&format!("f0155a0e40220{zeros}"),
		&format!("f01551e1f{}", &zeros[2..]),
		&format!("f0155121f{}", &zeros[2..]),
		&format!("f01551220{zeros}00"),
		&format!("/ipfs/f01551220{zeros}"),
	] {
		assert_eq!(text.parse::<Cid>(), Err(ParseCidError::Kind), "{text}");
	}
}
