// SPDX-License-Identifier: Apache-2.0
//! Uploads: a content node drafts the commits of files, has them signed, takes in the bytes, and
//! finalizes the versions.

use std::{
	cell::Cell,
	collections::{HashMap, HashSet},
	convert::Infallible,
	path::PathBuf,
	sync::{atomic::Ordering, Arc},
	time::{Duration, Instant},
};

use content_fabric_identifiers::{KmsId, Muid, VersionId};
use content_fabric_primitives::{DraftVersion, HashKind, Receiver};
use futures::{channel::mpsc, Stream, StreamExt};
use tokio::{sync::watch, time::sleep};

use super::{
	plan::Item,
	report::{Event, Uploaded},
	rounds::{may_pass, stopped, ChainNode, Node, LOSSES},
	work::SourceWork,
	Error,
};
use crate::{
	amount::Units,
	chain::{rows, wall_clock, Chain, Snapshot},
	content_node::{blocking, ContentNode, Funds, NodeError, Status, Upload, Uploading},
	drafts::{ensure_signable, AskedNode, DraftRequest, DraftedVersion, SignedDraft},
	requests::Requester,
};

/// Number of files that are uploaded at the same time. A content node allows 16 of one address.
pub(super) const JOBS: usize = 12;
/// Time between two looks at what has changed.
const POLL: Duration = Duration::from_millis(200);
/// The first pause before a commit is tried again. The next one is twice as long.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Time after which a node that is away is reported.
const QUIET: Duration = Duration::from_secs(1);
/// Time after which a commit is made again if it was in a block, and no longer is in one.
const GONE: Duration = Duration::from_secs(12);
/// Time after which a node is asked whether it is still at work on a commit, and in which it has to
/// answer that.
const SILENT: Duration = Duration::from_secs(5);

/// The content node that takes in the bytes, and where they are.
pub struct Store {
	/// The node.
	pub node: ContentNode,
	/// Its ids.
	pub status: Status,
	/// The medallion of the node on the chain.
	pub medallion: u64,
	/// The folder from which the names of packages lead to files.
	pub folder: PathBuf,
	/// The encrypted bytes of these files, if the versions are their hashes.
	pub encrypted: Option<Encrypted>,
}

/// Files that are encrypted for a KMS.
pub struct Encrypted {
	/// The KMS.
	pub kms: KmsId,
	/// The paths of the encrypted bytes of versions. Final versions may have none.
	pub files: HashMap<VersionId, PathBuf>,
}

/// A version that the node has yet to commit, or to finalize.
#[derive(Clone, Copy)]
struct Due {
	/// Its place in the plan.
	task: usize,
	/// The package, whose name is the path of the file.
	package: usize,
	draft: DraftVersion,
	/// True if it is committed already, so that bytes may be there, too.
	begun: bool,
}

/// The versions that were not committed or uploaded, with the reasons.
type Failures = Vec<(usize, String)>;

