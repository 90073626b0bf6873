// SPDX-License-Identifier: Apache-2.0
//! KMSes: their rows on the chain, and what their servers report.

use std::time::Duration;

use content_fabric_identifiers::{KmsId, TenantId};
use content_fabric_primitives::KmsKey;
use tokio::task::spawn_blocking;

use super::{
	finding::or_ok,
	server::{self, Named, Said},
	Finding, Help, Reference, Topic, ANSWER, OLD,
};
use crate::{
	chain::{rows, Chain, Error},
	content_node::server as server_of,
	http::shown,
	kms::{KmsError, KmsServer, Status},
	text::length_of_time,
};

/// The page about setting up a KMS.
const SET_UP: &str = "docs/kms.md#set-up";

/// Examines a KMS at the last final block, whose state its server goes by, and asks the server.
/// `pinned` is the key that this machine has encrypted for. `insecure` allows connections without
/// encryption.
pub async fn kms(
	chain: &Chain,
	(tenant, kms): (TenantId, KmsId),
	pinned: Option<KmsKey>,
	insecure: bool,
	reference: &Reference,
) -> Result<Vec<Finding>, Error> {
	let at = chain.finalized().await?;
	let Some(row) = at.get(rows::kmses(), (tenant, kms)).await? else {
		let block = at.block_number();
		return Ok(vec![Finding::problem(
			Topic::Kms,
			format!("the chain has no KMS {kms} of {tenant} at the final block {block}"),
			Help {
				why: "Nothing can be encrypted for it, and it gives no keys.",
				cure: "Correct the id, or add it with `fabric kms add`".into(),
				page: SET_UP,
			},
		)]);
	};
	let server =
		server_of(&row.locator.raw()).map(|url| KmsServer::patient(url, ANSWER, Duration::ZERO));
	let server = server.map_err(KmsError::Locator);
	let name = match &server {
		Ok(server) => format!("the KMS {kms} of {tenant} at {}", server.url()),
		Err(_) => format!("the KMS {kms} of {tenant}"),
	};
	let seen = Seen { id: (tenant, kms), name, row: &row, pinned };
	let server = match server {
		Err(error) => return Ok(seen.judge(Err(&error), reference)),
		Ok(server) => server,
	};
	if let Err(error) = server.url().ensure_secure(insecure) {
		return Ok(vec![super::unusable_url(Topic::Kms, &seen.name, &error)]);
	}
	let status = spawn_blocking(move || server.status()).await;
	let status = match status {
		Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
		// The program ends.
		Err(_) => return Ok(Vec::new()),
		Ok(status) => status,
	};
	let mut found = seen.judge(status.as_ref(), reference);
	// A block is compared only if the node has it.
	if let Some(block) = status.ok().and_then(|status| status.block) {
		let hash = match block.number <= reference.finalized {
			true => chain.block_hash(block.number).await?,
			false => None,
		};
		if hash.is_some_and(|hash| hash != block.hash) {
			found.retain(|finding| finding.help.is_some());
			found.push(seen.named().problem(
				format!("follows a chain with another block {}", block.number),
				"The chain was begun anew, or its --url leads to another one.",
				"Start it with the --url of a node of this chain. For a new chain, name a new --data folder, \
				 and make a new identity",
				"docs/operations.md#a-chain-that-is-begun-anew",
			));
		}
	}
	Ok(found)
}

/// A KMS, with its row on the chain.
struct Seen<'a> {
	id: (TenantId, KmsId),
	name: String,
	row: &'a rows::Kms,
	pinned: Option<KmsKey>,
}

