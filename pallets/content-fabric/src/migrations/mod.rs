//! Migrations of the pallet's storage, one for each version.

pub mod v1;
