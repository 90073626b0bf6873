// SPDX-License-Identifier: Apache-2.0
//! The profiles of the configuration file, and the pinned identities of chains: each is pinned
//! at its first use, so that a node cannot pass off another chain for it. So are the keys of KMSes.

mod file;
mod kms_pins;
mod pins;
mod toml_file;

pub use file::{config_file, Profile, ProfileError};
pub use kms_pins::{KmsPinError, KmsPins};
pub use pins::{Identity, PinError, Pins};
