// SPDX-License-Identifier: Apache-2.0
//! The index, by what it reports.

use super::{
	finding::or_ok,
	reach::cure,
	server::{self, Said},
	Finding, Help, Reference, Topic, FAR_BEHIND,
};
use crate::{
	chain::{Chain, Error},
	http::shown,
	text::count,
};

/// The page about an index that does not follow its chain.
const STOPS: &str = "docs/indexer.md#when-it-stops";

/// The state of an index, as it reports it.
#[derive(Clone, Debug)]
pub struct Indexed {
	/// The hash of the first block of its chain.
	pub genesis: [u8; 32],
	/// The number and the hash of its last block.
	pub last: Option<(u64, [u8; 32])>,
	/// Number of final blocks of its node that it has yet to read.
	pub behind: u64,
	/// The reason why it does not follow its node.
	pub problem: Option<String>,
	/// False if its node did not answer the last question.
	pub is_connected: bool,
	/// The version of the program.
	pub version: Option<String>,
}

/// Judges the answer of the index at a URL, or the reason why there is none. Without a chain, less
/// is compared.
pub async fn index(
	url: &str,
	answer: Result<Indexed, String>,
	chain: Option<(&Chain, &Reference)>,
) -> Result<Vec<Finding>, Error> {
	let mut ours = None;
	if let (Ok(Indexed { last: Some((number, _)), .. }), Some((chain, reference))) =
		(&answer, chain)
	{
		if *number <= reference.finalized {
			ours = chain.block_hash(*number).await?;
		}
	}
	Ok(judge(url, answer, chain.map(|(_, reference)| reference), ours))
}

/// `ours` is the hash that the node gives for the last block of the index.
fn judge(
	url: &str,
	answer: Result<Indexed, String>,
	reference: Option<&Reference>,
	ours: Option<[u8; 32]>,
) -> Vec<Finding> {
	let name = format!("the index at {url}");
	let problem = |seen: String, why, cure: &str, page| {
		Finding::problem(Topic::Index, seen, Help { why, cure: cure.into(), page })
	};
	let seen = match answer {
		Ok(seen) => seen,
		Err(reason) => {
			let why = "`find`, `who`, `history` and the explorer do not work.";
			return vec![problem(reason.clone(), why, &cure(&reason), STOPS)];
		},
	};
	let mut found = Vec::new();
	let is_other = seen.last.zip(ours).is_some_and(|((_, theirs), ours)| theirs != ours);
	if let Some(reason) = &seen.problem {
		found.push(problem(
			format!("{name} reports: {}", shown(reason)),
			"Its answers are out of date.",
			"Do what the reason asks for, on its machine",
			STOPS,
		));
	} else if !seen.is_connected {
		found.push(problem(
			format!("{name} has lost its node"),
			"Its answers are out of date.",
			"Start the node that its --url names, or name another one",
			"docs/operations.md#connections-to-a-node",
		));
	} else if is_other {
		let block = seen.last.map_or(0, |(number, _)| number);
		found.push(problem(
			format!("{name} follows a chain with another block {block}"),
			"The chain was begun anew, or its --url leads to another one.",
			"Start it with the --url of a node of this chain, and a new --data folder",
			"docs/operations.md#a-chain-that-is-begun-anew",
		));
	} else if seen.behind > FAR_BEHIND {
		let behind = count(seen.behind, "block", "blocks");
		found.push(problem(
			format!("{name} has yet to read {behind} of its node"),
			"It does not know what happened since.",
			"Wait until it has caught up, or look at its disk and processor",
			"docs/operations.md#fabricindexbehind",
		));
	}
	if let Some(reference) = reference {
		let said = Said {
			name: &name,
			version: seen.version.as_deref(),
			genesis: Some(seen.genesis),
			// Nothing is reported twice.
			finalized: seen.last.map(|(number, _)| number).filter(|_| found.is_empty()),
			clock: None,
		};
		found.extend(server::judge(Topic::Index, &said, reference, "docs/indexer.md#running-it"));
	}
	or_ok(found, Topic::Index, || match seen.last {
		Some((number, _)) => format!("{name} has the final block {number}"),
		None => format!("{name} answers"),
	})
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::doctor::{
		server::tests::{assert_found, REFERENCE},
		Severity,
	};

	fn sound() -> Indexed {
		Indexed {
			genesis: [1; 32],
			last: Some((99, [5; 32])),
			behind: 1,
			problem: None,
			is_connected: true,
			version: Some(env!("CARGO_PKG_VERSION").into()),
		}
	}

	#[test]
	fn an_index_is_judged_by_its_chain_and_its_blocks() {
		use Severity::{Ok as Fine, Problem};
		let same = Some([5; 32]);
		for (answer, ours, expected) in [
			(Ok(sound()), same, &[(Fine, "the index at https://i has the final block 99")][..]),
			(Ok(sound()), None, &[(Fine, "has the final block 99")]),
			(
				Err("the index at https://i: refused".into()),
				None,
				&[(Problem, "at https://i: refused")],
			),
			(Ok(sound()), Some([6; 32]), &[(Problem, "follows a chain with another block 99")]),
			(
				Ok(Indexed { genesis: [2; 32], ..sound() }),
				None,
				&[(Problem, "follows the chain with the genesis hash 0x0202")],
			),
			(
				Ok(Indexed { is_connected: false, last: Some((1, [5; 32])), ..sound() }),
				same,
				&[(Problem, "has lost its node")],
			),
			(
				Ok(Indexed {
					problem: Some("it differs\u{1b}".into()),
					is_connected: false,
					..sound()
				}),
				same,
				&[(Problem, "reports: it differs\\u{1b}")],
			),
			(
				Ok(Indexed { behind: 21, last: Some((1, [5; 32])), ..sound() }),
				same,
				&[(Problem, "has yet to read 21 blocks of its node")],
			),
			(
				Ok(Indexed { behind: 0, last: Some((9, [5; 32])), ..sound() }),
				same,
				&[(Problem, "is 91 final blocks behind the chain")],
			),
		] {
			assert_found(&judge("https://i", answer, Some(&REFERENCE), ours), expected);
		}
		assert_found(
			&judge("https://i", Ok(sound()), None, None),
			&[(Fine, "has the final block")],
		);
	}
}
