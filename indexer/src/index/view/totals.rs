// SPDX-License-Identifier: Apache-2.0
//! Totals by hour.

use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{disk::DiskError, RangeOptions, Read};

use super::page::{unreadable, ReadError};
use super::View;
use crate::index::{
	keys,
	totals::{Total, HOUR},
};

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns the totals of a space, or of all, in the last hours before the block at `now`, the
	/// oldest first. Hours in which nothing changed are left out. `None` if the space does not
	/// exist.
	///
	/// Each total has the start of its hour, in milliseconds since the Unix epoch.
	pub fn totals(
		&self,
		space: Option<SpaceId>,
		now: u64,
		hours: u64,
	) -> Result<Option<Vec<(u64, Total)>>, ReadError> {
		if let Some(space) = space {
			if self.space(space)?.is_none() {
				return Ok(None);
			}
		}
		let last = now / HOUR;
		let first = (last + 1).saturating_sub(hours);
		let totals = keys::totals(space);
		let (start, end) = (keys::total(space, first), keys::total(space, last + 1));
		let mut found = Vec::new();
		for pair in self.read.range_between(&start, Some(&end), RangeOptions::default())? {
			self.check_time()?;
			let (key, value) = pair?;
			let (hour,) = totals.unpack::<(u64,)>(&key).map_err(unreadable)?;
			found.push((hour * HOUR, Total::decode(&value)?));
		}
		Ok(Some(found))
	}
}
