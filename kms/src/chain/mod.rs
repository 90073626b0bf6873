// SPDX-License-Identifier: Apache-2.0
//! The final state of the chain, as far as it decides who gets a key.

mod view;

use std::{
	fmt::Display,
	sync::{Arc, Mutex, MutexGuard, PoisonError},
	time::Duration,
};

use content_fabric_client::{
	chain::{Chain, Endpoint, Error as ChainError},
	keys::ChainKind,
	profile::NodeUrl,
};
use content_fabric_identifiers::{KmsId, Muid, TenantId};
use content_fabric_primitives::{KmsKey, Until};
use tokio::{
	sync::Mutex as AsyncMutex,
	time::{sleep, timeout, Instant},
};
use tracing::{info, warn};

pub use view::View;

use crate::error::Error;

/// Number of seconds by which an identity may be older than the tenant: the clocks differ, and
/// whoever sets up a tenant may make the identity first.
const EARLIER: u64 = 3_600;
/// Interval at which the last final block is asked for when nobody else asks, and at which a chain
/// that does not answer is tried again.
const PAUSE: Duration = Duration::from_secs(1);
/// Time after which the log says again for what the program waits.
const REMINDER: Duration = Duration::from_secs(300);
/// Longest time for which a request waits for the final state.
const WAIT: Duration = Duration::from_secs(10);
/// Longest time of an attempt to connect again.
const PATIENCE: Duration = Duration::from_secs(30);

/// The chain, as the KMS sees it.
pub struct Fabric {
	/// The tenant and its KMS.
	pub ids: (TenantId, KmsId),
	/// The genesis hash of the chain.
	pub genesis: [u8; 32],
	/// When the tenant was created. Its id is free again after a purge, and another tenant that takes
	/// it is not this one.
	pub created: Muid,
	/// The public keys that the server has.
	pub keys: Vec<KmsKey>,
	/// The last connection, which may be lost. `None` in tests without a chain.
	pub link: Mutex<Option<Arc<Chain>>>,
	/// The last final state, and when the chain was asked for it.
	pub last: Mutex<(Arc<View>, Instant)>,
	/// The turn to ask the chain.
	pub turn: AsyncMutex<()>,
	/// The reason why the chain cannot be followed.
	pub lost: Mutex<Option<String>>,
}

impl Fabric {
	/// Connects to the chain. Waits while its node does not answer, or is behind: it may start later
	/// than this server. Fails if the final state does not have the KMS with one of the keys.
	pub async fn start(
		url: NodeUrl,
		ids: (TenantId, KmsId),
		keys: Vec<KmsKey>,
	) -> Result<Self, Error> {
		let mut told = None;
		loop {
			let error = match Self::connect(url.clone(), ids, keys.clone()).await {
				Err(error @ Error::Stalled(_)) => error,
				Err(Error::Chain(error)) if error.is_connection() => error.into(),
				connected => return connected,
			};
			let is_news = |(reason, at): &(String, Instant)| {
				*reason != error.to_string() || at.elapsed() > REMINDER
			};
			if told.as_ref().is_none_or(is_news) {
				warn!("nothing is served before the chain can be followed: {error}");
				told = Some((error.to_string(), Instant::now()));
			}
			sleep(PAUSE).await;
		}
	}

	async fn connect(
		url: NodeUrl,
		ids: (TenantId, KmsId),
		keys: Vec<KmsKey>,
	) -> Result<Self, Error> {
		let chain = Chain::connect(Endpoint::new(url)).await?;
		let asked = Instant::now();
		let view = View::read(chain.finalized().await?, ids, None, &chain, asked).await?;
		// A state that is old may have neither the tenant nor the key yet.
		let created = created_of(&view, &keys)
			.map_err(|error| view.stalled().map_or(error, Error::Stalled))?;
		Ok(Self {
			ids,
			genesis: chain.identity().genesis_hash,
			created,
			keys,
			link: Mutex::new(Some(Arc::new(chain))),
			last: Mutex::new((Arc::new(view), asked)),
			turn: AsyncMutex::default(),
			lost: Mutex::default(),
		})
	}

	/// Checks that no identity was made long before the tenant was created, in seconds since the Unix
	/// epoch: an earlier tenant with its id may have used it.
	pub fn ensure_later(&self, made: Option<u64>) -> Result<(), Error> {
		// The clock of a development chain may be anywhere.
		match self.shown().time {
			None => Ok(()),
			Some(_) => ensure_later(self.ids.0, self.created, made),
		}
	}

	/// Returns the last final state of the chain, unless it is too old. Asks the chain.
	pub async fn current(&self) -> Result<Arc<View>, String> {
		let refreshed = match timeout(WAIT, self.refresh()).await {
			Ok(refreshed) => refreshed.map_err(|error| error.to_string()),
			Err(_) => Err(format!("no answer within {} seconds", WAIT.as_secs())),
		};
		let view = refreshed.map_err(|reason| self.report(&reason))?;
		match view.stalled() {
			Some(reason) => Err(reason),
			None => Ok(view),
		}
	}

	/// Returns the last final state that is known, however old it is.
	pub fn shown(&self) -> Arc<View> {
		held(&self.last).0.clone()
	}

	/// Returns the reason why no key can be given to anybody now, if there is one.
	pub fn problem(&self) -> Option<String> {
		let (lost, view) = (held(&self.lost).clone(), self.shown());
		lost.or_else(|| view.stalled())
			.or_else(|| view.ensure_open().err())
			.or_else(|| self.ensure_key(&view).err())
	}

