// SPDX-License-Identifier: Apache-2.0
//! A bound on calls within calls, such as the calls of a batch.
//!
//! FRAME opens a storage layer for each call, and a layer that ends hands every key that was
//! changed in it to the layer around it. So the real time of a call grows with the number of calls
//! around it, while its weight does not. Some calls also encode the call in them to compute their
//! weight. A pallet cannot see the calls around its own, so the runtime must bound their number.

use frame_support::{
	pallet_prelude::{InvalidTransaction, TransactionValidityError},
	traits::Contains,
};

/// The largest number of calls around another one, each within the next. Some more would still keep
/// the longest lists within their weights.
pub const MAX_NESTING: u32 = 4;

/// A runtime's calls, some of which contain others: batches, calls by proxies, motions.
pub trait NestedCalls: Sized {
	/// Returns the calls in the arguments of this one, whether it dispatches them itself or leaves
	/// that to a later call. Returns only the next level, in the order of dispatch.
	fn nested_calls(&self) -> impl Iterator<Item = &Self>;

	/// Returns `true` if the weight of this call is one of its arguments, and not computed from the
	/// calls in it. Such a weight does not bound the work.
	fn has_stated_weight(&self) -> bool;
}

/// A filter that accepts calls nested at most [`MAX_NESTING`] deep. Part of a runtime's
/// `BaseCallFilter`.
///
/// It checks the outermost call as a whole, so it also bounds the calls in it that are dispatched
/// as root, past the filter. For each call that is dispatched later, it is asked again.
pub struct NestingLimit;

impl NestingLimit {
	/// Refuses a transaction with calls that are nested deeper. For the runtime APIs
	/// `validate_transaction` and `apply_extrinsic`: the filter comes after the weight, which takes
	/// long to compute for some calls if they are nested deeply.
	///
	/// # Errors
	///
	/// [`InvalidTransaction::Call`].
	pub fn check<Call: NestedCalls>(call: &Call) -> Result<(), TransactionValidityError> {
		match Self::contains(call) {
			true => Ok(()),
			false => Err(InvalidTransaction::Call.into()),
		}
	}
}

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
