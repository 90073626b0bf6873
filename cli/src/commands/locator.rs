// SPDX-License-Identifier: Apache-2.0
//! Locators of nodes and KMSes.

use std::{fmt, str::FromStr};

use content_fabric_client::{
	chain::{Snapshot, TextLimit},
	keys::looks_secret,
};

use crate::{output::warn, Error};

/// A locator on the command line: one word of visible ASCII characters, such as a URL or a
/// multiaddress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locator(String);

impl FromStr for Locator {
	type Err = String;

	fn from_str(text: &str) -> Result<Self, String> {
		if text.is_empty() {
			let example = "such as /dns/example.org/tcp/443";
			return Err(format!("a locator is empty: pass a URL or a multiaddress, {example}"));
		}
		let user = text.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
		let has_password = user.is_some_and(|host| host.contains('@'));
		if looks_secret(text) || has_password {
			return Err("a locator is public, and this one has a secret in it".into());
		}
		match text.chars().find(|mark| !mark.is_ascii_graphic()) {
			Some(mark) => Err(format!(
				"`{}` has {mark:?}, and a locator has visible ASCII characters only",
				text.escape_debug()
			)),
			None => Ok(Self(text.into())),
		}
	}
}

impl fmt::Display for Locator {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&self.0)
	}
}

impl Locator {
	/// Returns the text as a call takes it. Fails if it is longer than the chain accepts; `option`
	/// is its name on the command line.
	///
	/// Warns of a text that is not the address of anything. The chain accepts it.
	pub fn into_bytes(self, at: &Snapshot, option: &'static str) -> Result<Vec<u8>, Error> {
		TextLimit::Locator.ensure(at, option, &self.0)?;
		if !self.is_address() {
			warn(&format!(
				"warning: the locator `{}` is neither a URL such as https://example.org nor a \
				 multiaddress such as /dns/example.org/tcp/443, so others may not find it",
				self.0
			));
		}
		Ok(self.0.into_bytes())
	}

	/// Returns whether the text has the form of a URL with its scheme and host, or of a
	/// multiaddress.
	fn is_address(&self) -> bool {
		if let Some(path) = self.0.strip_prefix('/') {
			return path.split('/').count() > 1 && path.split('/').all(|part| !part.is_empty());
		}
		let Some((scheme, rest)) = self.0.split_once("://") else { return false };
		let is_mark = |mark: char| mark.is_ascii_alphanumeric() || "+-.".contains(mark);
		scheme.starts_with(|first: char| first.is_ascii_alphabetic())
			&& scheme.chars().all(is_mark)
			&& rest.starts_with(|first: char| !"/?#".contains(first))
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn texts_that_are_not_addresses_are_told_apart() {
		let is_address = |text: &str| text.parse().map(|locator: Locator| locator.is_address());
		for (text, expected) in [
			("/ip4/127.0.0.1/tcp/1", true),
			("/dns/example.org/tcp/443/wss", true),
			("https://kms.example.org/a?b=c#d", true),
			("wss://[::1]:9944", true),
			("example.org", false),
			("example.org:443", false),
			("://example.org", false),
			("https://", false),
			("https:///path", false),
			("1tp://example.org", false),
			("/", false),
			("/dns", false),
			("/dns//tcp/443", false),
			("//example.org", false),
			("-", false),
		] {
			assert_eq!(is_address(text), Ok(expected), "{text}");
		}
	}

	#[test]
	fn a_locator_with_a_secret_is_refused_and_not_repeated() {
		let seed = "e5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a";
		for text in [
			"AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
			&format!("https://kms.example.org/{}", "age-secret-key-1qq"),
			&format!("0x{seed}"),
			seed,
			"legal winner thank year wave sausage worth useful legal winner thank yellow",
			"//Alice///password",
			"https://me:sesame@kms.example.org/",
		] {
			let refused = text.parse::<Locator>().expect_err("it is a secret");
			assert_eq!(refused, "a locator is public, and this one has a secret in it", "{text}");
		}
		assert!("https://example.org/@me?a=b:c@d".parse::<Locator>().is_ok());
	}

	#[test]
	fn locators_are_one_word_of_visible_ascii() {
		for text in ["/ip4/127.0.0.1/tcp/1", "https://kms.example.org/a?b=c#d", "~"] {
			assert_eq!(text.parse(), Ok(Locator(text.into())));
		}
		for (text, error) in [
			("", "a locator is empty: pass a URL or a multiaddress, such as /dns/example.org/tcp/443"),
			("a b", "`a b` has ' ', and a locator has visible ASCII characters only"),
			("a\n", "`a\\n` has '\\n', and a locator has visible ASCII characters only"),
			("é", "`é` has 'é', and a locator has visible ASCII characters only"),
		] {
			assert_eq!(text.parse::<Locator>(), Err(error.into()));
		}
	}
}
