// SPDX-License-Identifier: Apache-2.0
//! Transactions: signing, submitting, and waiting for their blocks.

use std::time::Duration;

use subxt::{
	client::OnlineClientAtBlockImpl,
	config::transaction_extensions::{CheckMortalityParams, CheckNonceParams},
	error::{DispatchError, TransactionEventsError, TransactionStatusError},
	events::Phase,
	tx::{
		SignableTransaction, SubmittableTransaction, TransactionInvalid, TransactionProgress,
		TransactionStatus, ValidationResult,
	},
	utils::H256,
};

use super::{
	blake2_256, calls::EncodedCall, config::FabricConfig, dispatch_line, Chain, ChainEvent, Error,
	FabricEvent, Snapshot, Wait,
};
use crate::keys::Signer;

/// Number of blocks for which a signed transaction is valid.
pub(crate) const MORTALITY: u64 = 64;
/// Largest number of times that a call is signed because other transactions of the same key came
/// first. A node that lies about that gets at most this many transactions.
const ATTEMPTS: usize = 10;
/// The first pause before a call is signed anew. The next one is twice as long.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A transaction in a block, which has succeeded.
#[derive(Clone, Debug)]
pub struct Included {
	/// The hash of the transaction.
	pub extrinsic_hash: [u8; 32],
	/// The hash of its block.
	pub block_hash: [u8; 32],
	/// The number of its block.
	pub block_number: u64,
	/// Its events, in their order.
	pub events: Vec<ChainEvent>,
}

impl Included {
	/// Returns the events of the content fabric that this program can read.
	pub fn fabric_events(&self) -> impl Iterator<Item = &FabricEvent> {
		self.events.iter().filter_map(ChainEvent::fabric)
	}
}

type Client = OnlineClientAtBlockImpl<FabricConfig>;

/// A signed transaction.
pub struct Signed(SubmittableTransaction<FabricConfig, Client>);

impl Signed {
	/// Returns the hash of the transaction.
	pub fn hash(&self) -> [u8; 32] {
		self.0.hash().0
	}

	/// Checks that the transaction is valid at the block for which it was signed.
	async fn ensure_valid(&self) -> Result<(), Error> {
		let reason = match self.0.validate().await? {
			ValidationResult::Valid(_) => return Ok(()),
			ValidationResult::Invalid(reason) => described(&reason),
			ValidationResult::Unknown(reason) => format!("{reason:?}"),
		};
		Err(Error::Invalid(reason))
	}

	/// Returns the encoded transaction.
	pub fn bytes(&self) -> &[u8] {
		self.0.encoded()
	}
}

/// Returns a transaction to sign.
fn signable<'a>(
	at: &Snapshot,
	call: &'a EncodedCall,
	nonce: u64,
	(number, hash): (u64, [u8; 32]),
) -> Result<SignableTransaction<'a, FabricConfig, Client, EncodedCall>, Error> {
	let mortality = CheckMortalityParams::mortal_from_unchecked(MORTALITY, number, hash.into());
	let nonce = CheckNonceParams::with_nonce(nonce);
	let params = ((), (), (), nonce, (), mortality, Default::default(), ());
	Ok(at.0.tx().create_signable_offline(call, params)?)
}

impl Snapshot {
	/// Checks that this program knows all that a transaction with a call must have, without signing
	/// one.
	pub fn ensure_signable(&self, call: &EncodedCall) -> Result<(), Error> {
		let birth = (self.block_number(), self.block_hash());
		Ok(signable(self, call, 0, birth)?.signer_payload().map(drop)?)
	}
}

impl Chain {
	/// Signs a call, in a transaction that is valid for 64 blocks from `birth`. `at` has the
	/// metadata.
	pub fn sign(
		&self,
		at: &Snapshot,
		signer: &Signer,
		call: &EncodedCall,
		nonce: u64,
		birth: (u64, [u8; 32]),
	) -> Result<Signed, Error> {
		Ok(Signed(signable(at, call, nonce, birth)?.sign(signer.keypair())?))
	}

	/// Returns the block from which a transaction is valid: the last finalized one, which cannot be
	/// retracted, so that a transaction in a stale block stays valid on the surviving fork. Where
	/// finality lags far behind, the transaction would expire at once, so it is the best block. The
	/// blocks of a light client are finalized.
	async fn birth(&self, best: &Snapshot) -> Result<(u64, [u8; 32]), Error> {
		if self.is_light() {
			return Ok((best.block_number(), best.block_hash()));
		}
		let hash = self.rpc.chain_get_finalized_head().await?;
		let finalized = self.rpc.chain_get_header(Some(hash)).await?;
		let recent = finalized.filter(|header| header.number + MORTALITY / 2 > best.block_number());
		Ok(recent.map_or_else(
			|| (best.block_number(), best.block_hash()),
			|header| (header.number, hash.0),
		))
	}

