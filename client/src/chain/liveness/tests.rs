// SPDX-License-Identifier: Apache-2.0
//! Connections to a node that a test makes silent in many ways. The clock is tokio's.

use std::sync::Arc;

use futures::{FutureExt, SinkExt, StreamExt};
use serde_json::{json, Value};
use subxt::rpcs::{
	client::{rpc_params, RpcSubscription},
	LegacyRpcMethods, RpcClient,
};
use tokio::{
	io::{duplex, AsyncReadExt, AsyncWriteExt, DuplexStream},
	sync::watch,
	time::{advance, interval, timeout, Instant},
};
use tokio_tungstenite::{
	accept_async,
	tungstenite::{
		protocol::frame::{
			coding::{Data, OpCode},
			Frame,
		},
		Message,
	},
	WebSocketStream,
};

use super::*;
use crate::chain::{finalized::Header, node_client::connect_over, Error};

/// Time between two blocks.
const SLOT: Duration = Duration::from_secs(6);
/// Longest time that the death of a connection may take.
const SOON: Duration = Duration::from_secs(30);

/// The behavior of a node.
#[derive(Clone, Copy)]
struct Conduct {
	answers: bool,
	makes_blocks: bool,
	finalizes: bool,
	notifies: bool,
	is_syncing: bool,
	/// Sends pings, as a proxy does by itself.
	pings: bool,
}

const HEALTHY: Conduct = Conduct {
	answers: true,
	makes_blocks: true,
	finalizes: true,
	notifies: true,
	is_syncing: false,
	pings: false,
};

struct Node {
	socket: WebSocketStream<DuplexStream>,
	best: u64,
	finalized: u64,
	/// The methods of the subscriptions.
	subscriptions: Vec<String>,
}

fn header(number: u64) -> Value {
	let zero = format!("0x{}", "00".repeat(32));
	let number = format!("{number:#x}");
	json!({ "parentHash": zero, "number": number, "stateRoot": zero, "extrinsicsRoot": zero,
		"digest": { "logs": [] } })
}

impl Node {
	async fn start(stream: DuplexStream) -> Self {
		let socket = accept_async(stream).await.expect("the client speaks WebSocket");
		Self { socket, best: 7, finalized: 5, subscriptions: Vec::new() }
	}

	/// Serves until the client closes the connection.
	async fn serve(mut self, conduct: watch::Receiver<Conduct>) {
		let mut slots = interval(SLOT);
		loop {
			let message = tokio::select! {
				message = self.socket.next() => message,
				_ = slots.tick() => {
					let now = *conduct.borrow();
					self.best += u64::from(now.makes_blocks);
					self.finalized += u64::from(now.finalizes);
					if now.notifies && now.makes_blocks {
						self.notify("chain_subscribeNewHeads").await;
					}
					if now.notifies && now.finalizes {
						self.notify("chain_subscribeFinalizedHeads").await;
					}
					if now.pings {
						self.send(Message::Ping(vec![0; 125].into())).await;
					}
					continue;
				},
			};
			let Some(Ok(message)) = message else { return };
			let now = *conduct.borrow();
			if now.answers && message.is_text() {
				let text = message.to_text().expect("it is text");
				let question: Value = serde_json::from_str(text).expect("questions are JSON");
				self.answer(&question, now.is_syncing).await;
			}
		}
	}

	async fn answer(&mut self, question: &Value, is_syncing: bool) {
		let method = question["method"].as_str().expect("questions have a method");
		let result = match method {
			"chain_getHeader" if question["params"][0].is_null() => header(self.best),
			"chain_getHeader" => header(self.finalized),
			"chain_getFinalizedHead" => json!(format!("0x{}", "11".repeat(32))),
			"system_health" => {
				json!({ "peers": 1, "isSyncing": is_syncing, "shouldHavePeers": true })
			},
			"long" => return self.dribble(&question["id"]).await,
			"never" => return,
			// A node begins with the present block.
			_ if method.starts_with("chain_subscribe") => json!(method),
			_ => json!("done"),
		};
		let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
		self.send(Message::text(answer.to_string())).await;
		if method.starts_with("chain_subscribe") {
			self.subscriptions.push(method.to_owned());
			self.notify(method).await;
		}
	}

	/// Sends a long answer in a hundred parts, one in a second.
	async fn dribble(&mut self, id: &Value) {
		let part = "x".repeat(2 * PART);
		let frame = |text: String, code, is_last| {
			Message::Frame(Frame::message(text.into_bytes(), OpCode::Data(code), is_last))
		};
		let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":""#);
		self.send(frame(start, Data::Text, false)).await;
		for _ in 0..100 {
			sleep(Duration::from_secs(1)).await;
			self.send(frame(part.clone(), Data::Continue, false)).await;
		}
		self.send(frame("\"}".into(), Data::Continue, true)).await;
	}

