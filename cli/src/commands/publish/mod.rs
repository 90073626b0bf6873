// SPDX-License-Identifier: Apache-2.0
//! `fabric publish`: puts what an input lists on the chain.

mod encrypted;
mod options;
pub(super) mod outcome;
pub mod put;
mod removed;
pub(super) mod report;
pub mod unpublish;

use std::{cell::RefCell, sync::Arc, time::Instant};

use content_fabric_client::{
	amount::Units,
	chain::{rows, Chain},
	keys::{ChainKind, KeySource, Signer},
	publish::{self, Event, Publication, Publisher},
	text::printable,
};
use tokio::sync::watch;

pub use options::Options;

use self::{encrypted::Prepared, options::Shared};
use super::Context;
use crate::{
	consent::{confirm, confirm_on_terminal, ConsentError},
	input::{self, Content, Format, Input},
	output::{print, warn},
	progress::{Notes, Progress},
	Error,
};

/// Publishes what the input lists and the chain lacks, and prints the report.
pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	ensure_one_reader(&options, context)?;
	options.keys.ensure_no_ids()?;
	let Options { input, space, shared, create, .. } = &options;
	shared.ensure_one_path()?;
	// Validates the input before connecting.
	let content = input::read(input, shared.source.as_deref(), shared.hidden, space.0)?;
	let chain = context.connect().await?;
	let units = &chain.identity().units;
	let mut settings = shared.of(space.0, context, units)?;
	create.add_to(&mut settings, units)?;
	if let Some(node) = options.node {
		settings.node = Some((put::node_of(&chain, node).await?.0, node));
	}
	let keys = keys(&options, context, &chain).await?;
	let own = settings.node.unwrap_or_else(|| Publisher::default_node(space.0, &keys));
	settings.copies = shared.copies(&chain.best().await?, context, own).await?;
	let ask = match input {
		Input::Stdin => confirm_on_terminal,
		Input::Path(_) => confirm,
	};
	let run = Run { context, shared, content: &content, encrypted: None, ask };
	run.run(chain, keys, settings, |publisher| publisher).await
}

/// Checks that standard input does not have to serve as both the input and a key.
fn ensure_one_reader(options: &Options, context: &Context) -> Result<(), Error> {
	let keys = &options.keys;
	let given = [&keys.signer, &keys.provider, &keys.tenant, &keys.governor];
	let mut sources = given.into_iter().flatten().chain(context.profile_signer());
	if options.input == Input::Stdin && sources.any(|key| matches!(key, KeySource::Stdin)) {
		return Err(Error::Usage(
			"the input and a key cannot both come from standard input: pass a key other than -"
				.into(),
		));
	}
	Ok(())
}

/// Reads the keys. One that is given for several roles is read once: it may come from standard
/// input, or ask for a password. The governor's is read only if the space does not exist.
async fn keys(options: &Options, context: &Context, chain: &Chain) -> Result<publish::Keys, Error> {
	let keys = &options.keys;
	let mut shared = None::<Arc<Signer>>;
	let is_given = keys.signer.is_some() || context.profile_signer().is_some();
	let mut load = |given: &Option<KeySource>, option, development| -> Result<_, Error> {
		if let (None, Some(key)) = (given, &shared) {
			return Ok(key.clone());
		}
		let source = given.as_ref().or(keys.signer.as_ref());
		let key = Arc::new(context.signer(chain, source, option, development)?);
		if given.is_none() && is_given {
			shared = Some(key.clone());
		}
		Ok(key)
	};
	let provider = load(&keys.provider, "--provider", "//Bob")?;
	let tenant = load(&keys.tenant, "--tenant", "//Charlie")?;
	let space = chain.best().await?.get(rows::spaces(), (options.space.0,)).await?;
	let governor = match space.is_none().then(|| load(&keys.governor, "--governor", "//Alice")) {
		None | Some(Err(Error::NoKey { .. })) => None,
		Some(governor) => Some(governor?),
	};
	Ok(publish::Keys { provider, tenant, governor })
}

/// A run of a command.
struct Run<'a> {
	context: &'a Context,
	shared: &'a Shared,
	content: &'a Content,
	/// The encryption of the content.
	encrypted: Option<&'a Prepared>,
	/// Asks for consent.
	ask: fn(&str, bool) -> Result<(), ConsentError>,
}

