//! Nothing but benchmarks is in this crate.
