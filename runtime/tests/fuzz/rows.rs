// SPDX-License-Identifier: Apache-2.0
//! Ids, names and texts: mostly those of rows that exist, otherwise from small pools.

use content_fabric_runtime::{AccountId, Runtime};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeyType, SpaceId, TenantId, VersionId,
	},
	Admissions, CollectionNameOf, Collections, ContentObjects, Kmses, MemberId, MemberInfo,
	MemberInfoOf, Nodes, ProviderKeys, ProviderRowCounts, Providers, RecordKeyOf, Records, Role,
	RowCounts, Spaces, TenantKeys, TenantRowCounts, Tenants, Versions,
};

use crate::input::Draws;

pub type CollectionName = CollectionNameOf<Runtime>;
pub type RecordKey = RecordKeyOf<Runtime>;

/// Ids of spaces and members.
const SPACES: u8 = 4;
const PROVIDERS: u8 = 4;
const TENANTS: u8 = 5;

/// Returns the bytes of a text that is within its bound.
pub fn bytes<Text: TryFrom<Vec<u8>>>(bytes: impl Into<Vec<u8>>) -> Text {
	bytes.into().try_into().ok().expect("the texts here are within their bounds")
}

/// Draws one of the first ids.
fn any<Id>(draws: &mut Draws, id: fn([u8; 10]) -> Id, end: u8) -> Id {
	id([draws.below(end.into()) as u8; 10])
}

/// Returns whether a row that exists is drawn.
fn known(draws: &mut Draws) -> bool {
	draws.percent(92)
}

/// Returns a row that exists, if there is one and most of the time, or another one.
fn existing<T>(
	draws: &mut Draws,
	rows: impl Iterator<Item = T>,
	other: impl FnOnce(&mut Draws) -> T,
) -> T {
	let found = known(draws).then(|| draws.one_of(rows)).flatten();
	found.unwrap_or_else(|| other(draws))
}

/// Returns one of the first ids that is free, if there is one and most of the time, or another one.
fn free<Id>(draws: &mut Draws, id: fn([u8; 10]) -> Id, end: u8, is_taken: fn(&Id) -> bool) -> Id {
	let ids = (0..end).map(|number| id([number; 10])).filter(|id| !is_taken(id));
	let free = draws.one_of(ids).filter(|_| known(draws));
	free.unwrap_or_else(|| any(draws, id, end))
}

pub fn space(draws: &mut Draws) -> SpaceId {
	existing(draws, Spaces::<Runtime>::iter_keys(), |draws| any(draws, SpaceId, SPACES))
}

pub fn new_space(draws: &mut Draws) -> SpaceId {
	free(draws, SpaceId, SPACES, |id| Spaces::<Runtime>::contains_key(id))
}

pub fn new_provider(draws: &mut Draws) -> ProviderId {
	free(draws, ProviderId, PROVIDERS, |id| Providers::<Runtime>::contains_key(id))
}

pub fn new_tenant(draws: &mut Draws) -> TenantId {
	free(draws, TenantId, TENANTS, |id| Tenants::<Runtime>::contains_key(id))
}

/// The state that a member must be in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
	Open,
	Frozen,
}

impl State {
	fn is_of<Counts>(self, info: &MemberInfoOf<Runtime, Counts>) -> bool {
		let is_in_it = match self {
			Self::Open => !info.governance_delete && !info.suspended,
			Self::Frozen => info.governance_delete,
		};
		is_in_it && info.purge.is_none()
	}
}

/// Returns a provider that is in a state and has some rows, if there is one and most of the time.
pub fn provider_with(
	draws: &mut Draws,
	state: State,
	has: fn(&ProviderRowCounts) -> bool,
) -> ProviderId {
	let fits = Providers::<Runtime>::iter().filter(|(_, it)| state.is_of(it) && has(&it.rows));
	existing(draws, fits.map(|(id, _)| id), provider)
}

/// Returns a tenant that is in a state and has some rows, if there is one and most of the time.
pub fn tenant_with(draws: &mut Draws, state: State, has: fn(&TenantRowCounts) -> bool) -> TenantId {
	let fits = Tenants::<Runtime>::iter().filter(|(_, it)| state.is_of(it) && has(&it.rows));
	existing(draws, fits.map(|(id, _)| id), tenant)
}

/// Returns a provider, whatever its state.
pub fn provider(draws: &mut Draws) -> ProviderId {
	existing(draws, Providers::<Runtime>::iter_keys(), |draws| any(draws, ProviderId, PROVIDERS))
}

/// Returns a tenant, whatever its state.
pub fn tenant(draws: &mut Draws) -> TenantId {
	existing(draws, Tenants::<Runtime>::iter_keys(), |draws| any(draws, TenantId, TENANTS))
}

pub fn member(draws: &mut Draws) -> MemberId {
	if draws.percent(35) {
		provider(draws).into()
	} else {
		tenant(draws).into()
	}
}

/// A provider or a tenant, with the number of its rows.
pub type Info = MemberInfoOf<Runtime, u32>;

fn counted<Counts: RowCounts>(info: MemberInfoOf<Runtime, Counts>) -> Info {
	let MemberInfo { space, root, root_since, nomination, max_held, bond, own_deposit, .. } = info;
	let MemberInfo { deposit, rows, empty_since, governance_delete, suspended, purge, .. } = info;
	let (rows, created) = (rows.rows(), info.created);
	MemberInfo {
		space,
		root,
		root_since,
		nomination,
		max_held,
		bond,
		own_deposit,
		deposit,
		rows,
		empty_since,
		governance_delete,
		suspended,
		purge,
		created,
	}
}

