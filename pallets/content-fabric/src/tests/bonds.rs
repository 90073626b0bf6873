//! Bonds and deposits: what is held, on whom, and that all of it comes back.

use frame_support::{
	assert_noop, assert_ok,
	traits::fungible::{BalancedHold, Inspect, InspectHold, Mutate},
};
use sp_runtime::{traits::Dispatchable, DispatchResult, TokenError};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, TenantId,
		VersionId,
	},
	mock::*,
	BondInfo, Call, ContentObjects, ContentRef, Error, Event, HoldReason, Kmses, Nodes,
	ProviderLevel, Providers, Records, SpaceRules, Subject, TenantLevel, Tenants,
	VersionCommitMessage, Versions,
};

const THE_PROVIDER: Subject = Subject::Provider(PROVIDER);
const THE_TENANT: Subject = Subject::Tenant(TENANT);
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);
const NEW_VERSION: VersionId = VersionId([7; 32]);
/// An account without funds.
const PAUPER: AccountId = 50;

// Bytes of a row in state: first the hashed names of the pallet and the map, then each key behind its
// hash, then the value.
const MAP: u64 = 16 + 16;
const ID_KEY: u64 = 16 + 10;
const ACCOUNT_KEY: u64 = 16 + 8;
const VERSION_KEY: u64 = 16 + 32;
const ID: u64 = 10;
const MUID: u64 = 16;
const MEDALLION: u64 = 8;
const BALANCE: u64 = 8;

/// Bytes of a text with its length in front.
const fn text(len: u64) -> u64 {
	match len {
		0..=63 => 1 + len,
		_ => 2 + len,
	}
}

/// A kind of row under a member.
struct Kind {
	what: &'static str,
	subject: Subject,
	/// Bytes of the row at its largest, key and value.
	bytes: u64,
	/// Who adds it. The root of the member removes it.
	adder: AccountId,
	add: fn() -> Call<Test>,
	remove: fn() -> Call<Test>,
}

/// Rows that can be added to the small fabric, and removed again in any order.
fn kinds() -> Vec<Kind> {
	vec![
		Kind {
			what: "a key of a provider",
			subject: THE_PROVIDER,
			bytes: MAP + ID_KEY + ACCOUNT_KEY + 1 + BALANCE,
			adder: PROVIDER_ROOT,
			add: || Call::set_provider_key {
				provider: PROVIDER,
				account: STRANGER,
				level: Some(ProviderLevel::Node),
			},
			remove: || Call::set_provider_key {
				provider: PROVIDER,
				account: STRANGER,
				level: None,
			},
		},
		Kind {
			what: "a node",
			subject: THE_PROVIDER,
			bytes: MAP + 2 * ID_KEY + 1 + text(6) + MEDALLION + (1 + MUID) + BALANCE,
			adder: PROVIDER_ROOT,
			add: || Call::create_node {
				provider: PROVIDER,
				node: NodeId([7; 10]),
				operator: PROVIDER_ROOT,
				locator: locator("/dns/a"),
			},
			remove: || Call::remove_node { provider: PROVIDER, node: NodeId([7; 10]) },
		},
		Kind {
			what: "a key of a tenant",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + ACCOUNT_KEY + 1 + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::set_tenant_key {
				tenant: TENANT,
				account: STRANGER,
				level: Some(TenantLevel::Kms),
			},
			remove: || Call::set_tenant_key { tenant: TENANT, account: STRANGER, level: None },
		},
		Kind {
			what: "a KMS",
			subject: THE_TENANT,
			bytes: MAP + 2 * ID_KEY + text(9) + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::add_kms {
				tenant: TENANT,
				kms: KmsId([7; 10]),
				locator: locator("https://b"),
			},
			remove: || Call::remove_kms { tenant: TENANT, kms: KmsId([7; 10]) },
		},
		Kind {
			what: "a content object",
			subject: THE_TENANT,
			bytes: MAP + 2 * ID_KEY + (1 + 32) + 4 + BALANCE + MUID,
			adder: TENANT_ROOT,
			add: || Call::create_content_object {
				tenant: TENANT,
				object: ContentObjectId([7; 10]),
			},
			remove: || Call::delete_content_object {
				tenant: TENANT,
				object: ContentObjectId([7; 10]),
			},
		},
		Kind {
			what: "a version",
			subject: THE_TENANT,
			// Originator, node and KMS; nine bytes of size; when it was committed and finalized.
			bytes: MAP + 2 * ID_KEY + VERSION_KEY + 3 * ID + 9 + MUID + (1 + 8) + 1 + BALANCE,
			adder: PROVIDER_ROOT,
			add: || {
				let message = message(NEW_VERSION);
				let signature = sign(TENANT_ROOT, &message);
				Call::commit_version { tenant_signer: TENANT_ROOT, message, signature }
			},
			remove: || Call::delete_version {
				tenant: TENANT,
				object: OBJECT,
				version: NEW_VERSION,
			},
		},
		Kind {
			what: "a collection",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + (16 + text(3)) + 1 + 1 + 4 + BALANCE + MUID,
			adder: TENANT_ROOT,
			add: || Call::create_collection {
				tenant: TENANT,
				name: name("new"),
				key_type: RecordKeyType::Any,
				syntax: RecordKeySyntax::Unreserved,
			},
			remove: || Call::delete_collection { tenant: TENANT, name: name("new") },
		},
		Kind {
			what: "a collection of one key",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + (16 + text(3)) + (1 + text(4)) + 1 + 4 + BALANCE + MUID,
			adder: TENANT_ROOT,
			add: || Call::create_collection {
				tenant: TENANT,
				name: name("one"),
				key_type: RecordKeyType::Literal(key("self")),
				syntax: RecordKeySyntax::Unreserved,
			},
			remove: || Call::delete_collection { tenant: TENANT, name: name("one") },
		},
		Kind {
			what: "a record of an object",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + (16 + text(5)) + (16 + text(100)) + (ID + 1) + 2 * MUID + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::put_record {
				tenant: TENANT,
				collection: name("names"),
				key: Some(key(&"k".repeat(100))),
				target: ContentRef { object: OBJECT, version: None },
			},
			remove: || Call::delete_record {
				tenant: TENANT,
				collection: name("names"),
				key: key(&"k".repeat(100)),
			},
		},
		Kind {
			what: "a record of a version",
			subject: THE_TENANT,
			bytes: MAP
				+ ID_KEY + (16 + text(5))
				+ (16 + text(3))
				+ (ID + 1 + 32)
				+ 2 * MUID + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::put_record {
				tenant: TENANT,
				collection: name("names"),
				key: Some(key("new")),
				target: ContentRef { object: OBJECT, version: Some(DRAFT) },
			},
			remove: || Call::delete_record {
				tenant: TENANT,
				collection: name("names"),
				key: key("new"),
			},
		},
	]
}

