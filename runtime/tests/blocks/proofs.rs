// SPDX-License-Identifier: Apache-2.0
//! The proofs and times of calls in a large state, compared with their weights. The calls come from
//! `cases.rs`, each at its worst.

use std::{collections::BTreeSet, time::Instant};

use codec::Encode;
use content_fabric_runtime::{Runtime, RuntimeCall, RuntimeOrigin};
use frame_support::traits::GetCallName;
use pallet_content_fabric::Call;
use sp_io::TestExternalities;
use sp_runtime::StateVersion;

use crate::{
	cases::{self, dispatch, Case},
	chain::{assert_in_time, undone},
	interference::INTERRUPTION,
	state::{self, Group},
};

/// Lengths of lists, besides the shortest and the longest. A weight is a straight line above a
/// curve.
const LENGTHS: [u32; 4] = [3, 10, 30, 100];
/// Weights may claim this many times what a proof takes here. They hold in a state of a million rows,
/// where a single row has a longer path than here: for lists, the ratio is at most about 2.5.
const MOST_CLAIMED: f64 = 2.8;
/// Calls that may claim more:
///
/// - `purge_member` adds a row to the purges under way and to the deletion queue. It claims two full
///   branches of each of these maps, and the longest row of a purge. Here they have few rows.
/// - `reap` claims a path into each map of a tenant, and a record of the longest key for each row.
///   Most steps here remove shorter rows, of fewer maps, that lie side by side.
/// - `revoke_admissions` claims almost two branches for each admission, as for rows that are spread
///   over a map. The admissions of a space lie side by side, and share most of their branches.
const MAY_CLAIM_MORE: [&str; 3] = ["purge_member", "reap", "revoke_admissions"];

/// The call of a case, in a state that was made for it.
struct Prepared {
	name: &'static str,
	variant: String,
	origin: RuntimeOrigin,
	call: RuntimeCall,
}

/// Makes a state with this many groups, and objects of the large tenant. Each case has a group of
/// its own.
fn prepare(groups: u32, objects: u32, cases: &[Case]) -> (TestExternalities, Vec<Prepared>) {
	let of_groups = || (0..).map(|number| Group { number, objects }).zip(cases);
	let prepare = || of_groups().for_each(|(group, case)| (case.prepare)(&group));
	let call_of = |(group, case): (Group, &Case)| {
		let (signer, call) = (case.make)(&group);
		let (name, variant) = (call.get_call_name(), case.variant.clone());
		Prepared { name, variant, origin: group.origin(signer), call: case.nest(call) }
	};
	let calls = || of_groups().map(call_of).collect();
	let (storage, calls) =
		state::make(groups, objects, prepare, calls).expect("the genesis is valid");
	(storage.into(), calls)
}

/// No proof is larger than its weight claims, and none much smaller.
#[test]
fn proofs_of_calls_fit_their_weights() {
	let mut cases = cases::all();
	cases.extend(LENGTHS.into_iter().flat_map(cases::lists));
	let (mut state, calls) = prepare(1_000, 25_000, &cases);
	let (mut exceeding, mut proven) = (Vec::new(), BTreeSet::new());
	for Prepared { name, variant, origin, call } in calls {
		let (weight, proof) = state.execute_and_prove(|| {
			undone(|| {
				let weight = dispatch(&call, &origin);
				// The proof also has the nodes that the changes need.
				sp_io::storage::root(StateVersion::V1);
				weight
			})
		});
		let weight = weight.unwrap_or_else(|error| panic!("{name}, {variant}: {error:?}"));
		let (proof, claim) = (proof.encoded_size() as u64, weight.proof_size());
		let ratio = claim as f64 / proof as f64;
		println!("{name}, {variant}: {proof} bytes of proof, {claim} claimed: {ratio:.2}");
		if proof > claim || (ratio > MOST_CLAIMED && !MAY_CLAIM_MORE.contains(&name)) {
			exceeding.push((name, variant, ratio));
		}
		proven.insert(name);
	}
	assert!(exceeding.is_empty(), "{exceeding:?}");
	assert_eq!(proven, BTreeSet::from_iter(Call::<Runtime>::get_call_names().iter().copied()));
}

#[test]
fn the_longest_lists_keep_to_their_weights_at_the_greatest_depth() {
	let nested: Vec<_> = cases::all().into_iter().filter(|case| case.levels > 0).collect();
	let (mut state, calls) = prepare(20, 1_000, &nested);
	for Prepared { name, variant, origin, call } in calls {
		let what = format!("{name}, {variant}");
		let (took, weight) = state.execute_with(|| {
			undone(|| {
				let start = Instant::now();
				let weight = dispatch(&call, &origin);
				(start.elapsed(), weight.unwrap_or_else(|error| panic!("{what}: {error:?}")))
			})
		});
		println!("{what}: {took:?} for {weight:?}");
		assert_in_time(what, took, weight, INTERRUPTION);
	}
}
