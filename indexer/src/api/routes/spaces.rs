// SPDX-License-Identifier: Apache-2.0
//! Spaces.

use axum::{extract::State, response::Response};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::Role;

use crate::{
	api::{
		app::{at, App, DiskView},
		ask::{Ask, PageParams},
		error::{Error, Failures},
		views::{Admission, Hour, List, Member, One, Space},
	},
	index::view::{MemberOrder, SpaceOrder},
};

/// The message if a space does not exist.
const MISSING: &str = "there is no such space";
/// Hours of totals if no number is given.
const HOURS: u64 = 168;
/// The most members in an order of amounts.
const HIGHEST: usize = 100;

/// Returns the spaces.
#[utoipa::path(
	get,
	path = "/v1/spaces",
	params(
		(
			"order" = Option<String>,
			Query,
			description = "The order: `id` (default) or `age`, the oldest first",
		),
		PageParams,
	),
	responses((status = 200, description = "A page of spaces", body = List<Space>), Failures),
)]
pub(crate) async fn spaces(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let order = ask.take_order([("id", SpaceOrder::Id), ("age", SpaceOrder::Age)])?;
	let client = ask.client;
	let paging = ask.page(order as u8)?;
	app.list(client, paging, MISSING, move |view, slice| {
		Ok(Some(view.spaces(order, slice)?.map(Space::from)))
	})
	.await
}

/// Returns a space.
#[utoipa::path(
	get,
	path = "/v1/spaces/{space}",
	params(("space" = String, Path, description = "The space, `ispc…`")),
	responses((status = 200, description = "The space", body = One<Space>), Failures),
)]
pub(crate) async fn space(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id: SpaceId = ask.id("space")?;
	app.one(&ask, MISSING, move |view| Ok(view.space(id)?.map(Space::from))).await
}

/// Returns the members of a space.
#[utoipa::path(
	get,
	path = "/v1/spaces/{space}/members",
	params(
		("space" = String, Path, description = "The space, `ispc…`"),
		("role" = Option<String>, Query, description = "Only `provider` or `tenant`"),
		(
			"order" = Option<String>,
			Query,
			description = "The order: `id` (default); `age`, the oldest first; `bond` or `rows`, \
				the highest first, without a next page",
		),
		PageParams,
	),
	responses((status = 200, description = "A page of members", body = List<Member>), Failures),
)]
pub(crate) async fn members(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let space: SpaceId = ask.id("space")?;
	let role = ask.take_word("role", &[("provider", Role::Provider), ("tenant", Role::Tenant)])?;
	let order = ask.take_order([
		("id", MemberOrder::Id),
		("age", MemberOrder::Age),
		("bond", MemberOrder::Bond),
		("rows", MemberOrder::Rows),
	])?;
	let client = ask.client;
	let mut paging = ask.page(order as u8)?;
	paging.slice.limit = paging.slice.limit.min(HIGHEST);
	app.list(client, paging, MISSING, move |view, slice| {
		Ok(view.members(space, role, order, slice)?.map(|page| page.map(Member::from)))
	})
	.await
}

/// Returns the unused admissions to a space.
#[utoipa::path(
	get,
	path = "/v1/spaces/{space}/admissions",
	params(("space" = String, Path, description = "The space, `ispc…`"), PageParams),
	responses(
		(status = 200, description = "A page of admissions", body = List<Admission>),
		Failures,
	),
)]
pub(crate) async fn admissions(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let space: SpaceId = ask.id("space")?;
	let client = ask.client;
	let paging = ask.page(0)?;
	app.list(client, paging, MISSING, move |view, slice| {
		Ok(view.admissions(space, slice)?.map(|page| page.map(Admission::from)))
	})
	.await
}

/// Returns the totals of a space by hour, the oldest first, without those in which nothing changed.
#[utoipa::path(
	get,
	path = "/v1/spaces/{space}/totals",
	params(
		("space" = String, Path, description = "The space, `ispc…`"),
		(
			"hours" = Option<u64>,
			Query,
			description = "Number of hours before the last block, 168 if it is not given",
		),
	),
	responses((status = 200, description = "The totals", body = List<Hour>), Failures),
)]
pub(crate) async fn space_totals(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let space: SpaceId = ask.id("space")?;
	hourly(&app, ask, Some(space)).await
}

/// Returns the totals of all spaces by hour, the oldest first, without those in which nothing
/// changed.
#[utoipa::path(
	get,
	path = "/v1/totals",
	params(
		(
			"hours" = Option<u64>,
			Query,
			description = "Number of hours before the last block, 168 if it is not given",
		),
	),
	responses((status = 200, description = "The totals", body = List<Hour>), Failures),
)]
pub(crate) async fn totals(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	hourly(&app, ask, None).await
}

async fn hourly(app: &App, mut ask: Ask, space: Option<SpaceId>) -> Result<Response, Error> {
	let hours = ask.take_within("hours", app.limits().hours, HOURS)?;
	ask.done()?;
	let run = move |view: &DiskView<'_>| {
		let at = at(view)?;
		let totals = view.totals(space, at.time, hours)?.ok_or_else(|| Error::missing(MISSING))?;
		let items: Vec<_> = totals.into_iter().map(Hour::from).collect();
		Ok(List { at, items, next: None })
	};
	app.answer(ask.client, run).await
}
