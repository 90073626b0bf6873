// SPDX-License-Identifier: Apache-2.0
//! A runtime with the pallet, and a small fabric. For the tests of this crate, and for the example
//! `tour`.

#[path = "mock/recorder.rs"]
pub mod recorder;
#[path = "mock/weights.rs"]
pub mod weights;

use std::sync::LazyLock;

use codec::{Decode, DecodeWithMemTracking, Encode};
use frame_support::{
	assert_ok, assert_storage_noop, derive_impl,
	dispatch::{DispatchResult, DispatchResultWithPostInfo},
	parameter_types,
	storage::transactional::with_transaction,
	traits::{
		fungible::{Inspect, InspectHold},
		AsEnsureOriginWithArg, EitherOfDiverse, EnsureOriginWithArg, Hooks, Time,
	},
	weights::{constants::RocksDbWeight, Weight},
	Blake2_128Concat, StorageHasher, Twox128,
};
use frame_system::{
	limits::{BlockLength, BlockWeights},
	EnsureRoot,
};
use pallet_content_fabric::{
	identifiers::{
		ClockId, ContentObjectId, HashKind, KmsId, Medallion, Muid, NodeId, ProviderId,
		RecordKeySyntax, RecordKeyType, SpaceId, TenantId, VersionId,
	},
	AdmissionPolicy, Call, CollectionNameOf, ContentRef, DraftVersion, EnsureSpaceGovernor, Error,
	Event, GenesisConfig, KmsKey, LastMuid, LastTid, LocatorOf, MemberId, Nodes, ProviderLevel,
	Providers, ReasonOf, RecordKeyOf, SpaceRules, SpaceRulesOf, TenantLevel, Tenants,
	VersionCommit, VersionCommitOf,
};
use scale_info::TypeInfo;
use sp_core::{ed25519, Pair};
use sp_runtime::{
	traits::{Dispatchable, IdentifyAccount, Lazy, Verify},
	BuildStorage, DispatchError, TransactionOutcome,
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
	pub type ContentFabric = pallet_content_fabric;
}

#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
impl frame_system::Config for Test {
	type Block = frame_system::mocking::MockBlock<Test>;
	type AccountData = pallet_balances::AccountData<Balance>;
	type DbWeight = RocksDbWeight;
	type BlockWeights = TestBlockWeights;
	type BlockLength = TestBlockLength;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Test {
	type AccountStore = System;
	type ExistentialDeposit = ExistentialDeposit;
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
	// They can be changed, as runtime upgrades do.
	pub static TestBlockWeights: BlockWeights = BlockWeights::default();
	pub static TestBlockLength: BlockLength = BlockLength::default();
	pub static ExistentialDeposit: Balance = 1;
	pub static DepositBase: Balance = 100;
	pub static DepositPerByte: Balance = 1;
	pub static UnbondingPeriod: u64 = 10;
	pub static MaxCommitAge: u64 = 600_000;
	pub static MaxClockDrift: u64 = 30_000;
	pub static MaxIdleWeight: Weight = Weight::MAX;
	pub static MinFreeReap: u32 = 3;
	pub static FreeForOperators: bool = true;
	pub static MaxVersionsPerCommit: u32 = 32;
	pub static MaxCopies: u32 = 8;
	pub static MaxRecordsPerCall: u32 = 32;
	pub static MaxAdmissions: u32 = 16;
	pub static MaxReasonLen: u32 = 64;
	pub static MaxLocatorLen: u32 = 64;
	pub static MaxSlaLen: u32 = 64;
	pub static MaxCollectionNameLen: u32 = 128;
	pub static MaxRecordKeyLen: u32 = 512;
}

#[docify::export(config)]
#[derive_impl(pallet_content_fabric::config_preludes::TestDefaultConfig)]
impl pallet_content_fabric::Config for Test {
	type Currency = Balances;
	type CreateSpaceOrigin = EnsureRoot<AccountId>;
	type GovernanceOrigin =
		EitherOfDiverse<AsEnsureOriginWithArg<EnsureRoot<AccountId>>, EnsureSpaceGovernor<Test>>;
	type Time = BlockTime;
	type OffchainSignature = Signature;
	// It records notifications, where tests ask for it.
	type Observer = recorder::Recorder;
	// All else has a default. These can be changed in tests.
	type WeightInfo = weights::Adjustable;
	type DepositBase = DepositBase;
	type DepositPerByte = DepositPerByte;
	type UnbondingPeriod = UnbondingPeriod;
	type MaxCommitAge = MaxCommitAge;
	type MaxClockDrift = MaxClockDrift;
	type MaxIdleWeight = MaxIdleWeight;
	type MinFreeReap = MinFreeReap;
	type FreeForOperators = FreeForOperators;
	type MaxVersionsPerCommit = MaxVersionsPerCommit;
	type MaxCopies = MaxCopies;
	type MaxRecordsPerCall = MaxRecordsPerCall;
	type MaxAdmissions = MaxAdmissions;
	type MaxReasonLen = MaxReasonLen;
	type MaxLocatorLen = MaxLocatorLen;
	type MaxSlaLen = MaxSlaLen;
	type MaxCollectionNameLen = MaxCollectionNameLen;
	type MaxRecordKeyLen = MaxRecordKeyLen;
	#[cfg(feature = "runtime-benchmarks")]
	type BenchmarkHelper = Signers;
}

/// The keys of the accounts with small numbers.
static KEYS: LazyLock<Vec<ed25519::Pair>> =
	LazyLock::new(|| (0..64).map(|seed| ed25519::Pair::from_seed(&[seed; 32])).collect());

/// A public key. It belongs to the account whose number is its place in [`KEYS`].
pub struct PublicKey(ed25519::Public);

impl IdentifyAccount for PublicKey {
	type AccountId = AccountId;

