// SPDX-License-Identifier: Apache-2.0
//! The command `fabric-store`.

use std::{io::IsTerminal, process::ExitCode};

use clap::Parser;
use content_fabric_content_node::{run, Cli};
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
	let filter = EnvFilter::try_from_default_env()
		.unwrap_or_else(|_| EnvFilter::new("warn,content_fabric_content_node=info"));
	let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
	let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
	log.with_ansi(colours && std::io::stderr().is_terminal()).init();
	match run(Cli::parse()).await {
		Ok(()) => ExitCode::SUCCESS,
		Err(error) => {
			eprintln!("error: {error}");
			ExitCode::FAILURE
		},
	}
}
