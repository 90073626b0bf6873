// SPDX-License-Identifier: Apache-2.0
//! The content node whose files are damaged, lost or unreadable: what it notices, says and mends.

use std::{
	fs::{self, File},
	io::Read,
	os::unix::fs::symlink,
	path::Path,
	time::Duration,
};

use content_fabric_client::chain::calls;
use content_fabric_tests::{fabric::Fabric, process::stderr, store::Store, wait};

use super::{
	content::{
		assert_served, commit, content, draft, finalized, followed, path, place, start, version,
	},
	content_operator::logging,
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

/// Damages a file, which has these bytes.
type Damage = fn(&Path, &[u8]);

/// Puts a link in place of a file that leads to itself, so that nobody can open it.
fn make_unreadable(file: &Path) {
	fs::remove_file(file).expect("it is there");
	symlink(file, file).expect("there is room");
}

#[test]
fn a_folder_that_does_not_exist_is_not_sound() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let data = dir.path().join("absent");
	let checked = Store::check(&data, &[]);
	let errors = String::from_utf8_lossy(&checked.stderr);
	assert!(!checked.status.success() && errors.contains("absent does not exist"), "{errors}");
	assert!(!data.exists());
}

#[tokio::test]
async fn every_read_that_finds_damage_records_it_and_an_upload_ends_it() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let (data, log) = (dir.path().join("data"), dir.path().join("log"));
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	let (small, large) = (content(1, 30_000), content(2, 1_500_000));
	commit(&store, &fabric, &[&small, &large]);
	for bytes in [&small, &large] {
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
	}
	finalized(&fabric, &[&small, &large]).await;
	let damages: [(&str, &str, Damage); 5] = [
		("cut", "is damaged", |file, bytes| {
			fs::write(file, &bytes[..20_000]).expect("there is room")
		}),
		("longer", "is damaged", |file, bytes| {
			fs::write(file, [bytes, b"x"].concat()).expect("there is room")
		}),
		("another", "is damaged", |file, _| {
			fs::write(file, content(9, 2_000_000)).expect("there is room")
		}),
		("removed", "is missing", |file, _| fs::remove_file(file).expect("it is there")),
		("unreadable", "cannot be read: ", |file, _| make_unreadable(file)),
	];
	for (name, fault, damage) in damages {
		for (bytes, range) in [
			(&small, None),
			(&small, Some("Range: bytes=10000-19999")),
			(&large, None),
			(&large, Some("Range: bytes=10000-")),
			(&large, Some("Range: bytes=1200000-1299999")),
		] {
			damage(&place(&data, version(bytes)), bytes);
			let before = fs::read_to_string(&log).expect("the log is a file").len();
			let headers: Vec<_> = range.into_iter().collect();
			store.ask("GET", &path(bytes), &headers, &[]).expect(500);
			assert_eq!(store.status("damaged"), 1, "{name} {range:?}");
			store.ask("PUT", &path(bytes), &[], bytes).expect(201);
			assert_served(&store, &[bytes]);
			assert_eq!(store.status("damaged"), 0, "{name} {range:?}");
			let version = version(bytes);
			for line in [
				format!("the copy of {version} {fault}"),
				format!("the damaged copy of {version} was replaced"),
			] {
				wait::until(PATIENCE, &format!("not logged: {line}"), async || {
					let log = fs::read_to_string(&log).expect("the log is a file");
					log[before..].matches(&line).count() == 1
				})
				.await;
			}
		}
	}
}

#[tokio::test]
async fn a_file_that_is_cut_while_it_is_read_is_recorded_as_damaged() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	// More than the buffers of a connection.
	let bytes = content(1, 19_000_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	let mut stream = store.send("GET", &path(&bytes), &[], 0);
	stream.read_exact(&mut [0; 1_000]).expect("the answer begins");
	let file = File::options().write(true).open(place(&dir.path().join("data"), version(&bytes)));
	file.and_then(|file| file.set_len(1_000_000)).expect("it can be cut");
	let mut rest = Vec::new();
	let read = stream.read_to_end(&mut rest);
	assert!(read.is_err() || rest.len() < bytes.len(), "the answer is whole");
	wait::until(PATIENCE, "the damage is not recorded", async || store.status("damaged") == 1)
		.await;
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	assert_served(&store, &[&bytes]);
}

