// SPDX-License-Identifier: Apache-2.0
//! Fetches versions from the nodes that the chain names, one after the other.

use std::{
	cmp::Reverse,
	collections::{BTreeSet, HashMap, HashSet},
	io::{self, Write},
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc, Mutex, MutexGuard, PoisonError,
	},
};

use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};

use super::{
	blocking,
	sources::{Claim, Source, Sources},
	Access, ByteRange, DeclaredSize, Download, NodeError, RangeError, Span, Speed,
};
use crate::{
	chain::{self, rows, Chain, RecordPlace, Snapshot},
	folder::{Folder, Partial, Target},
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
	/// The bytes that are wanted. `None` for all.
	pub range: Option<ByteRange>,
	/// The path of the file in the folder. For other destinations, their name.
	pub target: PathBuf,
}

impl Wanted {
	/// Returns a file in a folder by the rows of its version. Set `has_all_rows` if the chain has no
	/// others, so that it is not asked for them.
	///
	/// Nodes prove that they send bytes of a BLAKE3 version. Of a SHA-256 version, a node cannot send
	/// more bytes than the rows declare. If they do not know the size or do not agree about it,
	/// [`DeclaredSize::bounded`] sets a limit.
	pub fn new(
		version: VersionId,
		rows: Vec<rows::Version>,
		has_all_rows: bool,
		target: impl Into<PathBuf>,
	) -> Self {
		let size = DeclaredSize::of(rows.iter().map(|row| row.known_size(version)));
		Self { version, size, rows, has_all_rows, range: None, target: target.into() }
	}

	/// Returns the number of bytes that are wanted, if it is certain.
	pub fn length(&self) -> Option<u64> {
		let size = self.size.exact()?;
		let Some(range) = self.range else { return Some(size) };
		range.within(size).ok().map(|(first, last)| last - first + 1)
	}

	fn unserved(&self) -> FetchError {
		let is_final = self.rows.is_empty() || self.rows.iter().any(|row| row.finalized.is_some());
		FetchError::Unserved { version: self.version, is_final }
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

/// Bytes that a node has served.
#[derive(Clone, Debug)]
pub struct Fetched {
	/// The path of the file, or the name of another destination.
	pub path: PathBuf,
	/// The version.
	pub version: VersionId,
	/// Number of the bytes that were wanted.
	pub size: u64,
	/// The node that served the last of them, in words.
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
	/// The version does not have the bytes of a range.
	#[error("{version}: {error}")]
	Range {
		/// The version.
		version: VersionId,
		/// The reason.
		error: RangeError,
	},
	/// Bytes of the version cannot be verified before all of them are here.
	#[error(
		"{0} is a SHA-256 hash, which proves only the whole version: get all of it, into a file"
	)]
	WholeOnly(VersionId),
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
	let mut wanted = of_record(&at, place, file).await?;
	wanted.size = wanted.size.bounded(most);
	fetch_wanted(&at, &wanted, file, notes).await
}

/// Fetches bytes of the content of a record, as [`fetch_record`] does. Fails if the file exists. The
/// version must be a BLAKE3 hash, of which nodes can prove any part.
pub async fn fetch_range(
	chain: &Chain,
	place: &RecordPlace,
	range: ByteRange,
	file: &Path,
	notes: Notes,
) -> Result<Option<Fetched>, FetchError> {
	let at = chain.finalized().await?;
	let wanted = Wanted { range: Some(range), ..of_record(&at, place, file).await? };
	fetch_wanted(&at, &wanted, file, notes).await
}

/// Returns the file that the content of a record becomes.
async fn of_record(at: &Snapshot, place: &RecordPlace, file: &Path) -> Result<Wanted, FetchError> {
	let resolved = at.resolve(place).await?;
	let no_head = || chain::Error::unknown("head of the content object", resolved.object);
	let (version, row) = resolved.version.ok_or_else(no_head)?;
	let name = file.file_name().ok_or_else(|| not_a_file(file))?;
	Ok(Wanted::new(version, vec![row], false, name))
}

async fn fetch_wanted(
	at: &Snapshot,
	wanted: &Wanted,
	file: &Path,
	notes: Notes,
) -> Result<Option<Fetched>, FetchError> {
	let folder = file.parent().ok_or_else(|| not_a_file(file))?;
	let folder = Folder::open(folder.into()).map_err(NodeError::file("written", file))?;
	let fetcher = Fetcher::new(at, HashSet::from([wanted.version]), notes).await?;
	fetcher.fetch(wanted, &Arc::new(folder), false).await
}

