// SPDX-License-Identifier: Apache-2.0
//! The log of receipts: a line of JSON for each file key that was given.
//!
//! All lines have the same length, so a receipt is found by its number, however many there are. The
//! first line says whose receipts they are.

use std::{
	fs::{File, OpenOptions, TryLockError},
	io,
	os::unix::fs::{FileExt, OpenOptionsExt},
	path::Path,
	sync::{
		atomic::{AtomicU64, Ordering},
		mpsc::{channel, Receiver, RecvTimeoutError, Sender},
		Arc, Mutex, PoisonError,
	},
	thread,
	time::Duration,
};

use content_fabric_client::{
	chain::wall_clock,
	kms::{AtBlock, Receipt, Receipts as Page},
	profile::hash,
};
use content_fabric_identifiers::{KmsId, TenantId, VersionId};
use content_fabric_primitives::Until;
use serde::{Deserialize, Serialize};
use subxt::utils::AccountId32;
use tokio::sync::oneshot;
use tracing::{error, info, warn};

use crate::error::Error;

/// Number of bytes of a line, with its end.
const LINE: u64 = 320;
/// The format of the log.
const FORMAT: &str = "content-fabric/receipts/v1";
/// Largest number of receipts that are written at once.
const BATCH: usize = 256;
/// Interval at which a log that cannot be written is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// The KMS and the chain that the receipts are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
	/// The genesis hash of the chain.
	#[serde(with = "hash")]
	pub genesis: [u8; 32],
	/// The tenant.
	pub tenant: TenantId,
	/// The KMS.
	pub kms: KmsId,
}

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
	format: String,
	#[serde(flatten)]
	owner: Owner,
}

/// A key that is about to be given.
#[derive(Debug)]
pub struct Release {
	/// The account that gets it.
	pub account: AccountId32,
	/// The version that it named, if it did.
	pub version: Option<VersionId>,
	/// The final block in which it had the level.
	pub block: AtBlock,
}

/// The log. One process writes it.
pub struct Receipts {
	file: Arc<File>,
	/// Number of receipts that are on the disk.
	count: Arc<AtomicU64>,
	/// The reason why the log cannot be written, since a write has failed.
	fault: Arc<Mutex<Option<String>>>,
	releases: Sender<(Release, Done)>,
}

/// Is told whether a receipt is on the disk.
type Done = oneshot::Sender<bool>;

impl Receipts {
	/// Opens the log in a folder, or makes it. Cuts off what a crash has left of receipts that were
	/// being written.
	pub fn open(folder: &Path, owner: Owner) -> Result<Self, Error> {
		std::fs::create_dir_all(folder).map_err(Error::file(folder, "made"))?;
		let path = folder.join("receipts.jsonl");
		let unusable = |reason: String| Error::Receipts { path: path.clone(), reason };
		let failed = |error: io::Error| unusable(error.to_string());
		let mut options = OpenOptions::new();
		options.read(true).write(true).create(true).truncate(false).mode(0o600);
		let file = options.open(&path).map_err(failed)?;
		file.try_lock().map_err(|error| match error {
			TryLockError::WouldBlock => unusable("another process has it".into()),
			TryLockError::Error(error) => failed(error),
		})?;
		let head = Head { format: FORMAT.into(), owner };
		let length = file.metadata().map_err(failed)?.len();
		if length < LINE {
			// Its first line has never been whole, so there was no receipt.
			file.set_len(0).map_err(failed)?;
			let line = line(&head).map_err(failed)?;
			file.write_all_at(&line, 0).map_err(failed)?;
			file.sync_all().map_err(failed)?;
			File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
		} else {
			let mut bytes = [0; LINE as usize];
			file.read_exact_at(&mut bytes, 0).map_err(failed)?;
			match serde_json::from_slice::<Head>(&bytes) {
				Ok(found) if found == head => {},
				Ok(Head { format, .. }) if format != FORMAT => {
					return Err(unusable(format!("it has the format {format}, expected {FORMAT}")));
				},
				Ok(Head { owner: Owner { genesis, tenant, kms }, .. }) => {
					let genesis = hash::to_text(&genesis);
					return Err(unusable(format!(
						"it is of the KMS {kms} of the tenant {tenant} on the chain with the genesis hash \
						 {genesis}: name another --data"
					)));
				},
				Err(error) => return Err(unusable(format!("its first line is damaged: {error}"))),
			}
		}
		let count = sound(&file).map_err(failed)?.ok_or_else(|| {
			unusable(format!("its last {BATCH} lines are damaged: put a copy of it in its place"))
		})?;
		let end = (count + 1) * LINE;
		if let Some(torn) = length.checked_sub(end).filter(|torn| *torn > 0) {
			warn!(
				"cut {torn} bytes off the log of receipts, of receipts that were not written whole"
			);
			file.set_len(end).and_then(|()| file.sync_all()).map_err(failed)?;
		}
		let (releases, arriving) = channel();
		let (file, count) = (Arc::new(file), Arc::new(AtomicU64::new(count)));
		let fault = Arc::default();
		let writer = Writer { file: file.clone(), count: count.clone(), fault: Arc::clone(&fault) };
		thread::spawn(move || writer.run(&arriving));
		Ok(Self { file, count, fault, releases })
	}

