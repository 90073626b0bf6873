// SPDX-License-Identifier: Apache-2.0
//! The report of `fabric publish`.

use std::{
	collections::{BTreeMap, HashSet},
	fmt::{self, Display},
	io::{self, Write},
	time::Instant,
};

use content_fabric_client::{
	amount::{known, Amount},
	text::{count, printable},
};
use content_fabric_identifiers::{NodeId, ProviderId, SpaceId, TenantId};
use serde::Serialize;
use subxt::utils::AccountId32;

use super::plan::Item;
use crate::{
	input::{Content, Format},
	output::{as_text, Report},
	progress::items,
	Error,
};

/// The largest number of failures, or of skipped items of a kind, that the text lists.
const LISTED: usize = 20;

/// The result of publishing, or of a dry run.
#[derive(Serialize)]
pub(super) struct Published {
	#[serde(skip)]
	format: Format,
	#[serde(skip)]
	pub start: Instant,
	/// True if nothing was signed, and the numbers say what would be done.
	dry_run: bool,
	space: SpaceId,
	provider: ProviderId,
	/// The node that takes in the content.
	node: NodeId,
	registries: Vec<PublishedRegistry>,
	/// The paths of symbolic links in a directory, which are not followed.
	symlinks_skipped: Vec<String>,
	/// The paths of hidden files and folders in a directory, which are skipped.
	hidden_skipped: Vec<String>,
	failed: Vec<Failure>,
	failed_count: usize,
	pub transactions: u64,
	seconds: f64,
	/// Number of items that were published: versions, heads and records.
	items: usize,
	items_per_second: f64,
	/// The last block with a transaction of this run.
	pub block: Option<Block>,
	/// Amounts that a dry run expects each account to pay.
	#[serde(skip_serializing_if = "Vec::is_empty")]
	pub estimates: Vec<EstimatedCost>,
}

#[derive(Serialize)]
pub(super) struct Block {
	pub number: u64,
	pub hash: String,
}

#[derive(Serialize)]
pub(super) struct EstimatedCost {
	pub account: AccountId32,
	/// The deposits, which are refundable.
	pub deposits: Amount,
	/// The bonds, which are slashable.
	pub bonds: Amount,
	/// The fees. `None` if the runtime does not offer to compute them.
	pub fees: Option<Amount>,
}

impl Display for EstimatedCost {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { account, deposits, bonds, fees } = self;
		let fees = known(fees.as_ref());
		write!(f, "{account} would pay about: deposits {deposits}, bonds {bonds}, fees {fees}")
	}
}

#[derive(Clone, Serialize)]
pub(super) struct PublishedRegistry {
	/// The registry, as the input names it.
	pub source: String,
	tenant: TenantId,
	/// Number of its packages in the input.
	packages: usize,
	/// Number of the versions of these packages in the input.
	versions: usize,
	created: usize,
	committed: usize,
	finalized: usize,
	/// The files that were uploaded, if the command uploads any.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub uploaded: Option<Uploaded>,
	/// The files of final versions whose bytes the node had lost, and which it has again.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub restored: Option<Uploaded>,
	/// Number of heads that were set, besides those that came with a finalization.
	heads_set: usize,
	records_added: usize,
	/// Number of records of names that were pointed to other content.
	records_updated: usize,
	/// Number of items that were not sent, because the run ended early.
	pub not_sent: usize,
	/// False if the run ended with a refusal that lasts.
	#[serde(skip)]
	pub can_continue: bool,
	/// Number of final versions for whose bytes a dry run does not ask the content node.
	pub not_asked: u64,
	/// The key of the record of this run: a TID.
	pub run: Option<String>,
}

/// Files with different bytes that a content node has taken in.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Uploaded {
	pub files: u64,
	#[serde(serialize_with = "as_text")]
	pub bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FailureCause {
	/// The input does not have what a version needs.
	Input,
	/// A name has no record key, or stands for something else. The content is published without
	/// that record.
	RecordKey,
	/// The chain has a release of this name with other content.
	Changed,
	Chain,
}

/// Something that was not published.
#[derive(Serialize)]
pub(super) struct Failure {
	/// The registry. `None` if the input names none for the item.
	pub source: Option<String>,
	/// The package, or the path of the file.
	pub package: String,
	pub version: Option<String>,
	/// The name or the record key, if it is a record.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub record_key: Option<String>,
	pub cause: FailureCause,
	pub reason: String,
}

impl FailureCause {
	/// Returns true if the chain does not hold what the input asks for.
	fn is_conflict(self) -> bool {
		matches!(self, Self::Changed | Self::Chain)
	}
}

impl Failure {
	fn subject(&self) -> String {
		let version = self.version.as_deref().unwrap_or_default();
		let text = match &self.record_key {
			Some(key) => format!("record `{key}`"),
			None => format!("{} {version}", self.package).trim_end().to_owned(),
		};
		printable(&text)
	}
}

