// SPDX-License-Identifier: Apache-2.0
//! Findings about a set-up.

use serde::Serialize;

/// The severity of a finding, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
	/// All is well.
	Ok,
	/// Not checked, for the reason in the finding.
	Skipped,
	/// It works, but may soon fail or is not as it should be.
	Warning,
	/// Something does not work.
	Problem,
}

/// The part of a set-up that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Topic {
	/// Options, variables and files of settings.
	Settings,
	/// The node of the chain, and the connection to it.
	Node,
	/// The identity of the chain.
	Chain,
	/// The clocks of machines.
	Clock,
	/// New blocks, and their finality.
	Finality,
	/// The runtime.
	Runtime,
	/// The versions of programs.
	Version,
	/// The key that signs.
	Key,
	/// The funds and levels of an account.
	Account,
	/// A provider.
	Provider,
	/// A tenant.
	Tenant,
	/// A content node.
	ContentNode,
	/// A KMS.
	Kms,
	/// The index.
	Index,
}

/// Largest number of characters in which a finding says what was seen. A node or a server can say
/// much more.
const MOST_SEEN: usize = 1_000;

/// The reason why a finding matters, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Help {
	/// Why it matters, as a sentence.
	pub why: &'static str,
	/// The remedy, as a sentence without its full stop.
	pub cure: String,
	/// The page that helps, with its section.
	pub page: &'static str,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
	/// The severity.
	pub severity: Severity,
	/// The part of the set-up.
	pub topic: Topic,
	/// The server or the row that was looked at, and its state.
	pub seen: String,
	/// Why it matters, and what to do.
	#[serde(flatten)]
	pub help: Option<Help>,
}

impl Finding {
	/// Returns the finding of a part that is well.
	pub fn ok(topic: Topic, seen: String) -> Self {
		Self::new(Severity::Ok, topic, seen, None)
	}

	/// Returns the finding of a part that was not checked, with the reason.
	pub fn skipped(topic: Topic, seen: impl Into<String>) -> Self {
		Self::new(Severity::Skipped, topic, seen.into(), None)
	}

	/// Returns the finding of a part that is not as it should be.
	pub fn warning(topic: Topic, seen: String, help: Help) -> Self {
		Self::new(Severity::Warning, topic, seen, Some(help))
	}

	/// Returns the finding of a part that does not work.
	pub fn problem(topic: Topic, seen: String, help: Help) -> Self {
		Self::new(Severity::Problem, topic, seen, Some(help))
	}

	fn new(severity: Severity, topic: Topic, mut seen: String, help: Option<Help>) -> Self {
		if let Some((end, _)) = seen.char_indices().nth(MOST_SEEN) {
			seen.truncate(end);
			seen.push('…');
		}
		Self { severity, topic, seen, help }
	}
}

/// Returns the finding that a part is well, unless there are worse ones.
pub(super) fn or_ok(
	findings: Vec<Finding>,
	topic: Topic,
	seen: impl FnOnce() -> String,
) -> Vec<Finding> {
	match findings.is_empty() {
		true => vec![Finding::ok(topic, seen())],
		false => findings,
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn the_words_of_a_finding_are_bounded() {
		let seen = |length| Finding::ok(Topic::Node, "é".repeat(length)).seen;
		assert_eq!(seen(1_000), "é".repeat(1_000));
		assert_eq!(seen(1_001), "é".repeat(1_000) + "…");
	}
}
