// SPDX-License-Identifier: Apache-2.0
//! KMSes: what clients and a KMS's server say to each other.

mod wire;

pub use wire::{AtBlock, Receipt, Receipts, Stanza, UnwrapRequest, Unwrapped};
