// SPDX-License-Identifier: Apache-2.0
//! The pallets through which calls were made, found by the events beside the events of the calls.
//!
//! A pallet that makes a call deposits its own event directly after the events of the call. In a
//! batch an event ends each item, and another one the batch.

use std::mem;

/// The meaning of an event for the calls before it.
enum Mark {
	/// A pallet has made a call.
	Made(&'static str),
	/// The council is about to make a call.
	Begins,
	/// An item of a batch has ended.
	Item,
	/// A batch has ended.
	Batch,
}

fn mark(pallet: &str, event: &str) -> Option<Mark> {
	Some(match (pallet, event) {
		("Council", "Executed" | "MemberExecuted") => Mark::Made("council"),
		("Sudo", "Sudid" | "SudoAsDone") => Mark::Made("sudo"),
		("Proxy", "ProxyExecuted") => Mark::Made("proxy"),
		("Multisig", "MultisigExecuted") => Mark::Made("multisig"),
		("Utility", "DispatchedAs") => Mark::Made("utility"),
		("Whitelist", "WhitelistedCallDispatched") => Mark::Made("whitelist"),
		("Council", "Approved") => Mark::Begins,
		("Utility", "ItemCompleted" | "ItemFailed") => Mark::Item,
		("Utility", "BatchCompleted" | "BatchCompletedWithErrors" | "BatchInterrupted") => {
			Mark::Batch
		},
		_ => return None,
	})
}

/// The events at which calls begin.
#[derive(Default)]
struct Scope {
	/// The first event of the present call.
	call: usize,
	/// The first event of the present batch, if an item of it has ended.
	batch: Option<usize>,
}

/// The events of a call that a pallet made.
struct Span {
	name: &'static str,
	first: usize,
	/// The event of the pallet.
	end: usize,
}

/// Returns for each event of a transaction, given by pallet and name, the pallets through which its
/// call was made, the innermost first, each once.
///
/// The events do not say how many items a batch has. A batch that is itself an item of another one
/// is taken to begin with the other's first item.
pub(super) fn via(events: &[(&str, &str)]) -> Vec<Vec<&'static str>> {
	let mut spans = spans(events);
	// Spans that contain the event, with the innermost last. Spans never overlap in part.
	let mut open: Vec<(&'static str, Vec<Span>)> = Vec::new();
	let mut via: Vec<_> = (0..events.len())
		.rev()
		.map(|place| {
			for (_, open) in &mut open {
				while open.last().is_some_and(|span| span.first > place) {
					open.pop();
				}
			}
			let mut inner: Vec<_> =
				open.iter().filter_map(|(name, open)| Some((open.last()?.end, *name))).collect();
			inner.sort_unstable();
			if let Some(span) = spans.pop_if(|span| span.end == place) {
				match open.iter_mut().find(|(name, _)| *name == span.name) {
					Some((_, open)) => open.push(span),
					None => open.push((span.name, vec![span])),
				}
			}
			inner.into_iter().map(|(_, name)| name).collect()
		})
		.collect();
	via.reverse();
	via
}

/// Returns the spans, ascending by their ends.
fn spans(events: &[(&str, &str)]) -> Vec<Span> {
	let mut spans = Vec::new();
	let mut scope = Scope::default();
	let mut outer = Vec::new();
	for (place, (pallet, event)) in events.iter().enumerate() {
		match mark(pallet, event) {
			Some(Mark::Made(name)) => {
				spans.push(Span { name, first: scope.call, end: place });
				if (*pallet, *event) == ("Council", "Executed") {
					scope = outer.pop().unwrap_or(scope);
				}
			},
			Some(Mark::Begins) => {
				let inner = Scope { call: place + 1, batch: None };
				outer.push(mem::replace(&mut scope, inner));
			},
			Some(Mark::Item) => {
				scope.batch.get_or_insert(scope.call);
				scope.call = place + 1;
			},
			Some(Mark::Batch) => scope.call = scope.batch.take().unwrap_or(scope.call),
			None => {},
		}
	}
	spans
}

#[cfg(test)]
mod tests {
	use super::*;

