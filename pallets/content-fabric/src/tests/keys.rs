//! Where things are in storage: names, hashers and lengths of keys, which clients and migrations
//! rely on.

use codec::{Encode, MaxEncodedLen};

use crate::{
	mock::*, Admissions, Collections, ContentObjects, Deletions, Kmses, Nodes, ProviderKeys,
	Providers, Records, Role, Spaces, Subject, TenantKeys, Tenants, VersionInfoOf, Versions,
};

#[test]
fn complete_keys_are_behind_blake2_at_every_level() {
	assert_eq!(Spaces::<Test>::hashed_key_for(SPACE), raw_key("Spaces", &[&SPACE.0]));
	assert_eq!(Providers::<Test>::hashed_key_for(PROVIDER), raw_key("Providers", &[&PROVIDER.0]));
	assert_eq!(Tenants::<Test>::hashed_key_for(TENANT), raw_key("Tenants", &[&TENANT.0]));
	assert_eq!(
		Nodes::<Test>::hashed_key_for(PROVIDER, NODE),
		raw_key("Nodes", &[&PROVIDER.0, &NODE.0])
	);
	assert_eq!(
		ProviderKeys::<Test>::hashed_key_for(PROVIDER, OPERATOR),
		raw_key("ProviderKeys", &[&PROVIDER.0, &OPERATOR.to_le_bytes()])
	);
	assert_eq!(
		TenantKeys::<Test>::hashed_key_for(TENANT, EDITOR),
		raw_key("TenantKeys", &[&TENANT.0, &EDITOR.to_le_bytes()])
	);
	assert_eq!(Kmses::<Test>::hashed_key_for(TENANT, KMS), raw_key("Kmses", &[&TENANT.0, &KMS.0]));
	assert_eq!(
		ContentObjects::<Test>::hashed_key_for(TENANT, OBJECT),
		raw_key("ContentObjects", &[&TENANT.0, &OBJECT.0])
	);
	let version = Versions::<Test>::hashed_key_for((TENANT, OBJECT, HEAD));
	assert_eq!(version, raw_key("Versions", &[&TENANT.0, &OBJECT.0, &HEAD.0]));
	// Texts are behind their length.
	let (name_key, record_key) = (name(COLLECTION).encode(), key(RECORD).encode());
	assert_eq!(
		Collections::<Test>::hashed_key_for(TENANT, name(COLLECTION)),
		raw_key("Collections", &[&TENANT.0, &name_key])
	);
	assert_eq!(
		Records::<Test>::hashed_key_for((TENANT, name(COLLECTION), key(RECORD))),
		raw_key("Records", &[&TENANT.0, &name_key, &record_key])
	);
	let admission = (STRANGER, Role::Tenant);
	assert_eq!(
		Admissions::<Test>::hashed_key_for(SPACE, admission),
		raw_key("Admissions", &[&SPACE.0, &admission.encode()])
	);
	let subject = Subject::Tenant(TENANT);
	assert_eq!(
		Deletions::<Test>::hashed_key_for(subject),
		raw_key("Deletions", &[&subject.encode()])
	);
	assert_eq!(version.len(), 32 + (16 + 10) + (16 + 10) + (16 + 32));
}

#[test]
fn every_row_of_the_small_fabric_is_where_it_belongs() {
	Chain::small_fabric().block(|| {
		let keys = |map| keys_under(&raw_key(map, &[]));
		assert_eq!(
			["Spaces", "Providers", "Nodes", "Tenants", "Kmses", "ContentObjects", "Versions"]
				.map(keys),
			[1, 1, 2, 1, 1, 2, 3]
		);
		assert_eq!(keys_under(&raw_key("Versions", &[&TENANT.0, &OBJECT.0])), 3);
	});
}

#[test]
fn values_are_bounded() {
	// originator, node, kms; compact size; committed; finalized; flag; deposit
	assert_eq!(VersionInfoOf::<Test>::max_encoded_len(), 30 + 9 + 16 + 9 + 1 + 8);
}
