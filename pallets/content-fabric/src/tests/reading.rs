//! Lists in pages, and what is told of single entities.

use std::fmt::Debug;

use frame_support::assert_ok;

use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	mock::*,
	AdmissionPolicy, Admissions, BondInfo, Collections, ContentObjects, ContentRef, Deletion,
	DeletionProgress, DeletionStage, Deletions, Kmses, Nodes, Page, ProviderKeys, ProviderLevel,
	Providers, Records, Resolution, Role, SpaceRules, Spaces, Subject, TenantKeys, TenantLevel,
	Tenants, Versions, MAX_PAGE_SIZE,
};

const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const UNKNOWN_SPACE: SpaceId = SpaceId([8; 10]);
const UNKNOWN_PROVIDER: ProviderId = ProviderId([8; 10]);
const UNKNOWN_TENANT: TenantId = TenantId([8; 10]);
const UNKNOWN_OBJECT: ContentObjectId = ContentObjectId([8; 10]);

/// All that a list has, read in pages of `limit`.
fn read<Key, Info>(
	limit: u32,
	list: impl Fn(Option<Key>, u32) -> Page<Key, Info>,
) -> Vec<(Key, Info)> {
	let (mut items, mut after) = (Vec::new(), None);
	loop {
		let page = list(after, limit);
		assert!(page.items.len() <= limit as usize);
		items.extend(page.items);
		match page.next {
			Some(next) => after = Some(next),
			None => return items,
		}
	}
}

/// That a list has these keys, each once, with what is stored under them, whatever the size of the
/// pages; and that all pages but the last are full.
fn assert_lists<Key, Info>(
	mut keys: Vec<Key>,
	stored: impl Fn(&Key) -> Option<Info>,
	list: impl Fn(Option<Key>, u32) -> Page<Key, Info>,
) where
	Key: Ord + Clone + Debug,
	Info: PartialEq + Clone + Debug,
{
	keys.sort();
	let expected: Vec<_> = keys
		.into_iter()
		.map(|key| {
			let info = stored(&key).expect("the row exists");
			(key, info)
		})
		.collect();
	let len = expected.len() as u32;
	assert!(len > 2, "a list of {len} does not tell much");
	let at_once = read(1_000, &list);
	for limit in [1, 2, 3, len - 1, len, len + 1, 1_000] {
		let mut items = read(limit, &list);
		// The order is that of the storage, and the same for every size.
		assert_eq!(items, at_once);
		items.sort_by_key(|item| item.0.clone());
		assert_eq!(items, expected);
		let first = list(None, limit);
		assert_eq!(first.items.len() as u32, limit.min(len));
		assert_eq!(first.next.is_some(), limit < len);
		if let Some(next) = first.next {
			assert_eq!(first.items.last().map(|(key, _)| key), Some(&next));
		}
	}
}

/// That a list is empty, also after some key.
fn assert_empty<Key: Debug + PartialEq, Info: Debug + PartialEq>(
	key: Key,
	list: impl Fn(Option<Key>, u32) -> Page<Key, Info>,
) {
	let nothing = || Page { items: Vec::new(), next: None };
	assert_eq!(list(None, 10), nothing());
	assert_eq!(list(Some(key), 10), nothing());
}

fn ids() -> impl Iterator<Item = [u8; 10]> {
	(100..105).map(|id| [id; 10])
}

