// SPDX-License-Identifier: Apache-2.0
//! The types of metadata, which a node chooses: a limit on their number, and on their nesting.

use std::collections::HashMap;

use scale_info::{PortableRegistry, TypeDef};

/// Maximum number of types of metadata. Runtimes have about a thousand.
const MAX_TYPES: usize = 20_000;
/// Maximum nesting of types without a list or a choice between them.
const MAX_DEPTH: usize = 200;

/// Checks that the types can be walked by recursive functions, as those that decode values are.
///
/// Lists and choices end with the bytes of a value. Structures, tuples, arrays and compact values
/// inside one another take no bytes, and could have no end.
pub(super) fn ensure_walkable(types: &PortableRegistry) -> Result<(), String> {
	let count = types.types.len();
	if count > MAX_TYPES {
		return Err(format!("at most {MAX_TYPES} types: it has {count}"));
	}
	let mut depths = Depths { types, known: HashMap::new() };
	for id in 0..u32::try_from(count).unwrap_or(u32::MAX) {
		depths.of(id, MAX_DEPTH)?;
	}
	Ok(())
}

struct Depths<'a> {
	types: &'a PortableRegistry,
	/// The depths of the types that have been walked.
	known: HashMap<u32, usize>,
}

impl Depths<'_> {
	/// Returns how deep a type is, 1 for one that has no others inside.
	fn of(&mut self, id: u32, room: usize) -> Result<usize, String> {
		let too_deep = || format!("types that are nested at most {MAX_DEPTH} deep");
		let depth = match self.known.get(&id) {
			Some(depth) => *depth,
			// A type inside itself ends here, too.
			None => {
				let inner = room.checked_sub(1).ok_or_else(too_deep)?;
				let mut depth = 1;
				for part in self.parts(id)? {
					depth = depth.max(self.of(part, inner)?.saturating_add(1));
				}
				self.known.insert(id, depth);
				depth
			},
		};
		if depth > room {
			return Err(too_deep());
		}
		Ok(depth)
	}

	/// Returns the types inside a type that its values always have.
	fn parts(&self, id: u32) -> Result<Vec<u32>, String> {
		let ty = self.types.resolve(id).ok_or_else(|| format!("a type {id}"))?;
		Ok(match &ty.type_def {
			TypeDef::Composite(composite) => composite.fields.iter().map(|f| f.ty.id).collect(),
			TypeDef::Tuple(tuple) => tuple.fields.iter().map(|field| field.id).collect(),
			TypeDef::Array(array) => vec![array.type_param.id],
			TypeDef::Compact(compact) => vec![compact.type_param.id],
			TypeDef::Variant(_)
			| TypeDef::Sequence(_)
			| TypeDef::Primitive(_)
			| TypeDef::BitSequence(_) => Vec::new(),
		})
	}
}

#[cfg(test)]
mod tests {
	use scale_info::{
		form::PortableForm, interner::UntrackedSymbol, Path, PortableType, Type, TypeDefPrimitive,
		TypeDefSequence, TypeDefTuple,
	};

	use super::*;

	fn symbol(id: usize) -> UntrackedSymbol<std::any::TypeId> {
		u32::try_from(id).expect("there are few types; qed").into()
	}

	fn registry(definitions: Vec<TypeDef<PortableForm>>) -> PortableRegistry {
		let types = definitions.into_iter().zip(0..).map(|(definition, id)| PortableType {
			id,
			ty: Type::new(Path::default(), [], definition, Vec::new()),
		});
		PortableRegistry { types: types.collect() }
	}

	fn tuple(of: &[usize]) -> TypeDef<PortableForm> {
		TypeDefTuple::new_portable(of.iter().map(|id| symbol(*id))).into()
	}

	/// Returns types that each have the next one inside.
	fn nested(depth: usize) -> PortableRegistry {
		let mut definitions: Vec<_> = (1..depth).map(|next| tuple(&[next])).collect();
		definitions.push(TypeDefPrimitive::U8.into());
		registry(definitions)
	}

	#[test]
	fn nesting_is_limited() {
		assert_eq!(ensure_walkable(&nested(MAX_DEPTH)), Ok(()));
		assert!(ensure_walkable(&nested(MAX_DEPTH + 1)).is_err());
		// The same types, the innermost first.
		let mut reversed = vec![TypeDefPrimitive::U8.into()];
		reversed.extend((0..MAX_DEPTH).map(|last| tuple(&[last])));
		assert!(ensure_walkable(&registry(reversed)).is_err());
	}

	#[test]
	fn a_type_inside_itself_is_refused_except_in_a_list() {
		assert!(ensure_walkable(&registry(vec![tuple(&[0])])).is_err());
		assert!(ensure_walkable(&registry(vec![tuple(&[1, 1]), tuple(&[0])])).is_err());
		let list = TypeDefSequence::new(symbol(0)).into();
		assert_eq!(ensure_walkable(&registry(vec![tuple(&[1, 1]), list])), Ok(()));
	}

	#[test]
	fn the_number_of_types_is_limited_and_none_may_be_missing() {
		let many = |count| registry(vec![TypeDefPrimitive::U8.into(); count]);
		assert_eq!(ensure_walkable(&many(MAX_TYPES)), Ok(()));
		assert!(ensure_walkable(&many(MAX_TYPES + 1)).is_err());
		assert!(ensure_walkable(&registry(vec![tuple(&[7])])).is_err());
	}
}
