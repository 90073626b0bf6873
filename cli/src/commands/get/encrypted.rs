// SPDX-License-Identifier: Apache-2.0
//! Gets files that are encrypted for a KMS.
//!
//! The encrypted bytes are verified before the KMS is asked for the key of the file. They are
//! decrypted into a file that no record names, and only this user can read. It is moved to its place
//! when it is whole.

use std::{
	collections::{BTreeMap, BTreeSet, VecDeque},
	io::{self, Read, Write},
	path::Path,
	sync::{
		mpsc::{sync_channel, Receiver, SyncSender},
		Arc, Mutex, PoisonError,
	},
};

use content_fabric_client::{
	class::Class,
	content_node::{blocking, FetchError, Fetched, Fetcher, NodeError, Notes, Wanted},
	folder::{Folder, Partial, Target},
	keys::Signer,
	kms::{Key, KmsError, KmsServer, Reader, Sealed},
};
use content_fabric_identifiers::{
	ContentObjectId, HashKind, KmsId, TenantId, VersionCheck, VersionHasher, VersionId,
};
use content_fabric_primitives::KmsKey;

use super::{files::Listed, VersionRow};
use crate::{
	commands::{tenant_key::TenantKey, Context, View},
	encrypted::{Record, Records},
	output::{warn, OutputError},
	Error,
};

/// Number of bytes that are decrypted at once.
const PIECE: usize = 256 << 10;
/// Number of pieces that wait to be decrypted.
const WAITING: usize = 16;

/// The KMS for which a version of an object is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seal {
	pub tenant: TenantId,
	pub object: ContentObjectId,
	pub kms: KmsId,
}

impl Seal {
	/// Returns for which KMSes a version is encrypted, by its rows. Anybody can commit it in a tenant
	/// of his own and name a KMS, so rows that are final win over others, and then rows without one.
	pub fn of(rows: &[VersionRow]) -> Vec<Self> {
		let (done, begun): (Vec<_>, Vec<_>) =
			rows.iter().partition(|(_, _, row)| row.finalized.is_some());
		let rows = if done.is_empty() { begun } else { done };
		let seal = |(tenant, object, row): &VersionRow| {
			Some(Self { tenant: *tenant, object: *object, kms: row.kms? })
		};
		rows.into_iter().map(seal).collect::<Option<_>>().unwrap_or_default()
	}
}

/// A reader of the files of a KMS.
type Known = Arc<Reader>;

/// Decrypts files, with the account of a key.
pub(super) struct Readers {
	/// By tenant and KMS. An error is one of each of its files.
	readers: BTreeMap<(TenantId, KmsId), Result<Known, (String, Class)>>,
	records: Arc<Mutex<Records>>,
}

/// The file that is in a place.
enum There {
	Nothing,
	/// A file with the plain bytes of the version.
	Same,
	/// A file with other bytes.
	Other,
	/// A file, and it is not known what the plain bytes of the version are.
	Unknown,
}

impl Readers {
	/// Prepares to ask the KMSes of files. Reads a key only if a file is encrypted.
	pub async fn new(
		wanted: &[Listed],
		at: &View,
		context: &Context,
		key: &TenantKey,
	) -> Result<Self, Error> {
		let (mut readers, mut loaded) = (BTreeMap::new(), None);
		for Seal { tenant, kms, .. } in wanted.iter().flat_map(|wanted| &wanted.seals) {
			if readers.contains_key(&(*tenant, *kms)) {
				continue;
			}
			let signer = loaded.get_or_insert_with(|| {
				key.signer(context, &at.chain).map(Arc::new).map_err(unsigned)
			});
			let reader = match signer {
				Ok(signer) => reader(at, (*tenant, *kms), signer.clone(), context).await,
				Err((reason, class)) => {
					let reason =
						format!("it is encrypted for the KMS {kms} of {tenant}, and {reason}");
					Err(Error::Unread { reason, class: *class })
				},
			};
			let reader = reader.map_err(|error| (error.to_string(), error.class()));
			readers.insert((*tenant, *kms), reader);
		}
		let records = match readers.is_empty() {
			true => Records::open_if_any()?,
			false => Records::open()?,
		};
		let records = Arc::new(Mutex::new(records));
		Ok(Self { readers, records })
	}

