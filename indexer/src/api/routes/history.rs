// SPDX-License-Identifier: Apache-2.0
//! Accounts, events, purges and blocks.

use axum::{extract::State, response::Response};
use content_fabric_client::ids;
use content_fabric_identifiers::{ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId};

use crate::{
	api::{
		app::{App, DiskView},
		ask::{wrong, Ask, PageParams},
		error::{Error, Failures},
		views::{Account, Block, Event, List, One, Purge},
	},
	index::{
		view::{EventFilter, EventItem, Page, ReadError},
		BlockRow,
	},
	source::{Hash, Topic},
};

/// Returns the roles of an account.
#[utoipa::path(
	get,
	path = "/v1/accounts/{account}",
	params(("account" = String, Path, description = "The account, SS58")),
	responses((status = 200, description = "The account", body = One<Account>), Failures),
)]
pub(crate) async fn account(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let account = ask.account("account")?;
	app.one(&ask, "", move |view| Ok(Some(Account::from(view.account(account)?)))).await
}

/// Returns the events about an entity or an account.
#[utoipa::path(
	get,
	path = "/v1/history/{id}",
	params(
		(
			"id" = String,
			Path,
			description = "A space, a provider, a tenant, a node, a KMS, the path of a content \
				object `itq_…`, or an account",
		),
		(
			"order" = Option<String>,
			Query,
			description = "The order: `newest` (default) or `oldest` first",
		),
		(
			"member" = Option<String>,
			Query,
			description = "Only those about this provider or tenant: others may have a node or a \
				KMS of the same id",
		),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn history(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let subject = subject(ask.part("id"))?;
	let filter = EventFilter { member: ask.take_member("member")?, ..EventFilter::default() };
	let newest_first = ask.take_order([("newest", true), ("oldest", false)])?;
	let client = ask.client;
	let paging = ask.page(newest_first.into())?;
	app.list(client, paging, "", move |view, slice| {
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

fn shown(view: &DiskView<'_>, page: Page<EventItem>) -> Page<Event> {
	let finalized = view.state().finalized.number;
	page.map(|item| Event::of(item, finalized))
}

/// Returns the decisions of governance, the newest first.
#[utoipa::path(
	get,
	path = "/v1/governance",
	params(
		(
			"space" = Option<String>,
			Query,
			description = "Only those about this space or its present members",
		),
		("member" = Option<String>, Query, description = "Only those about this member"),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn governance(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let (space, member) = (ask.take_id("space")?, ask.take_member("member")?);
	let filter = EventFilter { space, member, ..EventFilter::default() };
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, "", move |view, slice| {
		Ok(Some(shown(view, view.history(&Topic::Governance, &filter, true, slice)?)))
	})
	.await
}

/// Returns all events, the newest first.
#[utoipa::path(
	get,
	path = "/v1/events",
	params(PageParams),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn events(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, "", move |view, slice| Ok(Some(shown(view, view.all_events(slice)?))))
		.await
}

/// Returns the purges under way.
#[utoipa::path(
	get,
	path = "/v1/purges",
	params(PageParams),
	responses((status = 200, description = "A page of purges", body = List<Purge>), Failures),
)]
pub(crate) async fn purges(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, "", move |view, slice| {
		let best = view.state().best.number;
		Ok(Some(view.purges(slice)?.map(|purge| Purge::new(purge, best))))
	})
	.await
}

/// Returns a block with the first of the pallet's events in it. Blocks without events are kept for
/// 7 days.
#[utoipa::path(
	get,
	path = "/v1/blocks/{block}",
	params(
		(
			"block" = String,
			Path,
			description = "The number of the block, or its hash in hex, `0x…`",
		),
	),
	responses((status = 200, description = "The block", body = One<Block>), Failures),
)]
pub(crate) async fn block(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let name = block_name(ask.part("block"))?;
	app.one(&ask, NO_BLOCK, move |view| {
		let Some((number, row)) = find_block(view, name)? else { return Ok(None) };
		let finalized = view.state().finalized.number;
		Ok(Some(Block::new(view.block_part(number, row, None)?, finalized)))
	})
	.await
}

/// Returns the events of a block, in their order.
#[utoipa::path(
	get,
	path = "/v1/blocks/{block}/events",
	params(
		(
			"block" = String,
			Path,
			description = "The number of the block, or its hash in hex, `0x…`",
		),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>), Failures),
)]
pub(crate) async fn block_events(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let name = block_name(ask.part("block"))?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, NO_BLOCK, move |view, slice| {
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

fn find_block(view: &DiskView<'_>, name: BlockName) -> Result<Option<(u64, BlockRow)>, ReadError> {
	let number = match name {
		BlockName::Number(number) => Some(number),
		BlockName::Hash(hash) => view.number_of(&hash)?,
	};
	let Some(number) = number else { return Ok(None) };
	Ok(view.block(number)?.map(|row| (number, row)))
}

fn block_name(text: &str) -> Result<BlockName, Error> {
	let wrong = || Error::field("block", format!("block is {text}, expected a number or a hash"));
	if let Some(digits) = text.strip_prefix("0x") {
		let mut hash = Hash::default();
		hex::decode_to_slice(digits, &mut hash).map_err(|_| wrong())?;
		return Ok(BlockName::Hash(hash));
	}
	let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
	text.parse().ok().filter(|_| is_number).map(BlockName::Number).ok_or_else(wrong)
}
