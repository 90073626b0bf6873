// SPDX-License-Identifier: Apache-2.0
//! The content of tenants.

use axum::{extract::State, response::Response};
use content_fabric_client::ids;

use crate::{
	api::{
		app::App,
		ask::{Ask, PageParams},
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

/// Returns the KMSes of a tenant.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/kmses",
	params(("tenant" = String, Path, description = "The tenant, `iten…`"), PageParams),
	responses((status = 200, description = "A page of KMSes", body = List<Kms>), Failures),
)]
pub(crate) async fn kmses(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let tenant = ask.id("tenant")?;
	app.list::<Kms, _>(ask, 0, NO_TENANT, move |view, slice| view.kmses(tenant, slice)).await
}

/// Returns the content objects of a tenant.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("order" = Option<String>, Query,
			description = "The order: `id` (default) or `age`, the oldest first"),
		PageParams,
	),
	responses(
		(status = 200, description = "A page of content objects", body = List<Object>),
		Failures,
	),
)]
pub(crate) async fn objects(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let tenant = ask.id("tenant")?;
	let order = ask.take_order([("id", ObjectOrder::Id), ("age", ObjectOrder::Age)])?;
	app.list::<Object, _>(ask, order as u8, NO_TENANT, move |view, slice| {
		view.objects(tenant, order, slice)
	})
	.await
}

/// Returns a content object.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
	),
	responses((status = 200, description = "The content object", body = One<Object>), Failures),
)]
pub(crate) async fn object(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, id) = (ask.id("tenant")?, ask.id("object")?);
	app.one::<Object, _>(ask, NO_OBJECT, move |view| view.object(tenant, id)).await
}

/// Returns the versions of a content object, by the time of their commits.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}/versions",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
		("order" = Option<String>, Query,
			description = "The order: `newest` (default) or `oldest` first"),
		PageParams,
	),
	responses((status = 200, description = "A page of versions", body = List<Version>), Failures),
)]
pub(crate) async fn versions(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let (tenant, object) = (ask.id("tenant")?, ask.id("object")?);
	let newest_first = ask.take_order([("newest", true), ("oldest", false)])?;
	app.list::<Version, _>(ask, newest_first.into(), NO_OBJECT, move |view, slice| {
		view.versions(tenant, object, newest_first, slice)
	})
	.await
}

/// Returns a version of a content object.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}/versions/{version}",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
		("version" = String, Path, description = "The version, `hq__…`, or its hash in hex"),
	),
	responses((status = 200, description = "The version", body = One<Version>), Failures),
)]
pub(crate) async fn version(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, object) = (ask.id("tenant")?, ask.id("object")?);
	let id = ask.part_as("version", ids::parse_version)?;
	app.one::<Version, _>(ask, NO_VERSION, move |view| view.version(tenant, object, id)).await
}

/// Returns the records that name a content object or one of its versions.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/objects/{object}/names",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("object" = String, Path, description = "The content object, `iq__…`"),
		PageParams,
	),
	responses((status = 200, description = "A page of records", body = List<Record>), Failures),
)]
pub(crate) async fn object_names(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, object) = (ask.id("tenant")?, ask.id("object")?);
	app.list::<Record, _>(ask, 0, NO_OBJECT, move |view, slice| {
		view.names_of(tenant, object, slice)
	})
	.await
}

/// Returns the collections of a tenant.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/collections",
	params(("tenant" = String, Path, description = "The tenant, `iten…`"), PageParams),
	responses(
		(status = 200, description = "A page of collections", body = List<Collection>),
		Failures,
	),
)]
pub(crate) async fn collections(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let tenant = ask.id("tenant")?;
	app.list::<Collection, _>(ask, 0, NO_TENANT, move |view, slice| view.collections(tenant, slice))
		.await
}

/// Returns a collection.
#[utoipa::path(
	get, path = "/v1/tenants/{tenant}/collections/{name}",
	params(
		("tenant" = String, Path, description = "The tenant, `iten…`"),
		("name" = String, Path, description = "The name of the collection"),
	),
	responses((status = 200, description = "The collection", body = One<Collection>), Failures),
)]
pub(crate) async fn collection(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (tenant, name) = (ask.id("tenant")?, ask.part("name").to_owned());
	app.one::<Collection, _>(ask, NO_COLLECTION, move |view| view.collection(tenant, &name)).await
}

/// Returns the content objects with an id, one for each tenant that has it.
#[utoipa::path(
	get, path = "/v1/objects/{object}",
	params(("object" = String, Path, description = "The content object, `iq__…`"), PageParams),
	responses(
		(status = 200, description = "A page of content objects", body = List<Object>),
		Failures,
	),
)]
pub(crate) async fn any_object(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id = ask.id("object")?;
	app.list::<Object, _>(ask, 0, NO_OBJECT, move |view, slice| {
		view.objects_with_id(id, slice).map(Some)
	})
	.await
}

/// Returns the content objects that have a version, of all tenants.
#[utoipa::path(
	get, path = "/v1/versions/{version}",
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
	let id = ask.part_as("version", ids::parse_version)?;
	app.list::<VersionRef, _>(ask, 0, NO_VERSION, move |view, slice| {
		view.holders(id, slice).map(Some)
	})
	.await
}
