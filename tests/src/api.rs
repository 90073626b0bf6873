// SPDX-License-Identifier: Apache-2.0
//! The pallet's runtime API over JSON-RPC. Arguments are encoded and answers decoded by hand,
//! independently of metadata and client library.

use content_fabric_identifiers::TenantId;
use content_fabric_primitives::MemberId;
use subxt::ext::codec::{Decode, DecodeAll, Encode};

use crate::raw::{Id, Muid, Raw};

/// The bytes of a version's id.
pub type Hash = [u8; 32];
/// A content object, and one of its versions.
pub type Content = (Id, Option<Hash>);

/// A content object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Decode)]
#[codec(crate = subxt::ext::codec)]
pub struct ObjectInfo {
	/// Its head.
	pub head: Option<Hash>,
	/// When the version that last became the head was committed.
	pub head_since: Muid,
	/// When the tenant last decided about the head.
	pub head_set: Muid,
	/// Number of its versions.
	pub version_count: u32,
	/// The deposit on hold for its row.
	pub deposit: u128,
	/// When it was created.
	pub created: Muid,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq, Decode)]
#[codec(crate = subxt::ext::codec)]
pub struct Page<Key, Info> {
	/// When the member whose rows are listed was created.
	pub created: Option<Muid>,
	/// The keys and values of the rows.
	pub items: Vec<(Key, Info)>,
	/// The key to pass as `after` to continue.
	pub next: Option<Key>,
}

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
	ask(raw, "rows", encoded(member.into())).await
}

/// Returns the funds on hold for a member.
pub async fn bond(raw: &Raw, member: impl Into<MemberId>) -> Option<Bond> {
	ask(raw, "bond", encoded(member.into())).await
}

/// Returns the progress of the purge of a member.
pub async fn purge_progress(raw: &Raw, member: impl Into<MemberId>) -> Option<Progress> {
	ask(raw, "purge_progress", encoded(member.into())).await
}

/// Returns whether a record dangles, and what it leads to. (The answer is one of two variants, and
/// their indices are encoded as a `bool` is.)
pub async fn resolve(
	raw: &Raw,
	tenant: TenantId,
	collection: &str,
	key: &str,
) -> Option<(bool, Content)> {
	ask(raw, "resolve", (tenant.0, collection, key)).await
}

/// Returns a page of the content objects of a tenant.
pub async fn content_objects(
	raw: &Raw,
	tenant: TenantId,
	after: Option<Id>,
	limit: u32,
) -> Page<Id, ObjectInfo> {
	ask(raw, "content_objects", (tenant.0, after, limit)).await
}

/// Returns what a member's id is encoded as.
fn encoded(member: MemberId) -> (u8, Id) {
	match member {
		MemberId::Provider(id) => (0, id.0),
		MemberId::Tenant(id) => (1, id.0),
	}
}

async fn ask<Answer: Decode>(raw: &Raw, function: &str, arguments: impl Encode) -> Answer {
	let function = format!("ContentFabricApi_{function}");
	let answer = raw.runtime_api(&function, &arguments.encode()).await;
	Answer::decode_all(&mut &answer[..]).expect("the answer is of the type that is known here")
}
