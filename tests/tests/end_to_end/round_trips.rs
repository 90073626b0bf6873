// SPDX-License-Identifier: Apache-2.0
//! Round trips: random folders, and random changes of them, are put and got.

use std::{
	collections::HashSet,
	fs,
	path::{Path, PathBuf},
};

use content_fabric_client::samples::trees::{below, change, is_file, is_folder, seeded, seeds};
use content_fabric_tests::process::{fabric_output, stderr};
use serde_json::Value;

use super::put_and_get::World;

/// Runs a command with `--json`, which must end with one of these exit codes. Returns its report, or
/// `null`.
fn run(world: &World, arguments: &[&str], codes: &[i32]) -> Value {
	let output = fabric_output(world.url(), &[&["--json"], arguments].concat());
	let code = output.status.code().unwrap_or(-1);
	assert!(codes.contains(&code), "{arguments:?}: {code}: {}", stderr(&output));
	serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

/// Returns the paths that a report of a put names as left out.
fn left_out(report: &Value) -> HashSet<String> {
	let texts = |field: &str, of: fn(&Value) -> &Value| {
		let items = report[field].as_array().cloned().unwrap_or_default();
		let texts: Vec<_> =
			items.iter().filter_map(|item| of(item).as_str().map(str::to_owned)).collect();
		texts
	};
	let failed = texts("failed", |failure| &failure["package"]);
	let skipped = ["symlinks_skipped", "hidden_skipped"].map(|field| texts(field, |path| path));
	failed.into_iter().chain(skipped.concat()).collect()
}

/// Returns whether a path, or a folder that it is in, is named, as text or with its control characters
/// escaped.
fn is_named(names: &HashSet<String>, path: &Path) -> bool {
	let escaped = |text: &str| {
		let escape = |mark: char| match mark.is_control() {
			true => mark.escape_default().collect(),
			false => String::from(mark),
		};
		text.chars().map(escape).collect::<String>()
	};
	path.ancestors().any(|part| {
		let text = part.to_string_lossy();
		names.contains(&*text) || names.contains(&escaped(&text))
	})
}

#[tokio::test]
async fn get_returns_what_put_accepts_and_all_else_is_listed() {
	let world = World::start().await;
	let (node, mut returned) = (world.node.to_string(), 0);
	for seed in seeds(2) {
		let mut rng = seeded(seed);
		let name = format!("tree-{seed}");
		let root = world.dir.path().join(&name);
		fs::create_dir(&root).expect("there is room");
		let (path, tenant) = (world.path(&name), world.tenant(&name).to_string());
		for step in 0..4 {
			change(&root, &mut rng, 16);
			let hidden: &[&str] = if step % 2 == 1 { &["--hidden"] } else { &[] };
			let put = [&["put", &path, "--node", &node], hidden].concat();
			// Without files, nothing is put.
			let report = run(&world, &put, &[0, 2, 6]);
			let left_out = left_out(&report);
			let scratch = world.dir.path().join(format!("{name}-{step}"));
			let out = scratch.join("out");
			fs::create_dir(&scratch).expect("there is room");
			let out_text = out.to_string_lossy().into_owned();
			let get = [&["get", &tenant, "-o", &out_text], hidden].concat();
			// Old records may lead to places that others need, and there may be no file, or no tenant.
			let got = run(&world, &get, &[0, 2, 3]);
			for found in below(&root) {
				let relative = found.strip_prefix(&root).expect("it is below").to_owned();
				if is_folder(&found) || report.is_null() || is_named(&left_out, &relative) {
					continue;
				}
				assert!(is_file(&found), "{relative:?} is neither put nor listed: {report}");
				let back = fs::read(out.join(&relative));
				let back = back.unwrap_or_else(|error| panic!("{relative:?}: {error}: {got}"));
				assert!(back == fs::read(&found).expect("it is there"), "{relative:?}");
				returned += 1;
			}
			let has_files = below(&root).iter().any(|path| is_file(path));
			assert!(!report.is_null() || !has_files || hidden.is_empty(), "nothing is said");
			let beside: Vec<PathBuf> =
				below(&scratch).into_iter().filter(|path| !path.starts_with(&out)).collect();
			assert_eq!(beside, [""; 0].map(PathBuf::from), "nothing is written outside");
			assert!(!out.join(".fabric-partial").exists(), "nothing is left over");
			fs::remove_dir_all(&scratch).expect("it is there");
		}
	}
	assert!(returned > 0);
}
