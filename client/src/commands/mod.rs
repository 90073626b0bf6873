//! The commands. Each group has a module.

mod act;
mod context;
pub mod publish;
pub mod space;

pub use act::{Act, Action, Authority, CouncilStep, Outcome, Submitted};
pub use context::{Context, Global};
