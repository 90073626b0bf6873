// SPDX-License-Identifier: Apache-2.0
//! Case folding of the names in the index and of the texts to find.

use std::collections::BTreeSet;

/// Largest number of words of a name that are indexed.
const MAX_WORDS: usize = 32;

/// A case-folded text. Names in the index and the texts to find are stored and compared in this
/// form.
///
/// Each character is mapped to lower case, then to upper case, then to lower case again. So a text,
/// its lower case and its upper case have the same form, wherever a character stands. A final sigma
/// becomes a sigma, `ß` becomes `ss`, and the Kelvin sign becomes `k`. `ı` becomes `i`, and `İ`
/// becomes `i` with a dot above. Nothing else changes: texts are not normalized, so a letter and
/// its accent are not composed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folded(String);

impl Folded {
	/// Folds a text. An ASCII character keeps its length, and any other takes at most three times
	/// its length. So a folded name is no longer than its record key may be.
	pub fn new(text: &str) -> Self {
		let lower = text.chars().flat_map(char::to_lowercase);
		Self(lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect())
	}

	/// Returns the bytes.
	pub fn as_bytes(&self) -> &[u8] {
		self.0.as_bytes()
	}

	/// Returns the words, at most [`MAX_WORDS`]. They are the parts between ASCII characters that
	/// are neither letters nor digits.
	pub fn words(&self) -> BTreeSet<Vec<u8>> {
		let is_between = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
		let parts = self.0.split(is_between).filter(|word| !word.is_empty());
		parts.take(MAX_WORDS).map(|word| word.as_bytes().to_vec()).collect()
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn fold(text: &str) -> String {
		Folded::new(text).0
	}

	#[test]
	fn names_are_split_into_words_without_case() {
		let expected = ["1", "228", "json", "serde", "öl"].map(|word| word.as_bytes().to_vec());
		let words = |text: &str| Folded::new(text).words();
		assert_eq!(words("Serde_json:1..228~serde+ json-ÖL"), BTreeSet::from(expected));
		assert_eq!(words("--").len(), 0);
		assert_eq!(words(&"1.".repeat(3)).len(), 1);
	}

	#[test]
	fn every_character_has_the_form_of_its_lower_and_upper_case() {
		for c in char::MIN..=char::MAX {
			let text = c.to_string();
			let folded = fold(&text);
			for same in [&folded, &text.to_lowercase(), &text.to_uppercase()] {
				assert_eq!(fold(same), folded, "{c:?}");
			}
			let most = if c.is_ascii() { 1 } else { 3 * c.len_utf8() };
			assert!((1..=most).contains(&folded.len()), "{c:?} is {folded:?}");
			// No character turns into one that separates words.
			let ends =
				|text: &str| text.chars().any(|c| c.is_ascii() && !c.is_ascii_alphanumeric());
			assert_eq!(ends(&folded), ends(&text), "{c:?} is {folded:?}");
		}
	}

	#[test]
	fn the_place_of_a_character_does_not_matter() {
		for text in ["ΟΔΟΣ", "ΣΣ ΣΑΣ.", "İSTANBUL", "straße", "ŉ"] {
			assert_eq!(fold(&text.to_lowercase()), fold(text));
			assert_eq!(fold(&text.to_uppercase()), fold(text));
		}
		assert_ne!(fold("\u{e9}"), fold("e\u{301}"));
	}
}
