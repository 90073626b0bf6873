//! A fabric that a chain starts with.

use frame_support::{assert_ok, traits::fungible::InspectHold};
use sp_runtime::BuildStorage;

use crate::{
	clock::nth_medallion,
	identifiers::{Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Admissions, BondInfo, GenesisConfig, GenesisKey, GenesisKms, GenesisMember,
	GenesisNode, GenesisSpace, HoldReason, Kmses, MedallionCount, MemberInfo, Nodes, ProviderKeys,
	ProviderLevel, Providers, SpaceInfo, Spaces, Subject, TenantKeys, TenantLevel, Tenants,
};

const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);
const OTHER_NODE: NodeId = NodeId([7; 10]);

/// A genesis with something of each kind.
fn config() -> GenesisConfig<Test> {
	let space = GenesisSpace {
		space: SPACE,
		governor: GOVERNOR,
		provider_bond: PROVIDER_BOND,
		tenant_bond: TENANT_BOND,
		// Members of the genesis need no admission.
		admission: AdmissionPolicy::Approval,
		partitions: 4,
		sla: "https://example.net/sla".into(),
	};
	let open = GenesisSpace {
		space: OTHER_SPACE,
		governor: STRANGER,
		provider_bond: 0,
		tenant_bond: 0,
		admission: AdmissionPolicy::Open,
		partitions: 0,
		sla: String::new(),
	};
	let of_provider = |account, level| GenesisKey { id: PROVIDER, account, level };
	let of_tenant = |account, level| GenesisKey { id: TENANT, account, level };
	let node = |node, operator| GenesisNode {
		provider: PROVIDER,
		node,
		operator,
		locator: "/dns/node".into(),
	};
	GenesisConfig {
		spaces: vec![space, open],
		providers: vec![GenesisMember { id: PROVIDER, space: SPACE, root: PROVIDER_ROOT }],
		provider_keys: vec![of_provider(PROVIDER_ADMIN, ProviderLevel::Admin)],
		// One operator is new, the other has a higher level already.
		nodes: vec![node(NODE, OPERATOR), node(OTHER_NODE, PROVIDER_ADMIN)],
		tenants: vec![
			GenesisMember { id: TENANT, space: SPACE, root: TENANT_ROOT },
			GenesisMember { id: OTHER_TENANT, space: OTHER_SPACE, root: TENANT_ROOT },
		],
		tenant_keys: vec![
			of_tenant(TENANT_ADMIN, TenantLevel::Admin),
			of_tenant(KMS_ACCOUNT, TenantLevel::Kms),
			of_tenant(EDITOR, TenantLevel::Content),
		],
		kmses: vec![GenesisKms { tenant: TENANT, kms: KMS, locator: "https://kms".into() }],
	}
}

/// The state of a chain that starts with this genesis, and with funds.
fn build(content_fabric: GenesisConfig<Test>) -> sp_io::TestExternalities {
	let balances = ACCOUNTS.map(|account| (account, ENDOWMENT)).collect();
	let genesis = RuntimeGenesisConfig {
		balances: pallet_balances::GenesisConfig { balances, ..Default::default() },
		content_fabric,
		..Default::default()
	};
	genesis.build_storage().expect("the genesis is valid").into()
}

/// The muid of the `count`-th row of the genesis. The time of its block is 0.
fn genesis_muid(count: i32) -> Muid {
	Muid::new(0, Medallion::MAX, count).expect("is in range")
}

/// Bytes of a row: the names of pallet and map, two ids behind their hashes, the value.
fn deposit(value: u64) -> Balance {
	DepositBase::get() + DepositPerByte::get() * (32 + 2 * (16 + 10) + value)
}

/// The deposit for a key: of an account of 8 bytes, with a level and a balance.
fn key_deposit() -> Balance {
	DepositBase::get() + DepositPerByte::get() * (32 + (16 + 10) + (16 + 8) + 9)
}

