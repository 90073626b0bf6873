//! Any text: no entity id, or one whose text it is.

#![no_main]

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use libfuzzer_sys::fuzz_target;

macro_rules! try_all {
	($text:ident: $($id:ident)*) => {$(
		if let Ok(id) = $text.parse::<$id>() {
			assert_eq!(id.to_string(), $text);
		}
	)*};
}

fuzz_target!(|text: &str| {
	try_all!(text: SpaceId ProviderId TenantId NodeId KmsId ContentObjectId ContentObjectPath VersionId);
});
