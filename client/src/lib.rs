// SPDX-License-Identifier: Apache-2.0
//! Client of a content fabric, and the library under its command line `fabric`.
//!
//! [`chain`] connects to a node, reads its state, and submits typed calls; [`keys`] reads the keys
//! that sign, [`profile`] URLs of nodes and indexes, [`drafts`] the commits that a tenant signs.
//! [`content_node`] asks the servers of bytes, which go to a [`folder`]. [`fabric()`] runs the
//! command line, and [`CALLS`] has the commands that make the calls of the pallet.
//!
//! The command line, and what only it uses, need the feature `cli`, which is a default.
//! [`content_node`] and [`folder`] need the feature `http`, which `cli` includes.

#![deny(missing_docs)]

pub mod amount;
pub mod chain;
pub mod class;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod consent;
#[cfg(feature = "http")]
pub mod content_node;
pub mod drafts;
#[cfg(feature = "cli")]
mod error;
#[cfg(feature = "http")]
pub mod folder;
#[cfg(feature = "http")]
pub mod http;
pub mod ids;
#[cfg(feature = "cli")]
mod index;
#[cfg(feature = "cli")]
mod input;
pub mod keys;
pub mod output;
#[cfg(feature = "cli")]
mod pipeline;
pub mod profile;
#[cfg(feature = "cli")]
mod program;
#[cfg(feature = "cli")]
mod progress;
pub mod record_names;
pub mod text;
#[cfg(feature = "cli")]
mod time;

#[cfg(feature = "cli")]
pub use commands::CALLS;
#[cfg(feature = "cli")]
use error::Error;
#[cfg(feature = "cli")]
pub use program::fabric;