impl SourceWork<'_> {
	/// Asks the chain. Connects and asks again if the connection is lost, and asks again if another
	/// publisher has come first.
	pub(super) async fn ask<T>(
		&self,
		node: &ChainNode,
		mut ask: impl AsyncFnMut(Arc<Chain>) -> Result<T, Error>,
	) -> Result<T, Error> {
		let (start, patience) = (Instant::now(), self.publisher.options.patience);
		let mut losses = 0;
		loop {
			let error = match ask(node.chain()).await {
				Err(error) => error,
				answer => return answer,
			};
			let Some(is_lost) = error.of_chain().and_then(may_pass) else { return Err(error) };
			losses += u32::from(is_lost);
			if start.elapsed() >= patience && (!is_lost || losses > LOSSES) {
				return Err(error);
			}
			if is_lost {
				self.report(Event::Lost { error: error.to_string(), patience });
				node.reconnect(patience).await?;
				self.report(Event::Back);
			}
			sleep(POLL).await;
		}
	}

	/// Commits and uploads what the plan lacks, and waits until it is final. Records what fails.
	pub(super) async fn upload(
		&mut self,
		node: &ChainNode,
		store: &Store,
		stop: &mut watch::Receiver<bool>,
	) -> Result<(), Error> {
		let due = self.due(store);
		let (all, transactions, uploaded) = (Arc::default(), Cell::default(), Cell::default());
		let requester = self.requester(node, store);
		let intake =
			Intake { chain: node, store, work: self, all, requester, transactions, uploaded };
		let taking = async {
			intake.set_up().await?;
			intake.take_in(&due).await
		};
		let taken = tokio::select! {
			taken = taking => taken,
			() = stopped(stop) => Err(Error::Interrupted),
		};
		intake.all.stopped.store(true, Ordering::Relaxed);
		let (transactions, uploaded) = (intake.transactions.get(), intake.uploaded.get());
		self.setup_transactions += transactions;
		self.published.uploaded = Some(uploaded);
		let failed = taken?;
		let lost: HashSet<_> = failed.iter().map(|(task, _)| *task).collect();
		for (task, reason) in failed {
			self.fail_planned(task, &reason);
		}
		for due in due.iter().filter(|due| !lost.contains(&due.task)) {
			self.tally.done(&self.plan.items[due.task].topic());
		}
		Ok(())
	}

	/// Checks that the operator can pay for the first commit. Otherwise, the content node would
	/// refuse the draft, but only after the tenant was created: a draft before that would be of no
	/// use, and keep others waiting. Passes if the node does not report the amount, or the chain
	/// does not report fees.
	pub(super) async fn ensure_operator_pays(
		&self,
		at: &Snapshot,
		units: &Units,
		store: &Store,
	) -> Result<(), Error> {
		let drafts = self.plan.items.iter().filter_map(Item::draft);
		let drafts: Vec<_> = drafts.take(self.limits.items[0]).collect();
		if drafts.is_empty() {
			return Ok(());
		}
		let Funds { operator, balance } = store.node.funds().await?;
		let balance = balance.and_then(|digits| digits.parse::<u128>().ok());
		let (Some(operator), Some(balance)) = (operator, balance) else { return Ok(()) };
		// Fees do not depend on the muid.
		let (muid, mut needed) = (Muid::from_bytes([0; Muid::LEN]), 0u128);
		for call in self.names.commit_calls(at, muid, drafts, None)? {
			let Some(fee) = at.fee(&call).await? else { return Ok(()) };
			needed = needed.saturating_add(fee);
		}
		match balance < needed {
			true => Err(Error::Funds(format!(
				"the operator of the content node at {}, {operator}, can spend {}, and needs about {} for \
				 the fees of a commit and its finalization: the provider has to transfer more to it",
				store.node.url(),
				units.amount(balance),
				units.amount(needed)
			))),
			false => Ok(()),
		}
	}

	/// Returns the signer of requests to a content node, with the key of the tenant.
	pub(super) fn requester(&self, node: &ChainNode, store: &Store) -> Arc<Requester> {
		let genesis = node.chain().identity().genesis_hash;
		let (signer, to) = (self.publisher.keys.tenant.clone(), Receiver::Node(store.status.node));
		Arc::new(Requester::new(signer, genesis, to, self.subject.tenant))
	}

	/// Reports a clock that differs from the content node's, once.
	pub(super) fn report_clock(&self, requester: &Requester) {
		if let Some(note) = requester.take_note() {
			self.report(Event::Warning(note));
		}
	}

	/// Counts the files that an upload sends, for a dry run.
	pub(super) fn pretend_upload(&mut self, store: &Store) {
		let due = self.due(store);
		let sizes: HashMap<_, _> =
			due.iter().map(|due| (due.draft.version, due.draft.size)).collect();
		let (files, bytes) = (sizes.len() as u64, sizes.values().sum());
		self.published.uploaded = Some(Uploaded { files, bytes });
	}

	/// Returns the versions that the node has to take in. Those that wait for another node fail.
	fn due(&mut self, store: &Store) -> Vec<Due> {
		let mut due = Vec::new();
		let mut elsewhere = Vec::new();
		for (task, item) in self.plan.items.iter().enumerate() {
			match item {
				Item::Commit { draft, place, .. } => {
					let (package, draft) = (place.package, *draft);
					due.push(Due { task, package, draft, begun: false });
				},
				Item::Finalize { node, version: (object, version), place, .. }
					if *node == store.status.node =>
				{
					let (object, version, package) = (*object, *version, place.package);
					// The size of the file, as it was hashed.
					let release = place
						.release
						.and_then(|place| self.subject.packages[package].releases.get(place));
					let size = release.and_then(|release| release.size).unwrap_or_default();
					let hash = release.map_or(HashKind::Blake3, |release| release.hash.hash);
					let set_head_on_finalize = false;
					let draft = DraftVersion { object, version, hash, size, set_head_on_finalize };
					due.push(Due { task, package, draft, begun: true });
				},
				Item::Finalize { node, .. } => elsewhere.push((task, *node)),
				_ => {},
			}
		}
		for (task, node) in elsewhere {
			let reason = format!("the node {node} has committed it: upload it there");
			self.fail_planned(task, &reason);
		}
		due
	}
}

