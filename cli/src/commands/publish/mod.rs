// SPDX-License-Identifier: Apache-2.0
//! `fabric publish`: puts what an input lists on the chain.
//!
//! Each source becomes a tenant, each package a content object, each of its versions a version
//! whose id is its SHA-256 checksum. The node commits what a key of the tenant has signed, and
//! finalizes it in the same transaction. The version that the input marks becomes the object's
//! head. Records in the collection `names` lead from the names of packages, and from names with
//! versions, to their content. A name that is not a record key is escaped. A record in the collection `runs` stands
//! for each run; its key is a TID by the clock of this machine.
//!
//! Content that is on the chain already is left alone, so the next run finishes one that was
//! interrupted.

mod drafts;
mod estimate;
mod funds;
mod options;
mod paths;
mod plan;
mod publisher;
pub mod put;
mod report;
mod restore;
mod runs;
mod setup;
mod state;
mod upload;
mod work;

use std::{
	sync::Arc,
	time::{Duration, Instant},
};

use content_fabric_client::{
	chain::Chain,
	publish::{publish, ChainNode, End, Report, Settings, LANES},
};
use tokio::sync::watch;

pub use options::Options;

use self::{
	estimate::{by_account, ensure_affordable, Cost},
	plan::Subject,
	publisher::{ensure_one_reader, Publisher},
	report::{Block, EstimatedCost, Published},
	runs::RunKeys,
	upload::Store,
	work::{accounts_of, Limits, RegistryWork, CALLS},
};
use super::{Context, WaitFor};
use crate::{
	input::{self, Content, Format},
	output::{print, warn},
	progress::{connecting_again, Notes, Progress},
	Error,
};

/// The collection of the names of packages, alone and with a version.
const NAMES: &str = "names";
/// The collection of the runs.
const RUNS: &str = "runs";

/// Transactions of an account in flight. The pool of a node has room for many more.
const WINDOW: usize = 12;
/// Time without news after which a pool is asked whether it still has what is in flight.
const LOST_AFTER: Duration = Duration::from_secs(2);
/// Such a time for a light client, which has no pool to ask, and reads final blocks alone.
const LOST_AFTER_LIGHT: Duration = Duration::from_secs(60);
/// The longest pause after a first conflict.
const BACKOFF: Duration = Duration::from_secs(1);

/// Publishes what the input lists and the chain lacks, and prints the report.
pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	ensure_one_reader(&options, context)?;
	// Validates the input before connecting.
	let Options { input, source, hidden, space, .. } = &options;
	let content = input::read(input, source.as_deref(), *hidden, space.id)?;
	publish_content(&options, &content, None, context.connect().await?, context).await
}

/// Publishes content, with the bytes if there is a content node that takes them in.
async fn publish_content(
	options: &Options,
	content: &Content,
	store: Option<&Store>,
	chain: Arc<Chain>,
	context: &Context,
) -> Result<(), Error> {
	// Lines of progress would not be JSON.
	let progress = Progress::new(!context.json());
	let at = chain.best().await?;
	let taker = store.map(|store| store.status);
	let publisher = Publisher::new(context, options, &chain, &at, taker)?;
	let run = Run { publisher: &publisher, content, progress: &progress, store };
	let ids = (options.space.id, publisher.provider_id, publisher.node_id);
	let mut report = Published::new(content, ids, options.dry_run);
	let result = match options.dry_run {
		true => run.preview(chain, &mut report).await,
		false => run.publish(chain, &mut report).await,
	};
	drop(progress);
	report.finish();
	// An error before anything was done needs no report. A dry run that would fail has one.
	if result.is_ok() || report.has_effect() || !report.estimates.is_empty() {
		print(&report, context.json())?;
	}
	result?;
	report.ensure_whole()
}

/// A run of the command.
struct Run<'a> {
	publisher: &'a Publisher<'a>,
	content: &'a Content,
	progress: &'a Progress,
	/// The content node that takes in the bytes, if they are uploaded.
	store: Option<&'a Store>,
}

/// The facts that are known before the first transaction.
struct Prepared<'a> {
	works: Vec<RegistryWork<'a>>,
	/// The rows that the chain lacks besides the content.
	missing: Vec<String>,
	/// An estimate of what the accounts pay.
	costs: Vec<EstimatedCost>,
	/// The error with which the run would end.
	verdict: Result<(), Error>,
}

impl<'a> Run<'a> {
	/// Returns the time for which a node may be away.
	fn patience(&self) -> Duration {
		self.publisher.context.timeout()
	}

