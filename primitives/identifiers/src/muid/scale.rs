// SPDX-License-Identifier: Apache-2.0
//! SCALE: a muid is its packed bytes.

use super::Muid;

crate::scale::as_bytes!(Muid);