	fn into_account(self) -> AccountId {
		let place = KEYS.iter().position(|pair| pair.public() == self.0);
		place.map_or(AccountId::MAX, |place| place as AccountId)
	}
}

/// A real signature, with the key that made it.
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

/// Returns the signature of an account under bytes.
pub fn sign_bytes(account: AccountId, bytes: &[u8]) -> Signature {
	let pair = &KEYS[account as usize];
	Signature { key: pair.public(), signature: pair.sign(bytes) }
}

/// Returns the signature of an account under a commit.
pub fn sign(account: AccountId, commit: &VersionCommitOf<Test>) -> Signature {
	sign_bytes(account, &ContentFabric::commit_payload(commit))
}

#[cfg(feature = "runtime-benchmarks")]
pub struct Signers;

#[cfg(feature = "runtime-benchmarks")]
impl pallet_content_fabric::BenchmarkHelper<AccountId, Signature> for Signers {
	fn signer() -> AccountId {
		KMS_ACCOUNT
	}

	fn sign(account: &AccountId, payload: &[u8]) -> Signature {
		sign_bytes(*account, payload)
	}
}

/// Funds of every account of [`ACCOUNTS`] at the start.
pub const ENDOWMENT: Balance = 1_000_000;
pub const ACCOUNTS: core::ops::Range<AccountId> = 1..40;
pub const PROVIDER_BOND: Balance = 10_000;
pub const TENANT_BOND: Balance = 5_000;
/// The most that the roots agree to have on hold for each member.
pub const MAX_HELD: Balance = 500_000;

pub const GOVERNOR: AccountId = 1;
pub const PROVIDER_ROOT: AccountId = 2;
pub const TENANT_ROOT: AccountId = 3;
/// Accounts with an access key each in [`Chain::fabric_with_keys`].
pub const PROVIDER_ADMIN: AccountId = 4;
pub const TENANT_ADMIN: AccountId = 6;
pub const KMS_ACCOUNT: AccountId = 7;
pub const EDITOR: AccountId = 8;
pub const READER: AccountId = 11;
/// The operator of the nodes.
pub const OPERATOR: AccountId = 5;
pub const STRANGER: AccountId = 9;
/// The operator of [`KMS`], without a level in the tenant.
pub const KMS_OPERATOR: AccountId = 12;
/// The governor of [`OTHER_SPACE`], where there is one.
pub const OTHER_GOVERNOR: AccountId = 10;
/// An account without funds.
pub const PAUPER: AccountId = 50;

pub const SPACE: SpaceId = SpaceId(*b"the space0");
pub const PROVIDER: ProviderId = ProviderId(*b"provider00");
pub const THE_PROVIDER: MemberId = MemberId::Provider(PROVIDER);
/// A confirmed node.
pub const NODE: NodeId = NodeId(*b"the node00");
/// A pending node.
pub const PENDING_NODE: NodeId = NodeId(*b"the node01");
pub const TENANT: TenantId = TenantId(*b"the tenant");
pub const THE_TENANT: MemberId = MemberId::Tenant(TENANT);
pub const KMS: KmsId = KmsId(*b"the kms000");
pub const KMS_KEY: KmsKey = KmsKey([5; 32]);
pub const OBJECT: ContentObjectId = ContentObjectId(*b"the object");
/// A finalized version, the head.
pub const HEAD: VersionId = VersionId([1; 32]);
/// A version that is committed only.
pub const DRAFT: VersionId = VersionId([2; 32]);
/// A finalized version that is not the head.
pub const FINALIZED: VersionId = VersionId([3; 32]);
/// A version that does not exist.
pub const NEW: VersionId = VersionId([7; 32]);
/// A collection of any keys, with the record [`RECORD`].
pub const COLLECTION: &str = "names";
/// The record of [`OBJECT`].
pub const RECORD: &str = "object:latest";
/// A collection of TIDs, without records.
pub const EMPTY_COLLECTION: &str = "names.runs";
/// An object without versions.
pub const EMPTY_OBJECT: ContentObjectId = ContentObjectId(*b"the empty0");
pub const THE_MEMBERS: [MemberId; 2] = [THE_PROVIDER, THE_TENANT];

// Ids that are free.
pub const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
pub const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
pub const OTHER_NODE: NodeId = NodeId([7; 10]);
pub const OTHER_TENANT: TenantId = TenantId([7; 10]);
pub const OTHER_KMS: KmsId = KmsId([7; 10]);
pub const OTHER_OBJECT: ContentObjectId = ContentObjectId([7; 10]);
pub const NEW_MEMBERS: [MemberId; 2] =
	[MemberId::Provider(OTHER_PROVIDER), MemberId::Tenant(OTHER_TENANT)];

/// Rows under [`PROVIDER`] and [`TENANT`] in [`small_fabric`].
pub const PROVIDER_ROWS: u32 = 2;
pub const TENANT_ROWS: u32 = 9;

pub fn signed(who: AccountId) -> RuntimeOrigin {
	RuntimeOrigin::signed(who)
}

/// Returns a list, or a text, that is within its bound.
pub fn bounded<Item, List: TryFrom<Vec<Item>>>(items: impl Into<Vec<Item>>) -> List {
	items.into().try_into().ok().expect("the lists of tests are short")
}

pub fn locator(text: &str) -> LocatorOf<Test> {
	bounded(text.as_bytes())
}

pub fn reason(text: &str) -> ReasonOf<Test> {
	bounded(text.as_bytes())
}

pub fn name(text: &str) -> CollectionNameOf<Test> {
	bounded(text.as_bytes())
}

pub fn key(text: &str) -> RecordKeyOf<Test> {
	bounded(text.as_bytes())
}

/// Returns rules under which any account may have a member, with a bond.
pub fn rules() -> SpaceRulesOf<Test> {
	SpaceRules {
		provider_bond: PROVIDER_BOND,
		tenant_bond: TENANT_BOND,
		admission: AdmissionPolicy::Open,
		partitions: 4,
		sla: Default::default(),
	}
}

/// Returns the same, except that governance admits every member.
pub fn approval() -> SpaceRulesOf<Test> {
	SpaceRules { admission: AdmissionPolicy::Approval, ..rules() }
}

/// Makes a call through the runtime, as an extrinsic does: it is undone if it fails.
pub fn dispatch_by(origin: RuntimeOrigin, call: Call<Test>) -> DispatchResult {
	outcome(RuntimeCall::from(call).dispatch(origin))
}

pub fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	dispatch_by(signed(who), call)
}

