// SPDX-License-Identifier: Apache-2.0
//! State that all requests share.

use std::{
	net::IpAddr,
	sync::{Arc, OnceLock},
};

use axum::{
	body::Bytes,
	extract::FromRef,
	http::header,
	response::{IntoResponse, Response},
};
use content_fabric_okvs::disk::DiskSnapshot;
use governor::{
	clock::{Clock, DefaultClock},
	state::keyed::DashMapStateStore,
	Quota, RateLimiter,
};
use serde::Serialize;
use tokio::{sync::watch, task::spawn_blocking};
use tracing::error;

use super::{
	ask::{Ask, Paging},
	error::{Error, Kind},
	limits::Limits,
	metrics::Metrics,
	slots::{Gate, Slots},
	views::{At, List, One},
};
use crate::{
	index::{
		view::{Page, ReadError, Slice, View},
		Index,
	},
	probe::Probes,
	progress::Progress,
};

/// A view that reads the file.
pub(crate) type DiskView<'a> = View<DiskSnapshot<'a>>;

/// A result of a query. `None` if its subject does not exist.
pub(crate) type Found<T> = Result<Option<T>, ReadError>;

/// The index, how far it has come, and the limits of its server.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
	index: Arc<Index>,
	status: watch::Receiver<Progress>,
	probes: Probes,
	limits: Limits,
	metrics: Metrics,
	rate: RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>,
	clock: DefaultClock,
	reads: Arc<Gate>,
	feeds: Arc<Slots>,
	connections: Arc<Slots>,
	stopping: watch::Sender<bool>,
	document: OnceLock<Bytes>,
}

impl FromRef<App> for Limits {
	fn from_ref(app: &App) -> Self {
		app.limits().clone()
	}
}

impl App {
	/// Makes the app of an index. `status` says how far its follower has come, and `probes` what its
	/// nodes have answered.
	pub fn new(
		index: Arc<Index>,
		status: watch::Receiver<Progress>,
		probes: Probes,
		limits: Limits,
	) -> Self {
		let quota = Quota::per_second(limits.rate).allow_burst(limits.burst);
		Self(Arc::new(Inner {
			index,
			status,
			probes,
			metrics: Metrics::default(),
			rate: RateLimiter::dashmap(quota),
			clock: DefaultClock::default(),
			reads: Gate::new(limits.reads, limits.reads_each),
			feeds: Slots::new(limits.feeds, limits.feeds_each),
			connections: Slots::new(limits.connections, limits.connections_each),
			stopping: watch::Sender::new(false),
			document: OnceLock::new(),
			limits,
		}))
	}

	pub(crate) fn limits(&self) -> &Limits {
		&self.0.limits
	}

	pub(crate) fn metrics(&self) -> &Metrics {
		&self.0.metrics
	}

	pub(crate) fn reads(&self) -> &Gate {
		&self.0.reads
	}

	pub(crate) fn feeds(&self) -> &Arc<Slots> {
		&self.0.feeds
	}

	pub(crate) fn connections(&self) -> &Arc<Slots> {
		&self.0.connections
	}

	/// Returns how far the follower has come.
	pub(crate) fn progress(&self) -> Progress {
		self.0.status.borrow().clone()
	}

	/// Returns the channel that says how far the follower has come.
	pub(crate) fn status(&self) -> watch::Receiver<Progress> {
		self.0.status.clone()
	}

	/// Returns what nodes have answered.
	pub(crate) fn probes(&self) -> Probes {
		self.0.probes.clone()
	}

	/// Returns the channel that turns true when the server stops.
	pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
		self.0.stopping.subscribe()
	}

	/// Ends the streams.
	pub(crate) fn stop(&self) {
		self.0.stopping.send_replace(true);
	}

	/// Returns the description of the interface.
	pub(crate) fn document(&self) -> &OnceLock<Bytes> {
		&self.0.document
	}

	/// Counts a request of a client. Fails if it sends too many.
	pub(crate) fn count(&self, client: IpAddr) -> Result<(), Error> {
		self.0.rate.check_key(&client).map_err(|until| {
			let wait = until.wait_time_from(self.0.clock.now()).as_secs().saturating_add(1);
			Error::too_many("too many requests from this address", wait)
		})
	}

	/// Forgets clients that have sent nothing for a while.
	pub(crate) fn forget_clients(&self) {
		self.0.rate.retain_recent();
		self.0.rate.shrink_to_fit();
	}

	/// Reads the index at one moment, in a thread that may wait for the disk.
	pub(crate) async fn read<T: Send + 'static>(
		&self,
		client: IpAddr,
		run: impl FnOnce(&DiskView<'_>) -> Result<T, Error> + Send + 'static,
	) -> Result<T, Error> {
		let pass = self.0.reads.enter(client, self.limits().read_wait).await;
		let pass = pass.ok_or_else(|| Error::unavailable("too many queries are under way"))?;
		let (index, time) = (self.0.index.clone(), self.limits().read_time);
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

	/// Answers with JSON of one moment.
	pub(crate) async fn answer<T: Serialize>(
		&self,
		client: IpAddr,
		run: impl FnOnce(&DiskView<'_>) -> Result<T, Error> + Send + 'static,
	) -> Result<Response, Error> {
		let bytes = self.read(client, |view| {
			let answer = run(view)?;
			serde_json::to_vec(&answer).map_err(|failure| {
				error!("an answer is not JSON: {failure}");
				Error::new(Kind::Internal, "the answer cannot be written")
			})
		});
		Ok(([(header::CONTENT_TYPE, "application/json")], bytes.await?).into_response())
	}

	/// Answers with one thing. `missing` is the message if it does not exist.
	pub(crate) async fn one<T: Serialize>(
		&self,
		ask: &Ask,
		missing: &'static str,
		run: impl FnOnce(&DiskView<'_>) -> Found<T> + Send + 'static,
	) -> Result<Response, Error> {
		ask.done()?;
		let run = move |view: &DiskView<'_>| {
			let item = run(view)?.ok_or_else(|| Error::missing(missing))?;
			Ok(One { at: at(view)?, item })
		};
		self.answer(ask.client, run).await
	}

	/// Answers with a page of a list. `missing` is the message if what it is a list of does not
	/// exist.
	pub(crate) async fn list<T: Serialize>(
		&self,
		client: IpAddr,
		paging: Paging,
		missing: &'static str,
		run: impl FnOnce(&DiskView<'_>, &Slice) -> Found<Page<T>> + Send + 'static,
	) -> Result<Response, Error> {
		let run = move |view: &DiskView<'_>| {
			let page = run(view, &paging.slice)?.ok_or_else(|| Error::missing(missing))?;
			let next = page.next.as_ref().map(|place| paging.cursor(place));
			Ok(List { at: at(view)?, items: page.items, next })
		};
		self.answer(client, run).await
	}
}

/// Returns the block of a view.
pub(crate) fn at(view: &DiskView<'_>) -> Result<At, Error> {
	let (best, finalized) = (view.state().best, view.state().finalized);
	let row = view.block(best.number)?;
	Ok(At {
		number: best.number,
		hash: best.hash.into(),
		time: row.map_or(0, |row| row.time),
		is_final: best.number <= finalized.number,
	})
}
