// SPDX-License-Identifier: Apache-2.0
//! The object store: in a folder, in memory, and one that fails or tears writes.

use std::{
	fmt, fs,
	path::Path,
	sync::{
		atomic::{AtomicUsize, Ordering},
		Arc,
	},
};

use async_trait::async_trait;
use content_fabric_content_node::{
	check::{adopt_unrecorded, check, sweep, Checked, Fault},
	keep::{upload::Uploads, Keep},
	store::Store,
};
use content_fabric_identifiers::{HashKind, VersionHasher, VersionId};
use futures::{stream::BoxStream, TryStreamExt};
use object_store::{memory::InMemory, path::Path as Key, *};
use tempfile::TempDir;

fn content(length: usize) -> Vec<u8> {
	(0..length).map(|at| (at % 251) as u8).collect()
}

fn id(bytes: &[u8]) -> VersionId {
	VersionHasher::hash(HashKind::Blake3, bytes)
}

fn folder() -> TempDir {
	tempfile::tempdir().expect("there is room for a folder")
}

fn uploads(folder: &Path) -> Arc<Uploads> {
	Uploads::open(folder.join("uploads")).expect("the folder can be made")
}

/// Uploads bytes in two parts, and moves them into the store.
async fn put(store: &Store, uploads: &Arc<Uploads>, bytes: &[u8]) -> Result<VersionId, String> {
	let version = id(bytes);
	let (first, second) = bytes.split_at(bytes.len() / 2);
	for part in [first, second] {
		let file = uploads.part(version, &HashKind::ALL).expect("the file can be opened");
		let mut file = file.expect("nobody else uploads it");
		file.write(part).expect("there is room");
		if file.length() == bytes.len() as u64 {
			assert_eq!(file.found(), Some(HashKind::Blake3));
			file.synchronize().expect("it can be synchronized");
			store.adopt(&file.path(), version).await.map_err(|error| error.to_string())?;
		}
	}
	Ok(version)
}

async fn read(store: &Store, bytes: &[u8], from: usize, to: usize) -> Vec<u8> {
	let (part, size) = (from as u64..to as u64, bytes.len() as u64);
	let stream = store.read(id(bytes), part, size).await.expect("it is there");
	let chunks: Vec<_> = stream.try_collect().await.expect("it can be read");
	chunks.concat()
}

/// A store in memory that fails when its number of writes is used up.
#[derive(Debug)]
struct Failing(InMemory, Arc<AtomicUsize>);

#[derive(Debug)]
struct FailingUpload(Box<dyn MultipartUpload>, Arc<AtomicUsize>);

fn use_one(left: &AtomicUsize) -> Result<()> {
	let used = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
	let error = Error::Generic { store: "failing", source: "no more writes".into() };
	used.map(drop).map_err(|_| error)
}

#[async_trait]
impl MultipartUpload for FailingUpload {
	fn put_part(&mut self, data: PutPayload) -> UploadPart {
		match use_one(&self.1) {
			Ok(()) => self.0.put_part(data),
			Err(error) => Box::pin(async { Err(error) }),
		}
	}
	async fn complete(&mut self) -> Result<PutResult> {
		use_one(&self.1)?;
		self.0.complete().await
	}
	async fn abort(&mut self) -> Result<()> {
		self.0.abort().await
	}
}

impl fmt::Display for Failing {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str("failing")
	}
}

#[async_trait]
impl ObjectStore for Failing {
	async fn put_opts(&self, key: &Key, data: PutPayload, with: PutOptions) -> Result<PutResult> {
		use_one(&self.1)?;
		self.0.put_opts(key, data, with).await
	}
	async fn put_multipart_opts(
		&self,
		key: &Key,
		with: PutMultipartOptions,
	) -> Result<Box<dyn MultipartUpload>> {
		let upload = self.0.put_multipart_opts(key, with).await?;
		Ok(Box::new(FailingUpload(upload, self.1.clone())))
	}
	async fn get_opts(&self, key: &Key, with: GetOptions) -> Result<GetResult> {
		self.0.get_opts(key, with).await
	}
	fn delete_stream(
		&self,
		keys: BoxStream<'static, Result<Key>>,
	) -> BoxStream<'static, Result<Key>> {
		self.0.delete_stream(keys)
	}
	fn list(&self, prefix: Option<&Key>) -> BoxStream<'static, Result<ObjectMeta>> {
		self.0.list(prefix)
	}
	async fn list_with_delimiter(&self, prefix: Option<&Key>) -> Result<ListResult> {
		self.0.list_with_delimiter(prefix).await
	}
	async fn copy_opts(&self, from: &Key, to: &Key, with: CopyOptions) -> Result<()> {
		self.0.copy_opts(from, to, with).await
	}
}

