// SPDX-License-Identifier: Apache-2.0
//! Members, access keys and nodes.

use axum::{extract::State, response::Response};
use content_fabric_client::ids;

use crate::{
	api::{
		app::App,
		ask::{Ask, PageParams},
		error::{Error, Failures},
		views::{Key, List, Member, Node, One, VersionRef},
	},
	index::view::NodeItem,
	probe::{Evidence, Probes},
};

/// The message if a member does not exist.
const MISSING: &str = "there is no such member";
/// The message if a node does not exist.
const NO_NODE: &str = "there is no such node";

/// Returns a provider or a tenant.
#[utoipa::path(
	get, path = "/v1/members/{member}",
	params(("member" = String, Path, description = "The member, `iprv…` or `iten…`")),
	responses((status = 200, description = "The member", body = One<Member>), Failures),
)]
pub(crate) async fn member(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id = ask.part_as("member", ids::parse_member)?;
	app.one::<Member, _>(ask, MISSING, move |view| view.member(id)).await
}

/// Returns the access keys of a member.
#[utoipa::path(
	get, path = "/v1/members/{member}/keys",
	params(("member" = String, Path, description = "The member, `iprv…` or `iten…`"), PageParams),
	responses((status = 200, description = "A page of access keys", body = List<Key>), Failures),
)]
pub(crate) async fn keys(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let member = ask.part_as("member", ids::parse_member)?;
	app.list::<Key, _>(ask, 0, MISSING, move |view, slice| view.keys(member, slice)).await
}

/// Adds what is known of a node's answers.
fn probed(node: NodeItem, probes: &Probes) -> (NodeItem, Option<Evidence>) {
	let evidence = probes.of(node.row.medallion);
	(node, evidence)
}

/// Returns the nodes of all providers, ascending by id.
#[utoipa::path(
	get, path = "/v1/nodes",
	params(PageParams),
	responses((status = 200, description = "A page of nodes", body = List<Node>), Failures),
)]
pub(crate) async fn all_nodes(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let probes = app.probes.clone();
	app.list::<Node, _>(ask, 0, NO_NODE, move |view, slice| {
		Ok(Some(view.all_nodes(slice)?.map(|node| probed(node, &probes))))
	})
	.await
}

/// Returns the nodes of a provider.
#[utoipa::path(
	get, path = "/v1/providers/{provider}/nodes",
	params(("provider" = String, Path, description = "The provider, `iprv…`"), PageParams),
	responses((status = 200, description = "A page of nodes", body = List<Node>), Failures),
)]
pub(crate) async fn nodes(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (provider, probes) = (ask.id("provider")?, app.probes.clone());
	app.list::<Node, _>(ask, 0, MISSING, move |view, slice| {
		Ok(view.nodes(provider, slice)?.map(|page| page.map(|node| probed(node, &probes))))
	})
	.await
}

/// Returns a node.
#[utoipa::path(
	get, path = "/v1/providers/{provider}/nodes/{node}",
	params(
		("provider" = String, Path, description = "The provider, `iprv…`"),
		("node" = String, Path, description = "The node, `inod…`"),
	),
	responses((status = 200, description = "The node", body = One<Node>), Failures),
)]
pub(crate) async fn node(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (provider, id) = (ask.id("provider")?, ask.id("node")?);
	let probes = app.probes.clone();
	app.one::<Node, _>(ask, NO_NODE, move |view| {
		Ok(view.node(provider, id)?.map(|node| probed(node, &probes)))
	})
	.await
}

/// Returns the versions that a node took in, the newest first.
#[utoipa::path(
	get, path = "/v1/providers/{provider}/nodes/{node}/versions",
	params(
		("provider" = String, Path, description = "The provider, `iprv…`"),
		("node" = String, Path, description = "The node, `inod…`"),
		PageParams,
	),
	responses(
		(status = 200, description = "A page of versions", body = List<VersionRef>),
		Failures,
	),
)]
pub(crate) async fn intake(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (provider, node) = (ask.id("provider")?, ask.id("node")?);
	app.list::<VersionRef, _>(ask, 0, NO_NODE, move |view, slice| {
		view.intake(provider, node, slice)
	})
	.await
}
