// SPDX-License-Identifier: Apache-2.0
//! Rows that must exist, and rows that are found by others.

use std::collections::{HashMap, HashSet};

use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, TenantId, VersionId};
use content_fabric_primitives::MemberId;

use super::{rows, Error, Snapshot};
use crate::{ids::VersionArgument, text::Text};

/// Providers, or tenants.
pub type Members = Vec<(MemberId, rows::Member)>;

/// The rows of versions on the chain, by version.
pub type VersionRows = HashMap<VersionId, Vec<(TenantId, ContentObjectId, rows::Version)>>;

impl Snapshot {
	/// Finds all rows of these versions. The chain has no index by version, so this reads the rows
	/// of all versions.
	pub async fn rows_of_versions(
		&self,
		wanted: &HashSet<VersionId>,
	) -> Result<VersionRows, Error> {
		let mut found = VersionRows::new();
		for ((tenant, object, version), row) in self.rows(rows::versions(), ()).await? {
			if wanted.contains(&version) {
				found.entry(version).or_default().push((tenant, object, row));
			}
		}
		Ok(found)
	}

	/// Returns for each copy of a version whether its node still exists, and is not being purged
	/// with its provider.
	pub async fn present_copies(&self, version: &rows::Version) -> Result<Vec<bool>, Error> {
		let mut present = Vec::new();
		for copy in &version.copies {
			let node = self.get(rows::nodes(), (copy.provider, copy.node)).await?;
			let purge = self.get(rows::purges(), (copy.provider.into(),)).await?;
			let node = node.filter(|_| purge.is_none());
			present.push(copy.is_of(node.map(|node| node.medallion)));
		}
		Ok(present)
	}

	/// Returns the id of a version of an object. Fails if it was named by a CID of another kind of
	/// hash than the chain has. A version that does not exist is left to the chain.
	pub async fn version_id(
		&self,
		(tenant, object): (TenantId, ContentObjectId),
		named: VersionArgument,
	) -> Result<VersionId, Error> {
		let version = named.version;
		if named.hash.is_some() {
			if let Some(row) = self.get(rows::versions(), (tenant, object, version)).await? {
				named.ensure(row.hash)?;
			}
		}
		Ok(version)
	}

	/// Returns the row of a node, which must exist.
	pub async fn node(&self, provider: ProviderId, node: NodeId) -> Result<rows::Node, Error> {
		let row = self.get(rows::nodes(), (provider, node)).await?;
		row.ok_or_else(|| Error::unknown("node", format!("{node} of {provider}")))
	}

	/// Returns the row of a KMS, which must exist.
	pub async fn kms(&self, tenant: TenantId, kms: KmsId) -> Result<rows::Kms, Error> {
		let row = self.get(rows::kmses(), (tenant, kms)).await?;
		row.ok_or_else(|| Error::unknown("KMS", format!("{kms} of {tenant}")))
	}

	/// Returns the row of a collection, which must exist.
	pub async fn collection(
		&self,
		tenant: TenantId,
		name: &str,
	) -> Result<rows::Collection, Error> {
		let row = self.get(rows::collections(), (tenant, Text(name.into()))).await?;
		row.ok_or_else(|| Error::unknown("collection", format!("{name} of the tenant {tenant}")))
	}

	/// Returns all providers, and all tenants.
	pub async fn members(&self) -> Result<(Members, Members), Error> {
		let (providers, tenants) =
			futures::try_join!(self.rows(rows::providers(), ()), self.rows(rows::tenants(), ()))?;
		let providers = providers.into_iter().map(|((id,), info)| (id.into(), info));
		let tenants = tenants.into_iter().map(|((id,), info)| (id.into(), info));
		Ok((providers.collect(), tenants.collect()))
	}

	/// Checks that a tenant exists and is not being purged: then its rows do not count any more.
	pub async fn ensure_whole(&self, tenant: TenantId) -> Result<(), Error> {
		let member = tenant.into();
		match self.member(member).await?.purge {
			Some(_) => Err(Error::BeingPurged(member)),
			None => Ok(()),
		}
	}
}
