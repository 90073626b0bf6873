// SPDX-License-Identifier: Apache-2.0
//! The content node under faults: killed, without its chain, on a full disk, and with clients that
//! do harm.
//!
//! It is killed three times. The environment variable `KILLS` gives another number. `SEED` repeats
//! a run.

use std::{
	collections::BTreeSet,
	fs,
	io::{Read, Write},
	net::TcpStream,
	path::Path,
	process::Command,
	thread,
	time::{Duration, Instant},
};

use content_fabric_client::chain::rows;
use content_fabric_identifiers::{NodeId, VersionId};
use content_fabric_tests::{
	client::Client,
	environment::{number, random},
	fabric::Fabric,
	process::{fixed_port, program, stderr, Node},
	store::Store,
	wait,
};
use rand::Rng;
use serde_json::json;
use tokio::net::TcpSocket;

use super::content::{
	assert_served, commit, content, draft, finalized, followed, path, place, start, version,
};

/// Number of versions that are uploaded at the same time when the content node is killed.
const UPLOADS: usize = 4;
/// Greatest size of each of them, in bytes.
const SIZE: usize = 20_000;
/// Longest time in which a node answers that is not overloaded. Clients that send nothing more have
/// 30 seconds.
const SOON: Duration = Duration::from_secs(20);
/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

/// Uploads bytes in pieces with pauses, and gives up when the content node does not take them.
fn upload(mut stream: TcpStream, bytes: &[u8], pauses: [Duration; 4]) {
	let pieces = bytes.chunks(bytes.len().div_ceil(pauses.len()).max(1));
	for (piece, pause) in pieces.zip(pauses) {
		thread::sleep(pause);
		if stream.write_all(piece).is_err() {
			return;
		}
	}
	// The connection stays until the node has answered, or is killed.
	let _ = std::io::copy(&mut stream, &mut std::io::sink());
}

/// Returns the versions that the chain takes for complete.
async fn final_versions(fabric: &Fabric) -> BTreeSet<VersionId> {
	let at = fabric.client.best().await;
	let found = at.rows(&rows::versions(), ()).await.expect("the node answers");
	let found = found.into_iter().filter(|(_, row)| row.finalized.is_some());
	found.map(|((_, _, version), _)| version).collect()
}

#[tokio::test]
async fn kills_at_random_times_lose_nothing_and_finalize_nothing_that_is_not_whole() {
	let kills = number("KILLS").unwrap_or(3);
	let mut random = random();
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, mut store) = start(dir.path()).await;
	let data = dir.path().join("data");
	let is_whole =
		|id: &VersionId| fs::read(place(&data, *id)).is_ok_and(|bytes| version(&bytes) == *id);
	let (mut all, mut before) = (Vec::new(), BTreeSet::new());
	for _ in 0..kills {
		let contents: Vec<_> =
			(0..UPLOADS).map(|_| content(random.random(), random.random_range(1..SIZE))).collect();
		commit(&store, &fabric, &contents);
		let uploads: Vec<_> = contents
			.iter()
			.map(|bytes| {
				let (stream, bytes) =
					(store.send("PUT", &path(bytes), &[], bytes.len()), bytes.clone());
				let pauses = [(); 4].map(|()| Duration::from_millis(random.random_range(0..8)));
				thread::spawn(move || upload(stream, &bytes, pauses))
			})
			.collect();
		thread::sleep(Duration::from_millis(random.random_range(0..60)));
		drop(store);
		uploads.into_iter().for_each(|upload| upload.join().expect("it ends"));
		all.extend(contents);

		let complete = final_versions(&fabric).await;
		assert!(before.is_subset(&complete), "a finalization was taken back");
		assert!(complete.iter().all(is_whole), "a version is final, and not whole");
		before = complete;
		store = Store::start(fabric.url(), (fabric.provider, node), &data);
	}
	for bytes in &all {
		store.upload(&path(bytes), bytes);
	}
	finalized(&fabric, &all).await;
	assert_served(&store, &all);
}

