// SPDX-License-Identifier: Apache-2.0
//! Finds the arguments that can contain a call, from the type information of a runtime's calls, so
//! that no call is overlooked.

use std::collections::BTreeSet;

use codec::{Compact, Encode};
use scale_info::{
	form::PortableForm, Field, MetaType, PortableRegistry, Registry, TypeDef, TypeDefPrimitive,
	TypeInfo,
};

/// Items of lists that have room for a call: the first, the last and one between them, or a single
/// one.
const ITEMS: [u32; 2] = [3, 1];
/// Depth of nested types, beyond which none is followed.
const MAX_DEPTH: u32 = 16;

type Fields = [Field<PortableForm>];

/// A place for a call among the arguments of another one.
#[derive(Clone, Default)]
pub struct Place {
	/// Pallet, call and argument, as `Utility.batch(calls)`.
	pub name: String,
	/// Encoded bytes before and after the place.
	before: Vec<u8>,
	after: Vec<u8>,
}

impl Place {
	/// Encodes the outer call, with `call` in this place.
	pub fn put(&self, call: &[u8]) -> Vec<u8> {
		[&self.before[..], call, &self.after].concat()
	}

	/// Returns this place within a larger value, which adds `before` and `after`.
	fn within(&self, before: &[u8], after: &[u8]) -> Self {
		let (before, after) = ([before, &self.before].concat(), [&self.after[..], after].concat());
		Self { name: self.name.clone(), before, after }
	}
}

/// The calls of a runtime.
pub struct Calls {
	types: PortableRegistry,
	/// The type of all calls.
	root: u32,
	/// The types that can contain a call, and the type of calls.
	containing: BTreeSet<u32>,
	/// A call without another one.
	plain: Vec<u8>,
}

impl Calls {
	pub fn of<Call: TypeInfo + 'static>() -> Self {
		let mut registry = Registry::new();
		let root = registry.register_type(&MetaType::new::<Call>()).id;
		let types = PortableRegistry::from(registry);
		let containing = containing(&types, root);
		let mut calls = Self { types, root, containing, plain: Vec::new() };
		let plain = calls.all().into_iter().find_map(|(_, indices, fields)| {
			let is_plain = !fields.iter().any(|field| calls.containing.contains(&field.ty.id));
			let fields = is_plain.then(|| calls.values(fields, MAX_DEPTH))??;
			Some([&indices[..], &fields].concat())
		});
		calls.plain = plain.expect("a runtime has calls without others");
		calls
	}

	/// Returns a call without another one.
	pub fn plain(&self) -> &[u8] {
		&self.plain
	}

	/// Returns the arguments that can contain a call, each with its name and its places for one.
	pub fn arguments(&self) -> Vec<(String, Vec<Place>)> {
		let mut arguments = Vec::new();
		for (call, indices, fields) in self.all() {
			let types = ids(fields);
			let fields = fields.iter().enumerate();
			for (index, field) in fields.filter(|(_, it)| self.containing.contains(&it.ty.id)) {
				let name = format!("{call}({})", field.name.as_deref().unwrap_or_default());
				let places = self.places_at(&types, index, &[]);
				let named =
					|place: Place| Place { name: name.clone(), ..place.within(&indices, &[]) };
				arguments.push((name.clone(), places.into_iter().map(named).collect()));
			}
		}
		arguments
	}

	/// Returns all calls, each with the indices of its pallet and of itself.
	fn all(&self) -> Vec<(String, [u8; 2], &Fields)> {
		let mut calls = Vec::new();
		for pallet in variants(&self.types, self.root) {
			for call in pallet.fields.iter().flat_map(|field| variants(&self.types, field.ty.id)) {
				let name = format!("{}.{}", pallet.name, call.name);
				calls.push((name, [pallet.index, call.index], &call.fields[..]));
			}
		}
		calls
	}

	/// Returns the places for a call in a value of a type, which is within values of other types. A
	/// type within itself is not followed.
	fn places_in(&self, id: u32, around: &[u32]) -> Vec<Place> {
		if id == self.root {
			return vec![Place::default()];
		}
		if !self.containing.contains(&id) || around.contains(&id) {
			return Vec::new();
		}
		let around = [around, &[id]].concat();
		match definition(&self.types, id) {
			TypeDef::Composite(composite) => self.places_in_all(&ids(&composite.fields), &around),
			TypeDef::Variant(variants) => {
				let of_variants = variants.variants.iter().flat_map(|variant| {
					let places = self.places_in_all(&ids(&variant.fields), &around);
					places.into_iter().map(|place| place.within(&[variant.index], &[]))
				});
				of_variants.collect()
			},
			TypeDef::Tuple(tuple) => {
				let ids: Vec<_> = tuple.fields.iter().map(|field| field.id).collect();
				self.places_in_all(&ids, &around)
			},
			TypeDef::Array(array) => {
				self.places_in_all(&vec![array.type_param.id; array.len as usize], &around)
			},
			TypeDef::Sequence(sequence) => {
				let of_lengths = ITEMS.into_iter().flat_map(|len| {
					let items = vec![sequence.type_param.id; len as usize];
					let places = self.places_in_all(&items, &around);
					places.into_iter().map(move |place| place.within(&Compact(len).encode(), &[]))
				});
				of_lengths.collect()
			},
			TypeDef::Primitive(_) | TypeDef::Compact(_) | TypeDef::BitSequence(_) => Vec::new(),
		}
	}

	/// Returns the places for a call in values that are encoded one after the other.
	fn places_in_all(&self, ids: &[u32], around: &[u32]) -> Vec<Place> {
		(0..ids.len()).flat_map(|index| self.places_at(ids, index, around)).collect()
	}

	/// Returns the places for a call in one of the values that are encoded one after the other.
	fn places_at(&self, ids: &[u32], index: usize, around: &[u32]) -> Vec<Place> {
		let (before, from) = ids.split_at(index);
		let Some((id, after)) = from.split_first() else { return Vec::new() };
		let before = self.values_of(before.iter(), MAX_DEPTH);
		let Some((before, after)) = before.zip(self.values_of(after.iter(), MAX_DEPTH)) else {
			return Vec::new();
		};
		let places = self.places_in(*id, around);
		places.iter().map(|place| place.within(&before, &after)).collect()
	}

	/// Returns a short encoded value of a type. Calls in it are plain.
	fn value(&self, id: u32, depth: u32) -> Option<Vec<u8>> {
		let depth = depth.checked_sub(1)?;
		if id == self.root {
			return Some(self.plain.clone());
		}
		Some(match definition(&self.types, id) {
			TypeDef::Composite(composite) => self.values(&composite.fields, depth)?,
			TypeDef::Variant(variants) => variants.variants.iter().find_map(|variant| {
				Some([&[variant.index][..], &self.values(&variant.fields, depth)?].concat())
			})?,
			TypeDef::Tuple(tuple) => {
				let ids: Vec<_> = tuple.fields.iter().map(|field| field.id).collect();
				self.values_of(ids.iter(), depth)?
			},
			TypeDef::Array(array) => {
				self.value(array.type_param.id, depth)?.repeat(array.len as usize)
			},
			TypeDef::Primitive(primitive) => vec![0; size(primitive)],
			TypeDef::Sequence(_) | TypeDef::Compact(_) | TypeDef::BitSequence(_) => vec![0],
		})
	}

	fn values(&self, fields: &Fields, depth: u32) -> Option<Vec<u8>> {
		self.values_of(ids(fields).iter(), depth)
	}

	fn values_of<'a>(&self, mut ids: impl Iterator<Item = &'a u32>, depth: u32) -> Option<Vec<u8>> {
		ids.try_fold(Vec::new(), |values, id| Some([values, self.value(*id, depth)?].concat()))
	}
}

