// SPDX-License-Identifier: Apache-2.0
//! Stored bytes are hashed once for each need, and damage to them is recorded.

use std::{
	fs,
	path::PathBuf,
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
};

use async_trait::async_trait;
use content_fabric_content_node::{
	check::Fault,
	keep::{upload::Uploads, Keep},
	store::Store,
	verify::Verifier,
};
use content_fabric_identifiers::{HashKind, VersionHasher, VersionId};
use futures::stream::BoxStream;
use object_store::{memory::InMemory, path::Path as Key, *};
use tempfile::TempDir;
use tokio::time::{advance, Duration};

const BYTES: &[u8] = b"the bytes of a version";

/// A store in memory that counts how many bytes it was asked for.
#[derive(Debug)]
struct Counting(InMemory, Arc<AtomicU64>);

impl std::fmt::Display for Counting {
	fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
		f.write_str("counting")
	}
}

#[async_trait]
impl ObjectStore for Counting {
	async fn put_opts(&self, key: &Key, data: PutPayload, with: PutOptions) -> Result<PutResult> {
		self.0.put_opts(key, data, with).await
	}
	async fn put_multipart_opts(
		&self,
		key: &Key,
		with: PutMultipartOptions,
	) -> Result<Box<dyn MultipartUpload>> {
		self.0.put_multipart_opts(key, with).await
	}
	async fn get_opts(&self, key: &Key, with: GetOptions) -> Result<GetResult> {
		let is_read = !with.head;
		let found = self.0.get_opts(key, with).await?;
		if is_read {
			self.1.fetch_add(found.range.end - found.range.start, Ordering::SeqCst);
		}
		Ok(found)
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

/// A store with the bytes of one version, which the record has.
struct Kept {
	folder: TempDir,
	keep: Arc<Keep>,
	store: Store,
	uploads: Arc<Uploads>,
	verifier: Verifier,
	version: VersionId,
}

impl Kept {
	async fn in_folder() -> Self {
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let store = Store::folder(&folder.path().join("objects")).expect("it can be made");
		Self::new(folder, store).await
	}

	async fn counting() -> (Self, Arc<AtomicU64>) {
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let read = Arc::new(AtomicU64::new(0));
		let store = Store::of(Arc::new(Counting(InMemory::new(), read.clone())));
		(Self::new(folder, store).await, read)
	}

	async fn new(folder: TempDir, store: Store) -> Self {
		let keep = Arc::new(Keep::open(folder.path()).expect("the file can be made"));
		let uploads = Uploads::open(folder.path().join("uploads")).expect("it can be made");
		let version = VersionHasher::hash(HashKind::Blake3, BYTES);
		let mut part = uploads
			.part(version, &[HashKind::Blake3])
			.expect("it can be opened")
			.expect("it is free");
		part.write(BYTES).expect("there is room");
		store.adopt(&part.path(), version).await.expect("it is taken in");
		drop(part);
		keep.hold(version, HashKind::Blake3, BYTES.len() as u64, 0).expect("it is recorded");
		let verifier = Verifier::new(keep.clone(), store.clone(), uploads.clone());
		Self { folder, keep, store, uploads, verifier, version }
	}

	fn path(&self) -> PathBuf {
		let name = hex::encode(self.version.0);
		self.folder.path().join("objects").join(&name[..2]).join(&name[2..4]).join(&name)
	}

	async fn knows(&self) -> bool {
		let size = BYTES.len() as u64;
		self.verifier.knows(self.version, size).await.expect("the store answers")
	}

	async fn knows_lately(&self) -> bool {
		let size = BYTES.len() as u64;
		self.verifier.knows_lately(self.version, size).await.expect("the store answers")
	}

	async fn verify(&self) -> Option<std::result::Result<(), Fault>> {
		self.verifier.verify(self.version).await.expect("the store answers")
	}
}

#[tokio::test]
async fn damage_of_every_kind_is_found_and_recorded_and_sound_bytes_end_it() {
	let kept = Kept::in_folder().await;
	let mut rotten = BYTES.to_vec();
	rotten[3] ^= 1;
	let longer = [BYTES, b"x"].concat();
	assert_eq!(kept.verify().await, Some(Ok(())));
	for damaged in [&rotten[..], &BYTES[1..], &[], &longer] {
		fs::write(kept.path(), damaged).expect("the file can be written");
		assert!(!kept.knows().await, "the file has changed since");
		assert_eq!(kept.verify().await, Some(Err(Fault::Damaged)));
		assert_eq!(kept.keep.totals().damaged, 1);
		fs::write(kept.path(), BYTES).expect("the file can be written");
		assert_eq!(kept.verify().await, Some(Ok(())));
		assert_eq!(kept.keep.totals().damaged, 0);
	}
	fs::remove_file(kept.path()).expect("it is there");
	assert!(!kept.knows().await);
	assert_eq!(kept.verify().await, Some(Err(Fault::Missing)));
	assert_eq!(kept.keep.totals().damaged, 1);
	// A file that nobody can open.
	fs::write(kept.path(), BYTES).expect("the file can be written");
	assert_eq!(kept.verify().await, Some(Ok(())));
	fs::remove_file(kept.path()).expect("it is there");
	std::os::unix::fs::symlink(kept.path(), kept.path()).expect("there is room");
	assert!(!kept.knows().await);
	let unreadable = kept.verify().await;
	assert!(matches!(unreadable, Some(Err(Fault::Unreadable(_)))), "{unreadable:?}");
	assert_eq!(kept.keep.totals().damaged, 1);
}

#[tokio::test(start_paused = true)]
async fn bytes_are_hashed_once_for_all_who_offer_them_within_ten_minutes() {
	let (kept, read) = Kept::counting().await;
	let size = BYTES.len() as u64;
	assert!(!kept.knows_lately().await);
	for number in 1..=3 {
		assert_eq!(kept.verify().await, Some(Ok(())));
		assert_eq!(read.load(Ordering::SeqCst), number * size);
		for _ in 0..100 {
			assert!(kept.knows_lately().await && kept.knows().await);
		}
		assert_eq!(read.load(Ordering::SeqCst), number * size);
		advance(Duration::from_secs(601)).await;
		assert!(!kept.knows_lately().await);
		assert!(kept.knows().await, "unchanged bytes are not hashed again to be finalized");
	}
}

#[tokio::test]
async fn bytes_that_a_tenant_commits_anew_are_hashed_again() {
	let (kept, _) = Kept::counting().await;
	kept.verifier.has_stored(kept.version).await.expect("the store answers");
	assert!(kept.knows().await, "they were hashed when they arrived");
	kept.verifier.forget([kept.version]);
	assert!(!kept.knows().await);
	assert_eq!(kept.verify().await, Some(Ok(())));
	assert!(kept.knows().await);
	let size = BYTES.len() as u64 + 1;
	assert_eq!(kept.verifier.knows(kept.version, size).await.ok(), Some(false));
	// The same bytes, stored another time.
	let mut part = kept
		.uploads
		.part(kept.version, &[HashKind::Blake3])
		.expect("it opens")
		.expect("it is free");
	part.write(BYTES).expect("there is room");
	kept.store.adopt(&part.path(), kept.version).await.expect("it is taken in");
	drop(part);
	assert!(!kept.knows().await);
}

#[tokio::test]
async fn the_versions_that_were_needed_last_are_remembered() {
	let (kept, _) = Kept::counting().await;
	let name = |number: u32| VersionHasher::hash(HashKind::Blake3, &number.to_le_bytes());
	let store = async |number| {
		let version = name(number);
		let staged = kept.folder.path().join("staged");
		fs::write(&staged, b"").expect("there is room");
		kept.store.adopt(&staged, version).await.expect("it is taken in");
		kept.verifier.has_stored(version).await.expect("the store answers");
	};
	assert_eq!(kept.verify().await, Some(Ok(())));
	for number in 0..70_000 {
		store(number).await;
		if number % 10_000 == 0 {
			assert!(kept.knows().await, "{number}");
		}
	}
	assert!(kept.knows().await);
	let mut known = 0;
	for number in 0..70_000 {
		known += u32::from(kept.verifier.knows(name(number), 0).await.expect("it answers"));
	}
	assert_eq!(known, 65_536 - 1);
}

#[tokio::test]
async fn bytes_that_somebody_moves_are_left_alone_and_few_are_hashed_at_once() {
	let kept = Kept::in_folder().await;
	fs::write(kept.path(), b"").expect("the file can be written");
	let claim = kept.uploads.claim(kept.version).expect("it is free");
	assert_eq!(kept.verify().await, None);
	assert_eq!(kept.keep.totals().damaged, 0);
	drop(claim);
	let turns: Vec<_> = std::iter::from_fn(|| kept.verifier.try_turn()).take(9).collect();
	assert_eq!(turns.len(), 2);
	drop(turns);
	assert!(kept.verifier.try_turn().is_some());
}