/// The uploads of a source.
struct Intake<'a> {
	chain: &'a ChainNode,
	store: &'a Store,
	work: &'a SourceWork<'a>,
	all: Arc<Uploading>,
	requester: Arc<Requester>,
	/// Number of commits, and of transactions that created what they need.
	transactions: Cell<u64>,
	/// The files that were uploaded so far.
	uploaded: Cell<Uploaded>,
}

impl Intake<'_> {
	/// Creates what commits need and the chain lacks. Returns whether it lacked anything.
	async fn set_up(&self) -> Result<bool, Error> {
		let before = self.transactions.get();
		let set_up = async |chain: Arc<Chain>| {
			let mut sent = 0;
			let tenant = self.work.subject.tenant;
			let result = self.work.publisher.set_up(&chain, tenant, &mut sent).await;
			self.transactions.set(self.transactions.get() + sent);
			result
		};
		self.work.ask(self.chain, set_up).await?;
		Ok(self.transactions.get() > before)
	}

	/// Commits, uploads, and waits for the finalizations. Commits again what a node of the chain that
	/// was killed has lost. Returns the failures.
	async fn take_in(&self, due: &[Due]) -> Result<Failures, Error> {
		let (mut failed, mut whole) = self.send(due).await?;
		for is_last in [false, false, true] {
			let (pending, gone) = self.wait_until_final(whole, is_last).await?;
			if gone.is_empty() {
				failed.extend(self.unfinished(pending).await);
				break;
			}
			let (more, again) = self.send(&gone).await?;
			failed.extend(more);
			whole = [pending, again].concat();
		}
		Ok(failed)
	}

	/// Commits versions, and uploads them. Returns the failures, and the others.
	async fn send(&self, due: &[Due]) -> Result<(Failures, Vec<Due>), Error> {
		let sizes: HashMap<_, _> =
			due.iter().map(|due| (due.draft.version, due.draft.size)).collect();
		let (sender, receiver) = mpsc::unbounded();
		let files = receiver.map(|due| self.file(&due));
		let bytes = sizes.values().sum();
		let (all, to) = (&self.all, (self.store, &self.requester));
		let upload = upload_all(self.work, to, all, bytes, files, &self.uploaded);
		let (failed, uploaded) = tokio::join!(self.commit_all(due, sender), upload);
		let mut failed = failed?;
		let refused: HashSet<_> = failed.iter().map(|(task, _)| *task).collect();
		let mut whole = Vec::new();
		for due in due.iter().filter(|due| !refused.contains(&due.task)) {
			match uploaded.get(&due.draft.version) {
				Some(Err(reason)) => failed.push((due.task, reason.clone())),
				Some(Ok(())) => whole.push(*due),
				None => {},
			}
		}
		Ok((failed, whole))
	}

	/// Returns versions as failures because they were not finalized in time.
	async fn unfinished(&self, pending: Vec<Due>) -> Failures {
		if pending.is_empty() {
			return Failures::new();
		}
		let seconds = self.patience().as_secs();
		let reason = match self.store.node.status().await {
			Ok(_) => format!("it has finalized nothing for {seconds} seconds"),
			Err(error) => error.to_string(),
		};
		let reason = format!("the bytes were sent, but {reason}: run the command again");
		pending.into_iter().map(|due| (due.task, reason.clone())).collect()
	}

	fn patience(&self) -> Duration {
		self.work.publisher.options.patience
	}

	/// Has versions committed in batches, and passes on those whose bytes may be uploaded. Halves a
	/// refused batch until it finds the versions at fault. Returns those.
	async fn commit_all(
		&self,
		due: &[Due],
		sender: mpsc::UnboundedSender<Due>,
	) -> Result<Failures, Error> {
		// The receiver ends after all senders.
		let pass_on = |due: &Due| drop(sender.unbounded_send(*due));
		let (begun, fresh): (Vec<_>, Vec<_>) = due.iter().copied().partition(|due| due.begun);
		begun.iter().for_each(pass_on);
		let mut batches: Vec<_> =
			fresh.chunks(self.work.limits.items[0]).rev().map(<[_]>::to_vec).collect();
		let mut failed = Failures::new();
		let mut away = Away::default();
		while let Some(batch) = batches.pop() {
			let (start, mut pause) = (Instant::now(), PAUSE);
			loop {
				let committed = tokio::select! {
					committed = self.commit(&batch) => committed,
					never = self.watch(&mut away, batch.len()) => match never {},
				};
				let refused = match committed {
					Ok(()) => {
						away.report(self.work, None);
						self.transactions.set(self.transactions.get() + 1);
						batch.iter().for_each(pass_on);
						break;
					},
					Err(Error::Node(refused)) => refused,
					Err(error) => return Err(error),
				};
				// The answer to a commit may have been lost, and others may have committed the
				// same.
				let (present, absent) = self.divide(&batch).await?;
				present.iter().for_each(pass_on);
				// A node of the chain that was killed may have lost the tenant.
				if present.is_empty() && refused.is_refused_commit() && self.set_up().await? {
					continue;
				}
				if present.is_empty() && !refused.is_refused_commit() {
					if !refused.is_transient() || start.elapsed() >= self.patience() {
						return Err(refused.into());
					}
					away.report(self.work, Some(&refused.to_string()));
					// With another draft, as this one may have lapsed.
					sleep(pause).await;
					pause = (pause * 2).min(LONGEST_PAUSE);
					continue;
				}
				match &absent[..] {
					[due] if self.is_behind(due, &refused).await? => {
						pass_on(&Due { begun: true, ..*due });
					},
					[due] if present.is_empty() => failed.push((due.task, refused.to_string())),
					_ if present.is_empty() => {
						let (first, second) = absent.split_at(absent.len() / 2);
						batches.extend([second.to_vec(), first.to_vec()]);
					},
					[] => {},
					absent => batches.push(absent.to_vec()),
				}
				break;
			}
		}
		Ok(failed)
	}

	/// Reports that the node takes long for a commit of this many versions, and whether it answers
	/// meanwhile, without end.
	async fn watch(&self, away: &mut Away, versions: usize) -> Infallible {
		let mut is_reported = false;
		loop {
			sleep(SILENT).await;
			let asked = Instant::now();
			match self.store.node.answers(SILENT).await {
				Ok(()) => {
					away.report(self.work, None);
					if !std::mem::replace(&mut is_reported, true) {
						let versions = u64::try_from(versions).unwrap_or(u64::MAX);
						self.work.report(Event::Committing(versions));
					}
				},
				Err(error) => {
					away.since.get_or_insert(asked);
					away.report(self.work, Some(&error.to_string()));
				},
			}
		}
	}

	async fn commit(&self, batch: &[Due]) -> Result<(), Error> {
		let versions = batch.iter().map(|due| DraftedVersion::from(due.draft));
		let asked = DraftRequest {
			tenant: self.work.subject.tenant,
			kms: self.work.names.kms,
			create_objects: true,
			copies: self.work.names.copies.iter().copied().map(AskedNode::from).collect(),
			versions: versions.collect(),
		};
		let Store { node, status, medallion, .. } = self.store;
		let draft = node.draft(asked, *status, *medallion, self.requester.clone()).await;
		self.work.report_clock(&self.requester);
		let draft = draft?;
		let chain = self.chain.chain();
		draft.ensure_chain(&chain.identity().genesis_hash)?;
		draft.commit()?;
		let (signer, options) = (&self.work.publisher.keys.tenant, &self.work.publisher.options);
		let kind = chain.identity().kind;
		ensure_signable(draft.muid, wall_clock(), options.max_ahead, kind, signer)?;
		let signature = signer.sign(&draft.payload);
		Ok(node.commit(SignedDraft::new(draft, *signer.account(), signature)).await?)
	}

	/// Returns the versions of a batch that the node has committed, and those that it has not.
	async fn divide(&self, batch: &[Due]) -> Result<(Vec<Due>, Vec<Due>), Error> {
		let rows = self.rows(batch).await?;
		let mut divided = (Vec::new(), Vec::new());
		for (due, row) in batch.iter().zip(rows) {
			let Status { provider, node } = self.store.status;
			let is_of = |copy: &rows::Copy| (copy.provider, copy.node) == (provider, node);
			match row.is_some_and(|row| row.committed_to().is_some_and(is_of)) {
				true => divided.0.push(Due { begun: true, ..*due }),
				false => divided.1.push(*due),
			}
		}
		Ok(divided)
	}

	/// Returns whether the content node has a version on the chain that this client's node of the
	/// chain lacks.
	async fn is_behind(&self, due: &Due, refused: &NodeError) -> Result<bool, Error> {
		Ok(refused.is_of("VersionAlreadyExists") && self.rows(&[*due]).await? == [None])
	}

	async fn rows(&self, due: &[Due]) -> Result<Vec<Option<rows::Version>>, Error> {
		let tenant = self.work.subject.tenant;
		let key = |due: &Due| (tenant, due.draft.object, due.draft.version);
		let read = async |chain: Arc<Chain>| {
			let at = chain.best().await?;
			Ok(chain.get_many(&at, &rows::versions(), due.iter().map(key)).await?)
		};
		self.work.ask(self.chain, read).await
	}

	/// Returns the file with the bytes of a version.
	fn file(&self, due: &Due) -> Upload {
		let Due { draft: DraftVersion { version, size, .. }, begun, package, .. } = *due;
		let path = self.store.path(&self.work.subject.packages[package].name, version);
		Upload { path, version, size, begun }
	}

	/// Waits until versions are final. Returns those that are not after a time without progress, and,
	/// unless it `is_last`, those that the chain has lost.
	async fn wait_until_final(
		&self,
		mut pending: Vec<Due>,
		is_last: bool,
	) -> Result<(Vec<Due>, Vec<Due>), Error> {
		let (mut since, mut is_reported) = (Instant::now(), false);
		let mut whole_at = Instant::now();
		loop {
			let rows = self.rows(&pending).await?;
			let before = pending.len();
			let (mut left, mut gone) = (Vec::new(), Vec::new());
			for (due, row) in pending.into_iter().zip(rows) {
				match row {
					None => gone.push(Due { begun: false, ..due }),
					Some(row) if row.finalized.is_none() => left.push(due),
					Some(_) => {},
				}
			}
			if gone.is_empty() {
				whole_at = Instant::now();
			} else if !is_last && whole_at.elapsed() >= GONE {
				return Ok((left, gone));
			}
			pending = left;
			pending.append(&mut gone);
			if pending.len() < before {
				since = Instant::now();
			}
			if pending.is_empty() || since.elapsed() >= self.patience() {
				return Ok((pending, Vec::new()));
			}
			if since.elapsed() >= QUIET && !std::mem::replace(&mut is_reported, true) {
				let versions = u64::try_from(pending.len()).unwrap_or(u64::MAX);
				self.work.report(Event::Unfinalized(versions));
			}
			sleep(POLL).await;
		}
	}
}

