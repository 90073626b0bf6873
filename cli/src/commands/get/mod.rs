// SPDX-License-Identifier: Apache-2.0
//! `fabric get`: brings files from content nodes.
//!
//! The chain names the versions and the nodes that have them. Bytes are verified while they arrive,
//! in a file that no record names. It is moved to its place when all of them are right. The command
//! names a node that fails or sends wrong bytes, and asks the next one for the rest.

mod distinct;
mod encrypted;
mod files;

use std::{
	collections::HashSet,
	io::{self, Write},
	path::PathBuf,
	sync::Arc,
	time::Duration,
};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, Snapshot},
	class::Class,
	content_node::{self, blocking, ByteRange, FetchError, Fetched, Fetcher, NodeError, Wanted},
	folder::{is_git, is_hidden, Folder, RESERVED},
	ids::{self, VersionArgument},
	text::{count, printable, size},
};
use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};
use futures::StreamExt;
use serde::Serialize;
use tokio::time::sleep;

use self::{
	distinct::distinct,
	encrypted::{Readers, Seal},
	files::{directory, file_name, Listed, Listing, Refused, GIT, HIDDEN, UNFINISHED},
};
use super::{
	resolve::{named, resolve, Named},
	tenant_key::TenantKey,
	Context,
};
use crate::{
	output::{as_text, warn, OutputError, Report},
	progress::Progress,
	record_argument::RecordArgument,
	Error,
};

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
  fabric get hq__… --range 0-1048575 --output start.bin
  fabric get hq__… --output - | tar x
  fabric get iten… --output site
  fabric get iten… names report.pdf --signer keystore:reader.json
  fabric get --light spec.json iten… --output site

With a tenant alone, gets all its files, as `fabric put` has put them: one for each record in its
collection `names` that leads to an object as a whole.

A file that is encrypted for a KMS of its tenant is decrypted with the key that the KMS gives to the \
account of --signer, if that may read: see `fabric key grant`. Its encrypted bytes are verified \
first. --raw keeps them as they are. Plain files need no key.

A BLAKE3 version is verified in groups of 16 KiB while it arrives, a SHA-256 version when all its
bytes are here. Until then, the bytes are in the folder .fabric-partial of the output. A file is
moved to its place when all its bytes are right. Run an interrupted command again to continue it: it
verifies the bytes that are here, and asks for the rest. Symbolic links below the output are not
followed. Files whose names lead to one place are not written. Files and folders whose names begin with a dot are
left out and listed: --hidden gets them. Files of a folder .git are never written, as they could
make `git` run programs.

--range and --output - need a BLAKE3 version, because a part of it can be verified. They write only
verified bytes. If no node serves the rest, standard output ends early, and the exit code is 7. A
range ends with the version, and must begin before its end.

Standard error names the nodes that fail, send wrong bytes, or send less than 16 KiB a second while
another node may have the bytes. A node that was only slow is asked again after the others, and must
send 16 KiB a minute. Fails with exit code 7 if no node serves the bytes, and with 1 if only files
of a tenant are missing that this command cannot write.")]
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
	/// The file to write, the folder of the files, or - for standard output [default: the name of
	/// the file, or the tenant]
	#[arg(long, short, value_name = "PATH")]
	output: Option<PathBuf>,
	/// Get only these bytes of one version: FIRST-LAST, FIRST- or -LENGTH, as for curl
	#[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
	range: Option<ByteRange>,
	/// Maximum number of bytes of a SHA-256 version whose size the chain does not know, or for which
	/// it has several sizes
	#[arg(long, value_name = "BYTES", default_value_t = MAX_SIZE)]
	max_size: u64,
	/// Get files and folders whose names begin with a dot, too
	#[arg(long)]
	hidden: bool,
	/// Replace files that have other content
	#[arg(long, short)]
	force: bool,
	/// Get the encrypted bytes of encrypted files, as the nodes have them
	#[arg(long)]
	raw: bool,
	#[command(flatten)]
	key: TenantKey,
}

/// A row of a version, with the tenant and the object that it is under.
type VersionRow = (TenantId, ContentObjectId, rows::Version);

/// The target of the command line.
enum Wish {
	Version(VersionArgument),
	Record(Named),
	Directory(TenantId),
}

