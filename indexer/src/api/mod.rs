// SPDX-License-Identifier: Apache-2.0
//! The server: queries, the feed and the explorer, over HTTP.
//!
//! It only reads. Each query reads one moment of the index, in a thread that may wait for the disk.

mod app;
mod ask;
mod assets;
mod cursors;
mod error;
mod feed;
mod limits;
mod metrics;
mod router;
mod routes;
mod service;
pub mod views;

pub use app::App;
pub use ask::PageParams;
pub use error::{Error, Failure, Failures, Kind, Reason};
pub use limits::Limits;
pub use service::serve;

pub use crate::follow::Progress;
