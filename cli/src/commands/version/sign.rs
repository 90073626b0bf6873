// SPDX-License-Identifier: Apache-2.0
//! `fabric version sign`: a key of the tenant signs what a node has drafted.

use std::fmt::Write;

use clap::Args;
use content_fabric_client::{
	chain::wall_clock,
	drafts::{Draft, DraftedVersion, SignedDraft},
	keys::{ChainKind, KeySource, Signer},
	text::{self, count, length_of_time},
};
use content_fabric_identifiers::Muid;
use content_fabric_primitives::known_size;

use super::document;
use crate::{commands::Context, consent::confirm, input::Input, time::utc, Error};

/// Number of seconds that a commit may be dated ahead of the clock of this machine.
const MAX_AHEAD: u64 = 60;

#[derive(Debug, Args)]
pub struct Sign {
	/// The file that `fabric version draft` has printed, or - for standard input
	draft: Input,
	/// The key that signs, with the level content or above in the tenant: env:NAME, file:PATH,
	/// keystore:PATH, or - for standard input [default: the profile's]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	signer: Option<KeySource>,
	/// Maximum number of seconds that the draft may be ahead of the clock of this machine
	#[arg(long, default_value_t = MAX_AHEAD, value_name = "SECONDS")]
	max_ahead: u64,
	/// Do not ask before signing
	#[arg(long, short)]
	yes: bool,
}

impl Sign {
	/// Shows what is about to be signed, asks, and signs.
	pub fn run(self, context: &Context) -> Result<SignedDraft, Error> {
		if matches!((&self.draft, &self.signer), (Input::Stdin, Some(KeySource::Stdin))) {
			return Err(Error::Usage(
				"the draft and the key cannot both come from standard input".into(),
			));
		}
		let draft: Draft = document::read(&self.draft, "a draft")?;
		draft.commit()?;
		let known = context.known_genesis_hash()?;
		ensure_chain(&draft, known.as_ref(), self.yes)?;
		let now = wall_clock();
		ensure_not_ahead(draft.muid.timestamp(), now, self.max_ahead)?;
		let signer = context.offline_signer(self.signer.as_ref(), "--signer")?;
		confirm(&summary(&draft, &signer, now, known.is_some()), self.yes)?;
		let signature = signer.sign(&draft.payload);
		Ok(SignedDraft::new(draft, *signer.account(), signature))
	}
}

/// Checks that a draft is for the expected chain. Where none is known, somebody must look at the
/// genesis hash: the signature would count on whatever chain has it.
fn ensure_chain(draft: &Draft, known: Option<&[u8; 32]>, yes: bool) -> Result<(), Error> {
	match known {
		Some(expected) => Ok(draft.ensure_chain(expected)?),
		None if yes => Err(Error::Usage(
			"cannot check the chain of the draft: pass --genesis-hash, or a --profile that \
			 has connected before, or leave out --yes and compare the hash"
				.into(),
		)),
		None => Ok(()),
	}
}

/// Checks the date of a commit that is signed as soon as a node has given the time. Everybody can
/// sign with a public key, and development chains may run ahead of the clock, so only a limit that
/// is given holds there.
pub(in crate::commands) fn ensure_signable(
	muid: Muid,
	now: u64,
	max_seconds: Option<u64>,
	kind: ChainKind,
	signer: &Signer,
) -> Result<(), Error> {
	let is_bound = kind != ChainKind::Development && !signer.is_public();
	match max_seconds.or(is_bound.then_some(MAX_AHEAD)) {
		Some(max_seconds) => ensure_not_ahead(muid.timestamp(), now, max_seconds),
		None => Ok(()),
	}
}

/// Checks that a commit is not dated ahead: the chain would accept it late, and it could undo what
/// the tenant decides in between.
fn ensure_not_ahead(timestamp: u64, now: u64, max_seconds: u64) -> Result<(), Error> {
	if timestamp.saturating_sub(now) <= max_seconds.saturating_mul(1_000_000) {
		return Ok(());
	}
	Err(Error::Usage(format!(
		"the commit is dated {}, so it could undo later decisions of the tenant: if the clock of \
		 the chain is that far ahead, pass a larger --max-ahead",
		distance(timestamp, now)
	)))
}

/// Returns the time between a muid and the clock of this machine.
fn distance(timestamp: u64, now: u64) -> String {
	let length = length_of_time(timestamp.abs_diff(now) / 1_000_000);
	match timestamp > now {
		true => format!("{length} ahead of the clock of this machine"),
		false => format!("{length} ago by the clock of this machine"),
	}
}

