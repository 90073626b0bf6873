// SPDX-License-Identifier: Apache-2.0
//! A reader of the feed.

use std::{net::IpAddr, sync::Arc};

use axum::body::Bytes;
use content_fabric_http_server::Pass;
use futures::FutureExt;
use tokio::{
	sync::watch,
	time::{interval_at, Instant, Interval, MissedTickBehavior},
};

use super::page::{read, Messages, Position};
use crate::{
	api::{app::App, views::HeadMessage},
	follow::{stopped, Progress},
	index::view::EventFilter,
};

/// A reader of the feed.
pub(super) struct Reader {
	app: Arc<App>,
	client: IpAddr,
	filter: EventFilter,
	position: Position,
	/// The change of the index up to which it has been read.
	generation: u64,
	status: watch::Receiver<Progress>,
	stopping: watch::Receiver<bool>,
	heads: Interval,
	/// State of the connection to the node, as the last `head` message gave it. `None` before the
	/// first one.
	connected: Option<bool>,
	_pass: Pass,
}

impl Reader {
	pub fn new(
		app: Arc<App>,
		client: IpAddr,
		pass: Pass,
		filter: EventFilter,
		position: Position,
	) -> Self {
		let interval = app.limits.head_interval;
		let mut heads = interval_at(Instant::now() + interval, interval);
		heads.set_missed_tick_behavior(MissedTickBehavior::Delay);
		let (status, stopping) = (app.status.clone(), app.server.stopping());
		Self {
			app,
			client,
			filter,
			position,
			generation: 0,
			status,
			stopping,
			heads,
			connected: None,
			_pass: pass,
		}
	}

	/// Returns the next messages. `None` at the end of the stream.
	pub async fn next(&mut self) -> Option<Bytes> {
		loop {
			let is_tick = self.news().await?;
			let mut messages = Messages::default();
			let before = self.position.id;
			let following = self.read().await;
			if is_tick {
				let head = self.head();
				messages.put(&before, "head", &head).ok()?;
			}
			let text = messages.text + &following?;
			if !text.is_empty() {
				return Some(text.into());
			}
		}
	}

	/// Waits until the index has changed or a `head` message is due, and returns whether one is.
	/// `None` if the server stops, or nothing follows the chain any more.
	async fn news(&mut self) -> Option<bool> {
		if *self.stopping.borrow() {
			return None;
		}
		if self.is_reconnected() || self.heads.tick().now_or_never().is_some() {
			return Some(true);
		}
		if self.position.more {
			return Some(false);
		}
		loop {
			tokio::select! {
				() = stopped(&mut self.stopping) => return None,
				_ = self.heads.tick() => return Some(true),
				changed = self.status.changed() => match changed.ok()? {
					() if self.is_reconnected() => return Some(true),
					() if self.status.borrow().generation == self.generation => {},
					() => return Some(false),
				},
			}
		}
	}

	/// Returns whether the state of the connection to the node has changed since the last `head`
	/// message.
	fn is_reconnected(&self) -> bool {
		self.connected != Some(self.status.borrow().connected)
	}

	/// Reads what follows the position. `None` ends the stream.
	async fn read(&mut self) -> Option<String> {
		self.generation = self.status.borrow_and_update().generation;
		let (position, filter) = (self.position, self.filter.clone());
		let page = self.app.read(self.client, move |view| read(view, position, &filter));
		match page.await {
			Ok((messages, position)) => {
				self.position = position;
				Some(messages)
			},
			// The next tick is another try.
			Err(error) if error.is_transient() => {
				self.position.more = false;
				Some(String::new())
			},
			Err(_) => None,
		}
	}

	fn head(&mut self) -> HeadMessage {
		let progress = self.app.progress();
		self.connected = Some(progress.connected);
		HeadMessage { finalized: self.position.last, node: progress.into() }
	}
}