#[derive(Debug, Serialize)]
pub struct Got {
	files: Vec<GotFile>,
	/// Number of files that were there before.
	unchanged: usize,
	/// The records that are left out because a name in the path begins with a dot.
	hidden_skipped: Vec<String>,
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
	/// `unserved` if the nodes fail, and another class if this command does not write the file.
	class: Class,
}

impl From<Fetched> for GotFile {
	fn from(fetched: Fetched) -> Self {
		let Fetched { path, version, size, source } = fetched;
		Self { path, version, size, source }
	}
}

impl From<FetchError> for Error {
	fn from(error: FetchError) -> Self {
		match error {
			FetchError::Chain(error) => error.into(),
			FetchError::Node(error) => error.into(),
			FetchError::Range { .. } | FetchError::WholeOnly(_) => Self::Usage(error.to_string()),
			FetchError::Unserved { version, is_final: true } => Self::Unserved(version.to_string()),
			FetchError::Unserved { version, is_final: false } => {
				Self::Unserved(format!("{version}: {UNFINISHED}"))
			},
		}
	}
}

impl Missing {
	fn is_unserved(&self) -> bool {
		matches!(self.class, Class::Unserved | Class::Connection)
	}
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
		for name in &self.hidden_skipped {
			writeln!(out, "not got, {}: {HIDDEN}", printable(name))?;
		}
		for Missing { name, reason, .. } in &self.failed {
			writeln!(out, "not got, {}: {reason}", printable(name))?;
		}
		Ok(())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let wish = options.wish()?;
	options.ensure_report(context)?;
	let at = context.view().await?;
	let is_directory = matches!(wish, Wish::Directory(_));
	let Found { folder, listing } = options.found(wish, &at, context).await?;
	let Listing { mut wanted, mut refused, hidden, unfinished } = listing;
	for wanted in &mut wanted {
		if options.raw {
			wanted.seals.clear();
		}
		wanted.file.size = wanted.file.size.bounded(options.max_size);
	}
	if wanted.len() + refused.len() + hidden.len() + unfinished.len() == 0 {
		return Err(chain::Error::unknown("file of the tenant", options.what).into());
	}
	let sealed = wanted.iter().find(|wanted| !wanted.seals.is_empty());
	if let (Some(Listed { file, .. }), true) = (sealed, options.range.is_some()) {
		return Err(Error::Usage(format!(
			"{} is encrypted, and --range counts its encrypted bytes: pass --raw for these",
			file.version
		)));
	}
	let readers = Readers::new(&wanted, &at, context, &options.key).await?;
	if options.is_stream() {
		return match wanted.into_iter().next() {
			Some(wanted) => stream(wanted, &readers, &at).await,
			None => Err(chain::Error::unknown("file", options.what).into()),
		};
	}
	let folder = blocking(move || {
		let failed = NodeError::file("opened", &folder);
		Folder::open(folder).map(Arc::new).map_err(failed)
	})
	.await?;
	if wanted.len() > 1 {
		let tried = folder.clone();
		let (distinct, others) = blocking(move || tell_apart(wanted, &tried)).await?;
		wanted = distinct;
		refused.extend(others);
	}
	let all = wanted.len() + refused.len() + unfinished.len();
	let outcomes = {
		let progress = Progress::of_bytes(!context.json());
		let versions = wanted.iter().map(|wanted| wanted.file.version).collect();
		let fetcher = Fetcher::new(&at, versions, notes(&progress)).await?;
		get_all(wanted, (&fetcher, &readers), (&folder, options.force), &progress).await
	};
	let missing = |(name, reason)| Missing { name, reason, class: Class::Usage };
	let unserved = |name| Missing { name, reason: UNFINISHED.into(), class: Class::Unserved };
	let failed = refused.into_iter().map(missing);
	let failed = failed.chain(unfinished.into_iter().map(unserved)).collect();
	let mut got = Got { files: Vec::new(), unchanged: 0, hidden_skipped: hidden, failed };
	let (mut there, mut left) = (HashSet::new(), HashSet::new());
	let mut first = None;
	for (Listed { file: Wanted { target, version, .. }, .. }, outcome) in outcomes {
		let versions = if outcome.is_ok() { &mut there } else { &mut left };
		versions.insert(version);
		match outcome {
			Ok(Some(file)) => got.files.push(file.into()),
			Ok(None) => got.unchanged += 1,
			Err(error) => {
				let name = folder.path(&target).to_string_lossy().into_owned();
				got.failed.push(Missing { name, reason: error.to_string(), class: error.class() });
				first.get_or_insert(error);
			},
		}
	}
	// Parts of other versions may belong to single files, but not in a directory.
	let keeps = move |version| match is_directory {
		true => left.contains(&version),
		false => !there.contains(&version),
	};
	let tidied = blocking(move || {
		folder.tidy(keeps).map_err(NodeError::file("removed", &folder.path(RESERVED.as_ref())))
	});
	if let Err(error) = tidied.await {
		warn(&format!("warning: {error}"));
	}
	// An error says all of a single file.
	if is_directory || first.is_none() {
		context.report(&got)?;
	}
	match first {
		Some(error) if !is_directory => Err(error),
		_ => got.outcome(all),
	}
}

