// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

#[cfg(feature = "chain")]
pub mod chain;
#[cfg(feature = "conformance")]
pub mod conformance;
mod database;
#[cfg(feature = "disk")]
pub mod disk;
mod error;
pub mod memory;
mod options;
mod range;
mod read;
mod transaction;
pub mod tuple;
pub mod tuple_store;

pub use database::Database;
pub use error::Error;
pub use options::{BeginOptions, CloseOptions, CommitOptions, Durability, RollbackOptions};
pub use range::{successor, KeyRange, RangeOptions};
pub use read::{Pair, Read};
pub use transaction::{Removed, Transaction};