	/// Signs a call, submits it, and waits until it is in a block and has succeeded. A call that is
	/// wrapped for root, for a proxy or for the council must succeed, too.
	///
	/// A light client waits for a finalized block in any case: it reads its state from no other.
	///
	/// If another transaction of the same key came first, the node has refused this one. A call that
	/// can be repeated is then signed again with the next nonce. After any other error, nothing is
	/// tried again, because the node may have accepted the transaction.
	///
	/// Fails with [`Error::NotIncluded`] if the transaction is in no block after `timeout`. Every
	/// error after the submission has the hash of the transaction.
	pub async fn submit(
		&self,
		signer: &Signer,
		call: &EncodedCall,
		wait: Wait,
		timeout: Duration,
	) -> Result<Included, Error> {
		let mut pause = PAUSE;
		let attempts = if can_be_repeated(call) { ATTEMPTS } else { 1 };
		for _ in 1..attempts {
			match self.submit_once(signer, call, wait, timeout).await {
				Err(error) if error.is_overtaken() => tokio::time::sleep(pause).await,
				done => return done,
			}
			pause = (pause * 2).min(LONGEST_PAUSE);
		}
		self.submit_once(signer, call, wait, timeout).await
	}

	async fn submit_once(
		&self,
		signer: &Signer,
		call: &EncodedCall,
		wait: Wait,
		timeout: Duration,
	) -> Result<Included, Error> {
		let at = self.best().await?;
		// After those in the pool. A light client knows no pool, and counts those in best blocks.
		let nonce = self.rpc.system_account_next_index(signer.account()).await?;
		let transaction = self.sign(&at, signer, call, nonce, self.birth(&at).await?)?;
		let extrinsic_hash = transaction.hash();
		let wait = if self.is_light() { Wait::Finalized } else { wait };
		if self.is_light() {
			// It would only report later that it has dropped the transaction, without a reason.
			transaction.ensure_valid().await?;
		}
		let submitted = self.follow(call, transaction, wait, timeout).await;
		submitted.map_err(|error| error.after_submission(extrinsic_hash))
	}

	/// Submits a transaction, and waits for its block.
	async fn follow(
		&self,
		call: &EncodedCall,
		transaction: Signed,
		wait: Wait,
		timeout: Duration,
	) -> Result<Included, Error> {
		let extrinsic_hash = transaction.hash();
		let progress = transaction.0.submit_and_watch().await?;
		let not_included = |_| Error::NotIncluded {
			hash: hex::encode(extrinsic_hash),
			seconds: timeout.as_secs(),
			wait,
		};
		let block = tokio::time::timeout(timeout, until(progress, wait)).await;
		self.included(call, extrinsic_hash, block.map_err(not_included)??).await
	}
}

/// Returns `true` if a call that succeeded can be made again without harm. A node that lies about
/// nonces can have all transactions included that were signed for one call.
fn can_be_repeated(call: &EncodedCall) -> bool {
	let name = call.name();
	let of_fabric = name.strip_prefix("ContentFabric.");
	of_fabric.is_some_and(|name| !["top_up_bond", "slash"].contains(&name))
}

/// Waits until a transaction is in a block.
async fn until(
	mut progress: TransactionProgress<FabricConfig, Client>,
	wait: Wait,
) -> Result<H256, Error> {
	loop {
		let refused = match progress.next().await.ok_or(Error::Disconnected)?? {
			TransactionStatus::InBestBlock(block) if wait == Wait::Best => {
				return Ok(block.block_hash())
			},
			TransactionStatus::InFinalizedBlock(block) => return Ok(block.block_hash()),
			TransactionStatus::Error { message } => TransactionStatusError::Error(message),
			TransactionStatus::Invalid { message } => TransactionStatusError::Invalid(message),
			TransactionStatus::Dropped { message } => TransactionStatusError::Dropped(message),
			TransactionStatus::Validated
			| TransactionStatus::Broadcasted
			| TransactionStatus::InBestBlock(_)
			| TransactionStatus::NoLongerInBestBlock => continue,
		};
		return Err(refused.into());
	}
}