fn not_a_file(path: &Path) -> NodeError {
	NodeError::file("written", path)(io::Error::other("it is not the path of a file"))
}

/// Fetches versions. Bytes of BLAKE3 versions are verified in groups of 16 KiB while they arrive.
/// Files are written under a name that no record has, and moved to their places when all bytes are
/// right.
pub struct Fetcher<'a> {
	sources: Sources<'a>,
	notes: Notes,
	arrived: Arc<AtomicU64>,
	liars: Liars,
}

/// Number of times after which a node that sends other bytes is not asked again.
const MAX_WRONG: u32 = 8;

impl<'a> Fetcher<'a> {
	/// Reads the nodes of the chain, for versions that are going to be fetched.
	pub async fn new(
		at: &'a Snapshot,
		versions: HashSet<VersionId>,
		notes: Notes,
	) -> Result<Self, chain::Error> {
		let sources = Sources::read(at, versions).await?;
		Ok(Self { sources, notes, arrived: Arc::default(), liars: Liars::default() })
	}

	/// Sets how to reach nodes.
	#[must_use]
	pub fn with_access(mut self, access: Access) -> Self {
		self.sources.access = Some(access);
		self
	}

	/// Returns who gets the notes.
	pub fn notes(&self) -> &Notes {
		&self.notes
	}

	/// Returns the number of bytes that are here.
	pub fn arrived(&self) -> u64 {
		self.arrived.load(Ordering::Relaxed)
	}

	/// Fetches a file into a folder. With `force`, replaces a file with other content. `None` if its
	/// bytes were there before.
	///
	/// If a node fails or sends wrong bytes, a note names it, and the next one is asked for the rest.
	/// A slow one is asked again after the others.
	pub async fn fetch(
		&self,
		wanted: &Wanted,
		folder: &Arc<Folder>,
		force: bool,
	) -> Result<Option<Fetched>, FetchError> {
		let span = match wanted.range {
			Some(_) => Some(self.span(wanted).await?),
			None => None,
		};
		let (version, size) = (wanted.version, wanted.size);
		let (folder, path, arrived) = (folder.clone(), wanted.target.clone(), self.arrived.clone());
		let hashes = wanted.hashes();
		let begun = blocking(move || {
			let check = VersionCheck::new(version, hashes);
			let target = free(&folder, path, span.is_none().then_some(check), force)?;
			let open = |target| match span {
				Some(span) => Download::open_span(version, span, target, arrived),
				None => Download::open(version, size, target, arrived),
			};
			target.map(open).transpose()
		});
		match begun.await? {
			Some(download) => Ok(Some(self.download(wanted, download).await?.0)),
			None => {
				self.arrived.fetch_add(size.exact().unwrap_or_default(), Ordering::Relaxed);
				Ok(None)
			},
		}
	}

	/// Fetches a file into a folder, whatever is in its place, and does not move it there. Asks nodes
	/// as [`Self::fetch`] does.
	pub async fn fetch_aside(
		&self,
		wanted: &Wanted,
		folder: &Arc<Folder>,
	) -> Result<(Fetched, Partial), FetchError> {
		let (version, size) = (wanted.version, wanted.size);
		let (folder, path, arrived) = (folder.clone(), wanted.target.clone(), self.arrived.clone());
		let begun = blocking(move || {
			let full = folder.path(&path);
			let target = Target::find(&folder, path).map_err(NodeError::file("written", &full))?;
			Ok(Download::open(version, size, target, arrived)?.staying())
		});
		let (fetched, download) = self.download(wanted, begun.await?).await?;
		let partial = download.into_partial().ok_or_else(|| wanted.unserved())?;
		Ok((fetched, partial))
	}

	/// Counts the bytes of a file that need not be fetched.
	pub fn pass_over(&self, wanted: &Wanted) {
		self.arrived.fetch_add(wanted.length().unwrap_or_default(), Ordering::Relaxed);
	}

	/// Fetches bytes of a BLAKE3 version, and writes them to `out` as soon as they are verified, in
	/// groups of 16 KiB. Asks nodes as [`Self::fetch`] does.
	pub async fn stream(
		&self,
		wanted: &Wanted,
		out: Box<dyn Write + Send>,
	) -> Result<Fetched, FetchError> {
		let span = self.span(wanted).await?;
		let (name, arrived) = (wanted.target.clone(), self.arrived.clone());
		let download = Download::stream(wanted.version, span, name, out, arrived);
		Ok(self.download(wanted, download).await?.0)
	}

