// SPDX-License-Identifier: Apache-2.0
use std::io::BufReader;

use content_fabric_identifiers::{ContentObjectPath, HashKind, VersionId};

use super::*;

fn hash(byte: u8) -> String {
	format!("sha256:{}", hex::encode([byte; 32]))
}

fn sha256(byte: u8) -> Cid {
	Cid { hash: HashKind::Sha256, version: VersionId([byte; 32]) }
}

/// Returns a line with a name, a hash, and further fields.
fn line(name: &str, byte: u8, more: &str) -> String {
	format!(r#"{{"name": "{name}", "hash": "{}"{more}}}"#, hash(byte))
}

fn read_lines(lines: &[String]) -> Result<Sources, ManifestError> {
	read(lines.join("\n").as_bytes(), ids::space("s"), Some("d"))
}

/// Returns the objects of the default source.
fn objects(lines: &[String]) -> Vec<Object> {
	let mut sources = read_lines(lines).expect("it is a manifest");
	assert_eq!(sources.len(), 1);
	sources.remove("d").expect("it is the default")
}

fn bad(text: impl AsRef<[u8]>) -> BadLines {
	match read(text.as_ref(), ids::space("s"), Some("d")) {
		Err(ManifestError::Lines(bad)) => bad,
		other => panic!("{other:?}"),
	}
}

fn release(name: &str, version: &str, byte: u8) -> Release {
	let (name, version) = (name.to_owned(), version.to_owned());
	Release { name, version, hash: sha256(byte), size: None, is_head: false }
}

#[test]
fn items_are_grouped_by_source_and_object() {
	let sources = read_lines(&[
		line("a", 1, r#", "version": "1", "size": 7"#),
		line("a", 2, r#", "version": "2", "head": true"#),
		line("a", 1, r#", "source": "other""#),
		line("b", 3, r#", "version": "1", "object": "a", "head": null, "size": null"#),
		line("c", 3, ""),
	])
	.expect("it is a manifest");
	let a = Object {
		name: "a".into(),
		id: None,
		releases: vec![
			Release { size: Some(7), ..release("a", "1", 1) },
			Release { is_head: true, ..release("a", "2", 2) },
			release("b", "1", 3),
		],
	};
	let c = release("c", "0303030303030303", 3);
	let c = Object { name: "c".into(), id: None, releases: vec![c] };
	let other = Release { size: Some(7), ..release("a", "0101010101010101", 1) };
	let other = Object { name: "a".into(), id: None, releases: vec![other] };
	assert_eq!(sources, Sources::from([("d".into(), vec![a, c]), ("other".into(), vec![other])]));
}

#[test]
fn a_line_that_an_item_is_written_to_is_read_again() {
	let (name, hash) = ("ä \"b\"\n".to_owned(), sha256(0xab));
	let least =
		Item { name, version: None, hash, size: None, object: None, head: false, source: None };
	let most = Item {
		version: Some("1".into()),
		size: Some(u64::MAX),
		object: Some("o".into()),
		head: true,
		source: Some("s".into()),
		..least.clone()
	};
	for item in [least, most] {
		let text = serde_json::to_vec(&item).expect("it is JSON");
		assert_eq!(line::parse(&text), Ok(item));
	}
}

#[test]
fn an_object_is_named_or_given_by_its_id_and_both_are_one() {
	let tenant = ids::tenant(ids::space("s"), "d");
	let id = ids::content_object(tenant, "a");
	let path = ContentObjectPath { tenant, object: id };
	let given = |name: &str, id: &str| line(name, 1, &format!(r#", "object": "{id}""#));
	let (by_id, by_path) = (given("b", &id.to_string()), given("c", &path.to_string()));
	for lines in
		[[line("a", 1, ""), by_id.clone(), by_path.clone()], [by_id, by_path, line("a", 1, "")]]
	{
		let [object] = &objects(&lines)[..] else { panic!("it is one object") };
		assert_eq!((object.id(tenant), object.releases.len()), (id, 3));
	}
	// A name that looks like an id is a name.
	let [object] = &objects(&[line(&id.to_string(), 1, "")])[..] else { panic!("it is one") };
	assert_ne!(object.id(tenant), id);
	let tenant = ids::tenant(ids::space("s"), "e");
	let elsewhere = ContentObjectPath { tenant, ..path }.to_string();
	let reason = &bad(given("a", &elsewhere)).first[0].1;
	assert!(reason.contains(" belongs to the tenant iten"), "{reason}");
}

#[test]
fn equal_items_count_once_and_complete_each_other() {
	let lines = [
		line("a", 1, r#", "version": "1""#),
		line("a", 1, r#", "version": "1", "size": 7"#),
		line("a", 1, r#", "version": "1", "head": true, "source": "d""#),
		line("a", 1, r#", "version": "1""#),
	];
	let [object] = &objects(&lines)[..] else { panic!("it is one object") };
	assert_eq!(object.releases, [Release { size: Some(7), is_head: true, ..release("a", "1", 1) }]);
}

#[test]
fn items_that_contradict_each_other_name_both_lines() {
	let v = |version: &str| format!(r#", "version": "{version}""#);
	for (first, second, reason) in [
		(
			line("a", 1, ""),
			line("a", 2, ""),
			"`a` has another hash on line 2: give each hash a `version`",
		),
		(line("a", 1, &v("1")), line("a", 2, &v("1")), "`a:1` has another hash on line 2"),
		(line("a", 1, &v("1")), line("a:1", 2, ""), "`a:1` leads to something else on line 2"),
		(line("a:1", 1, ""), line("a", 2, &v("1")), "`a:1` leads to something else on line 2"),
		(
			line("a", 1, ""),
			line("a", 1, r#", "object": "b""#),
			"`a` leads to another object on line 2",
		),
		(
			line("a", 1, r#", "version": "1", "head": true"#),
			line("a", 2, r#", "version": "2", "head": true"#),
			"`a` has another head on line 2",
		),
		(
			line("a", 1, r#", "size": 1"#),
			line("b", 1, r#", "size": 2"#),
			"size is 2, and 1 for the same hash on line 2",
		),
		(
			line("a", 1, ""),
			line("b", 1, r#", "size": 1"#).replace("sha256:", "blake3:"),
			"hash is of the kind blake3, and sha256 for the same id on line 2",
		),
	] {
		let bad = bad(["", &first, &second].join("\n"));
		assert_eq!((&bad.first[..], bad.more), (&[(3, reason.to_owned())][..], 0));
	}
	// Of another source, or of no other hash, they do not.
	let lines = [
		line("a", 1, ""),
		line("a", 2, r#", "source": "e""#),
		line("b", 1, r#", "version": "1", "head": true"#),
		line("b", 1, r#", "version": "2", "head": true"#),
	];
	assert!(read_lines(&lines).is_ok());
}

#[test]
fn a_hash_of_either_kind_is_read_and_written() {
	let [blake3, sha256] = HashKind::ALL;
	for (hash, version, size) in [
		(blake3, VersionId([1; 32]), Some(7)),
		(sha256, VersionId([1; 32]), None),
		(blake3, blake3.of_no_data(), None),
		(blake3, blake3.of_no_data(), Some(0)),
	] {
		let hash = Cid { hash, version };
		let item = Item {
			name: "a".into(),
			version: None,
			hash,
			size,
			object: None,
			head: false,
			source: None,
		};
		let line = serde_json::to_string(&item).expect("an item is JSON");
		let text = format!("\"hash\":\"{}:{}\"", hash.hash, hex::encode(version));
		assert!(line.contains(&text), "{line}");
		assert_eq!(line::parse(line.as_bytes()), Ok(item));
	}
}

#[test]
fn bad_lines_say_what_is_wrong() {
	let good = line("a", 1, "");
	let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	let with_hash = |hash: &str| format!(r#"{{"name": "a", "hash": "{hash}"}}"#);
	let fit = "size and hash do not fit each other: only one of them stands for no data";
	for (text, reason) in [
		(with_hash("sha256:0123456789ab"), "hash has 12 hex digits, expected 64"),
		(with_hash("sha256:"), "hash has 0 hex digits, expected 64"),
		(with_hash(&hash(1)[..70]), "hash has 63 hex digits, expected 64"),
		(with_hash("sha256:0g"), "hash has 'g', expected hex digits after sha256:"),
		(with_hash("sha256:ä"), "hash has 'ä', expected hex digits after sha256:"),
		(
			with_hash(&format!("blake3:{}", "0".repeat(64))),
			"has no `size`, which goes with a hash of the kind blake3",
		),
		(with_hash(&format!("blake3:{}\", \"size\": 0, \"version\": \"1", "0".repeat(64))), fit),
		(with_hash("md5:00"), "hash is `md5:00`, expected blake3: or sha256: and 64 hex digits"),
		(
			with_hash(&"0".repeat(64)),
			"hash is `0000000000000000000000000000000000000000…`, expected blake3: or sha256: \
			 and 64 hex digits",
		),
		(r#"{"name": "a"}"#.into(), "has no `hash`"),
		(format!(r#"{{"hash": "{}"}}"#, hash(1)), "has no `name`"),
		(line("", 1, ""), "name is empty"),
		(line("a", 1, r#", "version": """#), "version is empty"),
		(line("a", 1, r#", "source": """#), "source is empty"),
		(line("a", 1, r#", "object": """#), "object is empty"),
		(line("a", 1, r#", "version": 1.0"#), "version is 1.0, expected a text"),
		(line("a", 1, r#", "size": "7""#), "size is \"7\", expected a number of bytes"),
		(line("a", 1, r#", "size": -1"#), "size is -1, expected a number of bytes"),
		(line("a", 1, r#", "size": 1.5"#), "size is 1.5, expected a number of bytes"),
		(line("a", 1, r#", "size": 0"#), fit),
		(with_hash(&format!("sha256:{empty}\", \"size\": 1, \"version\": \"1")), fit),
		(line("a", 1, r#", "head": "yes""#), "head is \"yes\", expected true or false"),
		(
			line("a", 1, r#", "bytes": 7"#),
			"unknown field `bytes`, expected one of `name`, `version`, `hash`, `size`, `object`, \
			 `head`, `source`",
		),
		(line("a", 1, r#", "name": "b""#), "duplicate field `name`"),
		(
			line("a", 1, r#", "object": "iq__0""#),
			"object: `iq__0` is not an id: the character at byte 4 is not base58",
		),
		("total 12".into(), "is not a JSON object: `total 12`"),
		("\u{1b}[2J".into(), "is not a JSON object: `\\u{1b}[2J`"),
		("[1, 2]".into(), "is not a JSON object: `[1, 2]`"),
		("{".into(), "is not a JSON object: it ends too early"),
		(format!("{good},"), "is not a JSON object: trailing characters in column 97"),
		(format!("{good}{good}"), "is not a JSON object: trailing characters in column 97"),
	] {
		let bad = bad([&good, &text, &good].map(String::as_str).join("\n"));
		assert_eq!((&bad.first[..], bad.more), (&[(2, reason.to_owned())][..], 0), "{text}");
	}
	let large = &bad(line("a", 1, r#", "size": 18446744073709551616"#)).first[0].1;
	assert!(large.starts_with("size is 1") && large.ends_with(", expected a number of bytes"));
	for (bytes, reason) in [
		(&b"\x1f\x8b\x08\0\n"[..], "is not UTF-8 text"),
		(b"\xff\xfe{\0\"\0\n", "is not UTF-8 text"),
		(b"{\"name\": \"\xff\"}", "is not UTF-8 text"),
	] {
		assert_eq!(bad(bytes).first, [(1, reason.to_owned())]);
	}
}

#[test]
fn an_item_needs_a_source() {
	let text = format!("{}\n{}", line("a", 1, r#", "source": "s""#), line("b", 1, ""));
	let read = |source| read(text.as_bytes(), ids::space("s"), source);
	let Err(ManifestError::Lines(bad)) = read(None) else { panic!("the second line has none") };
	assert_eq!(bad.first, [(2, "has no `source`: add it, or pass --source NAME".to_owned())]);
	assert_eq!(read(Some("d")).expect("there is a default").len(), 2);
}

#[test]
fn marks_blank_lines_and_ends_of_lines_do_not_count() {
	let (first, last) = (line("a", 1, ""), line("b", 2, ""));
	let expected = objects(&[first.clone(), last.clone()]);
	for text in [
		format!("{first}\r\n{last}\r\n"),
		format!("\u{feff}{first}\n{last}"),
		format!("\u{feff}\n\n  \t\r\n{first} \n\n \t{last}\n\n"),
		format!("{}{first}\n{last}", "\n".repeat(10_000)),
	] {
		let sources = read(text.as_bytes(), ids::space("s"), Some("d")).expect("it is a manifest");
		assert_eq!(sources["d"], expected);
	}
	for text in ["", "\n", "\u{feff}", "\u{feff}\r\n \n"] {
		let read = read(text.as_bytes(), ids::space("s"), Some("d"));
		assert!(matches!(read, Err(ManifestError::Empty)), "{text:?}");
	}
	// Only at the start.
	let marked = format!("{first}\n\u{feff}{last}");
	assert!(bad(marked).first[0].1.starts_with("is not a JSON object: "));
}

#[test]
fn long_lines_are_refused_and_the_next_ones_are_read() {
	let fits = line(&"n".repeat(60_000), 1, "");
	assert_eq!(objects(std::slice::from_ref(&fits)).len(), 1);
	let long = "x".repeat(10 << 20);
	for end in ["", "\n", "\ntotal 12\n"] {
		let text =
			format!("{fits}\n{}\n{}{end}", line(&long, 1, ""), line("a", 2, &" ".repeat(70_000)));
		let bad = bad(text);
		assert_eq!(
			bad.first[..2],
			[2, 3].map(|line| (line, "has more than 65536 bytes".to_owned()))
		);
		assert_eq!(bad.first.len(), if end.len() > 1 { 3 } else { 2 });
	}
	// The rest of a line that is too long is skipped.
	let endless = BufReader::new(std::io::repeat(b'{').take(1 << 24));
	assert!(read(endless, ids::space("s"), None).is_err());
}

#[test]
fn all_bad_lines_are_counted_and_the_first_are_kept() {
	let text = format!("{}\n{}", line("a", 1, ""), "total 12\n".repeat(1_234));
	let bad = bad(text);
	assert_eq!((bad.first.len(), bad.first[19].0, bad.more), (20, 21, 1_214));
	let text = bad.describe(&"manifest");
	let lines: Vec<_> = text.lines().collect();
	assert_eq!(lines.len(), 21);
	assert_eq!(lines[0], "manifest:2: is not a JSON object: `total 12`");
	assert_eq!(lines[20], "… and 1,214 more bad lines");
}

#[test]
fn a_hundred_thousand_lines_are_read() {
	let line = |number: u32| {
		let hash = hex::encode([number.to_be_bytes(); 8].as_flattened());
		format!(
			"{{\"name\":\"p{}\",\"version\":\"{number}\",\"hash\":\"sha256:{hash}\"}}\n",
			number / 4
		)
	};
	let text: String = (0..100_000).map(line).collect();
	let sources = read(text.as_bytes(), ids::space("s"), Some("d")).expect("it is a manifest");
	assert_eq!(sources["d"].len(), 25_000);
	assert!(sources["d"].iter().all(|object| object.releases.len() == 4));
}

#[test]
fn errors_of_reads_are_kept() {
	struct Broken;
	impl Read for Broken {
		fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
			Err(io::Error::from_raw_os_error(21))
		}
	}
	let error = read(BufReader::new(Broken), ids::space("s"), None).expect_err("it is broken");
	assert_eq!(error.to_string(), "cannot be read: Is a directory (os error 21)");
}
