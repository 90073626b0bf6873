//! A runtime with the pallet, and a fabric small enough to survey.

use std::sync::LazyLock;

use codec::{Decode, DecodeWithMemTracking, Encode};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType,
	SpaceId, TenantId, VersionId,
};
use frame_support::{
	assert_ok, derive_impl,
	dispatch::DispatchResult,
	parameter_types,
	traits::{
		fungible::{Inspect, InspectHold},
		AsEnsureOriginWithArg, EitherOfDiverse, EnsureOriginWithArg, Time,
	},
	weights::Weight,
	Blake2_128Concat, StorageHasher, Twox128,
};
use frame_system::EnsureRoot;
use scale_info::TypeInfo;
use sp_core::{ed25519, Pair};
use sp_runtime::{
	traits::{IdentifyAccount, Lazy, Verify},
	BuildStorage,
};

use crate::{
	AdmissionPolicy, CollectionNameOf, ContentRef, EnsureSpaceGovernor, LocatorOf, ProviderLevel,
	RecordKeyOf, SpaceRules, SpaceRulesOf, TenantLevel, VersionCommitMessage,
};

pub type AccountId = u64;
pub type Balance = u64;

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
	pub type Balances = pallet_balances;
	#[runtime::pallet_index(2)]
	pub type ContentFabric = crate;
}

#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
impl frame_system::Config for Test {
	type Block = frame_system::mocking::MockBlock<Test>;
	type AccountData = pallet_balances::AccountData<Balance>;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Test {
	type AccountStore = System;
}

/// A clock that advances by six seconds a block.
pub struct BlockTime;

impl Time for BlockTime {
	type Moment = u64;

	fn now() -> u64 {
		System::block_number() * 6_000
	}
}

parameter_types! {
	/// Can be changed, as runtime upgrades do.
	pub static DepositBase: Balance = 100;
	pub static DepositPerByte: Balance = 1;
	pub static MaxIdleWeight: Weight = Weight::MAX;
}

#[docify::export(config)]
#[derive_impl(crate::config_preludes::TestDefaultConfig)]
impl crate::Config for Test {
	type Currency = Balances;
	type DepositBase = DepositBase;
	type DepositPerByte = DepositPerByte;
	type CreateSpaceOrigin = EnsureRoot<AccountId>;
	type GovernanceOrigin =
		EitherOfDiverse<AsEnsureOriginWithArg<EnsureRoot<AccountId>>, EnsureSpaceGovernor<Test>>;
	type Time = BlockTime;
	type OffchainSignature = Signature;
	type MaxIdleWeight = MaxIdleWeight;
	#[cfg(feature = "runtime-benchmarks")]
	type BenchmarkHelper = Signers;
}

/// The keys of the accounts with small numbers.
static KEYS: LazyLock<Vec<ed25519::Pair>> =
	LazyLock::new(|| (0..64).map(|seed| ed25519::Pair::from_seed(&[seed; 32])).collect());

/// A public key, which identifies the account whose number is its place in [`KEYS`].
pub struct PublicKey(ed25519::Public);

impl IdentifyAccount for PublicKey {
	type AccountId = AccountId;

	fn into_account(self) -> AccountId {
		let place = KEYS.iter().position(|pair| pair.public() == self.0);
		place.map_or(AccountId::MAX, |place| place as AccountId)
	}
}

/// A real signature with the key that made it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, TypeInfo)]
pub struct Signature {
	key: ed25519::Public,
	signature: ed25519::Signature,
}

impl Verify for Signature {
	type Signer = PublicKey;

	fn verify<L: Lazy<[u8]>>(&self, message: L, account: &AccountId) -> bool {
		PublicKey(self.key).into_account() == *account && self.signature.verify(message, &self.key)
	}
}

/// The signature of an account under bytes.
pub fn sign_bytes(account: AccountId, bytes: &[u8]) -> Signature {
	let pair = &KEYS[account as usize];
	Signature { key: pair.public(), signature: pair.sign(bytes) }
}

/// The signature of an account under a message.
pub fn sign(account: AccountId, message: &VersionCommitMessage) -> Signature {
	sign_bytes(account, &ContentFabric::commit_payload(message))
}

#[cfg(feature = "runtime-benchmarks")]
pub struct Signers;

#[cfg(feature = "runtime-benchmarks")]
impl crate::BenchmarkHelper<AccountId, Signature> for Signers {
	fn signer() -> AccountId {
		KMS_ACCOUNT
	}

