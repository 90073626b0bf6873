// SPDX-License-Identifier: Apache-2.0
//! Calls that are put together by names, and encoded by the metadata of whatever runtime the chain
//! has at the time.

use std::time::Duration;

use subxt::{
	client::{OnlineClient, OnlineClientAtBlock},
	config::{DefaultExtrinsicParamsBuilder, RpcConfigFor, SubstrateConfig},
	dynamic::{self, Value},
	ext::scale_value::Composite,
	rpcs::{LegacyRpcMethods, RpcClient},
	transactions::DynamicPayload,
	tx::Payload,
	utils::H256,
};

use content_fabric_client::keys::Signer;

use crate::wait;

/// A call.
pub type Call = DynamicPayload<Composite<()>>;

/// The chain at a block.
type At = OnlineClientAtBlock<SubstrateConfig>;

/// Longest time until the transactions of a test are in blocks.
const INCLUSION: Duration = Duration::from_secs(180);

/// Returns a call with these arguments.
pub fn call<const N: usize>(pallet: &str, name: &str, arguments: [(&str, Value); N]) -> Call {
	dynamic::tx(pallet, name, Composite::named(arguments))
}

/// Returns the call that makes several calls, which succeed or fail together.
pub fn batch(calls: impl IntoIterator<Item = Call>) -> Call {
	let calls = Value::unnamed_composite(calls.into_iter().map(Call::into_value));
	call("Utility", "batch_all", [("calls", calls)])
}

/// Returns the call that makes a call as root.
pub fn sudo(inner: Call) -> Call {
	call("Sudo", "sudo", [("call", inner.into_value())])
}

/// Returns the call that makes a call as root, for which this much computing time is registered, in
/// picoseconds.
pub fn sudo_with_weight(inner: Call, ref_time: u64) -> Call {
	let weight = [("ref_time", Value::u128(ref_time.into())), ("proof_size", Value::u128(0))];
	let arguments = [("call", inner.into_value()), ("weight", Value::named_composite(weight))];
	call("Sudo", "sudo_unchecked_weight", arguments)
}

/// Returns the call that replaces the runtime.
pub fn set_code(blob: &[u8]) -> Call {
	call("System", "set_code", [("code", Value::from_bytes(blob))])
}

/// A connection through which an account sends calls.
pub struct Sender {
	client: OnlineClient<SubstrateConfig>,
	methods: LegacyRpcMethods<RpcConfigFor<SubstrateConfig>>,
	signer: Signer,
}

impl Sender {
	/// Connects to a node.
	pub async fn connect(url: &str, signer: Signer) -> Self {
		let rpc = RpcClient::from_insecure_url(url).await.expect("the node answers");
		let client = OnlineClient::from_rpc_client(rpc.clone()).await.expect("the node answers");
		Self { client, methods: LegacyRpcMethods::new(rpc), signer }
	}

	/// Returns the number of the account's next transaction.
	pub async fn nonce(&self) -> u64 {
		let nonce = self.methods.system_account_next_index(self.signer.account()).await;
		nonce.expect("the node answers")
	}

	/// Returns a signed transaction. It has the version of the present runtime.
	pub async fn sign(&self, nonce: u64, call: &impl Payload) -> Vec<u8> {
		self.sign_at(&self.present().await, nonce, call)
	}

	/// Returns a signed transaction for each call, with the next numbers of the account. The chain is
	/// asked once for all of them.
	pub async fn sign_all(&self, calls: &[impl Payload]) -> Vec<Vec<u8>> {
		let (at, first) = (self.present().await, self.nonce().await);
		(first..).zip(calls).map(|(nonce, call)| self.sign_at(&at, nonce, call)).collect()
	}

	async fn present(&self) -> At {
		self.client.at_current_block().await.expect("there is a block")
	}

	fn sign_at(&self, at: &At, nonce: u64, call: &impl Payload) -> Vec<u8> {
		let parameters = DefaultExtrinsicParamsBuilder::<SubstrateConfig>::new();
		let parameters = parameters.nonce(nonce).immortal().build();
		let signed = at
			.tx()
			.create_signable_offline(call, parameters)
			.expect("the runtime has the call")
			.sign(self.signer.keypair())
			.expect("the key can sign");
		signed.encoded().to_vec()
	}

	/// Decodes a call, which must be well formed: encoded again, it is the same bytes.
	pub async fn decode(&self, bytes: &[u8]) -> Call {
		let at = self.client.at_current_block().await.expect("there is a block");
		let call = at.tx().from_call_data_bytes(bytes).expect("the runtime has the call");
		assert_eq!(at.tx().call_data(&call).expect("it was decoded"), bytes);
		call
	}

	/// Hands a signed transaction to the node.
	pub async fn submit(&self, signed: &[u8]) {
		let sent = self.methods.author_submit_extrinsic(signed).await;
		sent.unwrap_or_else(|error| panic!("a transaction is refused: {error}"));
	}

	/// Sends transactions that are executed in this order, and waits until they are in blocks.
	/// Returns the hash of the last of these blocks.
	///
	/// The last is sent first, so that the node takes all of them for ready at once.
	pub async fn send(&self, calls: &[Call]) -> H256 {
		let first = self.nonce().await;
		let last = first + calls.len() as u64;
		for (nonce, call) in (first..last).rev().zip(calls.iter().rev()) {
			self.submit(&self.sign(nonce, call).await).await;
		}
		let mut block = H256::zero();
		wait::until(INCLUSION, "transactions are in no block", async || {
			let best = self.methods.chain_get_block_hash(None).await.expect("the node answers");
			block = best.expect("there is a best block");
			let at = self.client.at_block(block).await.expect("the node has the block");
			let nonce = at.tx().account_nonce(self.signer.account()).await;
			nonce.expect("accounts have nonces") >= last
		})
		.await;
		block
	}
}
