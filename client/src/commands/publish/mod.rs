// SPDX-License-Identifier: Apache-2.0
//! `fabric publish`: puts what an input lists on the chain.
//!
//! Each registry becomes a tenant, each package a content object, each of its versions a version
//! whose id is its SHA-256 checksum. The node commits what a key of the tenant has signed, and
//! finalizes it in the same transaction. The highest version becomes the object's head. Records in
//! the collection `names` lead from the names of packages, and from names with versions, to their
//! content. A name that is not a record key is escaped. A record in the collection `runs` stands for
//! each run.
//!
//! Content that is on the chain already is left alone, so the next run finishes one that was
//! interrupted.

mod drafts;
mod estimate;
mod heads;
mod members;
mod options;
mod plan;
mod publisher;
pub mod put;
mod report;
mod setup;
mod state;
mod upload;
mod work;

use std::{
	sync::Arc,
	time::{Duration, Instant},
};

use tokio::sync::watch;

pub use options::{Create, Keys, Options, SpaceArgument};
pub use report::{
	Block, EstimatedCost, Failure, FailureCause, Published, PublishedRegistry, Uploaded,
};

use self::{
	estimate::{by_account, ensure_affordable, Cost, Costs},
	plan::{packages, Packages, Subject},
	publisher::{ensure_one_reader, Publisher},
	upload::Store,
	work::{accounts_of, Limits, RegistryWork},
};
use super::Context;
use crate::{
	amount::Units,
	chain::{Chain, Wait},
	input::{self, Content, Format},
	output::{print, warn},
	pipeline::{drive, ChainNode, End, Settings, LANES},
	progress::{connecting_again, Notes, Progress},
	Error,
};

/// The collection of the names of packages, alone and with a version.
const NAMES: &str = "names";
/// The collection of the runs.
const RUNS: &str = "runs";

/// Transactions in flight. The pool of a node has room for many more.
const WINDOW: usize = 12;
/// Time without progress after which nothing more is sent for now.
const STALL: Duration = Duration::from_secs(30);
/// The longest pause after a first conflict.
const BACKOFF: Duration = Duration::from_secs(1);

/// Publishes what the input lists and the chain lacks, and prints the report.
pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	ensure_one_reader(&options, context)?;
	// Validates the input before connecting.
	let Options { input, format, source, hidden, .. } = &options;
	let content = input::read(input, *format, source.as_deref(), *hidden)?;
	publish(&options, &content, None, context.connect().await?, context).await
}

/// Publishes content, with the bytes if there is a content node that takes them in.
async fn publish(
	options: &Options,
	content: &Content,
	store: Option<&Store>,
	chain: Arc<Chain>,
	context: &Context,
) -> Result<(), Error> {
	let registries = content.registries.iter();
	let registries: Vec<_> =
		registries.map(|(source, registry)| (source.as_str(), packages(registry))).collect();
	// Lines of progress would not be JSON.
	let progress = Progress::new(!context.json());
	let at = chain.best().await?;
	let taker = store.map(|store| store.status);
	let publisher = Publisher::new(context, options, &chain, &at, taker)?;
	let run = Run {
		options,
		publisher: &publisher,
		format: content.format,
		registries: &registries,
		progress: &progress,
		store,
		patience: context.timeout(),
		json: context.json(),
	};
	let mut report = Report::new(&publisher, content, options.dry_run);
	let result = match options.dry_run {
		true => run.preview(chain, &mut report).await,
		false => run.publish(chain, &mut report).await,
	};
	drop(progress);
	let report = report.finish();
	// An error before the first transaction needs no report. A dry run that would fail has one.
	if result.is_ok() || report.transactions > 0 || !report.estimates.is_empty() {
		print(&report, context.json())?;
	}
	result?;
	report.ensure_whole()
}