	fn sign(account: &AccountId, payload: &[u8]) -> Signature {
		sign_bytes(*account, payload)
	}
}

/// What every account of [`ACCOUNTS`] starts with.
pub const ENDOWMENT: Balance = 1_000_000;
pub const ACCOUNTS: core::ops::Range<AccountId> = 1..40;
pub const PROVIDER_BOND: Balance = 10_000;
pub const TENANT_BOND: Balance = 5_000;

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
/// A collection of any keys, with the record [`RECORD`].
pub const COLLECTION: &str = "names";
/// The record of [`OBJECT`].
pub const RECORD: &str = "object:latest";
/// A collection of TIDs, without records.
pub const EMPTY_COLLECTION: &str = "names.runs";
/// An object without versions.
pub const EMPTY_OBJECT: ContentObjectId = ContentObjectId(*b"the empty0");

/// Rows under [`PROVIDER`] and [`TENANT`] in [`small_fabric`].
pub const PROVIDER_ROWS: u32 = 2;
pub const TENANT_ROWS: u32 = 9;

pub fn signed(who: AccountId) -> RuntimeOrigin {
	RuntimeOrigin::signed(who)
}

pub fn locator(text: &str) -> LocatorOf<Test> {
	text.as_bytes().to_vec().try_into().expect("test locators are short")
}

/// Rules under which anyone may become a member, with a bond.
pub fn rules() -> SpaceRulesOf<Test> {
	SpaceRules {
		provider_bond: PROVIDER_BOND,
		tenant_bond: TENANT_BOND,
		admission: AdmissionPolicy::Open,
		partitions: 4,
		sla: Default::default(),
	}
}

pub fn name(text: &str) -> CollectionNameOf<Test> {
	text.as_bytes().to_vec().try_into().expect("test names are short")
}

pub fn key(text: &str) -> RecordKeyOf<Test> {
	text.as_bytes().to_vec().try_into().expect("test keys are short")
}

/// The next muid of a node: of the time of the block, and later than its last one.
pub fn node_muid(provider: ProviderId, node: NodeId) -> Muid {
	let (medallion, last) = match crate::Nodes::<Test>::get(provider, node) {
		Some(info) => (info.medallion, info.last_muid),
		None => (Medallion::FIRST_ASSIGNABLE, None),
	};
	let now = System::block_number() * 6_000_000;
	crate::clock::next_muid(last, now, medallion).expect("time does not end in tests")
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
		muid: node_muid(PROVIDER, NODE),
		set_head_on_finalize: false,
		kms: KMS,
	}
}

/// Has [`PROVIDER_ROOT`] submit a commit that [`TENANT_ROOT`] has signed.
pub fn commit(message: VersionCommitMessage) -> DispatchResult {
	let signature = sign(TENANT_ROOT, &message);
	ContentFabric::commit_version(signed(PROVIDER_ROOT), TENANT_ROOT, message, signature)
}

/// All that an account has: free, and on hold.
pub fn funds(account: AccountId) -> (Balance, Balance) {
	(Balances::balance(&account), Balances::total_balance_on_hold(&account))
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
	let balances = ACCOUNTS.map(|account| (account, ENDOWMENT)).collect();
	let genesis = RuntimeGenesisConfig {
		balances: pallet_balances::GenesisConfig { balances, ..Default::default() },
		..Default::default()
	};
	genesis.build_storage().expect("the genesis is valid").into()
}

fn small_fabric() {
	assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
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
		let set_head_on_finalize = version == HEAD;
		assert_ok!(commit(VersionCommitMessage { set_head_on_finalize, ..message(version) }));
	}
	for version in [HEAD, FINALIZED] {
		assert_ok!(ContentFabric::finalize_version(provider(), TENANT, OBJECT, version));
	}
	assert_ok!(ContentFabric::create_content_object(tenant(), TENANT, EMPTY_OBJECT));
	for (collection, key_type) in
		[(COLLECTION, RecordKeyType::Any), (EMPTY_COLLECTION, RecordKeyType::Tid)]
	{
		let syntax = RecordKeySyntax::PathSegment;
		let collection = name(collection);
		assert_ok!(ContentFabric::create_collection(
			tenant(),
			TENANT,
			collection,
			key_type,
			syntax
		));
	}
	let target = ContentRef { object: OBJECT, version: None };
	assert_ok!(ContentFabric::put_record(
		tenant(),
		TENANT,
		name(COLLECTION),
		Some(key(RECORD)),
		target
	));
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
