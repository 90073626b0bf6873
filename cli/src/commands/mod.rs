// SPDX-License-Identifier: Apache-2.0
//! The commands. Each group has a module.

pub mod account;
mod act;
mod address;
pub mod collection;
pub mod completions;
mod context;
pub mod copies;
pub mod create_member;
pub mod doctor;
mod entity;
pub mod find;
#[cfg(unix)]
pub mod get;
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
pub mod publish;
mod purges;
pub mod record;
pub mod resolve;
pub mod runtime;
pub mod show;
pub mod space;
mod submit;
mod table;
mod tenant_key;
pub mod tree;
pub mod validator;
pub mod verify;
pub mod version;
mod wait;
pub mod watch;
pub mod who;

use act::{Act, CouncilStep, Outcome, Submitted};
pub use context::{Context, Global};
use submit::{Action, Authority, Setting, Submit, View};
pub use table::command_of;
use wait::WaitFor;

/// Reads arguments of a command.
#[cfg(test)]
pub(crate) fn parsed<A: clap::Args>(arguments: &[&str]) -> Result<A, clap::Error> {
	let command = A::augment_args(clap::Command::new("fabric").no_binary_name(true));
	A::from_arg_matches(&command.try_get_matches_from(arguments)?)
}
