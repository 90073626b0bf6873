// SPDX-License-Identifier: Apache-2.0
//! The work for one registry: planned against the chain, signed batch by batch, and counted.

use std::time::Duration;

use content_fabric_client::chain::{
	self, calls::EncodedCall, limits::Room, rows, wall_clock, Chain, MuidSource, Snapshot,
};

use super::{
	drafts::Names,
	estimate::Estimate,
	plan::{Failed, Item, Place, Plan, Subject, Topic, Unnamed, KINDS, PROVIDER, TENANT},
	publisher::Publisher,
	report::{Failure, FailureCause, PublishedRegistry},
	state::{OnChain, Originator},
};
use crate::{
	commands::version::ensure_signable,
	pipeline::{Batch, ChainNode, Head, Tally, Task, TaskId, Work, LANES},
	progress::{connecting_again, Progress},
	Error,
};

/// The largest numbers of items in a transaction, and the longest record key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
	pub items: [usize; KINDS],
	pub record_key: usize,
}

impl Limits {
	pub(super) fn read(at: &Snapshot) -> Result<Self, Error> {
		let limit = |name| -> Result<usize, Error> {
			let limit: u32 = at.constant("ContentFabric", name)?;
			Ok(usize::try_from(limit).unwrap_or(usize::MAX).max(1))
		};
		let (versions, records) = (limit("MaxVersionsPerCommit")?, limit("MaxRecordsPerCall")?);
		Ok(Self {
			items: [versions, versions, versions, records, 1],
			record_key: limit("MaxRecordKeyLen")?,
		})
	}
}

pub(super) struct RegistryWork<'a> {
	pub(super) publisher: &'a Publisher<'a>,
	pub(super) subject: Subject<'a>,
	pub(super) limits: Limits,
	pub(super) names: Names,
	room: Room,
	/// The largest batches that there is room for: items and bytes, by kind.
	roomy: [(usize, usize); KINDS],
	pub(super) plan: Plan,
	tally: Tally<Topic, Item>,
	/// Number of items that were done before the present plan.
	done_before: usize,
	muids: Option<MuidSource>,
	failed: Failed,
	/// Failures, in the order of time.
	pub failures: Vec<Failure>,
	/// The counts of the work that is done, from [`Self::finish`] on.
	pub published: PublishedRegistry,
	/// Number of transactions that set up what everything needs.
	pub setup_transactions: u64,
	/// The block whose state the preview comes from, until it is used.
	previewed: Option<Snapshot>,
	pub(super) progress: &'a Progress,
}

impl<'a> RegistryWork<'a> {
	pub(super) fn new(
		publisher: &'a Publisher<'a>,
		chain: &Chain,
		at: &Snapshot,
		source: &str,
		subject: Subject<'a>,
		progress: &'a Progress,
	) -> Result<Self, Error> {
		let (tenant, kms) = publisher.tenant_of(source);
		let names = Names {
			genesis_hash: chain.identity().genesis_hash,
			provider: publisher.provider_id,
			node: publisher.node_id,
			tenant,
			kms,
			tenant_signer: *publisher.tenant.account(),
		};
		let versions = subject.packages.iter().map(|object| object.releases.len()).sum();
		let published =
			PublishedRegistry::new(source.to_owned(), tenant, subject.packages.len(), versions);
		Ok(Self {
			publisher,
			subject,
			limits: Limits::read(at)?,
			names,
			room: Room::read(at)?,
			roomy: [(1, 0); KINDS],
			plan: Plan::default(),
			tally: Tally::default(),
			done_before: 0,
			muids: None,
			failed: Failed::default(),
			failures: Vec::new(),
			published,
			setup_transactions: 0,
			previewed: None,
			progress,
		})
	}

	/// Plans by the state of a block, and estimates what the plan costs.
	pub(super) async fn preview(
		&mut self,
		chain: &Chain,
		at: &Snapshot,
	) -> Result<Estimate, Error> {
		let on_chain = self.read(chain, at).await?;
		self.adopt(Plan::new(self.subject, &on_chain, &self.failed));
		self.previewed = Some(at.clone());
		Estimate::new(self.publisher, at, &self.names, &self.plan, &self.limits.items).await
	}

	async fn plan_again(&mut self, chain: &Chain) -> Result<Snapshot, Error> {
		let at = chain.best().await?;
		let on_chain = self.read(chain, &at).await?;
		let mut plan = Plan::new(self.subject, &on_chain, &self.failed);
		if self.publisher.is_put && self.leave_versions(&plan) {
			plan = Plan::new(self.subject, &on_chain, &self.failed);
		}
		self.adopt(plan);
		Ok(at)
	}

