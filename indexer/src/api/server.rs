// SPDX-License-Identifier: Apache-2.0
//! The server: its connections, and their limits.

use std::{
	future::Future,
	net::{IpAddr, SocketAddr},
	pin::pin,
	sync::Arc,
	time::Duration,
};

use axum::{body::Body, Router};
use content_fabric_http_server::client_of;
use hyper::{body::Incoming, server::conn::http1, service::service_fn, Request};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
	net::{TcpListener, TcpStream},
	task::JoinSet,
	time::{interval, sleep, timeout, MissedTickBehavior},
};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, warn};

use super::{app::App, router::router, service::answer};
use crate::follow::stopped;

/// Interval at which clients that have sent nothing for a while are forgotten.
const FORGET_INTERVAL: Duration = Duration::from_secs(60);
/// Pause after a connection could not be accepted, such as for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves the app until `stop` ends. Then the streams of the feed end, and other answers have
/// [`Limits::stop_time`](super::Limits::stop_time) to end.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
	let router = router(app.clone());
	let mut stop = pin!(stop);
	let mut connections = JoinSet::new();
	let mut forget = interval(FORGET_INTERVAL);
	forget.set_missed_tick_behavior(MissedTickBehavior::Delay);
	loop {
		tokio::select! {
			() = &mut stop => break,
			accepted = listener.accept() => match accepted {
				Ok((stream, address)) => {
					let client = client_of(address.ip());
					// Clients with too many connections see this one closed.
					if let Some(pass) = app.connections.take(client) {
						let (app, router) = (app.clone(), router.clone());
						connections.spawn(async move {
							connection(stream, address, client, app, router).await;
							drop(pass);
						});
					}
				},
				Err(failure) => {
					warn!("a connection cannot be accepted: {failure}");
					sleep(PAUSE).await;
				},
			},
			Some(_) = connections.join_next() => {},
			_ = forget.tick() => app.forget_clients(),
		}
	}
	drop(listener);
	app.stopping.send_replace(true);
	let ended =
		timeout(app.limits.stop_time, async { while connections.join_next().await.is_some() {} });
	if ended.await.is_err() {
		connections.shutdown().await;
	}
}

async fn connection(
	stream: TcpStream,
	address: SocketAddr,
	client: IpAddr,
	app: Arc<App>,
	router: Router,
) {
	// Answers are written at once, so nothing is gained by waiting for more.
	let _ = stream.set_nodelay(true);
	let limits = app.limits.clone();
	// A client whose machine has vanished takes data into no buffer, and never ends the connection.
	#[cfg(target_os = "linux")]
	let _ = rustix::net::sockopt::set_tcp_user_timeout(
		&stream,
		u32::try_from(limits.write_time.as_millis()).unwrap_or(u32::MAX),
	);
	let mut stream = TimeoutStream::new(stream);
	stream.set_write_timeout(Some(limits.write_time));
	let mut stopping = app.stopping.subscribe();
	let service = service_fn(move |request: Request<Incoming>| {
		answer(app.clone(), router.clone(), client, request.map(Body::new))
	});
	let connection = http1::Builder::new()
		.timer(TokioTimer::new())
		// Also limits the time between two requests.
		.header_read_timeout(limits.head_time)
		.max_buf_size(limits.head)
		.serve_connection(TokioIo::new(Box::pin(stream)), service);
	let mut connection = pin!(connection);
	let result = tokio::select! {
		result = connection.as_mut() => result,
		() = stopped(&mut stopping) => {
			connection.as_mut().graceful_shutdown();
			connection.await
		},
	};
	if let Err(failure) = result {
		debug!("the connection from {address} has ended: {failure}");
	}
}