	/// Writes the receipt of a key. Returns whether it is on the disk: only then may the key leave.
	pub async fn write(&self, release: Release) -> bool {
		let (done, written) = oneshot::channel();
		self.releases.send((release, done)).is_ok() && written.await.unwrap_or(false)
	}

	/// Returns the number of receipts.
	pub fn count(&self) -> u64 {
		self.count.load(Ordering::Acquire)
	}

	/// Returns the reason why no receipt can be written, since the last one could not.
	pub fn fault(&self) -> Option<String> {
		self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
	}

	/// Reads at most `limit` receipts after a number.
	pub fn page(&self, after: u64, limit: u64) -> io::Result<Page> {
		let count = self.count();
		let number = count.saturating_sub(after).min(limit);
		let mut bytes = vec![0; usize::try_from(number * LINE).map_err(io::Error::other)?];
		if number > 0 {
			self.file.read_exact_at(&mut bytes, (after + 1) * LINE)?;
		}
		let lines = bytes.chunks_exact(LINE as usize).zip(after + 1..);
		let receipts: Vec<_> =
			lines.map(|(line, number)| receipt(line, number)).collect::<Result<_, _>>()?;
		let last = after.saturating_add(number);
		Ok(Page { receipts, next: (last < count).then_some(last) })
	}
}

/// The thread that writes, many receipts at once.
struct Writer {
	file: Arc<File>,
	count: Arc<AtomicU64>,
	fault: Arc<Mutex<Option<String>>>,
}

impl Writer {
	fn run(&self, arriving: &Receiver<(Release, Done)>) {
		loop {
			let first = match arriving.recv_timeout(AGAIN) {
				Ok(first) => first,
				Err(RecvTimeoutError::Timeout) => {
					self.try_again();
					continue;
				},
				Err(RecvTimeoutError::Disconnected) => return,
			};
			let (releases, done): (Vec<_>, Vec<_>) =
				std::iter::once(first).chain(arriving.try_iter().take(BATCH - 1)).unzip();
			let written = self.append(&releases);
			self.note(&written);
			for done in done {
				// Its client may be gone. The receipt stays.
				let _ = done.send(written.is_ok());
			}
		}
	}

	fn append(&self, releases: &[Release]) -> io::Result<()> {
		let count = self.count.load(Ordering::Acquire);
		let time = Until::new(wall_clock() / 1_000_000).to_string();
		let mut bytes = Vec::with_capacity(releases.len() * LINE as usize);
		for (Release { account, version, block }, number) in releases.iter().zip(count + 1..) {
			let (account, version, block, time) = (*account, *version, *block, time.clone());
			bytes.extend(line(&Receipt { number, time, account, version, block })?);
		}
		self.put(&bytes, (count + 1) * LINE)?;
		self.count.fetch_add(releases.len() as u64, Ordering::AcqRel);
		Ok(())
	}

	/// Writes bytes at the end of the log. If that fails, removes them.
	fn put(&self, bytes: &[u8], end: u64) -> io::Result<()> {
		let written = self.file.write_all_at(bytes, end).and_then(|()| self.file.sync_data());
		if written.is_err() {
			// What stays is overwritten by the next receipt, or cut off at the next start.
			let _ = self.file.set_len(end);
		}
		written
	}

	/// After a failure, tries to write a receipt that is removed at once.
	fn try_again(&self) {
		if self.fault.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
			let end = (self.count.load(Ordering::Acquire) + 1) * LINE;
			let written = self.put(&[b' '; LINE as usize], end);
			self.note(&written.and_then(|()| self.file.set_len(end)));
		}
	}

	fn note(&self, written: &io::Result<()>) {
		let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
		let reason = written.as_ref().err().map(io::Error::to_string);
		match (&*fault, &reason) {
			(None, Some(reason)) => {
				error!("no key is given: a receipt cannot be written: {reason}")
			},
			(Some(_), None) => info!("receipts can be written again"),
			_ => {},
		}
		*fault = reason;
	}
}

/// Returns a line.
fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
	let mut line = serde_json::to_vec(value)?;
	if line.len() >= LINE as usize {
		return Err(io::Error::other("a line is too long"));
	}
	line.resize(LINE as usize - 1, b' ');
	line.push(b'\n');
	Ok(line)
}

/// Reads the receipt with a number.
fn receipt(line: &[u8], number: u64) -> io::Result<Receipt> {
	match serde_json::from_slice::<Receipt>(line) {
		Ok(receipt) if receipt.number == number && line.ends_with(b"\n") => Ok(receipt),
		_ => Err(io::Error::other(format!("the receipt {number} is damaged"))),
	}
}

/// Returns the number of receipts up to the last one that is whole. `None` if more are not than a
/// crash can leave.
fn sound(file: &File) -> io::Result<Option<u64>> {
	let lines = file.metadata()?.len() / LINE;
	let mut bytes = [0; LINE as usize];
	for number in (0..lines).rev().take(BATCH + 1) {
		file.read_exact_at(&mut bytes, number * LINE)?;
		if number == 0 || receipt(&bytes, number).is_ok() {
			return Ok(Some(number));
		}
	}
	Ok(None)
}
