// SPDX-License-Identifier: Apache-2.0
//! Ids: from text, and from names.
//!
//! An id from a name is the BLAKE2b hash, of the id's length, of the kind's name, a zero byte, the
//! ids of the parents, and the entity's own name. So the same names give the same ids everywhere,
//! and a second run of `publish` finds what the first has published.

mod address;
mod any;

use std::{fmt, str::FromStr};

use blake2::{digest::consts::U10, Blake2b, Digest};
use content_fabric_identifiers::{
	id_kind, Cid, ContentObjectId, ContentObjectPath, HashKind, KmsId, NodeId, ParseCidError,
	ParseIdError, ProviderId, SpaceId, TenantId, VersionId, ID_KINDS,
};
use content_fabric_primitives::{MemberId, ParseMemberIdError};
use serde::{de, Deserialize, Deserializer};
use subxt::utils::AccountId32;

pub use address::Address;
pub use any::AnyId;

/// More characters than the longest address of an account has, which are 50.
const MAX_ADDRESS_LEN: usize = 64;

/// A text is not the id that is needed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdError {
	/// The text has the right prefix, but is not an id.
	#[error("`{text}` is not an id: {reason}")]
	Id {
		/// The text.
		text: String,
		/// The reason.
		#[source]
		reason: ParseIdError,
	},
	/// The text does not start with a prefix of ids.
	#[error("`{text}` is not an id: an id starts with one of {prefixes}")]
	Prefix {
		/// The text.
		text: String,
		/// The prefixes that are expected.
		prefixes: String,
	},
	/// The id is of another kind.
	#[error("`{text}` is {found}, expected {needed} ({prefixes})")]
	Kind {
		/// The text.
		text: String,
		/// The kind of the text, such as `the id of a node`.
		found: String,
		/// The kinds that are needed.
		needed: String,
		/// The prefixes of their ids.
		prefixes: String,
	},
	/// The text is a CID, but not of a version.
	#[error("`{text}` is not the CID of a version: {reason}")]
	Cid {
		/// The text.
		text: String,
		/// The reason.
		#[source]
		reason: ParseCidError,
	},
	/// The object belongs to another tenant.
	#[error(
		"the content object {object} belongs to the tenant {}, not to {tenant}",
		object.tenant
	)]
	OtherTenant {
		/// The id of the object with its tenant.
		object: ContentObjectPath,
		/// The tenant in question.
		tenant: TenantId,
	},
	/// The text is not the address of an account.
	#[error("`{text}` is not the address of an account: {reason}")]
	Account {
		/// The text.
		text: String,
		/// The reason.
		reason: String,
	},
}

/// The CID of a version has another kind of hash than the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
	"there is no version {given}: {} is a {} hash, so its CID is {found}",
	found.version,
	found.hash.name()
)]
pub struct OtherHash {
	/// The CID that was given.
	pub given: Cid,
	/// The CID of the version.
	pub found: Cid,
}

/// Reads an id.
pub fn parse<Id: FromStr<Err = ParseIdError>>(text: &str) -> Result<Id, IdError> {
	text.parse().map_err(|reason| {
		let other_kind = match reason {
			ParseIdError::Prefix { expected, .. } => other_kind(text, &[expected]),
			_ => None,
		};
		other_kind.unwrap_or_else(|| IdError::Id { text: text.into(), reason })
	})
}

/// Reads the id of a provider or a tenant.
pub fn parse_member(text: &str) -> Result<MemberId, IdError> {
	text.parse().map_err(|error| match error {
		ParseMemberIdError::Prefix { .. } => {
			let needed = [ProviderId::PREFIX, TenantId::PREFIX];
			let unknown = || IdError::Prefix { text: text.into(), prefixes: needed.join(", ") };
			other_kind(text, &needed).unwrap_or_else(unknown)
		},
		ParseMemberIdError::Id(reason) => IdError::Id { text: text.into(), reason },
	})
}

/// Reads the id of a version: its text, its hash in hex, with or without `0x`, or the CID of its
/// data.
pub fn parse_version(text: &str) -> Result<VersionId, IdError> {
	text.parse().map(|VersionArgument { version, .. }| version)
}

/// A version as [`parse_version`] reads it. A CID also says which kind of hash the id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionArgument {
	/// The version.
	pub version: VersionId,
	/// The kind of its hash, if the text says it.
	pub hash: Option<HashKind>,
}

