//! Command-line client of a content fabric.

use std::{io::ErrorKind, process::ExitCode};

use clap::Parser;
use content_fabric_client::{cli::Cli, Error};

#[tokio::main]
async fn main() -> ExitCode {
	match content_fabric_client::cli::run(Cli::parse()).await {
		Ok(()) => ExitCode::SUCCESS,
		// The reader of the output has closed it.
		Err(Error::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
		Err(error) => {
			eprintln!("error: {error}");
			ExitCode::FAILURE
		},
	}
}
