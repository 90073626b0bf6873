// SPDX-License-Identifier: Apache-2.0
//! `fabric copies add` and `remove`.

use std::{
	collections::HashSet,
	io::{self, Write},
	sync::Arc,
};

use clap::Args;
use content_fabric_client::{
	chain::{calls, rows},
	publish::{self, CopiesChange, Keys, Published, Publisher},
	text::count,
};
use content_fabric_identifiers::{NodeId, ProviderId, TenantId};
use serde::Serialize;

use super::{
	list::Nodes,
	selection::{Selection, VersionKey},
};
use crate::{
	commands::{
		publish::{
			outcome::{end, Ended, Outcome},
			stop_on_interrupt, Shown,
		},
		Action, Authority, Context, Setting, Submit, View, WaitFor,
	},
	consent::confirm,
	node_name::NodeName,
	output::Report,
	Error,
};

/// Versions, and the nodes whose copies are added or removed
#[derive(Debug, Args)]
pub struct Change {
	#[command(flatten)]
	selection: Selection,
	/// The node: inod…, or iprv…/inod…. May be given several times
	#[arg(long = "node", value_name = "NODE", required = true)]
	nodes: Vec<NodeName>,
	/// The provider of the nodes that are named without one, iprv…
	#[arg(long, value_name = "ID")]
	provider: Option<ProviderId>,
}

/// The result of a run, or of a dry run.
#[derive(Serialize)]
struct Changed {
	/// True if nothing was signed, and the numbers say what would be done.
	dry_run: bool,
	tenant: TenantId,
	nodes: Vec<String>,
	/// Number of versions that were looked at.
	versions: usize,
	copies_added: usize,
	copies_removed: usize,
	/// Number of versions that lose the last copy that a node holds.
	last_copies: usize,
	#[serde(flatten)]
	outcome: Outcome,
	#[serde(skip)]
	removes: bool,
}

impl Changed {
	fn copies(&self) -> usize {
		self.copies_added + self.copies_removed
	}

	/// Returns the change as an instruction.
	fn summary(&self) -> String {
		let (nodes, versions) =
			(self.nodes.join(", "), count(self.versions, "version", "versions"));
		let copies = count(self.copies(), "copy", "copies");
		match self.removes {
			true => format!(
				"remove {copies} of {versions} of {} from {nodes}{}",
				self.tenant,
				warning(self.last_copies)
			),
			false => format!("ask {nodes} for {copies} of {versions} of {}", self.tenant),
		}
	}
}

/// Returns a line about versions whose last held copies are removed. Empty if there are none.
fn warning(last_copies: usize) -> String {
	let lose = if last_copies == 1 { "loses" } else { "lose" };
	match last_copies {
		0 => String::new(),
		_ => format!(
			"\n  warning: {} {lose} the last copy that a node holds, and with it the bytes",
			count(last_copies, "version", "versions")
		),
	}
}

impl Report for Changed {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let failed = if self.removes { "not removed" } else { "not asked" };
		self.outcome.write_first(out, self.dry_run, failed)?;
		let versions = count(self.versions, "version", "versions");
		let (nodes, tenant) = (self.nodes.join(", "), self.tenant);
		match (self.copies(), self.removes) {
			(0, _) if !self.outcome.is_whole() => {},
			(0, true) => {
				writeln!(out, "nothing to remove: no copies of {versions} of {tenant} at {nodes}")?
			},
			(0, false) => writeln!(
				out,
				"nothing to add: copies of {versions} of {tenant} at {nodes} exist already"
			)?,
			(copies, true) => {
				let copies = count(copies, "copy", "copies");
				writeln!(out, "removed {copies} at {nodes} of {versions} of {tenant}")?;
				if self.dry_run && self.last_copies > 0 {
					writeln!(out, "{}", warning(self.last_copies).trim_start())?;
				}
			},
			(copies, false) => {
				let copies = count(copies, "copy", "copies");
				writeln!(out, "asked {nodes} for {copies} of {versions} of {tenant}")?
			},
		}
		self.outcome.write_last(out)
	}
}

impl Ended for Changed {
	fn outcome(&mut self) -> &mut Outcome {
		&mut self.outcome
	}

	fn take(&mut self, published: Published) -> usize {
		self.copies_added += published.copies_added;
		self.copies_removed += published.copies_removed;
		published.copies_added + published.copies_removed
	}
}

