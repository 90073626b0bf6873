// SPDX-License-Identifier: Apache-2.0
//! The final state of the chain, as far as it decides who gets a key.

mod view;

use std::{
	fmt::Display,
	sync::{Arc, Mutex, OnceLock, PoisonError},
	time::Duration,
};

use content_fabric_client::{
	chain::{wall_clock, Chain, Endpoint, Error as ChainError},
	keys::ChainKind,
	profile::NodeUrl,
};
use content_fabric_identifiers::{KmsId, Muid, TenantId};
use content_fabric_primitives::KmsKey;
use tokio::{
	sync::{watch, Mutex as AsyncMutex},
	time::{sleep, timeout, Instant},
};
use tracing::{info, warn};

pub use view::View;

use crate::error::Error;

/// Age of the final state from which on it is too old.
const STALLED: Duration = Duration::from_secs(60);
/// Interval at which the last final block is asked for when nobody else asks.
const PAUSE: Duration = Duration::from_secs(1);
/// Longest time for which a request waits for the final state.
const WAIT: Duration = Duration::from_secs(10);
/// Longest time of an attempt to connect again.
const PATIENCE: Duration = Duration::from_secs(30);

/// The chain, as the KMS sees it.
pub struct Fabric {
	pub tenant: TenantId,
	pub kms: KmsId,
	/// The genesis hash of the chain.
	pub genesis: [u8; 32],
	/// When the tenant was created. Its id is free again after a purge, and another tenant that takes
	/// it is not this one.
	created: OnceLock<Muid>,
	/// The public keys that the server has.
	pub keys: Vec<KmsKey>,
	/// The last connection, which may be lost. `None` in tests without a chain.
	link: Mutex<Option<Arc<Chain>>>,
	last: AsyncMutex<Option<Last>>,
	/// The last final state, for those who do not ask the chain.
	shown: watch::Sender<Option<Arc<View>>>,
	/// The reason why the chain cannot be followed.
	lost: Mutex<Option<String>>,
}

/// The last final state.
struct Last {
	view: Arc<View>,
	/// When the chain was asked for it.
	asked: Instant,
}

/// No key can be given to anybody now, for this reason.
#[derive(Debug)]
pub struct Unready(pub String);

impl Fabric {
	/// Connects to the chain. Fails if its final state does not have the KMS with one of the keys.
	pub async fn start(
		url: NodeUrl,
		(tenant, kms): (TenantId, KmsId),
		keys: Vec<KmsKey>,
	) -> Result<Self, Error> {
		let chain = Chain::connect(Endpoint::new(url)).await?;
		let genesis = chain.identity().genesis_hash;
		let this = Self::over(Some(chain), genesis, (tenant, kms), keys);
		let view = this.refresh(Instant::now()).await?;
		let Some(member) = &view.member else {
			return Err(ChainError::unknown("tenant", tenant).into());
		};
		this.created.get_or_init(|| member.created);
		let Some(row) = &view.kms else {
			return Err(Error::NoKms { tenant, kms, block: view.block.number });
		};
		if !this.keys.contains(&row.key) {
			let own: Vec<_> = this.keys.iter().map(KmsKey::to_string).collect();
			let (found, own) = (row.key.to_string(), own.join(", "));
			return Err(Error::OtherKey { kms, found, own });
		}
		Ok(this)
	}

	fn over(
		chain: Option<Chain>,
		genesis: [u8; 32],
		(tenant, kms): (TenantId, KmsId),
		keys: Vec<KmsKey>,
	) -> Self {
		let link = Mutex::new(chain.map(Arc::new));
		let (created, last, shown, lost) = Default::default();
		Self { tenant, kms, genesis, created, keys, link, last, shown, lost }
	}

	/// Returns when the tenant was created, once the server has started.
	pub fn created(&self) -> Muid {
		self.created.get().copied().unwrap_or_default()
	}

	/// Makes the state of a KMS without a chain, for tests.
	#[cfg(test)]
	pub fn of(view: View, (tenant, kms): (TenantId, KmsId), keys: Vec<KmsKey>) -> Self {
		let this = Self::over(None, [7; 32], (tenant, kms), keys);
		let (view, asked) = (Arc::new(view), Instant::now() + Duration::from_secs(86_400));
		this.shown.send_replace(Some(view.clone()));
		*this.last.try_lock().expect("nobody else has it; qed") = Some(Last { view, asked });
		this
	}

