// SPDX-License-Identifier: Apache-2.0
//! All that a block changes, read from the chain.

use super::{BlockEvents, Header, Source, SourceError, Touched};
use crate::rows::{Row, RowKey};

/// A block, with all that it changed.
#[derive(Clone, Debug)]
pub struct Block {
	/// The block.
	pub header: Header,
	/// Its events.
	pub events: BlockEvents,
	/// The rows and members that the events touch.
	pub touched: Touched,
	/// The touched rows as they are at the end of the block, in the order of their keys. `None` for
	/// those that do not exist.
	pub rows: Vec<(RowKey, Option<Row>)>,
}

/// Reads a block and all that it changed.
pub async fn fetch(source: &impl Source, header: Header) -> Result<Block, SourceError> {
	let events = source.events(&header).await?;
	let mut touched = Touched::default();
	for event in &events.events {
		touched.add(event.index, &event.event);
	}
	let keys: Vec<_> = touched.rows.iter().cloned().collect();
	let rows = match keys.is_empty() {
		true => Vec::new(),
		false => source.rows(header.block, &keys).await?,
	};
	if rows.len() != keys.len() {
		let (asked, got) = (keys.len(), rows.len());
		return Err(SourceError::Node(format!(
			"the node was asked for {asked} rows and returned {got}"
		)));
	}
	Ok(Block { header, events, touched, rows: keys.into_iter().zip(rows).collect() })
}