impl PublishedRegistry {
	/// Returns the result for a registry before anything of it is published.
	pub(super) fn new(source: String, tenant: TenantId, packages: usize, versions: usize) -> Self {
		Self {
			source,
			tenant,
			packages,
			versions,
			created: 0,
			committed: 0,
			finalized: 0,
			uploaded: None,
			restored: None,
			heads_set: 0,
			records_added: 0,
			records_updated: 0,
			not_sent: 0,
			can_continue: true,
			not_asked: 0,
			run: None,
		}
	}

	/// Counts the items that are on the chain.
	pub(super) fn count<'a>(&mut self, done: impl IntoIterator<Item = &'a Item>) {
		let mut created = HashSet::new();
		for item in done {
			match item {
				Item::Finalize { .. } => self.finalized += 1,
				Item::Commit { creates, place, .. } => {
					self.committed += 1;
					self.finalized += 1;
					created.extend(creates.then_some(place.package));
				},
				Item::Head { .. } => self.heads_set += 1,
				Item::Name { is_new: true, .. } => self.records_added += 1,
				Item::Name { .. } => self.records_updated += 1,
				Item::Run { key, .. } => self.run = Some(key.to_string()),
			}
		}
		self.created = created.len();
	}

	/// Returns the number of items that were published. A version that is committed is finalized,
	/// too.
	fn items(&self) -> usize {
		let records = self.records_added + self.records_updated + usize::from(self.run.is_some());
		self.finalized + self.heads_set + records
	}

	fn is_unchanged(&self) -> bool {
		let content = self.created + self.committed + self.finalized + self.heads_set;
		content + self.records_added + self.records_updated == 0
	}

	/// Writes the text. `refused` is true if the chain refused a part of the run.
	fn write(&self, out: &mut dyn Write, format: Format, refused: bool) -> io::Result<()> {
		writeln!(out, "tenant {} holds {}", self.tenant, printable(&self.source))?;
		writeln!(
			out,
			"  {} with {} in the {}",
			count(self.packages, "package", "packages"),
			count(self.versions, "version", "versions"),
			format.noun()
		)?;
		if self.is_unchanged() && self.not_sent == 0 && !refused {
			writeln!(out, "  nothing to add: all of it was published before")?;
		} else {
			writeln!(
				out,
				"  added {}, {}; finalized {}; set {}",
				count(self.created, "content object", "content objects"),
				count(self.committed, "version", "versions"),
				count(self.finalized, "version", "versions"),
				count(self.heads_set, "head", "heads"),
			)?;
			writeln!(
				out,
				"  added {}, updated {}",
				count(self.records_added, "record", "records"),
				count(self.records_updated, "record", "records")
			)?;
		}
		for (uploaded, verb) in [(self.uploaded, "uploaded"), (self.restored, "brought back")] {
			let Some(Uploaded { files: files @ 1.., bytes }) = uploaded else { continue };
			let bytes = count(bytes, "byte", "bytes");
			writeln!(out, "  {verb} {} with {bytes}", count(files, "file", "files"))?;
		}
		if self.not_sent > 0 {
			let items = items(self.not_sent);
			let advice = if self.can_continue { ": run the command again to continue" } else { "" };
			writeln!(out, "  did not send {items}{advice}")?;
		}
		if self.not_asked > 0 {
			let versions = count(self.not_asked, "final version", "final versions");
			writeln!(out, "  did not ask the content node for the bytes of {versions}")?;
		}
		match &self.run {
			Some(run) => writeln!(out, "  run {run}"),
			None => Ok(()),
		}
	}
}

impl Published {
	/// Returns the result before anything is published.
	pub(super) fn new(
		content: &Content,
		(space, provider, node): (SpaceId, ProviderId, NodeId),
		dry_run: bool,
	) -> Self {
		let failed = content.failed.iter().map(|item| Failure {
			source: None,
			package: item.name.clone(),
			version: None,
			record_key: None,
			cause: FailureCause::Input,
			reason: item.reason.clone(),
		});
		Self {
			format: content.format,
			start: Instant::now(),
			dry_run,
			space,
			provider,
			node,
			registries: Vec::new(),
			symlinks_skipped: content.symlinks_skipped.clone(),
			hidden_skipped: content.hidden_skipped.clone(),
			failed: failed.collect(),
			failed_count: 0,
			transactions: 0,
			seconds: 0.0,
			items: 0,
			items_per_second: 0.0,
			block: None,
			estimates: Vec::new(),
		}
	}

