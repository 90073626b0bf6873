// SPDX-License-Identifier: Apache-2.0
//! SCALE of what is one sequence of bytes. The macro is used in modules of the types, whose paths
//! are part of the metadata.

/// A type with `LEN` and `to_bytes`: its bytes, without their number in front. `$from_bytes` decodes
/// them; without it, all bytes are a value.
macro_rules! as_bytes {
	($type:ident) => {
		$crate::scale::as_bytes!($type, |bytes| Ok::<_, codec::Error>($type::from_bytes(bytes)));
	};
	($type:ident, $from_bytes:expr) => {
		impl codec::Encode for $type {
			fn size_hint(&self) -> usize {
				Self::LEN
			}

			fn encode_to<O: codec::Output + ?Sized>(&self, output: &mut O) {
				output.write(&self.to_bytes());
			}

			fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
				f(&self.to_bytes())
			}
		}

		impl codec::EncodeLike for $type {}

		impl codec::Decode for $type {
			fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
				let bytes = <[u8; Self::LEN] as codec::Decode>::decode(input)?;
				$from_bytes(bytes)
			}
		}

		impl codec::DecodeWithMemTracking for $type {}

		impl codec::MaxEncodedLen for $type {
			fn max_encoded_len() -> usize {
				Self::LEN
			}
		}

		impl scale_info::TypeInfo for $type {
			type Identity = Self;

			fn type_info() -> scale_info::Type {
				use scale_info::{build::Fields, Path, Type};
				Type::builder()
					.path(Path::new(stringify!($type), module_path!()))
					.composite(Fields::unnamed().field(|field| field.ty::<[u8; Self::LEN]>()))
			}
		}
	};
}

pub(crate) use as_bytes;
