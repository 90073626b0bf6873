// SPDX-License-Identifier: Apache-2.0
//! `fabric get`: brings files from content nodes.
//!
//! The chain says which bytes, and which nodes. Each byte is hashed while it arrives, in a file
//! beside the target, which gets its name only if the hash is right. A node that fails or sends
//! other bytes is named, and the next one is asked.

mod files;
mod sources;

use std::{
	collections::HashSet,
	fs,
	io::{self, Write},
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
	time::Duration,
};

use clap::Args;
use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_primitives::known_size;
use futures::StreamExt;
use serde::Serialize;
use tokio::time::sleep;

use self::{
	files::{directory, file_name, Wanted},
	sources::{Source, Sources},
};
use super::{
	lookup::unknown,
	resolve::{resolve, Named},
	Context,
};
use crate::{
	chain::Snapshot,
	content_node::{blocking, DeclaredSize, Download, NodeError},
	ids,
	input::hash_file,
	output::{as_text, warn, Report},
	progress::Progress,
	record_names::RecordArgument,
	text::{count, printable, size},
	Error,
};

pub(super) use sources::{rows_of, VersionRows};

/// Number of files that are fetched at the same time.
const JOBS: usize = 8;
/// Largest number of bytes of a version whose size is not certain, unless more are allowed: 1 GiB.
const MAX_SIZE: u64 = 1 << 30;
/// Time between two looks at how many bytes are here.
const POLL: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric get iten… names index.html
  fabric get fabric:/iten…/names/index.html --output page.html
  fabric get hq__…
  fabric get iten… --output site
  fabric get --light spec.json iten… --output site

A tenant alone stands for all its files, as `fabric put` has put them: those of the records in its
collection `names` that lead to objects as a whole.

The bytes are hashed while they arrive, in a hidden file beside the target, which has its name only
if the hash is right. An interrupted command goes on from there. Standard error names the nodes that
fail, send other bytes, or send less than 16 KiB a minute. Fails with exit code 7 if no node serves
the bytes.")]
pub struct Options {
	/// The tenant, iten…, the URI of a record, or the version: hq__…, its hash in hex, or its CID
	#[arg(value_name = "TENANT|URI|VERSION")]
	what: String,
	/// The name of the collection
	#[arg(requires = "RecordArgument")]
	collection: Option<String>,
	/// The record.
	#[command(flatten)]
	record: RecordArgument,
	/// The file to write, or the folder of the files [default: the name of the file, or the tenant]
	#[arg(long, short, value_name = "PATH")]
	output: Option<PathBuf>,
	/// The most bytes to take of a version whose size the chain does not know, or has several of
	#[arg(long, value_name = "BYTES", default_value_t = MAX_SIZE)]
	max_size: u64,
	/// Replace files that have other content
	#[arg(long, short)]
	force: bool,
}

/// The target of the command line.
enum Wish {
	Version(VersionId),
	Record(Named),
	Directory(TenantId),
}

#[derive(Debug, Serialize)]
pub struct Got {
	files: Vec<GotFile>,
	/// Number of files that were there before.
	unchanged: usize,
	/// The files and records that are not there.
	failed: Vec<Missing>,
}

#[derive(Debug, Serialize)]
struct GotFile {
	path: PathBuf,
	version: VersionId,
	#[serde(serialize_with = "as_text")]
	size: u64,
	/// The node that served it, in words.
	source: String,
}

#[derive(Debug, Serialize)]
struct Missing {
	name: String,
	reason: String,
}