/// More of each kind than the small fabric has.
fn wide_fabric() -> Chain {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let rules = SpaceRules { provider_bond: 0, tenant_bond: 0, ..rules() };
		let (provider, tenant) = (|| signed(PROVIDER_ROOT), || signed(TENANT_ROOT));
		for id in ids() {
			let root = RuntimeOrigin::root();
			let rules = SpaceRules { admission: AdmissionPolicy::Approval, ..rules.clone() };
			assert_ok!(ContentFabric::create_space(root, SpaceId(id), GOVERNOR, rules));
			let (node, operator) = (NodeId(id), PROVIDER_ROOT);
			let locator = || locator("x");
			assert_ok!(ContentFabric::create_node(provider(), PROVIDER, node, operator, locator()));
			assert_ok!(ContentFabric::add_kms(tenant(), TENANT, KmsId(id), locator()));
			let object = ContentObjectId(id);
			assert_ok!(ContentFabric::create_content_object(tenant(), TENANT, object));
			assert_ok!(commit(message(VersionId([id[0]; 32]))));
			let account = AccountId::from(id[0]);
			let level = Some(ProviderLevel::Node);
			assert_ok!(ContentFabric::set_provider_key(provider(), PROVIDER, account, level));
			let level = Some(TenantLevel::Content);
			assert_ok!(ContentFabric::set_tenant_key(tenant(), TENANT, account, level));
			assert_ok!(ContentFabric::create_collection(
				tenant(),
				TENANT,
				name(&format!("c{account}")),
				RecordKeyType::Any,
				RecordKeySyntax::Unreserved
			));
			assert_ok!(ContentFabric::put_record(
				tenant(),
				TENANT,
				name(COLLECTION),
				Some(key(&format!("r{account}"))),
				ContentRef { object, version: None }
			));
			for role in [Role::Provider, Role::Tenant] {
				assert_ok!(ContentFabric::admit(signed(GOVERNOR), SPACE, account, role));
			}
		}
	});
	chain
}

/// The keys that [`wide_fabric`] has added, and those that were there before.
fn keys<Key>(added: impl Fn([u8; 10]) -> Key, before: impl IntoIterator<Item = Key>) -> Vec<Key> {
	ids().map(added).chain(before).collect()
}

#[test]
fn spaces_and_admissions_are_listed() {
	wide_fabric().block(|| {
		assert_lists(keys(SpaceId, [SPACE]), |id| Spaces::<Test>::get(id), ContentFabric::spaces);
		let accounts = ids().map(|id| AccountId::from(id[0]));
		let admitted: Vec<_> = accounts
			.flat_map(|account| [Role::Provider, Role::Tenant].map(|role| (account, role)))
			.collect();
		assert_lists(
			admitted,
			|admission| Admissions::<Test>::get(SPACE, admission),
			|after, limit| ContentFabric::admissions(SPACE, after, limit),
		);
	});
}

#[test]
fn children_of_a_provider_are_listed() {
	wide_fabric().block(|| {
		assert_lists(
			keys(|id| AccountId::from(id[0]), [PROVIDER_ADMIN, OPERATOR]),
			|account| ProviderKeys::<Test>::get(PROVIDER, account),
			|after, limit| ContentFabric::provider_keys(PROVIDER, after, limit),
		);
		assert_lists(
			keys(NodeId, [NODE, PENDING_NODE]),
			|node| Nodes::<Test>::get(PROVIDER, node),
			|after, limit| ContentFabric::nodes(PROVIDER, after, limit),
		);
	});
}

#[test]
fn children_of_a_tenant_are_listed() {
	wide_fabric().block(|| {
		assert_lists(
			keys(|id| AccountId::from(id[0]), [TENANT_ADMIN, KMS_ACCOUNT, EDITOR]),
			|account| TenantKeys::<Test>::get(TENANT, account),
			|after, limit| ContentFabric::tenant_keys(TENANT, after, limit),
		);
		assert_lists(
			keys(KmsId, [KMS]),
			|kms| Kmses::<Test>::get(TENANT, kms),
			|after, limit| ContentFabric::kmses(TENANT, after, limit),
		);
		assert_lists(
			keys(ContentObjectId, [OBJECT, EMPTY_OBJECT]),
			|object| ContentObjects::<Test>::get(TENANT, object),
			|after, limit| ContentFabric::content_objects(TENANT, after, limit),
		);
		assert_lists(
			keys(|id| VersionId([id[0]; 32]), [HEAD, DRAFT, FINALIZED]),
			|version| Versions::<Test>::get((TENANT, OBJECT, *version)),
			|after, limit| ContentFabric::versions(TENANT, OBJECT, after, limit),
		);
		assert_lists(
			keys(|id| name(&format!("c{}", id[0])), [name(COLLECTION), name(EMPTY_COLLECTION)]),
			|collection| Collections::<Test>::get(TENANT, collection.clone()),
			|after, limit| ContentFabric::collections(TENANT, after, limit),
		);
	});
}