impl FromStr for VersionArgument {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		if let Some(hash) = hash_of(text) {
			return Ok(Self { version: VersionId(hash), hash: None });
		}
		match text.parse() {
			Ok(Cid { hash, version }) => Ok(Self { version, hash: Some(hash) }),
			Err(ParseCidError::Syntax) => Ok(Self { version: parse(text)?, hash: None }),
			Err(reason) => Err(IdError::Cid { text: text.into(), reason }),
		}
	}
}

impl From<VersionId> for VersionArgument {
	fn from(version: VersionId) -> Self {
		Self { version, hash: None }
	}
}

impl fmt::Display for VersionArgument {
	/// Writes the CID if the kind of hash is known, and the id otherwise.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match *self {
			Self { version, hash: Some(hash) } => Cid { hash, version }.fmt(f),
			Self { version, hash: None } => version.fmt(f),
		}
	}
}

impl VersionArgument {
	/// Returns whether the version can be a hash of this kind.
	pub fn can_be(&self, hash: HashKind) -> bool {
		self.hash.is_none_or(|given| given == hash)
	}

	/// Checks that the version is a hash of the kind that the text says.
	pub fn ensure(&self, found: HashKind) -> Result<(), OtherHash> {
		match self.hash {
			Some(given) if given != found => {
				let [given, found] = [given, found].map(|hash| Cid { hash, version: self.version });
				Err(OtherHash { given, found })
			},
			_ => Ok(()),
		}
	}

	/// Returns the rows of the version whose hashes are of the kind that the text says. Fails if
	/// there are rows, and all are of another kind.
	pub fn select<T>(
		&self,
		rows: Vec<T>,
		hash: impl Fn(&T) -> HashKind,
	) -> Result<Vec<T>, OtherHash> {
		let found = rows.first().map(&hash);
		let selected: Vec<_> = rows.into_iter().filter(|row| self.can_be(hash(row))).collect();
		match found {
			Some(found) if selected.is_empty() => self.ensure(found).map(|()| selected),
			_ => Ok(selected),
		}
	}
}

/// Reads a hash of 32 bytes in hex, with or without `0x`.
fn hash_of(text: &str) -> Option<[u8; 32]> {
	let mut hash = [0; 32];
	let digits = text.strip_prefix("0x").unwrap_or(text);
	hex::decode_to_slice(digits, &mut hash).is_ok().then_some(hash)
}

/// Returns `true` if a text has the form of a version's id, of a hash in hex, or of a CID.
pub fn names_version(text: &str) -> bool {
	text.starts_with(VersionId::PREFIX)
		|| text.len() >= 64
		|| !matches!(text.parse::<Cid>(), Err(ParseCidError::Syntax))
}

/// Reads the address of an account.
pub fn parse_account(text: &str) -> Result<AccountId32, IdError> {
	let refused = |reason| IdError::Account { text: text.into(), reason };
	// The decoder panics at long texts.
	if text.len() > MAX_ADDRESS_LEN {
		return Err(refused("it is longer than any address".into()));
	}
	AccountId32::from_str(text).map_err(|_| refused(address::fault(text)))
}

/// Deserializes the address of an account, for fields of what others send.
pub fn deserialize_account<'de, D: Deserializer<'de>>(
	deserializer: D,
) -> Result<AccountId32, D::Error> {
	let text = String::deserialize(deserializer)?;
	parse_account(&text).map_err(de::Error::custom)
}

/// Deserializes the address of an account, or `null`.
pub fn deserialize_account_or_none<'de, D: Deserializer<'de>>(
	deserializer: D,
) -> Result<Option<AccountId32>, D::Error> {
	let text = Option::<String>::deserialize(deserializer)?;
	text.map(|text| parse_account(&text)).transpose().map_err(de::Error::custom)
}

/// The id of a content object: alone, `iq__…`, or with its tenant, `itq_…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectArgument {
	/// The object alone.
	Object(ContentObjectId),
	/// The object with its tenant.
	Path(ContentObjectPath),
}

impl FromStr for ObjectArgument {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		const PREFIXES: [&str; 2] = [ContentObjectId::PREFIX, ContentObjectPath::PREFIX];
		match text {
			_ if text.starts_with(PREFIXES[1]) => parse(text).map(Self::Path),
			_ if text.starts_with(PREFIXES[0]) => parse(text).map(Self::Object),
			_ => Err(other_kind(text, &PREFIXES).unwrap_or_else(|| IdError::Prefix {
				text: text.into(),
				prefixes: PREFIXES.join(", "),
			})),
		}
	}
}

