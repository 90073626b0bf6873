//! A row of every kind.

use super::*;

// Bytes of a row in state: first the hashed names of the pallet and the map, then each key behind its
// hash, then the value.
pub const MAP: u64 = 16 + 16;
pub const ID_KEY: u64 = 16 + 10;
pub const ACCOUNT_KEY: u64 = 16 + 8;
pub const VERSION_KEY: u64 = 16 + 32;
pub const ID: u64 = 10;
pub const MUID: u64 = 16;
pub const MEDALLION: u64 = 8;
pub const BALANCE: u64 = 8;

/// Bytes of a text with its length in front.
pub const fn text(len: u64) -> u64 {
	match len {
		0..=63 => 1 + len,
		_ => 2 + len,
	}
}

/// A kind of row under a member.
pub struct Kind {
	pub what: &'static str,
	pub subject: Subject,
	/// Bytes of the row at its largest, key and value.
	pub bytes: u64,
	/// Who adds it. The root of the member removes it.
	pub adder: AccountId,
	pub add: fn() -> Call<Test>,
	pub remove: fn() -> Call<Test>,
}

/// Rows that can be added to the small fabric, and removed again in any order.
pub fn kinds() -> Vec<Kind> {
	vec![
		Kind {
			what: "a key of a provider",
			subject: THE_PROVIDER,
			bytes: MAP + ID_KEY + ACCOUNT_KEY + 1 + BALANCE,
			adder: PROVIDER_ROOT,
			add: || Call::set_provider_key {
				provider: PROVIDER,
				account: STRANGER,
				level: Some(ProviderLevel::Node),
			},
			remove: || Call::set_provider_key {
				provider: PROVIDER,
				account: STRANGER,
				level: None,
			},
		},
		Kind {
			what: "a node",
			subject: THE_PROVIDER,
			bytes: MAP + 2 * ID_KEY + 1 + text(6) + MEDALLION + (1 + MUID) + BALANCE,
			adder: PROVIDER_ROOT,
			add: || Call::create_node {
				provider: PROVIDER,
				node: NodeId([7; 10]),
				operator: PROVIDER_ROOT,
				locator: locator("/dns/a"),
			},
			remove: || Call::remove_node { provider: PROVIDER, node: NodeId([7; 10]) },
		},
		Kind {
			what: "a key of a tenant",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + ACCOUNT_KEY + 1 + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::set_tenant_key {
				tenant: TENANT,
				account: STRANGER,
				level: Some(TenantLevel::Kms),
			},
			remove: || Call::set_tenant_key { tenant: TENANT, account: STRANGER, level: None },
		},
		Kind {
			what: "a KMS",
			subject: THE_TENANT,
			bytes: MAP + 2 * ID_KEY + text(9) + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::add_kms {
				tenant: TENANT,
				kms: KmsId([7; 10]),
				locator: locator("https://b"),
			},
			remove: || Call::remove_kms { tenant: TENANT, kms: KmsId([7; 10]) },
		},
		Kind {
			what: "a content object",
			subject: THE_TENANT,
			bytes: MAP + 2 * ID_KEY + (1 + 32) + 4 + BALANCE + MUID,
			adder: TENANT_ROOT,
			add: || Call::create_content_object {
				tenant: TENANT,
				object: ContentObjectId([7; 10]),
			},
			remove: || Call::delete_content_object {
				tenant: TENANT,
				object: ContentObjectId([7; 10]),
			},
		},
		Kind {
			what: "a version",
			subject: THE_TENANT,
			// Originator, node and KMS; nine bytes of size; when it was committed and finalized.
			bytes: MAP + 2 * ID_KEY + VERSION_KEY + 3 * ID + 9 + MUID + (1 + 8) + 1 + BALANCE,
			adder: PROVIDER_ROOT,
			add: || {
				let message = message(NEW_VERSION);
				let signature = sign(TENANT_ROOT, &message);
				Call::commit_version { tenant_signer: TENANT_ROOT, message, signature }
			},
			remove: || Call::delete_version {
				tenant: TENANT,
				object: OBJECT,
				version: NEW_VERSION,
			},
		},
		Kind {
			what: "a collection",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + (16 + text(3)) + 1 + 1 + 4 + BALANCE + MUID,
			adder: TENANT_ROOT,
			add: || Call::create_collection {
				tenant: TENANT,
				name: name("new"),
				key_type: RecordKeyType::Any,
				syntax: RecordKeySyntax::Unreserved,
			},
			remove: || Call::delete_collection { tenant: TENANT, name: name("new") },
		},
		Kind {
			what: "a collection of one key",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + (16 + text(3)) + (1 + text(4)) + 1 + 4 + BALANCE + MUID,
			adder: TENANT_ROOT,
			add: || Call::create_collection {
				tenant: TENANT,
				name: name("one"),
				key_type: RecordKeyType::Literal(key("self")),
				syntax: RecordKeySyntax::Unreserved,
			},
			remove: || Call::delete_collection { tenant: TENANT, name: name("one") },
		},
		Kind {
			what: "a record of an object",
			subject: THE_TENANT,
			bytes: MAP + ID_KEY + (16 + text(5)) + (16 + text(100)) + (ID + 1) + 2 * MUID + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::put_record {
				tenant: TENANT,
				collection: name("names"),
				key: Some(key(&"k".repeat(100))),
				target: ContentRef { object: OBJECT, version: None },
			},
			remove: || Call::delete_record {
				tenant: TENANT,
				collection: name("names"),
				key: key(&"k".repeat(100)),
			},
		},
		Kind {
			what: "a record of a version",
			subject: THE_TENANT,
			bytes: MAP
				+ ID_KEY + (16 + text(5))
				+ (16 + text(3))
				+ (ID + 1 + 32)
				+ 2 * MUID + BALANCE,
			adder: TENANT_ROOT,
			add: || Call::put_record {
				tenant: TENANT,
				collection: name("names"),
				key: Some(key("new")),
				target: ContentRef { object: OBJECT, version: Some(DRAFT) },
			},
			remove: || Call::delete_record {
				tenant: TENANT,
				collection: name("names"),
				key: key("new"),
			},
		},
	]
}
