// SPDX-License-Identifier: Apache-2.0
//! The reference runtime of a content fabric, compiled to WASM.
//!
//! A node executes this blob, and needs nothing else from the runtime. The build script compiles it
//! from the crate `content-fabric-runtime`. This crate's features enable the features of the same
//! name there.

#![no_std]
#![deny(missing_docs)]

const BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.compressed.wasm"));

/// The compressed runtime, as a chain stores it. `None` if it was built with `SKIP_WASM_BUILD`.
pub const WASM_BINARY: Option<&[u8]> = if BLOB.is_empty() { None } else { Some(BLOB) };