/// Makes a call, which must succeed.
#[track_caller]
pub fn make(who: AccountId, call: Call<Test>) {
	assert_eq!(dispatch(who, call.clone()), Ok(()), "{call:?} by {who}");
}

/// Checks that a call fails, and changes nothing.
#[track_caller]
pub fn assert_refused_by(
	origin: RuntimeOrigin,
	call: &Call<Test>,
	error: impl Into<DispatchError>,
) {
	let error = error.into();
	assert_storage_noop!({
		let result = dispatch_by(origin.clone(), call.clone());
		assert_eq!(result, Err(error), "{call:?} by {origin:?}");
	});
}

#[track_caller]
pub fn assert_refused(who: AccountId, call: Call<Test>, error: impl Into<DispatchError>) {
	assert_refused_by(signed(who), &call, error);
}

/// Runs something, and undoes all that it has changed.
pub fn undone<R>(body: impl FnOnce() -> R) -> R {
	let done = || TransactionOutcome::Rollback(Ok::<_, DispatchError>(body()));
	with_transaction(done).expect("few storage layers are open")
}

/// Returns the root of a member of the small fabric.
pub fn root_of(member: MemberId) -> AccountId {
	match member {
		MemberId::Provider(_) => PROVIDER_ROOT,
		MemberId::Tenant(_) => TENANT_ROOT,
	}
}

