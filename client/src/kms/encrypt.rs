// SPDX-License-Identifier: Apache-2.0
//! Encrypts files for the key of a KMS.

use std::{
	io::{self, Write},
	iter,
};

use age::{
	stream::StreamWriter,
	x25519::{Identity, Recipient},
	Encryptor, Identity as _,
};
use age_core::format::Stanza;
use base64::{engine::general_purpose::STANDARD_NO_PAD as BASE64, Engine};
use content_fabric_primitives::KmsKey;

use super::X25519;

/// Number of bytes of a chunk, and of what encryption adds to it.
const CHUNK: u64 = 64 << 10;
const TAG: u64 = 16;
/// The most bytes before the first chunk. Headers have a random part.
const HEAD: u64 = 1 << 10;

/// Returns whether a key is a point of low order, such as zero. Everybody can read what is encrypted
/// for it.
pub fn is_of_low_order(key: &KmsKey) -> bool {
	// The age library refuses such a share in a stanza, and panics with such a recipient.
	let args = vec![BASE64.encode(key.0)];
	let probe = Stanza { tag: X25519.into(), args, body: vec![0; 32] };
	Identity::generate().unwrap_stanza(&probe).is_some()
}

/// Returns an upper bound of the number of bytes that a file has when it is encrypted.
pub fn most_encrypted(size: u64) -> u64 {
	let chunks = size.div_ceil(CHUNK).max(1);
	size.saturating_add(chunks.saturating_mul(TAG)).saturating_add(HEAD)
}

/// Encrypts what is written to it. No two files have the same encrypted bytes.
pub struct Encrypting<W: Write>(StreamWriter<W>);

impl<W: Write> Encrypting<W> {
	/// Begins a file for a key, and writes its header. Fails if the key is a point of low order:
	/// everybody could read the file.
	pub fn new(key: KmsKey, to: W) -> io::Result<Self> {
		let invalid = |reason| io::Error::new(io::ErrorKind::InvalidInput, reason);
		if is_of_low_order(&key) {
			return Err(invalid("the key is a point of low order".to_owned()));
		}
		let recipient: Recipient =
			key.to_string().parse().map_err(|error: &str| invalid(error.to_owned()))?;
		let encryptor = Encryptor::with_recipients(iter::once(&recipient as _));
		let encryptor = encryptor.map_err(|error| invalid(error.to_string()))?;
		Ok(Self(encryptor.wrap_output(to)?))
	}

	/// Writes the end of the file. Without it, the file counts as cut.
	pub fn finish(self) -> io::Result<W> {
		self.0.finish()
	}
}

impl<W: Write> Write for Encrypting<W> {
	fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
		self.0.write(bytes)
	}

	fn flush(&mut self) -> io::Result<()> {
		self.0.flush()
	}
}
