//! The pallet's runtime API over JSON-RPC, with arguments and answers that are put together and
//! taken apart here, independently of metadata and client library.

use content_fabric_client::member::MemberId;
use content_fabric_identifiers::{ProviderId, TenantId};
use subxt::ext::codec::{Decode, DecodeAll, Encode};

use crate::raw::Raw;

/// The bytes of an id, except a version's.
pub type Id = [u8; 10];
/// The bytes of a version's id.
pub type Hash = [u8; 32];
/// A content object, and one of its versions if there is one.
pub type Content = (Id, Option<Hash>);
/// What is known of a content object: its head, the number of its versions, what is held for its
/// row, and the muid of its creation.
pub type ObjectInfo = (Option<Hash>, u32, u128, [u8; 16]);
/// A part of a list, and what to ask for the next part with.
pub type Page<Info> = (Vec<(Id, Info)>, Option<Id>);
/// What is held for a provider or a tenant: on which account, as its bond, how much of that is
/// asked for, and for its rows.
pub type Bond = ([u8; 32], u128, u128, u128);
/// How far a deletion has come: the number of rows at its start, the number of those that are left,
/// the index of the map that it has come to, and the places before it in the queue.
pub type Progress = (u32, u32, u8, u64);

/// The number of rows under a provider or a tenant.
pub async fn rows(raw: &Raw, member: impl Into<MemberId>) -> Option<u32> {
	ask(raw, "rows", subject(member.into())).await
}

/// What is held for a provider or a tenant.
pub async fn bond(raw: &Raw, member: impl Into<MemberId>) -> Option<Bond> {
	ask(raw, "bond", subject(member.into())).await
}

/// How far the deletion of a provider or a tenant has come.
pub async fn deletion_progress(raw: &Raw, member: impl Into<MemberId>) -> Option<Progress> {
	ask(raw, "deletion_progress", subject(member.into())).await
}

/// Whether a record dangles, and what it leads to. (The answer is one of two variants, and their
/// indices are encoded as a `bool` is.)
pub async fn resolve(
	raw: &Raw,
	tenant: TenantId,
	collection: &str,
	key: &str,
) -> Option<(bool, Content)> {
	ask(raw, "resolve", (tenant.0, collection, key)).await
}

/// A page of the content objects of a tenant.
pub async fn content_objects(
	raw: &Raw,
	tenant: TenantId,
	after: Option<Id>,
	limit: u32,
) -> Page<ObjectInfo> {
	ask(raw, "content_objects", (tenant.0, after, limit)).await
}

fn subject(member: MemberId) -> (u8, Id) {
	match member {
		MemberId::Provider(ProviderId(id)) => (0, id),
		MemberId::Tenant(TenantId(id)) => (1, id),
	}
}

async fn ask<Answer: Decode>(raw: &Raw, function: &str, arguments: impl Encode) -> Answer {
	let function = format!("ContentFabricApi_{function}");
	let answer = raw.runtime_api(&function, &arguments.encode()).await;
	Answer::decode_all(&mut &answer[..]).expect("the answer is of the type that is known here")
}
