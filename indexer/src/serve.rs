// SPDX-License-Identifier: Apache-2.0
//! The command `serve`: one thread follows the chain, the others answer.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use clap::Args;
use content_fabric_http_server::{listen, raise_file_limit, told_to_stop};
use futures::future::OptionFuture;
use tokio::{runtime::Handle, sync::watch, task::spawn_blocking};
use tracing::info;

use crate::{
	api::{self, App, Limits, Progress},
	audit::{keep_auditing, Auditing, Audits},
	chain::Node,
	command::{Chain, CommandError},
	follow::{keep_following, stopped},
	index::Index,
};

/// Number of files besides the clients' connections: the index, the connection to the node, the
/// log, and the files of the runtime.
const OTHER_FILES: usize = 64;

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
	/// The chain and the index.
	#[command(flatten)]
	pub chain: Chain,
	/// The address to listen on
	#[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
	pub listen: SocketAddr,
	/// Index all events since the first block, from an archive node. Counts for an empty index only
	#[arg(long)]
	pub history: bool,
	/// Audit every confirmed content node of the chain once in this time: 300 is five minutes. The
	/// results are kept in the folder of the index
	#[arg(
		long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400)
	)]
	pub audit_interval: Option<u64>,
	/// Audit no content nodes while the final state of the index is older than this, because its
	/// node hangs or finality stalls
	#[arg(
		long, value_name = "SECONDS", default_value_t = 60, requires = "audit_interval",
		value_parser = clap::value_parser!(u64).range(10..=86_400)
	)]
	pub audit_max_age: u64,
	/// Let audits connect to any address, private ones included
	#[arg(long, requires = "audit_interval")]
	pub audit_private: bool,
}

/// Follows a chain and serves its index until the process is told to stop.
pub async fn serve(options: Serve) -> Result<(), CommandError> {
	let limits = Limits::default();
	raise_file_limit(limits.http.connections.saturating_add(OTHER_FILES));
	let (listener, address) = listen(options.listen).await?;
	let index = Arc::new(Index::open(&options.chain.data)?);
	let (progress, status) = watch::channel(Progress::default());
	let (stop, mut stopping) = watch::channel(false);
	let audits = match options.audit_interval {
		Some(_) => Audits::open(&options.chain.data)?,
		None => Audits::default(),
	};
	let auditing = options.audit_interval.map(|seconds| {
		let every = Auditing::every(Duration::from_secs(seconds));
		let max_age = Duration::from_secs(options.audit_max_age);
		let auditing = Auditing { max_age, private: options.audit_private, ..every };
		keep_auditing(index.clone(), status.clone(), auditing, audits.clone())
	});

	// In a thread of its own, so that its long transactions hold up no answer.
	let mut follower = spawn_blocking({
		let (index, mut stopping) = (index.clone(), stopping.clone());
		move || {
			let connect = || Node::connect(&options.chain.url);
			let history = options.history;
			let following = keep_following(&index, history, connect, &progress, &mut stopping);
			Handle::current().block_on(following)
		}
	});
	info!("serving http://{address}");
	let app = App::new(index.clone(), status, audits.clone(), limits);
	let serving = api::serve(listener, app, async move { stopped(&mut stopping).await });
	let mut server = std::pin::pin!(serving);
	let followed = tokio::select! {
		followed = &mut follower => Some(followed),
		() = &mut server => None,
		Some(()) = OptionFuture::from(auditing) => None,
		() = told_to_stop() => None,
	};
	stop.send_replace(true);
	server.await;
	let followed = match followed {
		Some(followed) => followed,
		None => follower.await,
	};
	index.flush()?;
	audits.save()?;
	Ok(followed.map_err(|_| CommandError::Follower)??)
}
