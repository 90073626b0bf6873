// SPDX-License-Identifier: Apache-2.0
//! Fetches versions from the nodes that the chain names, one after the other.

use std::{
	cmp::Reverse,
	collections::{HashMap, HashSet},
	io,
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc, Mutex, MutexGuard, PoisonError,
	},
};

use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};

use super::{
	blocking,
	sources::{Source, Sources},
	Access, DeclaredSize, Download, NodeError, Speed,
};
use crate::{
	chain::{self, rows, Chain, RecordPlace, Snapshot},
	folder::{Folder, Target},
};

/// A file that a version becomes.
#[derive(Clone, Debug)]
pub struct Wanted {
	/// The version.
	pub version: VersionId,
	/// Its size, by the chain.
	pub size: DeclaredSize,
	/// The rows of the version that are known already.
	pub rows: Vec<rows::Version>,
	/// True if these are all its rows.
	pub has_all_rows: bool,
	/// The path of the file in the folder.
	pub target: PathBuf,
}

impl Wanted {
	/// Returns a file in a folder by the rows of its version. Set `has_all_rows` if the chain has no
	/// others, so that it is not asked for them.
	///
	/// A node cannot send more bytes than the rows declare. If they do not know the size or do not
	/// agree about it, [`DeclaredSize::bounded`] sets a limit.
	pub fn new(
		version: VersionId,
		rows: Vec<rows::Version>,
		has_all_rows: bool,
		target: impl Into<PathBuf>,
	) -> Self {
		let size = DeclaredSize::of(rows.iter().map(|row| row.known_size(version)));
		Self { version, size, rows, has_all_rows, target: target.into() }
	}

	/// Returns the kinds of hash that the version is by its rows. Anyone can commit a version as a
	/// hash of the other kind, but no bytes have such a hash.
	fn hashes(&self) -> Vec<HashKind> {
		match self.rows.is_empty() {
			true => HashKind::ALL.to_vec(),
			false => self.rows.iter().map(|row| row.hash).collect(),
		}
	}
}

/// A file that a node has served.
#[derive(Clone, Debug)]
pub struct Fetched {
	/// The path of the file.
	pub path: PathBuf,
	/// The version.
	pub version: VersionId,
	/// Number of its bytes.
	pub size: u64,
	/// The node that served it, in words.
	pub source: String,
}

/// An error of a [`Fetcher`].
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
	/// The nodes of a version cannot be read from the chain.
	#[error(transparent)]
	Chain(#[from] chain::Error),
	/// The file cannot be written.
	#[error(transparent)]
	Node(#[from] NodeError),
	/// No node has served the version. If no row says that it is final, its upload may never have
	/// been finished.
	#[error("no node served {version}")]
	Unserved {
		/// The version.
		version: VersionId,
		/// False if the rows that are known say that it is not final.
		is_final: bool,
	},
}

/// Called with a line about each node that fails.
pub type Notes = Arc<dyn Fn(String) + Send + Sync>;

/// Fetches the content of a record, as of the last final block, into a file, and verifies it.
/// Returns `None` if the file has these bytes already.
///
/// Takes at most `most` bytes of a version whose size is not certain. Fails if the file has other
/// content. [`Fetcher`] fetches many versions.
pub async fn fetch_record(
	chain: &Chain,
	place: &RecordPlace,
	file: &Path,
	most: u64,
	notes: Notes,
) -> Result<Option<Fetched>, FetchError> {
	let at = chain.finalized().await?;
	let resolved = at.resolve(place).await?;
	let no_head = || chain::Error::unknown("head of the content object", resolved.object);
	let (version, row) = resolved.version.ok_or_else(no_head)?;
	let refused = |error| NodeError::file("written", file)(error);
	let Some((folder, name)) = file.parent().zip(file.file_name()) else {
		return Err(refused(io::Error::other("it is not the path of a file")).into());
	};
	let folder = Arc::new(Folder::open(folder.into()).map_err(refused)?);
	let mut wanted = Wanted::new(version, vec![row], false, name);
	wanted.size = wanted.size.bounded(most);
	let versions = HashSet::from([version]);
	Fetcher::new(&at, versions, folder, false, notes).await?.fetch(&wanted).await
}

/// Fetches versions into a folder. Bytes are hashed while they arrive, in a file that no record
/// names, which is moved to its place only if the hash is right.
pub struct Fetcher<'a> {
	sources: Sources<'a>,
	folder: Arc<Folder>,
	force: bool,
	notes: Notes,
	arrived: Arc<AtomicU64>,
	liars: Liars,
}

/// Number of times after which a node that sends other bytes is not asked again.
const MAX_WRONG: u32 = 8;

impl<'a> Fetcher<'a> {
	/// Reads the nodes of the chain, for versions that are going to be fetched. With `force`, files
	/// with other content are replaced.
	pub async fn new(
		at: &'a Snapshot,
		versions: HashSet<VersionId>,
		folder: Arc<Folder>,
		force: bool,
		notes: Notes,
	) -> Result<Self, chain::Error> {
		let sources = Sources::read(at, versions).await?;
		Ok(Self { sources, folder, force, notes, arrived: Arc::default(), liars: Liars::default() })
	}

	/// Reaches nodes in another way.
	#[must_use]
	pub fn with_access(mut self, access: Access) -> Self {
		self.sources.access = Some(access);
		self
	}

	/// Returns the number of bytes that are here.
	pub fn arrived(&self) -> u64 {
		self.arrived.load(Ordering::Relaxed)
	}

