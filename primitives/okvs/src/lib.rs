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
pub mod overlay;
mod range;
pub mod tuple;

pub use database::{Database, Read, Removed, Transaction};
pub use error::Error;
pub use range::{successor, RangeOptions};
