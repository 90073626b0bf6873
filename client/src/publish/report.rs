// SPDX-License-Identifier: Apache-2.0
//! The result of publishing.

use std::{
	collections::HashSet,
	fmt::{self, Display},
	time::Duration,
};

use content_fabric_identifiers::TenantId;
use serde::{Serialize, Serializer};
use subxt::utils::AccountId32;

use super::{plan::Item, removal::Removed, rounds::Head, Error};
use crate::{
	amount::{known, Amount},
	text::count,
};

/// Something that happens while content is published. Its text is a line for people.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
	/// The number of items that are on the chain, and of all that are known.
	Items {
		/// Number of items that are on the chain.
		done: u64,
		/// Number of all.
		all: u64,
	},
	/// The number of bytes that the content node has, and of all.
	Bytes {
		/// Number of bytes that the node has.
		done: u64,
		/// Number of all.
		all: u64,
	},
	/// The number of rows of a tenant that were read so far.
	Rows(u64),
	/// All is in best blocks. The last of them, with this number, is not final yet.
	Unfinal(u64),
	/// The content node is still at work on a commit of this many versions.
	Committing(u64),
	/// The content node has all bytes, and has yet to finalize this many versions.
	Unfinalized(u64),
	/// The node, or the content node, is away.
	Lost {
		/// The error.
		error: String,
		/// The time that it has to come back.
		patience: Duration,
	},
	/// A node that was away answers again.
	Back,
	/// A warning.
	Warning(String),
}

impl Display for Event {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Items { done, all } => write!(f, "{done} of {}", count(*all, "item", "items")),
			Self::Bytes { done, all } => write!(f, "{done} of {}", count(*all, "byte", "bytes")),
			Self::Rows(rows) => write!(f, "read {} of the tenant", count(*rows, "row", "rows")),
			Self::Unfinal(block) => {
				write!(f, "all is in best blocks; waiting until block {block} is final")
			},
			Self::Unfinalized(versions) => {
				let versions = count(*versions, "version", "versions");
				write!(f, "all bytes are sent; waiting until the content node finalizes {versions}")
			},
			Self::Committing(versions) => {
				let versions = count(*versions, "version", "versions");
				write!(
					f,
					"the content node is at work on a commit of {versions}; waiting for its block"
				)
			},
			Self::Lost { error, patience } => {
				write!(f, "{error}; connecting again for up to {} s", patience.as_secs())
			},
			Self::Back => f.write_str("connected again"),
			Self::Warning(text) => write!(f, "warning: {text}"),
		}
	}
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
	/// The results of the sources that the run has begun, in their order.
	pub sources: Vec<Published>,
	/// Number of transactions that were sent.
	pub transactions: u64,
	/// The last block with one of them.
	pub last: Option<Head>,
	/// The end. Without an error, the chain has everything, besides the
	/// [failures](Published::failures).
	pub end: Result<(), Error>,
}

/// An estimate of what an account pays.
#[derive(Clone, Debug, Serialize)]
pub struct EstimatedCost {
	/// The account.
	pub account: AccountId32,
	/// True if the account signs, and so pays fees. Otherwise, it is the root of a member.
	pub signs: bool,
	/// The deposits, which are refundable.
	pub deposits: Amount,
	/// The bonds, which are slashable.
	pub bonds: Amount,
	/// The fees. `None` if the runtime does not offer to compute them.
	pub fees: Option<Amount>,
}

impl Display for EstimatedCost {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { account, signs, deposits, bonds, fees } = self;
		let fees = known(fees.as_ref());
		let role = if *signs { "" } else { ", which does not sign but is the root," };
		write!(
			f,
			"{account}{role} would pay about: deposits {deposits}, bonds {bonds}, fees {fees}"
		)
	}
}

