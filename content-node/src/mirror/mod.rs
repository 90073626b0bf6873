// SPDX-License-Identifier: Apache-2.0
//! Brings bytes from other nodes: of versions that this node was asked to hold, and of copies that
//! are damaged or missing.
//!
//! The client's downloads verify all bytes, resume where an earlier one was cut, and ask the next
//! node when one fails. The bytes that have arrived stay in a folder of their own until a version is
//! complete, but for the first attempt at a tiny one.

mod pace;
mod wishes;

use std::{
	collections::{HashMap, HashSet},
	fs::{self, File},
	io,
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicBool, Ordering},
		Arc, Mutex, MutexGuard, PoisonError,
	},
	time::Duration,
};

use clap::Args;
use content_fabric_client::{
	chain::{rows, Snapshot},
	content_node::{self, Access, FetchError, Fetcher, Meter, NodeError, Notes, Wanted},
	folder::Folder,
	text::count,
};
use content_fabric_identifiers::{HashKind, VersionId};
use futures::{
	future::join_all,
	stream::{self, StreamExt},
};
use schnellru::{ByLength, LruMap};
use tokio::{
	sync::watch,
	task::spawn_blocking,
	time::{sleep, Instant},
};
use tracing::{debug, error, info, warn};

use self::{
	pace::Rate,
	wishes::{in_turn, Verdict, Wishes},
};
use crate::{
	chain::{Fabric, Refusal},
	error::Error,
	keep::{
		upload::{Claim, Uploads},
		Keep, Row, VersionKey,
	},
	log::Bounded,
	now_seconds,
	store::{blocking, file_error, outboard::has_outboard, Store, StoreError},
	verify::Verifier,
};

/// Number of downloads at the same time, besides one that only heals: new copies of slow nodes do not
/// keep damaged ones waiting.
const WORKERS: usize = 4;
/// Number of small versions that a worker downloads at the same time. They mostly wait for the disk,
/// and one synchronization serves many.
const AT_ONCE: usize = 4;
/// Number of files that all downloads together may have open.
pub const FILES: usize = (WORKERS + 1) * AT_ONCE * 4;
/// Largest number of bytes of a small version.
const SMALL: u64 = 1 << 20;
/// Largest number of bytes of a version that is first downloaded into memory. If that fails, the next
/// attempts keep what has arrived in a file, as for larger versions. A look for such a file would take
/// longer than most of these downloads.
const TINY: u64 = 128 << 10;
/// Pause when there is nothing to do.
const IDLE: Duration = Duration::from_secs(1);
/// Pause after a problem of this machine or of the chain.
const SOME: Duration = Duration::from_secs(6);
/// Interval at which a reason is logged again.
const AGAIN: Duration = Duration::from_secs(3_600);
/// Longest time for which another node may send bytes of a version. Others wait meanwhile.
const SLICE: Duration = Duration::from_secs(300);
/// Interval at which a download asks whether its version is still wanted.
const LOOK: Duration = Duration::from_millis(200);
/// Largest number of notes about other nodes that are logged within a minute.
const NOTES: u32 = 20;

/// The ends of damaged copies: replaced, or lost.
static COPIES: Bounded = Bounded::new(100);

/// Options of downloads from other nodes.
#[derive(Debug, Args)]
pub struct Options {
	/// Do not get versions that this node was only asked to hold. Damaged and missing copies are still
	/// replaced
	#[arg(long)]
	no_mirror: bool,
	/// Maximum number of bytes to get from other nodes in a second, at least 1024 [default: no limit]
	#[arg(
		long,
		value_name = "BYTES",
		default_value_t = u64::MAX,
		hide_default_value = true,
		value_parser = clap::value_parser!(u64).range(1024..)
	)]
	mirror_rate: u64,
	/// Connect to other nodes at any address, also in the network of this machine
	#[arg(long)]
	mirror_private: bool,
}

/// The state of the downloads.
#[derive(Debug, Default)]
pub struct Progress {
	/// The damaged and missing copies that no other node has.
	lost: Mutex<HashSet<VersionId>>,
	/// True once the stored objects that the record lacks were examined.
	may_begin: watch::Sender<bool>,
}

impl Progress {
	/// Lets downloads begin: the bytes that the store has are recorded.
	pub fn begin(&self) {
		self.may_begin.send_replace(true);
	}

