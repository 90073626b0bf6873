//! `fabric delete-tenant`: governance deletes a whole tenancy with one call.

use std::io::{self, Write};

use content_fabric_identifiers::TenantId;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain, Snapshot},
	output::{count, Report},
	storage, Error,
};

/// What was deleted.
#[derive(Clone, Debug, Serialize)]
pub struct Deleted {
	/// The tenant's id.
	pub tenant: String,
	/// The number of rows that were under it.
	pub rows: u32,
	/// The number of the block after which nothing was left.
	pub block: u64,
}

impl Report for Deleted {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let rows = count(self.rows, "row", "rows");
		writeln!(out, "deleted tenant {} with {rows} in one call", self.tenant)?;
		writeln!(out, "block {}: nothing is left under it, and its id is free again", self.block)
	}
}

/// Deletes the tenant with all its rows, and checks that none is left.
pub async fn run(chain: &Chain, tenant: TenantId, governor: &Account) -> Result<Deleted, Error> {
	let before = chain.best().await?;
	let member = before.get(&storage::tenants(), (tenant.0,)).await?;
	let rows =
		member.ok_or_else(|| Error::Unknown { kind: "tenant", id: tenant.to_string() })?.rows;
	chain.submit(governor, calls::governance_delete_tenant(tenant, rows)).await?;

	let after = chain.best().await?;
	match rows_under(&after, tenant).await? {
		0 => Ok(Deleted { tenant: tenant.to_string(), rows, block: after.block_number() }),
		rows => Err(Error::RowsLeft { id: tenant.to_string(), rows }),
	}
}

/// The rows of a tenant's maps, and its own.
async fn rows_under(at: &Snapshot, tenant: TenantId) -> Result<usize, Error> {
	let prefix = (tenant.0,);
	Ok(usize::from(at.get(&storage::tenants(), prefix).await?.is_some())
		+ at.rows(&storage::tenant_keys(), prefix).await?.len()
		+ at.rows(&storage::kmses(), prefix).await?.len()
		+ at.rows(&storage::content_objects(), prefix).await?.len()
		+ at.rows(&storage::versions(), prefix).await?.len())
}
