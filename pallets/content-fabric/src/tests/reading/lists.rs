// SPDX-License-Identifier: Apache-2.0
//! Every list: all rows of a map, each once, with what is stored.

use super::*;
use crate::{
	Admissions, Collections, ContentObjects, Kmses, Nodes, ProviderKeys, Providers, RecordKeyOf,
	Records, Spaces, TenantKeys, Tenants, Versions,
};

/// Checks that a list has these keys, each once, with what is stored under them, whatever the size
/// of its pages; that all pages but the last are full; and that all carry `created`.
fn assert_lists<Key, Info>(
	created: Option<Muid>,
	mut keys: Vec<Key>,
	stored: impl Fn(&Key) -> Option<Info>,
	list: impl Fn(Option<Key>, u32) -> Page<Key, Info>,
) where
	Key: Ord + Clone + Debug,
	Info: PartialEq + Debug,
{
	keys.sort();
	let expected: Vec<_> =
		keys.iter().map(|key| (key.clone(), stored(key).expect("the row exists"))).collect();
	let len = expected.len();
	assert!(len > 2, "a list of {len} rows needs no pages");
	let at_once = rows_on(read(1_000, &list));
	for limit in [1, 2, 3, len - 1, len, len + 1, 1_000] {
		let pages = read(limit as u32, &list);
		assert_eq!(pages.len(), len.div_ceil(limit));
		assert!(pages.iter().all(|page| page.created == created));
		for page in &pages[..pages.len() - 1] {
			assert_eq!(page.items.len(), limit);
			assert_eq!(page.items.last().map(|(key, _)| key), page.next.as_ref());
		}
		let mut rows = rows_on(pages);
		// The order is that of the storage, the same for every size of page.
		assert_eq!(rows, at_once);
		rows.sort_by(|a, b| a.0.cmp(&b.0));
		assert_eq!(rows, expected);
	}
}

/// Checks that a list of the members of a space has these, each once, with what is stored under
/// them. `all` is the number of members in all spaces.
fn assert_lists_members<Id, Info>(
	all: usize,
	mut members: Vec<Id>,
	stored: impl Fn(Id) -> Option<Info>,
	list: impl Fn(Option<Id>, u32) -> Page<Id, Info>,
) where
	Id: Ord + Copy + Debug,
	Info: PartialEq + Debug,
{
	members.sort();
	let others = all - members.len();
	for limit in [1, 2, 3, 7, all - 1, all, all + 1, 1_000] {
		let pages = read(limit as u32, &list);
		// The members of other spaces take up room on the pages.
		assert_eq!(pages.len(), all.div_ceil(limit));
		let empty = pages.iter().filter(|page| page.items.is_empty()).count();
		assert!(limit > 1 || empty == others, "{empty} pages of one member each are empty");
		assert!(pages.iter().all(|page| page.created.is_none()));
		let mut rows = rows_on(pages);
		rows.sort_by_key(|(member, _)| *member);
		let expected: Vec<_> = members
			.iter()
			.map(|member| (*member, stored(*member).expect("the member exists")))
			.collect();
		assert_eq!(rows, expected);
	}
}

#[test]
fn spaces_and_admissions_are_listed() {
	wide_fabric().block(|| {
		assert_lists(
			None,
			keys(SpaceId, [SPACE]),
			|id| Spaces::<Test>::get(id),
			ContentFabric::spaces,
		);
		let admitted =
			ids().flat_map(|id| [Role::Provider, Role::Tenant].map(|role| (account_of(id), role)));
		assert_lists(
			None,
			admitted.collect(),
			|admission| Admissions::<Test>::get(SPACE, admission),
			|after, limit| ContentFabric::admissions(SPACE, after, limit),
		);
	});
}

