// SPDX-License-Identifier: Apache-2.0
//! Index of a content fabric: its directory in order, with queries, a live feed and an explorer.

pub mod api;
pub mod audit;
pub mod chain;
pub mod cli;
pub mod command;
pub mod follow;
pub mod index;
pub mod rows;
pub mod serve;
pub mod source;
