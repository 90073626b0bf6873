// SPDX-License-Identifier: Apache-2.0
//! The results of all audits, in memory and in a file.

use std::{
	collections::{BTreeMap, HashSet},
	fs::{self, File},
	io::{self, ErrorKind, Write},
	path::{Path, PathBuf},
	sync::{Arc, Mutex, MutexGuard, PoisonError},
	time::{Duration, Instant},
};

use codec::{DecodeAll, Encode};
use content_fabric_client::chain::wall_clock;
use content_fabric_identifiers::{Medallion, VersionId};
use sp_crypto_hashing::blake2_256;
use tracing::{info, warn};

use super::{
	ask::{Finding, Outcome},
	history::{CopyEvidence, Evidence, History},
};
use crate::index::view::{Failing, FailingCopies};

/// The name of the file in the data folder of the index.
const FILE: &str = "audits";
/// The first bytes of the file, with the number of its format.
const HEAD: &[u8; 8] = b"audits-2";

/// The histories of nodes, by the medallion: no two nodes of a chain ever have the same.
type Histories = BTreeMap<u64, History>;

/// The results of the audits of all nodes.
#[derive(Clone, Debug, Default)]
pub struct Audits {
	all: Arc<Mutex<All>>,
	/// The file, if there is one.
	path: Option<Arc<Mutex<PathBuf>>>,
}

#[derive(Debug, Default)]
struct All {
	nodes: Histories,
	/// Numbers of results since the start of the process.
	totals: [u64; 4],
	/// The reason why no node is audited now.
	paused: Option<String>,
	/// The time between two audits of a node. Zero without audits.
	interval: Duration,
	/// The time of the last audit, or of the last round without nodes. Without either, the time at
	/// which audits began.
	last: Option<Instant>,
	/// True if the file does not have the latest results.
	is_changed: bool,
}

/// Figures of audits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
	/// Numbers of results since the start of the process, in the order of [`Outcome::ALL`].
	pub totals: [u64; 4],
	/// Number of nodes that fail as a whole.
	pub failing_nodes: usize,
	/// Number of copies that fail by themselves.
	pub failing_copies: usize,
	/// True if no node is audited now, although audits are on.
	pub is_paused: bool,
	/// The time between two audits of a node. Zero without audits.
	pub interval: Duration,
	/// The time since the last audit, or since the last round without nodes. Zero without audits.
	pub age: Duration,
}

/// The file with the results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AuditsError {
	/// It cannot be read or written.
	#[error("the results of audits in {0} cannot be {1}: {2}")]
	File(String, &'static str, io::Error),
	/// It has other bytes than were written.
	#[error(
		"the results of audits in {0} are damaged, or of another version of this program: remove \
		 the file to begin without them"
	)]
	Damaged(String),
}

/// Returns the time in milliseconds since the Unix epoch.
fn now() -> u64 {
	wall_clock() / 1_000
}

impl Audits {
	/// Reads the results that are kept in a folder, and keeps all others there.
	pub fn open(folder: &Path) -> Result<Self, AuditsError> {
		let path = folder.join(FILE);
		let name = || path.display().to_string();
		let nodes = match fs::read(&path) {
			Ok(bytes) => decode(&bytes).ok_or_else(|| AuditsError::Damaged(name()))?,
			Err(error) if error.kind() == ErrorKind::NotFound => Histories::new(),
			Err(error) => return Err(AuditsError::File(name(), "read", error)),
		};
		let all = All { nodes, ..All::default() };
		Ok(Self { all: Arc::new(Mutex::new(all)), path: Some(Arc::new(Mutex::new(path))) })
	}

	/// Writes the results to the file, if they have changed. Blocks, also while another thread writes
	/// them.
	pub fn save(&self) -> Result<(), AuditsError> {
		let Some(path) = &self.path else { return Ok(()) };
		// A panic leaves the path as it is.
		let path = path.lock().unwrap_or_else(PoisonError::into_inner);
		let bytes = {
			let mut all = self.lock();
			if !std::mem::take(&mut all.is_changed) {
				return Ok(());
			}
			encode(&all.nodes)
		};
		replace(&path, &bytes).map_err(|error| {
			self.lock().is_changed = true;
			AuditsError::File(path.display().to_string(), "written", error)
		})
	}

	/// Returns the results of a node. `None` if it has not been audited.
	pub fn of(&self, medallion: Medallion) -> Option<Evidence> {
		self.lock().nodes.get(&medallion.get()).map(|history| history.evidence(now()))
	}

	/// Returns why a copy fails, if it does.
	pub(crate) fn of_copy(&self, medallion: Medallion, version: VersionId) -> Option<CopyEvidence> {
		self.lock().nodes.get(&medallion.get())?.of_copy(version)
	}