impl ObjectArgument {
	/// Returns the object, which must be one of the tenant.
	pub fn of(self, tenant: TenantId) -> Result<ContentObjectId, IdError> {
		match self {
			Self::Object(object) => Ok(object),
			Self::Path(path) if path.tenant == tenant => Ok(path.object),
			Self::Path(object) => Err(IdError::OtherTenant { object, tenant }),
		}
	}
}

/// Returns the error of a text that has none of the prefixes that are needed, if it is another id.
pub fn other_kind(text: &str, needed: &[&str]) -> Option<IdError> {
	let found = match (id_kind(text), text.parse::<Cid>()) {
		(Some(kind), _) => format!("the id of {kind}"),
		(None, Ok(_)) => "the CID of a version".into(),
		(None, Err(ParseCidError::Kind)) => "a CID".into(),
		(None, Err(_)) => hash_of(text).map(|_| "a hash in hex".into())?,
	};
	let kinds = ID_KINDS.iter().filter(|(prefix, _)| needed.contains(prefix));
	let mut kinds: Vec<_> = kinds.map(|(_, kind)| *kind).collect();
	// Content objects have two prefixes.
	kinds.dedup();
	let prefixes: Vec<_> = needed.iter().map(|prefix| format!("{prefix}…")).collect();
	Some(IdError::Kind {
		text: text.into(),
		found,
		needed: kinds.join(" or "),
		prefixes: prefixes.join(", "),
	})
}

/// Returns the id of a space of this name.
pub fn space(name: &str) -> SpaceId {
	SpaceId(derive("space", &[], name))
}

/// Returns the id of a space's provider of this name.
pub fn provider(space: SpaceId, name: &str) -> ProviderId {
	ProviderId(derive("provider", &space.0, name))
}

/// Returns the id of a provider's node of this name.
pub fn node(provider: ProviderId, name: &str) -> NodeId {
	NodeId(derive("node", &provider.0, name))
}

/// Returns the id of a space's tenant of this name.
pub fn tenant(space: SpaceId, name: &str) -> TenantId {
	TenantId(derive("tenant", &space.0, name))
}

/// Returns the id of a tenant's KMS of this name.
pub fn kms(tenant: TenantId, name: &str) -> KmsId {
	KmsId(derive("kms", &tenant.0, name))
}

/// Returns the id of a tenant's content object of this name.
pub fn content_object(tenant: TenantId, name: &str) -> ContentObjectId {
	ContentObjectId(derive("content-object", &tenant.0, name))
}

