// SPDX-License-Identifier: Apache-2.0
//! `fabric verify`: compares the bytes of files with the versions on the chain.

use std::{
	collections::HashSet,
	io::{self, Write},
	path::PathBuf,
};

use clap::Args;
use content_fabric_client::{
	chain::VersionRows,
	ids,
	text::{self, count, printable},
};
use content_fabric_identifiers::{Cid, ContentObjectPath, NodeId, VersionId};
use content_fabric_primitives::known_size;
use serde::Serialize;

use super::Context;
use crate::{
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

Hashes each file, and prints the content objects that have a version with its bytes. Fails with exit
code 8 if a file has no version on the chain, or not the one of --version.")]
pub struct Options {
	/// The files
	#[arg(required = true)]
	files: Vec<PathBuf>,
	/// The version that the file must be: hq__…, its hash in hex, or its CID
	#[arg(long, value_name = "ID", value_parser = ids::parse_version)]
	version: Option<VersionId>,
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
	found: Vec<Found>,
}

#[derive(Debug, Serialize)]
struct Found {
	object: ContentObjectPath,
	/// The nodes that hold it.
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
			let VerifiedFile { path, version, cid, size, expected, found, .. } = file;
			let (path, bytes) = (printable(&path.to_string_lossy()), text::size(Some(*size)));
			writeln!(out, "{path}: {version}, {bytes}, CID {cid}")?;
			if let Some(expected) = expected {
				writeln!(out, "  is not {expected}")?;
			}
			if found.is_empty() {
				writeln!(out, "  the chain has no version with these bytes")?;
			}
			for Found { object, nodes, size: declared, finalized } in found {
				let state = match finalized {
					Some(millis) => format!("final since {}", utc(millis.saturating_mul(1_000))),
					None => "not final".into(),
				};
				let other = match declared {
					Some(declared) if declared != size => {
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
		Ok((version, size)) => Ok((path, version, size)),
		Err(source) => Err(InputError { input: Input::Path(path), problem: source.into() }),
	});
	let hashed = hashed.collect::<Result<Vec<_>, _>>()?;
	let wanted: HashSet<_> = hashed.iter().map(|(_, version, _)| *version).collect();
	let rows = context.view().await?.rows_of_versions(&wanted).await?;
	let files = hashed.into_iter().map(|(path, version, size)| {
		let (found, expected) = (found(&rows, version), expected.filter(|id| *id != version));
		let verified = expected.is_none() && !found.is_empty();
		VerifiedFile { path, version, cid: Cid(version), size, expected, verified, found }
	});
	let all: Vec<_> = files.collect();
	context.report(&all)?;
	let other = all.iter().filter(|file| !file.verified).count();
	match (other, expected) {
		(0, _) => Ok(()),
		(_, Some(version)) => Err(Error::Mismatch(format!(
			"the file is not {version}, or the chain does not have that version"
		))),
		_ => {
			let (other, all) = (count(other, "file has", "files have"), all.len());
			Err(Error::Mismatch(format!("{other} no version on the chain, of {all}")))
		},
	}
}

fn found(rows: &VersionRows, version: VersionId) -> Vec<Found> {
	let rows = rows.get(&version).into_iter().flatten();
	rows.map(|(tenant, object, row)| Found {
		object: ContentObjectPath { tenant: *tenant, object: *object },
		nodes: row.copies.iter().filter(|copy| copy.held.is_some()).map(|copy| copy.node).collect(),
		size: known_size(version, row.size.0),
		finalized: row.finalized,
	})
	.collect()
}
