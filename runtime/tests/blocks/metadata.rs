// SPDX-License-Identifier: Apache-2.0
//! The runtime as clients see it, compared with `runtime/metadata.txt`, so that no change of it
//! goes unnoticed.

use std::{collections::BTreeMap, env, fs};

use content_fabric_runtime::VERSION;
use frame_metadata::{
	v16::{
		FunctionParamMetadata, PalletMetadata, RuntimeMetadataV16, StorageEntryMetadata,
		StorageEntryModifier, StorageEntryType,
	},
	RuntimeMetadata,
};
use scale_info::{form::PortableForm, Field, PortableRegistry, TypeDef, TypeParameter, Variant};
use sp_core::hexdisplay::HexDisplay;

use crate::wasm;

/// The text that is written down.
const FILE: &str = include_str!("../../metadata.txt");

fn metadata() -> RuntimeMetadataV16 {
	match wasm::metadata(16).1 {
		RuntimeMetadata::V16(metadata) => metadata,
		_ => panic!("version 16 was asked for"),
	}
}

/// Text of parts of the metadata. Notes the types of this project that occur.
struct Printer {
	types: PortableRegistry,
	/// The definitions of types by their names. Empty while one is being written.
	definitions: BTreeMap<String, String>,
}

impl Printer {
	/// Returns the name of a type.
	fn name(&mut self, id: u32) -> String {
		let ty = self.types.resolve(id).expect("all types are registered").clone();
		let mut of =
			|ids: Vec<u32>| ids.into_iter().map(|id| self.name(id)).collect::<Vec<_>>().join(", ");
		match ty.type_def {
			TypeDef::Primitive(primitive) => format!("{primitive:?}").to_lowercase(),
			TypeDef::Compact(inner) => format!("Compact<{}>", of(vec![inner.type_param.id])),
			TypeDef::Sequence(items) => format!("[{}]", of(vec![items.type_param.id])),
			TypeDef::Array(items) => format!("[{}; {}]", of(vec![items.type_param.id]), items.len),
			TypeDef::Tuple(items) => {
				format!("({})", of(items.fields.iter().map(|item| item.id).collect()))
			},
			TypeDef::BitSequence(_) => "BitSequence".into(),
			TypeDef::Composite(_) | TypeDef::Variant(_) => {
				let generic =
					|parameter: &TypeParameter<PortableForm>| parameter.ty.map(|ty| ty.id);
				let generics: Vec<_> = ty.type_params.iter().filter_map(generic).collect();
				let name = ty.path.ident().unwrap_or_default();
				let name = match generics.is_empty() || is_outer(&name) {
					true => name,
					false => format!("{name}<{}>", of(generics)),
				};
				let krate = ty.path.segments.first().map_or("", String::as_str);
				if krate.contains("content_fabric") && !is_outer(&name) {
					self.define(name.clone(), id);
				}
				name
			},
		}
	}

	/// Notes the definition of a type.
	fn define(&mut self, name: String, id: u32) {
		if self.definitions.contains_key(&name) {
			return;
		}
		self.definitions.insert(name.clone(), String::new());
		let ty = self.types.resolve(id).expect("all types are registered").clone();
		let definition = match ty.type_def {
			TypeDef::Composite(fields) => self.fields(&fields.fields),
			TypeDef::Variant(variants) => {
				let variants = self.variants(&variants.variants);
				variants.iter().map(|line| format!("\n\t{line}")).collect()
			},
			_ => unreachable!("only these have names"),
		};
		self.definitions.insert(name, definition);
	}

	fn fields(&mut self, fields: &[Field<PortableForm>]) -> String {
		let fields: Vec<_> = fields
			.iter()
			.map(|field| {
				let ty = self.name(field.ty.id);
				field.name.as_ref().map_or(ty.clone(), |name| format!("{name}: {ty}"))
			})
			.collect();
		if fields.is_empty() {
			String::new()
		} else {
			format!("({})", fields.join(", "))
		}
	}

	fn variants(&mut self, variants: &[Variant<PortableForm>]) -> Vec<String> {
		let mut variants: Vec<_> = variants.iter().collect();
		variants.sort_by_key(|variant| variant.index);
		let line = |variant: &Variant<PortableForm>| {
			format!("{} {}{}", variant.index, variant.name, self.fields(&variant.fields))
		};
		variants.into_iter().map(line).collect()
	}