#[tokio::test]
async fn a_content_node_starts_and_serves_while_its_chain_is_away_and_takes_in_bytes_again() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, base) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &base, 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let (of, data) = ((fabric.provider, node), dir.path().join("data"));
	// A wrong node does not take the record.
	let wrong = Store::try_start(fabric.url(), (of.0, NodeId([9; 10])), &data).err();
	assert!(wrong.is_some_and(|log| log.contains("error: there is no node ")));
	let store = Store::start(fabric.url(), of, &data);
	let (first, second) = (content(1, 50_000), content(2, 60_000));
	commit(&store, &fabric, &[&first, &second]);
	store.ask("PUT", &path(&first), &[], &first).expect(201);
	finalized(&fabric, &[&first]).await;

	let url = fabric.url().to_owned();
	fabric.process.stop();
	drop(store);
	// A content node that has never seen the chain needs it to start.
	let refused = Store::try_start(&url, of, &dir.path().join("new")).err().expect("it ends");
	assert!(refused.contains("error: no node answers at "), "{refused}");
	let store = Store::start(&url, of, &data);
	assert_served(&store, &[&first]);
	// The level of the account cannot be looked up.
	let refused = store.ask("PUT", &path(&second), &[], &second).expect(503);
	assert!(refused.head.contains("\r\nretry-after: "), "{}", refused.head);
	let versions =
		[json!({ "object": fabric.object, "version": version(b"x"), "hash": "blake3", "size": 1 })];
	let draft = json!({ "tenant": fabric.tenant, "kms": fabric.kms, "versions": versions });
	let refused = store.ask("POST", "/v1/drafts", &[], draft.to_string().as_bytes()).expect(503);
	let reason = refused.json()["error"].as_str().unwrap_or_default().to_owned();
	assert!(reason.starts_with("the chain cannot be followed now: no node answers"), "{reason}");

	let process = Node::start_on(port, &base, &[]);
	let client = Client::connect(&process.url).await;
	store.upload(&path(&second), &second);
	finalized(&Fabric { process, client, ..fabric }, &[&second]).await;
}

#[tokio::test]
async fn uploads_whose_clients_have_gone_are_recorded_if_they_are_stored() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let contents: Vec<_> = (0..480).map(|seed| content(seed, 5_000)).collect();
	commit(&store, &fabric, &contents);
	for (number, some) in (0..).zip(contents.chunks(12)) {
		let streams: Vec<_> = some
			.iter()
			.map(|bytes| {
				let mut stream = store.send("PUT", &path(bytes), &[], bytes.len());
				stream.write_all(bytes).expect("the bytes are taken");
				stream
			})
			.collect();
		thread::sleep(Duration::from_micros(number * 50));
		drop(streams);
	}
	wait::until(PATIENCE, "uploads are open", async || {
		figure(&store, "fabric_store_state{of=\"uploads\"} ") == 0
	})
	.await;
	let is_stored = |bytes: &&Vec<u8>| place(&dir.path().join("data"), version(bytes)).exists();
	for bytes in contents.iter().filter(is_stored) {
		// A last one may have begun only now.
		assert!(store.wait("GET", &path(bytes), 200).body == *bytes);
	}
	contents.iter().for_each(|bytes| store.upload(&path(bytes), bytes));
	finalized(&fabric, &contents).await;
}

#[tokio::test]
async fn versions_of_a_frozen_tenant_cost_the_operator_nothing_and_are_finalized_later() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let contents = [content(1, 5_000), content(2, 6_000)];
	commit(&store, &fabric, &contents);
	// Nobody uploads to a frozen tenant, so the bytes come before, while nothing can be finalized.
	fabric.freeze_provider(true).await;
	contents.iter().for_each(|bytes| store.upload(&path(bytes), bytes));
	fabric.freeze_tenant(true).await;
	fabric.freeze_provider(false).await;
	let operator = fabric.dave.account();
	let before = fabric.client.best().await.nonce(operator).await.expect("the node answers");
	// Longer than the pause after which the content node tries again.
	tokio::time::sleep(Duration::from_secs(8)).await;
	let after = fabric.client.best().await.nonce(operator).await.expect("the node answers");
	assert_eq!(after, before, "the operator has paid for refused calls");
	fabric.freeze_tenant(false).await;
	finalized(&fabric, &contents).await;
}

/// Begins an upload from another address of this machine.
async fn send_from(address: &str, store: &Store, head: &str, body: &[u8]) -> TcpStream {
	let socket = TcpSocket::new_v4().expect("there are sockets");
	socket
		.bind(format!("{address}:0").parse().expect("an address"))
		.expect("it is of this machine");
	// The system takes little of an answer that the client does not read.
	socket.set_recv_buffer_size(4_096).expect("it can be set");
	let to = store.address.parse().expect("an address");
	let stream = socket.connect(to).await.expect("the node listens");
	let mut stream = stream.into_std().expect("it is open");
	stream.set_nonblocking(false).expect("it is open");
	stream.write_all(head.as_bytes()).expect("the head is taken");
	stream.write_all(body).expect("the body is taken");
	stream
}

