// SPDX-License-Identifier: Apache-2.0
//! Descriptions of texts: ids, muids and TIDs.

use std::io::{self, Write};

use codec::Encode;
use content_fabric_identifiers::{ContentObjectId, Muid, TenantId, Tid};
use content_fabric_primitives::{Cid, MemberId};
use serde::Serialize;

use crate::{ids::AnyId, time::utc};

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Described {
	Id(Id),
	Muid(MuidParts),
	Tid(TidParts),
}

#[derive(Debug, Serialize)]
pub struct Id {
	kind: &'static str,
	id: AnyId,
	hex: String,
	/// A provider or a tenant in hex as storage keys and events have it, with its variant.
	#[serde(skip_serializing_if = "Option::is_none")]
	member: Option<String>,
	/// The tenant in the id of a content object.
	#[serde(skip_serializing_if = "Option::is_none")]
	tenant: Option<TenantId>,
	/// The content object without its tenant.
	#[serde(skip_serializing_if = "Option::is_none")]
	object: Option<ContentObjectId>,
	#[serde(skip_serializing_if = "Option::is_none")]
	cid: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct MuidParts {
	kind: &'static str,
	id: Muid,
	hex: String,
	/// The time in UTC.
	time: String,
	/// The time in microseconds since the Unix epoch.
	timestamp: u64,
	/// The number of the writer in hex.
	medallion: String,
	/// The number of the creation in its transaction. 0 is the transaction itself.
	offset: i32,
}

#[derive(Debug, Serialize)]
pub struct TidParts {
	kind: &'static str,
	id: Tid,
	hex: String,
	/// The time in UTC.
	time: String,
	/// The time in microseconds since the Unix epoch.
	timestamp: u64,
	/// The number of the writer.
	clock_id: u16,
	/// True if the top bit is set. It is 0 in every TID that is a record key on the chain.
	top_bit_set: bool,
}

impl Described {
	pub fn id(id: AnyId) -> Self {
		let member = match id {
			AnyId::Provider(provider) => Some(MemberId::from(provider)),
			AnyId::Tenant(tenant) => Some(MemberId::from(tenant)),
			_ => None,
		};
		let path = match id {
			AnyId::ContentObjectPath(path) => Some(path),
			_ => None,
		};
		let cid = match id {
			AnyId::Version(version) => Some(Cid(version).to_string()),
			_ => None,
		};
		Self::Id(Id {
			kind: id.kind(),
			id,
			hex: hex::encode(id.to_bytes()),
			member: member.map(|member| hex::encode(member.encode())),
			tenant: path.map(|path| path.tenant),
			object: path.map(|path| path.object),
			cid,
		})
	}

	pub fn muid(muid: Muid) -> Self {
		Self::Muid(MuidParts {
			kind: "muid",
			id: muid,
			hex: hex::encode(muid.to_bytes()),
			time: utc(muid.timestamp()),
			timestamp: muid.timestamp(),
			medallion: format!("{:011X}", muid.medallion()),
			offset: muid.offset(),
		})
	}

	pub fn tid(tid: Tid) -> Self {
		Self::Tid(TidParts {
			kind: "tid",
			id: tid,
			hex: hex::encode(tid.to_bytes()),
			time: utc(tid.timestamp()),
			timestamp: tid.timestamp(),
			clock_id: tid.clock_id(),
			top_bit_set: !tid.is_generated(),
		})
	}

	/// Writes the kind and the text, and the other forms and the parts below.
	pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let parts = match self {
			Self::Id(id) => {
				writeln!(out, "{} {}", id.kind, id.id)?;
				vec![
					("hex", Some(id.hex.clone())),
					("member", id.member.clone()),
					("tenant", id.tenant.map(|tenant| tenant.to_string())),
					("object", id.object.map(|object| object.to_string())),
					("CID", id.cid.clone()),
				]
			},
			Self::Muid(muid) => {
				writeln!(out, "muid {}", muid.id)?;
				vec![
					("hex", Some(muid.hex.clone())),
					("time", Some(muid.time.clone())),
					("medallion", Some(muid.medallion.clone())),
					("offset", Some(muid.offset.to_string())),
				]
			},
			Self::Tid(tid) => {
				writeln!(out, "TID {}", tid.id)?;
				let is_no_key = "set, so it is not a valid record key".to_owned();
				vec![
					("hex", Some(tid.hex.clone())),
					("time", Some(tid.time.clone())),
					("clock id", Some(tid.clock_id.to_string())),
					("top bit", tid.top_bit_set.then_some(is_no_key)),
				]
			},
		};
		let mut known = parts.into_iter().filter_map(|(name, part)| Some((name, part?)));
		known.try_for_each(|(name, part)| writeln!(out, "  {name:<10} {part}"))
	}
}