	/// Returns the number of versions whose bytes no node has.
	pub fn lost(&self) -> usize {
		locked(&self.lost).len()
	}
}

/// Brings bytes from other nodes.
pub struct Mirror {
	keep: Arc<Keep>,
	store: Store,
	uploads: Arc<Uploads>,
	fabric: Arc<Fabric>,
	verifier: Arc<Verifier>,
	/// The folder of the bytes that have arrived.
	folder: PathBuf,
	mirrors: bool,
	access: Access,
	wishes: Mutex<Wishes>,
	/// The numbers of bytes of unfinished downloads, for which room is reserved.
	parts: Mutex<HashMap<VersionId, u64>>,
	notes: Notes,
	/// The reasons that were logged.
	said: Mutex<HashMap<&'static str, Instant>>,
	/// True if downloads end, because the program does.
	ends: Arc<AtomicBool>,
}

/// The chain, the nodes and the folder for the downloads of a round.
struct Means<'a> {
	at: &'a Snapshot,
	fetcher: Fetcher<'a>,
	folder: Arc<Folder>,
}

/// A version to be downloaded.
struct Wish {
	version: VersionId,
	/// The rows that want the bytes, which agree about kind and size.
	rows: Vec<(VersionKey, Row)>,
	/// True if the chain knows that this node holds it.
	heals: bool,
	/// True if it is downloaded into memory.
	is_tiny: bool,
}

impl Wish {
	/// Returns the number of bytes that the rows declare.
	fn size(&self) -> u64 {
		self.rows.first().map_or(0, |(_, row)| row.size)
	}
}

/// The end of an attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
	/// The bytes are here, or are no longer wanted.
	Done,
	/// There is no room.
	NoRoom,
	/// No node has sent all of them, but there are more than before.
	Partly,
	/// No node has sent them.
	Failed,
}

impl Mirror {
	/// Makes the downloads of a node with its data in a folder.
	pub fn new(
		options: &Options,
		data: &Path,
		(keep, store, uploads): (Arc<Keep>, Store, Arc<Uploads>),
		fabric: Arc<Fabric>,
		verifier: Arc<Verifier>,
	) -> Self {
		let ends = Arc::new(AtomicBool::new(false));
		let meter = meter(options.mirror_rate, keep.clone(), uploads.clone(), ends.clone());
		Self {
			keep,
			store,
			uploads,
			fabric,
			verifier,
			folder: data.join("pulls"),
			mirrors: !options.no_mirror,
			access: Access { private: options.mirror_private, meter, time: SLICE },
			wishes: Mutex::default(),
			parts: Mutex::default(),
			notes: notes(),
			said: Mutex::default(),
			ends,
		}
	}

	/// Downloads what is wanted, without end.
	pub async fn keep_mirroring(&self) {
		if self.keep.read_only().is_some() {
			return std::future::pending().await;
		}
		// The sender lives as long as this.
		let _ = self.fabric.pulls.may_begin.subscribe().wait_for(|may| *may).await;
		self.tidy();
		join_all((0..=WORKERS).map(|worker| self.work(worker == 0 || !self.mirrors))).await;
	}

	async fn work(&self, only_heals: bool) {
		loop {
			self.fabric.until_followed().await;
			let start = Instant::now();
			let pause = match self.round(only_heals).await {
				Ok(true) => continue,
				// The record may have many rows that are not due.
				Ok(false) => IDLE.max(start.elapsed() * 20),
				Err(error) => {
					self.say("failed", || {
						warn!("bytes of other nodes cannot be downloaded now: {error}")
					});
					SOME
				},
			};
			sleep(pause).await;
		}
	}

