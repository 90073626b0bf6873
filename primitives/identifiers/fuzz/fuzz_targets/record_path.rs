// SPDX-License-Identifier: Apache-2.0
//! Any bytes: refused at a byte within them, or a path that is written as it was read.

#![no_main]

use content_fabric_identifiers::RecordPath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
	let parsed = RecordPath::from_bytes(bytes);
	match parsed {
		Ok(path) => {
			assert_eq!(path.to_string().as_bytes(), bytes);
			assert_eq!(RecordPath::new(path.collection(), path.key()), Ok(path));
		},
		Err(error) => {
			assert!(error.position() <= bytes.len());
			assert!(!error.to_string().is_empty());
		},
	}
	match RecordPath::repository_from_bytes(bytes) {
		// A repository has fewer paths than a content fabric.
		Ok(path) => assert_eq!((parsed, path.nsid().is_some()), (Ok(path), true)),
		Err(error) => assert!(error.position() <= bytes.len()),
	}
});