#[test]
fn rows_of_a_provider_are_listed() {
	wide_fabric().block(|| {
		let created = Some(created(THE_PROVIDER));
		assert_lists(
			created,
			keys(account_of, [PROVIDER_ADMIN]),
			|account| ProviderKeys::<Test>::get(PROVIDER, account),
			|after, limit| ContentFabric::provider_keys(PROVIDER, after, limit),
		);
		assert_lists(
			created,
			keys(NodeId, [NODE, PENDING_NODE]),
			|node| Nodes::<Test>::get(PROVIDER, node),
			|after, limit| ContentFabric::nodes(PROVIDER, after, limit),
		);
	});
}

#[test]
fn rows_of_a_tenant_are_listed() {
	wide_fabric().block(|| {
		let created = Some(created(THE_TENANT));
		assert_lists(
			created,
			keys(account_of, [TENANT_ADMIN, KMS_ACCOUNT, EDITOR]),
			|account| TenantKeys::<Test>::get(TENANT, account),
			|after, limit| ContentFabric::tenant_keys(TENANT, after, limit),
		);
		assert_lists(
			created,
			keys(KmsId, [KMS]),
			|kms| Kmses::<Test>::get(TENANT, kms),
			|after, limit| ContentFabric::kmses(TENANT, after, limit),
		);
		assert_lists(
			created,
			keys(ContentObjectId, [OBJECT, EMPTY_OBJECT]),
			|object| ContentObjects::<Test>::get(TENANT, object),
			|after, limit| ContentFabric::content_objects(TENANT, after, limit),
		);
		assert_lists(
			created,
			keys(|id| VersionId([id[0]; 32]), [HEAD, DRAFT, FINALIZED]),
			|version| Versions::<Test>::get((TENANT, OBJECT, *version)),
			|after, limit| ContentFabric::versions(TENANT, OBJECT, after, limit),
		);
		assert_lists(
			created,
			keys(|id| name(&format!("c{}", id[0])), [COLLECTION, EMPTY_COLLECTION].map(name)),
			|collection| Collections::<Test>::get(TENANT, collection.clone()),
			|after, limit| ContentFabric::collections(TENANT, after, limit),
		);
	});
}

#[test]
fn records_are_listed_with_and_without_what_they_lead_to() {
	wide_fabric().block(|| {
		let created = Some(created(THE_TENANT));
		let records = || keys(|id| key(&format!("r{}", id[0])), [key(RECORD)]);
		assert_lists(
			created,
			records(),
			|key| Records::<Test>::get((TENANT, name(COLLECTION), key.clone())),
			|after, limit| ContentFabric::records(TENANT, name(COLLECTION).into(), after, limit),
		);
		// One of them dangles, which the list shows in its place.
		let object = ContentObjectId([100; 10]);
		assert_ok!(delete_object(object));
		let collection = || name(COLLECTION).into();
		let list = |after, limit| ContentFabric::resolutions(TENANT, collection(), after, limit);
		let stored = |key: &RecordKeyOf<Test>| {
			ContentFabric::resolve(TENANT, collection(), key.clone().into())
		};
		assert_lists(created, records(), stored, list);
		let mut items = list(None, 10).items;
		items.retain(|(_, resolution)| matches!(resolution, Resolution::Dangling(_)));
		let target = ContentRef { object, version: None };
		assert_eq!(items, [(key("r100"), Resolution::Dangling(target))]);
	});
}

