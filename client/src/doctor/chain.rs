// SPDX-License-Identifier: Apache-2.0
//! The node, and the chain that it serves: the connection, peers, blocks, finality and the clock.

use std::time::Duration;

use tokio::time::{sleep, Instant};

use super::{
	finding::or_ok, reach::cure, server::other_version, Finding, Help, Topic, FAR_BEHIND, OLD,
};
use crate::{
	chain::{wall_clock, Chain, Endpoint, Error, Source},
	keys::ChainKind,
	text::length_of_time,
};

/// Longest time to wait for a new block and a new final one, if they seem old: two slots.
const NEWS: Duration = Duration::from_secs(13);
/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// Connects to the node, or starts the light client. Without a chain, the findings say why.
pub async fn connect(endpoint: Endpoint) -> (Option<Chain>, Vec<Finding>) {
	match Chain::connect(endpoint.clone()).await {
		Ok(chain) => {
			let ignored = !endpoint.metadata_hash && chain.identity().checks_metadata_hash;
			let found = ignored.then(|| unchecked_hash(&endpoint.source));
			(Some(chain), found.into_iter().collect())
		},
		Err(Error::NoMetadataHash) => {
			let without = Endpoint { metadata_hash: false, ..endpoint.clone() };
			let (chain, mut found) = Box::pin(connect(without)).await;
			found.insert(0, refused(&endpoint.source, &Error::NoMetadataHash));
			(chain, found)
		},
		Err(error) => (None, vec![refused(&endpoint.source, &error)]),
	}
}

fn unchecked_hash(source: &Source) -> Finding {
	Finding::warning(
		Topic::Runtime,
		format!(
			"the runtime at {source} checks the hash of its metadata, and the settings turn that off"
		),
		Help {
			why: "A node could give a call another meaning before you sign it.",
			cure: "Remove --no-metadata-hash, or `no-metadata-hash` from the profile".into(),
			page: "docs/client.md#keys-and-profiles",
		},
	)
}

/// Returns the finding of a connection that fails.
fn refused(source: &Source, error: &Error) -> Finding {
	let profiles = "docs/client.md#keys-and-profiles";
	let (topic, why, cure, page) = match error {
		Error::Connect { reason, .. } => (
			Topic::Node,
			"Without a node, nothing of the chain can be read or changed.",
			cure(reason),
			"docs/operations.md#connections-to-a-node",
		),
		Error::NoMetadataHash => (
			Topic::Runtime,
			"A node could give a call another meaning before you sign it.",
			"Name a node of the right chain, or pass --no-metadata-hash if you trust the node".into(),
			profiles,
		),
		Error::Unexpected(_) if source.is_light() => (
			Topic::Node,
			"Nothing that nodes report about the chain can be verified.",
			"Check the chain specification and its bootnodes".into(),
			"docs/light-client.md",
		),
		Error::Unexpected(_) => (
			Topic::Chain,
			"The node serves another chain than the one that is expected, or the chain was begun anew.",
			"Name a node of the expected chain, or correct the expected genesis hash".into(),
			profiles,
		),
		Error::Metadata(_) => (
			Topic::Runtime,
			"This program cannot read or call such a chain.",
			"Name a node of a chain with the content fabric, or use a program of its version".into(),
			"docs/releases.md#compatible-versions",
		),
		Error::Usage(_) => (
			Topic::Node,
			"The light client cannot start.",
			"Correct the chain specification".into(),
			"docs/light-client.md",
		),
		_ => (
			Topic::Node,
			"The chain cannot be read.",
			"Run the command again, or name another node with --url".into(),
			"docs/operations.md#connections-to-a-node",
		),
	};
	let text = error.to_string();
	let text = match text.contains(&source.to_string()) {
		true => text,
		false => format!("{source}: {text}"),
	};
	Finding::problem(topic, text, Help { why, cure, page })
}

