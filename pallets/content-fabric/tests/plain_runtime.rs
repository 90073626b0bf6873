// SPDX-License-Identifier: Apache-2.0
//! Somebody else's runtime: a plain one, with the pallet added by the lines of its README.

// The macros of FRAME generate items without docs.
#![allow(missing_docs)]

use frame_support::{assert_noop, assert_ok, derive_impl, traits::Hooks};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, HashKind, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType,
		SpaceId, TenantId, VersionId,
	},
	AdmissionPolicy, ContentRef, DraftVersion, Error, KmsKey, Resolution, SpaceRules,
	VersionCommit,
};
use sp_core::{sr25519, Pair};
use sp_runtime::{
	traits::{IdentifyAccount, IdentityLookup, Verify},
	BuildStorage,
};

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
	type Block = frame_system::mocking::MockBlockU32<Runtime>;
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

// These lines are in the README, up to the test that compares the two.
use frame_support::{
	parameter_types,
	traits::{ConstBool, ConstU128, ConstU32, ConstU64, EitherOfDiverse},
	weights::{constants::WEIGHT_REF_TIME_PER_MILLIS, Weight},
};
use frame_system::EnsureRoot;
use sp_runtime::MultiSignature as Signature;

use pallet_content_fabric::EnsureSpaceGovernor;

parameter_types! {
	pub const MaxIdleWeight: Weight = Weight::from_parts(500 * WEIGHT_REF_TIME_PER_MILLIS, 1 << 20);
}

impl pallet_content_fabric::Config for Runtime {
	type RuntimeHoldReason = RuntimeHoldReason;
	type WeightInfo = pallet_content_fabric::weights::SubstrateWeight<Runtime>;
	type Currency = Balances;
	type Slash = ();
	type Observer = ();
	type DepositBase = ConstU128<20_000_000_000>;
	type DepositPerByte = ConstU128<100_000_000>;
	type UnbondingPeriod = ConstU32<100_800>;
	type CreateSpaceOrigin = EnsureRoot<AccountId>;
	type GovernanceOrigin = EitherOfDiverse<EnsureRoot<AccountId>, EnsureSpaceGovernor<Runtime>>;
	type Time = Timestamp;
	type OffchainSignature = Signature;
	type MaxCommitAge = ConstU64<3_600_000>;
	type MaxClockDrift = ConstU64<30_000>;
	type MaxIdleWeight = MaxIdleWeight;
	type MinFreeReap = ConstU32<100>;
	type FreeForOperators = ConstBool<true>;
	type MaxVersionsPerCommit = ConstU32<500>;
	type MaxCopies = ConstU32<8>;
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

#[test]
fn the_readme_has_these_lines() {
	let here = include_str!("plain_runtime.rs");
	let readme = include_str!("../README.md");
	let blocks =
		readme.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```").next());
	let mut compared = 0;
	for block in blocks {
		let is_shown = ["parameter_types", "#[runtime::pallet_index(50)]"];
		if is_shown.iter().any(|shown| block.contains(shown)) {
			assert!(here.contains(block), "the README shows other lines:\n{block}");
			compared += 1;
		}
	}
	assert_eq!(compared, 3, "the name of the pallet, its configuration, and what that imports");
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
		Timestamp::set_timestamp(1_700_000_000_000);
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
		let (operator, key) = (account(&charlie), KmsKey([8; 32]));
		assert_ok!(ContentFabric::add_kms(charlie_signed(), tenant, kms, operator, locator, key));

		let node_info = pallet_content_fabric::Nodes::<Runtime>::get(provider, node);
		let medallion = node_info.expect("was created").medallion;
		let version_of_object = DraftVersion {
			object,
			version,
			hash: HashKind::Blake3,
			size: 5,
			set_head_on_finalize: true,
		};
		// Later than the muid of the call with which the signer created the tenant.
		let last_muid = pallet_content_fabric::LastMuid::<Runtime>::get().expect("was minted");
		let commit = VersionCommit {
			muid: Muid::new(last_muid.timestamp() + 1, medallion, 0).expect("is in range"),
			originator: provider,
			node,
			copies: Default::default(),
			tenant,
			kms: Some(kms),
			create_objects: true,
			versions: vec![version_of_object].try_into().expect("is short"),
		};
		let signature: Signature = charlie.sign(&ContentFabric::commit_payload(&commit)).into();
		let submit = || {
			let (commit, signature) = (commit.clone(), signature.clone());
			ContentFabric::commit_versions(bob_signed(), account(&charlie), commit, signature)
		};
		assert_ok!(submit());
		assert_noop!(submit(), Error::<Runtime>::MuidNotMonotonic);
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
