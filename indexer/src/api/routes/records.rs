// SPDX-License-Identifier: Apache-2.0
//! Records of collections, and names of all tenants.

use content_fabric_client::{ids, record_names::key_of};

use crate::{
	api::{
		ask::{Answer, Ask, PageParams},
		error::{Error, Result},
		views::{List, One, Record, ResolvedRecord, Version},
	},
	index::view::{NameFilter, RecordOrder, MAX_WORDS},
};

const NO_COLLECTION: &str = "there is no such collection";
const NO_RECORD: &str = "there is no such record";
/// Largest length of a prefix or of words, in bytes.
const MAX_TEXT: usize = 512;

/// Returns the records of a collection.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/collections/{name}/records",
	params(
		("order" = Option<String>, Query,
			description = "The order: `key` (default), or `newest`, the last put first, which is \
				the default with `since` or `until`"),
		("prefix" = Option<String>, Query,
			description = "Only records whose names begin with this, for the order `key`"),
		("since" = Option<u64>, Query,
			description = "Only records whose last put was at this time or later, in milliseconds \
				since the Unix epoch, for the order `newest`"),
		("until" = Option<u64>, Query,
			description = "Only records whose last put was before this time, in milliseconds since \
				the Unix epoch, for the order `newest`"),
		PageParams,
	),
	responses((status = 200, description = "A page of records", body = List<Record>)),
)]
pub(crate) async fn records(mut ask: Ask) -> Answer {
	let (tenant, name) = (ask.id("tenant")?, ask.part("name").to_owned());
	let newest_first = ask.take_word("order", &[("key", false), ("newest", true)])?;
	let order = record_order(&mut ask, newest_first)?;
	let number = matches!(order, RecordOrder::Newest { .. });
	ask.list::<Record, _>(number.into(), NO_COLLECTION, move |view, slice| {
		view.records(tenant, &name, &order, slice)
	})
	.await
}

fn record_order(ask: &mut Ask, newest_first: Option<bool>) -> Result<RecordOrder> {
	let prefix = take_text(ask, "prefix")?;
	let since: Option<u64> = ask.take_number("since")?;
	let until: Option<u64> = ask.take_number("until")?;
	let has_times = since.is_some() || until.is_some();
	if has_times && newest_first == Some(false) {
		let name = if since.is_some() { "since" } else { "until" };
		return Err(Error::field(name, format!("{name} needs order=newest")));
	}
	if !has_times && newest_first != Some(true) {
		return Ok(RecordOrder::Key { prefix: prefix.unwrap_or_default() });
	}
	if prefix.is_some() {
		return Err(Error::field("prefix", "prefix needs order=key, without since and until"));
	}
	let times = since.unwrap_or_default()..until.unwrap_or(u64::MAX);
	if until.is_some() && times.is_empty() {
		return Err(Error::field("until", "until is not after since"));
	}
	Ok(RecordOrder::Newest { times })
}

fn take_text(ask: &mut Ask, name: &str) -> Result<Option<String>> {
	match ask.take(name) {
		Some(text) if text.len() > MAX_TEXT => {
			let message = format!("{name} has {} bytes, expected at most {MAX_TEXT}", text.len());
			Err(Error::field(name, message))
		},
		text => Ok(text),
	}
}

/// Returns a record with the version that it leads to now.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/collections/{name}/records/{key}",
	params(
		("key" = String, Path,
			description = "The record key. A text that is not one stands for the record of this \
				name"),
	),
	responses((status = 200, description = "The record", body = One<ResolvedRecord>)),
)]
pub(crate) async fn record(ask: Ask) -> Answer {
	let tenant = ask.id("tenant")?;
	let (name, text) = (ask.part("name").to_owned(), ask.part("key").to_owned());
	ask.one::<ResolvedRecord, _>(NO_RECORD, move |view| {
		let Some(collection) = view.collection(tenant, &name)? else { return Ok(None) };
		// It does not depend on the records, so two names never meet.
		let key = key_of(&text, collection.row.syntax).unwrap_or(text);
		let Some(record) = view.record(tenant, &name, &key)? else { return Ok(None) };
		let resolved = view.resolve(&record)?.map(Version::from);
		Ok(Some(ResolvedRecord { record: record.into(), resolved }))
	})
	.await
}

/// Returns records of all tenants, by the start of their names or by words in them. A name is a
/// record key without escapes. Case does not count.
#[utoipa::path(
	get, path = "/v1/names",
	params(
		("prefix" = Option<String>, Query,
			description = "The start of the names. The records are in the order of their names"),
		("words" = Option<String>, Query,
			description = "Words that the names have, at most 8. The records are in the order of \
				their keys in each tenant"),
		("space" = Option<String>, Query, description = "Only tenants of this space"),
		("tenant" = Option<String>, Query, description = "Only this tenant"),
		PageParams,
	),
	responses((status = 200, description = "A page of records", body = List<Record>)),
)]
pub(crate) async fn names(mut ask: Ask) -> Answer {
	let prefix = take_text(&mut ask, "prefix")?;
	let words = take_text(&mut ask, "words")?;
	let space = ask.take_as("space", ids::parse)?;
	let filter = NameFilter { space, tenant: ask.take_as("tenant", ids::parse)? };
	match (prefix, words) {
		(Some(prefix), None) => {
			ask.list::<Record, _>(0, NO_RECORD, move |view, slice| {
				view.names_by_prefix(&prefix, filter, slice).map(Some)
			})
			.await
		},
		(None, Some(words)) => {
			let number = words.split_whitespace().count();
			if !(1..=MAX_WORDS).contains(&number) {
				let message = format!("words has {number} words, expected 1 to {MAX_WORDS}");
				return Err(Error::field("words", message));
			}
			ask.list::<Record, _>(1, NO_RECORD, move |view, slice| {
				view.names_by_words(&words, filter, slice).map(Some)
			})
			.await
		},
		(Some(_), Some(_)) => Err(Error::field("words", "expected either prefix or words")),
		(None, None) => Err(Error::field("prefix", "expected prefix or words")),
	}
}
