// SPDX-License-Identifier: Apache-2.0
//! Shared by the HTTP servers of this workspace: limits per client, the memory and the minimum speed
//! of bodies, the limit of open files, logs, exit codes, and the wait for the signal to stop.

#![deny(missing_docs)]

mod bodies;
mod files;
mod gate;
mod pace;
mod program;

pub use bodies::{Bodies, Buffer, Places};
pub use files::raise_file_limit;
pub use gate::{client_of, Gate, Pass};
pub use pace::{Pace, Paced};
pub use program::{run, told_to_stop};
