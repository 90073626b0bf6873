// SPDX-License-Identifier: Apache-2.0
//! Any text: refused at a byte within it, or an NSID, which is also a record key.

#![no_main]

use content_fabric_identifiers::{Nsid, RecordKey, RecordKeySyntax};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
	match Nsid::parse(text) {
		Ok(nsid) => {
			assert_eq!(nsid.as_str(), text);
			assert!(text.ends_with(nsid.name()));
			assert!(RecordKey::parse(text, RecordKeySyntax::Unreserved).is_ok());
		},
		Err(error) => assert!(error.position() <= text.len()),
	}
});
