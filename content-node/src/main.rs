// SPDX-License-Identifier: Apache-2.0
//! The command `fabric-store`.

use std::process::ExitCode;

use clap::Parser;
use content_fabric_content_node::{run, Cli};
use content_fabric_http_server as server;

fn main() -> ExitCode {
	let runtime = match tokio::runtime::Runtime::new() {
		Ok(runtime) => runtime,
		Err(error) => {
			eprintln!("error: no threads can be started: {error}");
			return ExitCode::FAILURE;
		},
	};
	let end = runtime.block_on(server::run("content_fabric_content_node", run(Cli::parse())));
	// Downloads may wait for other nodes.
	runtime.shutdown_background();
	end
}
