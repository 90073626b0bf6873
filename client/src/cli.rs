//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::{
	chain::Chain, delete_tenant, lockfile, output, publish, set_key, show, storage::Level, tree,
	Error,
};

/// A client of a content fabric.
#[derive(Debug, Parser)]
#[command(name = "fabric", version)]
pub struct Cli {
	/// What to do.
	#[command(subcommand)]
	pub command: Command,

	/// Where the node serves JSON-RPC.
	#[arg(long, global = true, default_value = "ws://127.0.0.1:9944", value_name = "URL")]
	pub url: String,

	/// Print the result as one line of JSON.
	#[arg(long, global = true)]
	pub json: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Publish the packages of a Cargo.lock: a tenant for each registry, a content object for each
	/// package, a version for each of its versions.
	Publish {
		/// The lock file.
		path: PathBuf,
		/// Who publishes, and where.
		#[command(flatten)]
		options: PublishOptions,
	},
	/// Print the spaces with all that is in them.
	Tree {
		/// List the versions of each content object too.
		#[arg(long)]
		versions: bool,
	},
	/// Have governance delete a whole tenancy with one call.
	DeleteTenant {
		/// The tenant's id, iten….
		tenant: String,
		/// The key of the space's governor: a secret phrase, or a derivation such as //Alice.
		#[arg(long, default_value = "//Alice", value_name = "KEY")]
		governor: String,
	},
	/// Give an account a level in a provider or a tenant, or take it.
	SetKey {
		/// The id of the provider (iprv…) or the tenant (iten…).
		id: String,
		/// The account's address.
		account: String,
		/// The level: node or admin in a provider, content, kms or admin in a tenant. Without one the
		/// account loses its level.
		level: Option<Level>,
		/// The key of an account whose level is above the account's present and its new one: a secret
		/// phrase, or a derivation such as //Alice.
		#[arg(long, value_name = "KEY")]
		signer: String,
	},
	/// Print what the chain knows of an id.
	Show {
		/// The id of a space (ispc…), provider (iprv…), node (inod…), tenant (iten…), KMS (ikms…),
		/// content object (itq_… or iq__…) or version (hq__…).
		id: String,
	},
}

/// Who publishes, and where.
#[derive(Debug, Args)]
pub struct PublishOptions {
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
}

/// Does what the command line says.
pub async fn run(cli: Cli) -> Result<(), Error> {
	match cli.command {
		Command::Publish { path, options } => {
			// A bad file or key is told before a node is looked for.
			let content = lockfile::read(&path)?;
			let publisher = publish::Publisher::new(&options)?;
			let chain = Chain::connect(&cli.url).await?;
			output::print(&publisher.publish(&chain, content).await?, cli.json)
		},
		Command::Tree { versions } => {
			let chain = Chain::connect(&cli.url).await?;
			output::print(&tree::read(&chain, versions).await?, cli.json)
		},
		Command::DeleteTenant { tenant, governor } => {
			let tenant = tenant.parse().map_err(|reason| Error::Id { text: tenant, reason })?;
			let governor = governor.parse()?;
			let chain = Chain::connect(&cli.url).await?;
			output::print(&delete_tenant::run(&chain, tenant, &governor).await?, cli.json)
		},
		Command::SetKey { id, account, level, signer } => {
			let (id, account) = (id.parse()?, set_key::account(&account)?);
			let signer = signer.parse()?;
			let chain = Chain::connect(&cli.url).await?;
			output::print(&set_key::run(&chain, id, account, level, &signer).await?, cli.json)
		},
		Command::Show { id } => {
			let id = id.parse()?;
			let chain = Chain::connect(&cli.url).await?;
			output::print(&show::read(&chain, id).await?, cli.json)
		},
	}
}
