// SPDX-License-Identifier: Apache-2.0
//! Measures a store and its peers in turns.
//!
//! The speed of a machine that others use too, or whose clock changes, drifts by a quarter within a
//! minute. Measuring one store after the other takes that drift for a difference between them. Here
//! they take turns, in rounds, and in another order in each: what a turn leaves in the caches helps
//! or burdens the next one. A turn is shorter than the time that a scheduler gives to a program, so
//! that most are not interrupted. Each round gives one ratio per peer, from turns that are
//! neighbours in time. The median of these ratios is what counts.

use std::time::{Duration, Instant};

use rand::{rngs::SmallRng, seq::SliceRandom, SeedableRng};

/// A store in a benchmark.
pub struct Contestant<'s> {
	/// The name of the store in the tables.
	pub name: &'static str,
	/// Takes a number of steps, and returns the time that they took.
	pub turn: Box<dyn FnMut(u32) -> Duration + 's>,
}

/// The duration and the number of measurements.
#[derive(Clone, Copy)]
pub struct Plan {
	/// Number of rounds, in each of which every store has one turn.
	pub rounds: usize,
	/// Time after which no round begins, unless there were too few for a median.
	pub limit: Duration,
	/// Time of a turn. A turn has at least one step, however long that takes.
	pub turn: Duration,
}

/// The times of a contestant.
pub struct Measured {
	pub name: &'static str,
	/// Median of the time of a step, in nanoseconds.
	pub time: f64,
	/// Quartiles of its time divided by the time of the first contestant in the same round; the
	/// second one is the median.
	pub ratio: [f64; 3],
	/// Its least time divided by the least time of the first contestant. On a busy machine, where
	/// most turns are interrupted, this one is nearer to the truth than the median.
	pub least: f64,
}

/// Number of rounds that are enough for a median.
const ENOUGH: usize = 3;

/// Returns the time that a closure takes.
pub fn timed<R>(run: impl FnOnce() -> R) -> Duration {
	let began = Instant::now();
	std::hint::black_box(run());
	began.elapsed()
}

/// Returns the number of steps that fill a turn: fewer, if what has to be done around them takes
/// far longer than they do.
fn steps(contestant: &mut Contestant, turn: Duration) -> u32 {
	let mut steps = 1;
	loop {
		let began = Instant::now();
		let taken = (contestant.turn)(steps);
		let (all, limit) = (began.elapsed(), 8 * turn);
		if taken >= turn / 4 || all >= limit {
			let fit = |time: Duration, limit: Duration| {
				f64::from(steps) * limit.as_secs_f64() / time.as_secs_f64()
			};
			return (fit(taken, turn).min(fit(all, limit)) as u32).max(1);
		}
		steps *= 2;
	}
}

/// Returns the quartiles of some numbers.
pub fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
	numbers.sort_by(f64::total_cmp);
	let last = numbers.len() - 1;
	[1, 2, 3].map(|quarter| {
		let (below, above) = (last * quarter / 4, (last * quarter).div_ceil(4));
		(numbers[below] + numbers[above]) / 2.0
	})
}

/// Measures the contestants, of which the first one is compared with each of the others.
pub fn measure(mut contestants: Vec<Contestant>, plan: Plan) -> Vec<Measured> {
	// All take the same number: the first steps of a turn can cost more than those after them.
	let steps = contestants.iter_mut().map(|contestant| steps(contestant, plan.turn)).min();
	let steps = steps.expect("there are contestants");
	let mut times = vec![Vec::with_capacity(plan.rounds); contestants.len()];
	let mut order: Vec<_> = (0..contestants.len()).collect();
	let mut random = SmallRng::seed_from_u64(1);
	let began = Instant::now();
	for round in 0..plan.rounds {
		if round >= ENOUGH && began.elapsed() > plan.limit {
			break;
		}
		order.shuffle(&mut random);
		for &number in &order {
			let taken = (contestants[number].turn)(steps);
			times[number].push(taken.as_secs_f64() * 1e9 / f64::from(steps));
		}
	}
	let ours = times[0].clone();
	let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
	let measured = contestants.iter().zip(times).map(|(contestant, times)| {
		let ratios = times.iter().zip(&ours).map(|(theirs, ours)| theirs / ours).collect();
		let least = least(&times) / least(&ours);
		let [_, time, _] = quartiles(times);
		Measured { name: contestant.name, time, ratio: quartiles(ratios), least }
	});
	measured.collect()
}
