// SPDX-License-Identifier: Apache-2.0
//! `fabric collection`: creates and deletes collections of records.

mod schema;

use clap::{
	builder::{PossibleValuesParser, TypedValueParser},
	Args, Subcommand,
};
use content_fabric_client::{
	chain::{calls, TextLimit},
	record_names::{advice, collection_advice},
};
use content_fabric_identifiers::{RecordKey, RecordKeySyntax, RecordKeyType, TenantId};

use self::schema::Schema;
use super::{Action, Authority, Context, Setting, Submit};
use crate::{input::Input, output::warn, record_argument, Error};

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a collection
	#[command(after_long_help = "\
Examples:
  fabric collection create iten… names --key-type any
  fabric collection create iten… profile --key-type literal:self --syntax unreserved
  fabric collection create iten… posts --key-type tid
  fabric collection create iten… --schema app.bsky.feed.post.json

The chain mints the keys of records of a collection with the key type tid.")]
	Create(Submit<Create>),
	/// Delete a collection that has no records
	#[command(after_long_help = "\
Example:
  fabric collection delete iten… names

Delete its records first, with `fabric record delete`.")]
	Delete(Submit<Which>),
}

#[derive(Debug, Args)]
pub struct Create {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection: letters, digits, `.`, `-`, `_` and `~`
	#[arg(value_parser = record_argument::parse_collection, required_unless_present = "schema")]
	name: Option<String>,
	/// The type of the record keys: tid, nsid, any, or a single key, literal:VALUE
	#[arg(long, value_name = "TYPE", required_unless_present = "schema")]
	key_type: Option<String>,
	/// The Lexicon document that describes the records, `-` for standard input. Gives the name of
	/// the collection and the type of the record keys
	#[arg(long, value_name = "FILE", conflicts_with_all = ["name", "key_type"])]
	schema: Option<Input>,
	/// The characters of the record keys: path-segment allows `:`, too
	#[arg(long, default_value_t, value_parser = syntax_parser())]
	syntax: RecordKeySyntax,
}

/// `fabric collection delete` and `fabric governance delete-collection`
#[derive(Debug, Args)]
pub struct Which {
	/// The tenant, iten…
	pub(super) tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_argument::parse_collection)]
	pub(super) name: String,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Create(command) => command.run(context, create).await,
		Command::Delete(command) => command.run(context, delete).await,
	}
}

fn syntax_parser() -> impl TypedValueParser<Value = RecordKeySyntax> {
	let names = [RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment];
	PossibleValuesParser::new(names.map(RecordKeySyntax::as_str))
		.try_map(|text| RecordKeySyntax::parse(&text))
}

fn key_type(text: &str, syntax: RecordKeySyntax) -> Result<RecordKeyType<RecordKey<'_>>, Error> {
	RecordKeyType::parse(text, syntax).map_err(|reason| Error::Text {
		text: text.into(),
		what: "a type of record keys",
		reason: reason.to_string(),
	})
}

async fn create(options: Create, setting: &Setting<'_>) -> Result<Action, Error> {
	let Create { tenant, name, key_type: text, schema, syntax } = options;
	let (name, text) = match (schema, name, text) {
		(Some(input), ..) => {
			let Schema { id, key_type } = Schema::read(&input)?;
			(id, key_type)
		},
		(None, Some(name), Some(text)) => (name, text),
		_ => return Err(Error::Usage("pass NAME and --key-type, or --schema".into())),
	};
	let key_type = key_type(&text, syntax)?;
	let at = setting.view().await?;
	TextLimit::CollectionName.ensure(&at, "NAME", &name)?;
	if let Some(literal) = key_type.literal() {
		TextLimit::RecordKey.ensure(&at, "the key of the type", literal.as_str())?;
	}
	let of_key = key_type.literal().and_then(|key| advice(&name, key.as_str()));
	for advice in [collection_advice(&name), of_key].into_iter().flatten() {
		warn(&format!("warning: {advice}"));
	}
	let summary = format!(
		"create the collection {name} of {tenant}, with keys of the type {text} in the syntax \
		 {syntax}"
	);
	let key_type = key_type.map(|key| key.as_str().as_bytes().to_vec());
	let call = calls::CreateCollection { tenant, name: name.into_bytes(), key_type, syntax };
	at.action(Authority::Tenant, call, summary)
}

async fn delete(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { tenant, name } = options;
	let at = setting.view().await?;
	TextLimit::CollectionName.ensure(&at, "NAME", &name)?;
	let summary = format!("delete the collection {name} of {tenant}");
	let call = calls::DeleteCollection { tenant, name: name.into_bytes() };
	at.destructive(Authority::Tenant, call, summary)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn literals_have_the_syntax_of_the_collection() {
		let (unreserved, path_segment) =
			(RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment);
		assert!(key_type("literal:self", unreserved).is_ok());
		assert!(key_type("literal:a:b", path_segment).is_ok());
		for (text, syntax) in
			[("tids", path_segment), ("literal:", path_segment), ("literal:a:b", unreserved)]
		{
			let error = key_type(text, syntax).expect_err("the type is invalid").to_string();
			assert!(error.contains("is not a type of record keys: "), "{error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}
}
