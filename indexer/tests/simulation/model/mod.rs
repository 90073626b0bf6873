// SPDX-License-Identifier: Apache-2.0
//! A plain model of the pallet: its rows as maps in memory, and calls that change them at random.

mod block;
mod content;
mod fabric;
mod members;
mod purges;
mod records;
mod spaces;
mod under;

pub use block::make;
pub use fabric::{Dump, Fabric};
