//! The command `fabric-indexer`.

use std::process::ExitCode;

use clap::Parser;
use content_fabric_indexer::cli::{run, Cli};
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
	let filter = EnvFilter::try_from_default_env()
		.unwrap_or_else(|_| EnvFilter::new("warn,content_fabric_indexer=info"));
	tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
	match run(Cli::parse()).await {
		Ok(()) => ExitCode::SUCCESS,
		Err(error) => {
			eprintln!("error: {error}");
			ExitCode::FAILURE
		},
	}
}
