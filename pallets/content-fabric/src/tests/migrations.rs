//! Chains that were made before there were rules, bonds and deposits.

use codec::{Compact, Encode};
use frame_support::{
	assert_noop, assert_ok, assert_storage_noop,
	storage::unhashed,
	traits::{Get, OnRuntimeUpgrade, StorageVersion},
};
use sp_runtime::{traits::Dispatchable, DispatchResult};

use crate::{
	clock::nth_medallion,
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		RecordKeyType, SpaceId, TenantId, VersionId,
	},
	migrations::v1::{v0, MigrateToV1},
	mock::*,
	BondInfo, Call, ContentObjectInfo, ContentObjects, ContentRef, Error, KeyInfo, KmsInfo, Kmses,
	LastMuid, MedallionCount, MemberInfo, NodeInfo, Nodes, ProviderKeys, ProviderLevel, Providers,
	SpaceInfo, SpaceRulesOf, Spaces, Subject, TenantKeys, TenantLevel, Tenants, VersionInfo,
	Versions,
};

/// The rules that the spaces of old chains get.
struct Rules;

impl Get<SpaceRulesOf<Test>> for Rules {
	fn get() -> SpaceRulesOf<Test> {
		rules()
	}
}

type Migration = MigrateToV1<Test, Rules>;

const EMPTY_SPACE: SpaceId = SpaceId([7; 10]);
const FROZEN_PROVIDER: ProviderId = ProviderId([7; 10]);
const EMPTY_TENANT: TenantId = TenantId([7; 10]);
/// The number of rows that [`old_chain`] has, of all kinds.
const ROWS: usize = 19;

/// The muids of the old rows.
fn old_muid(count: i32) -> Muid {
	Muid::new(6_000_000, Medallion::MAX, count).expect("is in range")
}

fn old_member(
	space: SpaceId,
	root: AccountId,
	rows: u32,
	governance_delete: bool,
	count: i32,
) -> v0::MemberInfo<AccountId> {
	v0::MemberInfo { space, root, rows, governance_delete, created: old_muid(count) }
}

fn old_version(count: i32, finalized: Option<u64>) -> v0::VersionInfo<u64> {
	v0::VersionInfo {
		originator: PROVIDER,
		node: NODE,
		size: Compact(1 << 40),
		committed: old_muid(count),
		finalized,
		set_head_on_finalize: finalized.is_none(),
		kms: KMS,
	}
}

fn put(key: Vec<u8>, old: impl Encode) {
	unhashed::put(&key, &old);
}

/// A chain of version 0 with rows of every kind that there was, in the backend.
fn old_chain() -> sp_io::TestExternalities {
	let mut ext = empty();
	ext.execute_with(|| {
		System::set_block_number(2);
		for (space, members, count) in [(SPACE, [2, 2], 1), (EMPTY_SPACE, [0, 0], 2)] {
			let [provider_count, tenant_count] = members;
			put(
				Spaces::<Test>::hashed_key_for(space),
				v0::SpaceInfo {
					governor: GOVERNOR,
					provider_count,
					tenant_count,
					created: old_muid(count),
				},
			);
		}
		for (provider, rows, frozen, count) in
			[(PROVIDER, 4, false, 3), (FROZEN_PROVIDER, 1, true, 4)]
		{
			put(
				Providers::<Test>::hashed_key_for(provider),
				old_member(SPACE, PROVIDER_ROOT, rows, frozen, count),
			);
		}
		for (account, level) in
			[(PROVIDER_ADMIN, ProviderLevel::Admin), (OPERATOR, ProviderLevel::Node)]
		{
			put(ProviderKeys::<Test>::hashed_key_for(PROVIDER, account), level);
		}
		for (provider, node, pending) in [
			(PROVIDER, NODE, false),
			(PROVIDER, PENDING_NODE, true),
			(FROZEN_PROVIDER, NODE, false),
		] {
			put(
				Nodes::<Test>::hashed_key_for(provider, node),
				v0::NodeInfo { pending, locator: locator("/dns/node") },
			);
		}
		for (tenant, rows, count) in [(TENANT, 8, 5), (EMPTY_TENANT, 0, 6)] {
			put(
				Tenants::<Test>::hashed_key_for(tenant),
				old_member(SPACE, TENANT_ROOT, rows, false, count),
			);
		}
		for (account, level) in [(TENANT_ADMIN, TenantLevel::Admin), (EDITOR, TenantLevel::Content)]
		{
			put(TenantKeys::<Test>::hashed_key_for(TENANT, account), level);
		}
		put(
			Kmses::<Test>::hashed_key_for(TENANT, KMS),
			v0::KmsInfo { locator: locator("https://kms") },
		);
		for (object, head_version, version_count, count) in
			[(OBJECT, Some(HEAD), 3, 7), (EMPTY_OBJECT, None, 0, 8)]
		{
			put(
				ContentObjects::<Test>::hashed_key_for(TENANT, object),
				v0::ContentObjectInfo { head_version, version_count, created: old_muid(count) },
			);
		}
		for (version, finalized, count) in
			[(HEAD, Some(6_001), 9), (DRAFT, None, 10), (FINALIZED, Some(6_002), 11)]
		{
			put(
				Versions::<Test>::hashed_key_for((TENANT, OBJECT, version)),
				old_version(count, finalized),
			);
		}
		LastMuid::<Test>::put(old_muid(11));
		StorageVersion::new(0).put::<ContentFabric>();
	});
	ext.commit_all().expect("no storage layer is open");
	ext
}

