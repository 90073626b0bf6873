// SPDX-License-Identifier: Apache-2.0
//! A reader of the feed.

use std::{future::pending, net::IpAddr};

use axum::body::Bytes;
use futures::FutureExt;
use tokio::{
	sync::watch,
	time::{interval_at, Instant, Interval, MissedTickBehavior},
};

use super::page::{put, read, Position};
use crate::{
	api::{
		app::App,
		slots::Pass,
		views::{HeadMessage, NodeHeads},
	},
	follow::{stopped, Progress},
	index::view::EventFilter,
};

/// A reader of the feed.
pub(super) struct Reader {
	app: App,
	client: IpAddr,
	filter: EventFilter,
	only_final: bool,
	position: Position,
	/// True if something may follow the position.
	more: bool,
	/// The change of the index up to which it has been read.
	generation: u64,
	status: watch::Receiver<Progress>,
	/// True once the follower is gone.
	is_deserted: bool,
	stopping: watch::Receiver<bool>,
	heads: Interval,
	/// State of the connection to the node, as the last `head` message gave it. `None` before the
	/// first one.
	connected: Option<bool>,
	_pass: Pass,
}

/// News that a reader waits for.
enum News {
	/// The index has changed.
	Change,
	/// A `head` message is due.
	Tick,
	/// The server stops.
	Stop,
}

impl Reader {
	pub fn new(
		app: App,
		client: IpAddr,
		pass: Pass,
		filter: EventFilter,
		only_final: bool,
		position: Position,
	) -> Self {
		let interval = app.limits.head_interval;
		let mut heads = interval_at(Instant::now() + interval, interval);
		heads.set_missed_tick_behavior(MissedTickBehavior::Delay);
		let (status, stopping) = (app.status.clone(), app.stopping.subscribe());
		Self {
			app,
			client,
			filter,
			only_final,
			position,
			more: true,
			generation: 0,
			status,
			is_deserted: false,
			stopping,
			heads,
			connected: None,
			_pass: pass,
		}
	}

	/// Returns the next messages. `None` at the end of the stream.
	pub async fn next(&mut self) -> Option<Bytes> {
		loop {
			let is_tick = match self.news().await {
				News::Stop => return None,
				News::Change => false,
				News::Tick => true,
			};
			let mut messages = String::new();
			let before = self.position.id;
			let following = self.read().await;
			if is_tick {
				let head = self.head();
				put(&mut messages, Some(&before), "head", &head).ok()?;
			}
			messages.push_str(&following?);
			if !messages.is_empty() {
				return Some(messages.into());
			}
		}
	}

	async fn news(&mut self) -> News {
		if *self.stopping.borrow() {
			return News::Stop;
		}
		if self.is_reconnected() || self.heads.tick().now_or_never().is_some() {
			return News::Tick;
		}
		if self.more {
			return News::Change;
		}
		loop {
			let (status, is_deserted) = (&mut self.status, self.is_deserted);
			let changed = async move {
				match is_deserted {
					true => pending().await,
					false => status.changed().await,
				}
			};
			tokio::select! {
				() = stopped(&mut self.stopping) => return News::Stop,
				_ = self.heads.tick() => return News::Tick,
				changed = changed => match changed {
					Ok(()) if self.is_reconnected() => return News::Tick,
					Ok(()) if self.status.borrow().generation == self.generation => {},
					Ok(()) => return News::Change,
					Err(_) => self.is_deserted = true,
				},
			}
		}
	}

	/// Returns whether the state of the connection to the node is not that of the last `head`
	/// message.
	fn is_reconnected(&self) -> bool {
		self.connected != Some(self.status.borrow().connected)
	}

	/// Reads what follows the position. `None` ends the stream.
	async fn read(&mut self) -> Option<String> {
		self.generation = self.status.borrow_and_update().generation;
		let (position, only_final) = (self.position, self.only_final);
		let filter = self.filter.clone();
		let page =
			self.app.read(self.client, move |view| read(view, position, &filter, only_final));
		match page.await {
			Ok(page) => {
				let page = page?;
				self.position = page.position;
				self.more = page.more;
				Some(page.messages)
			},
			// The next tick is another try.
			Err(error) if error.is_transient() => {
				self.more = false;
				Some(String::new())
			},
			Err(_) => None,
		}
	}

	fn head(&mut self) -> HeadMessage {
		let Progress { node_best, node_finalized, connected, .. } = self.app.progress();
		self.connected = Some(connected);
		HeadMessage {
			best: self.position.best,
			finalized: self.position.last_final,
			node: NodeHeads { best: node_best, finalized: node_finalized, connected },
		}
	}
}