/// Makes a call that takes all back if it fails, as transactions do.
fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(who)).map(|_| ()).map_err(|error| error.error)
}

/// The account that removes rows of a member of the small fabric, and on which their deposits are.
fn root_of(subject: Subject) -> AccountId {
	match subject {
		Subject::Provider(_) => PROVIDER_ROOT,
		Subject::Tenant(_) => TENANT_ROOT,
	}
}

/// What is recorded as held for a member: its bond, and the deposits of its rows.
fn recorded(subject: Subject) -> (Balance, Balance) {
	let info = ContentFabric::bond(subject).expect("the member exists");
	(info.bond, info.deposit)
}

fn on_hold(reason: HoldReason, who: AccountId) -> Balance {
	Balances::balance_on_hold(&RuntimeHoldReason::from(reason), &who)
}

fn total_issuance() -> Balance {
	<Balances as Inspect<AccountId>>::total_issuance()
}

/// Leaves an account with so much that is free.
fn set_free(who: AccountId, amount: Balance) {
	<Balances as Mutate<AccountId>>::set_balance(&who, amount);
	assert_eq!(funds(who).0, amount);
}

/// Takes what is on hold from an account, as other pallets may.
fn slash_from_outside(reason: HoldReason, who: AccountId, amount: Balance) {
	let reason = RuntimeHoldReason::from(reason);
	let (_credit, missing) = <Balances as BalancedHold<AccountId>>::slash(&reason, &who, amount);
	assert_eq!(missing, 0);
}

/// That what is on hold on an account is what these members have recorded, and no more.
fn assert_holds_are_those_of(who: AccountId, members: &[Subject]) {
	let (mut provider_bonds, mut tenant_bonds, mut deposits) = (0, 0, 0);
	for subject in members {
		let (bond, deposit) = recorded(*subject);
		match subject {
			Subject::Provider(_) => provider_bonds += bond,
			Subject::Tenant(_) => tenant_bonds += bond,
		}
		deposits += deposit;
	}
	assert_eq!(on_hold(HoldReason::ProviderBond, who), provider_bonds);
	assert_eq!(on_hold(HoldReason::TenantBond, who), tenant_bonds);
	assert_eq!(on_hold(HoldReason::StorageDeposit, who), deposits);
}

/// Gives the space of the small fabric rules with these bonds.
fn set_bonds(provider_bond: Balance, tenant_bond: Balance) {
	let rules = SpaceRules { provider_bond, tenant_bond, ..rules() };
	assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
}

fn create_tenant(tenant: TenantId) -> Call<Test> {
	Call::create_tenant { space: SPACE, tenant }
}

fn create_provider(provider: ProviderId) -> Call<Test> {
	Call::create_provider { space: SPACE, provider }
}

#[test]
fn a_bond_is_held_on_who_creates_a_member() {
	Chain::empty().block(|| {
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
		assert_ok!(ContentFabric::create_provider(signed(PROVIDER_ROOT), SPACE, PROVIDER));
		assert_ok!(ContentFabric::create_tenant(signed(TENANT_ROOT), SPACE, TENANT));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, PROVIDER_BOND));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND, TENANT_BOND));
		assert_eq!(on_hold(HoldReason::ProviderBond, PROVIDER_ROOT), PROVIDER_BOND);
		assert_eq!(on_hold(HoldReason::TenantBond, TENANT_ROOT), TENANT_BOND);
		assert_eq!(
			ContentFabric::bond(THE_PROVIDER),
			Some(BondInfo {
				depositor: PROVIDER_ROOT,
				bond: PROVIDER_BOND,
				required: PROVIDER_BOND,
				deposit: 0
			})
		);
		assert_eq!(
			ContentFabric::bond(THE_TENANT),
			Some(BondInfo {
				depositor: TENANT_ROOT,
				bond: TENANT_BOND,
				required: TENANT_BOND,
				deposit: 0
			})
		);
		// And on nobody else.
		assert_eq!(funds(GOVERNOR), (ENDOWMENT, 0));
		assert_ok!(ContentFabric::delete_provider(signed(PROVIDER_ROOT), PROVIDER));
		assert_ok!(ContentFabric::delete_tenant(signed(TENANT_ROOT), TENANT));
		for account in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(account), (ENDOWMENT, 0));
		}
	});
}

#[test]
fn without_the_bond_no_member_is_created() {
	Chain::small_fabric().block(|| {
		for call in [create_tenant(OTHER_TENANT), create_provider(OTHER_PROVIDER)] {
			assert_noop!(dispatch(PAUPER, call), TokenError::FundsUnavailable);
		}
		// An account keeps the deposit that it exists by, here of 1.
		set_bonds(ENDOWMENT, ENDOWMENT);
		for call in [create_tenant(OTHER_TENANT), create_provider(OTHER_PROVIDER)] {
			assert_noop!(dispatch(STRANGER, call), TokenError::FundsUnavailable);
		}
		set_bonds(ENDOWMENT - 1, ENDOWMENT - 1);
		assert_ok!(dispatch(STRANGER, create_tenant(OTHER_TENANT)));
		assert_eq!(funds(STRANGER), (1, ENDOWMENT - 1));
		// What is held already does not count as free.
		let call = create_provider(OTHER_PROVIDER);
		assert_noop!(dispatch(STRANGER, call), TokenError::FundsUnavailable);
	});
}

