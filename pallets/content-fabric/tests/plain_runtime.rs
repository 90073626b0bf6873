// SPDX-License-Identifier: Apache-2.0
//! Somebody else's runtime: a plain one, with the pallet added as the README of the repository
//! shows.

// The macros of FRAME generate items without docs.
#![allow(missing_docs)]

use frame_support::{
	assert_noop, assert_ok, derive_impl, parameter_types,
	traits::{AsEnsureOriginWithArg, ConstU32, ConstU64, ConstUint, EitherOfDiverse, Hooks},
	weights::{constants::WEIGHT_REF_TIME_PER_MILLIS, Weight},
};
use frame_system::EnsureRoot;
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	AdmissionPolicy, ContentRef, DraftVersion, Error, Resolution, SpaceRules, VersionCommit,
};
use sp_core::{sr25519, Pair};
use sp_runtime::{
	traits::{IdentifyAccount, IdentityLookup, Verify},
	BuildStorage, MultiSignature,
};

type Signature = MultiSignature;
type AccountId = <<Signature as Verify>::Signer as IdentifyAccount>::AccountId;
type Balance = u128;

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
	pub struct Runtime;

	#[runtime::pallet_index(0)]
	pub type System = frame_system;
	#[runtime::pallet_index(1)]
	pub type Timestamp = pallet_timestamp;
	#[runtime::pallet_index(2)]
	pub type Balances = pallet_balances;
	#[runtime::pallet_index(50)]
	pub type ContentFabric = pallet_content_fabric;
}

#[derive_impl(frame_system::config_preludes::SolochainDefaultConfig)]
impl frame_system::Config for Runtime {
	type Block = frame_system::mocking::MockBlock<Runtime>;
	type AccountId = AccountId;
	type Lookup = IdentityLookup<AccountId>;
	type AccountData = pallet_balances::AccountData<Balance>;
}

#[derive_impl(pallet_timestamp::config_preludes::TestDefaultConfig)]
impl pallet_timestamp::Config for Runtime {}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Runtime {
	type Balance = Balance;
	type AccountStore = System;
}

// From here on as in the README.
use pallet_content_fabric::identifiers::{ClockId, Medallion};

parameter_types! {
	pub const ChainMedallion: Medallion = Medallion::MAX;
	pub const TidClockId: ClockId = ClockId::MAX;
	pub const DepositBase: Balance = 20_000_000_000;
	pub const DepositPerByte: Balance = 100_000_000;
	pub const MaxIdleWeight: Weight = Weight::from_parts(500 * WEIGHT_REF_TIME_PER_MILLIS, 1 << 20);
}

impl pallet_content_fabric::Config for Runtime {
	type RuntimeHoldReason = RuntimeHoldReason;
	type WeightInfo = pallet_content_fabric::weights::SubstrateWeight<Runtime>;
	type Currency = Balances;
	type Slash = ();
	type DepositBase = DepositBase;
	type DepositPerByte = DepositPerByte;
	// Longer than governance takes to decide on a slash, in blocks.
	type UnbondingPeriod = ConstUint<100_800>;
	type CreateSpaceOrigin = EnsureRoot<AccountId>;
	type GovernanceOrigin = EitherOfDiverse<
		AsEnsureOriginWithArg<EnsureRoot<AccountId>>,
		pallet_content_fabric::EnsureSpaceGovernor<Runtime>,
	>;
	type Time = Timestamp;
	type OffchainSignature = Signature;
	type MaxCommitAge = ConstU64<3_600_000>;
	type MaxClockDrift = ConstU64<30_000>;
	type ChainMedallion = ChainMedallion;
	type TidClockId = TidClockId;
	type MaxIdleWeight = MaxIdleWeight;
	type MinFreeReap = ConstU32<100>;
	type MaxVersionsPerCommit = ConstU32<500>;
	type MaxRecordsPerCall = ConstU32<500>;
	type MaxAdmissions = ConstU32<1_000>;
	type MaxReasonLen = ConstU32<256>;
	type MaxLocatorLen = ConstU32<256>;
	type MaxSlaLen = ConstU32<256>;
	type MaxCollectionNameLen = ConstU32<317>;
	type MaxRecordKeyLen = ConstU32<512>;
	#[cfg(feature = "runtime-benchmarks")]
	type BenchmarkHelper = ();
}
// To here.

#[test]
fn the_readme_has_this_configuration_in_less_than_50_lines() {
	let here = include_str!("plain_runtime.rs");
	let readme = include_str!("../../../README.md");
	let (_, rest) = here.split_once("// From here on as in the README.\n").expect("is above");
	let (configuration, _) = rest.split_once("// To here.\n").expect("is above");
	assert!(readme.contains(configuration), "the README has another configuration");
	// With the line that names the pallet in the runtime, and its index.
	assert!(configuration.lines().filter(|line| !line.is_empty()).count() + 2 < 50);
	assert!(readme.contains("#[runtime::pallet_index(50)]"));
}

