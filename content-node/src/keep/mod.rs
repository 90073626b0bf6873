// SPDX-License-Identifier: Apache-2.0
//! The node's record, in one file: rows of the chain, and the bytes that they need.
//!
//! Rows come from the chain, bytes from uploads. A version is held from the moment its bytes are
//! durable, and until the grace time after the last row that needs it is removed.

mod arrivals;
mod asked;
mod file;
mod lately;
mod rows;
pub mod upload;

use std::{
	collections::BTreeSet,
	io,
	path::{Path, PathBuf},
	sync::{Mutex, MutexGuard, PoisonError},
};

use codec::Encode;
use content_fabric_identifiers::{HashKind, TenantId, VersionId};
use content_fabric_okvs::{
	disk::{Condition, DiskDatabase, DiskError, DiskTransaction},
	Database, Error as OkvsError, RangeOptions, Read, Transaction,
};

use tokio::sync::Notify;

use self::{arrivals::Arrivals, lately::Lately};
pub use rows::{Held, Identity, Row, VersionKey};

/// The name of the file in the data folder.
const FILE: &str = "record.okvs";

/// The record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
	/// The file failed.
	#[error("the record failed: {0}")]
	File(#[from] OkvsError<DiskError>),
	/// The file is damaged, or is something else.
	#[error(
		"the file {path} is not a record, or is damaged: remove it, and make it again with \
		 `fabric-store check --repair`"
	)]
	Unreadable {
		/// The path of the file.
		path: String,
		/// The reason.
		source: OkvsError<DiskError>,
	},
	/// The file cannot be written, and not be copied either.
	#[error(
		"{path} cannot be written, and not be copied to the folder for temporary files: {error}"
	)]
	NoCopy {
		/// The path of the file.
		path: String,
		/// The reason.
		error: io::Error,
	},
	/// A value does not decode.
	#[error("the record is damaged at the key 0x{0}: remove its file, and run `fabric-store check --repair`")]
	Damaged(String),
	/// The record belongs to another node or chain.
	#[error("the record in {path} belongs to another node, chain or format: use another --data")]
	Foreign {
		/// The path of the file.
		path: String,
	},
	/// The record belongs to an earlier node with the same id.
	#[error(
		"the node was removed and created again on the chain: its medallion was {seen:011X}, and is \
		 {found:011X} now. The bytes of the earlier node are kept"
	)]
	CreatedAgain {
		/// The medallion of the record.
		seen: u64,
		/// The medallion of the node now.
		found: u64,
	},
	/// The record does not belong to an earlier node.
	#[error("there is no earlier node to forget: start without --forget")]
	NothingToForget,
}

/// Bytes that are held, and bytes that are promised: committed, but not here yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
	/// Number of bytes that are held.
	pub held: u64,
	/// Number of bytes that are promised.
	pub promised: u64,
	/// Number of versions that are held.
	pub versions: u64,
	/// Number of them that are damaged.
	pub damaged: u64,
	/// Number of versions that are final on the chain, but not held.
	pub missing: u64,
	/// Number of rows whose bytes another node should send.
	pub asked: u64,
}

/// The record.
#[derive(Debug)]
pub struct Keep {
	path: PathBuf,
	file: DiskDatabase,
	/// The reason why the file cannot be written. Changes then go to a copy, and are lost at the
	/// end.
	read_only: Option<String>,
	/// The versions that were looked up last.
	lately: Lately,
	/// Held while the file and the totals are changed.
	writing: Mutex<()>,
	/// Replaced as a whole.
	totals: Mutex<Totals>,
	/// Notified when the file has failed.
	failed: Notify,
	/// Bytes that wait to be recorded.
	arrivals: Arrivals,
}

type Changed<T> = Result<T, KeepError>;

impl Keep {
	/// Returns whether a folder has a record.
	pub fn exists(folder: &Path) -> bool {
		folder.join(FILE).exists()
	}

	/// Opens the record in a folder, or makes it. Opens a copy of it if it cannot be written.
	pub fn open(folder: &Path) -> Changed<Self> {
		let path = folder.join(FILE);
		let (file, read_only) = file::open(&path)?;
		let keep = Self {
			path,
			file,
			read_only,
			lately: Lately::new(),
			writing: Mutex::default(),
			totals: Mutex::default(),
			failed: Notify::new(),
			arrivals: Arrivals::default(),
		};
		*locked(&keep.totals) = keep.count()?;
		Ok(keep)
	}

