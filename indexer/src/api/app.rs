// SPDX-License-Identifier: Apache-2.0
//! State that all requests share.

use std::{
	net::IpAddr,
	ops::Deref,
	sync::{Arc, OnceLock},
};

use axum::{
	body::Bytes,
	http::header,
	response::{IntoResponse, Response},
};
use governor::{
	clock::{Clock, DefaultClock},
	state::keyed::DashMapStateStore,
	Quota, RateLimiter,
};
use serde::Serialize;
use tokio::{sync::watch, task::spawn_blocking};
use tracing::error;

use super::{
	ask::Ask,
	error::{Error, Kind},
	limits::Limits,
	metrics::Metrics,
	slots::Gate,
	views::{At, List, One},
};
use crate::{
	follow::Progress,
	index::{
		view::{Found, Page, Slice, View},
		Index,
	},
	probe::Probes,
};

/// The index, how far it has come, and the limits of its server.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// State that all requests share.
pub struct Shared {
	index: Arc<Index>,
	/// The follower's progress.
	pub(crate) status: watch::Receiver<Progress>,
	/// Answers of nodes.
	pub(crate) probes: Probes,
	pub(crate) limits: Limits,
	pub(crate) metrics: Metrics,
	rate: RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>,
	clock: DefaultClock,
	pub(crate) reads: Arc<Gate>,
	pub(crate) feeds: Arc<Gate>,
	pub(crate) connections: Arc<Gate>,
	/// True once the server stops, which ends the streams.
	pub(crate) stopping: watch::Sender<bool>,
	/// The description of the interface.
	pub(crate) document: OnceLock<Bytes>,
}

impl Deref for App {
	type Target = Shared;

	fn deref(&self) -> &Shared {
		&self.0
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
		Self(Arc::new(Shared {
			index,
			status,
			probes,
			metrics: Metrics::default(),
			rate: RateLimiter::dashmap(quota),
			clock: DefaultClock::default(),
			reads: Gate::new(limits.reads, limits.reads_each),
			feeds: Gate::new(limits.feeds, limits.feeds_each),
			connections: Gate::new(limits.connections, limits.connections_each),
			stopping: watch::Sender::new(false),
			document: OnceLock::new(),
			limits,
		}))
	}

	/// Returns how far the follower has come.
	pub(crate) fn progress(&self) -> Progress {
		self.status.borrow().clone()
	}

	/// Counts a request of a client. Fails if it sends too many.
	pub(crate) fn count(&self, client: IpAddr) -> Result<(), Error> {
		self.rate.check_key(&client).map_err(|until| {
			let wait = until.wait_time_from(self.clock.now()).as_secs().saturating_add(1);
			Error::too_many("too many requests from this address", wait)
		})
	}

	/// Forgets clients that have sent nothing for a while.
	pub(crate) fn forget_clients(&self) {
		self.rate.retain_recent();
		self.rate.shrink_to_fit();
	}

	/// Reads the index at one moment, in a thread that may wait for the disk.
	pub(crate) async fn read<T: Send + 'static>(
		&self,
		client: IpAddr,
		run: impl FnOnce(&View<'_>) -> Result<T, Error> + Send + 'static,
	) -> Result<T, Error> {
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

	/// Answers with JSON of one moment.
	pub(crate) async fn answer<T: Serialize>(
		&self,
		client: IpAddr,
		run: impl FnOnce(&View<'_>) -> Result<T, Error> + Send + 'static,
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
	pub(crate) async fn one<Shown: From<T> + Serialize, T>(
		&self,
		ask: Ask,
		missing: &'static str,
		run: impl FnOnce(&View<'_>) -> Found<T> + Send + 'static,
	) -> Result<Response, Error> {
		ask.done()?;
		let run = move |view: &View<'_>| {
			let item = run(view)?.ok_or_else(|| Error::missing(missing))?;
			Ok(One { at: at(view)?, item: Shown::from(item) })
		};
		self.answer(ask.client, run).await
	}

	/// Answers with a page of a list, whose order has a number. `missing` is the message if what it
	/// is a list of does not exist.
	pub(crate) async fn list<Shown: From<T> + Serialize, T>(
		&self,
		ask: Ask,
		order: u8,
		missing: &'static str,
		run: impl FnOnce(&View<'_>, &Slice) -> Found<Page<T>> + Send + 'static,
	) -> Result<Response, Error> {
		let client = ask.client;
		let paging = ask.page(order)?;
		let run = move |view: &View<'_>| {
			let page = run(view, &paging.slice)?.ok_or_else(|| Error::missing(missing))?;
			let page = page.map(Shown::from);
			let next = page.next.as_ref().map(|place| paging.cursor(place));
			Ok(List { at: at(view)?, items: page.items, next })
		};
		self.answer(client, run).await
	}
}

/// Returns the block of a view.
pub(crate) fn at(view: &View<'_>) -> Result<At, Error> {
	let (best, finalized) = (view.state().best, view.state().finalized);
	let row = view.block(best.number)?;
	Ok(At {
		number: best.number,
		hash: best.hash.into(),
		time: row.map_or(0, |row| row.time),
		is_final: best.number <= finalized.number,
	})
}
