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
		Arc, Mutex, MutexGuard, PoisonError,
	},
	thread::{self, JoinHandle},
	time::Duration,
};

use content_fabric_client::{
	chain::wall_clock,
	kms::{AtBlock, Receipt, Receipts as Page},
	profile::hash,
	text::printable,
};
use content_fabric_identifiers::{KmsId, Muid, TenantId, VersionId};
use content_fabric_primitives::Until;
use serde::Serialize;
use serde_json::Value;
use subxt::utils::AccountId32;
use tokio::sync::oneshot;
use tracing::{error, info, warn};

use crate::error::Error;

/// Name of the file.
const NAME: &str = "receipts.jsonl";
/// Number of bytes of a line, with its end.
const LINE: u64 = 320;
/// The format of the log.
const FORMAT: &str = "content-fabric/receipts/v1";
/// Largest number of receipts that are written at once.
const BATCH: usize = 256;
/// Interval at which a log that cannot be written is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// The KMS and the chain that the receipts are of.
#[derive(Clone, Debug, Serialize)]
pub struct Owner {
	/// The genesis hash of the chain.
	#[serde(with = "hash")]
	pub genesis: [u8; 32],
	/// The tenant.
	pub tenant: TenantId,
	/// When the tenant was created. Another one may have its id later.
	pub created: Muid,
	/// The KMS.
	pub kms: KmsId,
}

/// The first line.
#[derive(Serialize)]
struct Head {
	format: &'static str,
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
	log: Arc<Log>,
	/// The writer ends when nobody can send. `None` while the log is dropped.
	releases: Option<Sender<(Release, Done)>>,
	writer: Option<JoinHandle<()>>,
}

/// Receives whether a receipt is on the disk.
type Done = oneshot::Sender<bool>;

impl Receipts {
	/// Returns whether a folder has no log yet.
	pub fn is_new(folder: &Path) -> bool {
		!folder.join(NAME).exists()
	}

	/// Opens the log in a folder, or makes it. Cuts off what a crash has left of receipts that were
	/// being written.
	pub fn open(folder: &Path, owner: Owner) -> Result<Self, Error> {
		std::fs::create_dir_all(folder).map_err(Error::file(folder, "cannot be made"))?;
		let path = folder.join(NAME);
		let unusable = Error::file::<String>(&path, "cannot be used as the log of receipts");
		let failed = |error: io::Error| unusable(error.to_string());
		let mut options = OpenOptions::new();
		options.read(true).write(true).create(true).truncate(false).mode(0o600);
		let file = options.open(&path).map_err(failed)?;
		file.try_lock().map_err(|error| match error {
			TryLockError::WouldBlock => unusable("another process has it".into()),
			TryLockError::Error(error) => failed(error),
		})?;
		let head = line(&Head { format: FORMAT, owner }).map_err(failed)?;
		let length = file.metadata().map_err(failed)?.len();
		if length < LINE {
			// Its first line has never been whole, so there was no receipt.
			let made = file.set_len(0).and_then(|()| file.write_all_at(&head, 0));
			let made = made.and_then(|()| file.sync_all());
			made.and_then(|()| File::open(folder)?.sync_all()).map_err(failed)?;
		}
		let mut found = [0; LINE as usize];
		file.read_exact_at(&mut found, 0).map_err(failed)?;
		if found[..] != head {
			let remedy = match is_of_same_ids(&found, &head) {
				true => {
					"make a new identity and name another --data, because this is another tenant, whose \
					 readers must not get the keys of these files"
				},
				false => "name another --data",
			};
			let [found, expected] =
				[&found[..], &head].map(|line| printable(String::from_utf8_lossy(line).trim_end()));
			return Err(unusable(format!("it begins with {found}, expected {expected}: {remedy}")));
		}
		let count = sound(&file).map_err(failed)?.ok_or_else(|| {
			unusable(format!("its last {BATCH} lines are damaged: put a copy of it in its place"))
		})?;
		let end = (count + 1) * LINE;
		if let Some(torn) = length.checked_sub(end).filter(|torn| *torn > 0) {
			warn!("removed {torn} bytes of unfinished receipts from the end of the log");
			file.set_len(end).and_then(|()| file.sync_all()).map_err(failed)?;
		}
		let (releases, arriving) = channel();
		let log = Arc::new(Log { file, count: count.into(), fault: Mutex::default() });
		let writing = log.clone();
		let writer = Some(thread::spawn(move || writing.write_all(&arriving)));
		Ok(Self { log, releases: Some(releases), writer })
	}