#[test]
fn a_fabric_can_be_there_from_the_beginning() {
	build(config()).execute_with(|| {
		ContentFabric::do_try_state().expect("invariants hold from the beginning");
		let mut rules = rules();
		rules.admission = AdmissionPolicy::Approval;
		rules.sla = b"https://example.net/sla".to_vec().try_into().expect("is short");
		assert_eq!(
			Spaces::<Test>::get(SPACE),
			Some(SpaceInfo {
				governor: GOVERNOR,
				rules,
				provider_count: 1,
				tenant_count: 1,
				admission_count: 0,
				created: genesis_muid(1),
			})
		);
		assert_eq!(
			Spaces::<Test>::get(OTHER_SPACE).map(|info| (info.governor, info.tenant_count)),
			Some((STRANGER, 1))
		);
		assert_eq!(Admissions::<Test>::iter().count(), 0);
		assert_eq!(
			Providers::<Test>::get(PROVIDER),
			Some(MemberInfo {
				space: SPACE,
				root: PROVIDER_ROOT,
				depositor: PROVIDER_ROOT,
				bond: PROVIDER_BOND,
				// A locator of 9 characters, and the length, the flag, the medallion, the muid to be.
				deposit: 2 * deposit(1 + (1 + 9) + 8 + 17 + 8) + 2 * key_deposit(),
				rows: 4,
				governance_delete: false,
				being_deleted: false,
				created: genesis_muid(3),
			})
		);
		assert_eq!(
			Tenants::<Test>::get(TENANT),
			Some(MemberInfo {
				space: SPACE,
				root: TENANT_ROOT,
				depositor: TENANT_ROOT,
				bond: TENANT_BOND,
				deposit: deposit((1 + 11) + 8) + 3 * key_deposit(),
				rows: 4,
				governance_delete: false,
				being_deleted: false,
				created: genesis_muid(4),
			})
		);
		assert_eq!(
			Tenants::<Test>::get(OTHER_TENANT).map(|info| (info.space, info.bond, info.rows)),
			Some((OTHER_SPACE, 0, 0))
		);
		assert_eq!(
			Kmses::<Test>::get(TENANT, KMS).map(|info| info.locator),
			Some(locator("https://kms"))
		);
	});
}

#[test]
fn nodes_of_the_genesis_are_confirmed_and_have_medallions() {
	build(config()).execute_with(|| {
		for (place, node) in [NODE, OTHER_NODE].into_iter().enumerate() {
			let info = Nodes::<Test>::get(PROVIDER, node).expect("is in the genesis");
			assert_eq!((info.pending, info.last_muid), (false, None));
			assert_eq!(info.locator, locator("/dns/node"));
			assert_eq!(Some(info.medallion), nth_medallion(place as u64));
		}
		assert_eq!(MedallionCount::<Test>::get(), 2);
	});
}

#[test]
fn keys_of_the_genesis_give_levels() {
	build(config()).execute_with(|| {
		let level = |account| ContentFabric::provider_level(PROVIDER, account);
		assert_eq!(level(PROVIDER_ROOT), Some(ProviderLevel::Root));
		assert_eq!(level(PROVIDER_ADMIN), Some(ProviderLevel::Admin));
		assert_eq!(level(OPERATOR), Some(ProviderLevel::Node));
		assert_eq!(level(STRANGER), None);
		let level = |account| ContentFabric::tenant_level(TENANT, account);
		assert_eq!(level(TENANT_ROOT), Some(TenantLevel::Root));
		assert_eq!(level(TENANT_ADMIN), Some(TenantLevel::Admin));
		assert_eq!(level(KMS_ACCOUNT), Some(TenantLevel::Kms));
		assert_eq!(level(EDITOR), Some(TenantLevel::Content));
		assert_eq!(level(STRANGER), None);
		assert_eq!(ProviderKeys::<Test>::iter().count(), 2);
		assert_eq!(TenantKeys::<Test>::iter().count(), 3);
		assert!(governs(signed(GOVERNOR), SPACE) && governs(signed(STRANGER), OTHER_SPACE));
	});
}

