// SPDX-License-Identifier: Apache-2.0
//! The pallet's view functions over JSON-RPC. Ids and arguments are encoded and answers decoded by
//! hand, independently of metadata and client library.

use content_fabric_identifiers::TenantId;
use content_fabric_primitives::MemberId;
use sp_crypto_hashing::twox_128;
use subxt::ext::codec::{Decode, DecodeAll, Encode};

use crate::raw::{Id, Raw};

/// The bytes of a version's id.
pub type Hash = [u8; 32];
/// A content object, and one of its versions.
pub type Content = (Id, Option<Hash>);

/// The funds on hold for a member, and the bond that its space requires.
#[derive(Clone, Debug, PartialEq, Eq, Decode)]
#[codec(crate = subxt::ext::codec)]
pub struct Bond {
	/// The account on which all of it is held.
	pub root: [u8; 32],
	/// The bond on hold.
	pub bond: u128,
	/// The bond that the space requires.
	pub required: u128,
	/// The deposits on hold, for the member's own row and those under it.
	pub deposit: u128,
	/// The most that may be on hold.
	pub max_held: u128,
}

/// The progress of a purge.
#[derive(Clone, Debug, PartialEq, Eq, Decode)]
#[codec(crate = subxt::ext::codec)]
pub struct Progress {
	/// Number of rows when it started.
	pub rows: u32,
	/// Number of rows that are left.
	pub rows_left: u32,
	/// Number of places before it in the deletion queue.
	pub places_before: u64,
}

/// Returns the number of rows under a member.
pub async fn rows(raw: &Raw, member: impl Into<MemberId>) -> Option<u32> {
	ask(raw, "rows(MemberId) -> Option<u32>", encoded(member.into())).await
}

/// Returns the funds on hold for a member.
pub async fn bond(raw: &Raw, member: impl Into<MemberId>) -> Option<Bond> {
	ask(raw, "bond(MemberId) -> Option<BondInfoOf<T>>", encoded(member.into())).await
}

/// Returns the progress of the purge of a member.
pub async fn purge_progress(raw: &Raw, member: impl Into<MemberId>) -> Option<Progress> {
	ask(raw, "purge_progress(MemberId) -> Option<PurgeProgress>", encoded(member.into())).await
}

/// Returns whether a record dangles, and what it leads to. (The answer is one of two variants, and
/// their indices are encoded as a `bool` is.)
pub async fn resolve(
	raw: &Raw,
	tenant: TenantId,
	collection: &str,
	key: &str,
) -> Option<(bool, Content)> {
	let signature = "resolve(TenantId,Vec<u8>,Vec<u8>) -> Option<Resolution>";
	ask(raw, signature, (tenant.0, collection, key)).await
}

/// Returns what a member's id is encoded as.
fn encoded(member: MemberId) -> (u8, Id) {
	match member {
		MemberId::Provider(id) => (0, id.0),
		MemberId::Tenant(id) => (1, id.0),
	}
}

/// Asks a view function of the pallet. Its id has the hashes of the pallet's name and of its
/// signature. The answer is its value, encoded, or an error.
async fn ask<Answer: Decode>(raw: &Raw, signature: &str, arguments: impl Encode) -> Answer {
	let id = [twox_128(b"ContentFabric"), twox_128(signature.as_bytes())];
	let asked = (id, arguments.encode()).encode();
	let answer = raw.runtime_api("RuntimeViewFunction_execute_view_function", &asked).await;
	let (0, answer) = <(u8, Vec<u8>)>::decode_all(&mut &answer[..]).expect("it is an answer")
	else {
		panic!("there is no view function {signature}");
	};
	Answer::decode_all(&mut &answer[..]).expect("the answer is of the type that is known here")
}