/// Changes copies with as many calls as it takes. Makes one call only if the account does not sign
/// itself, or if the call is printed.
pub async fn run(command: Submit<Change>, removes: bool, context: &Context) -> Result<(), Error> {
	let act = &command.act;
	if act.print_call || act.account.is_some() || act.council.is_some() {
		let one =
			async |change: Change, setting: &Setting<'_>| one_call(change, removes, setting).await;
		return command.run(context, one).await;
	}
	let Submit { command: change, act } = command;
	let view = context.view().await?;
	let (nodes, rows) = change.read(&view).await?;
	let tenant = change.selection.tenant;
	let space = view.member(tenant.into()).await?.space;
	let mut settings = publish::Options::new(space);
	settings.finalized = act.wait == WaitFor::Finalized;
	settings.patience = context.timeout();
	let key =
		Arc::new(context.signer(&view.chain, act.signer.as_ref(), "--signer", "//Charlie")?);
	let keys = Keys { provider: key.clone(), tenant: key, governor: None };
	let versions: HashSet<_> = rows.iter().map(|(key, _)| *key).collect();
	let mut report = Changed {
		dry_run: act.dry_run,
		tenant,
		nodes: nodes.iter().map(|(provider, node)| format!("{node} of {provider}")).collect(),
		versions: versions.len(),
		copies_added: 0,
		copies_removed: 0,
		last_copies: if removes {
			Nodes::read(&view).await?.held_by_none_but(&nodes, &rows)
		} else {
			0
		},
		outcome: Outcome::default(),
		removes,
	};
	let change = CopiesChange { removes, nodes, versions: Some(versions) };
	let json = context.json();
	let shown = Shown::new(json);
	let notes = shown.items.notes();
	let publisher = Publisher::new(view.chain.clone(), keys, settings).await?;
	let publisher = publisher.on_event(move |event| shown.show(&event));
	let mut planned = publisher.plan_copies(tenant, &change).await?;
	let verdict = std::mem::replace(&mut planned.verdict, Ok(()));
	let costs = std::mem::take(&mut planned.costs);
	(report.copies_added, report.copies_removed) = planned.copies();
	if act.dry_run || report.copies() == 0 {
		verdict?;
		if report.copies() > 0 {
			report.outcome.estimates = costs;
		}
		return context.report(&report);
	}
	verdict?;
	if removes {
		let lines = costs.iter().map(|cost| format!("\n  {cost}")).collect::<String>();
		confirm(&format!("About to {}{lines}", report.summary()), act.yes)?;
	}
	let done = planned.publish(&stop_on_interrupt(notes, json)).await;
	drop(publisher);
	(report.copies_added, report.copies_removed) = (0, 0);
	end(report, done, json)
}

type Rows = Vec<(VersionKey, rows::Version)>;

impl Change {
	/// Returns the nodes, and the versions with their rows.
	async fn read(&self, at: &View) -> Result<(Vec<(ProviderId, NodeId)>, Rows), Error> {
		let with_provider =
			|name: &NodeName| NodeName { provider: name.provider.or(self.provider), ..*name };
		let names: Vec<_> = self.nodes.iter().map(with_provider).collect();
		let nodes = NodeName::find(&names, at).await?;
		Ok((nodes, self.selection.rows(&at.chain, at).await?))
	}
}

/// Prepares the one call that changes copies at one node.
async fn one_call(change: Change, removes: bool, setting: &Setting<'_>) -> Result<Action, Error> {
	let at = setting.view().await?;
	let (nodes, rows) = change.read(&at).await?;
	let [(provider, node)] = nodes[..] else {
		return Err(Error::Usage("one call is about one node: pass --node once".into()));
	};
	let tenant = change.selection.tenant;
	let last_copies =
		if removes { Nodes::read(&at).await?.held_by_none_but(&nodes, &rows) } else { 0 };
	let versions: Vec<_> = rows.into_iter().map(|(key, _)| key).collect();
	let limit: u32 = at.constant("ContentFabric", "MaxVersionsPerCommit")?;
	if u32::try_from(versions.len()).is_ok_and(|number| number > limit) {
		return Err(Error::Usage(format!(
			"one call has at most {limit} versions, and {} are meant: name fewer of them",
			versions.len()
		)));
	}
	let named = match &versions[..] {
		[(object, version)] => format!("{version} of {object} of {tenant}"),
		versions => format!("{} of {tenant}", count(versions.len(), "version", "versions")),
	};
	match removes {
		true => {
			let summary = format!(
				"remove the copies that the node {node} of {provider} has of {named}{}",
				warning(last_copies)
			);
			let call = calls::RemoveCopies { tenant, provider, node, versions };
			at.destructive(Authority::Tenant, call, summary)
		},
		false => {
			let summary = format!("ask the node {node} of {provider} to hold {named}");
			let call = calls::AddCopies { tenant, provider, node, versions };
			at.action(Authority::Tenant, call, summary)
		},
	}
}
