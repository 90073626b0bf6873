// SPDX-License-Identifier: Apache-2.0
//! A server of a small chain.

use std::{net::SocketAddr, num::NonZeroU32, sync::Arc, time::Duration};

use content_fabric_client::chain::wall_clock;
use content_fabric_indexer::{
	api::{serve, App, Limits, Progress},
	audit::Audits,
	index::Index,
	source::Block,
};
use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase},
	Database, Durability,
};
use serde_json::Value as Json;
use tempfile::TempDir;
use tokio::{
	net::TcpListener,
	sync::{oneshot, watch},
	task::JoinHandle,
};

use crate::{
	described,
	http::{get, Answer, Feed},
	world::{self, World},
};

/// A server with the chain that it serves.
pub struct Server {
	pub address: SocketAddr,
	pub index: Arc<Index>,
	pub world: World,
	pub status: watch::Sender<Progress>,
	pub audits: Audits,
	stop: Option<oneshot::Sender<()>>,
	pub task: JoinHandle<()>,
	_folder: TempDir,
}

/// Returns limits that only the tests of limits reach.
pub fn limits() -> Limits {
	let many = NonZeroU32::MAX;
	Limits { rate: many, burst: many, ..Limits::default() }
}

impl Server {
	/// Serves an empty development chain at block 0.
	pub async fn new(limits: Limits) -> Self {
		Self::of_kind("Development", limits).await
	}

	/// Serves an empty chain of a kind at block 0.
	async fn of_kind(kind: &str, limits: Limits) -> Self {
		let folder = tempfile::tempdir().expect("there is room");
		let config = DiskConfig::new(folder.path().join("index.redb"));
		let index = Index::new(DiskDatabase::open(config).expect("there is room"));
		let index = Arc::new(index.expect("the index is new"));
		world::begin(&index, kind);
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
		let address = listener.local_addr().expect("it is bound");
		let progress = Progress { connected: true, ..Progress::default() };
		let (status, receiver) = watch::channel(progress);
		let audits = Audits::default();
		let (stop, stopped) = oneshot::channel::<()>();
		let app = App::new(index.clone(), receiver, audits.clone(), limits);
		let task = tokio::spawn(serve(listener, app, async {
			let _ = stopped.await;
		}));
		let (world, stop) = (World::default(), Some(stop));
		Self { address, index, world, status, audits, stop, task, _folder: folder }
	}

	/// Serves a chain with some of everything.
	pub async fn full() -> Self {
		Self::filled(limits()).await
	}

	/// Serves the same with other limits.
	pub async fn filled(limits: Limits) -> Self {
		Self::new(limits).await.fill()
	}

	/// Serves a live chain with the same. Its last block is years old.
	pub async fn live() -> Self {
		Self::of_kind("Live", limits()).await.fill()
	}

	fn fill(mut self) -> Self {
		let blocks = self.world.fill();
		self.add(&blocks);
		self
	}

	/// Adds blocks.
	pub fn add(&self, blocks: &[Block]) {
		self.index.apply(blocks, Durability::Close).expect("the blocks follow");
		self.publish();
	}

	/// Ends a block and adds it.
	pub fn seal(&mut self) {
		let block = self.world.seal();
		self.add(&[block]);
	}

	/// Says that the index has changed.
	pub fn publish(&self) {
		let state = self.index.state().expect("the index is readable").expect("it is begun");
		self.status.send_modify(|progress| {
			progress.generation += 1;
			progress.node_best = state.last.number;
			progress.node_finalized = state.last.number;
			progress.followed_at = Some(wall_clock() / 1_000);
		});
	}

	/// Serves the same with other results of audits.
	pub async fn serve_audits(&mut self, audits: Audits) {
		self.stop().await;
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
		self.address = listener.local_addr().expect("it is bound");
		let (stop, stopped) = oneshot::channel::<()>();
		let app = App::new(self.index.clone(), self.status.subscribe(), audits.clone(), limits());
		self.task = tokio::spawn(serve(listener, app, async {
			let _ = stopped.await;
		}));
		(self.audits, self.stop) = (audits, Some(stop));
	}

	pub async fn get(&self, target: &str) -> Answer {
		get(self.address, target).await
	}

	/// Gets JSON, which must be as the interface is described.
	pub async fn json(&self, target: &str) -> Json {
		let answer = self.get(target).await;
		assert_eq!(answer.status, 200, "{target}: {}", String::from_utf8_lossy(&answer.body));
		assert_eq!(answer.header("content-type"), "application/json", "{target}");
		let json = answer.json();
		if target.starts_with("/v1/") {
			described::check(target, &json);
		}
		json
	}

	/// Gets JSON without its block, whose age changes.
	pub async fn content(&self, target: &str) -> Json {
		let mut answer = self.json(target).await;
		answer["at"].take();
		answer
	}

	/// Gets one thing.
	pub async fn item(&self, target: &str) -> Json {
		self.json(target).await["item"].take()
	}

	/// Gets the items of a list.
	pub async fn items(&self, target: &str) -> Vec<Json> {
		match self.json(target).await["items"].take() {
			Json::Array(items) => items,
			other => panic!("{target}: {other}"),
		}
	}

	/// Gets a field of each item of a list.
	pub async fn fields(&self, target: &str, field: &str) -> Vec<String> {
		let items = self.items(target).await;
		items.iter().map(|item| item[field].as_str().unwrap_or_default().to_owned()).collect()
	}

	pub async fn feed(&self, target: &str) -> Feed {
		Feed::open(self.address, target, &[]).await
	}

	/// Stops the server, which must end soon.
	pub async fn stop(&mut self) {
		drop(self.stop.take());
		let ended = tokio::time::timeout(Duration::from_secs(10), &mut self.task).await;
		ended.expect("the server ends").expect("it does not fail");
	}
}
