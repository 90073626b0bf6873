//! The report of `fabric publish`.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
	input::{Format, Unpublishable},
	output::{count, Report},
};

/// The largest number of skipped records that are listed one by one.
const LISTED: usize = 10;
/// Number of examples where there are more.
const EXAMPLES: usize = 3;

/// The result of publishing.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
	/// The format of the file.
	#[serde(skip)]
	pub format: Format,
	/// The space's id.
	pub space: String,
	/// The provider's id.
	pub provider: String,
	/// The id of the node that took in the content.
	pub node: String,
	/// The registries of the file.
	pub registries: Vec<PublishedRegistry>,
	/// The packages that cannot be published.
	pub skipped: Vec<Unpublishable>,
	/// Number of transactions that were sent.
	pub transactions: u64,
}

/// The result for one registry.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PublishedRegistry {
	/// The registry, as the file names it.
	pub source: String,
	/// The tenant's id.
	pub tenant: String,
	/// Number of its packages in the file.
	pub packages: usize,
	/// Number of the versions of these packages in the file.
	pub versions: usize,
	/// Number of content objects that this run created.
	pub created: usize,
	/// Number of versions that this run committed.
	pub committed: usize,
	/// Number of versions that this run finalized.
	pub finalized: usize,
	/// Number of heads that this run set, besides those that came with a finalization.
	pub heads_set: usize,
	/// Number of versions that were committed by another provider, or by an earlier one with this
	/// id, and were never finalized. This provider cannot finalize them.
	pub unfinalized: usize,
	/// Number of records of names that this run added.
	pub records_added: usize,
	/// Number of records of names that this run pointed to other content.
	pub records_updated: usize,
	/// The names that have no record.
	pub skipped_records: Vec<SkippedRecord>,
	/// The key of the record of this run: a TID.
	pub run: Option<String>,
}

/// A name that is not a record key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedRecord {
	/// The name.
	pub key: String,
	/// The reason.
	pub reason: String,
}

impl PublishedRegistry {
	fn is_unchanged(&self) -> bool {
		let content = self.created + self.committed + self.finalized + self.heads_set;
		content + self.records_added + self.records_updated == 0
	}

	fn write_skipped_records(&self, out: &mut dyn Write) -> io::Result<()> {
		if self.skipped_records.len() <= LISTED {
			for SkippedRecord { key, reason } in &self.skipped_records {
				writeln!(out, "no record for `{key}`: {reason}")?;
			}
			return Ok(());
		}
		let keys = count(self.skipped_records.len() as u64, "name", "names");
		let examples: Vec<_> = self
			.skipped_records
			.iter()
			.take(EXAMPLES)
			.map(|skipped| format!("`{}`", skipped.key))
			.collect();
		writeln!(
			out,
			"no record for {keys} that are not record keys, such as {}",
			examples.join(", ")
		)
	}

	fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
		writeln!(out, "tenant {} holds {}", self.tenant, self.source)?;
		writeln!(
			out,
			"  {} with {} in the {}",
			count(self.packages as u64, "package", "packages"),
			count(self.versions as u64, "version", "versions"),
			format.noun()
		)?;
		if self.is_unchanged() {
			writeln!(out, "  nothing to add: all of it was published before")?;
		} else {
			writeln!(
				out,
				"  added {}, {}; finalized {}",
				count(self.created as u64, "content object", "content objects"),
				count(self.committed as u64, "version", "versions"),
				count(self.finalized as u64, "version", "versions")
			)?;
			writeln!(
				out,
				"  added {}, updated {}",
				count(self.records_added as u64, "record", "records"),
				count(self.records_updated as u64, "record", "records")
			)?;
		}
		if self.unfinalized > 0 {
			let versions = count(self.unfinalized as u64, "version", "versions");
			writeln!(out, "  left {versions} for another provider to finalize")?;
		}
		match &self.run {
			Some(run) => writeln!(out, "  run {run}"),
			None => Ok(()),
		}
	}
}

impl Report for Published {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for skipped in &self.skipped {
			let version = skipped.version.as_deref().unwrap_or_default();
			writeln!(out, "skipped {} {version}: {}", skipped.name, skipped.reason)?;
		}
		for registry in &self.registries {
			registry.write_skipped_records(out)?;
		}
		writeln!(out, "space {}, provider {}, node {}", self.space, self.provider, self.node)?;
		for registry in &self.registries {
			registry.write(out, self.format)?;
		}
		let versions: usize = self.registries.iter().map(|registry| registry.versions).sum();
		writeln!(
			out,
			"published {}, skipped {}, in {}",
			count(versions as u64, "version", "versions"),
			count(self.skipped.len() as u64, "package", "packages"),
			count(self.transactions, "transaction", "transactions")
		)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn lines(skipped: usize) -> Vec<String> {
		let skipped_records = (0..skipped)
			.map(|i| SkippedRecord { key: format!("{i}+"), reason: "it is not one".into() })
			.collect();
		let registry = PublishedRegistry { skipped_records, ..Default::default() };
		let mut out = Vec::new();
		registry.write_skipped_records(&mut out).expect("memory takes all");
		String::from_utf8_lossy(&out).lines().map(str::to_owned).collect()
	}

	#[test]
	fn few_skipped_records_are_listed_and_many_are_counted() {
		assert_eq!(lines(0), [""; 0]);
		assert_eq!(
			lines(2),
			["no record for `0+`: it is not one", "no record for `1+`: it is not one"]
		);
		assert_eq!(lines(10).len(), 10);
		assert_eq!(
			lines(1_234),
			["no record for 1,234 names that are not record keys, such as `0+`, `1+`, `2+`"]
		);
	}
}
