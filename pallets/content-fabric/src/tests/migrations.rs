// SPDX-License-Identifier: Apache-2.0
//! The migration from storage version 1, by example. `runtime/tests/blocks/migration` checks it
//! over a large state.

use codec::{Compact, Encode};
use frame_support::{
	assert_noop, assert_ok,
	migrations::{SteppedMigration, SteppedMigrationError},
	traits::{fungible::MutateHold, GetStorageVersion, StorageVersion},
	weights::{Weight, WeightMeter},
};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, TenantId, VersionId,
	},
	migrations::v2::{Cursor, MigrateV1ToV2},
	mock::*,
	Collections, ContentObjects, DeletionQueue, Error, Event, HoldReason, Kmses, LastMuid, LastTid,
	MemberId, Nodes, ProviderKeys, ProviderLevel, Providers, PurgeScope, Purges, Records,
	RowCounts, Spaces, TenantKeys, TenantLevel, Tenants, Versions, WeightInfo,
};

type Migration = MigrateV1ToV2<Test>;

/// Deposits of rows are all the same in these tests.
const DEPOSIT: Balance = 10;
/// The chain's stamps of version 1.
fn stamp(number: i32) -> Muid {
	Muid::new(5, Medallion::MAX, number).expect("is in range")
}

fn put(map: &str, keys: &[&[u8]], row: impl Encode) {
	sp_io::storage::set(&raw_key(map, keys), &row.encode());
}

fn exists(map: &str, keys: &[&[u8]]) -> bool {
	sp_io::storage::get(&raw_key(map, keys)).is_some()
}

/// A member of version 1.
#[derive(Clone, Copy)]
struct OldMember {
	root: AccountId,
	depositor: AccountId,
	bond: Balance,
	deposit: Balance,
	rows: u32,
	frozen: bool,
	being_deleted: bool,
}

const MEMBER: OldMember = OldMember {
	root: TENANT_ROOT,
	depositor: TENANT_ROOT,
	bond: TENANT_BOND,
	deposit: 0,
	rows: 0,
	frozen: false,
	being_deleted: false,
};

impl OldMember {
	/// Writes the member, and holds its funds on the depositor.
	fn put(self, member: MemberId) {
		let created = match member {
			MemberId::Provider(_) => stamp(2),
			MemberId::Tenant(_) => stamp(3),
		};
		let row = (SPACE, self.root, self.depositor, self.bond, self.deposit, self.rows);
		let row = (row, self.frozen, self.being_deleted, created);
		let (map, bond) = match member {
			MemberId::Provider(_) => ("Providers", HoldReason::ProviderBond),
			MemberId::Tenant(_) => ("Tenants", HoldReason::TenantBond),
		};
		put(map, &[member.as_bytes()], row);
		Spaces::<Test>::mutate(SPACE, |space| {
			let space = space.as_mut().expect("the space exists");
			match member {
				MemberId::Provider(_) => space.provider_count += 1,
				MemberId::Tenant(_) => space.tenant_count += 1,
			}
		});
		for (reason, amount) in [(bond, self.bond), (HoldReason::StorageDeposit, self.deposit)] {
			assert_ok!(Balances::hold(&reason.into(), &self.depositor, amount));
		}
	}
}

fn put_key(map: &str, member: &[u8], account: AccountId, level: u8) {
	put(map, &[member, &account.encode()], (level, DEPOSIT));
}

fn put_node() {
	let (medallion, last) = (Medallion::FIRST_ASSIGNABLE, Some(stamp(1)));
	let row = (false, b"/dns/node".to_vec(), medallion, last, DEPOSIT);
	put("Nodes", &[&PROVIDER.0, &NODE.0], row);
	crate::MedallionCount::<Test>::put(1);
}

fn put_kms() {
	put("Kmses", &[&TENANT.0, &KMS.0], (b"https://kms".to_vec(), DEPOSIT));
}

