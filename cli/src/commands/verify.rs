// SPDX-License-Identifier: Apache-2.0
//! `fabric verify`: compares the bytes of files with the versions on the chain.

use std::{
	collections::HashSet,
	io::{self, Write},
	iter,
	path::PathBuf,
};

use clap::Args;
use content_fabric_client::{
	chain::{Snapshot, VersionRows},
	ids::VersionArgument,
	text::{self, count, printable},
};
use content_fabric_identifiers::{Cid, ContentObjectPath, HashKind, NodeId, VersionId};
use serde::Serialize;

use super::Context;
use crate::{
	encrypted::Records,
	input::{hash_file, Input, InputError},
	output::{as_text, size_or_none, Report},
	time::utc,
	Error,
};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric verify serde-1.0.228.crate
  fabric verify image.iso --version hq__…

Hashes each file, and prints the content objects that have a version with its bytes. Of a file that \
this machine has encrypted or decrypted, these are the versions that are encrypted: the chain has \
their hashes, and the records of this machine say that the file is in them. Fails with exit
code 8 if a file has no version on the chain, or not the one of --version.")]
pub struct Options {
	/// The files
	#[arg(required = true)]
	files: Vec<PathBuf>,
	/// The version that the file must be: hq__…, its hash in hex, or its CID
	#[arg(long, value_name = "ID")]
	version: Option<VersionArgument>,
}

/// A file, compared with the chain.
#[derive(Debug, Serialize)]
struct VerifiedFile {
	path: PathBuf,
	version: VersionId,
	#[serde(serialize_with = "as_text")]
	cid: Cid,
	#[serde(serialize_with = "as_text")]
	size: u64,
	/// The version that it must be, if it is another one.
	#[serde(skip_serializing_if = "Option::is_none")]
	expected: Option<VersionId>,
	/// True if the chain has the version, and no other one is expected.
	verified: bool,
	/// The encrypted versions that the file is in, by the records of this machine.
	#[serde(skip_serializing_if = "Vec::is_empty")]
	encrypted_in: Vec<VersionId>,
	found: Vec<Found>,
}

#[derive(Debug, Serialize)]
struct Found {
	/// The version, and the kind of its hash: the file has one of each.
	version: VersionId,
	hash: HashKind,
	object: ContentObjectPath,
	/// The nodes whose copies count.
	nodes: Vec<NodeId>,
	/// The declared size, if it is known.
	#[serde(serialize_with = "size_or_none")]
	size: Option<u64>,
	/// The time of its finalization, in milliseconds since the Unix epoch.
	finalized: Option<u64>,
}

