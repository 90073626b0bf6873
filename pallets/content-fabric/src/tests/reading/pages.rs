// SPDX-License-Identifier: Apache-2.0
//! Pages: their size, where they continue, and how they show that a member is another one by now.

use std::collections::BTreeSet;

use super::*;
use crate::{Call, ContentObjectInfoOf, ContentObjects, MAX_PAGE_SIZE};

fn objects(
	after: Option<ContentObjectId>,
	limit: u32,
) -> Page<ContentObjectId, ContentObjectInfoOf<Test>> {
	ContentFabric::content_objects(TENANT, after, limit)
}

#[test]
fn the_limit_is_clamped_to_1_and_to_1_000() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		// Pages without rows would never reach the end of a list.
		assert_eq!(objects(None, 0), objects(None, 1));
		assert_eq!(objects(None, 0).items.len(), 1);
		assert_eq!(read(0, objects).len(), 2);
		assert_eq!(MAX_PAGE_SIZE, 1_000);
		let mut id = [0; 10];
		for number in 0..MAX_PAGE_SIZE + 1 {
			id[..4].copy_from_slice(&number.to_be_bytes());
			assert_ok!(create_object(ContentObjectId(id)));
		}
	});
	chain.block(|| {
		let first = objects(None, u32::MAX);
		assert_eq!(first.items.len(), 1_000);
		assert_eq!(objects(None, 1_001), first);
		assert_eq!(objects(None, 1_000), first);
		assert_eq!(objects(None, 999).items.len(), 999);
		// Two objects are of the small fabric.
		let second = objects(first.next, u32::MAX);
		assert_eq!((second.items.len(), second.next), (3, None));
	});
}

#[test]
fn a_page_continues_after_a_row_that_was_removed() {
	let mut chain = wide_fabric();
	let is_empty = |object: &ContentObjectId| {
		ContentObjects::<Test>::get(TENANT, object).is_some_and(|info| info.version_count == 0)
	};
	let (after, rest) = chain.block(|| {
		let all = objects(None, 1_000).items;
		// The first page ends with the first object that can be deleted.
		let place = all.iter().position(|(object, _)| is_empty(object)).expect("most are empty");
		let first = objects(None, place as u32 + 1);
		assert_eq!(first.next, Some(all[place].0));
		(all[place].0, all[place + 1..].to_vec())
	});
	let assert_continues = || {
		for limit in [1, 2, 1_000] {
			let page = objects(Some(after), limit as u32);
			assert_eq!(page.items, rest[..limit.min(rest.len())]);
		}
	};
	chain.block(|| {
		assert_ok!(delete_object(after));
		// In the block that has removed the row, too.
		assert_continues();
	});
	chain.block(assert_continues);
}

#[test]
fn rows_that_come_and_go_between_pages_do_not_disturb_the_others() {
	let mut chain = wide_fabric();
	let before = chain.block(|| objects(None, 1_000).items);
	let mut added = (0..20).map(|id| ContentObjectId([id; 10]));
	let (mut listed, mut after, mut last) = (Vec::new(), None, None);
	loop {
		let page = chain.block(|| objects(after, 1));
		listed.extend(page.items.into_iter().map(|(object, _)| object));
		after = page.next;
		if after.is_none() {
			break;
		}
		// After each page a row is added, and the one that was added before is removed.
		chain.block(|| {
			last.into_iter().for_each(|it| assert_eq!(delete_object(it), Ok(())));
			last = added.next();
			last.into_iter().for_each(|it| assert_eq!(create_object(it), Ok(())));
		});
	}
	// Every row that was there all the time is listed once, and none twice.
	let at_the_start: Vec<_> = before.into_iter().map(|(object, _)| object).collect();
	let (old, new): (Vec<_>, Vec<_>) =
		listed.into_iter().partition(|object| at_the_start.contains(object));
	assert_eq!(old, at_the_start);
	assert_eq!(new.iter().collect::<BTreeSet<_>>().len(), new.len());
}

#[test]
fn pages_show_a_purge_and_another_incarnation() {
	let mut chain = wide_fabric();
	let first = chain.block(|| objects(None, 2));
	assert_eq!(first.created, Some(chain.block(|| created(THE_TENANT))));
	let after = first.next;
	assert!(after.is_some());
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	// While the tenant is being deleted, and once it is gone.
	chain.block(|| assert_eq!(objects(after, 2), empty_page(None)));
	chain.idle();
	chain.block(|| assert_eq!(objects(after, 2), empty_page(None)));
	chain.block(|| {
		// Somebody else takes the id, and has objects of the same ids.
		make(STRANGER, create(THE_TENANT, MAX_HELD));
		for object in ids().map(ContentObjectId) {
			make(STRANGER, Call::create_content_object { tenant: TENANT, object });
		}
	});
	chain.block(|| {
		let second = objects(after, 2);
		assert_eq!(second.created, Some(created(THE_TENANT)));
		assert!(second.created > first.created);
	});
}
