//! A tenancy of 100,000 rows, deleted by one call of its governor: on this runtime, in blocks as
//! they are made, with the weights that were measured.

use codec::Encode;
use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	AccountId, Balances, ContentFabric, Executive, Header, Runtime, RuntimeCall,
	RuntimeGenesisConfig, RuntimeOrigin, Signature, System, UncheckedExtrinsic,
};
use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchClass, Pays},
	traits::fungible::InspectHold,
	weights::Weight,
};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	AdmissionPolicy, ContentRef, Error, Event, SpaceRules, Subject, VersionCommitMessage,
	WeightInfo,
};
use sp_core::{sr25519, Pair};
use sp_io::TestExternalities;
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie, Dave};
use sp_runtime::{generic::DigestItem, traits::Dispatchable, BuildStorage};

const SPACE: SpaceId = SpaceId([0xff; 10]);
const PROVIDER: ProviderId = ProviderId([0; 10]);
const NODE: NodeId = NodeId([0; 10]);
/// The tenants differ in their last byte.
const TENANT: TenantId = TenantId([0; 10]);
const NEIGHBOUR: TenantId = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
const OTHER: TenantId = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
const KMS: KmsId = KmsId([0; 10]);
const UNIT: u128 = 1_000_000_000_000;
const BOND: u128 = 100 * UNIT;
const ROWS: u32 = 100_000;

type Weights = pallet_content_fabric::weights::SubstrateWeight<Runtime>;

/// What a block took.
struct Took {
	weight: Weight,
	/// Bytes of the proof of all that was read, and of what changing it needs.
	proof: usize,
}

struct Chain {
	state: TestExternalities,
	number: u32,
	muid: i32,
}

impl Chain {
	fn new() -> Self {
		let accounts =
			[Alice, Bob, Charlie, Dave].map(|key| (key.to_account_id(), 1_000_000 * UNIT));
		let genesis = RuntimeGenesisConfig {
			balances: pallet_balances::GenesisConfig {
				balances: accounts.to_vec(),
				..Default::default()
			},
			..Default::default()
		};
		let state = genesis.build_storage().expect("the genesis is valid").into();
		Self { state, number: 0, muid: 0 }
	}

