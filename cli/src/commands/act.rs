// SPDX-License-Identifier: Apache-2.0
//! Commands that submit a call: who signs it, for whom, and what is asked first.

mod council;
mod outcome;

use clap::Args;
use content_fabric_client::{
	chain::{
		self,
		calls::{EncodedCall, Proxy, ReleaseProposalCost, Sudo},
		no_dry_run, rows, Chain, DryRun, Included, Snapshot,
	},
	ids::Address,
	keys::{KeySource, Signer},
};
use subxt::utils::{AccountId32, MultiAddress};

pub use council::CouncilStep;
use outcome::{DryRunReport, PrintedCall};
pub use outcome::{Outcome, Submitted};

use super::{address::account_of, Action, Authority, Context, WaitFor};
use crate::{consent::confirm, Error};

/// The options of a command that submits a call.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Signing")]
pub struct Act {
	/// The key that signs: env:NAME, file:PATH, keystore:PATH, - for standard input, or a
	/// development key such as //Alice
	///
	/// [default: the profile's; on development chains //Alice for governance, //Bob for
	/// providers, //Charlie for tenants]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	pub signer: Option<KeySource>,
	/// Act for this account, which has made the signer its proxy
	// Commands that use these options have accounts of their own.
	#[arg(id = "as", long = "as", value_name = "ACCOUNT")]
	pub account: Option<Address>,
	/// Act by a motion of the council: propose it, vote on it, or close it
	#[arg(long, value_name = "STEP")]
	pub council: Option<CouncilStep>,
	/// Number of members who must approve the motion [default: as many as the call needs]
	#[arg(long, value_name = "N", requires = "council")]
	pub threshold: Option<u32>,
	/// Vote against the motion
	#[arg(long, requires = "council")]
	pub nay: bool,
	/// Do not ask for confirmation
	#[arg(long, short)]
	pub yes: bool,
	/// Show what the command would do, and sign nothing
	#[arg(long, conflicts_with = "print_call")]
	pub dry_run: bool,
	/// Print the call as hex with its hash, and sign nothing
	///
	/// The node chooses the metadata by which the call is encoded. Compare the version of the
	/// runtime and the hash of the metadata, which are printed too, with a source that you trust.
	#[arg(long)]
	pub print_call: bool,
	/// Wait until the transaction is in a best block, or in a finalized one
	#[arg(long, value_enum, default_value_t, value_name = "BLOCK")]
	pub wait: WaitFor,
}

impl Act {
	/// Returns the account that the signer acts for, if it is not its own.
	pub fn real(&self) -> Option<&AccountId32> {
		self.account.as_ref().map(|address| &address.account)
	}

	/// Reads the key that signs. Returns `None` if the command signs nothing and works without it.
	///
	/// A command that needs the key for more than one call reads it once, because keys on standard
	/// input cannot be read twice.
	pub fn load_signer(
		&self,
		context: &Context,
		chain: &Chain,
		authority: Authority,
	) -> Result<Option<Signer>, Error> {
		if self.print_call {
			return Ok(None);
		}
		let development = authority.development_key();
		match context.signer(chain, self.signer.as_ref(), "--signer", development) {
			Err(Error::NoKey { .. }) if self.dry_run && self.account.is_some() => Ok(None),
			signer => signer.map(Some),
		}
	}

	/// Submits a call with the key of [`load_signer`](Self::load_signer), or shows what it would
	/// do.
	///
	/// A call that would fail is not submitted, because the fee is due for failed calls, too.
	pub async fn run_as(
		&self,
		context: &Context,
		action: Action,
		signer: Option<&Signer>,
	) -> Result<Outcome, Error> {
		let chain = &action.chain;
		let at = chain.best().await?;
		self.account.iter().try_for_each(|address| account_of(&at, address).map(drop))?;
		if self.print_call {
			let call = self
				.wrap_for_proxy(&at, self.wrap_for_council(&at, &action, self.threshold).await?)?;
			return Ok(Outcome::PrintedCall(PrintedCall::new(action.summary, &call, &at)));
		}
		let Some(signer) = signer else {
			let account = self.real().ok_or(Error::NoKey { option: "--signer" })?;
			let call = self.wrap_for_council(&at, &action, self.threshold).await?;
			let run = at.rehearse(account, &call).await?;
			let report = DryRunReport::new(chain, account, action.summary, &call, run);
			return Ok(Outcome::DryRun(report));
		};
		let Wrapped { call, summary, chosen_by_node } = self.wrap(&at, &action, signer).await?;
		if self.dry_run {
			let run = at.rehearse(signer.account(), &call).await?;
			let report = DryRunReport::new(chain, signer.account(), summary, &call, run);
			return Ok(Outcome::DryRun(report));
		}
		let asks = asks(action.destructive, chosen_by_node, signer);
		// Nodes give an incomplete proof of some dry runs, and a light client then avoids them for
		// a while. Without a question, a dry run only spares the fee of a call that fails.
		let run = match chain.is_light() && !asks {
			true => None,
			false => self.rehearse(&at, &action, signer, &call).await?,
		};
		if asks {
			let run = run.ok_or_else(no_dry_run)?;
			let report = DryRunReport::new(chain, signer.account(), summary.clone(), &call, run);
			self.consent(&report.question(self.real()))?;
		}
		let included = self.submit(context, &action, signer, &call).await?;
		if self.council == Some(CouncilStep::Close) {
			council::ensure_approved(&included)?;
		}
		Ok(Outcome::Submitted(Submitted::new(summary, &call, included)))
	}