	/// Returns who can be asked about a version. Fails if nobody can.
	fn of(&self, seals: &[Seal], notes: &Notes) -> Result<Askable, Error> {
		let (mut found, mut failed, mut kmses) = (Vec::new(), None, BTreeSet::new());
		for seal in seals {
			// A tenant may have the version in many objects.
			if !kmses.insert((seal.tenant, seal.kms)) {
				continue;
			}
			match self.readers.get(&(seal.tenant, seal.kms)) {
				Some(Ok(reader)) => found.push((*seal, reader.clone())),
				Some(Err(error)) => failed = failed.or(Some(error.clone())),
				None => {},
			}
		}
		match failed.filter(|_| found.is_empty()) {
			Some((reason, class)) => Err(Error::Unread { reason, class }),
			None => Ok(Askable { readers: found, notes: notes.clone() }),
		}
	}

	/// Gets a file into a folder, as [`Fetcher::fetch`] does, and decrypts it.
	pub async fn get(
		&self,
		listed: &Listed,
		fetcher: &Fetcher<'_>,
		(folder, force): (&Arc<Folder>, bool),
	) -> Result<Option<Fetched>, Error> {
		let Listed { file, seals, .. } = listed;
		let plain = self.records().plain_of(file.version);
		let (within, path) = (folder.clone(), file.target.clone());
		match blocking(move || there(&within, &path, plain)).await? {
			There::Same => {
				fetcher.pass_over(file);
				return Ok(None);
			},
			There::Other if !force => return Err(occupied(&folder.path(&file.target)).into()),
			_ => {},
		}
		// An account that cannot ask need not download.
		let askable = self.of(seals, fetcher.notes())?;
		let (fetched, partial) = fetcher.fetch_aside(file, folder).await?;
		let (records, folder, file) = (self.records.clone(), folder.clone(), file.clone());
		let opened = blocking(move || {
			Ok(unseal(&partial, (&folder, &file), force, &askable).map(|(opened, is_new)| {
				record(&records, &file, opened);
				is_new
			}))
		});
		Ok(opened.await??.then_some(fetched))
	}

	/// Writes a file to a stream: only bytes that are authenticated.
	pub async fn stream(
		&self,
		listed: &Listed,
		fetcher: &Fetcher<'_>,
		mut out: Box<dyn Write + Send>,
	) -> Result<(), Error> {
		let Listed { file, seals, .. } = listed;
		let askable = self.of(seals, fetcher.notes())?;
		let (sender, receiver) = sync_channel(WAITING);
		let (records, wanted) = (self.records.clone(), file.clone());
		let decrypting = tokio::task::spawn_blocking(move || {
			let incoming = Incoming { receiver, piece: Vec::new(), taken: 0 };
			let opened = decrypt(incoming, wanted.version, &askable, |piece| {
				out.write_all(piece).map_err(|error| OutputError(error).into())
			})?;
			out.flush().map_err(OutputError)?;
			record(&records, &wanted, opened);
			Ok::<_, Error>(())
		});
		let fetched = fetcher.stream(file, Box::new(Outgoing(sender))).await;
		let decrypted = match decrypting.await {
			Ok(decrypted) => decrypted,
			Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
			Err(_) => Err(Error::Interrupted),
		};
		match fetched {
			// The file ends early because the bytes do. Otherwise, it is the other way round.
			Err(error) if !matches!(error, FetchError::Node(NodeError::File { .. })) => {
				Err(error.into())
			},
			_ => decrypted,
		}
	}