	/// Returns whose record this is. `None` if it is new, or of another format.
	fn owner(&self) -> Changed<Option<Identity>> {
		let read = self.file.begin_read()?;
		Ok(get(&read, rows::IDENTITY, |bytes| Some(Identity::of_value(bytes)))?.flatten())
	}

	/// Notes that the store has bytes of an earlier node with this id, unless that is known.
	pub fn has_earlier(&self) -> Changed<()> {
		let mut tx = self.file.begin()?;
		if !tx.contains_key(rows::EARLIER)? {
			tx.set(rows::EARLIER, &false.encode())?;
			tx.commit()?;
		}
		Ok(())
	}

	/// Returns whether the bytes of earlier nodes with this id are to be removed.
	pub fn forgets_earlier(&self) -> Changed<bool> {
		Ok(get(&self.file.begin_read()?, rows::EARLIER, rows::decode)?.unwrap_or_default())
	}

	/// Returns `true` if the record does not belong to a node yet.
	pub fn is_new(&self) -> Changed<bool> {
		Ok(!self.file.begin_read()?.contains_key(rows::IDENTITY)?)
	}

	/// Returns `true` if the file failed its checksums when it was opened. Its last sound state was
	/// then restored.
	pub fn was_repaired(&self) -> bool {
		self.file.condition() == Condition::Repaired
	}

	/// Claims the record for a node. Returns the medallion of an earlier node with the same id that
	/// has had the record until now. With `forget`, releases the bytes of earlier nodes. Fails as
	/// [`ensure_fits`](Self::ensure_fits) does.
	pub fn claim(&self, identity: &Identity, forget: bool) -> Changed<Option<u64>> {
		self.ensure_fits(identity, forget)?;
		let earlier = self.owner()?.filter(|owner| owner.medallion != identity.medallion);
		let mut tx = self.file.begin()?;
		let value = identity.to_value();
		let is_same = get(&tx, rows::IDENTITY, |bytes| Some(bytes == value))? == Some(true);
		if !is_same || forget {
			tx.set(rows::IDENTITY, &value)?;
			if earlier.is_some() || forget {
				tx.set(rows::EARLIER, &forget.encode())?;
			}
			tx.commit()?;
		}
		Ok(earlier.map(|owner| owner.medallion))
	}

	/// Returns the reason if the record cannot be written.
	pub fn read_only(&self) -> Option<&str> {
		self.read_only.as_deref()
	}

	/// Checks that the record is new, or belongs to the node, or to an earlier node with the same id,
	/// which had another medallion. With `forget`, checks that there has been an earlier one.
	pub fn ensure_fits(&self, identity: &Identity, forget: bool) -> Changed<()> {
		let Identity { genesis, node, medallion } = *identity;
		let read = self.file.begin_read()?;
		let owner = get(&read, rows::IDENTITY, |bytes| Some(Identity::of_value(bytes)))?;
		let has_earlier = match owner {
			None => false,
			Some(Some(owner)) if (owner.genesis, owner.node) == (genesis, node) => {
				owner.medallion != medallion || read.contains_key(rows::EARLIER)?
			},
			Some(_) => return Err(KeepError::Foreign { path: self.path.display().to_string() }),
		};
		match forget && !has_earlier {
			true => Err(KeepError::NothingToForget),
			false => Ok(()),
		}
	}

	/// Returns whether the record belongs to `node`, with any medallion, on the chain with this
	/// genesis hash, or on any chain.
	pub fn is_of(&self, node: ([u8; 10], [u8; 10]), genesis: Option<[u8; 32]>) -> Changed<bool> {
		let is_of = |owner: Identity| {
			owner.node == node && genesis.is_none_or(|genesis| owner.genesis == genesis)
		};
		Ok(self.owner()?.is_some_and(is_of))
	}

	/// Returns the genesis hash of the chain. `None` if the record does not belong to a node yet.
	pub fn genesis(&self) -> Changed<Option<[u8; 32]>> {
		Ok(self.owner()?.map(|owner| owner.genesis))
	}

