// SPDX-License-Identifier: Apache-2.0
//! Drafts that the node hands out, and the signed ones that it commits.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use content_fabric_client::{
	chain::{
		calls::{CommitVersions, Encoded},
		Error as ChainError, VersionCommit,
	},
	drafts::{Draft, DraftRequest, DraftedVersion, SignedDraft},
};
use content_fabric_identifiers::{Muid, VersionId};
use content_fabric_primitives::DraftVersion;
use tokio::time::Instant;

use super::{funds::Shortage, Fabric};
use crate::{
	error::Error,
	keep::{upload::Uploads, Row, Totals, VersionKey},
	now_seconds,
};

/// Time in which a draft must come back with a signature.
const VALID: Duration = Duration::from_secs(60);
/// Longest time for which a draft waits for the one before it.
const WAIT: Duration = Duration::from_secs(10);
/// Number of bytes that a disk gives to a file at once.
const BLOCK: u64 = 4_096;
/// Time between two looks at the draft before.
const LOOK: Duration = Duration::from_millis(20);

/// A draft or a commit is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
	/// The request is wrong.
	#[error("{0}")]
	Wrong(String),
	/// The versions have no room.
	#[error("the versions need {needed} bytes, but the node has room for {free}")]
	Full { free: u64, needed: u64 },
	/// Another draft is open.
	#[error("another draft is open: try again in a minute")]
	Busy,
	/// The chain cannot be followed now.
	#[error("the chain cannot be followed now: {0}")]
	Unready(String),
	/// The draft is not the one that the node waits for.
	#[error("the draft is not the open one of this node, or has lapsed: request another one")]
	Lapsed,
	/// The chain does not accept the commit.
	#[error("the chain does not accept the commit: {0}")]
	Chain(String),
	/// The operator cannot pay.
	#[error(transparent)]
	Funds(Shortage),
	/// The chain is not the one that the node has followed.
	#[error("the node takes nothing in: {0}")]
	OtherChain(String),
	/// Something failed.
	#[error(transparent)]
	Failed(Error),
}

impl<E: Into<Error>> From<E> for Refusal {
	fn from(error: E) -> Self {
		Self::Failed(error.into())
	}
}

/// The room for the bytes of versions.
pub struct Room {
	/// Largest number of bytes that the node holds, those promised included.
	pub capacity: u64,
	/// The disk that uploads go to.
	pub disk: Arc<Uploads>,
	/// True if the disk keeps the bytes of all versions. Otherwise they leave it one by one.
	pub keeps_all: bool,
}

impl Room {
	/// Checks that there is room for bytes of these lengths.
	fn ensure(&self, lengths: &[u64], totals: Totals) -> Result<(), Refusal> {
		let fits = |needed, free| match needed <= free {
			true => Ok(()),
			false => Err(Refusal::Full { free, needed }),
		};
		let sum = lengths.iter().fold(0u64, |sum, length| sum.saturating_add(*length));
		let used = totals.held.saturating_add(totals.promised);
		fits(sum, self.capacity.saturating_sub(used))?;
		let free = self.disk.room()?;
		if !self.keeps_all {
			return fits(lengths.iter().copied().max().unwrap_or_default(), free);
		}
		let blocks = lengths.iter().map(|length| length.checked_next_multiple_of(BLOCK));
		let sum = blocks.fold(0u64, |sum, blocks| sum.saturating_add(blocks.unwrap_or(u64::MAX)));
		// The bytes of an incomplete upload count twice: as used on the disk, and as promised.
		fits(sum, free.saturating_sub(totals.promised))
	}
}

/// The drafts of the node, one at a time.
#[derive(Default)]
pub(super) struct Drafts {
	open: Option<Open>,
	/// The last muid that was handed out.
	last: Option<Muid>,
}

/// The draft that may be committed.
struct Open {
	draft: Draft,
	commit: VersionCommit,
	since: Instant,
}

impl Drafts {
	/// Returns `true` if no draft is open, or the open one has lapsed.
	fn are_free(&self) -> bool {
		self.open.as_ref().is_none_or(Open::has_lapsed)
	}

	/// Opens a draft, from now on.
	fn open(&mut self, draft: Draft, commit: VersionCommit) {
		self.last = Some(commit.muid);
		self.open = Some(Open { draft, commit, since: Instant::now() });
	}

	/// Returns the commit of a draft. `None` if it is not the open one, or has lapsed.
	fn commit_of(&self, draft: &Draft) -> Option<&VersionCommit> {
		let open = self.open.as_ref().filter(|open| open.draft == *draft && !open.has_lapsed());
		open.map(|open| &open.commit)
	}
}

impl Open {
	fn has_lapsed(&self) -> bool {
		self.since.elapsed() > VALID
	}
}

impl Fabric {
	/// Drafts a commit. Waits a while for the open draft to come back.
	pub async fn draft(&self, request: DraftRequest) -> Result<Draft, Refusal> {
		self.ensure_same_chain()?;
		let link = self.link()?;
		let (number, limit) = (request.versions.len(), link.limit);
		if number == 0 || number > limit {
			return Err(Refusal::Wrong(format!(
				"a draft has 1 to {limit} versions, and the request has {number}"
			)));
		}
		self.ensure_room(&request.versions)?;
		let versions: Vec<_> = request.versions.into_iter().map(DraftVersion::from).collect();
		let too_many = |_| Refusal::Wrong("the request has too many versions".into());
		let mut commit = VersionCommit {
			// Not known yet.
			muid: Muid::from_bytes([0; Muid::LEN]),
			originator: self.provider,
			node: self.node,
			tenant: request.tenant,
			kms: request.kms,
			create_objects: request.create_objects,
			versions: versions.try_into().map_err(too_many)?,
		};
		self.ensure_funds(&link.chain.best().await?, &commit).await?;
		// Others do not wait for this.
		let stands_still = link.chain.stands_still().await?;
		let free = async {
			loop {
				let state = self.drafts.lock().await;
				if state.are_free() {
					return state;
				}
				drop(state);
				tokio::time::sleep(LOOK).await;
			}
		};
		let mut state = tokio::time::timeout(WAIT, free).await.map_err(|_| Refusal::Busy)?;
		// Only now, as the draft before may have been committed meanwhile.
		let chain = &self.link()?.chain;
		let muid = chain.next_muid((self.provider, self.node), stands_still, state.last).await?;
		commit.muid = muid;
		let draft = Draft::new(chain.identity().genesis_hash, &commit);
		state.open(draft.clone(), commit);
		Ok(draft)
	}

