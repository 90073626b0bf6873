// SPDX-License-Identifier: Apache-2.0
//! URLs of indexes.

use std::{fmt, str::FromStr};

use url::Url;

use super::url::{ensure_secure, invalid, public_part, UrlError};

/// The URL of an index, `https://` or `http://`. It may have a path, under which `v1/` is.
///
/// Its user name, password and path may hold secrets. `Display` and `Debug` omit them, so only
/// [`to`](Self::to) has them.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexUrl(Url);

impl IndexUrl {
	/// Returns the whole URL of a resource, with its secrets. Do not print it.
	pub fn to(&self, path: &[&str], query: &[(&str, &str)]) -> String {
		let mut url = self.0.clone();
		if let Ok(mut segments) = url.path_segments_mut() {
			segments.pop_if_empty().push("v1").extend(path);
		}
		if !query.is_empty() {
			url.query_pairs_mut().extend_pairs(query);
		}
		url.into()
	}

	/// Returns whether the connection is encrypted.
	pub fn is_encrypted(&self) -> bool {
		self.0.scheme() == "https"
	}

	/// Checks that the connection is encrypted, or local, or `insecure` is set.
	pub fn ensure_secure(&self, insecure: bool) -> Result<(), UrlError> {
		ensure_secure(&self.0, "https", insecure)
	}
}

impl FromStr for IndexUrl {
	type Err = UrlError;

	fn from_str(text: &str) -> Result<Self, UrlError> {
		match Url::parse(text) {
			Ok(url)
				if matches!(url.scheme(), "http" | "https")
					&& url.query().is_none()
					&& url.fragment().is_none() =>
			{
				Ok(Self(url))
			},
			_ => Err(invalid(
				text,
				"an index: expected https:// or http://, a host, and no query or fragment",
			)),
		}
	}
}

impl fmt::Display for IndexUrl {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&public_part(&self.0))
	}
}

impl fmt::Debug for IndexUrl {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "IndexUrl({self})")
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn url(text: &str) -> IndexUrl {
		text.parse().expect("the text is the URL of an index; qed")
	}

	#[test]
	fn resources_are_under_the_path_of_the_url_with_every_part_escaped() {
		for (text, resource) in [
			("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/a/b%2Fc%3Fd%20e"),
			("https://Host/", "https://host/v1/a/b%2Fc%3Fd%20e"),
			("https://host/fabric/", "https://host/fabric/v1/a/b%2Fc%3Fd%20e"),
			("https://host/fabric", "https://host/fabric/v1/a/b%2Fc%3Fd%20e"),
		] {
			assert_eq!(url(text).to(&["a", "b/c?d e"], &[]), resource);
		}
		let query = url("http://localhost").to(&["names"], &[("words", "a&b c"), ("limit", "1")]);
		assert_eq!(query, "http://localhost/v1/names?words=a%26b+c&limit=1");
	}

	#[test]
	fn other_schemes_queries_and_texts_are_refused_without_their_secrets() {
		for text in [
			"ws://host/sesame",
			"https://host?key=sesame",
			"https://host#sesame",
			"me:sesame@host",
			"host/sesame",
			"",
		] {
			let error = IndexUrl::from_str(text).expect_err("it is not the URL of an index; qed");
			let shown = format!("{error} {error:?}");
			assert!(!shown.contains("sesame") && !shown.contains('\n'), "{shown}");
		}
		let shown = format!("{0} {0:?}", url("https://me:sesame@host/sesame"));
		assert_eq!(shown, "https://host IndexUrl(https://host)");
	}
}