#[tokio::test]
async fn a_thousand_slow_uploads_and_long_heads_keep_nobody_from_the_content_node() {
	fdlimit::raise_fd_limit().expect("the limit can be raised");
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let (slow, honest) = (content(1, 50_000), content(2, 60_000));
	commit(&store, &fabric, &[&slow, &honest]);

	let mut connections = Vec::new();
	for _ in 0..1_000 {
		let mut stream = store.send("PUT", &path(&slow), &[], slow.len());
		stream.write_all(&slow[..1]).expect("a byte is taken");
		connections.push(stream);
	}
	let begun = Instant::now();
	let put = format!("PUT {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n", path(&honest));
	let signed = store.signed(&fabric.charlie, fabric.tenant);
	let head = format!("{put}{signed}\r\nContent-Length: {}\r\n\r\n", honest.len());
	let stream = send_from("127.0.0.2", &store, &head, &honest).await;
	Store::answer(stream).expect(201);
	assert_served(&store, &[&honest]);
	assert!(begun.elapsed() < SOON, "an honest client waits for {:?}", begun.elapsed());

	let long = format!("X-Long: {}", "x".repeat(200_000));
	let refused = store.send("GET", &path(&honest), &[&long], 0);
	Store::answer(refused).expect(431);
	drop(connections);
	finalized(&fabric, &[&honest]).await;
	// The bytes that the slow clients have left are not an obstacle.
	store.upload(&path(&slow), &slow);
	finalized(&fabric, &[&slow]).await;
}

#[tokio::test]
async fn a_restart_in_the_middle_of_a_purge_takes_no_row_back() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let (held, promised) = (content(1, 5_000), content(2, 6_000));
	commit(&store, &fabric, &[&held, &promised]);
	store.ask("PUT", &path(&held), &[], &held).expect(201);
	finalized(&fabric, &[&held]).await;
	fabric.delete_tenant().await;
	store.wait("GET", &path(&held), 404);
	drop(store);
	// Rows are removed in later blocks, and there are none without a transaction.
	let at = fabric.client.best().await;
	let purges = at.rows(rows::purges(), ()).await.expect("the node answers");
	let left = at.rows(rows::versions(), ()).await.expect("the node answers");
	assert_eq!((purges.len(), left.len()), (1, 2), "the purge has ended");

	let store = Store::start(fabric.url(), (fabric.provider, node), &dir.path().join("data"));
	wait::until(PATIENCE, "the chain is not followed", async || {
		store.ask("GET", "/v1/status", &[], &[]).json()["finalized_block"].is_u64()
	})
	.await;
	let status = store.ask("GET", "/v1/status", &[], &[]).expect(200).json();
	assert_eq!((&status["promised_bytes"], &status["versions"]), (&json!("0"), &json!(0)));
	for bytes in [&held, &promised] {
		store.ask("PUT", &path(bytes), &[], bytes).expect(403);
	}
}

/// Returns the value of a line of the content node's figures, by the start of the line.
fn figure(store: &Store, name: &str) -> u64 {
	let figures = store.ask("GET", "/metrics", &[], &[]).expect(200).body;
	let figures = String::from_utf8_lossy(&figures);
	let value = figures.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
	value.unwrap_or_else(|| panic!("{name} is not a number: {figures}"))
}

/// Returns the number of MiB that a process has in memory.
fn memory(process: u32) -> u64 {
	let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
	let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
	let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
	kib.expect("the system says how much it is") >> 10
}

