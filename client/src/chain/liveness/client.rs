// SPDX-License-Identifier: Apache-2.0
//! A JSON-RPC client whose connection is watched.

use std::{
	future::Future,
	sync::{
		atomic::{AtomicUsize, Ordering::Relaxed},
		Arc,
	},
	time::Duration,
};

use futures::{stream, Stream, StreamExt};
use jsonrpsee_ws_client::WsClient;
use serde::Deserialize;
use serde_json::value::RawValue;
use subxt::rpcs::{
	client::{RawRpcFuture, RawRpcSubscription, RpcClientT},
	Error as RpcError, LegacyRpcMethods, RpcClient,
};
use tokio::task::JoinSet;

use super::{super::node_client::late, Kind, Liveness};

/// A client whose requests and subscriptions fail when its connection is dead.
pub(in crate::chain) struct Watched {
	client: Arc<WsClient>,
	liveness: Arc<Liveness>,
	/// Time after which a question fails. Time in which the line is busy does not count.
	timeout: Duration,
	/// The task that watches the connection. It ends with the client.
	_watch: JoinSet<()>,
}

impl Watched {
	/// Watches the connection of a client, until it is dead or closed.
	pub fn new(client: WsClient, liveness: Arc<Liveness>, timeout: Duration) -> Self {
		let client = Arc::new(client);
		let mut watch = JoinSet::new();
		watch.spawn({
			let (client, liveness) = (client.clone(), liveness.clone());
			async move {
				let rpc = LegacyRpcMethods::new(RpcClient::new(client.clone()));
				tokio::select! {
					() = liveness.watch(&rpc) => {},
					_ = client.on_disconnect() => {},
				}
			}
		});
		Self { client, liveness, timeout, _watch: watch }
	}

	/// Waits for the answer to a question.
	async fn answered<T>(
		&self,
		method: &str,
		answer: impl Future<Output = Result<T, RpcError>>,
	) -> Result<T, RpcError> {
		tokio::select! {
			biased;
			answer = self.liveness.answered(answer) => answer,
			() = self.liveness.idle(self.timeout) => Err(late(method, self.timeout)),
		}
	}

	/// Counts a request as unanswered until the result is dropped.
	fn asking(&self, params: Option<&RawValue>) -> Asking<'_> {
		let length = params.map_or(0, |params| params.get().len());
		self.liveness.asking.fetch_add(length, Relaxed);
		Asking { all: &self.liveness.asking, length }
	}
}

/// An unanswered request.
struct Asking<'a> {
	all: &'a AtomicUsize,
	length: usize,
}

impl Drop for Asking<'_> {
	fn drop(&mut self) {
		self.all.fetch_sub(self.length, Relaxed);
	}
}

impl RpcClientT for Watched {
	fn request_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
	) -> RawRpcFuture<'a, Box<RawValue>> {
		Box::pin(async move {
			let _asking = self.asking(params.as_deref());
			self.answered(method, self.client.request_raw(method, params)).await
		})
	}

	fn subscribe_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
		unsubscribe: &'a str,
	) -> RawRpcFuture<'a, RawRpcSubscription> {
		Box::pin(async move {
			let _asking = self.asking(params.as_deref());
			let subscribing = self.client.subscribe_raw(method, params, unsubscribe);
			let RawRpcSubscription { stream, id } = self.answered(method, subscribing).await?;
			let kind = Kind::of(method);
			let stream = watched(stream, kind, self.liveness.clone()).boxed();
			Ok(RawRpcSubscription { stream, id })
		})
	}
}

impl Kind {
	/// Returns the blocks that a subscription with this method brings. `None` if it brings
	/// something else.
	fn of(method: &str) -> Option<Self> {
		match method {
			"chain_subscribeNewHeads" => Some(Self::Best),
			"chain_subscribeFinalizedHeads" => Some(Self::Finalized),
			_ => None,
		}
	}
}

type Item = Result<Box<RawValue>, RpcError>;

/// Returns the notifications of a subscription, and an error when the connection is dead. It is
/// also dead if blocks of this kind are overdue.
fn watched(
	notifications: impl Stream<Item = Item> + Send + Unpin + 'static,
	kind: Option<Kind>,
	liveness: Arc<Liveness>,
) -> impl Stream<Item = Item> + Send {
	let start = Some((notifications, None));
	stream::unfold(start, move |state| {
		let liveness = liveness.clone();
		async move {
			let (mut notifications, mut seen) = state?;
			let lack = async {
				match kind {
					Some(kind) => liveness.lack(kind, seen).await,
					None => std::future::pending().await,
				}
			};
			tokio::select! {
				biased;
				next = notifications.next() => match (next, *liveness.death.borrow()) {
					(Some(next), _) => {
						liveness.was_heard.store(true, Relaxed);
						seen = seen.max(next.as_deref().ok().and_then(number));
						return Some((next, Some((notifications, seen))));
					},
					(None, None) => return None,
					(None, Some(_)) => {},
				},
				_ = liveness.ended() => {},
				cause = lack => liveness.end(cause),
			}
			Some((Err(liveness.ended().await.into()), None))
		}
	})
}

/// Returns the number of the block whose header this is.
fn number(header: &RawValue) -> Option<u64> {
	#[derive(Deserialize)]
	struct Header<'a> {
		number: &'a str,
	}
	let header: Header<'_> = serde_json::from_str(header.get()).ok()?;
	u64::from_str_radix(header.number.strip_prefix("0x")?, 16).ok()
}
