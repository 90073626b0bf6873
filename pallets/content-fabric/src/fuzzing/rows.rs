// SPDX-License-Identifier: Apache-2.0
//! Ids, names and texts: mostly of rows that exist, otherwise from small pools.

use frame_support::{pallet_prelude::Get, BoundedVec};

use super::{bounded, Generator};
use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeyType, SpaceId, TenantId, VersionId,
	},
	types::AccountIdOf,
	Admissions, CollectionNameOf, Collections, Config, ContentObjects, KmsKey, Kmses, LocatorOf,
	MemberId, MemberInfo, MemberInfoOf, Nodes, ProviderInfoOf, ProviderKeys, ProviderRowCounts,
	Providers, RecordKeyOf, RecordKeyTypeOf, Records, Role, RowCounts, Spaces, TenantInfoOf,
	TenantKeys, TenantRowCounts, Tenants, Versions,
};

/// Number of ids of spaces and members.
const SPACES: u8 = 4;
const PROVIDERS: u8 = 4;
const TENANTS: u8 = 5;

/// Names of collections. The first is what the second begins with, and the last ones are not valid.
const NAMES: [&str; 5] = ["a", "a.b", "c", "", "not/valid"];

/// Record keys of all kinds: any, TIDs, NSIDs, and those that are not valid.
const KEYS: [&str; 9] =
	["self", "x", "y", "a:b", "3jzfcijpj2z2a", "com.example.x", "", "..", "not/valid"];

/// A provider or a tenant, with the number of its rows.
pub type Member<T> = MemberInfoOf<T, u32>;

