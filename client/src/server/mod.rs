// SPDX-License-Identifier: Apache-2.0
//! What the servers of this workspace share: limits per client, the limit of open files, and how
//! their programs run and end.

mod files;
mod gate;
mod program;

pub use files::raise_file_limit;
pub use gate::{client_of, Gate, Pass};
pub use program::{run, told_to_stop};
