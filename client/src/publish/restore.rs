// SPDX-License-Identifier: Apache-2.0
//! Final versions whose bytes the content node has lost: they are uploaded again.

use std::{
	cell::Cell,
	collections::{HashMap, HashSet},
	sync::{atomic::Ordering, Arc},
};

use futures::{stream, StreamExt};
use tokio::sync::watch;

use super::{
	plan::Place,
	report::{Event, FailureCause, Uploaded},
	rounds::{stopped, ChainNode},
	upload::{upload_all, Store, JOBS},
	work::SourceWork,
	Error,
};
use crate::{
	chain::{self, rows, Chain, Snapshot},
	content_node::{server, NodeError, Upload, Uploading},
	text::count,
};

/// A final version of the content node, and its place in the input.
type Final = (Upload, Place);

/// Reason and remedy for a final version whose node the chain no longer has.
const LEFT: &str =
	"it is final, and the chain no longer has a node that holds it, so nobody serves it: remove the file \
	 with `fabric unpublish`, and put it again";

/// Reason and remedy for a final version of nodes that serve no bytes, such as one of a publish without
/// bytes.
const UNSERVED: &str =
	"it is final, but no node that holds it serves bytes, and this content node takes in only what is \
	 committed to it: remove the file with `fabric unpublish`, and put it again";

/// Reason and remedy for a final version that was encrypted, so that no other file has its bytes.
const ENCRYPTED: &str =
	"the content node has lost its bytes, which were encrypted, and this machine has them no more: \
	 remove the file with `fabric unpublish`, and put it again";

/// Returns the upload of a version whose bytes this machine has.
fn is_there((upload, _): &Final) -> Option<Upload> {
	(!upload.path.as_os_str().is_empty()).then(|| upload.clone())
}

