// SPDX-License-Identifier: Apache-2.0
//! The checks of the whole storage find every violation.

use codec::Compact;
use frame_support::{assert_ok, traits::ReservableCurrency};
use sp_runtime::TryRuntimeError;

use crate::{
	identifiers::{Medallion, Muid, RecordKeySyntax, Tid},
	mock::*,
	Admissions, CollectionInfoOf, Collections, ContentObjectInfoOf, ContentObjects, DeletionQueue,
	DeletionQueueBounds, KeyInfo, Kmses, LastMuid, LastTid, Nodes, Nomination, ProviderInfoOf,
	ProviderKeys, ProviderLevel, Providers, PurgeOf, PurgeScope, Purges, QueueBounds, Role,
	SpaceInfoOf, Spaces, TenantInfoOf, TenantKeys, TenantLevel, Tenants, VersionInfoOf, Versions,
};

/// Spoils the storage of the small fabric, and expects the checks to report it.
fn spoil(expected: &'static str, change: impl FnOnce()) {
	Chain::small_fabric().block(|| {
		undone(|| {
			change();
			assert_eq!(ContentFabric::do_try_state(), Err(TryRuntimeError::Other(expected)));
		});
	});
}

pub(super) fn mutate_space(change: impl FnOnce(&mut SpaceInfoOf<Test>)) {
	Spaces::<Test>::mutate(SPACE, |info| change(info.as_mut().expect("the space exists")));
}

pub(super) fn mutate_provider(change: impl FnOnce(&mut ProviderInfoOf<Test>)) {
	Providers::<Test>::mutate(PROVIDER, |info| change(info.as_mut().expect("it exists")));
}

pub(super) fn mutate_tenant(change: impl FnOnce(&mut TenantInfoOf<Test>)) {
	Tenants::<Test>::mutate(TENANT, |info| change(info.as_mut().expect("the tenant exists")));
}

pub(super) fn mutate_object(change: impl FnOnce(&mut ContentObjectInfoOf<Test>)) {
	ContentObjects::<Test>::mutate(TENANT, OBJECT, |info| {
		change(info.as_mut().expect("the object exists"))
	});
}

pub(super) fn mutate_collection(change: impl FnOnce(&mut CollectionInfoOf<Test>)) {
	Collections::<Test>::mutate(TENANT, name(COLLECTION), |info| {
		change(info.as_mut().expect("the collection exists"))
	});
}

/// Writes an access key of an account in the tenant, and counts it.
fn add_tenant_key(account: AccountId, level: TenantLevel, granted: Muid) {
	TenantKeys::<Test>::insert(TENANT, account, KeyInfo { level, granted, deposit: 0 });
	mutate_tenant(|info| info.rows.keys += 1);
}

/// Returns the latest muid that a row may have.
fn now() -> Muid {
	LastMuid::<Test>::get().expect("muids were minted")
}

#[test]
fn finds_children_without_parents() {
	spoil("a provider belongs to no space", || {
		Tenants::<Test>::remove(TENANT);
		Spaces::<Test>::remove(SPACE);
	});
	spoil("a tenant belongs to no space", || {
		Providers::<Test>::remove(PROVIDER);
		Spaces::<Test>::remove(SPACE);
	});
	spoil("an admission belongs to no space", || {
		Admissions::<Test>::insert(OTHER_SPACE, (STRANGER, Role::Tenant), ());
	});
	spoil("a row belongs to no member", || {
		Providers::<Test>::remove(PROVIDER);
		mutate_space(|info| info.provider_count = 0);
	});
	spoil("a row belongs to no member", || {
		Tenants::<Test>::remove(TENANT);
		mutate_space(|info| info.tenant_count = 0);
	});
	spoil("a version belongs to no content object", || {
		let object = ContentObjects::<Test>::take(TENANT, OBJECT).expect("the object exists");
		mutate_tenant(|info| {
			info.rows.content_objects -= 1;
			info.deposit -= object.deposit;
		});
	});
	spoil("a record belongs to no collection", || {
		let collection = Collections::<Test>::take(TENANT, name(COLLECTION)).expect("it exists");
		mutate_tenant(|info| {
			info.rows.collections -= 1;
			info.deposit -= collection.deposit;
		});
	});
}

#[test]
fn finds_rows_that_do_not_decode() {
	spoil("a row does not decode", || {
		sp_io::storage::set(&Kmses::<Test>::hashed_key_for(TENANT, KMS), b"?");
	});
	// With bytes behind it.
	spoil("a row does not decode", || {
		let key = Kmses::<Test>::hashed_key_for(TENANT, KMS);
		let mut row = sp_io::storage::get(&key).expect("the KMS exists").to_vec();
		row.push(0);
		sp_io::storage::set(&key, &row);
	});
}

