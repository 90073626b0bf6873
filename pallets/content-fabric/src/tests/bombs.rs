// SPDX-License-Identifier: Apache-2.0
//! Memory bombs: calls whose lists claim to be long. They are found by the types of the arguments,
//! so that no call is left out.

use codec::{Compact, Decode, Encode, Error, Input};
use frame_support::traits::GetCallName;
use scale_info::{form::PortableForm, MetaType, PortableRegistry, Registry, TypeDef};

use crate::{mock::*, Call};

/// Numbers of items that no bound allows, whatever the runtime.
const CLAIMS: [u64; 3] = [1 << 30, u32::MAX as u64, u64::MAX];
/// Bytes after which [`Endless`] ends after all, so that a test without a bound fails soon.
const PATIENCE: usize = 1 << 20;

/// An input that goes on with zeros where a call ends, of a length that the decoder cannot know.
struct Endless<'a> {
	call: &'a [u8],
	/// Number of zeros that were read.
	zeros: usize,
	/// Bytes of memory that were to be allocated.
	allocated: usize,
}

impl Input for Endless<'_> {
	fn remaining_len(&mut self) -> Result<Option<usize>, Error> {
		Ok(None)
	}

	fn read(&mut self, into: &mut [u8]) -> Result<(), Error> {
		let (head, tail) = into.split_at_mut(into.len().min(self.call.len()));
		let (call, rest) = self.call.split_at(head.len());
		head.copy_from_slice(call);
		self.call = rest;
		tail.fill(0);
		self.zeros += tail.len();
		match self.zeros > PATIENCE {
			true => Err("the input has ended".into()),
			false => Ok(()),
		}
	}

	fn on_before_alloc_mem(&mut self, size: usize) -> Result<(), Error> {
		self.allocated += size;
		Ok(())
	}
}

/// The lists of a type, found by its type information.
struct Lists<'a> {
	types: &'a PortableRegistry,
	/// The encoded bytes in front of the length of each list.
	found: Vec<Vec<u8>>,
	/// The types around the present one.
	around: Vec<u32>,
}

impl Lists<'_> {
	/// Finds the lists of a type that is encoded behind `before`. Returns the shortest value.
	fn find(&mut self, id: u32, before: &[u8]) -> Vec<u8> {
		assert!(!self.around.contains(&id), "a recursive type decodes to any depth");
		self.around.push(id);
		let types = self.types;
		let shortest = match &types.resolve(id).expect("it is registered").type_def {
			TypeDef::Composite(fields) => {
				self.find_all(fields.fields.iter().map(|field| field.ty.id), before)
			},
			TypeDef::Tuple(fields) => {
				self.find_all(fields.fields.iter().map(|field| field.id), before)
			},
			TypeDef::Variant(variants) => {
				let mut shortest = None;
				for variant in &variants.variants {
					let before = [before, &[variant.index]].concat();
					let value =
						self.find_all(variant.fields.iter().map(|field| field.ty.id), &before);
					shortest.get_or_insert([vec![variant.index], value].concat());
				}
				shortest.expect("an enum of a call has a variant")
			},
			TypeDef::Sequence(list) => {
				self.found.push(before.to_vec());
				// An item may have a list of its own.
				let one = [before, &Compact(1u32).encode()].concat();
				self.find(list.type_param.id, &one);
				Compact(0u32).encode()
			},
			TypeDef::Array(array) => {
				let item = self.find(array.type_param.id, before);
				item.repeat(array.len as usize)
			},
			TypeDef::Primitive(primitive) => vec![0; size_of_primitive(primitive)],
			TypeDef::Compact(_) => Compact(0u32).encode(),
			other => panic!("no call has an argument like {other:?}"),
		};
		self.around.pop();
		shortest
	}

	fn find_all(&mut self, ids: impl Iterator<Item = u32>, before: &[u8]) -> Vec<u8> {
		let mut shortest = Vec::new();
		for id in ids {
			let value = self.find(id, &[before, &shortest].concat());
			shortest.extend(value);
		}
		shortest
	}
}

fn size_of_primitive(primitive: &scale_info::TypeDefPrimitive) -> usize {
	use scale_info::TypeDefPrimitive::*;
	match primitive {
		Bool | U8 | I8 => 1,
		U16 | I16 => 2,
		U32 | I32 => 4,
		U64 | I64 => 8,
		U128 | I128 => 16,
		other => panic!("no call has an argument like {other:?}"),
	}
}

