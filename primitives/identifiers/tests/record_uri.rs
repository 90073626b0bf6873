// SPDX-License-Identifier: Apache-2.0
//! URIs of records: the public examples of AT URIs, the three accepted forms, and the `url` crate.

#![cfg(feature = "text")]

mod common;

use common::{texts, vectors};
use content_fabric_identifiers::{
	Authority, Did, Handle, ParseAuthorityError, ParseRecordPathError, ParseRecordUriError,
	RecordPath, RecordUri, TenantId,
};
use proptest::prelude::*;
use url::Url;

const TENANT: TenantId = TenantId(*b"0123456789");

fn parse(text: &str) -> RecordUri<'_> {
	RecordUri::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns true if a URI is valid up to its end, but names a repository or a collection.
fn names_more_than_a_record(error: ParseRecordUriError) -> bool {
	matches!(
		error,
		ParseRecordUriError::NoCollection { .. }
			| ParseRecordUriError::Path { error: ParseRecordPathError::NoKey { .. }, .. }
	)
}

#[test]
fn the_public_examples_of_at_uris_hold() {
	let vectors = vectors("at_uri");
	let mut records = 0;
	for text in texts(&vectors["valid"]) {
		match RecordUri::parse(text) {
			Ok(uri) => {
				assert_eq!(uri.to_string(), text);
				assert!(uri.path().nsid().is_some());
				assert_eq!(uri.tenant(), None);
				records += 1;
			},
			Err(error) => assert!(names_more_than_a_record(error), "{text}: {error}"),
		}
	}
	assert_eq!(
		records,
		texts(&vectors["valid"]).filter(|text| text.split('/').count() == 5).count()
	);
	for text in texts(&vectors["invalid"]) {
		let error = RecordUri::parse(text).expect_err(text);
		assert!(!names_more_than_a_record(error), "{text}: {error}");
	}
}

#[test]
fn the_public_examples_of_authorities_hold() {
	let vectors = vectors("at_uri");
	for text in texts(&vectors["did_valid"]) {
		assert_eq!(Did::parse(text).map(|did| did.as_str()), Ok(text));
		assert_eq!(Did::from_bytes(text.as_bytes()), Did::parse(text));
	}
	for text in texts(&vectors["did_invalid"]) {
		assert!(Did::parse(text).is_err(), "{text}");
	}
	for text in texts(&vectors["handle_valid"]) {
		assert_eq!(Handle::parse(text).map(|handle| handle.as_str()), Ok(text));
		assert_eq!(Handle::from_bytes(text.as_bytes()), Handle::parse(text));
	}
	for text in texts(&vectors["handle_invalid"]) {
		assert!(Handle::parse(text).is_err(), "{text}");
	}
	assert_eq!(Did::parse("did:web:example.com").expect("a DID").method(), "web");
}

#[test]
fn three_forms_are_read_and_one_of_a_tenant_is_written() {
	let canonical = "fabric:/iten3i37NcgooY8f1S/names/serde:1.0.0";
	let uri = parse(canonical);
	assert_eq!(uri, parse("fabric://iten3i37NcgooY8f1S/names/serde:1.0.0"));
	assert_eq!(
		uri,
		RecordUri::new(TENANT, RecordPath::parse("names/serde:1.0.0").expect("a path"))
	);
	assert_eq!(uri.to_string(), canonical);
	assert_eq!(format!("{uri:?}"), format!("RecordUri({canonical})"));
	assert_eq!((uri.tenant(), uri.authority()), (Some(TENANT), Authority::Tenant(TENANT)));
	assert_eq!((uri.collection().as_str(), uri.key().as_str()), ("names", "serde:1.0.0"));

	// A parser that takes the tenant for a host name turns it into another one.
	assert_ne!(parse("fabric://iten3i37ncgooy8f1s/names/serde:1.0.0").tenant(), Some(TENANT));

	let at = parse("at://did:plc:asdf123/com.atproto.feed.post/record");
	assert_eq!(Did::parse("did:plc:asdf123").map(Authority::Did), Ok(at.authority()));
	assert_eq!(at.to_string(), "at://did:plc:asdf123/com.atproto.feed.post/record");
}