	const CALL: &str = "ContentFabric.Suspended";
	const ITEM: &str = "Utility.ItemCompleted";
	const FAILED: &str = "Utility.ItemFailed";
	const BATCH: &str = "Utility.BatchCompleted";
	const SUDO: &str = "Sudo.Sudid";
	const PROXY: &str = "Proxy.ProxyExecuted";
	const APPROVED: &str = "Council.Approved";
	const EXECUTED: &str = "Council.Executed";

	/// Returns the pallets for each event of the content fabric.
	fn calls(events: &[&str]) -> Vec<String> {
		let pairs = events.iter().map(|event| event.split_once('.').expect("it has a dot; qed"));
		let found = via(&pairs.collect::<Vec<_>>());
		assert_eq!(found.len(), events.len());
		let calls = events.iter().zip(found).filter(|(event, _)| **event == CALL);
		calls.map(|(_, via)| via.join(" ")).collect()
	}

	#[test]
	fn calls_have_the_pallets_through_which_they_were_made() {
		let close = ["Council.Closed", APPROVED, CALL, ITEM, CALL, ITEM, BATCH, EXECUTED];
		let proxied = [&[CALL, ITEM], &close[..], &[PROXY, ITEM, CALL, ITEM, BATCH]].concat();
		let items = [CALL, SUDO, ITEM, CALL, ITEM, CALL, PROXY, ITEM, CALL, FAILED, BATCH];
		let cases: [(&str, &[&str], &[&str]); 11] = [
			("nothing", &[], &[]),
			("made directly", &[CALL, CALL, "System.ExtrinsicSuccess"], &["", ""]),
			("made directly in a batch", &[CALL, ITEM, CALL, ITEM, BATCH], &["", ""]),
			("the innermost first", &[CALL, SUDO, PROXY], &["sudo proxy"]),
			("each once", &[CALL, PROXY, SUDO, PROXY], &["proxy sudo"]),
			("items of a batch are apart", &items, &["sudo", "", "proxy", ""]),
			("a failed call", &[CALL, ITEM, PROXY, ITEM, CALL, ITEM, BATCH], &["", ""]),
			("the council, after its approval", &close, &["council", "council"]),
			("among other items", &proxied, &["", "council proxy", "council proxy", ""]),
			("no begin", &[BATCH, EXECUTED, ITEM, CALL, EXECUTED, EXECUTED], &["council"]),
			("no end", &[APPROVED, APPROVED, CALL, ITEM, SUDO], &[""]),
		];
		for (case, events, expected) in cases {
			assert_eq!(calls(events), expected, "{case}");
		}
	}

	#[test]
	fn each_pallet_that_makes_calls_is_found() {
		for (event, name) in [
			("Council.Executed", "council"),
			("Council.MemberExecuted", "council"),
			("Sudo.Sudid", "sudo"),
			("Sudo.SudoAsDone", "sudo"),
			("Proxy.ProxyExecuted", "proxy"),
			("Multisig.MultisigExecuted", "multisig"),
			("Utility.DispatchedAs", "utility"),
			("Whitelist.WhitelistedCallDispatched", "whitelist"),
		] {
			let events = ["Balances.Withdraw", CALL, "Balances.Held", CALL, event, CALL];
			assert_eq!(calls(&events), [name, name, ""], "{event}");
		}
	}

	#[test]
	fn a_batch_is_one_call() {
		for end in [BATCH, "Utility.BatchCompletedWithErrors", "Utility.BatchInterrupted"] {
			let events = [CALL, ITEM, CALL, PROXY, ITEM, end, SUDO, CALL];
			assert_eq!(calls(&events), ["sudo", "proxy sudo", ""], "{end}");
		}
	}

	#[test]
	fn a_long_transaction_takes_no_longer_than_it_must() {
		// Each proxy makes a batch, which seems to begin with the first event.
		let events: Vec<_> = [CALL, ITEM, BATCH, PROXY].repeat(50_000);
		assert!(calls(&events).iter().all(|via| via == "proxy"));
	}
}
