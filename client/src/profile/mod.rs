// SPDX-License-Identifier: Apache-2.0
//! URLs of nodes and indexes. For the command line also the profiles of its configuration file, and
//! the pinned identities of chains: each is pinned at its first use, so that a node cannot pass off
//! another chain for it.

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