fn counted<T: Config, Counts: RowCounts>(info: MemberInfoOf<T, Counts>) -> Member<T> {
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
pub fn members<T: Config>() -> impl Iterator<Item = (MemberId, Member<T>)> {
	of_both_kinds::<T>(Providers::<T>::iter(), Tenants::<T>::iter())
}

pub(super) fn of_both_kinds<T: Config>(
	providers: impl IntoIterator<Item = (ProviderId, ProviderInfoOf<T>)>,
	tenants: impl IntoIterator<Item = (TenantId, TenantInfoOf<T>)>,
) -> impl Iterator<Item = (MemberId, Member<T>)> {
	let providers = providers.into_iter().map(|(id, info)| (id.into(), counted::<T, _>(info)));
	providers.chain(tenants.into_iter().map(|(id, info)| (id.into(), counted::<T, _>(info))))
}

/// Returns whether a member is frozen, or else open, and its rows are not being removed.
fn is_in_state<T: Config, Counts>(info: &MemberInfoOf<T, Counts>, frozen: bool) -> bool {
	let is_open = !info.governance_delete && !info.suspended;
	info.purge.is_none() && if frozen { info.governance_delete } else { is_open }
}

impl<T: Config> Generator<'_, T> {
	/// Draws one of the first ids.
	fn any<Id>(&mut self, id: fn([u8; 10]) -> Id, end: u8) -> Id {
		id([self.draws.below(end.into()) as u8; 10])
	}

	/// Returns whether a row that exists is drawn.
	fn known(&mut self) -> bool {
		self.draws.percent(92)
	}

	/// Returns a row that exists, if there is one and most of the time, or another one.
	fn existing<Row>(
		&mut self,
		rows: impl Iterator<Item = Row>,
		other: impl FnOnce(&mut Self) -> Row,
	) -> Row {
		let found = self.known().then(|| self.draws.one_of(rows)).flatten();
		found.unwrap_or_else(|| other(self))
	}

	/// Returns one of the first ids that is free, if there is one and most of the time, or another
	/// one.
	fn free<Id>(&mut self, id: fn([u8; 10]) -> Id, end: u8, is_taken: fn(&Id) -> bool) -> Id {
		let ids = (0..end).map(|number| id([number; 10])).filter(|id| !is_taken(id));
		let free = self.draws.one_of(ids).filter(|_| self.known());
		free.unwrap_or_else(|| self.any(id, end))
	}

	pub fn space(&mut self) -> SpaceId {
		self.existing(Spaces::<T>::iter_keys(), |it| it.any(SpaceId, SPACES))
	}

	pub fn new_space(&mut self) -> SpaceId {
		self.free(SpaceId, SPACES, |id| Spaces::<T>::contains_key(id))
	}

	pub fn new_provider(&mut self) -> ProviderId {
		self.free(ProviderId, PROVIDERS, |id| Providers::<T>::contains_key(id))
	}

	pub fn new_tenant(&mut self) -> TenantId {
		self.free(TenantId, TENANTS, |id| Tenants::<T>::contains_key(id))
	}

	/// Returns a provider that is frozen or open and has some rows, if there is one and most of the
	/// time.
	pub fn provider_with(
		&mut self,
		frozen: bool,
		has: fn(&ProviderRowCounts) -> bool,
	) -> ProviderId {
		let all = self.providers.iter();
		let fits = all.filter(|(_, info)| is_in_state::<T, _>(info, frozen) && has(&info.rows));
		let fits: Vec<_> = fits.map(|(id, _)| *id).collect();
		self.existing(fits.into_iter(), Self::provider)
	}

	/// Returns a tenant that is frozen or open and has some rows, if there is one and most of the
	/// time.
	pub fn tenant_with(&mut self, frozen: bool, has: fn(&TenantRowCounts) -> bool) -> TenantId {
		let all = self.tenants.iter();
		let fits = all.filter(|(_, info)| is_in_state::<T, _>(info, frozen) && has(&info.rows));
		let fits: Vec<_> = fits.map(|(id, _)| *id).collect();
		self.existing(fits.into_iter(), Self::tenant)
	}

	/// Returns a provider, whatever its state.
	pub fn provider(&mut self) -> ProviderId {
		self.existing(Providers::<T>::iter_keys(), |it| it.any(ProviderId, PROVIDERS))
	}

	/// Returns a tenant, whatever its state.
	pub fn tenant(&mut self) -> TenantId {
		self.existing(Tenants::<T>::iter_keys(), |it| it.any(TenantId, TENANTS))
	}

	/// Returns the row of a member.
	pub fn info(&self, member: impl Into<MemberId>) -> Option<&Member<T>> {
		let member = member.into();
		self.members.iter().find(|(id, _)| *id == member).map(|(_, info)| info)
	}

	pub fn root(&self, member: impl Into<MemberId>) -> Option<AccountIdOf<T>> {
		self.info(member).map(|info| info.root.clone())
	}

	pub fn member(&mut self) -> MemberId {
		if self.draws.percent(35) {
			self.provider().into()
		} else {
			self.tenant().into()
		}
	}

	/// Returns an account with an access key in a member.
	pub fn key_account(&mut self, member: impl Into<MemberId>) -> Option<AccountIdOf<T>> {
		match member.into() {
			MemberId::Provider(id) => self.draws.one_of(ProviderKeys::<T>::iter_key_prefix(id)),
			MemberId::Tenant(id) => self.draws.one_of(TenantKeys::<T>::iter_key_prefix(id)),
		}
	}

	pub fn admission(&mut self, space: SpaceId) -> Option<(AccountIdOf<T>, Role)> {
		self.draws.one_of(Admissions::<T>::iter_key_prefix(space))
	}

	pub fn new_node(&mut self) -> NodeId {
		self.any(NodeId, 3)
	}

	pub fn node(&mut self, provider: ProviderId) -> NodeId {
		self.existing(Nodes::<T>::iter_key_prefix(provider), Self::new_node)
	}

	pub fn new_kms(&mut self) -> KmsId {
		self.any(KmsId, 3)
	}

	pub fn kms(&mut self, tenant: TenantId) -> KmsId {
		self.existing(Kmses::<T>::iter_key_prefix(tenant), Self::new_kms)
	}

	/// Returns a key of a KMS, or sometimes the one that is refused.
	pub fn kms_key(&mut self) -> KmsKey {
		KmsKey([self.draws.pick(&[1, 2, 3, 4, 5, 6, 7, 0]); 32])
	}

	pub fn new_object(&mut self) -> ContentObjectId {
		self.any(ContentObjectId, 6)
	}

	pub fn object(&mut self, tenant: TenantId) -> ContentObjectId {
		self.existing(ContentObjects::<T>::iter_key_prefix(tenant), Self::new_object)
	}

	/// Returns an object of a tenant without versions, if there is one.
	pub fn empty_object(&mut self, tenant: TenantId) -> ContentObjectId {
		let rows = ContentObjects::<T>::iter_prefix(tenant).take(48);
		let empty = rows.filter(|(_, info)| info.version_count == 0).map(|(object, _)| object);
		self.draws.one_of(empty).unwrap_or_else(|| self.object(tenant))
	}

	pub fn new_version(&mut self) -> VersionId {
		VersionId([self.draws.below(6) as u8; 32])
	}

	pub fn version(&mut self, tenant: TenantId) -> (ContentObjectId, VersionId) {
		let rows = Versions::<T>::iter_key_prefix((tenant,));
		self.existing(rows, |it| (it.object(tenant), it.new_version()))
	}

	/// Returns a version of a tenant that has been finalized, if there is one and most of the time.
	pub fn finalized_version(&mut self, tenant: TenantId) -> (ContentObjectId, VersionId) {
		let rows = Versions::<T>::iter_prefix((tenant,)).take(48);
		let final_ones = rows.filter(|(_, info)| info.finalized.is_some()).map(|(key, _)| key);
		let found = self.draws.one_of(final_ones).filter(|_| !self.draws.once_in(8));
		found.unwrap_or_else(|| self.version(tenant))
	}

	pub fn new_collection(&mut self) -> CollectionNameOf<T> {
		if self.draws.once_in(30) {
			return bounded([b'n'; 317]);
		}
		let names = if self.draws.once_in(16) { &NAMES[..] } else { &NAMES[..3] };
		bounded(self.draws.pick(names))
	}

	pub fn collection(&mut self, tenant: TenantId) -> CollectionNameOf<T> {
		self.existing(Collections::<T>::iter_key_prefix(tenant), Self::new_collection)
	}

	/// Returns a collection of a tenant without records, if there is one.
	pub fn empty_collection(&mut self, tenant: TenantId) -> CollectionNameOf<T> {
		let rows = Collections::<T>::iter_prefix(tenant);
		let empty = rows.filter(|(_, info)| info.record_count == 0).map(|(name, _)| name);
		self.draws.one_of(empty).unwrap_or_else(|| self.collection(tenant))
	}

	/// Returns a record key that the type of its collection allows, most of the time. The chain
	/// replaces `None`.
	pub fn new_key(&mut self, key_type: Option<&RecordKeyTypeOf<T>>) -> Option<RecordKeyOf<T>> {
		if self.draws.percent(90) {
			match key_type {
				Some(RecordKeyType::Tid) => {
					let given = self.draws.percent(20);
					let tids = ["3jzfcijpj2z2a", "3jzfcijpj2z2b"];
					return given.then(|| bounded(self.draws.pick(&tids)));
				},
				Some(RecordKeyType::Nsid) => {
					return Some(bounded(self.draws.pick(&["com.example.x", "com.example.y"])));
				},
				Some(RecordKeyType::Literal(key)) => return Some(key.clone()),
				_ => {},
			}
		}
		if self.draws.once_in(24) {
			return None;
		}
		if self.draws.once_in(40) {
			return Some(bounded([b'k'; 512]));
		}
		let keys = if self.draws.once_in(16) { &KEYS[..] } else { &KEYS[..3] };
		Some(bounded(self.draws.pick(keys)))
	}

	pub fn record(&mut self, tenant: TenantId) -> (CollectionNameOf<T>, RecordKeyOf<T>) {
		self.existing(Records::<T>::iter_key_prefix((tenant,)), |it| {
			(it.collection(tenant), it.new_key(None).unwrap_or_default())
		})
	}

	pub fn locator(&mut self) -> LocatorOf<T> {
		match self.draws.below(24) {
			0 => bounded(""),
			1 => bounded("not visible \n"),
			2 => bounded([b'l'; 256]),
			_ => bounded(self.draws.pick(&["x", "https://long.example/kms", "/dns/y"])),
		}
	}

	/// Returns a reason or an agreement: empty, short or long.
	pub fn text<Len: Get<u32>>(&mut self) -> BoundedVec<u8, Len> {
		bounded(vec![b'r'; self.draws.pick(&[0, 4, 256])])
	}
}