#[tokio::test]
async fn outboards_are_made_again_and_an_answer_ends_before_a_wrong_byte() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let data = dir.path().join("data");
	let bytes = content(1, 9_000_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	followed(&fabric, &store).await;
	let verified = format!("{}/verified?first=8900000&last=8900009", path(&bytes));
	let proof = store.ask("GET", &verified, &[], &[]).expect(200).body;
	drop(store);
	let object = place(&data, version(&bytes));
	let outboard = object.with_extension("outboard");
	let made = fs::read(&outboard).expect("it is there");
	let mut wrong = made.clone();
	wrong[1_000] ^= 1;
	fs::write(&outboard, &wrong).expect("there is room");
	for (options, is_sound) in [(&[][..], false), (&["--repair"], true), (&[], true)] {
		let checked = Store::check(&data, options);
		let report = String::from_utf8_lossy(&checked.stdout);
		assert_eq!(checked.status.success(), is_sound, "{report}{}", stderr(&checked));
		let fault = format!("{} has no outboard, or a damaged one", version(&bytes));
		assert_eq!(report.contains(&fault), options.len() == 1 || !is_sound, "{report}");
	}
	assert!(fs::read(&outboard).expect("it is there") == made);

	fs::remove_file(&outboard).expect("it is there");
	let store = Store::start(fabric.url(), (fabric.provider, node), &data);
	assert!(store.ask("GET", &verified, &[], &[]).expect(200).body == proof);
	assert!(fs::read(&outboard).expect("it is made again") == made);
	let mut wrong = bytes.clone();
	wrong[8_900_000] ^= 1;
	fs::write(&object, wrong).expect("there is room");
	let mut stream = store.send("GET", &path(&bytes), &[], 0);
	let mut answer = Vec::new();
	// The connection may be reset.
	drop(stream.read_to_end(&mut answer));
	let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("it has a head");
	let body = &answer[end + 4..];
	assert!(answer.starts_with(b"HTTP/1.1 200") && body.len() < 8_900_000, "{}", body.len());
	assert!(bytes.starts_with(body));
	wait::until(PATIENCE, "the damage is not recorded", async || store.status("damaged") == 1)
		.await;
	store.ask("GET", &verified, &[], &[]).expect(500);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	assert_served(&store, &[&bytes]);
	assert!(store.ask("GET", &verified, &[], &[]).expect(200).body == proof);
}

#[tokio::test]
async fn final_versions_without_bytes_are_counted_and_listed_until_somebody_uploads_them() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let data = dir.path().join("data");
	let contents = [1, 2, 3, 4, 5].map(|seed| content(seed, 50_000));
	let [lost, rotten, unreadable, sound, late] = &contents;
	commit(&store, &fabric, &contents);
	let on_time = [lost, rotten, unreadable, sound];
	on_time.iter().for_each(|bytes| store.upload(&path(bytes), bytes));
	finalized(&fabric, &on_time).await;
	followed(&fabric, &store).await;
	drop(store);

	let file = |bytes: &[u8]| place(&data, version(bytes));
	fs::remove_file(file(lost)).expect("it is there");
	fs::write(file(rotten), content(9, 50_000)).expect("there is room");
	make_unreadable(&file(unreadable));
	// Before a repair, with it, and after it.
	for (options, of_rotten) in
		[(&[][..], "is damaged"), (&["--repair"], "is damaged"), (&[], "is missing")]
	{
		let checked = Store::check(&data, options);
		let report = String::from_utf8_lossy(&checked.stdout);
		assert!(report.contains("1 sound, 3 not"), "{report}");
		for (bytes, fault) in
			[(lost, "is missing"), (rotten, of_rotten), (unreadable, "cannot be read: ")]
		{
			let named = format!("{} {fault}", version(bytes));
			let line = report.lines().find(|line| line.starts_with(&named));
			let line = line.unwrap_or_else(|| panic!("{named}: {report}"));
			let advice = "; it is final on the chain: the server gets its bytes from another node";
			assert!(line.contains(advice), "{line}");
		}
		let errors = stderr(&checked);
		assert!(errors.contains("error: 3 versions have no bytes that can be read"), "{errors}");
		assert!(!checked.status.success());
	}

	let store = Store::start(fabric.url(), (fabric.provider, node), &data);
	let counted = |store: &Store| {
		let figures = store.ask("GET", "/metrics", &[], &[]).expect(200).body;
		let figure = format!("fabric_store_state{{of=\"missing\"}} {}", store.status("missing"));
		assert!(String::from_utf8_lossy(&figures).contains(&figure));
		(store.status("missing").as_u64(), store.status("damaged").as_u64())
	};
	assert_eq!(counted(&store), (Some(2), Some(1)));
	store.ask("GET", &path(lost), &[], &[]).expect(404);
	store.ask("GET", &path(unreadable), &[], &[]).expect(500);
	// Anybody can upload them. Room is kept for them.
	draft(&store, &fabric, &[lost, rotten, unreadable]).expect(200);
	store.ask("PUT", &path(lost), &[], rotten).expect(422);
	for (number, bytes) in [lost, rotten].into_iter().enumerate() {
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
		assert_eq!(counted(&store), (Some(1 - number as u64), Some(1)));
	}
	store.ask("PUT", &path(unreadable), &[], unreadable).expect(201);
	assert_eq!(counted(&store), (Some(0), Some(0)));
	assert_served(&store, &on_time);
	drop(store);
	let checked = Store::check(&data, &[]);
	assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));

	// A file that was put back is taken in.
	fs::remove_file(file(lost)).expect("it is there");
	assert!(!Store::check(&data, &["--repair"]).status.success());
	fs::write(file(lost), lost).expect("there is room");
	assert!(!Store::check(&data, &[]).status.success());
	assert!(Store::check(&data, &["--repair"]).status.success());
	let store = Store::start(fabric.url(), (fabric.provider, node), &data);
	assert_eq!(counted(&store), (Some(0), Some(0)));
	assert_served(&store, &on_time);
	store.ask("PUT", &path(late), &[], late).expect(201);
	finalized(&fabric, &[late]).await;
}

