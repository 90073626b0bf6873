// SPDX-License-Identifier: Apache-2.0
//! Reads of a light client that are tried again. It asks one node for each, which may not have the
//! block yet, or not answer in time.

use std::time::Duration;

use serde_json::value::RawValue;
use subxt::rpcs::{
	client::{RawRpcFuture, RawRpcSubscription, RpcClientT},
	Error as RpcError,
};
use tokio::time::sleep;

/// Number of times that a read is tried.
const ATTEMPTS: usize = 3;
/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(500);

/// A client whose reads are tried again.
pub(super) struct Retrying<Client>(pub Client);

/// Returns whether a method reads from nodes, and changes nothing.
fn is_read(method: &str) -> bool {
	method.starts_with("state_") || matches!(method, "chain_getHeader" | "chain_getBlock")
}

impl<Client: RpcClientT> RpcClientT for Retrying<Client> {
	fn request_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
	) -> RawRpcFuture<'a, Box<RawValue>> {
		let attempts = if is_read(method) { ATTEMPTS } else { 1 };
		Box::pin(async move {
			for _ in 1..attempts {
				match self.0.request_raw(method, params.clone()).await {
					Err(RpcError::User(_)) => sleep(PAUSE).await,
					answer => return answer,
				}
			}
			self.0.request_raw(method, params).await
		})
	}

	fn subscribe_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
		unsubscribe: &'a str,
	) -> RawRpcFuture<'a, RawRpcSubscription> {
		self.0.subscribe_raw(method, params, unsubscribe)
	}
}

#[cfg(test)]
mod tests {
	use std::sync::atomic::{AtomicUsize, Ordering};

	use super::*;

	/// Refuses twice, and then answers.
	#[derive(Default)]
	struct Late(AtomicUsize);

	impl RpcClientT for Late {
		fn request_raw<'a>(
			&'a self,
			_: &'a str,
			_: Option<Box<RawValue>>,
		) -> RawRpcFuture<'a, Box<RawValue>> {
			let refused = self.0.fetch_add(1, Ordering::Relaxed) < ATTEMPTS - 1;
			let refusal = serde_json::json!({ "code": -32000, "message": "no" });
			Box::pin(async move {
				match refused {
					true => Err(RpcError::User(
						serde_json::from_value(refusal).expect("it is an answer; qed"),
					)),
					false => RawValue::from_string("1".into()).map_err(RpcError::Deserialization),
				}
			})
		}

		fn subscribe_raw<'a>(
			&'a self,
			_: &'a str,
			_: Option<Box<RawValue>>,
			_: &'a str,
		) -> RawRpcFuture<'a, RawRpcSubscription> {
			unreachable!("nobody subscribes")
		}
	}

	#[tokio::test(start_paused = true)]
	async fn reads_are_tried_again_and_transactions_are_not() {
		for (method, answered, asked) in
			[("state_call", true, ATTEMPTS), ("author_submitExtrinsic", false, 1)]
		{
			let client = Retrying(Late::default());
			assert_eq!(client.request_raw(method, None).await.is_ok(), answered, "{method}");
			assert_eq!(client.0 .0.load(Ordering::Relaxed), asked, "{method}");
		}
	}
}