impl Seen<'_> {
	fn named(&self) -> Named<'_> {
		let ((tenant, kms), key) = (self.id, self.row.key);
		Named {
			topic: Topic::Kms,
			name: &self.name,
			why: "Readers cannot read encrypted files.",
			set_locator: format!("`fabric kms set {tenant} {kms} --locator URL --key {key}`"),
			page: SET_UP,
		}
	}

	fn judge(&self, status: Result<&Status, &KmsError>, reference: &Reference) -> Vec<Finding> {
		let Self { name, row, pinned, .. } = self;
		let key = row.key;
		let server = self.named();
		let mut found = Vec::new();
		if let Some(pinned) = pinned.filter(|pinned| *pinned != key) {
			found.push(server.problem(
				format!("has the key {key}, and this machine has encrypted for {pinned}"),
				"If the tenant has not changed the key, a stranger could read what you encrypt.",
				format!("Ask the tenant. If it is right, pass --kms-key {key} with the next `fabric put`"),
				"docs/client.md#encrypted-content",
			));
		}
		let status = match status {
			Ok(status) => status,
			Err(error) => {
				found.push(match error {
					KmsError::Unreachable { reason, .. } => server.unreachable(reason),
					error => server.wrong(error),
				});
				return found;
			},
		};
		if (status.tenant, status.kms) != self.id {
			found.push(server.problem(
				format!("is the server of {} of {}", status.kms, status.tenant),
				"Readers get no keys.",
				format!("Correct the locator with {}", server.set_locator),
				SET_UP,
			));
			return found;
		}
		if !status.keys.contains(&key) {
			found.push(server.problem(
				format!("does not have the key on the chain, {key}"),
				"Files that are encrypted for that key cannot be read.",
				"Start it with the identity of the key, or set its own key with `fabric kms set`",
				"docs/kms.md#rotate",
			));
		} else if let Some(problem) = &status.problem {
			found.push(server.problem(
				format!("gives no keys: {}", shown(problem)),
				"Readers cannot read encrypted files.",
				"Do what the reason asks for, on its machine",
				"docs/kms.md#other-paths",
			));
		} else if let Some(age) = status.finalized_age.filter(|age| *age > OLD) {
			found.push(server.problem(
				format!("knows no final block of the last {}", length_of_time(age)),
				"It gives no keys while the state that it knows is old.",
				"Look at finality, and at the node that its --url names",
				"docs/operations.md#finality-is-stalled",
			));
		}
		let said = Said {
			name,
			version: status.version.as_deref(),
			genesis: status.genesis_hash.map(|hash| hash.0),
			finalized: status.block.map(|block| block.number).filter(|_| status.problem.is_none()),
			clock: status.clock,
		};
		found.extend(server::judge(Topic::Kms, &said, reference, SET_UP));
		or_ok(found, Topic::Kms, || format!("{name} serves with the key on the chain"))
	}
}

#[cfg(test)]
mod tests {
	use subxt::utils::AccountId32;

	use super::*;
	use crate::{
		doctor::{
			server::tests::{assert_found, REFERENCE},
			Severity,
		},
		kms::AtBlock,
		profile::IndexUrl,
		text::Text,
	};

	const ID: (TenantId, KmsId) = (TenantId([1; 10]), KmsId([2; 10]));
	const KEY: KmsKey = KmsKey([9; 32]);

	fn sound() -> Status {
		Status {
			tenant: ID.0,
			kms: ID.1,
			key: Some(KEY),
			keys: vec![KEY],
			block: Some(AtBlock { number: 100, hash: [4; 32] }),
			finalized_age: Some(6),
			problem: None,
			version: Some(env!("CARGO_PKG_VERSION").into()),
			genesis_hash: None,
			clock: None,
		}
	}

	#[test]
	fn a_kms_is_judged_by_its_row_its_pin_and_its_state() {
		use Severity::{Ok as Fine, Problem};
		let url: IndexUrl = "https://kms.example.com".parse().expect("it is a URL; qed");
		let silent = KmsError::Unreachable { url, reason: "Connection refused".into() };
		let row = rows::Kms {
			operator: AccountId32([3; 32]),
			locator: Text("https://kms.example.com".into()),
			key: KEY,
			deposit: 0,
		};
		let other = KmsKey([8; 32]);
		for (pinned, status, expected) in [
			(None, Ok(sound()), &[(Fine, "serves with the key on the chain")][..]),
			(Some(KEY), Ok(sound()), &[(Fine, "serves")]),
			(Some(other), Ok(sound()), &[(Problem, "and this machine has encrypted for age1")]),
			(None, Err(silent), &[(Problem, "does not answer: Connection refused")]),
			(
				None,
				Ok(Status { kms: KmsId([7; 10]), ..sound() }),
				&[(Problem, "is the server of ikms")],
			),
			(
				None,
				Ok(Status { keys: vec![other], problem: Some("no key".into()), ..sound() }),
				&[(Problem, "does not have the key on the chain, age1")],
			),
			(
				None,
				Ok(Status { problem: Some("the tenant is frozen".into()), ..sound() }),
				&[(Problem, "gives no keys: the tenant is frozen")],
			),
			(
				None,
				Ok(Status { finalized_age: Some(61), ..sound() }),
				&[(Problem, "knows no final block of the last 61 seconds")],
			),
		] {
			let seen = Seen { id: ID, name: "the KMS".into(), row: &row, pinned };
			assert_found(&seen.judge(status.as_ref(), &REFERENCE), expected);
		}
	}
}
