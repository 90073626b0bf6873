// SPDX-License-Identifier: Apache-2.0
//! The size of the WASM runtime, and the part of it that is the pallet.

use std::collections::BTreeMap;

use content_fabric_runtime_wasm::WASM_BINARY;
use sp_maybe_compressed_blob::{decompress, CODE_BLOB_BOMB_LIMIT};
use wasmparser::{KnownCustom, Name, NameSectionReader, Parser, Payload, TypeRef};

/// The largest blob that may go into a chain, in bytes. It is part of a chain specification, and of
/// every proof that a parachain gives of an upgrade.
const MAX_COMPRESSED: usize = 760_000;
/// Largest size of the code of the pallet and its libraries, in bytes before compression.
const MAX_OWN_CODE: usize = 520 * 1024;
/// The crates whose code is the pallet's own.
const OWN: [&str; 4] = [
	"pallet_content_fabric",
	"pallet_content_fabric_runtime_api",
	"content_fabric_identifiers",
	"content_fabric_primitives",
];

/// The functions of a module.
#[derive(Default)]
struct Functions {
	/// Number of those that the host has. They come first.
	imported: u32,
	/// Bytes of each of the others.
	sizes: Vec<usize>,
	/// Names by the number of the function.
	names: BTreeMap<u32, String>,
}

fn functions(blob: &[u8]) -> Functions {
	let mut functions = Functions::default();
	for payload in Parser::new(0).parse_all(blob) {
		match payload.expect("the blob is WASM") {
			Payload::ImportSection(imports) => {
				let imports = imports.into_iter().map(|import| import.expect("it is complete"));
				let is_function = |ty: TypeRef| matches!(ty, TypeRef::Func(_));
				functions.imported = imports.filter(|import| is_function(import.ty)).count() as u32;
			},
			Payload::CodeSectionEntry(body) => functions.sizes.push(body.range().len()),
			Payload::CustomSection(section) => {
				if let KnownCustom::Name(names) = section.as_known() {
					functions.names = function_names(names);
				}
			},
			_ => (),
		}
	}
	functions
}

fn function_names(section: NameSectionReader) -> BTreeMap<u32, String> {
	let names = section.into_iter().filter_map(|name| match name.expect("it is complete") {
		Name::Function(names) => Some(names),
		_ => None,
	});
	let names = names.flatten().map(|name| name.expect("it is complete"));
	names.map(|name| (name.index, name.name.to_string())).collect()
}

/// Returns the first crate in a mangled name: the crate of the function, or of the type whose
/// method it is.
fn crate_of(name: &str) -> Option<&str> {
	let name = name.strip_prefix("_ZN")?;
	let path = name.trim_start_matches(|character: char| character.is_ascii_digit());
	let digits = &name[..name.len() - path.len()];
	let first = path.get(..digits.parse().ok()?)?;
	let first = first.trim_start_matches(['_', '$']).trim_start_matches("LT$");
	let end = first.find(|character: char| !character.is_alphanumeric() && character != '_');
	Some(&first[..end.unwrap_or(first.len())]).filter(|name| !name.is_empty())
}

#[test]
#[ignore = "needs the release build of the runtime: run scripts/assure size"]
fn the_runtime_and_the_pallet_in_it_keep_to_their_sizes() {
	let compressed =
		WASM_BINARY.expect("tests need the WASM runtime: build without SKIP_WASM_BUILD");
	let blob = decompress(compressed, CODE_BLOB_BOMB_LIMIT).expect("it is a compressed blob");
	let functions = functions(&blob);
	let mut crates = BTreeMap::<&str, usize>::new();
	for (number, size) in (functions.imported..).zip(&functions.sizes) {
		let name = functions.names.get(&number).expect("all functions have names");
		*crates.entry(crate_of(name).unwrap_or("others")).or_default() += size;
	}
	let code: usize = crates.values().sum();
	let own: usize = OWN.iter().filter_map(|name| crates.get(name)).sum();

	println!(
		"compressed {} of at most {MAX_COMPRESSED} bytes, {} before",
		compressed.len(),
		blob.len()
	);
	println!("the pallet's own: {own} of at most {MAX_OWN_CODE} bytes of code, {code} in all");
	let mut largest: Vec<_> = crates.iter().collect();
	largest.sort_by_key(|(_, size)| std::cmp::Reverse(**size));
	for (name, size) in largest.iter().take(12) {
		println!("{size:>9} {name}");
	}
	assert!(compressed.len() <= MAX_COMPRESSED, "the blob has {} bytes", compressed.len());
	assert!((1..=MAX_OWN_CODE).contains(&own), "the pallet has {own} bytes of code");
}