	/// Returns the last finalized block whose changes are recorded.
	pub fn block(&self) -> Changed<Option<u64>> {
		get(&self.file.begin_read()?, rows::BLOCK, rows::decode)
	}

	/// Returns the hash of that block. `None` if it was recorded without a hash.
	pub fn block_hash(&self) -> Changed<Option<[u8; 32]>> {
		let block = self.block()?;
		let found = get(&self.file.begin_read()?, rows::BLOCK_HASH, rows::decode::<(u64, _)>)?;
		Ok(found.filter(|(number, _)| Some(*number) == block).map(|(_, hash)| hash))
	}

	/// Notes that all changes up to a finalized block are recorded.
	pub fn reached(&self, block: u64, hash: [u8; 32]) -> Changed<()> {
		let mut tx = self.file.begin()?;
		tx.set(rows::BLOCK, &block.encode())?;
		tx.set(rows::BLOCK_HASH, &(block, hash).encode())?;
		Ok(tx.commit()?)
	}

	/// Returns the hash of the chain's first block after the genesis, if it is recorded.
	pub fn first_block(&self) -> Changed<Option<[u8; 32]>> {
		get(&self.file.begin_read()?, rows::FIRST, rows::decode)
	}

	/// Records the hash of the chain's first block after the genesis.
	pub fn begin(&self, hash: [u8; 32]) -> Changed<()> {
		let mut tx = self.file.begin()?;
		tx.set(rows::FIRST, &hash.encode())?;
		Ok(tx.commit()?)
	}

	/// Returns the totals.
	pub fn totals(&self) -> Totals {
		*locked(&self.totals)
	}

	/// Waits until a change has failed: the file cannot be used before it is opened again.
	pub async fn failed(&self) {
		self.failed.notified().await;
	}

	/// Returns a version that is held.
	pub fn held(&self, version: VersionId) -> Changed<Option<Held>> {
		self.lately
			.held(version, || get(&self.file.begin_read()?, &rows::held(version), rows::decode))
	}

	/// Returns a row, if the record has it.
	pub fn row(&self, key: &VersionKey) -> Changed<Option<Row>> {
		get(&self.file.begin_read()?, &key.tagged(rows::ROW), rows::decode)
	}

	/// Returns the largest size that rows declare for a version. `None` if no row needs it.
	pub fn needed(&self, version: VersionId) -> Changed<Option<u64>> {
		largest(&self.file.begin_read()?, version)
	}

	/// Returns whether a row of a version is final, and whether one is not final. Reads at most
	/// `limit` rows. If there are more, assumes that one is not final.
	pub fn stages(&self, version: VersionId, limit: usize) -> Changed<(bool, bool)> {
		let found = needs(&self.file.begin_read()?, &rows::needs(version), limit)?;
		let is_final = found.iter().any(|(_, row)| row.is_final);
		Ok((is_final, found.len() == limit || found.iter().any(|(_, row)| !row.is_final)))
	}

	/// Returns the tenants with rows that need a version, however many rows each has. Looks at most
	/// `limit` times.
	pub fn tenants(&self, version: VersionId, limit: usize) -> Changed<BTreeSet<TenantId>> {
		let mut found = BTreeSet::new();
		let mut start = rows::needs(version);
		for _ in 0..limit {
			let Some((key, size)) = self.first_need(version, &start)? else { break };
			found.insert(key.tenant);
			start = rows::after_tenant(version, size, key.tenant);
		}
		Ok(found)
	}

	/// Returns whether a row of a tenant needs a version. Looks at the `limit` largest sizes that
	/// rows declare for it.
	pub fn is_of_tenant(
		&self,
		version: VersionId,
		tenant: TenantId,
		limit: usize,
	) -> Changed<bool> {
		let mut start = rows::needs(version);
		for _ in 0..limit {
			let Some((_, size)) = self.first_need(version, &start)? else { break };
			let read = self.file.begin_read()?;
			let prefix = [&rows::needs_of(version, size)[..], &tenant.0].concat();
			if !keys(&read, &prefix, 1, VersionKey::of_need)?.is_empty() {
				return Ok(true);
			}
			start = rows::after_tenant(version, size, TenantId([0xff; 10]));
		}
		Ok(false)
	}

