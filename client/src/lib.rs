// SPDX-License-Identifier: Apache-2.0
//! Client of a content fabric.
//!
//! - [`chain`] connects to a node, reads its state, and submits typed calls.
//! - [`keys`] reads the keys that sign, and [`profile`] the URLs of nodes and servers.
//! - [`drafts`] reads and signs the commits of versions, and [`requests`] signs requests to servers.
//! - [`manifest`] reads lists of items, and [`publish`] puts them on the chain.
//! - [`content_node`] uploads and downloads bytes, which go to a [`folder`].
//! - `kms` asks KMSes for keys, and encrypts files.
//!
//! Connecting ends within [`chain::Endpoint::connect_timeout`]. [`chain::Chain::resolve`] finds the
//! content of a record, [`content_node::fetch_record`] gets it, and verifies it. [`record_names`] has
//! the record keys of names, as people write them. `doctor`, with the feature `encryption`, finds
//! what is wrong with a set-up.
//!
//! [`content_node`], [`folder`] and [`http`] need the feature `http`, which is a default. The light
//! client needs the feature `light`.

#![deny(missing_docs)]

pub mod amount;
pub mod chain;
pub mod class;
#[cfg(feature = "http")]
pub mod content_node;
#[cfg(feature = "encryption")]
pub mod doctor;
pub mod drafts;
#[cfg(feature = "http")]
pub mod folder;
#[cfg(feature = "http")]
pub mod http;
pub mod ids;
pub mod keys;
pub mod kms;
pub mod manifest;
pub mod profile;
pub mod publish;
pub mod record_names;
pub mod requests;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
pub mod text;
