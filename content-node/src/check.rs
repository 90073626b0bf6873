// SPDX-License-Identifier: Apache-2.0
//! Compares the record with the object store: hashes bytes again, removes what nobody needs.

use std::{collections::HashMap, sync::Arc};

use content_fabric_identifiers::VersionId;
use futures::{stream, StreamExt, TryStreamExt};

use crate::{
	error::Error,
	keep::{upload::Uploads, Held, Keep},
	store::{Stat, Store, StoreError},
};

/// Number of versions that are read from the record at once.
const PAGE: usize = 1_000;
/// Number of objects that are removed at the same time.
const REMOVALS: usize = 8;

/// A fault of a stored object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
	/// Its bytes do not have its hash.
	Damaged,
	/// It is recorded, but not in the store.
	Missing,
	/// It is in the store, but not recorded.
	Unknown,
}

/// Hashes the bytes of a version, and records whether they are damaged. Returns the store's
/// metadata of sound bytes, or the fault.
pub async fn examine(
	keep: &Keep,
	store: &Store,
	version: VersionId,
	held: &Held,
) -> Result<Result<Stat, Fault>, Error> {
	let examined = match store.stat(version).await? {
		None => Err(Fault::Missing),
		Some(stat) if stat.size == held.size && has_hash(store, version, held.size).await? => {
			Ok(stat)
		},
		Some(_) => Err(Fault::Damaged),
	};
	let is_damaged = examined.is_err();
	if held.is_damaged != is_damaged {
		keep.mark(version, is_damaged)?;
	}
	Ok(examined)
}

/// Returns `true` if an object of this size has the hash in its name.
async fn has_hash(store: &Store, version: VersionId, size: u64) -> Result<bool, StoreError> {
	match store.hash(version, size).await {
		Ok(hash) => Ok(hash == version),
		// It changes while it is read.
		Err(error) if error.is_damage() => Ok(false),
		Err(error) => Err(error),
	}
}

/// Compares the whole record with the whole store. With `repair` the record follows the store:
/// missing and damaged bytes are no longer held, and sound bytes that were unknown are held.
pub async fn check(
	keep: &Keep,
	store: &Store,
	repair: bool,
	now: u64,
	mut report: impl FnMut(VersionId, Fault),
) -> Result<u64, Error> {
	let (mut after, mut sound) = (None, 0);
	loop {
		let page = keep.held_after(after, PAGE)?;
		let Some((last, _)) = page.last() else { break };
		after = Some(*last);
		for (version, held) in &page {
			match examine(keep, store, *version, held).await? {
				Ok(_) => sound += 1,
				Err(fault) => {
					report(*version, fault);
					if repair {
						store.remove(*version).await?;
						keep.release(*version)?;
					}
				},
			}
		}
	}
	let mut objects = store.list();
	while let Some(version) = objects.try_next().await? {
		if keep.held(version)?.is_some() {
			continue;
		}
		report(version, Fault::Unknown);
		if repair {
			adopt(keep, store, version, now).await?;
		}
	}
	Ok(sound)
}

/// Takes in an object that the record does not have, or removes it if it is damaged.
async fn adopt(keep: &Keep, store: &Store, version: VersionId, now: u64) -> Result<(), Error> {
	let Some(Stat { size, .. }) = store.stat(version).await? else { return Ok(()) };
	match has_hash(store, version, size).await? {
		true => drop(keep.hold(version, size, now)?),
		false => store.remove(version).await?,
	}
	Ok(())
}

/// Takes in the objects that a crash has kept from being recorded, except those that somebody is
/// uploading. Returns the first error of an object, after all of them were tried.
pub async fn adopt_unrecorded(
	keep: &Keep,
	store: &Store,
	uploads: &Arc<Uploads>,
	now: u64,
) -> Result<(), Error> {
	let (mut objects, mut adopted) = (store.list(), Ok(()));
	while let Some(version) = objects.try_next().await? {
		if keep.held(version)?.is_some() {
			continue;
		}
		let Some(_claim) = uploads.claim(version) else { continue };
		// An upload may have ended meanwhile.
		if keep.held(version)?.is_none() {
			adopted = adopted.and(adopt(keep, store, version, now).await);
		}
	}
	adopted
}

/// Removes bytes that no row has needed since `before`, in seconds. Returns the number of versions.
/// Leaves those that somebody is uploading again.
pub async fn sweep(
	keep: &Keep,
	store: &Store,
	uploads: &Arc<Uploads>,
	before: u64,
) -> Result<usize, Error> {
	let mut removed = 0;
	loop {
		let page = keep.gone(before, PAGE)?;
		let claims: HashMap<_, _> =
			page.into_iter().filter_map(|id| uploads.claim(id).map(|claim| (id, claim))).collect();
		let claimed: Vec<_> = claims.keys().copied().collect();
		// The record's entries first: unrecorded bytes are found again, but recorded bytes that do
		// not exist are lost.
		let gone = keep.let_go(&claimed, before)?;
		if gone.is_empty() {
			return Ok(removed);
		}
		removed += gone.len();
		let removals = stream::iter(gone).map(|version| store.remove(version));
		// All of them end before the claims do.
		let removals: Vec<_> = removals.buffer_unordered(REMOVALS).collect().await;
		removals.into_iter().collect::<Result<(), _>>()?;
	}
}