	fn records(&self) -> std::sync::MutexGuard<'_, Records> {
		self.records.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

/// Returns the reason why nobody asks, and what to do.
fn unsigned(error: Error) -> (String, Class) {
	let class = error.class();
	let reason = match error {
		Error::NoKey { .. } => {
			"no key is given: pass --signer with the key of an account that may read the tenant's \
			 content, set FABRIC_SIGNER or a profile's `signer`, or pass --raw for the encrypted bytes"
				.to_owned()
		},
		error => error.to_string(),
	};
	(reason, class)
}

async fn reader(
	at: &View,
	(tenant, kms): (TenantId, KmsId),
	signer: Arc<Signer>,
	context: &Context,
) -> Result<Known, Error> {
	let row = at.kms(tenant, kms).await.map_err(|error| {
		Error::from(error).with_hint(
			"it has been removed; with --raw and its identity, `age --decrypt` opens the file",
		)
	})?;
	let server = KmsServer::of_locator(&row.locator.raw())?;
	context
		.ensure_secure(server.url())
		.map_err(|error| Error::Url { origin: format!("the locator of {kms}"), error })?;
	let genesis = at.chain.identity().genesis_hash;
	Ok(Arc::new(Reader::new(server, signer, genesis, kms, tenant)?))
}

/// Looks at the place of a file.
fn there(folder: &Arc<Folder>, path: &Path, plain: Option<VersionId>) -> Result<There, NodeError> {
	let full = folder.path(path);
	let target = Target::find(folder, path.into()).map_err(NodeError::file("written", &full))?;
	let Some(plain) = plain.filter(|_| target.is_taken()) else {
		return Ok(if target.is_taken() { There::Unknown } else { There::Nothing });
	};
	match target.has(VersionCheck::new(plain, [HashKind::Blake3])) {
		Ok(true) => Ok(There::Same),
		Ok(false) => Ok(There::Other),
		Err(error) => Err(NodeError::file("read", &full)(error)),
	}
}

fn occupied(path: &Path) -> NodeError {
	let reason = "it has other content: pass --force to replace it";
	NodeError::file("written", path)(io::Error::new(io::ErrorKind::AlreadyExists, reason))
}

/// The plain bytes of a version, by the KMS that has given the key of the file, and the key of it for
/// which the file is encrypted.
type Opened = (VersionId, Seal, KmsKey);

/// Decrypts a verified file to its place. Returns what it is, and false if it was there.
fn unseal(
	sealed: &Partial,
	(folder, file): (&Arc<Folder>, &Wanted),
	force: bool,
	askable: &Askable,
) -> Result<(Opened, bool), Error> {
	let path = folder.path(&file.target);
	let failed = |error| NodeError::file("written", &path)(error);
	io::Seek::rewind(&mut sealed.file()).map_err(NodeError::file("read", &path))?;
	let target = Target::find(folder, file.target.clone()).map_err(failed)?;
	let plain = target.private_partial(file.version).map_err(failed)?;
	let placing = || {
		let opened = decrypt(sealed.file(), file.version, askable, |piece| {
			Ok(plain.file().write_all(piece).map_err(failed)?)
		})?;
		let has = |target: &Target| {
			target.has(VersionCheck::new(opened.0, [HashKind::Blake3])).map_err(failed)
		};
		if target.is_taken() {
			match has(&target)? {
				true => return Ok((opened, false)),
				false if !force => return Err(occupied(&path).into()),
				false => {},
			}
		}
		plain.set_mode_of(sealed).map_err(failed)?;
		match target.put(&plain).map_err(failed)? {
			true => Ok((opened, true)),
			false if has(&target.again().map_err(failed)?)? => Ok((opened, false)),
			false => {
				let reason = "another command has written it meanwhile";
				Err(failed(io::Error::other(reason)).into())
			},
		}
	};
	let placed: Result<(Opened, bool), Error> = placing();
	if !matches!(placed, Ok((_, true))) {
		plain.remove().map_err(failed)?;
	}
	if placed.is_ok() {
		sealed.remove().map_err(failed)?;
	}
	placed
}

/// Decrypts the bytes of a version, with the first right key that a KMS gives.
fn decrypt(
	from: impl Read,
	version: VersionId,
	askable: &Askable,
	mut take: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<Opened, Error> {
	let sealed = Sealed::read(from)?;
	let (file_key, seal, key) = askable.key(&sealed, version)?;
	let mut decrypted = sealed.open(&file_key)?;
	let (mut hasher, mut piece) = (VersionHasher::new(HashKind::Blake3), vec![0; PIECE]);
	loop {
		let read = decrypted.next(&mut piece)?;
		let bytes = piece.get(..read).unwrap_or_default();
		if bytes.is_empty() {
			return Ok((hasher.finish(), seal, key));
		}
		hasher.update(bytes);
		take(bytes)?;
	}
}

/// The KMSes that can be asked about a file.
struct Askable {
	readers: Vec<(Seal, Known)>,
	notes: Notes,
}

impl Askable {
	/// Asks one after the other for the key of a file. Anybody can commit a version as encrypted
	/// for a KMS of their own, which refuses, gives a wrong key or lets clients wait. So those that
	/// cannot answer now are waited for after all others were asked. Returns the last error, and
	/// notes the others.
	fn key<R>(
		&self,
		sealed: &Sealed<R>,
		version: VersionId,
	) -> Result<(Key, Seal, KmsKey), KmsError> {
		let is_only = self.readers.len() == 1;
		let mut asked: VecDeque<_> = self.readers.iter().map(|known| (known, is_only)).collect();
		let mut failed = None;
		while let Some((known @ (seal, reader), waits)) = asked.pop_front() {
			if let Some(failed) = failed.take() {
				(self.notes)(format!("{failed}. Asking the KMS {} of {}", seal.kms, seal.tenant));
			}
			match reader.key((seal.object, version), sealed, waits, &self.notes) {
				Ok((file_key, key)) => return Ok((file_key, *seal, key)),
				Err(error) => {
					if error.is_busy() && !waits {
						asked.push_back((known, true));
					}
					failed = Some(error);
				},
			}
		}
		Err(failed.unwrap_or(KmsError::NoStanza))
	}
}

/// Records what the plain bytes of a version are, so that a put of the file adds nothing.
fn record(records: &Mutex<Records>, file: &Wanted, (plain, seal, key): Opened) {
	let Some(size) = file.size.exact() else { return };
	let (version, tenant) = (file.version, seal.tenant);
	let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
	if records.of(plain, tenant).iter().any(|record| record.version == version) {
		return;
	}
	if let Err(error) = records.add(Record { plain, tenant, key, version, size, spool: None }) {
		warn(&format!("warning: a later put encrypts the file anew: {error}"));
	}
}

/// Verified bytes on their way to be decrypted.
struct Outgoing(SyncSender<Vec<u8>>);

impl Write for Outgoing {
	fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
		let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
		self.0.send(bytes.to_vec()).map_err(gone)?;
		Ok(bytes.len())
	}

	fn flush(&mut self) -> io::Result<()> {
		Ok(())
	}
}

/// The other end.
struct Incoming {
	receiver: Receiver<Vec<u8>>,
	piece: Vec<u8>,
	taken: usize,
}

impl Read for Incoming {
	fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
		while self.taken == self.piece.len() {
			match self.receiver.recv() {
				Ok(piece) => (self.piece, self.taken) = (piece, 0),
				Err(_) => return Ok(0),
			}
		}
		let read = (&self.piece[self.taken..]).read(bytes)?;
		self.taken += read;
		Ok(read)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::chain::rows;
	use content_fabric_identifiers::Muid;