#[test]
fn finds_inexact_counts() {
	spoil("provider_count of a space is not exact", || {
		mutate_space(|info| info.provider_count = 2)
	});
	spoil("tenant_count of a space is not exact", || mutate_space(|info| info.tenant_count = 0));
	spoil("admission_count of a space is not exact", || {
		Admissions::<Test>::insert(SPACE, (STRANGER, Role::Tenant), ());
	});
	let of_member = "a count of a member is not exact";
	spoil(of_member, || Nodes::<Test>::remove(PROVIDER, NODE));
	spoil(of_member, || Kmses::<Test>::remove(TENANT, KMS));
	spoil(of_member, || mutate_tenant(|info| info.rows.records += 1));
	// The sum of the counts is right, and two of them are not.
	spoil(of_member, || {
		mutate_tenant(|info| {
			info.rows.records += 1;
			info.rows.kmses -= 1;
		})
	});
	spoil("version_count of a content object is not exact", || {
		mutate_object(|info| info.version_count += 1);
	});
	spoil("record_count of a collection is not exact", || {
		mutate_collection(|info| info.record_count = 0);
	});
	spoil("empty_since of a member is not exact", || {
		mutate_tenant(|info| info.empty_since = Some(1))
	});
}

#[test]
fn finds_inexact_deposits_and_holds() {
	spoil("deposit of a member is not exact", || mutate_provider(|info| info.deposit += 1));
	spoil("deposit of a member is not exact", || mutate_tenant(|info| info.deposit -= 1));
	spoil("more is on hold than the root has agreed to", || {
		mutate_tenant(|info| info.max_held = info.bond + info.own_deposit + info.deposit - 1);
	});
	for change in [
		(|info| info.bond += 1) as fn(&mut TenantInfoOf<Test>),
		|info| info.own_deposit += 1,
		|info| info.root = STRANGER,
	] {
		spoil("less is on hold than members record", || mutate_tenant(change));
	}
	// Another pallet may unreserve more than it has reserved.
	spoil("less is reserved than members record", || {
		assert_eq!(<Balances as ReservableCurrency<_>>::unreserve(&TENANT_ROOT, 1), 0);
	});
}

#[test]
fn finds_wrong_access_keys() {
	spoil("an access key has the level of the root", || {
		let key = KeyInfo { level: ProviderLevel::Root, granted: now(), deposit: 0 };
		ProviderKeys::<Test>::insert(PROVIDER, STRANGER, key);
		mutate_provider(|info| info.rows.keys += 1);
	});
	spoil("an access key has the level of the root", || {
		add_tenant_key(STRANGER, TenantLevel::Root, now());
	});
	spoil("the root of a member has an access key", || {
		add_tenant_key(TENANT_ROOT, TenantLevel::Admin, now());
	});
	spoil("a root is older than its member", || {
		mutate_tenant(|info| info.root_since = created(THE_PROVIDER));
	});
	spoil("an access key is older than its member", || {
		add_tenant_key(STRANGER, TenantLevel::Admin, created(THE_TENANT));
	});
	spoil("the root of a member is nominated as its root", || {
		let nomination = Nomination { nominee: TENANT_ROOT, governance_matures: None };
		mutate_tenant(|info| info.nomination = Some(nomination));
	});
}

#[test]
fn finds_wrong_heads_and_times() {
	spoil("the head of a content object is not finalized", || {
		mutate_object(|info| info.head_version = Some(DRAFT));
	});
	spoil("the head of a content object does not exist", || {
		mutate_object(|info| info.head_version = Some(NEW));
	});
	spoil("head_since of an object is not exact", || {
		mutate_object(|info| info.head_version = Some(FINALIZED));
	});
	for change in
		[(|info| info.head_since = Muid::default()) as fn(&mut ContentObjectInfoOf<Test>), |info| {
			info.head_set = Muid::new(1, Medallion::MAX, 0).expect("is in range")
		}] {
		spoil("a head was set before its object was created", || mutate_object(change));
	}
	spoil("a version that is a BLAKE3 hash does not state its size", || {
		Versions::<Test>::mutate((TENANT, OBJECT, HEAD), |info| {
			info.as_mut().expect("the version exists").size = Compact(0);
		});
	});
	spoil("a version was finalized before it was committed", || {
		Versions::<Test>::mutate((TENANT, OBJECT, HEAD), |info| {
			let info = info.as_mut().expect("the version exists");
			info.finalized = Some(info.committed.timestamp() / 1_000 - 1);
		});
	});
}

