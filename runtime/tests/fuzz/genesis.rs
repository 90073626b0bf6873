// SPDX-License-Identifier: Apache-2.0
//! The states from which sequences start: a small fabric in which most calls can succeed.

use content_fabric_runtime::{
	configs::SessionPeriod, units::UNIT, AccountId, ContentFabricConfig, RuntimeGenesisConfig,
	SudoConfig,
};
use pallet_content_fabric::{
	identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId},
	AdmissionPolicy, GenesisKey, GenesisKms, GenesisMember, GenesisNode, GenesisSpace, KmsKey,
	ProviderLevel, TenantLevel,
};
use sp_core::H256;
use sp_io::TestExternalities;
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Eve, Ferdie, One};
use sp_runtime::{BuildStorage, StateVersion};

use crate::{
	accounts::{Accounts, KEYS, POOR},
	start,
};

/// Blocks of a session, so that there are several in a sequence.
const SESSION: u32 = 50;

/// A node of the trie with its key, and how often it is referred to.
type RawNode = (Vec<u8>, (Vec<u8>, i32));

/// A state that is cheap to copy.
pub struct Snapshot {
	storage: Vec<RawNode>,
	root: H256,
}

impl Snapshot {
	pub fn state(&self) -> TestExternalities {
		TestExternalities::from_raw_snapshot(self.storage.clone(), self.root, StateVersion::V1)
	}
}

/// Returns the states: with a sudo key and a council of one, with a sudo key and a council of
/// three, and without a sudo key.
pub fn snapshots(accounts: &Accounts) -> Vec<Snapshot> {
	let councils =
		[(true, &[Alice][..]), (true, &[Alice, Bob, Charlie]), (false, &[Alice, Bob, Charlie])];
	councils.map(|(sudo, council)| snapshot(accounts, sudo, council)).into()
}

fn snapshot(accounts: &Accounts, sudo: bool, council: &[Sr25519Keyring]) -> Snapshot {
	let poor = POOR.to_account_id();
	let endowment =
		|account: &AccountId| if *account == poor { 5 * UNIT } else { 1_000_000 * UNIT };
	let balances = accounts.all.iter().map(|account| (account.clone(), endowment(account)));
	let genesis = RuntimeGenesisConfig {
		sudo: SudoConfig { key: sudo.then(|| Alice.to_account_id()) },
		content_fabric: fabric(accounts),
		..start::genesis(balances.collect(), &[Alice, Bob, Charlie, Dave], council)
	};
	let storage = genesis.build_storage().expect("the genesis is valid");
	let mut state = TestExternalities::new_with_state_version(storage, StateVersion::V1);
	state.execute_with(|| SessionPeriod::set(&SESSION));
	state.commit_all().expect("no storage layer is open");
	let (storage, root) = state.into_raw_snapshot();
	Snapshot { storage, root }
}

/// Three spaces, whose governors are an account, a multisig and a pure proxy, and members whose
/// roots are of each kind, too.
fn fabric(accounts: &Accounts) -> ContentFabricConfig {
	let id = |key: Sr25519Keyring| key.to_account_id();
	let space = |space, governor, bond, admission| GenesisSpace {
		space: SpaceId([space; 10]),
		governor,
		provider_bond: bond,
		tenant_bond: bond,
		admission,
		partitions: 1,
		sla: "sla".into(),
	};
	let max_held = 100_000 * UNIT;
	let (open, approval) = (AdmissionPolicy::Open, AdmissionPolicy::Approval);
	let provider = |id, space, root| GenesisMember {
		id: ProviderId([id; 10]),
		space: SpaceId([space; 10]),
		root,
		max_held,
	};
	let tenant = |id, space, root| GenesisMember {
		id: TenantId([id; 10]),
		space: SpaceId([space; 10]),
		root,
		max_held,
	};
	let node = |provider, node, operator| GenesisNode {
		provider: ProviderId([provider; 10]),
		node: NodeId([node; 10]),
		operator,
		locator: "/dns/node".into(),
	};
	let kms = |tenant| GenesisKms {
		tenant: TenantId([tenant; 10]),
		kms: KmsId([0; 10]),
		operator: id(One),
		locator: "https://kms".into(),
		key: KmsKey([1; 32]),
	};
	let key = |tenant, account, level| GenesisKey { id: TenantId([tenant; 10]), account, level };
	ContentFabricConfig {
		spaces: vec![
			space(0, id(Alice), 100 * UNIT, open),
			space(1, accounts.two_of_three.clone(), 0, approval),
			space(2, accounts.pure.clone(), 0, open),
		],
		providers: vec![
			provider(0, 0, id(Bob)),
			provider(1, 1, accounts.any_of_two.clone()),
			provider(2, 2, id(Eve)),
		],
		provider_keys: vec![GenesisKey {
			id: ProviderId([0; 10]),
			account: id(Dave),
			level: ProviderLevel::Admin,
		}],
		nodes: vec![
			node(0, 0, id(Bob)),
			node(0, 1, id(One)),
			node(1, 0, id(Dave)),
			node(2, 0, id(Eve)),
		],
		tenants: vec![
			tenant(0, 0, id(Charlie)),
			tenant(1, 0, accounts.derived.clone()),
			tenant(2, 1, accounts.pure.clone()),
			tenant(3, 2, id(KEYS[5])),
		],
		tenant_keys: vec![
			key(0, id(One), TenantLevel::Content),
			key(0, id(Eve), TenantLevel::Read),
			key(1, id(Ferdie), TenantLevel::Admin),
			key(2, id(Alice), TenantLevel::Content),
		],
		kmses: vec![kms(0), kms(1), kms(2), kms(3)],
	}
}