impl SourceWork<'_> {
	/// Asks the node for the final versions of the input that it is to hold, and uploads again
	/// what it lacks. Records what fails. If the node cannot be asked, a warning says so.
	pub(super) async fn restore(
		&mut self,
		node: &ChainNode,
		store: &Store,
		stop: &mut watch::Receiver<bool>,
	) -> Result<(), Error> {
		self.published.not_asked = 0;
		let all = Arc::new(Uploading::default());
		let to = (store, &self.requester(node, store));
		let restoring = async {
			let finals = async |chain: Arc<Chain>| Ok(self.finals(&chain, store).await?);
			let lost = lost(self.ask(node, finals).await?, store, self).await;
			let there: Vec<_> = lost.iter().filter_map(is_there).collect();
			let bytes = there.iter().map(|upload| upload.size).sum();
			let uploads = stream::iter(there);
			let results = upload_all(self, to, &all, bytes, uploads, &Cell::default()).await;
			Ok::<_, Error>((results, lost))
		};
		let (results, lost) = tokio::select! {
			restored = restoring => restored?,
			() = stopped(stop) => {
				all.stopped.store(true, Ordering::Relaxed);
				return Err(Error::Interrupted);
			},
		};
		let mut restored = Uploaded::default();
		for (upload, place) in lost {
			match results.get(&upload.version) {
				_ if upload.path.as_os_str().is_empty() => {
					let failure = self.failure(Some(place), None, FailureCause::Chain, ENCRYPTED);
					self.published.failures.push(failure);
				},
				Some(Err(reason)) => {
					let reason = format!("the content node has lost its bytes: {reason}");
					let failure = self.failure(Some(place), None, FailureCause::Chain, &reason);
					self.published.failures.push(failure);
				},
				_ => {
					restored.files += 1;
					restored.bytes += upload.size;
				},
			}
		}
		self.published.restored = Some(restored);
		Ok(())
	}

	/// Lists the final versions of the input that no present node both holds and serves. Counts those
	/// that the node of a dry run is not asked for.
	pub(super) async fn look_at_finals(
		&mut self,
		chain: &Chain,
		at: &Snapshot,
		store: &Store,
	) -> Result<(), Error> {
		let nodes = at.rows(rows::nodes(), ()).await?;
		let serves = |row: &rows::Node| server(&row.locator.raw()).is_ok();
		let nodes: HashMap<u64, bool> =
			nodes.into_iter().map(|(_, row)| (row.medallion.into(), serves(&row))).collect();
		let (mut left, mut elsewhere) = (0, 0);
		for (_, place, holders) in self.all_finals(chain, at, store).await? {
			if holders.contains(&store.medallion) {
				self.published.not_asked += 1;
				continue;
			}
			let present: Vec<_> = holders.iter().filter_map(|holder| nodes.get(holder)).collect();
			if present.contains(&&true) {
				elsewhere += 1;
				continue;
			}
			left += usize::from(present.is_empty());
			let reason = if present.is_empty() { LEFT } else { UNSERVED };
			let failure = self.failure(Some(place), None, FailureCause::Chain, reason);
			self.published.failures.push(failure);
		}
		if elsewhere > 0 {
			let versions = count(elsewhere, "final version is", "final versions are");
			self.report(Event::Warning(format!(
				"{versions} at other nodes, so this content node is not asked for the bytes"
			)));
		}
		if left > 0 {
			let versions = count(left, "final version is", "final versions are");
			self.report(Event::Warning(format!(
				"{versions} without a node that the chain still has, so nobody serves them"
			)));
		}
		Ok(())
	}

	/// Returns the final versions of the input that the node has declared that it holds, each once.
	async fn finals(&self, chain: &Chain, store: &Store) -> Result<Vec<Final>, chain::Error> {
		let finals = self.all_finals(chain, &chain.best().await?, store).await?;
		let mut seen = HashSet::new();
		Ok(finals
			.into_iter()
			.filter(|(upload, _, holders)| {
				holders.contains(&store.medallion) && seen.insert(upload.version)
			})
			.map(|(upload, place, _)| (upload, place))
			.collect())
	}

	/// Returns the final versions of the input, with the medallions of the nodes that have declared
	/// that they hold them.
	async fn all_finals(
		&self,
		chain: &Chain,
		at: &Snapshot,
		store: &Store,
	) -> Result<Vec<(Upload, Place, HashSet<u64>)>, chain::Error> {
		let tenant = self.subject.tenant;
		let mut files = HashMap::new();
		for (package, object) in self.subject.packages.iter().enumerate() {
			let id = object.id(tenant);
			for (release, found) in object.releases.iter().enumerate() {
				let place = Place { package, release: Some(release) };
				files.insert((tenant, id, found.hash.version), (place, found.size));
			}
		}
		let keys: Vec<_> = files.keys().copied().collect();
		let rows = chain.get_many(at, rows::versions(), keys.iter().copied()).await?;
		let finals = keys.into_iter().zip(rows);
		Ok(finals
			.filter_map(|(key, row)| {
				let row = row.filter(|row| row.finalized.is_some())?;
				let (place, size) = files[&key];
				let path = store.path(&self.subject.packages[place.package].name, key.2);
				let upload = Upload { path, version: key.2, size: size?, begun: true };
				let held = row.copies.iter().filter(|copy| copy.held.is_some());
				Some((upload, place, held.map(|copy| copy.medallion.into()).collect()))
			})
			.collect())
	}
}

/// Returns the versions that the node lacks. Asks once for each, and stops at the first answer that
/// says nothing about a version.
async fn lost(finals: Vec<Final>, store: &Store, work: &SourceWork<'_>) -> Vec<Final> {
	let (all, mut known, mut unknown, mut lost) = (finals.len(), 0, 0, Vec::new());
	let asking = stream::iter(finals).map(async |(upload, place)| {
		let answer = store.node.lacks(upload.version).await;
		(answer, (upload, place))
	});
	let mut answers = std::pin::pin!(asking.buffer_unordered(JOBS));
	while let Some((answer, found)) = answers.next().await {
		match answer {
			Ok(true) => lost.push(found),
			Ok(false) => {},
			Err(NodeError::Refused { status: 404, .. }) => unknown += 1,
			Err(error) => {
				let left = count(all - known, "final version", "final versions");
				let text = format!("it is not known whether the bytes of {left} are lost: {error}");
				work.report(Event::Warning(text));
				break;
			},
		}
		known += 1;
	}
	if unknown > 0 {
		let versions = count(unknown, "final version", "final versions");
		work.report(Event::Warning(format!(
			"the content node at {} knows no commit of {versions}, so it does not take the bytes: it \
			 may be behind the chain",
			store.node.url()
		)));
	}
	lost
}
