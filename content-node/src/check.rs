// SPDX-License-Identifier: Apache-2.0
//! Compares the record with the object store: hashes bytes again, removes what nobody needs.

use std::{
	collections::{HashMap, HashSet},
	sync::Arc,
};

use content_fabric_identifiers::{HashKind, VersionId};
use futures::{stream, StreamExt};
use tracing::warn;

use crate::{
	error::Error,
	keep::{upload::Uploads, Held, Keep},
	store::{
		outboard::{has_outboard, SMALL},
		Stat, Store, StoreError, Stored,
	},
};

/// Number of versions that are read from the record at once.
const PAGE: usize = 1_000;
/// Number of objects that are removed at the same time.
const REMOVALS: usize = 8;

/// A fault of a stored object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
	/// Its bytes do not have its hash.
	#[error("is damaged")]
	Damaged,
	/// It is recorded, or final on the chain, but not in the store.
	#[error("is missing")]
	Missing,
	/// It cannot be read, for this reason.
	#[error("cannot be read: {0}")]
	Unreadable(String),
	/// It is in the store, but not recorded.
	#[error("is not in the record")]
	Unknown,
	/// It is sound, but its outboard is not.
	#[error("has no outboard, or a damaged one")]
	Outboard,
	/// Its outboard is in the store, but nothing needs it.
	#[error("has an outboard that nothing needs")]
	Leftover,
}

/// Hashes the bytes of a version, and records whether they are damaged. Returns the store's
/// metadata of sound bytes, and whether they have the outboard that they need. Or returns the fault.
pub async fn examine(
	keep: &Keep,
	store: &Store,
	version: VersionId,
	held: &Held,
) -> Result<Result<(Stat, bool), Fault>, Error> {
	let examined = match store.stat(version).await {
		Ok(None) => Err(Fault::Missing),
		Ok(Some(stat)) if stat.size == held.size && has_outboard(held.hash, held.size) => {
			match store.compare(version, held.size).await {
				Ok((hash, is_right)) if hash == version.0 => Ok((stat, is_right)),
				Ok(_) => Err(Fault::Damaged),
				Err(error) => Err(fault_of(error)?),
			}
		},
		Ok(Some(stat)) if stat.size == held.size => {
			hash(store, version, [held.hash], held.size).await?.map(|_| (stat, true))
		},
		Ok(Some(_)) => Err(Fault::Damaged),
		Err(error) => Err(fault_of(error)?),
	};
	let is_damaged = examined.is_err();
	if held.is_damaged != is_damaged {
		keep.mark(version, is_damaged)?;
	}
	Ok(examined)
}

/// Checks that an object of this size has the hash in its name, of one of these kinds. Returns it.
async fn hash(
	store: &Store,
	version: VersionId,
	hashes: impl IntoIterator<Item = HashKind>,
	size: u64,
) -> Result<Result<HashKind, Fault>, StoreError> {
	match store.check(version, hashes, size).await {
		Ok(found) => Ok(found.ok_or(Fault::Damaged)),
		Err(error) => fault_of(error).map(Err),
	}
}

/// Makes the outboard of an object of this size. Returns a fault if the object is not sound, which it
/// records.
pub async fn rebuild(
	keep: &Keep,
	store: &Store,
	version: VersionId,
	size: u64,
) -> Result<Result<(), Fault>, Error> {
	let built = async {
		let bytes = store.read(version, 0..size, size).await?;
		let (hash, outboard) = store.build(version, bytes).await?;
		match hash == version.0 {
			true => outboard.keep().await.map(Ok),
			false => Ok(Err(Fault::Damaged)),
		}
	};
	let rebuilt = match built.await {
		Err(error) => Err(fault_of(error)?),
		Ok(rebuilt) => rebuilt,
	};
	if rebuilt.is_err() {
		keep.mark(version, true)?;
	}
	Ok(rebuilt)
}

