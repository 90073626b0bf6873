// SPDX-License-Identifier: Apache-2.0
//! Calls, encoded for the runtime that the chain has now. They are signed and submitted elsewhere.

use std::str::FromStr;

use content_fabric_client::{
	chain::{
		self,
		calls::{
			Call, ConfirmNode, DeleteCollection, DeleteContentObject, DeleteMember, DeleteRecords,
			DeleteVersion, EncodedCall, GovernanceDelete, PurgeMember, Reap, RemoveNode,
			SetGovernanceDelete, SetHeadVersion, SetSuspended,
		},
	},
	ids::{self, VersionArgument},
};
use content_fabric_identifiers::{ContentObjectId, Muid, ParseIdError, TenantId};
use content_fabric_primitives::MemberId;
use subxt::metadata::Metadata;
use tracing::error;

use crate::api::{
	ask::{at, missing, Answer, Ask},
	error::{Error, Kind, Result},
	views::{Encoded, One},
};

/// The default `limit` of a reap.
const REAPED: u32 = 1_000;

/// A call whose arguments are known, apart from the muid at which its member was created.
type Encode = Box<dyn FnOnce(Muid, &Metadata) -> Result<EncodedCall, chain::Error> + Send>;

/// Returns an encoded call of the pallet.
#[utoipa::path(
	get, path = "/v1/calls/{name}",
	params(
		("name" = String, Path,
			description = "The call: `set_suspended`, `set_governance_delete`, `governance_delete`, \
				`purge_member`, `delete_member`, `reap`, `confirm_node`, `remove_node`, \
				`set_head_version`, `delete_version`, `delete_content_object`, `delete_collection` \
				or `delete_record`, which is `delete_records` of one key"),
		("member" = Option<String>, Query, description = "The provider or the tenant"),
		("enabled" = Option<bool>, Query, description = "`true` to suspend or freeze"),
		("slash" = Option<String>, Query, description = "Of `governance_delete`: 0 by default"),
		("reason" = Option<String>, Query, description = "Of governance: empty by default"),
		("limit" = Option<u32>, Query, description = "Largest number of rows of `reap`: 1,000 by default"),
		("provider" = Option<String>, Query, description = "The provider of a node"),
		("node" = Option<String>, Query, description = "The node"),
		("tenant" = Option<String>, Query,
			description = "The tenant. May be left out if `object` has it"),
		("object" = Option<String>, Query,
			description = "The content object, `iq__…`, or with its tenant, `itq_…`"),
		("version" = Option<String>, Query,
			description = "The version, `hq__…`, its hash in hex, or its CID"),
		("collection" = Option<String>, Query, description = "The name of a collection"),
		("key" = Option<String>, Query, description = "The record key"),
	),
	responses((status = 200, description = "The call", body = One<Encoded>)),
)]
pub(crate) async fn call(mut ask: Ask) -> Answer {
	let (needs, encode) = read(&mut ask)?;
	ask.done()?;
	let runtime = ask.app.progress().runtime;
	let runtime = runtime.ok_or_else(|| Error::unavailable("the node has not been asked yet"))?;
	ask.answer(move |view| {
		let mut created = Muid::from_bytes([0; 16]);
		match needs {
			Needs::Nothing => {},
			Needs::Created(member) => {
				let row = view.member_row(member)?;
				created = row.ok_or_else(|| Error::missing("there is no such member"))?.created;
			},
			// One that does not exist is left to the chain.
			Needs::Version(tenant, object, named) => drop(view.version(tenant, object, named)?),
		}
		let call = encode(created, &runtime.metadata).map_err(|failure| {
			error!("a call cannot be encoded: {failure}");
			Error::new(Kind::Internal, "the runtime does not have this call")
		})?;
		Ok(One { at: at(view)?, item: Encoded::from((call, runtime.spec_version)) })
	})
	.await
}

/// The part of the state that a call needs.
enum Needs {
	Nothing,
	/// The muid at which a member was created.
	Created(MemberId),
	/// The kind of hash of a version, if it is named by its CID.
	Version(TenantId, ContentObjectId, VersionArgument),
}

