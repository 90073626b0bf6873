// SPDX-License-Identifier: Apache-2.0
//! `fabric version commit`: the provider submits what a key of the tenant has signed.

use clap::Args;
use content_fabric_client::{
	chain::{
		calls::{self, EncodedCall},
		wall_clock, Chain, Snapshot, VersionCommit,
	},
	drafts::{ensure_signable, Draft, SignedDraft},
	keys::KeySource,
	text::count,
};
use subxt::utils::{AccountId32, MultiSignature};

use super::{
	document,
	draft::{DraftOptions, MaybeDraftOptions},
	sign,
};
use crate::{
	commands::{Act, Action, Authority, Setting, View},
	input::Input,
	Error,
};

#[derive(Debug, Args)]
pub struct Commit {
	#[command(flatten)]
	draft: MaybeDraftOptions,
	/// The key of the tenant [default: the profile's; on development chains //Charlie]
	#[arg(long, value_name = "KEY", requires = "DraftOptions")]
	tenant_signer: Option<KeySource>,
	/// Maximum number of seconds that the commit may be ahead of the clock of this machine
	/// [default: 60]
	#[arg(long, value_name = "SECONDS", requires = "DraftOptions")]
	max_ahead: Option<u64>,
	/// The file that `fabric version sign` has printed, or - for standard input
	#[arg(
		long,
		value_name = "FILE",
		conflicts_with = "DraftOptions",
		required_unless_present = "DraftOptions"
	)]
	signed: Option<Input>,
	/// Also finalize the versions, in the same transaction
	#[arg(long)]
	finalize: bool,
}

struct SignedCommit {
	commit: VersionCommit,
	account: AccountId32,
	signature: MultiSignature,
}

impl Commit {
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		self.ensure_signs(setting.act)?;
		let read = |input| read(input, setting.act);
		let given = self.signed.as_ref().map(read).transpose()?;
		self.draft.0.iter().try_for_each(DraftOptions::ensure_sound)?;
		let chain = setting.context.connect().await?;
		let signed = match (given, &self.draft.0) {
			(Some(signed), _) => {
				signed.draft.ensure_chain(&chain.identity().genesis_hash)?;
				SignedCommit {
					commit: signed.draft.commit()?,
					signature: signed.signature()?,
					account: signed.account,
				}
			},
			(None, Some(draft)) => self.sign(setting, &chain, draft).await?,
			(None, None) => {
				return Err(Error::Usage(
					"no commit is given: pass --signed, or a TENANT to draft one for".into(),
				))
			},
		};
		let (at, summary) = (View::new(chain).await?, self.summary(&signed.commit));
		Ok(at.action_of(Authority::Provider, self.call(&at, signed)?, summary))
	}

	/// Checks that the commit is signed already where this run must sign nothing. The chain does
	/// not accept a commit without the signature of the tenant, not even in a dry run.
	pub(super) fn ensure_signs(&self, act: &Act) -> Result<(), Error> {
		let option = match act {
			Act { dry_run: true, .. } => "--dry-run",
			Act { print_call: true, .. } => "--print-call",
			_ => return Ok(()),
		};
		match self.signed {
			Some(_) => Ok(()),
			None => Err(Error::Usage(format!(
				"{option} signs nothing, and the call contains the signature of the tenant: make one \
				 with `fabric version draft` and `fabric version sign`, and pass it with --signed"
			))),
		}
	}

	/// Drafts a commit, shows it, asks, and signs it with the key of the tenant. It asks even with
	/// a public key, as a node chooses the muid.
	async fn sign(
		&self,
		setting: &Setting<'_>,
		chain: &Chain,
		draft: &DraftOptions,
	) -> Result<SignedCommit, Error> {
		let given = self.tenant_signer.as_ref();
		let signer = setting.context.signer(chain, given, "--tenant-signer", "//Charlie")?;
		let commit = draft.resolve(chain).await?;
		let draft = Draft::new(chain.identity().genesis_hash, &commit);
		let now = wall_clock();
		let kind = chain.identity().kind;
		ensure_signable(draft.muid, now, self.max_ahead, kind, &signer)?;
		setting.act.consent(&sign::summary(&draft, &signer, now, true))?;
		Ok(SignedCommit {
			commit,
			account: *signer.account(),
			signature: MultiSignature::Sr25519(signer.sign(&draft.payload)),
		})
	}

	fn summary(&self, commit: &VersionCommit) -> String {
		let versions = match &commit.versions[..] {
			[draft] => format!("the version {} of {}", draft.version, draft.object),
			drafts => count(drafts.len() as u64, "version", "versions"),
		};
		let finalize = if self.finalize { " and finalize" } else { "" };
		format!("commit{finalize} {versions} of {} by the node {}", commit.tenant, commit.node)
	}

	fn call(&self, at: &Snapshot, signed: SignedCommit) -> Result<EncodedCall, Error> {
		let SignedCommit { commit, account, signature } = signed;
		let commit_versions = at.encode(calls::CommitVersions {
			tenant_signer: account,
			commit: calls::Encoded::new(&commit),
			signature,
		})?;
		if !self.finalize {
			return Ok(commit_versions);
		}
		let finalize_versions = at.encode(calls::FinalizeVersions {
			provider: commit.originator,
			node: commit.node,
			tenant: commit.tenant,
			versions: commit.versions.iter().map(|draft| (draft.object, draft.version)).collect(),
		})?;
		Ok(at.encode(calls::BatchAll { calls: vec![commit_versions, finalize_versions] })?)
	}
}

fn read(input: &Input, act: &Act) -> Result<SignedDraft, Error> {
	if matches!((input, &act.signer), (Input::Stdin, Some(KeySource::Stdin))) {
		return Err(Error::Usage(
			"the signed draft and the key cannot both come from standard input".into(),
		));
	}
	document::read(input, "a signed draft")
}
