// SPDX-License-Identifier: Apache-2.0
//! The bytes of versions, in an object store: a folder, or anything else that `object_store`
//! offers.
//!
//! The key of an object is its version in hex, under two levels of prefix. Large objects whose id is a
//! BLAKE3 hash have an [outboard](outboard) beside them.

use std::{
	fs::{self, File},
	io::{self, Read},
	ops::Range,
	path::{Path as FilePath, PathBuf},
	sync::Arc,
};

use axum::body::Bytes;
use content_fabric_identifiers::{HashKind, VersionCheck, VersionHasher, VersionId};
use futures::{
	stream::{self, BoxStream},
	StreamExt, TryStreamExt,
};
use object_store::{
	local::LocalFileSystem, path::Path, GetOptions, GetResultPayload, ObjectStore, ObjectStoreExt,
	PutPayload,
};
use rustix::io::Errno;
use tokio::{sync::mpsc, task::spawn_blocking};

use crate::{
	disk::{Disk, System},
	page_cache,
	tree::Hash,
};

#[cfg(feature = "cloud")]
mod cloud;
mod object;
pub mod outboard;

pub use object::Object;

/// Number of bytes that are read at once.
const READ: usize = 256 << 10;
/// Largest number of bytes that are read and hashed without a change of thread.
pub const AT_ONCE: u64 = 128 << 10;
/// Number of listed files that wait to be taken.
const LISTED: usize = 1_000;
/// Number of bytes of a part that is sent to a store that is not a folder.
const PART: usize = 8 << 20;

/// The object store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
	/// An object could not be read, written or removed.
	#[error("the object store failed: {0}")]
	Store(#[from] object_store::Error),
	/// The URL of an object store cannot be used.
	#[error("the object store '{url}' cannot be used: {reason}")]
	Url {
		/// The URL.
		url: String,
		/// The reason.
		reason: String,
	},
	/// A file or a folder could not be used.
	#[error("{path} cannot be {action}: {error}")]
	File {
		/// The action that failed.
		action: &'static str,
		/// The path.
		path: String,
		/// The reason.
		error: io::Error,
	},
	/// An object has another size than the recorded one.
	#[error("the object {0} does not have its recorded size")]
	OtherSize(VersionId),
	/// A group of an object has another hash than the tree of the version.
	#[error("the group {group} of {id} does not have its hash")]
	Wrong {
		/// The version.
		id: VersionId,
		/// The number of the group.
		group: u64,
		/// The hash that it has in the tree.
		expected: Hash,
	},
	/// The bytes of a version, or its entry in the record, are no longer what they were.
	#[error("the bytes of {0} were removed, or are damaged")]
	Lost(VersionId),
	/// The outboard of an object is being made, or its object is being hashed or replaced.
	#[error("the node is hashing its copy of {0}: try again")]
	Hashing(VersionId),
	/// The file of an object cannot be opened or read, and will not be by another attempt.
	#[error("the object {id} cannot be read: {reason}")]
	Unreadable {
		/// The version.
		id: VersionId,
		/// The reason.
		reason: String,
	},
	/// A thread of this program failed.
	#[error("a thread that moves bytes has failed")]
	Thread,
}

impl StoreError {
	/// Returns whether the disk is full.
	pub fn is_full(&self) -> bool {
		matches!(self, Self::File { error, .. } if is_full(error))
	}

	/// Returns the reason why the disk does not take any bytes, or none of this file.
	pub fn refusal(&self) -> Option<&'static str> {
		match self {
			Self::File { error, .. } if error.kind() == io::ErrorKind::FileTooLarge => Some(
				"the file is larger than the system allows the node: see \
				 `ulimit -f`, or the limit of the file system",
			),
			Self::File { error, .. } if is_full(error) => Some("the disk of the node is full"),
			Self::File { error, action, .. } if *action != "read" && is_read_only(error) => {
				Some("the node cannot write to its disk, and takes nothing in")
			},
			_ => None,
		}
	}

	/// Returns `true` if the object is missing, is not the one that was stored, or cannot be read
	/// from the disk any more.
	pub fn is_damage(&self) -> bool {
		match self {
			Self::File { error, .. } => error.kind() == io::ErrorKind::NotFound,
			Self::Store(object_store::Error::NotFound { .. })
			| Self::OtherSize(_)
			| Self::Wrong { .. }
			| Self::Lost(_)
			| Self::Unreadable { .. } => true,
			_ => false,
		}
	}
}

