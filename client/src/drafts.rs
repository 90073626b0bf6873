// SPDX-License-Identifier: Apache-2.0
//! The documents that go between a node and a tenant: a draft of a commit, and a signed one.

use codec::{DecodeAll, Encode};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId,
};
use content_fabric_primitives::{wrap_payload, DraftVersion, HashKind};
use ed25519_zebra::VerificationKey;
use secp256k1::{
	ecdsa::{RecoverableSignature, RecoveryId},
	Message, PublicKey, SECP256K1,
};
use serde::{Deserialize, Serialize};
use subxt::utils::{AccountId32, MultiSignature};
use subxt_signer::sr25519;

use crate::{
	chain::{blake2_256, VersionCommit},
	ids::deserialize_account,
	keys::{ChainKind, Signer},
	profile::hash,
	text::length_of_time,
};

/// A tenant's request for a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftRequest {
	/// The tenant that owns the objects.
	pub tenant: TenantId,
	/// The KMS for which the data is encrypted, if it is.
	pub kms: Option<KmsId>,
	/// True to create the objects that do not exist.
	#[serde(default)]
	pub create_objects: bool,
	/// Other nodes that are asked to hold the data.
	#[serde(default, skip_serializing_if = "Vec::is_empty")]
	pub copies: Vec<AskedNode>,
	/// The versions.
	pub versions: Vec<DraftedVersion>,
}

/// A commit that a node has drafted, for a key of the tenant to sign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
	/// The genesis hash of the chain.
	#[serde(with = "hash")]
	pub genesis_hash: [u8; 32],
	/// The muid of the commit.
	pub muid: Muid,
	/// The provider whose node takes in the data.
	pub provider: ProviderId,
	/// The node.
	pub node: NodeId,
	/// Other nodes that the tenant asks to hold the data.
	#[serde(default, skip_serializing_if = "Vec::is_empty")]
	pub copies: Vec<AskedNode>,
	/// The tenant that owns the objects.
	pub tenant: TenantId,
	/// The KMS for which the data is encrypted, if it is.
	pub kms: Option<KmsId>,
	/// True if objects that do not exist are created.
	pub create_objects: bool,
	/// The versions.
	pub versions: Vec<DraftedVersion>,
	/// The bytes to sign.
	#[serde(with = "hex_text")]
	pub payload: Vec<u8>,
}

/// A node that a [`Draft`] asks to hold the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedNode {
	/// The provider of the node.
	pub provider: ProviderId,
	/// The node.
	pub node: NodeId,
}

impl From<(ProviderId, NodeId)> for AskedNode {
	fn from((provider, node): (ProviderId, NodeId)) -> Self {
		Self { provider, node }
	}
}

/// A version in a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftedVersion {
	/// The content object.
	pub object: ContentObjectId,
	/// The version: the hash of its data.
	pub version: VersionId,
	/// The kind of the hash, `blake3` or `sha256`.
	pub hash: HashKind,
	/// Size of the data in bytes; 0 if it is unknown, which is only for `sha256`.
	#[serde(with = "size_text")]
	pub size: u64,
	/// True if finalizing makes the version the head of its object.
	#[serde(default)]
	pub head: bool,
}

impl From<DraftVersion> for DraftedVersion {
	fn from(draft: DraftVersion) -> Self {
		let DraftVersion { object, version, hash, size, set_head_on_finalize: head } = draft;
		Self { object, version, hash, size, head }
	}
}

impl From<DraftedVersion> for DraftVersion {
	fn from(drafted: DraftedVersion) -> Self {
		let DraftedVersion { object, version, hash, size, head: set_head_on_finalize } = drafted;
		Self { object, version, hash, size, set_head_on_finalize }
	}
}

/// A draft with the signature of a key of the tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedDraft {
	/// The draft.
	pub draft: Draft,
	/// The account that signed.
	#[serde(deserialize_with = "deserialize_account")]
	pub account: AccountId32,
	/// Its signature of the payload: the SCALE encoding of a `MultiSignature`.
	#[serde(with = "hex_text")]
	pub signature: Vec<u8>,
}

impl Draft {
	/// Drafts a commit for the chain with this genesis hash.
	pub fn new(genesis_hash: [u8; 32], commit: &VersionCommit) -> Self {
		Self {
			genesis_hash,
			muid: commit.muid,
			provider: commit.originator,
			node: commit.node,
			copies: commit.copies.iter().copied().map(AskedNode::from).collect(),
			tenant: commit.tenant,
			kms: commit.kms,
			create_objects: commit.create_objects,
			versions: commit.versions.iter().copied().map(DraftedVersion::from).collect(),
			payload: commit.payload(genesis_hash),
		}
	}

