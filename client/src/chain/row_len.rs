// SPDX-License-Identifier: Apache-2.0
//! The lengths of rows: of their storage keys, and of the largest value of a map by the types in
//! the chain's metadata.

use scale_info::{form::PortableForm, Field, PortableRegistry, TypeDef, TypeDefPrimitive};

use super::{scan::KEY_HASH_LEN, Error, Snapshot};

/// Maximum nesting of types, choices included.
const MAX_DEPTH: u32 = 50;

/// Length of the hashes of the names of pallet and map, with which each storage key begins.
const MAP_PREFIX_LEN: u128 = 32;

/// Returns the length of the storage key of a row whose own keys have these lengths.
pub fn storage_key_len(keys: &[u128]) -> u128 {
	keys.iter().fold(MAP_PREFIX_LEN, |sum, key| sum + KEY_HASH_LEN as u128 + key)
}

impl Snapshot {
	/// Returns the number of bytes of the largest value in a map of the content fabric. If its values
	/// have lists, these have `items` items, at most 63.
	pub fn max_value_len(&self, map: &str, items: Option<u8>) -> Result<u128, Error> {
		let value = self.value_type("ContentFabric", map)?;
		let length = max_len(self.metadata().types(), value, items, MAX_DEPTH);
		let unlimited =
			|| Error::Metadata(format!("map ContentFabric.{map} of values with a largest one"));
		length.ok_or_else(unlimited)
	}
}

/// Returns the largest number of bytes that a value of a type takes. `None` for a type with texts, or
/// with lists if `items` does not say how many items these have: metadata does not limit them.
fn max_len(types: &PortableRegistry, id: u32, items: Option<u8>, depth: u32) -> Option<u128> {
	let depth = depth.checked_sub(1)?;
	let max_len = |id| max_len(types, id, items, depth);
	let sum = |fields: &[Field<PortableForm>]| -> Option<u128> {
		fields.iter().map(|field| max_len(field.ty.id)).sum()
	};
	match &types.resolve(id)?.type_def {
		TypeDef::Composite(composite) => sum(&composite.fields),
		TypeDef::Variant(variants) => variants
			.variants
			.iter()
			.try_fold(1, |most, variant| Some(sum(&variant.fields)?.saturating_add(1).max(most))),
		TypeDef::Tuple(tuple) => tuple.fields.iter().map(|field| max_len(field.id)).sum(),
		TypeDef::Array(array) => max_len(array.type_param.id)?.checked_mul(array.len.into()),
		// The largest one has a byte with its length before it.
		TypeDef::Compact(compact) => max_len(compact.type_param.id)?.checked_add(1),
		// A byte with their number is before up to 63 items.
		TypeDef::Sequence(list) => {
			let items = items.filter(|items| *items < 1 << 6)?;
			max_len(list.type_param.id)?.checked_mul(items.into())?.checked_add(1)
		},
		TypeDef::Primitive(primitive) => match primitive {
			TypeDefPrimitive::Bool | TypeDefPrimitive::U8 | TypeDefPrimitive::I8 => Some(1),
			TypeDefPrimitive::U16 | TypeDefPrimitive::I16 => Some(2),
			TypeDefPrimitive::Char | TypeDefPrimitive::U32 | TypeDefPrimitive::I32 => Some(4),
			TypeDefPrimitive::U64 | TypeDefPrimitive::I64 => Some(8),
			TypeDefPrimitive::U128 | TypeDefPrimitive::I128 => Some(16),
			TypeDefPrimitive::U256 | TypeDefPrimitive::I256 => Some(32),
			TypeDefPrimitive::Str => None,
		},
		TypeDef::BitSequence(_) => None,
	}
}

#[cfg(test)]
mod tests {
	use codec::{Compact, MaxEncodedLen};
	use content_fabric_primitives::{ContentRef, MemberId};
	use scale_info::{meta_type, Registry, TypeInfo};

	use super::*;

	fn largest<T: TypeInfo + 'static>(items: Option<u8>, depth: u32) -> Option<u128> {
		let mut registry = Registry::new();
		let id = registry.register_type(&meta_type::<T>()).id;
		max_len(&registry.into(), id, items, depth)
	}

	#[test]
	fn the_largest_value_is_that_of_the_type() {
		fn check<T: TypeInfo + MaxEncodedLen + 'static>() {
			assert_eq!(largest::<T>(None, MAX_DEPTH), u128::try_from(T::max_encoded_len()).ok());
		}
		check::<ContentRef>();
		check::<(Option<MemberId>, bool, [u16; 7], u128)>();
		check::<(Compact<u32>, Compact<u64>, Compact<u128>)>();
		check::<()>();
	}

	#[test]
	fn lists_and_types_that_are_nested_too_deep_have_no_largest_value() {
		assert_eq!(largest::<(u8, Vec<u8>)>(None, MAX_DEPTH), None);
		assert_eq!(largest::<String>(Some(1), MAX_DEPTH), None);
		assert_eq!((largest::<((u8,),)>(None, 3), largest::<((u8,),)>(None, 2)), (Some(1), None));
	}

	#[test]
	fn lists_of_a_known_number_of_items_have_a_largest_value() {
		for (items, length) in [(0, 2), (1, 6), (63, 254)] {
			let list = codec::Encode::encode(&(1u8, vec![1u32; items.into()]));
			assert_eq!(largest::<(u8, Vec<u32>)>(Some(items), MAX_DEPTH), Some(length));
			assert_eq!(list.len() as u128, length);
		}
		assert_eq!(largest::<(u8, Vec<u32>)>(Some(64), MAX_DEPTH), None);
	}
}
