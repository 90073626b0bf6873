// SPDX-License-Identifier: Apache-2.0
//! Muids by the metadata of a chain, which describes them as their packed bytes.

#[cfg(feature = "scale-decode")]
mod decode {
	use core::marker::PhantomData;

	use scale_decode::{
		visitor::DecodeAsTypeResult, DecodeAsType, Error, IntoVisitor, TypeResolver, Visitor,
	};

	use crate::Muid;

	/// Decodes a muid.
	pub struct MuidVisitor<R>(PhantomData<R>);

	impl<R: TypeResolver> Visitor for MuidVisitor<R> {
		type Value<'scale, 'resolver> = Muid;
		type Error = Error;
		type TypeResolver = R;

		fn unchecked_decode_as_type(
			self,
			input: &mut &[u8],
			type_id: R::TypeId,
			types: &R,
		) -> DecodeAsTypeResult<Self, Result<Muid, Error>> {
			let bytes = <[u8; Muid::LEN]>::decode_as_type(input, type_id, types);
			DecodeAsTypeResult::Decoded(bytes.map(Muid::from_bytes))
		}
	}

	impl IntoVisitor for Muid {
		type AnyVisitor<R: TypeResolver> = MuidVisitor<R>;

		fn into_visitor<R: TypeResolver>() -> MuidVisitor<R> {
			MuidVisitor(PhantomData)
		}
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
