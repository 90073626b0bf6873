// SPDX-License-Identifier: Apache-2.0
//! `fabric find`: names of all tenants.

use clap::Args;
use content_fabric_identifiers::SpaceId;

use super::{
	listing::{Limit, Records},
	Context,
};
use crate::{index, Error};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric find serd --index https://index.example.com
  fabric find --words serde json --space ispc…

Prints the records of all tenants whose names start with NAME, or, with --words, have all the
words, and the final block at which the index was read, with its age. The index answers, and
nothing proves the answer: `fabric resolve` asks a node.")]
pub struct Options {
	/// The start of the name, or words of it
	#[arg(value_name = "NAME", required = true)]
	names: Vec<String>,
	/// Find names that have these words
	#[arg(long)]
	words: bool,
	/// Find names of tenants of this space only, ispc…
	#[arg(long, value_name = "ID")]
	space: Option<SpaceId>,
	#[command(flatten)]
	limit: Limit,
}

impl Options {
	fn query(&self) -> Result<Vec<(&'static str, String)>, Error> {
		let name = match (&self.names[..], self.words) {
			(words, true) => ("words", words.join(" ")),
			([prefix], false) => ("prefix", prefix.clone()),
			(_, false) => {
				let text =
					"a name starts with one NAME: pass --words to find names by several words";
				return Err(Error::Usage(text.into()));
			},
		};
		let space = self.space.map(|space| ("space", space.to_string()));
		Ok([Some(name), space].into_iter().flatten().collect())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<Records, Error> {
	let query = options.query()?;
	let query: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
	let index = context.index("fabric find").await?;
	Ok(index.list::<index::Record>(&["names"], &query, options.limit.limit).await?.into())
}

#[cfg(test)]
mod tests {
	use super::*;

	fn query(names: &[&str], words: bool) -> Result<Vec<(&'static str, String)>, Error> {
		let names = names.iter().map(|name| (*name).to_owned()).collect();
		let space = Some(SpaceId([1; 10]));
		Options { names, words, space, limit: Limit { limit: 50 } }.query()
	}

	#[test]
	fn names_are_found_by_one_prefix_or_by_words() {
		let space = ("space", SpaceId([1; 10]).to_string());
		assert_eq!(
			query(&["serd"], false).ok(),
			Some(vec![("prefix", "serd".into()), space.clone()])
		);
		assert_eq!(
			query(&["serde", "json"], true).ok(),
			Some(vec![("words", "serde json".into()), space])
		);
		let error = query(&["serde", "json"], false).expect_err("which is the prefix?").to_string();
		assert!(error.contains("pass --words"), "{error}");
	}
}
