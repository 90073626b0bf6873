// SPDX-License-Identifier: Apache-2.0
//! Muids and medallions by the metadata of a chain, which describes a muid as its packed bytes, and
//! a medallion as its number.

#[cfg(feature = "scale-decode")]
mod decode {
	use core::marker::PhantomData;

	use scale_decode::{
		visitor::DecodeAsTypeResult, DecodeAsType, Error, IntoVisitor, TypeResolver, Visitor,
	};

	use crate::{Medallion, Muid};

	/// Decodes a value from another type, by a function that may fail.
	macro_rules! decoded {
		($($name:ident $visitor:ident: $from:ty, $convert:expr;)*) => {$(
			#[doc = concat!("Decodes a [`", stringify!($name), "`].")]
			pub struct $visitor<R>(PhantomData<R>);

			impl<R: TypeResolver> Visitor for $visitor<R> {
				type Value<'scale, 'resolver> = $name;
				type Error = Error;
				type TypeResolver = R;

				fn unchecked_decode_as_type(
					self,
					input: &mut &[u8],
					type_id: R::TypeId,
					types: &R,
				) -> DecodeAsTypeResult<Self, Result<$name, Error>> {
					let decoded = <$from>::decode_as_type(input, type_id, types);
					DecodeAsTypeResult::Decoded(decoded.and_then($convert))
				}
			}

			impl IntoVisitor for $name {
				type AnyVisitor<R: TypeResolver> = $visitor<R>;

				fn into_visitor<R: TypeResolver>() -> $visitor<R> {
					$visitor(PhantomData)
				}
			}
		)*};
	}

	decoded! {
		Muid MuidVisitor: [u8; Muid::LEN], |bytes| Ok(Muid::from_bytes(bytes));
		Medallion MedallionVisitor: u64, |number| Medallion::new(number).map_err(Error::custom);
	}
}

#[cfg(feature = "scale-encode")]
mod encode {
	use alloc::vec::Vec;

	use scale_encode::{EncodeAsType, Error, TypeResolver};

	use crate::Muid;

	impl EncodeAsType for Muid {
		fn encode_as_type_to<R: TypeResolver>(
			&self,
			type_id: R::TypeId,
			types: &R,
			out: &mut Vec<u8>,
		) -> Result<(), Error> {
			self.to_bytes().encode_as_type_to(type_id, types, out)
		}
	}
}