	/// Fetches a file. `None` if its bytes were there before.
	///
	/// A node that fails, or sends other bytes, is named in a note, and the next one is asked. A
	/// slow one is asked again after the others.
	pub async fn fetch(&self, wanted: &Wanted) -> Result<Option<Fetched>, FetchError> {
		let (version, size, force) = (wanted.version, wanted.size, self.force);
		let (folder, path, arrived) =
			(self.folder.clone(), wanted.target.clone(), self.arrived.clone());
		let hashes = wanted.hashes();
		let begun = blocking(move || {
			let check = VersionCheck::new(version, hashes.iter().copied());
			let target = free(&folder, path, check, force)?;
			let open = |target| Download::open(version, &hashes, size, target, arrived);
			target.map(open).transpose()
		});
		let Some(mut download) = begun.await? else {
			self.arrived.fetch_add(size.exact().unwrap_or_default(), Ordering::Relaxed);
			return Ok(None);
		};
		let mut tried = HashSet::new();
		let mut sources = self.sources.of(&wanted.rows, &mut tried);
		let mut has_all = wanted.has_all_rows;
		let mut slow = Vec::new();
		loop {
			// A node that is slow is left as long as another one may have the bytes.
			let speed = match has_all && slow.is_empty() && sources.len() == 1 {
				true => Speed::Lax,
				false => Speed::Brisk,
			};
			let asked = self.ask(download, sources, speed).await?;
			if let Some(file) = asked.got {
				return Ok(Some(file));
			}
			download = asked.download;
			slow.extend(asked.slow);
			if std::mem::replace(&mut has_all, true) {
				break;
			}
			sources = self.sources.others(version, &mut tried).await?;
		}
		slow.sort_by_key(|(arrived, _)| Reverse(*arrived));
		let sources = slow.into_iter().map(|(_, source)| source).collect();
		let asked = self.ask(download, sources, Speed::Lax).await?;
		let is_final =
			wanted.rows.is_empty() || wanted.rows.iter().any(|row| row.finalized.is_some());
		asked.got.map(Some).ok_or(FetchError::Unserved { version, is_final })
	}

	/// Asks nodes one after the other.
	async fn ask(
		&self,
		mut download: Download,
		sources: Vec<Source>,
		speed: Speed,
	) -> Result<Asked, NodeError> {
		let (notes, liars) = (self.notes.clone(), self.liars.clone());
		blocking(move || {
			let path = download.target().path();
			let mut slow = Vec::new();
			for Source { name, node } in sources {
				if liars.has(&name) {
					continue;
				}
				let fetched = node.and_then(|node| match download.fetch(&node, speed) {
					Ok(()) => Ok(()),
					Err(error) => {
						if let (NodeError::Slow { arrived, .. }, Speed::Brisk) = (&error, speed) {
							slow.push((*arrived, Source { name: name.clone(), node: Ok(node) }));
						}
						Err(error)
					},
				});
				match fetched {
					Ok(()) => {
						let (version, size) = (download.version(), download.length());
						let got = Some(Fetched { path, version, size, source: name });
						return Ok(Asked { download, got, slow });
					},
					Err(error @ (NodeError::File { .. } | NodeError::Interrupted)) => {
						return Err(error)
					},
					Err(error) => {
						notes(format!("{}: {name}: {error}", path.to_string_lossy()));
						let is_wrong = matches!(error, NodeError::OtherBytes(_));
						if is_wrong && liars.count(&name) {
							notes(format!("{name} is not asked again: it sends other bytes"));
						}
					},
				}
			}
			Ok(Asked { download, got: None, slow })
		})
		.await
	}
}

/// The nodes that have sent other bytes, by name, with the number of times.
#[derive(Clone, Default)]
struct Liars(Arc<Mutex<HashMap<String, u32>>>);

impl Liars {
	/// Returns whether a node is not to be asked again.
	fn has(&self, name: &str) -> bool {
		self.locked().get(name).is_some_and(|times| *times >= MAX_WRONG)
	}

	/// Counts that a node has sent other bytes. Returns whether it was the last time that it is asked.
	fn count(&self, name: &str) -> bool {
		let mut liars = self.locked();
		let times = liars.entry(name.to_owned()).or_default();
		*times += 1;
		*times == MAX_WRONG
	}

	fn locked(&self) -> MutexGuard<'_, HashMap<String, u32>> {
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

/// The result of asking nodes.
struct Asked {
	download: Download,
	got: Option<Fetched>,
	/// The nodes that were left only because they are slow, and the number of bytes that each has
	/// sent in the last window.
	slow: Vec<(u64, Source)>,
}

/// Returns the place of a file. `None` if the bytes of the version are there. Fails if another file
/// is there, unless `force` is set.
fn free(
	folder: &Arc<Folder>,
	path: PathBuf,
	check: VersionCheck,
	force: bool,
) -> Result<Option<Target>, NodeError> {
	let full = folder.path(&path);
	let target = Target::find(folder, path).map_err(NodeError::file("written", &full))?;
	if target.has(check).map_err(NodeError::file("read", &full))? {
		return Ok(None);
	}
	if target.is_taken() && !force {
		let reason = "it has other content: pass --force to replace it";
		let error = io::Error::new(io::ErrorKind::AlreadyExists, reason);
		return Err(NodeError::file("written", &full)(error));
	}
	Ok(Some(target))
}
