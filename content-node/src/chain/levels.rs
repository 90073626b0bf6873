// SPDX-License-Identifier: Apache-2.0
//! Levels of the accounts that sign requests.

use std::{
	collections::HashMap,
	sync::{Mutex, MutexGuard, PoisonError},
	time::Duration,
};

use content_fabric_client::chain::{
	calls::PutRecords, closed, rows, Error as ChainError, Snapshot,
};
use content_fabric_identifiers::TenantId;
use subxt::utils::AccountId32;
use tokio::time::Instant;

use super::Fabric;

/// Time for which an account that may put content is not looked up again.
const VALID: Duration = Duration::from_secs(10);
/// Largest number of accounts whose levels are remembered.
const MOST: usize = 4_096;

/// The account may not put content into the tenant, or its level is unknown.
#[derive(Debug, thiserror::Error)]
pub enum Denial {
	/// It may not.
	#[error("{0}")]
	Forbidden(String),
	/// The chain does not answer.
	#[error("the level of the account in the tenant cannot be looked up now: {0}")]
	Unknown(#[from] ChainError),
}

/// Results of the last look-ups.
#[derive(Default)]
pub(super) struct Levels(Mutex<Known>);

/// Results by tenant and account.
type Known = HashMap<(TenantId, [u8; 32]), Found>;

/// The result of a look-up.
#[derive(Clone)]
enum Found {
	/// The account may put content, until it is looked up again.
	Permitted { until: Instant },
	/// At this best block, the account may not, for this reason.
	Forbidden { at: [u8; 32], reason: String },
}

impl Levels {
	fn known(&self) -> MutexGuard<'_, Known> {
		// No change can be interrupted halfway, so a poisoned map is valid.
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}

	fn found(&self, tenant: TenantId, account: &AccountId32) -> Option<Found> {
		self.known().get(&(tenant, account.0)).cloned()
	}

	fn permitted(&self, account: &AccountId32, limit: usize) -> Vec<TenantId> {
		let known = self.known();
		let permitted = known.iter().filter_map(|((tenant, of), found)| {
			(*of == account.0 && matches!(found, Found::Permitted { .. })).then_some(*tenant)
		});
		permitted.take(limit).collect()
	}

	fn note(&self, tenant: TenantId, account: &AccountId32, found: Found) {
		let mut known = self.known();
		if known.len() >= MOST {
			let now = Instant::now();
			known.retain(|_, found| matches!(found, Found::Permitted { until } if *until > now));
		}
		if known.len() < MOST {
			known.insert((tenant, account.0), found);
		}
	}
}

impl Fabric {
	/// Checks that an account may put content into a tenant: that it has the level in the best block
	/// or in the last final one, and that the tenant is open in the best block. A permission is
	/// remembered for [`VALID`], and a refusal for one block.
	pub async fn ensure_may_put(
		&self,
		tenant: TenantId,
		account: &AccountId32,
	) -> Result<(), Denial> {
		let found = self.levels.found(tenant, account);
		if matches!(&found, Some(Found::Permitted { until }) if *until > Instant::now()) {
			return Ok(());
		}
		self.look_up(tenant, account, found).await
	}

	/// Returns tenants into which an account may put content, or might when it was looked up. At most
	/// `limit` of them.
	pub fn tenants_of(&self, account: &AccountId32, limit: usize) -> Vec<TenantId> {
		self.levels.permitted(account, limit)
	}

	async fn look_up(
		&self,
		tenant: TenantId,
		account: &AccountId32,
		found: Option<Found>,
	) -> Result<(), Denial> {
		let link = self.link()?;
		// A change after this moment counts from the next look-up on.
		let until = Instant::now() + VALID;
		let best = link.chain.best_hash().await?;
		match found {
			Some(Found::Forbidden { at, reason }) if at == best => {
				return Err(Denial::Forbidden(reason));
			},
			_ => {},
		}
		let at = link.chain.at(best).await?;
		let refused = match at.find_member(tenant.into()).await? {
			None => Some(format!("the tenant {tenant} does not exist")),
			Some(row) => match closed(&row) {
				Some(problem) => Some(format!("the tenant {tenant} {problem}")),
				None => match lacking(&at, tenant, &row, account).await? {
					Some(reason) if !self.may_put_finally(tenant, account).await? => Some(reason),
					_ => None,
				},
			},
		};
		let found = match &refused {
			None => Found::Permitted { until },
			Some(reason) => Found::Forbidden { at: best, reason: reason.clone() },
		};
		self.levels.note(tenant, account, found);
		refused.map_or(Ok(()), |reason| Err(Denial::Forbidden(reason)))
	}

	/// Returns whether an account may put content into a tenant in the last final block. An account
	/// that has lost its level in a block that may be retracted still has it.
	async fn may_put_finally(
		&self,
		tenant: TenantId,
		account: &AccountId32,
	) -> Result<bool, ChainError> {
		let at = self.link()?.chain.finalized().await?;
		Ok(match at.find_member(tenant.into()).await? {
			Some(row) => lacking(&at, tenant, &row, account).await?.is_none(),
			None => false,
		})
	}

	/// Records that an account may put content into a tenant, for tests without a chain.
	#[cfg(test)]
	pub fn permit(&self, tenant: TenantId, account: &AccountId32) {
		let until = Instant::now() + Duration::from_secs(86_400);
		self.levels.note(tenant, account, Found::Permitted { until });
	}
}

/// Returns the reason why an account may not put content into a tenant with this row. `None` if it
/// may.
async fn lacking(
	at: &Snapshot,
	tenant: TenantId,
	row: &rows::Member,
	account: &AccountId32,
) -> Result<Option<String>, ChainError> {
	Ok(at.standing(tenant.into(), row, account).await?.refusal::<PutRecords>())
}

#[cfg(test)]
mod tests {
	use super::*;

	#[tokio::test(start_paused = true)]
	async fn remembered_levels_are_bounded_and_valid_permissions_stay() {
		let levels = Levels::default();
		let tenant = TenantId([1; 10]);
		let account = |number: usize| {
			let mut bytes = [0; 32];
			bytes[..8].copy_from_slice(&number.to_be_bytes());
			AccountId32(bytes)
		};
		let until = Instant::now() + VALID;
		levels.note(tenant, &account(0), Found::Permitted { until });
		for number in 1..3 * MOST {
			let reason = String::new();
			levels.note(tenant, &account(number), Found::Forbidden { at: [0; 32], reason });
			assert!(levels.known().len() <= MOST);
		}
		assert!(matches!(levels.found(tenant, &account(0)), Some(Found::Permitted { .. })));
		assert!(levels.found(tenant, &account(3 * MOST - 1)).is_some());
		assert!(levels.found(TenantId([2; 10]), &account(0)).is_none());
		// Refusals, which anybody can cause, make no signatures be checked.
		assert_eq!(levels.permitted(&account(0), 9), [tenant]);
		assert!(levels.permitted(&account(0), 0).is_empty());
		assert!(levels.permitted(&account(3 * MOST - 1), 9).is_empty());
	}
}
