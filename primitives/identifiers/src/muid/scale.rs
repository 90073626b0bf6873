// SPDX-License-Identifier: Apache-2.0
//! SCALE: a muid is its packed bytes, a medallion its number.

use codec::{
	Decode, DecodeWithMemTracking, Encode, EncodeLike, Error, Input, MaxEncodedLen, Output,
};
use scale_info::{build::Fields, Path, Type, TypeInfo};

use super::{Medallion, Muid};

impl Encode for Muid {
	fn size_hint(&self) -> usize {
		Self::LEN
	}

	fn encode_to<O: Output + ?Sized>(&self, output: &mut O) {
		output.write(&self.to_bytes());
	}

	fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
		f(&self.to_bytes())
	}
}

impl EncodeLike for Muid {}

impl Decode for Muid {
	fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
		<[u8; Self::LEN]>::decode(input).map(Self::from_bytes)
	}
}

impl DecodeWithMemTracking for Muid {}

impl MaxEncodedLen for Muid {
	fn max_encoded_len() -> usize {
		Self::LEN
	}
}

impl TypeInfo for Muid {
	type Identity = Self;

	fn type_info() -> Type {
		Type::builder()
			.path(Path::new("Muid", module_path!()))
			.composite(Fields::unnamed().field(|field| field.ty::<[u8; Self::LEN]>()))
	}
}

impl Decode for Medallion {
	fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
		let value = u64::decode(input)?;
		Self::new(value).map_err(|_| "the number is too large for a medallion".into())
	}
}

impl DecodeWithMemTracking for Medallion {}
