// SPDX-License-Identifier: Apache-2.0
//! `fabric version finalize`: declares that a node holds versions.

use clap::Args;
use content_fabric_client::{
	chain::calls,
	ids::{ObjectArgument, VersionArgument},
};
use content_fabric_identifiers::{ContentObjectId, NodeId, ProviderId, TenantId, VersionId};

use crate::{
	commands::{Action, Authority, Setting, View},
	Error,
};

/// Versions of an object at a node
#[derive(Debug, Args)]
pub struct Finalize {
	/// The tenant, iten…
	tenant: TenantId,
	/// The content object, iq__… or itq_…
	object: ObjectArgument,
	/// The versions: hq__…, their hashes in hex, or their CIDs
	#[arg(required = true, value_name = "VERSION")]
	versions: Vec<VersionArgument>,
	/// The provider of the node, iprv…
	#[arg(long, value_name = "ID")]
	provider: ProviderId,
	/// The node, inod…
	#[arg(long, value_name = "ID")]
	node: NodeId,
}

impl Finalize {
	/// Returns the versions with their object as they are on the chain, and a text that names them.
	async fn versions(
		&self,
		setting: &Setting<'_>,
	) -> Result<(View, Vec<(ContentObjectId, VersionId)>, String), Error> {
		let object = self.object.of(self.tenant)?;
		let at = setting.view().await?;
		let (mut versions, mut names) = (Vec::new(), Vec::new());
		for named in &self.versions {
			let version = at.version_id((self.tenant, object), *named).await?;
			versions.push((object, version));
			names.push(version.to_string());
		}
		let named = format!("{} of {object} of {}", names.join(", "), self.tenant);
		Ok((at, versions, named))
	}
}

pub async fn finalize(options: Finalize, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, versions, named) = options.versions(setting).await?;
	let Finalize { tenant, provider, node, .. } = options;
	let summary = format!("finalize {named}");
	let call = calls::FinalizeVersions { provider, node, tenant, versions };
	at.action(Authority::Provider, call, summary)
}