/// Returns the fault that an error of the store reveals, or the error if it reveals none.
fn fault_of(error: StoreError) -> Result<Fault, StoreError> {
	match error {
		StoreError::Unreadable { reason, .. } => Ok(Fault::Unreadable(reason)),
		// It may also have changed while it was read.
		StoreError::OtherSize(_) | StoreError::Wrong { .. } => Ok(Fault::Damaged),
		error if error.is_damage() => Ok(Fault::Missing),
		error => Err(error),
	}
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct Checked {
	/// Number of sound objects.
	pub sound: u64,
	/// Number of faults.
	pub faults: u64,
	/// Number of faults that a repair does not mend: final versions without sound bytes, and
	/// objects that cannot be read.
	pub lasting: u64,
	/// The first error that kept objects from being listed or removed.
	pub error: Option<StoreError>,
}

/// Compares the whole record with the whole store. With `repair` the record follows the store:
/// missing and damaged bytes are no longer held, and sound bytes that were unknown are held. Calls
/// `report` with each fault, and with `true` if the version is final on the chain.
pub async fn check(
	keep: &Keep,
	store: &Store,
	repair: bool,
	now: u64,
	mut report: impl FnMut(VersionId, &Fault, bool),
) -> Result<Checked, Error> {
	let (mut after, mut checked) = (None, Checked::default());
	let mut reported = HashSet::new();
	loop {
		let page = keep.held_after(after, PAGE)?;
		let Some((last, _)) = page.last() else { break };
		after = Some(*last);
		for (version, held) in &page {
			let fault = match examine(keep, store, *version, held).await {
				Ok(Ok((_, true))) => {
					checked.sound += 1;
					continue;
				},
				Ok(Ok((_, false))) => {
					report(*version, &Fault::Outboard, false);
					checked.faults += 1;
					if repair {
						match rebuild(keep, store, *version, held.size).await {
							Ok(_) => {},
							Err(Error::Store(error)) => drop(checked.error.get_or_insert(error)),
							Err(error) => return Err(error),
						}
					}
					continue;
				},
				Ok(Err(fault)) => fault,
				Err(Error::Store(error)) => Fault::Unreadable(error.to_string()),
				Err(error) => return Err(error),
			};
			let (is_final, _) = keep.stages(*version, usize::MAX)?;
			let is_readable = !matches!(fault, Fault::Unreadable(_));
			report(*version, &fault, is_final);
			checked.faults += 1;
			checked.lasting += u64::from(is_final || !is_readable);
			if is_final {
				reported.insert(*version);
			}
			// Bytes that cannot be read may be sound.
			if repair && is_readable {
				match store.remove(*version).await {
					Ok(()) => keep.release(*version)?,
					Err(error) => drop(checked.error.get_or_insert(error)),
				}
			}
		}
	}
	let mut files = store.files();
	while let Some(file) = files.next().await {
		let file = match file {
			Ok(file) => file,
			Err(error) => {
				checked.error.get_or_insert(error);
				continue;
			},
		};
		let Stored::Object(version) = file else {
			let is_left = match is_left(keep, store, file).await {
				Err(Error::Store(error)) => Err(error),
				is_left => Ok(is_left?),
			};
			if matches!(is_left, Ok(true)) {
				report(file.version(), &Fault::Leftover, false);
				checked.faults += 1;
			}
			let removed = match is_left {
				Ok(true) if repair => store.remove_files(vec![file]).await,
				is_left => is_left.map(drop),
			};
			if let Err(error) = removed {
				checked.error.get_or_insert(error);
			}
			continue;
		};
		if keep.held(version)?.is_some() {
			continue;
		}
		let adopted = match repair {
			true => adopt(keep, store, version, now).await,
			false => Ok(None),
		};
		let fault = match adopted {
			Ok(fault) => fault.unwrap_or(Fault::Unknown),
			Err(Error::Store(error)) => Fault::Unreadable(error.to_string()),
			Err(error) => return Err(error),
		};
		report(version, &fault, false);
		checked.faults += 1;
		checked.lasting += u64::from(matches!(fault, Fault::Unreadable(_)));
	}
	let mut after = None;
	loop {
		let page = keep.missing_after(after, PAGE)?;
		let Some(last) = page.last() else { break };
		after = Some(*last);
		for version in page.iter().filter(|version| !reported.contains(version)) {
			report(*version, &Fault::Missing, true);
			checked.faults += 1;
			checked.lasting += 1;
		}
	}
	Ok(checked)
}

/// Takes in an object that the record does not have, or removes it if it is damaged. Returns the
/// fault of an object that cannot be read, which is left alone.
async fn adopt(
	keep: &Keep,
	store: &Store,
	version: VersionId,
	now: u64,
) -> Result<Option<Fault>, Error> {
	let Some(Stat { size, .. }) = store.stat(version).await? else { return Ok(None) };
	match identify(store, version, size).await? {
		Ok(found) => drop(keep.hold(version, found, size, now)?),
		Err(fault @ Fault::Unreadable(_)) => return Ok(Some(fault)),
		Err(_) => store.remove(version).await?,
	}
	Ok(None)
}

/// Returns the kind of the hash in the name of an object of this size. Makes the outboard that it
/// needs.
async fn identify(
	store: &Store,
	version: VersionId,
	size: u64,
) -> Result<Result<HashKind, Fault>, StoreError> {
	if size <= SMALL {
		return hash(store, version, HashKind::ALL, size).await;
	}
	let built = async {
		let bytes = store.read(version, 0..size, size).await?;
		store.build(version, bytes).await
	};
	match built.await {
		Ok((hash, outboard)) if hash == version.0 => {
			outboard.keep().await?;
			Ok(Ok(HashKind::Blake3))
		},
		Ok(_) => hash(store, version, [HashKind::Sha256], size).await,
		Err(error) => fault_of(error).map(Err),
	}
}

/// Returns whether an outboard is useless: it is incomplete, or belongs to no object.
async fn is_left(keep: &Keep, store: &Store, file: Stored) -> Result<bool, Error> {
	Ok(match file {
		Stored::Object(_) => false,
		Stored::Staged(_) => true,
		Stored::Outboard(version) => match keep.held(version)? {
			Some(held) => !has_outboard(held.hash, held.size),
			// An object that is not recorded yet may need it.
			None => store.stat(version).await?.is_none(),
		},
	})
}

/// Takes in the objects that a crash has kept from being recorded, except those that somebody is
/// uploading. Removes outboards that are of no use. Returns the first error of an object, after all
/// of them were tried.
pub async fn adopt_unrecorded(
	keep: &Keep,
	store: &Store,
	uploads: &Arc<Uploads>,
	now: u64,
) -> Result<(), Error> {
	let (mut files, mut adopted) = (store.files(), Ok(()));
	while let Some(file) = files.next().await {
		let file = match file {
			Ok(file) => file,
			Err(error) => {
				adopted = adopted.and(Err(error.into()));
				continue;
			},
		};
		let Stored::Object(version) = file else {
			adopted = adopted.and(remove_left(keep, store, uploads, file).await);
			continue;
		};
		if keep.held(version)?.is_some() {
			continue;
		}
		let Some(_claim) = uploads.claim(version) else { continue };
		// An upload may have ended meanwhile.
		if keep.held(version)?.is_none() {
			match adopt(keep, store, version, now).await {
				Ok(None) => {},
				Ok(Some(fault)) => warn!("the stored object {version} {fault}: it is left alone"),
				Err(error) => adopted = adopted.and(Err(error)),
			}
		}
	}
	adopted
}

/// Removes a useless outboard, unless it may be in the making.
async fn remove_left(
	keep: &Keep,
	store: &Store,
	uploads: &Arc<Uploads>,
	file: Stored,
) -> Result<(), Error> {
	// Nearly all outboards belong to recorded objects.
	if !is_left(keep, store, file).await? {
		return Ok(());
	}
	let Some(_claim) = uploads.claim(file.version()) else { return Ok(()) };
	if is_left(keep, store, file).await? {
		store.remove_files(vec![file]).await?;
	}
	Ok(())
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
