// SPDX-License-Identifier: Apache-2.0
//! The work for one source: planned against the chain, signed batch by batch, and counted.

use std::{
	collections::{BTreeSet, HashSet},
	mem::take,
	time::Duration,
};

use content_fabric_primitives::ContentRef;

use super::{
	calls::Names,
	copies::Asked,
	estimate::Estimate,
	plan::{Agreed, Failed, Item, Place, Plan, Subject, Topic, Unnamed, KINDS, PROVIDER, TENANT},
	publisher::Publisher,
	removal::Removed,
	report::{Event, Failure, FailureCause, Published},
	rounds::{Batch, ChainNode, Task, Work, LANES},
	state::OnChain,
	tally::Tally,
	Error,
};
use crate::{
	chain::{
		self,
		calls::{self, Call, EncodedCall},
		limits::Room,
		wall_clock, Chain, MuidSource, Snapshot,
	},
	drafts::ensure_signable,
	text::count,
};

/// The calls in use, without the one that makes several calls: its type has all calls of the
/// runtime in it.
pub(super) const CALLS: &[(&str, &str)] = &[
	(calls::CommitVersions::PALLET, calls::CommitVersions::NAME),
	(calls::FinalizeVersions::PALLET, calls::FinalizeVersions::NAME),
	(calls::SetHeadVersion::PALLET, calls::SetHeadVersion::NAME),
	(calls::PutRecords::PALLET, calls::PutRecords::NAME),
	(calls::CreateSpace::PALLET, calls::CreateSpace::NAME),
	(calls::CreateProvider::PALLET, calls::CreateProvider::NAME),
	(calls::CreateTenant::PALLET, calls::CreateTenant::NAME),
	(calls::CreateNode::PALLET, calls::CreateNode::NAME),
	(calls::ConfirmNode::PALLET, calls::ConfirmNode::NAME),
	(calls::CreateCollection::PALLET, calls::CreateCollection::NAME),
	(calls::DeleteVersion::PALLET, calls::DeleteVersion::NAME),
	(calls::DeleteContentObject::PALLET, calls::DeleteContentObject::NAME),
	(calls::DeleteRecords::PALLET, calls::DeleteRecords::NAME),
	(calls::AddCopies::PALLET, calls::AddCopies::NAME),
	(calls::RemoveCopies::PALLET, calls::RemoveCopies::NAME),
];

const CHANGED: &str =
	"it, or content that belongs to it, has changed since you were asked: run the command again";

/// The largest numbers of items in a transaction, and the longest record key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
	pub items: [usize; KINDS],
	pub record_key: usize,
}

impl Limits {
	pub(super) fn read(at: &Snapshot) -> Result<Self, chain::Error> {
		let limit = |name| -> Result<usize, chain::Error> {
			let limit: u32 = at.constant("ContentFabric", name)?;
			Ok(usize::try_from(limit).unwrap_or(usize::MAX).max(1))
		};
		let (versions, records) = (limit("MaxVersionsPerCommit")?, limit("MaxRecordsPerCall")?);
		Ok(Self {
			items: [
				versions, versions, versions, records, 1, versions, versions, records, versions,
			],
			record_key: limit("MaxRecordKeyLen")?,
		})
	}
}

pub(super) struct SourceWork<'a> {
	pub(super) publisher: &'a Publisher,
	pub(super) subject: Subject<'a>,
	pub(super) limits: Limits,
	pub(super) names: Names,
	room: Room,
	/// The largest batches that there is room for: items and bytes, by kind.
	roomy: [(usize, usize); KINDS],
	pub(super) plan: Plan,
	pub(super) tally: Tally<Topic, Item>,
	muids: Option<MuidSource>,
	failed: Failed,
	/// Number of these that may have failed only for now.
	aside: usize,
	/// The version of the runtime whose limits are known.
	runtime: u32,
	/// The result: the failures, and the counts from [`Self::finish`] on.
	pub published: Published,
	/// Number of transactions that set up what everything needs.
	pub setup_transactions: u64,
	/// The block whose state the preview comes from, until it is used.
	previewed: Option<Snapshot>,
	/// The rows whose removal the preview has planned. Nothing else is removed.
	agreed: Agreed,
	/// Those that it has shown.
	shown: HashSet<Topic>,
}