/// Examines the node of a connection, and the blocks of its chain. `name` is its URL.
pub async fn node(chain: &Chain, name: &str) -> Result<Vec<Finding>, Error> {
	let kind = chain.identity().kind;
	let (mut program, mut peers, mut is_syncing) = (None, None, false);
	// A light client is a part of this program, and has synchronized.
	if !chain.is_light() {
		let rpc = chain.rpc();
		let (version, health) = tokio::try_join!(rpc.system_version(), rpc.system_health())?;
		is_syncing = health.is_syncing;
		peers = health.should_have_peers.then_some(health.peers);
		program = Some(version);
	}
	let mut look = Look::at(chain).await?;
	let start = Instant::now();
	let first = look;
	// Old blocks are a finding only after the chain has had time for new ones.
	while look.seems_old(kind, &first) && !is_syncing && start.elapsed() < NEWS {
		sleep(PAUSE).await;
		look = Look::at(chain).await?;
	}
	let seen = Seen { name, kind, program: program.as_deref(), peers, is_syncing, first, look };
	let genesis = hex::encode(chain.identity().genesis_hash);
	let summary = || {
		let (best, last) = (look.best, look.finalized);
		let version =
			program.as_deref().map(|version| format!(", version {}", crate::http::shown(version)));
		format!(
			"{name} serves the {kind} chain 0x{genesis}, best block {best}, last final block {last}{}",
			version.unwrap_or_default()
		)
	};
	Ok(or_ok(seen.judge(), Topic::Node, summary))
}

/// The blocks of a chain at one moment. Times are in seconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
	best: u64,
	/// The time of the best block. 0 for the genesis block.
	best_time: u64,
	finalized: u64,
	/// The time of the first block that is not final, if there is one.
	waits_since: Option<u64>,
	/// The time of this machine.
	now: u64,
}

impl Look {
	async fn at(chain: &Chain) -> Result<Self, Error> {
		let (best, last) = tokio::try_join!(chain.best(), chain.finalized())?;
		let (number, finalized) = (best.block_number(), last.block_number());
		let first = match finalized < number {
			true => chain.block_hash(finalized + 1).await?,
			false => None,
		};
		let waits_since = match first {
			Some(hash) => Some(chain.at(hash).await?.now_micros().await? / 1_000_000),
			None => None,
		};
		let best_time = best.now_micros().await? / 1_000_000;
		let now = wall_clock() / 1_000_000;
		Ok(Self { best: number, best_time, finalized, waits_since, now })
	}

	/// Returns the age of the best block, if it has a time.
	fn age(&self) -> Option<u64> {
		(self.best_time > 0).then(|| self.now.saturating_sub(self.best_time))
	}

	/// Returns whether blocks are late, on a chain that makes them by the clock.
	fn is_late(&self, kind: ChainKind) -> bool {
		kind != ChainKind::Development && self.age().is_some_and(|age| age > OLD)
	}

	/// Returns whether blocks wait for their finality for too long.
	fn waits(&self) -> bool {
		self.waits_since.is_some_and(|since| self.now.saturating_sub(since) > OLD)
			|| self.best.saturating_sub(self.finalized) > FAR_BEHIND
	}

	/// Returns whether there are old blocks, and no newer ones since a first look.
	fn seems_old(&self, kind: ChainKind, first: &Self) -> bool {
		self.is_late(kind) && self.best <= first.best
			|| self.waits() && self.finalized <= first.finalized
	}
}

/// A node, and its chain.
struct Seen<'a> {
	name: &'a str,
	kind: ChainKind,
	program: Option<&'a str>,
	/// The number of its peers, if it should have some.
	peers: Option<usize>,
	is_syncing: bool,
	/// The first look at its blocks, and the last one.
	first: Look,
	look: Look,
}

