// SPDX-License-Identifier: Apache-2.0
//! All paths, and their description.

use std::sync::Arc;

use axum::{middleware::from_fn, Router};
use content_fabric_http_server::metrics::note_path;
use utoipa::{
	openapi::{
		path::Parameter,
		schema::{ArrayItems, SchemaType},
		Object, RefOr, Schema, Type,
	},
	IntoResponses, OpenApi,
};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
	app::App,
	assets,
	error::{Failure, Failures},
	feed,
	routes::{calls, content, copies, history, members, records, spaces, status},
	views::{Block, HeadMessage},
};

/// The description of the interface, besides its paths.
#[derive(OpenApi)]
#[openapi(
	info(
		title = "Index of a content fabric",
		description = "The directory of a content fabric in order: queries and a live feed. Ids \
			have their text forms. Amounts, in the smallest unit, and sizes, in bytes, are strings \
			of digits, because JSON numbers are exact only up to 2^53. Times are milliseconds since \
			the Unix epoch.",
	),
	components(schemas(Failure, Block, HeadMessage))
)]
struct Description;

/// The parameters of paths, in order: the segment before each, its name and its description.
const PARTS: [(&str, &str, &str); 11] = [
	("spaces", "space", "The space, `ispc…`"),
	("members", "member", "The member, `iprv…` or `iten…`"),
	("providers", "provider", "The provider, `iprv…`"),
	("nodes", "node", "The node, `inod…`"),
	("tenants", "tenant", "The tenant, `iten…`"),
	("kmses", "kms", "The KMS, `ikms…`"),
	("objects", "object", "The content object, `iq__…`, or with its tenant, `itq_…`"),
	("versions", "version", "The version, `hq__…`, its hash in hex, or its CID"),
	("collections", "name", "The name of the collection"),
	("accounts", "account", "The account, SS58"),
	("blocks", "block", "The number of the block, or its hash in hex, `0x…`"),
];

/// Returns all paths with their descriptions.
fn routes() -> OpenApiRouter<Arc<App>> {
	OpenApiRouter::with_openapi(Description::openapi())
		.routes(routes!(status::status))
		.routes(routes!(status::search))
		.routes(routes!(calls::call))
		.routes(routes!(spaces::spaces))
		.routes(routes!(spaces::space))
		.routes(routes!(spaces::members))
		.routes(routes!(spaces::admissions))
		.routes(routes!(spaces::space_totals))
		.routes(routes!(spaces::totals))
		.routes(routes!(members::member))
		.routes(routes!(members::keys))
		.routes(routes!(members::all_nodes))
		.routes(routes!(members::nodes))
		.routes(routes!(members::node))
		.routes(routes!(members::copies))
		.routes(routes!(content::kmses))
		.routes(routes!(content::kms))
		.routes(routes!(content::objects))
		.routes(routes!(content::object))
		.routes(routes!(content::versions))
		.routes(routes!(content::version))
		.routes(routes!(content::object_names))
		.routes(routes!(content::collections))
		.routes(routes!(content::collection))
		.routes(routes!(content::any_object))
		.routes(routes!(content::any_version))
		.routes(routes!(copies::copies_at_risk))
		.routes(routes!(records::records))
		.routes(routes!(records::record))
		.routes(routes!(records::names))
		.routes(routes!(history::account))
		.routes(routes!(history::signed))
		.routes(routes!(history::history))
		.routes(routes!(history::governance))
		.routes(routes!(history::events))
		.routes(routes!(history::purges))
		.routes(routes!(history::block))
		.routes(routes!(history::block_events))
		.routes(routes!(feed::feed))
		.routes(routes!(status::health))
		.routes(routes!(status::ready))
		.routes(routes!(status::metrics))
		.routes(routes!(status::openapi))
}

/// Returns the routes of the app.
pub(crate) fn router(app: Arc<App>) -> Router {
	let (router, _) = routes().split_for_parts();
	router.fallback(assets::serve).layer(from_fn(note_path)).with_state(app)
}

/// Returns the description of the interface.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
	let mut document = routes().into_openapi();
	let schemas = document.components.iter_mut().flat_map(|parts| parts.schemas.values_mut());
	schemas.for_each(require);
	for (path, item) in &mut document.paths.paths {
		let Some(operation) = &mut item.get else { continue };
		// The descriptions of the handlers leave out what they share.
		for (before, name, text) in PARTS.iter().rev() {
			if path.contains(&format!("/{before}/{{{name}}}")) {
				let mut part = Parameter::new(*name);
				part.description = Some((*text).into());
				part.schema = Some(Object::with_type(Type::String).into());
				operation.parameters.get_or_insert_default().insert(0, part.into());
			}
		}
		if path.starts_with("/v1") {
			operation.responses.responses.extend(Failures::responses());
		}
	}
	document
}

/// Marks the fields that may be `null` as required: answers that lack a value have `null` there.
/// Fields that may be left out are never `null`.
fn require(schema: &mut RefOr<Schema>) {
	match schema {
		RefOr::T(Schema::Object(object)) => {
			let nullable = object.properties.iter().filter(|(_, field)| is_nullable(field));
			object.required.extend(nullable.map(|(name, _)| name.clone()));
			object.properties.values_mut().for_each(require);
		},
		RefOr::T(Schema::Array(array)) => {
			if let ArrayItems::RefOrSchema(items) = &mut array.items {
				require(items);
			}
		},
		RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(require),
		_ => {},
	}
}

fn is_nullable(schema: &RefOr<Schema>) -> bool {
	match schema {
		RefOr::T(Schema::Object(Object { schema_type, .. })) => match schema_type {
			SchemaType::Type(kind) => *kind == Type::Null,
			SchemaType::Array(kinds) => kinds.contains(&Type::Null),
			SchemaType::AnyValue => false,
		},
		RefOr::T(Schema::OneOf(one)) => one.items.iter().any(is_nullable),
		_ => false,
	}
}