	/// Downloads some versions. Returns whether there were any.
	async fn round(&self, only_heals: bool) -> Result<bool, Error> {
		let batch = self.batch(only_heals)?;
		if batch.is_empty() {
			return Ok(false);
		}
		let mut left =
			Left { mirror: self, versions: batch.iter().map(|wish| wish.version).collect() };
		let keys: Vec<_> = batch.iter().flat_map(|wish| &wish.rows).map(|(key, _)| *key).collect();
		let (at, found) = self.fabric.copies_of_others(&keys).await?;
		let versions = batch.iter().map(|wish| wish.version).collect();
		let folder = self.folder.clone();
		let open = move || Folder::open(folder.clone()).map_err(file_error("opened", &folder));
		let folder = Arc::new(blocking(open).await?);
		let fetcher = Fetcher::new(&at, versions, self.notes.clone()).await?;
		let fetcher = fetcher.with_access(self.access.clone());
		let means = Means { at: &at, fetcher, folder };
		let (mut found, mut groups) = (found.into_iter(), [Vec::new(), Vec::new()]);
		for wish in batch {
			let copies: Vec<_> = found.by_ref().take(wish.rows.len()).flatten().collect();
			groups[usize::from(wish.size() > SMALL)].push((wish, copies));
		}
		let (mut brought, mut bytes) = (0usize, 0);
		for (group, at_once) in groups.into_iter().zip([AT_ONCE, 1]) {
			let attempts = group.into_iter().map(async |(wish, copies): (Wish, _)| {
				let attempt = self.measured(&means, &wish, copies).await?;
				let is_held = self.keep.held(wish.version)?.is_some();
				Ok::<_, Error>((wish, attempt, is_held))
			});
			let mut attempts = stream::iter(attempts).buffer_unordered(at_once);
			let mut failed = Ok(());
			// All of them end: what they have begun goes on in other threads.
			while let Some(tried) = attempts.next().await {
				let (wish, attempt, is_held) = match tried {
					Ok(tried) => tried,
					Err(error) => {
						failed = failed.and(Err(error));
						continue;
					},
				};
				left.end(wish.version, attempt);
				if attempt == Attempt::Done && is_held {
					brought += 1;
					bytes += wish.size();
				}
			}
			failed?;
		}
		if brought > 0 {
			let (versions, bytes) =
				(count(brought, "version", "versions"), count(bytes, "byte", "bytes"));
			info!("got {versions} with {bytes} from other nodes");
		}
		Ok(true)
	}

	/// Takes the next versions.
	fn batch(&self, only_heals: bool) -> Result<Vec<Wish>, Error> {
		let mut wishes = locked(&self.wishes);
		let is_idle = wishes.is_idle();
		let mut lost = locked(&self.fabric.pulls.lost);
		let now = Instant::now().into_std();
		let batch = wishes.batch(&self.keep, only_heals, &mut lost, now, |version, attempts| {
			// Nothing needs the bytes for now: the version may be deleted.
			let Some(wish) = self.wish(version, attempts)? else { return Ok(Verdict::Unneeded) };
			let size = wish.size();
			Ok(match wish.heals || self.has_room(size)? {
				true => Verdict::Take(wish, size),
				false => Verdict::NoRoom,
			})
		});
		drop((wishes, lost));
		let batch = batch?;
		if batch.is_empty() && is_idle {
			self.tidy();
		}
		Ok(batch)
	}

	/// Returns the rows that want the bytes of a version. `None` if there are none.
	fn wish(&self, version: VersionId, attempts: usize) -> Result<Option<Wish>, Error> {
		let mut rows = self.keep.lacking(version)?;
		let lacking = rows.len();
		if self.mirrors {
			rows.extend(self.keep.asked_of(version)?);
		}
		let Some((first, heals)) = in_turn(&rows, lacking, attempts) else { return Ok(None) };
		rows.retain(|(_, row)| row.is_of(first.hash, first.size));
		let is_tiny = first.hash == HashKind::Blake3
			&& (1..=TINY).contains(&first.size)
			&& attempts == 0
			&& !locked(&self.parts).contains_key(&version);
		Ok(Some(Wish { version, rows, heals, is_tiny }))
	}

	/// Reserves room for the bytes that unfinished downloads have left: of one version, or of all.
	fn measure(&self, folder: &Folder, version: Option<VersionId>) -> Result<(), Error> {
		let left = folder.leftovers(version).map_err(file_error("read", &self.folder))?;
		let mut lengths = HashMap::<VersionId, u64>::new();
		for (version, length) in left {
			let sum = lengths.entry(version).or_default();
			*sum = sum.saturating_add(length);
		}
		let mut measured: HashSet<_> = lengths.keys().copied().chain(version).collect();
		if version.is_none() {
			measured.extend(locked(&self.parts).keys());
		}
		for version in measured {
			self.note_part(version, lengths.get(&version).copied().unwrap_or_default());
		}
		Ok(())
	}

