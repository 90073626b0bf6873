// SPDX-License-Identifier: Apache-2.0
//! Reports that all servers give, compared with the chain and with this machine.

use std::fmt::Display;

use super::{reach::cure, Finding, Help, Topic, FAR_BEHIND, OLD};
use crate::{
	chain::{Chain, Error},
	http::shown,
	keys::ChainKind,
	text::{count, length_of_time},
};

/// The version of this program.
const OWN: &str = env!("CARGO_PKG_VERSION");

/// The chain as its node reports it, with which servers are compared.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
	/// The hash of the first block.
	pub genesis: [u8; 32],
	/// The kind of chain.
	pub kind: ChainKind,
	/// The number of the best block.
	pub best: u64,
	/// The number of the last final block.
	pub finalized: u64,
}

impl Reference {
	/// Reads it from a chain.
	pub async fn read(chain: &Chain) -> Result<Self, Error> {
		let (best, last) = tokio::try_join!(chain.best(), chain.finalized())?;
		let identity = chain.identity();
		let (best, finalized) = (best.block_number(), last.block_number());
		Ok(Self { genesis: identity.genesis_hash, kind: identity.kind, best, finalized })
	}

	/// Returns whether the clock of the chain follows real time. A development chain may make
	/// blocks at any time, and its clock may be anywhere.
	pub(super) fn has_clock(&self) -> bool {
		self.kind != ChainKind::Development
	}
}

/// The report of a server on itself.
#[derive(Debug, Default)]
pub(super) struct Said<'a> {
	/// The server in words, with its URL.
	pub name: &'a str,
	pub version: Option<&'a str>,
	pub genesis: Option<[u8; 32]>,
	/// The number of the last final block that it knows.
	pub finalized: Option<u64>,
	/// Number of seconds by which its clock is ahead of this machine's.
	pub clock: Option<i64>,
}

/// A server in words, with where to set its locator.
pub(super) struct Named<'a> {
	pub topic: Topic,
	/// The server, with its URL.
	pub name: &'a str,
	/// The consequence for users while it is unreachable.
	pub why: &'static str,
	/// The command that sets its locator.
	pub set_locator: String,
	/// The page about its set-up.
	pub page: &'static str,
}

impl Named<'_> {
	/// Returns a problem of the server, in words that follow its name.
	pub fn problem(
		&self,
		seen: impl Display,
		why: &'static str,
		cure: impl Into<String>,
		page: &'static str,
	) -> Finding {
		let seen = format!("{} {seen}", self.name);
		Finding::problem(self.topic, seen, Help { why, cure: cure.into(), page })
	}

	/// Returns the problem of a server that nobody reaches, for this reason.
	pub fn unreachable(&self, reason: &str) -> Finding {
		let seen = format!("does not answer: {}", shown(reason));
		let cure = format!("{}. If it has moved, run {}", cure(reason), self.set_locator);
		self.problem(seen, self.why, cure, self.page)
	}

	/// Returns the problem of a server with a wrong answer.
	pub fn wrong(&self, error: &impl Display) -> Finding {
		let seen = format!("does not report its state: {error}");
		let cure = format!("Correct the proxy, or the locator with {}", self.set_locator);
		let why = "Another program or a proxy answers in its place.";
		self.problem(seen, why, cure, self.page)
	}
}