impl<'a> SourceWork<'a> {
	pub(super) fn new(
		publisher: &'a Publisher,
		chain: &Chain,
		at: &Snapshot,
		source: &str,
		subject: Subject<'a>,
	) -> Result<Self, chain::Error> {
		let tenant = subject.tenant;
		let names = Names {
			genesis_hash: chain.identity().genesis_hash,
			provider: publisher.provider_id,
			node: publisher.node_id,
			copies: publisher.options.copies.clone(),
			tenant,
			kms: publisher.kms(),
			tenant_signer: *publisher.keys.tenant.account(),
		};
		let versions = subject.packages.iter().map(|object| object.releases.len()).sum();
		let published = Published::new(source, tenant, subject.packages.len(), versions);
		Ok(Self {
			publisher,
			subject,
			limits: Limits::read(at)?,
			names,
			room: Room::read(at)?,
			roomy: [(1, 0); KINDS],
			plan: Plan::default(),
			tally: Tally::default(),
			muids: None,
			failed: Failed::default(),
			aside: 0,
			runtime: at.spec_version(),
			published,
			setup_transactions: 0,
			previewed: None,
			agreed: Agreed::default(),
			shown: HashSet::new(),
		})
	}

	pub(super) fn report(&self, event: Event) {
		(self.publisher.report)(event);
	}

	/// Plans by the state of a block, and estimates what the plan costs.
	pub(super) async fn preview(
		&mut self,
		chain: &Chain,
		at: &Snapshot,
	) -> Result<Estimate, chain::Error> {
		let on_chain = self.read(chain, at).await?;
		let mut plan = Plan::new(self.subject, &on_chain, &self.failed, None);
		(self.agreed, self.shown) = (plan.removal.clone(), plan.removed());
		if self.subject.removes.is_any() {
			let (kept, not_found) = (take(&mut plan.kept), take(&mut plan.absent));
			self.published.removed = Some(Removed { kept, not_found, ..Removed::default() });
		}
		self.adopt(plan, &on_chain);
		self.previewed = Some(at.clone());
		Estimate::new(self.publisher, at, &self.names, &self.plan, &self.limits.items).await
	}

	/// Plans by the state of a block, so that the counts are right.
	pub(super) async fn recount(&mut self, chain: &Chain) -> Result<(), chain::Error> {
		let on_chain = self.read(chain, &chain.best().await?).await?;
		self.adopt(self.planned(&on_chain), &on_chain);
		Ok(())
	}

	/// Plans what the chain lacks, and removes nothing that was not shown.
	fn planned(&self, on_chain: &OnChain) -> Plan {
		let mut plan = Plan::new(self.subject, on_chain, &self.failed, Some(&self.agreed));
		plan.items.retain(|item| match item {
			Item::Copy { removes: true, .. } => self.shown.contains(&item.topic()),
			_ => true,
		});
		plan
	}

	/// Returns what the present plan removes, if the run removes anything.
	pub(super) fn removed(&self) -> Option<Removed> {
		let mut removed = self.published.removed.clone()?;
		removed.count(&self.plan.items);
		Some(removed)
	}

	/// Returns the numbers of copies that the present plan asks for, and removes.
	pub(super) fn copies(&self) -> (usize, usize) {
		let copies = self.plan.items.iter().filter_map(|item| match item {
			Item::Copy { removes, .. } => Some(*removes),
			_ => None,
		});
		let (removed, added): (Vec<_>, Vec<_>) = copies.partition(|removes| *removes);
		(added.len(), removed.len())
	}

	/// Makes a dry run of the first change of a copy, so that an account that may not make it is
	/// refused before anybody is asked.
	pub(super) async fn ensure_changes_copies(&self, at: &Snapshot) -> Result<(), Error> {
		let Some(first) = self.plan.items.first() else { return Ok(()) };
		let (account, tenant) = (self.publisher.keys.tenant.account(), self.subject.tenant);
		if !self.subject.copies.removes() {
			let row = at.member(tenant.into()).await?;
			let standing = at.standing(tenant.into(), &row, account).await?;
			if let Some(refusal) = standing.refusal::<calls::AddCopies>() {
				return Err(Error::Refused(refusal));
			}
		}
		let call = self.names.call(at, [first])?;
		let Some(Err(reason)) = at.outcome(account, &call).await? else { return Ok(()) };
		// One of many may be refused by itself, such as a version with too many copies.
		match self.plan.items.len() > 1 && !reason.contains("NoPermission") {
			true => Ok(()),
			false => Err(Error::Refused(format!(
				"{account} cannot change the copies of {tenant}: {reason}"
			))),
		}
	}

