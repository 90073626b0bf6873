// SPDX-License-Identifier: Apache-2.0
//! Any bytes: a record key exactly where the rule, written down plainly, says so; and types of
//! keys.

#![no_main]

use content_fabric_identifiers::{RecordKey, RecordKeySyntax, RecordKeyType};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
	for (syntax, marks) in
		[(RecordKeySyntax::Unreserved, &b"-._~"[..]), (RecordKeySyntax::PathSegment, b"-._~:")]
	{
		let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || marks.contains(byte);
		let by_rule = (1..=512).contains(&bytes.len())
			&& bytes != b"."
			&& bytes != b".."
			&& bytes.iter().all(allowed);
		let parsed = RecordKey::from_bytes(bytes, syntax);
		assert_eq!(parsed.is_ok(), by_rule);
		if let Err(error) = parsed {
			assert!(error.position() <= bytes.len());
		}
		let Ok(text) = std::str::from_utf8(bytes) else { continue };
		match RecordKeyType::parse(text, syntax) {
			Ok(kind) => {
				assert_eq!(kind.to_string(), text);
				if let RecordKeyType::Literal(key) = kind {
					assert!(kind.check(key.as_str(), syntax).is_ok());
				}
			},
			Err(error) => assert!(error.position() <= text.len()),
		}
	}
});
