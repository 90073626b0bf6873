// SPDX-License-Identifier: Apache-2.0
//! The files that are made of the table: alerts, their tests, dashboards, and the list of alerts in
//! `docs/operations.md`.

mod alerts;
mod cases;
mod dashboards;
mod page;
mod selectors;
mod table;

use std::{
	env, fs,
	path::{Path, PathBuf},
};

fn path(file: &str) -> PathBuf {
	Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

fn read(file: &str) -> String {
	fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn files_are_made_of_the_table() {
	let mut files = dashboards::files();
	files.push(("contrib/monitoring/alerts.yml".into(), alerts::file()));
	files.push(("contrib/monitoring/tests/alerts.yml".into(), cases::file()));
	files.push((page::PAGE.into(), page::file(&read(page::PAGE))));
	let is_written = env::var_os("MONITORING").is_some_and(|value| value == "write");
	for (file, text) in files {
		if is_written {
			fs::write(path(&file), &text).unwrap_or_else(|error| panic!("{file}: {error}"));
		}
		assert!(
			fs::read_to_string(path(&file)).is_ok_and(|found| found == text),
			"{file} differs from the table: run this test with MONITORING=write"
		);
	}
}
