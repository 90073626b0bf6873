// SPDX-License-Identifier: Apache-2.0
//! `fabric tree`: the spaces with everything in them, or what is under one id, at one block.

mod model;
mod read;

use clap::Args;
use content_fabric_client::ids::AnyId;

use self::model::Tree;
use super::{entity::Parent, Context};
use crate::Error;

/// Number of children that text lists under one parent.
const TEXT_LIMIT: usize = 20;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric tree
  fabric tree ispc… --depth 2
  fabric tree itq_… --limit 100
  fabric --json tree iten… --versions

The levels are: spaces; providers and tenants; access keys, nodes, KMSes, collections and content
objects; versions. The totals include what is not listed. Where --limit omits children, those
listed are the first ones in the order of the chain's storage.")]
pub struct Options {
	/// The space, provider, tenant or content object to start at: ispc…, iprv…, iten… or itq_…
	///
	/// [default: all spaces]
	id: Option<AnyId>,
	/// Number of levels to list
	#[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
	depth: Option<u8>,
	/// Number of children to list under one parent [default: 20 in text, all in JSON]
	#[arg(long, value_name = "N")]
	limit: Option<usize>,
	/// List the versions of each content object, too
	#[arg(long)]
	versions: bool,
}

/// The part of the tree that is read.
#[derive(Clone, Copy, Debug)]
struct Bounds {
	/// Number of levels below the root.
	levels: u8,
	/// Number of children under one parent.
	limit: usize,
	versions: bool,
}

impl Bounds {
	fn below(self) -> Self {
		Self { levels: self.levels.saturating_sub(1), ..self }
	}

	fn lists_children(self) -> bool {
		self.levels > 0
	}
}

impl Options {
	fn bounds(&self, start: Option<Parent>, json: bool) -> Bounds {
		let default = if json { usize::MAX } else { TEXT_LIMIT };
		Bounds {
			levels: self.depth.map_or(u8::MAX, |depth| depth.saturating_sub(1)),
			limit: self.limit.unwrap_or(default),
			// An object has no other children.
			versions: self.versions || matches!(start, Some(Parent::Object(_))),
		}
	}
}

pub async fn run(options: Options, context: &Context) -> Result<Tree, Error> {
	let start = options.id.map(Parent::try_from).transpose()?;
	let bounds = options.bounds(start, context.json());
	let at = context.view().await?;
	Ok(match start {
		None => at.all(bounds).await?,
		Some(Parent::Space(space)) => at.one_space(space, bounds).await?,
		Some(Parent::Member(member)) => at.one_member(member, bounds).await?,
		Some(Parent::Object(path)) => at.one_object(path, bounds).await?,
	})
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn text_is_limited_and_json_is_not_unless_a_limit_is_given() {
		let all = || Options { id: None, depth: None, limit: None, versions: false };
		let bounds = all().bounds(None, false);
		assert_eq!((bounds.limit, bounds.versions), (TEXT_LIMIT, false));
		assert_eq!(all().bounds(None, true).limit, usize::MAX);
		let given = Options { limit: Some(3), depth: Some(1), versions: true, ..all() };
		for json in [false, true] {
			let bounds = given.bounds(None, json);
			assert_eq!((bounds.limit, bounds.versions), (3, true));
			assert!(!bounds.lists_children());
		}
	}
}
