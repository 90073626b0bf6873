// SPDX-License-Identifier: Apache-2.0
//! Node of a content fabric: a full node and validator.
//!
//! The node keeps its chain in ParityDB, runs the WASM runtime, has a transaction pool and serves
//! JSON-RPC, as any Substrate node does. A [`Consensus`] makes and finalizes blocks:
//! [`AuraGrandpa`] in the program `content-fabric-node`, and one that needs no other node in the
//! program `content-fabric-node-mock`. All else is the same in both.
//!
//! [`cli`] and [`command`] are the command line, [`chain_spec`] the chains that the node knows by
//! name, and [`service`] puts the node together. The node contains the runtime as WASM only, and
//! [`types`] and [`runtime_api`] describe it.

#![deny(missing_docs)]

pub mod aura_grandpa;
mod block;
pub mod chain_spec;
pub mod cli;
pub mod command;
pub mod consensus;
pub mod runtime_api;
pub mod service;
pub mod types;

pub use aura_grandpa::AuraGrandpa;
pub use command::run;
pub use consensus::Consensus;