fn put_object(head: Option<VersionId>, versions: u32) {
	put("ContentObjects", &[&TENANT.0, &OBJECT.0], (head, versions, DEPOSIT, stamp(4)));
}

fn put_version(version: VersionId, committed: i32, finalized: Option<u64>) {
	let row = (PROVIDER, NODE, Compact(7u64), stamp(committed), finalized, true, KMS, DEPOSIT);
	put("Versions", &[&TENANT.0, &OBJECT.0, &version.0], row);
}

fn put_collection(records: u32) {
	// Keys of any kind, also with colons.
	put("Collections", &[&TENANT.0, &COLLECTION.encode()], (3u8, 1u8, records, DEPOSIT, stamp(8)));
}

fn put_record() {
	let row = ((OBJECT, None::<VersionId>), stamp(9), stamp(10), DEPOSIT);
	put("Records", &[&TENANT.0, &COLLECTION.encode(), &RECORD.encode()], row);
}

/// A chain with a space, and what `fill` adds by the layout of version 1.
fn old_chain(fill: impl FnOnce()) -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, SPACE, GOVERNOR, rules()));
	});
	chain.begin_block(1);
	chain.run(|| {
		Spaces::<Test>::mutate(SPACE, |space| {
			space.as_mut().expect("the space exists").created = stamp(1);
		});
		LastMuid::<Test>::put(stamp(100));
		StorageVersion::new(1).put::<ContentFabric>();
		fill();
	});
	chain.commit_unchecked();
	chain
}

/// Runs the migration to its end, each step in a block of its own and within a limit. Returns the
/// number of steps.
fn migrate_in_steps(chain: &mut Chain, limit: Weight) -> u32 {
	let mut cursor: Option<Cursor> = None;
	for steps in 1.. {
		chain.begin_block(1);
		let next = chain.run(|| {
			let mut meter = WeightMeter::with_limit(limit);
			let next = Migration::step(cursor.clone(), &mut meter).expect("no step fails");
			assert!(limit.all_gte(meter.consumed()));
			next
		});
		match next {
			Some(next) => {
				chain.run(|| assert_eq!(ContentFabric::on_chain_storage_version(), 1));
				chain.commit_unchecked();
				assert_ne!(cursor.as_ref(), Some(&next), "a step that does nothing never ends");
				cursor = Some(next);
			},
			None => {
				// The storage is checked here.
				chain.end_block();
				return steps;
			},
		}
	}
	unreachable!("the migration ends")
}

fn migrate(chain: &mut Chain) {
	assert_eq!(migrate_in_steps(chain, Weight::MAX), 1);
	chain.run(|| assert_eq!(ContentFabric::on_chain_storage_version(), 2));
}

/// The smallest weight with which a step does anything.
fn smallest_step() -> Weight {
	let mut meter = WeightMeter::with_limit(Weight::zero());
	match Migration::step(None, &mut meter) {
		Err(SteppedMigrationError::InsufficientWeight { required }) => required,
		other => panic!("a step without weight must ask for some, not return {other:?}"),
	}
}

/// Everything, under a provider and a tenant that were never handed over.
fn fill_plain() {
	let provider = OldMember { root: PROVIDER_ROOT, depositor: PROVIDER_ROOT, ..MEMBER };
	OldMember { deposit: 2 * DEPOSIT, bond: PROVIDER_BOND, rows: 2, ..provider }.put(THE_PROVIDER);
	put_key("ProviderKeys", &PROVIDER.0, PROVIDER_ADMIN, 1);
	put_node();
	OldMember { deposit: 7 * DEPOSIT, rows: 7, ..MEMBER }.put(THE_TENANT);
	put_key("TenantKeys", &TENANT.0, TENANT_ADMIN, 2);
	put_kms();
	put_object(Some(HEAD), 2);
	put_version(HEAD, 5, Some(12_000));
	put_version(DRAFT, 6, None);
	put_collection(1);
	put_record();
}

