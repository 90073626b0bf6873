// SPDX-License-Identifier: Apache-2.0
//! The index: a server that follows the chain, and answers what the chain's state cannot.
//!
//! The answers of an index have no proof, so they are printed, and nothing is signed for them. Ids
//! are parsed, texts are escaped, and the length of an answer is limited. [`Index::connect`] checks
//! that the index follows the same chain, where the genesis hash is known.

mod error;
mod http;
mod model;
mod pages;
#[cfg(test)]
pub(crate) mod server;
#[cfg(test)]
mod tests;

use std::time::Duration;

use self::{http::Client, model::One};

use content_fabric_client::profile::IndexUrl;
pub use error::{ErrorKind, IndexError};
pub(crate) use model::record_uri;
pub use model::{At, Event, Hash, Name, Record, Status, VersionRef};
pub use pages::List;

/// An index.
pub struct Index {
	client: Client,
	status: Status,
}

impl Index {
	/// Asks an index for its status. Fails if it follows another chain than that with the genesis
	/// hash, where one is given.
	pub async fn connect(
		url: IndexUrl,
		timeout: Duration,
		genesis: Option<[u8; 32]>,
	) -> Result<Self, IndexError> {
		let client = Client::new(url, timeout);
		let One { item: status } = client.get::<One<Status>>(&["status"], &[]).await?;
		match genesis.map(Hash) {
			Some(expected) if expected != status.genesis => {
				Err(IndexError::OtherChain { url: client.url, expected, found: status.genesis })
			},
			_ => Ok(Self { client, status }),
		}
	}

	/// Returns the status that the index had at first.
	pub fn status(&self) -> &Status {
		&self.status
	}

	/// Returns the error of an item that the index was not asked for.
	pub fn unasked(&self, what: &'static str) -> IndexError {
		self.client.malformed(format!("{what} that was not asked for"))
	}
}
