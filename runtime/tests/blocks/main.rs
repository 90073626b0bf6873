// SPDX-License-Identifier: Apache-2.0
//! This runtime, block by block: a tenant of 100,000 rows, purges that others try to slow down, the
//! council, the validators, and what clients see of the runtime.

mod brakes;
mod chain;
mod council;
mod dry_run;
mod fabric;
mod free_calls;
mod interference;
mod metadata;
mod metadata_hash;
mod nesting;
mod proofs;
mod proxies;
mod purges;
mod size;
mod validators;
mod wasm;