	/// Checks that the chain has a key of the server for the KMS.
	pub fn ensure_key(&self, view: &View) -> Result<(), String> {
		match &view.kms {
			None => Err(format!("the chain has no KMS {} of the tenant", self.ids.1)),
			Some(row) if !self.keys.contains(&row.key) => Err(format!(
				"the chain has the key {} for the KMS, which this server does not have: start it with \
				 the identity of that key, or set the earlier key with `fabric kms set`",
				row.key
			)),
			Some(_) => Ok(()),
		}
	}

	/// Returns the state at the last final block. Each caller gets one that was asked for after it
	/// called, so what was final then counts.
	async fn refresh(&self) -> Result<Arc<View>, Error> {
		let called = Instant::now();
		let _turn = self.turn.lock().await;
		let (last, asked) = held(&self.last).clone();
		if asked >= called {
			return Ok(last);
		}
		let link = held(&self.link).clone();
		let chain = link.ok_or(ChainError::Disconnected)?;
		let asked = Instant::now();
		let hash = chain.finalized_hash().await?;
		let view = if hash == last.block.hash {
			// A development chain makes blocks for transactions only.
			let may_idle = chain.identity().kind == ChainKind::Development;
			if may_idle && last.age() > PAUSE && chain.best_hash().await? == hash {
				last.confirm(asked);
			}
			last
		} else {
			let at = chain.at(hash).await?;
			let (found, seen) = (at.block_number(), last.block.number);
			if found <= seen {
				return Err(Error::Behind { found, seen });
			}
			Arc::new(View::read(at, self.ids, Some(self.created), &chain, asked).await?)
		};
		*held(&self.last) = (view.clone(), asked);
		Ok(view)
	}

	/// Follows the final blocks without end, and connects again when it must.
	pub async fn keep_following(&self) {
		loop {
			match self.refresh().await {
				Ok(_) => {
					if held(&self.lost).take().is_some() {
						info!("the chain is followed again");
					}
				},
				Err(error) => {
					self.report(&error);
					if matches!(&error, Error::Chain(error) if error.is_connection()) {
						self.reconnect().await;
					}
				},
			}
			sleep(PAUSE).await;
		}
	}

	async fn reconnect(&self) {
		let Some(chain) = held(&self.link).clone() else { return };
		match chain.reconnect(PATIENCE).await {
			Ok(chain) => *held(&self.link) = Some(Arc::new(chain)),
			Err(error) => drop(self.report(&error)),
		}
	}

	/// Notes and returns the reason why the chain cannot be followed. Logs the first one.
	fn report(&self, error: &impl Display) -> String {
		let mut lost = held(&self.lost);
		if lost.is_none() {
			warn!("no key is given: the chain cannot be followed: {error}");
		}
		lost.insert(format!("the final state of the chain is not known now: {error}")).clone()
	}
}

/// Returns when the tenant was created. Fails if the state does not have the KMS with one of the keys.
fn created_of(view: &View, keys: &[KmsKey]) -> Result<Muid, Error> {
	let (tenant, kms) = view.ids;
	let Some(member) = &view.member else {
		return Err(ChainError::unknown("tenant", tenant).into());
	};
	let Some(row) = &view.kms else {
		return Err(Error::Kms(format!(
			"the tenant {tenant} has no KMS {kms} in the last final block, {}: add it with `fabric kms \
			 add`, and start this program when its block is final",
			view.block.number
		)));
	};
	if !keys.contains(&row.key) {
		return Err(Error::Kms(format!(
			"the chain has the key {} for the KMS {kms}, and the identities have {}: pass the file of \
			 that key with --identity, or set one of these keys with `fabric kms set`",
			row.key,
			listed(keys)
		)));
	}
	Ok(member.created)
}

fn ensure_later(tenant: TenantId, created: Muid, made: Option<u64>) -> Result<(), Error> {
	let Some(made) = made else {
		warn!(
			"no identity file says when it was made: make sure that no earlier tenant with the id {tenant} \
			 has used these identities"
		);
		return Ok(());
	};
	let created = created.timestamp() / 1_000_000;
	if created <= made.saturating_add(EARLIER) {
		return Ok(());
	}
	let [made, created] = [made, created].map(Until::new);
	Err(Error::Kms(format!(
		"an identity was made at {made}, and the tenant {tenant} was created at {created}: an earlier \
		 tenant may have had this id, whose files the readers of this one must not read. Make a new \
		 identity with `fabric-kms key new`, or pass --older-identity if no other tenant has ever had \
		 this id"
	)))
}

/// Returns a list of keys in words.
pub fn listed(keys: &[KmsKey]) -> String {
	keys.iter().map(KmsKey::to_string).collect::<Vec<_>>().join(", ")
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
	mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::Medallion;

	use super::*;

	#[test]
	fn an_identity_that_is_much_older_than_the_tenant_is_refused() {
		let tenant = TenantId([1; 10]);
		let created = |seconds: u64| {
			let medallion = Medallion::new(1).expect("it is one");
			Muid::new(seconds * 1_000_000, medallion, 0).expect("it is a time")
		};
		for (made, seconds) in [(None, 9_000), (Some(1_000), 500), (Some(1_000), 4_600)] {
			assert!(ensure_later(tenant, created(seconds), made).is_ok(), "{made:?} {seconds}");
		}
		let error = ensure_later(tenant, created(4_601), Some(1_000)).expect_err("it is older");
		let text = error.to_string();
		assert!(text.contains("made at 1970-01-01T00:16:40Z, and the tenant iten"), "{text}");
		assert!(text.contains("created at 1970-01-01T01:16:41Z"), "{text}");
	}
}
