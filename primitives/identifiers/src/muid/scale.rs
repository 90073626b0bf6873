// SPDX-License-Identifier: Apache-2.0
//! SCALE: a muid is its packed bytes, a medallion its number.

use super::{Medallion, Muid};
use crate::scale::{as_bytes, decode_number};

as_bytes!(Muid);
decode_number!(Medallion, u64, "a medallion");
