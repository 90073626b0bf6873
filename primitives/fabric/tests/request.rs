// SPDX-License-Identifier: Apache-2.0
//! Signed requests: their header, and the time in which they are accepted. The client has the tests
//! of the vectors, with their signatures.
#![cfg(feature = "text")]

use content_fabric_primitives::{
	identifiers::{KmsId, NodeId, TenantId},
	Authorization, ParseAuthorizationError, Receiver, Request, Until, Untimely,
};

/// 2026-11-27T05:00:00Z.
const NOW: u64 = 1_795_755_600;

fn header() -> String {
	let signature = [&[1][..], &[0xab; 64]].concat();
	let until = Until::new(NOW);
	let account = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY".into();
	Authorization { account, until, signature }.to_string()
}

fn error_of(header: &str) -> String {
	let parsed = header.parse::<Authorization>();
	parsed.expect_err(&format!("{header} is refused")).to_string()
}

#[test]
fn the_text_names_a_recipient_only_for_a_kms_that_wraps_keys() {
	let (genesis_hash, tenant, until) = (&[7; 32], TenantId([3; 10]), Until::new(NOW));
	let text = |to| Request { genesis_hash, to, tenant, account: "5Grw", until }.text();
	let node = text(Receiver::Node(NodeId([2; 10])));
	assert_eq!(
		node,
		format!(
			"content-fabric/request/v1\ngenesis 0x{}\nto {}\ntenant {tenant}\naccount 5Grw\nuntil \
			 2026-11-27T05:00:00Z",
			"07".repeat(32),
			NodeId([2; 10]),
		)
	);
	let key = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
	let kms = |recipient| text(Receiver::Kms(KmsId([4; 10]), recipient));
	let with_key = kms(Some(key.parse().expect("it is a key")));
	assert_eq!(with_key.replace(&format!("for {key}\n"), ""), kms(None));
	assert_eq!(kms(None), node.replace(&NodeId([2; 10]).to_string(), &KmsId([4; 10]).to_string()));
}

#[test]
fn times_are_read_and_written_to_the_second() {
	for (seconds, text) in [
		(0, "1970-01-01T00:00:00Z"),
		(86_399, "1970-01-01T23:59:59Z"),
		(951_782_400, "2000-02-29T00:00:00Z"),
		(951_868_800, "2000-03-01T00:00:00Z"),
		(NOW, "2026-11-27T05:00:00Z"),
		(4_107_542_400, "2100-03-01T00:00:00Z"),
		(253_402_300_799, "9999-12-31T23:59:59Z"),
	] {
		assert_eq!(
			(Until::new(seconds).to_string(), text.parse()),
			(text.into(), Ok(Until::new(seconds)))
		);
	}
	assert_eq!(Until::new(u64::MAX).to_string(), "9999-12-31T23:59:59Z");
	// Each day has one text, and texts have the order of their days.
	let mut last = String::new();
	for day in 0..60_000 {
		let (time, text) = (Until::new(day * 86_400), Until::new(day * 86_400).to_string());
		assert!(text > last && text.parse() == Ok(time), "{text} after {last}");
		last = text;
	}
	for text in [
		"",
		"2026-11-27",
		"2026-11-27T05:00:00",
		"2026-11-27T05:00:00z",
		"2026-11-27T05:00:00.0Z",
		"2026-11-27T05:00:00+00:00",
		"2026-11-27 05:00:00Z",
		"2026-11-31T05:00:00Z",
		"2026-02-29T05:00:00Z",
		"2100-02-29T05:00:00Z",
		"2026-00-27T05:00:00Z",
		"2026-13-27T05:00:00Z",
		"2026-11-00T05:00:00Z",
		"2026-11-27T24:00:00Z",
		"2026-11-27T05:60:00Z",
		"2026-11-27T05:00:60Z",
		"1969-12-31T23:59:59Z",
		"0000-01-01T00:00:00Z",
		"+026-11-27T05:00:00Z",
		"２026-11-27T05:00:00Z",
	] {
		assert_eq!(text.parse::<Until>(), Err(ParseAuthorizationError::Until), "{text}");
	}
}

#[test]
fn a_request_is_accepted_from_an_hour_before_its_end_to_its_end_and_a_minute_more() {
	for (until, expected) in [
		(NOW - 3_600, Err(Untimely::Expired)),
		(NOW - 60, Err(Untimely::Expired)),
		(NOW - 59, Ok(())),
		(NOW, Ok(())),
		(NOW + 3_600, Ok(())),
		(NOW + 3_660, Ok(())),
		(NOW + 3_661, Err(Untimely::TooLong)),
		(u64::MAX, Err(Untimely::TooLong)),
	] {
		assert_eq!(Until::new(until).ensure_timely(NOW), expected, "{until}");
	}
	assert_eq!(Until::new(0).ensure_timely(0), Ok(()));
	assert_eq!(Until::new(0).ensure_timely(u64::MAX), Err(Untimely::Expired));
	assert_eq!(Until::new(u64::MAX).ensure_timely(u64::MAX), Err(Untimely::Expired));
}

