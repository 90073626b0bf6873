//! `fabric create-collection`: creates a collection for records of a tenant.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{RecordKey, RecordKeySyntax, RecordKeyType, TenantId};
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	ids,
	output::Report,
	storage::Syntax,
	text_limits::TextLimit,
	Error,
};

/// The arguments of `fabric create-collection`.
#[derive(Debug, Args)]
pub struct Options {
	/// The tenant's id, iten….
	pub tenant: String,
	/// The name of the collection: letters, digits, `.`, `-`, `_` and `~`.
	pub name: String,
	/// The type of the records' keys: tid, nsid, any, or a single one, such as literal:self.
	#[arg(value_name = "TYPE")]
	pub key_type: String,
	/// The characters that keys may have.
	#[arg(long, default_value = "path-segment")]
	pub syntax: Syntax,
	/// The key of an account with the level admin or above in the tenant, which signs: a secret
	/// phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// A collection that was created.
#[derive(Clone, Debug, Serialize)]
pub struct Created {
	/// The tenant's id.
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The type of its records' keys.
	pub key_type: String,
	/// The syntax of the keys.
	pub syntax: Syntax,
}

impl Report for Created {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { tenant, collection, key_type, syntax } = self;
		writeln!(
			out,
			"created collection {collection} in tenant {tenant}, type {key_type}, syntax {syntax}"
		)
	}
}

/// Reads the name of a collection.
pub fn name(text: &str) -> Result<&str, Error> {
	RecordKey::parse(text, RecordKeySyntax::Unreserved).map(|key| key.as_str()).map_err(|reason| {
		Error::Text {
			text: text.into(),
			what: "the name of a collection",
			reason: reason.to_string(),
		}
	})
}

/// Reads a type of record keys.
fn key_type(text: &str, syntax: Syntax) -> Result<RecordKeyType<String>, Error> {
	let parsed = RecordKeyType::parse(text, syntax.into()).map_err(|reason| Error::Text {
		text: text.into(),
		what: "a type of record keys",
		reason: reason.to_string(),
	})?;
	Ok(parsed.map(|key| key.to_string()))
}

/// Creates the collection.
pub async fn run(options: Options, url: &str) -> Result<Created, Error> {
	let Options { tenant, name, key_type, syntax, signer } = options;
	let id: TenantId = ids::parse(&tenant)?;
	let name = self::name(&name)?.to_owned();
	let parsed = self::key_type(&key_type, syntax)?;
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	let at = chain.best().await?;
	TextLimit::CollectionName.ensure(&at, "NAME", &name)?;
	if let Some(key) = parsed.as_ref().literal() {
		TextLimit::RecordKey.ensure(&at, "the key of TYPE", key)?;
	}
	chain.submit(&signer, calls::create_collection(id, &name, &parsed, syntax)).await?;
	Ok(Created { tenant, collection: name, key_type, syntax })
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn invalid_names_and_types_are_refused_in_one_line() {
		assert!(name("names-1.0_~").is_ok());
		assert!(key_type("literal:self", Syntax::Unreserved).is_ok());
		assert!(key_type("literal:a:b", Syntax::PathSegment).is_ok());
		for error in [
			name("a:b").map(drop),
			name("").map(drop),
			key_type("tids", Syntax::PathSegment).map(drop),
			key_type("literal:", Syntax::PathSegment).map(drop),
			key_type("literal:a:b", Syntax::Unreserved).map(drop),
		] {
			let error = error.expect_err("it is refused").to_string();
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}
}
