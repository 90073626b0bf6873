// SPDX-License-Identifier: Apache-2.0
//! A state with many rows. Half of them belong to three large tenants, one of which is frozen and
//! one of which is being purged. The other half belong to many groups: a space with its
//! governor, and in it a provider and a tenant with a row of each kind.

use content_fabric_runtime::{
	AccountId, ContentFabric, Runtime, RuntimeCall, RuntimeGenesisConfig, RuntimeOrigin,
	SudoConfig, System,
};
use frame_support::traits::UnfilteredDispatchable;
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	wrap_payload, AdmissionPolicy, Call, ContentRef, DraftVersion, HashKind, KmsKey, LastMuid,
	MemberId, Nodes, ProviderLevel, Providers, Role, SpaceRules, SpaceRulesOf, TenantLevel,
	Tenants, VersionCommit,
};
use sp_core::{sr25519, storage::Storage, Pair};
use sp_io::hashing::blake2_256;
use sp_runtime::{BuildStorage, MultiSignature};
use sp_state_machine::BasicExternalities;

/// The number of the last block, later than any period of the runtime.
pub const PARENT_NUMBER: u32 = 1_000_000;
pub const SLOT_DURATION: u64 = 6_000;
/// The time of the last block, in milliseconds.
pub const NOW: u64 = PARENT_NUMBER as u64 * SLOT_DURATION;

const UNIT: u128 = 1_000_000_000_000;
const BOND: u128 = 100 * UNIT;
pub const UNLIMITED: u128 = u128::MAX;

/// The space, provider and tenants that belong to no group. The governor of the space is also the
/// root of all of them.
pub const SPACE: SpaceId = SpaceId([1; 10]);
pub const PROVIDER: ProviderId = ProviderId([2; 10]);
pub const LARGE: TenantId = TenantId([3; 10]);
pub const FROZEN: TenantId = TenantId([4; 10]);
pub const PURGED: TenantId = TenantId([5; 10]);
pub const NODE: NodeId = NodeId([6; 10]);
pub const KMS: KmsId = KmsId([7; 10]);
/// A version that is finalized, and the head of its object.
pub const HEAD: VersionId = VersionId([8; 32]);
/// A version that is not finalized, and becomes the head when it is.
pub const DRAFT: VersionId = VersionId([9; 32]);
/// The nodes that are asked to hold the versions of the large tenants, besides the provider's own: as
/// many as can be. Each has a provider of its own.
pub const MIRRORS: [(ProviderId, NodeId); 7] = [
	(ProviderId([11; 10]), NODE),
	(ProviderId([12; 10]), NODE),
	(ProviderId([13; 10]), NODE),
	(ProviderId([14; 10]), NODE),
	(ProviderId([15; 10]), NODE),
	(ProviderId([16; 10]), NODE),
	LAST_MIRROR,
];
/// Its node is removed and created again, so it can be asked anew.
pub const LAST_MIRROR: (ProviderId, NodeId) = (ProviderId([17; 10]), NODE);
/// Versions, or records, in a call.
pub const BATCH: u32 = 500;

/// The signer of a call for a group.
#[derive(Clone, Copy)]
pub enum Signer {
	/// The governor of the group's space.
	Governor,
	/// The root of its provider and tenant.
	Root,
	/// An account with the level Admin in both, in the large tenant, and in the provider.
	Admin,
	/// The root of the members that belong to no group.
	Owner,
	/// The operator of the nodes of the group's provider, without any other level.
	Operator,
	/// The holder of the sudo key, with root's origin.
	Sudo,
}

/// A space with a provider and a tenant.
#[derive(Clone, Copy)]
pub struct Group {
	pub number: u32,
	/// Number of objects of the large tenant.
	pub objects: u32,
}

impl Group {
	fn id(&self) -> [u8; 10] {
		let mut id = [0; 10];
		id[..4].copy_from_slice(&self.number.to_be_bytes());
		id
	}

	/// Returns an id that is free.
	pub fn new_id(&self) -> [u8; 10] {
		let mut id = self.id();
		id[9] = 1;
		id
	}

	pub fn space(&self) -> SpaceId {
		SpaceId(self.id())
	}

	pub fn provider(&self) -> ProviderId {
		ProviderId(self.id())
	}

	pub fn tenant(&self) -> TenantId {
		TenantId(self.id())
	}