impl Report for Vec<VerifiedFile> {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for file in self {
			let VerifiedFile { path, version, cid, size, expected, encrypted_in, found, .. } = file;
			let (path, bytes) = (printable(&path.to_string_lossy()), text::size(Some(*size)));
			writeln!(out, "{path}: {version}, {bytes}, CID {cid}")?;
			match expected {
				Some(expected) if expected == version => {
					writeln!(
						out,
						"  is not the version of the CID, which has another kind of hash"
					)?;
				},
				Some(expected) => writeln!(out, "  is not {expected}")?,
				None => {},
			}
			if found.is_empty() {
				writeln!(out, "  the chain has no version with these bytes")?;
			}
			for version in encrypted_in {
				writeln!(
					out,
					"  by the records of this machine, these are the decrypted bytes of {version}"
				)?;
			}
			for Found { object, nodes, size: declared, finalized, .. } in found {
				let state = match finalized {
					Some(millis) => format!("final since {}", utc(millis.saturating_mul(1_000))),
					None => "not final".into(),
				};
				let other = match declared {
					Some(declared) if declared != size && encrypted_in.is_empty() => {
						format!(", declared with {}", text::size(Some(*declared)))
					},
					_ => String::new(),
				};
				let nodes = match &nodes[..] {
					[] => "at no node".into(),
					[node] => format!("at the node {node}"),
					nodes => {
						let nodes: Vec<_> = nodes.iter().map(NodeId::to_string).collect();
						format!("at the nodes {}", nodes.join(", "))
					},
				};
				writeln!(out, "  version of {object}, {state}, {nodes}{other}")?;
			}
		}
		Ok(())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let Options { files, version: expected } = options;
	if let (Some(_), [_, _, ..]) = (expected, &files[..]) {
		return Err(Error::Usage("--version is for one file".into()));
	}
	let hashed = files.into_iter().map(|path| match hash_file(&path) {
		Ok((cids, size)) => Ok((path, cids, size)),
		Err(source) => Err(InputError { input: Input::Path(path), problem: source.into() }),
	});
	let hashed = hashed.collect::<Result<Vec<_>, _>>()?;
	let records = Records::open_if_any()?;
	let known = |cid: &Cid| iter::once(cid.version).chain(records.versions_of(cid.version));
	let wanted: HashSet<_> = hashed.iter().flat_map(|(_, cids, _)| cids).flat_map(known).collect();
	let view = context.view().await?;
	let rows = view.rows_of_versions(&wanted).await?;
	let mut all = Vec::new();
	for (path, cids, size) in hashed {
		let is_expected =
			|cid: &Cid| expected.is_none_or(|id| id.version == cid.version && id.can_be(cid.hash));
		let sealed = cids.iter().flat_map(|cid| records.versions_of(cid.version));
		let sealed = sealed.flat_map(|version| HashKind::ALL.map(|hash| Cid { hash, version }));
		let sealed: Vec<_> = sealed.filter(|cid| rows.contains_key(&cid.version)).collect();
		let sealed: Vec<_> = sealed.into_iter().filter(is_expected).collect();
		let possible: Vec<_> = cids.into_iter().filter(is_expected).collect();
		let is_any = !(possible.is_empty() && sealed.is_empty());
		let expected = expected.filter(|_| !is_any).map(|expected| expected.version);
		// Of a file that is not the one that it must be, what it is.
		let shown = if possible.is_empty() { &cids[..] } else { &possible };
		let mut found = Vec::new();
		for cid in shown {
			found.extend(on_chain(&view, &rows, *cid).await?);
		}
		let cid = shown.iter().find(|cid| found.iter().any(|found| found.hash == cid.hash));
		let cid = *cid.unwrap_or(&shown[0]);
		let mut encrypted_in = Vec::new();
		for cid in sealed {
			let on_chain = on_chain(&view, &rows, cid).await?;
			if !on_chain.is_empty() && !encrypted_in.contains(&cid.version) {
				encrypted_in.push(cid.version);
				found.extend(on_chain);
			}
		}
		let verified = expected.is_none() && !found.is_empty();
		let version = cid.version;
		all.push(VerifiedFile {
			path,
			version,
			cid,
			size,
			expected,
			verified,
			encrypted_in,
			found,
		});
	}
	context.report(&all)?;
	let other = all.iter().filter(|file| !file.verified).count();
	match (other, expected) {
		(0, _) => Ok(()),
		(_, Some(VersionArgument { version, .. })) => Err(Error::Mismatch(format!(
			"the file is not {version}, or the chain does not have that version"
		))),
		_ => {
			let (other, all) = (count(other, "file has", "files have"), all.len());
			Err(Error::Mismatch(format!("{other} no version on the chain, of {all}")))
		},
	}
}

/// Returns the versions on the chain that are this hash, each with the nodes whose copies count.
async fn on_chain(
	at: &Snapshot,
	rows: &VersionRows,
	Cid { hash, version }: Cid,
) -> Result<Vec<Found>, Error> {
	let rows = rows.get(&version).into_iter().flatten();
	let mut found = Vec::new();
	for (tenant, object, row) in rows.filter(|(.., row)| row.hash == hash) {
		let present = at.present_copies(row).await?;
		let copies = row.copies.iter().zip(present);
		found.push(Found {
			version,
			hash,
			object: ContentObjectPath { tenant: *tenant, object: *object },
			nodes: copies
				.filter(|(copy, present)| *present && copy.held.is_some())
				.map(|(copy, _)| copy.node)
				.collect(),
			size: row.known_size(version),
			finalized: row.finalized,
		});
	}
	Ok(found)
}
