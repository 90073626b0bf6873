// SPDX-License-Identifier: Apache-2.0
//! From items to bytes.

use alloc::{
	borrow::{Cow, ToOwned},
	string::String,
	vec::Vec,
};
use core::ops::Deref;

use super::{code, Element, Null, Uuid, Versionstamp};

/// Packs a tuple: a Rust tuple of up to twelve [`Item`]s, or a slice or vector of [`Element`]s.
pub fn pack<T: Items + ?Sized>(items: &T) -> Vec<u8> {
	let mut packed = Vec::with_capacity(items.capacity());
	items.put(&mut packed, false);
	packed
}

/// Appends the packed tuple to a vector.
pub fn pack_into<T: Items + ?Sized>(items: &T, packed: &mut Vec<u8>) {
	packed.reserve(items.capacity());
	items.put(packed, false);
}

/// A value that is packed as one item.
///
/// A Rust tuple as an item is a nested tuple, a slice, vector or array of bytes is a byte string,
/// and `None` is null.
pub trait Item {
	/// Puts the bytes of the item. The bytes of null differ in a nested tuple.
	fn put(&self, packed: &mut Vec<u8>, nested: bool);

	/// Returns the number of bytes to make room for. A guess that saves work if it is not too low.
	fn capacity(&self) -> usize {
		9
	}
}

/// A sequence of items, which is packed as a tuple.
pub trait Items {
	/// Puts the bytes of all items, one after the other.
	fn put(&self, packed: &mut Vec<u8>, nested: bool);

	/// Returns the number of bytes to make room for. A guess that saves work if it is not too low.
	fn capacity(&self) -> usize;
}

/// Puts bytes in which every zero is followed by `ff`, and a zero at the end.
#[inline]
fn put_escaped(packed: &mut Vec<u8>, bytes: &[u8]) {
	let mut rest = bytes;
	while let Some(zero) = memchr::memchr(0, rest) {
		let (head, tail) = rest.split_at(zero);
		packed.extend_from_slice(head);
		rest = put_zeros(packed, tail);
	}
	packed.extend_from_slice(rest);
	packed.extend_from_slice(&[code::END]);
}

/// Puts the zeros that bytes begin with, and returns what follows them.
fn put_zeros<'a>(packed: &mut Vec<u8>, bytes: &'a [u8]) -> &'a [u8] {
	const ZEROS: [u8; 64] = {
		let mut zeros = [0; 64];
		let mut i = 1;
		while i < zeros.len() {
			zeros[i] = code::ESCAPE;
			i += 2;
		}
		zeros
	};
	let count = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
	let mut left = 2 * count;
	while left > 0 {
		let len = left.min(ZEROS.len());
		packed.extend_from_slice(&ZEROS[..len]);
		left -= len;
	}
	&bytes[count..]
}

/// Most bytes of an integer's magnitude that its first byte alone can give the length of.
pub(super) const SHORT: usize = 8;

/// Puts an integer given by its sign and magnitude.
#[inline]
fn put_short(packed: &mut Vec<u8>, negative: bool, magnitude: u64) {
	let len = SHORT - magnitude.leading_zeros() as usize / 8;
	let digits = if negative { !magnitude } else { magnitude };
	// The bytes that count go to the front. A shift by all 64 bits is for zero, which has none.
	let digits = digits.checked_shl(64 - 8 * len as u32).unwrap_or(0).to_be_bytes();
	let mut bytes = [0; 1 + SHORT];
	bytes[0] = if negative { code::ZERO - len as u8 } else { code::ZERO + len as u8 };
	bytes[1..].copy_from_slice(&digits);
	// Cheaper than a slice whose length is known at run time only, as a copy of a fixed length is a
	// few instructions.
	let end = packed.len() + 1 + len;
	packed.extend_from_slice(&bytes);
	packed.truncate(end);
}

fn put_integer(packed: &mut Vec<u8>, negative: bool, magnitude: u128) {
	match u64::try_from(magnitude) {
		Ok(magnitude) => put_short(packed, negative, magnitude),
		Err(_) => {
			let digits = magnitude.to_be_bytes();
			put_long(packed, negative, &digits[magnitude.leading_zeros() as usize / 8..]);
		},
	}
}