#[test]
fn content_is_published_and_found_by_its_name() {
	let [governor, bob, charlie] = ["//Governor", "//Provider", "//Tenant"]
		.map(|uri| sr25519::Pair::from_string(uri, None).expect("is a derivation"));
	let account = |pair: &sr25519::Pair| AccountId::from(pair.public());
	let unit = 1_000_000_000_000;
	let genesis = RuntimeGenesisConfig {
		balances: pallet_balances::GenesisConfig {
			balances: vec![(account(&bob), 1_000 * unit), (account(&charlie), 1_000 * unit)],
			..Default::default()
		},
		..Default::default()
	};
	let storage = genesis.build_storage().expect("the genesis is valid");
	sp_io::TestExternalities::from(storage).execute_with(|| {
		System::set_block_number(1);
		let now = 1_700_000_000_000;
		Timestamp::set_timestamp(now);
		let (space, provider, node) = (SpaceId([1; 10]), ProviderId([2; 10]), NodeId([3; 10]));
		let (tenant, kms) = (TenantId([4; 10]), KmsId([5; 10]));
		let (object, version) = (ContentObjectId([6; 10]), VersionId([7; 32]));
		let rules = SpaceRules {
			provider_bond: 100 * unit,
			tenant_bond: 10 * unit,
			admission: AdmissionPolicy::Open,
			partitions: 8,
			sla: Default::default(),
		};
		let text = |text: &str| text.as_bytes().to_vec();

		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, space, account(&governor), rules));
		let bob_signed = || RuntimeOrigin::signed(account(&bob));
		assert_ok!(ContentFabric::create_provider(bob_signed(), space, provider, 200 * unit));
		let locator = text("/dns/node/tcp/443").try_into().expect("is short");
		let operator = account(&bob);
		assert_ok!(ContentFabric::create_node(bob_signed(), provider, node, operator, locator));
		assert_ok!(ContentFabric::confirm_node(bob_signed(), provider, node));

		let charlie_signed = || RuntimeOrigin::signed(account(&charlie));
		assert_ok!(ContentFabric::create_tenant(charlie_signed(), space, tenant, 100 * unit));
		let locator = text("https://kms").try_into().expect("is short");
		assert_ok!(ContentFabric::add_kms(charlie_signed(), tenant, kms, locator));

		let node_info = pallet_content_fabric::Nodes::<Runtime>::get(provider, node);
		let medallion = node_info.expect("was created").medallion;
		let version_of_object =
			DraftVersion { object, version, size: 5, set_head_on_finalize: true };
		let commit = VersionCommit {
			muid: Muid::new(now * 1_000, medallion, 0).expect("is in range"),
			originator: provider,
			node,
			tenant,
			kms,
			create_objects: true,
			versions: vec![version_of_object].try_into().expect("is short"),
		};
		let signature: Signature = charlie.sign(&ContentFabric::commit_payload(&commit)).into();
		let submit = || {
			let (commit, signature) = (commit.clone(), signature.clone());
			ContentFabric::commit_versions(bob_signed(), account(&charlie), commit, signature)
		};
		assert_ok!(submit());
		assert_noop!(submit(), Error::<Runtime>::VersionAlreadyExists);
		let versions = vec![(object, version)].try_into().expect("is short");
		let signed = bob_signed();
		assert_ok!(ContentFabric::finalize_versions(signed, provider, node, tenant, versions));

		let (any, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
		let names = || text("names").try_into().expect("is short");
		let signed = charlie_signed();
		assert_ok!(ContentFabric::create_collection(signed, tenant, names(), any, syntax));
		let key = || text("hello:latest").try_into().expect("is short");
		let target = ContentRef { object, version: None };
		let signed = charlie_signed();
		let records = vec![(Some(key()), target)].try_into().expect("is short");
		assert_ok!(ContentFabric::put_records(signed, tenant, names(), records));
		assert_eq!(
			ContentFabric::resolve(tenant, names().into(), key().into()),
			Some(Resolution::Content(ContentRef { object, version: Some(version) }))
		);

		let governor = RuntimeOrigin::signed(account(&governor));
		let info = pallet_content_fabric::Tenants::<Runtime>::get(tenant).expect("was created");
		let (member, reason) = (tenant.into(), text("motion 7").try_into().expect("is short"));
		assert_ok!(ContentFabric::governance_delete(governor, member, info.created, 0, reason));
		assert_eq!(ContentFabric::resolve(tenant, names().into(), key().into()), None);
		assert_eq!(Balances::free_balance(account(&charlie)), 1_000 * unit);

		// The rows are removed from the next block on.
		System::set_block_number(2);
		ContentFabric::on_idle(2, MaxIdleWeight::get());
		assert_eq!(ContentFabric::rows(member), None);
	});
}
