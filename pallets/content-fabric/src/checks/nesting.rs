// SPDX-License-Identifier: Apache-2.0
//! Checks that a runtime bounds calls within calls.

use codec::Decode;
use frame_support::traits::Contains;
use sp_io::TestExternalities;

use super::places::Calls;
use crate::{Config, MAX_NESTING};

/// Panics if the runtime's filter accepts a call with more than [`MAX_NESTING`] others around it.
/// Tries all calls that can contain others, each one in itself and in turns with each other one.
pub(super) fn test_nesting<T: Config>() {
	let calls = Calls::of::<T::RuntimeCall>();
	let places = calls.places();
	// A filter may read the state.
	TestExternalities::default().execute_with(|| {
		for outer in &places {
			for inner in &places {
				let mut call = calls.plain().to_vec();
				for level in 0..=MAX_NESTING {
					call = if level % 2 == 0 { outer } else { inner }.put(&call);
				}
				let (outer, inner) = (&outer.name, &inner.name);
				let call = decode::<T::RuntimeCall>(&call).unwrap_or_else(|| {
					panic!("the integrity test cannot make a {inner} within a {outer}")
				});
				assert!(
					!T::BaseCallFilter::contains(&call),
					"BaseCallFilter accepts a call with more than {MAX_NESTING} others around it, \
					 {outer} and {inner} in turns: add NestingLimit, and both to NestedCalls"
				);
			}
		}
	});
}

/// Decodes a call, to which all of the bytes must belong.
fn decode<Call: Decode>(mut bytes: &[u8]) -> Option<Call> {
	Call::decode(&mut bytes).ok().filter(|_| bytes.is_empty())
}
