// SPDX-License-Identifier: Apache-2.0
//! The feed.

use std::time::{Duration, Instant};

use content_fabric_indexer::{
	api::Limits,
	source::{Block, BlockRef},
};
use serde_json::json;

use crate::{
	http::{Feed, Message},
	server::{limits, Server},
	world::{hash, time, World, OBJECT, OTHER_TENANT, PROVIDER, SPACE, TENANT},
};

fn id(number: u64, index: u32) -> String {
	format!("{number}-0x{}-{index}", hex::encode(hash(number)))
}

fn step(event: &str, number: u64) -> (String, u64) {
	(event.into(), number)
}

/// Makes empty blocks.
fn blocks(world: &mut World, count: u64) -> Vec<Block> {
	(0..count).map(|_| world.seal()).collect()
}

#[tokio::test]
async fn a_reader_without_an_id_is_sent_a_head_and_new_blocks() {
	let mut server = Server::full().await;
	let mut feed = server.feed("/v1/feed").await;
	assert_eq!(feed.answer.status, 200);
	assert_eq!(feed.answer.header("content-type"), "text/event-stream");
	assert_eq!(feed.answer.header("x-accel-buffering"), "no");
	assert_eq!(feed.answer.header("cache-control"), "no-store");
	let head = feed.any().await;
	let node = json!({ "best": 5, "finalized": 5, "connected": true, "begunAnew": false });
	let data = json!({ "finalized": 5, "node": node });
	assert_eq!(head, Message { id: id(5, 6), event: "head".into(), data });

	server.world.put(TENANT, "names", "new", OBJECT, None);
	server.seal();
	let block = feed.any().await;
	assert_eq!((block.event.as_str(), &block.id), ("block", &id(6, 1)));
	assert_eq!(block.data["number"], 6);
	assert_eq!(block.data["hash"], format!("0x{}", hex::encode(hash(6))));
	assert_eq!(block.data["parent"], format!("0x{}", hex::encode(hash(5))));
	assert_eq!(block.data["time"], time(6));
	assert!(block.data.get("specVersion").is_none());
	assert_eq!(block.data["events"][0]["name"], "RecordPut");
	assert_eq!(block.data["events"][0]["id"], id(6, 1));
	assert_eq!(block.data["events"][0]["fields"]["key"], "new");

	// A block without events is sent, too.
	server.seal();
	assert_eq!(feed.any().await.id, id(7, 0));
}

#[tokio::test]
async fn heads_come_again_and_again() {
	let head_interval = Duration::from_millis(50);
	let server = Server::new(Limits { head_interval, ..limits() }).await;
	let mut feed = server.feed("/v1/feed").await;
	for _ in 0..3 {
		assert_eq!(feed.any().await.event, "head");
	}
}

#[tokio::test]
async fn a_lost_connection_to_the_node_is_reported_at_once() {
	let server = Server::full().await;
	let mut feed = server.feed("/v1/feed").await;
	// One that is far behind, too.
	let mut behind = server.feed(&format!("/v1/feed?after={}", id(1, 2))).await;
	assert_eq!(feed.any().await.event, "head");
	for connected in [false, true, false] {
		let begin = Instant::now();
		server.status.send_modify(|progress| {
			progress.connected = connected;
			// Often, the index changes at the same time.
			progress.generation += 1;
		});
		let head = feed.any().await;
		assert_eq!((head.event.as_str(), &head.id), ("head", &id(5, 6)));
		assert_eq!(head.data["node"]["connected"], connected);
		// The interval is 5 seconds.
		assert!(begin.elapsed() < Duration::from_secs(3));
	}
	loop {
		let message = behind.any().await;
		if message.event == "head" && message.data["node"]["connected"] == false {
			return;
		}
	}
}

