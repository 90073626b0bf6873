// SPDX-License-Identifier: Apache-2.0
//! `fabric version sign`: a key of the tenant signs what a node has drafted.

use std::fmt::Write;

use clap::Args;
use content_fabric_client::{
	chain::wall_clock,
	drafts::{
		distance, ensure_not_ahead, AskedNode, Draft, DraftedVersion, SignedDraft, MAX_AHEAD,
	},
	keys::{KeySource, Signer},
	text::{self, count},
};
use content_fabric_primitives::known_size;

use super::document;
use crate::{commands::Context, consent::confirm, input::Input, time::utc, Error};

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

/// Returns what a user is asked to agree to.
pub(super) fn summary(draft: &Draft, signer: &Signer, now: u64, is_known: bool) -> String {
	let Draft { muid, provider, node, copies, tenant, kms, versions, .. } = draft;
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
	for AskedNode { provider, node } in copies {
		let _ = writeln!(text, "  asks      {node} of {provider} for a copy");
	}
	for version in versions {
		// Writing to a string does not fail.
		let _ = writeln!(text, "  {}", version_line(version));
	}
	text
}

fn version_line(version: &DraftedVersion) -> String {
	let DraftedVersion { object, version, hash, size, head } = version;
	let size = text::size(known_size(*version, *hash, *size));
	let head = if *head { ", becomes the head when finalized" } else { "" };
	let hash = hash.name();
	format!("version   {version} of {object}, {hash}, {size}{head}")
}

#[cfg(test)]
mod tests {
	use content_fabric_client::{keys::ChainKind, samples::draft};
	use content_fabric_identifiers::{ContentObjectId, HashKind, VersionId};

	use super::*;

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
	fn versions_are_shown_with_size_and_head() {
		let version = |size, head| {
			let (object, version) = (ContentObjectId([1; 10]), VersionId([2; 32]));
			version_line(&DraftedVersion { object, version, hash: HashKind::Sha256, size, head })
		};
		assert!(version(0, false).ends_with(", SHA-256, size not known"));
		assert!(version(1, false).ends_with(", SHA-256, 1 byte"));
		assert!(version(1_234, true).ends_with(", 1,234 bytes, becomes the head when finalized"));
	}
}
