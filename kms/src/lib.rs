// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod api;
mod chain;
mod cli;
mod error;
mod identity;
mod offline;
mod receipts;

pub use cli::{run, Cli};
