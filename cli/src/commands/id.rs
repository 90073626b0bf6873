// SPDX-License-Identifier: Apache-2.0
//! `fabric id`: the forms of ids, and ids from names. Needs no node.

mod described;

use std::io::{self, Write};

use clap::{Args, Subcommand, ValueEnum};
use codec::Decode;
use content_fabric_client::{ids, ids::AnyId};
use content_fabric_identifiers::{
	Cid, ContentObjectId, ContentObjectPath, KmsId, LenientTid, Muid, NodeId, ProviderId, SpaceId,
	TenantId, VersionId,
};
use content_fabric_primitives::MemberId;

use self::described::Described;
use crate::{output::Report, Error};

#[derive(Debug, Args)]
#[command(
	args_conflicts_with_subcommands = true,
	after_long_help = "\
Examples:
  fabric id iten3i37NcgooY8f1S
  fabric id --as tenant 30313233343536373839
  fabric id 5D5EAC793E61F-1BFC71B112D-0000000B
  fabric id 5D5EAC793E61F
  fabric id from-name tenant --space ispc… crates.io

The number of hex digits gives the kind: 22 for a provider or a tenant as in storage keys and
events, 13, 24 or 32 a muid, 16 a TID, 40 a content object with its tenant, 64 a version. 20 need
--as, and so do 13 that may be the text of a TID."
)]
pub struct Options {
	#[command(subcommand)]
	command: Option<Command>,
	/// Ids, muids, TIDs, CIDs of versions, or hex
	#[arg(required = true, value_name = "TEXT")]
	texts: Vec<String>,
	/// The kind of all of them: decides what hex is, and refuses everything else
	#[arg(long = "as", value_name = "KIND")]
	kind: Option<Kind>,
}

#[derive(Debug, Subcommand)]
enum Command {
	/// Print the id that --name derives from a name when an entity is created
	#[command(subcommand)]
	FromName(FromName),
}

#[derive(Debug, Subcommand)]
enum FromName {
	/// Print the id of a space
	#[command(after_long_help = "Example:\n  fabric id from-name space docs")]
	Space {
		/// The name
		name: String,
	},
	/// Print the id of a provider
	#[command(after_long_help = "Example:\n  fabric id from-name provider --space ispc… eu-1")]
	Provider(InSpace),
	/// Print the id of a node
	#[command(after_long_help = "Example:\n  fabric id from-name node --provider iprv… eu-1-a")]
	Node {
		/// The provider, iprv…
		#[arg(long, value_name = "ID")]
		provider: ProviderId,
		/// The name
		name: String,
	},
	/// Print the id of a tenant
	#[command(after_long_help = "Example:\n  fabric id from-name tenant --space ispc… crates.io")]
	Tenant(InSpace),
	/// Print the id of a KMS
	#[command(after_long_help = "Example:\n  fabric id from-name kms --tenant iten… main")]
	Kms(InTenant),
	/// Print the id of a content object
	#[command(after_long_help = "Example:\n  fabric id from-name object --tenant iten… serde")]
	Object(InTenant),
}

#[derive(Debug, Args)]
struct InSpace {
	/// The space, ispc…
	#[arg(long, value_name = "ID")]
	space: SpaceId,
	/// The name
	name: String,
}

#[derive(Debug, Args)]
struct InTenant {
	/// The tenant, iten…
	#[arg(long, value_name = "ID")]
	tenant: TenantId,
	/// The name
	name: String,
}

/// The kind of an id, a muid or a TID, with the number of digits of its hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
	/// A space, 20 digits
	Space,
	/// A provider, 20 digits
	Provider,
	/// A node, 20 digits
	Node,
	/// A tenant, 20 digits
	Tenant,
	/// A KMS, 20 digits
	Kms,
	/// A content object, 20 digits, or 40 with its tenant
	Object,
	/// A provider or a tenant with its variant before it, 22 digits
	Member,
	/// A version, 64 digits
	Version,
	/// A muid, 13, 24 or 32 digits
	Muid,
	/// A TID, 16 digits, or its text
	Tid,
}

impl Report for Vec<Described> {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		self.iter().try_for_each(|described| described.write_text(out))
	}
}

pub fn run(options: Options) -> Result<Vec<Described>, Error> {
	match options.command {
		Some(Command::FromName(from)) => Ok(vec![Described::id(from.id())]),
		None => {
			let texts = options.texts.iter();
			texts.map(|text| describe(text, options.kind)).collect()
		},
	}
}

