// SPDX-License-Identifier: Apache-2.0
//! Any text: refused at a byte within it, or the text of an entity id.

#![no_main]

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use libfuzzer_sys::fuzz_target;

macro_rules! try_all {
	($text:ident: $($id:ident)*) => {$(
		match $text.parse::<$id>() {
			Ok(id) => assert_eq!(id.to_string(), $text),
			Err(error) => assert!(error.position() <= $text.len()),
		}
	)*};
}

fuzz_target!(|text: &str| {
	try_all!(text: SpaceId ProviderId TenantId NodeId KmsId ContentObjectId ContentObjectPath VersionId);
});
