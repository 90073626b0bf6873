// SPDX-License-Identifier: Apache-2.0
//! The options of a store on disk.

use std::path::{Path, PathBuf};

#[cfg(doc)]
use super::DiskErrorKind;
use crate::Durability;

/// Path of the file, and options for opening and writing it.
#[derive(Clone, Debug)]
pub struct DiskConfig {
	pub(super) path: PathBuf,
	pub(super) durability: Durability,
	pub(super) quick_repair: bool,
	pub(super) verify: Verify,
	cache_bytes: Option<usize>,
}

/// When to compare the whole file with its checksums as it is opened, which takes the time to read
/// it.
///
/// Damage to a file that was not verified may show late: as an error, as a panic of `redb`, as
/// wrong pairs, or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Verify {
	/// Never, except for what `redb` needs to recover from a crash: the whole file, unless its last
	/// commit was made with [`quick_repair`](DiskConfig::quick_repair).
	Never,
	/// If the file was not closed cleanly.
	#[default]
	AfterUncleanClose,
	/// Always.
	Always,
}

impl DiskConfig {
	/// Names the file, which is created if it does not exist.
	pub fn new(path: impl AsRef<Path>) -> Self {
		Self {
			path: path.as_ref().to_owned(),
			durability: Durability::default(),
			quick_repair: false,
			verify: Verify::default(),
			cache_bytes: None,
		}
	}

	/// Sets the durability of commits that do not set their own. Default: [`Durability::Commit`].
	pub fn durability(self, durability: Durability) -> Self {
		Self { durability, ..self }
	}

	/// Sets whether each durable commit also saves which pages of the file are free. Default: no.
	///
	/// Without it, a durable commit synchronizes the file once, as users of `redb` expect. With it,
	/// commits take longer, and synchronize the file twice: its data first, then the mark that
	/// makes them count. With [`Verify::Never`], opening after a crash then takes no time that
	/// grows with the file. Damage to the last commit is reported as
	/// [`Corrupted`](DiskErrorKind::Corrupted) when the file is opened after a crash. Without
	/// it, such a commit cannot be told from one that was cut short, and is rolled back.
	pub fn quick_repair(self, quick_repair: bool) -> Self {
		Self { quick_repair, ..self }
	}

	/// Sets when to compare the whole file with its checksums as it is opened. Default:
	/// [`Verify::AfterUncleanClose`].
	pub fn verify(self, verify: Verify) -> Self {
		Self { verify, ..self }
	}

	/// Sets how much memory to use for a cache of the file, in bytes. Default: 1 GiB.
	pub fn cache_bytes(self, cache_bytes: usize) -> Self {
		Self { cache_bytes: Some(cache_bytes), ..self }
	}

	pub(super) fn builder(&self) -> redb::Builder {
		let mut builder = redb::Builder::new();
		if let Some(bytes) = self.cache_bytes {
			builder.set_cache_size(bytes);
		}
		builder
	}
}
