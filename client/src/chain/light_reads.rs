// SPDX-License-Identifier: Apache-2.0
//! Reads of a light client. Each asks one node, which may not have the block yet, or may not answer
//! in time, so failed reads are repeated. A light client always downloads all storage keys with a
//! prefix, in no order. This module sorts them and serves the pages.

use std::{
	collections::VecDeque,
	sync::{Arc, Mutex, PoisonError},
	time::Duration,
};

use serde_json::{value::RawValue, Value};
use subxt::rpcs::{
	client::{RawRpcFuture, RawRpcSubscription, RpcClientT},
	Error as RpcError,
};
use tokio::time::{sleep, Instant};

/// Number of times that a read is tried.
const ATTEMPTS: usize = 3;
/// Time for which a read is tried while no node returns the block. After a fault, a network needs
/// some seconds.
const PATIENCE: Duration = Duration::from_secs(30);
/// The code of a light client's answer that no node has returned the block.
const NO_NODE: i32 = -32_800;
/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(500);
/// Number of lists that are remembered until their pages were read.
const REMEMBERED: usize = 8;

/// A client that tries reads again, and serves pages of sorted keys.
pub(super) struct Reads<Client> {
	client: Client,
	lists: Mutex<VecDeque<(Place, Arc<[String]>)>>,
}

/// A prefix in hex, and a block.
type Place = (String, Value);

/// The parameters of `state_getKeysPaged`.
#[derive(Debug, PartialEq, Eq)]
struct Page {
	place: Place,
	count: usize,
	start: Option<String>,
}

impl<Client: RpcClientT> Reads<Client> {
	/// Reads with a client.
	pub fn new(client: Client) -> Self {
		Self { client, lists: Mutex::default() }
	}

	async fn request(
		&self,
		method: &str,
		params: Option<Box<RawValue>>,
	) -> Result<Box<RawValue>, RpcError> {
		let (start, mut failures) = (Instant::now(), 0);
		loop {
			let answer = self.client.request_raw(method, params.clone()).await;
			let is_over = match &answer {
				Err(RpcError::User(error)) if error.code == NO_NODE => start.elapsed() >= PATIENCE,
				Err(RpcError::User(_)) => {
					failures += 1;
					failures >= ATTEMPTS
				},
				_ => return answer,
			};
			if is_over || !is_read(method) {
				return answer;
			}
			sleep(PAUSE).await;
		}
	}

	async fn page(&self, method: &str, page: Page) -> Result<Box<RawValue>, RpcError> {
		let keys = match self.remembered(&page.place) {
			Some(keys) if page.start.is_some() => keys,
			_ => self.list(method, &page.place).await?,
		};
		let rest = keys.iter().skip_while(|key| page.start.as_ref().is_some_and(|at| *key <= at));
		let rest: Vec<_> = rest.take(page.count).collect();
		serde_json::value::to_raw_value(&rest).map_err(RpcError::Deserialization)
	}

	/// Downloads all keys with a prefix.
	async fn list(&self, method: &str, place: &Place) -> Result<Arc<[String]>, RpcError> {
		let (prefix, block) = place;
		let params = (prefix, u32::MAX, Value::Null, block);
		let params = serde_json::value::to_raw_value(&params).map_err(RpcError::Deserialization)?;
		let answer = self.request(method, Some(params)).await?;
		let keys: Vec<String> =
			serde_json::from_str(answer.get()).map_err(RpcError::Deserialization)?;
		let keys = sorted(keys);
		let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
		lists.retain(|(known, _)| known != place);
		lists.push_back((place.clone(), keys.clone()));
		if lists.len() > REMEMBERED {
			lists.pop_front();
		}
		Ok(keys)
	}

	fn remembered(&self, place: &Place) -> Option<Arc<[String]>> {
		let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
		lists.iter().find(|(known, _)| known == place).map(|(_, keys)| keys.clone())
	}
}

/// Returns whether a method reads from nodes, and changes nothing.
fn is_read(method: &str) -> bool {
	method.starts_with("state_") || matches!(method, "chain_getHeader" | "chain_getBlock")
}

/// Sorts keys in hex. Digits of one case sort as the bytes do.
fn sorted(mut keys: Vec<String>) -> Arc<[String]> {
	keys.iter_mut().for_each(|key| key.make_ascii_lowercase());
	keys.sort_unstable();
	keys.dedup();
	keys.into()
}

