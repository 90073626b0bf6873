// SPDX-License-Identifier: Apache-2.0
//! A row of every kind, with its size in state, computed independently of the pallet.

use super::*;

// Bytes of a row: the hashed names of the pallet and the map, then each key behind its hash, then
// the value.
pub const MAP: u64 = 32;
pub const KEY_HASH: u64 = 16;
pub const ID: u64 = 10;
pub const ID_KEY: u64 = KEY_HASH + ID;
pub const ACCOUNT: u64 = 8;
pub const ACCOUNT_KEY: u64 = KEY_HASH + ACCOUNT;
pub const VERSION: u64 = 32;
pub const VERSION_KEY: u64 = KEY_HASH + VERSION;
pub const BALANCE: u64 = 8;
pub const KMS_KEY: u64 = 32;
pub const BLOCK: u64 = 8;
pub const COUNT: u64 = 4;
pub const FLAG: u64 = 1;
pub const LEVEL: u64 = 1;
pub const MEDALLION: u64 = 8;
pub const MOMENT: u64 = 8;
pub const MUID: u64 = 16;
/// The longest compact integer of 64 bits.
pub const SIZE: u64 = 9;
/// Bytes of a TID as a record key.
pub const TID: u64 = 13;

/// Returns the bytes of an optional field that is present.
pub const fn option(len: u64) -> u64 {
	1 + len
}

/// Returns the bytes of a text with its length in front.
pub const fn text(len: u64) -> u64 {
	match len {
		0..=63 => 1 + len,
		_ => 2 + len,
	}
}

/// Returns the bytes of a text as a part of a storage key.
pub const fn text_key(len: u64) -> u64 {
	KEY_HASH + text(len)
}

/// Returns the bytes of a node's row, once it has committed.
pub const fn node_bytes(locator: u64) -> u64 {
	MAP + 2 * ID_KEY + ACCOUNT + FLAG + text(locator) + MEDALLION + option(MUID) + BALANCE
}

/// Returns the bytes of a KMS's row.
pub const fn kms_bytes(locator: u64) -> u64 {
	MAP + 2 * ID_KEY + ACCOUNT + text(locator) + KMS_KEY + BALANCE
}

/// Bytes of an access key's row: level, time of the grant, deposit.
pub const KEY_BYTES: u64 = MAP + ID_KEY + ACCOUNT_KEY + LEVEL + MUID + BALANCE;

/// Bytes of a content object's row with a head: the head, when it was committed, when the tenant
/// last decided, the number of versions, deposit, creation.
pub const OBJECT_BYTES: u64 = MAP + 2 * ID_KEY + option(VERSION) + 3 * MUID + COUNT + BALANCE;

/// Returns the bytes of the row of a version with a few copies, at its largest: its copies, each of
/// which is held; the KMS; the muids of the node and of the chain; the kind of its hash, size,
/// finalization, whether it becomes the head, deposit.
pub const fn version_bytes(copies: u64) -> u64 {
	let copies = 1 + copies * (2 * ID + MEDALLION + option(MOMENT));
	let rest = option(ID) + 2 * MUID + 2 * FLAG + SIZE + option(MOMENT) + BALANCE;
	MAP + 2 * ID_KEY + VERSION_KEY + copies + rest
}

/// Returns the bytes of a collection's row.
pub const fn collection_bytes(name: u64, key_type: u64) -> u64 {
	MAP + ID_KEY + text_key(name) + key_type + FLAG + COUNT + BALANCE + MUID
}

/// Returns the bytes of a record's row.
pub const fn record_bytes(name: u64, key: u64, version: u64) -> u64 {
	MAP + ID_KEY + text_key(name) + text_key(key) + ID + version + 2 * MUID + BALANCE
}

/// Returns the bytes of a member's own row at its largest.
pub const fn own_bytes(member: MemberId) -> u64 {
	let counts = match member {
		MemberId::Provider(_) => 2 * COUNT,
		MemberId::Tenant(_) => 6 * COUNT,
	};
	let nomination = option(ACCOUNT + option(BLOCK));
	// The limit, the bond, and the deposits of this row and of those under it.
	let funds = 4 * BALANCE;
	let purge = option(FLAG);
	MAP + ID_KEY
		+ ID + ACCOUNT
		+ nomination
		+ funds
		+ counts
		+ option(BLOCK)
		+ 2 * FLAG
		+ purge
		// Since when its root is the root, and its creation.
		+ 2 * MUID
}

/// Returns the deposit for a row at the current rates.
pub fn price(bytes: u64) -> Balance {
	DepositBase::get() + DepositPerByte::get() * bytes
}

