// SPDX-License-Identifier: Apache-2.0
//! Shared by the servers of this workspace: limits per client, the limit of open files, logs, exit
//! codes, and the wait for the signal to stop.

mod files;
mod gate;
mod program;

pub use files::raise_file_limit;
pub use gate::{client_of, Gate, Pass};
pub use program::{run, told_to_stop};
