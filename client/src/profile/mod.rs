// SPDX-License-Identifier: Apache-2.0
//! Profiles of the configuration file, URLs of nodes and indexes, and pinned identities of chains.
//!
//! A [`Profile`] comes from the configuration file. [`NodeUrl`] is the URL of its node, and
//! [`IndexUrl`] that of its index. [`Pins`] holds the identity of every chain since its first use, so
//! that a node cannot pass off another chain for it. Both files are in the directory of
//! [`config_file`].

mod file;
pub(crate) mod hash;
mod index_url;
mod paths;
mod pins;
mod toml_file;
mod url;

pub use self::{
	toml_file::TomlError,
	url::{NodeUrl, UrlError},
};
pub use file::{Profile, ProfileError};
pub use index_url::IndexUrl;
pub use paths::{config_file, pins_file, NoHome, CONFIG};
pub use pins::{Identity, PinError, Pins};
