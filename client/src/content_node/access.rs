// SPDX-License-Identifier: Apache-2.0
//! Access to nodes for downloads.

use std::{sync::Arc, time::Duration};

use content_fabric_identifiers::VersionId;

use super::NodeError;

/// Called with the version and the number of bytes that have been written of it. May wait, so that
/// the download is slower. An error ends the download, and no other node is asked.
pub type Meter = Arc<dyn Fn(VersionId, u64) -> Result<(), NodeError> + Send + Sync>;

/// Limits of a server that downloads from nodes whose locators strangers choose. Without it, a
/// client connects to any address.
#[derive(Clone)]
pub struct Access {
	/// True to connect to any address, also in the own network.
	pub private: bool,
	/// Measures the bytes that arrive.
	pub meter: Meter,
	/// Longest time for which a node may send bytes of a version. The bytes of a file that have arrived
	/// stay.
	pub time: Duration,
}
