//! This runtime with a tenancy of 100,000 rows.

mod chain;
mod deletion;
mod proofs;
