//! A runtime with the pallet, and a fabric small enough to survey.

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use frame_support::{
	assert_ok, derive_impl,
	traits::{AsEnsureOriginWithArg, ConstU32, EitherOfDiverse, EnsureOriginWithArg, Time},
	Blake2_128Concat, StorageHasher, Twox128,
};
use frame_system::EnsureRoot;
use sp_runtime::BuildStorage;

use crate::{EnsureSpaceGovernor, LocatorOf, ProviderLevel, TenantLevel, VersionCommitMessage};

pub type AccountId = u64;

#[frame_support::runtime]
mod runtime {
	#[runtime::runtime]
	#[runtime::derive(
		RuntimeCall,
		RuntimeEvent,
		RuntimeError,
		RuntimeOrigin,
		RuntimeFreezeReason,
		RuntimeHoldReason,
		RuntimeSlashReason,
		RuntimeLockId,
		RuntimeTask,
		RuntimeViewFunction
	)]
	pub struct Test;

	#[runtime::pallet_index(0)]
	pub type System = frame_system;
	#[runtime::pallet_index(1)]
	pub type ContentFabric = crate;
}

#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
impl frame_system::Config for Test {
	type Block = frame_system::mocking::MockBlock<Test>;
}

/// A clock that advances by six seconds a block.
pub struct BlockTime;

impl Time for BlockTime {
	type Moment = u64;

	fn now() -> u64 {
		System::block_number() * 6_000
	}
}

frame_support::parameter_types! {
	pub const ChainMedallion: Medallion = Medallion::MAX;
}

#[docify::export(config)]
impl crate::Config for Test {
	type WeightInfo = ();
	type CreateSpaceOrigin = EnsureRoot<AccountId>;
	type GovernanceOrigin =
		EitherOfDiverse<AsEnsureOriginWithArg<EnsureRoot<AccountId>>, EnsureSpaceGovernor<Test>>;
	type Time = BlockTime;
	type ChainMedallion = ChainMedallion;
	type MaxLocatorLen = ConstU32<64>;
}

pub const GOVERNOR: AccountId = 1;
pub const PROVIDER_ROOT: AccountId = 2;
pub const TENANT_ROOT: AccountId = 3;
/// Accounts with a key each in [`Chain::fabric_with_keys`].
pub const PROVIDER_ADMIN: AccountId = 4;
pub const OPERATOR: AccountId = 5;
pub const TENANT_ADMIN: AccountId = 6;
pub const KMS_ACCOUNT: AccountId = 7;
pub const EDITOR: AccountId = 8;
pub const STRANGER: AccountId = 9;

pub const SPACE: SpaceId = SpaceId(*b"the space0");
pub const PROVIDER: ProviderId = ProviderId(*b"provider00");
/// A confirmed node.
pub const NODE: NodeId = NodeId(*b"the node00");
/// A pending node.
pub const PENDING_NODE: NodeId = NodeId(*b"the node01");
pub const TENANT: TenantId = TenantId(*b"the tenant");
pub const KMS: KmsId = KmsId(*b"the kms000");
pub const OBJECT: ContentObjectId = ContentObjectId(*b"the object");
/// A finalized version, the head.
pub const HEAD: VersionId = VersionId([1; 32]);
/// A version that is committed only.
pub const DRAFT: VersionId = VersionId([2; 32]);
/// A finalized version that is not the head.
pub const FINALIZED: VersionId = VersionId([3; 32]);

/// Rows under [`PROVIDER`] and [`TENANT`] in [`small_fabric`].
pub const PROVIDER_ROWS: u32 = 2;
pub const TENANT_ROWS: u32 = 5;

pub fn signed(who: AccountId) -> RuntimeOrigin {
	RuntimeOrigin::signed(who)
}

pub fn locator(text: &str) -> LocatorOf<Test> {
	text.as_bytes().to_vec().try_into().expect("test locators are short")
}

/// A commit of `version` of [`OBJECT`], to be taken in by [`NODE`].
pub fn message(version: VersionId) -> VersionCommitMessage {
	VersionCommitMessage {
		originator: PROVIDER,
		node: NODE,
		tenant: TENANT,
		object: OBJECT,
		version,
		size: 1_000,
		set_head_on_finalize: false,
		kms: KMS,
	}
}

/// A chain whose every block ends with a check of the invariants and a commit to the backend,
/// without which the limits of prefix deletes would not be tested.
pub struct Chain(sp_io::TestExternalities);