#[test]
fn where_no_bond_is_asked_for_none_is_held() {
	Chain::small_fabric().block(|| {
		set_bonds(0, 0);
		assert_ok!(dispatch(PAUPER, create_tenant(OTHER_TENANT)));
		assert_eq!(recorded(Subject::Tenant(OTHER_TENANT)), (0, 0));
		assert_eq!(funds(PAUPER), (0, 0));
		// But rows have deposits all the same.
		let object = ContentObjectId([7; 10]);
		assert_noop!(
			dispatch(PAUPER, Call::create_content_object { tenant: OTHER_TENANT, object }),
			TokenError::FundsUnavailable
		);
		assert_ok!(dispatch(PAUPER, Call::delete_tenant { tenant: OTHER_TENANT }));
	});
}

#[test]
fn every_row_has_a_deposit_that_it_gives_back_in_full() {
	Chain::small_fabric().block(|| {
		for (base, per_byte) in [(100, 1), (0, 3), (7, 0), (0, 0)] {
			DepositBase::set(base);
			DepositPerByte::set(per_byte);
			for Kind { what, subject, bytes, adder, add, remove } in kinds() {
				let root = root_of(subject);
				let before = (recorded(subject), funds(root));
				let ((bond, deposits), (free, held)) = before;
				let deposit = base + per_byte * bytes;
				assert_ok!(dispatch(adder, add()));
				assert_eq!(recorded(subject), (bond, deposits + deposit), "{what}");
				assert_eq!(funds(root), (free - deposit, held + deposit), "{what}");
				assert_eq!(on_hold(HoldReason::StorageDeposit, root), deposits + deposit, "{what}");
				assert_ok!(dispatch(root, remove()));
				assert_eq!((recorded(subject), funds(root)), before, "{what}");
			}
		}
		DepositBase::reset();
		DepositPerByte::reset();
	});
}

#[test]
fn a_deposit_is_for_the_bytes_that_a_row_has_in_state_at_its_largest() {
	let price = |map, keys: &[&[u8]]| {
		let key = raw_key(map, keys);
		let value = sp_io::storage::get(&key).expect("the row exists");
		DepositBase::get() + DepositPerByte::get() * (key.len() + value.len()) as Balance
	};
	Chain::small_fabric().block(|| {
		// The node has committed, the object has a head, the version is as large as one can be.
		let message = VersionCommitMessage { size: u64::MAX, ..message(NEW_VERSION) };
		assert_ok!(commit(message));
		let provider = signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::finalize_version(provider, TENANT, OBJECT, NEW_VERSION));
		let deposit = Nodes::<Test>::get(PROVIDER, NODE).map(|info| info.deposit);
		assert_eq!(deposit, Some(price("Nodes", &[&PROVIDER.0, &NODE.0])));
		let deposit = Kmses::<Test>::get(TENANT, KMS).map(|info| info.deposit);
		assert_eq!(deposit, Some(price("Kmses", &[&TENANT.0, &KMS.0])));
		let deposit = ContentObjects::<Test>::get(TENANT, OBJECT).map(|info| info.deposit);
		assert_eq!(deposit, Some(price("ContentObjects", &[&TENANT.0, &OBJECT.0])));
		let deposit =
			|version| Versions::<Test>::get((TENANT, OBJECT, version)).map(|info| info.deposit);
		let full = price("Versions", &[&TENANT.0, &OBJECT.0, &NEW_VERSION.0]);
		assert_eq!(deposit(NEW_VERSION), Some(full));
		// Rows that have yet to grow have paid for that.
		assert_eq!(deposit(DRAFT), Some(full));
		assert!(price("Versions", &[&TENANT.0, &OBJECT.0, &DRAFT.0]) < full);
		let deposit = |object| ContentObjects::<Test>::get(TENANT, object).map(|info| info.deposit);
		assert_eq!(deposit(EMPTY_OBJECT), deposit(OBJECT));
		let deposit = |node| Nodes::<Test>::get(PROVIDER, node).map(|info| info.deposit);
		assert_eq!(deposit(PENDING_NODE), deposit(NODE));
	});
}

#[test]
fn nothing_is_held_when_all_is_removed() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let provider = PROVIDER;
		for account in [PROVIDER_ADMIN, OPERATOR] {
			let call = Call::set_provider_key { provider, account, level: None };
			assert_ok!(dispatch(PROVIDER_ROOT, call));
		}
		for node in [NODE, PENDING_NODE] {
			assert_ok!(dispatch(PROVIDER_ROOT, Call::remove_node { provider, node }));
		}
		assert_eq!(recorded(THE_PROVIDER), (PROVIDER_BOND, 0));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, PROVIDER_BOND));
		assert_ok!(dispatch(PROVIDER_ROOT, Call::delete_provider { provider }));
	});
	chain.block(|| {
		let (tenant, object, collection) = (TENANT, OBJECT, name(COLLECTION));
		let mut calls = vec![
			Call::<Test>::set_head_version { tenant, object, version: None },
			Call::delete_record { tenant, collection, key: key(RECORD) },
			Call::delete_collection { tenant, name: name(COLLECTION) },
			Call::delete_collection { tenant, name: name(EMPTY_COLLECTION) },
			Call::remove_kms { tenant, kms: KMS },
		];
		for version in [HEAD, DRAFT, FINALIZED] {
			calls.push(Call::delete_version { tenant, object, version });
		}
		for object in [OBJECT, EMPTY_OBJECT] {
			calls.push(Call::delete_content_object { tenant, object });
		}
		for account in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			calls.push(Call::set_tenant_key { tenant, account, level: None });
		}
		for call in calls {
			assert_ok!(dispatch(TENANT_ROOT, call));
		}
		assert_eq!(recorded(THE_TENANT), (TENANT_BOND, 0));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND, TENANT_BOND));
		assert_ok!(dispatch(TENANT_ROOT, Call::delete_tenant { tenant }));
	});
	chain.block(|| {
		for account in ACCOUNTS {
			assert_eq!(funds(account), (ENDOWMENT, 0), "account {account}");
		}
	});
}

