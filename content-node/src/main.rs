// SPDX-License-Identifier: Apache-2.0
//! The command `fabric-store`.

use std::process::ExitCode;

use clap::Parser;
use content_fabric_content_node::{run, Cli};
use content_fabric_http_server as server;

#[tokio::main]
async fn main() -> ExitCode {
	server::run("content_fabric_content_node", run(Cli::parse())).await
}
