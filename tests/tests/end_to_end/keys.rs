// SPDX-License-Identifier: Apache-2.0
//! Keys of one's own: they are made, get funds, and sign; and no secret is printed that was not
//! asked for.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use content_fabric_client::keys::KeySource;
use content_fabric_tests::{
	client::signer,
	process::{
		fabric_command, fabric_fails, fabric_failure, fabric_json, fabric_text, report, Node,
	},
	raw::Raw,
};
use serde_json::Value;

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";
/// One unit of the development chain.
const UNIT: u128 = 1_000_000_000_000;

/// Runs the client in a folder, whose files name configuration and password.
fn run(dir: &Path, url: &str, arguments: &[&str], code: i32) -> Value {
	let mut command = fabric_command(url, &[&["--json"], arguments].concat());
	command.current_dir(dir).env("FABRIC_CONFIG", dir.join("config/config.toml"));
	command.env("FABRIC_PASSWORD_FILE", dir.join("password"));
	report(&command.output().expect("the client starts"), code)
}

/// Returns the words of a file with a phrase.
fn phrase(path: &Path) -> String {
	let text = fs::read_to_string(path).expect("the file is there");
	let phrase = text.trim_end().to_owned();
	assert_eq!(phrase.split(' ').count(), 12);
	phrase
}

#[test]
fn new_keys_are_private_files_and_their_secrets_are_printed_only_if_asked_for() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let password = dir.path().join("password");
	fs::write(&password, "correct horse\n").expect("there is room");
	fs::set_permissions(&password, fs::Permissions::from_mode(0o600)).expect("it is ours");
	let make =
		|arguments: &[&str]| run(dir.path(), NOWHERE, &[&["key", "new"], arguments].concat(), 0);
	let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;

	let made = make(&["me.key"]);
	let file = dir.path().join("me.key");
	assert_eq!((mode(&file), &made["signer"]), (0o600, &"file:me.key".into()));
	assert!(!made.to_string().contains(&phrase(&file)) && made["phrase"].is_null(), "{made}");
	let made = make(&["shown.key", "--show"]);
	assert_eq!(made["phrase"], phrase(&dir.path().join("shown.key")));
	let printed = make(&["--show"]);
	assert!(printed["signer"].is_null() && printed["phrase"].is_string(), "{printed}");

	// Without a name, it is beside the configuration.
	let made = make(&[]);
	let account = made["account"].as_str().expect("it is text");
	let path = dir.path().join("config/keys").join(account);
	assert_eq!(made["signer"], format!("file:{}", path.display()));
	assert_eq!(mode(&path), 0o600);

	let made = make(&["me.json", "--password"]);
	let keystore = dir.path().join("me.json");
	assert_eq!((mode(&keystore), &made["signer"]), (0o600, &"keystore:me.json".into()));
	let text = fs::read_to_string(&keystore).expect("it is there");
	let json: Value = serde_json::from_str(&text).expect("it is JSON");
	assert_eq!(json["address"], made["account"]);
	assert_eq!(json["encoding"]["type"], serde_json::json!(["scrypt", "xsalsa20-poly1305"]));

	// Nothing is overwritten, also not through a link.
	std::os::unix::fs::symlink("nothing", dir.path().join("link")).expect("the link is made");
	for (name, more) in [("me.key", &[][..]), ("me.json", &["--password"]), ("link", &[])] {
		let before = fs::read(dir.path().join(name)).ok();
		let mut command = fabric_command(NOWHERE, &["--json", "key", "new", name]);
		command.args(more).current_dir(dir.path()).env("FABRIC_PASSWORD_FILE", &password);
		let refused = content_fabric_tests::process::failure(&command.output().expect("it starts"));
		assert_eq!(refused.class, "usage");
		assert!(refused.error.starts_with(&format!("{name} exists already")), "{refused:?}");
		assert_eq!(fs::read(dir.path().join(name)).ok(), before);
	}
	assert!(!dir.path().join("nothing").exists());
	fabric_fails(
		NOWHERE,
		&["key", "new", "/nothing/here"],
		"usage",
		"cannot write /nothing/here: ",
	);
}