/// Reads the parameters of `state_getKeysPaged`.
fn read(params: &str) -> Option<Page> {
	let params: Vec<Value> = serde_json::from_str(params).ok()?;
	let text = |at: usize| params.get(at).and_then(Value::as_str).map(str::to_ascii_lowercase);
	Some(Page {
		place: (text(0)?, params.get(3).cloned().unwrap_or_default()),
		count: usize::try_from(params.get(1)?.as_u64()?).ok()?,
		start: text(2),
	})
}

impl<Client: RpcClientT> RpcClientT for Reads<Client> {
	fn request_raw<'a>(
		&'a self,
		method: &'a str,
		params: Option<Box<RawValue>>,
	) -> RawRpcFuture<'a, Box<RawValue>> {
		let page = params.as_ref().filter(|_| method == "state_getKeysPaged");
		match page.and_then(|params| read(params.get())) {
			Some(page) => Box::pin(self.page(method, page)),
			None => Box::pin(self.request(method, params)),
		}
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

#[cfg(test)]
mod tests {
	use std::sync::atomic::{AtomicUsize, Ordering};

	use super::*;

	/// Refuses with these codes, and then answers with three keys in no order. Counts the
	/// questions.
	struct Late {
		codes: Vec<i32>,
		asked: AtomicUsize,
	}

	impl Late {
		fn reads(codes: Vec<i32>) -> Reads<Self> {
			Reads::new(Self { codes, asked: AtomicUsize::new(0) })
		}
	}

	impl RpcClientT for Late {
		fn request_raw<'a>(
			&'a self,
			_: &'a str,
			_: Option<Box<RawValue>>,
		) -> RawRpcFuture<'a, Box<RawValue>> {
			let code = self.codes.get(self.asked.fetch_add(1, Ordering::Relaxed)).copied();
			let answer = r#"["0xaa03","0xAA01","0xaa02"]"#.to_owned();
			Box::pin(async move {
				let Some(code) = code else {
					return RawValue::from_string(answer).map_err(RpcError::Deserialization);
				};
				let refusal = serde_json::json!({ "code": code, "message": "no" });
				Err(RpcError::User(serde_json::from_value(refusal).expect("it is an answer; qed")))
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
		const OTHER: i32 = -32_000;
		let pauses = usize::try_from(PATIENCE.as_millis() / PAUSE.as_millis()).expect("few; qed");
		for (method, codes, is_answered, asked) in [
			("state_call", vec![OTHER; ATTEMPTS - 1], true, ATTEMPTS),
			("state_call", vec![OTHER; ATTEMPTS], false, ATTEMPTS),
			("state_call", vec![NO_NODE; pauses], true, pauses + 1),
			("state_call", vec![NO_NODE; pauses + 1], false, pauses + 1),
			(
				"state_call",
				[vec![NO_NODE; 5], vec![OTHER; ATTEMPTS - 1]].concat(),
				true,
				5 + ATTEMPTS,
			),
			("author_submitExtrinsic", vec![NO_NODE], false, 1),
		] {
			let case = format!("{method}, {codes:?}");
			let reads = Late::reads(codes);
			assert_eq!(reads.request_raw(method, None).await.is_ok(), is_answered, "{case}");
			assert_eq!(reads.client.asked.load(Ordering::Relaxed), asked, "{case}");
		}
	}

	#[tokio::test(start_paused = true)]
	async fn pages_are_sorted_and_come_from_one_download() {
		let reads = Late::reads(vec![-32_000; ATTEMPTS - 1]);
		for (start, expected) in [
			("null", r#"["0xaa01","0xaa02"]"#),
			(r#""0xaa02""#, r#"["0xaa03"]"#),
			(r#""0xaa""#, r#"["0xaa01","0xaa02"]"#),
			(r#""0xaa03""#, "[]"),
		] {
			let params = RawValue::from_string(format!(r#"["0xaa",2,{start},"0x00"]"#));
			let params = params.expect("it is JSON; qed");
			let answer = reads.request_raw("state_getKeysPaged", Some(params)).await;
			assert_eq!(answer.expect("it answers; qed").get(), expected, "{start}");
		}
		assert_eq!(reads.client.asked.load(Ordering::Relaxed), ATTEMPTS);
	}
}
