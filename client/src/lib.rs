//! Client of a content fabric, and the library under its command line `fabric`.
//!
//! It knows the chain by its metadata alone: [`chain`] connects to a node, submits calls and reads
//! storage into the types of [`storage`], matching fields by name. [`calls`] makes calls, [`ids`]
//! derives ids from names, [`signing`] says what is signed for a commit. Each command has a module,
//! and [`cli`] leads to them. What `publish` publishes is read by [`content`], from a lock file by
//! [`lockfile`] and from an index by [`packages`].

#![deny(missing_docs)]

pub mod admissions;
pub mod calls;
pub mod chain;
pub mod cli;
pub mod content;
pub mod create_collection;
pub mod delete_member;
pub mod delete_record;
pub mod error;
pub mod ids;
pub mod lockfile;
pub mod member;
pub mod output;
pub mod packages;
pub mod publish;
pub mod put_record;
pub mod resolve;
pub mod set_key;
pub mod set_rules;
pub mod show;
pub mod signing;
pub mod storage;
pub mod top_up;
pub mod tree;
pub mod watch_deletion;

pub use error::Error;
