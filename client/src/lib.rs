//! Client of a content fabric, and the library under its command line `fabric`.
//!
//! It knows the chain by its metadata alone: [`chain`] connects to a node, submits calls and reads
//! storage into the types of [`storage`], matching fields by name. [`calls`] makes calls, [`ids`]
//! derives ids from names. The commands are in [`publish`], [`tree`], [`show`], [`set_key`] and
//! [`delete_tenant`]; [`lockfile`] reads what `publish` publishes.

#![deny(missing_docs)]

pub mod calls;
pub mod chain;
pub mod cli;
pub mod delete_tenant;
pub mod error;
pub mod ids;
pub mod lockfile;
pub mod output;
pub mod publish;
pub mod set_key;
pub mod show;
pub mod storage;
pub mod tree;

pub use error::Error;
