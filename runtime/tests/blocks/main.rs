// SPDX-License-Identifier: Apache-2.0
//! This runtime, block by block: a tenant of 100,000 rows, purges that others try to slow down, the
//! council, the validators, and what clients see of the runtime.

mod brakes;
mod cases;
mod chain;
mod council;
mod dry_run;
mod fabric;
mod free_calls;
mod interference;
mod metadata;
mod metadata_hash;
#[path = "../shared/motions.rs"]
mod motions;
mod nesting;
mod proofs;
mod proxies;
mod purges;
mod size;
#[path = "../shared/start.rs"]
mod start;
mod state;
#[path = "../shared/transactions.rs"]
mod transactions;
mod validators;
mod wasm;
#[path = "../shared/wrappers.rs"]
mod wrappers;
mod zero_account;
