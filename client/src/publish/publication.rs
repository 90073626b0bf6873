// SPDX-License-Identifier: Apache-2.0
//! A run: planned, previewed or published.

use std::{path::Path, sync::Arc, time::Duration};

use content_fabric_identifiers::TenantId;
use tokio::{sync::watch, time::timeout};

use super::{
	copies::{Copies, CopiesChange},
	estimate::{ensure_affordable, Costs},
	plan::{Subject, PROVIDER, TENANT},
	publisher::Publisher,
	removal::{Removal, Removed, Removes},
	report::{EstimatedCost, Event, Published, Report},
	rounds::{self, ChainNode, End, Settings, FAREWELL},
	runs::RunKeys,
	work::{accounts_of, Limits, SourceWork, CALLS},
	Error,
};
use crate::{
	chain::{Chain, Snapshot},
	manifest::Sources,
};

/// Transactions of an account in flight. The pool of a node has room for many more.
const WINDOW: usize = 12;
/// Time without news after which a pool is asked whether it still has what is in flight.
const LOST_AFTER: Duration = Duration::from_secs(2);
/// Such a time for a light client, which has no pool to ask, and reads final blocks alone.
const LOST_AFTER_LIGHT: Duration = Duration::from_secs(60);
/// The longest pause after a first conflict.
const BACKOFF: Duration = Duration::from_secs(1);

/// A run before its first transaction.
pub struct Publication<'a> {
	publisher: &'a Publisher,
	works: Vec<SourceWork<'a>>,
	/// The rows that the chain lacks besides the content, each as an instruction in one line.
	pub missing: Vec<String>,
	/// The rows that each source removes, if the run removes anything.
	pub removed: Vec<Removed>,
	/// An estimate of what the accounts pay.
	pub costs: Vec<EstimatedCost>,
	/// The error with which a run would end.
	pub verdict: Result<(), Error>,
}

impl Publisher {
	/// Plans what the chain lacks of the sources, and checks that the members and their accounts can
	/// publish it.
	pub async fn plan<'a>(&'a self, sources: &'a Sources) -> Result<Publication<'a>, Error> {
		let look = async |chain: Arc<Chain>| self.look(&chain, sources).await;
		let publication = self.patiently(look).await?;
		let listed = || publication.missing.iter().cloned().collect();
		self.agreed.replace(self.options.only_listed.then(listed));
		for work in &publication.works {
			work.warn_about_keys();
		}
		Ok(publication)
	}