/// Returns the reason if the cause of an error is that a file cannot be opened or read, and will
/// not be by another attempt, such as a bad sector.
fn lost(error: &(dyn std::error::Error + 'static)) -> Option<String> {
	const LOST: &[Errno] = &[
		Errno::IO,
		Errno::BADMSG,
		Errno::ACCESS,
		Errno::PERM,
		Errno::LOOP,
		Errno::ISDIR,
		Errno::NOTDIR,
		#[cfg(target_os = "linux")]
		Errno::UCLEAN,
	];
	let mut cause = Some(error);
	while let Some(error) = cause {
		let io = error.downcast_ref::<io::Error>();
		if let Some(errno) = io.and_then(Errno::from_io_error) {
			return LOST.contains(&errno).then(|| errno.to_string());
		}
		cause = error.source();
	}
	None
}

/// Returns the error of the file of an object.
fn object_error(id: VersionId, error: io::Error) -> StoreError {
	match lost(&error) {
		Some(reason) => StoreError::Unreadable { id, reason },
		None => {
			let store = "folder";
			StoreError::Store(object_store::Error::Generic { store, source: Box::new(error) })
		},
	}
}

/// Returns whether a disk, the part of it that a user may take, or a file, is full.
pub fn is_full(error: &io::Error) -> bool {
	use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
	matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Returns whether something can only be read.
pub fn is_read_only(error: &io::Error) -> bool {
	matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

/// Returns the error of a file.
pub fn file_error(action: &'static str, path: &FilePath) -> impl FnOnce(io::Error) -> StoreError {
	let path = path.display().to_string();
	move |error| StoreError::File { action, path, error }
}

/// Metadata of an object, which a store returns without reading the object. Two are equal only if
/// the object was written at the same time and to the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stat {
	/// Number of its bytes.
	pub size: u64,
	/// When it was written, in microseconds since the Unix epoch.
	written: i64,
	/// The store's name of its content. Contains the inode if the store is a folder.
	tag: Option<String>,
}

/// Bytes as they are read.
pub type ByteStream = BoxStream<'static, Result<Bytes, StoreError>>;

/// The object store.
#[derive(Clone, Debug)]
pub struct Store {
	objects: Arc<dyn ObjectStore>,
	/// The folder, if the store is one.
	folder: Option<Folder>,
}

#[derive(Clone, Debug)]
struct Folder {
	path: PathBuf,
	/// Open, so that objects are found without the folders above it.
	open: Arc<File>,
	disk: Arc<dyn Disk>,
}

impl Store {
	/// Opens a folder, or makes it.
	pub fn folder(path: &FilePath) -> Result<Self, StoreError> {
		Self::folder_on(path, Arc::new(System))
	}

	/// Opens a folder on a disk, or makes it.
	pub fn folder_on(path: &FilePath, disk: Arc<dyn Disk>) -> Result<Self, StoreError> {
		fs::create_dir_all(path).map_err(file_error("made", path))?;
		let path = path.canonicalize().map_err(file_error("opened", path))?;
		match path.parent().map_or(Ok(()), |parent| synchronize(&*disk, parent)) {
			// The folder was there already.
			Err(StoreError::File { error, .. }) if is_read_only(&error) => {},
			synchronized => synchronized?,
		}
		let objects = Arc::new(LocalFileSystem::new_with_prefix(&path)?);
		let open = Arc::new(File::open(&path).map_err(file_error("opened", &path))?);
		Ok(Self { objects, folder: Some(Folder { path, open, disk }) })
	}

	/// Takes any object store. Data that it acknowledges must be durable.
	pub fn of(objects: Arc<dyn ObjectStore>) -> Self {
		Self { objects, folder: None }
	}

	/// Opens the object store at a URL.
	#[cfg(feature = "cloud")]
	fn at(url: &str) -> Result<Self, StoreError> {
		cloud::open(url)
	}

	/// Object stores of other machines are not part of this program.
	#[cfg(not(feature = "cloud"))]
	fn at(url: &str) -> Result<Self, StoreError> {
		let reason = "this program was built without the feature `cloud`".into();
		Err(StoreError::Url { url: url.to_owned(), reason })
	}

	/// Opens the object store at a URL, and checks that it answers, or else a folder.
	pub async fn open(url: Option<&str>, folder: &FilePath) -> Result<Self, StoreError> {
		let Some(url) = url else { return Self::folder(folder) };
		let store = Self::at(url)?;
		store.list().try_next().await?;
		Ok(store)
	}

	/// Moves a whole, synchronized file into the store. It is durable on return.
	pub async fn adopt(&self, staged: &FilePath, id: VersionId) -> Result<(), StoreError> {
		match &self.folder {
			Some(folder) => {
				let (staged, place) = (staged.to_owned(), folder.path.join(name(id)));
				let disk = folder.disk.clone();
				blocking(move || move_into_place(&*disk, &staged, &place)).await
			},
			None => {
				let file = File::open(staged).map_err(file_error("read", staged))?;
				self.upload(file, &place(id), id).await?;
				fs::remove_file(staged).map_err(file_error("removed", staged))
			},
		}
	}

	/// Sends a file to a store that is not a folder. The object appears whole, or not at all.
	async fn upload(&self, file: File, place: &Path, id: VersionId) -> Result<(), StoreError> {
		let length = file.metadata().map_err(|error| object_error(id, error))?.len();
		let mut parts = file_stream(file, 0..length, PART, id);
		if length <= PART as u64 {
			let bytes = parts.try_next().await?.unwrap_or_default();
			self.objects.put(place, PutPayload::from_bytes(bytes)).await?;
			return Ok(());
		}
		let mut upload = self.objects.put_multipart(place).await?;
		let sent: Result<(), StoreError> = async {
			while let Some(part) = parts.try_next().await? {
				upload.put_part(PutPayload::from_bytes(part)).await?;
			}
			upload.complete().await?;
			Ok(())
		}
		.await;
		if sent.is_err() {
			// The store removes what it has of the parts. The first error is the one to report.
			let _ = upload.abort().await;
		}
		sent
	}

	/// Returns the metadata of an object, or `None` if there is no such object.
	pub async fn stat(&self, id: VersionId) -> Result<Option<Stat>, StoreError> {
		match self.objects.head(&place(id)).await {
			Ok(meta) => Ok(Some(Stat {
				size: meta.size,
				written: meta.last_modified.timestamp_micros(),
				tag: meta.e_tag,
			})),
			Err(object_store::Error::NotFound { .. }) => Ok(None),
			Err(error) => Err(self.error(id, error)),
		}
	}

	/// Returns the error of an object.
	fn error(&self, id: VersionId, error: object_store::Error) -> StoreError {
		match self.folder.as_ref().and_then(|_| lost(&error)) {
			Some(reason) => StoreError::Unreadable { id, reason },
			None => error.into(),
		}
	}

	/// Reads a part of an object of this size, which must not be beyond its end.
	pub async fn read(
		&self,
		id: VersionId,
		range: Range<u64>,
		size: u64,
	) -> Result<ByteStream, StoreError> {
		let options = GetOptions {
			range: (!range.is_empty()).then(|| range.clone().into()),
			..Default::default()
		};
		let found = match self.objects.get_opts(&place(id), options).await {
			Ok(found) if found.meta.size != size => return Err(StoreError::OtherSize(id)),
			Ok(found) => found,
			// The range may be beyond the end of an object that was cut.
			Err(error) => {
				let stat = self.stat(id).await?;
				let is_other = stat.is_some_and(|stat| stat.size != size);
				return Err(if is_other {
					StoreError::OtherSize(id)
				} else {
					self.error(id, error)
				});
			},
		};
		Ok(match found.payload {
			_ if range.is_empty() => stream::empty().boxed(),
			GetResultPayload::File(file, _) => file_stream(file, range, READ, id).boxed(),
			GetResultPayload::Stream(bytes) => bytes.map_err(StoreError::from).boxed(),
		})
	}

	/// Reads an object of this size as a whole. Returns whether its hash of this kind is its id.
	/// Meant for small objects.
	pub async fn whole(
		&self,
		id: VersionId,
		hash: HashKind,
		size: u64,
	) -> Result<(Bytes, bool), StoreError> {
		let hashed = move |bytes: Vec<u8>| match bytes.len() as u64 == size {
			true => {
				let is_sound = VersionHasher::hash(hash, &bytes) == id;
				Ok((Bytes::from(bytes), is_sound))
			},
			false => Err(StoreError::OtherSize(id)),
		};
		if let Some(folder) = &self.folder {
			let name = name(id);
			// One byte more shows that a file is too long.
			let cached =
				|| page_cache::read(&page_cache::open(&folder.open, &name)?, 0, size as usize + 1);
			let cached = (size <= AT_ONCE).then(cached).flatten();
			if let Some(bytes) = cached.filter(|bytes| bytes.len() as u64 == size) {
				return hashed(bytes);
			}
			let path = folder.path.join(name);
			// One blocking call reads the whole file.
			let read = move || {
				let read = File::open(&path).and_then(|file| read_up_to(&file, size + 1));
				let failed = |error: io::Error| match error.kind() {
					io::ErrorKind::NotFound => file_error("read", &path)(error),
					_ => object_error(id, error),
				};
				hashed(read.map_err(failed)?)
			};
			return blocking(read).await;
		}
		let mut bytes = Vec::new();
		let mut read = self.read(id, 0..size, size).await?;
		while let Some(chunk) = read.try_next().await? {
			bytes.extend_from_slice(&chunk);
		}
		hashed(bytes)
	}

	/// Hashes an object of this size. Returns the kind of hash by which it has its id, among those
	/// that are possible.
	pub async fn check(
		&self,
		id: VersionId,
		hashes: impl IntoIterator<Item = HashKind>,
		size: u64,
	) -> Result<Option<HashKind>, StoreError> {
		let mut check = VersionCheck::new(id, hashes);
		let mut bytes = self.read(id, 0..size, size).await?;
		while let Some(chunk) = bytes.try_next().await? {
			check = blocking(move || {
				check.update(&chunk);
				Ok(check)
			})
			.await?;
		}
		Ok(check.found())
	}

	/// Removes an object, if it is there, and its outboard.
	pub async fn remove(&self, id: VersionId) -> Result<(), StoreError> {
		self.remove_files(vec![Stored::Outboard(id), Stored::Object(id)]).await
	}

	/// Removes files, if they are there.
	pub async fn remove_files(&self, files: Vec<Stored>) -> Result<(), StoreError> {
		let places = stream::iter(files).map(|file| Ok(Path::from(file.name())));
		let mut removed = self.objects.delete_stream(places.boxed());
		let mut result = Ok(());
		while let Some(one) = removed.next().await {
			match one {
				Ok(_) | Err(object_store::Error::NotFound { .. }) => {},
				Err(error) => result = result.and(Err(error.into())),
			}
		}
		result
	}

	/// Lists the objects, as [`files`](Self::files) does.
	pub fn list(&self) -> BoxStream<'static, Result<VersionId, StoreError>> {
		let objects = self.files().try_filter_map(|file| async move {
			Ok(match file {
				Stored::Object(id) => Some(id),
				Stored::Outboard(_) | Stored::Staged(_) => None,
			})
		});
		objects.boxed()
	}

	/// Lists the objects and their outboards, in no order. Skips files with other names.
	/// Goes on after a folder that cannot be read.
	pub fn files(&self) -> BoxStream<'static, Result<Stored, StoreError>> {
		if let Some(Folder { path, .. }) = self.folder.clone() {
			let (sender, receiver) = mpsc::channel(LISTED);
			spawn_blocking(move || walk(&path, &sender, &[]));
			let next =
				async |mut receiver: mpsc::Receiver<_>| Some((receiver.recv().await?, receiver));
			return stream::unfold(receiver, next).boxed();
		}
		let found = self.objects.list(None).map_err(StoreError::from);
		found.try_filter_map(|meta| async move { Ok(Stored::of(&meta.location)) }).boxed()
	}
}

