// SPDX-License-Identifier: Apache-2.0
//! Drafts that the node hands out, and the signed ones that it commits.

use std::{
	collections::BTreeMap,
	net::IpAddr,
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
};

use content_fabric_client::{
	chain::{
		calls::{CommitVersions, Encoded},
		wall_clock, Error as ChainError, MuidSource, VersionCommit,
	},
	drafts::{Draft, DraftError, DraftRequest, DraftedVersion, SignedDraft},
};
use content_fabric_identifiers::{Muid, VersionId};
use content_fabric_primitives::{known_size, DraftVersion};

use super::{drafts::Lapse, funds::Shortage, Fabric};
use crate::{
	error::Error,
	keep::{upload::Uploads, Held, KeepError, Row, Totals, VersionKey},
	now_seconds as now,
	store::{outboard::SMALL, StoreError},
	tree::Tree,
};

/// Number of bytes that a disk gives to a file at once.
const BLOCK: u64 = 4_096;
/// Number of blocks after which a commit can no longer get into a block. Its transaction is valid
/// for 64 blocks, and may be signed anew a few times.
const INCLUSION: u64 = 128;
/// The pallet of commits.
const PALLET: &str = "ContentFabric";

/// A draft or a commit is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
	/// The request is wrong.
	#[error("{0}")]
	Wrong(String),
	/// The versions have no room.
	#[error("the versions need {needed} bytes, but the node has room for {free}")]
	Full { free: u64, needed: u64 },
	/// The chain cannot be followed now.
	#[error("the chain cannot be followed now: {0}")]
	Unready(String),
	/// No other draft can be opened now.
	#[error("too many drafts of others await a signature: try again")]
	Crowded,
	/// The draft cannot be committed any more.
	#[error("{0}: request another one")]
	Lapsed(#[from] Lapse),
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
	/// Number of bytes that downloads from other nodes are going to need.
	pub reserved: AtomicU64,
}

/// Room for a download, until it is dropped.
pub struct Reserved<'a> {
	room: &'a Room,
	bytes: u64,
}

impl Drop for Reserved<'_> {
	fn drop(&mut self) {
		self.room.reserved.fetch_sub(self.bytes, Ordering::Relaxed);
	}
}

impl Room {
	/// Reserves room for bytes.
	fn reserve(&self, bytes: u64, totals: Totals) -> Result<Reserved<'_>, Refusal> {
		self.ensure(&[bytes], totals)?;
		self.reserved.fetch_add(bytes, Ordering::Relaxed);
		Ok(Reserved { room: self, bytes })
	}

	/// Returns the number of bytes that are promised, also to downloads.
	fn promised(&self, totals: Totals) -> u64 {
		totals.promised.saturating_add(self.reserved.load(Ordering::Relaxed))
	}

	/// Returns the number of bytes for which there is room, also on the disk.
	fn left(&self, totals: Totals) -> Result<u64, StoreError> {
		let promised = self.promised(totals);
		let of_capacity = self.capacity.saturating_sub(totals.held.saturating_add(promised));
		let on_disk = self.disk.room()?;
		Ok(of_capacity.min(match self.keeps_all {
			true => on_disk.saturating_sub(promised),
			false => on_disk,
		}))
	}

	/// Checks that there is room for bytes of these lengths.
	fn ensure(&self, lengths: &[u64], totals: Totals) -> Result<(), Refusal> {
		let promised = self.promised(totals);
		let fits = |needed, free| match needed <= free {
			true => Ok(()),
			false => Err(Refusal::Full { free, needed }),
		};
		let sum = lengths.iter().fold(0u64, |sum, length| sum.saturating_add(*length));
		let used = totals.held.saturating_add(promised);
		fits(sum, self.capacity.saturating_sub(used))?;
		let free = self.disk.room()?;
		if !self.keeps_all {
			return fits(lengths.iter().copied().max().unwrap_or_default(), free);
		}
		let outboard = |size: &u64| if *size > SMALL { Tree { size: *size }.outboard() } else { 0 };
		let files = lengths.iter().flat_map(|size| [*size, outboard(size)]);
		let blocks = files.map(|length| length.checked_next_multiple_of(BLOCK));
		let sum = blocks.fold(0u64, |sum, blocks| sum.saturating_add(blocks.unwrap_or(u64::MAX)));
		// The bytes of an incomplete upload count twice: as used on the disk, and as promised.
		fits(sum, free.saturating_sub(promised))
	}
}