	pub fn member(&self) -> MemberId {
		self.tenant().into()
	}

	pub fn key(&self, signer: Signer) -> sr25519::Pair {
		let (number, role) = match signer {
			Signer::Governor => (self.number, 0u8),
			Signer::Root => (self.number, 1),
			Signer::Admin => (self.number, 2),
			Signer::Owner => (u32::MAX, 3),
			Signer::Sudo => (u32::MAX, 4),
			Signer::Operator => (self.number, 5),
		};
		sr25519::Pair::from_seed(&blake2_256(&codec::Encode::encode(&(number, role))))
	}

	pub fn account(&self, signer: Signer) -> AccountId {
		self.key(signer).public().into()
	}

	/// Returns an account that does not exist.
	pub fn other_account(&self) -> AccountId {
		blake2_256(&self.id()).into()
	}

	pub fn origin(&self, signer: Signer) -> RuntimeOrigin {
		match signer {
			Signer::Sudo => RuntimeOrigin::root(),
			signer => RuntimeOrigin::signed(self.account(signer)),
		}
	}

	/// Makes a call that must succeed.
	pub fn make(&self, signer: Signer, call: Call<Runtime>) {
		let origin = self.origin(signer);
		let result = RuntimeCall::ContentFabric(call.clone()).dispatch_bypass_filter(origin);
		assert!(result.is_ok(), "{call:?}: {result:?}");
	}

	/// Returns a signed commit of new versions, drafted by a node at a time in milliseconds, or after
	/// the chain's last muid, with which the signer may have been given its level.
	pub fn commit(
		&self,
		signer: Signer,
		provider: ProviderId,
		node: NodeId,
		tenant: TenantId,
		time: u64,
		versions: Vec<DraftVersion>,
	) -> Call<Runtime> {
		let medallion = Nodes::<Runtime>::get(provider, node).expect("it exists").medallion;
		let is_large = [LARGE, FROZEN, PURGED].contains(&tenant);
		let copies = if is_large { bounded(MIRRORS) } else { Default::default() };
		let minted = LastMuid::<Runtime>::get().map_or(0, Muid::timestamp);
		let time = (time * 1_000).max(minted) + 1;
		let commit = VersionCommit {
			muid: Muid::new(time, medallion, 0).expect("it is in range"),
			originator: provider,
			node,
			copies,
			tenant,
			kms: Some(KMS),
			create_objects: true,
			versions: bounded(versions),
		};
		let payload = wrap_payload(&ContentFabric::commit_payload(&commit));
		let signature = MultiSignature::Sr25519(self.key(signer).sign(&payload));
		Call::commit_versions { tenant_signer: self.account(signer), commit, signature }
	}
}

/// Returns an object by its number.
pub fn object(number: u32) -> ContentObjectId {
	let mut id = [0; 10];
	id[6..].copy_from_slice(&number.to_be_bytes());
	ContentObjectId(id)
}

pub fn draft(object: ContentObjectId, version: VersionId) -> DraftVersion {
	let hash = HashKind::Blake3;
	DraftVersion { object, version, hash, size: u64::MAX, set_head_on_finalize: true }
}

/// Returns a text of a length.
pub fn text<Text: TryFrom<Vec<u8>>>(length: usize) -> Text {
	bytes(vec![b'x'; length])
}

pub fn bytes<Text: TryFrom<Vec<u8>>>(bytes: Vec<u8>) -> Text {
	bytes.try_into().ok().expect("it is not too long")
}

/// Returns the longest name of a collection.
pub fn longest_name<Text: TryFrom<Vec<u8>>>() -> Text {
	text(317)
}

/// Returns the key of a record that exists: for each number up to the number of objects, of six or
/// 512 bytes.
pub fn record_key<Text: TryFrom<Vec<u8>>>(number: u32, is_long: bool) -> Text {
	match is_long {
		true => bytes(format!("{number:06}{:x<506}", "").into()),
		false => bytes(format!("{number:06}").into()),
	}
}

pub fn rules(sla: usize) -> SpaceRulesOf<Runtime> {
	SpaceRules {
		provider_bond: BOND,
		tenant_bond: BOND,
		admission: AdmissionPolicy::Approval,
		partitions: u32::MAX,
		sla: text(sla),
	}
}

