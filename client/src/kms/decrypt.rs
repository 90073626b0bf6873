// SPDX-License-Identifier: Apache-2.0
//! Decrypts files whose keys a KMS gives.
//!
//! The library `age` wants the key of a file while it reads the header, and a KMS is asked over the
//! network. So a header is read twice: first for its stanzas, and again with the file's key.

use std::{
	cell::RefCell,
	io::{self, BufReader, Chain, Cursor, Read},
	iter,
};

use age::{stream::StreamReader, DecryptError, Decryptor, Identity};
use age_core::{
	format::{FileKey, Stanza as AgeStanza},
	secrecy::ExposeSecret,
};

use super::{KmsError, Stanza, MAX_STANZAS, X25519};

/// Longest header of a file, in bytes.
const MAX_HEADER: u64 = 16 << 10;
/// Number of bytes of the body of a stanza: a wrapped file key.
const BODY: usize = 32;

/// The key of one file.
pub struct Key(pub(super) FileKey);

/// Notes the stanzas that a key of a KMS may open, and opens none.
#[derive(Default)]
struct Noted(RefCell<Vec<Stanza>>);

impl Identity for Noted {
	fn unwrap_stanza(&self, stanza: &AgeStanza) -> Option<Result<FileKey, DecryptError>> {
		// Others are for other kinds of keys, or random: age adds some so that programs ignore them.
		if stanza.tag == X25519 && stanza.args.len() == 1 && stanza.body.len() == BODY {
			let args = iter::once(&stanza.tag).chain(&stanza.args).cloned().collect();
			self.0.borrow_mut().push(Stanza { args, body: stanza.body.clone() });
		}
		None
	}
}

/// An identity that knows the key of the file.
struct Known<'a>(&'a Key);

impl Identity for Known<'_> {
	fn unwrap_stanza(&self, _: &AgeStanza) -> Option<Result<FileKey, DecryptError>> {
		Some(Ok(FileKey::new(Box::new(*self.0 .0.expose_secret()))))
	}
}

/// Returns the stanzas that a KMS may open, by the start of a file, with all of its header.
fn sealed(head: &[u8]) -> Result<Vec<Stanza>, KmsError> {
	let is_cut = u64::try_from(head.len()).is_ok_and(|length| length == MAX_HEADER);
	let noted = Noted::default();
	match Decryptor::new_buffered(head) {
		// No identity opens it.
		Ok(decryptor) => drop(decryptor.decrypt(iter::once(&noted as _))),
		Err(DecryptError::Io(_)) if is_cut => return Err(KmsError::LongHeader(MAX_HEADER)),
		Err(error) => return Err(KmsError::not_age(&error)),
	}
	let stanzas = noted.0.into_inner();
	match stanzas.len() {
		0 => Err(KmsError::NoStanza),
		1..=MAX_STANZAS => Ok(stanzas),
		found => Err(KmsError::ManyStanzas { found, most: MAX_STANZAS }),
	}
}

/// The plain bytes of a file. Every piece is authenticated before it is read.
pub struct Decrypted<R>(StreamReader<BufReader<Chain<Cursor<Vec<u8>>, R>>>);

impl<R: Read> Decrypted<R> {
	/// Begins to decrypt a file with the key that `ask` gets for its stanzas. Fails if it is the key
	/// of another file.
	pub fn open(
		mut file: R,
		ask: impl FnOnce(Vec<Stanza>) -> Result<Key, KmsError>,
	) -> Result<Self, KmsError> {
		let mut head = Vec::new();
		file.by_ref().take(MAX_HEADER).read_to_end(&mut head).map_err(KmsError::Read)?;
		let key = ask(sealed(&head)?)?;
		let file = BufReader::new(Cursor::new(head).chain(file));
		let decryptor = Decryptor::new_buffered(file).map_err(|error| KmsError::not_age(&error))?;
		match decryptor.decrypt(iter::once(&Known(&key) as _)) {
			Ok(plain) => Ok(Self(plain)),
			Err(DecryptError::InvalidMac) => Err(KmsError::OtherKey),
			Err(error) => Err(KmsError::not_age(&error)),
		}
	}

	/// Reads plain bytes. None at the end.
	pub fn next(&mut self, piece: &mut [u8]) -> Result<usize, KmsError> {
		loop {
			match self.0.read(piece) {
				Err(error) if error.kind() == io::ErrorKind::Interrupted => {},
				Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
					return Err(KmsError::Altered("are cut"));
				},
				Err(error) if error.kind() == io::ErrorKind::InvalidData => {
					return Err(KmsError::Altered("were altered"));
				},
				read => return read.map_err(KmsError::Read),
			}
		}
	}
}