	/// Makes a block: its hooks, the time, what `body` does, and what is left of its weight.
	fn block<R>(&mut self, body: impl FnOnce() -> R) -> (R, Took) {
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

fn signed(key: sp_keyring::Sr25519Keyring) -> RuntimeOrigin {
	RuntimeOrigin::signed(key.to_account_id())
}

fn object(number: u32) -> ContentObjectId {
	let mut id = ContentObjectId([0; 10]);
	id.0[6..].copy_from_slice(&number.to_be_bytes());
	id
}

fn version(number: u32) -> VersionId {
	let mut id = VersionId([0; 32]);
	id.0[28..].copy_from_slice(&number.to_be_bytes());
	id
}

/// Fills a tenant with an object, two versions and two records, so many times, beside a KMS and a
/// collection.
fn fill(chain: &mut Chain, tenant: TenantId, objects: u32) {
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

fn rows(tenant: TenantId) -> Option<u32> {
	ContentFabric::rows(Subject::Tenant(tenant))
}

fn held(key: sp_keyring::Sr25519Keyring) -> u128 {
	Balances::total_balance_on_hold(&key.to_account_id())
}

fn fabric_events() -> Vec<Event<Runtime>> {
	System::read_events_for_pallet()
}

/// A space with a provider that has a node, and three tenants: of 100,000 rows less a few, of some,
/// and of a few more.
fn fabric() -> Chain {
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

#[test]
fn one_call_deletes_a_tenancy_of_100_000_rows() {
	let mut chain = fabric();
	let missing = chain.block(|| ROWS - rows(TENANT).expect("the tenant exists")).0;
	let (before, _) = chain.block(|| (held(Charlie), rows(NEIGHBOUR), rows(OTHER)));
	assert_eq!((before.1, before.2), (Some(52), Some(502)));
	let deposits = |tenant| {
		let info = pallet_content_fabric::Tenants::<Runtime>::get(tenant);
		info.map(|info| info.bond + info.deposit)
	};

	// The last rows are written in the block of the call.
	let (freed, took) = chain.block(|| {
		for number in 0..missing {
			let id = object(1_000_000 + number);
			assert_ok!(ContentFabric::create_content_object(signed(Charlie), TENANT, id));
		}
		assert_eq!(rows(TENANT), Some(ROWS));
		let freed = deposits(TENANT).expect("exists") + deposits(OTHER).expect("exists");
		let governor = || signed(Alice);
		for (tenant, slash) in [(TENANT, BOND / 4), (OTHER, 0)] {
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), tenant, slash, 0));
		}
		assert_eq!(
			fabric_events()[missing as usize..],
			[
				Event::TenantSlashed { tenant: TENANT, amount: BOND / 4 },
				Event::TenantDeletionStarted { tenant: TENANT, rows: ROWS },
				Event::TenantDeletionStarted { tenant: OTHER, rows: 502 },
			]
		);
		freed
	});
	assert_fits(&took);
	let (bonds_left, _) = chain.block(|| held(Charlie));
	// What the missing rows took was held, and is free again with all the rest.
	assert!(bonds_left < before.0 && before.0 - bonds_left <= freed);

	let mut blocks = 0;
	let mut full = false;
	loop {
		blocks += 1;
		full = !full;
		let ((left, reaped), took) = chain.block(|| {
			assert_refused();
			let left = rows(TENANT);
			// Every other block is full: what is left is for nobody but those who pay.
			let reaped = if full { fill_block_and_reap() } else { 0 };
			(left, reaped)
		});
		assert_fits(&took);
		let (now, _) = chain.block(|| {
			// No weight to spare at all: nothing happens by itself.
			let max = BlockWeights::get().max_block;
			System::register_extra_weight_unchecked(max, DispatchClass::Mandatory);
			rows(TENANT)
		});
		let (Some(left), now) = (left, now.unwrap_or(0)) else { break };
		if full {
			assert_eq!(left - now, reaped, "a full block removes what is reaped, and nothing else");
			assert!(reaped > 1_000 || now == 0, "{reaped}");
		} else {
			assert!(now < left, "a block with weight to spare removes rows");
		}
		if now == 0 {
			break;
		}
	}
	// By the measured weight of a row, a quarter of each block, and some more by those who reap.
	println!("{ROWS} rows were removed in {blocks} blocks");
	assert!((2..100).contains(&blocks));

	// The other deletion, which waited in the queue, ends as well.
	for _ in 0..3 {
		chain.block(|| ());
	}
	chain.block(|| {
		assert_eq!(rows(OTHER), None);
		assert_eq!(rows(NEIGHBOUR), Some(52));
		assert_eq!(held(Charlie), deposits(NEIGHBOUR).expect("exists"));
		let children = ContentFabric::content_objects(NEIGHBOUR, None, 100).items;
		assert_eq!(children.len(), 10);
		// The ids can be used again.
		assert_ok!(ContentFabric::create_tenant(signed(Dave), SPACE, TENANT));
		assert_eq!(rows(TENANT), Some(0));
		assert!(ContentFabric::content_objects(TENANT, None, 100).items.is_empty());
	});
}

/// Fills the block but for an eighth, and reaps as much as fits. Returns the number of rows.
fn fill_block_and_reap() -> u32 {
	let max = BlockWeights::get().max_block;
	let fill = max - System::block_weight().total();
	System::register_extra_weight_unchecked(fill * 7 / 8, DispatchClass::Normal);
	let (base, step) = (Weights::reap(0), Weights::reap(1));
	let room = fill / 8 - base;
	let limit = (room.ref_time() / (step - base).ref_time()) as u32;
	let call = pallet_content_fabric::Call::reap { subject: Subject::Tenant(TENANT), limit };
	let before = rows(TENANT).expect("is being deleted");
	let post = RuntimeCall::ContentFabric(call).dispatch(signed(Dave)).expect("is being deleted");
	let removed = before - rows(TENANT).unwrap_or(0);
	assert_eq!(post.pays_fee, Pays::No);
	assert_eq!(post.actual_weight, Some(Weights::reap(removed)));
	System::register_extra_weight_unchecked(Weights::reap(removed), DispatchClass::Normal);
	removed
}

/// That nobody can do anything with a tenancy that is being deleted.
fn assert_refused() {
	if rows(TENANT).is_none() {
		return;
	}
	let (root, being_deleted) = (|| signed(Charlie), Error::<Runtime>::BeingDeleted);
	assert_noop!(ContentFabric::create_tenant(root(), SPACE, TENANT), being_deleted);
	assert_noop!(
		ContentFabric::create_content_object(root(), TENANT, object(2_000_000)),
		Error::<Runtime>::BeingDeleted
	);
	assert_noop!(ContentFabric::delete_tenant(root(), TENANT), Error::<Runtime>::BeingDeleted);
	assert_eq!(ContentFabric::tenant_level(TENANT, Charlie.to_account_id()), None);
	assert!(ContentFabric::content_objects(TENANT, None, 10).items.is_empty());
}

/// That a block kept to its weight, in time and in the size of its proof.
fn assert_fits(took: &Took) {
	assert!(BlockWeights::get().max_block.all_gte(took.weight), "{:?}", took.weight);
	assert!(took.proof as u64 <= took.weight.proof_size(), "{} {:?}", took.proof, took.weight);
}

/// Chains whose proofs are limited get no more than they allow.
#[test]
fn the_size_of_proofs_limits_steps() {
	let mut chain = fabric();
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_tenant(signed(Alice), TENANT, 0, 0));
	});
	let left =
		|chain: &mut Chain| chain.state.execute_with(|| rows(TENANT).expect("is being deleted"));
	for megabytes in [1, 2, 5] {
		let limit = Weight::from_parts(u64::MAX, megabytes << 20);
		let before = left(&mut chain);
		let (consumed, proof) = chain.state.execute_and_prove(|| {
			let consumed = <ContentFabric as frame_support::traits::Hooks<u32>>::on_idle(
				chain.number,
				limit.min(MaxIdleWeight::get()),
			);
			sp_io::storage::root(sp_runtime::StateVersion::V1);
			consumed
		});
		chain.state.commit_all().expect("no storage layer is open");
		let removed = before - left(&mut chain);
		assert!(removed > 100, "{removed}");
		assert!(consumed.proof_size() <= megabytes << 20);
		assert!(proof.encoded_size() as u64 <= consumed.proof_size());
		println!(
			"{removed} rows within {megabytes} MiB of weight, {} KiB of proof",
			proof.encoded_size() >> 10
		);
	}
}
