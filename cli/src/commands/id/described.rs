// SPDX-License-Identifier: Apache-2.0
//! Descriptions of texts: ids, muids and TIDs.

use std::io::{self, Write};

use codec::Encode;
use content_fabric_client::ids::AnyId;
use content_fabric_identifiers::{Cid, HashKind, LenientTid, Muid};
use content_fabric_primitives::MemberId;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::time::utc;

/// An id, a muid or a TID. Times are in UTC, and timestamps in microseconds since the Unix epoch.
#[derive(Debug)]
pub struct Described {
	kind: &'static str,
	id: String,
	/// Its other forms and its parts, by their names in JSON.
	parts: Vec<(&'static str, Json)>,
}

impl Serialize for Described {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		let head = [("kind", self.kind.into()), ("id", self.id.clone().into())];
		serializer.collect_map(head.into_iter().chain(self.parts.clone()))
	}
}

impl Described {
	pub fn id(id: AnyId) -> Self {
		let mut parts = vec![("hex", hex::encode(id.to_bytes()).into())];
		let member = match id {
			AnyId::Provider(provider) => Some(MemberId::from(provider)),
			AnyId::Tenant(tenant) => Some(MemberId::from(tenant)),
			_ => None,
		};
		// As storage keys and events have it, with its variant.
		parts.extend(member.map(|member| ("member", hex::encode(member.encode()).into())));
		if let AnyId::ContentObjectPath(path) = id {
			parts.push(("tenant", path.tenant.to_string().into()));
			parts.push(("object", path.object.to_string().into()));
		}
		if let AnyId::Version(version) = id {
			// Either may be meant.
			let names = ["cid", "cid_sha256"].into_iter();
			let cids = HashKind::ALL.map(|hash| Cid { hash, version }.to_string().into());
			parts.extend(names.zip(cids));
		}
		Self { kind: id.kind(), id: id.to_string(), parts }
	}

	/// Describes a version whose kind of hash is known.
	pub fn cid(cid: Cid) -> Self {
		let parts = vec![
			("hex", hex::encode(cid.version).into()),
			("hash", cid.hash.as_str().into()),
			("cid", cid.to_string().into()),
		];
		let id = AnyId::Version(cid.version);
		Self { kind: id.kind(), id: id.to_string(), parts }
	}

	pub fn muid(muid: Muid) -> Self {
		let parts = vec![
			("hex", hex::encode(muid.to_bytes()).into()),
			("time", utc(muid.timestamp()).into()),
			("timestamp", muid.timestamp().into()),
			("medallion", format!("{:011X}", muid.medallion()).into()),
			("offset", muid.offset().into()),
		];
		Self { kind: "muid", id: muid.to_string(), parts }
	}

	pub fn tid(tid: LenientTid) -> Self {
		let parts = vec![
			("hex", hex::encode(tid.to_bytes()).into()),
			("time", utc(tid.timestamp()).into()),
			("timestamp", tid.timestamp().into()),
			("clock_id", tid.clock_id().into()),
			// It is 0 in every TID that is a record key on the chain.
			("top_bit_set", tid.has_top_bit().into()),
		];
		Self { kind: "tid", id: tid.to_string(), parts }
	}

	/// Writes the kind and the text, and the other forms and the parts below.
	pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let kind = if self.kind == "tid" { "TID" } else { self.kind };
		writeln!(out, "{kind} {}", self.id)?;
		for (name, value) in &self.parts {
			let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
			match *name {
				"timestamp" => {},
				"cid" => writeln!(out, "  CID        {text}")?,
				"cid_sha256" => writeln!(out, "             {text}, if it is a SHA-256 hash")?,
				"offset" if value.as_i64() < Some(0) => {
					writeln!(
						out,
						"  offset     {text}, which counts back from the item that has it"
					)?;
				},
				"clock_id" => writeln!(out, "  clock id   {text}")?,
				"top_bit_set" if *value == false => {},
				"top_bit_set" => {
					writeln!(out, "  top bit    set, so it is not a valid record key")?;
				},
				name => writeln!(out, "  {name:<10} {text}")?,
			}
		}
		Ok(())
	}
}
