//! Ids: from text, and from names.
//!
//! An id from a name is the BLAKE2b hash, of the id's length, of the kind's name, a zero byte, the
//! ids of the parents, and the entity's own name. So the same names give the same ids everywhere,
//! and a second run of `publish` finds what the first has published.

use std::str::FromStr;

use blake2::{digest::consts::U10, Blake2b, Digest};
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ParseIdError, ProviderId, SpaceId, TenantId,
	VersionId,
};

use crate::Error;

/// The prefixes of ids, with what the ids name.
const KINDS: [(&str, &str); 8] = [
	(SpaceId::PREFIX, "a space"),
	(ProviderId::PREFIX, "a provider"),
	(NodeId::PREFIX, "a node"),
	(TenantId::PREFIX, "a tenant"),
	(KmsId::PREFIX, "a KMS"),
	(ContentObjectId::PREFIX, "a content object"),
	(ContentObjectPath::PREFIX, "a content object"),
	(VersionId::PREFIX, "a version"),
];

/// Reads an id.
pub fn parse<Id: FromStr<Err = ParseIdError>>(text: &str) -> Result<Id, Error> {
	text.parse().map_err(|reason| {
		let other_kind = match reason {
			ParseIdError::Prefix { expected } => other_kind(text, &[expected]),
			_ => None,
		};
		other_kind.unwrap_or_else(|| Error::Id { text: text.into(), reason })
	})
}

/// Returns the error of an id that has none of the prefixes that are needed, if it has another one.
pub fn other_kind(text: &str, needed: &[&str]) -> Option<Error> {
	let (_, found) = KINDS.into_iter().find(|(prefix, _)| text.starts_with(prefix))?;
	let kinds = KINDS.iter().filter(|(prefix, _)| needed.contains(prefix));
	let kinds: Vec<_> = kinds.map(|(_, kind)| *kind).collect();
	let prefixes: Vec<_> = needed.iter().map(|prefix| format!("{prefix}…")).collect();
	Some(Error::WrongKind {
		text: text.into(),
		found,
		needed: kinds.join(" or "),
		prefixes: prefixes.join(", "),
	})
}

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
	fn ids_of_another_kind_are_named_in_the_error() {
		let error = parse::<TenantId>("iprv1111111111").expect_err("it is no tenant");
		assert_eq!(
			error.to_string(),
			"`iprv1111111111` is the id of a provider: a tenant is needed (iten…)"
		);
		let error = parse::<TenantId>("tenant").expect_err("it is no id");
		assert_eq!(error.to_string(), "`tenant` is not an id: the id does not start with `iten`");
		assert_eq!(parse::<TenantId>("iten1111111111").ok(), Some(TenantId([0; 10])));
	}

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
