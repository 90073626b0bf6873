// SPDX-License-Identifier: Apache-2.0
//! Descriptions of texts: ids, muids and TIDs.

use std::io::{self, Write};

use codec::Encode;
use content_fabric_identifiers::{ContentObjectId, Muid, TenantId, Tid};
use content_fabric_primitives::{Cid, MemberId};
use serde::Serialize;

use crate::{ids::AnyId, time::utc};

/// The description of a text.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Described {
	/// An id.
	Id(Id),
	/// A muid.
	Muid(MuidParts),
	/// A TID.
	Tid(TidParts),
}

/// An id.
#[derive(Clone, Debug, Serialize)]
pub struct Id {
	/// The kind.
	pub kind: &'static str,
	/// The id.
	pub id: AnyId,
	/// Its bytes in hex.
	pub hex: String,
	/// A provider or a tenant in hex as storage keys and events have it, with its variant.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub member: Option<String>,
	/// The tenant in the id of a content object.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub tenant: Option<TenantId>,
	/// The content object without its tenant.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub object: Option<ContentObjectId>,
	/// The CID of a version's data.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub cid: Option<String>,
}

/// A muid, with its parts.
#[derive(Clone, Debug, Serialize)]
pub struct MuidParts {
	/// `muid`
	pub kind: &'static str,
	/// The muid.
	pub id: Muid,
	/// Its bytes in hex.
	pub hex: String,
	/// The time in UTC.
	pub time: String,
	/// The time in microseconds since the Unix epoch.
	pub timestamp: u64,
	/// The number of the writer in hex.
	pub medallion: String,
	/// The number of the creation in its transaction. 0 is the transaction itself.
	pub offset: i32,
}

/// A TID, with its parts.
#[derive(Clone, Debug, Serialize)]
pub struct TidParts {
	/// `tid`
	pub kind: &'static str,
	/// The TID.
	pub id: Tid,
	/// Its bytes in hex.
	pub hex: String,
	/// The time in UTC.
	pub time: String,
	/// The time in microseconds since the Unix epoch.
	pub timestamp: u64,
	/// The number of the writer.
	pub clock_id: u16,
	/// True if the top bit is set. It is 0 in every TID that is a record key on the chain.
	pub top_bit_set: bool,
}

impl Described {
	/// Describes an id.
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

	/// Describes a muid.
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

	/// Describes a TID.
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
		match self {
			Self::Id(id) => id.write_text(out),
			Self::Muid(muid) => {
				writeln!(out, "muid {}", muid.id)?;
				writeln!(out, "  hex        {}", muid.hex)?;
				writeln!(out, "  time       {}", muid.time)?;
				writeln!(out, "  medallion  {}", muid.medallion)?;
				writeln!(out, "  offset     {}", muid.offset)
			},
			Self::Tid(tid) => {
				writeln!(out, "TID {}", tid.id)?;
				writeln!(out, "  hex        {}", tid.hex)?;
				writeln!(out, "  time       {}", tid.time)?;
				writeln!(out, "  clock id   {}", tid.clock_id)?;
				match tid.top_bit_set {
					true => writeln!(out, "  top bit    set, so it is not a valid record key"),
					false => Ok(()),
				}
			},
		}
	}
}

impl Id {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "{} {}", self.kind, self.id)?;
		writeln!(out, "  hex        {}", self.hex)?;
		if let Some(member) = &self.member {
			writeln!(out, "  member     {member}")?;
		}
		if let Some(tenant) = &self.tenant {
			writeln!(out, "  tenant     {tenant}")?;
		}
		if let Some(object) = &self.object {
			writeln!(out, "  object     {object}")?;
		}
		if let Some(cid) = &self.cid {
			writeln!(out, "  CID        {cid}")?;
		}
		Ok(())
	}
}