#[test]
fn every_row_gets_what_version_1_did_not_know() {
	let mut chain = old_chain(fill_plain);
	let before = chain.run(|| [PROVIDER_ROOT, TENANT_ROOT].map(funds));
	migrate(&mut chain);
	chain.run(|| {
		let granted = LastMuid::<Test>::get().expect("the migration has minted one");
		assert!(granted > stamp(100));

		let provider = Providers::<Test>::get(PROVIDER).expect("it exists");
		assert_eq!((provider.rows.keys, provider.rows.nodes), (1, 1));
		assert_eq!((provider.max_held, provider.own_deposit), (Balance::MAX, 0));
		assert_eq!((provider.bond, provider.deposit), (PROVIDER_BOND, 2 * DEPOSIT));
		assert_eq!((provider.empty_since, provider.purge), (None, None));
		assert!(!provider.suspended && !provider.governance_delete);
		assert_eq!(provider.created, stamp(2));
		let key = ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ADMIN).expect("it exists");
		assert_eq!((key.level, key.granted), (ProviderLevel::Admin, granted));
		let node = Nodes::<Test>::get(PROVIDER, NODE).expect("it exists");
		assert_eq!((node.operator, node.pending), (PROVIDER_ROOT, false));
		assert_eq!((node.last_muid, node.deposit), (Some(stamp(1)), DEPOSIT));

		let tenant = Tenants::<Test>::get(TENANT).expect("it exists");
		assert_eq!(tenant.rows.rows(), 7);
		assert_eq!((tenant.rows.versions, tenant.rows.records), (2, 1));
		let key = TenantKeys::<Test>::get(TENANT, TENANT_ADMIN).expect("it exists");
		assert_eq!((key.level, key.granted), (TenantLevel::Admin, granted));
		assert_eq!(Kmses::<Test>::get(TENANT, KMS).expect("it exists").deposit, DEPOSIT);
		let object = ContentObjects::<Test>::get(TENANT, OBJECT).expect("it exists");
		assert_eq!((object.head_version, object.head_since), (Some(HEAD), stamp(5)));
		assert_eq!((object.head_set, object.version_count), (stamp(4), 2));
		let version = Versions::<Test>::get((TENANT, OBJECT, HEAD)).expect("it exists");
		assert_eq!((version.muid, version.committed), (stamp(5), stamp(5)));
		assert_eq!((version.finalized, version.size, version.kms), (Some(12_000), Compact(7), KMS));
		let collection = Collections::<Test>::get(TENANT, name(COLLECTION)).expect("it exists");
		assert_eq!(collection.record_count, 1);
		let record = Records::<Test>::get((TENANT, name(COLLECTION), key_of_record()));
		assert_eq!(record.expect("it exists").target, whole_object());
		assert_eq!([PROVIDER_ROOT, TENANT_ROOT].map(funds), before);
	});
}

fn key_of_record() -> crate::RecordKeyOf<Test> {
	key(RECORD)
}

#[test]
fn what_was_migrated_can_be_used() {
	let mut chain = old_chain(fill_plain);
	migrate(&mut chain);
	chain.block(|| {
		// The versions have the chain's muid, not one of the node, so an Admin finalizes them.
		assert_noop!(finalize_as(OPERATOR, &[DRAFT]), Error::<Test>::NoPermission);
		assert_ok!(finalize_as(PROVIDER_ADMIN, &[DRAFT]));
		assert_ok!(commit_head(NEW));
		assert_ok!(finalize(NEW));
		assert_eq!(head(), Some(NEW));
		let admin = signed(TENANT_ADMIN);
		assert_ok!(ContentFabric::remove_kms(admin, TENANT, KMS));
	});
}

#[test]
fn steps_of_the_least_weight_do_the_same_as_one_large_step() {
	let storage = |chain: &mut Chain| chain.run(all_rows);
	let mut at_once = old_chain(fill_plain);
	migrate(&mut at_once);
	let mut in_steps = old_chain(fill_plain);
	// As late as the other, so that the stamps are the same.
	let smallest = in_steps.run(smallest_step);
	let steps = migrate_in_steps(&mut in_steps, smallest);
	assert!(steps > 10, "{steps} steps");
	assert_eq!(storage(&mut in_steps), storage(&mut at_once));
}