#[tokio::test]
async fn four_hundred_large_bodies_that_do_not_end_take_little_memory_and_keep_nobody_waiting() {
	fdlimit::raise_fd_limit().expect("the limit can be raised");
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let honest = content(1, 60_000);
	commit(&store, &fabric, &[&honest]);
	let (before, body) = (memory(store.process.id()), vec![b' '; (1 << 20) - 1]);
	let mut connections = Vec::new();
	let mut begin = async |number: usize| {
		let path = if number.is_multiple_of(2) { "/v1/drafts" } else { "/v1/commits" };
		// The addresses of several clients.
		let address = format!("127.0.1.{}", number % 50 + 1);
		let signed = store.signed(&fabric.charlie, fabric.tenant);
		let head = format!(
			"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{signed}\r\n\
			 Content-Length: 1048576\r\n\r\n"
		);
		connections.push(send_from(&address, &store, &head, &body).await);
	};
	for number in 0..400 {
		begin(number).await;
	}
	let taken = memory(store.process.id()).saturating_sub(before);
	assert!(taken < 200, "{taken} MiB");
	// Those who had no room are told when to try again. A body that is refused frees what it had
	// taken, so the rest of the bound can be free then.
	let (mut refused, mut number) = (None, 400);
	wait::until(PATIENCE, "there is room for more bodies", async || {
		begin(number).await;
		number += 1;
		let answer = store.ask("POST", "/v1/drafts", &[], &body);
		refused = (answer.status == 503).then_some(answer.head);
		let taken = figure(&store, "fabric_store_state{of=\"body_bytes\"} ");
		assert!(taken <= 32 << 20, "{taken} bytes");
		refused.is_some() && taken >= 16 << 20
	})
	.await;
	let refused = refused.expect("one was refused");
	assert!(refused.contains("retry-after: "), "{refused}");
	// A small body needs none of it.
	store.ask("POST", "/v1/drafts", &[], b"{}").expect(400);
	// Uploads and reads go on.
	store.ask("PUT", &path(&honest), &[], &honest).expect(201);
	assert_served(&store, &[&honest]);
	drop(connections);
	wait::until(PATIENCE, "the memory is not free again", async || {
		store.ask("POST", "/v1/drafts", &[], &body).status == 400
	})
	.await;
	finalized(&fabric, &[&honest]).await;
}

#[tokio::test]
async fn three_hundred_slow_readers_take_little_memory_and_keep_nobody_waiting() {
	fdlimit::raise_fd_limit().expect("the limit can be raised");
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let contents = [content(1, 1 << 20), content(2, 60_000), content(3, 900_000)];
	let all: Vec<_> = contents.iter().collect();
	commit(&store, &fabric, &all);
	for bytes in &all {
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
	}
	let before = memory(store.process.id());
	// The system takes the first answers of a connection, so it asks for several.
	let get = |more| format!("GET {} HTTP/1.1\r\nHost: x\r\n{more}\r\n", path(&contents[0]));
	let heads = [get("").repeat(5), get("Connection: close\r\n")].concat();
	let mut connections = Vec::new();
	for number in 0..300 {
		// One client, and several others.
		let address = format!("127.0.1.{}", if number < 200 { 1 } else { number % 50 + 2 });
		let mut connection = send_from(&address, &store, &heads, &[]).await;
		// The head of an answer has arrived, and most of the rest waits.
		connection.read_exact(&mut [0; 12]).expect("the node answers");
		connections.push(connection);
	}
	let taken = memory(store.process.id()).saturating_sub(before);
	assert!(taken < 150, "{taken} MiB");
	let places = figure(&store, "fabric_store_state{of=\"answer_bytes\"} ");
	assert!((16 << 20..=32 << 20).contains(&places), "{places} bytes");
	// The others have the same bytes.
	assert_served(&store, &all);
	let mut slow = connections.swap_remove(199);
	slow.set_read_timeout(Some(SOON)).expect("it is open");
	let mut answer = Vec::new();
	slow.read_to_end(&mut answer).expect("the node goes on");
	assert!(answer.len() > 6 << 20 && answer.ends_with(&contents[0]), "{}", answer.len());
	drop((slow, connections));
	wait::until(PATIENCE, "the memory is not free again", async || {
		figure(&store, "fabric_store_state{of=\"answer_bytes\"} ") == 0
	})
	.await;
}

#[tokio::test]
async fn files_beyond_the_limit_of_the_system_are_refused_and_leave_nothing_behind() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let data = dir.path().join("data");
	// Units of 1,024 bytes.
	let mut shell = Command::new("bash");
	shell.args(["-c", "ulimit -f 6000 && exec \"$0\" \"$@\""]);
	let store = Store::start_by(shell, fabric.url(), (fabric.provider, node), &data);
	let (large, fitting) = (content(1, 7_000_000), content(2, 6_000_000));
	commit(&store, &fabric, &[&large, &fitting]);
	for _ in 0..2 {
		let refused = store.ask("PUT", &path(&large), &[], &large).expect(507).json();
		assert!(refused["error"].as_str().is_some_and(|text| text.contains("`ulimit -f`")));
		assert_eq!(store.arrived(&path(&large)), Some(0));
	}
	store.ask("PUT", &path(&fitting), &[], &fitting).expect(201);
	finalized(&fabric, &[&fitting]).await;
	assert_served(&store, &[&fitting]);
}

