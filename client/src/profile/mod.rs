// SPDX-License-Identifier: Apache-2.0
//! Profiles of the configuration file, URLs of nodes and indexes, and pinned identities of chains.
//!
//! A `Profile` comes from the configuration file. [`NodeUrl`] is the URL of its node, and
//! [`IndexUrl`] that of its index. `Pins` holds the identity of every chain since its first use, so
//! that a node cannot pass off another chain for it. Both files are in the directory of
//! `config_file`. Only the command line has profiles and pins.

#[cfg(feature = "cli")]
mod file;
pub(crate) mod hash;
mod index_url;
#[cfg(feature = "cli")]
mod pins;
#[cfg(feature = "cli")]
mod toml_file;
mod url;

pub use self::url::{NodeUrl, UrlError};
pub use index_url::IndexUrl;
#[cfg(feature = "cli")]
pub(crate) use {
	file::{config_file, Profile, ProfileError},
	pins::{Identity, PinError, Pins},
};
