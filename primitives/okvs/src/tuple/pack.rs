// SPDX-License-Identifier: Apache-2.0
//! From items to bytes.

use alloc::{
	borrow::{Cow, ToOwned},
	string::String,
	vec::Vec,
};

use super::{
	code,
	error::BufferTooSmall,
	integer,
	sink::{put_escaped, Buffer, Counter, Sink},
	Element, Null, Uuid, Versionstamp,
};

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

/// Writes the packed tuple into a buffer, and returns the bytes that were written.
pub fn pack_to<'b, T: Items + ?Sized>(
	items: &T,
	buffer: &'b mut [u8],
) -> Result<&'b [u8], BufferTooSmall> {
	let mut sink = Buffer { bytes: &mut *buffer, count: 0 };
	items.put(&mut sink, false);
	let needed = sink.count;
	let available = buffer.len();
	buffer.get(..needed).ok_or(BufferTooSmall { needed, available })
}

/// Returns the number of bytes of a packed tuple.
pub fn packed_len<T: Items + ?Sized>(items: &T) -> usize {
	let mut counter = Counter::default();
	items.put(&mut counter, false);
	counter.count
}

/// A value that is packed as one item.
///
/// A Rust tuple as an item is a nested tuple, a slice, vector or array of bytes is a byte string,
/// and `None` is null.
pub trait Item {
	/// Puts the bytes of the item. Those of null differ in a nested tuple.
	fn put(&self, sink: &mut impl Sink, nested: bool);

	/// Returns the number of bytes to make room for. A guess that saves work if it is not too low.
	fn capacity(&self) -> usize {
		9
	}
}

/// A sequence of items, which is packed as a tuple.
pub trait Items {
	/// Puts the bytes of all items, one after the other.
	fn put(&self, sink: &mut impl Sink, nested: bool);

	/// Returns the number of bytes to make room for. A guess that saves work if it is not too low.
	fn capacity(&self) -> usize;
}

#[inline]
fn put_null(sink: &mut impl Sink, nested: bool) {
	sink.put(if nested { &[code::NULL, code::ESCAPE] } else { &[code::NULL] });
}

/// More than the capacity that a byte string needs if it has no zeros.
const STRING_OVERHEAD: usize = 8;

macro_rules! items {
	($($type:ty: |$value:ident, $sink:ident| $put:expr, $capacity:expr;)*) => {$(
		impl Item for $type {
			#[inline]
			fn put(&self, $sink: &mut impl Sink, _nested: bool) {
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
	[u8]: |bytes, sink| {
		sink.put(&[code::BYTES]);
		put_escaped(sink, bytes);
	}, bytes.len() + STRING_OVERHEAD;
	str: |string, sink| {
		sink.put(&[code::STRING]);
		put_escaped(sink, string.as_bytes());
	}, string.len() + STRING_OVERHEAD;
	Vec<u8>: |bytes, sink| Item::put(bytes.as_slice(), sink, false), bytes.len() + STRING_OVERHEAD;
	String: |string, sink| Item::put(string.as_str(), sink, false), string.len() + STRING_OVERHEAD;
	f32: |value, sink| {
		let bits = value.to_bits();
		let bits = bits ^ if value.is_sign_negative() { u32::MAX } else { 1 << 31 };
		let mut bytes = [code::FLOAT; 5];
		bytes[1..].copy_from_slice(&bits.to_be_bytes());
		sink.put(&bytes);
	}, 5;
	f64: |value, sink| {
		let bits = value.to_bits();
		let bits = bits ^ if value.is_sign_negative() { u64::MAX } else { 1 << 63 };
		let mut bytes = [code::DOUBLE; 9];
		bytes[1..].copy_from_slice(&bits.to_be_bytes());
		sink.put(&bytes);
	}, 9;
	bool: |value, sink| sink.put(&[if *value { code::TRUE } else { code::FALSE }]), 1;
	u128: |value, sink| integer::put(sink, false, *value), 18;
	i128: |value, sink| integer::put(sink, *value < 0, value.unsigned_abs()), 18;
	Uuid: |uuid, sink| {
		sink.put(&[code::UUID]);
		sink.put(&uuid.0);
	}, 17;
	Versionstamp: |stamp, sink| {
		sink.put(&[code::VERSIONSTAMP]);
		sink.put(&stamp.transaction);
		sink.put(&stamp.user.to_be_bytes());
	}, 13;
}

#[cfg(feature = "bigint")]
items! {
	super::BigInt: |value, sink| {
		let (sign, magnitude) = value.get().to_bytes_be();
		let negative = sign == num_bigint::Sign::Minus;
		match u64::try_from(value.get().magnitude()) {
			Ok(magnitude) => integer::put_short(sink, negative, magnitude),
			Err(_) => integer::put_long(sink, negative, &magnitude),
		}
	}, 2 + value.get().bits() as usize / 8 + 1;
}

macro_rules! short_integers {
	($($type:ty)*) => {$(
		impl Item for $type {
			#[inline]
			fn put(&self, sink: &mut impl Sink, _nested: bool) {
				let value = *self as i128;
				integer::put_short(sink, value < 0, value.unsigned_abs() as u64);
			}
		}
	)*};
}

short_integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

impl<const N: usize> Item for [u8; N] {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		Item::put(self.as_slice(), sink, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		N + STRING_OVERHEAD
	}
}

impl Item for Null {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		put_null(sink, nested);
	}
}

impl<T: Item> Item for Option<T> {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		match self {
			Some(item) => item.put(sink, nested),
			None => put_null(sink, nested),
		}
	}

	#[inline]
	fn capacity(&self) -> usize {
		self.as_ref().map_or(2, Item::capacity)
	}
}

impl<T: Item + ?Sized> Item for &T {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		(**self).put(sink, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		(**self).capacity()
	}
}

impl<T: Item + ToOwned + ?Sized> Item for Cow<'_, T> {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		(**self).put(sink, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		(**self).capacity()
	}
}