/// A chain of version 0 that was brought to version 1.
fn migrated_chain() -> sp_io::TestExternalities {
	let mut ext = old_chain();
	ext.execute_with(|| {
		let _ = Migration::on_runtime_upgrade();
		ContentFabric::do_try_state().expect("invariants hold after the migration");
	});
	ext.commit_all().expect("no storage layer is open");
	ext
}

/// Makes a call that takes all back if it fails, as transactions do.
fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(who)).map(|_| ()).map_err(|error| error.error)
}

/// The rows of all maps that there were in version 0.
fn row_count() -> usize {
	[
		"Spaces",
		"Providers",
		"ProviderKeys",
		"Nodes",
		"Tenants",
		"TenantKeys",
		"Kmses",
		"ContentObjects",
		"Versions",
	]
	.map(|map| keys_under(&raw_key(map, &[])))
	.into_iter()
	.sum()
}

#[test]
fn every_row_is_brought_to_version_1() {
	let mut ext = old_chain();
	ext.execute_with(|| assert_eq!(row_count(), ROWS));
	let mut ext = migrated_chain();
	ext.execute_with(|| {
		assert_eq!(StorageVersion::get::<ContentFabric>(), StorageVersion::new(1));
		assert_eq!(row_count(), ROWS);
		for (space, members, count) in [(SPACE, [2, 2], 1), (EMPTY_SPACE, [0, 0], 2)] {
			let [provider_count, tenant_count] = members;
			assert_eq!(
				Spaces::<Test>::get(space),
				Some(SpaceInfo {
					governor: GOVERNOR,
					rules: rules(),
					provider_count,
					tenant_count,
					admission_count: 0,
					created: old_muid(count),
				})
			);
		}
		let member = |root, rows, governance_delete, count| MemberInfo {
			space: SPACE,
			root,
			depositor: root,
			bond: 0,
			deposit: 0,
			rows,
			governance_delete,
			being_deleted: false,
			created: old_muid(count),
		};
		assert_eq!(Providers::<Test>::get(PROVIDER), Some(member(PROVIDER_ROOT, 4, false, 3)));
		assert_eq!(
			Providers::<Test>::get(FROZEN_PROVIDER),
			Some(member(PROVIDER_ROOT, 1, true, 4))
		);
		assert_eq!(Tenants::<Test>::get(TENANT), Some(member(TENANT_ROOT, 8, false, 5)));
		assert_eq!(Tenants::<Test>::get(EMPTY_TENANT), Some(member(TENANT_ROOT, 0, false, 6)));
		for (account, level) in
			[(PROVIDER_ADMIN, ProviderLevel::Admin), (OPERATOR, ProviderLevel::Node)]
		{
			let key = ProviderKeys::<Test>::get(PROVIDER, account);
			assert_eq!(key, Some(KeyInfo { level, deposit: 0 }));
		}
		for (account, level) in [(TENANT_ADMIN, TenantLevel::Admin), (EDITOR, TenantLevel::Content)]
		{
			let key = TenantKeys::<Test>::get(TENANT, account);
			assert_eq!(key, Some(KeyInfo { level, deposit: 0 }));
		}
		assert_eq!(
			Kmses::<Test>::get(TENANT, KMS),
			Some(KmsInfo { locator: locator("https://kms"), deposit: 0 })
		);
		for (object, head_version, version_count, count) in
			[(OBJECT, Some(HEAD), 3, 7), (EMPTY_OBJECT, None, 0, 8)]
		{
			assert_eq!(
				ContentObjects::<Test>::get(TENANT, object),
				Some(ContentObjectInfo {
					head_version,
					version_count,
					deposit: 0,
					created: old_muid(count),
				})
			);
		}
		for (version, finalized, count) in
			[(HEAD, Some(6_001), 9), (DRAFT, None, 10), (FINALIZED, Some(6_002), 11)]
		{
			assert_eq!(
				Versions::<Test>::get((TENANT, OBJECT, version)),
				Some(VersionInfo {
					originator: PROVIDER,
					node: NODE,
					size: Compact(1 << 40),
					committed: old_muid(count),
					finalized,
					set_head_on_finalize: finalized.is_none(),
					kms: KMS,
					deposit: 0,
				})
			);
		}
		// The clock goes on from where it was.
		assert_eq!(LastMuid::<Test>::get(), Some(old_muid(11)));
		// Nobody has paid for anything.
		for account in ACCOUNTS {
			assert_eq!(funds(account), (ENDOWMENT, 0));
		}
	});
}

