// SPDX-License-Identifier: Apache-2.0
//! Content nodes: their rows on the chain, and what their servers report.

use content_fabric_identifiers::{NodeId, ProviderId};

use super::{
	finding::or_ok,
	server::{self, Named, Said},
	Finding, Help, Reference, Topic, ANSWER,
};
use crate::{
	chain::{rows, Error, Snapshot},
	content_node::{server as server_of, ContentNode, NodeError, State},
	http::shown,
	text::count,
};

/// Number of commits below which an operator is short of funds.
const FEW: u64 = 100;
/// The page about what a content node reports.
const WATCHING: &str = "docs/content-nodes.md#watching";
/// The page about its options.
const SET_UP: &str = "docs/content-nodes.md#set-up";

/// Examines a node of a provider, and asks its server.
pub async fn content_node(
	at: &Snapshot,
	(provider, node): (ProviderId, NodeId),
	reference: &Reference,
) -> Result<Vec<Finding>, Error> {
	let Some(row) = at.get(rows::nodes(), (provider, node)).await? else {
		let block = at.block_number();
		return Ok(vec![Finding::problem(
			Topic::ContentNode,
			format!("the chain has no node {node} of {provider} at block {block}"),
			Help {
				why: "It cannot take in or hold versions.",
				cure: "Correct the id, or create it with `fabric node create`".into(),
				page: "docs/client.md#a-space-and-its-members",
			},
		)]);
	};
	let locator = server_of(&row.locator.raw());
	let (name, state) = match locator {
		Err(error) => (format!("the node {node} of {provider}"), Err(error)),
		Ok(url) => (
			format!("the content node {node} of {provider} at {url}"),
			ContentNode::new(url).state(ANSWER).await,
		),
	};
	let seen = Seen { id: (provider, node), name, row: &row };
	Ok(seen.judge(&state, reference))
}

/// A node, with its row on the chain.
struct Seen<'a> {
	id: (ProviderId, NodeId),
	name: String,
	row: &'a rows::Node,
}