	/// Returns all copies that fail.
	pub(crate) fn failing(&self) -> Failing {
		let all = self.lock();
		let failing = all.nodes.iter().filter_map(|(medallion, history)| {
			let copies = match history.is_failing() {
				true => FailingCopies::All,
				false => FailingCopies::These(history.failing().collect()),
			};
			(!copies.is_empty()).then_some((*medallion, copies))
		});
		failing.collect()
	}

	/// Returns the figures.
	pub(crate) fn figures(&self) -> Figures {
		let all = self.lock();
		let nodes = all.nodes.values();
		Figures {
			totals: all.totals,
			failing_nodes: nodes.clone().filter(|history| history.is_failing()).count(),
			failing_copies: nodes.map(|history| history.failing().count()).sum(),
			is_paused: all.paused.is_some(),
			interval: all.interval,
			age: all.last.map_or(Duration::ZERO, |last| last.elapsed()),
		}
	}

	/// Notes that audits of each node begin, with this time between two of them.
	pub(super) fn begin(&self, interval: Duration) {
		let mut all = self.lock();
		all.interval = interval;
		all.last = Some(Instant::now());
	}

	/// Notes a round without nodes.
	pub(super) fn rest(&self) {
		self.lock().last = Some(Instant::now());
	}

	/// Adds what an audit of a node has found.
	pub(super) fn add(&self, medallion: Medallion, found: Finding) {
		let at = now();
		let mut all = self.lock();
		all.is_changed = true;
		all.last = Some(Instant::now());
		let total = &mut all.totals[found.outcome as usize];
		*total = total.saturating_add(1);
		let new = || History::new(found, at);
		all.nodes.entry(medallion.get()).or_insert_with(new).add(found, at);
	}

	/// Adds what a second audit of a copy has found.
	pub(super) fn add_copy(&self, medallion: Medallion, found: Finding) {
		self.change(medallion, |history| history.add_copy(found, now()));
	}

	/// Forgets that a copy failed or was late, because the node no longer holds it.
	pub(super) fn forget(&self, medallion: Medallion, version: VersionId) {
		self.change(medallion, |history| history.forget(version));
	}

	/// Returns the copies of a node to be audited again.
	pub(super) fn suspects(&self, medallion: Medallion) -> Vec<VersionId> {
		let all = self.lock();
		all.nodes.get(&medallion.get()).map(|node| node.suspects().collect()).unwrap_or_default()
	}

	/// Notes why no node is audited now. `None` if nodes are audited.
	pub(super) fn pause(&self, reason: Option<String>) {
		let mut all = self.lock();
		match (&all.paused, &reason) {
			(None, Some(reason)) => warn!("no content node is audited now: {reason}"),
			(Some(_), None) => info!("content nodes are audited again"),
			_ => {},
		}
		all.paused = reason;
	}

	/// Returns why no node is audited now. `None` if nodes are audited, or audits are off.
	pub fn paused(&self) -> Option<String> {
		self.lock().paused.clone()
	}

	/// Forgets all other nodes.
	pub(super) fn retain(&self, medallions: &HashSet<u64>) {
		let mut all = self.lock();
		let before = all.nodes.len();
		all.nodes.retain(|medallion, _| medallions.contains(medallion));
		all.is_changed |= all.nodes.len() < before;
	}

	fn change(&self, medallion: Medallion, change: impl FnOnce(&mut History)) {
		let mut all = self.lock();
		all.is_changed = true;
		if let Some(history) = all.nodes.get_mut(&medallion.get()) {
			change(history);
		}
	}

	fn lock(&self) -> MutexGuard<'_, All> {
		// Each change is whole.
		self.all.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

/// Returns the bytes of the file: the head, the hash of the rest, and the histories.
fn encode(nodes: &Histories) -> Vec<u8> {
	let histories = nodes.encode();
	[&HEAD[..], &blake2_256(&histories)[..], &histories[..]].concat()
}

fn decode(bytes: &[u8]) -> Option<Histories> {
	let (hash, histories) = bytes.strip_prefix(HEAD)?.split_at_checked(32)?;
	if hash != blake2_256(histories) {
		return None;
	}
	Histories::decode_all(&mut &histories[..]).ok()
}

/// Replaces a file, so that a crash leaves the old bytes or the new ones.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
	let new = path.with_extension("new");
	let mut file = File::create(&new)?;
	file.write_all(bytes)?;
	file.sync_all()?;
	fs::rename(&new, path)?;
	path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

impl Figures {
	/// Returns the numbers of results with their names.
	pub fn results(&self) -> [(&'static str, u64); 4] {
		Outcome::ALL.map(|outcome| (outcome.as_str(), self.totals[outcome as usize]))
	}
}

#[cfg(test)]
mod tests {
	use std::thread;

