// SPDX-License-Identifier: Apache-2.0
//! The report of `fabric publish`.

use std::{
	collections::BTreeMap,
	io::{self, Write},
	time::Instant,
};

use content_fabric_client::{
	amount::Units,
	publish::{EstimatedCost, Failure, FailureCause, Head, Published, Removed, Uploaded},
	text::{count, grouped, printable},
};
use content_fabric_identifiers::{NodeId, ProviderId, SpaceId};
use serde::Serialize;

use super::{encrypted::Recipient, removed::write_removed};
use crate::{
	input::{Content, Format},
	output::Report,
	progress::items,
	Error,
};

/// The largest number of failures, or of skipped items of a kind, that the text lists.
pub(super) const LISTED: usize = 20;

/// The result of publishing, or of a dry run.
#[derive(Serialize)]
pub(super) struct Run {
	#[serde(skip)]
	format: Format,
	#[serde(skip)]
	units: Units,
	#[serde(skip)]
	pub start: Instant,
	/// True if nothing was signed, and the numbers say what would be done.
	dry_run: bool,
	space: SpaceId,
	provider: ProviderId,
	/// The node that takes in the content.
	node: NodeId,
	/// The KMS for which the content is encrypted.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub encrypted: Option<Recipient>,
	sources: Vec<Published>,
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
pub struct Block {
	pub number: u64,
	pub hash: String,
}

impl From<Head> for Block {
	fn from(head: Head) -> Self {
		Self { number: head.number, hash: format!("0x{}", hex::encode(head.hash)) }
	}
}

/// Returns the words for something that failed.
fn subject(failure: &Failure) -> String {
	let version = failure.version.as_deref().unwrap_or_default();
	let text = match &failure.record_key {
		Some(key) => format!("record `{key}`"),
		None => format!("{} {version}", failure.package).trim_end().to_owned(),
	};
	printable(&text)
}

impl Run {
	/// Returns the result before anything is published.
	pub(super) fn new(
		content: &Content,
		(space, provider, node): (SpaceId, ProviderId, NodeId),
		units: Units,
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
			units,
			start: Instant::now(),
			dry_run,
			space,
			provider,
			node,
			encrypted: None,
			sources: Vec::new(),
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
		let has_files = |files: Option<Uploaded>| files.is_some_and(|files| files.files > 0);
		let has_bytes =
			|source: &Published| has_files(source.restored) || has_files(source.uploaded);
		self.transactions > 0 || self.sources.iter().any(has_bytes)
	}

	pub(super) fn add(&mut self, mut source: Published) {
		self.failed.append(&mut source.failures);
		self.sources.push(source);
	}

	/// Counts the changes that were made, or would be in a dry run.
	pub(super) fn finish(&mut self) {
		self.failed_count = self.failed.len();
		self.items = self.sources.iter().map(|source| source.items).sum();
		if !self.dry_run {
			let seconds = self.start.elapsed().as_secs_f64();
			self.seconds = (seconds * 1_000.0).round() / 1_000.0;
			self.items_per_second = (self.items as f64 / seconds.max(0.001)).round();
		}
	}

	/// Returns the error of a run that published a part only.
	pub(super) fn ensure_whole(&self) -> Result<(), Error> {
		match self.failed.len() {
			0 => Ok(()),
			failed => Err(Error::Partial { failed, all: failed + self.items }),
		}
	}

