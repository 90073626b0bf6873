// SPDX-License-Identifier: Apache-2.0
//! Tests of what the documentation and the help say about the command line: each command in them
//! exists, with its options.

use std::{fs, path::Path};

use clap::CommandFactory;

use super::Cli;

/// Returns what follows `fabric` in the commands of a block of code, without what the shell takes.
fn commands_of_block(block: &str) -> Vec<String> {
	let lines = block.replace("\\\n", " ");
	let commands = lines.lines().filter_map(|line| {
		let line = line.trim_start();
		line.strip_prefix("$ ").unwrap_or(line).strip_prefix("fabric ")
	});
	commands
		.map(|command| {
			command.split(['|', ';', '<', '>', '#', '&']).next().unwrap_or(command).into()
		})
		.collect()
}

/// Returns what follows `fabric` in the commands of a page, in its blocks of code and in its text.
fn commands_of_page(page: &str) -> Vec<String> {
	let mut commands = Vec::new();
	for (index, part) in page.split("```").enumerate() {
		if index % 2 == 1 {
			// Not of a diagram, for example.
			if !part.starts_with("sh\n") && !part.starts_with("console\n") {
				continue;
			}
			commands.extend(commands_of_block(part));
		} else {
			let spans = part.split('`').skip(1).step_by(2);
			commands.extend(spans.filter_map(|span| span.strip_prefix("fabric ")).map(Into::into));
		}
	}
	commands
}

/// Returns the first word that the client does not know, a command or an option.
fn unknown<'a>(root: &clap::Command, words: &'a str) -> Option<&'a str> {
	let mut command = root;
	let mut is_value = false;
	for word in words.split_whitespace() {
		if let Some(option) = word.strip_prefix("--") {
			let name = option.split('=').next();
			let argument = command.get_arguments().find(|argument| argument.get_long() == name);
			let Some(argument) = argument else { return Some(word) };
			is_value = argument.get_action().takes_values() && !option.contains('=');
			continue;
		}
		if is_value {
			is_value = false;
			continue;
		}
		match command.find_subcommand(word) {
			Some(found) => command = found,
			// Placeholders, as in `fabric help COMMAND`, are upper-case.
			None if command.has_subcommands()
				&& !command.get_arguments().any(clap::Arg::is_positional)
				&& word.contains(|character: char| character.is_lowercase()) =>
			{
				return Some(word)
			},
			None => {},
		}
	}
	None
}

/// Returns all commands under a command, with their paths.
fn commands(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
	let commands = command.get_subcommands().flat_map(|command| {
		let path = format!("{path} {}", command.get_name());
		[commands(command, &path), vec![(path, command.clone())]].concat()
	});
	commands.collect()
}

/// Returns the text after the options of a command, which begins with its examples.
fn after_help(command: &clap::Command) -> String {
	command.get_after_long_help().map(ToString::to_string).unwrap_or_default()
}

/// Returns the command line, with the options of all commands at each of them.
fn command_line() -> clap::Command {
	let mut root = Cli::command();
	root.build();
	root
}

#[test]
fn the_command_line_is_sound() {
	Cli::command().debug_assert();
}

#[test]
fn every_command_has_an_example() {
	for (path, command) in commands(&Cli::command(), "fabric") {
		// It can only be followed by another command.
		if command.has_subcommands() && !command.get_arguments().any(clap::Arg::is_positional) {
			continue;
		}
		let help = after_help(&command);
		assert!(help.starts_with("Example"), "{path} has no example");
		assert!(help.contains(&path), "the example of `{path}` is of another command");
	}
}

#[test]
fn every_command_has_a_summary_without_a_final_dot() {
	for (path, command) in commands(&Cli::command(), "fabric") {
		let about = command.get_about().map(ToString::to_string).unwrap_or_default();
		assert!(!about.is_empty() && !about.ends_with('.'), "{path}: {about}");
	}
}

#[test]
fn every_command_of_the_pages_exists() {
	let root = command_line();
	let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
	let mut checked = 0;
	for folder in ["", "docs", "docs/adr"] {
		for entry in fs::read_dir(repository.join(folder)).expect("the folder is there") {
			let path = entry.expect("the folder can be read").path();
			if path.extension().is_none_or(|extension| extension != "md") {
				continue;
			}
			let page = fs::read_to_string(&path).expect("the page can be read");
			for command in commands_of_page(&page) {
				checked += 1;
				let unknown = unknown(&root, &command);
				assert_eq!(unknown, None, "in `fabric {command}` of {}", path.display());
			}
		}
	}
	assert!(checked > 50, "the pages have {checked} commands");
}

#[test]
fn every_example_of_the_help_exists() {
	let root = command_line();
	let commands = commands(&root, "fabric").into_iter();
	let examples: Vec<_> =
		commands.flat_map(|(_, command)| commands_of_block(&after_help(&command))).collect();
	assert!(examples.len() > 100, "the help has {} examples", examples.len());
	for command in examples {
		assert_eq!(unknown(&root, &command), None, "in the example `fabric {command}`");
	}
}

#[test]
fn unknown_commands_and_options_are_found() {
	let root = command_line();
	assert_eq!(unknown(&root, "finalize"), Some("finalize"));
	assert_eq!(unknown(&root, "--url ws://x version finish"), Some("finish"));
	assert_eq!(unknown(&root, "tree --limits 5"), Some("--limits"));
	assert_eq!(unknown(&root, "--json tree --limit 5 --url=ws://x"), None);
	assert_eq!(
		commands_of_page("a `fabric b`\n```sh\n$ fabric c \\\n d | e\n```"),
		["b", "c   d "]
	);
}
