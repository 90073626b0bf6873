//! The command line of `fabric publish`.

use clap::{builder::NonEmptyStringValueParser, Args};

use crate::{
	input::{Format, Input},
	output::amount,
};

/// The arguments of `fabric publish`.
#[derive(Debug, Args)]
pub struct Options {
	/// The Cargo.lock, the Packages index, or the directory. Files may be compressed with gzip, xz or
	/// LZ4; `-` is standard input.
	pub path: Input,
	/// The format of the input. By default it is guessed from the name and the first lines.
	#[arg(long)]
	pub format: Option<Format>,
	/// The name of the source of a Packages index or a directory. By default its own name, without
	/// the suffix of a compression.
	#[arg(long, value_name = "NAME")]
	pub source: Option<String>,
	/// The name of the space. Ids are derived from names.
	#[arg(
		long,
		default_value = "cargo",
		value_name = "NAME",
		value_parser = NonEmptyStringValueParser::new()
	)]
	pub space: String,
	/// The key of the space's governor. Signs only if the space does not exist, and must then be
	/// the chain's sudo key.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
	/// The key of the root of the provider whose node takes in the content. Signs as its operator.
	#[arg(long, default_value = "//Bob", value_name = "KEY")]
	pub provider: String,
	/// The key of the root of the tenants. Signs commits and records.
	#[arg(long, default_value = "//Charlie", value_name = "KEY")]
	pub tenant: String,
	/// The locator of the provider's node, if it does not exist.
	#[arg(long, default_value = "/ip4/127.0.0.1/tcp/30333", value_name = "LOCATOR")]
	pub node_locator: String,
	/// The locator of the tenants' KMS, if it does not exist.
	#[arg(long, default_value = "https://127.0.0.1/kms", value_name = "LOCATOR")]
	pub kms_locator: String,
	/// The bond of a provider in the space, if the space does not exist. In the smallest unit of
	/// the chain's currency.
	#[arg(long, default_value = "1000000000000", value_parser = amount, value_name = "N")]
	pub provider_bond: u128,
	/// The bond of a tenant in the space, if the space does not exist. In the smallest unit of the
	/// chain's currency.
	#[arg(long, default_value = "1000000000000", value_parser = amount, value_name = "N")]
	pub tenant_bond: u128,
	/// The most that may be on hold for the provider, and for each tenant, bond and deposits
	/// together, if they do not exist. In the smallest unit of the chain's currency.
	#[arg(long, default_value = "100000000000000000", value_parser = amount, value_name = "N")]
	pub max_held: u128,
}
