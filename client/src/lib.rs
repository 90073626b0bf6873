// SPDX-License-Identifier: Apache-2.0
//! Client of a content fabric, and the library under its command line `fabric`.
//!
//! [`chain`] connects to a node, reads its state, and submits typed calls; [`keys`] reads the keys
//! that sign, [`profile`] the configuration, [`input`] the files that name content. [`index`] asks an
//! index over HTTP. [`commands`] has one module for each command, and [`cli`] leads to them.

#![deny(missing_docs)]

pub mod amount;
pub mod chain;
pub mod class;
pub mod cli;
pub mod commands;
pub mod consent;
pub mod error;
pub mod ids;
pub mod index;
pub mod input;
pub mod keys;
pub mod output;
pub(crate) mod pipeline;
pub mod profile;
pub mod progress;
pub mod record_names;
pub mod text;
pub mod time;

pub use error::Error;