/// The result for a source, or for a dry run what it would be.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
	/// The source, as the input names it.
	pub source: String,
	/// Its tenant.
	pub tenant: TenantId,
	/// Number of its packages in the input: its content objects.
	pub packages: usize,
	/// Number of the versions of these packages in the input.
	pub versions: usize,
	/// Number of content objects that were created.
	pub created: usize,
	/// Number of versions that were committed.
	pub committed: usize,
	/// Number of versions that were finalized, whoever has committed them.
	pub finalized: usize,
	/// The files that were uploaded, if a content node takes any.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub uploaded: Option<Uploaded>,
	/// The files of final versions whose bytes the node had lost, and which it has again.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub restored: Option<Uploaded>,
	/// Number of copies that nodes were asked for, of versions that were on the chain before.
	pub copies_added: usize,
	/// Number of copies that were removed.
	pub copies_removed: usize,
	/// Number of objects whose head was set, by a finalization or alone.
	pub heads_set: usize,
	/// Number of records of names that were added.
	pub records_added: usize,
	/// Number of records of names that were pointed to other content.
	pub records_updated: usize,
	/// The rows that were removed, if the run removes anything.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub removed: Option<Removed>,
	/// Number of items that were published: versions, records, and heads that were set alone.
	#[serde(skip)]
	pub items: usize,
	/// Number of items that were not sent, because the run ended early.
	pub not_sent: usize,
	/// Number of items that were sent, and of which it is not known whether they are in a block.
	pub unconfirmed: usize,
	/// False if the run ended with a refusal that lasts.
	#[serde(skip)]
	pub can_continue: bool,
	/// Number of final versions for whose bytes a dry run does not ask the content node.
	pub not_asked: u64,
	/// The key of the record of this run: a TID. A dry run has none.
	pub run: Option<String>,
	/// True if the record of the run is among the items.
	#[serde(skip)]
	pub has_run: bool,
	/// The items that were not published, in the order of time.
	#[serde(skip)]
	pub failures: Vec<Failure>,
}

/// Files with different bytes that a content node has taken in.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Uploaded {
	/// Number of files.
	pub files: u64,
	/// Number of their bytes.
	#[serde(serialize_with = "as_text")]
	pub bytes: u64,
}

pub(super) fn as_text<S: Serializer>(
	value: &impl Display,
	serializer: S,
) -> Result<S::Ok, S::Error> {
	serializer.collect_str(value)
}

/// The cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureCause {
	/// The input does not have what a version needs.
	Input,
	/// A name has no record key, or stands for something else. The content is published without
	/// that record.
	RecordKey,
	/// The chain has a release of this name with other content, or something to be removed has
	/// changed since it was shown.
	Changed,
	/// The chain, or the content node, refuses it.
	Chain,
}

impl FailureCause {
	/// Returns true if the chain does not hold what the input asks for.
	pub fn is_conflict(self) -> bool {
		matches!(self, Self::Changed | Self::Chain)
	}
}

/// Something that was not published.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
	/// The source. `None` if the input names none for the item.
	pub source: Option<String>,
	/// The package, or the path of the file.
	pub package: String,
	/// The version.
	pub version: Option<String>,
	/// The name or the record key, if it is a record.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub record_key: Option<String>,
	/// The cause.
	pub cause: FailureCause,
	/// The reason, in a line.
	pub reason: String,
}

impl Published {
	/// Returns the result for a source before anything of it is published.
	pub fn new(source: &str, tenant: TenantId, packages: usize, versions: usize) -> Self {
		Self {
			source: source.to_owned(),
			tenant,
			packages,
			versions,
			created: 0,
			committed: 0,
			finalized: 0,
			uploaded: None,
			restored: None,
			copies_added: 0,
			copies_removed: 0,
			heads_set: 0,
			records_added: 0,
			records_updated: 0,
			removed: None,
			items: 0,
			not_sent: 0,
			unconfirmed: 0,
			can_continue: true,
			not_asked: 0,
			run: None,
			has_run: false,
			failures: Vec::new(),
		}
	}

	/// Counts the items that are on the chain.
	pub(super) fn count<'a>(&mut self, done: impl IntoIterator<Item = &'a Item>) {
		let (mut created, mut heads) = (HashSet::new(), HashSet::new());
		let done: Vec<_> = done.into_iter().collect();
		if let Some(removed) = &mut self.removed {
			removed.count(done.iter().copied());
		}
		for item in done.into_iter().filter(|item| item.reduced().is_none()) {
			self.items += 1;
			heads.extend(item.new_head());
			match item {
				Item::Finalize { .. } => self.finalized += 1,
				Item::Commit { creates, place, .. } => {
					self.committed += 1;
					self.finalized += 1;
					created.extend(creates.then_some(place.package));
				},
				Item::Head { .. } => {},
				Item::Name { is_new: true, .. } => self.records_added += 1,
				Item::Name { .. } => self.records_updated += 1,
				Item::Run { key, .. } => (self.run, self.has_run) = (Some(key.to_string()), true),
				Item::Copy { removes: false, .. } => self.copies_added += 1,
				Item::Copy { .. } => self.copies_removed += 1,
				Item::DeleteVersion { .. }
				| Item::DeleteObject { .. }
				| Item::DeleteRecord { .. } => {},
			}
		}
		(self.created, self.heads_set) = (created.len(), heads.len());
	}

	/// Returns whether nothing was added, besides the record of the run.
	pub fn is_unchanged(&self) -> bool {
		self.items == usize::from(self.has_run)
	}
}