#[test]
fn the_header_is_read_in_any_order_and_case_of_the_scheme() {
	let header = header();
	let parsed: Authorization = header.parse().expect("it is one");
	assert_eq!(parsed.to_string(), header);
	let (account, until, signature) = ("account=\"5Grw\"", "until=\"2026-11-27T05:00:00Z\"", {
		let start = header.find("signature").expect("it is there");
		&header[start..]
	});
	for text in [
		format!("Fabric {signature},{until},{account}"),
		format!("fabric   {until} ,  {account} , {signature} "),
		format!("FABRIC {account}, {until}, {}", signature.replace("ab", "AB")),
	] {
		let found: Authorization = text.parse().expect("it is one");
		assert_eq!(found, Authorization { account: "5Grw".into(), ..parsed.clone() }, "{text}");
	}
}

#[test]
fn other_headers_are_refused_by_what_is_wrong() {
	let header = header();
	let with = |from: &str, to: &str| {
		assert!(header.contains(from), "{from}");
		header.replace(from, to)
	};
	let (ab, account) = ("ab".repeat(64), "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY");
	for (text, error) in [
		(String::new(), "the scheme is not `Fabric`"),
		("Basic dXNlcjpwYXNz".into(), "the scheme is not `Fabric`"),
		(with("Fabric", "Fabrics"), "the scheme is not `Fabric`"),
		(with("Fabric ", "Fabric\t"), "the scheme is not `Fabric`"),
		("Fabric".into(), "expected `name=\"value\"`, separated by commas, at byte 6"),
		("Fabric ".into(), "expected `name=\"value\"`, separated by commas, at byte 7"),
		(
			with("account=", "account ="),
			"expected `name=\"value\"`, separated by commas, at byte 7",
		),
		(
			with("account=\"", "account="),
			"expected `name=\"value\"`, separated by commas, at byte 7",
		),
		(
			with("\", until", "\"; until"),
			"expected `name=\"value\"`, separated by commas, at byte 65",
		),
		(format!("{header},"), "separated by commas, at byte"),
		(format!("{header} x"), "separated by commas, at byte"),
		(header[..header.len() - 1].into(), "separated by commas, at byte 97"),
		(with("until", "realm"), "it has no parameter `realm`"),
		(with("account", "Account"), "separated by commas, at byte 7"),
		(format!("{header}, until=\"\""), "`until` is given twice"),
		("Fabric account=\"5Grw\"".into(), "`until` is missing"),
		("Fabric until=\"\", signature=\"\"".into(), "`account` is missing"),
		("Fabric until=\"\", account=\"\"".into(), "`signature` is missing"),
		(with(account, ""), "`account` is not an SS58 address"),
		(with(account, "5Grw\nto"), "`account` is not an SS58 address"),
		(with(account, &"5".repeat(65)), "`account` is not an SS58 address"),
		(with("2026-11-27", "2026-11-31"), "`until` is not a time in UTC such as"),
		(with("0x01", "01"), "`signature` is not a MultiSignature"),
		(with("0x01", "0x03"), "`signature` is not a MultiSignature"),
		(with("0x01", "0x02"), "`signature` is not a MultiSignature"),
		(with(&ab, &format!("{ab}ab")), "`signature` is not a MultiSignature"),
		(with(&ab, &ab[1..]), "`signature` is not a MultiSignature"),
		(with(&ab, &ab[2..]), "`signature` is not a MultiSignature"),
		(with(&ab, ""), "`signature` is not a MultiSignature"),
		(with("0x01", "0xg1"), "`signature` is not a MultiSignature"),
		(format!("{header}{}", " ".repeat(512)), "bytes, expected at most 512"),
	] {
		let found = error_of(&text);
		assert!(found.contains(error), "{text}: {found}, expected {error}");
	}
	let kinds = [(0, 64, true), (1, 64, true), (2, 65, true), (0, 65, false), (2, 64, false)];
	for (kind, length, is_read) in kinds {
		let signature = format!("0x{kind:02x}{}", "cd".repeat(length));
		let text = with(&format!("0x01{ab}"), &signature);
		assert_eq!(text.parse::<Authorization>().is_ok(), is_read, "{text}");
	}
}

#[test]
fn a_header_that_is_read_is_written_as_the_same_request() {
	let header = header();
	let parsed = header.parse::<Authorization>();
	// Each byte is left out, and replaced by each kind of character.
	for at in 0..header.len() {
		for other in ["", "\"", ",", " ", "=", "0", "z", "\n", "é", "\0"] {
			let changed = format!("{}{other}{}", &header[..at], &header[at + 1..]);
			if let Ok(found) = changed.parse::<Authorization>() {
				assert_eq!(found.to_string().parse(), Ok(found.clone()), "{changed}");
				assert!(changed.replace([' ', 'f'], "").len() <= header.len(), "{changed}");
			}
		}
		assert!(header[..at].parse::<Authorization>().is_err(), "{}", &header[..at]);
	}
	assert!(parsed.is_ok());
}
