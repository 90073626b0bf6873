// SPDX-License-Identifier: Apache-2.0
//! The WASM of the parachain.

include!(concat!(env!("OUT_DIR"), "/wasm_binary.rs"));
