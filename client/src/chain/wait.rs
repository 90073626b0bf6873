// SPDX-License-Identifier: Apache-2.0
//! The kinds of blocks that a transaction may be in.

/// The kind of block that a command waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Wait {
	/// A best block. A fork can still retract it.
	#[default]
	Best,
	/// A finalized block.
	Finalized,
}
