// SPDX-License-Identifier: Apache-2.0
//! The chain with the next runtime: blobs that it refuses, and an upgrade by the council.

use std::path::Path;

use content_fabric_client::chain::calls::{ApplyAuthorizedUpgrade, AuthorizeUpgrade, Call};
use scale_encode::EncodeAsType;
use tokio::task::block_in_place;

use super::{blobs, Upgrade, ALL, PATIENCE, SUDO};
use crate::{
	client::{signer, Client},
	council::{as_root, Council, FOUR_OF_FIVE},
	process::fabric_event,
	validators::{remove, Session},
	wait,
};

/// The validator that the council removes.
const REMOVED: &str = "//Dave";
/// An account without a role.
const ANYBODY: &str = "//One";
/// Number of changes of sessions until other validators are active.
const SESSIONS: u32 = 2;

/// Allows anybody to set the runtime with a hash, whatever its version.
#[derive(EncodeAsType)]
struct AuthorizeUpgradeWithoutChecks {
	code_hash: [u8; 32],
}

impl Call for AuthorizeUpgradeWithoutChecks {
	const PALLET: &'static str = "System";
	const NAME: &'static str = "authorize_upgrade_without_checks";
}

impl Upgrade {
	/// Authorizes blobs that cannot be the next runtime, and tries to set each of them. The chain
	/// keeps the one that it has.
	pub(super) async fn refuse_wrong_blobs(&self) {
		let (client, next) = (Client::connect(&self.url).await, blobs::drill());
		let blobs = [
			("SpecVersionNeedsToIncrease", blobs::present()),
			("SpecVersionNeedsToIncrease", next.clone()),
			("InvalidSpecName", blobs::of_another_chain(&next)),
			("FailedToExtractRuntimeVersion", b"no runtime".to_vec()),
		];
		for (error, code) in blobs {
			let authorize = AuthorizeUpgrade { code_hash: blobs::hash(&code) };
			let calls = vec![
				client.encode(client.sudo(authorize)),
				client.encode(ApplyAuthorizedUpgrade { code }),
			];
			let refused = client.refusal(&signer(SUDO), client.batch(calls)).await;
			assert!(refused.contains(&format!(": System.{error}: ")), "{refused}, not {error}");
		}

		let (_, block) = self.raw.best_block().await;
		assert!(self.raw.code(block).await == next, "the runtime is the same");
		let time = self.faults.testbed.finalizes(&ALL, 1, PATIENCE).await;
		self.print(&format!(
			"wrong blobs are refused, and the next block is final after {time:.1?}"
		));
	}

	/// Has two thirds of the council remove a validator and, as root, replace the runtime by
	/// another blob of it. Returns the state of the sessions when they decide.
	pub(super) async fn act_by_council(&self, dir: &Path) -> Session {
		let blob = blobs::repacked(&blobs::drill());
		let client = Client::connect(&self.url).await.finalized();
		let code_hash = blobs::hash(&blob);
		// There is no later version than the next one, so none is asked for.
		let [allow, dispatch] = as_root(&client, AuthorizeUpgradeWithoutChecks { code_hash });
		let motion = client.batch([client.encode(remove(REMOVED)), allow, dispatch]);
		let block = Council::new(&client, FOUR_OF_FIVE).enact(motion).await;
		let enacted = Session::read_at(&self.raw, Some(block)).await;
		assert!(enacted.has(REMOVED), "{enacted:?}");
		self.print("the council has authorized another blob, and removes a validator");

		let other = ApplyAuthorizedUpgrade { code: blobs::drill() };
		let refused = client.refusal(&signer(ANYBODY), other).await;
		assert!(refused.contains(": System.Unauthorized: "), "{refused}");

		let file = dir.join("repacked.wasm");
		std::fs::write(&file, &blob).expect("there is room for a file");
		let file = file.to_str().expect("the path is text");
		let apply = ["runtime", "apply", file, "--signer", ANYBODY, "--yes"];
		block_in_place(|| fabric_event(&self.url, &apply, "CodeUpdated"));
		let (number, block) = self.raw.best_block().await;
		assert!(self.raw.code(block).await == blob, "block {number} has the blob");
		self.faults.testbed.reaches(&ALL, number + 1, PATIENCE).await;
		self.print(&format!("all finalize blocks after the second upgrade, in block {number}"));
		enacted
	}

	/// Waits for the change of validators, which must be at the second change of sessions.
	pub(super) async fn validators_change(&self, enacted: Session) {
		wait::until(PATIENCE, "the validators do not change", async || {
			!Session::read(&self.raw).await.has(REMOVED)
		})
		.await;
		let changed = self.change(&enacted).await;
		assert_eq!(changed.index, enacted.index + SESSIONS, "the session of other validators");
		assert_eq!(changed.set_id, enacted.set_id + 1, "the set of GRANDPA");
		let (number, _) = self.raw.best_block().await;
		self.faults.testbed.reaches(&ALL, number + 1, PATIENCE).await;
		self.print(&format!("{} validators finalize blocks", changed.validators.len()));
	}

	/// Returns the state of the sessions at the first block after which a validator is no longer
	/// active.
	async fn change(&self, enacted: &Session) -> Session {
		let (last, _) = self.raw.best_block().await;
		for number in 1..=last {
			let block = self.raw.block_hash(number).await;
			let session = Session::read_at(&self.raw, block).await;
			if session.index >= enacted.index && !session.has(REMOVED) && session.index > 0 {
				return session;
			}
		}
		panic!("no block has other validators");
	}
}
