// SPDX-License-Identifier: Apache-2.0
//! Requests: the parts of their paths, their parameters, and their answers.

use std::{collections::BTreeMap, net::IpAddr, str::FromStr, sync::Arc};

use axum::{
	extract::{FromRequestParts, RawPathParams},
	http::{header, request::Parts, HeaderName, Uri},
	response::{IntoResponse, Response},
};
use content_fabric_client::{
	chain::wall_clock,
	ids::{self, IdError, ObjectArgument},
};
use content_fabric_http_server::{decode, Client};
use content_fabric_identifiers::{ContentObjectId, ParseIdError, TenantId};
use serde::Serialize;
use tracing::error;
use url::form_urlencoded;
use utoipa::IntoParams;

use super::{
	app::App,
	cursors,
	error::{Error, Kind, Result},
	views::{At, List, One},
};
use crate::{
	index::view::{Found, Page, Slice, View},
	source::{BlockRef, Hash},
};

/// The answer to a request.
pub(crate) type Answer = Result<Response>;

/// The type of answers in JSON.
pub(crate) const JSON: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];

/// Largest number of items of a page.
const MAX_PAGE: u64 = 100;
/// Items of a page if no number is given.
const DEFAULT_PAGE: u64 = 50;

/// Reads an id from text.
type Parse<T> = fn(&str) -> Result<T, IdError>;

/// A request: the parts of its path, and its parameters.
pub(crate) struct Ask {
	/// The app that answers it.
	pub app: Arc<App>,
	/// The client.
	pub client: IpAddr,
	/// The decoded path.
	path: String,
	parts: Vec<(String, String)>,
	query: BTreeMap<String, String>,
}

/// The parameters of all lists.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
	/// Largest number of items. 50 by default.
	#[param(minimum = 1, maximum = 100)]
	pub limit: Option<u32>,
	/// The `next` of the page before. Belongs to its path and its order.
	pub cursor: Option<String>,
}

impl FromRequestParts<Arc<App>> for Ask {
	type Rejection = Error;

	async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
		let client = parts.extensions.get::<Client>().map_or([0; 4].into(), |client| client.0);
		let path = decode(parts.uri.path())
			.ok_or_else(|| Error::field("path", "the path is not UTF-8 text"))?;
		let query = read_query(&parts.uri)?;
		// Paths without parts have no parameters.
		let parts = match RawPathParams::from_request_parts(parts, app).await {
			Ok(params) => params.iter().map(|(name, value)| (name.into(), value.into())).collect(),
			Err(_) => Vec::new(),
		};
		Ok(Self { app: app.clone(), client, path, parts, query })
	}
}

impl Ask {
	/// Returns a part of the path.
	pub fn part(&self, name: &str) -> &str {
		let part = self.parts.iter().find(|(known, _)| known == name);
		part.map(|(_, value)| value.as_str()).unwrap_or_default()
	}

	/// Returns the id in a part of the path.
	pub fn id<Id: FromStr<Err = ParseIdError>>(&self, name: &str) -> Result<Id> {
		self.part_as(name, ids::parse)
	}

	/// Returns a part of the path, as `parse` reads it.
	pub fn part_as<T>(&self, name: &str, parse: Parse<T>) -> Result<T> {
		parse(self.part(name)).map_err(wrong(name))
	}

	/// Returns a tenant and a content object of it, in parts of the path.
	pub fn object(&self) -> Result<(TenantId, ContentObjectId)> {
		let tenant = self.id("tenant")?;
		let object = self.part_as("object", ObjectArgument::from_str)?;
		Ok((tenant, object.of(tenant).map_err(wrong("object"))?))
	}

	/// Takes the parameters `tenant` and `object`. The tenant may be left out if the id of the
	/// object has it.
	pub fn need_object(&mut self) -> Result<(TenantId, ContentObjectId)> {
		let tenant = self.take_as("tenant", ids::parse)?;
		let object = self.need("object", ObjectArgument::from_str)?;
		let tenant = match object {
			ObjectArgument::Path(path) => tenant.unwrap_or(path.tenant),
			ObjectArgument::Object(_) => tenant.ok_or_else(|| missing("tenant"))?,
		};
		Ok((tenant, object.of(tenant).map_err(wrong("object"))?))
	}

	/// Takes a parameter, as text.
	pub fn take(&mut self, name: &str) -> Option<String> {
		self.query.remove(name)
	}

	/// Takes a parameter, as `parse` reads it.
	pub fn take_as<T>(&mut self, name: &str, parse: Parse<T>) -> Result<Option<T>> {
		self.take(name).map(|text| parse(&text).map_err(wrong(name))).transpose()
	}

	/// Takes a parameter that must be there, as `parse` reads it.
	pub fn need<T>(&mut self, name: &str, parse: Parse<T>) -> Result<T> {
		self.take_as(name, parse)?.ok_or_else(|| missing(name))
	}

	/// Takes a parameter that is a number.
	pub fn take_number<T: FromStr>(&mut self, name: &str) -> Result<Option<T>> {
		let Some(text) = self.take(name) else { return Ok(None) };
		let wrong = || Error::field(name, format!("{name} is {text}, expected a number"));
		number(&text).map(Some).ok_or_else(wrong)
	}