/// Returns a type and all types that contain it.
fn containing(types: &PortableRegistry, id: u32) -> BTreeSet<u32> {
	let mut containing = BTreeSet::from([id]);
	loop {
		let around = types.types.iter().map(|entry| entry.id).filter(|id| {
			let mut parts = parts(types, *id).into_iter();
			!containing.contains(id) && parts.any(|part| containing.contains(&part))
		});
		let around: Vec<_> = around.collect();
		if around.is_empty() {
			return containing;
		}
		containing.extend(around);
	}
}

/// Returns the types of the parts of a type.
fn parts(types: &PortableRegistry, id: u32) -> Vec<u32> {
	match definition(types, id) {
		TypeDef::Composite(composite) => ids(&composite.fields),
		TypeDef::Variant(variants) => {
			variants.variants.iter().flat_map(|variant| ids(&variant.fields)).collect()
		},
		TypeDef::Tuple(tuple) => tuple.fields.iter().map(|field| field.id).collect(),
		TypeDef::Array(array) => vec![array.type_param.id],
		TypeDef::Sequence(sequence) => vec![sequence.type_param.id],
		TypeDef::Primitive(_) | TypeDef::Compact(_) | TypeDef::BitSequence(_) => Vec::new(),
	}
}

fn definition(types: &PortableRegistry, id: u32) -> &TypeDef<PortableForm> {
	&types.resolve(id).expect("a registry has all types that it names").type_def
}

fn variants(types: &PortableRegistry, id: u32) -> &[scale_info::Variant<PortableForm>] {
	match definition(types, id) {
		TypeDef::Variant(variants) => &variants.variants,
		_ => &[],
	}
}

fn ids(fields: &Fields) -> Vec<u32> {
	fields.iter().map(|field| field.ty.id).collect()
}

/// Returns the encoded size of a zero. The length of an empty text is one byte.
const fn size(primitive: &TypeDefPrimitive) -> usize {
	match primitive {
		TypeDefPrimitive::Bool
		| TypeDefPrimitive::U8
		| TypeDefPrimitive::I8
		| TypeDefPrimitive::Str => 1,
		TypeDefPrimitive::U16 | TypeDefPrimitive::I16 => 2,
		TypeDefPrimitive::U32 | TypeDefPrimitive::I32 | TypeDefPrimitive::Char => 4,
		TypeDefPrimitive::U64 | TypeDefPrimitive::I64 => 8,
		TypeDefPrimitive::U128 | TypeDefPrimitive::I128 => 16,
		TypeDefPrimitive::U256 | TypeDefPrimitive::I256 => 32,
	}
}