	/// Returns the number of bytes before.
	fn note_part(&self, version: VersionId, length: u64) -> u64 {
		let mut parts = locked(&self.parts);
		let before = match length {
			0 => parts.remove(&version),
			_ => parts.insert(version, length),
		};
		let before = before.unwrap_or_default();
		self.fabric.reserve_part(before, length);
		before
	}

	/// Returns whether there is room for bytes of this length. If not, logs why.
	fn has_room(&self, size: u64) -> Result<bool, Error> {
		match self.fabric.reserve(size) {
			Ok(_) => Ok(true),
			Err(Refusal::Failed(error)) => Err(error),
			Err(full) => {
				self.say("full", || {
					warn!("versions that this node was asked to hold wait for room: {full}")
				});
				Ok(false)
			},
		}
	}

	/// Brings the bytes of a version here, as [`Self::attempt`] does. Then reserves room for the
	/// bytes of an unfinished download, if it has a file, and finds out whether there are more than
	/// before.
	async fn measured(
		&self,
		means: &Means<'_>,
		wish: &Wish,
		copies: Vec<rows::Version>,
	) -> Result<Attempt, Error> {
		if wish.is_tiny {
			return self.attempt(means, wish, copies).await;
		}
		let before = self.note_part(wish.version, 0);
		let attempt = self.attempt(means, wish, copies).await;
		self.measure(&means.folder, Some(wish.version))?;
		let part = locked(&self.parts).get(&wish.version).copied();
		Ok(match attempt? {
			Attempt::Failed if part > Some(before) => Attempt::Partly,
			attempt => attempt,
		})
	}

	/// Brings the bytes of a version here. `copies` are its rows without the copies of this node.
	async fn attempt(
		&self,
		means: &Means<'_>,
		wish: &Wish,
		mut copies: Vec<rows::Version>,
	) -> Result<Attempt, Error> {
		let Wish { version, rows, heals, .. } = wish;
		let Some((_, row)) = rows.first() else { return Ok(Attempt::Done) };
		// The record may be behind the chain.
		copies.retain(|copy| row.is_of(copy.hash, copy.size.0));
		if !self.keep.wants(*version)? {
			return Ok(Attempt::Done);
		}
		if self.keep.has_bytes(*version, row)? {
			let Some(claim) = self.uploads.claim(*version) else { return Ok(Attempt::Failed) };
			// Bytes that no row needed may have been removed.
			if !self.keep.has_bytes(*version, row)? {
				return Ok(Attempt::Failed);
			}
			return self.record(*version, row, claim).await.map(|()| Attempt::Done);
		}
		// A row without a copy of this node wants no bytes of others.
		if copies.is_empty() {
			return Ok(Attempt::Failed);
		}
		let is_held = |row: &rows::Version| row.copies.iter().any(|copy| copy.held.is_some());
		if !copies.iter().any(is_held) {
			self.note_lost(*version, *heals);
			return Ok(Attempt::Failed);
		}
		// Missing bytes are promised already, and damaged ones held.
		let size = if *heals { 0 } else { row.size };
		let _room = match self.fabric.reserve(size) {
			Ok(room) => room,
			Err(Refusal::Failed(error)) => return Err(error),
			Err(_) => return Ok(Attempt::NoRoom),
		};
		match self.download(means, wish, copies.clone()).await {
			Ok(()) => self.take_in(*version, row, *heals).await,
			Err(FetchError::Node(NodeError::Interrupted)) => {
				if !self.ends.load(Ordering::Relaxed) {
					if self.keep.wants(*version)? {
						return Ok(Attempt::Failed);
					}
					COPIES.log(|| {
						info!("the download of {version} ends: the chain no longer needs it");
					});
					means.folder.discard(*version).map_err(file_error("removed", &self.folder))?;
				}
				Ok(Attempt::Done)
			},
			Err(FetchError::Node(error)) => {
				self.say("disk", || warn!("bytes of other nodes wait for this machine: {error}"));
				Ok(Attempt::NoRoom)
			},
			Err(FetchError::Chain(error)) => Err(error.into()),
			// A whole version is asked for, so no range can be wrong.
			Err(
				error @ (FetchError::Unserved { .. }
				| FetchError::Range { .. }
				| FetchError::WholeOnly(_)),
			) => {
				debug!("{error}");
				if *heals {
					let mut has_any = false;
					for row in &copies {
						let present = means.at.present_copies(row).await?;
						let mut held = row.copies.iter().zip(present);
						has_any |= held.any(|(copy, present)| present && copy.held.is_some());
					}
					if !has_any {
						self.note_lost(*version, true);
					}
				}
				Ok(Attempt::Failed)
			},
		}
	}

