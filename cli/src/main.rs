// SPDX-License-Identifier: Apache-2.0
//! The command `fabric`.

#[tokio::main]
async fn main() -> std::process::ExitCode {
	content_fabric_cli::fabric().await
}