/// Returns all members.
pub fn members() -> impl Iterator<Item = (MemberId, Info)> {
	let providers = Providers::<Runtime>::iter().map(|(id, info)| (id.into(), counted(info)));
	providers.chain(Tenants::<Runtime>::iter().map(|(id, info)| (id.into(), counted(info))))
}

pub fn info(member: MemberId) -> Option<Info> {
	match member {
		MemberId::Provider(id) => Providers::<Runtime>::get(id).map(counted),
		MemberId::Tenant(id) => Tenants::<Runtime>::get(id).map(counted),
	}
}

/// Returns an account with an access key in a member.
pub fn key_account(draws: &mut Draws, member: MemberId) -> Option<AccountId> {
	match member {
		MemberId::Provider(id) => draws.one_of(ProviderKeys::<Runtime>::iter_key_prefix(id)),
		MemberId::Tenant(id) => draws.one_of(TenantKeys::<Runtime>::iter_key_prefix(id)),
	}
}

pub fn admission(draws: &mut Draws, space: SpaceId) -> Option<(AccountId, Role)> {
	draws.one_of(Admissions::<Runtime>::iter_key_prefix(space))
}

pub fn new_node(draws: &mut Draws) -> NodeId {
	any(draws, NodeId, 3)
}

pub fn node(draws: &mut Draws, provider: ProviderId) -> NodeId {
	existing(draws, Nodes::<Runtime>::iter_key_prefix(provider), new_node)
}

pub fn new_kms(draws: &mut Draws) -> KmsId {
	any(draws, KmsId, 3)
}

pub fn kms(draws: &mut Draws, tenant: TenantId) -> KmsId {
	existing(draws, Kmses::<Runtime>::iter_key_prefix(tenant), new_kms)
}

pub fn new_object(draws: &mut Draws) -> ContentObjectId {
	any(draws, ContentObjectId, 6)
}

pub fn object(draws: &mut Draws, tenant: TenantId) -> ContentObjectId {
	existing(draws, ContentObjects::<Runtime>::iter_key_prefix(tenant), new_object)
}

pub fn new_version(draws: &mut Draws) -> VersionId {
	VersionId([draws.below(6) as u8; 32])
}

/// Returns a version of a tenant: draws an object, and then one of its versions.
pub fn version(draws: &mut Draws, tenant: TenantId) -> (ContentObjectId, VersionId) {
	existing(draws, Versions::<Runtime>::iter_key_prefix((tenant,)), |draws| {
		(object(draws, tenant), new_version(draws))
	})
}

const NAMES: [&str; 5] = ["a", "a.b", "c", "", "not/valid"];

pub fn new_collection(draws: &mut Draws) -> CollectionName {
	if draws.once_in(30) {
		return bytes(vec![b'n'; 317]);
	}
	let names = if draws.once_in(16) { &NAMES[..] } else { &NAMES[..3] };
	bytes(draws.pick(names))
}

pub fn collection(draws: &mut Draws, tenant: TenantId) -> CollectionName {
	existing(draws, Collections::<Runtime>::iter_key_prefix(tenant), new_collection)
}

/// Record keys of all kinds: any, TIDs, NSIDs, and those that are not valid.
const KEYS: [&str; 9] =
	["self", "x", "y", "a:b", "3jzfcijpj2z2a", "com.example.x", "", "..", "not/valid"];

/// Returns a record key that the type of its collection allows, most of the time; `None` is
/// replaced by the chain.
pub fn new_key(
	draws: &mut Draws,
	key_type: Option<&RecordKeyType<RecordKey>>,
) -> Option<RecordKey> {
	if draws.percent(90) {
		match key_type {
			Some(RecordKeyType::Tid) => {
				let given = draws.percent(20);
				return given.then(|| bytes(draws.pick(&["3jzfcijpj2z2a", "3jzfcijpj2z2b"])));
			},
			Some(RecordKeyType::Nsid) => {
				return Some(bytes(draws.pick(&["com.example.x", "com.example.y"])));
			},
			Some(RecordKeyType::Literal(key)) => return Some(key.clone()),
			_ => {},
		}
	}
	if draws.once_in(24) {
		return None;
	}
	if draws.once_in(40) {
		return Some(bytes(vec![b'k'; 512]));
	}
	let keys = if draws.once_in(16) { &KEYS[..] } else { &KEYS[..3] };
	Some(bytes(draws.pick(keys)))
}

pub fn record(draws: &mut Draws, tenant: TenantId) -> (CollectionName, RecordKey) {
	existing(draws, Records::<Runtime>::iter_key_prefix((tenant,)), |draws| {
		(collection(draws, tenant), new_key(draws, None).unwrap_or_default())
	})
}

pub fn locator<Text: TryFrom<Vec<u8>>>(draws: &mut Draws) -> Text {
	match draws.below(24) {
		0 => bytes(""),
		1 => bytes("not visible \n"),
		2 => bytes(vec![b'l'; 256]),
		_ => bytes(draws.pick(&["x", "https://long.example/kms", "/dns/y"])),
	}
}

pub fn reason<Text: TryFrom<Vec<u8>>>(draws: &mut Draws) -> Text {
	bytes(vec![b'r'; draws.pick(&[0, 4, 256])])
}