#[tokio::test]
async fn damage_to_versions_that_are_not_final_is_found_before_a_client_takes_them_for_uploaded() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let data = dir.path().join("data");
	let (rotten, sound) = (content(1, 2_000_000), content(2, 2_000_000));
	commit(&store, &fabric, &[&rotten, &sound]);
	// A node of a frozen provider can finalize nothing.
	fabric.freeze_provider(true).await;
	for bytes in [&rotten, &sound] {
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
		assert_eq!(store.arrived(&path(bytes)), None);
	}
	drop(store);
	let mut changed = rotten.clone();
	changed[1_000_000] ^= 1;
	fs::write(place(&data, version(&rotten)), changed).expect("there is room");
	let store = Store::start(fabric.url(), (fabric.provider, node), &data);
	assert_eq!(store.arrived(&path(&rotten)), Some(0));
	assert_eq!(store.arrived(&path(&sound)), None);
	store.upload(&path(&rotten), &rotten);
	assert_eq!(store.arrived(&path(&rotten)), None);
	fabric.freeze_provider(false).await;
	finalized(&fabric, &[&rotten, &sound]).await;
}

#[tokio::test]
async fn a_lost_record_is_made_again_from_the_files_as_soon_as_the_chain_is_followed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	let (data, log) = (dir.path().join("data"), dir.path().join("log"));
	let contents = [1, 2, 3].map(|seed| content(seed, 50_000));
	commit(&store, &fabric, &contents);
	contents.iter().for_each(|bytes| store.upload(&path(bytes), bytes));
	finalized(&fabric, &contents).await;
	drop(store);
	fs::write(data.join("record.okvs"), b"something else").expect("there is room");
	let refused = Store::try_start(fabric.url(), (fabric.provider, node), &data).err();
	let refused = refused.expect("it ends");
	let named =
		format!("error: the file {} is not a record, or is ", data.join("record.okvs").display());
	assert!(refused.contains(&named), "{refused}");
	fs::remove_file(data.join("record.okvs")).expect("it is there");

	// With a long grace time, the sweeps are a minute apart.
	let mut shell = logging(&log);
	shell.args(["bash", "-c", "exec \"$0\" \"${@/#0/3600}\""]);
	let store = Store::start_by(shell, fabric.url(), (fabric.provider, node), &data);
	wait::until(PATIENCE / 2, "the files are not taken in", async || {
		store.status("versions") == contents.len() && store.status("missing") == 0
	})
	.await;
	assert_served(&store, &contents);
	let lines = fs::read_to_string(&log).expect("the log is a file");
	assert_eq!(lines.matches("WARN").count(), 1, "{lines}");
	assert!(
		lines.contains("the record is new, and the store has objects: hashing them"),
		"{lines}"
	);
}

#[tokio::test]
async fn a_damaged_copy_that_no_row_needs_does_not_keep_the_node_from_its_work() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let data = dir.path().join("data");
	let store = Store::start_with(["127.0.0.1:0", "//Dave", "3600"], fabric.url(), of, &data);
	let bytes = content(1, 30_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	let (tenant, object) = (fabric.tenant, fabric.object);
	let delete = calls::DeleteVersion { tenant, object, version: version(&bytes) };
	fabric.submit(&fabric.charlie, delete).await;
	followed(&fabric, &store).await;
	// The bytes stay for the grace time.
	fs::write(place(&data, version(&bytes)), content(9, 30_000)).expect("there is room");
	store.ask("GET", &path(&bytes), &[], &[]).expect(500);
	wait::until(PATIENCE, "it is not counted", async || store.status("damaged") == 1).await;
	let more = content(2, 30_000);
	commit(&store, &fabric, &[&more]);
	store.ask("PUT", &path(&more), &[], &more).expect(201);
	finalized(&fabric, &[&more]).await;
	assert_eq!(store.status("lost"), 0);
}

#[tokio::test]
async fn requests_that_fail_do_not_fill_the_log() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let (data, log) = (dir.path().join("data"), dir.path().join("log"));
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	let bytes = content(1, 1_500_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	// The outboard is gone, and no other one can be made.
	let outboard = place(&data, version(&bytes)).with_extension("outboard");
	fs::remove_file(&outboard).expect("it is there");
	fs::create_dir(outboard.with_extension("outboard.new")).expect("there is room");
	for _ in 0..150 {
		store.ask("GET", &path(&bytes), &[], &[]).expect(500);
	}
	let lines = fs::read_to_string(&log).expect("the log is a file");
	for line in ["the outboard of ", "outboard.new cannot be "] {
		let number = lines.lines().filter(|found| found.contains(line)).count();
		assert!((1..=100).contains(&number), "{number} of {line}");
	}
	assert_eq!(lines.matches("there are more such messages").count(), 2, "{lines}");
}
