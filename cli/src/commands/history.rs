// SPDX-License-Identifier: Apache-2.0
//! `fabric history`: the events of an entity or an account.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	chain::ChainEvent,
	ids::{parse_account, AnyId, IdError},
	text::printable,
};
use serde::Serialize;

use super::{
	listing::{time, Limit, Seen},
	Context,
};
use crate::{
	index::{Event, List},
	output::Report,
	Error,
};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric history iten… --index https://index.example.com
  fabric history itq_… --oldest --limit 10
  fabric history 5Grw… --json
  fabric history 5Grw… --signed-by --oldest

Prints the events that name the entity or the account, the newest first. With --signed-by, it prints
what the account did: the events of the calls that it signed, with their transactions. `fabric \
watch` prints events as they happen, and needs no index.

The signer is the account that signed the transaction. Where the pallet saw another account or
origin, `via` says so: a proxy signs for its real account, the last signatory for a multisig, a
member of the council who closed the motion for the council, and the sudo key for root. Commits that
the account has signed for a content node, as `fabric put` does, are in the list of the node's
operator, who signs their transactions: only the call has the signer of the commit. Calls without an
event of the content fabric are not listed: those that failed, votes, approvals and transfers.")]
pub struct Options {
	/// The entity, ispc…, iprv…, inod…, iten…, ikms… or itq_…, or the address of an account
	#[arg(value_name = "ID", value_parser = parse_subject)]
	id: String,
	/// Print the events of the calls that the account has signed
	#[arg(long)]
	signed_by: bool,
	/// Print the oldest events first
	#[arg(long)]
	oldest: bool,
	#[command(flatten)]
	limit: Limit,
}

/// Reads the address of an account, or the id of an entity, but not of a content object without its
/// tenant, nor of a version. Returns the text.
fn parse_subject(text: &str) -> Result<String, IdError> {
	let refused = |kind| IdError::Kind {
		text: text.into(),
		found: format!("the id of {kind}"),
		needed: "a space, a provider, a node, a tenant, a KMS or a content object with its tenant"
			.into(),
		prefixes: "ispc…, iprv…, inod…, iten…, ikms…, itq_…".into(),
	};
	match text.parse() {
		Ok(AnyId::ContentObject(_)) => Err(refused("a content object")),
		Ok(AnyId::Version(_)) => Err(refused("a version")),
		Ok(id) => Ok(id.to_string()),
		Err(IdError::Prefix { .. }) => parse_account(text).map(|account| account.to_string()),
		Err(error) => Err(error),
	}
}

/// The events of an entity or an account.
#[derive(Serialize)]
pub struct History {
	#[serde(flatten)]
	seen: Seen,
	events: Vec<Event>,
	more: bool,
	/// The first block whose events the index has, if it lacks earlier ones.
	history_since: Option<u64>,
}

impl Report for History {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for event in &self.events {
			write_event(event, out)?;
		}
		self.seen.write(out, self.events.len(), ["event", "events"], self.more)?;
		match self.history_since {
			Some(block) => writeln!(out, "the index has no events before block {block}"),
			None => Ok(()),
		}
	}
}

fn write_event(event: &Event, out: &mut dyn Write) -> io::Result<()> {
	writeln!(out, "block {}, {}", event.block, time(event.time))?;
	let shown = ChainEvent {
		pallet: "ContentFabric".into(),
		name: event.name.clone(),
		fields: event.fields.clone(),
		fabric: Ok(None),
	};
	writeln!(out, "  {shown}")?;
	let signer = event.signer.map(|signer| format!("signer {signer}"));
	let via = (!event.via.is_empty()).then(|| format!("via {}", printable(&event.via.join(", "))));
	let transaction = event.extrinsic_hash.map(|hash| format!("transaction {hash}"));
	let origin: Vec<_> = [signer, via, transaction].into_iter().flatten().collect();
	match origin.is_empty() {
		true => Ok(()),
		false => writeln!(out, "  {}", origin.join(", ")),
	}
}

pub async fn run(options: Options, context: &Context) -> Result<History, Error> {
	let Options { id, signed_by, oldest, limit } = options;
	if signed_by && parse_account(&id).is_err() {
		let error = format!("{id} is not the address of an account, and only accounts sign");
		return Err(Error::Usage(error));
	}
	let index = context.index("fabric history").await?;
	let order = if oldest { "oldest" } else { "newest" };
	let path = if signed_by { vec!["accounts", &id, "signed"] } else { vec!["history", &id] };
	let List { at, items, more } = index.list(&path, &[("order", order)], limit.limit).await?;
	let is_other =
		|event: &Event| event.signer.map(|signer| signer.to_string()) != Some(id.clone());
	if signed_by && items.iter().any(is_other) {
		return Err(index.unasked("an event of another signer").into());
	}
	let history_since = index.status().history_since;
	Ok(History { seen: at.into(), events: items, more, history_since })
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};

	use super::*;
	use crate::output::text_of;

	fn event() -> Event {
		let hash = "0d".repeat(32);
		let text = format!(
			r#"{{"id":"8-0x{hash}-3","block":8,"blockHash":"0x{hash}","time":0,"index":3,
			    "extrinsic":1,"name":"RecordPut\u009b","fields":{{"tenant":"iten","key":"a\u001bb"}},
			    "signer":"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
			    "extrinsicHash":"0x{hash}","via":["council","x\u202ey"]}}"#
		);
		serde_json::from_str(&text).expect("the event is sound")
	}

	fn history(history_since: Option<u64>) -> History {
		let seen = Seen { block: 9, is_final: true, age: Some(0) };
		History { seen, events: vec![event()], more: false, history_since }
	}

	#[test]
	fn events_are_shown_with_block_time_signer_and_detour_without_control_characters() {
		assert_eq!(
			text_of(&history(Some(4))),
			"block 8, 1970-01-01T00:00:00Z\n  RecordPut\\u{9b} tenant=iten key=a\\u{1b}b\n  \
			 signer 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY, via council, x\\u{202e}y, \
			 transaction 0x0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d\n\
			 block 9, 0 seconds old: 1 event\nthe index has no events before block 4\n"
		);
	}

	#[test]
	fn json_has_the_fields_in_their_order() {
		let json = content_fabric_client::text::json_line(&history(None))
			.expect("reports have a JSON form");
		assert!(json.contains(r#""fields":{"tenant":"iten","key":"a\u001bb"}"#), "{json}");
		assert!(
			json.starts_with(r#"{"block":9,"final":true,"age":0,"events":[{"block":8,"#),
			"{json}"
		);
		assert!(json.contains(r#""event_index":3,"extrinsic_index":1,"#), "{json}");
	}

	#[test]
	fn entities_and_accounts_have_a_history() {
		let (tenant, object) = (TenantId([1; 10]), ContentObjectId([2; 10]));
		let account = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
		for text in [
			tenant.to_string(),
			ContentObjectPath { tenant, object }.to_string(),
			account.to_owned(),
		] {
			assert_eq!(parse_subject(&text), Ok(text));
		}
		let refused = |text: &str| parse_subject(text).expect_err("it has none").to_string();
		assert!(refused(&object.to_string()).contains("is the id of a content object, expected "));
		let version = VersionId([3; 32]);
		for text in [version.to_string(), hex::encode(version.0)] {
			assert!(refused(&text).contains("is the id of a version, "), "{text}");
		}
		assert!(refused("iten0").starts_with("`iten0` is not an id: "));
		assert!(refused("5Grw").starts_with("`5Grw` is not the address of an account: "));
	}
}
