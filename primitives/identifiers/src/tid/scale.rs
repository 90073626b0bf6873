// SPDX-License-Identifier: Apache-2.0
//! SCALE: a TID is its big-endian bytes. Bytes whose top bit is set are not decoded.

use super::Tid;

crate::scale::as_bytes!(Tid, |bytes| {
	Tid::from_bytes(bytes).map_err(|_| codec::Error::from("the top bit of a TID is set"))
});