/// Writes one version, or some of its bytes, to standard output.
async fn stream(wanted: Listed, readers: &Readers, at: &Snapshot) -> Result<(), Error> {
	let progress = Progress::of_bytes(false);
	let versions = HashSet::from([wanted.file.version]);
	let fetcher = Fetcher::new(at, versions, notes(&progress)).await?;
	if !wanted.seals.is_empty() {
		return readers.stream(&wanted, &fetcher, Box::new(io::stdout())).await;
	}
	match fetcher.stream(&wanted.file, Box::new(io::stdout())).await {
		Ok(_) => Ok(()),
		// Ends like other programs when the reader closes the pipe.
		Err(FetchError::Node(NodeError::File { error, .. })) => Err(OutputError(error).into()),
		Err(error) => Err(error.into()),
	}
}

/// Returns a function that prints notes beside a progress.
fn notes(progress: &Progress) -> content_node::Notes {
	let notes = progress.notes();
	Arc::new(move |line| notes.print(|| warn(&format!("warning: {line}"))))
}

/// Sorts out the files that would replace each other.
fn tell_apart(
	wanted: Vec<Listed>,
	folder: &Folder,
) -> Result<(Vec<Listed>, Vec<Refused>), NodeError> {
	let failed = NodeError::file("written", &folder.path(RESERVED.as_ref()));
	let mut trial = folder.trial().map_err(failed)?;
	Ok(distinct(wanted, |name| match &mut trial {
		Some(trial) => trial.first(name),
		None => Ok(name.to_owned()),
	}))
}

impl Got {
	/// Returns the error of the files that are not there.
	fn outcome(&self, all: usize) -> Result<(), Error> {
		let all = count(all, "file", "files");
		let failed = self.failed.len();
		let is_empty = self.files.is_empty() && self.unchanged == 0;
		match self.failed.iter().filter(|missing| missing.is_unserved()).count() {
			0 if failed == 0 && is_empty => {
				Err(Error::Usage("the names of all files begin with a dot: pass --hidden".into()))
			},
			0 if failed == 0 => Ok(()),
			0 => Err(Error::Unwritten(format!("{failed} of {all}"))),
			unserved if unserved == failed => Err(Error::Unserved(format!("{failed} of {all}"))),
			unserved => {
				let others = failed - unserved;
				Err(Error::Unserved(format!(
					"{unserved} of {all}, and {others} cannot be written here"
				)))
			},
		}
	}
}

/// The files of a command line.
struct Found {
	/// The folder of the output.
	folder: PathBuf,
	listing: Listing,
}

impl Options {
	fn wish(&self) -> Result<Wish, Error> {
		let Self { what, collection, record, .. } = self;
		record.ensure_in(collection.as_deref())?;
		let is_of_one = self.range.is_some() || self.is_stream();
		Ok(match (collection, what.contains(':')) {
			(None, false) if ids::names_version(what) => Wish::Version(what.parse()?),
			(None, false) if is_of_one => {
				let tenant: TenantId = ids::parse(what)?;
				let reason = "--range and --output - are for one version: name it, or a record";
				return Err(Error::Usage(format!("{tenant} is a tenant, and {reason}")));
			},
			(None, false) => Wish::Directory(ids::parse(what)?),
			_ => Wish::Record(named(what, collection.as_deref(), record.clone())?),
		})
	}

	/// Refuses a report on standard output among the bytes.
	fn ensure_report(&self, context: &Context) -> Result<(), Error> {
		match self.is_stream() && context.json() {
			true => Err(Error::Usage(
				"--json and --output - both write to standard output: use one of them".into(),
			)),
			false => Ok(()),
		}
	}

	/// Returns whether the bytes go to standard output.
	fn is_stream(&self) -> bool {
		self.output.as_ref().is_some_and(|output| output.as_os_str() == "-")
	}