impl FromName {
	fn id(&self) -> AnyId {
		match self {
			Self::Space { name } => AnyId::Space(ids::space(name)),
			Self::Provider(InSpace { space, name }) => AnyId::Provider(ids::provider(*space, name)),
			Self::Node { provider, name } => AnyId::Node(ids::node(*provider, name)),
			Self::Tenant(InSpace { space, name }) => AnyId::Tenant(ids::tenant(*space, name)),
			Self::Kms(InTenant { tenant, name }) => AnyId::Kms(ids::kms(*tenant, name)),
			Self::Object(InTenant { tenant, name }) => {
				let object = ids::content_object(*tenant, name);
				AnyId::ContentObjectPath(ContentObjectPath { tenant: *tenant, object })
			},
		}
	}
}

fn describe(text: &str, kind: Option<Kind>) -> Result<Described, Error> {
	let digits = text.strip_prefix("0x").unwrap_or(text);
	if let Some(muid) = short_muid(digits, kind)? {
		return Ok(Described::muid(muid));
	}
	if let (false, Ok(bytes)) = (digits.is_empty(), hex::decode(digits)) {
		return from_bytes(text, &bytes, kind);
	}
	let (described, kinds, found) = from_text(text)?;
	match kind {
		Some(kind) if !kinds.contains(&kind) => Err(Error::Text {
			text: text.into(),
			what: kind.name(),
			reason: format!("it is {found}"),
		}),
		_ => Ok(described),
	}
}

/// Describes a text that is not hex. Returns the kinds that it has, and its name for people.
fn from_text(text: &str) -> Result<(Described, &'static [Kind], &'static str), Error> {
	if text.contains('-') {
		let muid = text.parse::<Muid>().map_err(|error| Error::Text {
			text: text.into(),
			what: "an id, a muid, a TID or hex",
			reason: error.to_string(),
		})?;
		return Ok((Described::muid(muid), &[Kind::Muid], "a muid"));
	}
	if let Ok(cid) = text.parse::<Cid>() {
		return Ok((Described::cid(cid), &[Kind::Version], Kind::Version.name()));
	}
	match (text.parse::<AnyId>(), text.parse::<LenientTid>()) {
		(Ok(id), _) => {
			let kinds: &[Kind] = match id {
				AnyId::Space(_) => &[Kind::Space],
				AnyId::Provider(_) => &[Kind::Provider, Kind::Member],
				AnyId::Node(_) => &[Kind::Node],
				AnyId::Tenant(_) => &[Kind::Tenant, Kind::Member],
				AnyId::Kms(_) => &[Kind::Kms],
				AnyId::ContentObject(_) | AnyId::ContentObjectPath(_) => &[Kind::Object],
				AnyId::Version(_) => &[Kind::Version],
			};
			Ok((Described::id(id), kinds, kinds[0].name()))
		},
		(Err(_), Ok(tid)) => Ok((Described::tid(tid), &[Kind::Tid], "a TID")),
		(Err(error), Err(_)) => Err(error.into()),
	}
}

/// Returns the muid that 13 or 24 hex digits stand for. 13 digits may also be the text of a TID.
fn short_muid(text: &str, kind: Option<Kind>) -> Result<Option<Muid>, Error> {
	let is_short = matches!(text.len(), 13 | 24) && !text.contains('-');
	let Some(muid) = text.parse().ok().filter(|_| is_short) else { return Ok(None) };
	match kind {
		None if text.parse::<LenientTid>().is_ok() => Err(Error::Usage(format!(
			"`{text}` may be a TID or the timestamp of a muid: pass --as tid or --as muid"
		))),
		None | Some(Kind::Muid) => Ok(Some(muid)),
		Some(_) => Ok(None),
	}
}

