// SPDX-License-Identifier: Apache-2.0
//! Content nodes that keep their bytes in an object store: a server with the interface of S3, such
//! as moto's. The environment variable `S3_SERVER` names its program.

use std::{process::Command, thread, time::Duration};

use content_fabric_tests::{
	fabric::Fabric,
	process::{program, serving, signal, stderr, Process},
	store::Store,
	wait,
};

use super::content::{assert_served, commit, content, finalized, path, version};

/// Longest wait for the server, and for the bytes of a purged tenant to be let go.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time for which the server answers nobody.
const PAUSE: Duration = Duration::from_secs(3);

/// A server with a bucket.
struct Server {
	process: Process,
	url: String,
}

impl Server {
	fn start() -> Self {
		let server = std::env::var_os("S3_SERVER").expect("S3_SERVER names a program");
		let mut command = Command::new(server);
		command.args(["--host", "127.0.0.1", "--port", "0"]);
		let started = serving(command, "Running on http://", PATIENCE);
		let (process, address) = started.unwrap_or_else(|log| panic!("no server:\n{log}"));
		let url = format!("http://{address}");
		let server = Self { process, url };
		server.curl(&["-X", "PUT"], "bucket");
		server
	}

	/// Sends a request with made-up credentials. The server checks no signatures.
	fn curl(&self, options: &[&str], path: &str) -> String {
		let mut curl = Command::new("curl");
		let by =
			"Authorization: AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/s3/aws4_request";
		curl.args(["--fail", "--silent", "--show-error", "--header", by]).args(options);
		let output = curl.arg(format!("{}/{path}", self.url)).output().expect("curl runs");
		assert!(output.status.success(), "{path}: {}", stderr(&output));
		String::from_utf8_lossy(&output.stdout).into_owned()
	}

	/// Returns the number of objects in the bucket.
	fn objects(&self) -> usize {
		self.curl(&[], "bucket?list-type=2").matches("<Key>").count()
	}

	/// Returns a command with the environment of a content node that keeps its bytes here.
	fn beside(&self, mut command: Command) -> Command {
		command.envs([
			("FABRIC_STORE_URL", "s3://bucket/some/node"),
			("AWS_ENDPOINT", &self.url),
			("AWS_ALLOW_HTTP", "true"),
			("AWS_REGION", "us-east-1"),
			("AWS_ACCESS_KEY_ID", "test"),
			("AWS_SECRET_ACCESS_KEY", "test"),
		]);
		command
	}
}

#[tokio::test]
#[ignore = "needs a server with the interface of S3: run by scripts/assure store"]
async fn bytes_in_a_bucket_are_finalized_served_and_let_go_and_outlast_a_server_that_hangs() {
	let server = Server::start();
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let data = dir.path().join("data");
	let begin = || {
		let env = server.beside(Command::new("env"));
		Store::start_by(env, fabric.url(), of, &data)
	};
	let check = |bucket: &str| {
		let mut check = server.beside(Command::new(program("fabric-store")));
		check.env("FABRIC_STORE_URL", format!("s3://{bucket}/some/node"));
		let checked = check.arg("check").arg("--data").arg(&data).output().expect("it starts");
		assert!(!checked.status.success());
		String::from_utf8_lossy(&[checked.stdout, checked.stderr].concat()).into_owned()
	};
	let missing = check("nothing");
	assert!(missing.contains("NoSuchBucket"), "{missing}");
	let store = begin();
	// The second one is sent in three parts.
	let contents = [content(1, 5_000), content(2, 18_000_000), content(3, 70_000), Vec::new()];
	commit(&store, &fabric, &contents);
	for bytes in &contents[..2] {
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
	}
	finalized(&fabric, &contents[..2]).await;
	// The second one has an outboard.
	assert_eq!(server.objects(), 3);
	drop(store);

	let store = begin();
	assert_served(&store, &contents[..2]);
	let range = ["Range: bytes=9000000-9000099"];
	let part = store.ask("GET", &path(&contents[1]), &range, &[]).expect(206);
	assert!(part.body == contents[1][9_000_000..9_000_100]);

	// The server takes connections, and answers nothing for a while.
	signal(&server.process, "-STOP");
	thread::scope(|scope| {
		let put = scope.spawn(|| store.ask("PUT", &path(&contents[2]), &[], &contents[2]));
		let get = scope.spawn(|| store.ask("GET", &path(&contents[0]), &[], &[]));
		thread::sleep(PAUSE);
		store.ask("GET", "/v1/status", &[], &[]).expect(200);
		signal(&server.process, "-CONT");
		put.join().expect("it is answered").expect(201);
		assert!(get.join().expect("it is answered").expect(200).body == contents[0]);
	});
	store.ask("PUT", &path(&contents[3]), &[], &contents[3]).expect(201);
	assert_served(&store, &contents[3..]);
	finalized(&fabric, &contents).await;
	drop(store);

	// An object is lost, and found missing; another one is found that the record does not have. One
	// under another prefix is none of this node's.
	let place = |prefix, bytes: &[u8]| {
		let name = hex::encode(version(bytes).0);
		format!("bucket/{prefix}/{}/{}/{name}", &name[..2], &name[2..4])
	};
	server.curl(&["-X", "DELETE"], &place("some/node", &contents[0]));
	for prefix in ["some/node", "other"] {
		server.curl(&["-X", "PUT", "--data", "x"], &place(prefix, b"x"));
	}
	let report = check("bucket");
	assert!(report.contains(&format!("{} is missing", version(&contents[0]))), "{report}");
	assert!(report.contains(&format!("{} is not in the record", version(b"x"))), "{report}");
	assert!(report.contains("3 sound, 2 not"), "{report}");

	let store = begin();
	store.ask("GET", &path(&contents[0]), &[], &[]).expect(500);
	store.ask("PUT", &path(&contents[0]), &[], &contents[0]).expect(201);
	fabric.delete_tenant().await;
	wait::until(PATIENCE, "objects are left", async || server.objects() <= 1).await;
	server.curl(&[], &place("other", b"x"));

	drop(store);
	signal(&server.process, "-KILL");
	let gone = check("bucket");
	assert!(gone.contains("error: the object store failed: "), "{gone}");
}
