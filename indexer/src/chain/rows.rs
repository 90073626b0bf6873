// SPDX-License-Identifier: Apache-2.0
//! Rows, by their keys or by whole maps.

use futures::{stream, Stream, TryStreamExt};

use super::Node;
use crate::{
	rows::{Map, Row, RowKey, RowValue},
	source::{BlockRef, Runtime, SourceError},
};

/// Number of rows that are read by their keys with one request.
const ROWS: usize = 200;
/// Number of such requests in flight.
const PARALLEL_ROWS: usize = 16;
/// Number of rows of a page of a map. Nodes allow no more keys.
const PAGE: u32 = 1_000;
/// Number of pages whose values are read at the same time.
const PARALLEL_PAGES: usize = 8;

impl Node {
	/// Returns rows at the end of a block, in the order of the keys.
	pub(super) async fn read_rows(
		&self,
		block: BlockRef,
		keys: &[RowKey],
	) -> Result<Vec<Option<Row>>, SourceError> {
		let storage_keys: Vec<_> = keys.iter().map(RowKey::storage_key).collect();
		let requests: Vec<_> =
			storage_keys.chunks(ROWS).map(|keys| Ok(self.values(block, keys))).collect();
		let values = stream::iter(requests).try_buffered(PARALLEL_ROWS);
		let values = values.try_collect::<Vec<_>>();
		let (runtime, values) = tokio::try_join!(self.runtime_of(block), values)?;
		let rows = keys.iter().zip(values.into_iter().flatten());
		rows.map(|(key, raw)| raw.map(|raw| row(key.map(), raw, &runtime)).transpose()).collect()
	}

	/// Returns all rows of a map at the end of a block, page by page. The pages of keys come one
	/// after another, and those of values at the same time.
	pub(super) fn read_map(
		&self,
		block: BlockRef,
		map: Map,
	) -> impl Stream<Item = Result<Vec<(RowKey, Row)>, SourceError>> + '_ {
		let pages =
			stream::try_unfold(Some(None), move |start: Option<Option<Vec<u8>>>| async move {
				let Some(start) = start else { return Ok(None) };
				let keys = self.keys(block, &map.prefix(), PAGE, start.as_deref()).await?;
				let is_last = u32::try_from(keys.len()).unwrap_or(PAGE) < PAGE;
				let next = keys.last().filter(|_| !is_last).cloned().map(Some);
				Ok::<_, SourceError>(Some((keys, next)))
			});
		let pages = pages.try_filter(|keys| std::future::ready(!keys.is_empty()));
		pages.map_ok(move |keys| self.page(block, map, keys)).try_buffer_unordered(PARALLEL_PAGES)
	}

	/// Returns a page of a map, by the storage keys of its rows.
	async fn page(
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
fn row(map: Map, raw: Vec<u8>, runtime: &Runtime) -> Result<Row, SourceError> {
	let value = RowValue::decode(map, &raw, &runtime.metadata, runtime.spec_version);
	let value = value.map_err(|error| SourceError::Unknown(error.to_string()))?;
	Ok(Row { raw, value })
}