#[tokio::test]
#[ignore = "takes more than a minute: run by scripts/assure store"]
async fn uploads_of_a_byte_each_five_seconds_lose_their_places_within_a_minute() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let slow: Vec<_> = (0..16).map(|seed| content(seed, 40_000)).collect();
	let honest = content(99, 40_000);
	commit(&store, &fabric, &[&slow[..], std::slice::from_ref(&honest)].concat());
	let send = |bytes: &Vec<u8>| store.send("PUT", &path(bytes), &[], bytes.len());
	let mut streams: Vec<_> = slow.iter().map(send).collect();
	let begun = Instant::now();
	for step in 0..11 {
		for (stream, bytes) in streams.iter_mut().zip(&slow) {
			stream.write_all(&bytes[step..step + 1]).expect("a byte is taken");
		}
		thread::sleep(Duration::from_secs(5));
		// All places of the client are taken.
		store.ask("PUT", &path(&honest), &[], &honest).expect(503);
	}
	for stream in streams {
		let late = Store::answer(stream).expect(408);
		assert!(late.head.contains("upload-offset: 11"), "{}", late.head);
	}
	assert!(begun.elapsed() < Duration::from_secs(80), "{:?}", begun.elapsed());
	store.ask("PUT", &path(&honest), &[], &honest).expect(201);
	assert_eq!(store.arrived(&path(&slow[0])), Some(11));
}

/// Returns a command that runs another one, which can only read a folder.
fn read_only(data: &Path) -> Command {
	let mut shell = Command::new("unshare");
	let data = data.display();
	let mount = format!(
		"mount --bind '{data}' '{data}' && mount -o remount,bind,ro '{data}' && exec \"$0\" \"$@\""
	);
	shell.args(["--user", "--map-root-user", "--mount", "bash", "-c", &mount]);
	shell
}

#[tokio::test]
#[ignore = "needs a mount namespace: run by scripts/assure store"]
async fn a_disk_that_is_read_only_is_served_and_checked_and_takes_nothing_in() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let (of, data) = ((fabric.provider, node), dir.path().join("data"));
	let (held, rotten, late) = (content(1, 50_000), content(2, 50_000), content(3, 50_000));
	commit(&store, &fabric, &[&held, &rotten, &late]);
	for bytes in [&held, &rotten] {
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
	}
	finalized(&fabric, &[&held, &rotten]).await;
	followed(&fabric, &store).await;
	let part = ["Content-Range: bytes 0-9999/50000"];
	store.ask("PUT", &path(&late), &part, &late[..10_000]).expect(202);
	// It is killed, so the record was not closed.
	drop(store);

	let log = dir.path().join("log");
	let mut command = read_only(&data);
	command
		.arg("bash")
		.arg("-c")
		.arg(format!("exec \"$0\" \"$@\" 2> >(tee '{}' >&2)", log.display()));
	let store = Store::start_by(command, fabric.url(), of, &data);
	assert_served(&store, &[&held, &rotten]);
	wait::until(SOON * 4, "the problem is not named", async || {
		let problem = store.status("problem");
		problem.as_str().is_some_and(|text| text.starts_with("the disk cannot be written: "))
	})
	.await;
	let reason = "the node cannot write to its disk, and takes nothing in";
	for _ in 0..3 {
		assert_eq!(draft(&store, &fabric, &[b"x"]).expect(507).json()["error"], reason);
		let refused = store.ask("PUT", &path(&late), &[], &late).expect(507).json();
		assert_eq!(refused["error"], reason);
	}
	fs::write(place(&data, version(&rotten)), b"").expect("it can be written from here");
	store.ask("GET", &path(&rotten), &[], &[]).expect(500);
	assert_eq!(store.status("damaged"), 1);
	// The chain is followed, and nothing is removed.
	fabric.delete_tenant().await;
	wait::until(SOON * 6, "the promise is not taken back", async || {
		store.status("promised_bytes") == "0"
	})
	.await;
	assert_served(&store, &[&held]);
	thread::sleep(Duration::from_secs(2));
	drop(store);
	let lines = fs::read_to_string(&log).expect("the log is a file");
	assert_eq!(lines.matches("cannot be written").count(), 1, "{lines}");
	assert_eq!(lines.matches(" ERROR ").count(), 1, "only the damage: {lines}");

	let check = |options: &[&str]| {
		let mut command = read_only(&data);
		command.arg(program("fabric-store")).arg("check").arg("--data").arg(&data).args(options);
		command.output().expect("the program starts")
	};
	let checked = check(&[]);
	let report = String::from_utf8_lossy(&checked.stdout);
	assert!(report.contains(&format!("{} is damaged", version(&rotten))), "{report}");
	assert!(report.contains("1 sound, 1 not"), "{report}");
	let errors = stderr(&checked);
	assert!(errors.contains("error: 1 version has no bytes that can be read"), "{errors}");
	let refused = stderr(&check(&["--repair"]));
	assert!(refused.contains("error: the record cannot be repaired, because "), "{refused}");

	// The disk can be written again.
	let store = Store::start(fabric.url(), of, &data);
	store.wait("GET", &path(&held), 404);
	wait::until(SOON * 6, "a file is left", async || !place(&data, version(&held)).exists()).await;
}

