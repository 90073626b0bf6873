// SPDX-License-Identifier: Apache-2.0
//! The account that consists of zeros. As an sr25519 key, it is the neutral element of the group, so
//! that one signature is valid under everything.

use content_fabric_runtime::{AccountId, Runtime, RuntimeCall, Signature};
use pallet_content_fabric::{Call, Error, KeyInfo, LastMuid, TenantKeys, TenantLevel};
use sp_core::sr25519;
use sp_keyring::Sr25519Keyring::Bob;
use sp_runtime::traits::{Dispatchable, Verify};

use crate::{chain::*, fabric::*};

const ZERO: AccountId = AccountId::new([0; 32]);

/// Returns the signature that anybody can write: zeros, with the mark of sr25519.
fn forged() -> Signature {
	let mut bytes = [0; 64];
	bytes[63] = 0x80;
	Signature::Sr25519(sr25519::Signature::from(bytes))
}

#[test]
fn a_commit_that_it_has_signed_is_refused() {
	assert!(forged().verify(&b"anything"[..], &ZERO));
	let mut chain = space_and_provider();
	chain.block(|| create_tenant(TENANT));
	chain.block(|| {
		// As if the row were older than the rule.
		let granted = LastMuid::<Runtime>::get().expect("muids were minted");
		let key = KeyInfo { level: TenantLevel::Admin, granted, deposit: 0 };
		TenantKeys::<Runtime>::insert(TENANT, ZERO, key);
		let call = commit_versions(TENANT, 0, [draft(object(1), version(1))]);
		let Call::commit_versions { commit, .. } = call else { panic!("it is a commit") };
		let (tenant_signer, signature) = (ZERO, forged());
		let call = Call::commit_versions { tenant_signer, commit, signature };
		let refused = RuntimeCall::from(call).dispatch(signed(Bob));
		assert_eq!(
			refused.map_err(|failed| failed.error),
			Err(Error::<Runtime>::ZeroAccount.into())
		);
		TenantKeys::<Runtime>::remove(TENANT, ZERO);
	});
}
