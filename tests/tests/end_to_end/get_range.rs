// SPDX-License-Identifier: Apache-2.0
//! `fabric get` of a range of bytes, and to standard output.

use std::{
	fs,
	io::{Read, Write},
	net::TcpStream,
	path::Path,
	process::{Output, Stdio},
	sync::Arc,
};

use content_fabric_client::{
	chain::RecordPlace,
	content_node::{fetch_range, ByteRange},
	samples::encoding::encoded,
};
use content_fabric_identifiers::{Cid, HashKind, VersionHasher};
use content_fabric_tests::{
	indexer,
	process::{
		fabric_command, fabric_fails, fabric_failure, fabric_json, fabric_output, stderr, Process,
	},
};

use super::{
	content::{content, version},
	put_and_get::{row, second_row, send, server, World},
};

const SIZE: usize = 300_001;

/// Returns the bytes that a request asks for, of a version of this size.
fn asked_for(head: &str, size: usize) -> (usize, usize) {
	let query = |name: &str| {
		let value = head.split(['?', '&', ' ']).find_map(|part| part.strip_prefix(name))?;
		value.parse().ok()
	};
	(query("first=").unwrap_or(0), query("last=").unwrap_or(size - 1))
}

/// Sends the groups that a request asks for.
fn prove(bytes: &[u8], head: &str, stream: &mut TcpStream) {
	let (first, last) = asked_for(head, bytes.len());
	let body = encoded(bytes, first, last);
	send(stream, "200 OK", body.len(), &body);
}

/// Starts a chain where the file `a` of a tenant is at an honest node.
async fn start() -> (World, Vec<u8>) {
	let world = World::start().await;
	let bytes = content(3, SIZE);
	world.file("site/a", &bytes);
	world.put("site");
	let served = bytes.clone();
	let (honest, _) = server(move |_, head, stream| prove(&served, head, stream));
	world.locate(world.node, &honest).await;
	(world, bytes)
}

fn got(world: &World, arguments: &[&str]) -> Output {
	fabric_output(world.url(), &[&["get"], arguments].concat())
}

#[tokio::test]
async fn exactly_the_bytes_of_a_range_are_written_to_a_file_or_to_standard_output() {
	let (world, bytes) = start().await;
	let (tenant, id) = (world.tenant("site").to_string(), version(&bytes).to_string());
	let cid = Cid { hash: HashKind::Blake3, version: version(&bytes) }.to_string();
	let out = world.path("out");
	for (range, expected) in [
		("0-99", 0..100),
		("300000-", 300_000..SIZE),
		("-500", SIZE - 500..SIZE),
		("-999999", 0..SIZE),
		("16383-16384", 16_383..16_385),
		("20000-250000", 20_000..250_001),
		("7-18446744073709551615", 7..SIZE),
	] {
		let expected = &bytes[expected];
		for what in [&[&id[..]][..], &[&cid], &[&tenant, "names", "a"]] {
			let streamed = got(&world, &[what, &["--range", range, "-o", "-"]].concat());
			assert!(streamed.status.success(), "{range}: {}", stderr(&streamed));
			assert!(streamed.stdout == expected, "{range} of {what:?}");
		}
		let report = fabric_json(world.url(), &["get", &id, "--range", range, "-o", &out]);
		assert_eq!(report["files"][0]["size"], expected.len().to_string());
		assert!(fs::read(&out).expect("it is there") == expected, "{range}");
		let reason = "it has other content: pass --force to replace it";
		fabric_fails(world.url(), &["get", &id, "--range", range, "-o", &out], "usage", reason);
		fabric_json(world.url(), &["get", &id, "--range=0-4", "-o", &out, "--force"]);
		assert!(fs::read(&out).expect("it is there") == bytes[..5]);
		fs::remove_file(&out).expect("it is there");
	}
	let whole = got(&world, &[&tenant, "names", "a", "--output", "-"]);
	assert!(whole.status.success() && whole.stdout == bytes, "{}", stderr(&whole));
	assert!(!world.dir.path().join(".fabric-partial").exists());

	let place = |key: &str| RecordPlace {
		tenant: world.tenant("site"),
		collection: "names".into(),
		key: key.into(),
	};
	indexer::settled(&world.fabric.raw).await;
	let chain = &world.fabric.client.chain;
	let range = |text: &str| text.parse::<ByteRange>().expect("it is a range");
	let fetch = async |key: &str, text: &str| {
		fetch_range(chain, &place(key), range(text), Path::new(&out), Arc::new(|_| {})).await
	};
	let fetched = fetch("a", "5-16").await.expect("the node is honest").expect("no file is there");
	assert_eq!((fetched.size, fetched.version), (12, version(&bytes)));
	assert!(fs::read(&out).expect("it is there") == bytes[5..17]);
	for (key, text, reason) in [
		("a", "300001-", "begins after the end of the version, which has 300,001 bytes"),
		("missing", "0-1", "has no record `missing`"),
		("a", "5-16", "it has other content"),
	] {
		let error = fetch(key, text).await.expect_err("it cannot be fetched").to_string();
		assert!(error.contains(reason), "{error}");
	}
}

