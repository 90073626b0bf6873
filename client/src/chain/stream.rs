// SPDX-License-Identifier: Apache-2.0
//! The stream of bytes to a node: TCP, with TLS for `wss://`.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use rustls_platform_verifier::ConfigVerifierExt;
use tokio::{
	io::{AsyncRead, AsyncWrite},
	net::{lookup_host, TcpSocket, TcpStream},
	time::timeout,
};
use tokio_rustls::{
	rustls::{crypto::ring, pki_types::ServerName, ClientConfig},
	TlsConnector,
};

use crate::profile::NodeUrl;

/// Time in which an address must accept a connection.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Size of the system's buffer of bytes to send. Bytes in it count as sent, so they must not keep a
/// slow line busy for long. Systems take up to twice as many, and megabytes by default.
const SEND_BUFFER: u32 = 128 << 10;

/// A stream of bytes in both directions.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Returns the addresses of the host in a URL.
pub(super) async fn addresses(url: &NodeUrl) -> io::Result<Vec<SocketAddr>> {
	Ok(lookup_host(url.host_and_port()).await?.collect())
}

/// Opens a stream to the first of the addresses that accepts one.
pub(super) async fn open(url: &NodeUrl, addresses: &[SocketAddr]) -> io::Result<Box<dyn Stream>> {
	let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
	for address in addresses {
		match timeout(TIMEOUT, open_one(url, *address)).await {
			Ok(Ok(stream)) => return Ok(stream),
			Ok(Err(error)) => last = error,
			Err(late) => last = late.into(),
		}
	}
	Err(last)
}

async fn open_one(url: &NodeUrl, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
	let stream = connect(address).await?;
	stream.set_nodelay(true)?;
	if !url.is_encrypted() {
		return Ok(Box::new(stream));
	}
	// The name that the certificate of the server must have.
	let name = ServerName::try_from(url.host_and_port().0).map_err(io::Error::other)?;
	// Fails if another part of the program has installed one.
	let _ = ring::default_provider().install_default();
	let connector = TlsConnector::from(Arc::new(ClientConfig::with_platform_verifier()));
	Ok(Box::new(connector.connect(name, stream).await?))
}

async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
	let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
	socket.set_send_buffer_size(SEND_BUFFER)?;
	socket.connect(address).await
}

#[cfg(test)]
mod tests {
	use tokio::{
		io::AsyncWriteExt,
		net::{TcpListener, TcpSocket},
	};

	use super::*;

	fn url(text: &str) -> NodeUrl {
		text.parse().expect("it is the URL of a node; qed")
	}

	#[tokio::test]
	async fn addresses_have_the_port_of_the_url_or_of_its_scheme() {
		for (text, expected) in [
			("ws://127.0.0.1:9944", "127.0.0.1:9944"),
			("ws://127.0.0.1", "127.0.0.1:80"),
			("wss://127.0.0.1", "127.0.0.1:443"),
			("wss://[::1]/path", "[::1]:443"),
		] {
			let found = addresses(&url(text)).await.expect("it is an address; qed");
			assert_eq!(found, [expected.parse().expect("it is an address; qed")], "{text}");
		}
	}

	#[tokio::test]
	async fn the_first_address_that_answers_is_used() {
		let listen = || TcpListener::bind("127.0.0.1:0");
		let (open_one, closed) = (listen().await, listen().await);
		let open_one = open_one.expect("there is a free port; qed");
		let address = |listener: &TcpListener| listener.local_addr().expect("it is bound; qed");
		let closed = address(&closed.expect("there is a free port; qed"));
		let node = url("ws://node.example.com");
		assert!(open(&node, &[closed, address(&open_one)]).await.is_ok());
		assert!(open(&node, &[closed]).await.is_err());
		assert!(open(&node, &[]).await.is_err());
	}

	#[tokio::test]
	async fn little_that_was_not_sent_waits_in_the_system() {
		let listener = TcpSocket::new_v4().expect("there are sockets; qed");
		listener.set_recv_buffer_size(4 << 10).expect("it is a size; qed");
		listener.bind(([127, 0, 0, 1], 0).into()).expect("there is a free port; qed");
		let listener = listener.listen(1).expect("it is bound; qed");
		let address = listener.local_addr().expect("it is bound; qed");
		let mut stream = open(&url("ws://127.0.0.1"), &[address]).await.expect("it listens; qed");
		// Nobody reads.
		let mut taken = 0;
		let endless = async {
			loop {
				taken += stream.write(&[0; 4 << 10]).await.expect("the stream is open; qed");
			}
		};
		assert!(timeout(Duration::from_secs(2), endless).await.is_err());
		assert!(taken < 4 * SEND_BUFFER as usize, "{taken} bytes");
	}

	#[tokio::test]
	async fn an_encrypted_url_gets_no_plain_connection() {
		/// The first byte of a TLS handshake.
		const HANDSHAKE: u8 = 22;
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port; qed");
		let address = listener.local_addr().expect("it is bound; qed");
		let answering = tokio::spawn(async move {
			let (stream, _) = listener.accept().await.expect("somebody connects; qed");
			let mut first = [0];
			stream.readable().await.expect("the stream is open; qed");
			stream.try_read(&mut first).expect("there is a byte; qed");
			first
		});
		assert!(open(&url("wss://node.example.com"), &[address]).await.is_err());
		assert_eq!(answering.await.expect("it has answered; qed"), [HANDSHAKE]);
	}
}
