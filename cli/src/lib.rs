// SPDX-License-Identifier: Apache-2.0
//! The program `fabric`, a client of a content fabric for people and scripts.
//!
//! [`fabric()`] runs it, and [`command_of`] names the command that makes a call of the pallet. The
//! library `content-fabric-client` has everything that another program would want.

#![deny(missing_docs)]

mod cli;
mod commands;
mod consent;
mod encrypted;
mod error;
mod index;
mod input;
mod node_name;
mod output;
mod private;
mod profile;
mod program;
mod progress;
mod record_argument;
mod time;

pub use commands::command_of;
use error::Error;
pub use program::fabric;
