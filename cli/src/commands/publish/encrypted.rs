// SPDX-License-Identifier: Apache-2.0
//! `fabric put --encrypt`: files are encrypted for a KMS of the tenant, and their encrypted bytes
//! are put.
//!
//! The key of each file is random, so no file has the same encrypted bytes twice. A file that was
//! encrypted before is found by the hash of the plain bytes, in the records of this machine. Encrypted bytes
//! are in the spool, and recorded, before a commit has their hash. So an interrupted put goes on
//! with the same versions.

use std::{
	collections::{BTreeMap, HashMap, HashSet},
	fs,
	io::IsTerminal,
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
	time::Duration,
};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, Chain, Snapshot},
	content_node::server,
	ids,
	keys::ChainKind,
	kms::{is_of_low_order, most_encrypted},
	manifest::{version_text, Release},
	publish,
	text::{count, printable, size},
};
use content_fabric_identifiers::{
	Cid, ContentObjectId, HashKind, KmsId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::KmsKey;
use serde::Serialize;
use tokio::{task::spawn_blocking, time::sleep};

use super::options::Shared;
use crate::{
	commands::Context,
	consent::confirm,
	encrypted::{Record, Records, Spool, StateError},
	input::{hash_with, in_parallel, Content, HashError, Unpublishable},
	output::warn,
	profile::{config_file, KmsPinError, KmsPins},
	progress::Progress,
	Error,
};

/// Time between two looks at how many bytes are encrypted.
const POLL: Duration = Duration::from_millis(200);
/// Largest number of commits that are listed.
const LISTED: usize = 20;

/// The options of encryption.
#[derive(Debug, Args)]
#[command(next_help_heading = "Encryption")]
pub struct Options {
	/// Encrypt the files for a KMS of the tenant, before they leave this machine. Their names and
	/// sizes stay public. Needs room for the encrypted files until they are final
	#[arg(long)]
	pub encrypt: bool,
	/// Put files as they are although they have encrypted versions, so that everyone can read them
	#[arg(long, conflicts_with = "encrypt")]
	plain: bool,
	/// The KMS, ikms… [default: the only one of the tenant]
	#[arg(long, value_name = "ID", requires = "encrypt", value_parser = ids::parse::<KmsId>)]
	kms: Option<KmsId>,
	/// The key that the KMS must have: age1…. Consents to a key that differs from the one that was
	/// used before
	#[arg(long, value_name = "KEY", requires = "encrypt")]
	kms_key: Option<KmsKey>,
	/// The folder of the encrypted files until they are final [default: one in the user's folder of
	/// states, such as ~/.local/state/fabric/spool]
	#[arg(long, value_name = "DIR", requires = "encrypt")]
	spool: Option<PathBuf>,
}

/// For whom files are encrypted.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Recipient {
	#[serde(skip)]
	tenant: TenantId,
	kms: KmsId,
	key: KmsKey,
}

/// Files that are encrypted.
pub struct Prepared {
	pub recipient: Recipient,
	/// The line that the user should read.
	pub summary: String,
	files: HashMap<VersionId, PathBuf>,
	/// Locked until all is done. `None` in a dry run.
	spool: Option<Arc<Spool>>,
}

/// The versions of the tenant on the chain.
type OnChain = BTreeMap<(ContentObjectId, VersionId), rows::Version>;

/// A file to encrypt.
struct Job {
	path: PathBuf,
	plain: VersionId,
}

