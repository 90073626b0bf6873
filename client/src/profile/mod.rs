// SPDX-License-Identifier: Apache-2.0
//! URLs of nodes and indexes, and hashes in files.

pub mod hash;
mod index_url;
mod url;

pub use self::url::{NodeUrl, UrlError};
pub use index_url::IndexUrl;
