//! What a tenant's key signs to have a version committed, and how signatures are checked.

use alloc::vec::Vec;

use codec::Encode;
use frame_system::pallet_prelude::BlockNumberFor;
use sp_runtime::traits::{Verify, Zero};

use crate::{Config, Pallet, VersionCommitMessage};

/// What the signed bytes begin with: what they are for, and in which version.
pub const COMMIT_CONTEXT: &[u8] = b"content-fabric/version-commit/v1";

/// What wallets put around bytes that they sign, so that these cannot be taken for a transaction.
const WRAP: (&[u8], &[u8]) = (b"<Bytes>", b"</Bytes>");

impl<T: Config> Pallet<T> {
	/// The bytes that a tenant's key signs: [`COMMIT_CONTEXT`], the hash of the chain's genesis block,
	/// and the SCALE encoding of the message.
	pub fn commit_payload(message: &VersionCommitMessage) -> Vec<u8> {
		let genesis = frame_system::Pallet::<T>::block_hash(BlockNumberFor::<T>::zero());
		let mut payload = COMMIT_CONTEXT.to_vec();
		genesis.encode_to(&mut payload);
		message.encode_to(&mut payload);
		payload
	}

	/// Whether an account has signed the message: its bytes as they are, or between `<Bytes>` and
	/// `</Bytes>` as wallets do.
	pub(crate) fn is_signed_by(
		account: &T::AccountId,
		message: &VersionCommitMessage,
		signature: &T::OffchainSignature,
	) -> bool {
		let payload = Self::commit_payload(message);
		signature.verify(&payload[..], account)
			|| signature.verify(&[WRAP.0, &payload, WRAP.1].concat()[..], account)
	}
}