	/// Counts the versions of a plan as failed, as only a content node commits and finalizes them,
	/// and it has not. Returns whether there are any.
	fn leave_versions(&mut self, plan: &Plan) -> bool {
		let before = self.failures.len();
		for item in &plan.items {
			if matches!(item.topic(), Topic::Version(_)) {
				let reason =
					"it is no longer final, so its records were not put: run the command again";
				self.fail(item, reason);
			}
		}
		self.failures.len() > before
	}

	async fn read(&self, chain: &Chain, at: &Snapshot) -> Result<OnChain, Error> {
		let id = self.publisher.provider_id;
		let provider = at.get(rows::providers(), (id,)).await?;
		let originator = Originator { id, created: provider.map(|row| row.created) };
		OnChain::read(chain, at, self.subject.tenant, originator).await
	}

	/// Makes a plan the present one.
	fn adopt(&mut self, plan: Plan) {
		for topic in &plan.blocked {
			self.tally.failed(topic);
		}
		self.tally.plan(plan.items.iter().map(Item::topic));
		self.done_before = self.tally.all_done().count();
		self.plan = plan;
	}

	/// Counts the present plan as done, for a dry run.
	pub(super) fn pretend(&mut self) {
		for item in &self.plan.items {
			self.tally.done(item.topic(), item.clone());
		}
	}

	/// Warns once about keys that other implementations may not take.
	pub(super) fn warn_about_keys(&self) {
		if self.plan.odd_keys > 0 {
			let keys = content_fabric_client::text::count(
				self.plan.odd_keys,
				"record key has",
				"record keys have",
			);
			self.progress.note(&format!(
				"warning: {keys} capital letters, or 80 characters and more with the collection, which \
				 atproto advises against"
			));
		}
	}

	/// Counts what is done, and adds what the last plan found that no transaction can mend.
	pub(super) fn finish(&mut self) {
		self.published.count(self.tally.all_done().map(|(_, item)| item));
		let Plan { foreign, unnamed, changed, .. } = std::mem::take(&mut self.plan);
		for place in foreign {
			let reason =
				"another provider, or an earlier one with this id, has left it unfinalized";
			self.failures.push(self.failure(Some(place), None, FailureCause::Chain, reason));
		}
		for (names, cause) in [(unnamed, FailureCause::RecordKey), (changed, FailureCause::Changed)]
		{
			for Unnamed { place, name, reason } in names {
				self.failures.push(self.failure(Some(place), Some(name), cause, &reason));
			}
		}
	}

	/// Counts what the last plan left, after a run that ended early.
	pub(super) fn count_unsent(&mut self, error: &Error) {
		self.published.not_sent = self.tally.lacking();
		self.published.can_continue =
			!matches!(error, Error::Node(refused) if refused.is_lasting());
	}

	/// Records that an item failed for good.
	fn fail(&mut self, item: &Item, reason: &str) {
		let topic = item.topic();
		self.tally.failed(&topic);
		let key = match &topic {
			Topic::Name(key) => Some(key.clone()),
			_ => None,
		};
		self.failures.push(self.failure(item.place(), key, FailureCause::Chain, reason));
		self.failed.insert(topic);
	}

	/// Returns the failure of an item. Only the record of the run belongs to no package.
	pub(super) fn failure(
		&self,
		place: Option<Place>,
		record_key: Option<String>,
		cause: FailureCause,
		reason: &str,
	) -> Failure {
		let (package, version) = match place {
			None => ("(the record of this run)", None),
			Some(Place { package, release }) => {
				let object = &self.subject.packages[package];
				let version = |release: usize| object.releases[release].version.clone();
				(object.name.as_str(), release.map(version))
			},
		};
		Failure {
			source: Some(self.published.source.clone()),
			package: package.to_owned(),
			version,
			record_key,
			cause,
			reason: reason.to_owned(),
		}
	}

	/// Records a task whose item is on the chain.
	pub(super) fn task_done(&mut self, task: TaskId) {
		let item = &self.plan.items[task as usize];
		self.tally.done(item.topic(), item.clone());
	}

	fn items<'b>(&'b self, batch: &'b Batch) -> impl Iterator<Item = &'b Item> {
		batch.tasks.iter().map(|task| &self.plan.items[*task as usize])
	}