#[test]
fn records_are_listed_with_and_without_what_they_lead_to() {
	wide_fabric().block(|| {
		let records = || keys(|id| key(&format!("r{}", id[0])), [key(RECORD)]);
		assert_lists(
			records(),
			|key| Records::<Test>::get((TENANT, name(COLLECTION), key.clone())),
			|after, limit| ContentFabric::records(TENANT, name(COLLECTION).into(), after, limit),
		);
		// One of them dangles, which is told in its place.
		let object = ContentObjectId([100; 10]);
		assert_ok!(ContentFabric::delete_content_object(signed(TENANT_ROOT), TENANT, object));
		assert_lists(
			records(),
			|key| ContentFabric::resolve(TENANT, name(COLLECTION).into(), key.clone().into()),
			|after, limit| {
				ContentFabric::resolutions(TENANT, name(COLLECTION).into(), after, limit)
			},
		);
		let page = ContentFabric::resolutions(TENANT, name(COLLECTION).into(), None, 10);
		let dangling: Vec<_> = page
			.items
			.into_iter()
			.filter(|(_, resolution)| matches!(resolution, Resolution::Dangling(_)))
			.collect();
		let target = ContentRef { object, version: None };
		assert_eq!(dangling, [(key("r100"), Resolution::Dangling(target))]);
	});
}

#[test]
fn members_of_a_space_are_listed_with_others_in_between() {
	let mut chain = Chain::small_fabric();
	let spaces = [SPACE, OTHER_SPACE];
	let id = |number: u8| [number; 10];
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, GOVERNOR, rules()));
		for number in 0..20u8 {
			let space = spaces[usize::from(number % 2)];
			let who = signed(20 + AccountId::from(number % 10));
			assert_ok!(ContentFabric::create_provider(who.clone(), space, ProviderId(id(number))));
			assert_ok!(ContentFabric::create_tenant(who, space, TenantId(id(number))));
		}
	});
	chain.block(|| {
		for (place, space) in spaces.into_iter().enumerate() {
			let numbers = || (0..20u8).filter(move |number| usize::from(number % 2) == place);
			let mut providers: Vec<_> = numbers().map(|number| ProviderId(id(number))).collect();
			let mut tenants: Vec<_> = numbers().map(|number| TenantId(id(number))).collect();
			if space == SPACE {
				providers.push(PROVIDER);
				tenants.push(TENANT);
			}
			providers.sort();
			tenants.sort();
			for limit in [1, 2, 3, 7, 20, 21, 22, 1_000] {
				let mut items =
					read(limit, |after, limit| ContentFabric::providers(space, after, limit));
				items.sort_by_key(|item| item.0);
				assert_eq!(items.iter().map(|(id, _)| *id).collect::<Vec<_>>(), providers);
				for (id, info) in items {
					assert_eq!(Providers::<Test>::get(id), Some(info));
				}
				let mut items =
					read(limit, |after, limit| ContentFabric::tenants(space, after, limit));
				items.sort_by_key(|item| item.0);
				assert_eq!(items.iter().map(|(id, _)| *id).collect::<Vec<_>>(), tenants);
				for (id, info) in items {
					assert_eq!(Tenants::<Test>::get(id), Some(info));
				}
			}
		}
		// A space that nobody is in has pages too, but nothing on them.
		for limit in [1, 5, 1_000] {
			let list = |after, limit| ContentFabric::providers(UNKNOWN_SPACE, after, limit);
			assert!(read(limit, list).is_empty());
			let list = |after, limit| ContentFabric::tenants(UNKNOWN_SPACE, after, limit);
			assert!(read(limit, list).is_empty());
		}
	});
}