/// The errors of calls on a member that are named after its kind.
pub struct Errors {
	pub not_found: Error<Test>,
	pub exists: Error<Test>,
	pub frozen: Error<Test>,
	pub suspended: Error<Test>,
	pub under_bonded: Error<Test>,
	pub not_empty: Error<Test>,
}

pub fn errors(member: MemberId) -> Errors {
	match member {
		MemberId::Provider(_) => Errors {
			not_found: Error::ProviderNotFound,
			exists: Error::ProviderAlreadyExists,
			frozen: Error::ProviderFrozen,
			suspended: Error::ProviderSuspended,
			under_bonded: Error::ProviderUnderBonded,
			not_empty: Error::ProviderNotEmpty,
		},
		MemberId::Tenant(_) => Errors {
			not_found: Error::TenantNotFound,
			exists: Error::TenantAlreadyExists,
			frozen: Error::TenantFrozen,
			suspended: Error::TenantSuspended,
			under_bonded: Error::TenantUnderBonded,
			not_empty: Error::TenantNotEmpty,
		},
	}
}

/// A way for governance to close a member, with the error of calls on it.
pub type Closing = (fn(MemberId, bool) -> DispatchResult, fn(MemberId) -> Error<Test>);

pub const CLOSINGS: [Closing; 2] =
	[(freeze, |member| errors(member).frozen), (suspend, |member| errors(member).suspended)];

/// Returns a call that creates a member in [`SPACE`].
pub fn create(member: MemberId, max_held: Balance) -> Call<Test> {
	create_in(SPACE, member, max_held)
}

pub fn create_in(space: SpaceId, member: MemberId, max_held: Balance) -> Call<Test> {
	match member {
		MemberId::Provider(id) => Call::create_provider { space, id, max_held },
		MemberId::Tenant(id) => Call::create_tenant { space, id, max_held },
	}
}

pub fn create_space(
	space: SpaceId,
	governor: AccountId,
	rules: SpaceRulesOf<Test>,
) -> DispatchResult {
	ContentFabric::create_space(RuntimeOrigin::root(), space, governor, rules)
}

/// Creates a node of [`OPERATOR`] as [`PROVIDER_ROOT`].
pub fn create_node(provider: ProviderId, node: NodeId) -> DispatchResult {
	let (root, locator) = (signed(PROVIDER_ROOT), locator("/dns/node"));
	ContentFabric::create_node(root, provider, node, OPERATOR, locator)
}

pub fn confirm_node(provider: ProviderId, node: NodeId) -> DispatchResult {
	outcome(ContentFabric::confirm_node(signed(PROVIDER_ROOT), provider, node))
}

/// Gives an account a level in [`PROVIDER`], or takes its level, as [`PROVIDER_ROOT`].
pub fn set_provider_key(account: AccountId, level: Option<ProviderLevel>) -> DispatchResult {
	ContentFabric::set_provider_key(signed(PROVIDER_ROOT), PROVIDER, account, level)
}

/// Gives an account a level in [`TENANT`], or takes its level, as [`TENANT_ROOT`].
pub fn set_tenant_key(account: AccountId, level: Option<TenantLevel>) -> DispatchResult {
	ContentFabric::set_tenant_key(signed(TENANT_ROOT), TENANT, account, level)
}

/// Creates an object of [`TENANT`] as [`TENANT_ROOT`].
pub fn create_object(object: ContentObjectId) -> DispatchResult {
	ContentFabric::create_content_object(signed(TENANT_ROOT), TENANT, object)
}

pub fn delete_object(object: ContentObjectId) -> DispatchResult {
	ContentFabric::delete_content_object(signed(TENANT_ROOT), TENANT, object)
}

