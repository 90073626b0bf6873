// SPDX-License-Identifier: Apache-2.0
//! The deletion of single children of a frozen member by governance, also while it is suspended.

use super::*;

/// The reason of the deletions.
const WHY: &str = "a court order";

/// Returns one call for each row under the members of the fabric with keys, with the member and the
/// events of the row. They can be made one after the other.
fn children() -> Vec<(MemberId, Call<Test>, Vec<Event<Test>>)> {
	let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
	let (of_provider, of_tenant) = (created(THE_PROVIDER), created(THE_TENANT));
	let key_of_provider = |account: AccountId| {
		let event = Event::<Test>::ProviderKeySet { provider, account, level: None };
		(
			THE_PROVIDER,
			Call::<Test>::governance_delete_provider_key {
				id: provider,
				created: of_provider,
				account,
				reason: reason(WHY),
			},
			vec![event],
		)
	};
	let node = |node| {
		let event = Event::<Test>::NodeRemoved { provider, node };
		(
			THE_PROVIDER,
			Call::<Test>::governance_delete_node {
				provider,
				created: of_provider,
				node,
				reason: reason(WHY),
			},
			vec![event],
		)
	};
	let key_of_tenant = |account: AccountId| {
		let event = Event::<Test>::TenantKeySet { tenant, account, level: None };
		(
			THE_TENANT,
			Call::<Test>::governance_delete_tenant_key {
				id: tenant,
				created: of_tenant,
				account,
				reason: reason(WHY),
			},
			vec![event],
		)
	};
	let version = |version| {
		let event = Event::<Test>::VersionDeleted { tenant, object, version };
		let mut events = vec![event];
		if version == HEAD {
			events.insert(0, Event::<Test>::HeadVersionSet { tenant, object, version: None });
		}
		(
			THE_TENANT,
			Call::<Test>::governance_delete_version {
				tenant,
				created: of_tenant,
				object,
				version,
				reason: reason(WHY),
			},
			events,
		)
	};
	let content_object = |object| {
		let event = Event::<Test>::ContentObjectDeleted { tenant, object };
		(
			THE_TENANT,
			Call::<Test>::governance_delete_content_object {
				tenant,
				created: of_tenant,
				object,
				reason: reason(WHY),
			},
			vec![event],
		)
	};
	let collection = |text| {
		let event = Event::<Test>::CollectionDeleted { tenant, collection: name(text) };
		(
			THE_TENANT,
			Call::<Test>::governance_delete_collection {
				tenant,
				created: of_tenant,
				name: name(text),
				reason: reason(WHY),
			},
			vec![event],
		)
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
			THE_TENANT,
			Call::governance_delete_record {
				tenant,
				created: of_tenant,
				collection: names(),
				key: record(),
				reason: reason(WHY),
			},
			vec![Event::RecordDeleted { tenant, collection: names(), key: record() }],
		),
		collection(COLLECTION),
		collection(EMPTY_COLLECTION),
		content_object(OBJECT),
		content_object(EMPTY_OBJECT),
		(
			THE_TENANT,
			Call::governance_delete_kms {
				tenant,
				created: of_tenant,
				kms: KMS,
				reason: reason(WHY),
			},
			vec![Event::KmsRemoved { tenant, kms: KMS }],
		),
	]
}

fn dispatch_for_a_fee(call: Call<Test>) -> DispatchResultWithPostInfo {
	let call = RuntimeCall::from(call);
	assert_eq!(call.get_dispatch_info().pays_fee, Pays::Yes);
	call.dispatch(signed(GOVERNOR))
}

fn set_flags() {
	for member in THE_MEMBERS {
		assert_ok!(freeze(member, true));
	}
}

#[test]
fn under_the_flag_governance_deletes_every_child_one_by_one_and_pays_the_fee() {
	deletes_every_child(false);
	deletes_every_child(true);
}

