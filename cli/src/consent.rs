// SPDX-License-Identifier: Apache-2.0
//! Consent of the user to what a command is about to do.

use std::{
	fs::File,
	io::{self, BufRead, BufReader, IsTerminal, Write},
};

/// The terminal of the process, whatever its standard input is.
const TERMINAL: &str = "/dev/tty";

/// The reason why a command does not go on.
#[derive(Debug, thiserror::Error)]
pub enum ConsentError {
	/// The user has declined.
	#[error("declined: nothing was submitted")]
	Declined,
	/// There is nobody to ask.
	#[error(
		"standard input is not a terminal, and the command asks before it acts: pass --yes to \
		 consent beforehand"
	)]
	NoTerminal,
	/// The terminal fails.
	#[error("cannot ask for consent: {0}; nothing was submitted")]
	Io(#[from] io::Error),
}

/// Prints a summary of what is about to happen to standard error, and asks whether to go on.
///
/// With `yes`, it does not ask. The answers `y` and `yes` go on, in any case of letters.
pub fn confirm(summary: &str, yes: bool) -> Result<(), ConsentError> {
	let input = io::stdin();
	let terminal = input.is_terminal();
	confirm_with(summary, yes, terminal, &mut input.lock(), &mut io::stderr())
}

/// Asks as [`confirm`] does, but on the terminal itself, as standard input is the command's input.
pub fn confirm_on_terminal(summary: &str, yes: bool) -> Result<(), ConsentError> {
	match File::options().read(true).write(true).open(TERMINAL) {
		Ok(terminal) if !yes => {
			confirm_with(summary, yes, true, &mut BufReader::new(&terminal), &mut &terminal)
		},
		_ => confirm_with(summary, yes, false, &mut io::empty(), &mut io::stderr()),
	}
}

fn confirm_with(
	summary: &str,
	yes: bool,
	terminal: bool,
	input: &mut dyn BufRead,
	output: &mut dyn Write,
) -> Result<(), ConsentError> {
	let printed = writeln!(output, "{}", summary.trim_end());
	if yes {
		// With consent beforehand, nobody needs to read the summary.
		return Ok(());
	}
	printed?;
	if !terminal {
		return Err(ConsentError::NoTerminal);
	}
	write!(output, "Continue? [y/N] ")?;
	output.flush()?;
	let mut answer = String::new();
	input.read_line(&mut answer)?;
	match answer.trim().to_ascii_lowercase().as_str() {
		"y" | "yes" => Ok(()),
		_ => Err(ConsentError::Declined),
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Returns the outcome, what was printed, and what was left of the input.
	fn ask(yes: bool, terminal: bool, input: &str) -> (Result<(), ConsentError>, String, String) {
		let mut input = input.as_bytes();
		let mut output = Vec::new();
		let outcome = confirm_with("purge tenant A\n", yes, terminal, &mut input, &mut output);
		let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
		(outcome, text(&output), text(input))
	}

	#[test]
	fn only_y_and_yes_go_on() {
		for answer in ["y\n", "Y\n", "yes\n", " YES \r\n", "y"] {
			assert!(ask(false, true, answer).0.is_ok(), "{answer:?}");
		}
		for answer in ["", "\n", "n\n", "no\n", "yess\n", "\ny\n"] {
			let declined = ask(false, true, answer).0;
			assert!(matches!(declined, Err(ConsentError::Declined)), "{answer:?}");
		}
	}

	#[test]
	fn the_summary_comes_before_the_question() {
		let (_, output, rest) = ask(false, true, "y\nmore");
		assert_eq!(output, "purge tenant A\nContinue? [y/N] ");
		assert_eq!(rest, "more");
	}

	#[test]
	fn yes_prints_the_summary_and_reads_nothing() {
		let (outcome, output, rest) = ask(true, false, "n\n");
		assert!(outcome.is_ok());
		assert_eq!((output.as_str(), rest.as_str()), ("purge tenant A\n", "n\n"));
	}

	#[test]
	fn without_a_terminal_consent_must_be_given_beforehand() {
		let (outcome, output, rest) = ask(false, false, "y\n");
		let error = outcome.expect_err("nobody can be asked; qed");
		assert!(error.to_string().contains("pass --yes"), "{error}");
		assert_eq!((output.as_str(), rest.as_str()), ("purge tenant A\n", "y\n"));
	}
}