/// Returns when a member was created.
pub fn created(member: MemberId) -> Muid {
	let created = match member {
		MemberId::Provider(id) => Providers::<Runtime>::get(id).map(|info| info.created),
		MemberId::Tenant(id) => Tenants::<Runtime>::get(id).map(|info| info.created),
	};
	created.expect("the member exists")
}

/// Makes a state with this many groups, and with this many objects of the large tenant. The frozen
/// tenant and the one that is being purged have half as many. `prepare` adds to the groups, and
/// `finish` makes what is returned with the state.
pub fn make<R>(
	groups: u32,
	objects: u32,
	prepare: impl FnOnce(),
	finish: impl FnOnce() -> R,
) -> Result<(Storage, R), String> {
	let all = (0..groups).map(|number| Group { number, objects });
	let first = Group { number: 0, objects };
	let owners =
		[Signer::Owner, Signer::Sudo].map(|signer| (first.account(signer), u128::MAX >> 4));
	let of_groups = all.clone().flat_map(|group| {
		[Signer::Governor, Signer::Root, Signer::Admin]
			.map(|signer| (group.account(signer), 1_000_000 * UNIT))
	});
	let genesis = RuntimeGenesisConfig {
		balances: pallet_balances::GenesisConfig {
			balances: owners.into_iter().chain(of_groups).collect(),
			..Default::default()
		},
		sudo: SudoConfig { key: Some(first.account(Signer::Sudo)) },
		..Default::default()
	};
	let mut state = BasicExternalities::new(genesis.build_storage()?);
	let result = state.execute_with(|| {
		// Commits are later than the tenants whose roots sign them.
		pallet_timestamp::Now::<Runtime>::put(NOW - 3_500_000);
		make_space(&first);
		for tenant in [LARGE, FROZEN, PURGED] {
			make_tenant(&first, tenant);
		}
		pallet_timestamp::Now::<Runtime>::put(NOW);
		for group in all {
			make_group(&group);
		}
		// The muids of a node increase, and are not much older than the block.
		fill(&first, LARGE, objects, NOW - 3_000_000);
		fill(&first, FROZEN, objects / 2, NOW - 2_000_000);
		fill(&first, PURGED, objects / 2, NOW - 1_000_000);
		let (provider, node) = LAST_MIRROR;
		first.make(Signer::Owner, Call::remove_node { provider, node });
		make_node(&first, Signer::Owner, provider, node);
		prepare();
		let reason = text(0);
		let (member, enabled) = (FROZEN.into(), true);
		let freeze =
			Call::set_governance_delete { member, created: created(member), enabled, reason };
		first.make(Signer::Owner, freeze);
		purge(&first, Signer::Owner, PURGED.into());
		System::set_block_number(PARENT_NUMBER);
		finish()
	});
	Ok((state.into_storages(), result))
}

/// Has governance delete a member.
pub fn purge(group: &Group, governor: Signer, member: MemberId) {
	let (created, reason) = (created(member), text(0));
	group.make(governor, Call::governance_delete { member, created, slash: 0, reason });
}

/// Admits an account of a group to a space in both roles.
pub fn admit(group: &Group, governor: Signer, space: SpaceId, signer: Signer) {
	for role in [Role::Provider, Role::Tenant] {
		group.make(governor, Call::admit { space, account: group.account(signer), role });
	}
}

/// Makes the space that belongs to no group, and its provider.
fn make_space(first: &Group) {
	let governor = first.account(Signer::Owner);
	let rules = SpaceRules { admission: AdmissionPolicy::Open, ..rules(256) };
	first.make(Signer::Sudo, Call::create_space { space: SPACE, governor, rules });
	let create = Call::create_provider { space: SPACE, id: PROVIDER, max_held: UNLIMITED };
	first.make(Signer::Owner, create);
	make_node(first, Signer::Owner, PROVIDER, NODE);
	for (id, node) in MIRRORS {
		first.make(Signer::Owner, Call::create_provider { space: SPACE, id, max_held: UNLIMITED });
		make_node(first, Signer::Owner, id, node);
	}
}

/// Makes a confirmed node.
pub fn make_node(group: &Group, signer: Signer, provider: ProviderId, node: NodeId) {
	let (operator, locator) = (group.account(Signer::Operator), text(1));
	group.make(signer, Call::create_node { provider, node, operator, locator });
	group.make(signer, Call::confirm_node { provider, node });
}