impl Chain {
	/// Reads the result of a transaction in a block.
	async fn included(
		&self,
		call: &EncodedCall,
		extrinsic_hash: [u8; 32],
		block_hash: H256,
	) -> Result<Included, Error> {
		let failed = |reason: String| {
			let (call, hash) = (call.name(), hex::encode(extrinsic_hash));
			Error::Dispatch { call: format!("{call}, in the transaction 0x{hash},"), reason }
		};
		let place = self.place(extrinsic_hash, block_hash).await?;
		let at = self.at(block_hash.0).await?;
		let (block, metadata) = self.events(&at).await?;
		let mut events = Vec::new();
		for event in block.iter() {
			let event = event?;
			if event.phase() != Phase::ApplyExtrinsic(place) {
				continue;
			}
			if (event.pallet_name(), event.event_name()) == ("System", "ExtrinsicFailed") {
				let error = DispatchError::decode_from(event.field_bytes(), metadata.clone());
				let error = error.map_err(|error| {
					let bytes = event.field_bytes().to_vec();
					TransactionEventsError::CannotDecodeDispatchError { error, bytes }
				})?;
				return Err(failed(dispatch_line(&error)));
			}
			events.push(ChainEvent::read(&event, &metadata)?);
		}
		if let Some(reason) = events.iter().find_map(inner_error) {
			return Err(failed(reason));
		}
		Ok(Included {
			extrinsic_hash,
			block_hash: block_hash.0,
			block_number: at.block_number(),
			events,
		})
	}

	/// Returns the place of a transaction in its block.
	async fn place(&self, extrinsic_hash: [u8; 32], block_hash: H256) -> Result<u32, Error> {
		let block = self.rpc.chain_get_block(Some(block_hash)).await?;
		let extrinsics = block.map(|block| block.block.extrinsics).unwrap_or_default();
		let mut hashes = extrinsics.iter().map(|extrinsic| blake2_256(&extrinsic.0));
		let place = hashes.position(|hash| hash == extrinsic_hash);
		let place = place.and_then(|place| u32::try_from(place).ok());
		let missing =
			|| subxt::Error::other_str("the node does not find the transaction in its block");
		Ok(place.ok_or_else(missing)?)
	}
}

/// Returns the error of an upgrade, or of a call that another one has dispatched, as root, for a
/// proxy or for the council. The transaction itself succeeds in these cases.
pub(super) fn inner_error(event: &ChainEvent) -> Option<String> {
	let error = match (event.pallet.as_str(), event.name.as_str()) {
		("Sudo", "Sudid") => event.field("sudo_result")?.get("Err")?,
		("Proxy", "ProxyExecuted") | ("Council", "Executed" | "MemberExecuted") => {
			event.field("result")?.get("Err")?
		},
		// The weight stands beside the error.
		("Whitelist", "WhitelistedCallDispatched") => {
			event.field("result")?.get("Err")?.get("error")?
		},
		("System", "RejectedInvalidAuthorizedUpgrade") => event.field("error")?,
		_ => return None,
	};
	Some(error.as_str().map_or_else(|| error.to_string(), str::to_owned))
}

/// Returns the cause for which a transaction is not valid.
fn described(cause: &TransactionInvalid) -> String {
	let text = match cause {
		TransactionInvalid::Payment => "its signer cannot pay the fee",
		TransactionInvalid::Stale => "its nonce has been used by another transaction",
		TransactionInvalid::Future => "its nonce comes after the nonce of a missing transaction",
		TransactionInvalid::BadProof => "its signature, or a value that it signs, is wrong",
		TransactionInvalid::AncientBirthBlock => "the time in which it was valid is over",
		TransactionInvalid::ExhaustsResources => "it does not fit into a block",
		TransactionInvalid::Call => "the chain does not accept this call now",
		other => return format!("{other:?}"),
	};
	text.into()
}

#[cfg(test)]
mod tests {
	use serde_json::{json, Value};

	use super::*;

	fn error(pallet: &str, name: &str, field: &str, value: Value) -> Option<String> {
		let (pallet, name) = (pallet.into(), name.into());
		let fields = [(field.into(), value)].into();
		inner_error(&ChainEvent { pallet, name, fields, fabric: Ok(None) })
	}

	#[test]
	fn errors_of_calls_within_calls_are_found() {
		let module = "System.SpecVersionNeedsToIncrease: …";
		for (pallet, name, field, value) in [
			("Sudo", "Sudid", "sudo_result", json!({ "Err": module })),
			("Proxy", "ProxyExecuted", "result", json!({ "Err": module })),
			("Council", "Executed", "result", json!({ "Err": module })),
			(
				"Whitelist",
				"WhitelistedCallDispatched",
				"result",
				json!({ "Err": { "post_info": {}, "error": module } }),
			),
			("System", "RejectedInvalidAuthorizedUpgrade", "error", json!(module)),
		] {
			assert_eq!(error(pallet, name, field, value).as_deref(), Some(module), "{pallet}");
		}
	}

	#[test]
	fn calls_within_calls_that_succeed_have_no_error() {
		let unit = json!({ "Ok": [] });
		assert_eq!(error("Council", "Executed", "result", unit), None);
		let weight = json!({ "Ok": { "actual_weight": null } });
		assert_eq!(error("Whitelist", "WhitelistedCallDispatched", "result", weight), None);
		assert_eq!(error("ContentFabric", "TenantCreated", "result", json!({ "Err": "" })), None);
	}
}