impl Options {
	/// Encrypts the files of the content that are not encrypted yet, and puts their encrypted bytes
	/// in their places. `None` if there are no files.
	pub async fn prepare(
		&self,
		content: &mut Content,
		folder: &Path,
		chain: &Chain,
		context: &Context,
		(space, shared): (SpaceId, &Shared),
	) -> Result<Option<Prepared>, Error> {
		let Some(source) = content.sources.keys().next() else { return Ok(None) };
		let tenant = ids::tenant(space, source);
		let last = chain.finalized().await?;
		let recipient = self.recipient(&last, tenant).await?;
		self.ensure_pinned(recipient, chain, context, shared)?;
		let spool = match shared.dry_run {
			true => None,
			false => {
				let waits = || warn("another put encrypts files: waiting for it");
				let given = self.spool.clone();
				let opened = spawn_blocking(move || Spool::open(given.as_deref(), waits));
				Some(Arc::new(joined(opened.await)?))
			},
		};
		if let Some(spool) = &spool {
			remove_final(spool, tenant, &last).await?;
		}
		let rows = chain.best().await?.rows(rows::versions(), (tenant,)).await?;
		let rows: OnChain =
			rows.into_iter().map(|((_, object, id), row)| ((object, id), row)).collect();
		let mut chosen = match &spool {
			Some(spool) => Chosen::new(content, &rows, recipient, &spool.records()),
			None => Chosen::new(content, &rows, recipient, &Records::open()?),
		};
		let new: u64 = chosen.sizes.values().sum();
		let files = count(chosen.sizes.len(), "file", "files");
		let Recipient { kms, key, .. } = recipient;
		let summary = format!(
			"encrypted for the KMS {kms} of {tenant}, with the key {key}: {files} with {} are new; \
			 names and sizes stay public",
			size(Some(new))
		);
		warn(&summary);
		chosen.warn();
		match &spool {
			Some(spool) => {
				let needed = chosen.sizes.values().map(|size| most_encrypted(*size)).sum();
				if needed > 0 {
					spool.ensure_room(needed)?;
				}
				chosen.encrypt(content, folder, (spool, recipient), context.json()).await?;
			},
			None => chosen.pretend(recipient),
		}
		chosen.replace(content);
		let files = chosen.files();
		Ok(Some(Prepared { recipient, summary, files, spool }))
	}

	/// Checks that no file to put as it is has an encrypted version, or was encrypted on this machine,
	/// unless `--plain` says so: its bytes would be public for good.
	pub async fn ensure_plain(
		&self,
		content: &Content,
		at: &Snapshot,
		space: SpaceId,
	) -> Result<(), Error> {
		let Some(source) = content.sources.keys().next().filter(|_| !self.plain) else {
			return Ok(());
		};
		let tenant = ids::tenant(space, source);
		// The versions stay when the KMS is removed.
		let rows = at.rows(rows::versions(), (tenant,)).await?;
		let (mut encrypted, mut public) = (HashSet::new(), HashSet::new());
		for ((_, object, version), row) in rows {
			let _ = match row.kms {
				Some(_) => encrypted.insert(object),
				None => public.insert(version),
			};
		}
		// A node that hides rows does not hide these.
		let records = Records::open_if_any()?;
		let is_known = |release: &Release| {
			let plain = release.hash.version;
			!public.contains(&plain) && !records.of(plain, tenant).is_empty()
		};
		let files = content.sources.values().flatten();
		let mut found = files.filter(|file| {
			encrypted.contains(&file.id(tenant)) || file.releases.iter().any(is_known)
		});
		let Some(first) = found.next() else { return Ok(()) };
		Err(Error::Usage(format!(
			"{} with encrypted versions, such as {}: pass --encrypt, or --plain to let everyone read \
			 them from now on",
			count(1 + found.count(), "file", "files"),
			printable(&first.name)
		)))
	}

	/// Returns the KMS, and its key by the last final block.
	async fn recipient(&self, last: &Snapshot, tenant: TenantId) -> Result<Recipient, Error> {
		let kmses = last.rows(rows::kmses(), (tenant,)).await?;
		let found: Vec<_> = kmses.iter().map(|((_, kms), _)| *kms).collect();
		let kms = match (self.kms, &found[..]) {
			(Some(kms), found) if found.contains(&kms) => kms,
			(Some(kms), _) => {
				let error = chain::Error::unknown("KMS", format!("{kms} of {tenant}"));
				return Err(
					Error::from(error).with_hint("a new KMS counts from its final block on")
				);
			},
			(None, [kms]) => *kms,
			(None, []) => {
				return Err(Error::NotFound(format!(
					"{tenant} has no KMS for which files could be encrypted: add one with `fabric kms \
					 add {tenant}`, and wait until that is final"
				)));
			},
			(None, several) => {
				let several: Vec<_> = several.iter().map(KmsId::to_string).collect();
				let several = several.join(", ");
				return Err(Error::Usage(format!(
					"{tenant} has several KMSes: name one with --kms: {several}"
				)));
			},
		};
		let row = kmses.into_iter().find(|((_, id), _)| *id == kms).map(|(_, row)| row);
		let row = row.ok_or_else(|| chain::Error::unknown("KMS", kms))?;
		let set = format!("set it with `fabric kms set {tenant} {kms}`");
		if is_of_low_order(&row.key) {
			return Err(Error::Refused(format!(
				"the key of the KMS {kms} of {tenant} is a point of low order, so everybody could read the \
				 files: {set}"
			)));
		}
		server(&row.locator.raw()).map_err(|error| {
			Error::Refused(format!(
				"the KMS {kms} of {tenant} cannot be reached, so nobody could read the files: {error}; \
				 {set}"
			))
		})?;
		match self.kms_key {
			Some(given) if given != row.key => Err(Error::Usage(format!(
				"--kms-key: the KMS {kms} of {tenant} has the key {}, not {given}",
				row.key
			))),
			_ => Ok(Recipient { tenant, kms, key: row.key }),
		}
	}