	/// Checks that a call would succeed now. Returns `None` if the runtime does not offer that.
	async fn rehearse(
		&self,
		at: &Snapshot,
		action: &Action,
		signer: &Signer,
		call: &EncodedCall,
	) -> Result<Option<DryRun>, Error> {
		let run = at.dry_run(signer.account(), call).await?;
		let Some(reason) = run.as_ref().and_then(|run| run.error.clone()) else { return Ok(run) };
		let error = Error::from(chain::Error::Dispatch { call: call.name(), reason });
		// A chain that makes blocks for transactions only may stand still, and its next block has
		// the time of the clock, as the commit has.
		if error.is_fabric("MuidTooNew") {
			return Ok(run);
		}
		Err(self.explain(error, at, action, signer).await.with_hint("nothing was submitted"))
	}

	/// Shows what is about to be signed, and asks.
	pub fn consent(&self, question: &str) -> Result<(), Error> {
		Ok(confirm(question, self.yes)?)
	}

	async fn submit(
		&self,
		context: &Context,
		action: &Action,
		signer: &Signer,
		call: &EncodedCall,
	) -> Result<Included, Error> {
		let chain = &action.chain;
		let submitted = chain.submit(signer, call, self.wait.into(), context.timeout()).await;
		match submitted.map_err(Error::from) {
			Err(error) if error.is_bad_origin() || error.is_fabric("NoPermission") => {
				Err(self.explain(error, &chain.best().await?, action, signer).await)
			},
			Err(Error::Chain(error)) if error.is_overtaken() => {
				let account = signer.account();
				Err(Error::from(error).with_hint(format!(
					"other transactions of {account} came first again and again; nothing was \
					 submitted: run the command again when they are in a block"
				)))
			},
			submitted => submitted,
		}
	}

	/// Adds to a refusal the account that signed, and those that may act instead.
	async fn explain(
		&self,
		error: Error,
		at: &Snapshot,
		action: &Action,
		signer: &Signer,
	) -> Error {
		if let Some(hint) = self.real().and_then(|real| not_a_proxy(&error, real, signer)) {
			return error.with_hint(hint);
		}
		let account = self.real().unwrap_or(signer.account());
		if error.is_fabric("NoPermission") {
			// The refusal matters more than a failure to explain it.
			return match at.lacking_level(&action.call, account).await.ok().flatten() {
				Some(lacking) => Error::Refused(lacking),
				None => error.with_hint(format!("{account} signed")),
			};
		}
		if !error.is_bad_origin() {
			return error;
		}
		match action.authority {
			Authority::Root | Authority::Council => error.with_hint(format!(
				"{account} is not root: pass --council propose, or let root or the council act"
			)),
			Authority::Governance(space) => match at.get(rows::spaces(), (space,)).await {
				Ok(Some(info)) if info.governor != *account => error.with_hint(format!(
					"{account} signed, but the governor of {space} is {}: it can act, or the council \
					 with --council propose",
					info.governor
				)),
				// The refusal matters more than a failure to explain it.
				_ => error,
			},
			_ => error,
		}
	}

	/// Returns the call that the signer signs.
	async fn wrap(
		&self,
		at: &Snapshot,
		action: &Action,
		signer: &Signer,
	) -> Result<Wrapped, Error> {
		let summary = &action.summary;
		let account = self.real().unwrap_or(signer.account());
		let (call, summary, chosen_by_node) = match self.council {
			Some(CouncilStep::Propose) => {
				let threshold = match self.threshold {
					Some(threshold) => threshold,
					None => council::threshold(at, action.authority).await?,
				};
				let call = self.wrap_for_council(at, action, Some(threshold)).await?;
				// A node may have chosen the number of votes, so it is shown.
				let summary = format!("propose to the council, for {threshold} votes: {summary}");
				(call, summary, self.threshold.is_none())
			},
			Some(step) => {
				let call = self.wrap_for_council(at, action, None).await?;
				let summary = self.stepped(step, &call, summary);
				(call, summary, false)
			},
			None if needs_root(at, action.authority, account).await? => {
				let call = at.encode(Sudo { call: action.call.clone() })?;
				(call, format!("{summary}, as root"), true)
			},
			None => (action.call.clone(), summary.clone(), false),
		};
		Ok(Wrapped { call: self.wrap_for_proxy(at, call)?, summary, chosen_by_node })
	}

