//! SCALE: a clock id is its number.

use codec::{Decode, DecodeWithMemTracking, Error, Input};

use super::ClockId;

impl Decode for ClockId {
	fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
		let value = u16::decode(input)?;
		Self::new(value).map_err(|_| "the number is too large for a clock id".into())
	}
}

impl DecodeWithMemTracking for ClockId {}