impl Seen<'_> {
	fn judge(&self, state: &Result<State, NodeError>, reference: &Reference) -> Vec<Finding> {
		let Self { id: (provider, node), name, row } = self;
		let server = self.named();
		let mut found = Vec::new();
		if row.pending {
			found.push(server.problem(
				"is not confirmed on the chain",
				"Until then, it cannot commit or finalize versions.",
				format!("Run `fabric node confirm {provider} {node}` with the key of its operator"),
				"docs/client.md#a-space-and-its-members",
			));
		}
		let state = match state {
			Err(error) => {
				found.push(self.silent(error));
				return found;
			},
			Ok(state) => state,
		};
		let other = state.ids;
		if (other.provider, other.node) != self.id {
			found.push(server.problem(
				format!("is the server of {} of {}", other.node, other.provider),
				"Readers look for the bytes in the wrong place.",
				format!("Correct the locator with {}", server.set_locator),
				SET_UP,
			));
			// The rest is about another node.
			return found;
		}
		if let Some(problem) = &state.problem {
			found.push(server.problem(
				format!("reports: {}", shown(problem)),
				"It takes nothing in, or does not follow the chain.",
				"Do what the reason asks for, on its machine",
				WATCHING,
			));
		}
		found.extend(self.operator(state));
		found.extend(self.bytes(state));
		if let Some(difference) = state.clock_difference.as_ref().filter(|_| reference.has_clock())
		{
			found.push(Finding::warning(
				Topic::Clock,
				format!("{name} reports: {}", shown(difference)),
				Help {
					why: "The chain refuses commits whose time is wrong.",
					cure: "Synchronize its machine with NTP".into(),
					page: "docs/operations.md#the-machines",
				},
			));
		}
		let said = Said {
			name,
			version: state.version.as_deref(),
			genesis: state.genesis_hash.map(|hash| hash.0),
			// With a problem, it is known to lag.
			finalized: state.finalized_block.filter(|_| state.problem.is_none()),
			clock: state.clock,
		};
		found.extend(server::judge(Topic::ContentNode, &said, reference, SET_UP));
		or_ok(found, Topic::ContentNode, || {
			format!(
				"{name} answers, with {}",
				count(state.versions.unwrap_or(0), "version", "versions")
			)
		})
	}

	/// Judges the account that the server signs with, and its funds.
	fn operator(&self, state: &State) -> Option<Finding> {
		let Self { id: (provider, node), row, .. } = self;
		let (server, operator) = (self.named(), state.operator?);
		if operator != row.operator {
			return Some(server.problem(
				format!("signs as {operator}, and the operator on the chain is {}", row.operator),
				"The chain refuses all that it submits.",
				format!("Start it with the operator's --key, or run `fabric node set-operator {provider} {node} {operator}`"),
				SET_UP,
			));
		}
		let cure = format!("Transfer funds to it: `fabric account send AMOUNT {operator}`");
		match state.affordable_commits? {
			0 => Some(server.problem(
				format!("cannot pay for a commit: its operator, {operator}, lacks funds"),
				"It refuses drafts, and finalizes nothing.",
				cure,
				WATCHING,
			)),
			commits if commits < FEW => {
				let commits = count(commits, "commit", "commits");
				let seen =
					format!("{} can pay for only {commits}: its operator is {operator}", self.name);
				let why = "Without funds, it takes nothing in.";
				Some(Finding::warning(Topic::ContentNode, seen, Help { why, cure, page: WATCHING }))
			},
			_ => None,
		}
	}

	/// Judges the bytes that the node has, and the room for more.
	fn bytes(&self, state: &State) -> Vec<Finding> {
		let (server, mut found) = (self.named(), Vec::new());
		let [damaged, missing, lost] =
			[state.damaged, state.missing, state.lost].map(Option::unwrap_or_default);
		if damaged > 0 || missing > 0 {
			let lost = match lost {
				0 => String::new(),
				lost => format!(", and no other node holds {lost} of them"),
			};
			found.push(server.problem(
				format!("lacks sound bytes: {damaged} damaged and {missing} missing versions{lost}"),
				"Readers do not get these versions from it.",
				"Run `fabric-store check` on its machine, and have their tenants put the files again",
				"docs/content-nodes.md#check",
			));
		}
		if state.room_bytes == Some(0) {
			found.push(server.problem(
				"has no room for more bytes",
				"It refuses drafts and uploads.",
				"Add disk space, or raise --capacity",
				SET_UP,
			));
		}
		found
	}

	fn silent(&self, error: &NodeError) -> Finding {
		let server = self.named();
		match error {
			NodeError::Locator(_) => Finding::warning(
				Topic::ContentNode,
				format!("{} cannot be asked: {error}", self.name),
				Help {
					why:
						"Nobody gets bytes from it. That is all right if it only declares versions.",
					cure: format!(
						"If it serves bytes, set its locator with {}",
						server.set_locator
					),
					page: "docs/content-nodes.md#put-and-get-files",
				},
			),
			NodeError::Unreachable { reason, .. } => server.unreachable(reason),
			error => server.wrong(error),
		}
	}

	fn named(&self) -> Named<'_> {
		let (provider, node) = self.id;
		Named {
			topic: Topic::ContentNode,
			name: &self.name,
			why: "Readers and uploads do not reach it.",
			set_locator: format!("`fabric node set-locator {provider} {node} URL`"),
			page: SET_UP,
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::Medallion;
	use subxt::utils::AccountId32;

	use super::*;
	use crate::{
		content_node::Status,
		doctor::{
			server::tests::{assert_found, REFERENCE},
			Severity,
		},
		keys::ChainKind,
		profile::IndexUrl,
		text::Text,
	};

	const ID: (ProviderId, NodeId) = (ProviderId([1; 10]), NodeId([2; 10]));
	const OPERATOR: AccountId32 = AccountId32([3; 32]);

	fn row() -> rows::Node {
		rows::Node {
			operator: OPERATOR,
			locator: Text("https://store.example.com".into()),
			pending: false,
			medallion: Medallion::new(1).expect("it is small; qed"),
			last_muid: None,
			deposit: 0,
		}
	}

	fn sound() -> State {
		State {
			ids: Status { provider: ID.0, node: ID.1 },
			version: Some(env!("CARGO_PKG_VERSION").into()),
			genesis_hash: None,
			finalized_block: Some(100),
			problem: None,
			clock_difference: None,
			operator: Some(OPERATOR),
			affordable_commits: Some(1_000),
			versions: Some(7),
			damaged: Some(0),
			missing: Some(0),
			lost: Some(0),
			room_bytes: Some(1 << 30),
			clock: Some(0),
		}
	}

	#[test]
	fn a_content_node_is_judged_by_its_row_and_its_state() {
		use Severity::{Ok as Fine, Problem, Warning};
		let url: IndexUrl = "https://store.example.com".parse().expect("it is a URL; qed");
		let silent =
			|reason: &str| NodeError::Unreachable { url: url.clone(), reason: reason.into() };
		for (row, state, expected) in [
			(row(), Ok(sound()), &[(Fine, "answers, with 7 versions")][..]),
			(
				rows::Node { pending: true, ..row() },
				Ok(sound()),
				&[(Problem, "is not confirmed on the chain")],
			),
			(row(), Err(silent("host not found")), &[(Problem, "does not answer: host not found")]),
			(
				row(),
				Err(NodeError::Wrong { url: url.clone(), problem: "gives HTML".into() }),
				&[(
					Problem,
					"does not report its state: the content node at https://store.example.com gives HTML",
				)],
			),
			(
				row(),
				Err(NodeError::Locator("/ip4/127.0.0.1".into())),
				&[(Warning, "names no HTTP")],
			),
			(
				row(),
				Ok(State { ids: Status { node: NodeId([9; 10]), ..sound().ids }, ..sound() }),
				&[(Problem, "is the server of inod")],
			),
			(
				row(),
				Ok(State {
					problem: Some("the disk\u{7} is full".into()),
					finalized_block: None,
					..sound()
				}),
				&[(Problem, "reports: the disk\\u{7} is full")],
			),
			(
				rows::Node { operator: AccountId32([8; 32]), ..row() },
				Ok(sound()),
				&[(Problem, "and the operator on the chain is")],
			),
			(
				row(),
				Ok(State { affordable_commits: Some(0), ..sound() }),
				&[(Problem, "cannot pay for a commit")],
			),
			(
				row(),
				Ok(State { affordable_commits: Some(99), ..sound() }),
				&[(Warning, "can pay for only 99 commits")],
			),
			(
				row(),
				Ok(State { damaged: Some(1), missing: Some(2), lost: Some(1), ..sound() }),
				&[(Problem, "1 damaged and 2 missing versions, and no other node holds 1 of them")],
			),
			(
				row(),
				Ok(State { damaged: Some(u64::MAX), missing: Some(1), ..sound() }),
				&[(Problem, "18446744073709551615 damaged and 1 missing versions")],
			),
			(
				row(),
				Ok(State { room_bytes: Some(0), ..sound() }),
				&[(Problem, "has no room for more bytes")],
			),
			(
				row(),
				Ok(State { clock_difference: Some("the clock is wrong".into()), ..sound() }),
				&[(Warning, "reports: the clock is wrong")],
			),
			(
				row(),
				Ok(State { finalized_block: Some(1), clock: Some(900), ..sound() }),
				&[(Problem, "is 99 final blocks behind"), (Warning, "is 15 minutes ahead of")],
			),
		] {
			let seen = Seen { id: ID, name: "the node".into(), row: &row };
			assert_found(&seen.judge(&state, &REFERENCE), expected);
		}
		// The clock of a development chain may be anywhere.
		let reference = Reference { kind: ChainKind::Development, ..REFERENCE };
		let state = State { clock_difference: Some("the clock is wrong".into()), ..sound() };
		let seen = Seen { id: ID, name: "the node".into(), row: &row() };
		assert_found(&seen.judge(&Ok(state), &reference), &[(Fine, "answers")]);
	}
}