impl Run<'_> {
	/// Publishes the content, with the bytes if there is a content node that takes them in.
	async fn run(
		&self,
		chain: Arc<Chain>,
		keys: publish::Keys,
		mut options: publish::Options,
		with_store: impl FnOnce(Publisher) -> Publisher,
	) -> Result<(), Error> {
		let (content, json) = (self.content, self.context.json());
		options.are_files = content.format == Format::Directory;
		if let Some(warning) = content.twins().filter(|_| options.are_files) {
			warn(&format!("warning: {warning}"));
		}
		// A development chain binds no funds of value.
		let asks = chain.identity().kind != ChainKind::Development;
		let units = chain.identity().units.clone();
		options.only_listed = asks;
		let space = options.space;
		let shown = Shown::new(json);
		let notes = shown.items.notes();
		let publisher = with_store(Publisher::new(chain, keys, options).await?);
		let publisher = publisher.on_event(move |event| shown.show(&event));
		let (provider, node) = publisher.node();
		let ids = (space, provider, node);
		let mut report = report::Run::new(content, ids, units.clone(), self.shared.dry_run);
		report.encrypted = self.encrypted.map(|encrypted| encrypted.recipient);
		let mut planned = publisher.plan(&content.sources).await?;
		let result = match self.shared.dry_run {
			true => {
				report.estimates = std::mem::take(&mut planned.costs);
				let verdict = std::mem::replace(&mut planned.verdict, Ok(()));
				planned.preview().into_iter().for_each(|source| report.add(source));
				verdict
			},
			false => {
				std::mem::replace(&mut planned.verdict, Ok(()))?;
				let removes = planned.removed.iter().any(|removed| !removed.is_empty());
				if removes || (asks && !planned.missing.is_empty()) {
					let question = question(&planned, self.encrypted, content.format, &units);
					(self.ask)(&question, self.shared.yes)?;
				}
				// The time until the user has answered is left out.
				report.start = Instant::now();
				let done = planned.publish(&stop_on_interrupt(notes, json)).await;
				report.transactions = done.transactions;
				report.block = done.last.map(Into::into);
				done.sources.into_iter().for_each(|source| report.add(source));
				done.end
			},
		};
		drop(publisher);
		report.finish();
		// An error before anything was done needs no report. A dry run that would fail has one.
		if result.is_ok() || report.has_effect() || !report.estimates.is_empty() {
			print(&report, json)?;
		}
		result?;
		report.ensure_whole()
	}
}

/// Returns the question to the user.
fn question(
	planned: &Publication<'_>,
	encrypted: Option<&Prepared>,
	format: Format,
	units: &Units,
) -> String {
	let removes = planned.removed.iter().any(|removed| !removed.is_empty());
	let first = match (planned.missing.is_empty(), removes) {
		(true, _) => "About to publish the input, and to remove what the directory no longer has.",
		(false, false) => "About to create what the chain lacks, and to publish the input.",
		(false, true) => {
			"About to create what the chain lacks, to publish the input, and to remove what the \
			 directory no longer has."
		},
	};
	let mut lines = vec![first.to_owned()];
	lines.extend(encrypted.map(|encrypted| format!("  {}", encrypted.summary)));
	lines.extend(planned.missing.iter().map(|missing| format!("  {}", printable(missing))));
	removed::question(lines.join("\n"), &planned.removed, format.nouns(), units, &planned.costs)
}

/// The progress of a run, as it is shown.
pub(super) struct Shown {
	/// Lines of progress would not be JSON.
	is_shown: bool,
	pub items: Progress,
	/// The progress of an upload.
	bytes: RefCell<Option<Progress>>,
}

impl Shown {
	pub fn new(json: bool) -> Self {
		Self { is_shown: !json, items: Progress::new(!json), bytes: RefCell::default() }
	}

	pub fn show(&self, event: &Event) {
		let mut bytes = self.bytes.borrow_mut();
		match event {
			Event::Bytes { done, all } => {
				bytes.get_or_insert_with(|| Progress::of_bytes(self.is_shown)).set(*done, *all)
			},
			Event::Items { done, all } => {
				*bytes = None;
				self.items.set(*done, *all);
			},
			Event::Rows(_) => self.items.state(&event.to_string()),
			Event::Unfinal(_) | Event::Unfinalized(_) if !self.is_shown => {},
			event => bytes.as_ref().unwrap_or(&self.items).note(&event.to_string()),
		}
	}
}

/// Returns a flag that the first Ctrl-C sets. The second one ends the process.
pub(super) fn stop_on_interrupt(notes: Notes, json: bool) -> watch::Receiver<bool> {
	let (sender, receiver) = watch::channel(false);
	tokio::spawn(async move {
		while tokio::signal::ctrl_c().await.is_ok() {
			if sender.send_replace(true) {
				notes.finish();
				let error = Error::Interrupted.with_hint(
					"transactions may still get into blocks, and the same command continues from there",
				);
				error.report(json);
				std::process::exit(error.class() as i32);
			}
			notes.print(|| {
				warn(
					"interrupted: waiting for the transactions in flight; press Ctrl-C again to leave \
					 them",
				)
			});
		}
	});
	receiver
}
