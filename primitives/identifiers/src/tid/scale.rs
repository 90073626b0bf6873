// SPDX-License-Identifier: Apache-2.0
//! SCALE: a TID is its big-endian bytes.

use super::Tid;

crate::scale::as_bytes!(Tid);