	/// Checks that the key is the pinned one, or asks. Pins it.
	fn ensure_pinned(
		&self,
		Recipient { tenant, kms, key }: Recipient,
		chain: &Chain,
		context: &Context,
		shared: &Shared,
	) -> Result<(), Error> {
		let mut pins = KmsPins::open(&config_file()?)?;
		let profile = context.kms_pin_key(chain)?;
		let is_named = self.kms_key.is_some();
		match pins.of(&profile, tenant) {
			Some(pinned) if pinned.get(&kms.to_string()) == Some(&key) => return Ok(()),
			Some(_) if is_named => {},
			Some(pinned) => {
				let pinned: Vec<_> =
					pinned.iter().map(|(kms, key)| format!("{key} of {kms}")).collect();
				let pinned = pinned.join(", ");
				if shared.dry_run || !std::io::stdin().is_terminal() {
					return Err(KmsPinError::Changed { tenant, kms, key, pinned }.into());
				}
				let question = format!(
					"The key of the KMS has changed, or the node lies about it. Its owner can read \
					 all that is put.\n  the key now: {key} of {kms}\n  the pinned key: {pinned}"
				);
				confirm(&question, false)?;
			},
			None => {
				let line = format!("the key of the KMS {kms} of {tenant} is {key}");
				// A development chain has nothing of value.
				if shared.dry_run || is_named || chain.identity().kind == ChainKind::Development {
					warn(&format!("{line}, seen here for the first time"));
				} else {
					let question = format!(
						"{line}. It is seen here for the first time: compare it with what the \
						 operator of the KMS says. Its owner can read all that is put."
					);
					confirm(&question, shared.yes)?;
				}
			},
		}
		match shared.dry_run {
			true => Ok(()),
			false => Ok(pins.pin(&profile, (tenant, kms), key)?),
		}
	}
}

/// The version of each file.
struct Chosen {
	/// By the plain bytes and the object.
	known: HashMap<(VersionId, ContentObjectId), Record>,
	/// By the plain bytes.
	new: HashMap<VersionId, Record>,
	/// The sizes of the files to encrypt, by their plain bytes.
	sizes: BTreeMap<VersionId, u64>,
	tenant: TenantId,
	/// Committed versions of these files that are not final, and never will be.
	stale: Vec<(ContentObjectId, VersionId)>,
	/// The names of files whose encrypted versions have no record on this machine.
	unknown: Vec<String>,
}

impl Chosen {
	fn new(content: &Content, rows: &OnChain, recipient: Recipient, records: &Records) -> Self {
		let Recipient { tenant, kms, .. } = recipient;
		let (known, new, sizes) = (HashMap::new(), HashMap::new(), BTreeMap::new());
		let (stale, unknown) = (Vec::new(), Vec::new());
		let mut chosen = Self { known, new, sizes, tenant, stale, unknown };
		for file in content.sources.values().flatten() {
			let object = file.id(tenant);
			let of_object =
				|| rows.range((object, VersionId([0; 32]))..=(object, VersionId([255; 32])));
			for release in &file.releases {
				let plain = release.hash.version;
				let found = choose(records.of(plain, tenant), object, rows, recipient);
				let version = found.map(|record| record.version);
				match found {
					Some(record) => drop(chosen.known.insert((plain, object), record.clone())),
					None => drop(chosen.sizes.insert(plain, release.size.unwrap_or_default())),
				}
				let ours = of_object()
					.filter(|((_, id), row)| row.kms == Some(kms) && Some(*id) != version);
				let (done, begun): (Vec<_>, Vec<_>) =
					ours.partition(|(_, row)| row.finalized.is_some());
				chosen.stale.extend(begun.into_iter().map(|(key, _)| *key));
				if found.is_none() && done.iter().any(|((_, id), _)| !records.knows(*id)) {
					chosen.unknown.push(file.name.clone());
				}
			}
		}
		chosen
	}

