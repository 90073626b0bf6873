// SPDX-License-Identifier: Apache-2.0
//! The command `fabric`: reads its line, and reports its errors.

use std::{
	error::Error as _,
	io::ErrorKind,
	num::{IntErrorKind, ParseIntError},
	process::ExitCode,
};

use clap::{
	error::{ContextKind, ContextValue},
	Parser,
};
use content_fabric_client::{class::Class, keys::looks_secret, text::printable};

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
		Err(error) if repeats_secret(&error) => {
			return failed(&Error::Usage(without_secret(&error)), asks_for_json())
		},
		Err(error) if !asks_for_json() => {
			// An argument must not control the terminal, so the error shows its escapes.
			let shown = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()));
			match Cli::try_parse_from(shown) {
				Err(error) if number_fault(&error).is_some() => {
					eprint!("{}", in_plain_words(&error));
					return ExitCode::from(Class::Usage as u8);
				},
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

/// Returns whether an error of the command line repeats a value that looks like a secret, such as
/// one that was given in the place of a public key.
fn repeats_secret(error: &clap::Error) -> bool {
	secrets(error).next().is_some()
}

/// Returns the values in an error of the command line that look like secrets.
fn secrets(error: &clap::Error) -> impl Iterator<Item = &str> {
	let texts = error.context().flat_map(|(_, value)| match value {
		ContextValue::String(text) => std::slice::from_ref(text),
		ContextValue::Strings(texts) => texts,
		_ => &[],
	});
	texts.map(String::as_str).filter(|text| looks_secret(text))
}

/// Returns the error of a value that looks like a secret, with the name of its argument, but not
/// the value.
fn without_secret(error: &clap::Error) -> String {
	let argument = match error.get(ContextKind::InvalidArg) {
		Some(ContextValue::String(name)) if !looks_secret(name) => format!("the value of {name}"),
		_ => "an argument".into(),
	};
	let repeats = |reason: &String| {
		secrets(error).any(|secret| reason.contains(secret) || reason.contains(&printable(secret)))
	};
	let reason = error.source().map(ToString::to_string).filter(|reason| !repeats(reason));
	let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
	format!(
		"{argument} is not valid{reason}; it looks like a secret, so it is not repeated here, but the \
		 process list and the history of the shell may have it"
	)
}

/// Returns the fault of a value that should be a number, in plain words instead of the parser's.
fn number_fault(error: &clap::Error) -> Option<(&ParseIntError, &'static str)> {
	let fault = error.source()?.downcast_ref::<ParseIntError>()?;
	Some((
		fault,
		match fault.kind() {
			IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "the number is too large",
			_ => "expected a whole number",
		},
	))
}

/// Returns the text of an error of the command line.
fn in_plain_words(error: &clap::Error) -> String {
	let text = error.to_string();
	match number_fault(error) {
		Some((fault, words)) => text.replace(&fault.to_string(), words),
		None => text,
	}
}

/// Returns an error of the command line in one line, without the usage.
fn first_line(error: &clap::Error) -> String {
	let text = in_plain_words(error);
	let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
	let line = lines.collect::<Vec<_>>().join(" ");
	line.strip_prefix("error: ").map_or(line.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
	use super::*;

	/// An age identity, a phrase, a seed, and a derivation of the development phrase that has a
	/// password.
	const SECRETS: [&str; 5] = [
		"AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
		"age-secret-key-1gfpyysjzgfpyysjz",
		"legal winner thank year wave sausage worth useful legal winner thank yellow",
		"0xe5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a",
		"//Alice///sesame",
	];

	fn refused(arguments: &[&str]) -> clap::Error {
		Cli::try_parse_from([&["fabric"], arguments].concat()).expect_err("it is not valid")
	}

	#[test]
	fn secrets_in_the_place_of_public_values_are_not_repeated() {
		let tenant = "iten9sCm6uvM9m6Nkn";
		for secret in SECRETS {
			for arguments in [
				&["kms", "add", tenant, "--name", "a", "--key", secret][..],
				&["kms", "set", tenant, "ikmsXZ9KkLM2Bd5Zs", "--key", secret],
				&["kms", "set", tenant, "ikmsXZ9KkLM2Bd5Zs", &format!("--locator={secret}")],
				&["kms", "add", tenant, "--operator", secret],
				&["kms", "add", secret],
				&["node", "create", "iprv4agBeE4mVuWobX", "--locator", secret],
				&["node", "set-operator", "iprv4agBeE4mVuWobX", "inod5EPGU2E1M3W7o1", secret],
				&["publish", "site", "--node-locator", secret],
				&["publish", "site", "--node", secret],
				&["key", "grant", tenant, secret, "content"],
				&["account", secret],
				&["account", "send", "1", secret],
				&["space", "create", "--governor", secret],
				&["history", secret],
				&["tree", tenant, "--nothing", secret],
				&["--as", secret],
			] {
				let error = refused(arguments);
				let shown = match repeats_secret(&error) {
					true => without_secret(&error),
					false => first_line(&error),
				};
				assert!(!shown.contains(secret), "{arguments:?}: {shown}");
				assert!(!shown.contains(&printable(secret)), "{arguments:?}: {shown}");
			}
		}
	}

	#[test]
	fn a_value_that_is_not_a_number_is_refused_in_plain_words() {
		for (arguments, reason) in [
			(
				&["tree", "--timeout", "abc"][..],
				"'abc' for '--timeout <SECONDS>': expected a whole number",
			),
			(&["tree", "--timeout", ""], "expected a whole number"),
			(&["tree", "--timeout=-1"], "expected a whole number"),
			(&["tree", "--limit", "1.5"], "expected a whole number"),
			(&["tree", "--depth", "x"], "expected a whole number"),
			(&["tree", "--timeout", "99999999999999999999"], "the number is too large"),
		] {
			let line = first_line(&refused(arguments));
			assert!(line.ends_with(reason), "{arguments:?}: {line}");
		}
	}

	#[test]
	fn the_argument_of_a_secret_is_named_with_the_reason() {
		let error = refused(&["kms", "add", "iten9sCm6uvM9m6Nkn", "--key", SECRETS[0]]);
		assert!(repeats_secret(&error));
		let shown = without_secret(&error);
		let expected =
			"the value of --key <KEY> is not valid (it is a secret age identity, expected \
		                its recipient (age1…)); it looks like a secret, so it is not repeated here";
		assert!(shown.starts_with(expected), "{shown}");
		let error = refused(&["kms", "add", "iten9sCm6uvM9m6Nkn", "--key", "age1x"]);
		assert!(!repeats_secret(&error));
	}
}
