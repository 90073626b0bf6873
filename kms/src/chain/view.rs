// SPDX-License-Identifier: Apache-2.0
//! The state at one final block.

use std::{
	collections::HashMap,
	hash::Hash,
	sync::{Mutex, PoisonError},
	time::Duration,
};

use content_fabric_client::{
	chain::{rows, Chain, Error as ChainError, Snapshot},
	keys::ChainKind,
	kms::AtBlock,
};
use content_fabric_identifiers::{ContentObjectId, KmsId, TenantId, VersionId};
use content_fabric_primitives::TenantLevel;
use subxt::utils::AccountId32;
use tokio::time::Instant;

use super::since;

/// Largest number of accounts, and of versions, that are remembered of a block. Further ones are
/// looked up each time.
const MOST: usize = 4_096;

/// The state at one final block. What is looked up is remembered with it, and so for this block only.
pub struct View {
	pub block: AtBlock,
	/// The row of the tenant.
	pub member: Option<rows::Member>,
	/// The row of the KMS.
	pub kms: Option<rows::Kms>,
	ids: (TenantId, KmsId),
	/// `None` in tests without a chain.
	at: Option<Snapshot>,
	/// The time of the block by the chain's clock, in microseconds since the Unix epoch. `None` if it
	/// does not count.
	time: Option<u64>,
	/// When it was last known to be the last final block of a chain that is alive.
	confirmed: Mutex<Instant>,
	levels: Known<[u8; 32], Option<TenantLevel>>,
	versions: Known<(ContentObjectId, VersionId), bool>,
}

/// What was looked up.
type Known<Key, Value> = Mutex<HashMap<Key, Value>>;

impl View {
	/// Reads the state at a block for which the chain was asked at this moment.
	pub(super) async fn read(
		at: Snapshot,
		ids: (TenantId, KmsId),
		chain: &Chain,
		asked: Instant,
	) -> Result<Self, ChainError> {
		let (now, member, kms) = tokio::try_join!(
			at.now_micros(),
			at.find_member(ids.0.into()),
			at.get(rows::kmses(), ids)
		)?;
		// The clock of a development chain may be anywhere.
		let time = (chain.identity().kind != ChainKind::Development).then_some(now);
		let block = AtBlock { number: at.block_number(), hash: at.block_hash() };
		Ok(Self { at: Some(at), ..Self::new(block, (member, kms), ids, time, asked) })
	}

	fn new(
		block: AtBlock,
		(member, kms): (Option<rows::Member>, Option<rows::Kms>),
		ids: (TenantId, KmsId),
		time: Option<u64>,
		asked: Instant,
	) -> Self {
		let (levels, versions) = Default::default();
		Self {
			block,
			member,
			kms,
			ids,
			at: None,
			time,
			confirmed: Mutex::new(asked),
			levels,
			versions,
		}
	}

	/// Returns how long ago this was surely the final state. The block counts by its arrival and by
	/// its time: a node that replays old blocks has old ones arrive now, and a chain whose clock is
	/// ahead has stalled when none arrives.
	pub fn age(&self) -> Duration {
		let arrived = self.confirmed.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
		self.time.map_or(arrived, |time| arrived.max(since(time)))
	}

	/// Notes that this was the final state at a moment, although no block has come.
	pub(super) fn confirm(&self, asked: Instant) {
		*self.confirmed.lock().unwrap_or_else(PoisonError::into_inner) = asked;
	}

	/// Returns the level of an account in the tenant.
	pub async fn level(&self, account: &AccountId32) -> Result<Option<TenantLevel>, ChainError> {
		let Some(row) = &self.member else { return Ok(None) };
		if row.root == *account {
			return Ok(Some(TenantLevel::Root));
		}
		if let Some(level) = known(&self.levels, &account.0) {
			return Ok(level);
		}
		let standing = self.at()?.standing(self.ids.0.into(), row, account).await?;
		note(&self.levels, account.0, standing.level);
		Ok(standing.level)
	}

	/// Returns whether a version is one of the tenant that is encrypted for the KMS.
	pub async fn has(
		&self,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<bool, ChainError> {
		if let Some(found) = known(&self.versions, &(object, version)) {
			return Ok(found);
		}
		let (tenant, kms) = self.ids;
		let row = self.at()?.get(rows::versions(), (tenant, object, version)).await?;
		let found = row.is_some_and(|row| row.kms == Some(kms));
		note(&self.versions, (object, version), found);
		Ok(found)
	}

	fn at(&self) -> Result<&Snapshot, ChainError> {
		self.at.as_ref().ok_or(ChainError::Disconnected)
	}
}

fn known<Key: Eq + Hash, Value: Copy>(known: &Known<Key, Value>, key: &Key) -> Option<Value> {
	known.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied()
}

fn note<Key: Eq + Hash, Value>(known: &Known<Key, Value>, key: Key, value: Value) {
	let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
	if known.len() < MOST {
		known.insert(key, value);
	}
}
