// SPDX-License-Identifier: Apache-2.0
//! An object store of another machine: a server with the interface of S3, whose program is in the
//! environment variable `S3_SERVER`, such as moto's. `scripts/assure store` runs this.
#![cfg(feature = "cloud")]

use std::{
	env,
	io::{BufRead, BufReader},
	process::{Child, Command, Stdio},
	sync::Arc,
};

use content_fabric_content_node::{
	keep::{
		check::{check, sweep, Fault},
		upload::Uploads,
		Keep,
	},
	store::Store,
};
use content_fabric_identifiers::VersionId;
use content_fabric_primitives::VersionHasher;
use futures::TryStreamExt;

struct Server(Child);

impl Drop for Server {
	fn drop(&mut self) {
		let _ = self.0.kill();
		let _ = self.0.wait();
	}
}

/// Starts a server, and makes a bucket.
fn start() -> Server {
	let program = env::var_os("S3_SERVER").expect("S3_SERVER names a program");
	let mut command = Command::new(program);
	command.args(["--host", "127.0.0.1", "--port", "0"]).stderr(Stdio::piped());
	let mut server = Server(command.spawn().expect("the server starts"));
	let mut log = BufReader::new(server.0.stderr.take().expect("it is piped")).lines();
	let url = log
		.by_ref()
		.map_while(Result::ok)
		.find_map(|line| Some(format!("http://{}", line.split_once("http://")?.1.trim())))
		.expect("it says where it serves");
	// The log is read on, so that the server is not held up.
	std::thread::spawn(move || log.for_each(drop));
	for (name, value) in [
		("AWS_ENDPOINT", url.as_str()),
		("AWS_ALLOW_HTTP", "true"),
		("AWS_REGION", "us-east-1"),
		("AWS_ACCESS_KEY_ID", "test"),
		("AWS_SECRET_ACCESS_KEY", "test"),
	] {
		env::set_var(name, value);
	}
	let made = Command::new("curl")
		.args(["--fail", "--silent", "--show-error", "-X", "PUT"])
		.arg(format!("{url}/bucket"))
		.output();
	assert!(made.expect("curl runs").status.success(), "the bucket is made");
	server
}

fn content(length: usize) -> Vec<u8> {
	(0..length).map(|at| (at % 251) as u8).collect()
}

async fn put(store: &Store, uploads: &Arc<Uploads>, bytes: &[u8]) -> VersionId {
	let version = VersionHasher::hash(bytes);
	let part = uploads.part(version).expect("the file can be opened");
	let mut part = part.expect("nobody else uploads it");
	part.write(bytes).expect("there is room");
	part.synchronize().expect("it can be synchronized");
	store.adopt(&part.path(), version).await.expect("it is taken in");
	version
}

#[tokio::test]
async fn a_store_with_the_interface_of_s3_keeps_what_it_takes_in_and_says_when_it_is_gone() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let uploads = Uploads::open(dir.path().join("uploads")).expect("the folder can be made");
	let server = start();
	let open = |url: &'static str| Store::open(Some(url), dir.path());
	let missing = open("s3://nothing/node").await.expect_err("there is no such bucket");
	assert!(missing.to_string().contains("NoSuchBucket"), "{missing}");
	let store = open("s3://bucket/some/node").await.expect("it answers");

	let mut versions = Vec::new();
	// The last one is sent in three parts.
	for length in [0, 1, 300_000, 20_000_000] {
		let bytes = content(length);
		let version = put(&store, &uploads, &bytes).await;
		let size = length as u64;
		assert_eq!(store.hash(version).await.expect("it answers"), Some((version, size)));
		let (from, to) = (length / 3, length - length / 3);
		let part = store.read(version, from as u64..to as u64).await.expect("it is there");
		let part: Vec<_> = part.try_collect().await.expect("it can be read");
		assert!(part.concat() == bytes[from..to]);
		versions.push((version, size));
	}
	// A node with another prefix has none of it.
	let other = open("s3://bucket/other").await.expect("it answers");
	assert_eq!(other.list().try_collect::<Vec<_>>().await.expect("it lists"), []);

	let keep = Keep::open(dir.path()).expect("it can be made");
	for (version, size) in &versions[1..] {
		keep.hold(*version, *size, 0).expect("it is recorded");
	}
	store.remove(versions[1].0).await.expect("it is removed");
	let mut found = Vec::new();
	let report = |version, fault| found.push((version, fault));
	assert_eq!(check(&keep, &store, true, 0, report).await.ok(), Some(2));
	assert_eq!(found, [(versions[1].0, Fault::Missing), (versions[0].0, Fault::Unknown)]);
	// No row needs them.
	assert_eq!(sweep(&keep, &store, &uploads, 0).await.ok(), Some(3));
	assert_eq!(store.list().try_collect::<Vec<_>>().await.expect("it lists"), []);

	drop(server);
	let gone = store.size(versions[2].0).await.expect_err("the server is gone");
	assert!(gone.to_string().starts_with("the object store failed: "), "{gone}");
}

#[tokio::test]
async fn other_urls_are_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	for url in ["", "bucket", "s3:", "memory:///", "file:///tmp", "http://example.com/bucket"] {
		let refused = Store::open(Some(url), dir.path()).await.expect_err("it is refused");
		let expected = format!("the object store '{url}' cannot be used: ");
		assert!(refused.to_string().starts_with(&expected), "{refused}");
	}
}
