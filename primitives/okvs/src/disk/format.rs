// SPDX-License-Identifier: Apache-2.0
//! The tables of a file, and the marker of its format.

use std::{
	fs::File,
	io::{self, Read},
	path::Path,
	time::Duration,
};

use redb::{ReadTransaction, TableDefinition, TableError, WriteTransaction};

use super::DiskErrorKind;

/// The pairs of the store.
pub(super) const PAIRS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("pairs");
/// Marks the file as a store: the version of the format, by the name of this crate.
const FORMAT: TableDefinition<&str, u64> = TableDefinition::new("format");
const NAME: &str = "content-fabric-okvs";
/// The format version that this release writes, and the latest that it reads.
const VERSION: u64 = 1;

/// First bytes of a file of `redb`.
const MAGIC: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";
/// Flag in the byte after the magic number: the file is open, or was not closed.
const RECOVERY_REQUIRED: u8 = 2;

/// Tries to find the content of a file whose name was just claimed, and the pause between them.
const CLAIM_TRIES: u32 = 20;
const CLAIM_PAUSE: Duration = Duration::from_millis(10);

/// Checks that a file begins like one of `redb`. Returns `true` if it was closed cleanly.
pub(super) fn check_start(path: &Path) -> Result<bool, DiskErrorKind> {
	let mut start = [0; MAGIC.len() + 1];
	let mut tries = 0;
	let read = loop {
		let read = File::open(path)?.read_exact(&mut start);
		let is_short =
			read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof);
		// Where a name can only be claimed by an empty file, that is replaced at once.
		if !is_short || tries == CLAIM_TRIES || path.metadata()?.len() > 0 {
			break read;
		}
		tries += 1;
		std::thread::sleep(CLAIM_PAUSE);
	};
	match read {
		Err(error)
			if error.kind() == io::ErrorKind::UnexpectedEof && path.metadata()?.len() == 0 =>
		{
			Err(DiskErrorKind::NotAStore(
				"the file is empty: its creation was cut short; delete it",
			))
		},
		Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
			Err(DiskErrorKind::NotAStore("the file is too short"))
		},
		Err(error) => Err(error.into()),
		Ok(()) if start[..MAGIC.len()] != MAGIC => {
			Err(DiskErrorKind::NotAStore("the file does not begin like one of redb"))
		},
		Ok(()) => Ok(start[MAGIC.len()] & RECOVERY_REQUIRED == 0),
	}
}

/// Tables of a file of `redb`, as far as they make it a store.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
	/// The marker of a format that can be read, and the pairs.
	Store,
	/// No marker.
	Unmarked,
}

/// Reads the marker of the format.
pub(super) fn find(transaction: &ReadTransaction) -> Result<Found, DiskErrorKind> {
	let version = match transaction.open_table(FORMAT) {
		Ok(table) => table.get(NAME)?.map(|version| version.value()),
		Err(TableError::Storage(error)) => return Err(error.into()),
		// No table, or one of another program.
		Err(_) => None,
	};
	match version {
		None => Ok(Found::Unmarked),
		Some(VERSION) => match transaction.open_table(PAIRS) {
			Ok(_) => Ok(Found::Store),
			Err(TableError::TableDoesNotExist(_)) => {
				Err(DiskErrorKind::Corrupted("the table of pairs is missing".into()))
			},
			Err(error) => Err(error.into()),
		},
		Some(found) => Err(DiskErrorKind::Newer { found, supported: VERSION }),
	}
}

/// Makes a file of `redb` a store.
pub(super) fn mark(transaction: &WriteTransaction) -> Result<(), DiskErrorKind> {
	transaction.open_table(PAIRS)?;
	transaction.open_table(FORMAT)?.insert(NAME, VERSION)?;
	Ok(())
}
