//! Benchmarks of the ordered store beside what it is built on; see `benches`.
