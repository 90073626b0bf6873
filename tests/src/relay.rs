// SPDX-License-Identifier: Apache-2.0
//! A relay between a client and a node. It can cut the connections through it, swallow what goes
//! through them, and lie: change the answers to some questions.

use std::{
	collections::HashMap,
	sync::{
		atomic::{AtomicUsize, Ordering},
		Arc,
	},
};

use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{
	net::{TcpListener, TcpStream},
	sync::watch,
};
use tokio_tungstenite::{
	accept_async_with_config, connect_async_with_config,
	tungstenite::{protocol::WebSocketConfig, Message},
};

/// Changes the result of a question. Gets the name of its method, its parameters, and the result.
pub type Lie = Arc<dyn Fn(&str, &Value, &mut Value) + Send + Sync>;

/// The messages that a relay swallows. It keeps the connections open, and answers pings itself.
/// Peers that connect meanwhile wait for the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swallows {
	/// Nothing.
	Nothing,
	/// Messages of the node.
	Answers,
	/// Messages of both sides.
	All,
}

/// A relay on a free port of this machine. When it is dropped, it cuts its connections.
pub struct Relay {
	/// The URL that it serves.
	pub url: String,
	cuts: watch::Sender<usize>,
	swallows: watch::Sender<Swallows>,
	connections: Arc<AtomicUsize>,
}

impl Relay {
	/// Starts a relay to the node at a URL.
	pub async fn start(node: &str) -> Self {
		Self::lying(node, Arc::new(|_, _, _| ())).await
	}

	/// Starts a relay that lies.
	pub async fn lying(node: &str, lie: Lie) -> Self {
		let node = node.to_owned();
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
		let address = listener.local_addr().expect("it is bound");
		let (cuts, cut) = watch::channel(0);
		let (swallows, swallowed) = watch::channel(Swallows::Nothing);
		let connections = Arc::new(AtomicUsize::new(0));
		let counter = connections.clone();
		tokio::spawn(async move {
			while let Ok((client, _)) = listener.accept().await {
				counter.fetch_add(1, Ordering::Relaxed);
				let (node, lie, mut cut) = (node.clone(), lie.clone(), cut.clone());
				let swallowed = swallowed.clone();
				cut.mark_unchanged();
				tokio::spawn(async move {
					tokio::select! {
						() = pass_on(client, node, lie, swallowed) => {},
						_ = cut.changed() => {},
					}
				});
			}
		});
		Self { url: format!("ws://{address}"), cuts, swallows, connections }
	}

	/// Cuts all connections. New ones are relayed again.
	pub fn cut(&self) {
		self.cuts.send_modify(|cuts| *cuts += 1);
	}

	/// Swallows these messages from now on.
	pub fn swallow(&self, swallows: Swallows) {
		self.swallows.send_replace(swallows);
	}

	/// Returns the number of connections that were made.
	pub fn connections(&self) -> usize {
		self.connections.load(Ordering::Relaxed)
	}
}

/// Passes messages on until one side closes the connection. A node that is down does so, too.
async fn pass_on(
	client: TcpStream,
	node: String,
	lie: Lie,
	mut swallowed: watch::Receiver<Swallows>,
) {
	if swallowed.wait_for(|swallows| *swallows == Swallows::Nothing).await.is_err() {
		return;
	}
	let limits = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
	let client = accept_async_with_config(client, Some(limits)).await;
	let node = connect_async_with_config(node, Some(limits), true).await;
	let (Ok(client), Ok((node, _))) = (client, node) else { return };
	let (mut to_client, mut from_client) = client.split();
	let (mut to_node, mut from_node) = node.split();
	let mut questions = HashMap::new();
	loop {
		tokio::select! {
			question = from_client.next() => {
				let Some(Ok(message)) = question else { return };
				if *swallowed.borrow() == Swallows::All {
					continue;
				}
				remember(&message, &mut questions);
				if to_node.send(message).await.is_err() {
					return;
				}
			},
			answer = from_node.next() => {
				let Some(Ok(message)) = answer else { return };
				if *swallowed.borrow() != Swallows::Nothing {
					continue;
				}
				if to_client.send(changed(message, &mut questions, &lie)).await.is_err() {
					return;
				}
			},
		}
	}
}

/// The methods and parameters of the questions that were not answered yet, by their ids.
type Questions = HashMap<String, (String, Value)>;

fn remember(message: &Message, questions: &mut Questions) {
	let Some(question) = json(message) else { return };
	let Some(method) = question["method"].as_str() else { return };
	questions.insert(question["id"].to_string(), (method.into(), question["params"].clone()));
}

fn changed(message: Message, questions: &mut Questions, lie: &Lie) -> Message {
	let Some(mut answer) = json(&message) else { return message };
	match questions.remove(&answer["id"].to_string()) {
		Some((method, params)) if answer.get("result").is_some() => {
			lie(&method, &params, &mut answer["result"]);
			Message::text(answer.to_string())
		},
		_ => message,
	}
}

fn json(message: &Message) -> Option<Value> {
	serde_json::from_str(message.to_text().ok()?).ok()
}