	/// Returns `true` if something was done, although perhaps not all.
	pub(super) fn has_effect(&self) -> bool {
		let is_restored = |registry: &PublishedRegistry| {
			registry.restored.is_some_and(|restored| restored.files > 0)
		};
		self.transactions > 0 || self.registries.iter().any(is_restored)
	}

	pub(super) fn add(&mut self, registry: PublishedRegistry, failures: Vec<Failure>) {
		self.failed.extend(failures);
		self.registries.push(registry);
	}

	pub(super) fn finish(&mut self) {
		self.failed_count = self.failed.len();
		self.items = self.registries.iter().map(PublishedRegistry::items).sum();
		if !self.dry_run {
			let seconds = self.start.elapsed().as_secs_f64();
			self.seconds = (seconds * 1_000.0).round() / 1_000.0;
			self.items_per_second = (self.items as f64 / seconds.max(0.001)).round();
		}
	}

	/// Returns the error of a run that published a part only.
	pub(super) fn ensure_whole(&self) -> Result<(), Error> {
		let failed = self.failed.len();
		if failed == 0 {
			return Ok(());
		}
		let written = self
			.registries
			.iter()
			.map(|registry| registry.versions.max(registry.committed) + registry.records_added);
		// Items that never got to the chain are not among the versions and the records.
		let unsent = self.failed.iter().filter(|failure| !failure.cause.is_conflict());
		Err(Error::Partial { failed, all: failed.max(unsent.count() + written.sum::<usize>()) })
	}

	fn write_skipped(&self, out: &mut dyn Write) -> io::Result<()> {
		let nouns = ["symbolic link", "symbolic links"];
		write_listed(out, &self.symlinks_skipped, nouns, "")?;
		let nouns = ["hidden file or folder", "hidden files and folders"];
		write_listed(out, &self.hidden_skipped, nouns, ": --hidden publishes them")
	}

	fn write_failed(&self, out: &mut dyn Write) -> io::Result<()> {
		let mut by_reason = BTreeMap::<&str, Vec<&Failure>>::new();
		for failure in &self.failed {
			by_reason.entry(&failure.reason).or_default().push(failure);
		}
		let mut groups: Vec<_> = by_reason.into_iter().collect();
		// Items that the chain refused, or has changed, matter most.
		groups.sort_by_key(|(_, failures)| {
			let refused = failures.iter().any(|failure| failure.cause.is_conflict());
			(!refused, failures.len())
		});
		let mut listed = 0;
		for (reason, failures) in groups {
			if listed == LISTED {
				break;
			}
			let reason = printable(reason);
			writeln!(out, "not published, {}: {reason}", items(failures.len()))?;
			for failure in failures.iter().take(LISTED - listed) {
				writeln!(out, "  {}", failure.subject())?;
				listed += 1;
			}
		}
		write_more(out, self.failed.len() - listed)
	}
}

/// Writes how many items were skipped, the names of the first of them, and what to do about it.
fn write_listed(
	out: &mut dyn Write,
	names: &[String],
	[one, many]: [&str; 2],
	advice: &str,
) -> io::Result<()> {
	if names.is_empty() {
		return Ok(());
	}
	writeln!(out, "skipped {}{advice}", count(names.len(), one, many))?;
	for name in names.iter().take(LISTED) {
		writeln!(out, "  {}", printable(name))?;
	}
	write_more(out, names.len().saturating_sub(LISTED))
}

fn write_more(out: &mut dyn Write, more: usize) -> io::Result<()> {
	match more {
		0 => Ok(()),
		more => writeln!(out, "… and {} more", content_fabric_client::text::grouped(more as u128)),
	}
}

impl Report for Published {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		self.write_failed(out)?;
		if self.dry_run {
			writeln!(out, "nothing was signed; this is what would be done")?;
		}
		writeln!(out, "space {}, provider {}, node {}", self.space, self.provider, self.node)?;
		let refused = self.failed.iter().any(|failure| failure.cause.is_conflict());
		for registry in &self.registries {
			registry.write(out, self.format, refused)?;
		}
		self.write_skipped(out)?;
		for cost in &self.estimates {
			writeln!(out, "{cost}")?;
		}
		if self.dry_run {
			return Ok(());
		}
		if let Some(Block { number, hash }) = &self.block {
			writeln!(out, "block {number} {hash}")?;
		}
		writeln!(
			out,
			"published {} in {} and {:.1} s ({}/s), {} failed",
			items(self.items),
			count(self.transactions, "transaction", "transactions"),
			self.seconds,
			items(self.items_per_second as u64),
			content_fabric_client::text::grouped(self.failed_count as u128),
		)
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::output::text_of;

	fn failure(number: usize, cause: FailureCause, reason: &str) -> Failure {
		Failure {
			source: None,
			package: format!("p{number}"),
			version: Some("1".into()),
			record_key: None,
			cause,
			reason: reason.into(),
		}
	}

