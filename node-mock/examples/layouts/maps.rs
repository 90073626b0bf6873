// SPDX-License-Identifier: Apache-2.0
//! The maps of both layouts, with the calls that a pallet would have, and the ways to delete a
//! parent with all its children. They are not the pallet's, so that only the layout differs.

use codec::{Decode, Encode};
use frame_support::{storage_alias, Blake2_128Concat};

pub type Id = [u8; 10];
/// About as long as the row of a content object with a head.
type Value = [u8; 73];

/// The parent that is measured.
pub const PARENT: u32 = 0;
/// The others, whose children are in the state too: it is the whole state that makes a trie deep.
pub const OTHER_PARENTS: u32 = 100;
pub const CHILDREN_OF_OTHERS: u32 = 1_000;

#[derive(Encode, Decode)]
pub struct Parent {
	owner: [u8; 32],
	governance_delete: bool,
	/// Counted in the flat layout only.
	children: u32,
}

#[storage_alias(verbatim)]
type Parents = StorageMap<Layouts, Blake2_128Concat, Id, Parent>;
#[storage_alias(verbatim)]
type FlatChildren = StorageMap<Layouts, Blake2_128Concat, Id, (Id, Value)>;
#[storage_alias(verbatim)]
type NestedChildren = StorageDoubleMap<Layouts, Blake2_128Concat, Id, Blake2_128Concat, Id, Value>;

/// A layout, with the calls that a pallet would have.
pub trait Layout {
	const NAME: &'static str;

	fn key(parent: Id, child: Id) -> Vec<u8>;
	fn create(parent: Id, child: Id);
	/// Deletes a child if `may` accepts its parent.
	fn delete(parent: Id, child: Id, may: fn(&Parent) -> bool);
}

pub struct Flat;

impl Layout for Flat {
	const NAME: &'static str = "flat";

	fn key(_: Id, child: Id) -> Vec<u8> {
		FlatChildren::hashed_key_for(child)
	}

	fn create(parent: Id, child: Id) {
		let mut info = get(parent);
		assert!(is_owned(&info) && !FlatChildren::contains_key(child));
		FlatChildren::insert(child, (parent, value(child)));
		info.children += 1;
		Parents::insert(parent, info);
	}

	fn delete(_: Id, child: Id, may: fn(&Parent) -> bool) {
		let (parent, _) = FlatChildren::get(child).expect("the child is there");
		let mut info = get(parent);
		assert!(may(&info));
		FlatChildren::remove(child);
		info.children -= 1;
		Parents::insert(parent, info);
	}
}

pub struct Nested;

impl Layout for Nested {
	const NAME: &'static str = "nested";

	fn key(parent: Id, child: Id) -> Vec<u8> {
		NestedChildren::hashed_key_for(parent, child)
	}

	fn create(parent: Id, child: Id) {
		assert!(is_owned(&get(parent)) && !NestedChildren::contains_key(parent, child));
		NestedChildren::insert(parent, child, value(child));
	}

	fn delete(parent: Id, child: Id, may: fn(&Parent) -> bool) {
		assert!(may(&get(parent)) && NestedChildren::contains_key(parent, child));
		NestedChildren::remove(parent, child);
	}
}

fn get(parent: Id) -> Parent {
	Parents::get(parent).expect("all parents are created with the state")
}

pub fn is_owned(parent: &Parent) -> bool {
	parent.owner == [1; 32]
}

pub fn is_given_up(parent: &Parent) -> bool {
	parent.governance_delete
}

pub fn id(number: u32) -> Id {
	let mut id = Id::default();
	id[..4].copy_from_slice(&number.to_be_bytes());
	id
}

/// The id of a child, which no other parent's children have.
pub fn child_of(parent: u32, child: u32) -> Id {
	id(parent * 1_000_000 + child)
}

/// No two are equal, because a proof contains equal nodes only once.
fn value(child: Id) -> Value {
	let mut value = [0; 73];
	value[..child.len()].copy_from_slice(&child);
	value
}

/// A way to delete a parent with this many children.
pub struct Way {
	/// The layout, and the way.
	pub name: &'static str,
	/// Creates a child.
	pub create: fn(Id, Id),
	/// Deletes them all.
	pub delete: fn(u32),
}

pub const WAYS: [Way; 4] = [
	Way { name: "flat, child by child", create: Flat::create, delete: child_by_child::<Flat> },
	Way {
		name: "nested, child by child",
		create: Nested::create,
		delete: child_by_child::<Nested>,
	},
	Way { name: "nested, row by row", create: Nested::create, delete: row_by_row },
	Way { name: "nested, `clear_prefix`", create: Nested::create, delete: clear_prefix },
];

/// The numbers of children of the parents that are deleted, and how often each is measured.
pub const SIZES: [(u32, usize); 3] = [(10, 15), (1_000, 15), (100_000, 3)];

/// In the flat layout the list of children comes from outside the chain.
fn child_by_child<L: Layout>(children: u32) {
	for child in 0..children {
		L::delete(id(PARENT), child_of(PARENT, child), is_given_up);
	}
	assert_eq!(Parents::take(id(PARENT)).map(|parent| parent.children), Some(0));
}

fn row_by_row(children: u32) {
	let removed = NestedChildren::iter_key_prefix(id(PARENT)).drain().count();
	assert!(removed == children as usize && Parents::take(id(PARENT)).is_some());
}

fn clear_prefix(children: u32) {
	let removed = NestedChildren::clear_prefix(id(PARENT), u32::MAX, None).unique;
	assert!(removed == children && Parents::take(id(PARENT)).is_some());
}

/// Creates the parents. The measured one has this many children.
pub fn fill(create: fn(Id, Id), children: u32) {
	let others = (1..=OTHER_PARENTS).map(|parent| (parent, CHILDREN_OF_OTHERS));
	for (parent, children) in others.chain([(PARENT, children)]) {
		let info = Parent { owner: [1; 32], governance_delete: true, children: 0 };
		Parents::insert(id(parent), info);
		(0..children).for_each(|child| create(id(parent), child_of(parent, child)));
	}
}