	/// Returns the first row from this key on that needs a version, and its size.
	fn first_need(&self, version: VersionId, start: &[u8]) -> Changed<Option<(VersionKey, u64)>> {
		let end = rows::after_tenant(version, 0, TenantId([0xff; 10]));
		let page = self.page(start, &end, 1, |key, _| VersionKey::of_need(key))?;
		Ok(page.into_iter().next())
	}

	/// Returns the kinds of hash that the rows declare for a version, of this size or of any. Empty
	/// if no row needs it. Reads at most `limit` rows. If there are more, assumes that they declare
	/// all kinds.
	pub fn hashes(
		&self,
		version: VersionId,
		size: Option<u64>,
		limit: usize,
	) -> Changed<Vec<HashKind>> {
		let prefix = match size {
			Some(size) => rows::needs_of(version, size),
			None => rows::needs(version),
		};
		let found = needs(&self.file.begin_read()?, &prefix, limit)?;
		if found.len() == limit {
			return Ok(HashKind::ALL.to_vec());
		}
		Ok(found.into_iter().map(|(_, row)| row.hash).collect())
	}

	/// Returns at most `limit` rows after the key `after`: those whose bytes are here, but which
	/// are not final.
	pub fn owed(&self, after: Option<VersionKey>, limit: usize) -> Changed<Vec<VersionKey>> {
		let start = next(rows::OWED, after.map(|key| key.tagged(rows::OWED)));
		self.page(&start, &[rows::OWED + 1], limit, |key, _| VersionKey::at_end(key))
	}

	/// Returns the rows that came in blocks up to this one, and are not confirmed.
	pub fn pending(&self, block: u64) -> Changed<Vec<VersionKey>> {
		let end = up_to(rows::PENDING, block);
		self.page(&[rows::PENDING], &end, usize::MAX, |key, _| VersionKey::at_end(key))
	}

	/// Returns at most `limit` rows after a key.
	pub fn rows_after(
		&self,
		after: Option<VersionKey>,
		limit: usize,
	) -> Changed<Vec<(VersionKey, Row)>> {
		let start = next(rows::ROW, after.map(|key| key.tagged(rows::ROW)));
		self.page(&start, &[rows::ROW + 1], limit, |key, value| {
			VersionKey::at_end(key).zip(rows::decode(value))
		})
	}

	/// Returns at most `limit` versions that are held, after a version.
	pub fn held_after(
		&self,
		after: Option<VersionId>,
		limit: usize,
	) -> Changed<Vec<(VersionId, Held)>> {
		let start = next(rows::HELD, after.map(rows::held));
		self.page(&start, &[rows::HELD + 1], limit, |key, value| {
			key.get(1..).and_then(rows::decode).zip(rows::decode(value))
		})
	}

	/// Reads at most `limit` rows after a version. Returns the versions that are final, but not
	/// held.
	pub fn missing_after(&self, after: Option<VersionId>, limit: usize) -> Changed<Vec<VersionId>> {
		// After all rows of that version.
		let after = after.map(|version| [&rows::missing_of(version)[..], &[u8::MAX; 21]].concat());
		let start = after.unwrap_or_else(|| vec![rows::MISSING]);
		let mut found = self.page(&start, &[rows::MISSING + 1], limit, |key, _| {
			key.get(1..33).and_then(rows::decode)
		})?;
		found.dedup();
		Ok(found)
	}

	/// Returns at most `limit` versions that no row has needed since `before`, in seconds.
	pub fn gone(&self, before: u64, limit: usize) -> Changed<Vec<VersionId>> {
		let end = up_to(rows::GONE, before);
		self.page(&[rows::GONE], &end, limit, |key, _| key.get(9..).and_then(rows::decode))
	}

	/// Decodes the pairs from `start` up to, and without, `end`, at most `limit` of them.
	fn page<T>(
		&self,
		start: &[u8],
		end: &[u8],
		limit: usize,
		decode: impl Fn(&[u8], &[u8]) -> Option<T>,
	) -> Changed<Vec<T>> {
		let read = self.file.begin_read()?;
		let mut found = Vec::new();
		for pair in read.range_between(start, Some(end), RangeOptions::default().limit(limit))? {
			let (key, value) = pair?;
			found.push(decode(&key, &value).ok_or_else(|| damaged(&key))?);
		}
		Ok(found)
	}

