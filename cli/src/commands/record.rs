// SPDX-License-Identifier: Apache-2.0
//! `fabric record`: puts, deletes and lists records, which name content.

mod list;

use std::io::{self, Write};

use clap::{Args, Subcommand};
use content_fabric_client::{
	chain::{calls, FabricEvent, Snapshot, TextLimit},
	ids::{ObjectArgument, VersionArgument},
	record_names::{self, described, name_of},
	text::{count, Text},
};
use content_fabric_identifiers::{RecordKeyType, TenantId};
use content_fabric_primitives::ContentRef;
use serde::Serialize;

use self::list::List;
use super::{Action, Authority, Context, Outcome, Setting, Submit};
use crate::{
	index::record_uri,
	output::{warn, Report},
	record_argument::{self, syntax_of, NamedRecord, RecordArgument, RecordText},
	Error,
};

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a record that names content, or point a record to other content
	#[command(after_long_help = "\
Examples:
  fabric record put iten… names serde --object iq__…
  fabric record put iten… names serde:1.0.0 --object iq__… --version hq__…
  fabric record put iten… posts --object iq__…
  fabric record put iten… people did:plc:z72i7hdynmk6r22z27h6tvur --object iq__…
  fabric record put iten… names --key toml:1.2.1~2bspec-1.1.0 --object iq__…

Without --version the record resolves to the current head of the object. Without NAME and --key the
chain mints a key, in a collection with the key type tid.")]
	Put(Submit<Put>),
	/// Delete records of a collection. Their content stays
	#[command(after_long_help = "\
Example:
  fabric record delete iten… names serde serde:1.0.0
  fabric record delete iten… names --key toml:1.2.1~2bspec-1.1.0

Either all of the records are deleted or none.")]
	Delete(Submit<Delete>),
	/// List the records of a collection, from the chain or, with --index, from an index
	#[command(after_long_help = "\
Examples:
  fabric record list iten… names
  fabric record list iten… posts --newest --limit 10 --index https://index.example.com
  fabric record list iten… posts --since 2026-01-31
  fabric record list iten… names --prefix serde:
  fabric record list iten… names --dangling

TIME is a date in UTC, such as 2026-01-31, or a time with its offset, such as 2026-01-31T12:00:00Z.
Without --index, and without one in the profile, the command reads the whole collection from the
chain, and prints the first records in the order of their keys. With --light it does so, too.
`fabric unpublish iten… --dangling` deletes the records that lead nowhere.")]
	List(List),
}

#[derive(Debug, Args)]
pub struct Put {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_argument::parse_collection)]
	collection: String,
	/// The record.
	#[command(flatten)]
	record: RecordArgument,
	/// The content object, iq__… or itq_…
	#[arg(long, value_name = "ID")]
	object: ObjectArgument,
	/// The version of the object: hq__…, its hash in hex, or its CID [default: its current head,
	/// even if it changes]
	#[arg(long, value_name = "ID")]
	version: Option<VersionArgument>,
}

#[derive(Debug, Args)]
pub struct Delete {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_argument::parse_collection)]
	collection: String,
	/// The names of the records
	#[arg(
		required_unless_present = "keys",
		value_name = "NAME",
		value_parser = record_argument::parse_name
	)]
	names: Vec<RecordText>,
	/// The key of a record. Can be repeated
	#[arg(
		long = "key",
		value_name = "KEY",
		value_parser = record_argument::parse_key,
		allow_hyphen_values = true
	)]
	keys: Vec<RecordText>,
}

#[derive(Serialize)]
struct RecordOutcome {
	#[serde(flatten)]
	outcome: Outcome,
	#[serde(skip_serializing_if = "Option::is_none")]
	record: Option<PutRecord>,
}

#[derive(Debug, PartialEq, Serialize)]
struct PutRecord {
	/// Its key, which the chain may have minted.
	key: String,
	/// The key without escapes.
	name: String,
	uri: Option<String>,
}

impl Report for RecordOutcome {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		self.outcome.write_text(out)?;
		match &self.record {
			Some(PutRecord { uri: Some(uri), .. }) => writeln!(out, "record {uri}"),
			Some(PutRecord { key, uri: None, .. }) => writeln!(out, "record {key}"),
			None => Ok(()),
		}
	}
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Put(command) => command.put(context).await,
		Command::Delete(command) => command.run(context, delete).await,
		Command::List(command) => context.report(&command.run(context).await?),
	}
}

impl Submit<Put> {
	async fn put(self, context: &Context) -> Result<(), Error> {
		let (tenant, collection) = (self.command.tenant, self.command.collection.clone());
		let text = self.command.record.clone().into_text();
		let outcome = self.outcome(context, put).await?;
		let record = record_put(&outcome, tenant, &collection, text);
		let report = RecordOutcome { outcome, record };
		context.report(&report)?;
		report.outcome.verdict()
	}
}

