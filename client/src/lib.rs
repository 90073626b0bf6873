//! Client of a content fabric, and the library under its command line `fabric`.
//!
//! It knows the chain by its metadata alone: [`chain`] connects to a node, submits calls and reads
//! storage into the types of [`storage`], matching fields by name. [`calls`] makes calls, [`ids`]
//! reads ids and derives them from names, [`room`] finds how large a transaction may be,
//! [`text_limits`] checks the length of texts, [`purges`] drives purges. Each command has a module,
//! and [`cli`] leads to them. [`input`] reads what `publish` publishes.

#![deny(missing_docs)]

pub mod admissions;
pub mod calls;
pub mod chain;
pub mod cli;
pub mod create_collection;
pub mod delete_member;
pub mod delete_record;
pub mod error;
pub mod governance;
pub mod ids;
pub mod input;
pub mod leave;
pub mod member;
pub mod output;
pub mod publish;
pub mod purge;
pub mod purges;
pub mod put_record;
pub mod resolve;
pub mod room;
pub mod roots;
pub mod set_key;
pub mod set_max_held;
pub mod set_operator;
pub mod set_rules;
pub mod show;
pub mod storage;
pub mod suspend;
pub mod text_limits;
pub mod top_up;
pub mod tree;
pub mod watch_purge;

pub use error::Error;