pub fn delete_version(object: ContentObjectId, version: VersionId) -> DispatchResult {
	ContentFabric::delete_version(signed(TENANT_ROOT), TENANT, object, version)
}

/// Has the tenant make a version the head of an object, or clear the head.
pub fn set_head(object: ContentObjectId, version: Option<VersionId>) -> DispatchResult {
	ContentFabric::set_head_version(signed(TENANT_ROOT), TENANT, object, version)
}

/// Adds a KMS to a tenant of [`TENANT_ROOT`].
pub fn add_kms(tenant: TenantId, kms: KmsId) -> DispatchResult {
	dispatch(TENANT_ROOT, add_kms_call(tenant, kms, "https://kms"))
}

/// Returns a call that adds a KMS of [`KMS_OPERATOR`].
pub fn add_kms_call(tenant: TenantId, kms: KmsId, text: &str) -> Call<Test> {
	let (operator, locator, key) = (KMS_OPERATOR, locator(text), KMS_KEY);
	Call::add_kms { tenant, kms, operator, locator, key }
}

/// Returns a call that sets the locator of [`KMS`].
pub fn set_kms_call(text: &str) -> Call<Test> {
	Call::set_kms { tenant: TENANT, kms: KMS, locator: locator(text), key: KMS_KEY }
}

