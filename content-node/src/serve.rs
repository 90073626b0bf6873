// SPDX-License-Identifier: Apache-2.0
//! The command `serve`: answers requests, follows the chain, finalizes, sweeps and scrubs.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use clap::Args;
use content_fabric_client::{
	keys::{ChainKind, KeySource},
	profile::NodeUrl,
	text::count,
};
use content_fabric_http_server::{listen, raise_file_limit, told_to_stop};
use content_fabric_identifiers::{HashKind, NodeId, ProviderId, VersionHasher};
use futures::StreamExt;
use tokio::time::{interval, sleep, MissedTickBehavior};
use tracing::{info, warn};

use crate::{
	api::{self, App, LIMITS},
	chain::{Fabric, Room},
	check::{adopt_unrecorded, sweep},
	error::Error,
	keep::{upload::Uploads, Keep},
	mirror::{self, Mirror},
	now_seconds,
	place::Place,
	store::{Store, StoreError},
	verify::Verifier,
};

/// Longest time between two sweeps.
const SWEEP: Duration = Duration::from_secs(60);
/// Shortest time between two sweeps.
const SOON: Duration = Duration::from_millis(500);
/// Seconds of a day.
const DAY: u64 = 86_400;

/// Number of files that may be open at once: each connection, what it reads or writes, downloads, and
/// others.
const MAX_FILES: usize = 2 * LIMITS.connections + mirror::FILES + 64;

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
	#[command(flatten)]
	pub place: Place,
	/// The URL of a node of the chain
	#[arg(long, value_name = "URL", env = "FABRIC_URL", default_value = "ws://127.0.0.1:9944")]
	pub url: NodeUrl,
	/// Allow a connection to another machine without encryption
	#[arg(long)]
	pub insecure: bool,
	/// The provider that runs the node, iprv…
	#[arg(long, value_name = "ID")]
	pub provider: ProviderId,
	/// The node, inod…
	#[arg(long, value_name = "ID")]
	pub node: NodeId,
	/// The key of the node's operator: keystore:PATH, file:PATH, env:NAME, - for standard input, or
	/// a development key such as //Bob on a development chain
	#[arg(long, value_name = "KEY", env = "FABRIC_STORE_KEY", hide_env_values = true)]
	pub key: KeySource,
	/// The address to listen on
	#[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
	pub listen: SocketAddr,
	/// Maximum number of bytes to hold, including promised ones [default: the free space of the
	/// disk]
	#[arg(long, value_name = "BYTES", default_value_t = u64::MAX, hide_default_value = true)]
	pub capacity: u64,
	/// Number of seconds for which bytes stay after the chain has removed the last version that
	/// needs them
	#[arg(long, value_name = "SECONDS", default_value_t = 3_600)]
	pub grace: u64,
	/// Number of days in which all bytes are hashed again; 0 for never
	#[arg(long, value_name = "DAYS", default_value_t = 30)]
	pub scrub: u64,
	/// Stop keeping the bytes of the earlier node, if the node was removed and created again on the
	/// chain
	#[arg(long)]
	pub forget: bool,
	#[command(flatten)]
	pub mirror: mirror::Options,
}