	/// Returns the bytes that are wanted of a BLAKE3 version.
	async fn span(&self, wanted: &Wanted) -> Result<Span, FetchError> {
		let version = wanted.version;
		let rows = match wanted.rows.is_empty() {
			true => self.sources.rows(version).await?,
			false => wanted.rows.clone(),
		};
		let claims = rows.iter().map(|row| Claim::of(version, row));
		let trees = claims.filter(|claim| claim.hash == HashKind::Blake3);
		let sizes: BTreeSet<_> = trees.filter_map(|claim| claim.size).collect();
		let size = match (sizes.first(), sizes.len()) {
			(Some(size), 1) => *size,
			(Some(_), _) => self.proven(wanted, sizes).await?,
			(None, _) if rows.is_empty() => return Err(wanted.unserved()),
			(None, _) => return Err(FetchError::WholeOnly(version)),
		};
		let Some(range) = wanted.range else { return Ok(Span::whole(size)) };
		let (first, last) =
			range.within(size).map_err(|error| FetchError::Range { version, error })?;
		Ok(Span { first, last, size })
	}

	/// Returns the size of a version, out of these: anyone can commit it with a wrong size, and its
	/// last group proves which one is right.
	async fn proven(&self, wanted: &Wanted, sizes: BTreeSet<u64>) -> Result<u64, FetchError> {
		for size in sizes {
			let span = Span { first: size.saturating_sub(1), ..Span::whole(size) };
			let (name, out) = (wanted.target.clone(), Box::new(io::sink()));
			let last = Download::stream(wanted.version, span, name, out, Arc::default());
			if self.download(wanted, last).await.is_ok() {
				return Ok(size);
			}
		}
		Err(wanted.unserved())
	}

	/// Has nodes send the bytes of a download. Returns the download as well.
	async fn download(
		&self,
		wanted: &Wanted,
		mut download: Download,
	) -> Result<(Fetched, Download), FetchError> {
		let version = wanted.version;
		let mut tried = HashSet::new();
		let mut sources = self.sources.of(version, &wanted.rows, &mut tried);
		let mut has_all = wanted.has_all_rows;
		let mut slow = Vec::new();
		loop {
			sources.retain(|source| download.accepts(source.claim));
			// A node that is slow is left as long as another one may have the bytes. A server leaves
			// it in any case: others wait for its turn.
			let waits = self.sources.access.is_none();
			let speed = match waits && has_all && slow.is_empty() && sources.len() == 1 {
				true => Speed::Lax,
				false => Speed::Brisk,
			};
			let asked = self.ask(download, sources, speed).await?;
			if let Some(file) = asked.got {
				return Ok((file, asked.download));
			}
			download = asked.download;
			slow.extend(asked.slow);
			if std::mem::replace(&mut has_all, true) {
				break;
			}
			sources = self.sources.others(version, &mut tried).await?;
		}
		if self.sources.access.is_some() {
			return Err(wanted.unserved());
		}
		slow.sort_by_key(|(arrived, _)| Reverse(*arrived));
		let sources = slow.into_iter().map(|(_, source)| source).collect();
		let asked = self.ask(download, sources, Speed::Lax).await?;
		let file = asked.got.ok_or_else(|| wanted.unserved())?;
		Ok((file, asked.download))
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
			let path = download.path();
			let mut slow = Vec::new();
			for Source { name, node, claim } in sources {
				if liars.has(&name) {
					continue;
				}
				let fetched = node.and_then(|node| match download.fetch(&node, claim, speed) {
					Ok(()) => Ok(()),
					Err(error) => {
						if let (NodeError::Slow { arrived, .. }, Speed::Brisk) = (&error, speed) {
							let (name, node) = (name.clone(), Ok(node));
							slow.push((*arrived, Source { name, node, claim }));
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

/// Returns the place of a file. `None` if the bytes of the version are there, by a check without
/// data. Fails if another file is there, unless `force` is set.
fn free(
	folder: &Arc<Folder>,
	path: PathBuf,
	check: Option<VersionCheck>,
	force: bool,
) -> Result<Option<Target>, NodeError> {
	let full = folder.path(&path);
	let target = Target::find(folder, path).map_err(NodeError::file("written", &full))?;
	let has = check.map_or(Ok(false), |check| target.has(check));
	if has.map_err(NodeError::file("read", &full))? {
		return Ok(None);
	}
	if target.is_taken() && !force {
		let reason = "it has other content: pass --force to replace it";
		let error = io::Error::new(io::ErrorKind::AlreadyExists, reason);
		return Err(NodeError::file("written", &full)(error));
	}
	Ok(Some(target))
}
