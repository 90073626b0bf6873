// SPDX-License-Identifier: Apache-2.0
//! Development node of a content fabric: the node of `content-fabric-node`, with its consensus
//! replaced.
//!
//! It has no peers: it seals each block by itself, at once for each transaction
//! (`--consensus instant`) or at fixed intervals (`--consensus interval=MS`), and finalizes it
//! `--finalize-after` milliseconds later.
//!
//! [`mode`] reads its flags, [`mock`] its consensus, [`sealing`] decides when to seal a block,
//! [`clock`] its time, and [`rpc`] lets developers seal blocks.

#![deny(missing_docs)]

pub mod clock;
mod finality;
pub mod mock;
pub mod mode;
pub mod rpc;
pub mod sealing;

pub use mock::Mock;
