// SPDX-License-Identifier: Apache-2.0
//! Outboards: the hash trees of large objects, each stored beside its object.

use std::{
	fs::{self, File},
	io::{Seek, Write},
	ops::Range,
	path::PathBuf,
};

use axum::body::Bytes;
use content_fabric_identifiers::{HashKind, VersionId};
use futures::TryStreamExt;
use object_store::{path::Path, GetOptions, ObjectStoreExt};

use super::{
	blocking, file_error, file_stream, move_into_place, object::read_at, ByteStream, Folder, Store,
	StoreError, Stored, READ,
};
use crate::tree::{Builder, Hash, Tree};

/// Objects up to this size have no outboard: they are hashed each time they are read.
pub const SMALL: u64 = 1 << 20;
/// Number of bytes of an outboard that are compared at once.
const COMPARED: usize = 64 << 10;

/// Returns whether an object of this size and kind of hash has an outboard.
pub fn has_outboard(hash: HashKind, size: u64) -> bool {
	hash == HashKind::Blake3 && size > SMALL
}

fn place(id: VersionId) -> Path {
	Path::from(Stored::Outboard(id).name())
}

/// An outboard that is complete, but not in its place. It is removed when this is dropped.
#[derive(Debug)]
pub struct Staged {
	store: Store,
	id: VersionId,
	file: File,
	/// The path of the file, if it has one.
	path: Option<PathBuf>,
}

impl Store {
	/// As [`build`](Self::build), with the first bytes of a file.
	pub async fn build_of_file(
		&self,
		id: VersionId,
		file: File,
		size: u64,
	) -> Result<(Hash, Staged), StoreError> {
		self.build(id, file_stream(file, 0..size, READ, id)).await
	}

	/// Hashes bytes, and makes their outboard. Returns their hash, and the outboard.
	pub async fn build(
		&self,
		id: VersionId,
		mut bytes: ByteStream,
	) -> Result<(Hash, Staged), StoreError> {
		let store = self.clone();
		let mut staged = blocking(move || Staged::new(store, id)).await?;
		let mut builder = Builder::default();
		while let Some(chunk) = bytes.try_next().await? {
			(builder, staged) = blocking(move || {
				builder.update(&chunk);
				staged.write(&builder.take())?;
				Ok((builder, staged))
			})
			.await?;
		}
		blocking(move || {
			let (hash, rest) = builder.finish();
			staged.write(&rest)?;
			Ok((hash, staged))
		})
		.await
	}

	/// Hashes an object of this size, and compares its outboard. Returns its hash, and whether the
	/// outboard is there and right.
	pub async fn compare(&self, id: VersionId, size: u64) -> Result<(Hash, bool), StoreError> {
		let mut bytes = self.read(id, 0..size, size).await?;
		let (mut builder, mut made) = (Builder::default(), Vec::new());
		let (mut at, mut is_right) = (0, true);
		while let Some(chunk) = bytes.try_next().await? {
			(builder, made) = blocking(move || {
				builder.update(&chunk);
				made.extend(builder.take());
				Ok((builder, made))
			})
			.await?;
			if made.len() >= COMPARED {
				is_right = is_right && self.has_in_outboard(id, size, at, &made).await?;
				at += made.len() as u64;
				made.clear();
			}
		}
		let (hash, rest) = builder.finish();
		made.extend(rest);
		Ok((hash, is_right && self.has_in_outboard(id, size, at, &made).await?))
	}

	async fn has_in_outboard(
		&self,
		id: VersionId,
		size: u64,
		at: u64,
		expected: &[u8],
	) -> Result<bool, StoreError> {
		let part = at..at + expected.len() as u64;
		Ok(self.outboard(id, Tree { size }, part).await?.is_some_and(|found| found == expected))
	}

	/// Reads a part of the outboard of an object. `None` if there is no outboard, if it has another
	/// length, or if it cannot be read.
	pub async fn outboard(
		&self,
		id: VersionId,
		tree: Tree,
		part: Range<u64>,
	) -> Result<Option<Bytes>, StoreError> {
		let length = (part.end - part.start) as usize;
		if let Some(folder) = &self.folder {
			let path = folder.path.join(Stored::Outboard(id).name());
			let read = move || {
				let file = File::open(path)?;
				let is_whole = file.metadata()?.len() == tree.outboard();
				is_whole.then(|| read_at(&file, part.start, length)).transpose()
			};
			// It is made again, whatever the reason.
			let read = blocking(move || Ok(read().unwrap_or(None))).await?;
			return Ok(read.filter(|bytes| bytes.len() == length).map(Bytes::from));
		}
		let options = GetOptions { range: Some(part.into()), ..Default::default() };
		match self.objects.get_opts(&place(id), options).await {
			Ok(found) if found.meta.size == tree.outboard() => Ok(Some(found.bytes().await?)),
			Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(None),
			// The range may be beyond its end.
			Err(error) => match self.objects.head(&place(id)).await {
				Ok(found) if found.size == tree.outboard() => Err(error.into()),
				Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(None),
				Err(error) => Err(error.into()),
			},
		}
	}
}

impl Staged {
	fn new(store: Store, id: VersionId) -> Result<Self, StoreError> {
		let Some(Folder { path, .. }) = &store.folder else {
			let file =
				tempfile::tempfile().map_err(file_error("written", &std::env::temp_dir()))?;
			return Ok(Self { store, id, file, path: None });
		};
		let path = path.join(Stored::Staged(id).name());
		if let Some(folder) = path.parent() {
			fs::create_dir_all(folder).map_err(file_error("made", folder))?;
		}
		let file = File::create(&path).map_err(file_error("written", &path))?;
		Ok(Self { store, id, file, path: Some(path) })
	}

	fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
		let path = self.path.clone().unwrap_or_else(std::env::temp_dir);
		self.file.write_all(bytes).map_err(file_error("written", &path))
	}

	/// Makes the outboard durable, in its place.
	pub async fn keep(mut self) -> Result<(), StoreError> {
		match (self.store.folder.clone(), self.path.clone()) {
			(Some(folder), Some(staged)) => {
				let place = folder.path.join(Stored::Outboard(self.id).name());
				blocking(move || {
					let synchronized = folder.disk.synchronize(&self.file, &staged);
					synchronized.map_err(file_error("synchronized", &staged))?;
					move_into_place(&*folder.disk, &staged, &place)?;
					drop(self.path.take());
					Ok(())
				})
				.await
			},
			_ => {
				let file = self.file.try_clone().and_then(|mut file| file.rewind().map(|()| file));
				let file = file.map_err(file_error("read", &std::env::temp_dir()))?;
				self.store.upload(file, &place(self.id), self.id).await
			},
		}
	}
}

impl Drop for Staged {
	fn drop(&mut self) {
		if let Some(path) = self.path.take() {
			// The next one takes its place, and the next start removes it.
			drop(fs::remove_file(path));
		}
	}
}
