//! Development node of a content fabric: a real Substrate client whose consensus is mocked.
//!
//! The node keeps its chain in ParityDB, runs the WASM runtime, has a transaction pool and serves
//! JSON-RPC, as any Substrate node does. It has no peers: it seals each block by itself, at once
//! for each transaction (`--consensus instant`) or at fixed intervals (`--consensus interval=MS`),
//! and finalizes it a second later.
//!
//! [`cli`] and [`command`] are the command line, [`chain_spec`] the chains that it knows by name,
//! [`service`] puts the node together, [`consensus`] decides when to seal a block, [`clock`] its
//! time, and [`rpc`] what is served.

#![deny(missing_docs)]

pub mod chain_spec;
pub mod cli;
pub mod clock;
pub mod command;
pub mod consensus;
pub mod rpc;
pub mod service;

pub use command::run;
