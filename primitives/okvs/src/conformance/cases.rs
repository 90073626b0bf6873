// SPDX-License-Identifier: Apache-2.0
//! Format of the cases.

use alloc::{string::String, vec::Vec};
use core::{
	fmt,
	ops::{Bound, Deref},
};

use serde::Deserialize;

use crate::RangeOptions;

/// Steps from an empty database on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
	pub name: String,
	pub steps: Vec<Step>,
}

/// Bytes, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Hex(#[serde(with = "hex")] pub Vec<u8>);

impl Deref for Hex {
	type Target = [u8];

	fn deref(&self) -> &[u8] {
		&self.0
	}
}

impl From<&[u8]> for Hex {
	fn from(bytes: &[u8]) -> Self {
		Self(bytes.to_vec())
	}
}

impl fmt::Debug for Hex {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&hex::encode(&self.0))
	}
}

/// An operation, and its expected result. An `end` that is left out is after all keys.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Step {
	/// Steps in a transaction.
	Transaction {
		steps: Vec<Step>,
		#[serde(default)]
		end: End,
	},
	/// Steps in a snapshot. Where snapshots and transactions exclude each other, the one that is
	/// within the other is refused.
	Snapshot {
		steps: Vec<Step>,
	},
	/// A second transaction of the database is refused, unless it would wait.
	Busy,
	Set(Hex, Hex),
	/// Removes a key, whose presence is read before.
	Remove(Hex),
	/// Removes a key that must have been there or not.
	Removed(Hex, bool),
	Clear(Hex),
	RemoveRange {
		start: Hex,
		end: Option<Hex>,
	},
	RemoveRangeLimited {
		start: Hex,
		end: Option<Hex>,
		limit: usize,
		count: usize,
		cursor: Option<Hex>,
	},
	RemovePrefix {
		prefix: Hex,
		limit: Option<usize>,
		count: usize,
		more: bool,
	},
	Get(Hex, Option<Hex>),
	Range {
		prefix: Hex,
		#[serde(default)]
		select: Select,
		pairs: Vec<(Hex, Hex)>,
	},
	/// Bounds that are left out are open.
	In {
		start: Option<Edge>,
		end: Option<Edge>,
		#[serde(default)]
		select: Select,
		pairs: Vec<(Hex, Hex)>,
	},
	Between {
		start: Hex,
		end: Option<Hex>,
		#[serde(default)]
		select: Select,
		pairs: Vec<(Hex, Hex)>,
	},
}

/// A bound.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Edge {
	Included(Hex),
	Excluded(Hex),
}

impl Edge {
	pub fn bound(edge: &Option<Self>) -> Bound<&[u8]> {
		match edge {
			None => Bound::Unbounded,
			Some(Self::Included(key)) => Bound::Included(key),
			Some(Self::Excluded(key)) => Bound::Excluded(key),
		}
	}
}

/// End of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
	#[default]
	Commit,
	/// A commit that is durable when it returns.
	Durable,
	/// A commit that is durable when the database is closed.
	Close,
	Rollback,
	Drop,
	/// The end after a closure that returns `Ok`.
	Ok,
	/// The end after a closure that returns `Err`.
	Err,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Select {
	pub reverse: bool,
	pub offset: usize,
	pub limit: Option<usize>,
}

impl Select {
	pub fn options(&self) -> RangeOptions {
		let limit = self.limit.unwrap_or(usize::MAX);
		RangeOptions { reverse: self.reverse, offset: self.offset, limit }
	}
}

/// Returns the cases of this crate, and the official tests of SRFI 167 about stores.
pub(super) fn all() -> Vec<Case> {
	let read = |cases| -> Vec<Case> {
		serde_json::from_str(cases).expect("the cases have this form; qed")
	};
	[read(include_str!("cases.json")), read(include_str!("srfi167.json"))]
		.into_iter()
		.flatten()
		.collect()
}
