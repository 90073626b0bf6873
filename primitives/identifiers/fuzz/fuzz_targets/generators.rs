// SPDX-License-Identifier: Apache-2.0
//! Any life of generators, of clocks that jump and of ids that are observed: no id is repeated, and
//! none is earlier than one before it.

#![no_main]

#[path = "../../tests/generators/life.rs"]
mod life;

use libfuzzer_sys::fuzz_target;
use life::{live, Step};

fuzz_target!(|steps: Vec<(u8, u128)>| {
	live(steps.into_iter().map(|(kind, value)| match kind {
		0..64 => Step::Clock(value as u64),
		64..96 => Step::ObserveTid(value as u64),
		96..128 => Step::ObserveMuid(value),
		_ => Step::Generate(value as u8 % 4),
	}));
});