/// Creates a collection of any keys in a tenant of [`TENANT_ROOT`].
pub fn create_collection(tenant: TenantId, text: &str) -> DispatchResult {
	let (any, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	ContentFabric::create_collection(signed(TENANT_ROOT), tenant, name(text), any, syntax)
}

/// Returns the muid of the next commit of a node: later than the chain's last, with which an account
/// may have been given its level, and than the node's last.
pub fn node_muid(provider: ProviderId, node: NodeId) -> Muid {
	let (medallion, last) = match Nodes::<Test>::get(provider, node) {
		Some(info) => (info.medallion, info.last_muid),
		None => (Medallion::FIRST_ASSIGNABLE, None),
	};
	let now = System::block_number() * 6_000_000;
	let last = last.max(LastMuid::<Test>::get().map(|muid| muid.with_offset(0)));
	let timestamp = now.max(last.map_or(0, Muid::timestamp)) + 1;
	Muid::new(timestamp, medallion, 0).expect("time does not end in tests")
}

pub fn draft(object: ContentObjectId, version: VersionId) -> DraftVersion {
	let hash = HashKind::Blake3;
	DraftVersion { object, version, hash, size: 1_000, set_head_on_finalize: false }
}

/// Returns a commit of versions to [`NODE`].
pub fn commit_of(versions: &[DraftVersion]) -> VersionCommitOf<Test> {
	VersionCommit {
		muid: node_muid(PROVIDER, NODE),
		originator: PROVIDER,
		node: NODE,
		copies: Default::default(),
		tenant: TENANT,
		kms: Some(KMS),
		create_objects: false,
		versions: bounded(versions),
	}
}

/// Returns a draft of a version that is to become the head of its object.
pub fn head_draft(object: ContentObjectId, version: VersionId) -> DraftVersion {
	DraftVersion { set_head_on_finalize: true, ..draft(object, version) }
}

/// Returns a commit that may create objects.
pub fn creating(versions: &[DraftVersion]) -> VersionCommitOf<Test> {
	VersionCommit { create_objects: true, ..commit_of(versions) }
}

/// Returns a call that submits a commit, with a signature of `tenant_signer`.
pub fn commit_call(tenant_signer: AccountId, commit: VersionCommitOf<Test>) -> Call<Test> {
	let signature = sign(tenant_signer, &commit);
	Call::commit_versions { tenant_signer, commit, signature }
}

/// Submits a commit as [`PROVIDER_ROOT`], with a signature of [`TENANT_ROOT`].
pub fn submit(commit: VersionCommitOf<Test>) -> DispatchResult {
	let signature = sign(TENANT_ROOT, &commit);
	ContentFabric::commit_versions(signed(PROVIDER_ROOT), TENANT_ROOT, commit, signature)
}

/// Commits one version of [`OBJECT`].
pub fn commit(version: VersionId) -> DispatchResult {
	submit(commit_of(&[draft(OBJECT, version)]))
}

/// Commits one version of [`OBJECT`] that is to become its head.
pub fn commit_head(version: VersionId) -> DispatchResult {
	submit(commit_of(&[head_draft(OBJECT, version)]))
}

/// Finalizes versions of objects as [`PROVIDER_ROOT`].
pub fn finalize_list(versions: &[(ContentObjectId, VersionId)]) -> DispatchResult {
	let (root, versions) = (signed(PROVIDER_ROOT), bounded(versions));
	outcome(ContentFabric::finalize_versions(root, PROVIDER, NODE, TENANT, versions))
}

/// Returns a call by which a node of [`PROVIDER`] declares that it holds versions of [`OBJECT`].
pub fn finalize_call(node: NodeId, versions: &[VersionId]) -> Call<Test> {
	let versions: Vec<_> = versions.iter().map(|version| (OBJECT, *version)).collect();
	let (provider, tenant, versions) = (PROVIDER, TENANT, bounded(versions));
	Call::finalize_versions { provider, node, tenant, versions }
}

/// Returns a call by which [`TENANT`] asks a node to hold versions of [`OBJECT`].
pub fn add_copies((provider, node): (ProviderId, NodeId), versions: &[VersionId]) -> Call<Test> {
	let versions: Vec<_> = versions.iter().map(|version| (OBJECT, *version)).collect();
	Call::add_copies { tenant: TENANT, provider, node, versions: bounded(versions) }
}

/// Returns a call that removes the copies which a node has of versions of [`OBJECT`].
pub fn remove_copies((provider, node): (ProviderId, NodeId), versions: &[VersionId]) -> Call<Test> {
	let versions: Vec<_> = versions.iter().map(|version| (OBJECT, *version)).collect();
	Call::remove_copies { tenant: TENANT, provider, node, versions: bounded(versions) }
}

/// Finalizes versions of [`OBJECT`] as `who`.
pub fn finalize_as(who: AccountId, versions: &[VersionId]) -> DispatchResult {
	dispatch(who, finalize_call(NODE, versions))
}

/// Returns whether a call succeeded, without its weight and fee.
pub fn outcome(result: DispatchResultWithPostInfo) -> DispatchResult {
	result.map(|_| ()).map_err(|failed| failed.error)
}

/// Finalizes a version of [`OBJECT`].
pub fn finalize(version: VersionId) -> DispatchResult {
	finalize_as(PROVIDER_ROOT, &[version])
}

/// Returns the head of [`OBJECT`].
pub fn head() -> Option<VersionId> {
	ContentFabric::head_version(TENANT, OBJECT).map(|(version, _)| version)
}

/// Puts records into [`COLLECTION`] as [`TENANT_ROOT`].
pub fn put(records: &[(&str, ContentRef)]) -> DispatchResult {
	let records: Vec<_> = records.iter().map(|(text, target)| (Some(key(text)), *target)).collect();
	let (root, records) = (signed(TENANT_ROOT), bounded(records));
	ContentFabric::put_records(root, TENANT, name(COLLECTION), records)
}

/// Returns [`OBJECT`] as what a record names.
pub fn whole_object() -> ContentRef {
	ContentRef { object: OBJECT, version: None }
}

/// Returns when a member was created.
pub fn created(member: MemberId) -> Muid {
	let created = match member {
		MemberId::Provider(id) => Providers::<Test>::get(id).map(|info| info.created),
		MemberId::Tenant(id) => Tenants::<Test>::get(id).map(|info| info.created),
	};
	created.unwrap_or_default()
}

/// Has the governor freeze a member.
pub fn freeze(member: MemberId, enabled: bool) -> DispatchResult {
	let created = created(member);
	ContentFabric::set_governance_delete(signed(GOVERNOR), member, created, enabled, reason(""))
}

/// Has the governor suspend a member, or lift the suspension.
pub fn suspend(member: MemberId, enabled: bool) -> DispatchResult {
	ContentFabric::set_suspended(signed(GOVERNOR), member, created(member), enabled, reason(""))
}

/// Has the governor slash a member.
pub fn slash(member: MemberId, amount: Balance) -> DispatchResult {
	ContentFabric::slash(signed(GOVERNOR), member, created(member), amount, reason(""))
}

/// Has the governor slash and delete a member.
pub fn slash_and_delete(member: MemberId, slash: Balance) -> DispatchResult {
	ContentFabric::governance_delete(signed(GOVERNOR), member, created(member), slash, reason(""))
}

/// Has the governor purge a member.
pub fn governance_delete(member: MemberId) -> DispatchResult {
	slash_and_delete(member, 0)
}

/// Nominates an account as the next root of a member, or withdraws the nomination.
pub fn nominate(who: AccountId, member: MemberId, nominee: Option<AccountId>) -> DispatchResult {
	ContentFabric::nominate_root(signed(who), member, created(member), nominee)
}

pub fn accept(who: AccountId, member: MemberId) -> DispatchResult {
	ContentFabric::accept_root(signed(who), member, MAX_HELD)
}

/// Makes another account the root of a member.
pub fn hand_over(member: MemberId, root: AccountId, next: AccountId) {
	assert_ok!(nominate(root, member, Some(next)));
	assert_ok!(accept(next, member));
}

/// Has the root of a member of the small fabric remove all its rows.
pub fn purge_member(member: MemberId) -> DispatchResult {
	ContentFabric::purge_member(signed(root_of(member)), member)
}

/// Removes rows of a member that is being purged, as [`STRANGER`].
pub fn reap(member: impl Into<MemberId>, limit: u32) -> DispatchResultWithPostInfo {
	RuntimeCall::from(Call::reap { member: member.into(), limit }).dispatch(signed(STRANGER))
}

/// Returns the funds of an account: free, and on hold.
pub fn funds(account: AccountId) -> (Balance, Balance) {
	(Balances::balance(&account), Balances::total_balance_on_hold(&account))
}

/// A chain whose every block ends with a check of the storage and a commit to the backend. Without
/// the commit, tests would not cover the removal of rows from earlier blocks.
pub struct Chain {
	state: sp_io::TestExternalities,
	at_block_end: fn(),
}

impl Chain {
	/// A chain without spaces.
	pub fn empty() -> Self {
		let mut chain = Self { state: empty(), at_block_end: || {} };
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
			assert_ok!(set_provider_key(PROVIDER_ADMIN, Some(ProviderLevel::Admin)));
			assert_ok!(set_tenant_key(TENANT_ADMIN, Some(TenantLevel::Admin)));
			assert_ok!(set_tenant_key(KMS_ACCOUNT, Some(TenantLevel::Kms)));
			assert_ok!(set_tenant_key(EDITOR, Some(TenantLevel::Content)));
			assert_ok!(set_tenant_key(READER, Some(TenantLevel::Read)));
		});
		chain
	}

	/// Has a function run at the end of every block, as the example does to print what happened.
	#[cfg(not(test))]
	pub fn on_block_end(&mut self, at_block_end: fn()) {
		self.at_block_end = at_block_end;
	}

	/// Runs a block.
	pub fn block<R>(&mut self, body: impl FnOnce() -> R) -> R {
		self.begin_block(1);
		let result = self.run(body);
		self.end_block();
		result
	}

	/// Begins a block this many blocks after the last one.
	pub fn begin_block(&mut self, blocks: u64) {
		self.run(|| {
			System::set_block_number(System::block_number() + blocks);
			System::reset_events();
		});
	}

	/// Runs something in the present block.
	pub fn run<R>(&mut self, body: impl FnOnce() -> R) -> R {
		self.state.execute_with(body)
	}

	/// Checks the storage, and commits the block.
	pub fn end_block(&mut self) {
		let at_block_end = self.at_block_end;
		self.run(at_block_end);
		#[cfg(test)]
		self.run(|| {
			ContentFabric::do_try_state().expect("the storage is sound at the end of every block")
		});
		self.state.commit_all().expect("no storage layer is open");
	}

	/// Returns what the present block has written so far under a prefix: the keys with their
	/// values, or `None` where they were removed.
	#[cfg(test)]
	pub fn changes(&self, prefix: &[u8]) -> std::collections::BTreeMap<Vec<u8>, Option<Vec<u8>>> {
		let changes = self.state.overlayed_changes().changes();
		changes
			.filter(|(key, _)| key.starts_with(prefix))
			.map(|(key, value)| (key.clone(), value.clone().value().cloned()))
			.collect()
	}

	/// Returns a value as it was before the present block.
	#[cfg(test)]
	pub fn value_before(&self, key: &[u8]) -> Option<Vec<u8>> {
		use sp_state_machine::Backend;
		self.state.backend.storage(key).expect("the state is in memory")
	}

	/// Runs a block that has this weight to spare.
	pub fn idle_block(&mut self, weight: Weight) {
		self.block(|| {
			let consumed = ContentFabric::on_idle(System::block_number(), weight);
			assert!(weight.all_gte(consumed), "{consumed:?}");
		});
	}

	/// Runs a block that has all weight to spare.
	pub fn idle(&mut self) {
		self.idle_block(Weight::MAX);
	}

	/// Runs this many blocks in which nothing happens.
	pub fn pass(&mut self, blocks: u64) {
		self.begin_block(blocks);
		self.end_block();
	}
}