	/// Makes a dry run of the first removal, so that an account without the level for it is refused
	/// before anybody is asked.
	pub(super) async fn ensure_removes(&self, at: &Snapshot) -> Result<(), Error> {
		let Some(first) = self.plan.items.first() else { return Ok(()) };
		let (account, tenant) = (self.publisher.keys.tenant.account(), self.subject.tenant);
		let row = at.member(tenant.into()).await?;
		let standing = at.standing(tenant.into(), &row, account).await?;
		if let Some(refusal) = standing.refusal::<calls::DeleteRecords>() {
			return Err(Error::Refused(refusal));
		}
		let call = self.names.call(at, [first])?;
		let Some(Err(reason)) = at.outcome(account, &call).await? else { return Ok(()) };
		Err(Error::Refused(format!("{account} cannot remove this from {tenant}: {reason}")))
	}

	async fn plan_again(&mut self, chain: &Chain, at: &Snapshot) -> Result<(), chain::Error> {
		let on_chain = self.read(chain, at).await?;
		let mut plan = self.planned(&on_chain);
		if self.publisher.is_put() && self.leave_versions(&plan) {
			plan = self.planned(&on_chain);
		}
		self.adopt(plan, &on_chain);
		Ok(())
	}

	/// Counts the versions of a plan as failed, as only a content node commits and finalizes them,
	/// and it has not. Returns whether there are any.
	fn leave_versions(&mut self, plan: &Plan) -> bool {
		let before = self.published.failures.len();
		for item in &plan.items {
			if matches!(item.topic(), Topic::Version(_)) {
				let reason =
					"it is no longer final, so its records were not put: run the command again";
				self.fail(item, reason);
			}
		}
		self.published.failures.len() > before
	}

	async fn read(&self, chain: &Chain, at: &Snapshot) -> Result<OnChain, chain::Error> {
		let own = self.publisher.own_nodes(at).await?;
		let Subject { tenant, run, removes, copies, .. } = self.subject;
		let asked = Asked::read(at, copies).await?;
		let report = |rows| self.report(Event::Rows(rows));
		OnChain::read(chain, at, tenant, (own, asked), (run, removes.is_any()), report).await
	}

	/// Makes a plan the present one.
	fn adopt(&mut self, plan: Plan, on_chain: &OnChain) {
		for topic in &plan.blocked {
			self.tally.forget(topic);
		}
		let lacking = plan.items.iter().map(|item| (item.topic(), item.clone()));
		self.tally.plan(lacking, |_, item| on_chain.has(item));
		self.plan = plan;
	}

	/// Counts the present plan as done, for a dry run.
	pub(super) fn pretend(mut self) -> Published {
		#[cfg(feature = "http")]
		if let Some(store) = &self.publisher.store {
			self.pretend_upload(store);
		}
		self.plan.items.iter().for_each(|item| self.tally.done(&item.topic()));
		// The record of the run has no key before it is put.
		Published { run: None, ..self.finish() }
	}

	/// Warns once about keys that other implementations may not take.
	pub(super) fn warn_about_keys(&self) {
		if self.plan.odd_keys > 0 {
			let keys = count(self.plan.odd_keys, "record key has", "record keys have");
			self.report(Event::Warning(format!(
				"{keys} capital letters, or 80 characters and more with the collection, which atproto \
				 advises against"
			)));
		}
	}

	/// Counts what is done, and adds what the last plan found that no transaction can mend.
	pub(super) fn finish(mut self) -> Published {
		self.published.count(self.tally.all_done().map(|(_, item)| item));
		let left = self.published.removed.as_ref().is_some_and(Removed::is_empty);
		match self.plan.spared {
			0 => self.count_changed(),
			_ => {
				let what = if left { "nothing" } else { "not all" };
				self.report(Event::Warning(format!(
					"{what} was removed, as not all was published: run the command again"
				)));
			},
		}
		let Plan { foreign, unnamed, changed, .. } = std::mem::take(&mut self.plan);
		for place in foreign {
			let reason = "it was committed to another node, which has not finalized it";
			let failure = self.failure(Some(place), None, FailureCause::Chain, reason);
			self.published.failures.push(failure);
		}
		for (names, cause) in [(unnamed, FailureCause::RecordKey), (changed, FailureCause::Changed)]
		{
			for Unnamed { place, name, reason } in names {
				let failure = self.failure(Some(place), Some(name), cause, &reason);
				self.published.failures.push(failure);
			}
		}
		self.published
	}