#[tokio::test]
async fn a_reader_goes_on_after_its_id() {
	let server = Server::full().await;
	// In the middle of a block: the rest of its events comes first.
	let mut feed = server.feed(&format!("/v1/feed?after={}", id(4, 2))).await;
	let rest = feed.next().await;
	assert_eq!((rest.id.as_str(), &rest.data["number"]), (id(4, 3).as_str(), &json!(4)));
	assert_eq!(rest.data["events"].as_array().map(Vec::len), Some(1));
	assert_eq!(feed.step().await, step("block", 5));
	// The header counts before the parameter.
	let target = format!("/v1/feed?after={}", id(4, 3));
	let last = id(1, 2);
	let mut feed = Feed::open(server.address, &target, &[("Last-Event-ID", &last)]).await;
	for number in 2..=5 {
		assert_eq!(feed.step().await, step("block", number));
	}
}

#[tokio::test]
async fn a_long_way_is_sent_in_pages() {
	let mut server = Server::full().await;
	let more = blocks(&mut server.world, 600);
	server.add(&more);
	let mut feed = server.feed(&format!("/v1/feed?after={}", id(5, 6))).await;
	for number in 6..=605 {
		assert_eq!(feed.step().await, step("block", number));
	}
	// With a filter nothing is sent, but the position in heads goes on.
	let target = format!("/v1/feed?kind=SpaceDeleted&after={}", id(5, 6));
	let mut feed = server.feed(&target).await;
	assert_eq!(feed.any().await.id, id(5, 6));
}

#[tokio::test]
async fn a_block_of_many_events_is_sent_in_several_messages() {
	let mut server = Server::full().await;
	let mut feed = server.feed("/v1/feed").await;
	let mut of_others = server.feed("/v1/feed?kind=RecordDeleted").await;
	assert_eq!(
		(feed.any().await.event, of_others.any().await.event),
		("head".into(), "head".into())
	);
	for number in 0..600 {
		server.world.put(TENANT, "names", &format!("many{number:03}"), OBJECT, None);
	}
	server.world.delete_record(TENANT, "names", "many599");
	server.seal();
	server.seal();
	let mut indices = Vec::new();
	for (last, count, more) in [(256, 256, true), (512, 256, true), (601, 89, false)] {
		let part = feed.next().await;
		assert_eq!((part.event.as_str(), &part.id), ("block", &id(6, last)));
		let events = part.data["events"].as_array().expect("it is a list");
		assert_eq!((events.len(), &part.data["moreEvents"]), (count, &json!(more)));
		indices.extend(events.iter().map(|event| event["index"].clone()));
	}
	assert_eq!(indices, (1..=601).map(|index| json!(index)).collect::<Vec<_>>());
	assert_eq!(feed.next().await.id, id(7, 0));
	// Parts without chosen events are not sent.
	let deleted = of_others.next().await;
	assert_eq!(
		(&deleted.id, deleted.data["events"].as_array().map(Vec::len)),
		(&id(6, 601), Some(1))
	);
	// A reader goes on in the middle of the block.
	let mut feed = server.feed(&format!("/v1/feed?after={}", id(6, 512))).await;
	assert_eq!(feed.next().await.id, id(6, 601));
}

#[tokio::test]
async fn a_reader_whose_filter_leaves_out_much_comes_to_the_end() {
	let head_interval = Duration::from_millis(20);
	// Less time than a look at all blocks takes.
	let read_time = Duration::from_millis(4);
	let mut server = Server::filled(Limits { head_interval, read_time, ..limits() }).await;
	for block in 0..100 {
		for number in 0..20 {
			server.world.put(TENANT, "names", &format!("{block}.{number}"), OBJECT, None);
		}
		server.seal();
	}
	let target = format!("/v1/feed?kind=SpaceDeleted&after={}", id(5, 6));
	let mut feed = server.feed(&target).await;
	let begin = Instant::now();
	loop {
		let head = feed.any().await;
		if head.id == id(105, 20) {
			break;
		}
		assert!(begin.elapsed() < Duration::from_secs(30), "the reader stays at {}", head.id);
	}
	// A list ends its page instead of failing.
	let target = "/v1/governance?limit=100";
	assert!(!server.items(target).await.is_empty());
}