/// A call at its shortest, and what is in front of each of its lists.
struct Encoded {
	name: String,
	shortest: Vec<u8>,
	lists: Vec<Vec<u8>>,
}

fn all_calls() -> Vec<Encoded> {
	let mut registry = Registry::new();
	let id = registry.register_type(&MetaType::new::<Call<Test>>()).id;
	let types = PortableRegistry::from(registry);
	let TypeDef::Variant(calls) = &types.resolve(id).expect("it is registered").type_def else {
		panic!("the calls are an enum")
	};
	let encoded = |call: &scale_info::Variant<PortableForm>| {
		let mut lists = Lists { types: &types, found: Vec::new(), around: vec![id] };
		let before = [call.index];
		let rest = lists.find_all(call.fields.iter().map(|field| field.ty.id), &before);
		let shortest = [&before, &rest[..]].concat();
		Encoded { name: call.name.clone(), shortest, lists: lists.found }
	};
	calls.variants.iter().map(encoded).collect()
}

#[test]
fn every_call_is_tried_and_decodes_at_its_shortest() {
	let calls = all_calls();
	let mut names: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
	let mut expected = Call::<Test>::get_call_names().to_vec();
	names.sort_unstable();
	expected.sort_unstable();
	assert_eq!(names, expected);
	for Encoded { name, shortest, .. } in &calls {
		let decoded = Call::<Test>::decode(&mut &shortest[..]);
		let decoded = decoded.unwrap_or_else(|error| panic!("{name}: {error}"));
		assert_eq!(decoded.get_call_name(), name);
		assert_eq!(&decoded.encode(), shortest, "{name}");
	}
}

#[test]
fn a_list_that_claims_too_many_items_is_refused_before_one_is_read() {
	for Encoded { name, lists, .. } in all_calls() {
		for (place, before) in lists.iter().enumerate() {
			for claim in CLAIMS {
				let call = [&before[..], &Compact(claim).encode()].concat();
				let mut input = Endless { call: &call, zeros: 0, allocated: 0 };
				let what = format!("{name}, list {place} of {claim} items");
				assert!(Call::<Test>::decode(&mut input).is_err(), "{what}");
				assert_eq!(input.zeros, 0, "{what}");
				// Lists around this one are short.
				assert!(input.allocated < 1_024, "{what}: {}", input.allocated);
			}
		}
	}
}

/// Returns the bounds of the lists in a call: of each list, and then of those in its items.
fn bounds(call: &str) -> Vec<u32> {
	let (name, key, records) =
		(MaxCollectionNameLen::get(), MaxRecordKeyLen::get(), MaxRecordsPerCall::get());
	match call {
		"create_space" | "set_space_rules" => vec![MaxSlaLen::get()],
		"revoke_admissions" => vec![MaxAdmissions::get()],
		"create_node" | "set_node_locator" | "add_kms" | "set_kms" => {
			vec![MaxLocatorLen::get()]
		},
		"commit_versions" => vec![MaxCopies::get() - 1, MaxVersionsPerCommit::get()],
		"finalize_versions" | "add_copies" | "remove_copies" => vec![MaxVersionsPerCommit::get()],
		"create_collection" => vec![name, key],
		"delete_collection" => vec![name],
		"governance_delete_record" => vec![name, key, MaxReasonLen::get()],
		"governance_delete_collection" => vec![name, MaxReasonLen::get()],
		"put_records" | "delete_records" => vec![name, records, key],
		"slash" | "set_suspended" => vec![MaxReasonLen::get()],
		_ if call == "set_governance_delete" || call.starts_with("governance_delete") => {
			vec![MaxReasonLen::get()]
		},
		_ => vec![],
	}
}

#[test]
fn every_list_decodes_up_to_its_own_bound_and_no_longer_one_does() {
	for Encoded { name, lists, .. } in all_calls() {
		let bounds = bounds(&name);
		assert_eq!(lists.len(), bounds.len(), "{name}");
		for (before, bound) in lists.iter().zip(bounds) {
			let decodes = |len: u32| {
				let call = [&before[..], &Compact(len).encode()].concat();
				Call::<Test>::decode(&mut Endless { call: &call, zeros: 0, allocated: 0 }).is_ok()
			};
			assert!(decodes(bound), "{name} with {bound} items");
			assert!(!decodes(bound + 1), "{name} with more than {bound} items");
		}
	}
}
