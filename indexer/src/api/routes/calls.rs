// SPDX-License-Identifier: Apache-2.0
//! Calls, encoded for the runtime that the chain has now. They are signed and submitted elsewhere.

use std::str::FromStr;

use axum::{extract::State, response::Response};
use content_fabric_client::{
	chain::{
		self,
		calls::{self, Call, EncodedCall},
	},
	ids,
};
use content_fabric_identifiers::{Muid, ParseIdError, VersionId};
use content_fabric_primitives::MemberId;
use subxt::metadata::Metadata;
use tracing::error;

use crate::api::{
	app::{at, App},
	ask::{wrong, Ask},
	error::{Error, Failures, Kind},
	views::{Encoded, One},
};

/// The most rows of a reap, if it is not given.
const REAPED: u32 = 1_000;

/// A call whose arguments are known, apart from the muid at which its member was created.
type Encode = Box<dyn FnOnce(Muid, &Metadata) -> Result<EncodedCall, chain::Error> + Send>;

/// Returns an encoded call of the pallet.
#[utoipa::path(
	get,
	path = "/v1/calls/{name}",
	params(
		(
			"name" = String,
			Path,
			description = "The call: `set_suspended`, `set_governance_delete`, `governance_delete`, \
				`purge_member`, `delete_member`, `reap`, `confirm_node`, `remove_node`, \
				`set_head_version`, `delete_version`, `delete_content_object`, `delete_collection` \
				or `delete_record`, which is `delete_records` of one key",
		),
		("member" = Option<String>, Query, description = "The provider or the tenant"),
		("enabled" = Option<bool>, Query, description = "`true` to suspend or freeze"),
		("slash" = Option<String>, Query, description = "Of `governance_delete`: 0 by default"),
		("reason" = Option<String>, Query, description = "Of governance: empty by default"),
		("limit" = Option<u32>, Query, description = "The most rows of `reap`: 1,000 by default"),
		("provider" = Option<String>, Query, description = "The provider of a node"),
		("node" = Option<String>, Query, description = "The node"),
		("tenant" = Option<String>, Query, description = "The tenant"),
		("object" = Option<String>, Query, description = "The content object"),
		("version" = Option<String>, Query, description = "The version"),
		("collection" = Option<String>, Query, description = "The name of a collection"),
		("key" = Option<String>, Query, description = "The record key"),
	),
	responses((status = 200, description = "The call", body = One<Encoded>), Failures),
)]
pub(crate) async fn call(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let (member, encode) = read(&mut ask)?;
	ask.done()?;
	let runtime = app.progress().runtime;
	let runtime = runtime.ok_or_else(|| Error::unavailable("the node has not been asked yet"))?;
	app.answer(ask.client, move |view| {
		let created = match member {
			None => Muid::from_bytes([0; 16]),
			Some(member) => {
				let row = view.member_row(member)?;
				row.ok_or_else(|| Error::missing("there is no such member"))?.created
			},
		};
		let call = encode(created, &runtime.metadata).map_err(|failure| {
			error!("a call cannot be encoded: {failure}");
			Error::new(Kind::Internal, "the runtime does not have this call")
		})?;
		Ok(One { at: at(view)?, item: Encoded::new(&call, runtime.spec_version) })
	})
	.await
}