impl Report for Got {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		if let [GotFile { path, version, size: bytes, source }] = &self.files[..] {
			let path = printable(&path.to_string_lossy());
			writeln!(out, "{path}: {version}, {}, from {source}", size(Some(*bytes)))?;
		} else if !self.files.is_empty() {
			let bytes = self.files.iter().map(|file| file.size).sum::<u64>();
			let files = count(self.files.len(), "file", "files");
			writeln!(out, "got {files} with {}", count(bytes, "byte", "bytes"))?;
		}
		if self.unchanged > 0 {
			let files = count(self.unchanged, "file was", "files were");
			writeln!(out, "{files} there before")?;
		}
		for Missing { name, reason } in &self.failed {
			writeln!(out, "not got, {}: {reason}", printable(name))?;
		}
		Ok(())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let wish = options.wish()?;
	let at = context.view().await?;
	let is_directory = matches!(wish, Wish::Directory(_));
	let (mut wanted, odd) = options.wanted(wish, &at).await?;
	for wanted in &mut wanted {
		wanted.size = wanted.size.bounded(options.max_size);
	}
	if wanted.is_empty() && odd.is_empty() {
		return Err(unknown("file of the tenant", options.what).into());
	}
	let versions = wanted.iter().map(|wanted| wanted.version).collect();
	let all = u64::try_from(wanted.len() + odd.len()).unwrap_or(u64::MAX);
	let getter = Getter {
		sources: Sources::read(&at, versions).await?,
		progress: Progress::of_bytes(!context.json()),
		arrived: Arc::default(),
		force: options.force,
	};
	let outcomes = getter.get_all(wanted).await;
	drop(getter);
	let failed = odd.into_iter().map(|(name, reason)| Missing { name, reason }).collect();
	let mut got = Got { files: Vec::new(), unchanged: 0, failed };
	let mut first = None;
	for (target, outcome) in outcomes {
		match outcome {
			Ok(Some(file)) => got.files.push(file),
			Ok(None) => got.unchanged += 1,
			Err(error) => {
				let name = target.to_string_lossy().into_owned();
				got.failed.push(Missing { name, reason: error.to_string() });
				first.get_or_insert(error);
			},
		}
	}
	// An error says all of a single file.
	if is_directory || first.is_none() {
		context.report(&got)?;
	}
	let failed = got.failed.len();
	match first {
		Some(error) if !is_directory => Err(error),
		_ if failed > 0 => {
			let unserved = format!("{failed} of {}", count(all, "file", "files"));
			Err(Error::Unserved(unserved))
		},
		_ => Ok(()),
	}
}

impl Options {
	fn wish(&self) -> Result<Wish, Error> {
		let Self { what, collection, record, .. } = self;
		record.ensure_in(collection.as_deref())?;
		Ok(match (collection, what.contains(':')) {
			(None, false) if ids::names_version(what) => Wish::Version(ids::parse_version(what)?),
			(None, false) => Wish::Directory(ids::parse(what)?),
			_ => Wish::Record(Named::new(what, collection.as_deref(), record.clone())?),
		})
	}

	/// Returns the files that are wanted, and the records without one.
	async fn wanted(
		&self,
		wish: Wish,
		at: &Snapshot,
	) -> Result<(Vec<Wanted>, Vec<(String, String)>), Error> {
		let (version, size, rows, name) = match wish {
			Wish::Version(version) => {
				let found = rows_of(at, &HashSet::from([version])).await?.remove(&version);
				let found = found.ok_or_else(|| unknown("version", version))?;
				let rows: Vec<_> = found.into_iter().map(|(_, _, row)| row).collect();
				let sizes = rows.iter().map(|row| known_size(version, row.size.0));
				(version, DeclaredSize::of(sizes), rows, version.to_string())
			},
			Wish::Record(named) => {
				let resolved = resolve(at, named).await?;
				let no_head = || unknown("head of the content object", resolved.object);
				let version = resolved.version.ok_or_else(no_head)?;
				let (size, name) =
					(DeclaredSize::of([resolved.size]), file_name(&resolved, version));
				(version, size, resolved.row.into_iter().collect(), name)
			},
			Wish::Directory(tenant) => {
				let folder = self.output.clone().unwrap_or_else(|| tenant.to_string().into());
				return directory(at, tenant, &folder).await;
			},
		};
		let target = self.target(&name);
		Ok((vec![Wanted { version, size, rows, target }], Vec::new()))
	}

	/// Returns where a single file goes.
	fn target(&self, name: &str) -> PathBuf {
		match &self.output {
			Some(output) if output.is_dir() => output.join(name),
			Some(output) => output.clone(),
			None => name.into(),
		}
	}
}