#[test]
fn a_page_goes_on_after_a_key_that_was_deleted() {
	let mut chain = wide_fabric();
	let list = |after, limit| ContentFabric::content_objects(TENANT, after, limit);
	let is_empty = |object: &ContentObjectId| {
		ContentObjects::<Test>::get(TENANT, object).is_some_and(|info| info.version_count == 0)
	};
	let (cursor, rest) = chain.block(|| {
		let all = read(1_000, list);
		// The first one that can be deleted is where the first page ends.
		let place = all.iter().position(|(object, _)| is_empty(object)).expect("most are empty");
		let first = list(None, place as u32 + 1);
		assert_eq!(first.next, Some(all[place].0));
		(all[place].0, all[place + 1..].to_vec())
	});
	chain.block(|| {
		assert_ok!(ContentFabric::delete_content_object(signed(TENANT_ROOT), TENANT, cursor));
	});
	chain.block(|| {
		for limit in [1, 2, 1_000] {
			let page = list(Some(cursor), limit);
			let len = rest.len().min(limit as usize);
			assert_eq!(page.items, rest[..len]);
		}
		// One that never was has a place in the order as well.
		let never = ContentObjectId([42; 10]);
		let (before, after) = (list(None, 1_000).items, list(Some(never), 1_000).items);
		assert!(before.ends_with(&after));
	});

	let list = |after, limit| ContentFabric::records(TENANT, name(COLLECTION).into(), after, limit);
	let (cursor, rest) = chain.block(|| {
		let first = list(None, 2);
		let cursor = first.next.expect("there are more");
		(cursor.clone(), list(Some(cursor), 1_000).items)
	});
	chain.block(|| {
		let (root, collection) = (signed(TENANT_ROOT), name(COLLECTION));
		assert_ok!(ContentFabric::delete_record(root, TENANT, collection, cursor.clone()));
		assert_eq!(list(Some(cursor.clone()), 1_000).items, rest);
	});
	chain.block(|| assert_eq!(list(Some(cursor), 1_000).items, rest));
}

#[test]
fn a_page_has_at_least_one_row_and_at_most_a_thousand() {
	let mut chain = Chain::small_fabric();
	let list = |after, limit| ContentFabric::content_objects(TENANT, after, limit);
	chain.block(|| {
		assert_eq!(list(None, 0), list(None, 1));
		assert_eq!(list(None, 0).items.len(), 1);
		// A list of many pages of no rows would never end.
		assert_eq!(read_all_with_limit_0(list), 2);
		let mut id = [0; 10];
		for number in 0..MAX_PAGE_SIZE + 1 {
			id[..4].copy_from_slice(&number.to_be_bytes());
			let (root, object) = (signed(TENANT_ROOT), ContentObjectId(id));
			assert_ok!(ContentFabric::create_content_object(root, TENANT, object));
		}
	});
	chain.block(|| {
		let first = list(None, u32::MAX);
		assert_eq!(first.items.len(), MAX_PAGE_SIZE as usize);
		assert_eq!(list(None, MAX_PAGE_SIZE + 1), first);
		assert_eq!(list(None, MAX_PAGE_SIZE), first);
		let second = list(first.next, u32::MAX);
		// Two are of the small fabric.
		assert_eq!((second.items.len(), second.next), (3, None));
		assert_eq!(list(None, MAX_PAGE_SIZE - 1).items.len(), MAX_PAGE_SIZE as usize - 1);
	});
}

/// The number of pages that a list has if pages of no rows are asked for.
fn read_all_with_limit_0<Key, Info>(list: impl Fn(Option<Key>, u32) -> Page<Key, Info>) -> usize {
	let (mut pages, mut after) = (0, None);
	loop {
		let page = list(after, 0);
		pages += 1;
		after = page.next;
		if after.is_none() {
			return pages;
		}
	}
}

#[test]
fn nothing_is_listed_under_what_is_unknown() {
	Chain::fabric_with_keys().block(|| {
		let (provider, tenant) = (UNKNOWN_PROVIDER, UNKNOWN_TENANT);
		assert_empty((STRANGER, Role::Tenant), |after, limit| {
			ContentFabric::admissions(UNKNOWN_SPACE, after, limit)
		});
		assert_empty(STRANGER, |after, limit| ContentFabric::provider_keys(provider, after, limit));
		assert_empty(NODE, |after, limit| ContentFabric::nodes(provider, after, limit));
		assert_empty_under(tenant);
		// Nor under unknown parents of a tenant that there is, nor where there is nothing yet.
		for object in [UNKNOWN_OBJECT, EMPTY_OBJECT] {
			assert_empty(HEAD, |after, limit| {
				ContentFabric::versions(TENANT, object, after, limit)
			});
		}
		for collection in ["unknown", EMPTY_COLLECTION, ""] {
			let collection = || name(collection);
			assert_empty(key(RECORD), |after, limit| {
				ContentFabric::records(TENANT, collection().into(), after, limit)
			});
			assert_empty(key(RECORD), |after, limit| {
				ContentFabric::resolutions(TENANT, collection().into(), after, limit)
			});
		}
		assert_empty(Subject::Tenant(TENANT), ContentFabric::deletions);
	});
	Chain::empty().block(|| {
		assert_empty(SPACE, ContentFabric::spaces);
		assert_empty(PROVIDER, |after, limit| ContentFabric::providers(SPACE, after, limit));
		assert_empty(TENANT, |after, limit| ContentFabric::tenants(SPACE, after, limit));
	});
}

