// SPDX-License-Identifier: Apache-2.0
//! SCALE: a TID is its big-endian bytes, a clock id its number.

use super::{ClockId, Tid};
use crate::scale::{as_bytes, decode_number};

as_bytes!(Tid);
decode_number!(ClockId, u16, "a clock id");
