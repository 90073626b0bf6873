// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod authorization;
mod bodies;
pub mod conditional;
mod failure;
mod files;
mod gate;
pub mod metrics;
mod origins;
mod pace;
mod program;
mod rate;
mod request;
mod routes;
mod server;

pub use authorization::Signatures;
pub use bodies::{Bodies, Buffer, Places};
pub use failure::Failure;
pub use files::raise_file_limit;
pub use gate::{client_of, Gate, Pass};
pub use origins::Origins;
pub use pace::Pace;
pub use program::{run, told_to_stop};
pub use rate::Rate;
pub use request::{decode, discard, read_json};
pub use routes::{route, with_fallbacks};
pub use server::{listen, Client, Limits, ListenError, Server};