/// Returns all rows of the pallet.
fn all_rows() -> Vec<(Vec<u8>, Vec<u8>)> {
	let prefix = raw_key("", &[])[..16].to_vec();
	let next = |key: &Vec<u8>| sp_io::storage::next_key(key).filter(|it| it.starts_with(&prefix));
	core::iter::successors(next(&prefix), next)
		.map(|key| (key.clone(), sp_io::storage::get(&key).expect("it exists").to_vec()))
		.collect()
}

#[test]
fn a_step_that_is_undone_is_done_again() {
	let mut chain = old_chain(fill_plain);
	let limit = chain.run(smallest_step) * 3;
	let mut plain = old_chain(fill_plain);
	migrate_in_steps(&mut plain, limit);

	let mut cursor = None;
	loop {
		chain.begin_block(1);
		let step = |cursor| {
			let mut meter = WeightMeter::with_limit(limit);
			Migration::step(cursor, &mut meter).expect("no step fails")
		};
		// Like a block that a fork discards.
		chain.run(|| {
			let _ = frame_support::storage::with_transaction(|| {
				step(cursor.clone());
				let undone: Result<(), sp_runtime::DispatchError> = Ok(());
				sp_runtime::TransactionOutcome::Rollback(undone)
			});
		});
		cursor = chain.run(|| step(cursor.clone()));
		if cursor.is_none() {
			break;
		}
		chain.commit_unchecked();
	}
	chain.end_block();
	assert_eq!(chain.run(all_rows), plain.run(all_rows));
}

#[test]
fn the_pallet_is_closed_until_the_last_step() {
	let mut chain = old_chain(fill_plain);
	let limit = chain.run(smallest_step);
	let mut cursor = None;
	loop {
		chain.begin_block(1);
		chain.run(|| {
			let call =
				ContentFabric::create_content_object(signed(TENANT_ROOT), TENANT, EMPTY_OBJECT);
			assert_eq!(call, Err(Error::<Test>::MigrationPending.into()));
			let mut meter = WeightMeter::with_limit(limit);
			cursor = Migration::step(cursor.clone(), &mut meter).expect("no step fails");
		});
		if cursor.is_none() {
			break;
		}
		chain.commit_unchecked();
	}
	chain.end_block();
	chain.block(|| {
		let root = signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_content_object(root, TENANT, EMPTY_OBJECT));
	});
}

#[test]
fn a_chain_that_is_not_at_version_1_is_left_alone() {
	for version in [0, 2, 3] {
		let mut chain = old_chain(fill_plain);
		chain.run(|| {
			StorageVersion::new(version).put::<ContentFabric>();
			let before = all_rows();
			let mut meter = WeightMeter::new();
			assert_eq!(Migration::step(None, &mut meter), Ok(None));
			assert_eq!(all_rows(), before);
		});
	}
}

#[test]
fn a_step_without_enough_weight_asks_for_more_and_changes_nothing() {
	let mut chain = old_chain(fill_plain);
	chain.run(|| {
		let before = all_rows();
		let required = smallest_step();
		assert!(required.all_gte(<() as WeightInfo>::migrate_v2_member()));
		let almost = required - Weight::from_parts(1, 0);
		let mut meter = WeightMeter::with_limit(almost);
		assert_eq!(
			Migration::step(None, &mut meter),
			Err(SteppedMigrationError::InsufficientWeight { required })
		);
		assert_eq!(all_rows(), before);
	});
}