#[test]
fn bonds_and_deposits_of_the_genesis_are_held_and_come_back() {
	build(config()).execute_with(|| {
		System::set_block_number(1);
		let on_hold = |reason: HoldReason, who: AccountId| {
			Balances::balance_on_hold(&RuntimeHoldReason::from(reason), &who)
		};
		for (subject, root, reason, bond) in [
			(Subject::Provider(PROVIDER), PROVIDER_ROOT, HoldReason::ProviderBond, PROVIDER_BOND),
			(Subject::Tenant(TENANT), TENANT_ROOT, HoldReason::TenantBond, TENANT_BOND),
		] {
			let info = ContentFabric::bond(subject).expect("is in the genesis");
			let deposit = info.deposit;
			assert!(deposit > 0);
			assert_eq!(info, BondInfo { depositor: root, bond, required: bond, deposit });
			assert_eq!(on_hold(reason, root), bond);
			assert_eq!(on_hold(HoldReason::StorageDeposit, root), deposit);
			assert_eq!(funds(root), (ENDOWMENT - bond - deposit, bond + deposit));
		}
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 4));
		assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 4));
		for account in ACCOUNTS {
			assert_eq!(funds(account), (ENDOWMENT, 0));
		}
		ContentFabric::do_try_state().expect("invariants hold afterwards");
	});
}

#[test]
fn a_chain_goes_on_from_its_genesis() {
	let mut ext = build(config());
	ext.execute_with(|| {
		System::set_block_number(1);
		let root = signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_content_object(root, TENANT, OBJECT));
		assert_ok!(commit(message(HEAD)));
		let operator = signed(OPERATOR);
		assert_ok!(ContentFabric::finalize_version(operator, TENANT, OBJECT, HEAD));
		// Members of later blocks do need an admission.
		assert_eq!(
			ContentFabric::create_tenant(signed(STRANGER), SPACE, TenantId([8; 10])),
			Err(crate::Error::<Test>::NotAdmitted.into())
		);
		ContentFabric::do_try_state().expect("invariants hold at the end of every block");
	});
}

#[test]
fn a_genesis_without_a_fabric_is_empty() {
	build(GenesisConfig::default()).execute_with(|| {
		assert_eq!(Spaces::<Test>::iter().count(), 0);
		assert_eq!(MedallionCount::<Test>::get(), 0);
		ContentFabric::do_try_state().expect("nothing breaks no invariant");
	});
}

#[test]
fn a_genesis_is_written_as_json_with_ids_in_text() {
	let json = serde_json::to_value(config()).expect("a genesis can be written");
	let mut fields: Vec<_> = json.as_object().expect("is an object").keys().collect();
	fields.sort();
	assert_eq!(
		fields,
		["kmses", "nodes", "providerKeys", "providers", "spaces", "tenantKeys", "tenants"]
	);
	assert_eq!(
		json["spaces"][0],
		serde_json::json!({
			"space": SPACE.to_string(),
			"governor": GOVERNOR,
			"providerBond": PROVIDER_BOND,
			"tenantBond": TENANT_BOND,
			"admission": "Approval",
			"partitions": 4,
			"sla": "https://example.net/sla",
		})
	);
	assert_eq!(
		json["providers"][0],
		serde_json::json!({
			"id": PROVIDER.to_string(),
			"space": SPACE.to_string(),
			"root": PROVIDER_ROOT,
		})
	);
	assert_eq!(
		json["tenantKeys"][1],
		serde_json::json!({
			"id": TENANT.to_string(),
			"account": KMS_ACCOUNT,
			"level": "Kms",
		})
	);
	assert_eq!(
		json["nodes"][0],
		serde_json::json!({
			"provider": PROVIDER.to_string(),
			"node": NODE.to_string(),
			"operator": OPERATOR,
			"locator": "/dns/node",
		})
	);
	assert_eq!(
		json["kmses"][0],
		serde_json::json!({
			"tenant": TENANT.to_string(),
			"kms": KMS.to_string(),
			"locator": "https://kms",
		})
	);
	assert!(SPACE.to_string().starts_with("ispc") && PROVIDER.to_string().starts_with("iprv"));
}

