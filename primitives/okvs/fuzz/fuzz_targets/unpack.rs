// SPDX-License-Identifier: Apache-2.0
//! Any bytes: refused at a byte within them, or a tuple that is packed to them.

#![no_main]

use content_fabric_okvs::tuple::{pack, unpack, Element};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
	match unpack::<Vec<Element>>(bytes) {
		Ok(items) => {
			assert_eq!(pack(&items), bytes);
			// Typed reading agrees with untyped reading on what the first item is.
			let first = unpack::<(Element,)>(bytes);
			assert_eq!(first.is_ok(), items.len() == 1);
		},
		Err(error) => assert!(error.at <= bytes.len()),
	}
	let _ = unpack::<(&str, i64, f64)>(bytes);
	let _ = unpack::<((u128, Option<Vec<u8>>), bool)>(bytes);
});