	async fn wrap_for_council(
		&self,
		at: &Snapshot,
		action: &Action,
		threshold: Option<u32>,
	) -> Result<EncodedCall, Error> {
		match self.council {
			Some(step) => council::wrap(at, step, threshold, !self.nay, action).await,
			None => Ok(action.call.clone()),
		}
	}

	fn wrap_for_proxy(&self, at: &Snapshot, call: EncodedCall) -> Result<EncodedCall, Error> {
		let Some(real) = self.real() else { return Ok(call) };
		let real = MultiAddress::Id(*real);
		Ok(at.encode(Proxy { real, force_proxy_type: None, call })?)
	}

	/// Returns what a step of a motion that was proposed does.
	fn stepped(&self, step: CouncilStep, call: &EncodedCall, summary: &str) -> String {
		match step {
			CouncilStep::Close if call.is::<ReleaseProposalCost>() => {
				format!("release the deposit of the motion, which has ended: {summary}")
			},
			CouncilStep::Close => format!("close the motion: {summary}"),
			_ if self.nay => format!("vote against the motion: {summary}"),
			_ => format!("vote for the motion: {summary}"),
		}
	}
}

/// The call that the signer signs.
struct Wrapped {
	call: EncodedCall,
	/// The part of the action in this run: all of it, or a step of a motion for it.
	summary: String,
	/// True if what a node says has decided on the call.
	chosen_by_node: bool,
}

/// Returns whether to ask before a call is signed.
///
/// A node can only add a question: where its answers have chosen the call. It gains nothing where
/// the key is public, as everybody can sign with that.
fn asks(destructive: bool, chosen_by_node: bool, signer: &Signer) -> bool {
	destructive || (chosen_by_node && !signer.is_public())
}

/// Returns how the real account makes the signer its proxy, if the signer is not one.
fn not_a_proxy(error: &Error, real: &AccountId32, signer: &Signer) -> Option<String> {
	let proxy = signer.account();
	if error.is_of("Proxy", "NotProxy") {
		return Some(format!(
			"{real} has to make {proxy} its proxy first, with a transaction `proxy.addProxy` of its own"
		));
	}
	error.is_of("System", "CallFiltered").then(|| {
		format!(
			"{proxy} is a proxy of {real} whose type does not allow this call: {real} can add \
			 another type with `proxy.addProxy`"
		)
	})
}

/// Returns whether an account that is the sudo key must act as root: where only root may act, or
/// where the space has another governor.
async fn needs_root(
	at: &Snapshot,
	authority: Authority,
	account: &AccountId32,
) -> Result<bool, Error> {
	let is_governor = match authority {
		Authority::Root | Authority::Council => false,
		Authority::Governance(space) => {
			let info = at.get(rows::spaces(), (space,)).await?;
			info.is_some_and(|info| info.governor == *account)
		},
		_ => return Ok(false),
	};
	if is_governor || at.metadata().pallet_by_name("Sudo").is_none() {
		return Ok(false);
	}
	Ok(at.get(rows::sudo_key(), ()).await?.is_some_and(|key| key == *account))
}

#[cfg(test)]
mod tests {
	use content_fabric_client::keys::ChainKind;

	use super::*;

	#[test]
	fn a_missing_proxy_is_reported_with_its_remedy() {
		let signer = Signer::from(subxt_signer::sr25519::dev::alice());
		let (real, proxy) = (AccountId32([1; 32]), *signer.account());
		let hint = |reason: &str| {
			let error =
				chain::Error::Dispatch { call: "Proxy.proxy".into(), reason: reason.into() }.into();
			not_a_proxy(&error, &real, &signer).unwrap_or_default()
		};
		assert!(hint("Proxy.NotProxy: No.").starts_with(&format!("{real} has to make {proxy} its")));
		assert!(hint("System.CallFiltered: No.").contains("`proxy.addProxy`"));
		assert_eq!(hint("ContentFabric.NoPermission: No."), "");
	}

	#[test]
	fn a_call_that_a_node_has_chosen_is_shown_before_a_secret_key_signs_it() {
		let public = KeySource::Development("//Alice".into()).load(ChainKind::Development);
		let public = public.expect("it is a development key");
		let secret = Signer::from(subxt_signer::sr25519::dev::alice());
		for (destructive, chosen_by_node, signer, expected) in [
			(true, false, &public, true),
			(true, false, &secret, true),
			(false, true, &secret, true),
			(false, true, &public, false),
			(false, false, &secret, false),
		] {
			assert_eq!(asks(destructive, chosen_by_node, signer), expected);
		}
	}
}
