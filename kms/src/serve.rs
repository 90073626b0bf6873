// SPDX-License-Identifier: Apache-2.0
//! The command `serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use content_fabric_client::profile::NodeUrl;
use content_fabric_http_server::{listen, raise_file_limit, told_to_stop};
use content_fabric_identifiers::{KmsId, TenantId};
use tracing::info;

use crate::{
	api::{self, App, LIMITS},
	chain::{listed, Fabric},
	cli::IdentityFiles,
	error::Error,
	receipts::{Owner, Receipts},
};

/// Number of files that may be open at once: each connection, and others.
const MAX_FILES: usize = LIMITS.connections + 64;

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
	/// The URL of a node of the chain
	#[arg(long, value_name = "URL", env = "FABRIC_URL", default_value = "ws://127.0.0.1:9944")]
	pub url: NodeUrl,
	/// Allow a connection to another machine without encryption
	#[arg(long)]
	pub insecure: bool,
	/// The tenant whose readers get keys, iten…
	#[arg(long, value_name = "ID")]
	pub tenant: TenantId,
	/// The KMS, ikms…
	#[arg(long, value_name = "ID")]
	pub kms: KmsId,
	#[command(flatten)]
	pub identities: IdentityFiles,
	/// The folder of the receipts, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_KMS_DATA")]
	pub data: PathBuf,
	/// The address to listen on
	#[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8091")]
	pub listen: SocketAddr,
}

/// Serves a KMS until the process gets a signal to stop.
pub async fn serve(options: Serve) -> Result<(), Error> {
	raise_file_limit(MAX_FILES);
	let (listener, address) = listen(options.listen).await?;
	let identities = options.identities.load()?;
	let (tenant, kms) = (options.tenant, options.kms);
	let fabric = Fabric::start(options.url, (tenant, kms), identities.keys()).await?;
	let owner = Owner { genesis: fabric.genesis, tenant, created: fabric.created, kms };
	let receipts = Receipts::open(&options.data, owner)?;
	info!("the keys are {}, and the receipts {}", listed(&fabric.keys), receipts.count());
	info!("serving http://{address}");
	let app = App::new(fabric, identities, receipts);
	let following = app.clone();
	tokio::select! {
		() = api::serve(listener, app, told_to_stop()) => {},
		() = following.fabric.keep_following() => {},
	}
	Ok(())
}