impl Fabric {
	/// Returns the number of bytes for which there is room. `None` if the disk cannot be written or
	/// measured.
	pub fn room(&self) -> Option<u64> {
		self.room.left(self.keep.totals()).ok()
	}

	/// Drafts a commit for a client.
	pub async fn draft(&self, client: IpAddr, request: DraftRequest) -> Result<Draft, Refusal> {
		self.ensure_same_chain()?;
		let limit = self.link()?.limit;
		let number = request.versions.len();
		if number == 0 || number > limit {
			return Err(Refusal::Wrong(format!(
				"a draft has 1 to {limit} versions, and the request has {number}"
			)));
		}
		request.versions.iter().try_for_each(ensure_size)?;
		self.ensure_room(&request.versions)?;
		let versions: Vec<_> = request.versions.into_iter().map(DraftVersion::from).collect();
		let too_many = |_| Refusal::Wrong("the request has too many versions".into());
		let copies: Vec<_> =
			request.copies.iter().map(|asked| (asked.provider, asked.node)).collect();
		let too_many_copies = |_| Refusal::Wrong("the request asks too many nodes".into());
		let mut commit = VersionCommit {
			// Not known yet.
			muid: Muid::from_bytes([0; Muid::LEN]),
			originator: self.provider,
			node: self.node,
			copies: copies.try_into().map_err(too_many_copies)?,
			tenant: request.tenant,
			kms: request.kms,
			create_objects: request.create_objects,
			versions: versions.try_into().map_err(too_many)?,
		};
		let tip = self.tip().await?;
		self.ensure_funds(&tip, &commit).await?;
		let mut muids = MuidSource { stands_still: tip.stands_still().await?, ..tip.muids };
		let opened = self.drafts.open(client, |last| {
			muids.last = muids.last.max(last);
			commit.muid = muids.next(tip.now, wall_clock())?;
			Ok::<_, Refusal>(Draft::new(tip.link.chain.identity().genesis_hash, &commit))
		})?;
		opened.ok_or(Refusal::Crowded)
	}

	/// Commits a signed draft when it has its turn. Returns its rows, and the number of the block
	/// that they are in.
	pub async fn commit(&self, signed: SignedDraft) -> Result<(u64, Vec<VersionKey>), Refusal> {
		let wrong = |error: DraftError| Refusal::Wrong(error.to_string());
		let signature = signed.signature().map_err(wrong)?;
		self.ensure_same_chain()?;
		self.drafts.ensure_open(&signed.draft)?;
		let commit = signed.draft.commit().map_err(wrong)?;
		// Nobody waits for a commit that cannot be paid.
		self.ensure_funds(&*self.tip().await?, &commit).await?;
		let turn = self.drafts.turn(&signed.draft).await?;
		self.ensure_room(&signed.draft.versions)?;
		let tip = self.tip().await?;
		self.ensure_funds(&tip, &commit).await?;
		let call = tip.at.encode(CommitVersions {
			tenant_signer: signed.account,
			commit: Encoded::new(&commit),
			signature,
		})?;
		if let Some(reason) = self.refusal(&tip.at, &call).await? {
			let error = ChainError::Dispatch { call: call.name(), reason };
			// The next block has the time of the clock, as the commit has.
			let is_in_time = error.is_of(PALLET, "MuidTooNew") && tip.stands_still().await?;
			if !is_in_time {
				return Err(refused(error));
			}
		}
		turn.submits();
		// Bytes that are here already are hashed again before they are final for another tenant.
		self.verifier.forget(commit.versions.iter().map(|version| version.version));
		let last_block = tip.at.block_number().saturating_add(INCLUSION);
		let rows = rows_of(&commit, last_block);
		// Rows are recorded before the commit is submitted, so that a process that is killed and
		// restarted takes in their bytes. A finalized block removes those that the chain lacks.
		// A row that is here already is one that the tenant has deleted, in a block that is not final.
		let with_former = |(key, row): (VersionKey, Row)| Ok((key, self.keep.row(&key)?, row));
		let rows = rows.into_iter().map(with_former).collect::<Result<Vec<_>, KeepError>>()?;
		let promises = rows.iter().map(|(key, former, row)| (*key, *former, Some(*row)));
		self.keep.exchange(promises, now())?;
		let block = match self.submit(&call).await {
			Ok(included) => included.block_number,
			Err(error) => {
				if error.is_final_refusal() {
					let taken_back =
						rows.iter().map(|(key, former, row)| (*key, Some(*row), *former));
					self.keep.exchange(taken_back, now())?;
				}
				return Err(refused(error));
			},
		};
		let included = |row: &Row| Row { pending: Some(block), ..*row };
		let changes = rows.iter().map(|(key, _, row)| (*key, Some(*row), Some(included(row))));
		self.keep.exchange(changes, now())?;
		// Bytes that another row has brought need no upload.
		self.arrived.notify_one();
		Ok((block, rows.into_iter().map(|(key, ..)| key).collect()))
	}