#[test]
fn members_of_a_space_are_found_among_those_of_all_spaces() {
	let spaces = [SPACE, OTHER_SPACE];
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(create_space(OTHER_SPACE, GOVERNOR, rules()));
		for number in 0..20u8 {
			let (space, id) = (spaces[usize::from(number % 2)], [number; 10]);
			let who = 20 + AccountId::from(number % 10);
			make(who, create_in(space, ProviderId(id).into(), MAX_HELD));
			make(who, create_in(space, TenantId(id).into(), MAX_HELD));
		}
	});
	chain.block(|| {
		for (place, space) in spaces.into_iter().enumerate() {
			let ids = (0..20u8).filter(|number| usize::from(number % 2) == place);
			let mut providers: Vec<_> = ids.clone().map(|id| ProviderId([id; 10])).collect();
			let mut tenants: Vec<_> = ids.map(|id| TenantId([id; 10])).collect();
			if space == SPACE {
				providers.push(PROVIDER);
				tenants.push(TENANT);
			}
			assert_lists_members(21, providers, Providers::<Test>::get, |after, limit| {
				ContentFabric::providers(space, after, limit)
			});
			assert_lists_members(21, tenants, Tenants::<Test>::get, |after, limit| {
				ContentFabric::tenants(space, after, limit)
			});
		}
		// A space without members has pages, too, but all of them are empty.
		assert_lists_members(21, Vec::new(), Providers::<Test>::get, |after, limit| {
			ContentFabric::providers(UNKNOWN_SPACE, after, limit)
		});
		assert_lists_members(21, Vec::new(), Tenants::<Test>::get, |after, limit| {
			ContentFabric::tenants(UNKNOWN_SPACE, after, limit)
		});
	});
}

#[test]
fn nothing_is_listed_under_what_does_not_exist() {
	Chain::fabric_with_keys().block(|| {
		assert_empty(None, (STRANGER, Role::Tenant), |after, limit| {
			ContentFabric::admissions(UNKNOWN_SPACE, after, limit)
		});
		assert_provider_lists_nothing(UNKNOWN_PROVIDER, None);
		assert_tenant_lists_nothing(UNKNOWN_TENANT, None);
		assert_empty(None, THE_TENANT, ContentFabric::purges);
		// The id of a member of one kind is not one of the other.
		assert_provider_lists_nothing(ProviderId(TENANT.0), None);
		assert_tenant_lists_nothing(TenantId(PROVIDER.0), None);
	});
	Chain::empty().block(|| {
		assert_empty(None, SPACE, ContentFabric::spaces);
		assert_empty(None, PROVIDER, |after, limit| ContentFabric::providers(SPACE, after, limit));
		assert_empty(None, TENANT, |after, limit| ContentFabric::tenants(SPACE, after, limit));
	});
}

#[test]
fn nothing_is_listed_under_unknown_or_empty_parents_of_a_tenant() {
	Chain::small_fabric().block(|| {
		let created = Some(created(THE_TENANT));
		for object in [UNKNOWN_OBJECT, EMPTY_OBJECT] {
			assert_empty(created, HEAD, |after, limit| {
				ContentFabric::versions(TENANT, object, after, limit)
			});
		}
		// Some names are too long to exist.
		let [long, longer] = [129, 10_000].map(|len| "x".repeat(len));
		for collection in ["unknown", EMPTY_COLLECTION, "", &long, &longer] {
			assert_empty(created, key(RECORD), |after, limit| {
				ContentFabric::records(TENANT, collection.into(), after, limit)
			});
			assert_empty(created, key(RECORD), |after, limit| {
				ContentFabric::resolutions(TENANT, collection.into(), after, limit)
			});
		}
	});
}

#[test]
fn rows_of_a_frozen_or_suspended_member_are_listed() {
	for close in [freeze, suspend] {
		let mut chain = Chain::fabric_with_keys();
		chain.block(|| {
			for member in THE_MEMBERS {
				assert_ok!(close(member, true));
			}
		});
		chain.block(|| {
			let nodes = ContentFabric::nodes(PROVIDER, None, 10);
			assert_eq!((nodes.items.len(), nodes.created), (2, Some(created(THE_PROVIDER))));
			let objects = ContentFabric::content_objects(TENANT, None, 10);
			assert_eq!((objects.items.len(), objects.created), (2, Some(created(THE_TENANT))));
			assert!(THE_MEMBERS.map(ContentFabric::bond).iter().all(Option::is_some));
			assert_eq!(head(), Some(HEAD));
			let content = ContentRef { object: OBJECT, version: Some(HEAD) };
			assert_eq!(resolve(RECORD), Some(Resolution::Content(content)));
		});
	}
}
