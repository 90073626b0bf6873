// SPDX-License-Identifier: Apache-2.0
//! Cursors: where a list goes on.

use base64::{engine::general_purpose::URL_SAFE_NO_PAD, Engine};
use sp_crypto_hashing::twox_64;

use super::error::{Error, Result};

/// The format of cursors. Another one is refused.
const FORMAT: u8 = 2;
/// Bytes before the place: the format, the order, and the hash of the path.
const HEAD: usize = 10;

/// Returns the cursor of a place in a list.
pub(crate) fn encode(path: &str, order: u8, place: &[u8]) -> String {
	let bytes = [&[FORMAT, order], &twox_64(path.as_bytes())[..], place].concat();
	URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the place of a cursor, which must be one of this list.
pub(crate) fn decode(path: &str, order: u8, cursor: &str) -> Result<Vec<u8>> {
	let wrong = |message: &str| Error::field("cursor", message);
	let bytes =
		URL_SAFE_NO_PAD.decode(cursor).map_err(|_| wrong("cursor is not from this index"))?;
	let Some((head, place)) = bytes.split_at_checked(HEAD) else {
		return Err(wrong("cursor is cut off"));
	};
	if head[0] != FORMAT {
		return Err(wrong(
			"cursor is from another version of the index: start with the first page",
		));
	}
	if head[1] != order || head[2..] != twox_64(path.as_bytes()) {
		return Err(wrong("cursor belongs to another path or order"));
	}
	Ok(place.to_vec())
}