/// Serves a node until the process is told to stop.
pub async fn serve(options: Serve) -> Result<(), Error> {
	raise_file_limit(MAX_FILES);
	let (listener, address) = listen(options.listen).await?;
	let ids = (options.provider, options.node);
	// The chain is not known yet: a key that it does not allow is refused with the connection.
	let kind = ChainKind::Development;
	let operator = options.key.load_asking(kind, |text| rpassword::prompt_password(text))?;
	if !Keep::exists(&options.place.data) {
		// Nothing is made for a node that is not on the chain, or is somebody else's.
		Fabric::check(options.url.clone(), ids, (&options.key, &operator)).await?;
	}
	let store = options.place.store().await?;
	let uploads = Uploads::open(options.place.data.join("uploads"))?;
	let keep = Arc::new(Keep::open(&options.place.data)?);
	if keep.was_repaired() {
		warn!("the record did not agree with its checksums: its last sound state was restored");
	}
	if let Some(reason) = keep.read_only() {
		warn!(
			"the record cannot be written: nothing is taken in, committed or removed until this \
			 program starts again with a disk that it can write to: {reason}"
		);
		uploads.freeze();
	}
	let keeps_all = options.place.store.is_none();
	let (capacity, reserved) = (options.capacity, Default::default());
	let room = Room { capacity, disk: uploads.clone(), keeps_all, reserved };
	let verifier = Arc::new(Verifier::new(keep.clone(), store.clone(), uploads.clone()));
	let verified = verifier.clone();
	let fabric = Arc::new(Fabric::new(
		options.url,
		ids,
		(options.key, operator),
		keep.clone(),
		room,
		verified,
	));
	let is_new = keep.is_new()?;
	fabric.start(options.forget).await?;
	if is_new && store.list().next().await.is_some() {
		warn!(
			"the record is new, and the store has objects: hashing them, as `fabric-store check \
			 --repair` does"
		);
	}
	info!("serving http://{address}");
	let stores = (keep.clone(), store.clone(), uploads.clone());
	let mirror =
		Mirror::new(&options.mirror, &options.place.data, stores, fabric.clone(), verifier.clone());
	let app =
		App::new(keep.clone(), store.clone(), uploads.clone(), fabric.clone(), verifier.clone());
	// The work below blocks while it writes to the record. It keeps this thread, so requests run on
	// the others.
	let serving = tokio::spawn(api::serve(listener, app, told_to_stop()));
	tokio::select! {
		served = serving => served.map_err(|_| StoreError::Thread)?,
		() = keep.failed() => return Err(Error::RecordFailed),
		() = fabric.keep_following() => {},
		() = fabric.keep_watching_finality() => {},
		() = fabric.keep_finalizing() => {},
		() = fabric.keep_verifying() => {},
		() = mirror.keep_mirroring() => {},
		() = keep_sweeping(&keep, &store, &uploads, &fabric, options.grace) => {},
		() = keep_scrubbing(&keep, &verifier, options.scrub) => {},
	}
	Ok(())
}

/// Removes what nobody needs, without end. Begins when the record has been compared with the chain.
async fn keep_sweeping(
	keep: &Keep,
	store: &Store,
	uploads: &Arc<Uploads>,
	fabric: &Fabric,
	grace: u64,
) {
	if keep.read_only().is_some() {
		return std::future::pending().await;
	}
	let mut adopted = false;
	let pause = SWEEP.min(Duration::from_secs(grace)).max(SOON);
	loop {
		fabric.until_followed().await;
		if !adopted {
			match adopt_unrecorded(keep, store, uploads, now_seconds()).await {
				Ok(()) => adopted = true,
				Err(error) => warn!("a stored object cannot be recorded now: {error}"),
			}
			fabric.arrived.notify_one();
			let missing = keep.totals().missing;
			if missing > 0 {
				let versions = count(missing, "version", "versions");
				warn!("the bytes of {versions} that the chain has for this node are not here");
			}
			// Nothing is downloaded that is here.
			fabric.pulls.begin();
		}
		// A record that fails keeps the upload.
		let needed = |version| keep.needed(version).map_or(true, |needed| needed.is_some());
		if let Err(error) = uploads.sweep(needed) {
			warn!("an upload cannot be removed now: {error}");
		}
		match sweep(keep, store, uploads, now_seconds().saturating_sub(grace)).await {
			Ok(0) => {},
			Ok(removed) => {
				info!("removed the bytes of {}", count(removed, "version", "versions"));
			},
			Err(error) => {
				// Objects that were not removed may be unrecorded by now.
				adopted = false;
				warn!("bytes cannot be removed now: {error}");
			},
		}
		sleep(pause).await;
	}
}

/// Hashes all bytes again, within a number of days each time.
async fn keep_scrubbing(keep: &Keep, verifier: &Verifier, days: u64) {
	if days == 0 {
		return std::future::pending().await;
	}
	// Starts at a random version, so that a process that restarts often still reaches all of them.
	let mut after = Some(VersionHasher::hash(HashKind::Blake3, &now_seconds().to_le_bytes()));
	loop {
		let versions = keep.totals().versions.max(1);
		let time = Duration::from_secs(days.saturating_mul(DAY))
			/ u32::try_from(versions).unwrap_or(u32::MAX);
		let mut tick = interval(time.max(Duration::from_millis(1)));
		tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
		tick.tick().await;
		tick.tick().await;
		let next = keep.held_after(after, 1).map(|page| page.first().copied());
		after = match next {
			Ok(Some((version, _))) => {
				// Somebody who uploads it again replaces the file.
				if let Err(error) = verifier.verify(version).await {
					warn!("{version} cannot be hashed now: {error}");
				}
				Some(version)
			},
			Ok(None) => None,
			Err(error) => {
				warn!("{error}");
				after
			},
		};
	}
}