	async fn notify(&mut self, method: &str) {
		if !self.subscriptions.iter().any(|known| known == method) {
			return;
		}
		let is_best = method == "chain_subscribeNewHeads";
		let result = header(if is_best { self.best } else { self.finalized });
		let notification = json!({ "jsonrpc": "2.0", "method": "head",
			"params": { "subscription": method, "result": result } });
		self.send(Message::text(notification.to_string())).await;
	}

	async fn send(&mut self, message: Message) {
		// The client may have closed the connection.
		let _ = self.socket.send(message).await;
	}
}

/// A connection to a node in this process.
struct Connection {
	rpc: Rpc,
	client: RpcClient,
	liveness: Arc<Liveness>,
	conduct: watch::Sender<Conduct>,
	node: tokio::task::JoinHandle<()>,
}

async fn connect_to<Serving>(
	room: usize,
	serve: impl FnOnce(DuplexStream, watch::Receiver<Conduct>) -> Serving,
) -> Connection
where
	Serving: Future<Output = ()> + Send + 'static,
{
	let (here, there) = duplex(room);
	let (conduct, receiver) = watch::channel(HEALTHY);
	let node = tokio::spawn(serve(there, receiver));
	let url = "ws://127.0.0.1".parse().expect("it is the URL of a node; qed");
	let connected = connect_over(here, &url, Duration::from_secs(60)).await;
	let (client, liveness) = connected.expect("the node accepts");
	Connection { rpc: LegacyRpcMethods::new(client.clone()), client, liveness, conduct, node }
}

/// Connects to a node that is healthy at first.
async fn connect() -> Connection {
	let serve = |stream, conduct| async move { Node::start(stream).await.serve(conduct).await };
	connect_to(1 << 20, serve).await
}

impl Connection {
	fn begin(&self, conduct: Conduct) -> Instant {
		self.conduct.send_replace(conduct);
		Instant::now()
	}

	fn is_alive(&self) -> bool {
		self.liveness.death.borrow().is_none()
	}

	async fn ask(&self) -> Result<Value, RpcError> {
		self.client.request("state_call", rpc_params!["x"]).await
	}
}

/// Waits for what must happen soon.
async fn soon<T>(happens: impl Future<Output = T>) -> T {
	timeout(SOON, happens).await.expect("it happens soon")
}

/// Checks that this is the error of a dead connection, which is made anew.
#[track_caller]
fn assert_dead(error: RpcError, cause: &str) {
	let error = Error::from(error);
	assert!(matches!(&error, Error::Dead(found) if found == cause), "{error}");
	assert!(error.is_connection());
	assert_eq!(error.to_string(), format!("the connection is dead: {cause}"));
}

/// Returns the error with which a subscription ends.
async fn last(heads: &mut RpcSubscription<Header>) -> RpcError {
	loop {
		if let Err(error) = heads.next().await.expect("it does not end without an error") {
			return error;
		}
	}
}

#[test]
fn a_dead_connection_is_known_in_all_errors_of_the_library() {
	use subxt::error::{
		BackendError, ExtrinsicError, OnlineClientAtBlockError, RpcError as BackendRpcError,
		RuntimeApiError, StorageError, TransactionProgressError,
	};
	let dead = || RpcError::from(Dead(Cause::Silence(15)));
	let backend = || BackendError::Rpc(BackendRpcError::ClientError(dead()));
	let as_text = OnlineClientAtBlockError::CannotGetMetadata {
		block_hash: [0; 32].into(),
		reason: backend().to_string(),
	};
	let lost = [
		subxt::Error::from(dead()),
		backend().into(),
		as_text.into(),
		OnlineClientAtBlockError::CannotGetCurrentBlock { reason: backend() }.into(),
		StorageError::StreamFailure(backend()).into(),
		RuntimeApiError::CannotCallApi(backend()).into(),
		ExtrinsicError::ErrorSubmittingTransaction(backend()).into(),
		TransactionProgressError::CannotGetNextProgressUpdate(backend()).into(),
	];
	for error in lost {
		assert!(matches!(Error::from(error), Error::Dead(cause) if cause == SILENT));
	}
}

