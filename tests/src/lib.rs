// SPDX-License-Identifier: Apache-2.0
//! The parts that the end-to-end tests share: node and client as processes, the client library and
//! a small fabric for single calls, the council's motions, raw reads over JSON-RPC, the pallet's
//! runtime API, networks of validators, their faults and upgrades, a relay between client and node,
//! a caching proxy, numbers of the environment, pages with commands, and an independent reader of
//! manifests.

#![deny(missing_docs)]

pub mod api;
pub mod caching;
pub mod client;
pub mod council;
pub mod environment;
pub mod fabric;
pub mod faults;
pub mod indexer;
pub mod kms;
pub mod manifest;
pub mod network;
pub mod page;
pub mod process;
pub mod published;
pub mod raw;
pub mod relay;
pub mod store;
pub mod upgrade;
pub mod validators;
pub mod wait;
