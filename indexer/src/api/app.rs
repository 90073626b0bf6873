// SPDX-License-Identifier: Apache-2.0
//! State that all requests share.

use std::{net::IpAddr, sync::Arc};

use content_fabric_http_server::{Gate, Rate, Server};
use tokio::{sync::watch, task::spawn_blocking};
use tracing::error;

use super::{
	error::{Error, Kind, Result},
	limits::Limits,
	metrics::Metrics,
};
use crate::{
	audit::Audits,
	follow::Progress,
	index::{view::View, Index},
};

/// The index, how far it has come, and the limits of its server. All requests share it.
pub struct App {
	index: Arc<Index>,
	/// The follower's progress.
	pub(crate) status: watch::Receiver<Progress>,
	/// Results of audits.
	pub(crate) audits: Audits,
	pub(crate) limits: Limits,
	pub(crate) metrics: Metrics,
	rate: Rate,
	pub(crate) reads: Gate,
	pub(crate) feeds: Gate,
	/// Its stop ends the streams.
	pub(crate) server: Server,
}

impl App {
	/// Makes the app of an index. `status` says how far its follower has come, and `audits` what
	/// audits of its nodes have found.
	pub fn new(
		index: Arc<Index>,
		status: watch::Receiver<Progress>,
		audits: Audits,
		limits: Limits,
	) -> Arc<Self> {
		Arc::new(Self {
			index,
			status,
			audits,
			metrics: Metrics::default(),
			rate: Rate::new(limits.rate, limits.burst),
			reads: Gate::new(limits.reads, limits.reads_each),
			feeds: Gate::new(limits.feeds, limits.feeds_each),
			server: Server::new(limits.http),
			limits,
		})
	}

	/// Returns how far the follower has come.
	pub(crate) fn progress(&self) -> Progress {
		self.status.borrow().clone()
	}

	/// Counts a request of a client. Fails if it sends too many.
	pub(crate) fn count(&self, client: IpAddr) -> Result<()> {
		self.rate
			.count(client)
			.map_err(|wait| Error::too_many("too many requests from this address", wait))
	}

	/// Reads the index at one moment, in a thread that may wait for the disk.
	pub(crate) async fn read<T: Send + 'static>(
		&self,
		client: IpAddr,
		run: impl FnOnce(&View<'_>) -> Result<T> + Send + 'static,
	) -> Result<T> {
		let pass = self.reads.enter(client, self.limits.read_wait).await;
		let pass = pass.ok_or_else(|| Error::unavailable("too many queries are under way"))?;
		let (index, time) = (self.index.clone(), self.limits.read_time);
		let result = spawn_blocking(move || {
			// Held until the query ends, even if the client is gone before.
			let _pass = pass;
			let view = index.view()?.within(time);
			if view.state().resync.is_some() {
				return Err(Error::unavailable("a resync is under way"));
			}
			run(&view)
		});
		result.await.unwrap_or_else(|failure| {
			error!("a query failed: {failure}");
			Err(Error::new(Kind::Internal, "the query failed"))
		})
	}
}