/// Returns what a user is asked to agree to.
pub(super) fn summary(draft: &Draft, signer: &Signer, now: u64, is_known: bool) -> String {
	let Draft { muid, provider, node, tenant, kms, versions, .. } = draft;
	let versions_signed = count(versions.len() as u64, "version", "versions");
	let objects = match draft.create_objects {
		true => "created where they do not exist when the commit arrives",
		false => "must exist",
	};
	let kms = kms.map_or_else(|| "none: the data is plain".into(), |kms| kms.to_string());
	let known = match is_known {
		true => "",
		false => ", which is not known here: compare it with a source that you trust",
	};
	let mut text = format!(
		"About to sign a commit of {versions_signed} for the tenant {tenant}.\n  \
		   signer    {account}\n  \
		   provider  {provider}\n  \
		   node      {node}\n  \
		   KMS       {kms}\n  \
		   chain     0x{genesis}{known}\n  \
		   muid      {muid}\n  \
		   dated     {date}, {time}\n  \
		   objects   {objects}\n",
		account = signer.account(),
		genesis = hex::encode(draft.genesis_hash),
		date = utc(muid.timestamp()),
		time = distance(muid.timestamp(), now),
	);
	for version in versions {
		// Writing to a string does not fail.
		let _ = writeln!(text, "  {}", version_line(version));
	}
	text
}

fn version_line(version: &DraftedVersion) -> String {
	let DraftedVersion { object, version, size, head } = version;
	let size = text::size(known_size(*version, *size));
	let head = if *head { ", becomes the head when finalized" } else { "" };
	format!("version   {version} of {object}, {size}{head}")
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, Medallion, VersionId};

	use super::*;
	use crate::samples::draft;

	const SECOND: u64 = 1_000_000;

	#[test]
	fn commits_that_are_dated_ahead_are_refused() {
		let now = 1_000 * SECOND;
		for (timestamp, max_seconds, accepted) in [
			(0, 0, true),
			(now, 0, true),
			(now + 1, 0, false),
			(now + 60 * SECOND, 60, true),
			(now + 60 * SECOND + 1, 60, false),
			(u64::MAX, u64::MAX, true),
		] {
			let checked = ensure_not_ahead(timestamp, now, max_seconds);
			assert_eq!(checked.is_ok(), accepted, "{timestamp}, {max_seconds}");
		}
	}

	#[test]
	fn commits_at_the_time_of_a_node_are_bound_except_on_development_chains_and_for_public_keys() {
		let key = |text: &str| {
			let Ok(source) = text.parse::<KeySource>();
			source.load(ChainKind::Development).expect("development chains accept phrases; qed")
		};
		let (public, secret) = (key("//Charlie"), key(&format!("0x{}", "07".repeat(32))));
		assert!(public.is_public() && !secret.is_public());
		let now = 1_000 * SECOND;
		let check = |seconds, limit, kind, signer| {
			let timestamp = now + seconds * SECOND;
			let muid = Muid::new(timestamp, Medallion::FIRST_ASSIGNABLE, 0).expect("in range; qed");
			ensure_signable(muid, now, limit, kind, signer).is_ok()
		};
		use ChainKind::{Development, Live, Local};
		for (seconds, limit, kind, signer, accepted) in [
			(60, None, Live, &secret, true),
			(61, None, Live, &secret, false),
			(61, None, Local, &secret, false),
			(61, None, Development, &secret, true),
			(61, None, Live, &public, true),
			(61, Some(61), Live, &secret, true),
			(61, Some(60), Live, &public, false),
			(61, Some(60), Development, &secret, false),
		] {
			assert_eq!(check(seconds, limit, kind, signer), accepted, "{seconds} {limit:?} {kind}");
		}
	}

	#[test]
	fn a_draft_for_an_unknown_chain_is_signed_only_when_somebody_looks_at_it() {
		let draft = draft();
		let other = [draft.genesis_hash[0].wrapping_add(1); 32];
		for (known, yes, accepted) in [
			(Some(draft.genesis_hash), true, true),
			(Some(draft.genesis_hash), false, true),
			(Some(other), false, false),
			(None, true, false),
			(None, false, true),
		] {
			assert_eq!(
				ensure_chain(&draft, known.as_ref(), yes).is_ok(),
				accepted,
				"{known:?} {yes}"
			);
		}
		let Ok(source) = "//Charlie".parse::<KeySource>();
		let signer = source.load(ChainKind::Live).expect("it is a development key; qed");
		let asked = |is_known| summary(&draft, &signer, 0, is_known);
		assert!(asked(false).contains(", which is not known here: compare it"), "{}", asked(false));
		assert!(!asked(true).contains("not known"), "{}", asked(true));
	}

	#[test]
	fn times_are_told_by_the_clock_of_this_machine() {
		let now = 1_000_000 * SECOND;
		for (timestamp, text) in [
			(now, "0 seconds ago by"),
			(now - SECOND, "1 second ago by"),
			(now - 119 * SECOND, "119 seconds ago by"),
			(now + 120 * SECOND, "2 minutes ahead of"),
			(now + 7_200 * SECOND, "2 hours ahead of"),
			(0, "11 days ago by"),
		] {
			let told = distance(timestamp, now);
			assert_eq!(told, format!("{text} the clock of this machine"));
		}
	}

	#[test]
	fn versions_are_shown_with_size_and_head() {
		let version = |size, head| {
			let (object, version) = (ContentObjectId([1; 10]), VersionId([2; 32]));
			version_line(&DraftedVersion { object, version, size, head })
		};
		assert!(version(0, false).ends_with(", size not known"));
		assert!(version(1, false).ends_with(", 1 byte"));
		assert!(version(1_234, true).ends_with(", 1,234 bytes, becomes the head when finalized"));
	}
}