	/// Counts the changed rows that were shown for removal, and are no longer planned. They are
	/// failures: one for each record, and one for content without a record.
	fn count_changed(&mut self) {
		let is_left = |topic: &&Topic| !self.tally.knows(topic) && !self.failed.contains(*topic);
		let (mut named, mut records) = (HashSet::new(), BTreeSet::new());
		let mut objects = BTreeSet::new();
		for topic in self.shown.iter().filter(is_left) {
			match topic {
				Topic::DeletedRecord((collection, key), ContentRef { object, .. }) => {
					named.insert(*object);
					records.insert((format!("{collection}/{key}"), *object));
				},
				Topic::DeletedVersion((object, _)) | Topic::DeletedObject(object) => {
					objects.insert(*object);
				},
				_ => {},
			}
		}
		objects.retain(|object| !named.contains(object));
		let records = records.into_iter().map(|(record, object)| (object, Some(record)));
		for (object, record) in records.chain(objects.into_iter().map(|object| (object, None))) {
			let mut failure = self.failure(None, record, FailureCause::Changed, CHANGED);
			failure.package = object.to_string();
			self.published.failures.push(failure);
		}
	}

	/// Counts what the last plan left, after a run that ended early.
	pub(super) fn count_unsent(&mut self, error: &Error) {
		let (lacking, in_flight) = self.tally.lacking();
		(self.published.not_sent, self.published.unconfirmed) = (lacking + self.aside, in_flight);
		self.published.can_continue = !error.is_lasting();
	}

	/// Records that an item failed for good.
	fn fail(&mut self, item: &Item, reason: &str) {
		let topic = item.topic();
		self.tally.forget(&topic);
		let key = match &topic {
			Topic::Name(key) => Some(key.clone()),
			Topic::DeletedRecord((collection, key), _) => Some(format!("{collection}/{key}")),
			_ => None,
		};
		let mut failure = self.failure(item.place(), key, FailureCause::Chain, reason);
		if let Some(object) = item.reduced() {
			failure.package = object.to_string();
		}
		if let Topic::Copy((object, _), _) = &topic {
			if item.place().is_none() {
				failure.package = object.to_string();
			}
		}
		if let Topic::DeletedVersion((_, version)) | Topic::Copy((_, version), _) = &topic {
			failure.version = Some(version.to_string());
		}
		self.published.failures.push(failure);
		self.failed.insert(topic);
	}

	/// Records that the item at a place of the plan failed for good.
	#[cfg(feature = "http")]
	pub(super) fn fail_planned(&mut self, place: usize, reason: &str) {
		let item = self.plan.items[place].clone();
		self.fail(&item, reason);
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

	fn draft(&mut self, node: &ChainNode, items: &[Item]) -> Result<EncodedCall, Error> {
		let drafts: Vec<_> = items.iter().filter_map(Item::draft).collect();
		if drafts.is_empty() {
			return Ok(self.names.call(&node.at(), items)?);
		}
		let node_id = self.names.node;
		let muids = self.muids.as_mut().ok_or_else(|| chain::Error::unknown("node", node_id))?;
		let now = wall_clock();
		let muid = muids.next(node.now_micros(), now)?;
		let (signer, max_ahead) = (&self.publisher.keys.tenant, self.publisher.options.max_ahead);
		let kind = node.chain().identity().kind;
		ensure_signable(muid, now, max_ahead, kind, signer)?;
		Ok(self.names.commit(&node.at(), muid, drafts, Some(signer))?)
	}

	/// Returns whether a block has room for a call. Asks the chain only if there was none as large
	/// before.
	async fn has_room(
		&mut self,
		chain: &Chain,
		batch: &Batch<Item>,
		call: &EncodedCall,
	) -> Result<bool, chain::Error> {
		let (items, bytes) = (batch.items.len(), call.bytes().len());
		let roomy = &mut self.roomy[batch.kind];
		if items == 1 || (items <= roomy.0 && bytes <= roomy.1) {
			return Ok(true);
		}
		let has_room = self.room.is_enough_for(&chain.best().await?, call).await?;
		if has_room {
			*roomy = (items, bytes);
		}
		Ok(has_room)
	}

	/// Reads the muid that the next ones of the node must follow. Muids of this run may have been lost
	/// with their blocks, and may get into blocks again.
	async fn read_muids(&mut self, chain: &Chain, at: &Snapshot) -> Result<(), chain::Error> {
		let stands_still = chain.stands_still(at).await?;
		let ids = (self.names.provider, self.names.node);
		let muids = MuidSource::read(&chain.best().await?, ids, stands_still).await?;
		let last = self.muids.as_ref().and_then(|muids| muids.last);
		self.muids = Some(MuidSource { last: muids.last.max(last), ..muids });
		Ok(())
	}

	/// Reads the limits of another runtime.
	fn follow_upgrade(&mut self, at: &Snapshot) -> Result<(), chain::Error> {
		if self.runtime != at.spec_version() {
			(self.limits, self.room) = (Limits::read(at)?, Room::read(at)?);
			(self.roomy, self.runtime) = ([(1, 0); KINDS], at.spec_version());
		}
		Ok(())
	}
}

impl Work<ChainNode> for SourceWork<'_> {
	type Item = Item;
	type Error = Error;

