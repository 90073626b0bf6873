// SPDX-License-Identifier: Apache-2.0
//! Packing of tuples into keys that sort like the tuples.
//!
//! A tuple is a sequence of items: null, byte strings, strings, nested tuples, integers, floats,
//! doubles, booleans, UUIDs and versionstamps. Items of different types are ordered as in this
//! list; a tuple comes before those that extend it. [`pack`] takes Rust tuples of up to twelve
//! items, or [`Element`]s where the types are not known beforehand; [`unpack`] returns the same.
//! The bytes are the same as in FoundationDB's tuple layer.
//!
//! ```
//! use content_fabric_okvs::tuple::{pack, unpack, Element};
//!
//! let key = pack(&("tenant", 42, [0xab, 0xcd]));
//! assert!(key < pack(&("tenant", 43)));
//! assert_eq!(unpack::<(&str, u64, [u8; 2])>(&key)?, ("tenant", 42, [0xab, 0xcd]));
//! let elements: Vec<Element> = unpack(&key)?;
//! assert_eq!(elements[1], Element::Int(42));
//! # Ok::<_, content_fabric_okvs::tuple::UnpackError>(())
//! ```
//!
//! | items | first byte | then |
//! | --- | --- | --- |
//! | null | `00` | nothing; in a nested tuple `ff` |
//! | byte string | `01` | the bytes, with `00` written as `00 ff`; `00` |
//! | string | `02` | the same of its UTF-8 |
//! | nested tuple | `05` | its items; `00` |
//! | integer below -(2^64 - 1) | `0b` | length in one byte, complemented; big-endian magnitude, complemented |
//! | negative integer | `0c` to `13`: `14` less the length | big-endian magnitude in the fewest bytes, complemented |
//! | zero | `14` | nothing |
//! | positive integer | `15` to `1c`: `14` and the length | big-endian magnitude in the fewest bytes |
//! | integer above 2^64 - 1 | `1d` | length in one byte; big-endian magnitude |
//! | float, double | `20`, `21` | IEEE 754, big-endian; sign bit inverted, or all bits if it was set |
//! | false, true | `26`, `27` | nothing |
//! | UUID | `30` | 16 bytes |
//! | versionstamp | `33` | 10 bytes of the transaction, 2 of the user, big-endian |
//!
//! With the feature `identifiers` the ids of the crate `content-fabric-identifiers` are also items,
//! in their own order: a `Muid` is a UUID, a `Tid` an integer, a `RecordKey` a string, and the ids
//! of entities are byte strings.
//!
//! Where implementations of the layer differ, ±(2^64 - 1), these are the eight-byte forms of the
//! Java, Go and Rust layers. [`unpack`] accepts only what [`pack`] makes.

mod element;
#[cfg(feature = "identifiers")]
mod identifiers;
mod pack;
mod subspace;
mod unpack;

#[cfg(feature = "bigint")]
pub use element::{BigInt, BigIntError};
pub use element::{Element, Null, Uuid, Versionstamp};
pub use pack::{pack, pack_into, Item, Items};
pub use subspace::Subspace;
pub(crate) use unpack::unpack_at;
pub use unpack::{unpack, FromItem, FromItems, Reader, UnpackError, UnpackErrorKind};

/// Greatest depth of nested tuples that [`unpack`] reads. [`pack`] packs deeper ones too.
pub const MAX_DEPTH: usize = 100;

/// First bytes of items.
mod code {
	pub const NULL: u8 = 0x00;
	pub const BYTES: u8 = 0x01;
	pub const STRING: u8 = 0x02;
	pub const NESTED: u8 = 0x05;
	pub const BIG_NEGATIVE: u8 = 0x0b;
	pub const ZERO: u8 = 0x14;
	pub const BIG_POSITIVE: u8 = 0x1d;
	pub const FLOAT: u8 = 0x20;
	pub const DOUBLE: u8 = 0x21;
	pub const FALSE: u8 = 0x26;
	pub const TRUE: u8 = 0x27;
	pub const UUID: u8 = 0x30;
	pub const VERSIONSTAMP: u8 = 0x33;
	/// Ends byte strings, strings and nested tuples.
	pub const END: u8 = 0x00;
	/// Follows a zero byte that does not end the item.
	pub const ESCAPE: u8 = 0xff;
}