#[test]
fn keys_of_nodes_and_of_roots_are_removed_and_released() {
	let mut chain = old_chain(|| {
		let provider = OldMember { root: PROVIDER_ROOT, depositor: PROVIDER_ROOT, ..MEMBER };
		OldMember { deposit: 3 * DEPOSIT, rows: 3, ..provider }.put(THE_PROVIDER);
		put_key("ProviderKeys", &PROVIDER.0, OPERATOR, 0);
		put_key("ProviderKeys", &PROVIDER.0, PROVIDER_ROOT, 1);
		put_key("ProviderKeys", &PROVIDER.0, PROVIDER_ADMIN, 1);
		OldMember { deposit: DEPOSIT, rows: 1, ..MEMBER }.put(THE_TENANT);
		put_key("TenantKeys", &TENANT.0, TENANT_ROOT, 0);
	});
	migrate(&mut chain);
	chain.run(|| {
		let keys: Vec<_> = ProviderKeys::<Test>::iter_prefix(PROVIDER).map(|it| it.0).collect();
		assert_eq!(keys, [PROVIDER_ADMIN]);
		assert_eq!(funds(PROVIDER_ROOT).1, TENANT_BOND + DEPOSIT);
		assert_eq!(TenantKeys::<Test>::iter().count(), 0);
		assert_eq!(funds(TENANT_ROOT).1, TENANT_BOND);
		// It has no rows since then.
		let tenant = Tenants::<Test>::get(TENANT).expect("it exists");
		assert_eq!(tenant.empty_since, Some(System::block_number()));
	});
}

#[test]
fn funds_of_a_former_root_are_released_to_it() {
	let mut chain = old_chain(|| {
		let handed_over = OldMember { depositor: STRANGER, ..MEMBER };
		OldMember { deposit: 2 * DEPOSIT, rows: 2, ..handed_over }.put(THE_TENANT);
		put_kms();
		put_key("TenantKeys", &TENANT.0, EDITOR, 0);
	});
	migrate(&mut chain);
	chain.run(|| {
		assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
		let tenant = Tenants::<Test>::get(TENANT).expect("it exists");
		assert_eq!((tenant.bond, tenant.deposit, tenant.rows.rows()), (0, 0, 2));
		assert_eq!(Kmses::<Test>::get(TENANT, KMS).expect("it exists").deposit, 0);
	});
	chain.block(|| {
		let add = || ContentFabric::create_content_object(signed(TENANT_ROOT), TENANT, OBJECT);
		assert_noop!(add(), Error::<Test>::TenantUnderBonded);
		let root = signed(TENANT_ROOT);
		assert_ok!(ContentFabric::top_up_bond(root, THE_TENANT, TENANT_BOND));
		assert_ok!(add());
	});
}

#[test]
fn counts_are_recomputed() {
	let mut chain = old_chain(|| {
		OldMember { deposit: 4 * DEPOSIT, rows: 77, ..MEMBER }.put(THE_TENANT);
		put_object(None, 9);
		put_version(DRAFT, 5, None);
		put_collection(0);
		put_record();
	});
	migrate(&mut chain);
	chain.run(|| {
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(4));
		let object = ContentObjects::<Test>::get(TENANT, OBJECT).expect("it exists");
		assert_eq!(object.version_count, 1);
		let collection = Collections::<Test>::get(TENANT, name(COLLECTION)).expect("it exists");
		assert_eq!(collection.record_count, 1);
	});
}

#[test]
fn a_head_that_does_not_exist_or_is_not_finalized_is_cleared() {
	for head in [HEAD, DRAFT] {
		let mut chain = old_chain(|| {
			OldMember { deposit: 2 * DEPOSIT, rows: 2, ..MEMBER }.put(THE_TENANT);
			put_object(Some(head), 1);
			put_version(DRAFT, 5, None);
		});
		migrate(&mut chain);
		chain.run(|| {
			let object = ContentObjects::<Test>::get(TENANT, OBJECT).expect("it exists");
			assert_eq!((object.head_version, object.head_since), (None, stamp(4)));
		});
	}
}

