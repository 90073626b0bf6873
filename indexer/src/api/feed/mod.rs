// SPDX-License-Identifier: Apache-2.0
//! The feed: final blocks as they come, as server-sent events.
//!
//! A reader has a position, and pulls what follows it from the stored blocks. Nothing is kept for
//! it besides the page that it is being sent.

mod page;
mod reader;

use std::convert::Infallible;

use axum::{
	body::Body,
	http::{header, HeaderMap, HeaderName},
	response::IntoResponse,
};
use content_fabric_client::ids;
use futures::stream;

use super::{
	ask::{Answer, Ask},
	error::{Error, Failure, Result},
	views::EventId,
};
use crate::index::view::EventFilter;
use page::begin;
use reader::Reader;

/// The header by which a browser goes on after an interruption.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Largest number of names of events in a filter.
const MAX_KINDS: usize = 64;

/// Sends final blocks as they come, as server-sent events.
///
/// Messages: `block`, a final block with its events; `head`, at the start, every 5 seconds, and when
/// the connection to the node is lost or found again.
#[utoipa::path(
	get, path = "/v1/feed",
	params(
		("space" = Option<String>, Query,
			description = "Only events about this space or its present members"),
		("member" = Option<String>, Query, description = "Only events about this member"),
		("kind" = Option<String>, Query,
			description = "Only events of these names, separated by commas"),
		("after" = Option<String>, Query, description = "The id after which the feed goes on"),
		("Last-Event-ID" = Option<String>, Header, description = "The same; counts before `after`"),
	),
	responses(
		(
			status = 200,
			description = "The messages",
			body = String,
			content_type = "text/event-stream",
		),
		(
			status = 410,
			description = "The id is unknown or too old. The error has the oldest one",
			body = Failure,
		),
	),
)]
pub(crate) async fn feed(mut ask: Ask, headers: HeaderMap) -> Answer {
	let filter = filter(&mut ask)?;
	let after = ask.take("after");
	ask.done()?;
	let given = headers.get(LAST_EVENT_ID).filter(|id| !id.is_empty());
	let (field, id) = match given {
		Some(id) => ("Last-Event-ID", Some(id.to_str().unwrap_or_default())),
		None => ("after", after.as_deref()),
	};
	let wrong = || Error::field(field, format!("{field} is not an id of the feed"));
	let id = id.map(|id| EventId::parse(id).ok_or_else(wrong)).transpose()?;
	let Ask { app, client, .. } = ask;
	let pass = app.feeds.take(client);
	let pass = pass.ok_or_else(|| Error::too_many("too many readers of the feed", 5))?;
	let begin = app.read(client, move |view| begin(view, id)).await?;
	let reader = Reader::new(app, client, pass, filter, begin);
	let messages = stream::unfold(reader, |mut reader| async move {
		let messages = reader.next().await?;
		Some((Ok::<_, Infallible>(messages), reader))
	});
	let headers = [
		(header::CONTENT_TYPE, "text/event-stream"),
		(header::CACHE_CONTROL, "no-store"),
		// Proxies send each message at once.
		(HeaderName::from_static("x-accel-buffering"), "no"),
	];
	Ok((headers, Body::from_stream(messages)).into_response())
}

fn filter(ask: &mut Ask) -> Result<EventFilter> {
	let space = ask.take_as("space", ids::parse)?;
	let member = ask.take_as("member", ids::parse_member)?;
	let mut filter = EventFilter { space, member, ..EventFilter::default() };
	if let Some(kinds) = ask.take("kind") {
		for kind in kinds.split(',').map(str::trim) {
			let is_name = !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric());
			if !is_name || filter.kinds.len() >= MAX_KINDS {
				let message =
					format!("kind is {kinds}, expected names of events such as RecordPut");
				return Err(Error::field("kind", message));
			}
			filter.kinds.insert(kind.to_owned());
		}
	}
	Ok(filter)
}