#[tokio::test]
async fn filters_choose_events_and_blocks() {
	let mut server = Server::full().await;
	let start = id(1, 2);
	let names = |message: Message| -> Vec<String> {
		let events = message.data["events"].as_array().cloned().unwrap_or_default();
		events.iter().map(|event| event["name"].as_str().unwrap_or_default().into()).collect()
	};
	for (filter, expected) in [
		("kind=RecordPut", vec![vec!["RecordPut"], vec!["RecordPut"; 4]]),
		("kind=NodeCreated,KmsAdded", vec![vec!["NodeCreated", "KmsAdded"]]),
		(
			&format!("member={OTHER_TENANT}&kind=Suspended,TenantCreated") as &str,
			vec![vec!["TenantCreated"], vec!["Suspended"]],
		),
		(&format!("space={SPACE}&kind=Suspended"), vec![vec!["Suspended"]]),
		(&format!("member={PROVIDER}&kind=ProviderCreated"), vec![vec!["ProviderCreated"]]),
	] {
		let mut feed = server.feed(&format!("/v1/feed?{filter}&after={start}")).await;
		for block in expected {
			let message = feed.next().await;
			assert_eq!(message.event, "block");
			assert_eq!(names(message), block, "{filter}");
		}
	}
	// Blocks without chosen events are not sent.
	let mut feed = server.feed("/v1/feed?kind=RecordPut").await;
	assert_eq!(feed.any().await.event, "head");
	server.seal();
	server.world.put(TENANT, "names", "z", OBJECT, None);
	server.seal();
	assert_eq!(feed.step().await, step("block", 7));
}

#[tokio::test]
async fn unknown_and_old_ids_are_gone() {
	const WEEK: u64 = content_fabric_indexer::index::RETENTION;
	let mut server = Server::full().await;
	let forged = [id(4, 0).replace("00-0", "01-0"), id(99, 0), id(5, 0).replace("5-", "4-")];
	for wrong in &forged {
		let answer = server.get(&format!("/v1/feed?after={wrong}")).await;
		let error = &answer.json()["error"];
		assert_eq!((answer.status, &error["kind"]), (410, &"gone".into()), "{wrong}");
		// The oldest block of this index.
		assert_eq!(error["oldest"], id(1, 2), "{wrong}");
	}
	let more = blocks(&mut server.world, WEEK + 10);
	more.chunks(10_000).for_each(|chunk| server.add(chunk));
	while server.index.sweep().expect("the index is writable") {}
	// Block 5 has events and is kept, but those after it are not.
	for old in [id(5, 6), id(6, 0), id(14, 0)] {
		let answer = server.get(&format!("/v1/feed?after={old}")).await;
		assert_eq!(answer.status, 410, "{old}");
		assert_eq!(answer.json()["error"]["oldest"], id(15, 0), "{old}");
	}
	let mut feed = server.feed(&format!("/v1/feed?after={}", id(15, 0))).await;
	assert_eq!(feed.step().await, step("block", 16));
}

#[tokio::test]
async fn a_resync_does_not_end_the_feed_and_its_gap_is_skipped() {
	let head_interval = Duration::from_millis(50);
	let mut server = Server::filled(Limits { head_interval, ..limits() }).await;
	let mut feed = server.feed("/v1/feed").await;
	assert_eq!(feed.any().await.event, "head");
	let mut state = server.index.state().expect("it is readable").expect("it is begun");
	let before = state.clone();
	state.resync = Some(state.last);
	server.index.begin(state).expect("the index is writable");
	server.publish();
	for _ in 0..3 {
		assert_eq!(feed.any().await.event, "head");
	}
	assert_eq!(server.get("/v1/feed").await.status, 503);
	// The index goes on at block 20.
	let mut state = before;
	state.last = BlockRef { number: 19, hash: hash(19) };
	state.gaps.push((6, 19));
	server.world.last = state.last;
	server.index.begin(state).expect("the index is writable");
	server.seal();
	assert_eq!(feed.step().await, step("block", 20));
}
