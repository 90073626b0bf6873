// SPDX-License-Identifier: Apache-2.0
//! The JSON-RPC client, which checks that lists of storage keys come to an end.

use std::{collections::HashSet, net::SocketAddr, sync::Arc, time::Duration};

use jsonrpsee_ws_client::WsClientBuilder;
use serde::{de::DeserializeOwned, Deserialize};
use serde_json::{value::RawValue, Value};
use subxt::rpcs::{
	client::{RawRpcFuture, RawRpcSubscription, RpcClientT},
	Error as RpcError, RpcClient,
};
use tokio::{
	io::{AsyncRead, AsyncWrite},
	time::timeout,
};

use super::{
	liveness::{Line, Liveness, Watched},
	stream,
};
use crate::profile::NodeUrl;

/// Maximum number of notifications of a subscription that wait to be read.
const BUFFER: usize = 4_096;

/// Maximum length of an answer, in bytes. Nodes send at most 15 MiB, unless
/// `--rpc-max-response-size` says otherwise. A full block takes more than 10 MiB.
const MAX_ANSWER: u32 = 32 << 20;

/// Multiple of the timeout after which a question fails, however busy the line is.
const LONGEST: u32 = 10;

/// A client, and what is known of the life of its connection.
pub(super) type Connected = (RpcClient, Arc<Liveness>);

/// Connects to a node. A question without an answer fails when the connection is dead, or after
/// `timeout`. Time in which the line is busy does not count.
pub(super) async fn connect(url: &NodeUrl, timeout: Duration) -> Result<Connected, RpcError> {
	let addresses = stream::addresses(url).await.map_err(|error| RpcError::Client(error.into()))?;
	connect_to(url, &addresses, timeout).await
}

/// Connects to one of the addresses of a node.
///
/// The client gets an open stream, and cannot open others. It would follow a redirection, which
/// could lead to another machine or give up the encryption. Even if told to follow none, it would
/// take the target for the other addresses of the host.
async fn connect_to(
	url: &NodeUrl,
	addresses: &[SocketAddr],
	timeout: Duration,
) -> Result<Connected, RpcError> {
	// The profile has checked that a URL without encryption is local or wanted.
	let stream = stream::open(url, addresses).await;
	let stream = stream.map_err(|error| RpcError::Client(error.into()))?;
	connect_over(stream, url, timeout).await
}

/// Connects over a stream to a node.
pub(super) async fn connect_over(
	stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
	url: &NodeUrl,
	timeout: Duration,
) -> Result<Connected, RpcError> {
	let liveness = Arc::new(Liveness::default());
	let client = WsClientBuilder::new()
		.max_buffer_capacity_per_subscription(BUFFER)
		.max_response_size(MAX_ANSWER)
		.request_timeout(timeout.saturating_mul(LONGEST))
		.build_with_stream(url.as_str(), Line::new(stream, liveness.clone()))
		.await?;
	let client = Watched::new(client, liveness.clone(), timeout);
	Ok((RpcClient::new(Checked::new(client, None)), liveness))
}

/// A client that refuses lists of storage keys that were not asked for. A node could otherwise keep
/// a command reading for ever.
pub(super) struct Checked<Client> {
	client: Client,
	/// Time after which a question fails. `None` if the client sees to that.
	timeout: Option<Duration>,
}

impl<Client> Checked<Client> {
	/// Checks the answers that a client gets.
	pub fn new(client: Client, timeout: Option<Duration>) -> Self {
		Self { client, timeout }
	}
}

impl<Client: RpcClientT> RpcClientT for Checked<Client> {
	fn request_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
	) -> RawRpcFuture<'a, Box<RawValue>> {
		let check: Option<Check> = match method {
			"state_getKeysPaged" => Some(check_page),
			"state_queryStorageAt" => Some(check_values),
			_ => None,
		};
		let question = check.and_then(|_| params.as_ref().map(|params| params.get().to_owned()));
		Box::pin(async move {
			let answer = self.client.request_raw(method, params);
			let answer = match self.timeout {
				Some(time) => timeout(time, answer).await.map_err(|_| late(method, time))??,
				None => answer.await?,
			};
			if let (Some(check), Some(question)) = (check, question) {
				check(&question, answer.get()).map_err(|Unasked| {
					RpcError::Client(
						format!("the node's answer to {method} has keys that were not asked for")
							.into(),
					)
				})?;
			}
			Ok(answer)
		})
	}

	fn subscribe_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
		unsubscribe: &'a str,
	) -> RawRpcFuture<'a, RawRpcSubscription> {
		self.client.subscribe_raw(method, params, unsubscribe)
	}
}

/// Returns the error of a question without an answer.
pub(super) fn late(method: &str, time: Duration) -> RpcError {
	RpcError::Client(format!("no answer to {method} within {} seconds", time.as_secs()).into())
}

/// Compares the keys of an answer with the parameters of the question.
type Check = fn(&str, &str) -> Result<(), Unasked>;

/// An answer has keys that were not asked for.
#[derive(Debug, PartialEq, Eq)]
struct Unasked;

