// SPDX-License-Identifier: Apache-2.0
//! Values for the tests of this crate and of others.

#[cfg(feature = "http")]
pub mod drip;
#[cfg(feature = "http")]
pub mod encoding;
#[cfg(all(unix, feature = "http"))]
pub mod trees;

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{DraftVersion, HashKind};
use subxt::utils::AccountId32;

use crate::{
	chain::{rows::Member, VersionCommit},
	drafts::Draft,
};

/// Returns a draft of one version.
pub fn draft() -> Draft {
	let muid = Muid::new(1_000, Medallion::FIRST_ASSIGNABLE, 0).expect("it is within range");
	let version = DraftVersion {
		object: ContentObjectId([4; 10]),
		version: VersionId([5; 32]),
		hash: HashKind::Blake3,
		size: u64::MAX,
		set_head_on_finalize: true,
	};
	let commit = VersionCommit {
		muid,
		originator: ProviderId([1; 10]),
		node: NodeId([2; 10]),
		copies: vec![(ProviderId([7; 10]), NodeId([8; 10]))].try_into().expect("one is few"),
		tenant: TenantId([3; 10]),
		kms: Some(KmsId([6; 10])),
		create_objects: true,
		versions: vec![version].try_into().expect("one version is within the limit"),
	};
	Draft::new([7; 32], &commit)
}

/// Returns a member with nothing under it.
pub fn member() -> Member {
	Member {
		space: SpaceId([1; 10]),
		root: AccountId32([1; 32]),
		root_since: Muid::from_bytes([1; 16]),
		nomination: None,
		max_held: 1_000,
		bond: 300,
		own_deposit: 20,
		deposit: 0,
		rows: BTreeMap::new(),
		empty_since: None,
		governance_delete: false,
		suspended: false,
		purge: None,
		created: Muid::from_bytes([1; 16]),
	}
}
