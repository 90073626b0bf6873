// SPDX-License-Identifier: Apache-2.0
//! Steps: what their bytes mean in the present state.

use codec::Encode;
use content_fabric_runtime::{Runtime, RuntimeCall};
use pallet_content_fabric::{fuzzing::Draws, Purges};

use crate::{
	accounts::{Accounts, Origin, Signed, KEYS},
	fabric, nesting, others,
};

/// Bytes of one step. Further bytes that a step needs are derived from them. So the meaning of a
/// step does not depend on its place, and a part of an input is an input.
pub const STEP: usize = 24;

/// Returns the steps of an input. Bytes that are not a whole step are ignored.
pub fn steps(input: &[u8]) -> impl Iterator<Item = &[u8]> {
	input.chunks_exact(STEP)
}

/// The calls that an origin makes, alone or in a batch.
pub struct Action {
	pub origin: Origin,
	pub calls: Vec<RuntimeCall>,
	/// The extrinsics that make them.
	pub extrinsics: Vec<Signed>,
}

/// A transaction that is not well-formed.
pub enum Broken {
	/// Bytes without meaning.
	Bytes(Vec<u8>),
	/// A transaction whose bytes were changed, cut off or added to after it was signed.
	Altered { signed: Signed, place: u16, change: u8 },
	/// A transaction with a nonce that is wrong by this, or a tip that nobody can pay.
	Extension { signed: Signed, nonce: i8, tip: u128 },
}

pub enum Step {
	/// Ends the block, and skips this many.
	Advance(u32),
	Act(Action),
	Broken(Broken),
}

impl Step {
	pub fn draw(draws: &mut Draws, accounts: &Accounts) -> Self {
		// Rows are removed from the block after the one in which a purge starts, at its end.
		let is_purging = Purges::<Runtime>::iter_keys().next().is_some();
		if is_purging && draws.percent(15) {
			return Self::Advance(0);
		}
		match draws.below(256) {
			0..26 => Self::Advance(blocks(draws)),
			26..230 => Self::Act(action(draws, accounts, fabric::call)),
			230..250 => Self::Act(action(draws, accounts, others::call)),
			250 | 251 => Self::Act(nesting::action(draws, accounts)),
			252 | 253 => Self::Broken(broken(draws, accounts)),
			_ => Self::Act(nesting::bomb(draws)),
		}
	}
}

/// Returns a number of blocks to skip. Many are those after which something is over: the age of a
/// commit, a day of safe mode, a motion, an unbonding period, or the time that muids can hold.
fn blocks(draws: &mut Draws) -> u32 {
	const DAY: u32 = 14_400;
	match draws.below(64) {
		0..40 => 0,
		40..46 => draws.below(20) as u32,
		46..50 => 599,
		50..52 => 602,
		52..56 => DAY,
		56..59 => 3 * DAY,
		59..63 => 7 * DAY,
		_ if draws.once_in(40) => 90 * 365 * DAY,
		_ => 30 * DAY,
	}
}

type Draw = fn(&mut Draws, &Accounts) -> (Origin, RuntimeCall);

fn action(draws: &mut Draws, accounts: &Accounts, draw: Draw) -> Action {
	let (origin, call) = draw(draws, accounts);
	let mut calls = vec![call];
	if draws.once_in(7) {
		let len = 1 + draws.below(5);
		while calls.len() < len {
			// A call with the same origin, if one is drawn soon.
			let mut drawn = draw(draws, accounts);
			for _ in 0..3 {
				if drawn.0 == origin {
					break;
				}
				drawn = draw(draws, accounts);
			}
			calls.push(drawn.1);
		}
		let batch = batch(draws, calls.clone());
		let extrinsics = accounts.extrinsics(draws, &origin, batch);
		return Action { origin, calls, extrinsics };
	}
	let extrinsics = accounts.extrinsics(draws, &origin, calls[0].clone());
	Action { origin, calls, extrinsics }
}

fn batch(draws: &mut Draws, calls: Vec<RuntimeCall>) -> RuntimeCall {
	RuntimeCall::Utility(match draws.below(3) {
		0 => pallet_utility::Call::batch { calls },
		1 => pallet_utility::Call::batch_all { calls },
		_ => pallet_utility::Call::force_batch { calls },
	})
}

fn broken(draws: &mut Draws, accounts: &Accounts) -> Broken {
	let (_, call) = fabric::call(draws, accounts);
	let signed = (draws.pick(&KEYS), call);
	match draws.below(4) {
		0 => {
			let len = draws.below(200);
			Broken::Bytes((0..len).map(|_| draws.number() as u8).collect())
		},
		1 => {
			let (nonce, tip) = draws.pick(&[(-1, 0), (1, 0), (0, u128::MAX), (0, 1)]);
			Broken::Extension { signed, nonce, tip }
		},
		_ => {
			let place = draws.number() as u16;
			Broken::Altered { signed, place, change: draws.byte() }
		},
	}
}

impl Broken {
	/// Returns the bytes of a transaction after a change.
	pub fn altered(mut transaction: Vec<u8>, place: u16, change: u8) -> Vec<u8> {
		let place = usize::from(place) % transaction.len();
		match change {
			0..32 => transaction.truncate(place),
			32..64 => transaction.extend(change.encode()),
			_ => transaction[place] ^= change,
		}
		transaction
	}
}
