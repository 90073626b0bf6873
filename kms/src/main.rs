// SPDX-License-Identifier: Apache-2.0
//! The command `fabric-kms`.

use std::process::ExitCode;

use clap::Parser;
use content_fabric_http_server as server;
use content_fabric_kms::{run, Cli};

#[tokio::main]
async fn main() -> ExitCode {
	server::run("content_fabric_kms", run(Cli::parse())).await
}
