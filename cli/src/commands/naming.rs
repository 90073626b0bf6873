// SPDX-License-Identifier: Apache-2.0
//! The name of an entity that is about to be created, or its id.

use std::str::FromStr;

use clap::{builder::NonEmptyStringValueParser, Args};

use crate::Error;

/// An id that the command line takes.
pub trait ParsedId:
	FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static
{
}

impl<Id> ParsedId for Id where
	Id: FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static
{
}

/// An id on the command line: itself, or the name from which it is derived.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Naming<Id: ParsedId> {
	/// The name, from which the id is derived. The chain does not store it
	#[arg(long, value_parser = NonEmptyStringValueParser::new())]
	name: Option<String>,
	/// The id, instead of a name
	#[arg(long)]
	id: Option<Id>,
}

impl<Id: ParsedId> Naming<Id> {
	/// Returns the id, which `derive` makes of the name if that is given.
	pub fn resolve(&self, derive: impl FnOnce(&str) -> Id) -> Result<Id, Error> {
		match (&self.id, &self.name) {
			(Some(id), _) => Ok(id.clone()),
			(None, Some(name)) => Ok(derive(name)),
			(None, None) => Err(Error::Usage("--name or --id is missing".into())),
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::ids;
	use content_fabric_identifiers::{NodeId, ProviderId};

	use super::*;
	use crate::commands::parsed;

	fn resolve(arguments: &[&str]) -> Result<NodeId, String> {
		let naming = parsed::<Naming<NodeId>>(arguments).map_err(|error| error.to_string())?;
		let derive = |name: &str| ids::node(ProviderId([1; 10]), name);
		naming.resolve(derive).map_err(|error| error.to_string())
	}

	#[test]
	fn an_id_is_given_or_derived_from_a_name() {
		let id = NodeId([7; 10]);
		assert_eq!(resolve(&["--id", &id.to_string()]), Ok(id));
		assert_eq!(resolve(&["--name", "eu-1"]), Ok(ids::node(ProviderId([1; 10]), "eu-1")));
	}

	#[test]
	fn neither_both_empty_names_and_ids_of_other_kinds_are_refused() {
		let id = NodeId([7; 10]).to_string();
		for arguments in [
			&[][..],
			&["--name", "eu-1", "--id", &id],
			&["--name", ""],
			&["--id", "iten1111111111"],
			&["--id", "eu-1"],
		] {
			assert!(resolve(arguments).is_err(), "{arguments:?}");
		}
	}
}