	/// Downloads a version into the folder.
	async fn download(
		&self,
		Means { fetcher, folder, .. }: &Means<'_>,
		wish: &Wish,
		copies: Vec<rows::Version>,
	) -> Result<(), FetchError> {
		let wanted = Wanted::new(wish.version, copies, true, hex::encode(wish.version.0));
		if !wish.is_tiny {
			return fetcher.fetch(&wanted, folder, true).await.map(drop);
		}
		let arrived = Arrived::default();
		fetcher.stream(&wanted, Box::new(arrived.clone())).await?;
		let path = self.folder.join(&wanted.target);
		let write = move || {
			fs::write(&path, &*locked(&arrived.0)).map_err(NodeError::file("written", &path))
		};
		Ok(content_node::blocking(write).await?)
	}

	fn note_lost(&self, version: VersionId, heals: bool) {
		if heals && locked(&self.fabric.pulls.lost).insert(version) {
			COPIES.log(|| {
				error!(
					"the bytes of {version} are lost: this node lacks them, and the chain has no other \
					 node that holds them"
				);
			});
		}
	}

	/// Makes downloaded bytes durable, in the store and then in the record.
	async fn take_in(&self, version: VersionId, row: &Row, heals: bool) -> Result<Attempt, Error> {
		let path = self.folder.join(hex::encode(version.0));
		// An upload of the same bytes is in progress.
		let Some(claim) = self.uploads.claim(version) else { return Ok(Attempt::Failed) };
		if !self.keep.wants(version)? {
			fs::remove_file(&path).map_err(file_error("removed", &path))?;
			return Ok(Attempt::Done);
		}
		if !self.keep.has_bytes(version, row)? {
			let file = path.clone();
			let synchronize = move || {
				let synchronized = File::open(&file).and_then(|open| open.sync_all());
				synchronized.map_err(file_error("synchronized", &file))
			};
			blocking(synchronize).await?;
			if has_outboard(row.hash, row.size) {
				let file = File::open(&path).map_err(file_error("read", &path))?;
				let (root, outboard) = self.store.build_of_file(version, file, row.size).await?;
				// The bytes were verified when they arrived.
				if root != version.0 {
					COPIES.log(|| {
						error!("the download of {version} has changed on the disk: it begins anew");
					});
					fs::remove_file(&path).map_err(file_error("removed", &path))?;
					return Ok(Attempt::Failed);
				}
				outboard.keep().await?;
			}
			self.store.adopt(&path, version).await?;
			// If this fails, the bytes are hashed again before the version is finalized.
			if let Err(error) = self.verifier.has_stored(version).await {
				COPIES.log(|| {
					warn!("the stored bytes of {version} cannot be looked up now: {error}");
				});
			}
		}
		self.record(version, row, claim).await?;
		if heals {
			COPIES.log(|| {
				info!("the copy of {version} was replaced with the bytes of another node");
			});
		}
		Ok(Attempt::Done)
	}

	/// Records that the bytes of a version are here, for all rows that want them.
	async fn record(&self, version: VersionId, row: &Row, claim: Claim) -> Result<(), Error> {
		let (keep, Row { hash, size, .. }) = (self.keep.clone(), *row);
		let bring = move || {
			let brought = keep.bring(version, hash, size, now_seconds());
			// Only now may a sweep remove the bytes.
			drop(claim);
			brought
		};
		spawn_blocking(bring).await.map_err(|_| StoreError::Thread)??;
		self.fabric.has_arrived();
		Ok(())
	}

	/// Removes the leftovers of earlier downloads of unwanted versions.
	fn tidy(&self) {
		let keeps = |version| {
			locked(&self.wishes).is_taken(version) || self.keep.wants(version).unwrap_or(true)
		};
		if let Err(error) = tidy(&self.folder, keeps) {
			self.say("tidy", || warn!("old downloads cannot be removed now: {error}"));
		}
		if self.folder.exists() {
			let folder =
				Folder::open(self.folder.clone()).map_err(file_error("opened", &self.folder));
			let measured =
				folder.map_err(Error::from).and_then(|folder| self.measure(&folder, None));
			if let Err(error) = measured {
				self.say("measure", || warn!("old downloads cannot be measured now: {error}"));
			}
		}
	}

