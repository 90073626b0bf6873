// SPDX-License-Identifier: Apache-2.0
//! `fabric unpublish`: removes names of a tenant with their content.

use std::{
	collections::BTreeSet,
	io::{self, Write},
	sync::Arc,
};

use clap::Args;
use content_fabric_client::{
	amount::Units,
	publish::{self, Keys, Published, Publisher, Removal, Removed},
};
use content_fabric_identifiers::TenantId;
use serde::Serialize;

use super::{
	outcome::{end, Ended, Outcome},
	removed::{question, quoted, write_removed},
	stop_on_interrupt, Shown,
};
use crate::{
	commands::{resolve::near_names, tenant_key::TenantKey, Context, WaitFor},
	consent::confirm,
	output::Report,
	Error,
};

#[derive(Debug, Args)]
pub struct Options {
	/// The tenant, iten…
	tenant: TenantId,
	/// The names to remove: paths of files, folders with all files in them, or other names of
	/// records in the collection `names`
	#[arg(value_name = "NAME", value_parser = parse_name)]
	names: Vec<String>,
	/// Remove everything that a publish adds, and content that no record names
	#[arg(long, conflicts_with_all = ["names", "dangling"])]
	all: bool,
	/// Remove the records of all collections that lead nowhere, and nothing else
	#[arg(long, conflicts_with = "names")]
	dangling: bool,
	/// Do not ask for confirmation
	#[arg(long, short)]
	yes: bool,
	/// Show what would be removed, and sign nothing
	#[arg(long)]
	dry_run: bool,
	/// Wait at the end until all is in best blocks, which a fork can retract, or in finalized ones
	#[arg(long, value_enum, default_value_t = WaitFor::Finalized, value_name = "BLOCK")]
	wait: WaitFor,
	#[command(flatten)]
	key: TenantKey,
}

/// The result of a run, or of a dry run.
#[derive(Serialize)]
struct Unpublished {
	/// True if nothing was signed, and the numbers say what would be done.
	dry_run: bool,
	tenant: TenantId,
	#[serde(flatten)]
	removed: Removed,
	#[serde(flatten)]
	outcome: Outcome,
	#[serde(skip)]
	units: Units,
}

impl Report for Unpublished {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		self.outcome.write_first(out, self.dry_run, "not removed")?;
		if self.removed.is_empty() && self.outcome.is_whole() {
			writeln!(out, "nothing to remove from {}", self.tenant)?;
		}
		write_removed(out, &self.removed, ["name", "names"], &self.units)?;
		self.outcome.write_last(out)
	}
}

impl Ended for Unpublished {
	fn outcome(&mut self) -> &mut Outcome {
		&mut self.outcome
	}

	fn take(&mut self, published: Published) -> usize {
		self.removed = published.removed.unwrap_or_default();
		self.removed.rows()
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let removal = options.removal()?;
	let Options { tenant, yes, dry_run, wait, key, .. } = options;
	let chain = context.connect().await?;
	let space = chain.best().await?.member(tenant.into()).await?.space;
	let mut settings = publish::Options::new(space);
	settings.finalized = wait == WaitFor::Finalized;
	settings.patience = context.timeout();
	let key = Arc::new(key.signer(context, &chain)?);
	let keys = Keys { provider: key.clone(), tenant: key, governor: None };
	let (json, units) = (context.json(), chain.identity().units.clone());
	let shown = Shown::new(json);
	let notes = shown.items.notes();
	let publisher = Publisher::new(chain, keys, settings).await?;
	let publisher = publisher.on_event(move |event| shown.show(&event));
	let mut planned = publisher.plan_removal(tenant, &removal).await?;
	let removed = planned.removed.pop().unwrap_or_default();
	ensure_found(tenant, &removal, &removed)?;
	let mut report = Unpublished { dry_run, tenant, removed, outcome: Outcome::default(), units };
	let is_empty = report.removed.is_empty();
	let result = std::mem::replace(&mut planned.verdict, Ok(()));
	if dry_run || is_empty {
		report.outcome.estimates = match dry_run && !is_empty {
			true => std::mem::take(&mut planned.costs),
			false => Vec::new(),
		};
		context.report(&report)?;
		return Ok(result?);
	}
	result?;
	let first = format!("About to remove from {tenant}:");
	confirm(
		&question(first, &[report.removed], ["name", "names"], &report.units, &planned.costs),
		yes,
	)?;
	let done = planned.publish(&stop_on_interrupt(notes, json)).await;
	drop(publisher);
	report.removed = Removed::default();
	end(report, done, json)
}

impl Options {
	/// Returns the names to remove. An empty variable of a script must not mean everything.
	fn removal(&self) -> Result<Removal, Error> {
		match (self.dangling, self.all, &self.names[..]) {
			(true, ..) => Ok(Removal::Dangling),
			(_, true, _) => Ok(Removal::All),
			(.., []) => Err(Error::Usage(format!(
				"no name is given: pass the names to remove, or --all for everything that is \
				 published in {}",
				self.tenant
			))),
			(.., names) => Ok(Removal::Names(names.to_vec())),
		}
	}
}

/// Reads a name.
fn parse_name(text: &str) -> Result<String, Error> {
	match text.trim_end_matches('/') {
		"" => Err(Error::Usage(
			"a name must not be empty: --all removes everything that is published".into(),
		)),
		_ => Ok(text.to_owned()),
	}
}

/// Checks that one of the names is there, if any are given.
fn ensure_found(tenant: TenantId, removal: &Removal, removed: &Removed) -> Result<(), Error> {
	match removal {
		Removal::Names(names) if removed.not_found.len() == names.len() => {
			let error = format!("nothing is published under {} of {tenant}", names.join(", "));
			let near: BTreeSet<_> =
				removed.not_found.iter().flat_map(|absent| quoted(&absent.nearest)).collect();
			Err(match near_names(&Vec::from_iter(near)) {
				Some(hint) => Error::NotFound(error).with_hint(hint),
				None => Error::NotFound(format!("{error}: it may have been removed before")),
			})
		},
		_ => Ok(()),
	}
}
