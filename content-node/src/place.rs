// SPDX-License-Identifier: Apache-2.0
//! The options that name the place of a node's data.

use std::path::PathBuf;

use clap::Args;

use crate::store::{Store, StoreError};

/// The location of a node's data.
#[derive(Debug, Args)]
pub struct Place {
	/// The folder of the node, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_STORE_DATA")]
	pub data: PathBuf,
	/// An object store for the bytes of versions, with a prefix of this node alone: s3://…, gs://…
	/// or az://… [default: a folder in DIR]
	#[arg(long, value_name = "URL", env = "FABRIC_STORE_URL")]
	pub store: Option<String>,
}

impl Place {
	/// Opens the object store.
	pub async fn store(&self) -> Result<Store, StoreError> {
		Store::open(self.store.as_deref(), &self.data.join("objects")).await
	}
}