	/// Records rows as the chain has them; `None` for a row that the chain does not have. `now` is
	/// in seconds.
	pub fn put(&self, changes: &[(VersionKey, Option<Row>)], now: u64) -> Changed<()> {
		self.change(|tx, totals| {
			changes.iter().try_for_each(|(key, row)| put_row(tx, key, *row, now, totals))
		})
	}

	/// Records rows as a finalized block has them; `None` for a row that it does not have. A row that
	/// came in a later block stays: its version was deleted before, and committed again. `now` is in
	/// seconds.
	pub fn confirm(
		&self,
		changes: &[(VersionKey, Option<Row>)],
		block: u64,
		now: u64,
	) -> Changed<()> {
		self.change(|tx, totals| {
			for (key, row) in changes {
				let recorded: Option<Row> = get(tx, &key.tagged(rows::ROW), rows::decode)?;
				let later = recorded.filter(|recorded| recorded.pending > Some(block));
				if later.is_none_or(|later| row.is_some_and(|row| row.muid == later.muid)) {
					put_row(tx, key, *row, now, totals)?;
				}
			}
			Ok(())
		})
	}

	/// Replaces the first row of each change by the second, unless the recorded row differs from
	/// the first. `None` stands for no row. `now` is in seconds. Returns the keys of replaced rows.
	pub fn exchange(
		&self,
		changes: impl IntoIterator<Item = (VersionKey, Option<Row>, Option<Row>)>,
		now: u64,
	) -> Changed<Vec<VersionKey>> {
		self.change(|tx, totals| {
			let mut replaced = Vec::new();
			for (key, from, to) in changes {
				if get(tx, &key.tagged(rows::ROW), rows::decode::<Row>)? == from {
					put_row(tx, &key, to, now, totals)?;
					replaced.push(key);
				}
			}
			Ok(replaced)
		})
	}

	/// Removes all rows of a tenant. Returns their number.
	pub fn remove_tenant(&self, tenant: TenantId, now: u64) -> Changed<usize> {
		/// Number of rows that are removed in one transaction.
		const STEP: usize = 1_000;
		let mut removed = 0;
		self.ask_for_no_more(|key, _| key.tenant == tenant)?;
		loop {
			let read = self.file.begin_read()?;
			let found = keys(&read, &rows::of_tenant(tenant), STEP, VersionKey::at_end)?;
			drop(read);
			if found.is_empty() {
				return Ok(removed);
			}
			removed += found.len();
			let changes: Vec<_> = found.into_iter().map(|key| (key, None)).collect();
			self.put(&changes, now)?;
		}
	}

	/// Records that the bytes of a version are not in the store.
	pub fn release(&self, version: VersionId) -> Changed<()> {
		self.change(|tx, totals| release(tx, version, totals))
	}

	/// Releases the versions among `versions` that no row has needed since `before`, in seconds.
	/// Returns them.
	pub fn let_go(&self, versions: &[VersionId], before: u64) -> Changed<Vec<VersionId>> {
		self.change(|tx, totals| {
			let mut gone = Vec::new();
			for version in versions {
				let held: Option<Held> = get(tx, &rows::held(*version), rows::decode)?;
				if held.and_then(|held| held.gone).is_some_and(|gone| gone <= before) {
					release(tx, *version, totals)?;
					gone.push(*version);
				}
			}
			Ok(gone)
		})
	}

