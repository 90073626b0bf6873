// SPDX-License-Identifier: Apache-2.0
//! Numbers that the environment sets for a test, and random ones that can be repeated.

use rand::{rngs::StdRng, SeedableRng};

/// Returns the number in an environment variable. `None` if there is no such variable.
pub fn number(name: &str) -> Option<u64> {
	let text = std::env::var(name).ok()?;
	Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text}")))
}

/// Returns random numbers by the seed in `SEED`, or by another one, which it prints.
pub fn random() -> StdRng {
	let seed = number("SEED").unwrap_or_else(rand::random);
	println!("SEED={seed}");
	StdRng::seed_from_u64(seed)
}
