// SPDX-License-Identifier: Apache-2.0
//! The clock of this machine.

use content_fabric_client::chain::wall_clock;

/// Returns the time in seconds since the Unix epoch.
pub fn now_seconds() -> u64 {
	wall_clock() / 1_000_000
}