#[test]
fn a_node_with_a_new_operator_has_two_deposits() {
	Chain::small_fabric().block(|| {
		let (bond, before) = recorded(THE_PROVIDER);
		let node = NodeId([7; 10]);
		let create = || Call::<Test>::create_node {
			provider: PROVIDER,
			node,
			operator: STRANGER,
			locator: locator("/dns/a"),
		};
		let kinds = kinds();
		let (of_key, of_node) = (&kinds[0], &kinds[1]);
		let price = |bytes| DepositBase::get() + DepositPerByte::get() * bytes;
		// Enough for the node alone does not do.
		set_free(PROVIDER_ROOT, price(of_node.bytes) + 1);
		assert_noop!(dispatch(PROVIDER_ROOT, create()), TokenError::FundsUnavailable);
		set_free(PROVIDER_ROOT, price(of_node.bytes) + price(of_key.bytes) + 1);
		assert_ok!(dispatch(PROVIDER_ROOT, create()));
		assert_eq!(funds(PROVIDER_ROOT).0, 1);
		// The operator keeps its key, and the key its deposit.
		assert_ok!(dispatch(PROVIDER_ROOT, Call::remove_node { provider: PROVIDER, node }));
		assert_eq!(recorded(THE_PROVIDER), (bond, before + price(of_key.bytes)));
	});
}

#[test]
fn without_its_deposit_no_row_is_added() {
	Chain::small_fabric().block(|| {
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			set_free(who, DepositBase::get());
		}
		for Kind { adder, add, .. } in kinds() {
			assert_noop!(dispatch(adder, add()), TokenError::FundsUnavailable);
		}
		// Others do not pay for the depositor.
		let (tenant, account) = (TENANT, EDITOR);
		set_free(TENANT_ROOT, 10_000);
		let level = Some(TenantLevel::Content);
		assert_ok!(dispatch(TENANT_ROOT, Call::set_tenant_key { tenant, account, level }));
		set_free(TENANT_ROOT, DepositBase::get());
		let object = ContentObjectId([7; 10]);
		let create = || Call::<Test>::create_content_object { tenant, object };
		assert_noop!(dispatch(EDITOR, create()), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, 10_000);
		assert_ok!(dispatch(EDITOR, create()));
		assert_eq!(funds(EDITOR), (ENDOWMENT, 0));
	});
}

#[test]
fn what_was_paid_is_given_back_whatever_the_price_is_by_then() {
	let mut chain = Chain::small_fabric();
	for (base, per_byte) in [(50_000, 40), (0, 0)] {
		chain.block(|| {
			let state = || {
				[THE_PROVIDER, THE_TENANT]
					.map(|subject| (recorded(subject), funds(root_of(subject))))
			};
			let before = state();
			for Kind { adder, add, .. } in kinds() {
				assert_ok!(dispatch(adder, add()));
			}
			DepositBase::set(base);
			DepositPerByte::set(per_byte);
			for Kind { subject, remove, .. } in kinds() {
				assert_ok!(dispatch(root_of(subject), remove()));
			}
			assert_eq!(state(), before);
			DepositBase::reset();
			DepositPerByte::reset();
		});
	}
	// A deletion of all at once gives back what was paid as well.
	chain.block(|| {
		DepositBase::set(50_000);
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
		assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(who), (ENDOWMENT, 0));
		}
		DepositBase::reset();
	});
}

#[test]
fn a_row_that_is_written_anew_has_the_price_of_the_day() {
	Chain::small_fabric().block(|| {
		let (bond, before) = recorded(THE_TENANT);
		let old = Kmses::<Test>::get(TENANT, KMS).expect("exists").deposit;
		DepositBase::set(1_000);
		let set = || Call::<Test>::set_kms_locator {
			tenant: TENANT,
			kms: KMS,
			locator: locator("https://kms"),
		};
		assert_ok!(dispatch(TENANT_ROOT, set()));
		assert_eq!(Kmses::<Test>::get(TENANT, KMS).map(|kms| kms.deposit), Some(old + 900));
		assert_eq!(recorded(THE_TENANT), (bond, before + 900));
		DepositBase::reset();
		assert_ok!(dispatch(TENANT_ROOT, set()));
		assert_eq!(recorded(THE_TENANT), (bond, before));
	});
}

#[test]
fn deposits_follow_the_length_of_locators() {
	let mut chain = Chain::small_fabric();
	for len in [1, 64, 63, 2, 30] {
		chain.block(|| {
			let locator = || locator(&"x".repeat(len as usize));
			let price = |bytes| DepositBase::get() + DepositPerByte::get() * bytes;
			let rest = MAP + 2 * ID_KEY + BALANCE;

			// One node has committed, the other has not.
			for node in [NODE, PENDING_NODE] {
				let (bond, before) = recorded(THE_PROVIDER);
				let old = Nodes::<Test>::get(PROVIDER, node).expect("exists").deposit;
				let call = Call::set_node_locator { provider: PROVIDER, node, locator: locator() };
				assert_ok!(dispatch(PROVIDER_ROOT, call));
				let new = price(rest + 1 + text(len) + MEDALLION + 1 + MUID);
				assert_eq!(Nodes::<Test>::get(PROVIDER, node).map(|node| node.deposit), Some(new));
				assert_eq!(recorded(THE_PROVIDER), (bond, before + new - old));
			}
			assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);

			let (bond, before) = recorded(THE_TENANT);
			let old = Kmses::<Test>::get(TENANT, KMS).expect("exists").deposit;
			let call = Call::set_kms_locator { tenant: TENANT, kms: KMS, locator: locator() };
			assert_ok!(dispatch(TENANT_ROOT, call));
			let new = price(rest + text(len));
			assert_eq!(Kmses::<Test>::get(TENANT, KMS).map(|kms| kms.deposit), Some(new));
			assert_eq!(recorded(THE_TENANT), (bond, before + new - old));
			assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		});
	}
	// Without the difference the locator stays; a shorter one needs nothing.
	chain.block(|| {
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			set_free(who, 10);
		}
		let node = |len| Call::<Test>::set_node_locator {
			provider: PROVIDER,
			node: NODE,
			locator: locator(&"x".repeat(len)),
		};
		let kms = |len| Call::<Test>::set_kms_locator {
			tenant: TENANT,
			kms: KMS,
			locator: locator(&"x".repeat(len)),
		};
		assert_noop!(dispatch(PROVIDER_ROOT, node(40)), TokenError::FundsUnavailable);
		assert_noop!(dispatch(TENANT_ROOT, kms(40)), TokenError::FundsUnavailable);
		assert_ok!(dispatch(PROVIDER_ROOT, node(39)));
		assert_ok!(dispatch(TENANT_ROOT, kms(39)));
		assert_ok!(dispatch(PROVIDER_ROOT, node(1)));
		assert_ok!(dispatch(TENANT_ROOT, kms(1)));
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(who).0, 10 + 29);
		}
	});
}