	/// Takes a parameter that is a number of a range, both ends included.
	pub fn take_within(&mut self, name: &str, most: u64, default: u64) -> Result<u64> {
		match self.take_number(name)? {
			None => Ok(default),
			Some(number) if (1..=most).contains(&number) => Ok(number),
			Some(number) => {
				Err(Error::field(name, format!("{name} is {number}, expected 1 to {most}")))
			},
		}
	}

	/// Takes a parameter that is one of these words.
	pub fn take_word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Result<Option<T>> {
		let Some(text) = self.take(name) else { return Ok(None) };
		if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
			return Ok(Some(*value));
		}
		let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
		let words = words.join(" or ");
		Err(Error::field(name, format!("{name} is {text}, expected {words}")))
	}

	/// Takes the order of a list, one of these words. The first one is the default.
	pub fn take_order<T: Copy, const N: usize>(&mut self, words: [(&str, T); N]) -> Result<T> {
		let default = words[0].1;
		Ok(self.take_word("order", &words)?.unwrap_or(default))
	}

	/// Takes `limit`.
	pub fn take_limit(&mut self) -> Result<usize> {
		let limit = self.take_within("limit", MAX_PAGE, DEFAULT_PAGE)?;
		Ok(usize::try_from(limit).unwrap_or(usize::MAX))
	}

	/// Checks that no parameters are left.
	pub fn done(&self) -> Result<()> {
		match self.query.keys().next() {
			Some(name) => Err(Error::field(name, format!("unknown parameter {name}"))),
			None => Ok(()),
		}
	}

	/// Answers with JSON of one moment.
	pub async fn answer<T: Serialize>(
		&self,
		run: impl FnOnce(&View<'_>) -> Result<T> + Send + 'static,
	) -> Answer {
		self.done()?;
		let bytes = self.app.read(self.client, |view| {
			let answer = run(view)?;
			serde_json::to_vec(&answer).map_err(|failure| {
				error!("an answer is not JSON: {failure}");
				Error::new(Kind::Internal, "the answer cannot be written")
			})
		});
		Ok((JSON, bytes.await?).into_response())
	}

	/// Answers with one thing. `missing` is the message if it does not exist.
	pub async fn one<Shown: From<T> + Serialize, T>(
		self,
		missing: &'static str,
		run: impl FnOnce(&View<'_>) -> Found<T> + Send + 'static,
	) -> Answer {
		self.answer(move |view| {
			let item = run(view)?.ok_or_else(|| Error::missing(missing))?;
			Ok(One { at: at(view)?, item: Shown::from(item) })
		})
		.await
	}

	/// Answers with a page of a list, whose order has a number. `missing` is the message if what it
	/// is a list of does not exist.
	pub async fn list<Shown: From<T> + Serialize, T>(
		mut self,
		order: u8,
		missing: &'static str,
		run: impl FnOnce(&View<'_>, &Slice) -> Found<Page<T>> + Send + 'static,
	) -> Answer {
		let limit = self.take_limit()?;
		let cursor = self.take("cursor");
		let after = cursor.map(|text| cursors::decode(&self.path, order, &text)).transpose()?;
		let (slice, path) = (Slice { after, limit }, self.path.clone());
		self.answer(move |view| {
			let page = run(view, &slice)?.ok_or_else(|| Error::missing(missing))?;
			let Page { items, next } = page.map(Shown::from);
			let next = next.map(|place| cursors::encode(&path, order, &place));
			Ok(List { at: at(view)?, items, next })
		})
		.await
	}
}

/// Returns the block of a view.
pub(crate) fn at(view: &View<'_>) -> Result<At> {
	let BlockRef { number, hash } = view.state().last;
	let time = view.block(number)?.map_or(0, |row| row.time);
	let age = (wall_clock() / 1_000).saturating_sub(time);
	Ok(At { number, hash: hash.into(), time, age })
}

/// Reads a number of digits only.
pub(crate) fn number<T: FromStr>(text: &str) -> Option<T> {
	text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads a hash: `0x` and hex digits.
pub(crate) fn hash(text: &str) -> Option<Hash> {
	let mut hash = Hash::default();
	hex::decode_to_slice(text.strip_prefix("0x")?, &mut hash).ok()?;
	Some(hash)
}

/// Returns the error of a parameter that must be there.
pub(crate) fn missing(name: &str) -> Error {
	Error::field(name, format!("{name} is missing"))
}

/// Returns the error of a parameter that is not an id.
pub(crate) fn wrong(name: &str) -> impl Fn(IdError) -> Error + '_ {
	move |error| Error::field(name, error.to_string())
}

/// Reads parameters. None may be given twice.
fn read_query(uri: &Uri) -> Result<BTreeMap<String, String>> {
	let mut read = BTreeMap::new();
	let Some(query) = uri.query() else { return Ok(read) };
	for pair in query.split('&').filter(|pair| !pair.is_empty()) {
		let name = pair.split('=').next().unwrap_or_default();
		if decode(pair).is_none() {
			let name = decode(name).unwrap_or_else(|| "query".into());
			return Err(Error::field(&name, format!("{name} is not UTF-8 text")));
		}
		for (name, value) in form_urlencoded::parse(pair.as_bytes()) {
			if read.insert(name.to_string(), value.into_owned()).is_some() {
				return Err(Error::field(&name, format!("{name} is given twice")));
			}
		}
	}
	Ok(read)
}
