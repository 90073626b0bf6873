// SPDX-License-Identifier: Apache-2.0
//! The tour in `docs/client.md`: each command is typed into a shell, and must print what the page
//! says. In the page, `…` stands for any text within a line, and a line of `…` for any lines.

use content_fabric_tests::{
	page::{are_like, steps, typed, Step},
	process::Node,
};

const PAGE: &str = include_str!("../../../docs/client.md");

#[test]
fn every_command_of_the_tour_prints_what_the_page_says() {
	let (dir, node) = Node::start_anew(&[]);
	let home = dir.path().join("home");
	std::fs::create_dir(&home).expect("there is room for a folder");
	let mut steps = steps(PAGE);
	assert!(steps.len() > 20, "the page has a tour");
	// The test of encrypted files runs these, with a content node and a KMS.
	steps.retain(|step| step.heading != "## Encrypted content");
	for Step { line, command, output, .. } in steps {
		let (_, printed) = typed(&command, &home, &[("FABRIC_URL", node.url.clone())]);
		assert!(
			are_like(&output, &printed),
			"docs/client.md, line {line}: `{command}` prints\n{}\nand not\n{}",
			printed.join("\n"),
			output.join("\n")
		);
	}
}
