// SPDX-License-Identifier: Apache-2.0
//! The rows on the chain after a lock file was published.

use std::collections::BTreeSet;

use content_fabric_client::ids;
use content_fabric_identifiers::TenantId;

use crate::{
	lockfile::{checksums, CRATES_IO},
	raw::storage_key,
};

/// Returns the keys of the versions under a tenant after the packages of crates.io in a lock file
/// were published.
pub fn versions(tenant: TenantId, lockfile: &str) -> BTreeSet<Vec<u8>> {
	let mut keys = BTreeSet::new();
	for (name, checksums) in checksums(lockfile, CRATES_IO) {
		let object = ids::content_object(tenant, &name);
		keys.extend(
			checksums
				.into_iter()
				.map(|checksum| storage_key("Versions", &[&tenant.0, &object.0, &checksum])),
		);
	}
	keys
}