	/// Plans the removal of content from a tenant, and checks that its key may do that.
	pub async fn plan_removal<'a>(
		&'a self,
		tenant: TenantId,
		removal: &'a Removal,
	) -> Result<Publication<'a>, Error> {
		let look = async |chain: Arc<Chain>| self.look_at_removal(&chain, tenant, removal).await;
		self.patiently(look).await
	}

	/// Plans a change of the copies of a tenant's versions, and checks that the key may make it.
	pub async fn plan_copies<'a>(
		&'a self,
		tenant: TenantId,
		change: &'a CopiesChange,
	) -> Result<Publication<'a>, Error> {
		let copies = Copies { nodes: &change.nodes, change: Some(change) };
		let look = async |chain: Arc<Chain>| {
			let at = chain.best().await?;
			if !change.removes {
				self.ensure_can_ask(&at, &change.nodes, None).await?;
			}
			self.look_at_tenant(&chain, at, tenant, Removes::Nothing, copies).await
		};
		self.patiently(look).await
	}

	async fn look_at_removal<'a>(
		&'a self,
		chain: &Chain,
		tenant: TenantId,
		removal: &'a Removal,
	) -> Result<Publication<'a>, Error> {
		let (at, copies) = (chain.best().await?, Copies { nodes: &[], change: None });
		self.look_at_tenant(chain, at, tenant, Removes::Asked(removal), copies).await
	}

	async fn look_at_tenant<'a>(
		&'a self,
		chain: &Chain,
		at: Snapshot,
		tenant: TenantId,
		removes: Removes<'a>,
		copies: Copies<'a>,
	) -> Result<Publication<'a>, Error> {
		let units = &chain.identity().units;
		at.ensure_whole(tenant).await?;
		let subject = Subject {
			tenant,
			packages: &[],
			are_files: false,
			folder: None,
			replaces: false,
			removes,
			copies,
			longest_key: Limits::read(&at)?.record_key,
			run: RunKeys::new().next(chain, &at, tenant).await?,
		};
		let mut work = SourceWork::new(self, chain, &at, &tenant.to_string(), subject)?;
		let mut costs = Costs::of(&[self.keys.tenant.account()]);
		let estimate = work.preview(chain, &at).await?;
		estimate.add_to(&mut costs, TENANT, true);
		let costs = costs.estimated(units);
		let mut verdict = match copies.change {
			Some(_) => work.ensure_changes_copies(&at).await,
			None => work.ensure_removes(&at).await,
		};
		verdict = verdict.and_then(|()| estimate.ensure_within_limits(units));
		if verdict.is_ok() {
			verdict = ensure_affordable(&at, units, &costs).await;
		}
		match verdict {
			Err(lost) if lost.is_connection() => Err(lost),
			verdict => {
				let removed = work.removed().into_iter().collect();
				let (works, missing) = (vec![work], Vec::new());
				Ok(Publication { publisher: self, works, missing, removed, costs, verdict })
			},
		}
	}

	/// Asks the chain, and asks again on a new connection if this one is lost.
	async fn patiently<T>(
		&self,
		ask: impl AsyncFn(Arc<Chain>) -> Result<T, Error>,
	) -> Result<T, Error> {
		loop {
			let chain = self.chain.borrow().clone();
			match ask(chain.clone()).await {
				Err(error) if error.is_connection() => {
					let patience = self.options.patience;
					(self.report)(Event::Lost { error: error.to_string(), patience });
					self.chain.replace(Arc::new(chain.resume(patience).await?));
				},
				answer => return answer,
			}
		}
	}

	/// Returns the folder whose files a content node takes in.
	fn folder(&self) -> Option<&Path> {
		#[cfg(feature = "http")]
		let folder = self.store.as_ref().map(|store| &*store.folder);
		#[cfg(not(feature = "http"))]
		let folder = None;
		folder
	}

	async fn look<'a>(
		&'a self,
		chain: &Chain,
		sources: &'a Sources,
	) -> Result<Publication<'a>, Error> {
		let (at, units) = (chain.best().await?, &chain.identity().units);
		let limits = Limits::read(&at)?;
		self.ensure_can_ask(&at, &self.options.copies, Some(self.node())).await?;
		let signers = [self.keys.provider.account(), self.keys.tenant.account()];
		let mut works = Vec::with_capacity(sources.len());
		// Of an upload, both are the same.
		let mut costs = Costs::of(&signers);
		let tenants: Vec<_> = sources.keys().map(|source| self.tenant_of(source)).collect();
		let (missing, mut verdict) = match self.missing(chain, &at, &tenants).await {
			Ok(missing) => (missing, Ok(())),
			Err(error) => (Vec::new(), Err(error)),
		};
		let mut runs = RunKeys::new();
		for ((source, packages), tenant) in sources.iter().zip(tenants) {
			let subject = Subject {
				tenant,
				packages,
				are_files: self.options.are_files,
				folder: self.folder(),
				replaces: self.options.replace,
				removes: self.removes(),
				copies: Copies { nodes: &self.options.copies, change: None },
				longest_key: limits.record_key,
				run: runs.next(chain, &at, tenant).await?,
			};
			let mut work = SourceWork::new(self, chain, &at, source, subject)?;
			let estimate = work.preview(chain, &at).await?;
			// A content node pays for its provider.
			if !self.is_put() {
				estimate.add_to(&mut costs, PROVIDER, works.is_empty());
			}
			estimate.add_to(&mut costs, TENANT, works.is_empty());
			verdict = verdict.and_then(|()| estimate.ensure_within_limits(units));
			#[cfg(feature = "http")]
			if let Some(store) = &self.store {
				work.look_at_finals(chain, &at, store).await?;
			}
			works.push(work);
		}
		let costs = costs.estimated(units);
		if verdict.is_ok() {
			verdict = ensure_affordable(&at, units, &costs).await;
		}
		#[cfg(feature = "http")]
		if let (Ok(()), Some(store), [_, ..]) = (&verdict, &self.store, &missing[..]) {
			for work in &works {
				let pays = work.ensure_operator_pays(&at, units, store).await;
				verdict = verdict.and(pays);
			}
		}
		match verdict {
			Err(lost) if lost.is_connection() => Err(lost),
			verdict => {
				let removed = works.iter().filter_map(SourceWork::removed).collect();
				Ok(Publication { publisher: self, works, missing, removed, costs, verdict })
			},
		}
	}
}