	fn write_skipped(&self, out: &mut dyn Write) -> io::Result<()> {
		let nouns = ["symbolic link", "symbolic links"];
		write_listed(out, &self.symlinks_skipped, nouns, "")?;
		let nouns = ["hidden file or folder", "hidden files and folders"];
		write_listed(out, &self.hidden_skipped, nouns, ": --hidden publishes them")
	}
}

/// Writes what failed, by reason. `verb` is what did not happen to it.
pub fn write_failed(out: &mut dyn Write, failed: &[Failure], verb: &str) -> io::Result<()> {
	let mut by_reason = BTreeMap::<&str, Vec<&Failure>>::new();
	for failure in failed {
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
		writeln!(out, "{verb}, {}: {reason}", items(failures.len()))?;
		for failure in failures.iter().take(LISTED - listed) {
			writeln!(out, "  {}", subject(failure))?;
			listed += 1;
		}
	}
	write_more(out, failed.len() - listed)
}

/// Writes how many items a run that ended early has left.
pub fn write_left(
	out: &mut dyn Write,
	unconfirmed: usize,
	not_sent: usize,
	can_continue: bool,
) -> io::Result<()> {
	if unconfirmed > 0 {
		let items = items(unconfirmed);
		writeln!(out, "  sent {items} without an answer: they may be in a block, or get into one")?;
	}
	if not_sent > 0 {
		let items = items(not_sent);
		let advice = if can_continue { ": run the command again to continue" } else { "" };
		writeln!(out, "  did not send {items}{advice}")?;
	}
	Ok(())
}

/// Writes the text. `refused` is true if the chain refused a part of the run.
fn write_source(
	out: &mut dyn Write,
	source: &Published,
	format: Format,
	refused: bool,
	units: &Units,
) -> io::Result<()> {
	let [one, many] = format.nouns();
	writeln!(out, "tenant {} is the source {}", source.tenant, printable(&source.source))?;
	writeln!(
		out,
		"  {} with {} in the {}",
		count(source.packages, one, many),
		count(source.versions, "version", "versions"),
		format.noun()
	)?;
	if source.is_unchanged() && source.not_sent + source.unconfirmed == 0 && !refused {
		writeln!(out, "  nothing to add: all of it was published before")?;
	} else {
		writeln!(
			out,
			"  added {}, {}; finalized {}; set {}",
			count(source.created, "content object", "content objects"),
			count(source.committed, "version", "versions"),
			count(source.finalized, "version", "versions"),
			count(source.heads_set, "head", "heads"),
		)?;
		writeln!(
			out,
			"  added {}, updated {}",
			count(source.records_added, "record", "records"),
			count(source.records_updated, "record", "records")
		)?;
	}
	for (uploaded, verb) in [(source.uploaded, "uploaded"), (source.restored, "brought back")] {
		let Some(Uploaded { files: files @ 1.., bytes }) = uploaded else { continue };
		let bytes = count(bytes, "byte", "bytes");
		writeln!(out, "  {verb} {} with {bytes}", count(files, "file", "files"))?;
	}
	if source.copies_added > 0 {
		let copies = count(source.copies_added, "copy", "copies");
		writeln!(out, "  asked other nodes for {copies} of versions that were there before")?;
	}
	if let Some(removed) = &source.removed {
		write_removed(out, removed, format.nouns(), units)?;
	}
	write_left(out, source.unconfirmed, source.not_sent, source.can_continue)?;
	if source.not_asked > 0 {
		let versions = count(source.not_asked, "final version", "final versions");
		writeln!(out, "  did not ask the content node for the bytes of {versions}")?;
	}
	match &source.run {
		Some(run) => writeln!(out, "  run {run}"),
		None => Ok(()),
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

pub(super) fn write_more(out: &mut dyn Write, more: usize) -> io::Result<()> {
	match more {
		0 => Ok(()),
		more => writeln!(out, "… and {} more", grouped(more as u128)),
	}
}

/// Returns the number of items in a second, as text. Empty for a single item, or if it rounds to 0.
fn rate(number: usize, seconds: f64) -> String {
	let rate = (number as f64 / seconds.max(0.001)).round() as u64;
	match rate > 0 && number > 1 {
		true => format!(" ({}/s)", items(rate)),
		false => String::new(),
	}
}

impl Report for Run {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		write_failed(out, &self.failed, "not published")?;
		if self.dry_run {
			writeln!(out, "nothing was signed; this is what would be done")?;
		}
		writeln!(out, "space {}, provider {}, node {}", self.space, self.provider, self.node)?;
		let refused = self.failed.iter().any(|failure| failure.cause.is_conflict());
		for source in &self.sources {
			write_source(out, source, self.format, refused, &self.units)?;
		}
		self.write_skipped(out)?;
		for cost in &self.estimates {
			writeln!(out, "{cost}")?;
		}
		if let Some(Block { number, hash }) = &self.block {
			writeln!(out, "block {number} {hash}")?;
		}
		let removed = self.sources.iter().filter_map(|source| source.removed.as_ref());
		let removed = match removed.map(Removed::rows).sum::<usize>() {
			0 => String::new(),
			rows => format!(", removed {}", count(rows, "row", "rows")),
		};
		let (published, failed) = (items(self.items), grouped(self.failed_count as u128));
		if self.dry_run {
			return writeln!(out, "published {published}{removed}, {failed} failed");
		}
		let transactions = count(self.transactions, "transaction", "transactions");
		let (seconds, rate) = (self.seconds, rate(self.items, self.seconds));
		writeln!(
			out,
			"published {published}{removed} in {transactions} and {seconds:.1} s{rate}, {failed} failed"
		)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::TenantId;

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

	fn published(failed: Vec<Failure>) -> Run {
		let ids = (SpaceId([0; 10]), ProviderId([0; 10]), NodeId([0; 10]));
		let units = Units::new(0, "UNIT");
		Run { failed, ..Run::new(&Content::new(Format::Manifest), ids, units, false) }
	}

	/// Returns what a part of a report writes.
	fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
		let mut out = Vec::new();
		write(&mut out).expect("memory takes all");
		String::from_utf8_lossy(&out).into_owned()
	}

	fn lines(failed: Vec<Failure>) -> Vec<String> {
		let text = written(|out| write_failed(out, &failed, "not published"));
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

	fn source() -> Published {
		Published::new("docs", TenantId([0; 10]), 1, 1)
	}

	#[test]
	fn a_run_with_any_failure_is_not_whole_and_counts_all_items() {
		use FailureCause::{Chain, Changed, Input, RecordKey};
		assert!(published(Vec::new()).ensure_whole().is_ok());
		for cause in [RecordKey, Input, Changed, Chain] {
			let mut report = published(vec![failure(1, cause, "no")]);
			report.add(Published { items: 5, failures: vec![failure(2, cause, "no")], ..source() });
			report.finish();
			let error = report.ensure_whole().expect_err("two items failed");
			assert_eq!(error.class() as i32, 6, "{cause:?}");
			assert!(error.to_string().starts_with("2 of 7 items"), "{cause:?}: {error}");
			let text = text_of(&report);
			assert!(text.contains("published 5 items") && text.contains("2 failed"), "{text}");
		}
	}

	#[test]
	fn the_last_line_has_the_removed_rows_and_a_useful_rate_only() {
		let last = |items, rows, seconds, dry_run| {
			let removed = Some(Removed { versions: rows, ..Removed::default() });
			let sources = vec![Published { items, removed, ..source() }];
			let run = Run { sources, items, seconds, dry_run, ..published(Vec::new()) };
			text_of(&run).lines().last().map(str::to_owned).expect("it has lines")
		};
		let end = "in 0 transactions and 2.0 s";
		assert_eq!(
			last(8, 0, 2.0, false),
			format!("published 8 items {end} (4 items/s), 0 failed")
		);
		assert_eq!(last(1, 0, 2.0, false), format!("published 1 item {end}, 0 failed"));
		assert_eq!(
			last(0, 3, 2.0, false),
			format!("published 0 items, removed 3 rows {end}, 0 failed")
		);
		assert_eq!(last(8, 1, 0.0, true), "published 8 items, removed 1 row, 0 failed");
	}

	#[test]
	fn items_without_an_answer_are_not_said_to_be_unsent() {
		let source = Published { not_sent: 3, unconfirmed: 2, can_continue: true, ..source() };
		let text = text_of(&Run { sources: vec![source], ..published(Vec::new()) });
		assert!(
			text.contains("  sent 2 items without an answer: they may be in a block"),
			"{text}"
		);
		assert!(text.contains("  did not send 3 items: run the command again"), "{text}");
	}

	#[test]
	fn skipped_items_are_counted_and_the_first_twenty_are_named() {
		let skipped = |links: &[&str], hidden: &[String]| {
			let symlinks_skipped = links.iter().map(|name| (*name).to_owned()).collect();
			let hidden_skipped = hidden.to_vec();
			let report = Run { symlinks_skipped, hidden_skipped, ..published(Vec::new()) };
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
		for (cause, says) in [
			(None, true),
			(Some(FailureCause::Input), true),
			(Some(FailureCause::RecordKey), true),
			(Some(FailureCause::Changed), false),
			(Some(FailureCause::Chain), false),
		] {
			let failed = cause.map(|cause| failure(1, cause, "no")).into_iter().collect();
			let report = Run { sources: vec![source()], ..published(failed) };
			let text = text_of(&report);
			assert_eq!(text.contains("nothing to add"), says, "{text}");
		}
	}
}
