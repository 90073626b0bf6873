// SPDX-License-Identifier: Apache-2.0
//! Members, access keys and nodes.

use content_fabric_client::ids;

use crate::{
	api::{
		ask::{Answer, Ask, PageParams},
		views::{Key, List, Member, Node, One, VersionRef},
	},
	audit::{Audits, Evidence},
	index::view::NodeItem,
};

const MISSING: &str = "there is no such member";
const NO_NODE: &str = "there is no such node";

/// Returns a provider or a tenant.
#[utoipa::path(
	get, path = "/v1/members/{member}",
	responses((status = 200, description = "The member", body = One<Member>)),
)]
pub(crate) async fn member(ask: Ask) -> Answer {
	let id = ask.part_as("member", ids::parse_member)?;
	ask.one::<Member, _>(MISSING, move |view| view.member(id)).await
}

/// Returns the access keys of a member.
#[utoipa::path(
	get, path = "/v1/members/{member}/keys",
	params(PageParams),
	responses((status = 200, description = "A page of access keys", body = List<Key>)),
)]
pub(crate) async fn keys(ask: Ask) -> Answer {
	let member = ask.part_as("member", ids::parse_member)?;
	ask.list::<Key, _>(0, MISSING, move |view, slice| view.keys(member, slice)).await
}

/// Adds what audits of a node have found.
fn audited(node: NodeItem, audits: &Audits) -> (NodeItem, Option<Evidence>) {
	let evidence = audits.of(node.row.medallion);
	(node, evidence)
}

/// Returns the nodes of all providers, ascending by id.
#[utoipa::path(
	get, path = "/v1/nodes",
	params(PageParams),
	responses((status = 200, description = "A page of nodes", body = List<Node>)),
)]
pub(crate) async fn all_nodes(ask: Ask) -> Answer {
	let audits = ask.app.audits.clone();
	ask.list::<Node, _>(0, NO_NODE, move |view, slice| {
		Ok(Some(view.all_nodes(slice)?.map(|node| audited(node, &audits))))
	})
	.await
}

/// Returns the nodes of a provider.
#[utoipa::path(
	get, path = "/v1/providers/{provider}/nodes",
	params(PageParams),
	responses((status = 200, description = "A page of nodes", body = List<Node>)),
)]
pub(crate) async fn nodes(ask: Ask) -> Answer {
	let (provider, audits) = (ask.id("provider")?, ask.app.audits.clone());
	ask.list::<Node, _>(0, MISSING, move |view, slice| {
		Ok(view.nodes(provider, slice)?.map(|page| page.map(|node| audited(node, &audits))))
	})
	.await
}

/// Returns a node.
#[utoipa::path(
	get, path = "/v1/providers/{provider}/nodes/{node}",
	responses((status = 200, description = "The node", body = One<Node>)),
)]
pub(crate) async fn node(ask: Ask) -> Answer {
	let (provider, id) = (ask.id("provider")?, ask.id("node")?);
	let audits = ask.app.audits.clone();
	ask.one::<Node, _>(NO_NODE, move |view| {
		Ok(view.node(provider, id)?.map(|node| audited(node, &audits)))
	})
	.await
}

/// Returns the versions that a node holds or was asked to hold, the newest first.
#[utoipa::path(
	get, path = "/v1/providers/{provider}/nodes/{node}/versions",
	params(PageParams),
	responses((status = 200, description = "A page of versions", body = List<VersionRef>)),
)]
pub(crate) async fn copies(ask: Ask) -> Answer {
	let (provider, node) = (ask.id("provider")?, ask.id("node")?);
	ask.list::<VersionRef, _>(0, NO_NODE, move |view, slice| view.copies(provider, node, slice))
		.await
}
