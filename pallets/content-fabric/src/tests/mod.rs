//! The behaviour of the pallet, a file a theme.

mod admissions;
mod bonds;
mod clock;
mod content;
mod deletion;
mod genesis;
mod governance;
mod invariants;
mod keys;
mod levels;
mod migrations;
mod model;
mod permissions;
mod providers;
mod reading;
mod records;
mod replay;
mod spaces;
mod tenants;