/// That nothing is listed under a tenant.
fn assert_empty_under(tenant: TenantId) {
	assert_empty(EDITOR, |after, limit| ContentFabric::tenant_keys(tenant, after, limit));
	assert_empty(KMS, |after, limit| ContentFabric::kmses(tenant, after, limit));
	assert_empty(OBJECT, |after, limit| ContentFabric::content_objects(tenant, after, limit));
	assert_empty(HEAD, |after, limit| ContentFabric::versions(tenant, OBJECT, after, limit));
	assert_empty(name(COLLECTION), |after, limit| ContentFabric::collections(tenant, after, limit));
	assert_empty(key(RECORD), |after, limit| {
		ContentFabric::records(tenant, name(COLLECTION).into(), after, limit)
	});
	assert_empty(key(RECORD), |after, limit| {
		ContentFabric::resolutions(tenant, name(COLLECTION).into(), after, limit)
	});
}

#[test]
fn nothing_is_listed_under_a_member_that_is_being_deleted() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		// A frozen one can be read like any other.
		for subject in [Subject::Provider(PROVIDER), Subject::Tenant(TENANT)] {
			assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, true));
		}
		assert_eq!(ContentFabric::nodes(PROVIDER, None, 10).items.len(), 2);
		assert_eq!(ContentFabric::content_objects(TENANT, None, 10).items.len(), 2);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 0, 0));
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 0));
	});
	chain.block(|| {
		// All rows are still there.
		assert!(Nodes::<Test>::contains_key(PROVIDER, NODE));
		assert!(Versions::<Test>::contains_key((TENANT, OBJECT, HEAD)));
		assert_empty(OPERATOR, |after, limit| ContentFabric::provider_keys(PROVIDER, after, limit));
		assert_empty(NODE, |after, limit| ContentFabric::nodes(PROVIDER, after, limit));
		assert_empty_under(TENANT);
		assert_eq!(ContentFabric::head_version(TENANT, OBJECT), None);
		assert_eq!(ContentFabric::tenant_level(TENANT, TENANT_ROOT), None);
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ROOT), None);
		// Their space lists them until they are gone.
		let providers = ContentFabric::providers(SPACE, None, 10).items;
		assert_eq!(providers.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [PROVIDER]);
		let tenants = ContentFabric::tenants(SPACE, None, 10).items;
		assert_eq!(tenants.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [TENANT]);
		assert!(tenants[0].1.being_deleted);
	});
	chain.block(|| {
		for subject in [Subject::Provider(PROVIDER), Subject::Tenant(TENANT)] {
			assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
		}
		assert!(ContentFabric::providers(SPACE, None, 10).items.is_empty());
		assert!(ContentFabric::tenants(SPACE, None, 10).items.is_empty());
	});
}