	/// Commits a signed draft. Returns its rows, and the number of the block that they are in.
	pub async fn commit(&self, signed: SignedDraft) -> Result<(u64, Vec<VersionKey>), Refusal> {
		let signature = signed.signature().map_err(|error| Refusal::Wrong(error.to_string()))?;
		let mut state = self.drafts.lock().await;
		let commit = state.commit_of(&signed.draft).ok_or(Refusal::Lapsed)?.clone();
		self.ensure_same_chain()?;
		self.ensure_room(&signed.draft.versions)?;
		let at = self.link()?.chain.best().await?;
		self.ensure_funds(&at, &commit).await?;
		let call = at.encode(CommitVersions {
			tenant_signer: signed.account,
			commit: Encoded::new(&commit),
			signature,
		})?;
		if let Some(reason) = self.refusal(&at, &call).await? {
			return Err(Refusal::Chain(reason));
		}
		// Bytes that are here already are hashed again before they are final for another tenant.
		self.verifier.forget(commit.versions.iter().map(|version| version.version));
		// Whatever happens to the transaction, the muid is used.
		state.open = None;
		let block = match self.submit(&call).await {
			Ok(included) => included.block_number,
			Err(ChainError::Dispatch { reason, .. }) => return Err(Refusal::Chain(reason)),
			Err(error) => return Err(error.into()),
		};
		let rows: Vec<_> = commit
			.drafts()
			.map(|(muid, version)| {
				let key = VersionKey {
					tenant: commit.tenant,
					object: version.object,
					version: version.version,
				};
				let (muid, size) = (muid.to_bytes(), version.size);
				(key, Row { muid, size, is_final: false, pending: Some(block) })
			})
			.collect();
		let changes: Vec<_> = rows.iter().map(|(key, row)| (*key, Some(*row))).collect();
		self.keep.put(&changes, now_seconds())?;
		// Bytes that another row has brought need no upload.
		self.arrived.notify_one();
		Ok((block, rows.into_iter().map(|(key, _)| key).collect()))
	}

	/// Checks that the chain was not found to be another one than before, or behind, when it may be
	/// another one.
	fn ensure_same_chain(&self) -> Result<(), Refusal> {
		match (self.problem.other_chain(), self.problem.reason()) {
			(Some(reason), _) => Err(Refusal::OtherChain(reason)),
			(None, Some(reason)) => Err(Refusal::Unready(reason)),
			(None, None) => Ok(()),
		}
	}

	/// Checks that there is room for bytes that are neither here nor promised yet.
	fn ensure_room(&self, versions: &[DraftedVersion]) -> Result<(), Refusal> {
		let mut sizes = BTreeMap::new();
		for DraftedVersion { version, size, .. } in versions {
			let largest: &mut u64 = sizes.entry(version.0).or_default();
			*largest = (*largest).max(*size);
		}
		let mut lengths = Vec::new();
		for (version, size) in sizes {
			let version = VersionId(version);
			match self.keep.held(version)? {
				Some(held) if held.is_damaged => lengths.push(size),
				Some(_) => {},
				None => {
					let promised = self.keep.needed(version)?.unwrap_or_default();
					lengths.push(size.saturating_sub(promised));
				},
			}
		}
		self.room.ensure(&lengths, self.keep.totals())
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, TenantId};
	use tokio::time::advance;

	use super::*;

	fn commit(number: u8) -> VersionCommit {
		let version = DraftVersion {
			object: ContentObjectId([1; 10]),
			version: VersionId([number; 32]),
			size: 1,
			set_head_on_finalize: false,
		};
		VersionCommit {
			muid: Muid::from_bytes([number; Muid::LEN]),
			originator: ProviderId([2; 10]),
			node: NodeId([3; 10]),
			tenant: TenantId([4; 10]),
			kms: KmsId([5; 10]),
			create_objects: false,
			versions: vec![version].try_into().expect("one version is within the limit"),
		}
	}

	#[tokio::test(start_paused = true)]
	async fn a_draft_keeps_others_waiting_until_it_is_committed_or_a_minute_is_over() {
		let draft = |number| Draft::new([0; 32], &commit(number));
		let mut drafts = Drafts::default();
		assert!(drafts.are_free() && drafts.commit_of(&draft(1)).is_none());
		drafts.open(draft(1), commit(1));
		advance(VALID).await;
		assert!(!drafts.are_free());
		assert_eq!(drafts.commit_of(&draft(1)), Some(&commit(1)));
		assert_eq!(drafts.commit_of(&draft(2)), None);
		advance(Duration::from_millis(1)).await;
		assert!(drafts.are_free(), "the draft has not lapsed");
		assert_eq!(drafts.commit_of(&draft(1)), None);
		drafts.open(draft(2), commit(2));
		assert!(!drafts.are_free());
		assert_eq!(drafts.last, Some(commit(2).muid));
		// It is committed.
		drafts.open = None;
		assert!(drafts.are_free());
		assert_eq!(drafts.last, Some(commit(2).muid));
	}
}