#[test]
fn finds_wrong_copies() {
	let mutate = |version, change: fn(&mut VersionInfoOf<Test>)| {
		Versions::<Test>::mutate((TENANT, OBJECT, version), |info| {
			change(info.as_mut().expect("the version exists"));
		});
	};
	spoil("a version has two copies on one node", || {
		mutate(HEAD, |info| {
			let copy = info.copies[0];
			assert_ok!(info.copies.try_push(copy));
		});
	});
	spoil("a copy has the medallion of another node", || {
		mutate(HEAD, |info| info.copies[0].node = PENDING_NODE);
	});
	for change in
		[(|info| info.copies[0].held = Some(u64::MAX)) as fn(&mut VersionInfoOf<Test>), |info| {
			info.copies[0].held = Some(0)
		}] {
		spoil("a node holds a version that was not final by then", || mutate(DRAFT, change));
	}
	spoil("a node holds a version that was not final by then", || {
		mutate(FINALIZED, |info| info.copies[0].held = Some(1));
	});
}

#[test]
fn finds_record_keys_that_their_collection_does_not_allow() {
	spoil("a record has a key that its collection does not allow", || {
		mutate_collection(|info| info.syntax = RecordKeySyntax::Unreserved);
	});
}

#[test]
fn finds_wrong_muids_and_medallions() {
	spoil("a row is from the future", LastMuid::<Test>::kill);
	spoil("two rows have the same muid", || {
		mutate_tenant(|info| info.created = Spaces::<Test>::get(SPACE).expect("exists").created);
	});
	let set_medallion = |medallion| {
		Nodes::<Test>::mutate(PROVIDER, NODE, |info| {
			info.as_mut().expect("the node exists").medallion = medallion;
		});
	};
	spoil("two nodes have the same medallion", || {
		set_medallion(Nodes::<Test>::get(PROVIDER, PENDING_NODE).expect("exists").medallion);
	});
	// Its own is the chain's, and two nodes were created.
	for place in [0, 3] {
		spoil("a node has a medallion that was not assigned", || {
			set_medallion(super::medallions::nth(place));
		});
	}
	let of_chain = "a muid does not have the chain's medallion";
	spoil(of_chain, crate::Medallions::<Test>::kill);
	spoil(of_chain, || {
		let last = LastMuid::<Test>::get().expect("the chain has minted");
		LastMuid::<Test>::put(last.with_offset(0).max(node_muid(PROVIDER, NODE)));
	});
	spoil(of_chain, || {
		mutate_collection(|info| {
			info.created = Muid::new(1, Medallion::FIRST_ASSIGNABLE, 1).expect("is in range")
		});
	});
	let of_tid = "the last TID does not have the chain's clock id";
	spoil(of_tid, LastTid::<Test>::kill);
	spoil(of_tid, || {
		LastTid::<Test>::mutate(|tid| {
			*tid = tid.and_then(|tid| Tid::from_u64(tid.to_u64() ^ 1).ok());
		});
	});
	spoil("the last muid of a node has another medallion", || {
		Nodes::<Test>::mutate(PROVIDER, NODE, |info| {
			let of_chain = Muid::new(1, Medallion::MAX, 0).expect("is in range");
			info.as_mut().expect("the node exists").last_muid = Some(of_chain);
		});
	});
}

#[test]
fn finds_wrong_purges() {
	let delete = || assert_eq!(governance_delete(THE_TENANT), Ok(()));
	spoil("marks and purges do not agree", || {
		delete();
		Purges::<Test>::remove(THE_TENANT);
	});
	spoil("marks and purges do not agree", || {
		mutate_tenant(|info| info.purge = Some(PurgeScope::Rows));
	});
	spoil("a member that is being deleted has not been settled", || {
		delete();
		mutate_tenant(|info| info.bond = 1);
	});
	spoil("a purge is not in the queue", || {
		delete();
		DeletionQueueBounds::<Test>::kill();
	});
	spoil("the queue ends before its first place", || {
		DeletionQueueBounds::<Test>::put(QueueBounds { first: 1, next: 0 });
	});
	let set_blocks = |change: fn(&mut PurgeOf<Test>)| {
		spoil("the blocks of a purge are not in order", || {
			delete();
			Purges::<Test>::mutate(THE_TENANT, |purge| {
				change(purge.as_mut().expect("the purge is under way"))
			});
		});
	};
	set_blocks(|purge| purge.started += 1);
	set_blocks(|purge| purge.cursor_block += 1);
	set_blocks(|purge| purge.cursor_block -= 1);
	spoil("a place in the queue has no purge", || {
		delete();
		DeletionQueue::<Test>::insert(7, THE_TENANT);
	});
	spoil("a count of a member is not exact", || {
		delete();
		Kmses::<Test>::remove(TENANT, KMS);
	});
	spoil("deposit of a member is not exact", || {
		delete();
		mutate_tenant(|info| info.deposit = 1);
	});
	spoil("deposit of a member is not exact", || {
		assert_ok!(purge_member(THE_TENANT));
		mutate_tenant(|info| info.deposit -= 1);
	});
}