#[test]
fn rows_and_bonds_are_told_until_a_member_is_gone() {
	let mut chain = Chain::small_fabric();
	let (provider, tenant) = (Subject::Provider(PROVIDER), Subject::Tenant(TENANT));
	chain.block(|| {
		assert_eq!(ContentFabric::rows(provider), Some(PROVIDER_ROWS));
		assert_eq!(ContentFabric::rows(tenant), Some(TENANT_ROWS));
		let info = Tenants::<Test>::get(TENANT).expect("exists");
		assert_eq!(
			ContentFabric::bond(tenant),
			Some(BondInfo {
				depositor: TENANT_ROOT,
				bond: TENANT_BOND,
				required: TENANT_BOND,
				deposit: info.deposit
			})
		);
		// What is asked for follows the rules, what there is does not.
		let rules = SpaceRules { provider_bond: 7, tenant_bond: 8, ..rules() };
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
		for (subject, required, bond) in [(provider, 7, PROVIDER_BOND), (tenant, 8, TENANT_BOND)] {
			let info = ContentFabric::bond(subject).expect("exists");
			assert_eq!((info.required, info.bond), (required, bond));
		}
		for unknown in [Subject::Provider(UNKNOWN_PROVIDER), Subject::Tenant(UNKNOWN_TENANT)] {
			assert_eq!(ContentFabric::rows(unknown), None);
			assert_eq!(ContentFabric::bond(unknown), None);
			assert_eq!(ContentFabric::deletion_progress(unknown), None);
		}
		// An id is that of a provider or that of a tenant.
		assert_eq!(ContentFabric::rows(Subject::Tenant(TenantId(PROVIDER.0))), None);
		assert_eq!(ContentFabric::bond(Subject::Provider(ProviderId(TENANT.0))), None);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 0));
		assert_eq!(ContentFabric::rows(tenant), Some(TENANT_ROWS));
		let info = ContentFabric::bond(tenant).expect("is not gone yet");
		assert_eq!((info.bond, info.deposit), (0, 0));
		assert_ok!(ContentFabric::reap(signed(STRANGER), tenant, 2));
		assert_eq!(ContentFabric::rows(tenant), Some(TENANT_ROWS - 2));
		assert_ok!(ContentFabric::reap(signed(STRANGER), tenant, 100));
		assert_eq!(ContentFabric::rows(tenant), None);
		assert_eq!(ContentFabric::bond(tenant), None);
	});
}

#[test]
fn deletions_are_listed_with_how_far_they_have_come() {
	let mut chain = Chain::small_fabric();
	let tenants: Vec<_> = ids().map(TenantId).collect();
	chain.block(|| {
		for tenant in &tenants {
			let root = || signed(TENANT_ROOT);
			assert_ok!(ContentFabric::create_tenant(root(), SPACE, *tenant));
			assert_ok!(ContentFabric::add_kms(root(), *tenant, KMS, locator("x")));
		}
		assert_eq!(ContentFabric::deletion_progress(Subject::Tenant(TENANT)), None);
	});
	chain.block(|| {
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 0));
		assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 0));
		for tenant in &tenants {
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), *tenant, 0, 0));
		}
	});
	chain.block(|| {
		let mut subjects = vec![Subject::Provider(PROVIDER), Subject::Tenant(TENANT)];
		subjects.extend(tenants.iter().map(|tenant| Subject::Tenant(*tenant)));
		assert_lists(subjects.clone(), |id| Deletions::<Test>::get(id), ContentFabric::deletions);
		let progress: Vec<_> = subjects
			.iter()
			.map(|subject| ContentFabric::deletion_progress(*subject).expect("is being deleted"))
			.collect();
		let waiting = |rows, stage, places_before| DeletionProgress {
			rows,
			rows_left: rows,
			stage,
			places_before,
		};
		assert_eq!(
			progress[..3],
			[
				waiting(PROVIDER_ROWS, DeletionStage::Nodes, 0),
				waiting(TENANT_ROWS, DeletionStage::Records, 1),
				waiting(1, DeletionStage::Records, 2),
			]
		);
		assert!(progress.iter().zip(0..).all(|(progress, place)| progress.places_before == place));
	});
	chain.block(|| {
		// Past the record and one of the two collections.
		let subject = Subject::Tenant(TENANT);
		assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 2));
		assert_eq!(
			ContentFabric::deletion_progress(subject),
			Some(DeletionProgress {
				rows: TENANT_ROWS,
				rows_left: TENANT_ROWS - 2,
				stage: DeletionStage::Collections,
				places_before: 1,
			})
		);
		let page = ContentFabric::deletions(None, 100);
		let listed = page.items.into_iter().find(|(listed, _)| *listed == subject);
		let Some((_, Deletion { place, rows, stage, .. })) = listed else {
			panic!("the deletion has not come to its end");
		};
		assert_eq!((place, rows, stage), (1, TENANT_ROWS, DeletionStage::Collections));
		// What has come to its end is not listed, and nothing is told of it.
		assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
		assert_eq!(ContentFabric::deletion_progress(subject), None);
		let page = ContentFabric::deletions(None, 100);
		assert_eq!(page.items.len(), 1 + tenants.len());
		assert!(page.items.iter().all(|(listed, _)| *listed != subject));
	});
}
