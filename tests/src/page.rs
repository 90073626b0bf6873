// SPDX-License-Identifier: Apache-2.0
//! Pages with commands, which tests type into a shell.

use std::{
	env,
	path::Path,
	process::{Command, Stdio},
};

use crate::process::program_folder;

/// A command of a page.
#[derive(Clone)]
pub struct Step {
	/// The number of its line in the page.
	pub line: usize,
	/// The heading that it is under.
	pub heading: String,
	/// The line at which its block begins.
	pub block: usize,
	/// The command, with its further lines.
	pub command: String,
	/// The lines that it prints, on both outputs.
	pub output: Vec<String>,
}

/// Returns the commands in the blocks that are marked `console`. A command that ends in a backslash
/// is continued on the next line.
pub fn steps(page: &str) -> Vec<Step> {
	let mut steps: Vec<Step> = Vec::new();
	let (mut heading, mut fence, mut is_continued) = ("", None, false);
	for (line, text) in (1..).zip(page.lines()) {
		// A block in a list is indented.
		let indent = fence.map_or("", |(_, _, indent)| indent);
		let text = text.strip_prefix(indent).unwrap_or(text);
		let marker = text.trim_start();
		match (fence, text.strip_prefix("$ ")) {
			_ if marker.starts_with("```") => {
				let indent = &text[..text.len() - marker.len()];
				fence = fence.is_none().then_some((line, marker, indent));
			},
			(None, _) if text.starts_with('#') => heading = text,
			(Some((block, "```console", _)), Some(command)) => {
				is_continued = command.ends_with('\\');
				let (heading, command) = (heading.into(), command.into());
				steps.push(Step { line, heading, block, command, output: Vec::new() });
			},
			(Some((_, "```console", _)), None) => {
				let step = steps.last_mut().expect("a block starts with a command");
				if is_continued {
					is_continued = text.ends_with('\\');
					step.command = format!("{}\n{text}", step.command);
				} else {
					step.output.push(text.to_owned());
				}
			},
			_ => {},
		}
	}
	steps
}

/// The progress of a publish. Slow machines print more of it, and fast ones none.
const PROGRESS: &str = "… of … item…, … item…/s, … left";

/// Types a command into a shell with these variables. Returns its exit code, and the lines that it
/// prints, without progress.
pub fn typed(
	command: &str,
	dir: &Path,
	variables: &[(&str, String)],
) -> (Option<i32>, Vec<String>) {
	let path = env::var_os("PATH").unwrap_or_default();
	let paths = [program_folder()].into_iter().chain(env::split_paths(&path));
	let output = Command::new("bash")
		.args(["-c", &format!("{{ {command}\n}} 2>&1")])
		.current_dir(dir)
		.env_clear()
		.env("PATH", env::join_paths(paths).expect("folders have no colon in their names"))
		.env("HOME", dir)
		.envs(variables.iter().map(|(name, value)| (name, value)))
		.stdin(Stdio::null())
		.output()
		.expect("bash starts");
	let printed = String::from_utf8_lossy(&output.stdout);
	let lines = printed.lines().map(str::trim_end).filter(|line| !is_like(PROGRESS, line));
	(output.status.code(), lines.map(str::to_owned).collect())
}

/// Returns whether a line is of the form of another one.
fn is_like(form: &str, line: &str) -> bool {
	let mut parts = form.split('…');
	let first = parts.next().unwrap_or_default();
	let Some(mut rest) = line.strip_prefix(first) else { return false };
	let parts: Vec<_> = parts.collect();
	let Some((last, inner)) = parts.split_last() else { return rest.is_empty() };
	for part in inner {
		match rest.split_once(part) {
			Some((_, after)) => rest = after,
			None => return false,
		}
	}
	rest.ends_with(last)
}

/// Returns whether lines are of the forms: `…` stands for any text within a line, and a line of `…`
/// for any lines.
pub fn are_like(forms: &[String], lines: &[String]) -> bool {
	match (forms.split_first(), lines.split_first()) {
		(None, None) => true,
		(Some((form, rest)), _) if form == "…" => {
			(0..=lines.len()).any(|skipped| are_like(rest, &lines[skipped..]))
		},
		(Some((form, forms)), Some((line, lines))) => is_like(form, line) && are_like(forms, lines),
		_ => false,
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn commands_are_found_by_heading_and_block_also_in_lists() {
		let page = [
			"## One",
			"```sh",
			"# two",
			"$ no",
			"```",
			"1. Do:",
			"   ```console",
			"   $ a \\",
			"       b",
			"     c",
			"   ```",
			"## Two",
			"```console",
			"$ d",
			"$ e",
			"```",
		];
		let steps = steps(&page.join("\n"));
		let found: Vec<_> = steps.iter().map(|step| (&*step.heading, &*step.command)).collect();
		assert_eq!(found, [("## One", "a \\\n    b"), ("## Two", "d"), ("## Two", "e")]);
		assert_eq!(steps[0].output, ["  c"]);
		assert_eq!((steps[0].line, steps[0].block), (8, 7));
		assert_eq!(steps[1].block, steps[2].block);
	}

	#[test]
	fn forms_match_the_lines_that_they_stand_for_and_no_others() {
		for (form, line, like) in [
			("a", "a", true),
			("a", "ab", false),
			("a…", "ab", true),
			("a…c", "abc", true),
			("a…c", "abd", false),
			("a…c…e", "abcde", true),
			("a…c…e", "abde", false),
			("…", "", true),
		] {
			assert_eq!(is_like(form, line), like, "{form}: {line}");
		}
		let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
		assert!(are_like(&lines("a … d"), &lines("a b c d")));
		assert!(are_like(&lines("a …"), &lines("a")));
		assert!(!are_like(&lines("a … e"), &lines("a b c d")));
		assert!(!are_like(&lines("a b"), &lines("a")));
	}
}
