//! Locators of nodes and KMSes.

use std::str::FromStr;

use crate::{
	chain::{Snapshot, TextLimit},
	Error,
};

/// A locator on the command line: one word of visible ASCII characters, such as a URL or a
/// multiaddress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locator(String);

/// A text is not a locator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LocatorError {
	/// The text is empty.
	#[error("a locator is empty: pass a URL or a multiaddress, such as /dns/example.org/tcp/443")]
	Empty,
	/// The text has a character that no locator has.
	#[error("`{}` has {mark:?}, and a locator has visible ASCII characters only", text.escape_debug())]
	Character {
		/// The text.
		text: String,
		/// The first such character.
		mark: char,
	},
}

impl FromStr for Locator {
	type Err = LocatorError;

	fn from_str(text: &str) -> Result<Self, LocatorError> {
		if text.is_empty() {
			return Err(LocatorError::Empty);
		}
		match text.chars().find(|mark| !mark.is_ascii_graphic()) {
			Some(mark) => Err(LocatorError::Character { text: text.into(), mark }),
			None => Ok(Self(text.into())),
		}
	}
}

impl Locator {
	/// Returns the text as a call takes it. Fails if it is longer than the chain accepts; `option` is
	/// its name on the command line.
	pub fn into_bytes(self, at: &Snapshot, option: &'static str) -> Result<Vec<u8>, Error> {
		TextLimit::Locator.ensure(at, option, &self.0)?;
		Ok(self.0.into_bytes())
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn locators_are_one_word_of_visible_ascii() {
		for text in ["/ip4/127.0.0.1/tcp/1", "https://kms.example.org/a?b=c#d", "~"] {
			assert_eq!(text.parse(), Ok(Locator(text.into())));
		}
		assert_eq!("".parse::<Locator>(), Err(LocatorError::Empty));
		for (text, error) in [
			("a b", "`a b` has ' ', and a locator has visible ASCII characters only"),
			("a\n", "`a\\n` has '\\n', and a locator has visible ASCII characters only"),
			("é", "`é` has 'é', and a locator has visible ASCII characters only"),
		] {
			assert_eq!(
				text.parse::<Locator>().map_err(|error| error.to_string()),
				Err(error.into())
			);
		}
	}
}
