//! That the checks of the whole storage find what they are there for.

use crate::{
	mock::*, ContentObjects, Kmses, LastMuid, MemberInfoOf, Nodes, ProviderKeys, ProviderLevel,
	Providers, Spaces, TenantKeys, TenantLevel, Tenants, VersionInfoOf, Versions,
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
	spoil("a key, KMS, content object or version belongs to no tenant", || {
		Tenants::<Test>::remove(TENANT);
		Spaces::<Test>::mutate(SPACE, |info| info.as_mut().expect("exists").tenant_count = 0);
	});
	spoil("a version belongs to no content object", || {
		ContentObjects::<Test>::remove(TENANT, OBJECT);
		mutate_tenant(|info| info.rows -= 1);
	});
}

#[test]
fn keys_of_the_root_level_are_found() {
	spoil("a key of a provider has the level of the root", || {
		ProviderKeys::<Test>::insert(PROVIDER, STRANGER, ProviderLevel::Root);
		Providers::<Test>::mutate(PROVIDER, |info| info.as_mut().expect("exists").rows += 1);
	});
	spoil("a key of a tenant has the level of the root", || {
		TenantKeys::<Test>::insert(TENANT, STRANGER, TenantLevel::Root);
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
		Versions::<Test>::remove((TENANT, OBJECT, DRAFT));
		mutate_tenant(|info| info.rows -= 1);
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