	/// Returns the commit. Fails if the payload differs from the commit: what is shown must be what
	/// is signed.
	pub fn commit(&self) -> Result<VersionCommit, DraftError> {
		let versions: Vec<_> = self.versions.iter().copied().map(DraftVersion::from).collect();
		let copies: Vec<_> = self.copies.iter().map(|asked| (asked.provider, asked.node)).collect();
		let commit = VersionCommit {
			muid: self.muid,
			originator: self.provider,
			node: self.node,
			copies: copies.try_into().map_err(|_| DraftError::TooManyCopies)?,
			tenant: self.tenant,
			kms: self.kms,
			create_objects: self.create_objects,
			versions: versions.try_into().map_err(|_| DraftError::TooManyVersions)?,
		};
		match commit.payload(self.genesis_hash) == self.payload {
			true => Ok(commit),
			false => Err(DraftError::Payload),
		}
	}

	/// Checks that the draft is for the chain with this genesis hash.
	pub fn ensure_chain(&self, expected: &[u8; 32]) -> Result<(), DraftError> {
		match self.genesis_hash == *expected {
			true => Ok(()),
			false => Err(DraftError::OtherChain { found: self.genesis_hash, expected: *expected }),
		}
	}
}

impl SignedDraft {
	/// Adds the sr25519 signature of an account to a draft.
	pub fn new(draft: Draft, account: AccountId32, signature: [u8; 64]) -> Self {
		Self { draft, account, signature: MultiSignature::Sr25519(signature).encode() }
	}

	/// Returns the signature. Fails if it is malformed, or of another account.
	pub fn signature(&self) -> Result<MultiSignature, DraftError> {
		let signature = MultiSignature::decode_all(&mut &self.signature[..]);
		let signature = signature.map_err(|_| DraftError::Signature)?;
		match has_signed(&signature, &self.draft.payload, &self.account) {
			true => Ok(signature),
			false => Err(DraftError::OtherSigner(self.account)),
		}
	}
}

/// Returns `true` if the account has signed the payload, as it is or as wallets wrap it.
pub(crate) fn has_signed(
	signature: &MultiSignature,
	payload: &[u8],
	account: &AccountId32,
) -> bool {
	is_signed(signature, payload, account) || is_signed(signature, &wrap_payload(payload), account)
}

/// Returns `true` if the account has signed the message, by the rules of the chain.
fn is_signed(signature: &MultiSignature, message: &[u8], account: &AccountId32) -> bool {
	match signature {
		MultiSignature::Sr25519(bytes) => {
			let (signature, key) = (sr25519::Signature(*bytes), sr25519::PublicKey(account.0));
			sr25519::verify(&signature, message, &key)
		},
		MultiSignature::Ed25519(bytes) => VerificationKey::try_from(account.0)
			.is_ok_and(|key| key.verify(&(*bytes).into(), message).is_ok()),
		// The account is the hash of the key.
		MultiSignature::Ecdsa(bytes) => {
			ecdsa_key(bytes, message).is_ok_and(|key| blake2_256(&key.serialize()) == account.0)
		},
	}
}

/// Returns the key that has made an ECDSA signature.
fn ecdsa_key(signature: &[u8; 65], message: &[u8]) -> Result<PublicKey, secp256k1::Error> {
	let [signature @ .., recovery] = signature;
	// Ethereum counts from 27.
	let recovery = i32::from(if *recovery > 26 { recovery - 27 } else { *recovery });
	let signature = RecoverableSignature::from_compact(signature, RecoveryId::from_i32(recovery)?)?;
	SECP256K1.recover_ecdsa(&Message::from_digest(blake2_256(message)), &signature)
}

/// Number of seconds that a commit may be dated ahead of the clock of this machine.
pub const MAX_AHEAD: u64 = 60;

/// Checks the date of a commit that is signed as soon as a node has given the time. Everybody can
/// sign with a public key, and development chains may run ahead of the clock, so only a limit that
/// is given holds there.
pub fn ensure_signable(
	muid: Muid,
	now: u64,
	max_seconds: Option<u64>,
	kind: ChainKind,
	signer: &Signer,
) -> Result<(), DraftError> {
	let is_bound = kind != ChainKind::Development && !signer.is_public();
	match max_seconds.or(is_bound.then_some(MAX_AHEAD)) {
		Some(max_seconds) => ensure_not_ahead(muid.timestamp(), now, max_seconds),
		None => Ok(()),
	}
}

