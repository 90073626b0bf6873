// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

#[cfg(feature = "chain")]
pub mod chain;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "disk")]
pub mod disk;
mod gate;
mod interface;
pub mod memory;
mod range;
pub mod tuple;
pub mod tuple_store;

pub use interface::{
	BeginOptions, CloseOptions, CommitOptions, Database, Durability, Error, Pair, Read, Removed,
	Transaction, Wait,
};
pub use range::{successor, KeyRange, RangeOptions};