/// Describes what hex stands for.
fn from_bytes(text: &str, bytes: &[u8], kind: Option<Kind>) -> Result<Described, Error> {
	let kind = kind.map_or_else(|| kind_of_length(text, bytes.len()), Ok)?;
	let object = || match bytes.len() {
		ContentObjectPath::LEN => id(bytes, AnyId::ContentObjectPath),
		_ => id(bytes, AnyId::ContentObject),
	};
	let described = match kind {
		Kind::Space => id::<SpaceId>(bytes, AnyId::Space),
		Kind::Provider => id::<ProviderId>(bytes, AnyId::Provider),
		Kind::Node => id::<NodeId>(bytes, AnyId::Node),
		Kind::Tenant => id::<TenantId>(bytes, AnyId::Tenant),
		Kind::Kms => id::<KmsId>(bytes, AnyId::Kms),
		Kind::Object => object(),
		Kind::Member => MemberId::decode(&mut &*bytes).ok().map(|member| match member {
			MemberId::Provider(provider) => Described::id(AnyId::Provider(provider)),
			MemberId::Tenant(tenant) => Described::id(AnyId::Tenant(tenant)),
		}),
		Kind::Version => id::<VersionId>(bytes, AnyId::Version),
		Kind::Muid => bytes.try_into().ok().map(Muid::from_bytes).map(Described::muid),
		Kind::Tid => bytes.try_into().ok().map(LenientTid::from_bytes).map(Described::tid),
	};
	described.filter(|_| kind.lengths().contains(&bytes.len())).ok_or_else(|| {
		let lengths = kind.lengths().iter().map(|length| (2 * length).to_string());
		let expected = lengths.collect::<Vec<_>>().join(" or ");
		let reason = match bytes.len() {
			MEMBER_LEN => {
				format!("expected {expected} digits that begin with 00 or 01")
			},
			found => format!("it has {} digits, expected {expected}", 2 * found),
		};
		Error::Text { text: text.into(), what: "hex of this kind", reason }
	})
}

/// Bytes of a member: the variant, and the id.
const MEMBER_LEN: usize = 1 + TenantId::LEN;

impl Kind {
	/// Returns the name of the kind, with its article.
	const fn name(self) -> &'static str {
		match self {
			Self::Space => "a space",
			Self::Provider => "a provider",
			Self::Node => "a node",
			Self::Tenant => "a tenant",
			Self::Kms => "a KMS",
			Self::Object => "a content object",
			Self::Member => "a provider or a tenant",
			Self::Version => "a version",
			Self::Muid => "a muid",
			Self::Tid => "a TID",
		}
	}

	/// Returns the numbers of bytes that this kind may have.
	const fn lengths(self) -> &'static [usize] {
		match self {
			Self::Space | Self::Provider | Self::Node | Self::Tenant | Self::Kms => &[SpaceId::LEN],
			Self::Object => &[ContentObjectId::LEN, ContentObjectPath::LEN],
			Self::Member => &[MEMBER_LEN],
			Self::Version => &[VersionId::LEN],
			Self::Muid => &[Muid::LEN],
			Self::Tid => &[LenientTid::LEN],
		}
	}
}

/// Returns the only kind with this number of bytes.
fn kind_of_length(text: &str, length: usize) -> Result<Kind, Error> {
	let mut kinds = Kind::value_variants().iter().filter(|kind| kind.lengths().contains(&length));
	match (kinds.next(), kinds.next()) {
		(Some(kind), None) => Ok(*kind),
		(Some(_), Some(_)) => Err(Error::Usage(format!(
			"`{text}` may be a space, a provider, a node, a tenant, a KMS or a content object: pass \
			 --as KIND"
		))),
		(None, _) => Err(Error::Text {
			text: text.into(),
			what: "an id, a muid or a TID in hex",
			reason: format!(
				"it has {} digits, expected 13, 16, 20, 22, 24, 32, 40 or 64",
				2 * length
			),
		}),
	}
}

fn id<'a, Id: TryFrom<&'a [u8]>>(bytes: &'a [u8], any: fn(Id) -> AnyId) -> Option<Described> {
	Id::try_from(bytes).ok().map(any).map(Described::id)
}

#[cfg(test)]
mod tests {
	use codec::Encode;
	use content_fabric_identifiers::HashKind;

	use super::*;
	use crate::output::text_of;

	fn json(text: &str, kind: Option<Kind>) -> serde_json::Value {
		let described = describe(text, kind).expect("the text is valid");
		serde_json::to_value(described).expect("every description is JSON")
	}