#[test]
fn the_deposit_for_a_record_follows_its_target() {
	Chain::small_fabric().block(|| {
		let (bond, before) = recorded(THE_TENANT);
		let put = |version| {
			let target = ContentRef { object: OBJECT, version };
			let (collection, key) = (name(COLLECTION), Some(key(RECORD)));
			dispatch(TENANT_ROOT, Call::put_record { tenant: TENANT, collection, key, target })
		};
		let deposit = || {
			Records::<Test>::get((TENANT, name(COLLECTION), key(RECORD)))
				.expect("the record exists")
				.deposit
		};
		let of_object = deposit();
		assert_ok!(put(Some(HEAD)));
		assert_eq!(deposit(), of_object + 32 * DepositPerByte::get());
		assert_eq!(recorded(THE_TENANT), (bond, before + 32 * DepositPerByte::get()));
		assert_ok!(put(Some(DRAFT)));
		assert_eq!(deposit(), of_object + 32 * DepositPerByte::get());
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		assert_ok!(put(None));
		assert_eq!(deposit(), of_object);
		assert_eq!(recorded(THE_TENANT), (bond, before));
		// Without the difference the record stays where it points.
		set_free(TENANT_ROOT, 32 * DepositPerByte::get());
		assert_noop!(put(Some(HEAD)), TokenError::FundsUnavailable);
		assert_ok!(put(None));
	});
}

