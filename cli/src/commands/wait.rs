// SPDX-License-Identifier: Apache-2.0
//! The option `--wait`.

use clap::ValueEnum;
use content_fabric_client::chain::Wait;

/// The kind of block that a command waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WaitFor {
	/// A best block. A fork can still retract it.
	#[default]
	Best,
	/// A finalized block.
	Finalized,
}

impl From<WaitFor> for Wait {
	fn from(wait: WaitFor) -> Self {
		match wait {
			WaitFor::Best => Self::Best,
			WaitFor::Finalized => Self::Finalized,
		}
	}
}
