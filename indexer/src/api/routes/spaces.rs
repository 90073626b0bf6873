// SPDX-License-Identifier: Apache-2.0
//! Spaces.

use axum::{extract::State, response::Response};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::Role;

use crate::{
	api::{
		app::{at, App},
		ask::{Ask, PageParams},
		error::{Error, Failures},
		views::{Admission, Hour, List, Member, One, Space},
	},
	index::view::{MemberOrder, SpaceOrder, View},
};

/// The message if a space does not exist.
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
	responses((status = 200, description = "A page of spaces", body = List<Space>), Failures),
)]
pub(crate) async fn spaces(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let order = ask.take_order([("id", SpaceOrder::Id), ("age", SpaceOrder::Age)])?;
	app.list::<Space, _>(ask, order as u8, MISSING, move |view, slice| {
		view.spaces(order, slice).map(Some)
	})
	.await
}

/// Returns a space.
#[utoipa::path(
	get, path = "/v1/spaces/{space}",
	params(("space" = String, Path, description = "The space, `ispc…`")),
	responses((status = 200, description = "The space", body = One<Space>), Failures),
)]
pub(crate) async fn space(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let id = ask.id("space")?;
	app.one::<Space, _>(ask, MISSING, move |view| view.space(id)).await
}

/// Returns the members of a space.
#[utoipa::path(
	get, path = "/v1/spaces/{space}/members",
	params(
		("space" = String, Path, description = "The space, `ispc…`"),
		("role" = Option<String>, Query, description = "Only `provider` or `tenant`"),
		("order" = Option<String>, Query,
			description = "The order: `id` (default); `age`, the oldest first; `bond` or `rows`, \
				the highest first, without a next page"),
		PageParams,
	),
	responses((status = 200, description = "A page of members", body = List<Member>), Failures),
)]
pub(crate) async fn members(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let space = ask.id("space")?;
	let role = ask.take_word("role", &[("provider", Role::Provider), ("tenant", Role::Tenant)])?;
	let order = ask.take_order([
		("id", MemberOrder::Id),
		("age", MemberOrder::Age),
		("bond", MemberOrder::Bond),
		("rows", MemberOrder::Rows),
	])?;
	app.list::<Member, _>(ask, order as u8, MISSING, move |view, slice| {
		view.members(space, role, order, slice)
	})
	.await
}

/// Returns the unused admissions to a space.
#[utoipa::path(
	get, path = "/v1/spaces/{space}/admissions",
	params(("space" = String, Path, description = "The space, `ispc…`"), PageParams),
	responses(
		(status = 200, description = "A page of admissions", body = List<Admission>),
		Failures,
	),
)]
pub(crate) async fn admissions(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let space = ask.id("space")?;
	app.list::<Admission, _>(ask, 0, MISSING, move |view, slice| view.admissions(space, slice))
		.await
}

/// Returns the totals of a space by hour, the oldest first, without those in which nothing changed.
#[utoipa::path(
	get, path = "/v1/spaces/{space}/totals",
	params(
		("space" = String, Path, description = "The space, `ispc…`"),
		("hours" = Option<u64>, Query,
			description = "Number of hours before the last block, 168 if it is not given"),
	),
	responses((status = 200, description = "The totals", body = List<Hour>), Failures),
)]
pub(crate) async fn space_totals(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let space = ask.id("space")?;
	hourly(&app, ask, Some(space)).await
}

/// Returns the totals of all spaces by hour, the oldest first, without those in which nothing
/// changed.
#[utoipa::path(
	get, path = "/v1/totals",
	params(
		("hours" = Option<u64>, Query,
			description = "Number of hours before the last block, 168 if it is not given"),
	),
	responses((status = 200, description = "The totals", body = List<Hour>), Failures),
)]
pub(crate) async fn totals(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	hourly(&app, ask, None).await
}

async fn hourly(app: &App, mut ask: Ask, space: Option<SpaceId>) -> Result<Response, Error> {
	let hours = ask.take_within("hours", MAX_HOURS, HOURS)?;
	ask.done()?;
	let run = move |view: &View<'_>| {
		let at = at(view)?;
		let totals = view.totals(space, at.time, hours)?.ok_or_else(|| Error::missing(MISSING))?;
		let items: Vec<_> = totals.into_iter().map(Hour::from).collect();
		Ok(List { at, items, next: None })
	};
	app.answer(ask.client, run).await
}