	/// Reserves room for a download from another node.
	pub fn reserve(&self, bytes: u64) -> Result<Reserved<'_>, Refusal> {
		self.room.reserve(bytes, self.keep.totals())
	}

	/// Reserves room for the bytes of an unfinished download, instead of those that it had before.
	pub fn reserve_part(&self, before: u64, now: u64) {
		self.room.reserved.fetch_add(now, Ordering::Relaxed);
		self.room.reserved.fetch_sub(before, Ordering::Relaxed);
	}

	/// Checks that the chain was not found to be another one than before, or behind, when it may be
	/// another one.
	pub fn ensure_same_chain(&self) -> Result<(), Refusal> {
		match (self.problem.other_chain(), self.problem.reason()) {
			(Some(reason), _) => Err(Refusal::OtherChain(reason)),
			(None, Some(reason)) => Err(Refusal::Unready(reason)),
			(None, None) => Ok(()),
		}
	}

	/// Checks that there is room for bytes that are neither here nor promised yet. Also checks
	/// that a version whose bytes are here has their kind of hash and their length.
	fn ensure_room(&self, versions: &[DraftedVersion]) -> Result<(), Refusal> {
		let mut sizes = BTreeMap::new();
		for DraftedVersion { version, hash, size, .. } in versions {
			let wrong = |held: Held| match (*hash, *size) {
				(hash, _) if hash != held.hash => Some(format!(
					"`hash` of the version {version} is {hash}, expected {}: it is that hash of the \
					 bytes that the node has",
					held.hash
				)),
				(_, size) if size != held.size => Some(format!(
					"`size` of the version {version} is {size}, expected {}: the node has its bytes",
					held.size
				)),
				_ => None,
			};
			if let Some(reason) = self.keep.held(*version)?.and_then(wrong) {
				return Err(Refusal::Wrong(reason));
			}
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

/// Returns the rows of a commit that can get into blocks up to this one.
fn rows_of(commit: &VersionCommit, block: u64) -> Vec<(VersionKey, Row)> {
	let row = |(muid, draft): (Muid, &DraftVersion)| {
		let DraftVersion { object, version, hash, size, .. } = *draft;
		let muid = muid.to_bytes();
		let row = Row { muid, hash, size, is_final: false, pending: Some(block) };
		(VersionKey { tenant: commit.tenant, object, version }, row)
	};
	commit.drafts().map(row).collect()
}

/// Returns the refusal of a commit that the chain has refused, or would refuse.
fn refused(error: ChainError) -> Refusal {
	// Somebody has committed for the node past this program, or before it started.
	if error.is_of(PALLET, "MuidNotMonotonic") {
		return Lapse::Overtaken.into();
	}
	match error {
		error if error.is_of(PALLET, "MuidTooOld") => Lapse::Old.into(),
		ChainError::Dispatch { reason, .. } => Refusal::Chain(reason),
		error => error.into(),
	}
}

/// Checks that a version has the size 0 if, and only if, it has no bytes.
fn ensure_size(drafted: &DraftedVersion) -> Result<(), Refusal> {
	let DraftedVersion { version, hash, size, .. } = drafted;
	match (known_size(*version, *hash, 0).is_some(), *size) {
		(false, 0) => Err(Refusal::Wrong(format!(
			"`size` of the version {version} is 0, expected the number of its bytes: it is not the \
			 hash of no bytes"
		))),
		(true, 1..) => Err(Refusal::Wrong(format!(
			"`size` of the version {version} is {size}, expected 0: it is the hash of no bytes"
		))),
		_ => Ok(()),
	}
}
