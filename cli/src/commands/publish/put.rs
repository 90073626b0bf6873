// SPDX-License-Identifier: Apache-2.0
//! `fabric put`: publishes files with their bytes, through a content node.
//!
//! It does what `fabric publish` does with a directory, except that the content node commits and
//! finalizes the versions: what is final has its bytes there.

use std::{path::PathBuf, str::FromStr, sync::Arc};

use clap::{builder::NonEmptyStringValueParser, Args};
use content_fabric_client::{
	amount::AmountText,
	chain::{self, rows, Chain},
	content_node::{server, ContentNode, NodeError, Status},
	ids,
	keys::KeySource,
	profile::IndexUrl,
};
use content_fabric_identifiers::NodeId;

use super::{
	options::{Create, Keys, SpaceArgument, MAX_HELD},
	upload::Store,
};
use crate::{
	commands::{Context, WaitFor},
	input::{read_files, Input},
	Error,
};

#[derive(Debug, Args)]
pub struct Options {
	/// The file, or the directory with the files
	path: PathBuf,
	/// The content node that takes in the bytes: its URL, or inod…
	#[arg(long, value_name = "URL|ID")]
	node: NodeArgument,
	/// The name of the source, which becomes a tenant [default: the name of the directory, or of a
	/// single file's folder]
	#[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
	source: Option<String>,
	/// Publish files and folders whose names begin with a dot, too
	#[arg(long)]
	hidden: bool,
	/// Replace records that lead to something else
	#[arg(long)]
	replace: bool,
	/// Do not ask before a tenant is created
	#[arg(long, short)]
	yes: bool,
	/// Show what would be done, and sign nothing
	#[arg(long)]
	dry_run: bool,
	/// Wait at the end until all is in best blocks, which a fork can retract, or in finalized ones
	#[arg(long, value_enum, default_value_t = WaitFor::Finalized, value_name = "BLOCK")]
	wait: WaitFor,
	/// The key of the root of the tenant, which signs commits and records: env:NAME, file:PATH,
	/// keystore:PATH, - for standard input, or a development key such as //Alice
	///
	/// [default: the profile's; on development chains //Charlie]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	signer: Option<KeySource>,
	/// Maximum number of seconds that a commit may be ahead of the clock of this machine [default:
	/// 60, except on development chains and with development keys]
	#[arg(long, value_name = "SECONDS")]
	max_ahead: Option<u64>,
	/// The most that may be on hold for a tenant that does not exist yet: bond and deposits
	/// together
	#[arg(
		long,
		default_value = MAX_HELD,
		value_name = "AMOUNT",
		allow_hyphen_values = true
	)]
	max_held: AmountText,
}

#[derive(Clone, Debug)]
enum NodeArgument {
	Url(IndexUrl),
	Id(NodeId),
}

impl FromStr for NodeArgument {
	type Err = Error;

	fn from_str(text: &str) -> Result<Self, Error> {
		if text.starts_with(NodeId::PREFIX) {
			return Ok(Self::Id(ids::parse(text)?));
		}
		// It may hold secrets, so the error of a URL repeats less than the text.
		text.parse().map(Self::Url).map_err(|_| NodeError::Url.into())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let (folder, content) = read_files(&options.path, options.source.as_deref(), options.hidden)?;
	let chain = context.connect().await?;
	let (node, status) = find(&options.node, &chain, context).await?;
	let at = chain.best().await?;
	let (provider, id) = (status.provider, status.node);
	let rows::Node { pending, medallion, .. } = at.node(provider, id).await?;
	if pending {
		return Err(Error::Refused(format!("the node {id} of {provider} has yet to be confirmed")));
	}
	let space = at.member(provider.into()).await?.space;
	let options = super::Options {
		input: Input::Path(options.path),
		source: options.source,
		hidden: options.hidden,
		space: SpaceArgument { id: space, name: None },
		replace: options.replace,
		yes: options.yes,
		dry_run: options.dry_run,
		wait: options.wait,
		keys: Keys {
			signer: options.signer,
			provider: None,
			tenant: None,
			max_ahead: options.max_ahead,
			governor: None,
		},
		create: Create::of_tenant(options.max_held)?,
	};
	let store = Store { node, status, medallion: medallion.into(), folder };
	super::publish_content(&options, &content, Some(&store), chain, context).await
}

/// Finds a content node, and asks it for its ids.
async fn find(
	argument: &NodeArgument,
	chain: &Arc<Chain>,
	context: &Context,
) -> Result<(ContentNode, Status), Error> {
	let (url, expected) = match argument {
		NodeArgument::Url(url) => (url.clone(), None),
		NodeArgument::Id(id) => {
			let nodes = chain.best().await?.rows(rows::nodes(), ()).await?;
			let mut found = nodes.into_iter().filter(|((_, node), _)| node == id);
			let ((provider, _), row) =
				found.next().ok_or_else(|| chain::Error::unknown("node", id))?;
			if found.next().is_some() {
				let several = "several providers have a node with this id: name it by its URL";
				return Err(Error::Usage(format!("{id}: {several}")));
			}
			let url = server(&row.locator.raw())
				.map_err(|error| Error::from(error).with_hint(format!("{id} cannot be reached")))?;
			(url, Some((provider, *id)))
		},
	};
	context.ensure_secure(&url)?;
	let node = ContentNode::new(url);
	let status = node.status().await?;
	match expected {
		Some(expected) if expected != (status.provider, status.node) => {
			let url = node.url();
			Err(Error::Usage(format!("{url} serves the node {}, not {}", status.node, expected.1)))
		},
		_ => Ok((node, status)),
	}
}
