// SPDX-License-Identifier: Apache-2.0
//! Measures a store and its peers in turns, and makes tables of it, in Markdown.
//!
//! The speed of a machine that others use too, or whose clock changes, drifts by a quarter within a
//! minute. Measuring one store after the other takes that drift for a difference between them. Here
//! they take turns, in rounds, and in another order in each: what a turn leaves in the caches helps
//! or burdens the next one. A turn is shorter than the time that a scheduler gives to a program, so
//! that most are not interrupted. Each round gives one ratio per peer, from turns that are
//! neighbours in time. The median of these ratios is what counts.

use std::time::{Duration, Instant};

use rand::{rngs::SmallRng, seq::SliceRandom, SeedableRng};

/// Time after which no round begins, unless there were too few for a median.
const LIMIT: Duration = Duration::from_secs(2);
/// Time of a turn. A turn has at least one step, however long that takes.
const TURN: Duration = Duration::from_micros(500);
/// Number of rounds that are enough for a median.
const ENOUGH: usize = 3;

pub struct Contestant<'s> {
	pub name: &'static str,
	/// Takes a number of steps, and returns the time that they took.
	pub turn: Box<dyn FnMut(u32) -> Duration + 's>,
}

/// The rows of a kind of store, at all sizes.
pub struct Table {
	pub title: &'static str,
	pub sizes: Vec<u32>,
	/// Number of rounds, in each of which every store has one turn.
	pub rounds: usize,
	rows: Vec<Row>,
}

/// A row: what was done, and how fast each store did it.
struct Row {
	what: &'static str,
	/// The least ratio to the first peer that is good enough.
	goal: f64,
	/// The measurement of each run, with the size.
	measured: Vec<(u32, Vec<Measured>)>,
}

impl Row {
	/// Returns the median over the runs of the time and of the ratio of an implementation.
	fn medians(&self, size: u32, number: usize) -> [f64; 2] {
		let runs = self.measured.iter().filter(|(of, _)| *of == size);
		let (times, ratios) = runs.map(|(_, run)| (run[number].time, run[number].ratio[1])).unzip();
		[quartiles(times)[1], quartiles(ratios)[1]]
	}
}

impl Table {
	pub fn new(title: &'static str, sizes: &[u32], rounds: usize) -> Self {
		Self { title, sizes: sizes.to_vec(), rounds, rows: Vec::new() }
	}

	/// Measures contestants at a size, and compares the first one with each of the others.
	pub fn measure(&mut self, what: &'static str, goal: f64, size: u32, all: Vec<Contestant>) {
		let measured = measure(all, self.rounds);
		let ratio = |Measured { name, ratio: [low, middle, high], least, .. }: &Measured| {
			format!("{name} {middle:.2} ({low:.2} to {high:.2}, least {least:.2})")
		};
		let ratios = measured[1..].iter().map(ratio).collect::<Vec<_>>().join(", ");
		let time = time(measured[0].time);
		eprintln!("{}, {what}, {size} pairs: {time}; {ratios}", self.title);
		let row = self.rows.iter().position(|row| row.what == what).unwrap_or_else(|| {
			self.rows.push(Row { what, goal, measured: Vec::new() });
			self.rows.len() - 1
		});
		self.rows[row].measured.push((size, measured));
	}

	/// Prints the table, and the rows that miss their goal.
	pub fn print(&self) {
		println!("\n### {}\n", self.title);
		let power = |size: &u32| format!("10^{}", size.ilog10());
		let sizes: Vec<_> = self.sizes.iter().map(power).collect();
		let span = match sizes.as_slice() {
			[only] => only.clone(),
			[first, .., last] => format!("{first} to {last}"),
			[] => return,
		};
		println!("| what | implementation | {} | ratio, {span} |", sizes.join(" | "));
		println!("| --- | --- |{} --- |", " ---: |".repeat(sizes.len()));
		let mut missed = String::new();
		for row in &self.rows {
			let [(_, first), ..] = row.measured.as_slice() else { continue };
			for (number, Measured { name, .. }) in first.iter().enumerate() {
				let what = if number == 0 { row.what } else { "" };
				let (mut times, mut ratios) = (Vec::new(), Vec::new());
				for size in &self.sizes {
					let [median, ratio] = row.medians(*size, number);
					times.push(time(median));
					if number > 0 {
						ratios.push(format!("{ratio:.2}"));
					}
					if number == 1 && ratio < row.goal {
						missed += &format!("{}, {}, {size} pairs: ", self.title, row.what);
						missed +=
							&format!("{ratio:.2} of {name}, and {:.2} is the goal\n", row.goal);
					}
				}
				println!("| {what} | {name} | {} | {} |", times.join(" | "), ratios.join(" "));
			}
		}
		eprint!("{missed}");
	}
}

/// Writes a time with three digits.
fn time(nanoseconds: f64) -> String {
	let (number, unit) = match nanoseconds {
		..1e3 => (nanoseconds, "ns"),
		..1e6 => (nanoseconds / 1e3, "µs"),
		..1e9 => (nanoseconds / 1e6, "ms"),
		_ => (nanoseconds / 1e9, "s"),
	};
	let digits = match number {
		..10.0 => 2,
		..100.0 => 1,
		_ => 0,
	};
	format!("{number:.digits$} {unit}")
}

struct Measured {
	name: &'static str,
	/// Median of the time of a step, in nanoseconds.
	time: f64,
	/// Quartiles of its time divided by the time of the first contestant in the same round; the
	/// second one is the median.
	ratio: [f64; 3],
	/// Its least time divided by the least time of the first contestant. On a busy machine, where
	/// most turns are interrupted, this one is nearer to the truth than the median.
	least: f64,
}

pub fn timed<R>(run: impl FnOnce() -> R) -> Duration {
	let began = Instant::now();
	std::hint::black_box(run());
	began.elapsed()
}

/// Returns the number of steps that fill a turn: fewer, if what has to be done around them takes
/// far longer than they do.
fn steps(contestant: &mut Contestant) -> u32 {
	let mut steps = 1;
	loop {
		let began = Instant::now();
		let taken = (contestant.turn)(steps);
		let all = began.elapsed();
		if taken >= TURN / 4 || all >= 8 * TURN {
			let turns = taken.div_duration_f64(TURN).max(all.div_duration_f64(8 * TURN));
			return ((f64::from(steps) / turns) as u32).max(1);
		}
		steps *= 2;
	}
}

fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
	numbers.sort_by(f64::total_cmp);
	let last = numbers.len() - 1;
	[1, 2, 3].map(|quarter| {
		let (below, above) = (last * quarter / 4, (last * quarter).div_ceil(4));
		(numbers[below] + numbers[above]) / 2.0
	})
}

fn measure(mut contestants: Vec<Contestant>, rounds: usize) -> Vec<Measured> {
	// All take the same number: the first steps of a turn can cost more than those after them.
	let steps = contestants.iter_mut().map(steps).min();
	let steps = steps.expect("there are contestants");
	let mut times = vec![Vec::with_capacity(rounds); contestants.len()];
	let mut order: Vec<_> = (0..contestants.len()).collect();
	let mut random = SmallRng::seed_from_u64(1);
	let began = Instant::now();
	for round in 0..rounds {
		if round >= ENOUGH && began.elapsed() > LIMIT {
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
