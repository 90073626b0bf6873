// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod api;
pub mod chain;
pub mod cli;
#[cfg(feature = "cloud")]
pub mod cloud;
pub mod error;
pub mod keep;
mod page_cache;
pub mod serve;
pub mod store;
mod time;

pub use error::Error;
