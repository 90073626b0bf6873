// SPDX-License-Identifier: Apache-2.0
//! Decrypts files whose keys a KMS gives.
//!
//! The library `age` wants the key of a file while it reads the header, and a KMS is asked over the
//! network. So a header is read twice: first for its stanzas, and again with the file's key.

use std::{
	cell::RefCell,
	io::{self, BufRead, BufReader, Chain, Cursor, Read},
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

impl From<&AgeStanza> for Stanza {
	fn from(AgeStanza { tag, args, body }: &AgeStanza) -> Self {
		Self { args: [tag].into_iter().chain(args).cloned().collect(), body: body.clone() }
	}
}

impl From<Stanza> for AgeStanza {
	fn from(Stanza { args, body }: Stanza) -> Self {
		let mut args = args.into_iter();
		// A stanza without a type fits no key.
		let tag = args.next().unwrap_or_default();
		Self { tag, args: args.collect(), body }
	}
}

/// The key of one file.
pub struct Key(pub(super) FileKey);

impl From<FileKey> for Key {
	fn from(key: FileKey) -> Self {
		Self(key)
	}
}

/// Notes the stanzas that a key of a KMS may open, and opens none.
#[derive(Default)]
struct Noted(RefCell<Vec<Stanza>>);

impl Identity for Noted {
	fn unwrap_stanza(&self, stanza: &AgeStanza) -> Option<Result<FileKey, DecryptError>> {
		// Others are for other kinds of keys, or random: age adds some so that programs ignore them.
		if stanza.tag == X25519 && stanza.args.len() == 1 && stanza.body.len() == BODY {
			self.0.borrow_mut().push(stanza.into());
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

/// An encrypted file whose header was read.
pub struct Sealed<R> {
	/// The start of the file, with all of its header.
	head: Vec<u8>,
	stanzas: Vec<Stanza>,
	rest: R,
}

impl<R: Read> Sealed<R> {
	/// Reads the header of a file.
	pub fn read(mut file: R) -> Result<Self, KmsError> {
		let mut head = Vec::new();
		file.by_ref().take(MAX_HEADER).read_to_end(&mut head).map_err(KmsError::Read)?;
		let is_cut = u64::try_from(head.len()).is_ok_and(|length| length == MAX_HEADER);
		let noted = Noted::default();
		match Decryptor::new_buffered(&head[..]) {
			Ok(decryptor) if decryptor.is_scrypt() => return Err(KmsError::Passphrase),
			// No identity opens it.
			Ok(decryptor) => drop(decryptor.decrypt(iter::once(&noted as _))),
			Err(DecryptError::Io(_)) if is_cut => return Err(KmsError::LongHeader(MAX_HEADER)),
			Err(error) => return Err(KmsError::not_age(&error)),
		}
		let stanzas = noted.0.into_inner();
		match stanzas.len() {
			0 => Err(KmsError::NoStanza),
			1..=MAX_STANZAS => Ok(Self { head, stanzas, rest: file }),
			found => Err(KmsError::ManyStanzas { found, most: MAX_STANZAS }),
		}
	}

	/// Begins to decrypt the file.
	pub fn open(self, key: &Key) -> Result<Decrypted<R>, KmsError> {
		let file = BufReader::new(Cursor::new(self.head).chain(self.rest));
		open(file, key).map(Decrypted).map_err(|error| KmsError::not_age(&error))
	}
}

impl<R> Sealed<R> {
	/// Returns the stanzas that a KMS may open.
	pub fn stanzas(&self) -> &[Stanza] {
		&self.stanzas
	}

	/// Returns whether a key is the one of the file.
	pub(super) fn is_opened_by(&self, key: &Key) -> bool {
		open(&self.head[..], key).is_ok()
	}
}

fn open<R: BufRead>(file: R, key: &Key) -> Result<StreamReader<R>, DecryptError> {
	Decryptor::new_buffered(file)?.decrypt(iter::once(&Known(key) as _))
}

/// The plain bytes of a file. Every piece is authenticated before it is read.
pub struct Decrypted<R>(StreamReader<BufReader<Chain<Cursor<Vec<u8>>, R>>>);

impl<R: Read> Decrypted<R> {
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