#[test]
fn a_genesis_is_read_as_it_was_written() {
	let text = serde_json::to_string(&config()).expect("a genesis can be written");
	let read: GenesisConfig<Test> = serde_json::from_str(&text).expect("it can be read");
	let written = config();
	assert_eq!(read.spaces, written.spaces);
	assert_eq!(read.providers, written.providers);
	assert_eq!(read.provider_keys, written.provider_keys);
	assert_eq!(read.nodes, written.nodes);
	assert_eq!(read.tenants, written.tenants);
	assert_eq!(read.tenant_keys, written.tenant_keys);
	assert_eq!(read.kmses, written.kmses);
}

/// What is said of a genesis that cannot be read.
fn refusal(json: serde_json::Value) -> String {
	let read = serde_json::from_value::<GenesisConfig<Test>>(json);
	read.err().expect("the genesis cannot be read").to_string()
}

#[test]
fn unknown_fields_of_a_genesis_are_refused() {
	let json = || serde_json::to_value(config()).expect("a genesis can be written");
	let mut whole = json();
	whole["tenant"] = serde_json::json!([]);
	assert!(refusal(whole).contains("unknown field `tenant`"));
	for list in ["spaces", "providers", "providerKeys", "nodes", "tenants", "tenantKeys", "kmses"] {
		let mut json = json();
		json[list][0]["deposit"] = serde_json::json!(0);
		assert!(refusal(json).contains("unknown field `deposit`"), "{list}");
	}
}

#[test]
fn ids_of_the_wrong_kind_are_refused() {
	let json = || serde_json::to_value(config()).expect("a genesis can be written");
	let mut of_provider = json();
	of_provider["spaces"][0]["space"] = serde_json::json!(PROVIDER.to_string());
	assert!(refusal(of_provider).contains("ispc"));
	let mut bytes = json();
	bytes["spaces"][0]["space"] = serde_json::json!(SPACE.0);
	refusal(bytes);
	let mut level = json();
	level["providerKeys"][0]["level"] = serde_json::json!("Kms");
	assert!(refusal(level).contains("unknown variant `Kms`"));
}

/// Builds a genesis with a change that makes it invalid.
fn build_with(change: impl FnOnce(&mut GenesisConfig<Test>)) {
	let mut config = config();
	change(&mut config);
	build(config);
}

#[test]
#[should_panic(expected = "space 2 of the genesis: Module(ModuleError { index: 2, \
	error: [2, 0, 0, 0], message: Some(\"SpaceAlreadyExists\") })")]
fn a_space_of_the_genesis_has_an_id_of_its_own() {
	build_with(|config| config.spaces.push(config.spaces[0].clone()));
}

#[test]
#[should_panic(expected = "provider 1 of the genesis: Module(ModuleError { index: 2, \
	error: [6, 0, 0, 0], message: Some(\"ProviderAlreadyExists\") })")]
fn a_provider_of_the_genesis_has_an_id_of_its_own() {
	build_with(|config| config.providers.push(config.providers[0].clone()));
}

#[test]
#[should_panic(expected = "tenant 2 of the genesis: Module(ModuleError { index: 2, \
	error: [14, 0, 0, 0], message: Some(\"TenantAlreadyExists\") })")]
fn a_tenant_of_the_genesis_has_an_id_of_its_own_in_all_spaces() {
	build_with(|config| {
		let twin = GenesisMember { space: OTHER_SPACE, ..config.tenants[0].clone() };
		config.tenants.push(twin);
	});
}

#[test]
#[should_panic(expected = "node 2 of the genesis: Module(ModuleError { index: 2, \
	error: [10, 0, 0, 0], message: Some(\"NodeAlreadyExists\") })")]
fn a_node_of_the_genesis_has_an_id_of_its_own() {
	build_with(|config| config.nodes.push(config.nodes[0].clone()));
}

#[test]
#[should_panic(expected = "KMS 1 of the genesis: Module(ModuleError { index: 2, \
	error: [18, 0, 0, 0], message: Some(\"KmsAlreadyExists\") })")]