/// Checks that a commit is not dated ahead: the chain would accept it late, and it could undo what
/// the tenant decides in between. Times are in microseconds since the Unix epoch.
pub fn ensure_not_ahead(timestamp: u64, now: u64, max_seconds: u64) -> Result<(), DraftError> {
	match timestamp.saturating_sub(now) <= max_seconds.saturating_mul(1_000_000) {
		true => Ok(()),
		false => Err(DraftError::Ahead(distance(timestamp, now))),
	}
}

/// Returns the time between a commit and the clock of this machine, in words.
pub fn distance(timestamp: u64, now: u64) -> String {
	let length = length_of_time(timestamp.abs_diff(now) / 1_000_000);
	match timestamp > now {
		true => format!("{length} ahead of the clock of this machine"),
		false => format!("{length} ago by the clock of this machine"),
	}
}

/// A draft, or its signature, is not what it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraftError {
	/// No commit has so many versions.
	#[error("the draft has too many versions for a commit")]
	TooManyVersions,
	/// No commit asks so many nodes.
	#[error("the draft asks too many nodes for a commit")]
	TooManyCopies,
	/// The commit is dated too far ahead.
	#[error(
		"the commit is dated {0}, so it could undo later decisions of the tenant: if the clock of the \
		 chain is that far ahead, pass a larger --max-ahead"
	)]
	Ahead(String),
	/// The payload does not match the commit.
	#[error(
		"the payload of the draft does not match its commit: the draft was changed, or another \
		 version of `fabric` made it"
	)]
	Payload,
	/// The draft is for another chain.
	#[error(
		"the draft is for the chain with the genesis hash 0x{}, expected 0x{}",
		hex::encode(found),
		hex::encode(expected)
	)]
	OtherChain {
		/// The genesis hash of the draft.
		found: [u8; 32],
		/// The genesis hash of the chain.
		expected: [u8; 32],
	},
	/// The signature has no form that the chain knows.
	#[error(
		"the signature is invalid: expected 0x01 and 64 bytes of an sr25519 signature in hex, or \
		 another MultiSignature"
	)]
	Signature,
	/// The account has not signed the payload.
	#[error("the signature was not made by {0} on the payload of the draft")]
	OtherSigner(AccountId32),
}

/// A size as a number, and as text where readers of JSON lose digits of numbers. Reads either.
mod size_text {
	use std::fmt;

	use serde::{
		de::{self, value::MapAccessDeserializer},
		Deserialize, Deserializer, Serializer,
	};

	/// The largest number up to which a floating-point number has all integers.
	const MOST: u64 = (1 << 53) - 1;

	pub fn serialize<S: Serializer>(size: &u64, serializer: S) -> Result<S::Ok, S::Error> {
		match *size {
			0..=MOST => serializer.serialize_u64(*size),
			_ => serializer.collect_str(size),
		}
	}

	pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
		deserializer.deserialize_any(Size)
	}

	struct Size;

	impl<'de> de::Visitor<'de> for Size {
		type Value = u64;

		fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
			f.write_str("`size` as a whole number of bytes, or its digits as text")
		}

		fn visit_u64<E: de::Error>(self, size: u64) -> Result<u64, E> {
			Ok(size)
		}

		fn visit_str<E: de::Error>(self, text: &str) -> Result<u64, E> {
			let digits = text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text);
			let size = digits.and_then(|digits| digits.parse().ok());
			size.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
		}

		/// Reads a number that is not a whole one, which `serde_json` passes on as a map to keep
		/// its digits.
		fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<u64, A::Error> {
			let number = serde_json::Number::deserialize(MapAccessDeserializer::new(map));
			Err(match number {
				Ok(number) => de::Error::custom(format!(
					"invalid `size`: expected a whole number, found {number}"
				)),
				Err(_) => de::Error::invalid_type(de::Unexpected::Map, &self),
			})
		}
	}
}

/// Bytes as `0x` and hex digits.
mod hex_text {
	use serde::{de, Deserialize, Deserializer, Serializer};

	pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
		serializer.serialize_str(&format!("0x{}", hex::encode(bytes)))
	}

	pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
		let text = String::deserialize(deserializer)?;
		let digits = text.strip_prefix("0x");
		let digits = digits.ok_or_else(|| de::Error::custom("expected `0x` and hex digits"))?;
		hex::decode(digits).map_err(de::Error::custom)
	}
}

#[cfg(test)]
pub(crate) mod tests {
	use content_fabric_identifiers::Medallion;
	use subxt_signer::sr25519::dev;