#[test]
fn members_of_one_depositor_keep_to_what_is_theirs() {
	let (second, provider) = (Subject::Tenant(OTHER_TENANT), Subject::Provider(OTHER_PROVIDER));
	let all = [THE_TENANT, second, provider];
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT));
		assert_ok!(ContentFabric::add_kms(root(), OTHER_TENANT, KMS, locator("x")));
		assert_ok!(ContentFabric::create_provider(root(), SPACE, OTHER_PROVIDER));
		let (operator, locator) = (TENANT_ROOT, locator("x"));
		assert_ok!(ContentFabric::create_node(root(), OTHER_PROVIDER, NODE, operator, locator));
		assert_eq!(on_hold(HoldReason::TenantBond, TENANT_ROOT), 2 * TENANT_BOND);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	let [of_first, of_second, of_provider] = chain.block(|| all.map(recorded));
	chain.block(|| {
		// Whatever is asked for, no more is slashed than the bond of this one.
		assert_ok!(ContentFabric::slash_tenant(signed(GOVERNOR), OTHER_TENANT, Balance::MAX));
		assert_eq!(all.map(recorded), [of_first, (0, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
		assert_ok!(ContentFabric::top_up_tenant_bond(signed(TENANT_ROOT), OTHER_TENANT, 700));
		assert_eq!(all.map(recorded), [of_first, (700, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	chain.block(|| {
		let (slash, max_rows) = (Balance::MAX, 0);
		assert_ok!(ContentFabric::governance_delete_tenant(
			signed(GOVERNOR),
			OTHER_TENANT,
			slash,
			max_rows
		));
		assert_eq!(all.map(recorded), [of_first, (0, 0), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::reap(signed(STRANGER), second, 100));
		assert_eq!([THE_TENANT, provider].map(recorded), [of_first, of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT, provider]);
		let slash = 1_000;
		assert_ok!(ContentFabric::governance_delete_provider(
			signed(GOVERNOR),
			OTHER_PROVIDER,
			slash,
			100
		));
		assert_eq!(recorded(THE_TENANT), of_first);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		let (bond, deposit) = of_first;
		let slashed = TENANT_BOND + 700 + slash;
		let free = ENDOWMENT - slashed - bond - deposit;
		assert_eq!(funds(TENANT_ROOT), (free, bond + deposit));
	});
	// One that goes by the hand of its root, with another that stays.
	chain.block(|| {
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT));
		assert_ok!(ContentFabric::delete_tenant(root(), OTHER_TENANT));
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		assert_eq!(recorded(THE_TENANT), of_first);
	});
}

#[test]
fn under_bonded_members_add_no_rows() {
	let mut chain = Chain::small_fabric();
	for (provider_bond, tenant_bond) in [
		(PROVIDER_BOND + 1, TENANT_BOND),
		(PROVIDER_BOND, TENANT_BOND + 1),
		(Balance::MAX, Balance::MAX),
		(PROVIDER_BOND, TENANT_BOND),
		(0, 0),
	] {
		chain.block(|| {
			set_bonds(provider_bond, tenant_bond);
			let (of_provider, of_tenant) =
				(provider_bond > PROVIDER_BOND, tenant_bond > TENANT_BOND);
			for Kind { what, subject, adder, add, remove, .. } in kinds() {
				// The provider commits versions, so both have to have their bonds.
				let error = match subject {
					_ if adder == PROVIDER_ROOT && of_provider => {
						Some(Error::<Test>::ProviderUnderBonded)
					},
					Subject::Tenant(_) if of_tenant => Some(Error::TenantUnderBonded),
					_ => None,
				};
				match error {
					Some(error) => {
						assert_noop!(dispatch(adder, add()), error);
					},
					None => {
						assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
						assert_ok!(dispatch(root_of(subject), remove()));
					},
				}
			}
			// Nothing was taken from anybody.
			assert_eq!(recorded(THE_PROVIDER).0, PROVIDER_BOND);
			assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
			let required = |subject| ContentFabric::bond(subject).map(|info| info.required);
			assert_eq!(required(THE_PROVIDER), Some(provider_bond));
			assert_eq!(required(THE_TENANT), Some(tenant_bond));
		});
	}
}

#[test]
fn a_minted_record_and_the_key_of_an_operator_need_the_bond_too() {
	Chain::small_fabric().block(|| {
		set_bonds(PROVIDER_BOND + 1, TENANT_BOND + 1);
		let target = ContentRef { object: OBJECT, version: None };
		let collection = name(EMPTY_COLLECTION);
		assert_noop!(
			dispatch(
				TENANT_ROOT,
				Call::put_record { tenant: TENANT, collection, key: None, target }
			),
			Error::<Test>::TenantUnderBonded
		);
		assert_noop!(
			dispatch(
				PROVIDER_ROOT,
				Call::create_node {
					provider: PROVIDER,
					node: NodeId([7; 10]),
					operator: STRANGER,
					locator: locator("x"),
				}
			),
			Error::<Test>::ProviderUnderBonded
		);
	});
}

#[test]
fn under_bonded_members_do_all_that_adds_no_row() {
	Chain::fabric_with_keys().block(|| {
		set_bonds(PROVIDER_BOND + 1, TENANT_BOND + 1);
		let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
		let key_of_provider =
			|account, level| Call::<Test>::set_provider_key { provider, account, level };
		let key_of_tenant =
			|account, level| Call::<Test>::set_tenant_key { tenant, account, level };
		let set_head = |version| Call::<Test>::set_head_version { tenant, object, version };
		let point = |version| Call::<Test>::put_record {
			tenant,
			collection: name(COLLECTION),
			key: Some(key(RECORD)),
			target: ContentRef { object, version },
		};
		for (who, call) in [
			(PROVIDER_ROOT, Call::confirm_node { provider, node: PENDING_NODE }),
			(
				PROVIDER_ROOT,
				Call::set_node_locator { provider, node: NODE, locator: locator("longer-by-far") },
			),
			(PROVIDER_ROOT, key_of_provider(OPERATOR, Some(ProviderLevel::Admin))),
			(PROVIDER_ROOT, key_of_provider(OPERATOR, None)),
			(PROVIDER_ROOT, Call::finalize_version { tenant, object, version: DRAFT }),
			(TENANT_ROOT, set_head(Some(DRAFT))),
			(TENANT_ROOT, Call::delete_version { tenant, object, version: HEAD }),
			(TENANT_ROOT, point(Some(FINALIZED))),
			(TENANT_ROOT, point(None)),
			(TENANT_ROOT, key_of_tenant(EDITOR, Some(TenantLevel::Admin))),
			(TENANT_ROOT, key_of_tenant(EDITOR, None)),
			(
				TENANT_ROOT,
				Call::set_kms_locator { tenant, kms: KMS, locator: locator("longer-by-far") },
			),
			(
				TENANT_ROOT,
				Call::delete_record { tenant, collection: name(COLLECTION), key: key(RECORD) },
			),
			(TENANT_ROOT, Call::delete_collection { tenant, name: name(COLLECTION) }),
			(TENANT_ROOT, Call::delete_content_object { tenant, object: EMPTY_OBJECT }),
			(TENANT_ROOT, Call::remove_kms { tenant, kms: KMS }),
			(PROVIDER_ROOT, Call::remove_node { provider, node: NODE }),
			(PROVIDER_ROOT, Call::set_provider_root { provider, root: STRANGER }),
			(TENANT_ROOT, Call::set_tenant_root { tenant, root: STRANGER }),
		] {
			let what = format!("{call:?}");
			assert_eq!(dispatch(who, call), Ok(()), "{what}");
		}
		assert_eq!(recorded(THE_PROVIDER).0, PROVIDER_BOND);
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
	});
}

#[test]
fn new_members_have_the_bond_of_the_new_rules() {
	Chain::small_fabric().block(|| {
		set_bonds(PROVIDER_BOND + 1, 10);
		assert_ok!(dispatch(STRANGER, create_provider(OTHER_PROVIDER)));
		assert_ok!(dispatch(STRANGER, create_tenant(OTHER_TENANT)));
		assert_eq!(recorded(Subject::Provider(OTHER_PROVIDER)), (PROVIDER_BOND + 1, 0));
		assert_eq!(recorded(Subject::Tenant(OTHER_TENANT)), (10, 0));
		// One whose bond is more than it has to be keeps it bonded, and gets all of it back.
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn one_below_the_bond_is_too_little_and_a_top_up_mends_it() {
	Chain::small_fabric().block(|| {
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::slash_provider(governor(), PROVIDER, 1));
		assert_ok!(ContentFabric::slash_tenant(governor(), TENANT, 1));
		for Kind { adder, add, .. } in kinds() {
			let error = match adder {
				PROVIDER_ROOT => Error::<Test>::ProviderUnderBonded,
				_ => Error::TenantUnderBonded,
			};
			assert_noop!(dispatch(adder, add()), error);
		}
		assert_ok!(ContentFabric::top_up_provider_bond(signed(PROVIDER_ROOT), PROVIDER, 1));
		assert_eq!(
			events().last(),
			Some(&Event::ProviderBondToppedUp {
				provider: PROVIDER,
				amount: 1,
				bond: PROVIDER_BOND
			})
		);
		assert_ok!(ContentFabric::top_up_tenant_bond(signed(TENANT_ROOT), TENANT, 1));
		assert_eq!(
			events().last(),
			Some(&Event::TenantBondToppedUp { tenant: TENANT, amount: 1, bond: TENANT_BOND })
		);
		assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		for Kind { what, adder, add, .. } in kinds() {
			assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
		}
	});
}

#[test]
fn only_the_root_tops_up() {
	Chain::fabric_with_keys().block(|| {
		let provider = Call::<Test>::top_up_provider_bond { provider: PROVIDER, amount: 1 };
		let tenant = Call::<Test>::top_up_tenant_bond { tenant: TENANT, amount: 1 };
		for who in [PROVIDER_ADMIN, OPERATOR, TENANT_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(dispatch(who, provider.clone()), Error::<Test>::NoPermission);
		}
		for who in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR, PROVIDER_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(dispatch(who, tenant.clone()), Error::<Test>::NoPermission);
		}
		// A depositor who is no longer the root is nobody.
		assert_ok!(ContentFabric::set_provider_root(signed(PROVIDER_ROOT), PROVIDER, STRANGER));
		assert_noop!(dispatch(PROVIDER_ROOT, provider), Error::<Test>::NoPermission);
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
		assert_noop!(dispatch(TENANT_ROOT, tenant), Error::<Test>::NoPermission);
		assert_noop!(
			dispatch(STRANGER, Call::top_up_tenant_bond { tenant: OTHER_TENANT, amount: 1 }),
			Error::<Test>::TenantNotFound
		);
		assert_noop!(
			dispatch(STRANGER, Call::top_up_provider_bond { provider: OTHER_PROVIDER, amount: 1 }),
			Error::<Test>::ProviderNotFound
		);
	});
}

#[test]
fn a_top_up_needs_the_amount() {
	Chain::small_fabric().block(|| {
		let free = funds(TENANT_ROOT).0;
		for amount in [free, Balance::MAX] {
			assert_noop!(
				dispatch(TENANT_ROOT, Call::top_up_tenant_bond { tenant: TENANT, amount }),
				TokenError::FundsUnavailable
			);
		}
		let amount = free - 1;
		assert_ok!(dispatch(TENANT_ROOT, Call::top_up_tenant_bond { tenant: TENANT, amount }));
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND + amount);
		// All of it comes back.
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn a_new_root_takes_over_all_that_is_held() {
	for amount in [0, 250] {
		Chain::small_fabric().block(|| {
			let (bond, deposit) = recorded(THE_TENANT);
			assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
			// Until then the former root remains the depositor.
			let depositor = |subject| ContentFabric::bond(subject).map(|info| info.depositor);
			assert_eq!(depositor(THE_TENANT), Some(TENANT_ROOT));
			assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
			assert_ok!(dispatch(STRANGER, Call::top_up_tenant_bond { tenant: TENANT, amount }));
			assert_eq!(
				events().last(),
				Some(&Event::TenantBondToppedUp { tenant: TENANT, amount, bond: bond + amount })
			);
			assert_eq!(depositor(THE_TENANT), Some(STRANGER));
			assert_eq!(recorded(THE_TENANT), (bond + amount, deposit));
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
			assert_holds_are_those_of(STRANGER, &[THE_TENANT]);

			let (bond, deposit) = recorded(THE_PROVIDER);
			assert_ok!(ContentFabric::set_provider_root(RuntimeOrigin::root(), PROVIDER, STRANGER));
			let call = Call::top_up_provider_bond { provider: PROVIDER, amount };
			assert_ok!(dispatch(STRANGER, call));
			assert_eq!(depositor(THE_PROVIDER), Some(STRANGER));
			assert_eq!(recorded(THE_PROVIDER), (bond + amount, deposit));
			assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT, 0));
			assert_holds_are_those_of(STRANGER, &[THE_TENANT, THE_PROVIDER]);

			// A second time moves nothing, and what goes is released to the new depositor.
			let before = funds(STRANGER);
			assert_ok!(dispatch(STRANGER, Call::top_up_tenant_bond { tenant: TENANT, amount: 0 }));
			assert_eq!(funds(STRANGER), before);
			let governor = || signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
			assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
}

#[test]
fn a_new_root_without_the_funds_takes_nothing_over() {
	Chain::small_fabric().block(|| {
		let (bond, deposit) = recorded(THE_TENANT);
		let take_over = || Call::<Test>::top_up_tenant_bond { tenant: TENANT, amount: 0 };
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, PAUPER));
		assert_noop!(dispatch(PAUPER, take_over()), TokenError::FundsUnavailable);
		assert_ok!(ContentFabric::set_tenant_root(signed(PAUPER), TENANT, STRANGER));
		// Enough for the bond, and then for all but 1 of the deposits.
		for free in [bond + 1, bond + deposit] {
			set_free(STRANGER, free);
			assert_noop!(dispatch(STRANGER, take_over()), TokenError::FundsUnavailable);
		}
		set_free(STRANGER, bond + deposit + 1);
		assert_ok!(dispatch(STRANGER, take_over()));
		assert_eq!(funds(STRANGER), (1, bond + deposit));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn a_slash_takes_at_most_the_bond_and_no_deposit() {
	for (amount, slashed) in [
		(0, 0),
		(1, 1),
		(TENANT_BOND - 1, TENANT_BOND - 1),
		(TENANT_BOND, TENANT_BOND),
		(TENANT_BOND + 1, TENANT_BOND),
		(Balance::MAX, TENANT_BOND),
	] {
		Chain::small_fabric().block(|| {
			let (issued, (free, held)) = (total_issuance(), funds(TENANT_ROOT));
			let (bond, deposit) = recorded(THE_TENANT);
			assert_ok!(ContentFabric::slash_tenant(signed(GOVERNOR), TENANT, amount));
			assert_eq!(events(), [Event::TenantSlashed { tenant: TENANT, amount: slashed }]);
			assert_eq!(recorded(THE_TENANT), (bond - slashed, deposit));
			assert_eq!(funds(TENANT_ROOT), (free, held - slashed));
			assert_eq!(on_hold(HoldReason::StorageDeposit, TENANT_ROOT), deposit);
			// What was slashed is burnt in this runtime.
			assert_eq!(total_issuance(), issued - slashed);
			// The rest comes back.
			assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - slashed, 0));
		});
	}
	for (amount, slashed) in [
		(1, 1),
		(PROVIDER_BOND, PROVIDER_BOND),
		(PROVIDER_BOND + 1, PROVIDER_BOND),
		(Balance::MAX, PROVIDER_BOND),
	] {
		Chain::small_fabric().block(|| {
			let issued = total_issuance();
			let (bond, deposit) = recorded(THE_PROVIDER);
			assert_ok!(ContentFabric::slash_provider(signed(GOVERNOR), PROVIDER, amount));
			assert_eq!(events(), [Event::ProviderSlashed { provider: PROVIDER, amount: slashed }]);
			assert_eq!(recorded(THE_PROVIDER), (bond - slashed, deposit));
			assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);
			assert_eq!(total_issuance(), issued - slashed);
		});
	}
}

#[test]
fn a_slash_hits_the_depositor_and_spares_a_root_who_has_not_taken_over() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
		assert_ok!(ContentFabric::slash_tenant(signed(GOVERNOR), TENANT, 1_000));
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND - 1_000);
		assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
	});
}

#[test]
fn a_slash_from_outside_stops_nobody_from_leaving() {
	for amount in [1, TENANT_BOND] {
		Chain::small_fabric().block(|| {
			assert_ok!(dispatch(STRANGER, create_tenant(OTHER_TENANT)));
			slash_from_outside(HoldReason::TenantBond, STRANGER, amount);
			assert_ok!(dispatch(STRANGER, Call::delete_tenant { tenant: OTHER_TENANT }));
			assert_eq!(funds(STRANGER), (ENDOWMENT - amount, 0));

			assert_ok!(dispatch(STRANGER, create_provider(OTHER_PROVIDER)));
			slash_from_outside(HoldReason::ProviderBond, STRANGER, amount);
			assert_ok!(dispatch(STRANGER, Call::delete_provider { provider: OTHER_PROVIDER }));
			assert_eq!(funds(STRANGER), (ENDOWMENT - 2 * amount, 0));
		});
	}
	// Nor governance from deleting, at once or in steps. It gets what is left to be slashed.
	for max_rows in [0, 100] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			let (_, deposit) = recorded(THE_TENANT);
			slash_from_outside(HoldReason::TenantBond, TENANT_ROOT, TENANT_BOND - 1_000);
			slash_from_outside(HoldReason::StorageDeposit, TENANT_ROOT, deposit - 10);
			let governor = signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_tenant(governor, TENANT, 3_000, max_rows));
			assert_eq!(events()[0], Event::TenantSlashed { tenant: TENANT, amount: 1_000 });
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND - (deposit - 10), 0));

			slash_from_outside(HoldReason::ProviderBond, PROVIDER_ROOT, PROVIDER_BOND);
			let governor = signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_provider(governor, PROVIDER, 1, max_rows));
			assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, 0));
		});
		if max_rows == 0 {
			chain.block(|| {
				for subject in [THE_PROVIDER, THE_TENANT] {
					assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
				}
			});
		}
		chain.block(|| {
			assert!(!Tenants::<Test>::contains_key(TENANT));
			assert!(!Providers::<Test>::contains_key(PROVIDER));
		});
	}
}

