// SPDX-License-Identifier: Apache-2.0
//! Texts that must not be printed.

use std::fmt;

use zeroize::Zeroizing;

/// A secret text, wiped from memory when dropped. It has no `Display`, and its `Debug` hides it.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
	/// Returns the text.
	pub fn expose(&self) -> &str {
		&self.0
	}
}

impl From<String> for Secret {
	fn from(text: String) -> Self {
		Self(Zeroizing::new(text))
	}
}

impl From<&str> for Secret {
	fn from(text: &str) -> Self {
		text.to_owned().into()
	}
}

impl fmt::Debug for Secret {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str("<secret>")
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn debug_hides_the_text() {
		let secret = Secret::from("open sesame");
		assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "<secret> Some(<secret>)");
		assert_eq!(secret.expose(), "open sesame");
	}
}
