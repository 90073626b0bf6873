// SPDX-License-Identifier: Apache-2.0
//! The commands. Each group has a module.

pub mod account;
mod act;
pub mod collection;
pub mod completions;
mod context;
mod create_member;
mod entity;
pub mod find;
pub mod governance;
pub mod history;
pub mod id;
pub mod key;
pub mod kms;
mod listing;
mod locator;
pub mod man;
pub mod member;
mod naming;
pub mod node;
pub mod object;
pub mod provider;
pub mod publish;
mod purges;
pub mod record;
mod record_list;
pub mod resolve;
pub mod runtime;
pub mod show;
pub mod space;
mod submit;
mod table;
pub mod tenant;
pub mod tree;
pub mod validator;
pub mod version;
pub mod watch;
pub mod who;

pub use act::{Act, CouncilStep, Outcome, Submitted};
pub use context::{Context, Global};
pub use listing::{Limit, Seen};
pub use record_list::{ListedRecord, Records};
pub use runtime::BlobError;
pub use submit::{Action, Authority, Setting, Submit, View};
pub use table::TABLE;