/// Returns the state of a chain without spaces.
pub fn empty() -> sp_io::TestExternalities {
	genesis(Default::default())
}

/// Returns the state of a chain that starts with a fabric, and with funds.
pub fn genesis(content_fabric: GenesisConfig<Test>) -> sp_io::TestExternalities {
	let balances = ACCOUNTS.map(|account| (account, ENDOWMENT)).collect();
	let balances = pallet_balances::GenesisConfig { balances, ..Default::default() };
	let genesis = RuntimeGenesisConfig { balances, content_fabric, ..Default::default() };
	genesis.build_storage().expect("the genesis is valid").into()
}

fn small_fabric() {
	assert_ok!(create_space(SPACE, GOVERNOR, rules()));
	make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
	for node in [NODE, PENDING_NODE] {
		assert_ok!(create_node(PROVIDER, node));
	}
	assert_ok!(confirm_node(PROVIDER, NODE));

	make(TENANT_ROOT, create(THE_TENANT, MAX_HELD));
	assert_ok!(add_kms(TENANT, KMS));
	assert_ok!(create_object(OBJECT));
	assert_ok!(commit_head(HEAD));
	assert_ok!(submit(commit_of(&[draft(OBJECT, DRAFT), draft(OBJECT, FINALIZED)])));
	assert_ok!(finalize_as(PROVIDER_ROOT, &[HEAD, FINALIZED]));
	assert_ok!(create_object(EMPTY_OBJECT));
	assert_ok!(create_collection(TENANT, COLLECTION));
	let (tid, syntax) = (RecordKeyType::Tid, RecordKeySyntax::PathSegment);
	let (root, name) = (signed(TENANT_ROOT), name(EMPTY_COLLECTION));
	assert_ok!(ContentFabric::create_collection(root, TENANT, name, tid, syntax));
	assert_ok!(put(&[(RECORD, whole_object())]));
}