/// Puts an integer of 9 to 255 bytes, given by its sign and its magnitude, big-endian and without
/// zeros in front.
fn put_long(packed: &mut Vec<u8>, negative: bool, magnitude: &[u8]) {
	let len = magnitude.len() as u8;
	if negative {
		packed.extend_from_slice(&[code::BIG_NEGATIVE, !len]);
		for byte in magnitude {
			packed.extend_from_slice(&[!byte]);
		}
	} else {
		packed.extend_from_slice(&[code::BIG_POSITIVE, len]);
		packed.extend_from_slice(magnitude);
	}
}

#[inline]
fn put_null(packed: &mut Vec<u8>, nested: bool) {
	packed.extend_from_slice(if nested { &[code::NULL, code::ESCAPE] } else { &[code::NULL] });
}

/// More than the capacity that a byte string needs if it has no zeros.
const STRING_OVERHEAD: usize = 8;

macro_rules! items {
	($($type:ty: |$value:ident, $packed:ident| $put:expr, $capacity:expr;)*) => {$(
		impl Item for $type {
			#[inline]
			fn put(&self, $packed: &mut Vec<u8>, _nested: bool) {
				let $value = self;
				$put
			}

			#[inline]
			#[allow(unused_variables)]
			fn capacity(&self) -> usize {
				let $value = self;
				$capacity
			}
		}
	)*};
}

items! {
	[u8]: |bytes, packed| {
		packed.extend_from_slice(&[code::BYTES]);
		put_escaped(packed, bytes);
	}, bytes.len() + STRING_OVERHEAD;
	str: |string, packed| {
		packed.extend_from_slice(&[code::STRING]);
		put_escaped(packed, string.as_bytes());
	}, string.len() + STRING_OVERHEAD;
	f32: |value, packed| {
		let bits = value.to_bits();
		let bits = bits ^ if value.is_sign_negative() { u32::MAX } else { 1 << 31 };
		let mut bytes = [code::FLOAT; 5];
		bytes[1..].copy_from_slice(&bits.to_be_bytes());
		packed.extend_from_slice(&bytes);
	}, 5;
	f64: |value, packed| {
		let bits = value.to_bits();
		let bits = bits ^ if value.is_sign_negative() { u64::MAX } else { 1 << 63 };
		let mut bytes = [code::DOUBLE; 9];
		bytes[1..].copy_from_slice(&bits.to_be_bytes());
		packed.extend_from_slice(&bytes);
	}, 9;
	bool: |value, packed| packed.extend_from_slice(&[if *value { code::TRUE } else { code::FALSE }]), 1;
	u128: |value, packed| put_integer(packed, false, *value), 18;
	i128: |value, packed| put_integer(packed, *value < 0, value.unsigned_abs()), 18;
	Uuid: |uuid, packed| {
		packed.extend_from_slice(&[code::UUID]);
		packed.extend_from_slice(&uuid.0);
	}, 17;
	Versionstamp: |stamp, packed| {
		packed.extend_from_slice(&[code::VERSIONSTAMP]);
		packed.extend_from_slice(&stamp.transaction);
		packed.extend_from_slice(&stamp.user.to_be_bytes());
	}, 13;
}

#[cfg(feature = "bigint")]
items! {
	super::BigInt: |value, packed| {
		let (sign, magnitude) = value.get().to_bytes_be();
		let negative = sign == num_bigint::Sign::Minus;
		match u64::try_from(value.get().magnitude()) {
			Ok(magnitude) => put_short(packed, negative, magnitude),
			Err(_) => put_long(packed, negative, &magnitude),
		}
	}, 2 + value.get().bits() as usize / 8 + 1;
}

macro_rules! short_integers {
	($($type:ty)*) => {$(
		impl Item for $type {
			#[inline]
			fn put(&self, packed: &mut Vec<u8>, _nested: bool) {
				let value = *self as i128;
				put_short(packed, value < 0, value.unsigned_abs() as u64);
			}
		}
	)*};
}

short_integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

impl Item for Null {
	#[inline]
	fn put(&self, packed: &mut Vec<u8>, nested: bool) {
		put_null(packed, nested);
	}
}

impl<T: Item> Item for Option<T> {
	#[inline]
	fn put(&self, packed: &mut Vec<u8>, nested: bool) {
		match self {
			Some(item) => item.put(packed, nested),
			None => put_null(packed, nested),
		}
	}

