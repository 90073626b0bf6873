// SPDX-License-Identifier: Apache-2.0
//! Rows, by their keys or by whole maps.

use super::Node;
use crate::{
	rows::{Map, Row, RowKey, RowValue},
	source::{BlockRef, Runtime, SourceError},
};

impl Node {
	/// Returns a page of a map, by the storage keys of its rows.
	pub(super) async fn page(
		&self,
		block: BlockRef,
		map: Map,
		keys: Vec<Vec<u8>>,
	) -> Result<Vec<(RowKey, Row)>, SourceError> {
		let (runtime, values) =
			tokio::try_join!(self.runtime_of(block), self.values(block, &keys))?;
		let rows = keys.iter().zip(values).map(|(storage_key, raw)| {
			let key = RowKey::of_storage_key(map, storage_key);
			let key = key.map_err(|error| SourceError::Unknown(error.to_string()))?;
			let raw = raw.ok_or_else(|| {
				let storage_key = hex::encode(storage_key);
				SourceError::Node(format!(
					"the node lists storage key 0x{storage_key} and has no value of it"
				))
			})?;
			Ok((key, row(map, raw, &runtime)?))
		});
		rows.collect()
	}
}

/// Reads a row.
pub(super) fn row(map: Map, raw: Vec<u8>, runtime: &Runtime) -> Result<Row, SourceError> {
	let value = RowValue::decode(map, &raw, &runtime.metadata, runtime.spec_version);
	let value = value.map_err(|error| SourceError::Unknown(error.to_string()))?;
	Ok(Row { raw, value })
}