/// A file of the store, by the version that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
	/// The bytes of the version.
	Object(VersionId),
	/// Its outboard.
	Outboard(VersionId),
	/// An outboard that is being made, or was being made when the process ended.
	Staged(VersionId),
}

impl Stored {
	/// Returns the version.
	pub fn version(self) -> VersionId {
		let (Self::Object(id) | Self::Outboard(id) | Self::Staged(id)) = self;
		id
	}

	/// Returns the path of the file, within the folder.
	fn name(self) -> String {
		let name = hex::encode(self.version().0);
		let end = match self {
			Self::Object(_) => "",
			Self::Outboard(_) => ".outboard",
			Self::Staged(_) => ".outboard.new",
		};
		[&name[..2], "/", &name[2..4], "/", &name, end].concat()
	}

	/// Returns the kind of a file, by its key.
	fn of(path: &Path) -> Option<Self> {
		let name = path.filename()?;
		let id = hex::decode(name.split('.').next()?).ok()?;
		let id = VersionId(id.try_into().ok()?);
		let all = [Self::Object(id), Self::Outboard(id), Self::Staged(id)];
		all.into_iter().find(|file| Path::from(file.name()) == *path)
	}
}

/// Returns the key of an object.
fn place(id: VersionId) -> Path {
	Path::from(name(id))
}