	#[inline]
	fn capacity(&self) -> usize {
		self.as_ref().map_or(2, Item::capacity)
	}
}

/// Items that are packed as what they borrow from.
macro_rules! lending {
	($([$($parameter:tt)*] $trait:ident for $type:ty: $lend:expr;)*) => {$(
		impl<$($parameter)*> $trait for $type {
			#[inline]
			fn put(&self, packed: &mut Vec<u8>, nested: bool) {
				$trait::put($lend(self), packed, nested);
			}

			#[inline]
			fn capacity(&self) -> usize {
				$trait::capacity($lend(self))
			}
		}
	)*};
}

lending! {
	[] Item for Vec<u8>: Deref::deref;
	[const N: usize] Item for [u8; N]: <[u8; N]>::as_slice;
	[] Item for String: Deref::deref;
	[T: Item + ?Sized] Item for &T: Deref::deref;
	[T: Item + ToOwned + ?Sized] Item for Cow<'_, T>: Deref::deref;
	[] Items for Vec<Element<'_>>: Deref::deref;
}

impl Item for Element<'_> {
	#[inline]
	fn put(&self, packed: &mut Vec<u8>, nested: bool) {
		put_elements(core::slice::from_ref(self), packed, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		match self {
			Self::Bytes(bytes) => bytes.capacity(),
			Self::String(string) => string.capacity(),
			#[cfg(feature = "bigint")]
			Self::BigInt(value) => value.capacity(),
			Self::Int(_) | Self::Uuid(_) => 18,
			_ => 16,
		}
	}
}

/// Puts elements without recursion.
fn put_elements(elements: &[Element<'_>], packed: &mut Vec<u8>, nested: bool) {
	let mut current = elements.iter();
	let mut outer = Vec::new();
	loop {
		let nested = nested || !outer.is_empty();
		match current.next() {
			Some(Element::Tuple(items)) => {
				packed.extend_from_slice(&[code::NESTED]);
				outer.push(core::mem::replace(&mut current, items.iter()));
			},
			Some(Element::Null) => put_null(packed, nested),
			Some(Element::Bytes(bytes)) => bytes.put(packed, nested),
			Some(Element::String(string)) => string.put(packed, nested),
			Some(Element::Int(value)) => value.put(packed, nested),
			#[cfg(feature = "bigint")]
			Some(Element::BigInt(value)) => value.put(packed, nested),
			Some(Element::Float(value)) => value.put(packed, nested),
			Some(Element::Double(value)) => value.put(packed, nested),
			Some(Element::Bool(value)) => value.put(packed, nested),
			Some(Element::Uuid(uuid)) => uuid.put(packed, nested),
			Some(Element::Versionstamp(stamp)) => stamp.put(packed, nested),
			None => match outer.pop() {
				Some(items) => {
					packed.extend_from_slice(&[code::END]);
					current = items;
				},
				None => return,
			},
		}
	}
}

impl Items for [Element<'_>] {
	#[inline]
	fn put(&self, packed: &mut Vec<u8>, nested: bool) {
		put_elements(self, packed, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		self.iter().map(Item::capacity).sum()
	}
}

macro_rules! tuples {
	($(($($item:ident)*))*) => {$(
		impl<$($item: Item),*> Items for ($($item,)*) {
			#[inline]
			#[allow(non_snake_case, unused_variables)]
			fn put(&self, packed: &mut Vec<u8>, nested: bool) {
				let ($($item,)*) = self;
				$($item.put(packed, nested);)*
			}

			#[inline]
			#[allow(non_snake_case)]
			fn capacity(&self) -> usize {
				let ($($item,)*) = self;
				0 $(+ $item.capacity())*
			}
		}

		impl<$($item: Item),*> Item for ($($item,)*) {
			#[inline]
			fn put(&self, packed: &mut Vec<u8>, _nested: bool) {
				packed.extend_from_slice(&[code::NESTED]);
				Items::put(self, packed, true);
				packed.extend_from_slice(&[code::END]);
			}

			#[inline]
			fn capacity(&self) -> usize {
				2 + Items::capacity(self)
			}
		}
	)*};
}

tuples! {
	() (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
	(A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}
