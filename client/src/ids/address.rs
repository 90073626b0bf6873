// SPDX-License-Identifier: Apache-2.0
//! Addresses of accounts, with the networks that they are for.

use std::{fmt, str::FromStr};

use blake2::{Blake2b512, Digest};
use subxt::utils::AccountId32;

use super::{parse_account, IdError};

/// The prefix of addresses that are for any network. This client prints these.
const ANY_NETWORK: u16 = 42;
/// Largest length of an address: a prefix of two bytes, the account, and a checksum of two.
const MAX_LEN: usize = 36;
/// Largest length of the text of an address.
const MAX_TEXT: usize = 50;

/// The address of an account, in SS58.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
	/// The account.
	pub account: AccountId32,
	prefix: u16,
}

impl FromStr for Address {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		let account = parse_account(text)?;
		let mut bytes = [0; MAX_LEN];
		// The account has been read from it, so it is base58, and has a prefix.
		let _ = bs58::decode(text).onto(&mut bytes);
		let prefix = match bytes {
			[short @ 0..64, ..] => short.into(),
			[first, second, ..] => {
				let [first, second] = [first, second].map(u16::from);
				(first & 0x3f) << 2 | second >> 6 | (second & 0x3f) << 8
			},
		};
		Ok(Self { account, prefix })
	}
}

/// Returns the fault of a text that is not an address.
pub(super) fn fault(text: &str) -> String {
	const FORM: &str =
		"expected the SS58 address of a chain with accounts of 32 bytes, such as 5Grw…";
	if text.is_empty() {
		return format!("it is empty: {FORM}");
	}
	let mut bytes = [0; MAX_LEN];
	let length = match bs58::decode(text).onto(&mut bytes) {
		Ok(length) => length,
		Err(bs58::decode::Error::BufferTooSmall) => return format!("it is too long: {FORM}"),
		Err(_) => {
			let is_base58 = |mark: &char| mark.is_ascii_alphanumeric() && !"0OIl".contains(*mark);
			return match text.chars().find(|mark| !is_base58(mark)) {
				Some(mark) => format!("no address has the character `{mark}`: {FORM}"),
				None => FORM.into(),
			};
		},
	};
	let expected = if bytes[0] < 64 { MAX_LEN - 1 } else { MAX_LEN };
	match length {
		short if short < expected => format!("it is too short: {FORM}"),
		long if long > expected => format!("it is too long: {FORM}"),
		_ => "its checksum is wrong: copy it again, as a character was changed".into(),
	}
}

impl Address {
	/// Returns the address in the form of a chain with a prefix, if it is one of another network.
	pub fn translated(&self, prefix: u16) -> Option<String> {
		(self.prefix != prefix && self.prefix != ANY_NETWORK).then(|| encode(&self.account, prefix))
	}

	/// Returns the prefix of its network.
	pub fn prefix(&self) -> u16 {
		self.prefix
	}
}

impl fmt::Display for Address {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&encode(&self.account, self.prefix))
	}
}

/// Returns the address of an account with a prefix of at most 14 bits, as all have.
fn encode(account: &AccountId32, prefix: u16) -> String {
	let mut bytes = Vec::with_capacity(MAX_LEN);
	let [high, low] = prefix.to_be_bytes();
	match low {
		short @ 0..64 if high == 0 => bytes.push(short),
		_ => bytes.extend([low >> 2 | 0x40, low << 6 | high & 0x3f]),
	}
	bytes.extend(account.0);
	let checksum = Blake2b512::new().chain_update("SS58PRE").chain_update(&bytes).finalize();
	bytes.extend(&checksum[..2]);
	let mut text = [0; MAX_TEXT];
	let length = bs58::encode(bytes).onto(&mut text[..]).unwrap_or_default();
	String::from_utf8_lossy(&text[..length]).into_owned()
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_malformed_address_is_refused_with_its_fault() {
		let alice = ALICE[2].1;
		let changed = alice.replace("QY", "QZ");
		let [longer, shorter] = [format!("{alice}5"), alice[..40].to_owned()];
		for (text, fault) in [
			("", "it is empty: "),
			("bob", "it is too short: "),
			(&shorter, "it is too short: "),
			(&longer, "it is too long: "),
			("0x1234", "no address has the character `0`: "),
			("5Grw aEF", "no address has the character ` `: "),
			(&changed, "its checksum is wrong: "),
		] {
			let error = text.parse::<Address>().expect_err("it is no address").to_string();
			let start = format!("`{text}` is not the address of an account: {fault}");
			assert!(error.starts_with(&start), "{error}");
		}
		assert_eq!(alice.parse::<Address>().map(|address| address.prefix()), Ok(42));
	}

	/// The account of //Alice on several networks, as other programs write it.
	const ALICE: [(u16, &str); 3] = [
		(0, "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
		(2, "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F"),
		(42, "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"),
	];

	#[test]
	fn addresses_are_read_and_written_with_their_prefixes() {
		let account = ALICE[2].1.parse::<AccountId32>().expect("it is an address; qed");
		for prefix in [0, 2, 42, 63, 64, 255, 256, 1284, 16_383] {
			let text = encode(&account, prefix);
			let address = text.parse::<Address>().expect("it is an address; qed");
			assert_eq!((address.account, address.prefix), (account, prefix), "{text}");
		}
		for (prefix, text) in ALICE {
			assert_eq!(encode(&account, prefix), text);
		}
		assert!("5Grwva".parse::<Address>().is_err());
	}

	#[test]
	fn an_address_of_another_network_has_one_of_this_chain() {
		let translated = |text: &str, prefix| {
			text.parse::<Address>().expect("it is an address; qed").translated(prefix)
		};
		assert_eq!(translated(ALICE[0].1, 42).as_deref(), Some(ALICE[2].1));
		assert_eq!(translated(ALICE[0].1, 2).as_deref(), Some(ALICE[1].1));
		assert_eq!(translated(ALICE[0].1, 0), None);
		// This one is of no network of its own.
		assert_eq!(translated(ALICE[2].1, 0), None);
	}
}
