// SPDX-License-Identifier: Apache-2.0
//! Measures time while the machine does other work.

use std::{
	error::Error,
	fs::read_to_string,
	time::{Duration, Instant},
};

/// Measures the time of this thread: computing, and waiting for the disk or for another thread. The
/// time for which other programs had the processor does not count.
pub struct Stopwatch {
	start: Instant,
	waited: Duration,
}

impl Stopwatch {
	pub fn start() -> Result<Self, Box<dyn Error>> {
		Ok(Self { waited: waited()?, start: Instant::now() })
	}

	pub fn elapsed(&self) -> Result<Duration, Box<dyn Error>> {
		let elapsed = self.start.elapsed();
		Ok(elapsed.saturating_sub(waited()?.saturating_sub(self.waited)))
	}
}

/// Returns for how long this thread has waited for a processor.
fn waited() -> Result<Duration, Box<dyn Error>> {
	let stat = read_to_string("/proc/thread-self/schedstat")?;
	let nanos = stat.split_whitespace().nth(1).ok_or("the kernel does not count waits")?;
	Ok(Duration::from_nanos(nanos.parse()?))
}