	/// Returns the files that are wanted, and the records without one.
	async fn found(&self, wish: Wish, at: &Snapshot, context: &Context) -> Result<Found, Error> {
		let (version, rows, seals, has_all_rows, name) = match wish {
			Wish::Version(wanted) => {
				let version = wanted.version;
				let found = at.rows_of_versions(&HashSet::from([version])).await?.remove(&version);
				let found = found.into_iter().flatten().collect();
				let found = wanted.select(found, |(_, _, row): &VersionRow| row.hash);
				let found = found.map_err(chain::Error::from)?;
				if found.is_empty() {
					return Err(chain::Error::unknown("version", wanted).into());
				}
				let seals = Seal::of(&found);
				let rows = found.into_iter().map(|(_, _, row)| row).collect();
				(version, rows, seals, true, version.to_string())
			},
			Wish::Record(named) => {
				let resolved = resolve(at, named, context).await?;
				let Some(version) = resolved.version else {
					return Err(without_head(at, resolved.object).await?);
				};
				let name = file_name(&resolved, version);
				let ContentObjectPath { tenant, object } = resolved.object;
				let kms = resolved.row.as_ref().and_then(|row| row.kms);
				let seals = kms.into_iter().map(|kms| Seal { tenant, object, kms }).collect();
				(version, resolved.row.into_iter().collect(), seals, false, name)
			},
			Wish::Directory(tenant) => {
				let folder = self.output.clone().unwrap_or_else(|| tenant.to_string().into());
				let listing = directory(at, tenant, self.hidden).await?;
				return Ok(Found { folder, listing });
			},
		};
		let (folder, target) = self.target(&name)?;
		let mut file = Wanted::new(version, rows, has_all_rows, target);
		file.range = self.range;
		let wanted = vec![Listed { key: name.clone(), name, file, seals }];
		Ok(Found { folder, listing: Listing { wanted, ..Listing::default() } })
	}

	/// Returns where a single file goes: a folder, and a name in it.
	fn target(&self, name: &str) -> Result<(PathBuf, PathBuf), Error> {
		if self.is_stream() {
			return Ok((PathBuf::new(), "standard output".into()));
		}
		let is_chosen = self.output.as_ref().is_some_and(|output| !output.is_dir());
		let refused = match name {
			_ if is_chosen => None,
			name if is_git(name) => Some(GIT.to_owned()),
			name if is_hidden(name) && !self.hidden => Some(format!("{HIDDEN}, or --output FILE")),
			_ => None,
		};
		if let Some(reason) = refused {
			return Err(Error::Usage(format!("not got, {}: {reason}", printable(name))));
		}
		let path = match &self.output {
			Some(output) if output.is_dir() => output.join(name),
			Some(output) => output.clone(),
			None => name.into(),
		};
		match (path.parent(), path.file_name()) {
			(Some(folder), Some(name)) => Ok((folder.into(), name.into())),
			_ => Err(Error::Usage(format!("{} is not the path of a file", path.display()))),
		}
	}
}

/// Returns the error of an object without a head.
async fn without_head(at: &Snapshot, object: ContentObjectPath) -> Result<Error, Error> {
	let versions = at.rows(rows::versions(), (object.tenant, object.object)).await?;
	Ok(match versions.iter().any(|(_, row)| row.finalized.is_none()) {
		true => Error::Unserved(format!("{object}: {UNFINISHED}")),
		false => chain::Error::unknown("head of the content object", object).into(),
	})
}

/// Gets files. Returns the outcome of each.
async fn get_all(
	wanted: Vec<Listed>,
	(fetcher, readers): (&Fetcher<'_>, &Readers),
	(folder, force): (&Arc<Folder>, bool),
	progress: &Progress,
) -> Vec<(Listed, Result<Option<Fetched>, Error>)> {
	// The chain may have any numbers.
	let sizes = wanted.iter().filter_map(|wanted| wanted.file.length());
	let bytes = sizes.fold(0, u64::saturating_add);
	let show = || progress.set(fetcher.arrived(), bytes);
	let get = async |wanted: Listed| {
		let outcome = match wanted.seals.is_empty() {
			true => fetcher.fetch(&wanted.file, folder, force).await.map_err(Error::from),
			false => readers.get(&wanted, fetcher, (folder, force)).await,
		};
		(wanted, outcome)
	};
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
