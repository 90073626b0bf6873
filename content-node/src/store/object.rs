// SPDX-License-Identifier: Apache-2.0
//! Reads of an object at any place.

use std::{fs::File, io, ops::Range, sync::Arc};

use axum::body::Bytes;
use content_fabric_identifiers::VersionId;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt};
use rustix::{buffer::spare_capacity, io::pread};

use super::{blocking, file_error, name, object_error, place, Store, StoreError, AT_ONCE};
use crate::page_cache;

/// An object that is open.
#[derive(Clone, Debug)]
pub struct Object {
	id: VersionId,
	size: u64,
	at: At,
}

#[derive(Clone, Debug)]
enum At {
	File(Arc<File>),
	/// Not in a folder.
	Store(Arc<dyn ObjectStore>),
}

impl Store {
	/// Opens an object of this size. If the store is not a folder, only reads show whether the object
	/// is there and has the size.
	pub async fn open_object(&self, id: VersionId, size: u64) -> Result<Object, StoreError> {
		let Some(folder) = &self.folder else {
			return Ok(Object { id, size, at: At::Store(self.objects.clone()) });
		};
		let name = name(id);
		let open = match page_cache::open(&folder.open, &name) {
			Some(open) => open,
			None => {
				let path = folder.path.join(name);
				let open = move || {
					File::open(&path).map_err(|error| match error.kind() {
						io::ErrorKind::NotFound => file_error("read", &path)(error),
						_ => object_error(id, error),
					})
				};
				blocking(open).await?
			},
		};
		let metadata = open.metadata().map_err(|error| object_error(id, error))?;
		if !metadata.is_file() || metadata.len() != size {
			return Err(StoreError::OtherSize(id));
		}
		Ok(Object { id, size, at: At::File(Arc::new(open)) })
	}
}

impl Object {
	/// Returns whether the object is a file.
	pub fn is_file(&self) -> bool {
		matches!(self.at, At::File(_))
	}

	/// Reads a part of the object, which must not be beyond its end, and passes it on to `then`.
	/// Both happen outside the threads that answer, unless the part is small and in memory.
	pub async fn read<T: Send + 'static>(
		&self,
		part: Range<u64>,
		then: impl FnOnce(Bytes) -> Result<T, StoreError> + Send + 'static,
	) -> Result<T, StoreError> {
		let id = self.id;
		let length = usize::try_from(part.end - part.start).unwrap_or(usize::MAX);
		let whole = move |bytes: Bytes| match bytes.len() == length {
			true => then(bytes),
			false => Err(StoreError::OtherSize(id)),
		};
		match &self.at {
			At::File(file) => {
				let is_small = length as u64 <= AT_ONCE;
				let cached = is_small.then(|| page_cache::read(file, part.start, length)).flatten();
				if let Some(bytes) = cached.filter(|bytes| bytes.len() == length) {
					return whole(bytes.into());
				}
				let file = file.clone();
				blocking(move || {
					let bytes = read_at(&file, part.start, length);
					whole(bytes.map_err(|error| object_error(id, error))?.into())
				})
				.await
			},
			At::Store(objects) => {
				let options = GetOptions { range: Some(part.into()), ..Default::default() };
				let found = match objects.get_opts(&place(id), options).await {
					Ok(found) if found.meta.size != self.size => Err(StoreError::OtherSize(id)),
					Ok(found) => Ok(found),
					// The range may be beyond the end of an object that was cut.
					Err(error) => match objects.head(&place(id)).await {
						Ok(meta) if meta.size != self.size => Err(StoreError::OtherSize(id)),
						_ => Err(error.into()),
					},
				};
				let bytes = found?.bytes().await?;
				blocking(move || whole(bytes)).await
			},
		}
	}
}

/// Reads bytes of a file from a place, and fewer at its end.
pub(super) fn read_at(file: &File, start: u64, length: usize) -> io::Result<Vec<u8>> {
	let mut bytes = Vec::with_capacity(length);
	while bytes.len() < length {
		let at = start + bytes.len() as u64;
		// The vector may have more capacity than was asked for.
		let read = pread(file, spare_capacity(&mut bytes), at)?;
		if read == 0 {
			break;
		}
	}
	bytes.truncate(length);
	Ok(bytes)
}