	fn published(failed: Vec<Failure>) -> Published {
		let ids = (SpaceId([0; 10]), ProviderId([0; 10]), NodeId([0; 10]));
		Published { failed, ..Published::new(&Content::new(Format::Manifest), ids, false) }
	}

	/// Returns what a part of a report writes.
	fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
		let mut out = Vec::new();
		write(&mut out).expect("memory takes all");
		String::from_utf8_lossy(&out).into_owned()
	}

	fn lines(failed: Vec<Failure>) -> Vec<String> {
		let text = written(|out| published(failed).write_failed(out));
		text.lines().map(str::to_owned).collect()
	}

	#[test]
	fn failures_are_grouped_by_reason_and_those_of_the_chain_come_first() {
		use FailureCause::{Chain, RecordKey};
		assert_eq!(lines(Vec::new()), [""; 0]);
		let failed = vec![
			failure(1, RecordKey, "no key"),
			failure(2, Chain, "refused\x1b"),
			failure(3, Chain, "refused\x1b"),
		];
		assert_eq!(
			lines(failed),
			[
				"not published, 2 items: refused\\u{1b}",
				"  p2 1",
				"  p3 1",
				"not published, 1 item: no key",
				"  p1 1",
			]
		);
	}

	#[test]
	fn at_most_twenty_failures_are_listed_and_the_others_counted() {
		let lines = lines((0..1_234).map(|n| failure(n, FailureCause::Chain, "no")).collect());
		assert_eq!(lines.len(), 1 + LISTED + 1);
		assert_eq!(lines.last().map(String::as_str), Some("… and 1,214 more"));
	}

	fn registry() -> PublishedRegistry {
		PublishedRegistry::new("docs".into(), TenantId([0; 10]), 1, 1)
	}

	#[test]
	fn versions_heads_and_records_are_items() {
		let run = Some("run".to_owned());
		let registry = PublishedRegistry {
			created: 1_000,
			committed: 1,
			finalized: 3,
			heads_set: 10,
			records_added: 100,
			records_updated: 200,
			run,
			..registry()
		};
		assert_eq!(registry.items(), 3 + 10 + 300 + 1);
		assert_eq!(self::registry().items(), 0);
	}

	#[test]
	fn a_run_with_any_failure_is_not_whole() {
		use FailureCause::{Chain, Changed, Input, RecordKey};
		assert!(published(Vec::new()).ensure_whole().is_ok());
		for cause in [RecordKey, Input, Changed, Chain] {
			let report = published(vec![failure(1, cause, "no")]);
			let error = report.ensure_whole().expect_err("one item failed");
			assert_eq!(error.class() as i32, 6, "{cause:?}");
			let report = Published { registries: vec![registry()], ..report };
			let error = report.ensure_whole().expect_err("one item failed").to_string();
			let all = if cause.is_conflict() { 1 } else { 2 };
			assert!(error.starts_with(&format!("1 of {all} items")), "{cause:?}: {error}");
		}
	}

	#[test]
	fn skipped_items_are_counted_and_the_first_twenty_are_named() {
		let skipped = |links: &[&str], hidden: &[String]| {
			let symlinks_skipped = links.iter().map(|name| (*name).to_owned()).collect();
			let hidden_skipped = hidden.to_vec();
			let report = Published { symlinks_skipped, hidden_skipped, ..published(Vec::new()) };
			written(|out| report.write_skipped(out))
		};
		assert_eq!(skipped(&[], &[]), "");
		assert_eq!(
			skipped(&["a", "b\x1b"], &[".env".into()]),
			"skipped 2 symbolic links\n  a\n  b\\u{1b}\nskipped 1 hidden file or folder: --hidden \
			 publishes them\n  .env\n"
		);
		let hidden: Vec<_> = (0..1_021).map(|number| format!(".{number}")).collect();
		let text = skipped(&[], &hidden);
		let lines: Vec<_> = text.lines().collect();
		assert_eq!(lines[0], "skipped 1,021 hidden files and folders: --hidden publishes them");
		assert_eq!((lines[20], lines[21], lines.len()), ("  .19", "… and 1,001 more", 22));
	}

	#[test]
	fn a_run_that_the_chain_refused_does_not_say_that_there_was_nothing_to_add() {
		let registry = registry();
		for (cause, says) in [
			(None, true),
			(Some(FailureCause::Input), true),
			(Some(FailureCause::RecordKey), true),
			(Some(FailureCause::Changed), false),
			(Some(FailureCause::Chain), false),
		] {
			let failed = cause.map(|cause| failure(1, cause, "no")).into_iter().collect();
			let report = Published { registries: vec![registry.clone()], ..published(failed) };
			let text = text_of(&report);
			assert_eq!(text.contains("nothing to add"), says, "{text}");
		}
	}
}