/// A run of the command.
struct Run<'a> {
	options: &'a Options,
	publisher: &'a Publisher<'a>,
	format: Format,
	/// The registries of the input by source.
	registries: &'a [(&'a str, Packages<'a>)],
	progress: &'a Progress,
	/// The content node that takes in the bytes, if they are uploaded.
	store: Option<&'a Store>,
	/// Time for which a node may be away.
	patience: Duration,
	json: bool,
}

/// The facts that are known before the first transaction.
struct Prepared<'a> {
	works: Vec<RegistryWork<'a>>,
	/// The rows that the chain lacks besides the content.
	missing: Vec<String>,
	/// An estimate of what the accounts pay.
	costs: Costs,
	/// The error with which the run would end.
	verdict: Result<(), Error>,
}

/// The report, as it grows.
struct Report {
	published: Published,
	start: Instant,
}

impl<'a> Run<'a> {
	fn subject(&self, source: &str, packages: &'a Packages<'a>, limits: Limits) -> Subject<'a> {
		Subject {
			format: self.format,
			tenant: self.publisher.tenant_of(source).0,
			packages,
			move_heads: self.options.move_heads,
			replaces: self.options.replace,
			longest_key: limits.record_key,
			with_run: true,
		}
	}

	/// Plans for all registries, and checks that the members and their accounts can do it.
	async fn prepare(&self, chain: &Chain) -> Result<Prepared<'a>, Error> {
		let (at, units) = (chain.best().await?, &chain.identity().units);
		let limits = Limits::read(&at)?;
		let mut works = Vec::with_capacity(self.registries.len());
		let mut costs = [Cost::NONE; LANES];
		let tenants = self.registries.iter().map(|(source, _)| self.publisher.tenant_of(source));
		let missing = self.publisher.missing(chain, &at, &tenants.collect::<Vec<_>>()).await;
		let (missing, mut verdict) = match missing {
			Ok(missing) => (missing, Ok(())),
			Err(error) => (Vec::new(), Err(error)),
		};
		for (source, packages) in self.registries {
			let subject = self.subject(source, packages, limits);
			let mut work =
				RegistryWork::new(self.publisher, chain, &at, source, subject, self.progress)?;
			let estimate = work.preview(chain, &at).await?;
			estimate.add_to(&mut costs);
			verdict = verdict.and_then(|()| estimate.ensure_within_limits(units));
			works.push(work);
		}
		if self.publisher.is_put {
			// Another one pays them.
			costs[plan::PROVIDER] = Cost::NONE;
		}
		let accounts = [self.publisher.provider.account(), self.publisher.tenant.account()];
		let costs = by_account(accounts, costs);
		if verdict.is_ok() {
			verdict = ensure_affordable(&at, units, &costs).await;
		}
		match verdict {
			Err(lost) if lost.is_connection() => Err(lost),
			verdict => Ok(Prepared { works, missing, costs, verdict }),
		}
	}

	/// Plans, and reports what would be done. Fails if the run would.
	async fn preview(&self, mut chain: Arc<Chain>, report: &mut Report) -> Result<(), Error> {
		let Prepared { works, costs, verdict, .. } =
			self.patiently(&mut chain, async |chain| self.prepare(&chain).await).await?;
		for mut work in works {
			work.warn_about_keys();
			work.pretend();
			work.finish();
			report.add(work);
		}
		report.published.estimates = estimates(&chain.identity().units, costs);
		verdict
	}

	/// Asks the chain, and asks again on a new connection if this one is lost.
	async fn patiently<T>(
		&self,
		chain: &mut Arc<Chain>,
		ask: impl AsyncFn(Arc<Chain>) -> Result<T, Error>,
	) -> Result<T, Error> {
		loop {
			match ask(chain.clone()).await {
				Err(error) if error.is_connection() => {
					self.progress.note(&connecting_again(&error, self.patience));
					*chain = Arc::new(chain.resume(self.patience).await?);
				},
				answer => return answer,
			}
		}
	}

	async fn publish(&self, mut chain: Arc<Chain>, report: &mut Report) -> Result<(), Error> {
		let Prepared { works, missing, costs, verdict } =
			self.patiently(&mut chain, async |chain| self.prepare(&chain).await).await?;
		verdict?;
		let identity = chain.identity();
		self.publisher.agree(identity.kind, missing, &estimates(&identity.units, costs))?;
		// The time until the operator has answered does not count.
		report.start = Instant::now();
		works.iter().for_each(RegistryWork::warn_about_keys);
		let accounts = [&self.publisher.provider, &self.publisher.tenant];
		let accounts = accounts.map(|signer| *signer.account());
		let node = self
			.patiently(&mut chain, async |chain| Ok(ChainNode::new(chain, accounts).await?))
			.await?;
		let settings = Settings {
			accounts: accounts_of(self.publisher),
			limits: Limits::read(&node.at())?.items.to_vec(),
			window: WINDOW,
			stall: STALL.min(self.patience),
			patience: self.patience,
			backoff: BACKOFF,
			finalized: self.options.wait == Wait::Finalized,
		};
		let mut stop = stop_on_interrupt(self.progress.notes(), self.json);
		for mut work in works {
			let uploaded = match self.store {
				Some(store) => work.upload(&node.chain(), store, self, &mut stop).await,
				None => Ok(()),
			};
			let end = match uploaded {
				Ok(()) => drive(&node, &mut work, &settings, &stop).await,
				Err(error) => End { transactions: 0, last: None, result: Err(error) },
			};
			if end.result.is_err() {
				work.count_unsent();
			}
			work.finish();
			let published = &mut report.published;
			published.transactions += end.transactions + work.setup_transactions;
			if let Some(last) = end.last {
				let hash = format!("0x{}", hex::encode(last.hash));
				published.block = Some(Block { number: last.number, hash });
			}
			report.add(work);
			end.result?;
		}
		Ok(())
	}
}