impl Publication<'_> {
	/// Returns the numbers of copies that a run would ask for, and remove.
	pub fn copies(&self) -> (usize, usize) {
		self.works
			.iter()
			.map(SourceWork::copies)
			.fold((0, 0), |(added, removed), (more, less)| (added + more, removed + less))
	}

	/// Returns what a run would do, and signs nothing.
	pub fn preview(self) -> Vec<Published> {
		self.works.into_iter().map(SourceWork::pretend).collect()
	}

	/// Publishes. Once `stop` is true, nothing more is sent, and it ends after what is in flight.
	pub async fn publish(self, stop: &watch::Receiver<bool>) -> Report {
		let mut report = Report { sources: Vec::new(), transactions: 0, last: None, end: Ok(()) };
		report.end = self.run(stop, &mut report).await;
		report
	}

	async fn run(self, stop: &watch::Receiver<bool>, report: &mut Report) -> Result<(), Error> {
		let Self { publisher, works, verdict, .. } = self;
		verdict?;
		let Publisher { keys, options, .. } = publisher;
		let signers = [keys.provider.clone(), keys.tenant.clone()];
		let new = async |chain| Ok(ChainNode::new(chain, signers.clone(), CALLS).await?);
		let node = publisher.patiently(new).await?;
		let settings = Settings {
			accounts: accounts_of(publisher),
			window: WINDOW,
			lost_after: if node.chain().is_light() { LOST_AFTER_LIGHT } else { LOST_AFTER },
			patience: options.patience,
			backoff: BACKOFF,
			seed: rand::random(),
			finalized: options.finalized,
		};
		for mut work in works {
			let result = match work.take_in(&node, stop).await {
				Ok(()) => {
					let rounds::Report { transactions, last, end } =
						rounds::publish(&node, &mut work, &settings, stop).await;
					report.transactions += transactions;
					report.last = last.or(report.last);
					match end {
						End::Done => Ok(()),
						End::Interrupted => Err(Error::Interrupted),
						End::Failed(error) => Err(error),
					}
				},
				Err(error) => {
					// Without an answer, the report has what is known.
					drop(timeout(FAREWELL, work.recount(&node.chain())).await);
					Err(error)
				},
			};
			if let Err(error) = &result {
				work.count_unsent(error);
			}
			report.transactions += work.setup_transactions;
			report.sources.push(work.finish());
			result?;
		}
		Ok(())
	}
}

impl SourceWork<'_> {
	/// Has the content node take in what it lacks, if there is one.
	#[cfg(feature = "http")]
	async fn take_in(
		&mut self,
		node: &ChainNode,
		stop: &watch::Receiver<bool>,
	) -> Result<(), Error> {
		let Some(store) = &self.publisher.store else { return Ok(()) };
		let mut stop = stop.clone();
		self.restore(node, store, &mut stop).await?;
		self.upload(node, store, &mut stop).await
	}

	#[cfg(not(feature = "http"))]
	async fn take_in(&mut self, _: &ChainNode, _: &watch::Receiver<bool>) -> Result<(), Error> {
		Ok(())
	}
}