	/// Writes the receipt of a key. Returns whether it is on the disk: only then may the key leave.
	pub async fn write(&self, release: Release) -> bool {
		let (done, written) = oneshot::channel();
		let sent = self.releases.as_ref().map(|releases| releases.send((release, done)));
		matches!(sent, Some(Ok(()))) && written.await.unwrap_or(false)
	}

	/// Returns the number of receipts.
	pub fn count(&self) -> u64 {
		self.log.count.load(Ordering::Acquire)
	}

	/// Returns the reason why no receipt can be written, since the last one could not.
	pub fn fault(&self) -> Option<String> {
		self.log.fault().clone()
	}

	/// Reads at most `limit` receipts after a number.
	pub fn page(&self, after: u64, limit: u64) -> io::Result<Page> {
		let count = self.count();
		let number = count.saturating_sub(after).min(limit);
		let mut bytes = vec![0; usize::try_from(number * LINE).map_err(io::Error::other)?];
		if number > 0 {
			self.log.file.read_exact_at(&mut bytes, (after + 1) * LINE)?;
		}
		let lines = bytes.chunks_exact(LINE as usize).zip(after.saturating_add(1)..);
		let receipts =
			lines.map(|(line, number)| receipt(line, number)).collect::<Result<_, _>>()?;
		let last = after.saturating_add(number);
		Ok(Page { receipts, next: (last < count).then_some(last) })
	}
}

/// Returns whether two first lines name the same ids. If they differ all the same, an id is now of
/// another tenant.
fn is_of_same_ids(one: &[u8], other: &[u8]) -> bool {
	let ids = |line| {
		let head: Value = serde_json::from_slice(line).ok()?;
		Some([head["format"].clone(), head["tenant"].clone(), head["kms"].clone()])
	};
	ids(one).is_some_and(|found| Some(found) == ids(other))
}

impl Drop for Receipts {
	/// Waits until all is written, and another process can have the log.
	fn drop(&mut self) {
		drop(self.releases.take());
		if self.writer.take().is_some_and(|writer| writer.join().is_err()) {
			error!("the thread that writes receipts has failed");
		}
	}
}

/// The file, of which a thread writes many receipts at once.
struct Log {
	file: File,
	/// Number of receipts that are on the disk.
	count: AtomicU64,
	/// The reason why the log cannot be written, since a write has failed.
	fault: Mutex<Option<String>>,
}

impl Log {
	/// Writes what arrives until nobody can send.
	fn write_all(&self, arriving: &Receiver<(Release, Done)>) {
		loop {
			match arriving.recv_timeout(AGAIN) {
				Ok(first) => {
					let batch = std::iter::once(first).chain(arriving.try_iter().take(BATCH - 1));
					let (releases, done): (Vec<_>, Vec<_>) = batch.unzip();
					let is_written = self.note(self.append(&releases));
					for done in done {
						// Its client may be gone. The receipt stays.
						let _ = done.send(is_written);
					}
				},
				// After a failure, tries to write a receipt that is removed at once.
				Err(RecvTimeoutError::Timeout) if self.fault().is_some() => {
					let end = self.end();
					let written = self.put(&[b' '; LINE as usize], end);
					self.note(written.and_then(|()| self.file.set_len(end)));
				},
				Err(RecvTimeoutError::Timeout) => {},
				Err(RecvTimeoutError::Disconnected) => return,
			}
		}
	}

