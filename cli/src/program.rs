// SPDX-License-Identifier: Apache-2.0
//! The command `fabric`: reads its line, and reports its errors.

use std::{io::ErrorKind, process::ExitCode};

use clap::Parser;
use content_fabric_client::text::printable;

use crate::{
	cli::{run, Cli},
	output::OutputError,
	Error,
};

/// Runs the command `fabric`. Returns its exit code: 0, or the class of its error.
pub async fn fabric() -> ExitCode {
	let cli = match Cli::try_parse() {
		Ok(cli) => cli,
		// Help and the version are asked for, and not errors.
		Err(error) if !error.use_stderr() => error.exit(),
		Err(error) if !asks_for_json() => {
			// An argument must not control the terminal, so the error shows its escapes.
			let shown = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()));
			match Cli::try_parse_from(shown) {
				Err(error) => error.exit(),
				Ok(_) => return failed(&Error::Usage(first_line(&error)), false),
			}
		},
		Err(error) => return failed(&Error::Usage(first_line(&error)), true),
	};
	let json = cli.global.json;
	match run(cli).await {
		Ok(()) => ExitCode::SUCCESS,
		// The reader of the output has closed it.
		Err(Error::Output(OutputError(error))) if error.kind() == ErrorKind::BrokenPipe => {
			ExitCode::SUCCESS
		},
		Err(error) => failed(&error, json),
	}
}

fn failed(error: &Error, json: bool) -> ExitCode {
	error.report(json);
	ExitCode::from(error.class() as u8)
}

/// Returns whether a command line that cannot be read asks for JSON.
fn asks_for_json() -> bool {
	std::env::args_os().any(|argument| argument == "--json")
}

/// Returns an error of the command line in one line, without the usage.
fn first_line(error: &clap::Error) -> String {
	let text = error.to_string();
	let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
	let line = lines.collect::<Vec<_>>().join(" ");
	line.strip_prefix("error: ").map_or(line.clone(), str::to_owned)
}
