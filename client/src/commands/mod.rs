//! The commands. Each group has a module.

pub mod account;
mod act;
pub mod completions;
mod context;
pub mod id;
pub mod man;
pub mod resolve;
pub mod show;
pub mod space;

pub use act::{Act, Action, Authority, CouncilStep, Outcome, Submitted};
pub use context::{Context, Global};