	/// Says what is encrypted again, and what is left of it.
	fn warn(&self) {
		if let Some(first) = self.unknown.first() {
			warn(&format!(
				"warning: {} with encrypted versions that this machine has no record of, such as {}: \
				 encrypted anew, as new versions. Get them first to keep what has not changed",
				count(self.unknown.len(), "file", "files"),
				printable(first)
			));
		}
		if self.stale.is_empty() {
			return;
		}
		let commits = count(self.stale.len(), "commit", "commits");
		warn(&format!(
			"warning: {commits} of earlier versions will never be final, unless another machine uploads \
			 them. To delete them:"
		));
		for (object, version) in self.stale.iter().take(LISTED) {
			warn(&format!("  fabric version delete {} {object} {version}", self.tenant));
		}
		if self.stale.len() > LISTED {
			warn(&format!("  … and {} more", self.stale.len() - LISTED));
		}
	}

	/// Encrypts the files that are new. Files that cannot be read, or change, fail.
	async fn encrypt(
		&mut self,
		content: &mut Content,
		folder: &Path,
		(spool, recipient): (&Arc<Spool>, Recipient),
		json: bool,
	) -> Result<(), Error> {
		let mut jobs = BTreeMap::new();
		for file in content.sources.values().flatten() {
			for plain in file.releases.iter().map(|release| release.hash.version) {
				if self.is_new(plain, file.id(self.tenant)) {
					jobs.entry(plain)
						.or_insert_with(|| Job { path: folder.join(&file.name), plain });
				}
			}
		}
		let (all, done) = (self.sizes.values().sum(), Arc::new(AtomicU64::new(0)));
		let (counted, spool) = (done.clone(), spool.clone());
		let working = spawn_blocking(move || {
			let jobs: Vec<_> = jobs.into_values().collect();
			let seal = |job: &Job| (job.plain, job.seal(&spool, recipient, &counted));
			in_parallel(&jobs, seal)
		});
		let progress = Progress::of_bytes(!json);
		let mut working = std::pin::pin!(working);
		let results = loop {
			tokio::select! {
				results = &mut working => break results,
				() = sleep(POLL) => progress.set(done.load(Ordering::Relaxed), all),
			}
		};
		drop(progress);
		let mut failed = HashMap::new();
		for (plain, result) in unpanicked(results)? {
			match result? {
				Ok(record) => drop(self.new.insert(plain, record)),
				Err(error) => drop(failed.insert(plain, error.to_string())),
			}
		}
		for files in content.sources.values_mut() {
			files.retain(|file| {
				let reason = file.releases.iter().find_map(|release| {
					let plain = release.hash.version;
					failed.get(&plain).filter(|_| self.is_new(plain, file.id(self.tenant)))
				});
				if let Some(reason) = reason {
					content.failed.push(Unpublishable::new(&file.name, reason));
				}
				reason.is_none()
			});
		}
		content.sources.retain(|_, files| !files.is_empty());
		Ok(())
	}

	fn is_new(&self, plain: VersionId, object: ContentObjectId) -> bool {
		!self.known.contains_key(&(plain, object))
	}

	/// Makes up versions for a dry run, which encrypts nothing.
	fn pretend(&mut self, Recipient { tenant, key, .. }: Recipient) {
		for (plain, size) in &self.sizes {
			let (plain, size) = (*plain, most_encrypted(*size));
			let version = VersionId(plain.0.map(|byte| !byte));
			let record = Record { plain, tenant, key, version, size, spool: None };
			self.new.insert(plain, record);
		}
	}

	/// Puts the encrypted bytes of files in the places of the plain ones.
	fn replace(&self, content: &mut Content) {
		for file in content.sources.values_mut().flatten() {
			let object = file.id(self.tenant);
			for release in &mut file.releases {
				let plain = release.hash.version;
				let known = self.known.get(&(plain, object)).or_else(|| self.new.get(&plain));
				if let Some(Record { version, size, .. }) = known {
					let hash = Cid { hash: HashKind::Blake3, version: *version };
					let (version, size) = (version_text(*version), Some(*size));
					*release = Release { version, hash, size, ..release.clone() };
				}
			}
		}
	}

	/// Returns the paths of encrypted bytes, by version.
	fn files(&self) -> HashMap<VersionId, PathBuf> {
		let all = self.known.values().chain(self.new.values());
		let there = all.filter_map(|record| Some((record.version, record.spooled()?.to_owned())));
		there.collect()
	}
}