fn deletes_every_child(suspended: bool) {
	Chain::fabric_with_keys().block(|| {
		set_flags();
		for member in THE_MEMBERS {
			assert_ok!(suspend(member, suspended));
		}
		let mut emptied = Vec::new();
		for (member, call, expected) in children() {
			System::reset_events();
			let what = format!("{call:?}");
			let pays = dispatch_for_a_fee(call).map(|post| post.pays_fee);
			assert_eq!(pays, Ok(Pays::Yes), "{what}");
			ContentFabric::do_try_state().expect("the storage is sound after every call");
			let (of_member, of_row): (Vec<_>, Vec<_>) = events()
				.into_iter()
				.partition(|event| matches!(event, Event::MemberEmptied { .. }));
			let (member, created, reason) = (member, created(member), reason(WHY));
			let by_governance = Event::ChildDeletedByGovernance { member, created, reason };
			assert_eq!(of_row, [&[by_governance][..], &expected].concat(), "{what}");
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
		let (of_provider, of_tenant) = (created(THE_PROVIDER), created(THE_TENANT));
		let provider_key = |account| Call::<Test>::governance_delete_provider_key {
			id: provider,
			created: of_provider,
			account,
			reason: reason(WHY),
		};
		let version = |object, version| Call::governance_delete_version {
			tenant,
			created: of_tenant,
			object,
			version,
			reason: reason(WHY),
		};
		let object = |object| Call::governance_delete_content_object {
			tenant,
			created: of_tenant,
			object,
			reason: reason(WHY),
		};
		let collection = |text| Call::governance_delete_collection {
			tenant,
			created: of_tenant,
			name: name(text),
			reason: reason(WHY),
		};
		let record = |text| {
			let (collection, key) = (name(text), key(RECORD));
			Call::governance_delete_record {
				tenant,
				created: of_tenant,
				collection,
				key,
				reason: reason(WHY),
			}
		};
		// Neither an account without a level nor the root has an access key that could be revoked.
		for (call, error) in [
			(provider_key(20), Error::<Test>::KeyNotFound),
			(provider_key(PROVIDER_ROOT), Error::KeyNotFound),
			(
				Call::governance_delete_tenant_key {
					id: tenant,
					created: of_tenant,
					account: TENANT_ROOT,
					reason: reason(WHY),
				},
				Error::KeyNotFound,
			),
			(
				Call::governance_delete_node {
					provider,
					created: of_provider,
					node: OTHER_NODE,
					reason: reason(WHY),
				},
				Error::NodeNotFound,
			),
			(
				Call::governance_delete_kms {
					tenant,
					created: of_tenant,
					kms: OTHER_KMS,
					reason: reason(WHY),
				},
				Error::KmsNotFound,
			),
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
			assert_refused(GOVERNOR, call, error);
		}
	});
}

#[test]
fn nobody_but_governance_deletes_a_child_of_a_frozen_member() {
	Chain::fabric_with_keys().block(|| {
		set_flags();
		let nobody = [STRANGER, PROVIDER_ROOT, TENANT_ROOT, OPERATOR, OTHER_GOVERNOR];
		for (_, call, _) in children() {
			for who in nobody {
				assert_refused(who, call.clone(), sp_runtime::DispatchError::BadOrigin);
			}
		}
	});
}

#[test]
fn a_child_of_the_next_owner_of_an_id_is_not_deleted() {
	let mut chain = Chain::small_fabric();
	let former = chain.block(|| {
		let former = created(THE_PROVIDER);
		assert_ok!(governance_delete(THE_PROVIDER));
		former
	});
	let call = |created| {
		let (provider, node, reason) = (PROVIDER, NODE, reason(WHY));
		Call::<Test>::governance_delete_node { provider, created, node, reason }
	};
	chain.idle();
	chain.block(|| {
		make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
		assert_ok!(create_node(PROVIDER, NODE));
		assert_ok!(freeze(THE_PROVIDER, true));
		let present = created(THE_PROVIDER);
		let wrong = [former, Muid::default(), present.with_offset(present.offset() + 1)];
		for created in wrong {
			assert_refused(GOVERNOR, call(created), Error::<Test>::IncarnationMismatch);
		}
		make(GOVERNOR, call(present));
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(0));
	});
}
