//! Calls that are yet to be made.

use content_fabric_identifiers::{ContentObjectId, RecordKeyType, TenantId, VersionId};

use crate::{
	calls::{self, Call},
	storage::{ContentRef, Syntax},
};

/// In the collections that are published a colon stands between a name and a version.
pub const SYNTAX: Syntax = Syntax::PathSegment;

/// A call on a tenant, as little as it can be made of: there may be hundreds of thousands.
#[derive(Clone, Debug)]
pub enum Step {
	CreateObject(ContentObjectId),
	SetHead(ContentObjectId, VersionId),
	Finalize(ContentObjectId, VersionId),
	CreateCollection(&'static str, RecordKeyType<String>),
	/// Without a key the chain mints one.
	PutRecord(&'static str, Option<String>, ContentRef),
}

impl Step {
	pub fn call(&self, tenant: TenantId) -> Call {
		match self {
			Self::CreateObject(object) => calls::create_content_object(tenant, *object),
			Self::SetHead(object, version) => calls::set_head_version(tenant, *object, *version),
			Self::Finalize(object, version) => calls::finalize_version(tenant, *object, *version),
			Self::CreateCollection(name, key_type) => {
				calls::create_collection(tenant, name, key_type, SYNTAX)
			},
			Self::PutRecord(collection, key, target) => {
				calls::put_record(tenant, collection, key.as_deref(), target)
			},
		}
	}
}

/// The calls that the steps are.
pub fn calls_of(steps: &[Step], tenant: TenantId) -> Vec<Call> {
	steps.iter().map(|step| step.call(tenant)).collect()
}
