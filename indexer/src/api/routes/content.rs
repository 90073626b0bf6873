// SPDX-License-Identifier: Apache-2.0
//! The content of tenants.

use std::str::FromStr;

use content_fabric_client::ids::{ObjectArgument, VersionArgument};
use content_fabric_identifiers::ContentObjectPath;

use crate::{
	api::{
		ask::{Answer, Ask, PageParams},
		views::{Collection, ContentObject, Kms, List, One, Record, Version, VersionRef},
	},
	index::view::{Order, Page},
};

const NO_TENANT: &str = "there is no such tenant";
const NO_KMS: &str = "there is no such KMS";
const NO_OBJECT: &str = "there is no such content object";
const NO_VERSION: &str = "there is no such version";
const NO_COLLECTION: &str = "there is no such collection";

/// Returns the KMSes of a tenant.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/kmses",
	params(PageParams),
	responses((status = 200, description = "A page of KMSes", body = List<Kms>)),
)]
pub(crate) async fn kmses(ask: Ask) -> Answer {
	let tenant = ask.id("tenant")?;
	ask.list::<Kms, _>(0, NO_TENANT, move |view, slice| view.kmses(tenant, slice)).await
}

/// Returns a KMS.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/kmses/{kms}",
	responses((status = 200, description = "The KMS", body = One<Kms>)),
)]
pub(crate) async fn kms(ask: Ask) -> Answer {
	let (tenant, id) = (ask.id("tenant")?, ask.id("kms")?);
	ask.one::<Kms, _>(NO_KMS, move |view| view.kms(tenant, id)).await
}

/// Returns the content objects of a tenant.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects",
	params(
		("order" = Option<String>, Query,
			description = "The order: `id` (default) or `age`, the oldest first"),
		PageParams,
	),
	responses((status = 200, description = "A page of content objects", body = List<ContentObject>)),
)]
pub(crate) async fn objects(mut ask: Ask) -> Answer {
	let tenant = ask.id("tenant")?;
	let order = ask.take_order([("id", Order::Id), ("age", Order::Age)])?;
	ask.list::<ContentObject, _>(order as u8, NO_TENANT, move |view, slice| {
		view.objects(tenant, order, slice)
	})
	.await
}

/// Returns a content object.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}",
	responses((status = 200, description = "The content object", body = One<ContentObject>)),
)]
pub(crate) async fn object(ask: Ask) -> Answer {
	let (tenant, id) = ask.object()?;
	ask.one::<ContentObject, _>(NO_OBJECT, move |view| view.object(tenant, id)).await
}

/// Returns the versions of a content object, by the time of their commits.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}/versions",
	params(
		("order" = Option<String>, Query,
			description = "The order: `newest` (default) or `oldest` first"),
		PageParams,
	),
	responses((status = 200, description = "A page of versions", body = List<Version>)),
)]
pub(crate) async fn versions(mut ask: Ask) -> Answer {
	let (tenant, object) = ask.object()?;
	let newest_first = ask.take_order([("newest", true), ("oldest", false)])?;
	ask.list::<Version, _>(newest_first.into(), NO_OBJECT, move |view, slice| {
		view.versions(tenant, object, newest_first, slice)
	})
	.await
}

/// Returns a version of a content object.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}/versions/{version}",
	responses((status = 200, description = "The version", body = One<Version>)),
)]
pub(crate) async fn version(ask: Ask) -> Answer {
	let (tenant, object) = ask.object()?;
	let id = ask.part_as("version", VersionArgument::from_str)?;
	ask.one::<Version, _>(NO_VERSION, move |view| view.version(tenant, object, id)).await
}

/// Returns the records that name a content object or one of its versions.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}/names",
	params(PageParams),
	responses((status = 200, description = "A page of records", body = List<Record>)),
)]
pub(crate) async fn object_names(ask: Ask) -> Answer {
	let (tenant, object) = ask.object()?;
	ask.list::<Record, _>(0, NO_OBJECT, move |view, slice| view.names_of(tenant, object, slice))
		.await
}

/// Returns the collections of a tenant.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/collections",
	params(PageParams),
	responses((status = 200, description = "A page of collections", body = List<Collection>)),
)]
pub(crate) async fn collections(ask: Ask) -> Answer {
	let tenant = ask.id("tenant")?;
	ask.list::<Collection, _>(0, NO_TENANT, move |view, slice| view.collections(tenant, slice))
		.await
}

/// Returns a collection.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/collections/{name}",
	responses((status = 200, description = "The collection", body = One<Collection>)),
)]
pub(crate) async fn collection(ask: Ask) -> Answer {
	let (tenant, name) = (ask.id("tenant")?, ask.part("name").to_owned());
	ask.one::<Collection, _>(NO_COLLECTION, move |view| view.collection(tenant, &name)).await
}

/// Returns the content objects with an id, one for each tenant that has it. The id with a tenant,
/// `itq_…`, selects that tenant.
#[utoipa::path(
	get, path = "/v1/objects/{object}",
	params(PageParams),
	responses((status = 200, description = "A page of content objects", body = List<ContentObject>)),
)]
pub(crate) async fn any_object(ask: Ask) -> Answer {
	let id = ask.part_as("object", ObjectArgument::from_str)?;
	ask.list::<ContentObject, _>(0, NO_OBJECT, move |view, slice| match id {
		ObjectArgument::Object(id) => view.objects_with_id(id, slice).map(Some),
		ObjectArgument::Path(ContentObjectPath { tenant, object }) => {
			let items = view.object(tenant, object)?.into_iter().collect();
			Ok(Some(Page { items, next: None }))
		},
	})
	.await
}

/// Returns the content objects that have a version, of all tenants.
#[utoipa::path(
	get, path = "/v1/versions/{version}",
	params(PageParams),
	responses((status = 200, description = "A page of versions", body = List<VersionRef>)),
)]
pub(crate) async fn any_version(ask: Ask) -> Answer {
	let id = ask.part_as("version", VersionArgument::from_str)?;
	ask.list::<VersionRef, _>(0, NO_VERSION, move |view, slice| view.holders(id, slice).map(Some))
		.await
}
