// SPDX-License-Identifier: Apache-2.0
//! The text form of keys of KMSes.
#![cfg(feature = "text")]

use content_fabric_primitives::{KmsKey, ParseKmsKeyError};

/// A key with its text, as the age program writes it: the first example of its documentation.
const KEY: &str = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const BYTES: &str = "07e22f5e44a542e8dc8e753a42251e1010cc79d192b3f71c5b1c95645209997a";

#[test]
fn a_key_is_read_and_written_as_an_age_recipient() {
	let key: KmsKey = KEY.parse().expect("it is a key");
	assert_eq!((hex::encode(key.0), key.to_string()), (BYTES.into(), KEY.into()));
	let keys = [[0; 32], [0xff; 32], std::array::from_fn(|at| at as u8)].map(KmsKey);
	for key in keys {
		assert_eq!((key.to_string().len(), key.to_string().parse()), (62, Ok(key)));
	}
	assert_eq!(keys.map(|key| key.is_zero()), [true, false, false]);
}

#[test]
fn other_texts_are_refused() {
	let other_checksum = format!("{}q", &KEY[..61]);
	let other_key = KEY.replace("ql3z", "ql3y");
	let no_bech32 = KEY.replace("ql3z", "qb1o");
	let long = format!("{KEY}q");
	let secret = format!("AGE-SECRET-KEY-1{}", "Q".repeat(58));
	let checksum = "the checksum of the key does not match: a character is wrong";
	for (text, error) in [
		("", "the key does not start with `age1`"),
		("0x0102", "the key does not start with `age1`"),
		(&KEY.to_uppercase(), "the key does not start with `age1`"),
		(&format!(" {KEY}"), "the key does not start with `age1`"),
		(&secret, "it is a secret age identity, expected its recipient (age1…)"),
		("age1", "the key has 4 characters, expected 62"),
		(&KEY[..61], "the key has 61 characters, expected 62"),
		(&long, "the key has 63 characters, expected 62"),
		(&other_checksum, checksum),
		(&other_key, checksum),
		(&no_bech32, checksum),
		(&KEY.replace("ql3z", "qL3z"), checksum),
		(&KEY.replace("ql3z", "qé3z"), checksum),
	] {
		let found = text.parse::<KmsKey>().map_err(|error| error.to_string());
		assert_eq!(found, Err(error.into()), "{text}");
	}
	assert_eq!("age1".parse::<KmsKey>(), Err(ParseKmsKeyError::Length { found: 4 }));
}

/// The last character before the checksum has four bits that are not of the key.
#[test]
fn each_key_has_one_text() {
	let text = "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpfwgqrs";
	assert_eq!(text.parse::<KmsKey>(), Err(ParseKmsKeyError::Checksum));
}