const SILENT: &str = "the node has not answered for 15 seconds";

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_silent_node_fails_soon_and_the_connection_is_closed() {
	for conduct in [
		Conduct { answers: false, notifies: false, ..HEALTHY },
		// A proxy before a node that is gone.
		Conduct { answers: false, notifies: false, pings: true, ..HEALTHY },
	] {
		let connection = connect().await;
		let mut heads = connection.rpc.chain_subscribe_new_heads().await.expect("it answers");
		let mut other = connection.rpc.chain_subscribe_all_heads().await.expect("it answers");
		sleep(Duration::from_secs(3_600)).await;
		assert!(connection.ask().await.is_ok());

		let begun = connection.begin(conduct);
		let asked =
			soon(async { tokio::join!(connection.ask(), last(&mut heads), last(&mut other)) })
				.await;
		assert!(begun.elapsed() <= Duration::from_secs(16), "{:?}", begun.elapsed());
		assert_dead(asked.0.expect_err("nobody answers"), SILENT);
		assert_dead(asked.1, SILENT);
		assert_dead(asked.2, SILENT);
		assert!(heads.next().await.is_none());
		// From now on, it fails at once.
		let begun = Instant::now();
		assert_dead(connection.ask().await.expect_err("nobody answers"), SILENT);
		let subscribed = connection.rpc.chain_subscribe_new_heads().await;
		assert_dead(subscribed.expect_err("nobody answers"), SILENT);
		soon(connection.node).await.expect("the node is sound");
		assert_eq!(begun.elapsed(), Duration::ZERO);
	}
}

#[tokio::test(start_paused = true)]
async fn a_node_that_takes_no_bytes_is_noticed_and_left() {
	// A stopped process, whose buffers are full.
	let serve = |stream, _: watch::Receiver<_>| async move {
		let mut node = Node::start(stream).await;
		sleep(Duration::from_secs(100)).await;
		let stream = node.socket.get_mut();
		while stream.read(&mut [0; 4_096]).await.is_ok_and(|length| length > 0) {}
	};
	let connection = connect_to(1 << 10, serve).await;
	let begun = Instant::now();
	let short = connection.client.request::<Value>("state_call", rpc_params!["x".repeat(LONG / 2)]);
	assert_dead(soon(short).await.expect_err("nobody answers"), SILENT);
	assert!(begun.elapsed() <= Duration::from_secs(16), "{:?}", begun.elapsed());
	timeout(Duration::from_secs(100), connection.node)
		.await
		.expect("the connection is closed")
		.expect("the node is sound");
}

#[tokio::test(start_paused = true)]
async fn long_questions_and_answers_get_more_time() {
	let connection = connect().await;
	let begun = connection.begin(Conduct { answers: false, notifies: false, ..HEALTHY });
	let long = connection.client.request::<Value>("state_call", rpc_params!["x".repeat(LONG)]);
	let cause = "the node has not answered for 30 seconds";
	let long = timeout(SOON * 2, long).await.expect("it is noticed");
	assert_dead(long.expect_err("nobody answers"), cause);
	assert!(begun.elapsed() >= Duration::from_secs(25), "{:?}", begun.elapsed());
	assert!(begun.elapsed() <= Duration::from_secs(32), "{:?}", begun.elapsed());

	let connection = connect().await;
	let begun = Instant::now();
	// Nothing else is answered meanwhile.
	let long = connection.client.request::<String>("long", rpc_params![]).await;
	assert_eq!(long.expect("it arrives").len(), 200 * PART);
	assert!(begun.elapsed() >= Duration::from_secs(100));
	assert!(connection.is_alive());
}

/// Number of bytes that a slow line carries to the node in a second.
const SLOW: usize = 16 << 10;

/// Connects to a healthy node by a slow line, which stalls after `most` bytes.
async fn connect_slowly(most: usize) -> Connection {
	let serve = move |stream, conduct| async move {
		let (near, far) = duplex(1 << 20);
		let (mut from_client, mut to_client) = tokio::io::split::<DuplexStream>(stream);
		let (mut from_node, mut to_node) = tokio::io::split(near);
		let pass_on = async {
			let (mut passed, mut piece) = (0, [0; SLOW]);
			while let Ok(length @ 1..) = from_client.read(&mut piece).await {
				to_node.write_all(&piece[..length]).await.expect("the node is sound");
				passed += length;
				sleep(if passed < most { TICK } else { TICK * 3_600 }).await;
			}
		};
		let answer = async {
			// The client closes the connection at the end.
			let _ = tokio::io::copy(&mut from_node, &mut to_client).await;
		};
		tokio::join!(async { Node::start(far).await.serve(conduct).await }, pass_on, answer);
	};
	connect_to(1 << 16, serve).await
}

