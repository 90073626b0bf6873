// SPDX-License-Identifier: Apache-2.0
//! Tuples as JSON, in the form of the vectors, and tuples of any kind.

use std::str::FromStr;

use content_fabric_okvs::tuple::{BigInt, Element, Uuid, Versionstamp};
use proptest::prelude::*;
use serde_json::Value;

pub fn list(value: &Value) -> &[Value] {
	value.as_array().expect("the vectors have lists here")
}

pub fn bytes(value: &Value) -> Vec<u8> {
	hex::decode(value.as_str().expect("the vectors have digits here")).expect("digits are right")
}

pub fn big(decimal: &str) -> Element<'static> {
	let value = num_bigint::BigInt::from_str(decimal).expect("the integer is decimal");
	BigInt::try_from(value).expect("the integer fits").into()
}

/// Reads and prints the lines of the vectors.
#[path = "../../examples/tuple.rs"]
#[expect(dead_code, reason = "the tests do not run the example")]
pub mod example;

pub fn tuple(items: &Value) -> Vec<Element<'static>> {
	example::items_from_json(items, 0).expect("the vectors have this form")
}

fn scalar() -> impl Strategy<Value = Element<'static>> {
	let few = prop::collection::vec(prop::sample::select(vec![0u8, 1, 0x61, 0xff]), 0..5);
	prop_oneof![
		Just(Element::Null),
		few.prop_map(Element::from),
		prop::collection::vec(any::<u8>(), 0..40).prop_map(Element::from),
		prop::collection::vec(prop::sample::select(vec!['\0', 'a', 'é', '\u{10ffff}']), 0..5)
			.prop_map(|chars| Element::from(String::from_iter(chars))),
		any::<String>().prop_map(Element::from),
		any::<i128>().prop_map(Element::from),
		any::<i64>().prop_map(Element::from),
		(-300i64..300).prop_map(Element::from),
		(0u32..130, -2i128..3, any::<bool>()).prop_map(|(bits, near, negative)| {
			let value = num_bigint::BigInt::from(1) << bits;
			let value = value + near;
			let value = if negative { -value } else { value };
			BigInt::try_from(value).expect("fits").into()
		}),
		(prop::collection::vec(any::<u8>(), 1..=255), any::<bool>()).prop_map(
			|(bytes, negative)| {
				let sign = if negative { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus };
				BigInt::try_from(num_bigint::BigInt::from_bytes_be(sign, &bytes))
					.expect("fits")
					.into()
			}
		),
		any::<u32>().prop_map(|bits| f32::from_bits(bits).into()),
		any::<u64>().prop_map(|bits| f64::from_bits(bits).into()),
		any::<bool>().prop_map(Element::from),
		any::<[u8; 16]>().prop_map(|bytes| Uuid(bytes).into()),
		any::<([u8; 10], u16)>()
			.prop_map(|(transaction, user)| Versionstamp { transaction, user }.into()),
	]
}

pub fn any_tuple() -> impl Strategy<Value = Vec<Element<'static>>> {
	let item = scalar()
		.prop_recursive(4, 24, 4, |item| prop::collection::vec(item, 0..4).prop_map(Element::from));
	prop::collection::vec(item, 0..6)
}
