// SPDX-License-Identifier: Apache-2.0
//! Accounts, events, purges and blocks.

use content_fabric_client::ids;
use content_fabric_identifiers::{ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId};

use crate::{
	api::{
		ask::{hash, number, wrong, Answer, Ask, PageParams},
		error::{Error, Result},
		views::{Account, Block, Event, List, One, Purge},
	},
	index::{
		view::{EventFilter, Found, View},
		BlockRow,
	},
	source::Topic,
};

/// Returns the roles of an account.
#[utoipa::path(
	get, path = "/v1/accounts/{account}",
	responses((status = 200, description = "The account", body = One<Account>)),
)]
pub(crate) async fn account(ask: Ask) -> Answer {
	let account = ask.part_as("account", ids::parse_account)?;
	ask.one::<Account, _>("", move |view| {
		let (roles, more) = view.roles(account)?;
		Ok(Some((account, roles, more)))
	})
	.await
}

/// Returns the events of the calls that an account signed. The calls of a proxy, a multisig, sudo
/// or the council, which `via` names, have the account that signed the transaction: the proxy, or
/// the last signatory or member of the council. Calls without an event of the pallet are missing,
/// such as those that failed.
#[utoipa::path(
	get, path = "/v1/accounts/{account}/signed",
	params(
		("order" = Option<String>, Query,
			description = "The order: `newest` (default) or `oldest` first"),
		("member" = Option<String>, Query, description = "Only those about this provider or tenant"),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>)),
)]
pub(crate) async fn signed(ask: Ask) -> Answer {
	let account = ask.part_as("account", ids::parse_account)?;
	events_of(ask, Topic::Signer(account)).await
}

/// Returns the events about an entity, or those that name an account.
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
	responses((status = 200, description = "A page of events", body = List<Event>)),
)]
pub(crate) async fn history(ask: Ask) -> Answer {
	let subject = subject(ask.part("id"))?;
	events_of(ask, subject).await
}

/// Answers with a page of the events of a topic.
async fn events_of(mut ask: Ask, topic: Topic) -> Answer {
	let member = ask.take_as("member", ids::parse_member)?;
	let filter = EventFilter { member, ..EventFilter::default() };
	let newest_first = ask.take_order([("newest", true), ("oldest", false)])?;
	ask.list::<Event, _>(newest_first.into(), "", move |view, slice| {
		view.history(&topic, &filter, newest_first, slice).map(Some)
	})
	.await
}

/// Reads the subject of a history.
fn subject(text: &str) -> Result<Topic> {
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

/// Returns the decisions of governance, and how they are carried out, the newest first. Nominations
/// and purges by roots are among them: the signer tells them apart.
#[utoipa::path(
	get, path = "/v1/governance",
	params(
		("space" = Option<String>, Query,
			description = "Only those about this space or its present members"),
		("member" = Option<String>, Query, description = "Only those about this member"),
		PageParams,
	),
	responses((status = 200, description = "A page of events", body = List<Event>)),
)]
pub(crate) async fn governance(mut ask: Ask) -> Answer {
	let space = ask.take_as("space", ids::parse)?;
	let member = ask.take_as("member", ids::parse_member)?;
	let filter = EventFilter { space, member, ..EventFilter::default() };
	ask.list::<Event, _>(0, "", move |view, slice| {
		view.history(&Topic::Governance, &filter, true, slice).map(Some)
	})
	.await
}

/// Returns all events, the newest first.
#[utoipa::path(
	get, path = "/v1/events",
	params(PageParams),
	responses((status = 200, description = "A page of events", body = List<Event>)),
)]
pub(crate) async fn events(ask: Ask) -> Answer {
	ask.list::<Event, _>(0, "", |view, slice| view.all_events(slice).map(Some)).await
}

/// Returns the purges under way.
#[utoipa::path(
	get, path = "/v1/purges",
	params(PageParams),
	responses((status = 200, description = "A page of purges", body = List<Purge>)),
)]
pub(crate) async fn purges(ask: Ask) -> Answer {
	ask.list::<Purge, _>(0, "", |view, slice| view.purges(slice).map(Some)).await
}

/// Returns a block with the first of the pallet's events in it. Blocks without events are kept for
/// 7 days.
#[utoipa::path(
	get, path = "/v1/blocks/{block}",
	responses((status = 200, description = "The block", body = One<Block>)),
)]
pub(crate) async fn block(ask: Ask) -> Answer {
	let find = block_finder(ask.part("block"))?;
	ask.one::<Block, _>(NO_BLOCK, move |view| {
		let Some((number, row)) = find(view)? else { return Ok(None) };
		view.block_part(number, row, None).map(Some)
	})
	.await
}

/// Returns the events of a block, in their order.
#[utoipa::path(
	get, path = "/v1/blocks/{block}/events",
	params(PageParams),
	responses((status = 200, description = "A page of events", body = List<Event>)),
)]
pub(crate) async fn block_events(ask: Ask) -> Answer {
	let find = block_finder(ask.part("block"))?;
	ask.list::<Event, _>(0, NO_BLOCK, move |view, slice| {
		let Some((number, _)) = find(view)? else { return Ok(None) };
		view.block_events(number, slice).map(Some)
	})
	.await
}

const NO_BLOCK: &str = "there is no such block, or it is no longer kept";

/// Reads the number or the hash of a block. Returns a function that looks for the block.
fn block_finder(text: &str) -> Result<impl Fn(&View<'_>) -> Found<(u64, BlockRow)>> {
	let (number, hash) = (number(text), hash(text));
	if number.is_none() && hash.is_none() {
		return Err(Error::field("block", format!("block is {text}, expected a number or a hash")));
	}
	Ok(move |view: &View<'_>| {
		let number = match hash {
			Some(hash) => view.number_of(&hash)?,
			None => number,
		};
		let Some(number) = number else { return Ok(None) };
		Ok(view.block(number)?.map(|row| (number, row)))
	})
}