#[test]
fn a_slash_of_deposits_from_outside_stops_nobody_from_removing_rows() {
	Chain::small_fabric().block(|| {
		for Kind { adder, add, .. } in kinds() {
			assert_ok!(dispatch(adder, add()));
		}
		for (subject, root) in [(THE_PROVIDER, PROVIDER_ROOT), (THE_TENANT, TENANT_ROOT)] {
			slash_from_outside(HoldReason::StorageDeposit, root, recorded(subject).1);
		}
		let free = [PROVIDER_ROOT, TENANT_ROOT].map(|who| funds(who).0);
		for Kind { what, subject, remove, .. } in kinds() {
			assert_eq!(dispatch(root_of(subject), remove()), Ok(()), "{what}");
		}
		assert_eq!([PROVIDER_ROOT, TENANT_ROOT].map(|who| funds(who).0), free);
		// Less is on hold than was recorded, so both go, lest the invariants complain.
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
		assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
	});
}

#[test]
fn a_deletion_settles_the_bond_once() {
	for max_rows in [0, 100] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			let (issued, governor) = (total_issuance(), || signed(GOVERNOR));
			let slash = 2_000;
			assert_ok!(ContentFabric::governance_delete_tenant(
				governor(),
				TENANT,
				slash,
				max_rows
			));
			assert_ok!(ContentFabric::governance_delete_provider(
				governor(),
				PROVIDER,
				slash,
				max_rows
			));
			for who in [TENANT_ROOT, PROVIDER_ROOT] {
				assert_eq!(funds(who), (ENDOWMENT - slash, 0));
			}
			assert_eq!(total_issuance(), issued - 2 * slash);
			if max_rows == 0 {
				assert_eq!([THE_TENANT, THE_PROVIDER].map(recorded), [(0, 0); 2]);
				for call in [
					Call::<Test>::slash_tenant { tenant: TENANT, amount: 1 },
					Call::slash_provider { provider: PROVIDER, amount: 1 },
				] {
					assert_noop!(dispatch(GOVERNOR, call), Error::<Test>::BeingDeleted);
				}
			}
		});
		chain.block(|| {
			// New bonds of the same accounts are not taken for those of the members that go.
			let root = || signed(TENANT_ROOT);
			assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT));
			assert_ok!(ContentFabric::create_content_object(root(), OTHER_TENANT, OBJECT));
			if max_rows == 0 {
				for subject in [THE_PROVIDER, THE_TENANT] {
					assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
				}
			}
			assert_holds_are_those_of(TENANT_ROOT, &[Subject::Tenant(OTHER_TENANT)]);
			assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - 2_000, 0));
		});
	}
}
