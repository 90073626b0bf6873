//! The calls on collections and records.

use content_fabric_identifiers::{RecordKeyType, TenantId};
use subxt::dynamic::Value;

use super::{bytes, list, option, unit, Call};
use crate::storage::{ContentRef, Syntax};

/// `create_collection`
pub fn create_collection(
	tenant: TenantId,
	name: &str,
	key_type: &RecordKeyType<String>,
	syntax: Syntax,
) -> Call {
	let literal = key_type.as_ref().literal().map(bytes);
	let key_type = Value::unnamed_variant(key_type.variant_name(), literal);
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

/// `put_records`. The chain mints a key for each record that has none.
pub fn put_records<'a>(
	tenant: TenantId,
	collection: &str,
	records: impl IntoIterator<Item = (Option<&'a str>, ContentRef)>,
) -> Call {
	let records = records.into_iter().map(|(key, target)| {
		let target = Value::named_composite([
			("object", bytes(target.object)),
			("version", option(target.version.map(bytes))),
		]);
		Value::unnamed_composite([option(key.map(bytes)), target])
	});
	Call::fabric(
		"put_records",
		vec![
			("tenant", bytes(tenant)),
			("collection", bytes(collection)),
			("records", list(records)),
		],
	)
}

/// `delete_records`
pub fn delete_records<'a>(
	tenant: TenantId,
	collection: &str,
	keys: impl IntoIterator<Item = &'a str>,
) -> Call {
	let keys = list(keys.into_iter().map(bytes));
	Call::fabric(
		"delete_records",
		vec![("tenant", bytes(tenant)), ("collection", bytes(collection)), ("keys", keys)],
	)
}
