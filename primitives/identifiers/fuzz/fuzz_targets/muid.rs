// SPDX-License-Identifier: Apache-2.0
//! Any text: refused at a byte within it, or a muid whose texts are read as the same.

#![no_main]

use content_fabric_identifiers::Muid;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
	match text.parse::<Muid>() {
		Ok(muid) => {
			assert!(text.is_ascii());
			assert_eq!(muid.to_string().parse(), Ok(muid));
			assert_eq!(muid.short().to_string().parse(), Ok(muid));
			assert_eq!(core::str::from_utf8(&muid.to_hex()).map(str::parse), Ok(Ok(muid)));
			assert_eq!(Muid::from_bytes(muid.to_bytes()), muid);
		},
		Err(error) => assert!(error.position() <= text.len()),
	}
});