#[tokio::test]
async fn a_folder_and_memory_keep_what_they_take_in() {
	let dir = folder();
	let in_folder = Store::folder(&dir.path().join("objects")).expect("it can be made");
	for store in [in_folder, Store::of(Arc::new(InMemory::new()))] {
		let uploads = uploads(dir.path());
		for length in [0, 1, 300_000, 9_000_000] {
			let bytes = content(length);
			let size = length as u64;
			let version = put(&store, &uploads, &bytes).await.expect("it is taken in");
			assert_eq!(store.stat(version).await.expect("it answers").map(|s| s.size), Some(size));
			assert!(read(&store, &bytes, 0, length).await == bytes);
			let (from, to) = (length / 3, length - length / 3);
			assert!(read(&store, &bytes, from, to).await == bytes[from..to]);
			for (kinds, found) in
				[(&HashKind::ALL[..], Some(HashKind::Blake3)), (&[HashKind::Sha256], None)]
			{
				let checked = store.check(version, kinds.iter().copied(), size).await;
				assert_eq!(checked.expect("it answers"), found);
			}
			for other in [size + 1, size.wrapping_sub(1)] {
				let refused = store
					.check(version, HashKind::ALL, other)
					.await
					.expect_err("the size is another");
				assert!(refused.is_damage(), "{refused}");
			}
			assert_eq!(store.list().try_collect::<Vec<_>>().await.expect("it lists"), [version]);
			store.remove(version).await.expect("it is removed");
			store.remove(version).await.expect("it is gone already");
			assert_eq!(store.stat(version).await.expect("it answers"), None);
			assert!(store
				.check(version, HashKind::ALL, size)
				.await
				.expect_err("it is gone")
				.is_damage());
		}
		// Nothing is left of the uploads.
		assert_eq!(fs::read_dir(dir.path().join("uploads")).expect("it exists").count(), 0);
	}
}

#[tokio::test]
async fn a_store_that_fails_at_any_write_has_no_part_of_an_object() {
	let dir = folder();
	let uploads = uploads(dir.path());
	let bytes = content(20_000_000);
	let left = Arc::new(AtomicUsize::new(0));
	let store = Store::of(Arc::new(Failing(InMemory::new(), left.clone())));
	// Three parts, and the completion.
	for writes in 0..4 {
		left.store(writes, Ordering::SeqCst);
		let failed = put(&store, &uploads, &bytes).await.expect_err("a write fails");
		assert!(failed.contains("no more writes"), "{failed}");
		assert_eq!(store.stat(id(&bytes)).await.expect("it answers"), None);
		let part = uploads
			.part(id(&bytes), &HashKind::ALL)
			.expect("it can be opened")
			.expect("it is free");
		assert_eq!(part.length(), bytes.len() as u64, "the bytes can be sent again");
		part.discard().expect("it can be removed");
	}
	left.store(4, Ordering::SeqCst);
	put(&store, &uploads, &bytes).await.expect("it is taken in");
}

#[tokio::test]
async fn an_upload_goes_on_after_a_restart_and_belongs_to_one_client() {
	let dir = folder();
	let (bytes, version) = (content(700_000), id(&content(700_000)));
	let first = uploads(dir.path());
	let mut part =
		first.part(version, &HashKind::ALL).expect("it can be opened").expect("it is free");
	part.write(&bytes[..300_000]).expect("there is room");
	assert!(first.part(version, &HashKind::ALL).expect("it answers").is_none());
	assert!(first.claim(version).is_none());
	drop(part);
	let second = uploads(dir.path());
	assert_eq!(second.length(version).ok(), Some(300_000));
	let mut part =
		second.part(version, &HashKind::ALL).expect("it can be opened").expect("it is free");
	part.write(&bytes[300_000..]).expect("there is room");
	assert_eq!(part.found(), Some(HashKind::Blake3));
	second.sweep(|_| false).expect("the folder can be read");
	assert_eq!(second.length(version).ok(), Some(700_000), "an open upload stays");
	drop(part);
	second.sweep(|_| true).expect("the folder can be read");
	assert_eq!(second.length(version).ok(), Some(700_000), "one that is needed stays");
	second.sweep(|_| false).expect("the folder can be read");
	assert_eq!(second.length(version).ok(), Some(0));
}