	/// Changes the record and the totals, both or neither.
	fn change<T>(
		&self,
		change: impl FnOnce(&mut DiskTransaction<'_>, &mut Totals) -> Changed<T>,
	) -> Changed<T> {
		self.write(&locked(&self.writing), change)
	}

	fn write<T>(
		&self,
		_writing: &MutexGuard<'_, ()>,
		change: impl FnOnce(&mut DiskTransaction<'_>, &mut Totals) -> Changed<T>,
	) -> Changed<T> {
		let write = || {
			let (mut tx, mut totals) = (self.file.begin()?, self.totals());
			let changed = change(&mut tx, &mut totals)?;
			tx.commit()?;
			self.lately.forget();
			*locked(&self.totals) = totals;
			Ok(changed)
		};
		let written = write();
		if matches!(written, Err(KeepError::File(_))) {
			self.failed.notify_one();
		}
		written
	}

	/// Records whether the bytes of a version are damaged.
	pub fn mark(&self, version: VersionId, is_damaged: bool) -> Changed<()> {
		self.change(|tx, totals| {
			let Some(held) = get::<Held>(tx, &rows::held(version), rows::decode)? else {
				return Ok(());
			};
			let held_now = Held { is_damaged, ..held };
			tx.set(&rows::held(version), &held_now.encode())?;
			for (key, row) in needs(tx, &rows::needs(version), usize::MAX)? {
				owe(tx, &key, &row, &held_now)?;
			}
			let before = u64::from(held.is_damaged);
			totals.damaged = totals.damaged.saturating_sub(before) + u64::from(is_damaged);
			Ok(())
		})
	}

	/// Counts the totals.
	fn count(&self) -> Changed<Totals> {
		let read = self.file.begin_read()?;
		let mut totals = Totals::default();
		for pair in read.range(&[rows::HELD])? {
			let (key, value) = pair?;
			let held: Held = rows::decode(&value).ok_or_else(|| damaged(&key))?;
			totals.held = totals.held.saturating_add(held.size);
			totals.versions += 1;
			totals.damaged += u64::from(held.is_damaged);
		}
		let mut last = None;
		for pair in read.range(&[rows::NEED])? {
			let (key, _) = pair?;
			let (need, size) = VersionKey::of_need(&key).ok_or_else(|| damaged(&key))?;
			// The first row of a version has the largest size.
			if last.replace(need.version) != Some(need.version)
				&& !read.contains_key(&rows::held(need.version))?
			{
				totals.promised = totals.promised.saturating_add(size);
			}
		}
		for pair in read.range(&[rows::ASKED])? {
			pair?;
			totals.asked += 1;
		}
		let mut last = None;
		for pair in read.range(&[rows::MISSING])? {
			let (key, _) = pair?;
			let version = key.get(1..33).map(<[u8]>::to_vec);
			totals.missing += u64::from(last != version);
			last = version;
		}
		Ok(totals)
	}
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
	mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the first key with a tag after another one.
fn next(tag: u8, after: Option<Vec<u8>>) -> Vec<u8> {
	after.map_or(vec![tag], |key| [&key[..], &[0]].concat())
}

/// Returns the end of the keys with a tag and a number of at most `last`. The greatest number has
/// no next one: its keys are left out.
fn up_to(tag: u8, last: u64) -> Vec<u8> {
	[&[tag][..], &last.saturating_add(1).to_be_bytes()].concat()
}

/// Returns the room that a version needs: rows of different tenants may declare different sizes.
/// `None` if no row needs it.
fn largest(read: &impl Read<Error = DiskError>, version: VersionId) -> Changed<Option<u64>> {
	let first = keys(read, &rows::needs(version), 1, VersionKey::of_need)?;
	Ok(first.first().map(|(_, size)| *size))
}

fn put_row(
	tx: &mut impl Transaction<Error = DiskError>,
	key: &VersionKey,
	row: Option<Row>,
	now: u64,
	totals: &mut Totals,
) -> Changed<()> {
	let place = key.tagged(rows::ROW);
	let old: Option<Row> = get(tx, &place, rows::decode)?;
	if old == row {
		return Ok(());
	}
	let held: Option<Held> = get(tx, &rows::held(key.version), rows::decode)?;
	let before = largest(tx, key.version)?;
	if let Some(old) = old {
		tx.clear(&key.need(old.size))?;
		if let Some(block) = old.pending {
			tx.clear(&key.pending(block))?;
		}
	}
	match &row {
		Some(row) => {
			tx.set(&place, &row.encode())?;
			tx.set(&key.need(row.size), &[])?;
			if let Some(block) = row.pending {
				tx.set(&key.pending(block), &[])?;
			}
		},
		None => tx.clear(&place)?,
	}
	match (&row, &held) {
		(Some(row), Some(held)) => owe(tx, key, row, held)?,
		_ => tx.clear(&key.tagged(rows::OWED))?,
	}
	let left = largest(tx, key.version)?;
	let Some(held) = held else {
		let [before, left] = [before, left].map(Option::unwrap_or_default);
		totals.promised = totals.promised.saturating_sub(before).saturating_add(left);
		let was_missing = is_missing(tx, key.version)?;
		match row.is_some_and(|row| row.is_final) {
			true => tx.set(&key.missing(), &[])?,
			false => tx.clear(&key.missing())?,
		}
		let missing = totals.missing + u64::from(is_missing(tx, key.version)?);
		totals.missing = missing.saturating_sub(was_missing.into());
		return Ok(());
	};
	let gone = match left {
		None => held.gone.or(Some(now)),
		Some(_) => None,
	};
	if gone != held.gone {
		if let Some(since) = held.gone {
			tx.clear(&rows::gone(since, key.version))?;
		}
		if let Some(since) = gone {
			tx.set(&rows::gone(since, key.version), &[])?;
		}
		tx.set(&rows::held(key.version), &Held { gone, ..held }.encode())?;
	}
	Ok(())
}

/// Records whether the node has to finalize a row: the sound bytes that it declares are here.
fn owe(
	tx: &mut impl Transaction<Error = DiskError>,
	key: &VersionKey,
	row: &Row,
	held: &Held,
) -> Changed<()> {
	let place = key.tagged(rows::OWED);
	match !row.is_final && !held.is_damaged && row.is_of(held.hash, held.size) {
		true => tx.set(&place, &[])?,
		false => tx.clear(&place)?,
	}
	Ok(())
}

/// Forgets that a version is held. The bytes that rows need are promised again.
fn release(
	tx: &mut impl Transaction<Error = DiskError>,
	version: VersionId,
	totals: &mut Totals,
) -> Changed<()> {
	let Some(held) = get::<Held>(tx, &rows::held(version), rows::decode)? else { return Ok(()) };
	tx.clear(&rows::held(version))?;
	if let Some(since) = held.gone {
		tx.clear(&rows::gone(since, version))?;
	}
	let found = needs(tx, &rows::needs(version), usize::MAX)?;
	for (key, row) in &found {
		tx.clear(&key.tagged(rows::OWED))?;
		if row.is_final {
			tx.set(&key.missing(), &[])?;
		}
	}
	totals.missing += u64::from(found.iter().any(|(_, row)| row.is_final));
	totals.held = totals.held.saturating_sub(held.size);
	totals.versions = totals.versions.saturating_sub(1);
	totals.damaged = totals.damaged.saturating_sub(held.is_damaged.into());
	let promised = largest(tx, version)?.unwrap_or_default();
	totals.promised = totals.promised.saturating_add(promised);
	Ok(())
}

/// Returns whether a row of a version that is not held is final.
fn is_missing(read: &impl Read<Error = DiskError>, version: VersionId) -> Changed<bool> {
	Ok(!keys(read, &rows::missing_of(version), 1, |_| Some(()))?.is_empty())
}

/// Returns at most `limit` rows that need a version, by the prefix of their needs.
fn needs(
	read: &impl Read<Error = DiskError>,
	prefix: &[u8],
	limit: usize,
) -> Changed<Vec<(VersionKey, Row)>> {
	let found = keys(read, prefix, limit, VersionKey::of_need)?;
	let with_row = |(key, _): (VersionKey, u64)| {
		let place = key.tagged(rows::ROW);
		let row: Option<Row> = get(read, &place, rows::decode)?;
		Ok((key, row.ok_or_else(|| damaged(&place))?))
	};
	found.into_iter().map(with_row).collect()
}

fn keys<T>(
	read: &impl Read<Error = DiskError>,
	prefix: &[u8],
	limit: usize,
	decode: impl Fn(&[u8]) -> Option<T>,
) -> Changed<Vec<T>> {
	let mut found = Vec::new();
	for pair in read.range_with(prefix, RangeOptions::default().limit(limit))? {
		let (key, _) = pair?;
		found.push(decode(&key).ok_or_else(|| damaged(&key))?);
	}
	Ok(found)
}

fn get<T>(
	read: &impl Read<Error = DiskError>,
	key: &[u8],
	decode: impl Fn(&[u8]) -> Option<T>,
) -> Changed<Option<T>> {
	let Some(bytes) = read.get(key)? else { return Ok(None) };
	decode(&bytes).map(Some).ok_or_else(|| damaged(key))
}

fn damaged(key: &[u8]) -> KeepError {
	KeepError::Damaged(hex::encode(key))
}