	fn draft(&mut self, node: &ChainNode, batch: &Batch) -> Result<EncodedCall, Error> {
		let drafts: Vec<_> = self.items(batch).filter_map(Item::draft).collect();
		if drafts.is_empty() {
			return self.names.call(&node.at(), self.items(batch));
		}
		let node_id = self.names.node;
		let muids = self.muids.as_mut().ok_or_else(|| chain::Error::unknown("node", node_id))?;
		let now = wall_clock();
		let muid = muids.next(node.now_micros(), now)?;
		let (signer, max_ahead) = (&self.publisher.tenant, self.publisher.options.keys.max_ahead);
		let kind = node.chain().identity().kind;
		ensure_signable(muid, now, max_ahead, kind, signer)?;
		self.names.commit(&node.at(), muid, drafts, Some(&self.publisher.tenant))
	}

	/// Returns whether a block has room for a call. Asks the chain only if there was none as large
	/// before.
	async fn has_room(
		&mut self,
		chain: &Chain,
		batch: &Batch,
		call: &EncodedCall,
	) -> Result<bool, Error> {
		let (items, bytes) = (batch.tasks.len(), call.bytes().len());
		let roomy = &mut self.roomy[batch.task.kind];
		if items == 1 || (items <= roomy.0 && bytes <= roomy.1) {
			return Ok(true);
		}
		let has_room = self.room.is_enough_for(&chain.best().await?, call).await?;
		if has_room {
			*roomy = (items, bytes);
		}
		Ok(has_room)
	}

	/// Reads what the muids of the node must be later than.
	async fn muids(&self, chain: &Chain) -> Result<MuidSource, Error> {
		let stands_still = chain.stands_still(&chain.best().await?).await?;
		let ids = (self.names.provider, self.names.node);
		Ok(MuidSource::read(&chain.best().await?, ids, stands_still).await?)
	}
}

impl Work<ChainNode> for RegistryWork<'_> {
	async fn plan(&mut self, node: &ChainNode) -> Result<(Vec<Task>, Head), Error> {
		let chain = &node.chain();
		let (tenant, sent) = (self.subject.tenant, &mut self.setup_transactions);
		self.publisher.set_up(chain, tenant, self.names.kms, sent).await?;
		let best = chain.best().await?;
		chain.ensure_same_runtime(&best)?;
		let at = match self.previewed.take() {
			// The chain is as it was.
			Some(at) if at.block_hash() == best.block_hash() && !self.publisher.is_put => at,
			_ => self.plan_again(chain).await?,
		};
		let commits = self.plan.items.iter().any(|item| item.draft().is_some());
		self.muids = if commits { Some(self.muids(chain).await?) } else { None };
		let head = Head { hash: at.block_hash(), number: at.block_number() };
		node.begin(head);
		Ok((self.plan.tasks(), head))
	}

	async fn sign(
		&mut self,
		node: &ChainNode,
		batch: &Batch,
		nonce: u64,
	) -> Result<Option<Vec<u8>>, Error> {
		let call = self.draft(node, batch)?;
		let chain = node.chain();
		if !self.has_room(&chain, batch, &call).await? {
			return Ok(None);
		}
		let signer = match batch.task.lane {
			PROVIDER => &self.publisher.provider,
			_ => &self.publisher.tenant,
		};
		let signed = chain.sign(&node.at(), signer, &call, nonce, node.birth())?;
		Ok(Some(signed.bytes().to_vec()))
	}

	fn done(&mut self, batch: &Batch) {
		for task in &batch.tasks {
			self.task_done(*task);
			if let Item::Run { key, .. } = &self.plan.items[*task as usize] {
				self.published.run = Some(key.to_string());
				self.subject.run = None;
			}
		}
	}

	fn unsettled(&mut self, batch: &Batch) {
		for item in batch.tasks.iter().map(|task| &self.plan.items[*task as usize]) {
			self.tally.sent(item.topic(), item.clone());
		}
	}

	fn failed(&mut self, task: TaskId, reason: &str) {
		let item = self.plan.items[task as usize].clone();
		self.fail(&item, reason);
	}

	fn wants_more(&self) -> bool {
		self.plan.looks_again
	}

	fn progress(&mut self, done: usize, _: usize) {
		let (done, all) = (self.done_before + done, self.done_before + self.plan.items.len());
		let number = |count| u64::try_from(count).unwrap_or(u64::MAX);
		self.progress.set(number(done), number(all));
	}

	fn disconnected(&mut self, error: &Error, patience: Duration) {
		self.progress.note(&connecting_again(error, patience));
	}

	fn reconnected(&mut self) {
		self.progress.note("connected again");
	}
}

/// Returns the lanes of the provider and the tenant. They share one if they have the same account.
pub(super) fn accounts_of(publisher: &Publisher<'_>) -> [usize; LANES] {
	match publisher.provider.account() == publisher.tenant.account() {
		true => [PROVIDER, PROVIDER],
		false => [PROVIDER, TENANT],
	}
}
