// SPDX-License-Identifier: Apache-2.0
//! Compares the chain's own numbers of rows with those that are indexed.

use content_fabric_okvs::{disk::DiskError, Read};
use content_fabric_primitives::MemberId;

use super::{
	counts::read_count,
	error::Error,
	keys::{self, FLAT},
	writer::{read_incarnation, read_stored},
};
use crate::{
	rows::{Map, RowKey},
	source::as_member,
};

/// Checks the numbers of rows under members.
pub(crate) fn counts<R: Read<Error = DiskError>>(
	read: &R,
	block: u64,
	members: impl IntoIterator<Item = MemberId>,
) -> Result<(), Error> {
	for member in members {
		let stored = read_stored(read, &keys::row(FLAT, &RowKey::member(member)))?;
		let Some(row) = stored.as_ref().and_then(|stored| as_member(&stored.row)) else { continue };
		if row.purge.is_some() {
			continue;
		}
		let m = read_incarnation(read, member)?;
		for map in Map::under(member.role()) {
			let name = map.count_name().unwrap_or_default();
			let on_chain = row.rows.get(name).copied().map(u64::from).unwrap_or_default();
			let indexed = match m {
				Some(m) => read_count(read, m, *map)?,
				None => 0,
			};
			if on_chain != indexed {
				let difference = format!(
					"{member} has {on_chain} rows in map {}, and {indexed} are indexed",
					map.name()
				);
				return Err(Error::Different { number: block, difference });
			}
		}
	}
	Ok(())
}