/// Reads the name of a call and its arguments.
fn read(ask: &mut Ask) -> Result<(Needs, Encode)> {
	let name = ask.part("name").to_owned();
	Ok(match name.as_str() {
		"set_suspended" => {
			let (member, enabled, reason) = (member(ask)?, enabled(ask)?, reason(ask));
			of_created(member, move |created| SetSuspended { member, created, enabled, reason })
		},
		"set_governance_delete" => {
			let (member, enabled, reason) = (member(ask)?, enabled(ask)?, reason(ask));
			of_created(member, move |created| SetGovernanceDelete {
				member,
				created,
				enabled,
				reason,
			})
		},
		"governance_delete" => {
			let member = member(ask)?;
			let slash = ask.take_number("slash")?.unwrap_or_default();
			let reason = reason(ask);
			of_created(member, move |created| GovernanceDelete { member, created, slash, reason })
		},
		"purge_member" => plain(PurgeMember { member: member(ask)? }),
		"delete_member" => plain(DeleteMember { member: member(ask)? }),
		"reap" => {
			let member = member(ask)?;
			let limit = ask.take_within("limit", u32::MAX.into(), REAPED.into())?;
			plain(Reap { member, limit: u32::try_from(limit).unwrap_or(u32::MAX) })
		},
		"confirm_node" => {
			plain(ConfirmNode { provider: id(ask, "provider")?, node: id(ask, "node")? })
		},
		"remove_node" => {
			plain(RemoveNode { provider: id(ask, "provider")?, node: id(ask, "node")? })
		},
		"set_head_version" => {
			let (tenant, object) = ask.need_object()?;
			let named = ask.need("version", VersionArgument::from_str)?;
			let (_, encode) =
				plain(SetHeadVersion { tenant, object, version: Some(named.version) });
			(Needs::Version(tenant, object, named), encode)
		},
		"delete_version" => {
			let (tenant, object) = ask.need_object()?;
			let named = ask.need("version", VersionArgument::from_str)?;
			let (_, encode) = plain(DeleteVersion { tenant, object, version: named.version });
			(Needs::Version(tenant, object, named), encode)
		},
		"delete_content_object" => {
			let (tenant, object) = ask.need_object()?;
			plain(DeleteContentObject { tenant, object })
		},
		"delete_collection" => {
			plain(DeleteCollection { tenant: id(ask, "tenant")?, name: bytes(ask, "collection")? })
		},
		"delete_record" => plain(DeleteRecords {
			tenant: id(ask, "tenant")?,
			collection: bytes(ask, "collection")?,
			keys: vec![bytes(ask, "key")?],
		}),
		_ => return Err(Error::missing(format!("the call {name} is not offered"))),
	})
}

/// Returns a call whose arguments are known.
fn plain(call: impl Call + Send + 'static) -> (Needs, Encode) {
	(Needs::Nothing, Box::new(move |_, metadata| EncodedCall::new(&call, metadata)))
}

/// Returns a call that names the creation of a member.
fn of_created<C: Call>(
	member: MemberId,
	make: impl FnOnce(Muid) -> C + Send + 'static,
) -> (Needs, Encode) {
	(
		Needs::Created(member),
		Box::new(move |created, metadata| EncodedCall::new(&make(created), metadata)),
	)
}

fn member(ask: &mut Ask) -> Result<MemberId> {
	ask.need("member", ids::parse_member)
}

fn id<Id: FromStr<Err = ParseIdError>>(ask: &mut Ask, name: &str) -> Result<Id> {
	ask.need(name, ids::parse)
}

fn bytes(ask: &mut Ask, name: &str) -> Result<Vec<u8>> {
	ask.need(name, |text| Ok(text.into()))
}

fn enabled(ask: &mut Ask) -> Result<bool> {
	let enabled = ask.take_word("enabled", &[("true", true), ("false", false)])?;
	enabled.ok_or_else(|| missing("enabled"))
}

fn reason(ask: &mut Ask) -> Vec<u8> {
	ask.take("reason").unwrap_or_default().into_bytes()
}
