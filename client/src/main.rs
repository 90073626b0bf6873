//! Command-line client of a content fabric.

use std::{io::ErrorKind, process::ExitCode};

use clap::Parser;
use content_fabric_client::{
	cli::{run, Cli},
	output::report_error,
	Error,
};

#[tokio::main]
async fn main() -> ExitCode {
	let cli = Cli::parse();
	let json = cli.global.json;
	match run(cli).await {
		Ok(()) => ExitCode::SUCCESS,
		// The reader of the output has closed it.
		Err(Error::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
		Err(error) => {
			report_error(&error, json);
			ExitCode::from(error.class() as u8)
		},
	}
}
