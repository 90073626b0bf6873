// SPDX-License-Identifier: Apache-2.0
//! The calls that were tried, and their outcomes.

use std::{
	collections::{BTreeMap, BTreeSet},
	fmt,
	time::Duration,
};

use content_fabric_runtime::{Runtime, RuntimeCall, RuntimeError, RuntimeEvent};
use frame_support::traits::{GetCallMetadata, GetCallName};
use pallet_content_fabric::Call;
use scale_info::TypeInfo;
use sp_runtime::{ApplyExtrinsicResult, DispatchError};

pub const OK: &str = "ok";

/// The figures of many sequences.
#[derive(Default)]
pub struct Table {
	pub sequences: u64,
	pub blocks: u64,
	pub extrinsics: u64,
	pub calls: u64,
	/// Comparisons of a weight after dispatch with the weight before it.
	pub weighed: u64,
	/// Extrinsics that failed and changed nothing.
	pub undone: u64,
	/// Rows of the fabric in the largest state.
	pub most_rows: u32,
	/// Outcomes of each call.
	outcomes: BTreeMap<String, BTreeMap<String, u64>>,
	/// The largest time of an extrinsic, as a share of its weight, by its outermost call.
	pub shares: BTreeMap<String, (f64, Duration)>,
}

impl Table {
	pub fn add(&mut self, other: Self) {
		self.sequences += other.sequences;
		self.blocks += other.blocks;
		self.extrinsics += other.extrinsics;
		self.calls += other.calls;
		self.weighed += other.weighed;
		self.undone += other.undone;
		self.most_rows = self.most_rows.max(other.most_rows);
		for (call, outcomes) in other.outcomes {
			let entry = self.outcomes.entry(call).or_default();
			for (outcome, count) in outcomes {
				*entry.entry(outcome).or_default() += count;
			}
		}
		for (call, (share, time)) in other.shares {
			self.share(call, share, time);
		}
	}

	pub fn count(&mut self, call: &RuntimeCall, outcome: String) {
		self.calls += 1;
		*self.outcomes.entry(name(call)).or_default().entry(outcome).or_default() += 1;
	}

	pub fn share(&mut self, call: String, share: f64, time: Duration) {
		let entry = self.shares.entry(call).or_insert((0.0, Duration::ZERO));
		if share > entry.0 {
			*entry = (share, time);
		}
	}

	/// Returns all pairs of a call and an outcome.
	pub fn pairs(&self) -> BTreeSet<(String, String)> {
		let pairs = self.outcomes.iter().flat_map(|(call, outcomes)| {
			outcomes.keys().map(move |outcome| (call.clone(), outcome.clone()))
		});
		pairs.collect()
	}

	/// Returns the calls of the fabric that never succeeded.
	pub fn never_succeeded(&self) -> Vec<&'static str> {
		let succeeded = |call: &&&str| {
			let outcomes = self.outcomes.get(&format!("ContentFabric.{call}"));
			outcomes.is_some_and(|outcomes| outcomes.contains_key(OK))
		};
		Call::<Runtime>::get_call_names().iter().filter(|call| !succeeded(call)).copied().collect()
	}

	/// Returns the errors of the fabric that never occurred.
	fn errors_not_seen(&self) -> Vec<String> {
		let all = pallet_content_fabric::Error::<Runtime>::type_info();
		let scale_info::TypeDef::Variant(all) = all.type_def else { return Vec::new() };
		let seen: BTreeSet<_> = self.outcomes.values().flat_map(BTreeMap::keys).collect();
		let names = all.variants.iter().map(|variant| variant.name);
		let is_new = |name: &&str| !seen.contains(&format!("ContentFabric({name})"));
		names.filter(is_new).map(str::to_string).collect()
	}
}

impl fmt::Display for Table {
	fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
		writeln!(
			f,
			"{} calls in {} extrinsics, {} blocks and {} sequences; {} weights compared, {} failed \
			extrinsics undone, at most {} rows",
			self.calls,
			self.extrinsics,
			self.blocks,
			self.sequences,
			self.weighed,
			self.undone,
			self.most_rows,
		)?;
		for (call, outcomes) in &self.outcomes {
			let tried: u64 = outcomes.values().sum();
			let ok = outcomes.get(OK).copied().unwrap_or_default();
			write!(f, "{call}: {tried} tried, {ok} ok")?;
			let mut failed: Vec<_> =
				outcomes.iter().filter(|(outcome, _)| *outcome != OK).collect();
			failed.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
			for (outcome, count) in failed {
				write!(f, ", {count} {outcome}")?;
			}
			writeln!(f)?;
		}
		for (call, (share, time)) in &self.shares {
			writeln!(f, "{call}: at most {share:.3} of its weight, in {time:?}")?;
		}
		writeln!(f, "errors not seen: {:?}", self.errors_not_seen())
	}
}