impl Store {
	/// Returns the file with the bytes of a version. Never the plain bytes of an encrypted one.
	pub(super) fn path(&self, name: &str, version: VersionId) -> PathBuf {
		match &self.encrypted {
			None => self.folder.join(name),
			Some(Encrypted { files, .. }) => files.get(&version).cloned().unwrap_or_default(),
		}
	}
}

/// Reports a content node that is away for more than a moment.
#[derive(Default)]
struct Away {
	since: Option<Instant>,
	is_reported: bool,
}

impl Away {
	/// Handles an error of the node. `None` if it answers.
	fn report(&mut self, work: &SourceWork<'_>, error: Option<&str>) {
		let Some(error) = error else {
			self.since = None;
			if std::mem::take(&mut self.is_reported) {
				work.report(Event::Back);
			}
			return;
		};
		let since = *self.since.get_or_insert_with(Instant::now);
		if since.elapsed() >= QUIET && !std::mem::replace(&mut self.is_reported, true) {
			let patience = work.publisher.options.patience;
			work.report(Event::Lost { error: error.to_owned(), patience });
		}
	}
}

/// Uploads files with this many bytes as they come, each version once, and adds them to a sum.
/// Reports the progress, and returns the results.
pub(super) async fn upload_all(
	work: &SourceWork<'_>,
	(store, requester): (&Store, &Arc<Requester>),
	all: &Arc<Uploading>,
	bytes: u64,
	files: impl Stream<Item = Upload>,
	uploaded: &Cell<Uploaded>,
) -> HashMap<VersionId, Result<(), String>> {
	let patience = work.publisher.options.patience;
	let mut seen = HashSet::new();
	let first = files.filter(|file| std::future::ready(seen.insert(file.version)));
	let uploads = first.map(async |file| {
		let (node, all, size) = (store.node.clone(), all.clone(), file.size);
		let (version, by) = (file.version, requester.clone());
		(version, size, blocking(move || node.upload(&file, &all, patience, &by)).await)
	});
	let mut results = HashMap::new();
	let mut uploads = std::pin::pin!(uploads.buffer_unordered(JOBS));
	let (mut lost, mut away) = (None, Away::default());
	loop {
		let next = tokio::select! {
			next = uploads.next() => next,
			() = sleep(POLL) => {
				let done = all.sent.load(Ordering::Relaxed);
				work.report(Event::Bytes { done, all: bytes });
				away.report(work, all.error().as_deref());
				continue;
			},
		};
		let Some((version, size, result)) = next else { break };
		work.report_clock(requester);
		if result.is_ok() {
			let Uploaded { files, bytes } = uploaded.get();
			uploaded.set(Uploaded { files: files + 1, bytes: bytes + size });
		}
		let result = result.map_err(|error| match error {
			NodeError::Unreachable { .. } => {
				// The others need not wait as long for it.
				all.stopped.store(true, Ordering::Relaxed);
				lost.get_or_insert_with(|| error.to_string()).clone()
			},
			NodeError::Interrupted => lost.clone().unwrap_or_else(|| error.to_string()),
			error => error.to_string(),
		});
		results.insert(version, result);
	}
	if bytes > 0 {
		work.report(Event::Bytes { done: all.sent.load(Ordering::Relaxed), all: bytes });
	}
	results
}
