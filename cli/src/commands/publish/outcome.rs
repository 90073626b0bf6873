// SPDX-License-Identifier: Apache-2.0
//! The outcome of a run that changes the rows of one tenant.

use std::io::{self, Write};

use content_fabric_client::publish::{EstimatedCost, Failure, Published, Report as Done};
use serde::Serialize;

use super::report::{write_failed, write_left, Block};
use crate::{
	output::{print, Report},
	Error,
};

/// The parts that the reports of such runs share.
#[derive(Default, Serialize)]
pub(in crate::commands) struct Outcome {
	failed: Vec<Failure>,
	/// Number of items that were not sent, because the run ended early.
	not_sent: usize,
	/// Number of items whose outcome is not known.
	unconfirmed: usize,
	transactions: u64,
	/// The last block with a transaction of this run.
	block: Option<Block>,
	/// Amounts that a dry run expects the account to pay.
	#[serde(skip_serializing_if = "Vec::is_empty")]
	pub estimates: Vec<EstimatedCost>,
}

/// A report with an outcome.
pub(in crate::commands) trait Ended: Report {
	fn outcome(&mut self) -> &mut Outcome;

	/// Takes what was done from the report of the run, and returns its number.
	fn take(&mut self, published: Published) -> usize;
}

impl Outcome {
	/// Returns whether all was sent and answered, and nothing has failed.
	pub fn is_whole(&self) -> bool {
		self.failed.is_empty() && self.not_sent + self.unconfirmed == 0
	}

	/// Writes the lines before what was done.
	pub fn write_first(&self, out: &mut dyn Write, dry_run: bool, failed: &str) -> io::Result<()> {
		write_failed(out, &self.failed, failed)?;
		match dry_run {
			true => writeln!(out, "nothing was signed; this is what would be done"),
			false => Ok(()),
		}
	}

	/// Writes the lines after what was done.
	pub fn write_last(&self, out: &mut dyn Write) -> io::Result<()> {
		write_left(out, self.unconfirmed, self.not_sent, true)?;
		self.estimates.iter().try_for_each(|cost| writeln!(out, "{cost}"))?;
		match &self.block {
			Some(Block { number, hash }) => writeln!(out, "block {number} {hash}"),
			None => Ok(()),
		}
	}
}

/// Prints the report of a run that has ended. Fails if it or one of its items has failed.
pub(in crate::commands) fn end(
	mut report: impl Ended,
	done: Done,
	json: bool,
) -> Result<(), Error> {
	let outcome = report.outcome();
	(outcome.transactions, outcome.block) = (done.transactions, done.last.map(Into::into));
	let mut rows = 0;
	for mut source in done.sources {
		let outcome = report.outcome();
		outcome.failed.append(&mut source.failures);
		(outcome.not_sent, outcome.unconfirmed) = (source.not_sent, source.unconfirmed);
		rows += report.take(source);
	}
	// An error before anything was done needs no report.
	if done.end.is_ok() || done.transactions > 0 {
		print(&report, json)?;
	}
	done.end?;
	match report.outcome().failed.len() {
		0 => Ok(()),
		failed => Err(Error::Partial { failed, all: failed + rows }),
	}
}