	use super::*;

	const WRONG: Finding =
		Finding { outcome: Outcome::Wrong, status: None, version: Some(VersionId([1; 32])) };

	fn medallion(number: u64) -> Medallion {
		Medallion::new(number).expect("it has 44 bits; qed")
	}

	#[test]
	fn results_outlive_the_process() {
		let folder = tempfile::tempdir().expect("there is room");
		let audits = Audits::open(folder.path()).expect("there is no file");
		audits.save().expect("there is nothing to write");
		assert!(!folder.path().join(FILE).exists());
		audits.add(medallion(1), WRONG);
		audits.add(medallion(2), Finding { outcome: Outcome::Late, version: None, ..WRONG });
		audits.save().expect("there is room");
		let again = Audits::open(folder.path()).expect("the file is whole");
		for number in 1..=3 {
			assert_eq!(again.of(medallion(number)), audits.of(medallion(number)), "{number}");
		}
		assert_eq!(again.failing(), audits.failing());
		assert_eq!(again.figures().totals, [0; 4]);
		again.retain(&HashSet::from([2]));
		again.save().expect("there is room");
		let left = Audits::open(folder.path()).expect("the file is whole");
		assert_eq!(left.of(medallion(1)), None);
		assert!(left.of(medallion(2)).is_some());
	}

	#[test]
	fn the_age_counts_from_the_begin_from_an_audit_and_from_a_round_without_nodes() {
		let (audits, interval) = (Audits::default(), Duration::from_secs(60));
		let pause = Duration::from_millis(50);
		let figures = audits.figures();
		assert_eq!((figures.interval, figures.age), (Duration::ZERO, Duration::ZERO));
		let notes: [&dyn Fn(); 3] =
			[&|| audits.begin(interval), &|| audits.add(medallion(1), WRONG), &|| audits.rest()];
		for note in notes {
			thread::sleep(pause);
			let before = Instant::now();
			note();
			let age = audits.figures().age;
			assert!(age <= before.elapsed(), "{age:?}");
		}
		assert_eq!(audits.figures().interval, interval);
		thread::sleep(pause);
		assert!(audits.figures().age >= pause);
	}

	#[test]
	fn a_damaged_file_is_refused_by_name_and_left_as_it_is() {
		let folder = tempfile::tempdir().expect("there is room");
		let audits = Audits::open(folder.path()).expect("there is no file");
		audits.add(medallion(1), WRONG);
		audits.save().expect("there is room");
		let path = folder.path().join(FILE);
		let whole = fs::read(&path).expect("it was written");
		for at in 0..whole.len() {
			let mut damaged = whole.clone();
			damaged[at] ^= 1;
			for bytes in [&damaged[..], &whole[..at]] {
				fs::write(&path, bytes).expect("there is room");
				let error = Audits::open(folder.path()).expect_err("it is damaged").to_string();
				assert!(error.contains(&path.display().to_string()), "{error}");
				assert_eq!(fs::read(&path).expect("it is there"), bytes);
			}
		}
	}

	#[test]
	fn a_file_that_cannot_be_written_is_tried_again() {
		let folder = tempfile::tempdir().expect("there is room");
		let audits = Audits::open(folder.path()).expect("there is no file");
		audits.add(medallion(1), WRONG);
		let new = folder.path().join("audits.new");
		fs::create_dir(&new).expect("there is room");
		let error = audits.save().expect_err("a folder is in the way").to_string();
		assert!(error.contains("cannot be written"), "{error}");
		fs::remove_dir(&new).expect("it is empty");
		audits.save().expect("there is room");
		assert!(Audits::open(folder.path()).is_ok_and(|again| again.of(medallion(1)).is_some()));
	}

	#[test]
	fn a_save_waits_while_another_thread_writes() {
		let folder = tempfile::tempdir().expect("there is room");
		let audits = Audits::open(folder.path()).expect("there is no file");
		audits.add(medallion(1), WRONG);
		let path = audits.path.clone().expect("there is a file");
		let writing = path.lock().expect("nobody panics with it");
		let again = audits.clone();
		let saving = thread::spawn(move || again.save());
		thread::sleep(Duration::from_millis(50));
		assert!(!saving.is_finished());
		assert!(audits.lock().is_changed, "the result is still to be written");
		drop(writing);
		saving.join().expect("it does not panic").expect("there is room");
		assert!(Audits::open(folder.path()).is_ok_and(|again| again.of(medallion(1)).is_some()));
	}
}
