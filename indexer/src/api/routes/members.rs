// SPDX-License-Identifier: Apache-2.0
//! Members, access keys and nodes.

use axum::{extract::State, response::Response};
use content_fabric_identifiers::{NodeId, ProviderId};

use crate::api::{
	app::{App, DiskView},
	ask::{Ask, PageParams},
	error::{Error, Failures},
	views::{Key, List, Member, Node, One, VersionRef},
};

/// The message if a member does not exist.
const MISSING: &str = "there is no such member";
/// The message if a node does not exist.
const NO_NODE: &str = "there is no such node";

/// Returns a provider or a tenant.
#[utoipa::path(
	get,
	path = "/v1/members/{member}",
	params(("member" = String, Path, description = "The member, `iprv…` or `iten…`")),
	responses((status = 200, description = "The member", body = One<Member>), Failures),
)]
pub(crate) async fn member(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id = ask.member("member")?;
	app.one(&ask, MISSING, move |view| Ok(view.member(id)?.map(Member::from))).await
}

/// Returns the access keys of a member.
#[utoipa::path(
	get,
	path = "/v1/members/{member}/keys",
	params(("member" = String, Path, description = "The member, `iprv…` or `iten…`"), PageParams),
	responses((status = 200, description = "A page of access keys", body = List<Key>), Failures),
)]
pub(crate) async fn keys(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let member = ask.member("member")?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, MISSING, move |view, slice| {
		Ok(view.keys(member, slice)?.map(|page| page.map(Key::from)))
	})
	.await
}

/// Returns the nodes of all providers, ascending by id.
#[utoipa::path(
	get,
	path = "/v1/nodes",
	params(PageParams),
	responses((status = 200, description = "A page of nodes", body = List<Node>), Failures),
)]
pub(crate) async fn all_nodes(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (client, probes) = (ask.client, app.probes());
	let paging = ask.page(0)?;
	app.list(client, paging, NO_NODE, move |view, slice| {
		Ok(Some(view.all_nodes(slice)?.map(|node| Node::new(node, &probes))))
	})
	.await
}

/// Returns the nodes of a provider.
#[utoipa::path(
	get,
	path = "/v1/providers/{provider}/nodes",
	params(("provider" = String, Path, description = "The provider, `iprv…`"), PageParams),
	responses((status = 200, description = "A page of nodes", body = List<Node>), Failures),
)]
pub(crate) async fn nodes(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let provider: ProviderId = ask.id("provider")?;
	let (client, probes) = (ask.client, app.probes());
	let paging = ask.page(0)?;
	app.list(client, paging, MISSING, move |view, slice| {
		let page = view.nodes(provider, slice)?;
		Ok(page.map(|page| page.map(|node| Node::new(node, &probes))))
	})
	.await
}

/// Returns a node.
#[utoipa::path(
	get,
	path = "/v1/providers/{provider}/nodes/{node}",
	params(
		("provider" = String, Path, description = "The provider, `iprv…`"),
		("node" = String, Path, description = "The node, `inod…`"),
	),
	responses((status = 200, description = "The node", body = One<Node>), Failures),
)]
pub(crate) async fn node(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let (provider, id): (ProviderId, NodeId) = (ask.id("provider")?, ask.id("node")?);
	let probes = app.probes();
	let run = move |view: &DiskView<'_>| {
		Ok(view.node(provider, id)?.map(|node| Node::new(node, &probes)))
	};
	app.one(&ask, NO_NODE, run).await
}

/// Returns the versions that a node took in, the newest first.
#[utoipa::path(
	get,
	path = "/v1/providers/{provider}/nodes/{node}/versions",
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
	let (provider, node): (ProviderId, NodeId) = (ask.id("provider")?, ask.id("node")?);
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_NODE, move |view, slice| {
		Ok(view.intake(provider, node, slice)?.map(|page| page.map(VersionRef::from)))
	})
	.await
}
