// SPDX-License-Identifier: Apache-2.0
//! The command `fabric-indexer`.

use std::process::ExitCode;

use clap::Parser;
use content_fabric_http_server as server;
use content_fabric_indexer::cli::{run, Cli};

#[tokio::main]
async fn main() -> ExitCode {
	server::run("content_fabric_indexer", run(Cli::parse())).await
}
