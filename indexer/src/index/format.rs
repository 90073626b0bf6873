// SPDX-License-Identifier: Apache-2.0
//! The format of the file, which follows from the types of all that is in it.

use std::sync::LazyLock;

use codec::Encode;
use scale_info::{
	form::PortableForm, meta_type, Field, PortableRegistry, Registry, TypeDef, TypeInfo,
};
use sp_crypto_hashing::twox_64;

use super::{
	blocks::BlockRow, counts::Sums, history::EventRow, keys::Incarnation, meta::State,
	orders::Stored, read::Owner, totals::Total,
};
use crate::{
	rows::{Map, RowKey},
	source::{FabricEvent, Topic},
};

/// The number of the layout, which covers everything that no type describes: the parts of keys, the
/// orders, and the meanings of values. It is raised when one of these changes and all types stay.
const LAYOUT: u16 = 7;

/// The format of the file. Files of other formats are not read.
pub(crate) static FORMAT: LazyLock<u64> = LazyLock::new(format_of::<Contents>);

/// The keys and values of the file, and the events that decide what is written.
type Contents = (
	(State, Owner, Incarnation, BlockRow, Sums, Total),
	(Map, RowKey, Stored),
	(FabricEvent, EventRow, Topic),
);

/// Hashes the definition of a type and of all types inside: names and types of fields and variants.
fn format_of<T: TypeInfo + 'static>() -> u64 {
	let mut registry = Registry::new();
	registry.register_type(&meta_type::<T>());
	let mut description = LAYOUT.encode();
	for found in PortableRegistry::from(registry).types {
		let mut definition = found.ty.type_def;
		match &mut definition {
			TypeDef::Composite(composite) => strip(&mut composite.fields),
			TypeDef::Variant(choice) => {
				for variant in &mut choice.variants {
					variant.docs.clear();
					strip(&mut variant.fields);
				}
			},
			_ => {},
		}
		definition.encode_to(&mut description);
	}
	u64::from_be_bytes(twox_64(&description))
}

/// Removes what does not change the encoding: the documentation, and how the source names types.
fn strip(fields: &mut [Field<PortableForm>]) {
	for field in fields {
		field.docs.clear();
		field.type_name = None;
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_okvs::{Database, Transaction};

	use super::{super::Index, *};
	use crate::index::keys;

	#[test]
	fn the_format_changes_on_purpose_only() {
		assert_eq!(
			format!("{:016x}", *FORMAT),
			"3475f7432b29b029",
			"the index stores something else, so files of earlier versions are refused, and \
			 operators have to index the chain anew: write the new format here, and an entry in \
			 CHANGELOG.md that says so"
		);
	}

	#[test]
	fn a_file_of_another_format_is_refused() {
		let folder = tempfile::tempdir().expect("there is room");
		let index = Index::open(folder.path()).expect("there is room");
		let mut tx = index.database.begin().expect("it is writable");
		tx.set(&keys::meta("state"), &(*FORMAT ^ 1).encode()).expect("it is writable");
		tx.commit().expect("it is writable");
		let refused = index.state().expect_err("the format is another one").to_string();
		let formats =
			format!("{:016x}, and this program knows format {:016x}", *FORMAT ^ 1, *FORMAT);
		assert!(refused.contains(&formats), "{refused}");
	}

	#[test]
	#[expect(dead_code, reason = "the types alone count")]
	fn a_format_follows_from_names_and_types_of_fields_alone() {
		#[derive(TypeInfo)]
		struct Row(#[codec(compact)] u32);
		/// A row with another name, and documentation.
		#[derive(TypeInfo)]
		#[scale_info(capture_docs = "always")]
		struct Documented(
			/// A field.
			#[codec(compact)]
			u32,
		);
		#[derive(TypeInfo)]
		struct Longer(#[codec(compact)] u32, bool);
		let format = format_of::<Row>();
		assert_eq!(format_of::<Documented>(), format);
		assert_ne!(format_of::<Longer>(), format);
		assert_ne!(format_of::<u32>(), format);
	}
}
