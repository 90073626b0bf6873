// SPDX-License-Identifier: Apache-2.0
//! Dry runs of calls. Anybody can dry-run a call in the name of any account, including the sudo
//! key's. So only calls whose weight bounds their work are accepted.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use frame_support::{
	dispatch::{extract_actual_weight, DispatchResult, GetDispatchInfo, Pays, PostDispatchInfo},
	storage::{with_transaction, TransactionOutcome},
	traits::{Contains, Get, IsSubType},
	weights::Weight,
};
use pallet_content_fabric::{AccountIdOf, Call, Config, NestedCalls, NestingLimit};
use scale_info::TypeInfo;
use sp_runtime::{
	traits::{Dispatchable, One, Saturating},
	DispatchError,
};

/// The outcome of a call that nobody has signed and that has changed nothing.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct DryRun<Event> {
	/// The result: success, or the error with which the call fails.
	pub result: DispatchResult,
	/// The weight of the call. Zero if the call was refused.
	pub weight: Weight,
	/// `Pays::Yes` if the call pays a fee.
	pub pays_fee: Pays,
	/// The events that the call deposits, in their order. Empty if it fails.
	pub events: Vec<Event>,
}

/// The calls of a runtime.
pub type CallOf<T> = <T as frame_system::Config>::RuntimeCall;
/// The events of a runtime.
pub type EventOf<T> = <T as frame_system::Config>::RuntimeEvent;

/// A filter for the calls of other pallets that a runtime dry-runs. `()` accepts none.
pub trait DryRunFilter<Call> {
	/// Returns `true` if a call may be dry-run. `call` is an innermost call: it contains no other
	/// calls. An empty batch is one, too.
	///
	/// `is_first` is `true` if no other innermost call is dispatched before `call`. Earlier calls
	/// in the dry run may have changed the state that makes `call` safe. For example,
	/// `System::apply_authorized_upgrade` executes code that only the chain itself should have
	/// authorized.
	fn accepts(call: &Call, is_first: bool) -> bool;
}

impl<Call> DryRunFilter<Call> for () {
	fn accepts(_: &Call, _: bool) -> bool {
		false
	}
}

/// Dispatches a call as if an account had signed it for the next block, and rolls back all changes.
///
/// The time is still the last block's. Nonce and fee are not checked. For the fee, use
/// `TransactionPaymentCallApi`.
///
/// Some calls are not dispatched, but fail:
///
/// - with `CallFiltered` of `frame_system`, if an innermost call is neither one of the content
///   fabric nor accepted by `Others`;
/// - also with `CallFiltered`, if the call is nested beyond [`NestingLimit`], or contains one that
///   [states its weight](NestedCalls::has_stated_weight);
/// - with `DispatchError::Exhausted`, if the call has more weight than an extrinsic may have.
pub fn dry_run<T, Others>(account: AccountIdOf<T>, call: CallOf<T>) -> DryRun<EventOf<T>>
where
	T: Config,
	CallOf<T>: Dispatchable<RuntimeOrigin = T::RuntimeOrigin, PostInfo = PostDispatchInfo>
		+ GetDispatchInfo
		+ IsSubType<Call<T>>
		+ NestedCalls,
	Others: DryRunFilter<CallOf<T>>,
{
	if !is_accepted::<T, Others>(&call) {
		return DryRun {
			result: Err(frame_system::Error::<T>::CallFiltered.into()),
			weight: Weight::zero(),
			pays_fee: Pays::Yes,
			events: Vec::new(),
		};
	}
	let info = call.get_dispatch_info();
	let failed = |error| DryRun {
		result: Err(error),
		weight: info.call_weight,
		pays_fee: info.pays_fee,
		events: Vec::new(),
	};
	let most = T::BlockWeights::get().get(info.class).max_extrinsic;
	if most.is_some_and(|most| info.call_weight.any_gt(most)) {
		return failed(DispatchError::Exhausted);
	}
	let run = || {
		let now = frame_system::Pallet::<T>::block_number();
		let next = now.saturating_add(One::one());
		let parent = frame_system::Pallet::<T>::block_hash(now);
		frame_system::Pallet::<T>::initialize(&next, &parent, &Default::default());
		frame_system::Pallet::<T>::reset_events();
		let post = call.dispatch(frame_system::RawOrigin::Signed(account).into());
		let events = match post {
			Ok(_) => frame_system::Pallet::<T>::read_events_no_consensus()
				.map(|record| record.event)
				.collect(),
			Err(_) => Vec::new(),
		};
		let weight = extract_actual_weight(&post, &info);
		let (result, post) = match post {
			Ok(post) => (Ok(()), post),
			Err(error) => (Err(error.error), error.post_info),
		};
		let pays_fee = post.pays_fee(&info);
		TransactionOutcome::Rollback(Ok::<_, DispatchError>(DryRun {
			result,
			weight,
			pays_fee,
			events,
		}))
	};
	with_transaction(run).unwrap_or_else(failed)
}

/// Returns `true` if a call may be dry-run.
fn is_accepted<T, Others>(call: &CallOf<T>) -> bool
where
	T: Config,
	CallOf<T>: IsSubType<Call<T>> + NestedCalls,
	Others: DryRunFilter<CallOf<T>>,
{
	// Checked first, because it bounds the search within the call.
	if !NestingLimit::contains(call) {
		return false;
	}
	let mut innermost = Vec::new();
	if !find_innermost(call, &mut innermost) {
		return false;
	}
	innermost
		.into_iter()
		.enumerate()
		.all(|(place, call)| call.is_sub_type().is_some() || Others::accepts(call, place == 0))
}

/// Adds the innermost calls of a call to `found`, in the order of their dispatch. Returns `false`
/// if a call on the way states its weight.
fn find_innermost<'a, Call: NestedCalls>(call: &'a Call, found: &mut Vec<&'a Call>) -> bool {
	if call.has_stated_weight() {
		return false;
	}
	let mut nested = call.nested_calls().peekable();
	if nested.peek().is_none() {
		found.push(call);
	}
	nested.all(|call| find_innermost(call, found))
}
