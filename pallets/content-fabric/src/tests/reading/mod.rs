// SPDX-License-Identifier: Apache-2.0
//! Reading the state as clients do, by view functions.

mod by_id;
mod members;
mod purged;

use frame_support::assert_ok;

use crate::{
	identifiers::{ContentObjectId, ProviderId, TenantId},
	mock::*,
	ProviderLevel, Resolution, TenantLevel,
};

const UNKNOWN_PROVIDER: ProviderId = ProviderId([8; 10]);
const UNKNOWN_TENANT: TenantId = TenantId([8; 10]);
const UNKNOWN_OBJECT: ContentObjectId = ContentObjectId([8; 10]);

/// Returns what a record of [`COLLECTION`] leads to.
fn resolve(text: &str) -> Option<Resolution> {
	ContentFabric::resolve(TENANT, name(COLLECTION).into(), key(text).into())
}
