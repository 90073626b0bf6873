//! Command-line client of a content fabric.

use std::process::ExitCode;

use clap::Parser;
use content_fabric_client::cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
	match content_fabric_client::cli::run(Cli::parse()).await {
		Ok(()) => ExitCode::SUCCESS,
		Err(error) => {
			eprintln!("error: {error}");
			ExitCode::FAILURE
		},
	}
}