	fn append(&self, releases: &[Release]) -> io::Result<()> {
		let (mut bytes, end) = (Vec::with_capacity(releases.len() * LINE as usize), self.end());
		let time = Until::new(wall_clock() / 1_000_000).to_string();
		for (Release { account, version, block }, number) in releases.iter().zip(end / LINE..) {
			let (account, version, block, time) = (*account, *version, *block, time.clone());
			bytes.extend(line(&Receipt { number, time, account, version, block })?);
		}
		self.put(&bytes, end)?;
		self.count.fetch_add(releases.len() as u64, Ordering::AcqRel);
		Ok(())
	}

	/// Writes bytes at the end of the log. If that fails, removes them.
	fn put(&self, bytes: &[u8], end: u64) -> io::Result<()> {
		let written = self.file.write_all_at(bytes, end).and_then(|()| self.file.sync_data());
		if written.is_err() {
			// A part that stays is overwritten by the next receipt, or cut off at the next start.
			let _ = self.file.set_len(end);
		}
		written
	}

	/// Notes whether the log can be written, and returns it.
	fn note(&self, written: io::Result<()>) -> bool {
		let (mut fault, reason) = (self.fault(), written.err().map(|error| error.to_string()));
		match (&*fault, &reason) {
			(None, Some(reason)) => {
				error!("no key is given: a receipt cannot be written: {reason}")
			},
			(Some(_), None) => info!("receipts can be written again"),
			_ => {},
		}
		*fault = reason;
		fault.is_none()
	}