	use super::*;
	use crate::{keys::KeySource, samples::draft};

	pub(crate) fn signed() -> SignedDraft {
		let draft = draft();
		let signature = dev::charlie().sign(&draft.payload).0;
		SignedDraft::new(draft, dev::charlie().public_key().to_account_id(), signature)
	}

	#[test]
	fn the_payload_must_be_that_of_the_commit_that_is_shown() {
		assert!(draft().commit().is_ok());
		let changes: [fn(&mut Draft); 9] = [
			|draft| draft.copies.clear(),
			|draft| draft.copies[0].node = NodeId([9; 10]),
			|draft| draft.kms = None,
			|draft| draft.versions[0].version = VersionId([9; 32]),
			|draft| draft.versions[0].hash = HashKind::Sha256,
			|draft| draft.versions[0].head = false,
			|draft| draft.genesis_hash = [8; 32],
			|draft| draft.create_objects = false,
			|draft| draft.payload.push(0),
		];
		for change in changes {
			let mut changed = draft();
			change(&mut changed);
			assert!(changed.commit().is_err(), "{changed:?}");
		}
	}

	#[test]
	fn an_account_longer_than_any_address_is_refused() {
		let text = serde_json::to_string(&signed()).expect("it is JSON");
		assert!(serde_json::from_str::<SignedDraft>(&text).is_ok());
		let account = signed().account.to_string();
		for long in ["1".repeat(65), "1".repeat(400), "z".repeat(1 << 20)] {
			let text = text.replace(&account, &long);
			let error = serde_json::from_str::<SignedDraft>(&text).expect_err("it is too long");
			assert!(error.to_string().contains("it is longer than any address"));
		}
	}

	#[test]
	fn sizes_are_read_as_numbers_and_as_text_and_lose_no_digit() {
		for (size, json) in [
			(0, "0"),
			((1 << 53) - 1, "9007199254740991"),
			(1 << 53, "\"9007199254740992\""),
			(u64::MAX, "\"18446744073709551615\""),
		] {
			let version = DraftedVersion { size, ..draft().versions[0] };
			let text = serde_json::to_string(&version).expect("it is JSON");
			assert!(text.contains(&format!("\"size\":{json},")), "{text}");
			let digits = size.to_string();
			for form in [digits.clone(), format!("\"{digits}\"")] {
				let other = text.replace(json, &form);
				assert_eq!(serde_json::from_str::<DraftedVersion>(&other).ok(), Some(version));
			}
		}
		let text = serde_json::to_string(&draft().versions[0]).expect("it is JSON");
		for wrong in ["-1", "1.5", "\"\"", "\"+1\"", "\"1e3\"", "\"18446744073709551616\"", "null"]
		{
			let text = text.replace("\"18446744073709551615\"", wrong);
			let error = serde_json::from_str::<DraftedVersion>(&text).expect_err("it is no size");
			let says = |reason: &str| error.to_string().contains(reason);
			assert!(wrong != "1.5" || says("whole number") && says("1.5"), "{error}");
		}
	}

	#[test]
	fn drafts_are_for_one_chain() {
		assert!(draft().ensure_chain(&[7; 32]).is_ok());
		let error = draft().ensure_chain(&[8; 32]).expect_err("it is for another chain");
		assert!(error.to_string().contains(", expected 0x0808"), "{error}");
	}

	#[test]
	fn signatures_are_checked_before_they_are_submitted() {
		let signed = signed();
		assert!(signed.signature().is_ok());
		let wrapped = dev::charlie().sign(&wrap_payload(&signed.draft.payload)).0;
		let account = signed.account;
		assert!(SignedDraft::new(signed.draft.clone(), account, wrapped).signature().is_ok());
		let other = dev::bob().sign(&signed.draft.payload).0;
		assert!(SignedDraft::new(signed.draft.clone(), account, other).signature().is_err());
		for signature in [vec![], vec![1; 64], vec![1; 66], vec![9; 65]] {
			assert!(SignedDraft { signature, ..signed.clone() }.signature().is_err());
		}
	}

