//! That the checks of the whole storage find what they are there for.

use crate::{
	clock::nth_medallion, identifiers::RecordKeySyntax, mock::*, Admissions, Collections,
	ContentObjects, DeletionQueue, DeletionQueueBounds, Deletions, KeyInfo, Kmses, LastMuid,
	MemberInfoOf, Nodes, ProviderKeys, ProviderLevel, Providers, Records, Role, Spaces, Subject,
	TenantKeys, TenantLevel, Tenants, VersionInfoOf, Versions,
};

/// Spoils the storage of the small fabric, and expects the checks to say so.
fn spoil(expected: &str, change: impl FnOnce()) {
	Chain::small_fabric().block(|| {
		let _ = frame_support::storage::transactional::with_transaction(|| {
			change();
			let found = ContentFabric::do_try_state();
			assert_eq!(found, Err(sp_runtime::TryRuntimeError::Other(leak(expected))));
			sp_runtime::TransactionOutcome::Rollback(Ok::<_, sp_runtime::DispatchError>(()))
		});
	});
}

fn leak(text: &str) -> &'static str {
	Box::leak(text.into())
}

fn mutate_tenant(change: impl FnOnce(&mut MemberInfoOf<Test>)) {
	Tenants::<Test>::mutate(TENANT, |info| change(info.as_mut().expect("the tenant exists")));
}

/// Counts off a row of the tenant that was removed by hand.
fn forget_row(deposit: Balance) {
	mutate_tenant(|info| {
		info.rows -= 1;
		info.deposit -= deposit;
	});
}

fn mutate_version(change: impl FnOnce(&mut VersionInfoOf<Test>)) {
	Versions::<Test>::mutate((TENANT, OBJECT, HEAD), |info| {
		change(info.as_mut().expect("the version exists"))
	});
}

#[test]
fn orphans_are_found() {
	spoil("a provider belongs to no space", || {
		Tenants::<Test>::remove(TENANT);
		Spaces::<Test>::remove(SPACE);
	});
	spoil("a tenant belongs to no space", || {
		Providers::<Test>::remove(PROVIDER);
		Spaces::<Test>::remove(SPACE);
	});
	spoil("a key or node belongs to no provider", || {
		Providers::<Test>::remove(PROVIDER);
		Spaces::<Test>::mutate(SPACE, |info| info.as_mut().expect("exists").provider_count = 0);
	});
	spoil("a row belongs to no tenant", || {
		Tenants::<Test>::remove(TENANT);
		Spaces::<Test>::mutate(SPACE, |info| info.as_mut().expect("exists").tenant_count = 0);
	});
	spoil("a version belongs to no content object", || {
		let object = ContentObjects::<Test>::take(TENANT, OBJECT).expect("exists");
		forget_row(object.deposit);
	});
	spoil("an admission belongs to no space", || {
		let unknown = crate::identifiers::SpaceId([7; 10]);
		Admissions::<Test>::insert(unknown, (STRANGER, Role::Tenant), ());
	});
	spoil("a record belongs to no collection", || {
		let collection = Collections::<Test>::take(TENANT, name(COLLECTION)).expect("exists");
		forget_row(collection.deposit);
	});
}

#[test]
fn keys_of_the_root_level_are_found() {
	spoil("a key of a provider has the level of the root", || {
		let key = KeyInfo { level: ProviderLevel::Root, deposit: 0 };
		ProviderKeys::<Test>::insert(PROVIDER, STRANGER, key);
		Providers::<Test>::mutate(PROVIDER, |info| info.as_mut().expect("exists").rows += 1);
	});
	spoil("a key of a tenant has the level of the root", || {
		let key = KeyInfo { level: TenantLevel::Root, deposit: 0 };
		TenantKeys::<Test>::insert(TENANT, STRANGER, key);
		mutate_tenant(|info| info.rows += 1);
	});
}

#[test]
fn wrong_muids_are_found() {
	spoil("a row is from the future", LastMuid::<Test>::kill);
	spoil("two rows have the same muid", || {
		mutate_tenant(|info| info.created = Spaces::<Test>::get(SPACE).expect("exists").created);
	});
}