	use super::*;

	fn row(number: u8, kms: Option<u8>, is_final: bool) -> VersionRow {
		let row = rows::Version {
			copies: Vec::new(),
			kms: kms.map(|kms| KmsId([kms; 10])),
			muid: Muid::default(),
			hash: HashKind::Blake3,
			size: 1.into(),
			committed: Muid::default(),
			finalized: is_final.then_some(1),
			set_head_on_finalize: false,
			deposit: 0,
		};
		(TenantId([number; 10]), ContentObjectId([number; 10]), row)
	}

	#[test]
	fn a_row_of_a_stranger_does_not_make_a_plain_version_an_encrypted_one() {
		let kmses = |rows: &[VersionRow]| -> Vec<_> {
			Seal::of(rows).into_iter().map(|seal| seal.kms.0[0]).collect()
		};
		assert!(kmses(&[row(1, None, true), row(2, Some(9), false)]).is_empty());
		assert!(kmses(&[row(1, None, true), row(2, Some(9), true)]).is_empty());
		// Neither does it lead readers of an encrypted version to another KMS.
		assert_eq!(kmses(&[row(2, Some(9), false), row(1, Some(1), true)]), [1]);
		assert_eq!(kmses(&[row(2, Some(9), true), row(1, Some(1), true)]), [9, 1]);
		// Nothing is final yet.
		assert_eq!(kmses(&[row(1, Some(1), false)]), [1]);
	}
}
