// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand};
use content_fabric_client::profile::NodeUrl;
use content_fabric_command_line::Documents;
use content_fabric_http_server::{listen, raise_file_limit, told_to_stop};
use content_fabric_identifiers::{KmsId, TenantId};
use rustix::process::{set_dumpable_behavior, setrlimit, DumpableBehavior, Resource, Rlimit};
use tracing::info;

use crate::{
	api::{self, App, LIMITS},
	chain::{listed, Fabric},
	error::Error,
	identity::{self, Identities},
	offline,
	receipts::{Owner, Receipts},
};

/// Number of files that may be open at once: each connection, and others.
const MAX_FILES: usize = LIMITS.connections + 64;

/// The KMS of a content fabric: gives the keys of encrypted files to the accounts that may read
#[derive(Debug, Parser)]
#[command(name = "fabric-kms", version)]
pub struct Cli {
	#[command(subcommand)]
	command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
	/// Identities: the secret keys of a KMS
	#[command(subcommand)]
	Key(KeyCommand),
	/// Give the keys of the files of one tenant to its readers
	Serve(Box<Serve>),
	/// Decrypt a file without a chain or a server
	Unwrap(Unwrap),
	#[command(flatten)]
	Documents(Documents),
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
	/// Make an identity, write it to a new file, encrypted with a passphrase, and print its public
	/// key
	New(New),
}

#[derive(Debug, Args)]
struct New {
	/// The file, which must not exist
	#[arg(long, value_name = "FILE", default_value = "kms-identity.age")]
	output: PathBuf,
	#[command(flatten)]
	passphrase: Passphrase,
}

#[derive(Debug, Args)]
struct Passphrase {
	/// A file with one line, the passphrase of the identities. Only its owner may read it
	/// [default: ask on the terminal]
	#[arg(long, value_name = "FILE", env = "FABRIC_PASSWORD_FILE")]
	passphrase_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct IdentityFiles {
	/// The files of the identities, as `fabric-kms key new` writes them: the current one, and earlier
	/// ones for earlier files
	#[arg(long = "identity", value_name = "FILE", required = true, num_args = 1..)]
	files: Vec<PathBuf>,
	#[command(flatten)]
	passphrase: Passphrase,
}

impl IdentityFiles {
	/// Reads the identities. Asks for passphrases on the terminal if no file has them.
	fn load(&self) -> Result<Identities, Error> {
		Identities::load(&self.files, self.passphrase.passphrase_file.as_deref(), ask)
	}
}

#[derive(Debug, Args)]
struct Serve {
	/// The URL of a node of the chain
	#[arg(long, value_name = "URL", env = "FABRIC_URL", default_value = "ws://127.0.0.1:9944")]
	url: NodeUrl,
	/// Allow a connection to another machine without encryption
	#[arg(long)]
	insecure: bool,
	/// The tenant whose readers get keys, iten…
	#[arg(long, value_name = "ID")]
	tenant: TenantId,
	/// The KMS, ikms…
	#[arg(long, value_name = "ID")]
	kms: KmsId,
	#[command(flatten)]
	identities: IdentityFiles,
	/// Begin a new log of receipts although an identity was made more than an hour before the tenant
	/// was created. No other tenant may ever have had its id
	#[arg(long)]
	older_identity: bool,
	/// The folder of the receipts, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_KMS_DATA")]
	data: PathBuf,
	/// The address to listen on
	#[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8091")]
	listen: SocketAddr,
}

#[derive(Debug, Args)]
struct Unwrap {
	/// The encrypted file
	file: PathBuf,
	#[command(flatten)]
	identities: IdentityFiles,
	/// The plain file, which must not exist [default: standard output]
	#[arg(long, value_name = "FILE")]
	output: Option<PathBuf>,
}

fn ask(prompt: &str) -> std::io::Result<String> {
	rpassword::prompt_password(prompt)
}

/// Runs a command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	// The limit does not count for programs that take core dumps. The behavior does, and also keeps
	// other processes of the same user from reading the memory.
	let none = Rlimit { current: Some(0), maximum: Some(0) };
	setrlimit(Resource::Core, none)
		.and_then(|()| set_dumpable_behavior(DumpableBehavior::NotDumpable))
		.map_err(Error::Core)?;
	match cli.command {
		Command::Key(KeyCommand::New(New { output, passphrase })) => {
			let key = identity::create(&output, passphrase.passphrase_file.as_deref(), ask)?;
			println!("{key}");
			eprintln!(
				"wrote {}: keep a copy of it and its passphrase elsewhere, as nothing else decrypts what is \
				 encrypted for this key",
				output.display()
			);
			Ok(())
		},
		Command::Serve(options) => serve(*options).await,
		Command::Unwrap(Unwrap { file, identities, output }) => {
			offline::unwrap(&file, &identities.load()?, output.as_deref())
		},
		Command::Documents(documents) => documents.run(Cli::command()).map_err(Error::Documents),
	}
}

/// Serves a KMS until the process gets a signal to stop.
async fn serve(options: Serve) -> Result<(), Error> {
	options.url.ensure_secure(options.insecure)?;
	raise_file_limit(MAX_FILES);
	let identities = options.identities.load()?;
	let (tenant, kms) = (options.tenant, options.kms);
	let fabric = Fabric::start(options.url, (tenant, kms), identities.keys()).await?;
	// The log names the tenant by when it was created, so another one is refused with it.
	if !options.older_identity && Receipts::is_new(&options.data) {
		fabric.ensure_later(identities.made)?;
	}
	let owner = Owner { genesis: fabric.genesis, tenant, created: fabric.created, kms };
	let receipts = Receipts::open(&options.data, owner)?;
	let (listener, address) = listen(options.listen).await?;
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
