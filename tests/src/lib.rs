//! What the end-to-end tests share: the real node and the real client as processes, raw reads over
//! JSON-RPC, the pallet's runtime API, and an independent reading of lock files.

#![deny(missing_docs)]

pub mod api;
pub mod lockfile;
pub mod process;
pub mod raw;