/// Returns the path of the file of an object, within the folder.
fn name(id: VersionId) -> String {
	Stored::Object(id).name()
}

/// Lists the files in a folder, whose path below the outer one has these parts. Ends early if
/// nobody listens.
fn walk(folder: &FilePath, found: &mpsc::Sender<Result<Stored, StoreError>>, parts: &[String]) {
	let unreadable = |error| file_error("read", folder)(error);
	let entries = match fs::read_dir(folder) {
		Ok(entries) => entries,
		Err(error) => return drop(found.blocking_send(Err(unreadable(error)))),
	};
	for entry in entries {
		let entry = match entry {
			Ok(entry) => entry,
			Err(error) => return drop(found.blocking_send(Err(unreadable(error)))),
		};
		let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
		let parts = [parts, &[name]].concat();
		let next = match parts.len() {
			..=2 => match fs::metadata(&path) {
				Ok(metadata) if metadata.is_dir() => {
					walk(&path, found, &parts);
					continue;
				},
				Ok(_) => continue,
				Err(error) => Err(file_error("read", &path)(error)),
			},
			_ => match Stored::of(&Path::from_iter(parts)) {
				Some(file) => Ok(file),
				None => continue,
			},
		};
		if found.blocking_send(next).is_err() {
			return;
		}
	}
}

