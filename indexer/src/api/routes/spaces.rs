// SPDX-License-Identifier: Apache-2.0
//! Spaces.

use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::Role;

use crate::{
	api::{
		ask::{at, Answer, Ask, PageParams},
		error::Error,
		views::{Admission, Hour, List, Member, One, Space},
	},
	index::view::{MemberOrder, Order},
};

const MISSING: &str = "there is no such space";
/// Hours of totals if no number is given.
const HOURS: u64 = 168;
/// Largest number of hours of totals.
const MAX_HOURS: u64 = 24 * 366;

/// Returns the spaces.
#[utoipa::path(
	get, path = "/v1/spaces",
	params(
		("order" = Option<String>, Query,
			description = "The order: `id` (default) or `age`, the oldest first"),
		PageParams,
	),
	responses((status = 200, description = "A page of spaces", body = List<Space>)),
)]
pub(crate) async fn spaces(mut ask: Ask) -> Answer {
	let order = ask.take_order([("id", Order::Id), ("age", Order::Age)])?;
	ask.list::<Space, _>(order as u8, MISSING, move |view, slice| {
		view.spaces(order, slice).map(Some)
	})
	.await
}

/// Returns a space.
#[utoipa::path(
	get, path = "/v1/spaces/{space}",
	responses((status = 200, description = "The space", body = One<Space>)),
)]
pub(crate) async fn space(ask: Ask) -> Answer {
	let id = ask.id("space")?;
	ask.one::<Space, _>(MISSING, move |view| Ok(view.space(id)?.map(|row| (id, row)))).await
}

/// Returns the members of a space.
#[utoipa::path(
	get, path = "/v1/spaces/{space}/members",
	params(
		("role" = Option<String>, Query, description = "Only `provider` or `tenant`"),
		("order" = Option<String>, Query,
			description = "The order: `id` (default); `age`, the oldest first; `bond` or `rows`, \
				the highest first, without a next page"),
		PageParams,
	),
	responses((status = 200, description = "A page of members", body = List<Member>)),
)]
pub(crate) async fn members(mut ask: Ask) -> Answer {
	let space = ask.id("space")?;
	let role = ask.take_word("role", &[("provider", Role::Provider), ("tenant", Role::Tenant)])?;
	let order = ask.take_order([
		("id", MemberOrder::Id),
		("age", MemberOrder::Age),
		("bond", MemberOrder::Bond),
		("rows", MemberOrder::Rows),
	])?;
	ask.list::<Member, _>(order as u8, MISSING, move |view, slice| {
		view.members(space, role, order, slice)
	})
	.await
}

/// Returns the unused admissions to a space.
#[utoipa::path(
	get, path = "/v1/spaces/{space}/admissions",
	params(PageParams),
	responses((status = 200, description = "A page of admissions", body = List<Admission>)),
)]
pub(crate) async fn admissions(ask: Ask) -> Answer {
	let space = ask.id("space")?;
	ask.list::<Admission, _>(0, MISSING, move |view, slice| view.admissions(space, slice)).await
}

/// Returns the totals of a space by hour, the oldest first, without those in which nothing changed.
#[utoipa::path(
	get, path = "/v1/spaces/{space}/totals",
	params(
		("hours" = Option<u64>, Query,
			description = "Number of hours before the last block, 168 if it is not given"),
	),
	responses((status = 200, description = "The totals", body = List<Hour>)),
)]
pub(crate) async fn space_totals(ask: Ask) -> Answer {
	let space = ask.id("space")?;
	hourly(ask, Some(space)).await
}

/// Returns the totals of all spaces by hour, the oldest first, without those in which nothing
/// changed.
#[utoipa::path(
	get, path = "/v1/totals",
	params(
		("hours" = Option<u64>, Query,
			description = "Number of hours before the last block, 168 if it is not given"),
	),
	responses((status = 200, description = "The totals", body = List<Hour>)),
)]
pub(crate) async fn totals(ask: Ask) -> Answer {
	hourly(ask, None).await
}

async fn hourly(mut ask: Ask, space: Option<SpaceId>) -> Answer {
	let hours = ask.take_within("hours", MAX_HOURS, HOURS)?;
	ask.answer(move |view| {
		let at = at(view)?;
		let totals = view.totals(space, at.time, hours)?.ok_or_else(|| Error::missing(MISSING))?;
		let items: Vec<_> = totals.into_iter().map(Hour::from).collect();
		Ok(List { at, items, next: None })
	})
	.await
}