#[tokio::test]
async fn a_check_finds_what_is_damaged_missing_and_unknown_and_repairs_it() {
	let dir = folder();
	let (keep, uploads) = (Keep::open(dir.path()).expect("it can be made"), uploads(dir.path()));
	let store = Store::folder(&dir.path().join("objects")).expect("it can be made");
	let mut versions = Vec::new();
	for length in [10, 20, 30, 40] {
		versions.push(put(&store, &uploads, &content(length)).await.expect("it is taken in"));
	}
	let path = |version: VersionId| {
		let name = hex::encode(version.0);
		dir.path().join("objects").join(&name[..2]).join(&name[2..4]).join(name)
	};
	let [sound, damaged, missing, unknown] = versions[..] else { panic!("there are four") };
	for (version, size) in [(sound, 10), (damaged, 20), (missing, 30)] {
		keep.hold(version, HashKind::Blake3, size, 0).expect("it is recorded");
	}
	fs::write(path(damaged), [0; 20]).expect("it can be written");
	fs::remove_file(path(missing)).expect("it is there");
	let mut found = Vec::new();
	let report = |version, fault: &Fault, is_final| found.push((version, fault.clone(), is_final));
	let counts = |checked: Checked| {
		assert!(checked.error.is_none(), "{checked:?}");
		(checked.sound, checked.faults, checked.lasting)
	};
	assert_eq!(check(&keep, &store, true, 0, report).await.ok().map(counts), Some((1, 3, 0)));
	let expected =
		[(damaged, Fault::Damaged), (missing, Fault::Missing), (unknown, Fault::Unknown)];
	let expected = expected.map(|(version, fault)| (version, fault, false));
	assert!(found.len() == 3 && expected.iter().all(|fault| found.contains(fault)), "{found:?}");
	let none = |version, _: &Fault, _| panic!("{version} has a fault");
	assert_eq!(check(&keep, &store, false, 0, none).await.ok().map(counts), Some((2, 0, 0)));
	assert_eq!(keep.totals().held, 50);
	// No row needs them. One is being uploaded again.
	let claim = uploads.claim(sound).expect("it is free");
	assert_eq!(sweep(&keep, &store, &uploads, 0).await.ok(), Some(1));
	drop(claim);
	assert_eq!(sweep(&keep, &store, &uploads, 0).await.ok(), Some(1));
	assert_eq!(store.list().try_collect::<Vec<_>>().await.expect("it lists"), []);
}

