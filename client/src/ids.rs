//! Ids from names.
//!
//! An id is the BLAKE2b hash, of the id's length, of the kind's name, a zero byte, the ids of the
//! parents, and the entity's own name. So the same names give the same ids everywhere, and a second
//! run of `publish` finds what the first has published.

use blake2::{digest::consts::U10, Blake2b, Digest};
use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId};

/// Returns the id of a space of this name.
pub fn space(name: &str) -> SpaceId {
	SpaceId(derive("space", &[], name))
}

/// Returns the id of a space's provider of this name.
pub fn provider(space: SpaceId, name: &str) -> ProviderId {
	ProviderId(derive("provider", &space.0, name))
}

/// Returns the id of a provider's node of this name.
pub fn node(provider: ProviderId, name: &str) -> NodeId {
	NodeId(derive("node", &provider.0, name))
}

/// Returns the id of a space's tenant of this name.
pub fn tenant(space: SpaceId, name: &str) -> TenantId {
	TenantId(derive("tenant", &space.0, name))
}

/// Returns the id of a tenant's KMS of this name.
pub fn kms(tenant: TenantId, name: &str) -> KmsId {
	KmsId(derive("kms", &tenant.0, name))
}

/// Returns the id of a tenant's content object of this name.
pub fn content_object(tenant: TenantId, name: &str) -> ContentObjectId {
	ContentObjectId(derive("content-object", &tenant.0, name))
}

fn derive(kind: &str, parent: &[u8], name: &str) -> [u8; 10] {
	Blake2b::<U10>::new()
		.chain_update(kind)
		.chain_update([0])
		.chain_update(parent)
		.chain_update(name)
		.finalize()
		.into()
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ids_depend_on_kind_parent_and_name_alone() {
		let cargo = space("cargo");
		assert_eq!(cargo, space("cargo"));
		// The hash of these bytes by another implementation (Python's hashlib.blake2b,
		// digest_size=10).
		assert_eq!(hex::encode(cargo.0), "c93fc1e769417a89a768");
		assert_ne!(cargo, space("cargo2"));
		assert_ne!(provider(cargo, "a").0, tenant(cargo, "a").0);
		assert_ne!(tenant(cargo, "a"), tenant(space("other"), "a"));
	}
}