#[test]
fn children_without_their_parent_are_removed() {
	let mut chain = old_chain(|| {
		OldMember { deposit: 2 * DEPOSIT, rows: 2, ..MEMBER }.put(THE_TENANT);
		// Of members that do not exist.
		put_node();
		put_key("ProviderKeys", &PROVIDER.0, PROVIDER_ADMIN, 1);
		put("Kmses", &[&[7; 10], &KMS.0], (b"https://kms".to_vec(), DEPOSIT));
		// Of an object, and of a collection, that do not exist.
		put_version(DRAFT, 5, None);
		put_record();
	});
	migrate(&mut chain);
	chain.run(|| {
		assert!(!exists("Nodes", &[&PROVIDER.0, &NODE.0]));
		assert_eq!(ProviderKeys::<Test>::iter().count() + Kmses::<Test>::iter().count(), 0);
		assert_eq!(Versions::<Test>::iter().count() + Records::<Test>::iter().count(), 0);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(0));
		assert_eq!(funds(TENANT_ROOT).1, TENANT_BOND);
	});
}

#[test]
fn rows_that_do_not_decode_are_left_and_counted_and_a_purge_removes_them() {
	let mut chain = old_chain(|| {
		OldMember { deposit: 2 * DEPOSIT, rows: 2, ..MEMBER }.put(THE_TENANT);
		put_object(None, 0);
		put("Kmses", &[&TENANT.0, &KMS.0], b"?");
	});
	chain.begin_block(1);
	chain.run(|| {
		let mut meter = WeightMeter::new();
		assert_eq!(Migration::step(None, &mut meter), Ok(None));
		assert!(exists("Kmses", &[&TENANT.0, &KMS.0]));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(2));
		// Its deposit is not known, so that stays on hold.
		assert_eq!(Tenants::<Test>::get(TENANT).map(|info| info.deposit), Some(DEPOSIT));
		assert_ok!(governance_delete(THE_TENANT));
	});
	chain.commit_unchecked();
	chain.idle();
	chain.run(|| {
		assert!(!exists("Kmses", &[&TENANT.0, &KMS.0]));
		assert!(!Tenants::<Test>::contains_key(TENANT));
	});
}

#[test]
fn members_that_do_not_decode_are_left_with_their_rows() {
	let mut chain = old_chain(|| {
		put("Tenants", &[&TENANT.0], b"?");
		put_kms();
	});
	chain.run(|| {
		let mut meter = WeightMeter::new();
		assert_eq!(Migration::step(None, &mut meter), Ok(None));
		assert!(exists("Tenants", &[&TENANT.0]) && exists("Kmses", &[&TENANT.0, &KMS.0]));
		assert_eq!(ContentFabric::on_chain_storage_version(), 2);
	});
}

/// A tenant of two rows that is being deleted.
fn fill_deleted() {
	OldMember { bond: 0, rows: 2, being_deleted: true, ..MEMBER }.put(THE_TENANT);
	put_kms();
	put_object(None, 0);
}

/// Writes a deletion of version 1 with a place in the queue.
fn put_deletion(place: u64) {
	// Version 2 has neither its stage nor its cursor.
	let row = (1u64, place, 40u32, 6u8, raw_key("Kmses", &[&TENANT.0]));
	put("Deletions", &[&THE_TENANT.encode()], row);
	DeletionQueue::<Test>::insert(place, THE_TENANT);
	crate::DeletionQueueBounds::<Test>::mutate(|bounds| bounds.next = place + 1);
}

#[test]
fn a_deletion_under_way_starts_over() {
	let mut chain = old_chain(|| {
		fill_deleted();
		put_deletion(4);
	});
	migrate(&mut chain);
	chain.run(|| {
		let purge = Purges::<Test>::get(THE_TENANT).expect("the purge is under way");
		assert_eq!((purge.place, purge.rows, purge.cursor.len()), (4, 2, 0));
		let tenant = Tenants::<Test>::get(TENANT).expect("it exists");
		assert_eq!((tenant.purge, tenant.deposit), (Some(PurgeScope::Member), 0));
		assert!(!exists("Deletions", &[&THE_TENANT.encode()]));
	});
	chain.begin_block(1);
	chain.run(|| {
		ContentFabric::run_purges(&mut WeightMeter::new());
		let purged = Event::Purged { member: THE_TENANT, space: SPACE, created: stamp(3) };
		assert!(events().contains(&purged));
	});
	chain.end_block();
}

