// SPDX-License-Identifier: Apache-2.0
//! A fabric that a chain starts with.

use frame_support::assert_ok;
use serde_json::{json, Value};
use sp_runtime::{DispatchError, TokenError};

use super::{
	bonds::{
		assert_holds_are_those_of,
		rows::{kms_bytes, node_bytes, own_deposit, price, KEY_BYTES},
		usual_bond,
	},
	integrity::panic_message,
};
use crate::{
	identifiers::{Muid, ProviderId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Admissions, BondInfo, Error, GenesisConfig, GenesisKey, GenesisKms,
	GenesisMember, GenesisNode, GenesisSpace, KmsKey, Kmses, LastTid, Medallions, MemberInfo,
	Nodes, ProviderKeys, ProviderLevel, ProviderRowCounts, Providers, SpaceInfo, SpaceRules,
	Spaces, TenantKeys, TenantLevel, TenantRowCounts, Tenants,
};

pub(super) const OTHER_ROOT: AccountId = 10;

/// Returns a genesis with something of each kind.
pub(super) fn config() -> GenesisConfig<Test> {
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
	let max_held = MAX_HELD;
	let tenant = |id, space, root| GenesisMember { id, space, root, max_held };
	let (provider, id, account, level) = (PROVIDER, PROVIDER, PROVIDER_ADMIN, ProviderLevel::Admin);
	let of_tenant = |account, level| GenesisKey { id: TENANT, account, level };
	let node =
		|node, operator| GenesisNode { provider, node, operator, locator: "/dns/node".into() };
	GenesisConfig {
		spaces: vec![space, open],
		providers: vec![GenesisMember { id, space: SPACE, root: PROVIDER_ROOT, max_held }],
		provider_keys: vec![GenesisKey { id, account, level }],
		// One operator has no level in the provider, the other has one.
		nodes: vec![node(NODE, OPERATOR), node(OTHER_NODE, PROVIDER_ADMIN)],
		tenants: vec![
			tenant(TENANT, SPACE, TENANT_ROOT),
			tenant(OTHER_TENANT, OTHER_SPACE, OTHER_ROOT),
		],
		tenant_keys: vec![
			of_tenant(TENANT_ADMIN, TenantLevel::Admin),
			of_tenant(KMS_ACCOUNT, TenantLevel::Kms),
			of_tenant(EDITOR, TenantLevel::Content),
		],
		kmses: vec![GenesisKms {
			tenant: TENANT,
			kms: KMS,
			operator: KMS_OPERATOR,
			locator: "https://kms".into(),
			key: KMS_KEY,
		}],
	}
}

/// Returns the muid that was minted `count`-th in the genesis, each in a transaction of its own. The
/// time of its block is 0.
fn genesis_muid(count: u64) -> Muid {
	Muid::new(count - 1, chain_medallion(), 1).expect("is in range")
}

/// Returns the deposits for the rows under the provider, and under the tenant.
fn deposits_of_rows() -> [Balance; 2] {
	let (key, node, kms) = (price(KEY_BYTES), price(node_bytes(9)), price(kms_bytes(11)));
	[key + 2 * node, 3 * key + kms]
}

#[test]
fn a_chain_can_start_with_a_fabric() {
	genesis(config()).execute_with(|| {
		ContentFabric::do_try_state().expect("the storage is sound from the beginning");
		let sla = b"https://example.net/sla".to_vec().try_into().expect("the text is short");
		assert_eq!(
			Spaces::<Test>::get(SPACE),
			Some(SpaceInfo {
				governor: GOVERNOR,
				rules: SpaceRules { admission: AdmissionPolicy::Approval, sla, ..rules() },
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
		assert!(governs(signed(GOVERNOR), SPACE) && governs(signed(STRANGER), OTHER_SPACE));
		assert_eq!(Admissions::<Test>::iter().count(), 0);
		assert_eq!(
			Kmses::<Test>::get(TENANT, KMS).map(|info| (info.operator, info.locator, info.key)),
			Some((KMS_OPERATOR, locator("https://kms"), KMS_KEY))
		);
	});
}

#[test]
fn members_of_the_genesis_have_their_limits_and_rows() {
	genesis(config()).execute_with(|| {
		let [under_provider, under_tenant] = deposits_of_rows();
		let provider = MemberInfo {
			space: SPACE,
			root: PROVIDER_ROOT,
			root_since: genesis_muid(3),
			nomination: None,
			max_held: MAX_HELD,
			bond: PROVIDER_BOND,
			own_deposit: own_deposit(THE_PROVIDER),
			deposit: under_provider,
			rows: ProviderRowCounts { keys: 1, nodes: 2 },
			empty_since: None,
			governance_delete: false,
			suspended: false,
			purge: None,
			created: genesis_muid(3),
		};
		assert_eq!(Providers::<Test>::get(PROVIDER), Some(provider));
		// The access key of the provider has the muid between.
		let tenant = Tenants::<Test>::get(TENANT).expect("the tenant is in the genesis");
		let other = Tenants::<Test>::get(OTHER_TENANT).expect("the tenant is in the genesis");
		assert_eq!((tenant.root_since, tenant.created), (genesis_muid(5), genesis_muid(5)));
		assert_eq!((tenant.space, tenant.root, tenant.max_held), (SPACE, TENANT_ROOT, MAX_HELD));
		assert_eq!((tenant.bond, tenant.deposit), (TENANT_BOND, under_tenant));
		assert_eq!(tenant.own_deposit, own_deposit(THE_TENANT));
		let rows = TenantRowCounts { keys: 3, kmses: 1, ..Default::default() };
		assert_eq!((&tenant.rows, tenant.empty_since), (&rows, None));
		let expected = MemberInfo {
			space: OTHER_SPACE,
			root: OTHER_ROOT,
			root_since: genesis_muid(6),
			bond: 0,
			deposit: 0,
			rows: TenantRowCounts::default(),
			// The genesis is block 0.
			empty_since: Some(0),
			created: genesis_muid(6),
			..tenant
		};
		assert_eq!(other, expected);
	});
}

#[test]
fn nodes_of_the_genesis_are_confirmed_and_have_operators_and_medallions() {
	genesis(config()).execute_with(|| {
		let nodes = [(NODE, OPERATOR), (OTHER_NODE, PROVIDER_ADMIN)];
		for (place, (node, operator)) in (0..).zip(nodes) {
			let info = Nodes::<Test>::get(PROVIDER, node).expect("the node is in the genesis");
			assert_eq!((info.operator, info.pending, info.last_muid), (operator, false, None));
			assert_eq!(info.locator, locator("/dns/node"));
			assert_eq!(info.medallion, super::medallions::nth(place + 1));
		}
		assert_eq!(Medallions::<Test>::get().map(|it| it.assigned), Some(3));
		// An operator acts for its node. It has no level in the provider.
		assert_eq!(ContentFabric::provider_level(PROVIDER, OPERATOR), None);
	});
}

#[test]
fn access_keys_of_the_genesis_give_levels() {
	genesis(config()).execute_with(|| {
		let level = |account| ContentFabric::provider_level(PROVIDER, account);
		assert_eq!(level(PROVIDER_ROOT), Some(ProviderLevel::Root));
		assert_eq!(level(PROVIDER_ADMIN), Some(ProviderLevel::Admin));
		assert_eq!(level(STRANGER), None);
		let level = |account| ContentFabric::tenant_level(TENANT, account);
		assert_eq!(level(TENANT_ROOT), Some(TenantLevel::Root));
		assert_eq!(level(TENANT_ADMIN), Some(TenantLevel::Admin));
		assert_eq!(level(KMS_ACCOUNT), Some(TenantLevel::Kms));
		assert_eq!(level(EDITOR), Some(TenantLevel::Content));
		assert_eq!(level(STRANGER), None);
		// The roots need no keys.
		assert_eq!(ProviderKeys::<Test>::iter().count(), 1);
		assert_eq!(TenantKeys::<Test>::iter().count(), 3);
	});
}

#[test]
fn bonds_and_deposits_of_the_genesis_are_held() {
	genesis(config()).execute_with(|| {
		for (member, of_rows) in THE_MEMBERS.into_iter().zip(deposits_of_rows()) {
			let (root, bond, max_held) = (root_of(member), usual_bond(member), MAX_HELD);
			let deposit = own_deposit(member) + of_rows;
			let info = BondInfo { root, bond, required: bond, deposit, max_held };
			assert_eq!(ContentFabric::bond(member), Some(info));
			assert_holds_are_those_of(root, &[member]);
			assert_eq!(funds(root), (ENDOWMENT - bond - deposit, bond + deposit));
		}
		let own_deposit = own_deposit(THE_TENANT);
		assert_eq!(funds(OTHER_ROOT), (ENDOWMENT - own_deposit, own_deposit));
	});
}

#[test]
fn a_chain_continues_from_its_genesis() {
	genesis(config()).execute_with(|| {
		System::set_block_number(1);
		assert_ok!(create_object(OBJECT));
		assert_ok!(commit_head(HEAD));
		assert_ok!(finalize_as(OPERATOR, &[HEAD]));
		assert_eq!(head(), Some(HEAD));
		// Members of later blocks do need an admission.
		let member = TenantId([8; 10]).into();
		assert_refused(STRANGER, create(member, MAX_HELD), Error::<Test>::NotAdmitted);
		ContentFabric::do_try_state().expect("the storage is sound at the end of the block");
	});
}

/// Otherwise the first call would draw by the hash of no block, alike on all chains.
#[test]
fn a_genesis_with_spaces_alone_draws_the_chains_medallion_and_clock_id() {
	let drawn = |governor| {
		let spaces = config().spaces.into_iter().map(|space| GenesisSpace { governor, ..space });
		let config = GenesisConfig { spaces: spaces.collect(), ..Default::default() };
		genesis(config).execute_with(|| {
			ContentFabric::do_try_state().expect("the storage is sound");
			let medallion = chain_medallion();
			assert!(medallion.is_assignable(), "{medallion:?}");
			assert_eq!(super::medallions::nth(0), medallion);
			let last = LastTid::<Test>::get().expect("it is drawn as well");
			assert_eq!(last.timestamp(), 0);
			(medallion, last.clock_id())
		})
	};
	let drawn: std::collections::BTreeSet<_> = (10..20).map(drawn).collect();
	assert_eq!(drawn.len(), 10);
}

#[test]
fn a_genesis_without_a_fabric_is_empty() {
	genesis(GenesisConfig::default()).execute_with(|| {
		assert_eq!(keys_under(&raw_key("Spaces", &[])), 0);
		assert_eq!(Medallions::<Test>::get(), None);
		ContentFabric::do_try_state().expect("an empty storage is sound");
	});
}

/// Returns the genesis as JSON.
fn config_json() -> Value {
	serde_json::to_value(config()).expect("a genesis can be written")
}

#[test]
fn a_genesis_is_written_as_json_with_ids_as_text() {
	let json = config_json();
	let mut fields: Vec<_> = json.as_object().expect("is an object").keys().collect();
	fields.sort();
	assert_eq!(
		fields,
		["kmses", "nodes", "providerKeys", "providers", "spaces", "tenantKeys", "tenants"]
	);
	assert_eq!(
		json["spaces"][0],
		json!({
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
		json!({
			"id": PROVIDER.to_string(),
			"space": SPACE.to_string(),
			"root": PROVIDER_ROOT,
			"maxHeld": MAX_HELD,
		})
	);
	assert_eq!(
		json["tenantKeys"][1],
		json!({ "id": TENANT.to_string(), "account": KMS_ACCOUNT, "level": "Kms" })
	);
	assert_eq!(
		json["nodes"][0],
		json!({
			"provider": PROVIDER.to_string(),
			"node": NODE.to_string(),
			"operator": OPERATOR,
			"locator": "/dns/node",
		})
	);
	assert_eq!(
		json["kmses"][0],
		json!({
			"tenant": TENANT.to_string(),
			"kms": KMS.to_string(),
			"operator": KMS_OPERATOR,
			"locator": "https://kms",
			"key": KMS_KEY.to_string(),
		})
	);
	assert!(SPACE.to_string().starts_with("ispc") && PROVIDER.to_string().starts_with("iprv"));
}

#[test]
fn a_genesis_is_read_as_it_was_written() {
	let written = config_json();
	let read: GenesisConfig<Test> =
		serde_json::from_value(written.clone()).expect("it can be read");
	assert_eq!(serde_json::to_value(read).expect("it can be written"), written);
}

/// Changes the JSON of the genesis so that it cannot be read. Returns the error.
fn read_error(change: impl FnOnce(&mut Value)) -> String {
	let mut json = config_json();
	change(&mut json);
	let read = serde_json::from_value::<GenesisConfig<Test>>(json);
	read.err().expect("the genesis cannot be read").to_string()
}

#[test]
fn unknown_fields_are_refused() {
	let error = read_error(|json| json["tenant"] = json!([]));
	assert!(error.contains("unknown field `tenant`"), "{error}");
	for list in ["spaces", "providers", "providerKeys", "nodes", "tenants", "tenantKeys", "kmses"] {
		let error = read_error(|json| json[list][0]["deposit"] = json!(0));
		assert!(error.contains("unknown field `deposit`"), "{list}: {error}");
	}
	// The names are in camel case, and in no other.
	let error = read_error(|json| json["providers"][0]["max_held"] = json!(0));
	assert!(error.contains("unknown field `max_held`"), "{error}");
}

#[test]
fn limits_operators_and_keys_cannot_be_left_out() {
	for (list, field) in [
		("providers", "maxHeld"),
		("tenants", "maxHeld"),
		("nodes", "operator"),
		("kmses", "operator"),
		("kmses", "key"),
	] {
		let error = read_error(|json| {
			let item = json[list][0].as_object_mut().expect("is an object");
			item.remove(field).expect("the field is written");
		});
		assert!(error.contains(&format!("missing field `{field}`")), "{list}: {error}");
	}
}

#[test]
fn ids_of_another_kind_and_unknown_levels_are_refused() {
	let error = read_error(|json| json["spaces"][0]["space"] = json!(PROVIDER.to_string()));
	assert!(error.contains("ispc"), "{error}");
	let error = read_error(|json| json["spaces"][0]["space"] = json!(SPACE.0));
	assert!(error.contains("the text of an identifier"), "{error}");
	let error = read_error(|json| json["kmses"][0]["key"] = json!(KMS.to_string()));
	assert!(error.contains("the key does not start with `age1`"), "{error}");
	// `Kms` is a level in tenants only, and nodes have operators instead of a level.
	for level in ["Kms", "Node"] {
		let error = read_error(|json| json["providerKeys"][0]["level"] = json!(level));
		assert!(error.contains(&format!("unknown variant `{level}`")), "{error}");
	}
}

/// A change of the genesis after which it is refused, with the place of the item and the error.
pub(super) type Refused<Reason> = (&'static str, Reason, fn(&mut GenesisConfig<Test>));

/// Checks that a genesis with each of these changes panics with the error, and the place of the
/// item.
pub(super) fn assert_each_refused<Reason: Into<DispatchError>>(
	changes: impl IntoIterator<Item = Refused<Reason>>,
) {
	for (place, error, change) in changes {
		let mut config = config();
		change(&mut config);
		let error: DispatchError = error.into();
		assert_eq!(panic_message(|| genesis(config)), format!("{place} of the genesis: {error:?}"));
	}
}

#[test]
fn ids_of_the_genesis_are_unique() {
	let changes: [Refused<Error<Test>>; 5] = [
		("space 2", Error::SpaceAlreadyExists, |it| it.spaces.push(it.spaces[0].clone())),
		("provider 1", Error::ProviderAlreadyExists, |it| {
			it.providers.push(it.providers[0].clone())
		}),
		// In all spaces together.
		("tenant 2", Error::TenantAlreadyExists, |it| {
			it.tenants.push(GenesisMember { space: OTHER_SPACE, ..it.tenants[0].clone() })
		}),
		("node 2", Error::NodeAlreadyExists, |it| it.nodes.push(it.nodes[0].clone())),
		("KMS 1", Error::KmsAlreadyExists, |it| it.kmses.push(it.kmses[0].clone())),
	];
	assert_each_refused(changes);
	// Each account has one level.
	let twice = "the account already has an access key";
	let changes: [Refused<&'static str>; 2] = [
		("provider access key 1", twice, |it| it.provider_keys.push(it.provider_keys[0].clone())),
		("tenant access key 3", twice, |it| {
			let level = TenantLevel::Content;
			it.tenant_keys.push(GenesisKey { level, ..it.tenant_keys[0].clone() })
		}),
	];
	assert_each_refused(changes);
}

#[test]
fn items_of_the_genesis_belong_to_others_of_it() {
	const NO_SPACE: SpaceId = SpaceId([8; 10]);
	const NO_PROVIDER: ProviderId = ProviderId([8; 10]);
	const NO_TENANT: TenantId = TenantId([8; 10]);
	let changes: [Refused<Error<Test>>; 6] = [
		("provider 0", Error::SpaceNotFound, |it| it.providers[0].space = NO_SPACE),
		("tenant 1", Error::SpaceNotFound, |it| it.tenants[1].space = NO_SPACE),
		("provider access key 0", Error::ProviderNotFound, |it| {
			it.provider_keys[0].id = NO_PROVIDER
		}),
		("node 1", Error::ProviderNotFound, |it| it.nodes[1].provider = NO_PROVIDER),
		("tenant access key 2", Error::TenantNotFound, |it| it.tenant_keys[2].id = NO_TENANT),
		("KMS 0", Error::TenantNotFound, |it| it.kmses[0].tenant = NO_TENANT),
	];
	assert_each_refused(changes);
}

#[test]
fn access_keys_of_the_genesis_are_below_the_root() {
	let changes: [Refused<Error<Test>>; 4] = [
		("provider access key 0", Error::NoPermission, |it| {
			it.provider_keys[0].level = ProviderLevel::Root
		}),
		("tenant access key 1", Error::NoPermission, |it| {
			it.tenant_keys[1].level = TenantLevel::Root
		}),
		// No root has an access key of its own.
		("provider access key 0", Error::NoPermission, |it| {
			it.provider_keys[0].account = PROVIDER_ROOT
		}),
		("tenant access key 2", Error::NoPermission, |it| it.tenant_keys[2].account = TENANT_ROOT),
	];
	assert_each_refused(changes);
}

#[test]
fn locators_of_the_genesis_are_visible_words_and_keys_are_not_zero() {
	let changes: [Refused<Error<Test>>; 3] = [
		("node 0", Error::InvalidLocator, |it| it.nodes[0].locator = "two words".into()),
		("KMS 0", Error::InvalidLocator, |it| it.kmses[0].locator.clear()),
		("KMS 0", Error::ZeroKmsKey, |it| it.kmses[0].key = KmsKey([0; 32])),
	];
	assert_each_refused(changes);
}

/// Returns a text that is longer than a limit by this many bytes.
fn longer(limit: u32, by: usize) -> String {
	"x".repeat(limit as usize + by)
}

#[test]
fn texts_of_the_genesis_fit_their_limits() {
	let changes: [Refused<&'static str>; 3] = [
		("space 1", "a text is too long", |it| it.spaces[1].sla = longer(MaxSlaLen::get(), 1)),
		("node 1", "a text is too long", |it| {
			it.nodes[1].locator = longer(MaxLocatorLen::get(), 1)
		}),
		("KMS 0", "a text is too long", |it| it.kmses[0].locator = longer(MaxLocatorLen::get(), 1)),
	];
	assert_each_refused(changes);
	let mut config = config();
	config.spaces[1].sla = longer(MaxSlaLen::get(), 0);
	config.nodes[1].locator = longer(MaxLocatorLen::get(), 0);
	config.kmses[0].locator = longer(MaxLocatorLen::get(), 0);
	genesis(config);
}

#[test]
fn roots_of_the_genesis_have_the_funds_for_bonds_and_deposits() {
	let changes: [Refused<TokenError>; 4] = [
		("provider 0", TokenError::FundsUnavailable, |it| it.providers[0].root = PAUPER),
		// Without a bond there still is the deposit for the tenant's own row.
		("tenant 1", TokenError::FundsUnavailable, |it| it.tenants[1].root = PAUPER),
		("tenant 0", TokenError::FundsUnavailable, |it| {
			it.spaces[0].tenant_bond = ENDOWMENT;
			it.tenants[0].max_held = Balance::MAX;
		}),
		// The rest is less than the deposit for the row of the KMS.
		("KMS 0", TokenError::FundsUnavailable, |it| {
			it.spaces[0].tenant_bond = ENDOWMENT - own_deposit(THE_TENANT) - 50;
			it.tenants[0].max_held = Balance::MAX;
			it.tenant_keys.clear();
		}),
	];
	assert_each_refused(changes);
}

/// Returns what the genesis holds for the provider and for the tenant.
fn held() -> [Balance; 2] {
	let own = THE_MEMBERS.map(|member| usual_bond(member) + own_deposit(member));
	let [provider, tenant] = deposits_of_rows();
	[own[0] + provider, own[1] + tenant]
}

#[test]
fn no_more_is_held_in_the_genesis_than_its_roots_agreed_to() {
	let changes: [Refused<Error<Test>>; 5] = [
		("provider 0", Error::HeldLimitExceeded, |it| {
			it.providers[0].max_held = PROVIDER_BOND + own_deposit(THE_PROVIDER) - 1
		}),
		("provider access key 0", Error::HeldLimitExceeded, |it| {
			it.providers[0].max_held = PROVIDER_BOND + own_deposit(THE_PROVIDER)
		}),
		("node 1", Error::HeldLimitExceeded, |it| it.providers[0].max_held = held()[0] - 1),
		("tenant access key 2", Error::HeldLimitExceeded, |it| {
			it.tenants[0].max_held = held()[1] - price(kms_bytes(11)) - 1
		}),
		("KMS 0", Error::HeldLimitExceeded, |it| it.tenants[0].max_held = held()[1] - 1),
	];
	assert_each_refused(changes);
	let mut config = config();
	[config.providers[0].max_held, config.tenants[0].max_held] = held();
	genesis(config).execute_with(|| {
		ContentFabric::do_try_state().expect("the limits are kept");
	});
}