/// Returns the record of the version with which a file goes on: a final one, or one whose encrypted
/// bytes are here, if it is committed, or is not on the chain at all.
fn choose<'a>(
	records: &'a [Record],
	object: ContentObjectId,
	rows: &OnChain,
	Recipient { kms, key, .. }: Recipient,
) -> Option<&'a Record> {
	let usable = records.iter().filter(|record| record.key == key);
	let usable = usable.filter_map(|record| match rows.get(&(object, record.version)) {
		Some(row) if row.kms != Some(kms) => None,
		Some(row) if row.finalized.is_some() => Some((0, record)),
		Some(_) => record.spooled().map(|_| (1, record)),
		None => record.spooled().map(|_| (2, record)),
	});
	usable.min_by_key(|(rank, record)| (*rank, record.version)).map(|(_, record)| record)
}

impl Job {
	/// Encrypts the file into the spool, and records it. The inner error is one of the file.
	fn seal(
		&self,
		spool: &Spool,
		Recipient { tenant, key, .. }: Recipient,
		done: &AtomicU64,
	) -> Result<Result<Record, HashError>, StateError> {
		let mut broken = None;
		let sealed = hash_with(&self.path, |file| {
			let counted = Counted { file, done };
			match spool.seal(key, counted) {
				Ok(Ok(sealed)) => {
					let read = sealed.read;
					Ok((Some(sealed), read))
				},
				Ok(Err(error)) => Err(error),
				Err(error) => {
					broken = Some(error);
					Ok((None, file.metadata()?.len()))
				},
			}
		});
		match (broken, sealed) {
			(Some(error), _) => Err(error),
			(None, Ok((Some(sealed), _))) if sealed.plain == self.plain => {
				Ok(Ok(spool.keep(sealed, (tenant, key))?))
			},
			(None, Ok(_)) => Ok(Err(HashError::Changed)),
			(None, Err(error)) => Ok(Err(error)),
		}
	}
}

/// A file that counts what is read of it.
struct Counted<'a> {
	file: &'a fs::File,
	done: &'a AtomicU64,
}

impl std::io::Read for Counted<'_> {
	fn read(&mut self, piece: &mut [u8]) -> std::io::Result<usize> {
		let read = self.file.read(piece)?;
		self.done.fetch_add(u64::try_from(read).unwrap_or(u64::MAX), Ordering::Relaxed);
		Ok(read)
	}
}

impl Prepared {
	/// Returns what the content node's store needs to know.
	pub fn store(&self) -> publish::Encrypted {
		publish::Encrypted { kms: self.recipient.kms, files: self.files.clone() }
	}

	/// Removes the encrypted bytes of final versions. If that fails, the next put does it.
	pub async fn finish(self, chain: &Chain) {
		let Some(spool) = self.spool else { return };
		let removing =
			async { remove_final(&spool, self.recipient.tenant, &chain.finalized().await?).await };
		if let Err(error) = removing.await {
			warn(&format!(
				"warning: encrypted files stay in {} until the next put: {error}",
				spool.folder().display()
			));
		}
	}
}

/// Removes the encrypted bytes of versions that are final.
async fn remove_final(spool: &Spool, tenant: TenantId, last: &Snapshot) -> Result<(), Error> {
	let spooled = |record: &Record| {
		let path = record.spooled().filter(|_| record.tenant == tenant)?;
		Some((record.version, path.to_owned()))
	};
	let spooled: Vec<_> = spool.records().all().filter_map(spooled).collect();
	if spooled.is_empty() {
		return Ok(());
	}
	let (mut done, mut begun) = (HashSet::new(), HashSet::new());
	for ((.., version), row) in last.rows(rows::versions(), (tenant,)).await? {
		let set = if row.finalized.is_some() { &mut done } else { &mut begun };
		set.insert(version);
	}
	for (version, path) in spooled {
		if done.contains(&version) && !begun.contains(&version) {
			fs::remove_file(&path).map_err(StateError::file("removed", &path))?;
		}
	}
	Ok(())
}

/// Returns the result of work on another thread.
fn joined<T, E: Into<Error>>(
	done: Result<Result<T, E>, tokio::task::JoinError>,
) -> Result<T, Error> {
	unpanicked(done)?.map_err(Into::into)
}

fn unpanicked<T>(done: Result<T, tokio::task::JoinError>) -> Result<T, Error> {
	match done {
		Ok(done) => Ok(done),
		Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
		Err(_) => Err(Error::Interrupted),
	}
}