fn derive(kind: &str, parent: &[u8], name: &str) -> [u8; 10] {
	Blake2b::<U10>::new()
		.chain_update(kind)
		.chain_update([0])
		.chain_update(parent)
		.chain_update(name)
		.finalize()
		.into()
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ids_of_another_kind_are_named_in_the_error() {
		let error = parse::<TenantId>("iprv1111111111").expect_err("it is not a tenant");
		assert_eq!(
			error.to_string(),
			"`iprv1111111111` is the id of a provider, expected a tenant (iten…)"
		);
		let cid = Cid { hash: HashKind::Sha256, version: VersionId([2; 32]) }.to_string();
		let (digits, other) = ("02".repeat(32), cid.replacen("bafkrei", "bafybei", 1));
		for (text, found) in [
			("hq__1", "the id of a version"),
			(&cid, "the CID of a version"),
			// Of DAG-PB.
			(&other, "a CID"),
			(&digits, "a hash in hex"),
			(&format!("0x{digits}"), "a hash in hex"),
		] {
			let object = text.parse::<ObjectArgument>().expect_err("it is not an object");
			let expected = "expected a content object (iq__…, itq_…)";
			assert_eq!(object.to_string(), format!("`{text}` is {found}, {expected}"));
			let tenant = parse::<TenantId>(text).expect_err("it is not a tenant").to_string();
			assert_eq!(tenant, format!("`{text}` is {found}, expected a tenant (iten…)"));
		}
		let error = "object".parse::<ObjectArgument>().expect_err("it is not an id").to_string();
		assert_eq!(error, "`object` is not an id: an id starts with one of iq__, itq_");
		let error = parse::<TenantId>("tenant").expect_err("it is not an id");
		assert_eq!(error.to_string(), "`tenant` is not an id: the id does not start with `iten`");
		assert_eq!(parse::<TenantId>("iten1111111111").ok(), Some(TenantId([0; 10])));
	}

	#[test]
	fn ids_of_members_are_recognized_by_their_prefix() {
		for text in ["iprv1111111111", "iten1111111111"] {
			assert_eq!(parse_member(text).expect("the id is valid").to_string(), text);
		}
		for text in ["", "iten", "space", "iprv0"] {
			let error = parse_member(text).expect_err("the id is invalid").to_string();
			assert!(error.contains("is not an id: "), "{text:?}: {error}");
		}
		let error =
			parse_member("ispc1111111111").expect_err("a space is not a member").to_string();
		assert_eq!(
			error,
			"`ispc1111111111` is the id of a space, expected a provider or a tenant (iprv…, iten…)"
		);
	}

	#[test]
	fn versions_are_named_by_their_id_by_their_hash_in_hex_or_by_their_cid() {
		let version = VersionId([0xab; 32]);
		let [blake3, sha256] = HashKind::ALL.map(|hash| (Cid { hash, version }.to_string(), hash));
		let other = |text: String| (text, None);
		for (text, hash) in [
			other(version.to_string()),
			other("ab".repeat(32)),
			other(format!("0x{}", "AB".repeat(32))),
			(blake3.0, Some(blake3.1)),
			(sha256.0, Some(sha256.1)),
		] {
			assert_eq!(text.parse(), Ok(VersionArgument { version, hash }), "{text}");
			assert_eq!(parse_version(&text), Ok(version), "{text}");
		}
		let text = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
		assert_eq!(
			parse_version(text).map_err(|error| error.to_string()),
			Err(format!(
				"`{text}` is not the CID of a version: expected a CIDv1 of raw data with a BLAKE3 \
				 or SHA-256 hash"
			))
		);
		for text in ["", "0x", "abab", "hq__0", "iten1111111111", &"ab".repeat(33)] {
			assert!(parse_version(text).is_err(), "{text:?}");
		}
	}

	#[test]
	fn a_cid_selects_the_rows_of_its_kind_of_hash_and_an_id_all() {
		let version = VersionId([0xab; 32]);
		let [blake3, sha256] = HashKind::ALL;
		let cid = VersionArgument { version, hash: Some(sha256) };
		let id = VersionArgument::from(version);
		let select = |from: VersionArgument, rows: &[HashKind]| {
			from.select(rows.to_vec(), |hash| *hash).map_err(|error| error.to_string())
		};
		for rows in [&[][..], &[blake3], &[sha256, blake3]] {
			assert_eq!(select(id, rows), Ok(rows.to_vec()));
		}
		assert_eq!(select(cid, &[]), Ok(vec![]));
		assert_eq!(select(cid, &[blake3, sha256]), Ok(vec![sha256]));
		let found = Cid { hash: blake3, version };
		let reason =
			format!("there is no version {cid}: {id} is a BLAKE3 hash, so its CID is {found}");
		assert_eq!(select(cid, &[blake3, blake3]), Err(reason.clone()));
		assert_eq!(cid.ensure(blake3).map_err(|error| error.to_string()), Err(reason));
		assert_eq!((cid.ensure(sha256), id.ensure(blake3)), (Ok(()), Ok(())));
		assert!(cid.to_string().starts_with("bafkrei") && id.to_string() == version.to_string());
	}

	#[test]
	fn objects_are_named_alone_or_with_their_own_tenant() {
		let (tenant, other) = (TenantId([1; 10]), TenantId([2; 10]));
		let id = ContentObjectId([3; 10]);
		let read = |text: String| text.parse::<ObjectArgument>().expect("the id is valid");
		let path = ContentObjectPath { tenant, object: id }.to_string();
		assert_eq!(read(id.to_string()).of(tenant), Ok(id));
		assert_eq!(read(path.clone()).of(tenant), Ok(id));
		assert!(matches!(read(path).of(other), Err(IdError::OtherTenant { .. })));
		assert!(matches!("iten1111111111".parse::<ObjectArgument>(), Err(IdError::Kind { .. })));
	}

	#[test]
	fn ids_depend_on_kind_parent_and_name_alone() {
		let cargo = space("cargo");
		assert_eq!(cargo, space("cargo"));
		// The hash of these bytes by another implementation (Python's hashlib.blake2b,
		// digest_size=10).
		assert_eq!(hex::encode(cargo.0), "c93fc1e769417a89a768");
		assert_ne!(cargo, space("cargo2"));
		assert_ne!(provider(cargo, "a").0, tenant(cargo, "a").0);
		assert_ne!(tenant(cargo, "a"), tenant(space("other"), "a"));
	}
}