/// Returns the chain's own medallion.
pub fn chain_medallion() -> Medallion {
	let last = LastMuid::<Test>::get().expect("the chain has minted");
	Medallion::new(last.medallion()).expect("is in range")
}

/// Returns the clock id of the chain's TIDs.
pub fn chain_clock_id() -> ClockId {
	let last = LastTid::<Test>::get().expect("the chain has minted");
	ClockId::new(last.clock_id()).expect("is in range")
}

/// Returns the first muid of the call that minted `count`-th in this block.
pub fn muid(count: u64) -> Muid {
	let timestamp = System::block_number() * 6_000_000 + count - 1;
	Muid::new(timestamp, chain_medallion(), 1).expect("is in range")
}

/// Returns the events of the pallet in this block.
pub fn events() -> Vec<Event<Test>> {
	System::read_events_for_pallet()
}

/// Returns whether `GovernanceOrigin` accepts an origin for a space.
pub fn governs(origin: RuntimeOrigin, space: SpaceId) -> bool {
	<Test as pallet_content_fabric::Config>::GovernanceOrigin::ensure_origin(origin, &space).is_ok()
}

/// Returns the raw storage key of a row, or of all rows whose keys start with `keys`: made of the
/// pallet's name, the map's name and each key behind its own hash, independently of the storage
/// types.
pub fn raw_key(map: &str, keys: &[&[u8]]) -> Vec<u8> {
	let names = [Twox128::hash(b"ContentFabric"), Twox128::hash(map.as_bytes())];
	let keys = keys.iter().flat_map(|key| Blake2_128Concat::hash(key));
	names.concat().into_iter().chain(keys).collect()
}

/// Returns the number of keys in storage that start with `prefix`.
pub fn keys_under(prefix: &[u8]) -> usize {
	core::iter::successors(sp_io::storage::next_key(prefix), |key| sp_io::storage::next_key(key))
		.take_while(|key| key.starts_with(prefix))
		.count()
}