#[tokio::test(start_paused = true)]
async fn a_slow_line_may_take_minutes_for_a_long_question_unless_it_stalls() {
	let question = || rpc_params!["x".repeat(128 * SLOW)];
	let connection = connect_slowly(usize::MAX).await;
	let begun = Instant::now();
	let answer = connection.client.request::<Value>("state_call", question()).await;
	assert_eq!(answer.expect("it is answered"), "done");
	assert!(begun.elapsed() >= Duration::from_secs(128), "{:?}", begun.elapsed());
	assert!(connection.is_alive());

	let connection = connect_slowly(20 * SLOW).await;
	let begun = Instant::now();
	let dead = connection.client.request::<Value>("state_call", question()).await;
	assert_dead(
		dead.expect_err("most bytes do not arrive"),
		"the node has not answered for 30 seconds",
	);
	assert!(begun.elapsed() <= Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_not_answered_fails_on_a_connection_that_is_alive() {
	let connection = connect().await;
	let begun = Instant::now();
	let late = connection.client.request::<Value>("never", rpc_params![]).await;
	let late = late.expect_err("it is not answered").to_string();
	assert!(late.ends_with("no answer to never within 60 seconds"), "{late}");
	assert!(begun.elapsed() <= Duration::from_secs(62), "{:?}", begun.elapsed());
	assert!(connection.is_alive());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_answers_is_alive_without_blocks_and_without_finality() {
	let still = Conduct { makes_blocks: false, finalizes: false, ..HEALTHY };
	let stalled = Conduct { finalizes: false, ..HEALTHY };
	for conduct in [HEALTHY, still, stalled] {
		let connection = connect().await;
		connection.begin(conduct);
		let mut best = connection.rpc.chain_subscribe_new_heads().await.expect("it answers");
		let finalized = connection.rpc.chain_subscribe_finalized_heads().await;
		let mut finalized = finalized.expect("it answers");
		let hour = Duration::from_secs(3_600);
		let ended = tokio::join!(
			timeout(hour, async { while let Some(Ok(_)) = best.next().await {} }),
			timeout(hour, async { while let Some(Ok(_)) = finalized.next().await {} }),
		);
		assert!(ended.0.is_err() && ended.1.is_err(), "a subscription has ended");
		assert!(connection.is_alive());
		let heads = connection.liveness.heads().expect("there is a report");
		let lag = heads.best - heads.finalized;
		assert_eq!(lag > 500, conduct.makes_blocks && !conduct.finalizes, "{heads:?}");
	}
}

#[tokio::test(start_paused = true)]
async fn a_subscription_that_misses_blocks_ends_the_connection() {
	for subscribes_to_best in [true, false] {
		let connection = connect().await;
		let rpc = &connection.rpc;
		let heads = match subscribes_to_best {
			true => rpc.chain_subscribe_new_heads().await,
			false => rpc.chain_subscribe_finalized_heads().await,
		};
		let mut heads = heads.expect("it answers");
		// Blocks that nobody has read yet are not missing.
		sleep(Duration::from_secs(600)).await;
		while let Some(next) = heads.next().now_or_never() {
			next.expect("it goes on").expect("it is a header");
		}
		assert!(connection.is_alive());

		// One that catches up with its chain does not notify of the blocks.
		connection.begin(Conduct { notifies: false, is_syncing: true, ..HEALTHY });
		assert!(timeout(Duration::from_secs(600), heads.next()).await.is_err());
		assert!(connection.is_alive());

		connection.begin(Conduct { notifies: false, ..HEALTHY });
		let lost = Error::from(soon(last(&mut heads)).await).to_string();
		let start = "the connection is dead: the node has not notified this program of block ";
		assert!(lost.starts_with(start), "{lost}");
		assert!(connection.ask().await.is_err(), "requests fail, too");
	}
}

#[tokio::test(start_paused = true)]
async fn time_in_which_this_program_stood_still_is_no_silence() {
	let connection = connect().await;
	for _ in 0..10 {
		advance(Duration::from_secs(600)).await;
		sleep(Duration::from_secs(7)).await;
	}
	assert!(connection.is_alive());
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_never_shakes_hands_is_no_node() {
	let (here, mut there) = duplex(1 << 20);
	let url = "ws://127.0.0.1".parse().expect("it is the URL of a node; qed");
	let begun = Instant::now();
	assert!(connect_over(here, &url, Duration::from_secs(60)).await.is_err());
	assert!(begun.elapsed() <= Duration::from_secs(10), "{:?}", begun.elapsed());
	// The handshake is all that was sent, and the connection is closed.
	let mut sent = String::new();
	there.read_to_string(&mut sent).await.expect("it is text");
	assert!(sent.starts_with("GET / HTTP/1.1\r\n"), "{sent}");
	assert!(there.write_all(b"late").await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_nobody_needs_is_closed() {
	let Connection { rpc, client, node, conduct: _conduct, .. } = connect().await;
	sleep(Duration::from_secs(60)).await;
	drop((rpc, client));
	soon(node).await.expect("the node is sound");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_the_node_closes_is_not_called_dead() {
	let connection = connect().await;
	let mut heads = connection.rpc.chain_subscribe_all_heads().await.expect("it answers");
	connection.node.abort();
	sleep(Duration::from_secs(60)).await;
	while let Some(head) = heads.next().await {
		head.expect("it is a header");
	}
	let error = connection.ask().await.expect_err("nobody answers");
	assert!(matches!(Error::from(error), Error::Disconnected));
	assert!(connection.is_alive());
}