/// Returns the costs for the report.
fn estimates(units: &Units, costs: Costs) -> Vec<EstimatedCost> {
	let estimates = costs.into_iter().map(|(account, cost)| EstimatedCost {
		account,
		deposits: units.amount(cost.deposits),
		bonds: units.amount(cost.bonds),
		fees: cost.fees.map(|fees| units.amount(fees)),
	});
	estimates.collect()
}

impl Report {
	fn new(publisher: &Publisher<'_>, content: &Content, dry_run: bool) -> Self {
		let failed = content.failed.iter().map(|item| Failure {
			source: None,
			package: item.name.clone(),
			version: item.version.clone(),
			record_key: None,
			cause: FailureCause::Input,
			reason: item.reason.clone(),
		});
		let published = Published {
			format: content.format,
			dry_run,
			space: publisher.space.id,
			provider: publisher.provider_id,
			node: publisher.node_id,
			registries: Vec::new(),
			skipped: content.skipped.clone(),
			symlinks_skipped: content.symlinks_skipped.clone(),
			hidden_skipped: content.hidden_skipped.clone(),
			failed: failed.collect(),
			failed_count: 0,
			transactions: 0,
			seconds: 0.0,
			items: 0,
			items_per_second: 0.0,
			block: None,
			estimates: Vec::new(),
		};
		Self { published, start: Instant::now() }
	}

	fn add(&mut self, work: RegistryWork<'_>) {
		let RegistryWork { failures, published, .. } = work;
		self.published.failed.extend(failures);
		self.published.registries.push(published);
	}

	fn finish(mut self) -> Published {
		let published = &mut self.published;
		published.failed_count = published.failed.len();
		published.items = published.registries.iter().map(PublishedRegistry::items).sum();
		if !published.dry_run {
			let seconds = self.start.elapsed().as_secs_f64();
			published.seconds = (seconds * 1_000.0).round() / 1_000.0;
			published.items_per_second = (published.items as f64 / seconds.max(0.001)).round();
		}
		self.published
	}
}

/// Returns what becomes true with the first Ctrl-C. The second one ends the process.
fn stop_on_interrupt(notes: Notes, json: bool) -> watch::Receiver<bool> {
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
