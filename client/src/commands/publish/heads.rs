// SPDX-License-Identifier: Apache-2.0
//! Heads: whether a version of the input becomes the head of its object.
//!
//! Heads move forwards only. The chain has the ids of versions, not their texts, so the text of a
//! head is that of a record, or of the input itself.

use std::cmp::Ordering;

use content_fabric_identifiers::VersionId;

use crate::input::{compare_versions, Format};

/// The highest version of the input that can be the head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'a> {
	pub version: VersionId,
	/// The version as the input writes it.
	pub text: &'a str,
	/// True if it is not on the chain yet.
	pub is_new: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
	Move,
	/// The head stays: it is the candidate, or as high.
	Stay,
	/// The head stays because nothing says how high it is.
	Unknown,
}

/// Decides about the head of an object. `texts` are those that the head is known by.
pub(super) fn decide<'a>(
	format: Format,
	move_heads: bool,
	head: Option<VersionId>,
	candidate: Candidate<'_>,
	texts: impl IntoIterator<Item = &'a str>,
) -> Decision {
	if head.is_none() {
		return Decision::Move;
	}
	if head == Some(candidate.version) {
		return Decision::Stay;
	}
	if move_heads || format == Format::Directory {
		return Decision::Move;
	}
	let orders =
		texts.into_iter().filter_map(|text| compare_versions(format, candidate.text, text));
	match orders.min() {
		None => Decision::Unknown,
		Some(Ordering::Greater) => Decision::Move,
		// Another build of the same version. Once both are on the chain, the head stays, or two
		// inputs would move it to and fro.
		Some(Ordering::Equal) if candidate.is_new => Decision::Move,
		Some(_) => Decision::Stay,
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const HEAD: VersionId = VersionId([1; 32]);

	#[test]
	fn heads_move_to_higher_versions_only() {
		use Decision::{Move, Stay, Unknown};
		for (text, is_new, texts, expected) in [
			("1.10.0", true, &["1.9.0"][..], Move),
			("1.10.0", false, &["1.9.0"], Move),
			("1.9.0", true, &["1.10.0"], Stay),
			("1.10.0", true, &["1.9.0", "1.11.0"], Stay),
			// Another build of the same version becomes the head once.
			("1.9.0", true, &["1.9.0"], Move),
			("1.9.0", false, &["1.9.0"], Stay),
			// A head that nothing explains stays.
			("1.9.0", true, &[], Unknown),
			("1.9.0", true, &["latest"], Unknown),
		] {
			let candidate = Candidate { version: VersionId([2; 32]), text, is_new };
			let known = texts.iter().copied();
			let decided = decide(Format::CargoLock, false, Some(HEAD), candidate, known);
			assert_eq!(decided, expected, "{text} {is_new} {texts:?}");
		}
	}

	#[test]
	fn objects_without_a_head_get_one_and_directories_and_options_move_it() {
		let candidate = Candidate { version: VersionId([2; 32]), text: "1.0.0", is_new: false };
		let decide =
			|format, move_heads, head| decide(format, move_heads, head, candidate, ["9.0.0"]);
		assert_eq!(decide(Format::CargoLock, false, None), Decision::Move);
		assert_eq!(decide(Format::CargoLock, false, Some(candidate.version)), Decision::Stay);
		assert_eq!(decide(Format::CargoLock, true, Some(HEAD)), Decision::Move);
		assert_eq!(decide(Format::Directory, false, Some(HEAD)), Decision::Move);
		assert_eq!(decide(Format::Directory, true, Some(candidate.version)), Decision::Stay);
	}
}
