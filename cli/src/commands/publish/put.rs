// SPDX-License-Identifier: Apache-2.0
//! `fabric put`: publishes files with their bytes, through a content node.
//!
//! It does what `fabric publish` does with a directory, except that the content node commits and
//! finalizes the versions: what is final has its bytes there.

use std::{path::PathBuf, str::FromStr, sync::Arc};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, Chain},
	content_node::{server, ContentNode, NodeError, Status},
	ids,
	profile::IndexUrl,
	publish::{Keys, Publisher, Store},
	text::printable,
};
use content_fabric_identifiers::{NodeId, ProviderId};

use super::{encrypted, options::Shared, Run};
use crate::{
	commands::{tenant_key::TenantKey, Context},
	consent::confirm,
	input::read_files,
	output::warn,
	Error,
};

#[derive(Debug, Args)]
pub struct Options {
	/// The file, or the directory with the files
	path: PathBuf,
	/// The content node that takes in the bytes: its URL, or inod…
	#[arg(long, value_name = "URL|ID")]
	node: NodeArgument,
	/// Remove from the chain the files that the directory no longer has, and old records that lead
	/// nowhere. Asks first
	#[arg(long)]
	delete: bool,
	#[command(flatten)]
	encryption: encrypted::Options,
	#[command(flatten)]
	shared: Shared,
	#[command(flatten)]
	key: TenantKey,
	/// An option of `publish`.
	#[arg(long, hide = true, value_name = "NAME")]
	space: Option<String>,
	/// Another one.
	#[arg(long, hide = true, value_name = "KEY")]
	tenant: Option<String>,
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

impl Options {
	/// Refuses options of `publish`, for which the tips of the parser are misleading.
	fn ensure_none_of_publish(&self) -> Result<(), Error> {
		let refusal = match (&self.space, &self.tenant) {
			(Some(_), _) => {
				"`put` has no --space: files are put in the space of the content node's provider"
			},
			(_, Some(_)) => {
				"`put` has no --tenant: the id of the tenant is derived from --source, by default the \
				 name of the directory, and --signer names its key"
			},
			(None, None) => return Ok(()),
		};
		Err(Error::Usage(refusal.into()))
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	options.ensure_none_of_publish()?;
	let Options { path, node, delete, encryption, shared, key, .. } = &options;
	shared.ensure_one_path()?;
	if *delete && !path.is_dir() {
		let path = printable(&path.to_string_lossy());
		return Err(Error::Usage(format!(
			"--delete needs a directory, which has all files of its tenant, and {path} is not one"
		)));
	}
	let (folder, mut content) = read_files(path, shared.source.as_deref(), shared.hidden)?;
	let chain = context.connect().await?;
	let (node, status) = find(node, &chain, context).await?;
	let at = chain.best().await?;
	let (provider, id) = (status.provider, status.node);
	let rows::Node { pending, medallion, .. } = at.node(provider, id).await?;
	if pending {
		return Err(Error::Refused(format!("the node {id} of {provider} has yet to be confirmed")));
	}
	let space = at.member(provider.into()).await?.space;
	let mut settings = shared.of(space, context, &chain.identity().units)?;
	settings.copies = shared.copies(&at, context, (provider, id)).await?;
	let tenant = Arc::new(key.signer(context, &chain)?);
	let encrypted = match encryption.encrypt {
		true => {
			let to = (space, shared);
			encryption.prepare(&mut content, &folder, &chain, context, to).await?
		},
		false => {
			encryption.ensure_plain(&content, &at, space).await?;
			None
		},
	};
	// A file that cannot be put may be on the chain under an old name.
	settings.delete = *delete && content.failed.is_empty();
	if *delete && !settings.delete {
		warn("warning: nothing is removed, because some files cannot be put");
	}
	let keys = Keys { provider: tenant.clone(), tenant, governor: None };
	let files = encrypted.as_ref().map(|encrypted| encrypted.store());
	let store = Store { node, status, medallion: medallion.into(), folder, encrypted: files };
	let run =
		Run { context, shared, content: &content, encrypted: encrypted.as_ref(), ask: confirm };
	let with_store = |publisher: Publisher| publisher.with_store(store);
	let result = run.run(chain.clone(), keys, settings, with_store).await;
	if let Some(encrypted) = encrypted {
		encrypted.finish(&chain).await;
	}
	result
}

/// Returns the provider that has a node with an id, and the node's row.
pub(super) async fn node_of(chain: &Chain, id: NodeId) -> Result<(ProviderId, rows::Node), Error> {
	let nodes = chain.best().await?.rows(rows::nodes(), ()).await?;
	let mut found = nodes.into_iter().filter(|((_, node), _)| *node == id);
	let ((provider, _), row) = found.next().ok_or_else(|| chain::Error::unknown("node", id))?;
	match found.next() {
		None => Ok((provider, row)),
		Some(_) => Err(Error::Usage(format!(
			"{id}: several providers have a node with this id: `put` names it by its URL"
		))),
	}
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
			let (provider, row) = node_of(chain, *id).await?;
			let url = server(&row.locator.raw())
				.map_err(|error| Error::from(error).with_hint(format!("{id} cannot be reached")))?;
			(url, Some((provider, *id)))
		},
	};
	context.ensure_secure(&url).map_err(|error| Error::Url { origin: "--node".into(), error })?;
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
