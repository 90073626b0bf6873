// SPDX-License-Identifier: Apache-2.0
//! Any bytes: refused at a byte within them, or the URI of a record, whose canonical text is read
//! as the same. DIDs, handles and authorities likewise.

#![no_main]

use content_fabric_identifiers::{Authority, Did, Handle, RecordUri};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
	match RecordUri::from_bytes(bytes) {
		Ok(uri) => {
			let text = uri.to_string();
			assert_eq!(RecordUri::parse(&text), Ok(uri));
			assert!(text.as_bytes() == bytes || bytes.starts_with(b"fabric://"));
		},
		Err(error) => {
			assert!(error.position() <= bytes.len());
			assert!(!error.to_string().is_empty());
		},
	}
	match Authority::from_bytes(bytes) {
		Ok(authority) => assert_eq!(authority.to_string().as_bytes(), bytes),
		Err(error) => assert!(error.position() <= bytes.len()),
	}
	if let Err(error) = Did::from_bytes(bytes) {
		assert!(error.position() <= bytes.len());
	}
	if let Err(error) = Handle::from_bytes(bytes) {
		assert!(error.position() <= bytes.len());
	}
});
