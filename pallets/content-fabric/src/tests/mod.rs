//! The behaviour of the pallet, a file a theme.

mod clock;
mod content;
mod deletion;
mod governance;
mod invariants;
mod keys;
mod levels;
mod model;
mod permissions;
mod providers;
mod spaces;
mod tenants;