#[test]
fn nodes_get_medallions_that_no_other_has_or_will_have() {
	migrated_chain().execute_with(|| {
		let mut medallions = Vec::new();
		for (provider, node, pending) in [
			(PROVIDER, NODE, false),
			(PROVIDER, PENDING_NODE, true),
			(FROZEN_PROVIDER, NODE, false),
		] {
			let info = Nodes::<Test>::get(provider, node).expect("was there before");
			let medallion = info.medallion;
			assert_eq!(
				info,
				NodeInfo {
					pending,
					locator: locator("/dns/node"),
					medallion,
					last_muid: None,
					deposit: 0
				}
			);
			medallions.push(medallion);
		}
		assert_eq!(MedallionCount::<Test>::get(), 3);
		medallions.sort();
		let mut assigned: Vec<_> = (0..3).filter_map(nth_medallion).collect();
		assigned.sort();
		assert_eq!(medallions, assigned);
		// The next one is given to the next node.
		assert_ok!(ContentFabric::top_up_provider_bond(
			signed(PROVIDER_ROOT),
			PROVIDER,
			PROVIDER_BOND
		));
		let (root, node) = (signed(PROVIDER_ROOT), NodeId([7; 10]));
		assert_ok!(ContentFabric::create_node(root, PROVIDER, node, PROVIDER_ROOT, locator("x")));
		let medallion = Nodes::<Test>::get(PROVIDER, node).map(|info| info.medallion);
		assert_eq!(medallion, nth_medallion(3));
	});
}

#[test]
fn a_second_run_changes_nothing() {
	migrated_chain().execute_with(|| {
		assert_storage_noop!({
			let _ = Migration::on_runtime_upgrade();
		});
	});
	// Nor does a first one on a chain that began with version 1.
	Chain::small_fabric().block(|| {
		assert_storage_noop!({
			let _ = Migration::on_runtime_upgrade();
		});
	});
}

#[test]
fn a_chain_without_a_fabric_is_brought_to_version_1() {
	let mut ext = empty();
	ext.execute_with(|| {
		StorageVersion::new(0).put::<ContentFabric>();
		let _ = Migration::on_runtime_upgrade();
		assert_eq!(StorageVersion::get::<ContentFabric>(), StorageVersion::new(1));
		assert_eq!((row_count(), MedallionCount::<Test>::get()), (0, 0));
		ContentFabric::do_try_state().expect("nothing breaks no invariant");
	});
}

#[test]
fn old_rows_are_removed_without_a_release() {
	migrated_chain().execute_with(|| {
		let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
		for call in [
			Call::<Test>::set_provider_key { provider, account: OPERATOR, level: None },
			Call::set_provider_key { provider, account: PROVIDER_ADMIN, level: None },
			Call::remove_node { provider, node: NODE },
			Call::remove_node { provider, node: PENDING_NODE },
			Call::delete_provider { provider },
		] {
			assert_ok!(dispatch(PROVIDER_ROOT, call));
		}
		for call in [
			Call::<Test>::set_tenant_key { tenant, account: EDITOR, level: None },
			Call::set_tenant_key { tenant, account: TENANT_ADMIN, level: None },
			Call::set_head_version { tenant, object, version: None },
			Call::delete_version { tenant, object, version: HEAD },
			Call::delete_version { tenant, object, version: DRAFT },
			Call::delete_version { tenant, object, version: FINALIZED },
			Call::delete_content_object { tenant, object },
			Call::delete_content_object { tenant, object: EMPTY_OBJECT },
			Call::remove_kms { tenant, kms: KMS },
			Call::delete_tenant { tenant },
			Call::delete_tenant { tenant: EMPTY_TENANT },
		] {
			assert_ok!(dispatch(TENANT_ROOT, call));
		}
		for account in ACCOUNTS {
			assert_eq!(funds(account), (ENDOWMENT, 0));
		}
		ContentFabric::do_try_state().expect("invariants hold at the end of every block");
	});
}

