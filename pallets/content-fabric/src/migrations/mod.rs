//! Migrations of the storage, one module for each version that one leads to.

pub mod v2;
