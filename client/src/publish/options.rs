//! What the command line says about publishing.

use std::path::PathBuf;

use clap::Args;

use crate::{content::Format, output::amount};

/// What is published, by whom, and where.
#[derive(Debug, Args)]
pub struct Options {
	/// The Cargo.lock, or the unpacked Packages index.
	pub path: PathBuf,
	/// The format of the file. Without one it is told by the file's name and its first lines.
	#[arg(long)]
	pub format: Option<Format>,
	/// The name of the source that a Packages index is of. Without one it is the name of the file.
	#[arg(long, value_name = "NAME")]
	pub source: Option<String>,
	/// The name of the space. Ids are derived from names.
	#[arg(long, default_value = "cargo", value_name = "NAME")]
	pub space: String,
	/// The key of the space's governor, which must also be the chain's sudo key if the space has
	/// yet to be created.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
	/// The key of the provider whose node takes in the content.
	#[arg(long, default_value = "//Bob", value_name = "KEY")]
	pub provider: String,
	/// The key of the tenants.
	#[arg(long, default_value = "//Charlie", value_name = "KEY")]
	pub tenant: String,
	/// Where the provider's node is reached.
	#[arg(long, default_value = "/ip4/127.0.0.1/tcp/30333", value_name = "LOCATOR")]
	pub node_locator: String,
	/// Where the tenants' KMS is reached.
	#[arg(long, default_value = "https://127.0.0.1/kms", value_name = "LOCATOR")]
	pub kms_locator: String,
	/// What a provider must have bonded in the space if it has yet to be created, in the smallest
	/// unit of the chain's currency.
	#[arg(long, default_value = "1000000000000", value_parser = amount, value_name = "N")]
	pub provider_bond: u128,
	/// What a tenant must have bonded in the space if it has yet to be created, in the smallest
	/// unit of the chain's currency.
	#[arg(long, default_value = "1000000000000", value_parser = amount, value_name = "N")]
	pub tenant_bond: u128,
}