/// Reads the name of a call and its arguments. Returns the member whose creation it names.
fn read(ask: &mut Ask) -> Result<(Option<MemberId>, Encode), Error> {
	let name = ask.part("name").to_owned();
	Ok(match name.as_str() {
		"set_suspended" | "set_governance_delete" => {
			let (member, enabled, reason) = (member(ask)?, enabled(ask)?, reason(ask));
			let encode = match name.as_str() {
				"set_suspended" => {
					encoder(move |created| calls::SetSuspended { member, created, enabled, reason })
				},
				_ => encoder(move |created| calls::SetGovernanceDelete {
					member,
					created,
					enabled,
					reason,
				}),
			};
			(Some(member), encode)
		},
		"governance_delete" => {
			let (member, slash, reason) = (member(ask)?, slash(ask)?, reason(ask));
			let make = move |created| calls::GovernanceDelete { member, created, slash, reason };
			(Some(member), encoder(make))
		},
		"purge_member" => {
			let member = member(ask)?;
			(None, encoder(move |_| calls::PurgeMember { member }))
		},
		"delete_member" => {
			let member = member(ask)?;
			(None, encoder(move |_| calls::DeleteMember { member }))
		},
		"reap" => {
			let member = member(ask)?;
			let limit = ask.take_within("limit", u32::MAX.into(), REAPED.into())?;
			let limit = u32::try_from(limit).unwrap_or(u32::MAX);
			(None, encoder(move |_| calls::Reap { member, limit }))
		},
		"confirm_node" => {
			let (provider, node) = (id(ask, "provider")?, id(ask, "node")?);
			(None, encoder(move |_| calls::ConfirmNode { provider, node }))
		},
		"remove_node" => {
			let (provider, node) = (id(ask, "provider")?, id(ask, "node")?);
			(None, encoder(move |_| calls::RemoveNode { provider, node }))
		},
		"set_head_version" => {
			let (tenant, object, version) = (id(ask, "tenant")?, id(ask, "object")?, version(ask)?);
			let version = Some(version);
			(None, encoder(move |_| calls::SetHeadVersion { tenant, object, version }))
		},
		"delete_version" => {
			let (tenant, object, version) = (id(ask, "tenant")?, id(ask, "object")?, version(ask)?);
			(None, encoder(move |_| calls::DeleteVersion { tenant, object, version }))
		},
		"delete_content_object" => {
			let (tenant, object) = (id(ask, "tenant")?, id(ask, "object")?);
			(None, encoder(move |_| calls::DeleteContentObject { tenant, object }))
		},
		"delete_collection" => {
			let (tenant, name) = (id(ask, "tenant")?, needed(ask, "collection")?.into_bytes());
			(None, encoder(move |_| calls::DeleteCollection { tenant, name }))
		},
		"delete_record" => {
			let tenant = id(ask, "tenant")?;
			let collection = needed(ask, "collection")?.into_bytes();
			let keys = vec![needed(ask, "key")?.into_bytes()];
			(None, encoder(move |_| calls::DeleteRecords { tenant, collection, keys }))
		},
		_ => return Err(Error::missing(format!("the call {name} is not offered"))),
	})
}

fn encoder<C: Call>(make: impl FnOnce(Muid) -> C + Send + 'static) -> Encode {
	Box::new(move |created, metadata| EncodedCall::new(&make(created), metadata))
}

fn needed(ask: &mut Ask, name: &str) -> Result<String, Error> {
	ask.take(name).ok_or_else(|| Error::field(name, format!("{name} is missing")))
}

fn id<Id: FromStr<Err = ParseIdError>>(ask: &mut Ask, name: &str) -> Result<Id, Error> {
	ids::parse(&needed(ask, name)?).map_err(wrong(name))
}

fn member(ask: &mut Ask) -> Result<MemberId, Error> {
	ids::parse_member(&needed(ask, "member")?).map_err(wrong("member"))
}

fn version(ask: &mut Ask) -> Result<VersionId, Error> {
	ids::parse_version(&needed(ask, "version")?).map_err(wrong("version"))
}

fn enabled(ask: &mut Ask) -> Result<bool, Error> {
	let enabled = ask.take_word("enabled", &[("true", true), ("false", false)])?;
	enabled.ok_or_else(|| Error::field("enabled", "enabled is missing"))
}

fn reason(ask: &mut Ask) -> Vec<u8> {
	ask.take("reason").unwrap_or_default().into_bytes()
}

fn slash(ask: &mut Ask) -> Result<u128, Error> {
	let Some(text) = ask.take("slash") else { return Ok(0) };
	let wrong = || Error::field("slash", format!("slash is {text}, expected a number"));
	let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
	if is_number { text.parse().ok() } else { None }.ok_or_else(wrong)
}