#[tokio::test]
async fn a_check_finds_outboards_that_are_wrong_missing_or_of_no_use_and_repairs_them() {
	for memory in [false, true] {
		let dir = folder();
		let (keep, uploads) =
			(Keep::open(dir.path()).expect("it can be made"), uploads(dir.path()));
		let objects: Arc<dyn ObjectStore> = match memory {
			true => Arc::new(InMemory::new()),
			false => {
				fs::create_dir(dir.path().join("objects")).expect("there is room");
				let local = local::LocalFileSystem::new_with_prefix(dir.path().join("objects"));
				Arc::new(local.expect("it is there"))
			},
		};
		let store = match memory {
			true => Store::of(objects.clone()),
			false => Store::folder(&dir.path().join("objects")).expect("it can be made"),
		};
		let key = |version: VersionId, end| {
			let name = hex::encode(version.0);
			Key::from(format!("{}/{}/{name}{end}", &name[..2], &name[2..4]))
		};
		let mut versions = Vec::new();
		for length in [9_000_000, 9_100_000, 9_200_000, 1_000] {
			let version = put(&store, &uploads, &content(length)).await.expect("it is taken in");
			keep.hold(version, HashKind::Blake3, length as u64, 0).expect("it is recorded");
			versions.push(version);
		}
		let unrecorded = put(&store, &uploads, &content(9_300_000)).await.expect("it is taken in");
		let [sound, wrong, _missing, small] = versions[..] else { panic!("there are four") };
		let rebuild = async |version: VersionId, size: u64| {
			let bytes = store.read(version, 0..size, size).await.expect("it is there");
			let (root, outboard) = store.build(version, bytes).await.expect("it can be made");
			assert_eq!(root, version.0);
			outboard.keep().await.expect("there is room");
		};
		rebuild(sound, 9_000_000).await;
		rebuild(wrong, 9_100_000).await;
		let outboard = objects.get(&key(wrong, ".outboard")).await.expect("it is there");
		let outboard = outboard.bytes().await.expect("it can be read");
		for at in [0, outboard.len() / 2, outboard.len() - 1] {
			let mut flipped = outboard.to_vec();
			flipped[at] ^= 1;
			objects.put(&key(wrong, ".outboard"), flipped.into()).await.expect("there is room");
			// Of no object, of one that needs none, and of a process that was killed.
			let gone = VersionId([7; 32]);
			for left in
				[key(gone, ".outboard"), key(small, ".outboard"), key(sound, ".outboard.new")]
			{
				objects.put(&left, vec![1].into()).await.expect("there is room");
			}
			let all = async |repair| {
				let mut found = Vec::new();
				let report = |version, fault: &Fault, _| found.push((version, fault.clone()));
				let checked = check(&keep, &store, repair, 0, report).await.expect("it ends");
				assert!(checked.error.is_none() && checked.lasting == 0, "{checked:?}");
				found
			};
			let mut expected = vec![
				(wrong, Fault::Outboard),
				(gone, Fault::Leftover),
				(small, Fault::Leftover),
				(sound, Fault::Leftover),
			];
			if at == 0 {
				expected.extend([(versions[2], Fault::Outboard), (unrecorded, Fault::Unknown)]);
			}
			for repair in [false, true] {
				let found = all(repair).await;
				assert!(
					found.len() == expected.len()
						&& expected.iter().all(|fault| found.contains(fault)),
					"{memory} {at} {repair}: {found:?}"
				);
			}
			assert_eq!(all(false).await, [], "{memory} {at}");
			let repaired = objects.get(&key(wrong, ".outboard")).await.expect("it is there");
			assert_eq!(repaired.bytes().await.expect("it can be read"), outboard);
		}
	}
}

#[tokio::test]
async fn outboards_that_a_crash_has_left_are_removed_unless_somebody_uploads_their_version() {
	let dir = folder();
	let (keep, uploads) = (Keep::open(dir.path()).expect("it can be made"), uploads(dir.path()));
	let store = Store::folder(&dir.path().join("objects")).expect("it can be made");
	let large = put(&store, &uploads, &content(3_000_000)).await.expect("it is taken in");
	let [gone, busy] = [7, 8].map(|byte| VersionId([byte; 32]));
	let path = |version: VersionId, end| {
		let name = hex::encode(version.0);
		let folder = dir.path().join("objects").join(&name[..2]).join(&name[2..4]);
		fs::create_dir_all(&folder).expect("there is room");
		folder.join(name + end)
	};
	for version in [large, gone, busy] {
		for end in [".outboard", ".outboard.new"] {
			fs::write(path(version, end), b"x").expect("there is room");
		}
	}
	let claim = uploads.claim(busy).expect("it is free");
	let left = || {
		[large, gone, busy]
			.map(|version| [".outboard", ".outboard.new"].map(|end| path(version, end).exists()))
	};
	adopt_unrecorded(&keep, &store, &uploads, 0).await.expect("all can be read");
	// The object was not recorded, and its outboard is made again.
	assert_eq!(left(), [[true, false], [false, false], [true, true]]);
	assert_eq!(fs::read(path(large, ".outboard")).ok().map(|bytes| bytes.len()), Some(184 * 32));
	drop(claim);
	adopt_unrecorded(&keep, &store, &uploads, 0).await.expect("all can be read");
	assert_eq!(left(), [[true, false], [false, false], [false, false]]);
	// It is removed with its object.
	assert_eq!(sweep(&keep, &store, &uploads, 0).await.ok(), Some(1));
	assert_eq!(left(), [[false, false]; 3]);
}