#[test]
fn wrong_counts_are_found() {
	spoil("provider_count of a space is not exact", || {
		Spaces::<Test>::mutate(SPACE, |info| info.as_mut().expect("exists").provider_count = 2);
	});
	spoil("tenant_count of a space is not exact", || {
		Spaces::<Test>::mutate(SPACE, |info| info.as_mut().expect("exists").tenant_count = 0);
	});
	spoil("rows of a provider is not exact", || Nodes::<Test>::remove(PROVIDER, NODE));
	spoil("rows of a tenant is not exact", || Kmses::<Test>::remove(TENANT, KMS));
	spoil("version_count of a content object is not exact", || {
		let version = Versions::<Test>::take((TENANT, OBJECT, DRAFT)).expect("exists");
		forget_row(version.deposit);
	});
	spoil("record_count of a collection is not exact", || {
		let record = (TENANT, name(COLLECTION), key(RECORD));
		forget_row(Records::<Test>::take(record).expect("exists").deposit);
	});
	spoil("admission_count of a space is not exact", || {
		Admissions::<Test>::insert(SPACE, (STRANGER, Role::Tenant), ());
	});
}

#[test]
fn wrong_deposits_and_holds_are_found() {
	spoil("deposit of a provider is not exact", || {
		Providers::<Test>::mutate(PROVIDER, |info| info.as_mut().expect("exists").deposit += 1);
	});
	spoil("deposit of a tenant is not exact", || mutate_tenant(|info| info.deposit -= 1));
	spoil("less is on hold than was recorded", || mutate_tenant(|info| info.bond += 1));
	spoil("less is on hold than was recorded", || {
		mutate_tenant(|info| info.depositor = STRANGER);
	});
}

#[test]
fn wrong_medallions_are_found() {
	let set_medallion = |medallion| {
		Nodes::<Test>::mutate(PROVIDER, NODE, |info| {
			info.as_mut().expect("exists").medallion = medallion;
		});
	};
	spoil("two nodes have the same medallion", || {
		set_medallion(Nodes::<Test>::get(PROVIDER, PENDING_NODE).expect("exists").medallion);
	});
	spoil("a node has a medallion that was not assigned", || {
		set_medallion(nth_medallion(2).expect("is in range"));
	});
}

#[test]
fn wrong_record_keys_are_found() {
	spoil("a record has a key that its collection cannot have", || {
		Collections::<Test>::mutate(TENANT, name(COLLECTION), |info| {
			info.as_mut().expect("exists").syntax = RecordKeySyntax::Unreserved;
		});
	});
}

#[test]
fn wrong_deletions_are_found() {
	let subject = Subject::Tenant(TENANT);
	let delete = || {
		ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 0)
			.expect("the tenant exists");
	};
	spoil("flags and deletions do not agree", || {
		delete();
		Deletions::<Test>::remove(subject);
	});
	spoil("a deletion has not been settled", || {
		delete();
		mutate_tenant(|info| info.bond = 1);
	});
	spoil("a deletion is not in the queue", || {
		delete();
		DeletionQueueBounds::<Test>::kill();
	});
	spoil("a place in the queue has no deletion", || {
		delete();
		DeletionQueue::<Test>::insert(7, subject);
	});
	spoil("rows of a tenant is not exact", || {
		delete();
		Kmses::<Test>::remove(TENANT, KMS);
	});
}

#[test]
fn wrong_heads_and_times_are_found() {
	let set_head = |version| {
		ContentObjects::<Test>::mutate(TENANT, OBJECT, |info| {
			info.as_mut().expect("exists").head_version = Some(version);
		});
	};
	spoil("the head of a content object is not finalized", || set_head(DRAFT));
	spoil("the head of a content object does not exist", || {
		set_head(crate::identifiers::VersionId([7; 32]))
	});
	spoil("a version was finalized before it was committed", || {
		mutate_version(|info| info.finalized = Some(info.committed.timestamp() / 1_000 - 1));
	});
}