#[tokio::test]
async fn a_range_that_cannot_be_got_is_refused_with_the_reason_and_writes_nothing() {
	let (world, bytes) = start().await;
	let (tenant, id) = (world.tenant("site").to_string(), version(&bytes).to_string());
	let other = content(8, 5_000);
	let sha256 = VersionHasher::hash(HashKind::Sha256, &other);
	let node = world.fabric.add_node("second", &world.fabric.bob).await;
	row(&world, node, (HashKind::Sha256, sha256), 5_000).await;
	let sha256 = sha256.to_string();
	let nothing = version(b"");
	row(&world, node, (HashKind::Blake3, nothing), 0).await;
	let nothing = nothing.to_string();
	let out = world.path("out");
	let form = "expected a range of bytes such as 0-99, 100- or -500";
	for (what, range, reason) in [
		(&id, "99", form),
		(&id, "", form),
		(&id, "a-b", form),
		(&id, "0-1,4-5", form),
		(&id, "9-8", "its first byte, 9, is after its last one, 8"),
		(&id, "-0", "a range of the last 0 bytes is empty"),
		(&id, "0-18446744073709551616", "a number is larger than any version"),
		(&id, "300001-300002", "the range 300001-300002 begins after the end of the version"),
		(&nothing, "-1", "the range -1 begins after the end of the version, which has 0 bytes"),
		(&tenant, "0-99", "--range and --output - are for one version: name it, or a record"),
		(&sha256, "0-99", "is a SHA-256 hash, which proves only the whole version"),
	] {
		for output in [&out[..], "-"] {
			let get = ["get", what, "--range", range, "--output", output];
			let output = fabric_output(world.url(), &get);
			let errors = stderr(&output);
			assert_eq!(output.status.code(), Some(2), "{range} of {what}: {errors}");
			assert!(errors.contains(reason), "{range} of {what}: {errors}");
			assert!(output.stdout.is_empty());
		}
		assert!(!Path::new(&out).exists(), "{range} of {what}");
	}
	for what in [&tenant, &sha256] {
		assert_eq!(got(&world, &[what, "-o", "-"]).status.code(), Some(2));
	}
	let reason = "--json and --output - both write to standard output: use one of them";
	fabric_fails(world.url(), &["get", &id, "-o", "-"], "usage", reason);
}

#[tokio::test]
async fn nothing_unverified_is_streamed_and_the_next_node_sends_the_rest() {
	let (world, bytes) = start().await;
	let mut wrong = encoded(&bytes, 0, SIZE - 1);
	wrong[200_000] ^= 1;
	let (liar, asked) = server(move |_, _, stream| send(stream, "200 OK", wrong.len(), &wrong));
	second_row(&world, &bytes, SIZE as u64, &liar).await;
	let object = world.fabric.object.to_string();
	let tenant = world.fabric.tenant.to_string();
	let create = ["collection", "create", &tenant, "names", "--key-type", "any", "--yes"];
	fabric_json(world.url(), &create);
	let put = ["record", "put", &tenant, "names", "a", "--object", &object, "--yes"];
	fabric_json(world.url(), &put);
	let get = [&tenant, "names", "a", "--output", "-"];
	let output = got(&world, &get);
	let errors = stderr(&output);
	assert!(output.status.success() && output.stdout == bytes, "{errors}");
	let reason = "it sends bytes 196,608 to 212,991 that are not the version's";
	assert!(errors.contains(&format!("at {liar}: {reason}")), "{errors}");
	assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 1);

	world.locate(world.node, "/ip4/127.0.0.1/tcp/9/http").await;
	let output = got(&world, &get);
	assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
	assert!(output.stdout == bytes[..196_608], "{} bytes", output.stdout.len());
	let out = world.path("out");
	let get = ["get", &tenant, "names", "a", "--range", "5-299999", "-o", &out];
	let failure = fabric_failure(world.url(), &get);
	assert_eq!(failure.class, "unserved", "{failure:?}");
	assert!(!Path::new(&out).exists());
}

#[tokio::test]
async fn a_reader_that_has_seen_enough_ends_a_stream_without_an_error() {
	let world = World::start().await;
	let bytes = content(3, 20_000_000);
	world.file("site/a", &bytes);
	world.put("site");
	let served = bytes.clone();
	let (honest, _) = server(move |_, head, stream| prove(&served, head, stream));
	world.locate(world.node, &honest).await;
	let id = version(&bytes).to_string();
	let mut command = fabric_command(world.url(), &["get", &id, "-o", "-"]);
	command.stdout(Stdio::piped());
	let mut running = Process(command.spawn().expect("the client starts"));
	let mut start = [0; 100];
	let mut out = running.stdout.take().expect("it is piped");
	out.read_exact(&mut start).expect("the node is honest");
	assert!(start == bytes[..100]);
	drop(out);
	assert!(running.wait().expect("it ends").success());
}

#[tokio::test]
async fn of_several_sizes_the_nodes_prove_which_is_right() {
	let (world, bytes) = start().await;
	// A smaller size with the same tree, which would put the last bytes elsewhere.
	let served = bytes.clone();
	let (second, _) = server(move |_, head, stream| {
		let (first, _) = asked_for(head, SIZE - 16_384);
		let body = encoded(&served, first, SIZE - 16_385);
		let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
		let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
	});
	second_row(&world, &bytes, (SIZE - 16_384) as u64, &second).await;
	let id = version(&bytes).to_string();
	let output = got(&world, &[&id, "--range", "-50000", "-o", "-"]);
	assert!(output.status.success(), "{}", stderr(&output));
	assert!(output.stdout == bytes[SIZE - 50_000..]);
	let out = world.path("out");
	fabric_json(world.url(), &["get", &id, "-o", &out]);
	assert!(fs::read(&out).expect("it is there") == bytes);
}
