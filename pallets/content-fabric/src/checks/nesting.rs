// SPDX-License-Identifier: Apache-2.0
//! Checks that a runtime bounds calls within calls.

use std::collections::BTreeSet;

use codec::Decode;
use frame_support::traits::Contains;
use sp_io::TestExternalities;

use super::places::{Calls, Place};
use crate::{Config, MAX_NESTING};

/// Panics if the runtime's filter accepts a call with more than [`MAX_NESTING`] others around it.
/// Tries all arguments that can contain a call, each nested in itself, and alternating with every
/// other one.
pub(super) fn test_nesting<T: Config>() {
	let calls = Calls::of::<T::RuntimeCall>();
	let places = usable::<T::RuntimeCall>(&calls);
	let is_accepted = |outer: &Place, inner: &Place| {
		let mut call = calls.plain().to_vec();
		for level in 0..=MAX_NESTING {
			call = if level % 2 == 0 { outer } else { inner }.put(&call);
		}
		T::BaseCallFilter::contains(&decode(&call).expect("all places take a call"))
	};
	// A filter may read the state.
	TestExternalities::default().execute_with(|| {
		let overlooked = places.iter().filter(|place| is_accepted(place, place));
		let overlooked: BTreeSet<_> = overlooked.map(|place| place.name.as_str()).collect();
		assert!(
			overlooked.is_empty(),
			"BaseCallFilter accepts more than {MAX_NESTING} calls around another one, if each is in \
			 one of these arguments: {overlooked:?}. Set BaseCallFilter to NestingLimit, or to \
			 InsideBoth<Filter, NestingLimit>, and return the calls in these arguments from \
			 NestedCalls::nested_calls"
		);
		for outer in &places {
			for inner in &places {
				assert!(
					!is_accepted(outer, inner),
					"BaseCallFilter accepts more than {MAX_NESTING} calls around another one, if \
					 they are by turns in {} and in {}",
					outer.name,
					inner.name
				);
			}
		}
	});
}

/// Returns the places for calls. Those in lists that are too long do not decode, but each argument
/// has others.
fn usable<Call: Decode>(calls: &Calls) -> Vec<Place> {
	let mut usable = Vec::new();
	for (argument, mut places) in calls.arguments() {
		places.retain(|place| decode::<Call>(&place.put(calls.plain())).is_some());
		assert!(
			!places.is_empty(),
			"cannot make a call with another one in {argument}, as one of its arguments can be neither \
			 zero nor empty: please report this to those who maintain pallet-content-fabric"
		);
		usable.extend(places);
	}
	usable
}

/// Decodes a call, to which all of the bytes must belong.
fn decode<Call: Decode>(mut bytes: &[u8]) -> Option<Call> {
	Call::decode(&mut bytes).ok().filter(|_| bytes.is_empty())
}
