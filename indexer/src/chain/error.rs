// SPDX-License-Identifier: Apache-2.0
//! Errors of the node, sorted by what can be done about them.

use std::future::Future;

use content_fabric_client::chain;
use subxt::rpcs;

use crate::source::{Result, SourceError};

/// The code of a method that the node does not have, or does not serve to others.
const METHOD_NOT_FOUND: i32 = -32_601;
/// The code of an answer that is larger than the node's limit.
const TOO_LARGE: i32 = -32_008;
/// Words of the client about an answer that is larger than its own limit. It ends the connection.
const TOO_LARGE_HERE: &str = "message too large";
/// Words of a node that does not have the state of a block, or the block.
const DISCARDED: [&str; 4] =
	["already discarded", "UnknownBlock", "unknown Block", "Header was not found"];

/// Waits for the answer to a request. `block` is the number of the block whose state or body is
/// read.
pub(super) async fn ask<Answer>(
	method: &str,
	block: Option<u64>,
	request: impl Future<Output = Result<Answer, rpcs::Error>>,
) -> Result<Answer> {
	request.await.map_err(|error| of_rpc(&error, method, block))
}

/// Returns whether the node refuses a request because its answer would be too large.
pub(super) fn is_too_large(error: &rpcs::Error) -> bool {
	matches!(error, rpcs::Error::User(refusal) if refusal.code == TOO_LARGE)
}

/// Returns the error of a request that failed.
pub(super) fn of_rpc(error: &rpcs::Error, method: &str, block: Option<u64>) -> SourceError {
	let reason = line(error);
	match (error, block) {
		(rpcs::Error::User(refusal), _) if refusal.code == METHOD_NOT_FOUND => {
			SourceError::Unknown(format!(
				"the node does not serve {method}: {reason}; use another node, or start this one \
				 with `--rpc-methods unsafe`"
			))
		},
		(rpcs::Error::User(_), Some(number)) if is_too_large(error) => {
			let reason = format!(
				"the answer to {method} of block {number} is larger than the node sends: {reason}; \
				 start the node with a larger `--rpc-max-response-size`, at most 30"
			);
			SourceError::TooLarge { number, reason }
		},
		(rpcs::Error::Client(_), _) if reason.contains(TOO_LARGE_HERE) => {
			SourceError::Unknown(format!(
				"the node sends larger answers than this program takes: {reason}; start the node \
				 with `--rpc-max-response-size 30`"
			))
		},
		(rpcs::Error::User(_), Some(number)) if DISCARDED.iter().any(|is| reason.contains(is)) => {
			SourceError::Discarded { number }
		},
		_ => SourceError::Node(format!("{method} failed: {reason}")),
	}
}

/// Returns an error of the client, which connects and reads metadata.
pub(super) fn of_client(error: &chain::Error, block: Option<u64>) -> SourceError {
	match error {
		chain::Error::Rpc(inner) => match &**inner {
			subxt::Error::OtherRpcClientError(error) => of_rpc(error, "reading the runtime", block),
			_ => SourceError::Node(error.to_string()),
		},
		chain::Error::Metadata(_) => SourceError::Unknown(error.to_string()),
		_ => SourceError::Node(error.to_string()),
	}
}

/// Returns an error in one line, with the reason that the node gives.
pub(super) fn line(error: &rpcs::Error) -> String {
	let text = match error {
		rpcs::Error::User(refusal) => match &refusal.data {
			Some(data) => format!("{}: {}", refusal.message, data.get().trim_matches('"')),
			None => refusal.message.clone(),
		},
		rpcs::Error::Client(error) => error.to_string(),
		other => other.to_string(),
	};
	let is_closed = text.contains("background task closed") && !text.contains(TOO_LARGE_HERE);
	match is_closed {
		true => "the node closed the connection".into(),
		false => text.split_whitespace().collect::<Vec<_>>().join(" "),
	}
}

#[cfg(test)]
mod tests {
	use subxt::rpcs::UserError;

	use super::*;