/// Makes one of the large tenants, without content.
fn make_tenant(first: &Group, tenant: TenantId) {
	let create = Call::create_tenant { space: SPACE, id: tenant, max_held: UNLIMITED };
	first.make(Signer::Owner, create);
	first.make(Signer::Owner, add_kms_call(first, tenant, KMS, 256));
	make_collection(first, Signer::Owner, tenant);
}

/// Returns a call that adds a KMS with a locator of this length.
pub fn add_kms_call(group: &Group, tenant: TenantId, kms: KmsId, locator: usize) -> Call<Runtime> {
	let (operator, key) = (group.other_account(), KmsKey([1; 32]));
	Call::add_kms { tenant, kms, operator, locator: text(locator), key }
}

/// Makes a collection of any keys with the longest name.
fn make_collection(group: &Group, signer: Signer, tenant: TenantId) {
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	group.make(signer, Call::create_collection { tenant, name: longest_name(), key_type, syntax });
}

fn make_group(group: &Group) {
	let (space, provider, tenant) = (group.space(), group.provider(), group.tenant());
	let (governor, rules) = (group.account(Signer::Governor), rules(256));
	group.make(Signer::Sudo, Call::create_space { space, governor, rules });
	for signer in [Signer::Root, Signer::Admin] {
		admit(group, Signer::Governor, space, signer);
	}
	let max_held = UNLIMITED;
	group.make(Signer::Root, Call::create_provider { space, id: provider, max_held });
	group.make(Signer::Root, Call::create_tenant { space, id: tenant, max_held });
	let account = group.account(Signer::Admin);
	for (signer, id) in [(Signer::Root, provider), (Signer::Owner, PROVIDER)] {
		let level = Some(ProviderLevel::Admin);
		group.make(signer, Call::set_provider_key { id, account: account.clone(), level });
	}
	for (signer, id) in [(Signer::Root, tenant), (Signer::Owner, LARGE)] {
		let level = Some(TenantLevel::Admin);
		group.make(signer, Call::set_tenant_key { id, account: account.clone(), level });
	}
	make_node(group, Signer::Admin, provider, NODE);
	group.make(Signer::Admin, add_kms_call(group, tenant, KMS, 1));
	make_collection(group, Signer::Admin, tenant);
	let versions = [HEAD, DRAFT].map(|version| draft(object(0), version)).to_vec();
	let commit = group.commit(Signer::Admin, provider, NODE, tenant, NOW, versions);
	group.make(Signer::Admin, commit);
	let versions = bounded([(object(0), HEAD)]);
	let finalize = Call::finalize_versions { provider, node: NODE, tenant, versions };
	group.make(Signer::Admin, finalize);
	let records = bounded([(Some(record_key(0, false)), target(0))]);
	let collection = longest_name();
	group.make(Signer::Admin, Call::put_records { tenant, collection, records });
}

/// Returns the larger of the two kinds of target.
pub fn target(number: u32) -> ContentRef {
	ContentRef { object: object(number), version: Some(HEAD) }
}

pub fn bounded<Item, List: TryFrom<Vec<Item>>>(items: impl IntoIterator<Item = Item>) -> List {
	items.into_iter().collect::<Vec<_>>().try_into().ok().expect("it is not too long")
}

/// Fills a large tenant with objects, each with two versions, one of which is its head, and with
/// two records. The muids of the commits begin at a time.
fn fill(first: &Group, tenant: TenantId, objects: u32, time: u64) {
	let numbers: Vec<_> = (0..objects).collect();
	let half = BATCH as usize / 2;
	for (time, numbers) in (time..).zip(numbers.chunks(half)) {
		let versions = |number: &u32| [HEAD, DRAFT].map(|version| draft(object(*number), version));
		let versions = numbers.iter().flat_map(versions).collect();
		first.make(
			Signer::Owner,
			first.commit(Signer::Owner, PROVIDER, NODE, tenant, time, versions),
		);
		let versions = bounded(numbers.iter().map(|number| (object(*number), HEAD)));
		let finalize = Call::finalize_versions { provider: PROVIDER, node: NODE, tenant, versions };
		first.make(Signer::Owner, finalize);
		let record = |number: &u32| {
			[false, true].map(|is_long| (Some(record_key(*number, is_long)), target(*number)))
		};
		let records = bounded(numbers.iter().flat_map(record));
		let collection = longest_name();
		first.make(Signer::Owner, Call::put_records { tenant, collection, records });
	}
}
