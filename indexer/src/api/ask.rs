// SPDX-License-Identifier: Apache-2.0
//! Parts of the path and parameters of a request.

use std::{collections::BTreeMap, net::IpAddr, str::FromStr};

use axum::{
	extract::{FromRequestParts, RawPathParams},
	http::{request::Parts, Uri},
};
use content_fabric_client::ids::{self, IdError};
use content_fabric_identifiers::ParseIdError;
use url::form_urlencoded;
use utoipa::IntoParams;

use super::{cursors, error::Error};
use crate::index::view::Slice;

/// Most items of a page.
const MAX_PAGE: u64 = 100;
/// Items of a page if no number is given.
const DEFAULT_PAGE: u64 = 50;

/// The address of a client, as the limits count it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub IpAddr);

/// Reads an id from text.
type Parse<T> = fn(&str) -> Result<T, IdError>;

/// The parts of the path and the parameters of a request.
#[derive(Debug)]
pub(crate) struct Ask {
	/// The decoded path.
	pub path: String,
	/// The client.
	pub client: IpAddr,
	parts: Vec<(String, String)>,
	query: BTreeMap<String, String>,
}

/// The parameters of all lists.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
	/// The most items, 50 if it is not given.
	#[param(minimum = 1, maximum = 100)]
	pub limit: Option<u32>,
	/// The `next` of the page before. Belongs to its path and its order.
	pub cursor: Option<String>,
}

/// A page of a list that is asked for, with what its cursors need.
#[derive(Debug)]
pub(crate) struct Paging {
	/// The page.
	pub slice: Slice,
	path: String,
	order: u8,
}

impl Paging {
	/// Returns the cursor of a place.
	pub fn cursor(&self, place: &[u8]) -> String {
		cursors::encode(&self.path, self.order, place)
	}
}

impl<State: Send + Sync> FromRequestParts<State> for Ask {
	type Rejection = Error;

	async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
		let client = parts.extensions.get::<Client>().map_or([0; 4].into(), |client| client.0);
		let path = decode(parts.uri.path())
			.ok_or_else(|| Error::field("path", "the path is not UTF-8 text"))?;
		let query = read_query(&parts.uri)?;
		// Paths without parts have no parameters.
		let parts = match RawPathParams::from_request_parts(parts, state).await {
			Ok(params) => params.iter().map(|(name, value)| (name.into(), value.into())).collect(),
			Err(_) => Vec::new(),
		};
		Ok(Self { path, client, parts, query })
	}
}

impl Ask {
	/// Returns a part of the path.
	pub fn part(&self, name: &str) -> &str {
		let part = self.parts.iter().find(|(known, _)| known == name);
		part.map(|(_, value)| value.as_str()).unwrap_or_default()
	}

	/// Returns the id in a part of the path.
	pub fn id<Id: FromStr<Err = ParseIdError>>(&self, name: &str) -> Result<Id, Error> {
		self.part_as(name, ids::parse)
	}

	/// Returns a part of the path, as `parse` reads it.
	pub fn part_as<T>(&self, name: &str, parse: Parse<T>) -> Result<T, Error> {
		parse(self.part(name)).map_err(wrong(name))
	}

	/// Takes a parameter, as text.
	pub fn take(&mut self, name: &str) -> Option<String> {
		self.query.remove(name)
	}

	/// Takes a parameter, as `parse` reads it.
	pub fn take_as<T>(&mut self, name: &str, parse: Parse<T>) -> Result<Option<T>, Error> {
		self.take(name).map(|text| parse(&text).map_err(wrong(name))).transpose()
	}

	/// Takes a parameter that must be there, as `parse` reads it.
	pub fn need<T>(&mut self, name: &str, parse: Parse<T>) -> Result<T, Error> {
		self.take_as(name, parse)?.ok_or_else(|| missing(name))
	}

	/// Takes a parameter that is a number.
	pub fn take_number<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, Error> {
		let Some(text) = self.take(name) else { return Ok(None) };
		let wrong = || Error::field(name, format!("{name} is {text}, expected a number"));
		number(&text).map(Some).ok_or_else(wrong)
	}

	/// Takes a parameter that is a number of a range, both ends included.
	pub fn take_within(&mut self, name: &str, most: u64, default: u64) -> Result<u64, Error> {
		match self.take_number(name)? {
			None => Ok(default),
			Some(number) if (1..=most).contains(&number) => Ok(number),
			Some(number) => {
				Err(Error::field(name, format!("{name} is {number}, expected 1 to {most}")))
			},
		}
	}

	/// Takes a parameter that is one of these words.
	pub fn take_word<T: Copy>(
		&mut self,
		name: &str,
		words: &[(&str, T)],
	) -> Result<Option<T>, Error> {
		let Some(text) = self.take(name) else { return Ok(None) };
		if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
			return Ok(Some(*value));
		}
		let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
		let words = words.join(" or ");
		Err(Error::field(name, format!("{name} is {text}, expected {words}")))
	}

	/// Takes the order of a list, one of these words. The first one is the default.
	pub fn take_order<T: Copy, const N: usize>(
		&mut self,
		words: [(&str, T); N],
	) -> Result<T, Error> {
		let default = words[0].1;
		Ok(self.take_word("order", &words)?.unwrap_or(default))
	}

	/// Takes `limit`.
	pub fn take_limit(&mut self) -> Result<usize, Error> {
		let limit = self.take_within("limit", MAX_PAGE, DEFAULT_PAGE)?;
		Ok(usize::try_from(limit).unwrap_or(usize::MAX))
	}

	/// Takes `limit` and `cursor`. `order` is the number of the list's order. No parameters may be
	/// left.
	pub fn page(mut self, order: u8) -> Result<Paging, Error> {
		let limit = self.take_limit()?;
		let cursor = self.take("cursor");
		let after = cursor.map(|text| cursors::decode(&self.path, order, &text)).transpose()?;
		self.done()?;
		Ok(Paging { slice: Slice { after, limit }, path: self.path, order })
	}

	/// Checks that no parameters are left.
	pub fn done(&self) -> Result<(), Error> {
		match self.query.keys().next() {
			Some(name) => Err(Error::field(name, format!("unknown parameter {name}"))),
			None => Ok(()),
		}
	}
}

/// Reads a number of digits only.
pub(crate) fn number<T: FromStr>(text: &str) -> Option<T> {
	text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
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
fn read_query(uri: &Uri) -> Result<BTreeMap<String, String>, Error> {
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

/// Decodes a part of a URI. `None` if it is not UTF-8 text in which each `%` comes before two hex
/// digits.
pub(crate) fn decode(text: &str) -> Option<String> {
	let mut bytes = Vec::with_capacity(text.len());
	let mut rest = text.as_bytes();
	while let Some((byte, after)) = rest.split_first() {
		rest = after;
		match byte {
			b'%' => {
				let (digits, after) = rest.split_at_checked(2)?;
				let mut decoded = [0];
				hex::decode_to_slice(digits, &mut decoded).ok()?;
				bytes.extend(decoded);
				rest = after;
			},
			byte => bytes.push(*byte),
		}
	}
	String::from_utf8(bytes).ok()
}