impl Item for Element<'_> {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		put_elements(core::slice::from_ref(self), sink, nested);
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

/// A nested tuple.
impl Item for [Element<'_>] {
	#[inline]
	fn put(&self, sink: &mut impl Sink, _nested: bool) {
		sink.put(&[code::NESTED]);
		put_elements(self, sink, true);
		sink.put(&[code::END]);
	}

	#[inline]
	fn capacity(&self) -> usize {
		2 + Items::capacity(self)
	}
}

/// A nested tuple.
impl Item for Vec<Element<'_>> {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		Item::put(self.as_slice(), sink, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		Item::capacity(self.as_slice())
	}
}

/// Puts elements without recursion.
fn put_elements(elements: &[Element<'_>], sink: &mut impl Sink, nested: bool) {
	let mut current = elements.iter();
	let mut outer = Vec::new();
	loop {
		let nested = nested || !outer.is_empty();
		match current.next() {
			Some(Element::Tuple(items)) => {
				sink.put(&[code::NESTED]);
				outer.push(core::mem::replace(&mut current, items.iter()));
			},
			Some(Element::Null) => put_null(sink, nested),
			Some(Element::Bytes(bytes)) => bytes.put(sink, nested),
			Some(Element::String(string)) => string.put(sink, nested),
			Some(Element::Int(value)) => value.put(sink, nested),
			#[cfg(feature = "bigint")]
			Some(Element::BigInt(value)) => value.put(sink, nested),
			Some(Element::Float(value)) => value.put(sink, nested),
			Some(Element::Double(value)) => value.put(sink, nested),
			Some(Element::Bool(value)) => value.put(sink, nested),
			Some(Element::Uuid(uuid)) => uuid.put(sink, nested),
			Some(Element::Versionstamp(stamp)) => stamp.put(sink, nested),
			None => match outer.pop() {
				Some(items) => {
					sink.put(&[code::END]);
					current = items;
				},
				None => return,
			},
		}
	}
}

impl Items for [Element<'_>] {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		put_elements(self, sink, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		self.iter().map(Item::capacity).sum()
	}
}

impl Items for Vec<Element<'_>> {
	#[inline]
	fn put(&self, sink: &mut impl Sink, nested: bool) {
		put_elements(self, sink, nested);
	}

	#[inline]
	fn capacity(&self) -> usize {
		Items::capacity(self.as_slice())
	}
}

macro_rules! tuples {
	($(($($item:ident)*))*) => {$(
		impl<$($item: Item),*> Items for ($($item,)*) {
			#[inline]
			#[allow(non_snake_case, unused_variables)]
			fn put(&self, sink: &mut impl Sink, nested: bool) {
				let ($($item,)*) = self;
				$($item.put(sink, nested);)*
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
			fn put(&self, sink: &mut impl Sink, _nested: bool) {
				sink.put(&[code::NESTED]);
				Items::put(self, sink, true);
				sink.put(&[code::END]);
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