	/// Returns the calls, events or errors of a pallet, by their type.
	fn items(&mut self, kind: &str, id: Option<u32>) -> String {
		let Some(id) = id else { return String::new() };
		let TypeDef::Variant(variants) =
			self.types.resolve(id).expect("all types are registered").type_def.clone()
		else {
			panic!("the {kind}s of a pallet are an enum")
		};
		let lines = self.variants(&variants.variants);
		lines.iter().map(|line| format!("{kind} {line}\n")).collect()
	}

	fn storage(&mut self, entry: &StorageEntryMetadata<PortableForm>) -> String {
		let empty = match entry.modifier {
			StorageEntryModifier::Optional => "none".into(),
			StorageEntryModifier::Default => format!("0x{}", HexDisplay::from(&entry.default)),
		};
		let (key, value) = match &entry.ty {
			StorageEntryType::Plain(value) => (String::new(), value.id),
			StorageEntryType::Map { hashers, key, value } => {
				(format!("{hashers:?} {} -> ", self.name(key.id)), value.id)
			},
		};
		format!("storage {}: {key}{}, or {empty}\n", entry.name, self.name(value))
	}

	/// Returns a function that is read by clients.
	fn function(
		&mut self,
		kind: &str,
		name: &str,
		inputs: &[FunctionParamMetadata<PortableForm>],
		output: u32,
	) -> String {
		let mut input = |input: &FunctionParamMetadata<PortableForm>| {
			format!("{}: {}", input.name, self.name(input.ty.id))
		};
		let inputs: Vec<_> = inputs.iter().map(&mut input).collect();
		format!("{kind} {name}({}) -> {}\n", inputs.join(", "), self.name(output))
	}

	fn pallet(&mut self, pallet: &PalletMetadata<PortableForm>) -> String {
		let mut text = self.items("call", pallet.calls.as_ref().map(|calls| calls.ty.id));
		text += &self.items("event", pallet.event.as_ref().map(|events| events.ty.id));
		text += &self.items("error", pallet.error.as_ref().map(|errors| errors.ty.id));
		for entry in pallet.storage.iter().flat_map(|storage| &storage.entries) {
			text += &self.storage(entry);
		}
		for constant in &pallet.constants {
			let ty = self.name(constant.ty.id);
			text += &format!(
				"constant {}: {ty} = 0x{}\n",
				constant.name,
				HexDisplay::from(&constant.value)
			);
		}
		for view in &pallet.view_functions {
			text += &self.function("view", &view.name, &view.inputs, view.output.id);
		}
		text
	}
}

/// Returns whether a type has a variant for each pallet.
fn is_outer(name: &str) -> bool {
	name.starts_with("Runtime") || name == "OriginCaller"
}

/// Returns the text of what clients see.
fn text() -> String {
	let metadata = metadata();
	let mut printer = Printer { types: metadata.types, definitions: BTreeMap::new() };
	let (spec, transaction) = (VERSION.spec_version, VERSION.transaction_version);
	let mut text = format!("spec_version {spec}, transaction_version {transaction}\n\n");
	for extension in &metadata.extrinsic.transaction_extensions {
		text += &format!("extension {}\n", extension.identifier);
	}
	for pallet in &metadata.pallets {
		text += &format!("\npallet {} {}\n", pallet.index, pallet.name);
		text += &printer.pallet(pallet);
	}
	for api in &metadata.apis {
		text += &format!("\napi {} {}\n", api.name, api.version.0);
		for method in &api.methods {
			text += &printer.function("method", &method.name, &method.inputs, method.output.id);
		}
	}
	text.push('\n');
	for (name, definition) in &printer.definitions {
		text += &format!("type {name}{definition}\n");
	}
	text
}

/// A change here is one for every client. Announce it in `CHANGELOG.md`.
#[test]
fn the_metadata_is_what_is_written_down() {
	let text = text();
	if env::var_os("METADATA").is_some_and(|value| value == "write") {
		let path = concat!(env!("CARGO_MANIFEST_DIR"), "/metadata.txt");
		fs::write(path, text).expect("the file can be written");
		return;
	}
	let differs = text.lines().zip(FILE.lines()).position(|(new, old)| new != old);
	let line = differs.unwrap_or_else(|| text.lines().count().min(FILE.lines().count()));
	assert!(
		text == FILE,
		"line {} of runtime/metadata.txt is\n{}\nand clients now see\n{}\nAnnounce the change, and \
		 run this test with METADATA=write to write it down",
		line + 1,
		FILE.lines().nth(line).unwrap_or_default(),
		text.lines().nth(line).unwrap_or_default(),
	);
}
