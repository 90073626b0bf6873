// SPDX-License-Identifier: Apache-2.0
//! Accounts, events, purges and blocks.

use axum::{extract::State, response::Response};
use content_fabric_client::ids;
use content_fabric_identifiers::{ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId};

use crate::{
	api::{
		app::App,
		ask::{number, wrong, Ask, PageParams},
		error::{Error, Failures},
		views::{Account, Block, Event, HashText, List, One, Purge},
	},
	index::{
		view::{EventFilter, EventItem, Found, Page, View},
		BlockRow,
	},
	source::{Hash, Topic},
};

/// Returns the roles of an account.
#[utoipa::path(
	get, path = "/v1/accounts/{account}",
	params(("account" = String, Path, description = "The account, SS58")),
	responses((status = 200, description = "The account", body = One<Account>), Failures),
)]
pub(crate) async fn account(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let account = ask.part_as("account", ids::parse_account)?;
	app.one::<Account, _>(ask, "", move |view| view.account(account).map(Some)).await
}

/// Returns the events about an entity or an account.
#[utoipa::path(
	get, path = "/v1/history/{id}",
	params(
		("id" = String, Path,
			description = "A space, a provider, a tenant, a node, a KMS, the path of a content \
				object `itq_…`, or an account"),
		("order" = Option<String>, Query,
			description = "The order: `newest` (default) or `oldest` first"),
		("member" = Option<String>, Query,
			description = "Only those about this provider or tenant: others may have a node or a \
				KMS of the same id"),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn history(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let subject = subject(ask.part("id"))?;
	let member = ask.take_as("member", ids::parse_member)?;
	let filter = EventFilter { member, ..EventFilter::default() };
	let newest_first = ask.take_order([("newest", true), ("oldest", false)])?;
	app.list::<Event, _>(ask, newest_first.into(), "", move |view, slice| {
		Ok(Some(shown(view, view.history(&subject, &filter, newest_first, slice)?)))
	})
	.await
}

/// Reads the subject of a history.
fn subject(text: &str) -> Result<Topic, Error> {
	let wrong = wrong("id");
	let has = |prefix: &str| text.starts_with(prefix);
	Ok(if has(SpaceId::PREFIX) {
		Topic::Space(ids::parse(text).map_err(wrong)?)
	} else if has(ProviderId::PREFIX) || has(TenantId::PREFIX) {
		Topic::Member(ids::parse_member(text).map_err(wrong)?)
	} else if has(NodeId::PREFIX) {
		Topic::Node(ids::parse(text).map_err(wrong)?)
	} else if has(KmsId::PREFIX) {
		Topic::Kms(ids::parse(text).map_err(wrong)?)
	} else if has(ContentObjectPath::PREFIX) {
		let path: ContentObjectPath = ids::parse(text).map_err(wrong)?;
		Topic::ContentObject(path.tenant, path.object)
	} else {
		Topic::Account(ids::parse_account(text).map_err(wrong)?)
	})
}

/// Adds the number of the last final block to events.
fn shown(view: &View<'_>, page: Page<EventItem>) -> Page<(EventItem, u64)> {
	page.map(|item| (item, view.state().finalized.number))
}

/// Returns the decisions of governance, the newest first.
#[utoipa::path(
	get, path = "/v1/governance",
	params(
		("space" = Option<String>, Query,
			description = "Only those about this space or its present members"),
		("member" = Option<String>, Query, description = "Only those about this member"),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn governance(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let space = ask.take_as("space", ids::parse)?;
	let member = ask.take_as("member", ids::parse_member)?;
	let filter = EventFilter { space, member, ..EventFilter::default() };
	app.list::<Event, _>(ask, 0, "", move |view, slice| {
		Ok(Some(shown(view, view.history(&Topic::Governance, &filter, true, slice)?)))
	})
	.await
}

/// Returns all events, the newest first.
#[utoipa::path(
	get, path = "/v1/events",
	params(PageParams),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn events(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	app.list::<Event, _>(ask, 0, "", |view, slice| Ok(Some(shown(view, view.all_events(slice)?))))
		.await
}

/// Returns the purges under way.
#[utoipa::path(
	get, path = "/v1/purges",
	params(PageParams),
	responses((status = 200, description = "A page of purges", body = List<Purge>), Failures),
)]
pub(crate) async fn purges(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	app.list::<Purge, _>(ask, 0, "", |view, slice| {
		let best = view.state().best.number;
		Ok(Some(view.purges(slice)?.map(|purge| (purge, best))))
	})
	.await
}

/// Returns a block with the first of the pallet's events in it. Blocks without events are kept for
/// 7 days.
#[utoipa::path(
	get, path = "/v1/blocks/{block}",
	params(
		("block" = String, Path,
			description = "The number of the block, or its hash in hex, `0x…`"),
	),
	responses((status = 200, description = "The block", body = One<Block>), Failures),
)]
pub(crate) async fn block(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let name = block_name(ask.part("block"))?;
	app.one::<Block, _>(ask, NO_BLOCK, move |view| {
		let Some((number, row)) = find_block(view, name)? else { return Ok(None) };
		let finalized = view.state().finalized.number;
		Ok(Some((view.block_part(number, row, None)?, finalized)))
	})
	.await
}

/// Returns the events of a block, in their order.
#[utoipa::path(
	get, path = "/v1/blocks/{block}/events",
	params(
		("block" = String, Path,
			description = "The number of the block, or its hash in hex, `0x…`"),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn block_events(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let name = block_name(ask.part("block"))?;
	app.list::<Event, _>(ask, 0, NO_BLOCK, move |view, slice| {
		let Some((number, _)) = find_block(view, name)? else { return Ok(None) };
		Ok(Some(shown(view, view.block_events(number, slice)?)))
	})
	.await
}

/// The message about a block that the index does not have.
const NO_BLOCK: &str = "there is no such block, or it is no longer kept";

#[derive(Clone, Copy)]
enum BlockName {
	Number(u64),
	Hash(Hash),
}

fn find_block(view: &View<'_>, name: BlockName) -> Found<(u64, BlockRow)> {
	let number = match name {
		BlockName::Number(number) => Some(number),
		BlockName::Hash(hash) => view.number_of(&hash)?,
	};
	let Some(number) = number else { return Ok(None) };
	Ok(view.block(number)?.map(|row| (number, row)))
}

fn block_name(text: &str) -> Result<BlockName, Error> {
	let name = match text.starts_with("0x") {
		true => HashText::parse(text).map(BlockName::Hash),
		false => number(text).map(BlockName::Number),
	};
	name.ok_or_else(|| {
		Error::field("block", format!("block is {text}, expected a number or a hash"))
	})
}
