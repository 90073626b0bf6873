// SPDX-License-Identifier: Apache-2.0
//! The command `serve`: one thread follows the chain, the others answer.

use std::{io, net::SocketAddr, sync::Arc, thread};

use clap::Args;
use futures::future::OptionFuture;
use tokio::{
	net::TcpListener,
	sync::{oneshot, watch},
};
use tracing::info;

use crate::{
	api::{self, App, Limits, Progress},
	chain::Node,
	cli::Chain,
	files,
	follow::{keep_following, stopped},
	index::{Error, Index},
	probe::{keep_probing, Probes, Probing},
};

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
	/// Probe every confirmed content node of the chain every five minutes
	#[arg(long)]
	pub probe_nodes: bool,
	/// Let probes connect to any address, private ones included
	#[arg(long, requires = "probe_nodes")]
	pub probe_private: bool,
}

/// The server cannot start, or has to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
	/// The index cannot be opened, or cannot be followed any further.
	#[error(transparent)]
	Index(#[from] Error),
	/// The address cannot be listened on.
	#[error("cannot listen on {address}: {error}")]
	Listen {
		/// The address.
		address: SocketAddr,
		/// The reason.
		error: io::Error,
	},
	/// A thread of this program failed.
	#[error("{0}")]
	Thread(String),
}

/// Follows a chain and serves its index until the process is told to stop.
pub async fn serve(options: Serve) -> Result<(), ServeError> {
	let limits = Limits::default();
	files::raise_limit(&limits);
	let asked = options.listen;
	let listen = |error| ServeError::Listen { address: asked, error };
	let listener = TcpListener::bind(asked).await.map_err(listen)?;
	let index = Arc::new(Index::open(&options.chain.data.data)?);
	let (progress, status) = watch::channel(Progress::default());
	let (stop, mut stopping) = watch::channel(false);
	let probes = Probes::default();
	let probing = Probing { private: options.probe_private, ..Probing::default() };
	let probing = options.probe_nodes.then(|| keep_probing(index.clone(), probing, probes.clone()));

	let (ended, follower) = oneshot::channel();
	let handle = thread::Builder::new()
		.name("follower".into())
		.spawn({
			let (index, stopping) = (index.clone(), stopping.clone());
			move || {
				let result = follow(&index, &options, &progress, stopping);
				// The receiver is gone if the server has failed.
				let _ = ended.send(result);
			}
		})
		.map_err(|error| ServeError::Thread(error.to_string()))?;

	let address = listener.local_addr().map_err(listen)?;
	info!("serving http://{address}");
	let app = App::new(index.clone(), status, probes, limits);
	let serving = api::serve(listener, app, async move { stopped(&mut stopping).await });
	let mut server = std::pin::pin!(serving);
	let result = tokio::select! {
		result = follower => result.unwrap_or_else(|_| {
			Err(ServeError::Thread("the thread that follows the chain has failed".into()))
		}),
		() = &mut server => Ok(()),
		Some(()) = OptionFuture::from(probing) => Ok(()),
		() = told_to_stop() => Ok(()),
	};
	stop.send_replace(true);
	server.await;
	if handle.join().is_err() && result.is_ok() {
		return Err(ServeError::Thread("the thread that follows the chain has failed".into()));
	}
	index.flush()?;
	result
}

/// Follows the chain in a runtime of its own, so that its long transactions hold up no answer.
fn follow(
	index: &Index,
	options: &Serve,
	progress: &watch::Sender<Progress>,
	mut stopping: watch::Receiver<bool>,
) -> Result<(), ServeError> {
	let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
	let runtime = runtime.map_err(|error| ServeError::Thread(error.to_string()))?;
	let connect = || Node::connect(&options.chain.url);
	Ok(runtime.block_on(keep_following(
		index,
		options.history,
		connect,
		progress,
		&mut stopping,
	))?)
}

/// Waits for Ctrl-C or the signal that ends a service.
async fn told_to_stop() {
	use tokio::signal::unix::{signal, SignalKind};
	match signal(SignalKind::terminate()) {
		Ok(mut terminate) => tokio::select! {
			_ = terminate.recv() => {},
			_ = tokio::signal::ctrl_c() => {},
		},
		Err(_) => {
			let _ = tokio::signal::ctrl_c().await;
		},
	}
}
