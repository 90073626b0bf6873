// SPDX-License-Identifier: Apache-2.0
//! A chain with the example's runtime, which builds blocks as a node does.

use codec::Encode;
use frame_support::{assert_ok, weights::Weight};
use serde_json::Value;
use sp_consensus_aura::{digests::CompatibleDigestItem, sr25519::AuthoritySignature};
use sp_genesis_builder::runtime_decl_for_genesis_builder::GenesisBuilder;
use sp_io::TestExternalities;
use sp_keyring::Sr25519Keyring;
use sp_runtime::{generic::SignedPayload, traits::Header as _, Digest, DigestItem, MultiSignature};

use super::genesis::genesis;
use crate::{
	extension, inherents, Block, Executive, Header, Runtime, RuntimeCall, System,
	UncheckedExtrinsic, SLOT_DURATION,
};

/// The slot of the genesis.
const FIRST_SLOT: u64 = 1_700_000_000_000 / SLOT_DURATION;

pub struct Chain {
	state: TestExternalities,
	parent: Header,
}

/// The weight, the proof and the length of a block.
#[derive(Clone, Copy, Debug)]
pub struct Took {
	pub weight: Weight,
	/// Bytes of the proof of all that the block read, and of what its state root needs.
	pub proof: u64,
	/// Bytes of the block's extrinsics.
	pub len: u64,
}

impl Chain {
	/// Starts a chain from the development preset, patched with `patch`.
	pub fn new(patch: Value) -> Self {
		let mut state = TestExternalities::default();
		state.execute_with(|| {
			let genesis = genesis::<Block, Runtime>(patch);
			assert_ok!(<Runtime as GenesisBuilder<Block>>::build_state(genesis));
		});
		state.commit_all().expect("no storage layer is open");
		let parent = Header::new(
			0,
			Default::default(),
			Default::default(),
			Default::default(),
			Default::default(),
		);
		Self { state, parent }
	}

	/// Makes a block of these calls, which must succeed.
	pub fn block(&mut self, calls: Vec<(Sr25519Keyring, RuntimeCall)>) -> Took {
		let (parent, number) = (&self.parent, self.parent.number + 1);
		let slot = FIRST_SLOT + u64::from(number);
		let digest =
			<DigestItem as CompatibleDigestItem<AuthoritySignature>>::aura_pre_digest(slot.into());
		let header = Header::new(
			number,
			Default::default(),
			Default::default(),
			parent.hash(),
			Digest { logs: vec![digest] },
		);
		let ((header, weight, len), proof) = self.state.execute_and_prove(|| {
			Executive::initialize_block(&header);
			let mut len = 0;
			let mut apply = |extrinsic: UncheckedExtrinsic| {
				len += extrinsic.encoded_size() as u64;
				assert_ok!(Executive::apply_extrinsic(extrinsic).expect("the extrinsic is valid"));
			};
			inherents(parent, slot)
				.into_iter()
				.map(UncheckedExtrinsic::new_bare)
				.for_each(&mut apply);
			calls.into_iter().for_each(|(who, call)| apply(sign(who, call)));
			let header = Executive::finalize_block();
			(header, System::block_weight().total(), len)
		});
		self.state.commit_all().expect("no storage layer is open");
		self.parent = header;
		self.check();
		Took { weight, proof: proof.encoded_size() as u64, len }
	}

	pub fn run<R>(&mut self, body: impl FnOnce() -> R) -> R {
		self.state.execute_with(body)
	}

	/// Checks the invariants of all pallets, with the feature `try-runtime`.
	fn check(&mut self) {
		#[cfg(feature = "try-runtime")]
		{
			use frame_support::traits::{TryState, TryStateSelect};
			let number = self.parent.number;
			self.run(|| {
				assert_ok!(crate::AllPalletsWithSystem::try_state(number, TryStateSelect::All));
			});
		}
	}
}

fn sign(who: Sr25519Keyring, call: RuntimeCall) -> UncheckedExtrinsic {
	let account = who.to_account_id();
	let extension = extension(System::account_nonce(&account));
	let payload = SignedPayload::new(call, extension).expect("the extension knows what it signs");
	let signature = MultiSignature::Sr25519(payload.using_encoded(|bytes| who.sign(bytes)));
	let (call, extension, _) = payload.deconstruct();
	UncheckedExtrinsic::new_signed(call, account.into(), signature, extension)
}
