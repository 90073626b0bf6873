// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand};
use content_fabric_command_line::Documents;
use rustix::process::{set_dumpable_behavior, setrlimit, DumpableBehavior, Resource, Rlimit};

use crate::{
	error::Error,
	identity::{self, Identities},
	offline,
	serve::{serve, Serve},
};

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

/// The source of the passphrase of identities.
#[derive(Debug, Args)]
pub struct Passphrase {
	/// A file with one line, the passphrase of the identities. Only its owner may read it
	/// [default: ask on the terminal]
	#[arg(long, value_name = "FILE", env = "FABRIC_PASSWORD_FILE")]
	pub passphrase_file: Option<PathBuf>,
}

/// The files of identities.
#[derive(Debug, Args)]
pub struct IdentityFiles {
	/// The files of the identities, as `fabric-kms key new` writes them: the current one, and earlier
	/// ones for earlier files
	#[arg(long = "identity", value_name = "FILE", required = true, num_args = 1..)]
	files: Vec<PathBuf>,
	#[command(flatten)]
	passphrase: Passphrase,
}

impl IdentityFiles {
	/// Reads the identities. Asks for passphrases on the terminal if no file has them.
	pub fn load(&self) -> Result<Identities, Error> {
		Identities::load(&self.files, self.passphrase.passphrase_file.as_deref(), ask)
	}
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
		.map_err(|error| Error::Core(error.into()))?;
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
		Command::Serve(options) => {
			options.url.ensure_secure(options.insecure)?;
			serve(*options).await
		},
		Command::Unwrap(Unwrap { file, identities, output }) => {
			offline::unwrap(&file, &identities.load()?, output.as_deref())
		},
		Command::Documents(documents) => documents.run(Cli::command()).map_err(Error::Documents),
	}
}
