// SPDX-License-Identifier: Apache-2.0
//! The copies that rows of the chain have: of this node, of an earlier one with its id, and of
//! others.

use content_fabric_client::chain::{
	rows::{self, Copy, Version},
	Snapshot,
};

use super::{Fabric, Link};
use crate::{
	error::Error,
	keep::{KeepError, Row, VersionKey},
};

/// The meaning of a row of the chain for the node.
#[derive(Default)]
pub(super) struct Standing {
	/// The row whose bytes the node keeps, or has promised to take in.
	pub row: Option<Row>,
	/// The row whose bytes the node was asked to hold, and that it is to get from another node.
	pub asked: Option<Row>,
	/// True if an earlier node with the same id has held the bytes.
	pub is_earlier: bool,
}

impl Link {
	/// Returns the copy of this node.
	pub(super) fn own<'a>(&self, row: &'a Version) -> Option<&'a Copy> {
		row.copies.iter().find(|copy| copy.medallion.get() == self.medallion)
	}
}

impl Fabric {
	/// Returns the meaning of a row of the chain for the node.
	pub(super) fn standing(
		&self,
		link: &Link,
		key: &VersionKey,
		row: &Version,
	) -> Result<Standing, KeepError> {
		let (muid, size) = (row.muid.to_bytes(), row.size.0);
		let own = link.own(row);
		let is_final = own.is_none_or(|copy| copy.held.is_some());
		let recorded = Row { muid, hash: row.hash, size, is_final, pending: None };
		if own.is_some() && is_final {
			return Ok(Standing { row: Some(recorded), ..Standing::default() });
		}
		let has_bytes = self.keep.has_bytes(key.version, &recorded)?;
		let is_any_held = row.copies.iter().any(|copy| copy.held.is_some());
		if own.is_some() {
			let is_committed = row.muid.medallion() == link.medallion;
			let is_size_known = row.known_size(key.version).is_some();
			return Ok(Standing {
				row: (is_committed || has_bytes).then_some(recorded),
				asked: (!has_bytes && is_any_held && is_size_known).then_some(recorded),
				is_earlier: false,
			});
		}
		let has_id = |copy: &Copy| (copy.provider, copy.node) == (self.provider, self.node);
		let was_held = row.copies.iter().any(|copy| has_id(copy) && copy.held.is_some());
		let is_earlier = was_held && has_bytes && !self.keep.forgets_earlier()?;
		Ok(Standing { row: is_earlier.then_some(recorded), asked: None, is_earlier })
	}

	/// Returns the last final state, and the rows that have a copy of this node there, each
	/// without the copies of this node and of earlier ones with its id.
	pub async fn copies_of_others(
		&self,
		keys: &[VersionKey],
	) -> Result<(Snapshot, Vec<Option<Version>>), Error> {
		let link = self.link()?;
		let at = link.chain.finalized().await?;
		let places = keys.iter().map(|key| (key.tenant, key.object, key.version));
		let found = link.chain.get_many(&at, rows::versions(), places).await?;
		let found = found.into_iter().map(|row| {
			let mut row = row.filter(|row| link.own(row).is_some())?;
			row.copies.retain(|copy| (copy.provider, copy.node) != (self.provider, self.node));
			Some(row)
		});
		Ok((at, found.collect()))
	}
}
