//! Motions of the council, whose members on a development chain are Alice, Bob and Charlie.

use std::sync::Arc;

use content_fabric_client::calls::Call;
use sp_crypto_hashing::blake2_256;
use subxt::{
	backend::LegacyBackend,
	config::{DefaultExtrinsicParamsBuilder, RpcConfigFor},
	dynamic::Value,
	ext::{
		codec::{Decode, DecodeAll},
		scale_value::Composite,
	},
	extrinsics::ExtrinsicEvents,
	rpcs::{LegacyRpcMethods, RpcClient},
	tx::TransactionStatus as Status,
	OnlineClient, SubstrateConfig,
};
use subxt_signer::sr25519::{dev, Keypair};

/// Number of votes that more than half of the council has.
const MAJORITY: u32 = 2;
/// The weight that a motion may have: picoseconds, and bytes of proof.
const WEIGHT_BOUND: (u64, u64) = (10_000_000_000, 1_000_000);

/// A connection through which the council acts.
pub struct Council {
	client: OnlineClient<SubstrateConfig>,
	methods: LegacyRpcMethods<RpcConfigFor<SubstrateConfig>>,
}

/// A motion that the council votes on.
pub struct Motion {
	hash: [u8; 32],
	index: u32,
	/// Length of the encoded call.
	len: u32,
}

impl Council {
	/// Connects.
	pub async fn connect(url: &str) -> Self {
		let rpc = RpcClient::from_insecure_url(url).await.expect("the node answers");
		let methods = LegacyRpcMethods::new(rpc.clone());
		let backend = Arc::new(LegacyBackend::builder().build(rpc));
		let client = OnlineClient::from_backend_with_config(SubstrateConfig::new(), backend).await;
		Self { client: client.expect("the node answers"), methods }
	}

	/// Has Alice propose a call, and vote for it.
	pub async fn propose(&self, call: Call) -> Motion {
		let payload = call.payload();
		let at = self.client.at_current_block().await.expect("a block");
		let encoded = at.tx().call_data(&payload).expect("the metadata has the call");
		let len = u32::try_from(encoded.len()).expect("the call is short");
		let arguments = Composite::named([
			("threshold", Value::u128(MAJORITY.into())),
			("proposal", payload.into_value()),
			("length_bound", Value::u128(len.into())),
		]);
		let events = self.submit(&dev::alice(), "propose", arguments).await;
		// The proposer, the index, the hash, and the number of votes that are needed.
		let (_, index, hash, _) =
			fields::<([u8; 32], u32, [u8; 32], u32)>(&events, "Proposed").expect("it is proposed");
		assert_eq!(hash, blake2_256(&encoded));
		let motion = Motion { hash, index, len };
		self.vote(&dev::alice(), &motion).await;
		motion
	}

	/// Has Bob vote for a motion and close it, which carries it. Returns whether its call
	/// succeeded; if it did not, the indices of the error's pallet and of the error in the pallet.
	pub async fn carry(&self, motion: &Motion) -> Result<(), (u8, u8)> {
		self.vote(&dev::bob(), motion).await;
		let (ref_time, proof_size) = WEIGHT_BOUND;
		let weight_bound = Value::named_composite([
			("ref_time", Value::u128(ref_time.into())),
			("proof_size", Value::u128(proof_size.into())),
		]);
		let arguments = Composite::named([
			("proposal_hash", Value::from_bytes(motion.hash)),
			("index", Value::u128(motion.index.into())),
			("proposal_weight_bound", weight_bound),
			("length_bound", Value::u128(motion.len.into())),
		]);
		let events = self.submit(&dev::bob(), "close", arguments).await;
		if fields::<([u8; 32], u8)>(&events, "Executed") == Some((motion.hash, 0)) {
			return Ok(());
		}
		// The hash, that it failed, that it did so in a pallet, in which, and why.
		let failed = fields::<([u8; 32], u8, u8, u8, [u8; 4])>(&events, "Executed");
		let (hash, failed, kind, pallet, error) = failed.expect("the motion is carried");
		assert_eq!((hash, failed, kind), (motion.hash, 1, 3), "the error is one of a pallet");
		Err((pallet, error[0]))
	}

	async fn vote(&self, voter: &Keypair, motion: &Motion) {
		let arguments = Composite::named([
			("proposal", Value::from_bytes(motion.hash)),
			("index", Value::u128(motion.index.into())),
			("approve", Value::bool(true)),
		]);
		self.submit(voter, "vote", arguments).await;
	}

	/// Submits a call of the council's pallet, which must succeed.
	async fn submit(
		&self,
		signer: &Keypair,
		name: &str,
		arguments: Composite<()>,
	) -> ExtrinsicEvents<SubstrateConfig> {
		let call = subxt::dynamic::tx("Council", name, arguments);
		let account = signer.public_key().to_account_id();
		let nonce = self.methods.system_account_next_index(&account).await;
		let nonce = nonce.expect("the node answers");
		let params =
			DefaultExtrinsicParamsBuilder::<SubstrateConfig>::new().nonce(nonce).immortal();
		let at = self.client.at_current_block().await.expect("a block");
		let mut progress = at
			.tx()
			.create_signable_offline(&call, params.build())
			.expect("the metadata has the call")
			.sign(signer)
			.expect("a signature")
			.submit_and_watch()
			.await
			.expect("the node takes the transaction");
		loop {
			let status = progress.next().await.expect("the transaction gets into a block");
			let status = status.expect("the node answers");
			if let Status::InBestBlock(block) | Status::InFinalizedBlock(block) = status {
				return block.wait_for_success().await.expect("the call succeeds");
			}
		}
	}
}

/// Returns the fields of the council's first event of that name, if they are of the type.
fn fields<Fields: Decode>(events: &ExtrinsicEvents<SubstrateConfig>, name: &str) -> Option<Fields> {
	let event = events
		.iter()
		.map(|event| event.expect("the metadata has the event"))
		.find(|event| event.pallet_name() == "Council" && event.event_name() == name)?;
	Fields::decode_all(&mut event.field_bytes()).ok()
}
