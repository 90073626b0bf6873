// SPDX-License-Identifier: Apache-2.0
//! The transactions behind events.

use codec::{Compact, Decode};
use sp_crypto_hashing::blake2_256;
use subxt::utils::{AccountId32, MultiAddress};

use crate::source::Cause;

/// First bytes of signed transactions, of format 4 and of format 5.
const SIGNED: [u8; 2] = [0b1000_0100, 0b1000_0101];

/// Returns the cause that a transaction is to events of calls that it makes directly.
pub(super) fn cause(transaction: &[u8]) -> Cause {
	Cause {
		signer: signer(transaction),
		extrinsic_hash: format!("0x{}", hex::encode(blake2_256(transaction))),
		via: Vec::new(),
	}
}

/// Returns the account that signed a transaction. `None` for others, such as transactions of the
/// block's author, or authorized by their extensions.
fn signer(mut transaction: &[u8]) -> Option<AccountId32> {
	let input = &mut transaction;
	Compact::<u32>::decode(input).ok()?;
	let first = u8::decode(input).ok()?;
	match MultiAddress::<AccountId32, u32>::decode(input) {
		Ok(MultiAddress::Id(account)) if SIGNED.contains(&first) => Some(account),
		_ => None,
	}
}

#[cfg(test)]
mod tests {
	use codec::Encode;

	use super::*;

	/// Returns a transaction: its length, and its bytes.
	fn transaction(bytes: &[u8]) -> Vec<u8> {
		bytes.to_vec().encode()
	}

	#[test]
	fn the_signer_is_read_from_a_signed_transaction() {
		let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
		let account: AccountId32 = alice.parse().expect("it is an account; qed");
		for first in SIGNED {
			let body = [&[first, 0], &account.0[..], &[1], &[7; 64], &[0; 300]].concat();
			let bytes = transaction(&body);
			let hash = format!("0x{}", hex::encode(blake2_256(&bytes)));
			let expected = Cause { signer: Some(account), extrinsic_hash: hash, via: Vec::new() };
			assert_eq!(cause(&bytes), expected);
		}
	}

	#[test]
	fn other_transactions_have_no_signer() {
		let account = [7; 32];
		for body in [
			// Bare, and general.
			[&[4, 0], &account[..]].concat(),
			[&[5, 0], &account[..]].concat(),
			[&[0b0100_0101, 0], &account[..]].concat(),
			// Another kind of address.
			[&[0x84, 3], &account[..]].concat(),
			[&[0x84, 9], &account[..]].concat(),
			// Cut off.
			[&[0x84, 0], &account[..31]].concat(),
			vec![0x84],
			vec![],
		] {
			assert_eq!(signer(&transaction(&body)), None, "{body:?}");
		}
		assert_eq!(signer(&[]), None);
	}
}
