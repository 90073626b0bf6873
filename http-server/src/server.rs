// SPDX-License-Identifier: Apache-2.0
//! The server: its connections, and their limits.

use std::{
	convert::Infallible,
	fmt::Display,
	future::Future,
	io,
	net::{IpAddr, SocketAddr},
	pin::pin,
	sync::Arc,
	time::Duration,
};

use axum::{
	body::Body,
	extract::FromRequestParts,
	http::{request::Parts, StatusCode},
	response::Response,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn, Request};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
	net::{TcpListener, TcpStream},
	sync::watch,
	task::JoinSet,
	time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, warn};

use crate::{
	failure::Failure,
	gate::{client_of, Gate, Pass},
	pace::Paced,
};

/// Pause after a connection could not be accepted, such as for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Limits of the connections of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
	/// Largest number of connections. Further clients wait in the queue of the system.
	pub connections: usize,
	/// Largest number of connections of one client. Further ones are closed.
	pub connections_each: usize,
	/// True if clients on this machine can have all connections: a reverse proxy stands for many.
	pub spares_local: bool,
	/// Largest length of the head of a request, in bytes. Also limits the buffers of a connection.
	pub head: usize,
	/// Longest time until the head of a request has arrived, and of a connection between requests.
	pub head_time: Duration,
	/// Longest time in which a client takes nothing of an answer.
	pub write_time: Duration,
	/// Longest time that answers are waited for when the server stops.
	pub stop_time: Duration,
}

impl Default for Limits {
	fn default() -> Self {
		Self {
			connections: 4_096,
			connections_each: 256,
			spares_local: false,
			head: 16 << 10,
			head_time: Duration::from_secs(10),
			write_time: Duration::from_secs(30),
			stop_time: Duration::from_secs(5),
		}
	}
}

/// The client of a request, as [`client_of`] returns it: an extractor of handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Client {
	type Rejection = Failure;

	async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
		let unknown = || Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the client is unknown");
		parts.extensions.get().copied().ok_or_else(unknown)
	}
}

/// An address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {error}")]
pub struct ListenError {
	address: SocketAddr,
	#[source]
	error: io::Error,
}

/// Listens on an address. Returns the listener with its address, whose port is not 0.
pub async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ListenError> {
	let bound = async {
		let listener = TcpListener::bind(address).await?;
		let address = listener.local_addr()?;
		Ok((listener, address))
	};
	bound.await.map_err(|error| ListenError { address, error })
}

/// A server of HTTP/1.1, which closes connections of clients that are slow or have too many.
#[derive(Debug)]
pub struct Server {
	limits: Limits,
	connections: Gate,
	stopping: watch::Sender<bool>,
}

impl Server {
	/// Makes a server.
	pub fn new(limits: Limits) -> Self {
		let connections = Gate::new(limits.connections, limits.connections_each);
		Self { limits, connections, stopping: watch::Sender::new(false) }
	}

	/// Returns the number of open connections.
	pub fn connections(&self) -> usize {
		self.connections.taken()
	}

	/// Returns a value that becomes `true` when the server stops. Answers without end must end then.
	pub fn stopping(&self) -> watch::Receiver<bool> {
		self.stopping.subscribe()
	}

	/// Serves until `stop` ends. Then connections end after the answers that have begun, or after
	/// [`Limits::stop_time`].
	pub async fn serve<Answering: Future<Output = Response> + Send + 'static>(
		&self,
		listener: TcpListener,
		stop: impl Future<Output = ()>,
		answer: impl Fn(Client, Request<Body>) -> Answering + Send + Sync + 'static,
	) {
		let (answer, limits) = (Arc::new(answer), self.limits);
		let mut stop = pin!(stop);
		let mut connections = JoinSet::new();
		loop {
			let next = async {
				self.connections.until_free().await;
				listener.accept().await
			};
			tokio::select! {
				() = &mut stop => break,
				Some(_) = connections.join_next() => {},
				accepted = next => match accepted {
					Ok((stream, address)) => {
						let Some(pass) = self.admit(address.ip()) else {
							debug!("closing a connection from {address}: its client has too many");
							continue;
						};
						let (answer, stopping) = (answer.clone(), self.stopping());
						connections.spawn(async move {
							let served = connection(stream, address, limits, stopping, answer).await;
							if let Err(failure) = served {
								debug!("the connection from {address} has ended: {failure}");
							}
							drop(pass);
						});
					},
					Err(failure) => {
						warn!("a connection cannot be accepted: {failure}");
						sleep(PAUSE).await;
					},
				},
			}
		}
		drop(listener);
		self.stopping.send_replace(true);
		let ended = async { while connections.join_next().await.is_some() {} };
		if timeout(limits.stop_time, ended).await.is_err() {
			connections.shutdown().await;
		}
	}

	/// Takes a place for a connection. Returns `None` if its client has too many.
	fn admit(&self, address: IpAddr) -> Option<Pass> {
		let client = client_of(address);
		match self.limits.spares_local && client.is_loopback() {
			true => self.connections.take_uncounted(),
			false => self.connections.take(client),
		}
	}
}

/// Answers the requests of a connection, until it ends.
async fn connection<Answering: Future<Output = Response> + Send + 'static>(
	stream: TcpStream,
	address: SocketAddr,
	limits: Limits,
	mut stopping: watch::Receiver<bool>,
	answer: Arc<impl Fn(Client, Request<Body>) -> Answering + Send + Sync + 'static>,
) -> Result<(), impl Display> {
	let client = Client(client_of(address.ip()));
	// Answers are written at once, so nothing is gained by waiting for more.
	let _ = stream.set_nodelay(true);
	// A client whose machine has vanished takes data into no buffer, and never ends the connection.
	#[cfg(target_os = "linux")]
	let _ = rustix::net::sockopt::set_tcp_user_timeout(
		&stream,
		u32::try_from(limits.write_time.as_millis()).unwrap_or(u32::MAX),
	);
	let mut stream = TimeoutStream::new(stream);
	stream.set_write_timeout(Some(limits.write_time));
	let service = service_fn(move |request: Request<Incoming>| {
		let mut request = request.map(Body::new);
		request.extensions_mut().insert(client);
		let answering = answer(client, request);
		async { Ok::<_, Infallible>(answering.await) }
	});
	let connection = http1::Builder::new()
		.timer(TokioTimer::new())
		// Also limits the time between two requests.
		.header_read_timeout(limits.head_time)
		.max_buf_size(limits.head)
		.serve_connection(TokioIo::new(Paced::new(Box::pin(stream))), service);
	let mut connection = pin!(connection);
	if limits.stop_time.is_zero() {
		// Its task is ended then, so the connection need not look out for that at each step.
		return connection.await;
	}
	let stopped = async { drop(stopping.wait_for(|stopping| *stopping).await) };
	tokio::select! {
		served = connection.as_mut() => served,
		() = stopped => {
			connection.as_mut().graceful_shutdown();
			connection.await
		},
	}
}