	#[test]
	fn signatures_of_each_scheme_are_checked() {
		type Sign<'a> = &'a dyn Fn(&[u8]) -> MultiSignature;
		let ed25519 = ed25519_zebra::SigningKey::from([1; 32]);
		let ecdsa = secp256k1::SecretKey::from_slice(&[1; 32]).expect("it is a key");
		let ecdsa_account = blake2_256(&ecdsa.public_key(SECP256K1).serialize());
		let sign_ecdsa = |message: &[u8], first| {
			let message = Message::from_digest(blake2_256(message));
			let signature = SECP256K1.sign_ecdsa_recoverable(&message, &ecdsa);
			let (recovery, bytes) = signature.serialize_compact();
			let mut signature = [first; 65];
			signature[..64].copy_from_slice(&bytes);
			signature[64] += u8::try_from(recovery.to_i32()).expect("it is 0 to 3");
			MultiSignature::Ecdsa(signature)
		};
		let sign_ed25519 = |message: &[u8]| MultiSignature::Ed25519(ed25519.sign(message).into());
		let sign_sr25519 = |message: &[u8]| MultiSignature::Sr25519(dev::bob().sign(message).0);
		let schemes: [(_, Sign<'_>); 4] = [
			(dev::bob().public_key().0, &sign_sr25519),
			(ed25519_zebra::VerificationKey::from(&ed25519).into(), &sign_ed25519),
			(ecdsa_account, &|message| sign_ecdsa(message, 0)),
			(ecdsa_account, &|message| sign_ecdsa(message, 27)),
		];
		let draft = draft();
		for (account, sign) in schemes {
			let account = AccountId32(account);
			let check = |account, signature: Vec<u8>| {
				SignedDraft { draft: draft.clone(), account, signature }.signature()
			};
			let signed = sign(&draft.payload);
			assert_eq!(check(account, signed.encode()).as_ref(), Ok(&signed));
			assert!(check(account, sign(&wrap_payload(&draft.payload)).encode()).is_ok());
			let wrong = Err(DraftError::OtherSigner(account));
			assert_eq!(check(account, sign(b"another message").encode()), wrong);
			let zeros = [&signed.encode()[..1], &vec![0; signed.encoded_size() - 1]].concat();
			assert_eq!(check(account, zeros), wrong);
			assert!(check(AccountId32([9; 32]), signed.encode()).is_err());
		}
	}

	const SECOND: u64 = 1_000_000;

	#[test]
	fn commits_that_are_dated_ahead_are_refused() {
		let now = 1_000 * SECOND;
		for (timestamp, max_seconds, accepted) in [
			(0, 0, true),
			(now, 0, true),
			(now + 1, 0, false),
			(now + 60 * SECOND, 60, true),
			(now + 60 * SECOND + 1, 60, false),
			(u64::MAX, u64::MAX, true),
		] {
			let checked = ensure_not_ahead(timestamp, now, max_seconds);
			assert_eq!(checked.is_ok(), accepted, "{timestamp}, {max_seconds}");
		}
	}

	#[test]
	fn commits_at_the_time_of_a_node_are_bound_except_on_development_chains_and_for_public_keys() {
		let key = |text: &str| {
			let Ok(source) = text.parse::<KeySource>();
			source.load(ChainKind::Development).expect("development chains accept phrases; qed")
		};
		let (public, secret) = (key("//Charlie"), key(&format!("0x{}", "07".repeat(32))));
		assert!(public.is_public() && !secret.is_public());
		let now = 1_000 * SECOND;
		let check = |seconds, limit, kind, signer| {
			let timestamp = now + seconds * SECOND;
			let muid = Muid::new(timestamp, Medallion::FIRST_ASSIGNABLE, 0).expect("in range; qed");
			ensure_signable(muid, now, limit, kind, signer).is_ok()
		};
		use ChainKind::{Development, Live, Local};
		for (seconds, limit, kind, signer, accepted) in [
			(60, None, Live, &secret, true),
			(61, None, Live, &secret, false),
			(61, None, Local, &secret, false),
			(61, None, Development, &secret, true),
			(61, None, Live, &public, true),
			(61, Some(61), Live, &secret, true),
			(61, Some(60), Live, &public, false),
			(61, Some(60), Development, &secret, false),
		] {
			assert_eq!(check(seconds, limit, kind, signer), accepted, "{seconds} {limit:?} {kind}");
		}
	}

	#[test]
	fn times_are_told_by_the_clock_of_this_machine() {
		let now = 1_000_000 * SECOND;
		for (timestamp, text) in [
			(now, "0 seconds ago by"),
			(now - SECOND, "1 second ago by"),
			(now - 119 * SECOND, "119 seconds ago by"),
			(now + 120 * SECOND, "2 minutes ahead of"),
			(now + 7_200 * SECOND, "2 hours ahead of"),
			(0, "11 days ago by"),
		] {
			let told = distance(timestamp, now);
			assert_eq!(told, format!("{text} the clock of this machine"));
		}
	}
}
