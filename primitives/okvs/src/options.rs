// SPDX-License-Identifier: Apache-2.0
//! Options for beginning and ending transactions, and for closing a database.

/// Options for [`Database::begin_with`](crate::Database::begin_with). There are none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BeginOptions {}

/// Options for [`Transaction::rollback_with`](crate::Transaction::rollback_with). There are none
/// yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RollbackOptions {}

/// Options for [`Transaction::commit_with`](crate::Transaction::commit_with).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CommitOptions {
	/// Durability of this commit; `None` is the database's own. Backends in memory and in the state
	/// of a chain ignore it.
	pub durability: Option<Durability>,
}

impl CommitOptions {
	/// Sets the durability of the commit.
	pub fn durability(self, durability: Durability) -> Self {
		Self { durability: Some(durability) }
	}
}

/// Moment from which a commit survives a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
	/// The return of the commit.
	#[default]
	Commit,
	/// The return of a later commit with [`Durability::Commit`], of `DiskDatabase::flush`, or of
	/// the close of the database. Before that, a crash, of the process too, or an error of the
	/// operating system may lose the last commits, but none in part.
	Close,
}

/// Options for [`Database::close_with`](crate::Database::close_with).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CloseOptions {
	/// Returns unused space to the file system first. Backends without a file ignore it.
	pub compact: bool,
}

impl CloseOptions {
	/// Sets whether to return unused space to the file system first.
	pub fn compact(self, compact: bool) -> Self {
		Self { compact }
	}
}