#[test]
fn a_deletion_without_a_place_gets_one() {
	let mut chain = old_chain(fill_deleted);
	migrate(&mut chain);
	chain.run(|| assert_eq!(Purges::<Test>::get(THE_TENANT).map(|purge| purge.place), Some(0)));
	chain.idle();
	chain.run(|| assert!(!Tenants::<Test>::contains_key(TENANT)));
}

#[test]
fn a_deletion_of_nobody_is_removed() {
	let mut chain = old_chain(|| put_deletion(0));
	migrate(&mut chain);
	chain.run(|| {
		assert_eq!(Purges::<Test>::iter().count() + DeletionQueue::<Test>::iter().count(), 0);
		assert!(!exists("Deletions", &[&THE_TENANT.encode()]));
	});
}

#[test]
fn the_last_tid_keeps_its_value() {
	let last = 0x1234_5678_9abc_def0u64;
	let mut chain = old_chain(|| put("LastTid", &[], last));
	migrate(&mut chain);
	chain.run(|| {
		assert_eq!(LastTid::<Test>::get().map(|tid| tid.to_u64()), Some(last));
		let raw = sp_io::storage::get(&raw_key("LastTid", &[])).expect("it is stored");
		assert_eq!(raw.to_vec(), last.to_be_bytes());
	});
}

#[test]
fn what_only_version_1_needs_is_removed() {
	let mut chain = old_chain(|| put("RecentDeletions", &[], (7u64, vec![THE_TENANT])));
	migrate(&mut chain);
	chain.run(|| assert!(!exists("RecentDeletions", &[])));
}

#[test]
fn ids_and_texts_of_every_kind_survive() {
	let ids = || {
		let (provider, node) = (ProviderId([0xff; 10]), NodeId([0; 10]));
		let (tenant, kms, object) =
			(TenantId([0; 10]), KmsId([0xff; 10]), ContentObjectId([9; 10]));
		(provider, node, tenant, kms, object)
	};
	let mut chain = old_chain(|| {
		let (provider, node, tenant, kms, object) = ids();
		OldMember { deposit: DEPOSIT, rows: 1, ..MEMBER }.put(provider.into());
		let row = (true, Vec::<u8>::new(), Medallion::FIRST_ASSIGNABLE, None::<Muid>, DEPOSIT);
		put("Nodes", &[&provider.0, &node.0], row);
		crate::MedallionCount::<Test>::put(1);
		OldMember { deposit: 3 * DEPOSIT, rows: 3, ..MEMBER }.put(tenant.into());
		put("Kmses", &[&tenant.0, &kms.0], (vec![b'x'; 64], DEPOSIT));
		put(
			"ContentObjects",
			&[&tenant.0, &object.0],
			(None::<VersionId>, 0u32, DEPOSIT, stamp(4)),
		);
		let only = vec![b'k'; 512];
		let row = ((2u8, only), 0u8, 0u32, DEPOSIT, stamp(8));
		put("Collections", &[&tenant.0, &vec![b'n'; 128].encode()], row);
	});
	migrate(&mut chain);
	chain.run(|| {
		let (provider, node, tenant, kms, object) = ids();
		assert!(Nodes::<Test>::get(provider, node).is_some_and(|node| node.pending));
		assert!(Kmses::<Test>::get(tenant, kms).is_some_and(|kms| kms.locator.len() == 64));
		assert!(ContentObjects::<Test>::contains_key(tenant, object));
		assert!(Collections::<Test>::contains_key(tenant, name(&"n".repeat(128))));
	});
}
