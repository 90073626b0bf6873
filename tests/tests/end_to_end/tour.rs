// SPDX-License-Identifier: Apache-2.0
//! The tour in `docs/client.md`: each command is typed into a shell, and must print what the page
//! says. In the page, `…` stands for any text within a line, and a line of `…` for any lines.

use std::{
	env,
	path::Path,
	process::{Command, Stdio},
};

use content_fabric_tests::process::{program_folder, Node};

const PAGE: &str = include_str!("../../../docs/client.md");

/// A command of the page.
struct Step {
	/// The number of its line in the page.
	line: usize,
	command: String,
	/// The lines that it prints, on both outputs.
	output: Vec<String>,
}

/// Returns the commands in the blocks that are marked `console`. A command that ends in a backslash
/// is continued on the next line.
fn steps(page: &str) -> Vec<Step> {
	let mut steps: Vec<Step> = Vec::new();
	let (mut is_console, mut is_continued) = (false, false);
	for (line, text) in (1..).zip(page.lines()) {
		match (is_console, text.strip_prefix("$ ")) {
			_ if text.starts_with("```") => is_console = text == "```console",
			(false, _) => {},
			(true, Some(command)) => {
				is_continued = command.ends_with('\\');
				steps.push(Step { line, command: command.into(), output: Vec::new() });
			},
			(true, None) => {
				let step = steps.last_mut().expect("a block starts with a command");
				if is_continued {
					is_continued = text.ends_with('\\');
					step.command = format!("{}\n{text}", step.command);
				} else {
					step.output.push(text.to_owned());
				}
			},
		}
	}
	steps
}

/// The progress of a publish. Slow machines print more of it, and fast ones none.
const PROGRESS: &str = "… of … item…, … item…/s, … left";

/// Types a command into a shell. Returns the lines that it prints, without progress.
fn typed(command: &str, dir: &Path, url: &str) -> Vec<String> {
	let path = env::var_os("PATH").unwrap_or_default();
	let paths = [program_folder()].into_iter().chain(env::split_paths(&path));
	let output = Command::new("bash")
		.args(["-c", &format!("{{ {command}\n}} 2>&1")])
		.current_dir(dir)
		.env_clear()
		.env("PATH", env::join_paths(paths).expect("folders have no colon in their names"))
		.env("HOME", dir)
		.env("FABRIC_URL", url)
		.stdin(Stdio::null())
		.output()
		.expect("bash starts");
	let printed = String::from_utf8_lossy(&output.stdout);
	let lines = printed.lines().map(str::trim_end).filter(|line| !is_like(PROGRESS, line));
	lines.map(str::to_owned).collect()
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

/// Returns whether lines are of the forms.
fn are_like(forms: &[String], lines: &[String]) -> bool {
	match (forms.split_first(), lines.split_first()) {
		(None, None) => true,
		(Some((form, rest)), _) if form == "…" => {
			(0..=lines.len()).any(|skipped| are_like(rest, &lines[skipped..]))
		},
		(Some((form, forms)), Some((line, lines))) => is_like(form, line) && are_like(forms, lines),
		_ => false,
	}
}

#[test]
fn every_command_of_the_tour_prints_what_the_page_says() {
	let (dir, node) = Node::start_anew(&[]);
	let home = dir.path().join("home");
	std::fs::create_dir(&home).expect("there is room for a folder");
	let steps = steps(PAGE);
	assert!(steps.len() > 20, "the page has a tour");
	for Step { line, command, output } in steps {
		let printed = typed(&command, &home, &node.url);
		assert!(
			are_like(&output, &printed),
			"docs/client.md, line {line}: `{command}` prints\n{}\nand not\n{}",
			printed.join("\n"),
			output.join("\n")
		);
	}
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
