// SPDX-License-Identifier: Apache-2.0
//! Any bytes: refused at a byte within them, or the text of a TID. The lenient form differs in the
//! top bit only.

#![no_main]

use content_fabric_identifiers::{LenientTid, ParseTidError, Tid};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
	let lenient = LenientTid::from_text(bytes);
	match Tid::from_text(bytes) {
		Ok(tid) => {
			assert_eq!(tid.to_text(), bytes);
			assert_eq!(tid.to_string().as_bytes(), bytes);
			assert_eq!(lenient, Ok(tid.into()));
		},
		Err(ParseTidError::TopBit) => {
			let lenient = lenient.expect("only the top bit is wrong");
			assert!(lenient.has_top_bit());
			assert_eq!(lenient.to_string().as_bytes(), bytes);
		},
		Err(error) => {
			assert!(error.position() <= bytes.len());
			assert_eq!(lenient, Err(error));
		},
	}
});