	fn fault(&self) -> MutexGuard<'_, Option<String>> {
		self.fault.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Returns the length of the log, which begins with a line of its own.
	fn end(&self) -> u64 {
		(self.count.load(Ordering::Acquire) + 1) * LINE
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

#[cfg(test)]
mod tests {
	use std::fs;

	use super::*;

	const OWNER: Owner = Owner {
		genesis: [1; 32],
		tenant: TenantId([2; 10]),
		created: Muid::from_u128(1),
		kms: KmsId([3; 10]),
	};
	const SIZE: usize = LINE as usize;

	fn open(folder: &Path) -> Receipts {
		Receipts::open(folder, OWNER).expect("it is its log")
	}

	fn release(number: u64) -> Release {
		let block = AtBlock { number, hash: [number as u8; 32] };
		Release { account: AccountId32([number as u8; 32]), version: None, block }
	}

	fn refusal(folder: &Path, owner: Owner) -> String {
		Receipts::open(folder, owner).map(drop).expect_err("it is refused").to_string()
	}

	/// Makes a log with this number of receipts. Returns its bytes.
	async fn log(folder: &Path, number: u64) -> Vec<u8> {
		let receipts = open(folder);
		for number in 1..=number {
			assert!(receipts.write(release(number)).await);
		}
		assert_eq!(receipts.count(), number);
		fs::read(folder.join("receipts.jsonl")).expect("it is there")
	}

	#[test]
	fn the_longest_lines_fit() {
		let longest = Receipt {
			number: u64::MAX,
			time: Until::new(u64::MAX).to_string(),
			account: AccountId32([255; 32]),
			version: Some(VersionId([255; 32])),
			block: AtBlock { number: u64::MAX, hash: [255; 32] },
		};
		for line in [line(&longest), line(&Head { format: FORMAT, owner: OWNER })] {
			assert_eq!(line.expect("it fits").len(), SIZE);
		}
		assert!(line(&"x".repeat(SIZE)).is_err());
	}

	#[tokio::test]
	async fn pages_are_read_by_number() {
		let dir = tempfile::tempdir().expect("there is room");
		let bytes = log(dir.path(), 5).await;
		let lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
		assert_eq!((lines.len(), lines[6]), (7, &b""[..]));
		let receipts = open(dir.path());
		for (after, limit, numbers, next) in [
			(0, 2, &[1, 2][..], Some(2)),
			(2, 2, &[3, 4], Some(4)),
			(4, 2, &[5], None),
			(3, 2, &[4, 5], None),
			(5, 2, &[], None),
			(u64::MAX, 2, &[], None),
		] {
			let page = receipts.page(after, limit).expect("it is readable");
			let found: Vec<_> = page.receipts.iter().map(|receipt| receipt.number).collect();
			assert_eq!((&*found, page.next), (numbers, next), "{after} {limit}");
		}
		let first = receipts.page(0, 1).expect("it is readable").receipts.remove(0);
		assert_eq!((first.account, first.block), (release(1).account, release(1).block));
	}

	#[tokio::test]
	async fn what_a_crash_leaves_is_cut_off_and_whole_receipts_stay() {
		let dir = tempfile::tempdir().expect("there is room");
		let bytes = log(dir.path(), 3).await;
		let path = dir.path().join("receipts.jsonl");
		for (left, count) in [
			(bytes[..4 * SIZE - 1].to_vec(), 2),
			(bytes[..3 * SIZE + 1].to_vec(), 2),
			([&bytes[..], b"{"].concat(), 3),
			([&bytes[..], &[0; 2 * SIZE]].concat(), 3),
			// A receipt that is not the next one.
			([&bytes[..], &bytes[SIZE..2 * SIZE]].concat(), 3),
			(bytes[..SIZE + 7].to_vec(), 0),
			(bytes[..SIZE - 1].to_vec(), 0),
			(vec![], 0),
		] {
			fs::write(&path, &left).expect("there is room");
			let receipts = open(dir.path());
			assert_eq!(receipts.count(), count, "{}", left.len());
			assert!(receipts.write(release(count + 1)).await);
			assert_eq!(receipts.page(count, 9).expect("it is readable").receipts.len(), 1);
			drop(receipts);
			assert_eq!(fs::metadata(&path).expect("it is there").len(), (count + 2) * LINE);
		}
	}

	#[tokio::test]
	async fn a_log_of_another_kms_or_one_that_is_in_use_or_damaged_is_refused() {
		let dir = tempfile::tempdir().expect("there is room");
		let bytes = log(dir.path(), 3).await;
		let (new, same) = (": make a new identity and name another", ": name another --data");
		for (owner, field, remedy) in [
			(Owner { genesis: [9; 32], ..OWNER }, "\"genesis\":\"0x0909", new),
			(Owner { tenant: TenantId([9; 10]), ..OWNER }, "\"tenant\":\"iten", same),
			(Owner { created: Muid::from_u128(2), ..OWNER }, "\"created\":", new),
			(Owner { kms: KmsId([9; 10]), ..OWNER }, "\"kms\":\"ikms", same),
		] {
			let error = refusal(dir.path(), owner);
			let (found, expected) = error.split_once(", expected ").expect("it has both");
			assert!(
				found.contains("it begins with {\"format\"") && found.contains("ikms"),
				"{error}"
			);
			assert!(expected.contains(field) && expected.contains(remedy), "{error}");
		}
		let receipts = open(dir.path());
		let error = refusal(dir.path(), OWNER);
		assert!(error.contains("another process has it"), "{error}");
		drop(receipts);
		let path = dir.path().join("receipts.jsonl");
		let other = String::from_utf8_lossy(&bytes).replacen("receipts/v1", "receipts/v2", 1);
		for (bytes, reason) in [
			(other.into_bytes(), "receipts/v2"),
			(vec![b'x'; 2 * SIZE], "it begins with xxx"),
			([&bytes[..], &[0; (BATCH + 1) * SIZE]].concat(), "its last 256 lines are damaged"),
		] {
			fs::write(&path, &bytes).expect("there is room");
			let error = refusal(dir.path(), OWNER);
			assert!(error.contains(reason), "{error}");
			assert_eq!(fs::read(&path).expect("it is there"), bytes);
		}
		// A receipt in the middle is not noticed before somebody asks for it.
		let mut damaged = bytes.clone();
		damaged[SIZE] = b'x';
		fs::write(&path, &damaged).expect("there is room");
		let receipts = open(dir.path());
		let error = receipts.page(0, 3).expect_err("it is damaged").to_string();
		assert_eq!(error, "the receipt 1 is damaged");
		assert_eq!(receipts.page(1, 3).expect("others are whole").receipts.len(), 2);
	}
}
