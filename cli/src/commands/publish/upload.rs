// SPDX-License-Identifier: Apache-2.0
//! Uploads: a content node drafts the commits of files, has them signed, takes in the bytes, and
//! finalizes the versions.

use std::{
	collections::{HashMap, HashSet},
	path::PathBuf,
	sync::{atomic::Ordering, Arc},
	time::{Duration, Instant},
};

use content_fabric_client::{
	chain::{rows, wall_clock, Chain},
	content_node::{blocking, ContentNode, NodeError, Status, Upload, Uploading},
	drafts::{DraftRequest, DraftedVersion, SignedDraft},
};
use content_fabric_identifiers::VersionId;
use content_fabric_primitives::DraftVersion;
use futures::{channel::mpsc, Stream, StreamExt};
use tokio::{sync::watch, time::sleep};

use super::{plan::Item, report::Uploaded, work::RegistryWork, Run};
use crate::{commands::version::ensure_signable, progress::Progress, Error};

/// Number of files that are uploaded at the same time. A content node allows 16 of one address.
pub(super) const JOBS: usize = 12;
/// Time between two looks at what has changed.
const POLL: Duration = Duration::from_millis(200);
/// The first pause before a commit is tried again. The next one is twice as long.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The content node that takes in the bytes, and the folder that they are in.
pub(super) struct Store {
	pub node: ContentNode,
	pub status: Status,
	/// The medallion of the node on the chain.
	pub medallion: u64,
	/// The folder from which the names of packages lead to files.
	pub folder: PathBuf,
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

impl RegistryWork<'_> {
	/// Commits and uploads what the plan lacks, and waits until it is final. Records what fails.
	pub(super) async fn upload(
		&mut self,
		chain: &Chain,
		store: &Store,
		run: &Run<'_>,
		stop: &mut watch::Receiver<bool>,
	) -> Result<(), Error> {
		let tenant = self.subject.tenant;
		self.publisher.set_up(chain, tenant, &mut self.setup_transactions).await?;
		let due = self.due(store);
		let intake = Intake { chain, store, work: self, run, all: Arc::default() };
		let (failed, commits, uploaded) = tokio::select! {
			taken = intake.take_in(&due) => taken?,
			() = interrupted(stop) => {
				intake.all.stopped.store(true, Ordering::Relaxed);
				return Err(Error::Interrupted);
			},
		};
		self.setup_transactions += commits;
		self.published.uploaded = Some(uploaded);
		let lost: HashSet<_> = failed.iter().map(|(task, _)| *task).collect();
		for (task, reason) in failed {
			self.fail_planned(task, &reason);
		}
		for due in due.iter().filter(|due| !lost.contains(&due.task)) {
			self.tally.done(&self.plan.items[due.task].topic());
		}
		Ok(())
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
				Item::Finalize { node, version: (object, version), place }
					if *node == store.status.node =>
				{
					let (object, version, package) = (*object, *version, place.package);
					// The size of the file, as it was hashed.
					let release = place
						.release
						.and_then(|place| self.subject.packages[package].releases.get(place));
					let size = release.and_then(|release| release.size).unwrap_or_default();
					let draft = DraftVersion { object, version, size, set_head_on_finalize: false };
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

/// The uploads of a registry.
struct Intake<'a> {
	chain: &'a Chain,
	store: &'a Store,
	work: &'a RegistryWork<'a>,
	run: &'a Run<'a>,
	all: Arc<Uploading>,
}

impl Intake<'_> {
	/// Commits, uploads, and waits for the finalizations. Returns the failures, the number of
	/// commits, and what was uploaded.
	async fn take_in(&self, due: &[Due]) -> Result<(Failures, u64, Uploaded), Error> {
		let mut sizes = HashMap::new();
		sizes.extend(due.iter().map(|due| (due.draft.version, due.draft.size)));
		let (sender, receiver) = mpsc::unbounded();
		let files = receiver.map(|due| self.file(&due));
		let bytes = sizes.values().sum();
		let upload = upload_all(self.run, self.store, &self.all, bytes, files);
		let (committed, uploaded) = tokio::join!(self.commit_all(due, sender), upload);
		let (mut failed, commits) = committed?;
		let files = uploaded.values().filter(|result| result.is_ok()).count();
		let sent = uploaded.iter().filter(|(_, result)| result.is_ok());
		let bytes = sent.filter_map(|(version, _)| sizes.get(version)).sum();
		let uploaded_files = Uploaded { files: u64::try_from(files).unwrap_or(u64::MAX), bytes };
		let mut whole = Vec::new();
		for due in due {
			match uploaded.get(&due.draft.version) {
				Some(Err(reason)) => failed.push((due.task, reason.clone())),
				Some(Ok(())) => whole.push(*due),
				None => {},
			}
		}
		let is_failed: HashSet<_> = failed.iter().map(|(task, _)| *task).collect();
		whole.retain(|due| !is_failed.contains(&due.task));
		let pending = self.wait_until_final(whole).await?;
		if !pending.is_empty() {
			let seconds = self.run.patience().as_secs();
			let reason = match self.store.node.status().await {
				Ok(_) => format!("it has finalized nothing for {seconds} seconds"),
				Err(error) => error.to_string(),
			};
			let reason = format!("the bytes were sent, but {reason}: run the command again");
			failed.extend(pending.into_iter().map(|due| (due.task, reason.clone())));
		}
		Ok((failed, commits, uploaded_files))
	}

	/// Has versions committed in batches, and passes on those whose bytes may be uploaded. Halves a
	/// refused batch until it finds the versions at fault. Returns those, and the number of
	/// commits.
	async fn commit_all(
		&self,
		due: &[Due],
		sender: mpsc::UnboundedSender<Due>,
	) -> Result<(Failures, u64), Error> {
		// The receiver ends after all senders.
		let pass_on = |due: &Due| drop(sender.unbounded_send(*due));
		let (begun, fresh): (Vec<_>, Vec<_>) = due.iter().copied().partition(|due| due.begun);
		begun.iter().for_each(pass_on);
		let mut batches: Vec<_> =
			fresh.chunks(self.work.limits.items[0]).rev().map(<[_]>::to_vec).collect();
		let (mut failed, mut commits) = (Failures::new(), 0);
		while let Some(batch) = batches.pop() {
			let (start, mut pause) = (Instant::now(), PAUSE);
			loop {
				let refused = match self.commit(&batch).await {
					Ok(()) => {
						commits += 1;
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
				if present.is_empty() && !refused.is_refused_commit() {
					if !refused.is_transient() || start.elapsed() >= self.run.patience() {
						return Err(refused.into());
					}
					// With another draft, as this one may have lapsed.
					sleep(pause).await;
					pause = (pause * 2).min(LONGEST_PAUSE);
					continue;
				}
				match &absent[..] {
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
		Ok((failed, commits))
	}

	async fn commit(&self, batch: &[Due]) -> Result<(), Error> {
		let versions = batch.iter().map(|due| DraftedVersion::from(due.draft));
		let asked = DraftRequest {
			tenant: self.work.subject.tenant,
			kms: None,
			create_objects: true,
			versions: versions.collect(),
		};
		let Store { node, status, medallion, .. } = self.store;
		let draft = node.draft(asked, *status, *medallion).await?;
		draft.ensure_chain(&self.chain.identity().genesis_hash)?;
		draft.commit()?;
		let signer = &self.run.publisher.tenant;
		let max_ahead = self.run.publisher.options.keys.max_ahead;
		let kind = self.chain.identity().kind;
		ensure_signable(draft.muid, wall_clock(), max_ahead, kind, signer)?;
		let signature = signer.sign(&draft.payload);
		Ok(node.commit(SignedDraft::new(draft, *signer.account(), signature)).await?)
	}

	/// Returns the versions of a batch that the node has committed, and those that it has not.
	async fn divide(&self, batch: &[Due]) -> Result<(Vec<Due>, Vec<Due>), Error> {
		let rows = self.rows(batch).await?;
		let mut divided = (Vec::new(), Vec::new());
		for (due, row) in batch.iter().zip(rows) {
			let Status { provider, node } = self.store.status;
			match row.is_some_and(|row| (row.originator, row.node) == (provider, node)) {
				true => divided.0.push(Due { begun: true, ..*due }),
				false => divided.1.push(*due),
			}
		}
		Ok(divided)
	}

	async fn rows(&self, due: &[Due]) -> Result<Vec<Option<rows::Version>>, Error> {
		let (at, tenant) = (self.chain.best().await?, self.work.subject.tenant);
		let key = |due: &Due| (tenant, due.draft.object, due.draft.version);
		Ok(self.chain.get_many(&at, &rows::versions(), due.iter().map(key)).await?)
	}

	/// Returns the file with the bytes of a version.
	fn file(&self, due: &Due) -> Upload {
		let Due { draft: DraftVersion { version, size, .. }, begun, package, .. } = *due;
		let path = self.store.folder.join(&self.work.subject.packages[package].name);
		Upload { path, version, size, begun }
	}

	/// Waits until versions are final. Returns those that are not after a time without progress.
	async fn wait_until_final(&self, mut pending: Vec<Due>) -> Result<Vec<Due>, Error> {
		let mut since = Instant::now();
		loop {
			let rows = self.rows(&pending).await?;
			let before = pending.len();
			let mut rows = rows.into_iter();
			pending.retain(|_| {
				let row = rows.next().flatten();
				row.is_none_or(|row| row.finalized.is_none())
			});
			if pending.len() < before {
				since = Instant::now();
			}
			if pending.is_empty() || since.elapsed() >= self.run.patience() {
				return Ok(pending);
			}
			sleep(POLL).await;
		}
	}
}

/// Uploads files with this many bytes as they come, each version once. Shows the progress, and
/// returns the results.
pub(super) async fn upload_all(
	run: &Run<'_>,
	store: &Store,
	all: &Arc<Uploading>,
	bytes: u64,
	files: impl Stream<Item = Upload>,
) -> HashMap<VersionId, Result<(), String>> {
	let progress = Progress::of_bytes(!run.publisher.context.json());
	let show = || progress.set(all.sent.load(Ordering::Relaxed), bytes);
	let mut seen = HashSet::new();
	let first = files.filter(|file| std::future::ready(seen.insert(file.version)));
	let uploads = first.map(async |file| {
		let (node, all, patience) = (store.node.clone(), all.clone(), run.patience());
		(file.version, blocking(move || node.upload(&file, &all, patience)).await)
	});
	let mut results = HashMap::new();
	let mut uploads = std::pin::pin!(uploads.buffer_unordered(JOBS));
	let mut lost = None;
	loop {
		let next = tokio::select! {
			next = uploads.next() => next,
			() = sleep(POLL) => {
				show();
				continue;
			},
		};
		let Some((version, result)) = next else { break };
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
	show();
	results
}

/// Waits for the first Ctrl-C.
pub(super) async fn interrupted(stop: &mut watch::Receiver<bool>) {
	if stop.wait_for(|stopped| *stopped).await.is_err() {
		std::future::pending::<()>().await;
	}
}