struct Getter<'a> {
	sources: Sources<'a>,
	progress: Progress,
	arrived: Arc<AtomicU64>,
	force: bool,
}

impl Getter<'_> {
	/// Gets files. Returns the outcome of each with its target.
	async fn get_all(&self, wanted: Vec<Wanted>) -> Vec<(PathBuf, Result<Option<GotFile>, Error>)> {
		// The chain may have any numbers.
		let sizes = wanted.iter().filter_map(|wanted| wanted.size.exact());
		let bytes = sizes.fold(0, u64::saturating_add);
		let show = || self.progress.set(self.arrived.load(Ordering::Relaxed), bytes);
		let get = async |wanted: Wanted| (wanted.target.clone(), self.get(wanted).await);
		let outcomes = futures::stream::iter(wanted).map(get);
		let mut outcomes = std::pin::pin!(outcomes.buffered(JOBS).collect::<Vec<_>>());
		loop {
			tokio::select! {
				outcomes = &mut outcomes => {
					show();
					return outcomes;
				},
				() = sleep(POLL) => show(),
			}
		}
	}

	/// Gets a file. `None` if it was there before.
	async fn get(&self, wanted: Wanted) -> Result<Option<GotFile>, Error> {
		let (version, target, force) = (wanted.version, wanted.target.clone(), self.force);
		if blocking(move || is_there(&target, version, force)).await? {
			self.arrived.fetch_add(wanted.size.exact().unwrap_or_default(), Ordering::Relaxed);
			return Ok(None);
		}
		let mut tried = HashSet::new();
		let known = self.sources.of(&wanted.rows, &mut tried);
		if let Some(file) = self.fetch(&wanted, known).await? {
			return Ok(Some(file));
		}
		let others = self.sources.others(version, &mut tried).await?;
		let file = self.fetch(&wanted, others).await?;
		file.map(Some).ok_or_else(|| Error::Unserved(version.to_string()))
	}

	/// Asks nodes one after the other. `None` if none of them served the bytes.
	async fn fetch(
		&self,
		wanted: &Wanted,
		sources: Vec<Source>,
	) -> Result<Option<GotFile>, NodeError> {
		if sources.is_empty() {
			return Ok(None);
		}
		let Wanted { version, size, target, .. } = wanted.clone();
		let (arrived, notes) = (self.arrived.clone(), self.progress.notes());
		blocking(move || {
			let mut download = Download::open(version, size, target.clone(), arrived)?;
			for Source { name, node } in sources {
				match node.and_then(|node| download.fetch(&node)) {
					Ok(()) => {
						let (path, size) = (target, download.length());
						return Ok(Some(GotFile { path, version, size, source: name }));
					},
					Err(error @ NodeError::File { .. }) => return Err(error),
					Err(error) => notes.print(|| {
						warn(&format!("warning: {}: {name}: {error}", target.to_string_lossy()));
					}),
				}
			}
			Ok(None)
		})
		.await
	}
}

/// Returns whether a file with the bytes of a version is there, and makes its folder if not.
/// Another file is not replaced, unless that is wanted.
fn is_there(target: &Path, version: VersionId, force: bool) -> Result<bool, NodeError> {
	let failed = |action| NodeError::file(action, target);
	match fs::symlink_metadata(target) {
		Ok(found) if found.is_file() => {
			let (found, _) = hash_file(target).map_err(failed("read"))?;
			match found == version || force {
				true => Ok(found == version),
				false => {
					let reason = "it has other content: pass --force to replace it";
					Err(failed("written")(io::Error::new(io::ErrorKind::AlreadyExists, reason)))
				},
			}
		},
		Ok(_) => {
			let reason = "there is something else than a file";
			Err(failed("written")(io::Error::new(io::ErrorKind::AlreadyExists, reason)))
		},
		Err(error) if error.kind() == io::ErrorKind::NotFound => {
			let folder = target.parent().unwrap_or(target);
			fs::create_dir_all(folder).map_err(failed("written"))?;
			Ok(false)
		},
		Err(error) => Err(failed("read")(error)),
	}
}