/// Renames a file within a file system, and synchronizes the folders that lead to it.
fn move_into_place(disk: &dyn Disk, staged: &FilePath, place: &FilePath) -> Result<(), StoreError> {
	let folders: Vec<_> = place.ancestors().skip(1).take(3).collect();
	if let Some(folder) = folders.first() {
		fs::create_dir_all(folder).map_err(file_error("made", folder))?;
	}
	fs::rename(staged, place).map_err(file_error("written", place))?;
	// All of them: another upload may have made one, and not have synchronized it yet.
	folders.into_iter().try_for_each(|folder| synchronize(disk, folder))
}

fn synchronize(disk: &dyn Disk, folder: &FilePath) -> Result<(), StoreError> {
	let synchronized = File::open(folder).and_then(|open| disk.synchronize(&open, folder));
	synchronized.map_err(file_error("synchronized", folder))
}

/// Reads the next bytes of a file, and fewer at its end.
fn read_up_to(file: &File, length: u64) -> io::Result<Vec<u8>> {
	let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
	file.take(length).read_to_end(&mut bytes)?;
	Ok(bytes)
}

/// Reads a part of a file in large pieces, outside the threads that answer.
pub(crate) fn file_stream(
	file: File,
	range: Range<u64>,
	piece: usize,
	id: VersionId,
) -> ByteStream {
	stream::try_unfold((Arc::new(file), range.start), move |(file, at)| async move {
		let left = range.end.saturating_sub(at);
		if left == 0 {
			return Ok(None);
		}
		let length = left.min(piece as u64);
		let open = file.clone();
		let bytes = blocking(move || {
			object::read_at(&open, at, length as usize).map_err(|error| object_error(id, error))
		});
		match bytes.await? {
			bytes if (bytes.len() as u64) < length => Err(StoreError::OtherSize(id)),
			bytes => Ok(Some((Bytes::from(bytes), (file, at + length)))),
		}
	})
	.boxed()
}

/// Runs work that blocks.
pub async fn blocking<T: Send + 'static>(
	work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
	spawn_blocking(work).await.unwrap_or(Err(StoreError::Thread))
}