async fn put(options: Put, setting: &Setting<'_>) -> Result<Action, Error> {
	let Put { tenant, collection, record, object, version } = options;
	let object = object.of(tenant)?;
	let at = setting.view().await?;
	let record = record_that_fits(&at, tenant, &collection, record.into_text()).await?;
	let advice = |record: &NamedRecord| record_names::advice(&collection, &record.key);
	if let Some(advice) = record.as_ref().and_then(advice) {
		warn(&format!("warning: {advice}"));
	}
	let (key, record) = match record {
		Some(NamedRecord { key, name }) => {
			let record = format!("the record {}", described(&key, &name));
			(Some(key), record)
		},
		None => (None, "a record with a new TID".into()),
	};
	let version = match version {
		Some(named) => Some(at.version_id((tenant, object), named).await?),
		None => None,
	};
	let content = match version {
		Some(version) => format!("the version {version} of {object}"),
		None => format!("the head of {object}"),
	};
	let summary = format!("put {record} into {collection} of {tenant}, which leads to {content}");
	let call = calls::PutRecords {
		tenant,
		collection: collection.into_bytes(),
		records: vec![(key.map(String::into_bytes), ContentRef { object, version })],
	};
	at.action(Authority::Tenant, call, summary)
}

/// Returns a record that the collection, which must exist, accepts.
async fn record_that_fits(
	at: &Snapshot,
	tenant: TenantId,
	collection: &str,
	text: Option<RecordText>,
) -> Result<Option<NamedRecord>, Error> {
	TextLimit::CollectionName.ensure(at, "COLLECTION", collection)?;
	let info = at.collection(tenant, collection).await?;
	let Some(text) = text else {
		return match info.key_type {
			RecordKeyType::Tid => Ok(None),
			_ => Err(Error::Usage(format!(
				"the collection {collection} needs a NAME, or --key: the chain mints keys only where \
				 the key type is tid"
			))),
		};
	};
	let record = text.found(at, tenant, collection, info.syntax).await?;
	TextLimit::RecordKey.ensure(at, "KEY", &record.key)?;
	let key_type = info.key_type.map(|literal| literal.0);
	key_type.check(&record.key, info.syntax).map_err(|reason| Error::Text {
		text: record.key.clone(),
		what: "a record key of this collection",
		reason: reason.to_string(),
	})?;
	Ok(Some(record))
}

/// Returns the record of the last event that says that one was put.
fn record_put(
	outcome: &Outcome,
	tenant: TenantId,
	collection: &str,
	text: Option<RecordText>,
) -> Option<PutRecord> {
	let Outcome::Submitted(submitted) = outcome else { return None };
	let key = submitted.find_event(|event| match event {
		FabricEvent::RecordPut { key, .. } => Some(key.clone()),
		_ => None,
	})?;
	let uri = record_uri(tenant, &Text(collection.into()), &key);
	let key = key.raw().into_owned();
	let name = match text {
		Some(RecordText::Name(name)) => name,
		_ => name_of(&key).into_owned(),
	};
	Some(PutRecord { key, name, uri })
}

async fn delete(options: Delete, setting: &Setting<'_>) -> Result<Action, Error> {
	let Delete { tenant, collection, names, keys } = options;
	let at = setting.view().await?;
	TextLimit::CollectionName.ensure(&at, "COLLECTION", &collection)?;
	let texts = [names, keys].concat();
	let syntax = syntax_of(&at, tenant, &collection, &texts).await?;
	let mut records = Vec::with_capacity(texts.len());
	for text in texts {
		records.push(text.found(&at, tenant, &collection, syntax).await?);
	}
	for record in &records {
		TextLimit::RecordKey.ensure(&at, "KEY", &record.key)?;
	}
	let limit: u32 = at.constant("ContentFabric", "MaxRecordsPerCall")?;
	if u32::try_from(records.len()).is_ok_and(|number| number > limit) {
		return Err(Error::Usage(format!(
			"{} are named, and the chain deletes at most {limit} in one call",
			count(records.len() as u64, "record", "records")
		)));
	}
	let named = match &records[..] {
		[NamedRecord { key, name }] => format!("the record {}", described(key, name)),
		records => {
			let keys: Vec<_> = records.iter().map(|record| &*record.key).collect();
			format!("the records {}", keys.join(", "))
		},
	};
	let summary = format!("delete {named} of {collection} of {tenant}");
	let call = calls::DeleteRecords {
		tenant,
		collection: collection.into_bytes(),
		keys: records.into_iter().map(|record| record.key.into_bytes()).collect(),
	};
	at.destructive(Authority::Tenant, call, summary)
}