#[test]
fn everything_else_is_refused_with_the_rule_and_the_byte() {
	let scheme = "the URI of a record begins with `fabric:/` or `at://`";
	// `$` stands for the id of a tenant.
	for (text, position, message) in [
		("", 0, scheme),
		("fabric:$/names/x", 0, scheme),
		("FABRIC:/$/names/x", 0, scheme),
		("AT://did:plc:asdf123/com.atproto.feed.post/x", 0, scheme),
		("http://$/names/x", 0, scheme),
		("fabric:///$/names/x", 9, "tenant at byte 9: the id does not start with `iten`"),
		("fabric:/iten0/names/x", 12, "tenant at byte 8: the character at byte 12 is not base58"),
		("fabric:/example.com/names/x", 8, "tenant at byte 8: the id does not start with `iten`"),
		("fabric:/$", 26, "expected `/`, a collection, `/` and a record key at byte 26"),
		("fabric:/$/names", 32, "expected `/` and a record key at byte 32"),
		("fabric:/$/names/x/", 34, "record key at byte 33: byte 34 is not allowed in a record key"),
		("fabric:/$/na:mes/x", 29, "collection at byte 27: byte 29 is not allowed in a record key"),
		("at://$/com.atproto.feed.post/x", 5, "handle at byte 5: a handle has at least two labels"),
		(
			"at://user.b_y.social/com.atproto.feed.post/x",
			11,
			"handle at byte 5: byte 11 is not allowed at this position of a handle",
		),
		(
			"at://did:PLC:x/com.atproto.feed.post/x",
			9,
			"DID at byte 5: byte 9 is not allowed at this position of a DID",
		),
		(
			"at://did:plc:x/names/x",
			15,
			"collection at byte 15: an NSID has at least three segments, not 1",
		),
	] {
		let text = text.replace('$', "iten3i37NcgooY8f1S");
		let error = RecordUri::parse(&text).expect_err(&text);
		assert_eq!((error.position(), error.to_string().as_str()), (position, message), "{text:?}");
	}
}

#[test]
fn authorities_are_told_from_each_other_by_their_texts() {
	for text in ["iten3i37NcgooY8f1S", "did:web:example.com", "example.com"] {
		assert_eq!(Authority::parse(text).map(|authority| authority.to_string()), Ok(text.into()));
		assert_eq!(Authority::from_bytes(text.as_bytes()), Authority::parse(text));
	}
	assert!(matches!(Authority::parse("iten"), Err(ParseAuthorityError::Tenant(_))));
	assert!(matches!(Authority::parse("did:web"), Err(ParseAuthorityError::Did(_))));
	assert!(matches!(Authority::parse("example."), Err(ParseAuthorityError::Handle(_))));
	assert_eq!(Authority::from(TENANT), Authority::Tenant(TENANT));
}

/// Any record key of one character or more.
const KEYS: &str = "[A-Za-z0-9._~:-]{1,30}";

proptest! {
	#[test]
	fn canonical_uris_pass_through_a_url_parser_unchanged(
		tenant: [u8; 10],
		collection in "[A-Za-z0-9._~-]{1,30}",
		key in KEYS,
	) {
		let path = format!("{collection}/{key}");
		if let Ok(path) = RecordPath::parse(&path) {
			let text = RecordUri::new(TenantId(tenant), path).to_string();
			let url = Url::parse(&text).expect("a canonical URI is a URL");
			prop_assert_eq!(url.as_str(), &text);
			prop_assert_eq!((url.scheme(), url.has_host()), ("fabric", false));
			prop_assert_eq!(url.path_segments().map(Iterator::count), Some(3));
			prop_assert_eq!(RecordUri::parse(url.as_str()).map(|uri| uri.to_string()), Ok(text));
		}
	}

	#[test]
	fn accepted_texts_mean_themselves(
		text in "(fabric:/{1,3}|at:/{0,3})(iten[1-9A-HJ-NP-Za-km-z]{13,14}|did:[a-z]{1,3}:[a-z%:]{1,4}|[a-z]{1,3}[.][a-z0-9-]{1,3})((/[a-z.]{1,8}){0,3}|/com[.]example[.][a-z]{1,3}/[a-z.]{1,8})|\\PC{0,30}",
	) {
		let parsed = RecordUri::parse(&text);
		prop_assert_eq!(RecordUri::from_bytes(text.as_bytes()), parsed);
		match parsed {
			Ok(uri) => {
				let canonical = uri.to_string();
				prop_assert_eq!(RecordUri::parse(&canonical), Ok(uri));
				prop_assert_eq!(canonical, text.replacen("fabric://", "fabric:/", 1));
			},
			Err(error) => prop_assert!(error.position() <= text.len(), "{}", error),
		}
	}
}
