// SPDX-License-Identifier: Apache-2.0
//! The content of tenants.

use axum::{extract::State, response::Response};
use content_fabric_client::ids;
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};

use crate::{
	api::{
		app::App,
		ask::{wrong, Ask, PageParams},
		error::{Error, Failures},
		views::{Collection, Kms, List, Object, One, Record, Version, VersionRef},
	},
	index::view::ObjectOrder,
};

/// The message if a tenant does not exist.
const NO_TENANT: &str = "there is no such tenant";
/// The message if a content object does not exist.
const NO_OBJECT: &str = "there is no such content object";
/// The message if a version does not exist.
const NO_VERSION: &str = "there is no such version";
/// The message if a collection does not exist.
const NO_COLLECTION: &str = "there is no such collection";

/// Returns the version in the path.
fn version_id(ask: &Ask) -> Result<VersionId, Error> {
	ids::parse_version(ask.part("version")).map_err(wrong("version"))
}

/// Returns the KMSes of a tenant.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/kmses",
	params(("tenant" = String, Path, description = "The tenant, `iten…`"), PageParams),
	responses((status = 200, description = "A page of KMSes", body = List<Kms>), Failures),
)]
pub(crate) async fn kmses(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let tenant: TenantId = ask.id("tenant")?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_TENANT, move |view, slice| {
		Ok(view.kmses(tenant, slice)?.map(|page| page.map(Kms::from)))
	})
	.await
}

/// Returns the content objects of a tenant.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/objects",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		(
			"order" = Option<String>,
			Query,
			description = "The order: `id` (default) or `age`, the oldest first",
		),
		PageParams,
	),
	responses(
		(status = 200, description = "A page of content objects", body = List<Object>),
		Failures,
	),
)]
pub(crate) async fn objects(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let tenant: TenantId = ask.id("tenant")?;
	let order = ask.take_order([("id", ObjectOrder::Id), ("age", ObjectOrder::Age)])?;
	let client = ask.client;
	let paging = ask.page(order as u8)?;
	app.list(client, paging, NO_TENANT, move |view, slice| {
		Ok(view.objects(tenant, order, slice)?.map(|page| page.map(Object::from)))
	})
	.await
}

/// Returns a content object.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/objects/{object}",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
	),
	responses((status = 200, description = "The content object", body = One<Object>), Failures),
)]
pub(crate) async fn object(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, id): (TenantId, ContentObjectId) = (ask.id("tenant")?, ask.id("object")?);
	app.one(&ask, NO_OBJECT, move |view| Ok(view.object(tenant, id)?.map(Object::from))).await
}

/// Returns the versions of a content object, by the time of their commits.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/objects/{object}/versions",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
		(
			"order" = Option<String>,
			Query,
			description = "The order: `newest` (default) or `oldest` first",
		),
		PageParams,
	),
	responses((status = 200, description = "A page of versions", body = List<Version>), Failures),
)]
pub(crate) async fn versions(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let (tenant, object): (TenantId, ContentObjectId) = (ask.id("tenant")?, ask.id("object")?);
	let newest_first = ask.take_order([("newest", true), ("oldest", false)])?;
	let client = ask.client;
	let paging = ask.page(newest_first.into())?;
	app.list(client, paging, NO_OBJECT, move |view, slice| {
		let page = view.versions(tenant, object, newest_first, slice)?;
		Ok(page.map(|page| page.map(Version::from)))
	})
	.await
}

/// Returns a version of a content object.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/objects/{object}/versions/{version}",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
		("version" = String, Path, description = "The version, `hq__…`, or its hash in hex"),
	),
	responses((status = 200, description = "The version", body = One<Version>), Failures),
)]
pub(crate) async fn version(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, object): (TenantId, ContentObjectId) = (ask.id("tenant")?, ask.id("object")?);
	let id = version_id(&ask)?;
	app.one(&ask, NO_VERSION, move |view| Ok(view.version(tenant, object, id)?.map(Version::from)))
		.await
}

/// Returns the records that name a content object or one of its versions.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/objects/{object}/names",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
		PageParams,
	),
	responses((status = 200, description = "A page of records", body = List<Record>), Failures),
)]
pub(crate) async fn object_names(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, object): (TenantId, ContentObjectId) = (ask.id("tenant")?, ask.id("object")?);
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_OBJECT, move |view, slice| {
		Ok(view.names_of(tenant, object, slice)?.map(|page| page.map(Record::from)))
	})
	.await
}

/// Returns the collections of a tenant.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/collections",
	params(("tenant" = String, Path, description = "The tenant, `iten…`"), PageParams),
	responses(
		(status = 200, description = "A page of collections", body = List<Collection>),
		Failures,
	),
)]
pub(crate) async fn collections(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let tenant: TenantId = ask.id("tenant")?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_TENANT, move |view, slice| {
		Ok(view.collections(tenant, slice)?.map(|page| page.map(Collection::from)))
	})
	.await
}

/// Returns a collection.
#[utoipa::path(
	get,
	path = "/v1/tenants/{tenant}/collections/{name}",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("name" = String, Path, description = "The name of the collection"),
	),
	responses((status = 200, description = "The collection", body = One<Collection>), Failures),
)]
pub(crate) async fn collection(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let tenant: TenantId = ask.id("tenant")?;
	let name = ask.part("name").to_owned();
	app.one(&ask, NO_COLLECTION, move |view| {
		Ok(view.collection(tenant, &name)?.map(Collection::from))
	})
	.await
}

/// Returns the content objects with an id, one for each tenant that has it.
#[utoipa::path(
	get,
	path = "/v1/objects/{object}",
	params(("object" = String, Path, description = "The content object, `iq__…`"), PageParams),
	responses(
		(status = 200, description = "A page of content objects", body = List<Object>),
		Failures,
	),
)]
pub(crate) async fn any_object(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id: ContentObjectId = ask.id("object")?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_OBJECT, move |view, slice| {
		Ok(Some(view.objects_with_id(id, slice)?.map(Object::from)))
	})
	.await
}

/// Returns the content objects that have a version, of all tenants.
#[utoipa::path(
	get,
	path = "/v1/versions/{version}",
	params(
		("version" = String, Path, description = "The version, `hq__…`, or its hash in hex"),
		PageParams,
	),
	responses(
		(status = 200, description = "A page of versions", body = List<VersionRef>),
		Failures,
	),
)]
pub(crate) async fn any_version(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id = version_id(&ask)?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_VERSION, move |view, slice| {
		Ok(Some(view.holders(id, slice)?.map(VersionRef::from)))
	})
	.await
}