fn a_kms_of_the_genesis_has_an_id_of_its_own() {
	build_with(|config| config.kmses.push(config.kmses[0].clone()));
}

#[test]
#[should_panic(expected = "provider 0 of the genesis: Module(ModuleError { index: 2, \
	error: [1, 0, 0, 0], message: Some(\"SpaceNotFound\") })")]
fn a_provider_of_the_genesis_belongs_to_a_space() {
	build_with(|config| config.providers[0].space = SpaceId([8; 10]));
}

#[test]
#[should_panic(expected = "tenant 0 of the genesis: Module(ModuleError { index: 2, \
	error: [1, 0, 0, 0], message: Some(\"SpaceNotFound\") })")]
fn a_tenant_of_the_genesis_belongs_to_a_space() {
	build_with(|config| config.tenants[0].space = SpaceId([8; 10]));
}

#[test]
#[should_panic(expected = "node 1 of the genesis: Module(ModuleError { index: 2, \
	error: [5, 0, 0, 0], message: Some(\"ProviderNotFound\") })")]
fn a_node_of_the_genesis_belongs_to_a_provider() {
	build_with(|config| config.nodes[1].provider = ProviderId([8; 10]));
}

#[test]
#[should_panic(expected = "tenant key 0 of the genesis: Module(ModuleError { index: 2, \
	error: [13, 0, 0, 0], message: Some(\"TenantNotFound\") })")]
fn a_key_of_the_genesis_belongs_to_a_member() {
	build_with(|config| config.tenant_keys[0].id = TenantId([8; 10]));
}

#[test]
#[should_panic(expected = "provider key 0 of the genesis: Module(ModuleError { index: 2, \
	error: [0, 0, 0, 0], message: Some(\"NoPermission\") })")]
fn no_key_of_the_genesis_has_the_level_of_the_root() {
	build_with(|config| config.provider_keys[0].level = ProviderLevel::Root);
}

#[test]
#[should_panic(expected = "node 0 of the genesis: Module(ModuleError { index: 2, \
	error: [27, 0, 0, 0], message: Some(\"InvalidLocator\") })")]
fn the_locator_of_a_node_of_the_genesis_is_one_word() {
	build_with(|config| config.nodes[0].locator = "two words".into());
}

#[test]
#[should_panic(expected = "KMS 0 of the genesis: Module(ModuleError { index: 2, \
	error: [27, 0, 0, 0], message: Some(\"InvalidLocator\") })")]
fn the_locator_of_a_kms_of_the_genesis_is_one_word() {
	build_with(|config| config.kmses[0].locator = String::new());
}

#[test]
#[should_panic(expected = "KMS 0 of the genesis: Other(\"a text is too long\")")]
fn a_locator_of_the_genesis_is_not_too_long() {
	build_with(|config| config.kmses[0].locator = "x".repeat(65));
}

#[test]
#[should_panic(expected = "space 1 of the genesis: Other(\"a text is too long\")")]
fn the_service_level_of_the_genesis_is_not_too_long() {
	build_with(|config| config.spaces[1].sla = "x".repeat(65));
}

#[test]
#[should_panic(expected = "provider 0 of the genesis: Token(FundsUnavailable)")]
fn a_provider_of_the_genesis_has_its_bond() {
	build_with(|config| config.providers[0].root = 50);
}

#[test]
#[should_panic(expected = "tenant 0 of the genesis: Token(FundsUnavailable)")]
fn a_tenant_of_the_genesis_has_its_bond() {
	build_with(|config| config.spaces[0].tenant_bond = ENDOWMENT);
}

#[test]
#[should_panic(expected = "KMS 1 of the genesis: Token(FundsUnavailable)")]
fn a_row_of_the_genesis_has_its_deposit() {
	build_with(|config| {
		config.tenants[1].root = 50;
		let kms = GenesisKms { tenant: OTHER_TENANT, ..config.kmses[0].clone() };
		config.kmses.push(kms);
	});
}
