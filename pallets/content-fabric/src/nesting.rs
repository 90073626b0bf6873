// SPDX-License-Identifier: Apache-2.0
//! A bound on calls within calls, such as those of a batch.
//!
//! FRAME opens a storage layer for each call, and a layer that ends hands every key that was changed
//! in it to the layer around it. So the real time of a call grows with the number of calls around
//! it, while its weight does not. A pallet cannot see what its calls are dispatched by. So it is the
//! runtime that must bound this, in its `BaseCallFilter`.

use frame_support::traits::Contains;

/// The most calls that may be around a call, one within the other. Beyond a few more, the weights of
/// the longest lists no longer hold.
pub const MAX_NESTING: u32 = 4;

/// A runtime's calls, some of which contain others: batches, calls by proxies, motions.
pub trait NestedCalls: Sized {
	/// Returns the calls in the arguments of this one, whether it dispatches them itself or leaves
	/// that to a later call. Those within them are theirs.
	fn nested_calls(&self) -> impl Iterator<Item = &Self>;
}

/// Accepts calls with at most [`MAX_NESTING`] others around any call within them. Part of a runtime's
/// `BaseCallFilter`.
///
/// The filter is asked before the outermost call is dispatched, so it also bounds what is dispatched
/// as root, past the filter.
pub struct NestingLimit;

impl<Call: NestedCalls> Contains<Call> for NestingLimit {
	fn contains(call: &Call) -> bool {
		is_nested_within(call, MAX_NESTING)
	}
}

/// Returns whether a call has at most `levels` of others within it. Looks no deeper.
fn is_nested_within<Call: NestedCalls>(call: &Call, levels: u32) -> bool {
	let mut nested = call.nested_calls();
	match levels.checked_sub(1) {
		Some(levels) => nested.all(|call| is_nested_within(call, levels)),
		None => nested.next().is_none(),
	}
}
