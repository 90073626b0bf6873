// SPDX-License-Identifier: Apache-2.0
//! Any bytes: not decoded, or a value that is encoded to the bytes it was decoded from.

#![no_main]

use content_fabric_identifiers::{Medallion, Muid, RecordKeySyntax, RecordKeyType, Tid, VersionId};
use libfuzzer_sys::fuzz_target;
use parity_scale_codec::{Decode, Encode};

fn round_trip<T: Decode + Encode>(bytes: &[u8]) {
	let mut rest = bytes;
	if let Ok(value) = T::decode(&mut rest) {
		assert_eq!(value.encode(), bytes[..bytes.len() - rest.len()]);
	}
}

fuzz_target!(|bytes: &[u8]| {
	round_trip::<Muid>(bytes);
	round_trip::<Medallion>(bytes);
	round_trip::<Tid>(bytes);
	round_trip::<VersionId>(bytes);
	round_trip::<RecordKeySyntax>(bytes);
	round_trip::<RecordKeyType<[u8; 4]>>(bytes);
});