	/// Logs a reason of this name, unless that was done within the hour.
	fn say(&self, name: &'static str, log: impl FnOnce()) {
		let mut said = locked(&self.said);
		if said.get(name).is_none_or(|since| since.elapsed() >= AGAIN) {
			said.insert(name, Instant::now());
			log();
		}
	}
}

impl Drop for Mirror {
	fn drop(&mut self) {
		self.ends.store(true, Ordering::Relaxed);
	}
}

/// The bytes of a tiny version.
#[derive(Clone, Default)]
struct Arrived(Arc<Mutex<Vec<u8>>>);

impl io::Write for Arrived {
	fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
		locked(&self.0).write(bytes)
	}

	fn flush(&mut self) -> io::Result<()> {
		Ok(())
	}
}

/// The versions that a worker has taken. Those that it has not tried are due later.
struct Left<'a> {
	mirror: &'a Mirror,
	versions: Vec<VersionId>,
}

impl Left<'_> {
	fn end(&mut self, version: VersionId, attempt: Attempt) {
		self.versions.retain(|left| *left != version);
		let now = Instant::now().into_std();
		let mut wishes = locked(&self.mirror.wishes);
		match attempt {
			Attempt::NoRoom => wishes.lacks_room(version, now),
			Attempt::Partly => wishes.goes_on(version, now),
			attempt => wishes.tried(version, attempt == Attempt::Failed, now),
		}
	}
}

impl Drop for Left<'_> {
	fn drop(&mut self) {
		for version in std::mem::take(&mut self.versions) {
			self.end(version, Attempt::Failed);
		}
	}
}

/// Returns what measures downloads: they keep to the rate, leave the reserve of the disk free, and
/// end when nobody wants the bytes any more.
fn meter(rate: u64, keep: Arc<Keep>, uploads: Arc<Uploads>, ends: Arc<AtomicBool>) -> Meter {
	let rate = Rate::new(rate);
	// When the versions that are downloaded now were last found to be wanted.
	let wanted = Mutex::new(LruMap::<_, Instant>::new(ByLength::new(64)));
	Arc::new(move |version, bytes| {
		let is_wanted = || {
			let mut wanted = locked(&wanted);
			if wanted.get(&version).is_some_and(|since| since.elapsed() < LOOK) {
				return true;
			}
			let wants = keep.wants(version).is_ok_and(|wants| wants);
			if wants {
				wanted.insert(version, Instant::now());
			}
			wants
		};
		let goes_on = || !ends.load(Ordering::Relaxed) && is_wanted();
		rate.wait(bytes, goes_on);
		if !goes_on() {
			return Err(NodeError::Interrupted);
		}
		let full = |reason: StoreError| {
			NodeError::file("written", Path::new("the folder of downloads"))(io::Error::other(
				reason,
			))
		};
		match uploads.room().map_err(full)? {
			0 => Err(NodeError::file("written", Path::new("the folder of downloads"))(
				io::ErrorKind::StorageFull.into(),
			)),
			_ => Ok(()),
		}
	})
}

/// Returns a function that logs failures of other nodes, at most some of them a minute.
fn notes() -> Notes {
	let notes = Bounded::new(NOTES);
	Arc::new(move |note| notes.log(|| info!("{note}")))
}

/// Removes the files of versions that `keeps` rejects from a folder of downloads.
fn tidy(folder: &Path, keeps: impl Fn(VersionId) -> bool) -> io::Result<()> {
	let entries = match fs::read_dir(folder) {
		Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
		entries => entries?,
	};
	for entry in entries {
		let entry = entry?;
		let mut id = [0; 32];
		let is_version =
			hex::decode_to_slice(entry.file_name().as_encoded_bytes(), &mut id).is_ok();
		if is_version && !keeps(VersionId(id)) {
			fs::remove_file(entry.path())?;
		}
	}
	Folder::open(folder.to_owned())?.tidy(keeps)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
	// Every change is whole after each statement.
	mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