/// Returns the deposit for a member's own row at the current rates.
pub fn own_deposit(member: MemberId) -> Balance {
	price(own_bytes(member))
}

/// Returns a call that puts a record of [`OBJECT`], or of one of its versions, into [`COLLECTION`].
pub fn put_call(text: &str, version: Option<VersionId>) -> Call<Test> {
	let target = ContentRef { object: OBJECT, version };
	let (collection, records) = (name(COLLECTION), bounded([(Some(key(text)), target)]));
	Call::put_records { tenant: TENANT, collection, records }
}

/// Returns a call that deletes a record of [`COLLECTION`].
pub fn delete_record_call(text: &str) -> Call<Test> {
	let (collection, keys) = (name(COLLECTION), bounded([key(text)]));
	Call::delete_records { tenant: TENANT, collection, keys }
}

/// A kind of row under a member.
pub struct Kind {
	pub member: MemberId,
	/// Bytes of the row at its largest, key and value.
	pub bytes: u64,
	/// Adds the row. The root of the member removes it.
	pub adder: AccountId,
	pub add: fn() -> Call<Test>,
	pub remove: fn() -> Call<Test>,
}

type Make = fn() -> Call<Test>;

fn kind(member: MemberId, bytes: u64, add: Make, remove: Make) -> Kind {
	Kind { member, bytes, adder: root_of(member), add, remove }
}

fn key_of_provider(level: Option<ProviderLevel>) -> Call<Test> {
	Call::set_provider_key { id: PROVIDER, account: STRANGER, level }
}

fn key_of_tenant(level: Option<TenantLevel>) -> Call<Test> {
	Call::set_tenant_key { id: TENANT, account: STRANGER, level }
}

fn new_node() -> Call<Test> {
	let (provider, node, operator) = (PROVIDER, OTHER_NODE, OPERATOR);
	Call::create_node { provider, node, operator, locator: locator("/dns/a") }
}

fn new_collection(text: &str, key_type: RecordKeyTypeOf<Test>) -> Call<Test> {
	let syntax = RecordKeySyntax::Unreserved;
	Call::create_collection { tenant: TENANT, name: name(text), key_type, syntax }
}

fn no_collection(text: &str) -> Call<Test> {
	Call::delete_collection { tenant: TENANT, name: name(text) }
}

/// Returns rows that can be added to the small fabric, and removed again in any order.
pub fn kinds() -> Vec<Kind> {
	vec![
		kind(
			THE_PROVIDER,
			KEY_BYTES,
			|| key_of_provider(Some(ProviderLevel::Admin)),
			|| key_of_provider(None),
		),
		kind(THE_PROVIDER, node_bytes(6), new_node, || Call::remove_node {
			provider: PROVIDER,
			node: OTHER_NODE,
		}),
		kind(
			THE_TENANT,
			KEY_BYTES,
			|| key_of_tenant(Some(TenantLevel::Kms)),
			|| key_of_tenant(None),
		),
		kind(
			THE_TENANT,
			kms_bytes(9),
			|| add_kms_call(TENANT, OTHER_KMS, "https://b"),
			|| Call::remove_kms { tenant: TENANT, kms: OTHER_KMS },
		),
		kind(
			THE_TENANT,
			OBJECT_BYTES,
			|| Call::create_content_object { tenant: TENANT, object: OTHER_OBJECT },
			|| Call::delete_content_object { tenant: TENANT, object: OTHER_OBJECT },
		),
		Kind {
			adder: PROVIDER_ROOT,
			..kind(
				THE_TENANT,
				version_bytes(1),
				|| commit_call(TENANT_ROOT, commit_of(&[draft(OBJECT, NEW)])),
				|| Call::delete_version { tenant: TENANT, object: OBJECT, version: NEW },
			)
		},
		kind(
			THE_TENANT,
			collection_bytes(3, FLAG),
			|| new_collection("new", RecordKeyType::Any),
			|| no_collection("new"),
		),
		kind(
			THE_TENANT,
			collection_bytes(3, FLAG + text(4)),
			|| new_collection("one", RecordKeyType::Literal(key("self"))),
			|| no_collection("one"),
		),
		kind(
			THE_TENANT,
			record_bytes(5, 100, 1),
			|| put_call(&"k".repeat(100), None),
			|| delete_record_call(&"k".repeat(100)),
		),
		kind(
			THE_TENANT,
			record_bytes(5, 3, option(VERSION)),
			|| put_call("new", Some(DRAFT)),
			|| delete_record_call("new"),
		),
	]
}

/// Returns the kinds of rows under a member.
pub fn kinds_of(member: MemberId) -> impl Iterator<Item = Kind> {
	kinds().into_iter().filter(move |kind| kind.member == member)
}