#[tokio::test]
async fn a_key_with_funds_signs_and_a_transfer_that_cannot_be_is_refused_by_name() {
	let (dir, node) = Node::start_anew(&[]);
	let (url, raw) = (&node.url, Raw::connect(&node.url).await);
	let password = dir.path().join("password");
	fs::write(&password, "correct horse\n").expect("there is room");
	fs::set_permissions(&password, fs::Permissions::from_mode(0o600)).expect("it is ours");
	let of = |arguments: &[&str]| run(dir.path(), url, arguments, 0);
	let made = of(&["key", "new", "me.json", "--password"]);
	let me = made["account"].as_str().expect("it is text");
	let free = |account: &str| {
		let funds = fabric_json(url, &["account", account])["free"].clone();
		funds.as_str().and_then(|text| text.parse::<u128>().ok()).expect("it is an amount")
	};

	// A dry run and a printed call change nothing, and without consent nothing is sent.
	let send = ["account", "send", "5 UNIT", me];
	let (_, before) = raw.best_block().await;
	let planned = fabric_json(url, &[&send[..], &["--dry-run"]].concat());
	assert_eq!(
		(&planned["error"], &planned["call"]),
		(&Value::Null, &"Balances.transfer_keep_alive".into())
	);
	let printed = fabric_text(url, &[&send[..], &["--print-call"]].concat());
	assert!(printed.starts_with("Balances.transfer_keep_alive 0x"), "{printed}");
	fabric_fails(url, &send, "usage", "pass --yes to consent beforehand");
	assert_eq!(raw.best_block().await.1, before);
	assert_eq!(free(me), 0);

	// An account begins with the existential deposit, and no transfer ends one.
	let alice = signer("//Alice").account().to_string();
	let too_little = fabric_failure(url, &["account", "send", "1", me, "--yes"]);
	assert_eq!(too_little.class, "refused");
	assert!(
		too_little.error.starts_with(&format!("BelowMinimum: {me} would have ")),
		"{too_little:?}"
	);
	fabric_json(url, &[&send[..], &["--yes"]].concat());
	assert_eq!(free(me), 5 * UNIT);
	let key = format!("keystore:{}", dir.path().join("me.json").display());
	let back = |amount: &str| {
		let arguments = ["--json", "account", "send", amount, &alice, "--signer", &key, "--yes"];
		let mut command = fabric_command(url, &arguments);
		command.env("FABRIC_PASSWORD_FILE", &password).output().expect("the client starts")
	};
	for amount in ["5 UNIT", "6 UNIT", "4999999999999"] {
		let refused = content_fabric_tests::process::failure(&back(amount));
		assert_eq!(refused.class, "refused");
		let expected = format!("FundsUnavailable: {me} can send ");
		assert!(refused.error.starts_with(&expected), "{amount}: {refused:?}");
		assert!(refused.error.contains("existential deposit"), "{refused:?}");
	}
	report(&back("1 UNIT"), 0);
	assert!(free(me) < 4 * UNIT && free(me) > 3 * UNIT);
	fabric_fails(url, &["account", "send", "0", me, "--yes"], "usage", "nothing would be sent");
	for (amount, to) in [("1,5", me), ("-1", me), ("1 DOT", me), ("1 UNIT", "5Grw")] {
		let refused = fabric_failure(url, &["account", "send", amount, to, "--yes"]);
		assert_eq!(refused.class, "usage", "{amount} {to}: {refused:?}");
	}
	let source: Result<KeySource, _> = key.parse();
	assert!(source.is_ok_and(|source| matches!(source, KeySource::Keystore(_))));
}

#[test]
fn a_secret_in_the_place_of_a_public_value_is_not_printed_back() {
	let identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
	let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow";
	let (tenant, kms) = ("iten9sCm6uvM9m6Nkn", "ikmsXZ9KkLM2Bd5Zs");
	for secret in [identity, phrase] {
		for arguments in [
			&["kms", "add", tenant, "--name", "a", "--key", secret][..],
			&["kms", "set", tenant, kms, "--locator", secret],
			&["key", "grant", tenant, secret, "content"],
			&["publish", "site", "--node-locator", secret],
			&["account", "send", "1", secret],
		] {
			for json in [&[][..], &["--json"]] {
				let output = fabric_command(NOWHERE, &[json, arguments].concat()).output();
				let output = output.expect("the client starts");
				let printed = [output.stdout, output.stderr].concat();
				let printed = String::from_utf8_lossy(&printed);
				assert_eq!(output.status.code(), Some(2), "{arguments:?}: {printed}");
				assert!(!printed.contains(secret), "{arguments:?}: {printed}");
				assert!(printed.contains("looks like a secret"), "{arguments:?}: {printed}");
			}
		}
	}
}