	fn cause(error: &Error) -> Option<&chain::Error> {
		error.of_chain()
	}

	async fn prepare(&mut self, node: &ChainNode) -> Result<(), Error> {
		if self.subject.removes.is_all() || self.subject.copies.change.is_some() {
			return Ok(());
		}
		let (tenant, sent) = (self.subject.tenant, &mut self.setup_transactions);
		self.publisher.set_up(&node.chain(), tenant, sent).await
	}

	async fn plan(&mut self, node: &ChainNode, at: &Snapshot) -> Result<Vec<Task<Item>>, Error> {
		let chain = &node.chain();
		self.follow_upgrade(at)?;
		let is_as_it_was =
			|seen: Snapshot| seen.block_hash() == at.block_hash() && !self.publisher.is_put();
		if !self.previewed.take().is_some_and(is_as_it_was) {
			self.plan_again(chain, at).await?;
		}
		if self.plan.items.iter().any(|item| item.draft().is_some()) {
			self.read_muids(chain, at).await?;
		}
		Ok(self.plan.tasks())
	}

	fn limit(&self, kind: usize) -> usize {
		self.limits.items[kind]
	}

	async fn call(
		&mut self,
		node: &ChainNode,
		batch: &Batch<Item>,
	) -> Result<Option<EncodedCall>, Error> {
		let call = self.draft(node, &batch.items)?;
		let has_room = self.has_room(&node.chain(), batch, &call).await?;
		Ok(has_room.then_some(call))
	}

	fn in_flight(&mut self, items: &[Item], is_in_flight: bool) {
		items.iter().for_each(|item| self.tally.in_flight(item.topic(), is_in_flight));
	}

	fn done(&mut self, items: &[Item]) {
		items.iter().for_each(|item| self.tally.done(&item.topic()));
		let (done, all) = self.tally.progress();
		let number = |count| u64::try_from(count).unwrap_or(u64::MAX);
		self.report(Event::Items { done: number(done), all: number(all) });
	}

	fn set_aside(&mut self, item: &Item) {
		self.tally.forget(&item.topic());
		self.failed.insert(item.topic());
		self.aside += 1;
	}

	fn restore(&mut self, item: &Item) {
		self.failed.remove(&item.topic());
		self.aside -= 1;
	}

	fn failed(&mut self, item: &Item, reason: &str) {
		self.aside -= 1;
		self.fail(item, reason);
	}

	fn wants_more(&self) -> bool {
		self.plan.looks_again
	}

	fn unfinal(&mut self, block: u64) {
		self.report(Event::Unfinal(block));
	}

	fn disconnected(&mut self, error: &Error, patience: Duration) {
		self.report(Event::Lost { error: error.to_string(), patience });
	}

	fn reconnected(&mut self) {
		self.report(Event::Back);
	}
}

/// Returns the accounts of the provider and the tenant. They share one if it is the same.
pub(super) fn accounts_of(publisher: &Publisher) -> [usize; LANES] {
	match publisher.keys.provider.account() == publisher.keys.tenant.account() {
		true => [PROVIDER, PROVIDER],
		false => [PROVIDER, TENANT],
	}
}
