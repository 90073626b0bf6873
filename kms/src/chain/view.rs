// SPDX-License-Identifier: Apache-2.0
//! The state at one final block.

use std::{
	collections::HashMap,
	sync::{Mutex, PoisonError},
	time::Duration,
};

use content_fabric_client::{
	chain::{closed, rows, wall_clock, Chain, Error as ChainError, Snapshot},
	keys::ChainKind,
	kms::AtBlock,
};
use content_fabric_identifiers::{ContentObjectId, KmsId, Muid, TenantId, VersionId};
use content_fabric_primitives::TenantLevel;
use subxt::utils::AccountId32;
use tokio::time::Instant;

/// Largest number of accounts whose levels at a block are remembered. Others are looked up each
/// time.
const MOST: usize = 4_096;

/// Age of the final state from which on it is too old, and of one from the future.
const STALLED: Duration = Duration::from_secs(60);

/// The state at one final block. Levels are remembered with it, and so for this block only.
pub struct View {
	pub block: AtBlock,
	pub ids: (TenantId, KmsId),
	/// The row of the tenant.
	pub member: Option<rows::Member>,
	/// The row of the KMS.
	pub kms: Option<rows::Kms>,
	/// `None` in tests without a chain.
	pub at: Option<Snapshot>,
	/// The time of the block by the chain's clock, in microseconds since the Unix epoch. `None` if it
	/// does not count.
	pub time: Option<u64>,
	/// When it was last known to be the last final block of a chain that is alive.
	pub confirmed: Mutex<Instant>,
	pub levels: Mutex<HashMap<[u8; 32], Option<TenantLevel>>>,
}

impl View {
	/// Reads the state at a block for which the chain was asked at this moment. A tenant that was
	/// not created at `created` is another tenant.
	pub(super) async fn read(
		at: Snapshot,
		ids: (TenantId, KmsId),
		created: Option<Muid>,
		chain: &Chain,
		asked: Instant,
	) -> Result<Self, ChainError> {
		let (now, member, kms) = tokio::try_join!(
			at.now_micros(),
			at.find_member(ids.0.into()),
			at.get(rows::kmses(), ids)
		)?;
		let member = member.filter(|row| created.is_none_or(|created| row.created == created));
		Ok(Self {
			block: AtBlock { number: at.block_number(), hash: at.block_hash() },
			ids,
			kms: kms.filter(|_| member.is_some()),
			member,
			at: Some(at),
			// The clock of a development chain may be anywhere.
			time: (chain.identity().kind != ChainKind::Development).then_some(now),
			confirmed: Mutex::new(asked),
			levels: Mutex::default(),
		})
	}

	/// Returns how long ago this was surely the final state. The block counts by its arrival and by
	/// its time: a node that replays old blocks has old ones arrive now, and a chain whose clock is
	/// ahead has stalled when none arrives.
	pub fn age(&self) -> Duration {
		let arrived = self.confirmed.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
		let since = |time| Duration::from_micros(wall_clock().saturating_sub(time));
		self.time.map_or(arrived, |time| arrived.max(since(time)))
	}

	/// Returns why no key may be given by this state, if it is too old. A state from the future says
	/// that the clock of this server is behind, so that nobody knows how old it is.
	pub fn stalled(&self) -> Option<String> {
		let (age, block) = (self.age(), self.block.number);
		let ahead = self.time.map_or(0, |time| time.saturating_sub(wall_clock()));
		let ahead = Duration::from_micros(ahead);
		if ahead >= STALLED {
			return Some(format!(
				"the last final block, {block}, is {} seconds in the future: the clock of this server or of \
				 the validators is wrong",
				ahead.as_secs()
			));
		}
		(age >= STALLED).then(|| {
			format!(
				"the last final block, {block}, is {} seconds old: finality stalls, or the clock of this \
				 server is wrong",
				age.as_secs()
			)
		})
	}

	/// Notes that this was the final state at a moment, although no block has come.
	pub(super) fn confirm(&self, asked: Instant) {
		*self.confirmed.lock().unwrap_or_else(PoisonError::into_inner) = asked;
	}

	/// Checks that the tenant is open: that it is there, and neither frozen, suspended nor being
	/// purged.
	pub fn ensure_open(&self) -> Result<(), String> {
		let problem = match &self.member {
			None => Some("does not exist"),
			Some(row) => closed(row),
		};
		problem.map_or(Ok(()), |problem| Err(format!("the tenant {problem}")))
	}

	/// Returns the level of an account in the tenant.
	pub async fn level(&self, account: &AccountId32) -> Result<Option<TenantLevel>, ChainError> {
		let Some(row) = &self.member else { return Ok(None) };
		if row.root == *account {
			return Ok(Some(TenantLevel::Root));
		}
		let levels = || self.levels.lock().unwrap_or_else(PoisonError::into_inner);
		let known = levels().get(&account.0).copied();
		if let Some(level) = known {
			return Ok(level);
		}
		let level = self.at()?.standing(self.ids.0.into(), row, account).await?.level;
		let mut levels = levels();
		if levels.len() < MOST {
			levels.insert(account.0, level);
		}
		Ok(level)
	}

	/// Returns whether a version is one of the tenant that is encrypted for the KMS.
	pub async fn has(
		&self,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<bool, ChainError> {
		let (tenant, kms) = self.ids;
		let row = self.at()?.get(rows::versions(), (tenant, object, version)).await?;
		Ok(row.is_some_and(|row| row.kms == Some(kms)))
	}

	fn at(&self) -> Result<&Snapshot, ChainError> {
		self.at.as_ref().ok_or(ChainError::Disconnected)
	}
}
