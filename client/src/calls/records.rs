//! The calls on collections and records.

use content_fabric_identifiers::{RecordKeyType, TenantId};
use subxt::dynamic::Value;

use super::{bytes, option, unit, Call};
use crate::storage::{ContentRef, Syntax};

/// `create_collection`
pub fn create_collection(
	tenant: TenantId,
	name: &str,
	key_type: &RecordKeyType<String>,
	syntax: Syntax,
) -> Call {
	let key_type = match key_type {
		RecordKeyType::Tid => unit("Tid"),
		RecordKeyType::Nsid => unit("Nsid"),
		RecordKeyType::Literal(key) => Value::unnamed_variant("Literal", [bytes(key)]),
		RecordKeyType::Any => unit("Any"),
	};
	Call::fabric(
		"create_collection",
		vec![
			("tenant", bytes(tenant)),
			("name", bytes(name)),
			("key_type", key_type),
			("syntax", unit(syntax.name())),
		],
	)
}

/// `put_record`. Without a key the chain mints one.
pub fn put_record(
	tenant: TenantId,
	collection: &str,
	key: Option<&str>,
	target: &ContentRef,
) -> Call {
	let target = Value::named_composite([
		("object", bytes(target.object)),
		("version", option(target.version.map(bytes))),
	]);
	Call::fabric(
		"put_record",
		vec![
			("tenant", bytes(tenant)),
			("collection", bytes(collection)),
			("key", option(key.map(bytes))),
			("target", target),
		],
	)
}

/// `delete_record`
pub fn delete_record(tenant: TenantId, collection: &str, key: &str) -> Call {
	Call::fabric(
		"delete_record",
		vec![("tenant", bytes(tenant)), ("collection", bytes(collection)), ("key", bytes(key))],
	)
}
