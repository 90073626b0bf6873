// SPDX-License-Identifier: Apache-2.0
//! Lists, which an index answers in pages.

use serde::{de::DeserializeOwned, Deserialize};

use super::{At, Index, IndexError};

/// Largest number of items of a page.
const PAGE: usize = 100;
/// Number of pages that may have fewer items than were asked for.
const SHORT_PAGES: usize = 50;

/// The first items of a list.
#[derive(Clone, Debug)]
pub struct List<T> {
	/// The block at which the last page was read.
	pub at: At,
	pub items: Vec<T>,
	pub more: bool,
}

#[derive(Deserialize)]
struct Page<T> {
	at: At,
	items: Vec<T>,
	next: Option<String>,
}

impl Index {
	/// Returns the first `limit` items of a list.
	pub async fn list<T: DeserializeOwned>(
		&self,
		path: &[&str],
		query: &[(&str, &str)],
		limit: u32,
	) -> Result<List<T>, IndexError> {
		let limit = usize::try_from(limit).unwrap_or(usize::MAX);
		let mut items = Vec::new();
		let mut cursor: Option<String> = None;
		for _ in 0..limit.div_ceil(PAGE).saturating_add(SHORT_PAGES) {
			let wanted = (limit - items.len()).min(PAGE);
			let page_limit = wanted.to_string();
			let mut query = query.to_vec();
			query.push(("limit", &page_limit));
			if let Some(cursor) = &cursor {
				query.push(("cursor", cursor));
			}
			let page: Page<T> = self.client.get(path, &query).await?;
			if page.items.len() > wanted {
				return Err(self.client.malformed("a page with more items than were asked for"));
			}
			items.extend(page.items);
			if page.next.is_none() || items.len() == limit {
				return Ok(List { at: page.at, items, more: page.next.is_some() });
			}
			if page.next == cursor {
				return Err(self.client.malformed("the same page twice"));
			}
			cursor = page.next;
		}
		Err(self.client.malformed("too many pages with few items"))
	}
}
