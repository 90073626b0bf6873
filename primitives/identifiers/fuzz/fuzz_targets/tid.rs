// SPDX-License-Identifier: Apache-2.0
//! Any bytes: refused at a byte within them, or the text of a TID.

#![no_main]

use content_fabric_identifiers::Tid;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
	match Tid::from_text(bytes) {
		Ok(tid) => {
			assert_eq!(tid.to_text(), bytes);
			assert_eq!(tid.to_string().as_bytes(), bytes);
		},
		Err(error) => assert!(error.position() <= bytes.len()),
	}
});