	#[test]
	fn ids_go_to_hex_and_back() {
		let tenant = TenantId(*b"0123456789");
		let path = ContentObjectPath { tenant, object: ContentObjectId([7; 10]) };
		for (id, kind) in [
			(AnyId::Space(SpaceId([1; 10])), Some(Kind::Space)),
			(AnyId::Provider(ProviderId([1; 10])), Some(Kind::Provider)),
			(AnyId::Node(NodeId([1; 10])), Some(Kind::Node)),
			(AnyId::Tenant(tenant), Some(Kind::Tenant)),
			(AnyId::Kms(KmsId([1; 10])), Some(Kind::Kms)),
			(AnyId::ContentObject(path.object), Some(Kind::Object)),
			(AnyId::ContentObjectPath(path), None),
			(AnyId::Version(VersionId([9; 32])), None),
		] {
			let text = json(&id.to_string(), None);
			let digits = text["hex"].as_str().expect("hex is text");
			assert_eq!(json(digits, kind), text);
			assert_eq!(json(&format!("0x{digits}"), kind)["id"], id.to_string());
		}
	}

	#[test]
	fn a_version_has_a_cid_of_each_kind_and_is_read_from_both() {
		let sha256 = "bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu";
		let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
		let any = json(digits, None);
		let blake3 = any["cid"].as_str().expect("it is text");
		assert!(blake3.starts_with("bafkr4i"), "{blake3}");
		assert_eq!(any["cid_sha256"], sha256);
		for (cid, hash) in [(blake3, "blake3"), (sha256, "sha256")] {
			let version = json(cid, None);
			assert_eq!((&version["cid"], &version["hash"]), (&cid.into(), &hash.into()));
			assert_eq!((&version["hex"], &version["id"]), (&digits.into(), &any["id"]));
			assert_eq!(version["cid_sha256"], serde_json::Value::Null);
		}
		let text = text_of(&vec![describe(digits, None).expect("it is a hash")]);
		let lines =
			format!("  CID        {blake3}\n             {sha256}, if it is a SHA-256 hash\n");
		assert!(text.ends_with(&lines), "{text}");
		assert_eq!(json("iten3i37NcgooY8f1S", None)["cid"], serde_json::Value::Null);
	}

	#[test]
	fn members_are_read_as_storage_keys_have_them() {
		for member in [MemberId::from(TenantId([1; 10])), ProviderId([2; 10]).into()] {
			let digits = hex::encode(member.encode());
			let described = json(&digits, None);
			assert_eq!(described["id"], member.to_string());
			assert_eq!(described["member"], digits);
		}
		let error = describe(&"02".repeat(11), None).expect_err("there are two variants");
		assert!(error.to_string().contains("begin with 00 or 01"), "{error}");
	}

	#[test]
	fn muids_and_tids_are_explained() {
		let muid = json("5D5EAC793E61F-1BFC71B112D-0000000B", None);
		assert_eq!((&muid["kind"], &muid["offset"]), (&"muid".into(), &11.into()));
		assert_eq!(muid["time"], "2022-01-19T08:00:30.975519Z");
		assert_eq!(muid["medallion"], "1BFC71B112D");
		assert_eq!(json("5D5EAC793E61F1BFC71B112D0000000B", None), muid);
		let short = json("5D5EAC793E61F-1BFC71B112D", None);
		assert_eq!(json("5D5EAC793E61F1BFC71B112D", None), short);
		assert_eq!(json("5D5EAC793E61F", None)["id"], "5D5EAC793E61F-00000000000-00000000");
		assert_eq!(json("5D5EAC793E61F", None)["time"], "2022-01-19T08:00:30.975519Z");
		for (kind, name) in [(Kind::Muid, "muid"), (Kind::Tid, "tid")] {
			assert_eq!(json("3abcdef234567", Some(kind))["kind"], name);
		}
		let tid = json("3jui7kd54zh2y", None);
		let parsed: LenientTid = "3jui7kd54zh2y".parse().expect("the TID is valid");
		assert_eq!((&tid["kind"], &tid["clock_id"]), (&"tid".into(), &parsed.clock_id().into()));
		assert_eq!(tid["timestamp"], parsed.timestamp());
		assert_eq!(json(&hex::encode(parsed.to_bytes()), None), tid);
	}

	#[test]
	fn a_negative_offset_is_said_to_count_back() {
		let text = |text: &str| text_of(&vec![describe(text, None).expect("the text is a muid")]);
		let relative = text("0000000000000-00000000000-FFFFFFFF");
		assert!(
			relative.contains("  offset     -1, which counts back from the item"),
			"{relative}"
		);
		assert!(text("5D5EAC793E61F-1BFC71B112D-0000000B").ends_with("  offset     11\n"));
		assert_eq!(json("5D5EAC793E61F-1BFC71B112D-FFFFFFFE", None)["offset"], -2);
	}

