// SPDX-License-Identifier: Apache-2.0
//! The deletion of single children of a frozen member: by any account, for a fee.

use super::*;

/// Returns one call for each row under the members of the fabric with keys, with the events of the
/// row. They can be made one after the other.
fn children() -> Vec<(Call<Test>, Vec<Event<Test>>)> {
	let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
	let key_of_provider = |account: AccountId| {
		let event = Event::<Test>::ProviderKeySet { provider, account, level: None };
		(Call::<Test>::governance_delete_provider_key { id: provider, account }, vec![event])
	};
	let node = |node| {
		let event = Event::<Test>::NodeRemoved { provider, node };
		(Call::<Test>::governance_delete_node { provider, node }, vec![event])
	};
	let key_of_tenant = |account: AccountId| {
		let event = Event::<Test>::TenantKeySet { tenant, account, level: None };
		(Call::<Test>::governance_delete_tenant_key { id: tenant, account }, vec![event])
	};
	let version = |version| {
		let event = Event::<Test>::VersionDeleted { tenant, object, version };
		let mut events = vec![event];
		if version == HEAD {
			events.insert(0, Event::<Test>::HeadVersionSet { tenant, object, version: None });
		}
		(Call::<Test>::governance_delete_version { tenant, object, version }, events)
	};
	let content_object = |object| {
		let event = Event::<Test>::ContentObjectDeleted { tenant, object };
		(Call::<Test>::governance_delete_content_object { tenant, object }, vec![event])
	};
	let collection = |text| {
		let event = Event::<Test>::CollectionDeleted { tenant, collection: name(text) };
		(Call::<Test>::governance_delete_collection { tenant, name: name(text) }, vec![event])
	};
	let (names, record) = (|| name(COLLECTION), || key(RECORD));
	vec![
		key_of_provider(PROVIDER_ADMIN),
		node(NODE),
		node(PENDING_NODE),
		key_of_tenant(TENANT_ADMIN),
		key_of_tenant(KMS_ACCOUNT),
		key_of_tenant(EDITOR),
		key_of_tenant(READER),
		version(DRAFT),
		version(HEAD),
		version(FINALIZED),
		(
			Call::governance_delete_record { tenant, collection: names(), key: record() },
			vec![Event::RecordDeleted { tenant, collection: names(), key: record() }],
		),
		collection(COLLECTION),
		collection(EMPTY_COLLECTION),
		content_object(OBJECT),
		content_object(EMPTY_OBJECT),
		(
			Call::governance_delete_kms { tenant, kms: KMS },
			vec![Event::KmsRemoved { tenant, kms: KMS }],
		),
	]
}

fn dispatch_for_a_fee(call: Call<Test>) -> DispatchResultWithPostInfo {
	let call = RuntimeCall::from(call);
	assert_eq!(call.get_dispatch_info().pays_fee, Pays::Yes);
	call.dispatch(signed(STRANGER))
}

fn set_flags() {
	for member in THE_MEMBERS {
		assert_ok!(freeze(member, true));
	}
}

#[test]
fn under_the_flag_a_stranger_deletes_every_child_one_by_one_and_pays_the_fee() {
	Chain::fabric_with_keys().block(|| {
		set_flags();
		let mut emptied = Vec::new();
		for (call, expected) in children() {
			System::reset_events();
			let what = format!("{call:?}");
			let pays = dispatch_for_a_fee(call).map(|post| post.pays_fee);
			assert_eq!(pays, Ok(Pays::Yes), "{what}");
			ContentFabric::do_try_state().expect("the storage is sound after every call");
			let (of_member, of_row): (Vec<_>, Vec<_>) = events()
				.into_iter()
				.partition(|event| matches!(event, Event::MemberEmptied { .. }));
			assert_eq!(of_row, expected, "{what}");
			emptied.extend(of_member);
		}
		assert_eq!(emptied, THE_MEMBERS.map(|member| Event::MemberEmptied { member }));
		for member in THE_MEMBERS {
			assert_eq!(ContentFabric::rows(member), Some(0));
			assert_eq!(recorded(member), (usual_bond(member), own_deposit(member)));
			assert_holds_are_those_of(root_of(member), &[member]);
		}
		for map in [
			"ProviderKeys",
			"Nodes",
			"TenantKeys",
			"Kmses",
			"ContentObjects",
			"Versions",
			"Collections",
			"Records",
		] {
			assert_eq!(keys_under(&raw_key(map, &[])), 0, "{map}");
		}
	});
}

#[test]
fn a_deletion_that_fails_changes_nothing_and_pays_the_fee() {
	Chain::fabric_with_keys().block(|| {
		set_flags();
		let (provider, tenant) = (PROVIDER, TENANT);
		let provider_key =
			|account| Call::<Test>::governance_delete_provider_key { id: provider, account };
		let version = |object, version| Call::governance_delete_version { tenant, object, version };
		let object = |object| Call::governance_delete_content_object { tenant, object };
		let collection = |text| Call::governance_delete_collection { tenant, name: name(text) };
		let record = |text| {
			let (collection, key) = (name(text), key(RECORD));
			Call::governance_delete_record { tenant, collection, key }
		};
		// Neither an account without a level nor the root has an access key that could be revoked.
		for (call, error) in [
			(provider_key(20), Error::<Test>::KeyNotFound),
			(provider_key(PROVIDER_ROOT), Error::KeyNotFound),
			(
				Call::governance_delete_tenant_key { id: tenant, account: TENANT_ROOT },
				Error::KeyNotFound,
			),
			(Call::governance_delete_node { provider, node: OTHER_NODE }, Error::NodeNotFound),
			(Call::governance_delete_kms { tenant, kms: OTHER_KMS }, Error::KmsNotFound),
			(version(OBJECT, NEW), Error::VersionNotFound),
			(version(OTHER_OBJECT, HEAD), Error::ContentObjectNotFound),
			(object(OBJECT), Error::ContentObjectNotEmpty),
			(object(OTHER_OBJECT), Error::ContentObjectNotFound),
			(collection(COLLECTION), Error::CollectionNotEmpty),
			(collection("none"), Error::CollectionNotFound),
			(record("none"), Error::CollectionNotFound),
			(record(EMPTY_COLLECTION), Error::RecordNotFound),
		] {
			let failed = dispatch_for_a_fee(call.clone()).expect_err("the call cannot succeed");
			assert_eq!(failed.post_info.pays_fee, Pays::Yes);
			assert_refused(STRANGER, call, error);
		}
	});
}
