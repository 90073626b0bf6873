// SPDX-License-Identifier: Apache-2.0
//! The names of a record.

use content_fabric_identifiers::{ParseRecordKeyError, RecordKeySyntax, TenantId};
use content_fabric_primitives::ContentRef;

use super::{key_of, name_of_record, path_of};

/// Returns the record keys that a name may stand for, in the order in which to look for them: its
/// own key, and if the name may be the path of a file, the key with a colon for each slash.
/// [`is_called`] decides whether a record with one of them is meant.
pub fn keys_of(name: &str, syntax: RecordKeySyntax) -> Result<Vec<String>, ParseRecordKeyError> {
	let mut keys = vec![key_of(name, syntax)?];
	if name.contains('/') {
		// This key is not longer than the escaped one.
		keys.push(key_of(&name.replace('/', ":"), syntax)?);
	}
	Ok(keys)
}

/// Returns whether a text names a record: by its key, its name, or the path of its file. Several
/// names may lead to one key.
pub fn is_called(tenant: TenantId, key: &str, target: &ContentRef, name: &str) -> bool {
	key == name
		|| name_of_record(tenant, key, target.object) == name
		|| (target.version.is_none() && path_of(tenant, key, target.object) == name)
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::VersionId;

	use super::*;
	use crate::{ids, record_names::SYNTAX};

	#[test]
	fn a_name_stands_for_its_key_and_a_path_for_the_key_with_colons() {
		let keys = |name| keys_of(name, SYNTAX).expect("it is short");
		assert_eq!(keys("serde:1.0.0"), ["serde:1.0.0"]);
		assert_eq!(keys("sub/a b"), ["sub~2fa~20b", "sub:a~20b"]);
		assert!(keys_of("", SYNTAX).is_err());
	}

	#[test]
	fn a_record_is_called_by_its_key_its_name_and_the_path_of_its_file() {
		let tenant = TenantId([1; 10]);
		let file = |path| ContentRef { object: ids::content_object(tenant, path), version: None };
		for (key, target, name, is_so) in [
			("sub:g", file("sub/g"), "sub/g", true),
			("sub:g", file("sub/g"), "sub:g", true),
			("sub:g", file("sub:g"), "sub/g", false),
			("sub:a~20b", file("sub/a b"), "sub/a b", true),
			("sub:a~20b", file("sub/a b"), "sub:a~20b", true),
			("~40scope~2fpkg", file("@scope/pkg"), "@scope/pkg", true),
			("a~2b", file("a~2b"), "a+", false),
		] {
			assert_eq!(is_called(tenant, key, &target, name), is_so, "{key} {name}");
		}
		let version = ContentRef { version: Some(VersionId([1; 32])), ..file("de") };
		assert!(is_called(tenant, "de:v4", &version, "de:v4"));
		assert!(!is_called(tenant, "de:v4", &version, "de/v4"));
	}
}