/// Checks that the keys of a page have the prefix, ascend from the start key, and are no more than
/// the page has room for.
fn check_page(question: &str, answer: &str) -> Result<(), Unasked> {
	let params: Vec<Value> = read(question)?;
	let keys: Vec<String> = read(answer)?;
	let text = |i: usize| params.get(i).and_then(Value::as_str);
	let prefix = key(text(0).ok_or(Unasked)?)?;
	let room = params.get(1).and_then(Value::as_u64).ok_or(Unasked)?;
	let mut last = text(2).map(key).transpose()?;
	if u64::try_from(keys.len()).map_or(true, |length| length > room) {
		return Err(Unasked);
	}
	for text in &keys {
		let next = key(text)?;
		if !next.starts_with(&prefix) || last.is_some_and(|last| next <= last) {
			return Err(Unasked);
		}
		last = Some(next);
	}
	Ok(())
}

/// Checks that the values belong to the keys of the question, each at most once.
fn check_values(question: &str, answer: &str) -> Result<(), Unasked> {
	#[derive(Deserialize)]
	struct Set {
		changes: Vec<(String, Option<Box<RawValue>>)>,
	}
	let params: Vec<Value> = read(question)?;
	let asked = params.first().and_then(Value::as_array).ok_or(Unasked)?;
	let keys = asked.iter().map(|text| key(text.as_str().ok_or(Unasked)?));
	let mut keys = keys.collect::<Result<HashSet<_>, _>>()?;
	let sets: Vec<Set> = read(answer)?;
	let mut changes = sets.iter().flat_map(|set| &set.changes);
	changes.try_for_each(|(text, _)| match keys.remove(&key(text)?) {
		true => Ok(()),
		false => Err(Unasked),
	})
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, Unasked> {
	serde_json::from_str(json).map_err(|_| Unasked)
}

/// Reads a storage key in hex.
fn key(text: &str) -> Result<Vec<u8>, Unasked> {
	hex::decode(text.strip_prefix("0x").unwrap_or(text)).map_err(|_| Unasked)
}

#[cfg(test)]
mod tests {
	use std::{
		io::{Read, Write},
		net::TcpListener,
		thread,
	};

	use super::*;

	#[test]
	fn pages_of_keys_must_ascend_within_the_prefix() {
		let first = r#"["0xaa",3,null,"0x00"]"#;
		let second = r#"["0xaa",3,"0xaa02","0x00"]"#;
		for (question, answer, accepted) in [
			(first, "[]", true),
			(first, r#"["0xaa","0xaa01","0xaa02"]"#, true),
			(second, r#"["0xAA03","0xaa0301"]"#, true),
			// The same page once more.
			(second, r#"["0xaa01","0xaa02"]"#, false),
			(second, r#"["0xaa02"]"#, false),
			(first, r#"["0xaa02","0xaa01"]"#, false),
			(first, r#"["0xaa01","0xaa01"]"#, false),
			(first, r#"["0xab"]"#, false),
			(first, r#"["0xaa01","0xaa02","0xaa03","0xaa04"]"#, false),
			(first, r#"["no key"]"#, false),
			(first, "null", false),
		] {
			assert_eq!(check_page(question, answer).is_ok(), accepted, "{question} {answer}");
		}
	}

	#[test]
	fn values_must_belong_to_the_keys_that_were_asked_for() {
		let question = r#"[["0xaa01","0xaa02"],"0x00"]"#;
		let answer = |changes: &str| format!(r#"[{{"block":"0x00","changes":[{changes}]}}]"#);
		for (changes, accepted) in [
			("", true),
			(r#"["0xaa02","0x01"],["0xaa01",null]"#, true),
			(r#"["0xaa01","0x01"],["0xaa01","0x02"]"#, false),
			(r#"["0xaa03","0x01"]"#, false),
		] {
			assert_eq!(check_values(question, &answer(changes)).is_ok(), accepted, "{changes}");
		}
	}

	fn listen() -> (TcpListener, SocketAddr) {
		let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port; qed");
		let address = listener.local_addr().expect("it is bound; qed");
		(listener, address)
	}

	#[tokio::test]
	async fn redirections_are_followed_neither_there_nor_to_other_addresses_of_the_host() {
		let (redirecting, address) = listen();
		let (target, location) = listen();
		let (other, other_address) = listen();
		let answering = thread::spawn(move || {
			let (mut stream, _) = redirecting.accept().expect("somebody connects; qed");
			let read = stream.read(&mut [0; 4_096]).expect("there is a request; qed");
			let answer = format!("HTTP/1.1 302 Found\r\nLocation: ws://{location}\r\n\r\n");
			stream.write_all(answer.as_bytes()).expect("it is read; qed");
			read
		});
		let url: NodeUrl = "ws://node.example.com".parse().expect("it is a URL; qed");
		let addresses = [address, other_address];
		assert!(connect_to(&url, &addresses, Duration::from_secs(5)).await.is_err());
		assert_ne!(answering.join().ok(), Some(0), "the client asked");
		for listener in [target, other] {
			listener.set_nonblocking(true).expect("the socket is open; qed");
			assert!(listener.accept().is_err(), "the client connected to another address");
		}
	}
}