	fn refusal(code: i32, message: &str, block: Option<u64>) -> SourceError {
		let error = UserError { code, message: message.into(), data: None };
		of_rpc(&rpcs::Error::User(error), "state_getStorage", block)
	}

	#[test]
	fn state_that_was_pruned_is_discarded() {
		for message in [
			"Client error: UnknownBlock: State already discarded for 0x01",
			"Client error: Api called for an unknown Block: State already discarded for 0x01",
			"UnknownBlock: Header was not found in the database: 0x01",
			"Cannot resolve a block range ['0x01' ... 'Some(0x01)]. UnknownBlock: Header was not \
			 found in the database: 0x01",
		] {
			let error = refusal(4003, message, Some(7));
			assert!(matches!(error, SourceError::Discarded { number: 7 }), "{message}");
			assert!(refusal(4003, message, None).is_transient(), "{message}");
		}
	}

	#[test]
	fn a_method_that_is_not_served_does_not_mend_itself() {
		for message in ["Method not found", "RPC call is unsafe to be called externally"] {
			let error = refusal(-32_601, message, Some(7));
			assert!(matches!(error, SourceError::Unknown(_)), "{message}");
			let text = error.to_string();
			let start = format!("the node does not serve state_getStorage: {message}; use another");
			assert!(text.starts_with(&start), "{text}");
		}
	}

	#[test]
	fn an_answer_that_is_too_large_does_not_mend_itself() {
		let error = refusal(-32_008, "Response is too big", Some(7));
		assert_eq!(
			error.to_string(),
			"the answer to state_getStorage of block 7 is larger than the node sends: Response is \
			 too big; start the node with a larger `--rpc-max-response-size`, at most 30"
		);
		assert!(matches!(error, SourceError::TooLarge { number: 7, .. }));
		assert!(!error.is_transient());
		let text =
			"The background task closed: i/o error: message too large: len >= 40, maximum = \
		            32; restart required";
		let error = of_rpc(&rpcs::Error::Client(text.into()), "chain_getBlock", Some(7));
		let start = "the node sends larger answers than this program takes: ";
		assert!(error.to_string().starts_with(start), "{error}");
		assert!(!error.is_transient());
	}

	#[test]
	fn other_errors_are_worth_another_try() {
		let error = refusal(-32_603, "Internal error", Some(7));
		assert_eq!(error.to_string(), "state_getStorage failed: Internal error");
		assert!(error.is_transient());
		for (text, line) in [
			("Request\n timeout", "Request timeout"),
			("The background task closed: eof; restart required", "the node closed the connection"),
		] {
			let error = of_rpc(&rpcs::Error::Client(text.into()), "chain_getHeader", Some(7));
			assert_eq!(error.to_string(), format!("chain_getHeader failed: {line}"));
			assert!(error.is_transient());
		}
		assert!(error.is_transient());
		// The transport's words are not the node's.
		let error = of_rpc(&rpcs::Error::Client("UnknownBlock".into()), "chain_getHeader", Some(7));
		assert!(error.is_transient());
	}

	#[test]
	fn data_of_an_error_is_part_of_its_line() {
		let data = serde_json::value::to_raw_value("too\nlong").expect("it is a string; qed");
		let error = UserError { code: 1, message: "refused".into(), data: Some(data) };
		assert_eq!(line(&rpcs::Error::User(error)), r"refused: too\nlong");
	}

	#[test]
	fn errors_of_the_client_are_sorted_too() {
		let pruned =
			UserError { code: 4003, message: "State already discarded".into(), data: None };
		let pruned = chain::Error::from(subxt::Error::from(rpcs::Error::User(pruned)));
		assert!(matches!(of_client(&pruned, Some(3)), SourceError::Discarded { number: 3 }));
		let other = chain::Error::Metadata("metadata of version 15".into());
		assert!(matches!(of_client(&other, None), SourceError::Unknown(_)));
		assert!(of_client(&chain::Error::Disconnected, None).is_transient());
	}
}
