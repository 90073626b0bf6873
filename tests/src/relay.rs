// SPDX-License-Identifier: Apache-2.0
//! A relay between a client and a node, which can cut the connections through it.

use std::sync::{
	atomic::{AtomicUsize, Ordering},
	Arc,
};

use tokio::{
	io::copy_bidirectional,
	net::{TcpListener, TcpStream},
	sync::watch,
};

/// A relay on a free port of this machine.
pub struct Relay {
	/// The URL that it serves.
	pub url: String,
	cuts: watch::Sender<usize>,
	connections: Arc<AtomicUsize>,
}

impl Relay {
	/// Starts a relay to the node at a URL.
	pub async fn start(node: &str) -> Self {
		let node = node.trim_start_matches("ws://").trim_end_matches('/').to_owned();
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
		let address = listener.local_addr().expect("it is bound");
		let (cuts, cut) = watch::channel(0);
		let connections = Arc::new(AtomicUsize::new(0));
		let counter = connections.clone();
		tokio::spawn(async move {
			while let Ok((client, _)) = listener.accept().await {
				let (node, mut cut) = (node.clone(), cut.clone());
				counter.fetch_add(1, Ordering::Relaxed);
				cut.mark_unchanged();
				tokio::spawn(async move {
					// A node that is down closes the connection, too.
					let Ok(node) = TcpStream::connect(node).await else { return };
					relay(client, node, cut).await;
				});
			}
		});
		Self { url: format!("ws://{address}"), cuts, connections }
	}

	/// Cuts all connections. New ones are relayed again.
	pub fn cut(&self) {
		self.cuts.send_modify(|cuts| *cuts += 1);
	}

	/// Returns the number of connections that were made.
	pub fn connections(&self) -> usize {
		self.connections.load(Ordering::Relaxed)
	}
}

async fn relay(mut client: TcpStream, mut node: TcpStream, mut cut: watch::Receiver<usize>) {
	tokio::select! {
		// Either side has closed it, or lost it.
		_ = copy_bidirectional(&mut client, &mut node) => {},
		_ = cut.changed() => {},
	}
}