impl Chain {
	/// A chain without spaces.
	pub fn empty() -> Self {
		let mut chain = Self(empty());
		chain.block(|| {});
		chain
	}

	/// One space with one provider and one tenant, and something of each kind under them.
	pub fn small_fabric() -> Self {
		let mut chain = Self::empty();
		chain.block(small_fabric);
		chain
	}

	/// The same with an account at each level.
	pub fn fabric_with_keys() -> Self {
		let mut chain = Self::small_fabric();
		chain.block(|| {
			for (account, level) in
				[(PROVIDER_ADMIN, ProviderLevel::Admin), (OPERATOR, ProviderLevel::Node)]
			{
				let root = signed(PROVIDER_ROOT);
				assert_ok!(ContentFabric::set_provider_key(root, PROVIDER, account, Some(level)));
			}
			for (account, level) in [
				(TENANT_ADMIN, TenantLevel::Admin),
				(KMS_ACCOUNT, TenantLevel::Kms),
				(EDITOR, TenantLevel::Content),
			] {
				let root = signed(TENANT_ROOT);
				assert_ok!(ContentFabric::set_tenant_key(root, TENANT, account, Some(level)));
			}
		});
		chain
	}

	/// Runs a block.
	pub fn block<R>(&mut self, body: impl FnOnce() -> R) -> R {
		let result = self.0.execute_with(|| {
			System::set_block_number(System::block_number() + 1);
			System::reset_events();
			let result = body();
			ContentFabric::do_try_state().expect("invariants hold at the end of every block");
			result
		});
		self.0.commit_all().expect("no storage layer is open");
		result
	}
}

/// The state of a chain without spaces.
pub fn empty() -> sp_io::TestExternalities {
	let genesis = frame_system::GenesisConfig::<Test>::default();
	genesis.build_storage().expect("the default genesis is valid").into()
}

fn small_fabric() {
	assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR));
	let provider = || signed(PROVIDER_ROOT);
	assert_ok!(ContentFabric::create_provider(provider(), SPACE, PROVIDER));
	for node in [NODE, PENDING_NODE] {
		let (operator, locator) = (PROVIDER_ROOT, locator("/dns/node"));
		assert_ok!(ContentFabric::create_node(provider(), PROVIDER, node, operator, locator));
	}
	assert_ok!(ContentFabric::confirm_node(provider(), PROVIDER, NODE));

	let tenant = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(tenant(), SPACE, TENANT));
	assert_ok!(ContentFabric::add_kms(tenant(), TENANT, KMS, locator("https://kms")));
	assert_ok!(ContentFabric::create_content_object(tenant(), TENANT, OBJECT));
	for version in [HEAD, DRAFT, FINALIZED] {
		assert_ok!(ContentFabric::commit_version(
			tenant(),
			VersionCommitMessage { set_head_on_finalize: version == HEAD, ..message(version) }
		));
	}
	for version in [HEAD, FINALIZED] {
		assert_ok!(ContentFabric::finalize_version(provider(), TENANT, OBJECT, version));
	}
}

/// The muid that the chain stamps the `count`-th row of this block with.
pub fn muid(count: i32) -> Muid {
	Muid::new(System::block_number() * 6_000_000, Medallion::MAX, count).expect("is in range")
}

/// The events of the pallet in this block.
pub fn events() -> Vec<crate::Event<Test>> {
	System::read_events_for_pallet()
}

/// Whether `GovernanceOrigin` accepts an origin for a space.
pub fn governs(origin: RuntimeOrigin, space: SpaceId) -> bool {
	<Test as crate::Config>::GovernanceOrigin::ensure_origin(origin, &space).is_ok()
}

/// The raw storage key of a map's entry, or of all entries that start with `keys`: made of the
/// pallet's name, the map's name and each key behind its own hash, independently of the storage
/// types.
pub fn raw_key(map: &str, keys: &[&[u8]]) -> Vec<u8> {
	let names = [Twox128::hash(b"ContentFabric"), Twox128::hash(map.as_bytes())];
	let keys = keys.iter().flat_map(|key| Blake2_128Concat::hash(key));
	names.concat().into_iter().chain(keys).collect()
}

/// The number of keys in storage that start with `prefix`.
pub fn keys_under(prefix: &[u8]) -> usize {
	core::iter::successors(sp_io::storage::next_key(prefix), |key| sp_io::storage::next_key(key))
		.take_while(|key| key.starts_with(prefix))
		.count()
}