/// Judges what a server reports of itself. `page` is the one about its set-up.
pub(super) fn judge(
	topic: Topic,
	said: &Said<'_>,
	reference: &Reference,
	page: &'static str,
) -> Vec<Finding> {
	let Said { name, version, genesis, finalized, clock } = *said;
	let mut found = Vec::new();
	if let Some(genesis) = genesis.filter(|genesis| *genesis != reference.genesis) {
		let [theirs, ours] = [genesis, reference.genesis].map(hex::encode);
		found.push(Finding::problem(
			topic,
			format!("{name} follows the chain with the genesis hash 0x{theirs}, expected 0x{ours}"),
			Help {
				why: "Its answers are about another chain.",
				cure: "Start it with the --url of a node of this chain, and a new --data folder"
					.into(),
				page,
			},
		));
		// Blocks of another chain cannot be compared.
		return found;
	}
	match finalized {
		Some(block) if reference.finalized.saturating_sub(block) > FAR_BEHIND => {
			let behind = count(reference.finalized - block, "final block", "final blocks");
			found.push(Finding::problem(
				topic,
				format!("{name} is {behind} behind the chain, at block {block}"),
				Help {
					why: "It does not know what happened since.",
					cure: "Look at its log, and at the node that its --url names".into(),
					page: "docs/operations.md#connections-to-a-node",
				},
			));
		},
		Some(block) if block.saturating_sub(reference.best) > FAR_BEHIND => {
			let best = reference.best;
			found.push(Finding::warning(
				Topic::Node,
				format!("{name} knows block {block}, and the node of this command only {best}"),
				Help {
					why: "The node's reports are old.",
					cure: "Wait until the node has caught up, or name another one with --url"
						.into(),
					page: "docs/operations.md#metrics-and-alerts",
				},
			));
		},
		_ => {},
	}
	if let Some(clock) = clock.filter(|clock| clock.unsigned_abs() > OLD) {
		let side = if clock > 0 { "ahead of" } else { "behind" };
		let length = length_of_time(clock.unsigned_abs());
		found.push(Finding::warning(
			Topic::Clock,
			format!("the clock of {name} is {length} {side} the clock of this machine"),
			Help {
				why: "Servers refuse requests and commits whose time is wrong.",
				cure: "Synchronize both machines with NTP, and see which one was wrong".into(),
				page: "docs/operations.md#the-machines",
			},
		));
	}
	found.extend(version.and_then(|version| other_version(name, version)));
	found
}

/// Returns the finding of a program of another version. The node adds the commit to its version.
pub(super) fn other_version(name: &str, version: &str) -> Option<Finding> {
	let number = version.split('-').next().unwrap_or_default();
	(number != OWN).then(|| {
		Finding::warning(
			Topic::Version,
			format!("{name} has the version {}, and this program {OWN}", shown(version)),
			Help {
				why: "Programs of different versions may not understand each other.",
				cure: "Upgrade the older one".into(),
				page: "docs/releases.md#versions",
			},
		)
	})
}

#[cfg(test)]
pub(super) mod tests {
	use super::*;
	use crate::doctor::Severity;

	pub(in crate::doctor) const REFERENCE: Reference =
		Reference { genesis: [1; 32], kind: ChainKind::Live, best: 102, finalized: 100 };

	/// Checks the severities of findings, and parts of what they say.
	pub(in crate::doctor) fn assert_found(found: &[Finding], expected: &[(Severity, &str)]) {
		let matches = found.len() == expected.len()
			&& found.iter().zip(expected).all(|(found, (severity, part))| {
				found.severity == *severity && found.seen.contains(part)
			});
		assert!(matches, "{found:#?}, expected {expected:?}");
	}

	#[test]
	fn what_servers_report_of_themselves_is_compared() {
		use Severity::{Problem, Warning};
		let sound = || Said {
			name: "the server",
			version: Some(OWN),
			genesis: Some([1; 32]),
			finalized: Some(100),
			clock: Some(2),
		};
		for (said, expected) in [
			(sound(), &[][..]),
			(Said { name: "the server", ..Said::default() }, &[]),
			(Said { finalized: Some(80), ..sound() }, &[]),
			(Said { finalized: Some(122), ..sound() }, &[]),
			(Said { clock: Some(-60), ..sound() }, &[]),
			(
				Said { version: Some(concat!(env!("CARGO_PKG_VERSION"), "-0123abc")), ..sound() },
				&[],
			),
			(
				Said { genesis: Some([2; 32]), finalized: Some(1), ..sound() },
				&[(Problem, "follows the chain with the genesis hash 0x0202")],
			),
			(
				Said { finalized: Some(79), ..sound() },
				&[(Problem, "is 21 final blocks behind the chain, at block 79")],
			),
			(
				Said { finalized: Some(123), ..sound() },
				&[(Warning, "knows block 123, and the node of this command only 102")],
			),
			(
				Said { clock: Some(61), ..sound() },
				&[(Warning, "is 61 seconds ahead of the clock of this machine")],
			),
			(
				Said { clock: Some(-7_200), ..sound() },
				&[(Warning, "is 2 hours behind the clock of this machine")],
			),
			(
				Said { version: Some("0.0.9\u{1b}[2J"), ..sound() },
				&[(Warning, "has the version 0.0.9\\u{1b}[2J, and this program")],
			),
		] {
			let found = judge(Topic::Kms, &said, &REFERENCE, "docs/kms.md#set-up");
			assert_found(&found, expected);
		}
	}
}
