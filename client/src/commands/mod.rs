//! The commands. Each group has a module.

mod act;
mod context;
mod create_member;
pub mod key;
pub mod kms;
mod locator;
pub mod member;
mod naming;
pub mod node;
pub mod provider;
pub mod space;
mod table;
pub mod tenant;

pub use act::{Act, Action, Authority, CouncilStep, Outcome, Submitted};
pub use context::{Context, Global};
pub use table::TABLE;