pub fn name(call: &RuntimeCall) -> String {
	let names = call.get_call_metadata();
	format!("{}.{}", names.pallet_name, names.function_name)
}

fn name_of_error(error: &DispatchError) -> String {
	match RuntimeError::from_dispatch_error(*error) {
		Some(error) => format!("{error:?}"),
		None => format!("{error:?}"),
	}
}

fn outcome<T>(result: &Result<T, DispatchError>) -> String {
	result.as_ref().map_or_else(name_of_error, |_| OK.into())
}

/// Returns the outcome that an event reports.
fn outcome_of(event: &RuntimeEvent) -> Option<String> {
	use frame_system::Event as System;
	use pallet_collective::Event as Council;
	use pallet_multisig::Event as Multisig;
	use pallet_sudo::Event as Sudo;
	use pallet_utility::Event as Utility;
	Some(match event {
		RuntimeEvent::Utility(Utility::ItemCompleted | Utility::IfElseMainSuccess) => OK.into(),
		RuntimeEvent::Utility(
			Utility::ItemFailed { error }
			| Utility::BatchInterrupted { error, .. }
			| Utility::IfElseFallbackCalled { main_error: error },
		) => name_of_error(error),
		RuntimeEvent::Utility(Utility::DispatchedAs { result })
		| RuntimeEvent::Proxy(pallet_proxy::Event::ProxyExecuted { result })
		| RuntimeEvent::Multisig(Multisig::MultisigExecuted { result, .. })
		| RuntimeEvent::Sudo(
			Sudo::Sudid { sudo_result: result } | Sudo::SudoAsDone { sudo_result: result },
		)
		| RuntimeEvent::Council(
			Council::Executed { result, .. } | Council::MemberExecuted { result, .. },
		) => outcome(result),
		RuntimeEvent::Whitelist(pallet_whitelist::Event::WhitelistedCallDispatched {
			result,
			..
		}) => result.as_ref().map_or_else(|failed| name_of_error(&failed.error), |_| OK.into()),
		RuntimeEvent::System(System::ExtrinsicSuccess { .. }) => OK.into(),
		RuntimeEvent::System(System::ExtrinsicFailed { dispatch_error, .. }) => {
			name_of_error(dispatch_error)
		},
		_ => return None,
	})
}

/// Returns whether an event is about one call of a batch.
fn is_item(event: &RuntimeEvent) -> bool {
	use pallet_utility::Event as Utility;
	matches!(
		event,
		RuntimeEvent::Utility(
			Utility::ItemCompleted | Utility::ItemFailed { .. } | Utility::BatchInterrupted { .. }
		)
	)
}

/// Returns the outcome of each of `count` calls of an extrinsic, by the events of the extrinsic. Of
/// nested calls, it is the outcome of the innermost one. A call that needs approval may not have
/// enough yet.
pub fn outcomes(
	count: usize,
	applied: &ApplyExtrinsicResult,
	events: &[RuntimeEvent],
	needs_approval: bool,
) -> Vec<String> {
	if let Err(error) = applied {
		return vec![format!("{error:?}"); count];
	}
	let is_whitelisted = |event: &RuntimeEvent| {
		matches!(event, RuntimeEvent::Whitelist(pallet_whitelist::Event::CallWhitelisted { .. }))
	};
	// The call that whitelists is an item, too.
	let from = events.iter().position(is_whitelisted).map_or(0, |place| place + 2);
	let events = events.get(from..).unwrap_or_default();
	let is_executed = |event: &RuntimeEvent| {
		matches!(
			event,
			RuntimeEvent::Council(pallet_collective::Event::Executed { .. })
				| RuntimeEvent::Multisig(pallet_multisig::Event::MultisigExecuted { .. })
		)
	};
	let is_failed = |event: &RuntimeEvent| {
		matches!(event, RuntimeEvent::System(frame_system::Event::ExtrinsicFailed { .. }))
	};
	if needs_approval && !events.iter().any(|event| is_executed(event) || is_failed(event)) {
		return vec!["not approved".into(); count];
	}
	let first = || events.iter().find_map(outcome_of).unwrap_or_else(|| "no event".into());
	if count == 1 {
		return vec![first()];
	}
	let items: Vec<_> =
		events.iter().filter(|event| is_item(event)).filter_map(outcome_of).take(count).collect();
	if items.is_empty() {
		return vec![format!("batch: {}", first()); count];
	}
	items
}