/// The folder of the content node is on a disk of its own of 72 MiB. 64 MiB of it are the reserve.
#[tokio::test]
#[ignore = "needs a mount namespace: run by scripts/assure store"]
async fn a_full_disk_refuses_drafts_and_uploads_gives_room_back_and_takes_in_what_fits() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let data = dir.path().join("data");
	fs::create_dir(&data).expect("it is new");
	let mount =
		format!("mount -t tmpfs -o size=72m tmpfs '{}' && exec \"$0\" \"$@\"", data.display());
	let mut shell = Command::new("unshare");
	shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", &mount]);
	let store = Store::start_by(shell, fabric.url(), (fabric.provider, node), &data);
	let refused = draft(&store, &fabric, &[&content(0, 9_000_000)]).expect(507).json();
	let refused = refused["error"].as_str().expect("it has a reason");
	assert!(refused.starts_with("the versions need 9023488 bytes, but the node has room for "));

	let (large, fitting) = (content(1, 5_000_000), content(2, 1_000_000));
	commit(&store, &fabric, &[&large, &fitting]);
	draft(&store, &fabric, &[&content(0, 3_000_000)]).expect(507);
	// Versions that are promised already need no more room.
	draft(&store, &fabric, &[&large, &large, &fitting]).expect(200);
	// Another program takes the room that was promised.
	let inside = format!("/proc/{}/root{}", store.process.id(), data.join("other").display());
	fs::write(inside, vec![0; 4_000_000]).expect("there is room");
	let refused = store.ask("PUT", &path(&large), &[], &large).expect(507);
	assert_eq!(refused.json()["error"], "the disk of the node is full");
	assert_eq!(store.arrived(&path(&large)), Some(0));
	store.ask("PUT", &path(&fitting), &[], &fitting).expect(201);
	finalized(&fabric, &[&fitting]).await;
	assert_served(&store, &[&fitting]);
}

#[tokio::test]
#[ignore = "needs a mount namespace: run by scripts/assure store"]
async fn a_content_node_that_starts_on_a_full_disk_serves_what_is_there() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let (held, late) = (content(1, 50_000), content(2, 50_000));
	commit(&store, &fabric, &[&held, &late]);
	store.ask("PUT", &path(&held), &[], &held).expect(201);
	finalized(&fabric, &[&held]).await;
	followed(&fabric, &store).await;
	drop(store);
	let (data, disk) = (dir.path().join("data"), dir.path().join("disk"));
	fs::create_dir(&disk).expect("it is new");
	let script = format!(
		"mount -t tmpfs -o size=72m tmpfs '{0}' && cp -a '{1}/.' '{0}' || exit; \
		 dd if=/dev/zero of='{0}/full' bs=4096 2> /dev/null; exec \"$0\" \"$@\"",
		disk.display(),
		data.display()
	);
	let mut shell = Command::new("unshare");
	shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
	let store = Store::start_by(shell, fabric.url(), (fabric.provider, node), &disk);
	followed(&fabric, &store).await;
	assert_served(&store, &[&held]);
	assert_eq!(store.status("problem"), "the disk cannot be written: the disk is full");
	draft(&store, &fabric, &[b"x"]).expect(507);
	store.ask("PUT", &path(&late), &[], &late).expect(507);
}