	/// Returns the last final state of the chain, unless it is too old. Asks the chain.
	pub async fn current(&self) -> Result<Arc<View>, Unready> {
		let refreshed = match timeout(WAIT, self.refresh(Instant::now())).await {
			Ok(refreshed) => refreshed.map_err(|error| error.to_string()),
			Err(_) => Err(format!("no answer within {} seconds", WAIT.as_secs())),
		};
		let view = refreshed.map_err(|reason| {
			self.report(&reason);
			Unready(lost(&reason))
		})?;
		match stalled(&view) {
			Some(reason) => Err(Unready(reason)),
			None => Ok(view),
		}
	}

	/// Returns the last final state that is known, however old it is.
	pub fn shown(&self) -> Option<Arc<View>> {
		self.shown.borrow().clone()
	}

	/// Returns the reason why no key can be given to anybody now, if there is one.
	pub fn problem(&self) -> Option<String> {
		if let Some(reason) = &*self.lost() {
			return Some(lost(reason));
		}
		let view = self.shown()?;
		stalled(&view).or_else(|| self.ensure_key(&view).err().map(|Unready(reason)| reason))
	}

	/// Checks that the chain has a key of the server for the KMS.
	pub fn ensure_key(&self, view: &View) -> Result<KmsKey, Unready> {
		match &view.kms {
			None => Err(Unready(format!("the chain has no KMS {} of the tenant", self.kms))),
			Some(row) if !self.keys.contains(&row.key) => Err(Unready(format!(
				"the chain has the key {} for the KMS, which this server does not have: start it with \
				 the identity of that key, or set the earlier key with `fabric kms set`",
				row.key
			))),
			Some(row) => Ok(row.key),
		}
	}

	/// Returns the state at the last final block. Each caller gets one that was asked for after
	/// `began`, so what was final then counts.
	async fn refresh(&self, began: Instant) -> Result<Arc<View>, Error> {
		let mut last = self.last.lock().await;
		if let Some(Last { view, .. }) = last.as_ref().filter(|last| last.asked >= began) {
			return Ok(view.clone());
		}
		let link = self.link().clone();
		let chain = link.ok_or(ChainError::Disconnected)?;
		let asked = Instant::now();
		let hash = chain.finalized_hash().await?;
		if let Some(last) = last.as_mut().filter(|last| last.view.block.hash == hash) {
			// A development chain makes blocks for transactions only.
			let may_idle = chain.identity().kind == ChainKind::Development;
			if may_idle && last.view.age() > PAUSE && chain.best_hash().await? == hash {
				last.view.confirm(asked);
			}
			last.asked = asked;
			return Ok(last.view.clone());
		}
		let at = chain.at(hash).await?;
		if let Some(seen) = last.as_ref().map(|last| last.view.block.number) {
			if at.block_number() <= seen {
				let found = at.block_number();
				return Err(Error::Behind { found, seen });
			}
		}
		let mut view = View::read(at, (self.tenant, self.kms), &chain, asked).await?;
		let is_ours = |created| self.created.get().is_none_or(|ours| *ours == created);
		if view.member.as_ref().is_some_and(|member| !is_ours(member.created)) {
			(view.member, view.kms) = (None, None);
		}
		let view = Arc::new(view);
		*last = Some(Last { view: view.clone(), asked });
		self.shown.send_replace(Some(view.clone()));
		Ok(view)
	}

	/// Follows the final blocks without end, and connects again when it must.
	pub async fn keep_following(&self) {
		loop {
			match self.refresh(Instant::now()).await {
				Ok(_) => {
					if self.lost().take().is_some() {
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
		let Some(chain) = self.link().clone() else { return };
		match chain.reconnect(PATIENCE).await {
			Ok(chain) => *self.link() = Some(Arc::new(chain)),
			Err(error) => self.report(&error),
		}
	}

	/// Notes that the chain cannot be followed. Logs that once.
	fn report(&self, error: &impl Display) {
		let mut lost = self.lost();
		if lost.is_none() {
			warn!("no key is given: the chain cannot be followed: {error}");
		}
		*lost = Some(error.to_string());
	}

	fn link(&self) -> std::sync::MutexGuard<'_, Option<Arc<Chain>>> {
		self.link.lock().unwrap_or_else(PoisonError::into_inner)
	}

	fn lost(&self) -> std::sync::MutexGuard<'_, Option<String>> {
		self.lost.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

fn lost(reason: &str) -> String {
	format!("the final state of the chain is not known now: {reason}")
}

/// Returns why a final state is too old, if it is.
fn stalled(view: &View) -> Option<String> {
	let age = view.age();
	(age >= STALLED).then(|| {
		format!(
			"the last final block, {}, is {} seconds old: finality stalls, or the clock of this server is \
			 wrong",
			view.block.number,
			age.as_secs()
		)
	})
}

/// Returns the time from a moment of the chain's clock until now, by the clock of this machine.
fn since(micros: u64) -> Duration {
	Duration::from_micros(wall_clock().saturating_sub(micros))
}
