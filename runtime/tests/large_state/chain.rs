//! A chain of this runtime, with a tenancy of 100,000 rows.

use codec::Encode;
use content_fabric_runtime::{
	AccountId, ContentFabric, Executive, Header, Runtime, RuntimeCall, RuntimeGenesisConfig,
	RuntimeOrigin, Signature, System, UncheckedExtrinsic,
};
use frame_support::{assert_ok, weights::Weight};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	AdmissionPolicy, ContentRef, SpaceRules, Subject, VersionCommitMessage,
};
use sp_core::{sr25519, Pair};
use sp_io::TestExternalities;
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie, Dave};
use sp_runtime::{generic::DigestItem, BuildStorage};

pub const SPACE: SpaceId = SpaceId([0xff; 10]);
pub const PROVIDER: ProviderId = ProviderId([0; 10]);
pub const NODE: NodeId = NodeId([0; 10]);
/// The tenants differ in their last byte.
pub const TENANT: TenantId = TenantId([0; 10]);
pub const NEIGHBOUR: TenantId = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
pub const OTHER: TenantId = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
pub const KMS: KmsId = KmsId([0; 10]);
pub const UNIT: u128 = 1_000_000_000_000;
pub const BOND: u128 = 100 * UNIT;
pub const ROWS: u32 = 100_000;

/// What a block took.
pub struct Took {
	pub weight: Weight,
	/// Bytes of the proof of all that was read, and of what changing it needs.
	pub proof: usize,
}

pub struct Chain {
	pub state: TestExternalities,
	pub number: u32,
	muid: i32,
}

impl Chain {
	pub fn new() -> Self {
		let named = [Alice, Bob, Charlie, Dave].map(|key| key.to_account_id());
		let others =
			(0..10_000u32).map(|number| sp_io::hashing::blake2_256(&number.encode()).into());
		let accounts = named.into_iter().chain(others);
		let genesis = RuntimeGenesisConfig {
			balances: pallet_balances::GenesisConfig {
				balances: accounts.map(|account| (account, 1_000_000 * UNIT)).collect(),
				..Default::default()
			},
			..Default::default()
		};
		let state = genesis.build_storage().expect("the genesis is valid").into();
		Self { state, number: 0, muid: 0 }
	}

	/// Makes a block: its hooks, the time, what `body` does, and what is left of its weight.
	pub fn block<R>(&mut self, body: impl FnOnce() -> R) -> (R, Took) {
		self.number += 1;
		let number = self.number;
		let ((result, weight), proof) = self.state.execute_and_prove(|| {
			let slot = u64::from(number);
			let header = Header {
				parent_hash: Default::default(),
				number,
				state_root: Default::default(),
				extrinsics_root: Default::default(),
				digest: sp_runtime::Digest {
					logs: vec![DigestItem::PreRuntime(*b"aura", slot.encode())],
				},
			};
			Executive::initialize_block(&header);
			let now = pallet_timestamp::Call::set { now: slot * 6_000 };
			let set_time = UncheckedExtrinsic::new_bare(RuntimeCall::Timestamp(now));
			assert_ok!(Executive::apply_extrinsic(set_time).expect("the time is valid"));
			let result = body();
			Executive::finalize_block();
			(result, System::block_weight().total())
		});
		self.state.commit_all().expect("no storage layer is open");
		(result, Took { weight, proof: proof.encoded_size() })
	}
}

pub fn signed(key: sp_keyring::Sr25519Keyring) -> RuntimeOrigin {
	RuntimeOrigin::signed(key.to_account_id())
}

pub fn object(number: u32) -> ContentObjectId {
	let mut id = ContentObjectId([0; 10]);
	id.0[6..].copy_from_slice(&number.to_be_bytes());
	id
}

pub fn version(number: u32) -> VersionId {
	let mut id = VersionId([0; 32]);
	id.0[28..].copy_from_slice(&number.to_be_bytes());
	id
}

/// Fills a tenant with an object, two versions and two records, so many times, beside a KMS and a
/// collection.
pub fn fill(chain: &mut Chain, tenant: TenantId, objects: u32) {
	let root = || signed(Charlie);
	let pair: sr25519::Pair = Charlie.pair();
	let signer: AccountId = Charlie.to_account_id();
	let names = || b"names".to_vec().try_into().expect("is short");
	chain.block(|| {
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant));
		let locator = b"https://kms".to_vec().try_into().expect("is short");
		assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, locator));
		let (any, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
		assert_ok!(ContentFabric::create_collection(root(), tenant, names(), any, syntax));
	});
	let numbers: Vec<_> = (0..objects).collect();
	for some in numbers.chunks(2_000) {
		let mut offset = chain.muid;
		chain.block(|| {
			let node = pallet_content_fabric::Nodes::<Runtime>::get(PROVIDER, NODE);
			let medallion = node.expect("the node exists").medallion;
			let now = u64::from(System::block_number()) * 6_000_000;
			for number in some {
				let object = object(*number);
				assert_ok!(ContentFabric::create_content_object(root(), tenant, object));
				for kind in 0..2 {
					offset += 1;
					let message = VersionCommitMessage {
						originator: PROVIDER,
						node: NODE,
						tenant,
						object,
						version: version(kind),
						size: 1,
						muid: Muid::new(now, medallion, offset).expect("is in range"),
						set_head_on_finalize: false,
						kms: KMS,
					};
					let payload = ContentFabric::commit_payload(&message);
					let signature = Signature::Sr25519(pair.sign(&payload));
					let origin = signed(Bob);
					assert_ok!(ContentFabric::commit_version(
						origin,
						signer.clone(),
						message,
						signature
					));
				}
				for key in [format!("package-{number}"), format!("package-{number}:1.0.0")] {
					let key = Some(key.into_bytes().try_into().expect("is short"));
					let target = ContentRef { object, version: None };
					assert_ok!(ContentFabric::put_record(root(), tenant, names(), key, target));
				}
			}
		});
		chain.muid = offset;
	}
}

pub fn rows(tenant: TenantId) -> Option<u32> {
	ContentFabric::rows(Subject::Tenant(tenant))
}

/// A space with a provider that has a node, and three tenants: of 100,000 rows less a few, of some,
/// and of a few more.
pub fn fabric() -> Chain {
	let mut chain = Chain::new();
	chain.block(|| {
		let rules = SpaceRules {
			provider_bond: BOND,
			tenant_bond: BOND,
			admission: AdmissionPolicy::Open,
			partitions: 1,
			sla: Default::default(),
		};
		let governor = Alice.to_account_id();
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, governor, rules));
		assert_ok!(ContentFabric::create_provider(signed(Bob), SPACE, PROVIDER));
		let locator = b"/dns/node".to_vec().try_into().expect("is short");
		let operator = Bob.to_account_id();
		assert_ok!(ContentFabric::create_node(signed(Bob), PROVIDER, NODE, operator, locator));
		assert_ok!(ContentFabric::confirm_node(signed(Bob), PROVIDER, NODE));
	});
	let objects = (ROWS - 2) / 5;
	fill(&mut chain, TENANT, objects);
	fill(&mut chain, NEIGHBOUR, 10);
	fill(&mut chain, OTHER, 100);
	chain
}
