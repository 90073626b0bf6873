// SPDX-License-Identifier: Apache-2.0
//! The server: its connections, and their limits.

use std::{convert::Infallible, future::Future, net::IpAddr, pin::pin, sync::Arc, time::Duration};

use axum::{body::Body, Router};
use content_fabric_http_server::{client_of, Gate, Paced};
use hyper::{body::Incoming, server::conn::http1, service::service_fn, Request};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
	net::{TcpListener, TcpStream},
	sync::Semaphore,
	time::sleep,
};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, warn};

use super::{answer, router, App};

/// Largest number of connections, in all and of one client.
pub const CONNECTIONS: (usize, usize) = (2_048, 512);
/// Largest length of the head of a request, in bytes. Also limits the buffers of a connection.
const HEAD: usize = 64 << 10;
/// Longest time until the head of a request has arrived, and of a connection between requests.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Longest time in which a client takes nothing of an answer.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// Pause after a connection could not be accepted, such as for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `stop` ends. Connections that are open then are closed: uploads can be resumed.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
	let (router, free) = (router(app.clone()), Arc::new(Semaphore::new(CONNECTIONS.0)));
	let gate = Gate::new(CONNECTIONS.0, CONNECTIONS.1);
	let mut stop = pin!(stop);
	loop {
		let next = async {
			// Clients wait in the queue of the system while there are too many.
			let permit = free.clone().acquire_owned().await;
			(permit, listener.accept().await)
		};
		tokio::select! {
			() = &mut stop => return,
			(permit, accepted) = next => match accepted {
				Ok((stream, address)) => {
					let client = address.ip().to_canonical();
					let pass = gate.take(client_of(client));
					// A reverse proxy on this machine stands for all clients.
					if pass.is_none() && !client.is_loopback() {
						debug!("closing a connection from {address}: its client has too many");
						continue;
					}
					let (app, router) = (app.clone(), router.clone());
					tokio::spawn(async move {
						connection(stream, client, app, router).await;
						drop((pass, permit));
					});
				},
				Err(failure) => {
					warn!("a connection cannot be accepted: {failure}");
					sleep(PAUSE).await;
				},
			},
		}
	}
}

async fn connection(stream: TcpStream, client: IpAddr, app: Arc<App>, router: Router) {
	// Answers are written at once, so nothing is gained by waiting for more.
	let _ = stream.set_nodelay(true);
	let mut stream = TimeoutStream::new(stream);
	stream.set_write_timeout(Some(WRITE_TIME));
	let service = service_fn(move |request: Request<Incoming>| {
		let answered = answer(app.clone(), client, router.clone(), request.map(Body::new));
		async { Ok::<_, Infallible>(answered.await) }
	});
	let served = http1::Builder::new()
		.timer(TokioTimer::new())
		.header_read_timeout(HEAD_TIME)
		.max_buf_size(HEAD)
		.serve_connection(TokioIo::new(Paced::new(Box::pin(stream))), service)
		.await;
	if let Err(failure) = served {
		debug!("a connection from {client} has ended: {failure}");
	}
}