	/// Plans for all registries, and checks that the members and their accounts can do it.
	async fn prepare(&self, chain: &Chain) -> Result<Prepared<'a>, Error> {
		let (at, units) = (chain.best().await?, &chain.identity().units);
		let limits = Limits::read(&at)?;
		let Content { format, registries, .. } = self.content;
		let mut works = Vec::with_capacity(registries.len());
		let mut costs = [Cost::NONE; LANES];
		let tenants = registries.keys().map(|source| self.publisher.tenant_of(source));
		let missing = self.publisher.missing(chain, &at, &tenants.collect::<Vec<_>>()).await;
		let (missing, mut verdict) = match missing {
			Ok(missing) => (missing, Ok(())),
			Err(error) => (Vec::new(), Err(error)),
		};
		let mut runs = RunKeys::new();
		for (source, packages) in registries {
			let tenant = self.publisher.tenant_of(source);
			let subject = Subject {
				tenant,
				packages,
				are_files: *format == Format::Directory,
				replaces: self.publisher.options.replace,
				longest_key: limits.record_key,
				run: runs.next(chain, &at, tenant).await?,
			};
			let mut work =
				RegistryWork::new(self.publisher, chain, &at, source, subject, self.progress)?;
			let estimate = work.preview(chain, &at).await?;
			estimate.add_to(&mut costs);
			verdict = verdict.and_then(|()| estimate.ensure_within_limits(units));
			if let Some(store) = self.store {
				work.look_at_finals(chain, &at, store).await?;
			}
			works.push(work);
		}
		if self.publisher.is_put {
			// Another one pays them.
			costs[plan::PROVIDER] = Cost::NONE;
		}
		let accounts = [self.publisher.provider.account(), self.publisher.tenant.account()];
		let costs = by_account(units, accounts, costs);
		if verdict.is_ok() {
			verdict = ensure_affordable(&at, units, &costs).await;
		}
		if let (Ok(()), Some(store), [_, ..]) = (&verdict, self.store, &missing[..]) {
			for work in &works {
				let pays = work.ensure_operator_pays(&at, units, store).await;
				verdict = verdict.and(pays);
			}
		}
		match verdict {
			Err(lost) if lost.is_connection() => Err(lost),
			verdict => Ok(Prepared { works, missing, costs, verdict }),
		}
	}

	/// Plans, and reports what would be done. Fails if the run would.
	async fn preview(&self, mut chain: Arc<Chain>, report: &mut Published) -> Result<(), Error> {
		let Prepared { works, costs, verdict, .. } =
			self.patiently(&mut chain, async |chain| self.prepare(&chain).await).await?;
		for mut work in works {
			work.warn_about_keys();
			work.pretend();
			work.finish();
			report.add(work.published, work.failures);
		}
		report.estimates = costs;
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
					self.progress.note(&connecting_again(&error, self.patience()));
					*chain = Arc::new(chain.resume(self.patience()).await?);
				},
				answer => return answer,
			}
		}
	}

	async fn publish(&self, mut chain: Arc<Chain>, report: &mut Published) -> Result<(), Error> {
		let Prepared { works, missing, costs, verdict } =
			self.patiently(&mut chain, async |chain| self.prepare(&chain).await).await?;
		verdict?;
		self.publisher.agree(chain.identity().kind, missing, &costs)?;
		// The time until the operator has answered does not count.
		report.start = Instant::now();
		works.iter().for_each(RegistryWork::warn_about_keys);
		let signers = [self.publisher.provider.clone(), self.publisher.tenant.clone()];
		let new = async |chain| Ok(ChainNode::new(chain, signers.clone(), CALLS).await?);
		let node = self.patiently(&mut chain, new).await?;
		let settings = Settings {
			accounts: accounts_of(self.publisher),
			window: WINDOW,
			lost_after: if chain.is_light() { LOST_AFTER_LIGHT } else { LOST_AFTER },
			patience: self.patience(),
			backoff: BACKOFF,
			seed: rand::random(),
			finalized: self.publisher.options.wait == WaitFor::Finalized,
		};
		let mut stop = stop_on_interrupt(self.progress.notes(), self.publisher.context.json());
		for mut work in works {
			let uploaded = match self.store {
				Some(store) => {
					let chain = node.chain();
					match work.restore(&chain, store, self, &mut stop).await {
						Ok(()) => work.upload(&chain, store, self, &mut stop).await,
						failed => failed,
					}
				},
				None => Ok(()),
			};
			let Report { transactions, last, end } = match uploaded {
				Ok(()) => publish(&node, &mut work, &settings, &stop).await,
				Err(error) => Report { transactions: 0, last: None, end: End::Failed(error) },
			};
			let result = match end {
				End::Done => Ok(()),
				End::Interrupted => Err(Error::Interrupted),
				End::Failed(error) => Err(error),
			};
			if let Err(error) = &result {
				work.count_unsent(error);
			}
			work.finish();
			report.transactions += transactions + work.setup_transactions;
			if let Some(last) = last {
				let hash = format!("0x{}", hex::encode(last.hash));
				report.block = Some(Block { number: last.number, hash });
			}
			report.add(work.published, work.failures);
			result?;
		}
		Ok(())
	}
}

/// Returns a flag that the first Ctrl-C sets. The second one ends the process.
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
