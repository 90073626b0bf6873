// SPDX-License-Identifier: Apache-2.0
//! The server, asked over connections as clients ask it.

mod assets;
mod audits;
mod case;
mod crowd;
mod described;
mod errors;
mod feed;
mod http;
mod ids;
mod limits;
mod lists;
mod program;
mod queries;
mod server;
mod sizes;
mod times;
mod world;
