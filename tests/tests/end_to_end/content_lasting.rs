// SPDX-License-Identifier: Apache-2.0
//! Two content nodes that hold the same bytes: killed at any time, with bytes that rot, with sources
//! that lie, with a chain that stands still, and with a full disk.
//!
//! `scripts/faults` runs these tests longer: with more kills and flipped bytes, and a file of LARGE bytes.

use std::{
	collections::BTreeSet,
	fs::{self, File},
	io::Read,
	os::unix::fs::FileExt,
	path::{Path, PathBuf},
	process::{Command, Output, Stdio},
	sync::{
		atomic::{AtomicUsize, Ordering},
		Arc,
	},
	thread,
	time::Duration,
};

use content_fabric_client::{chain::rows, samples::encoding::encoded};
use content_fabric_identifiers::{NodeId, TenantId};
use content_fabric_tests::{
	environment::{number, random},
	process::{fabric_command, fabric_json, fabric_text, fixed_port, report, Process},
	store::Store,
	wait,
};
use rand::{rngs::StdRng, Rng};

use super::{
	content::{assert_served, content, path, place, tree, version},
	content_operator::logging,
	put_and_get::{send, server, World},
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(120);
/// Number of kills, if `STORE_KILLS` does not say otherwise.
const KILLS: u64 = 6;
/// Number of flipped bytes of each file, if `FLIPS` does not say otherwise.
const FLIPS: u64 = 3;
/// Number of files of a tenant before it is purged: not all of them fit.
const FILES: u64 = 10;
/// The largest size of an object without an outboard.
const SMALL: usize = 1 << 20;

/// A chain with two content nodes, at addresses that stay.
struct Pair {
	world: World,
	nodes: [(NodeId, &'static str, String); 2],
	stores: [Option<Store>; 2],
	/// Bash that changes the arguments of both, `$@`, before they start.
	setting: &'static str,
}

impl Pair {
	async fn start(setting: &'static str) -> Self {
		let mut world = World::start().await;
		// It starts again at another address, and with other options.
		drop(world.store.take());
		let second = world.fabric.add_node("second", &world.fabric.eve).await;
		let nodes = [(world.node, "//Dave"), (second, "//Eve")];
		let nodes = nodes.map(|(node, key)| (node, key, format!("127.0.0.1:{}", fixed_port())));
		for (node, _, address) in &nodes {
			world.locate(*node, &format!("http://{address}")).await;
		}
		let mut pair = Self { world, nodes, stores: [None, None], setting };
		pair.serve(0);
		pair.serve(1);
		pair
	}

	fn data(&self, index: usize) -> PathBuf {
		self.world.dir.path().join(format!("node-{index}"))
	}

	fn serve(&mut self, index: usize) {
		let (node, key, address) = &self.nodes[index];
		let mut shell = Command::new("bash");
		shell.arg("-c").arg(format!("{} exec \"$0\" \"$@\"", self.setting));
		let of = (self.world.fabric.provider, *node);
		let (url, data) = (self.world.url(), self.data(index));
		let store = Store::start_as(shell, [address, key, "0"], url, of, &data);
		self.stores[index] = Some(store);
	}

	fn store(&self, index: usize) -> &Store {
		self.stores[index].as_ref().expect("it runs")
	}

	/// Begins to put a folder, with copies at the second node.
	fn put(&self, name: &str) -> Process {
		let (site, node) = (self.world.path(name), format!("http://{}", self.nodes[0].2));
		let other = self.nodes[1].0.to_string();
		let put = ["--json", "put", &site, "--node", &node, "--copies", &other];
		let mut command = fabric_command(self.world.url(), &put);
		command.stdout(Stdio::piped()).stderr(Stdio::piped());
		Process(command.spawn().expect("the client starts"))
	}

	/// Waits until a put has ended. Returns its output.
	async fn ended(&self, putting: Process) -> Output {
		let mut ends = tokio::task::spawn_blocking(move || putting.output());
		loop {
			tokio::select! {
				output = &mut ends => return output.expect("it ends"),
				// The chain makes a block for a transaction. One that comes while it does may wait
				// for the next one.
				() = tokio::time::sleep(Duration::from_secs(5)) => {
					let (node, _, address) = &self.nodes[0];
					self.world.locate(*node, &format!("http://{address}")).await;
				},
			}
		}
	}

	/// Checks that the nodes that run serve nothing but the right bytes, or their begin.
	fn serves_nothing_wrong(&self, files: &[Vec<u8>]) {
		for store in self.stores.iter().flatten() {
			files.iter().for_each(|bytes| drop(read(store, bytes, None)));
		}
	}

	/// Waits until both nodes hold all files of a tenant, as the chain and they say, and have nothing
	/// else.
	async fn is_whole(&self, tenant: TenantId, files: &[Vec<u8>]) {
		wait::until(PATIENCE, "not all copies are held", async || {
			let at = self.world.fabric.client.best().await;
			let rows = at.rows(rows::versions(), (tenant,)).await.expect("the node answers");
			let copies: Vec<_> = rows.into_iter().flat_map(|(_, row)| row.copies).collect();
			copies.len() == 2 * files.len() && copies.iter().all(|copy| copy.held.is_some())
		})
		.await;
		for index in [0, 1] {
			let store = self.store(index);
			wait::until(PATIENCE, &format!("the node {index} lacks something"), async || {
				let whole = |bytes: &Vec<u8>| read(store, bytes, None).as_ref() == Some(bytes);
				let none = ["missing", "damaged", "asked", "lost"];
				files.iter().all(whole)
					&& none.iter().all(|name| store.status(name) == 0)
					&& store.status("promised_bytes") == "0"
			})
			.await;
			self.has_only(index, files).await;
		}
	}

	/// Waits until a node has no other files than these, their outboards and its record.
	async fn has_only(&self, index: usize, files: &[Vec<u8>]) {
		let data = self.data(index);
		let mut expected = BTreeSet::from(["record.okvs".into()]);
		for bytes in files {
			let place = place(Path::new(""), version(bytes));
			expected.extend((bytes.len() > SMALL).then(|| place.with_extension("outboard")));
			expected.insert(place);
		}
		let what = format!("other files than expected are in {}", data.display());
		wait::until(PATIENCE, &what, async || {
			// Files come and go.
			let found = std::panic::catch_unwind(|| tree(&data));
			found.is_ok_and(|found| found.into_keys().collect::<BTreeSet<_>>() == expected)
		})
		.await;
	}
}

/// Reads a version, or a range of it. Returns what a node has sent, if it has not refused: the right
/// bytes, or their begin.
fn read(store: &Store, bytes: &[u8], range: Option<(usize, usize)>) -> Option<Vec<u8>> {
	let (first, last) = range.unwrap_or((0, bytes.len().max(1) - 1));
	let header = format!("Range: bytes={first}-{last}");
	let headers: Vec<_> = range.iter().map(|_| header.as_str()).collect();
	let mut stream = store.send("GET", &path(bytes), &headers, 0);
	let mut answer = Vec::new();
	// A connection may be reset where wrong bytes begin.
	drop(stream.read_to_end(&mut answer));
	let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
	let head = String::from_utf8_lossy(&answer[..end]).into_owned();
	if !head.starts_with("HTTP/1.1 20") {
		let refused = ["404", "500", "503"].map(|status| format!("HTTP/1.1 {status}"));
		assert!(refused.iter().any(|status| head.starts_with(status)), "{head}");
		return None;
	}
	let body = answer.split_off(end + 4);
	let right = bytes.get(first..=last).unwrap_or_default();
	assert!(right.starts_with(&body), "{} of {first} to {last}: wrong bytes", path(bytes));
	Some(body)
}

/// Flips a bit of a file. Returns the place of its byte.
fn flip(file: &Path, random: &mut StdRng) -> usize {
	let open = File::options().read(true).write(true).open(file).expect("it is there");
	let length = open.metadata().expect("it is a file").len();
	let at = random.random_range(0..length);
	let mut byte = [0];
	open.read_exact_at(&mut byte, at).expect("it can be read");
	byte[0] ^= 1 << random.random_range(0..8);
	open.write_all_at(&byte, at).expect("it can be written");
	usize::try_from(at).expect("it fits into memory")
}

#[tokio::test]
async fn kills_at_any_time_lose_nothing_and_leave_nothing_over() {
	let (mut random, mut pair) = (random(), Pair::start("").await);
	let kills = number("STORE_KILLS").unwrap_or(KILLS);
	let (mut site, mut files) = (String::new(), Vec::new());
	for kill in 0..kills {
		if kill % FILES == 0 {
			if kill > 0 {
				let tenant = pair.world.tenant(&site).to_string();
				let purge = ["governance", "purge", &tenant, "--reason", "x", "--yes"];
				fabric_text(pair.world.url(), &purge);
				pair.has_only(0, &[]).await;
				pair.has_only(1, &[]).await;
				files.clear();
			}
			site = format!("site-{}", kill / FILES);
		}
		// A copy rots, and is healed, while a file is put, and pulled by the second node.
		if !files.is_empty() {
			let rotten: &Vec<u8> = &files[random.random_range(0..files.len())];
			let index = random.random_range(0..2);
			flip(&place(&pair.data(index), version(rotten)), &mut random);
			let found = read(pair.store(index), rotten, None);
			assert!(found.is_none_or(|found| found.len() < rotten.len()), "it is not noticed");
		}
		let size = [100, 200_000, 1_200_000][random.random_range(0..3)];
		files.push(content(random.random(), size));
		let bytes = files.last().expect("it was pushed");
		pair.world.file(&format!("{site}/{kill}"), bytes);
		let putting = pair.put(&site);
		tokio::time::sleep(Duration::from_millis(random.random_range(0..2_500))).await;
		let killed = [&[0][..], &[1], &[0, 1]][random.random_range(0..3)];
		killed.iter().for_each(|index| drop(pair.stores[*index].take()));
		pair.serves_nothing_wrong(&files);
		killed.iter().for_each(|index| pair.serve(*index));
		pair.serves_nothing_wrong(&files);
		// A put whose node is away when it begins ends.
		if !pair.ended(putting).await.status.success() {
			report(&pair.ended(pair.put(&site)).await, 0);
		}
		pair.is_whole(pair.world.tenant(&site), &files).await;
		println!("{} of {kills}: killed {killed:?}, with {size} bytes", kill + 1);
	}
}

#[tokio::test]
async fn a_flipped_byte_is_never_served_and_is_healed() {
	let mut random = random();
	let large = number("LARGE").map(|size| usize::try_from(size).expect("it fits into memory"));
	let setting = "set -- \"${@/#20000000/9000000000}\";";
	let mut pair = Pair::start(setting).await;
	let sizes = [100, 900 << 10, 5 << 20].into_iter().chain(large);
	let files: Vec<_> = sizes.map(|size| content(size as u64, size)).collect();
	for (number, bytes) in files.iter().enumerate() {
		pair.world.file(&format!("site/{number}"), bytes);
	}
	report(&pair.put("site").output(), 0);
	let tenant = pair.world.tenant("site");
	pair.is_whole(tenant, &files).await;
	for bytes in &files {
		let objects = [0, 1].map(|index| place(&pair.data(index), version(bytes)));
		for _ in 0..number("FLIPS").unwrap_or(FLIPS) {
			let index = random.random_range(0..2);
			let store = pair.store(index);
			let object = &objects[index];
			let at = flip(object, &mut random);
			let ranges =
				[(at, at), (at.saturating_sub(50_000), (at + 50_000).min(bytes.len() - 1))];
			let range = [None, Some(ranges[0]), Some(ranges[1])][random.random_range(0..3)];
			let length = range.map_or(bytes.len(), |(first, last)| last - first + 1);
			let found = read(store, bytes, range);
			assert!(found.is_none_or(|found| found.len() < length), "it is not noticed: {range:?}");
			wait::until(PATIENCE, "it is not healed", async || {
				store.status("damaged") == 0 && fs::read(object).is_ok_and(|found| found == *bytes)
			})
			.await;
			assert_served(store, &[bytes]);
			if bytes.len() > SMALL {
				let outboard = object.with_extension("outboard");
				let made = fs::read(&outboard).expect("it is there");
				flip(&outboard, &mut random);
				// The node remembers what was proven.
				drop(pair.stores[index].take());
				pair.serve(index);
				let store = pair.store(index);
				wait::until(PATIENCE, "the outboard is not made again", async || {
					read(store, bytes, None);
					fs::read(&outboard).is_ok_and(|found| found == made)
				})
				.await;
				assert_served(store, &[bytes]);
			}
		}
	}
	pair.is_whole(tenant, &files).await;
}

/// Answers a request for all of a version, which has these bytes, wrongly.
type Lie = fn(&[u8], &mut std::net::TcpStream);

/// Sends bytes with other headers, until nobody reads.
fn send_as(stream: &mut std::net::TcpStream, head: &str, body: &[u8]) {
	use std::io::Write;
	let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n");
	let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn encoding(bytes: &[u8]) -> Vec<u8> {
	encoded(bytes, 0, bytes.len() - 1)
}

const LIES: [(&str, Lie); 9] = [
	("wrong", |bytes, stream| {
		let other = encoding(&content(99, bytes.len()));
		send(stream, "200 OK", other.len(), &other);
	}),
	("wrong at its end", |bytes, stream| {
		let mut other = encoding(bytes);
		*other.last_mut().expect("it has bytes") ^= 1;
		send(stream, "200 OK", other.len(), &other);
	}),
	("short", |bytes, stream| {
		let right = encoding(bytes);
		send(stream, "200 OK", right.len(), &right[..right.len() / 2]);
	}),
	("endless", |_, stream| {
		use std::io::Write;
		send_as(stream, "200 OK", &[]);
		while stream.write_all(&[0; 1 << 16]).is_ok() {}
	}),
	("late", |_, _| thread::sleep(PATIENCE)),
	("other encoding", |bytes, stream| {
		let head = format!("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}", bytes.len());
		send_as(stream, &head, bytes);
	}),
	("other size", |bytes, stream| {
		let longer = encoding(&[bytes, b"more"].concat());
		send(stream, "200 OK", longer.len(), &longer);
	}),
	("other place", |_, stream| {
		send_as(stream, "302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0", &[]);
	}),
	("no HTTP", |bytes, stream| {
		use std::io::Write;
		let _ = stream.write_all(bytes);
	}),
];

#[tokio::test]
async fn no_liar_keeps_a_node_from_the_bytes_of_an_honest_one() {
	let mut pair = Pair::start("").await;
	let files: Vec<_> = (0..LIES.len()).map(|lie| content(lie as u64, 100_000 + lie)).collect();
	for (number, bytes) in files.iter().enumerate() {
		pair.world.file(&format!("site/{number}"), bytes);
	}
	report(&pair.put("site").output(), 0);
	let tenant = pair.world.tenant("site");
	pair.is_whole(tenant, &files).await;
	// The first node lies from now on. The third one is asked.
	let told = Arc::new([(); LIES.len()].map(|()| AtomicUsize::new(0)));
	let (lies, served) = (told.clone(), files.clone());
	let (liar, _) = server(move |_, head, stream| {
		let is_asked = |bytes: &&Vec<u8>| head.contains(&path(bytes).to_lowercase());
		let Some(place) = served.iter().position(|bytes| is_asked(&bytes)) else { return };
		lies[place].fetch_add(1, Ordering::SeqCst);
		let (bytes, stream) = (served[place].clone(), stream.try_clone());
		let mut stream = stream.expect("it is open");
		thread::spawn(move || (LIES[place].1)(&bytes, &mut stream));
	});
	drop(pair.stores[0].take());
	pair.world.locate(pair.nodes[0].0, &liar).await;
	let third = pair.world.fabric.add_node("third", &pair.world.fabric.alice).await;
	let data = pair.world.dir.path().join("third");
	let of = (pair.world.fabric.provider, third);
	let (options, url) = (["127.0.0.1:0", "//Alice", "0"], pair.world.url());
	let store = Store::start_with(options, url, of, &data);
	let add = ["copies", "add", &tenant.to_string(), "--node", &third.to_string()];
	assert_eq!(fabric_json(url, &add)["copies_added"], files.len());
	wait::until(PATIENCE, "it does not get all", async || store.status("versions") == files.len())
		.await;
	assert_served(&store, &files);
	for ((name, _), told) in LIES.iter().zip(told.iter()) {
		assert!(told.load(Ordering::SeqCst) > 0, "the lie was not told: {name}");
	}
	wait::until(PATIENCE, "pulls are left", async || tree(&data.join("pulls")).is_empty()).await;
}

#[tokio::test]
async fn while_the_chain_stands_still_bytes_are_served_and_kept_and_copies_wait() {
	let pair = Pair::start("set -- \"$@\" --mirror-rate 400000;").await;
	let (early, late) = (content(1, 100_000), content(2, 3_000_000));
	pair.world.file("site/early", &early);
	report(&pair.put("site").output(), 0);
	let tenant = pair.world.tenant("site");
	pair.is_whole(tenant, std::slice::from_ref(&early)).await;
	pair.world.file("site/late", &late);
	report(&pair.put("site").output(), 0);
	let pulled = || tree(&pair.data(1).join("pulls")).into_values().map(|bytes| bytes.len()).sum();
	wait::until(PATIENCE, "no pull has begun", async || {
		std::panic::catch_unwind(std::panic::AssertUnwindSafe(pulled)).unwrap_or(0usize) > 200_000
	})
	.await;
	pair.world.fabric.process.pause();
	for _ in 0..40 {
		assert_served(pair.store(0), &[&early, &late]);
		assert_served(pair.store(1), &[&early]);
		assert!(read(pair.store(1), &late, None).is_none_or(|found| found == late));
		tokio::time::sleep(Duration::from_millis(100)).await;
	}
	pair.world.fabric.process.resume();
	pair.is_whole(tenant, &[early, late]).await;
}

#[tokio::test]
async fn a_pull_that_fills_the_disk_waits_and_others_go_on_until_there_is_room() {
	let mut world = World::start().await;
	let second = world.fabric.add_node("second", &world.fabric.eve).await;
	let (small, large) = (content(1, 100_000), content(2, 9_000_000));
	world.file("site/small", &small);
	world.file("site/large", &large);
	let (site, node) = (world.path("site"), format!("http://{}", world.store().address));
	let put = ["put", &site, "--node", &node, "--copies", &second.to_string()];
	fabric_json(world.url(), &put);
	world.locate(world.node, &node).await;
	// No file can be longer than eight megabytes, as on a disk without room.
	let (log, data) = (world.dir.path().join("log"), world.dir.path().join("second"));
	let mut shell = logging(&log);
	shell.args(["bash", "-c", "trap '' XFSZ; ulimit -S -f 8000; exec \"$0\" \"$@\""]);
	let of = (world.fabric.provider, second);
	let store = Store::start_as(shell, ["127.0.0.1:0", "//Eve", "0"], world.url(), of, &data);
	let lines = || fs::read_to_string(&log).expect("the log is a file");
	let waits = "bytes of other nodes wait for this machine: ";
	wait::until(PATIENCE, "it does not say so", async || lines().contains(waits)).await;
	wait::until(PATIENCE, "the small file is not held", async || store.status("versions") == 1)
		.await;
	assert_served(&store, &[&small]);
	assert_eq!((store.status("asked"), store.status("problem").is_null()), (1.into(), true));
	store.ask("GET", &path(&large), &[], &[]).expect(404);
	// It tries again, without further words.
	tokio::time::sleep(Duration::from_secs(12)).await;
	assert_eq!(lines().matches(waits).count(), 1, "{}", lines());
	let unlimited = |process: &Process| {
		let id = process.id().to_string();
		let status = Command::new("prlimit").args(["--pid", &id, "--fsize=unlimited"]).status();
		assert!(status.expect("prlimit starts").success());
	};
	unlimited(&store.process);
	wait::until(PATIENCE, "the large file is not held", async || store.status("versions") == 2)
		.await;
	assert_served(&store, &[&small, &large]);
	wait::until(PATIENCE, "pulls are left", async || tree(&data.join("pulls")).is_empty()).await;
	drop(world.store.take());
}
