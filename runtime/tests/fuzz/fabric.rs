// SPDX-License-Identifier: Apache-2.0
//! Calls of the content fabric, drawn by the generator of the pallet.

use content_fabric_runtime::{units::UNIT, AccountId, Balance, Runtime, RuntimeCall, Signature};
use pallet_content_fabric::fuzzing::{self, Drawn, Draws, World};

use crate::accounts::{sign, Accounts, Origin, KEYS};

impl World<Runtime> for Accounts {
	fn accounts(&self) -> &[AccountId] {
		&self.all
	}

	fn signers(&self) -> &[AccountId] {
		&self.all[..KEYS.len()]
	}

	fn governors(&self) -> Vec<AccountId> {
		[&self.any_of_two, &self.two_of_three, &self.pure].map(Clone::clone).into()
	}

	fn sign(&self, signer: &AccountId, bytes: &[u8]) -> Signature {
		Signature::Sr25519(sign(Self::key(signer).expect("the account signs"), bytes))
	}

	fn unit(&self) -> Balance {
		UNIT
	}
}

/// Returns a call, and who makes it.
pub fn call(draws: &mut Draws, accounts: &Accounts) -> (Origin, RuntimeCall) {
	let Drawn { origin, call, .. } = fuzzing::call(draws, accounts);
	(origin, call.into())
}