impl Seen<'_> {
	fn judge(&self) -> Vec<Finding> {
		let mut found = Vec::new();
		if self.peers == Some(0) {
			found.push(Finding::problem(
				Topic::Node,
				format!("{} has no peers", self.name),
				Help {
					why: "It gets no blocks, and passes no transactions on.",
					cure: "Check its firewall, its bootnodes and its clock".into(),
					page: "docs/operations.md#fabricnodelackspeers",
				},
			));
		}
		found.extend(match self.is_syncing {
			// Its blocks are old until it has caught up.
			true => Some(self.syncing()),
			false => self.blocks(),
		});
		if !self.is_syncing {
			found.extend(self.finality());
		}
		let name = format!("the node at {}", self.name);
		found.extend(self.program.and_then(|version| other_version(&name, version)));
		found
	}

	fn syncing(&self) -> Finding {
		let Look { best, .. } = self.look;
		let age = self.look.age().map(|age| format!(", {} old", length_of_time(age)));
		Finding::warning(
			Topic::Node,
			format!(
				"{} synchronizes: its best block is {best}{}",
				self.name,
				age.unwrap_or_default()
			),
			Help {
				why: "Its view of the chain is old.",
				cure: "Wait until it has caught up, or name another node with --url".into(),
				page: "docs/operations.md#fabricnodebehind",
			},
		)
	}

	/// Judges the time of the best block. If the chain makes no blocks, nobody knows whose clock is
	/// right, unless its last block is in the future.
	fn blocks(&self) -> Option<Finding> {
		let Self { name, kind, look, first, .. } = self;
		let page = "docs/operations.md#the-machines";
		let ahead = look.best_time.saturating_sub(look.now);
		if *kind != ChainKind::Development && ahead > OLD {
			let length = length_of_time(ahead);
			return Some(Finding::problem(
				Topic::Clock,
				format!("the clock of this machine is {length} behind the chain's at {name}"),
				Help {
					why: "Commits and signed requests of this machine have a wrong time.",
					cure: "Synchronize this machine with NTP; if it is right, a validator's clock is wrong"
						.into(),
					page,
				},
			));
		}
		let age = look.age().filter(|_| look.is_late(*kind))?;
		let length = length_of_time(age);
		Some(match look.best > first.best {
			true => Finding::problem(
				Topic::Clock,
				format!("the clock of this machine is {length} ahead of the chain's at {name}"),
				Help {
					why: "Commits and signed requests of this machine have a wrong time.",
					cure: "Synchronize this machine with NTP; if it is right, the node replays old blocks"
						.into(),
					page,
				},
			),
			false => Finding::problem(
				Topic::Finality,
				format!("{name} has had no new block for {length}: its best one is {}", look.best),
				Help {
					why: "No transaction gets into a block.",
					cure: "Compare with another node: this one may be cut off, or no validator makes blocks"
						.into(),
					page: "docs/operations.md#no-blocks",
				},
			),
		})
	}

	fn finality(&self) -> Option<Finding> {
		let Self { name, kind, look, first, .. } = self;
		if !look.waits() {
			return None;
		}
		let Look { best, finalized, .. } = look;
		let heads = format!("its best block is {best}, its last final one {finalized}");
		let stalls = look.finalized <= first.finalized;
		// A development chain may make a burst of blocks.
		if !stalls && *kind == ChainKind::Development {
			return None;
		}
		let help = Help {
			why: "Content nodes, indexes and KMSes follow final blocks only, and others can be retracted.",
			cure: "Look at the validators, of which more than two thirds must run".into(),
			page: "docs/operations.md#finality-is-stalled",
		};
		Some(match stalls {
			true => Finding::problem(
				Topic::Finality,
				format!("finality stalls at {name}: {heads}"),
				help,
			),
			false => {
				Finding::warning(Topic::Finality, format!("finality lags at {name}: {heads}"), help)
			},
		})
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::doctor::{server::tests::assert_found, Severity};

	const NOW: u64 = 1_000_000;

	fn look(best: u64, finalized: u64) -> Look {
		let waits_since = (finalized < best).then_some(NOW - 12);
		Look { best, best_time: NOW - 6, finalized, waits_since, now: NOW }
	}

	fn sound() -> Seen<'static> {
		Seen {
			name: "wss://rpc",
			kind: ChainKind::Live,
			program: Some(concat!(env!("CARGO_PKG_VERSION"), "-0123abc")),
			peers: Some(3),
			is_syncing: false,
			first: look(9, 7),
			look: look(9, 7),
		}
	}

	#[test]
	fn a_node_is_judged_by_its_peers_its_blocks_and_its_version() {
		use Severity::{Problem, Warning};
		let old = |look: Look| Look { best_time: NOW - 3_600, ..look };
		let waiting = |look: Look| Look { waits_since: Some(NOW - 61), ..look };
		for (case, seen, expected) in [
			("sound", sound(), &[][..]),
			("needs no peers", Seen { peers: None, ..sound() }, &[]),
			("no peers", Seen { peers: Some(0), ..sound() }, &[(Problem, "has no peers")]),
			(
				"synchronizing",
				Seen { is_syncing: true, look: waiting(old(look(9, 7))), ..sound() },
				&[(Warning, "synchronizes: its best block is 9, 60 minutes old")],
			),
			(
				"no blocks",
				Seen { look: old(look(9, 9)), ..sound() },
				&[(Problem, "has had no new block for 60 minutes: its best one is 9")],
			),
			(
				"a clock that is ahead",
				Seen { look: old(look(10, 9)), ..sound() },
				&[(Problem, "the clock of this machine is 60 minutes ahead of the chain's")],
			),
			(
				"a clock that is behind",
				Seen { look: Look { best_time: NOW + 61, ..look(9, 7) }, ..sound() },
				&[(Problem, "the clock of this machine is 61 seconds behind the chain's")],
			),
			(
				"no final block",
				Seen { look: waiting(look(10, 7)), ..sound() },
				&[(
					Problem,
					"finality stalls at wss://rpc: its best block is 10, its last final one 7",
				)],
			),
			(
				"finality that lags",
				Seen { look: look(30, 8), ..sound() },
				&[(Warning, "finality lags at wss://rpc")],
			),
			(
				"a burst on a development chain",
				Seen { kind: ChainKind::Development, look: look(30, 8), ..sound() },
				&[],
			),
			(
				"an idle development chain",
				Seen { kind: ChainKind::Development, look: old(look(9, 9)), ..sound() },
				&[],
			),
			(
				"a development chain without finality",
				Seen { kind: ChainKind::Development, look: waiting(look(9, 7)), ..sound() },
				&[(Problem, "finality stalls")],
			),
			(
				"the genesis block",
				Seen { look: Look { best_time: 0, ..look(0, 0) }, ..sound() },
				&[],
			),
			(
				"another version",
				Seen { program: Some("9.0.0-0123abc"), ..sound() },
				&[(Warning, "the node at wss://rpc has the version 9.0.0-0123abc")],
			),
		] {
			println!("{case}");
			assert_found(&seen.judge(), expected);
		}
	}

	#[test]
	fn blocks_seem_old_until_newer_ones_come() {
		let stale = Look { best_time: NOW - 61, waits_since: Some(NOW - 61), ..look(9, 7) };
		let kind = ChainKind::Live;
		assert!(!look(9, 7).seems_old(kind, &look(9, 7)));
		assert!(stale.seems_old(kind, &stale));
		assert!(Look { best: 10, ..stale }.seems_old(kind, &stale), "finality waits");
		assert!(!Look { best: 10, finalized: 8, ..stale }.seems_old(kind, &stale));
	}

	#[test]
	fn each_failure_to_connect_has_its_page() {
		let source =
			Source::Node("wss://rpc.example.com/sesame".parse().expect("it is a URL; qed"));
		let url = source.to_string();
		let connect = |reason: &str| Error::Connect { url: url.clone(), reason: reason.into() };
		for (error, topic, seen, cure) in [
			(connect("Connection refused"), Topic::Node, "no node answers at wss://", "start it"),
			(connect("invalid peer certificate: Expired"), Topic::Node, "Expired", "Renew"),
			(
				Error::NoMetadataHash,
				Topic::Runtime,
				"wss://rpc.example.com: the runtime does",
				"trust",
			),
			(
				Error::Unexpected("the chain differs".into()),
				Topic::Chain,
				"differs",
				"expected chain",
			),
			(Error::Metadata("pallet".into()), Topic::Runtime, "has no pallet", "content fabric"),
			(Error::Disconnected, Topic::Node, "closed", "again"),
		] {
			let found = refused(&source, &error);
			let help = found.help.expect("problems have help; qed");
			assert_eq!((found.severity, found.topic), (Severity::Problem, topic), "{error}");
			assert!(
				found.seen.contains(seen) && found.seen.contains("wss://rpc"),
				"{}",
				found.seen
			);
			assert!(help.cure.contains(cure), "{error}: {}", help.cure);
			assert!(!found.seen.contains("sesame"), "{}", found.seen);
		}
	}
}