#[test]
fn old_members_are_deleted_whole_like_others() {
	for max_rows in [0, 100] {
		let mut ext = migrated_chain();
		ext.execute_with(|| {
			let governor = || signed(GOVERNOR);
			for provider in [PROVIDER, FROZEN_PROVIDER] {
				assert_ok!(ContentFabric::governance_delete_provider(
					governor(),
					provider,
					Balance::MAX,
					max_rows
				));
			}
			assert_ok!(ContentFabric::governance_delete_tenant(
				governor(),
				TENANT,
				Balance::MAX,
				max_rows
			));
			ContentFabric::do_try_state().expect("invariants hold at the end of every block");
		});
		ext.commit_all().expect("no storage layer is open");
		ext.execute_with(|| {
			if max_rows == 0 {
				for subject in [
					Subject::Provider(PROVIDER),
					Subject::Provider(FROZEN_PROVIDER),
					Subject::Tenant(TENANT),
				] {
					assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
				}
			}
			// Both spaces and the tenant without rows.
			assert_eq!(row_count(), 3);
			for account in ACCOUNTS {
				assert_eq!(funds(account), (ENDOWMENT, 0));
			}
			ContentFabric::do_try_state().expect("invariants hold at the end of every block");
		});
	}
}

#[test]
fn new_rows_of_old_members_need_the_bond_and_have_deposits() {
	migrated_chain().execute_with(|| {
		System::set_block_number(3);
		let (provider, tenant) = (PROVIDER, TENANT);
		let create =
			|| Call::<Test>::create_content_object { tenant, object: ContentObjectId([7; 10]) };
		let create_node = || Call::<Test>::create_node {
			provider,
			node: NodeId([7; 10]),
			operator: PROVIDER_ROOT,
			locator: locator("x"),
		};
		assert_noop!(dispatch(TENANT_ROOT, create()), Error::<Test>::TenantUnderBonded);
		assert_noop!(dispatch(PROVIDER_ROOT, create_node()), Error::<Test>::ProviderUnderBonded);
		let call = Call::top_up_tenant_bond { tenant, amount: TENANT_BOND };
		assert_ok!(dispatch(TENANT_ROOT, call));
		let call = Call::top_up_provider_bond { provider, amount: PROVIDER_BOND };
		assert_ok!(dispatch(PROVIDER_ROOT, call));
		assert_ok!(dispatch(TENANT_ROOT, create()));
		// The base, 84 bytes of key and 61 of value.
		let deposit = 100 + 84 + 61;
		assert_eq!(
			ContentFabric::bond(Subject::Tenant(TENANT)),
			Some(BondInfo {
				depositor: TENANT_ROOT,
				bond: TENANT_BOND,
				required: TENANT_BOND,
				deposit
			})
		);
		assert_eq!(funds(TENANT_ROOT).1, TENANT_BOND + deposit);
		assert_ok!(dispatch(PROVIDER_ROOT, create_node()));

		// An old node commits a version, and an old KMS is moved, which it pays for.
		assert_ok!(commit(message(VersionId([7; 32]))));
		let before = ContentFabric::bond(Subject::Tenant(TENANT)).expect("exists").deposit;
		let call = Call::set_kms_locator { tenant, kms: KMS, locator: locator("https://kms") };
		assert_ok!(dispatch(TENANT_ROOT, call));
		let after = ContentFabric::bond(Subject::Tenant(TENANT)).expect("exists").deposit;
		// 84 bytes of key and 20 of value.
		assert_eq!(after - before, 100 + 84 + 20);
		let kms = KmsId([7; 10]);
		assert_ok!(dispatch(TENANT_ROOT, Call::add_kms { tenant, kms, locator: locator("x") }));

		// There can be collections and records of old content.
		let name = || name(COLLECTION);
		assert_ok!(dispatch(
			TENANT_ROOT,
			Call::create_collection {
				tenant,
				name: name(),
				key_type: RecordKeyType::Any,
				syntax: RecordKeySyntax::PathSegment,
			}
		));
		let target = ContentRef { object: OBJECT, version: Some(HEAD) };
		assert_ok!(dispatch(
			TENANT_ROOT,
			Call::put_record { tenant, collection: name(), key: Some(key(RECORD)), target }
		));
		ContentFabric::do_try_state().expect("invariants hold at the end of every block");

		// What is held for the new rows is given back when old and new go together.
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
		assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 0, 100));
		for account in [TENANT_ROOT, PROVIDER_ROOT] {
			assert_eq!(funds(account), (ENDOWMENT, 0));
		}
		ContentFabric::do_try_state().expect("invariants hold at the end of every block");
	});
}

#[cfg(feature = "try-runtime")]
#[test]
fn the_migration_checks_itself() {
	old_chain().execute_with(|| {
		assert_ok!(Migration::try_on_runtime_upgrade(true));
		assert_eq!(StorageVersion::get::<ContentFabric>(), StorageVersion::new(1));
		assert_eq!(row_count(), ROWS);
		// And on storage that is of version 1 already.
		assert_ok!(Migration::try_on_runtime_upgrade(true));
	});
}