	#[test]
	fn a_kind_that_is_named_is_that_of_every_form_of_text() {
		let object = ContentObjectId([7; 10]);
		let path = ContentObjectPath { tenant: TenantId([1; 10]), object };
		let cid = |hash| Cid { hash, version: VersionId([1; 32]) }.to_string();
		for (text, kinds) in [
			(SpaceId([1; 10]).to_string(), &[Kind::Space][..]),
			(ProviderId([1; 10]).to_string(), &[Kind::Provider, Kind::Member]),
			(NodeId([1; 10]).to_string(), &[Kind::Node]),
			(TenantId([1; 10]).to_string(), &[Kind::Tenant, Kind::Member]),
			(KmsId([1; 10]).to_string(), &[Kind::Kms]),
			(object.to_string(), &[Kind::Object]),
			(path.to_string(), &[Kind::Object]),
			(VersionId([1; 32]).to_string(), &[Kind::Version]),
			(cid(HashKind::Blake3), &[Kind::Version]),
			(cid(HashKind::Sha256), &[Kind::Version]),
			("5D5EAC793E61F-1BFC71B112D-0000000B".into(), &[Kind::Muid]),
			("5D5EAC793E61F1BFC71B112D".into(), &[Kind::Muid]),
			("5D5EAC793E61F1BFC71B112D0000000B".into(), &[Kind::Muid]),
			("3jui7kd54zh2y".into(), &[Kind::Tid]),
			("3abcdef234567".into(), &[Kind::Tid, Kind::Muid]),
			("03".repeat(8), &[Kind::Tid]),
			("03".repeat(32), &[Kind::Version]),
		] {
			for kind in Kind::value_variants() {
				let described = describe(&text, Some(*kind));
				assert_eq!(described.is_ok(), kinds.contains(kind), "{text} {kind:?}");
			}
		}
		let tenant = TenantId([1; 10]).to_string();
		let error = describe(&tenant, Some(Kind::Version)).expect_err("it is a tenant").to_string();
		assert_eq!(error, format!("`{tenant}` is not a version: it is a tenant"));
	}

	#[test]
	fn tids_with_the_top_bit_are_not_record_keys() {
		let text = |text: &str| text_of(&vec![describe(text, None).expect("the text is a TID")]);
		let note = "  top bit    set, so it is not a valid record key\n";
		for (tid, is_set) in
			[("bzzzzzzzzzzzz", false), ("czzzzzzzzzzzz", true), ("jzzzzzzzzzzzz", true)]
		{
			assert_eq!(json(tid, None)["top_bit_set"], is_set, "{tid}");
			assert_eq!(text(tid).ends_with(note), is_set, "{tid}");
		}
	}

	#[test]
	fn texts_that_are_nothing_are_refused_with_a_reason() {
		for (text, kind, reason) in [
			("01010101010101010101", None, "pass --as KIND"),
			("0101", None, "it has 4 digits, expected 13, 16, 20, 22, 24, 32, 40 or 64"),
			("3abcdef234567", None, "pass --as tid or --as muid"),
			("0101", Some(Kind::Version), "it has 4 digits, expected 64"),
			("0101", Some(Kind::Object), "it has 4 digits, expected 20 or 40"),
			("serde", None, "an id starts with one of ispc, "),
			("0x", None, "an id starts with one of ispc, "),
			("", None, "an id starts with one of ispc, "),
			("iten0", None, "the character at byte 4 is not base58"),
			("5D5EAC793E61F-1", None, "is not an id, a muid, a TID or hex: "),
		] {
			let error = describe(text, kind).expect_err("the text is invalid").to_string();
			assert!(error.contains(reason), "{text}: {error}");
		}
	}

	#[test]
	fn names_give_the_ids_that_creating_gives() {
		let space = ids::space("docs");
		let from = FromName::Tenant(InSpace { space, name: "crates.io".into() });
		assert_eq!(from.id(), AnyId::Tenant(ids::tenant(space, "crates.io")));
		let tenant = ids::tenant(space, "crates.io");
		let object = ids::content_object(tenant, "serde");
		let from = FromName::Object(InTenant { tenant, name: "serde".into() });
		assert_eq!(from.id(), AnyId::ContentObjectPath(ContentObjectPath { tenant, object }));
	}
}
