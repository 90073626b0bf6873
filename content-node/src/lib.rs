// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod api;
mod chain;
pub mod check;
mod cli;
pub mod disk;
mod error;
pub mod keep;
mod log;
mod mirror;
mod page_cache;
mod place;
mod proof;
mod serve;
pub mod store;
pub mod tree;
pub mod verify;

pub use cli::{run, Cli};

/// Returns the time in seconds since the Unix epoch.
fn now_seconds() -> u64 {
	content_fabric_client::chain::wall_clock() / 1_000_000
}
