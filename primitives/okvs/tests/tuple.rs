// SPDX-License-Identifier: Apache-2.0
//! Packing: the vectors, each rule with its error, and properties of all tuples.

/// Reads and prints the lines of the vectors.
#[path = "../examples/tuple.rs"]
#[expect(dead_code, reason = "the tests do not run the example")]
mod example;

use std::{borrow::Cow, fmt::Debug};

use content_fabric_okvs::{
	successor,
	tuple::{
		pack, unpack, BigInt, Element, FromItems, Items, Null, Subspace, UnpackError,
		UnpackErrorKind, Uuid, Versionstamp, MAX_DEPTH,
	},
};
use foundationdb_tuple as peer;
use proptest::prelude::*;
use serde_json::Value;

fn vectors() -> Value {
	serde_json::from_str(include_str!("vectors/fdb_tuple.json")).expect("the vectors are JSON")
}

fn list(value: &Value) -> &[Value] {
	value.as_array().expect("the vectors have lists here")
}

fn bytes(value: &Value) -> Vec<u8> {
	hex::decode(value.as_str().expect("the vectors have digits here")).expect("digits are right")
}

fn tuple(items: &Value) -> Vec<Element<'static>> {
	example::items_from_json(items).expect("the vectors have this form")
}

/// Returns the vectors that are not malformed.
fn packed(vectors: &Value) -> impl Iterator<Item = &Value> {
	list(&vectors["vectors"]).iter().chain(list(&vectors["random"]))
}

/// Returns the packed form of a vector: the majority's, for the only two integers where
/// implementations differ.
fn digits(vector: &Value) -> &Value {
	match &vector["alt_java_go_rust"] {
		Value::Null => &vector["hex"],
		majority => majority,
	}
}

fn big(value: num_bigint::BigInt) -> Element<'static> {
	BigInt::try_from(value).expect("the integer fits").into()
}

#[test]
fn vectors_are_packed_and_unpacked() {
	let vectors = vectors();
	let (mut count, mut differing) = (0, 0);
	for vector in packed(&vectors) {
		let (items, digits) = (tuple(&vector["tuple"]), digits(vector));
		assert_eq!(hex::encode(pack(&items)), *digits, "{vector}");
		assert_eq!(unpack(&bytes(digits)), Ok(items), "{vector}");
		if vector["hex"] != *digits {
			differing += 1;
			assert!(unpack::<Vec<Element>>(&bytes(&vector["hex"])).is_err());
		}
		count += 1;
	}
	assert_eq!((count, differing), (196 + 150, 2));
}

#[test]
fn vectors_ascend() {
	let vectors = vectors();
	let ascending: Vec<_> = list(&vectors["strictly_ascending"])
		.iter()
		.map(|vector| {
			let (items, packed) = (tuple(&vector["tuple"]), bytes(&vector["hex"]));
			// The peer that made the list has other forms for two integers.
			let differs = [i128::from(u64::MAX), -i128::from(u64::MAX)]
				.iter()
				.any(|integer| items == [Element::from(*integer)]);
			let packed = if differs { pack(&items) } else { packed };
			(items, packed)
		})
		.collect();
	for (i, (items, packed)) in ascending.iter().enumerate() {
		assert_eq!(pack(items), *packed);
		for (others, other_packed) in &ascending[..i] {
			assert!(others < items && other_packed < packed);
		}
	}
	assert_eq!(ascending.len(), 124);
}

#[test]
fn ranges_scans_and_successors_are_those_of_the_vectors() {
	let vectors = vectors();
	for range in list(&vectors["ranges"]) {
		// The vectors' range leaves out the tuple itself, which is the first key of the subspace.
		let subspace = Subspace::new(&tuple(&range["tuple"]));
		let (start, end) = subspace.range();
		let first_extension = [start, &[0]].concat();
		assert_eq!(first_extension, bytes(&range["start"]));
		assert_eq!(end, bytes(&range["stop"]));
	}
	for case in list(&vectors["prefix_scan"]["cases"]) {
		let subspace = Subspace::new(&tuple(&case["prefix_tuple"]));
		let key = bytes(&case["key"]);
		assert_eq!(pack(&tuple(&case["key_tuple"])), key);
		let extends = case["semantically_extends"].as_bool().expect("a boolean");
		assert_eq!(subspace.contains(&key), extends, "{case}");
		let (start, end) = subspace.range();
		assert_eq!(key.as_slice() >= start && key < end, extends, "{case}");
		assert_eq!(subspace.unpack::<Vec<Element>>(&key).is_ok(), extends, "{case}");
	}
	for case in list(&vectors["strinc"]["cases"]) {
		let expected = (!case["out"].is_null()).then(|| bytes(&case["out"]));
		assert_eq!(successor(&bytes(&case["in"])), expected, "{case}");
	}
}

#[test]
fn the_example_reads_and_prints_the_vectors() {
	let json = |line: String| -> Value { serde_json::from_str(&line).expect("JSON is printed") };
	for vector in packed(&vectors()) {
		let digits = digits(vector);
		let printed = json(example::unpack_line(digits.as_str().expect("digits")));
		assert_eq!(printed, serde_json::json!({ "ok": vector["tuple"], "repacked": digits }));
		// A list of items is taken, and so is a whole vector.
		for line in [&vector["tuple"], vector] {
			assert_eq!(example::pack_line(&line.to_string()), *digits);
		}
	}
	for (line, at) in [("0", 0), ("zz", 0), ("01x1", 1), ("2603", 1)] {
		let printed = json(example::unpack_line(line));
		assert!(printed["error"].is_string() && printed["at"] == at, "{line}: {printed}");
	}
	for line in ["", "{}", "[{}]", r#"[{"t":"int","dec":"x"}]"#, r#"[{"t":"new"}]"#] {
		assert!(json(example::pack_line(line))["error"].is_string(), "{line}");
	}
	let deep = [r#"[{"t":"tuple","items":"#.repeat(101), "[]".into(), "}]".repeat(101)].concat();
	assert!(example::pack_line(&deep).contains("nested deeper than 100"));
}

#[test]
fn malformed_vectors_are_refused_at_a_byte() {
	let vectors = vectors();
	for vector in list(&vectors["malformed"]) {
		let packed = bytes(&vector["hex"]);
		let error = unpack::<Vec<Element>>(&packed).expect_err("the vector is malformed");
		assert!(error.at <= packed.len(), "{vector}");
	}
}

/// The items of the twelfth official test of SRFI 167, but for the symbol, which has no place in
/// the order of types. Copyright (C) Amirouche Boubekki (2019); license in the file `LICENSE-SRFI`.
#[test]
fn the_official_items_come_back() {
	let (bytes, large) = ([42u8, 101, 255].as_slice(), 1i128 << 64);
	let items = (Null, true, false, 0, bytes, "hello world", 42, large, -42, -large);
	let packed = pack(&items);
	assert_eq!(unpack(&packed), Ok(items));
	assert_eq!(unpack::<Vec<Element>>(&packed).map(|elements| pack(&elements)), Ok(packed));
}

#[test]
fn each_rule_has_its_error() {
	let error = |digits: &str| {
		unpack::<Vec<Element>>(&hex::decode(digits).expect("digits")).expect_err("is refused")
	};
	for (digits, at, kind) in [
		("ff", 0, UnpackErrorKind::UnknownCode(0xff)),
		("2603", 1, UnpackErrorKind::UnknownCode(3)),
		("0525", 1, UnpackErrorKind::UnknownCode(0x25)),
		("20010203", 4, UnpackErrorKind::Truncated),
		("1601", 2, UnpackErrorKind::Truncated),
		("1d", 1, UnpackErrorKind::Truncated),
		("1d0901", 3, UnpackErrorKind::Truncated),
		("0268", 2, UnpackErrorKind::MissingTerminator),
		("0100ff", 3, UnpackErrorKind::MissingTerminator),
		("05", 1, UnpackErrorKind::MissingTerminator),
		("0500ff", 3, UnpackErrorKind::MissingTerminator),
		("0261800000", 2, UnpackErrorKind::NotUtf8),
		("0200ff616180c000", 5, UnpackErrorKind::NotUtf8),
		("1500", 1, UnpackErrorKind::NotMinimal),
		("13ff", 1, UnpackErrorKind::NotMinimal),
		("1d08ffffffffffffffff", 1, UnpackErrorKind::NotMinimal),
		("1d09000102030405060708", 2, UnpackErrorKind::NotMinimal),
		("0bf6ff0102030405060708", 2, UnpackErrorKind::NotMinimal),
	] {
		assert_eq!(error(digits), UnpackError { at, kind }, "{digits}");
	}
	assert_eq!(error("2603").to_string(), "at byte 1: no item begins with 03");
}

#[test]
fn types_are_checked() {
	fn error<T: for<'a> FromItems<'a> + Debug>(packed: &[u8]) -> UnpackError {
		unpack::<T>(packed).expect_err("is refused")
	}
	let kind = |expected, found| UnpackErrorKind::Type { expected, found };
	let packed = pack(&("a", 300));
	assert_eq!(error::<(String, u8)>(&packed).kind, UnpackErrorKind::IntegerRange);
	assert_eq!(error::<(String, u8)>(&packed).at, 3);
	assert_eq!(error::<(Vec<u8>, u16)>(&packed).kind, kind("byte string", 2));
	assert_eq!(error::<(String, f64)>(&packed).kind, kind("double", 0x16));
	let excess = UnpackError { at: 3, kind: UnpackErrorKind::ExcessItem };
	assert_eq!(error::<(String,)>(&packed), excess);
	assert_eq!(error::<(String, u16, bool)>(&packed).kind, UnpackErrorKind::MissingItem);
	assert_eq!(error::<(Null, u16)>(&packed).kind, kind("null", 2));
	let not_borrowable = UnpackError { at: 0, kind: UnpackErrorKind::NotBorrowable };
	assert_eq!(unpack::<(&str,)>(&pack(&("a\0",))), Err(not_borrowable));
	assert_eq!(unpack(&pack(&("a\0",))), Ok((Cow::Borrowed("a\0"),)));
	assert_eq!(unpack(&pack(&(u128::MAX, i128::MIN))), Ok((u128::MAX, i128::MIN)));
	assert_eq!(unpack(&pack(&(None::<u8>, Some(1u8)))), Ok((None::<u8>, Some(1u8))));
	assert_eq!(error::<(u128,)>(&pack(&(-1,))).kind, UnpackErrorKind::IntegerRange);
	assert_eq!(error::<(i128,)>(&pack(&(u128::MAX,))).kind, UnpackErrorKind::IntegerRange);

	let nested = pack(&((1, (), (Null, "b")), 2));
	assert_eq!(unpack(&nested), Ok(((1, (), (Null, "b")), 2)));
	assert_eq!(error::<((u8, (), (Null,)), u8)>(&nested).kind, UnpackErrorKind::ExcessItem);
	assert_eq!(error::<((u8, (u8,)), u8)>(&nested).kind, UnpackErrorKind::MissingItem);
	let elements: (Element, u8) = unpack(&nested).expect("is a nested tuple");
	assert_eq!(pack(&elements), nested);
	let longest = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	assert_eq!(unpack(&pack(&longest)), Ok(longest));
	let array = pack(&([7u8; 3],));
	assert_eq!(unpack(&array), Ok(([7u8; 3],)));
	let length = UnpackErrorKind::Length { expected: 4, found: 3 };
	assert_eq!(error::<([u8; 4],)>(&array), UnpackError { at: 0, kind: length });
	// Typed reading finds the same fault as untyped reading.
	let open = hex::decode("05").expect("digits");
	let unended = UnpackError { at: 1, kind: UnpackErrorKind::MissingTerminator };
	assert_eq!(error::<((u8,),)>(&open), unended);
	assert_eq!(error::<((),)>(&open), unended);
	assert_eq!(error::<((Null,),)>(&open), unended);
}

#[test]
fn depth_is_limited_and_does_not_use_the_stack() {
	let nested = |depth: usize| [vec![5; depth], vec![0; depth]].concat();
	let deepest = nested(MAX_DEPTH);
	let items: Vec<Element> = unpack(&deepest).expect("is not too deep");
	assert_eq!(pack(&items), deepest);
	for depth in [MAX_DEPTH + 1, 1_000_000] {
		let error = UnpackError { at: MAX_DEPTH, kind: UnpackErrorKind::TooDeep };
		assert_eq!(unpack::<Vec<Element>>(&nested(depth)), Err(error));
		assert_eq!(unpack::<Vec<Element>>(&vec![5; depth]), Err(error));
	}
}

#[test]
fn integers_of_more_than_255_bytes_are_refused() {
	let largest: num_bigint::BigInt = (num_bigint::BigInt::from(1) << 2040) - 1;
	for value in [largest.clone(), -largest.clone()] {
		let element = Element::from(BigInt::try_from(value).expect("fits"));
		let packed = pack(std::slice::from_ref(&element));
		assert_eq!(packed.len(), 257);
		assert_eq!(unpack(&packed), Ok(vec![element]));
	}
	let too_large: num_bigint::BigInt = largest + 1;
	let error = BigInt::try_from(too_large).expect_err("is too large");
	assert_eq!(error.to_string(), "an integer in a tuple has at most 2040 bits, not 2041");
	assert_eq!(error.bits, 2041);
}

#[test]
fn a_subspace_gives_positions_in_the_key() {
	let subspace = Subspace::new(&("tenant", 7));
	let object = subspace.subspace(&("object",));
	let key = object.pack(&(1, "name"));
	assert_eq!(object.unpack(&key), Ok((1, "name")));
	assert_eq!(subspace.unpack(&key), Ok(("object", 1, "name")));
	assert_eq!(Subspace::new(&()).unpack(&key), Ok(("tenant", 7, "object", 1, "name")));
	let at = subspace.prefix().len();
	let outside = UnpackError { at, kind: UnpackErrorKind::Outside };
	assert_eq!(object.unpack::<()>(subspace.prefix()), Err(outside));
	let mut broken = key.clone();
	broken.push(0xf0);
	let error = UnpackError { at: key.len(), kind: UnpackErrorKind::UnknownCode(0xf0) };
	assert_eq!(object.unpack::<Vec<Element>>(&broken), Err(error));
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
			let value: num_bigint::BigInt = (num_bigint::BigInt::from(1) << bits) + near;
			big(if negative { -value } else { value })
		}),
		(prop::collection::vec(any::<u8>(), 1..=255), any::<bool>()).prop_map(
			|(bytes, negative)| {
				let sign = if negative { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus };
				big(num_bigint::BigInt::from_bytes_be(sign, &bytes))
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

fn any_tuple() -> impl Strategy<Value = Vec<Element<'static>>> {
	let item = scalar()
		.prop_recursive(4, 24, 4, |item| prop::collection::vec(item, 0..4).prop_map(Element::from));
	prop::collection::vec(item, 0..6)
}

fn to_peer<'e>(element: &'e Element) -> peer::Element<'e> {
	match element {
		Element::Null => peer::Element::Nil,
		Element::Bytes(bytes) => peer::Element::Bytes(bytes.as_ref().into()),
		Element::String(string) => peer::Element::String(string.as_ref().into()),
		Element::Tuple(items) => peer::Element::Tuple(items.iter().map(to_peer).collect()),
		Element::Int(value) => match i64::try_from(*value) {
			Ok(value) => peer::Element::Int(value),
			Err(_) => peer::Element::BigInt((*value).into()),
		},
		Element::BigInt(value) => peer::Element::BigInt(value.get().clone()),
		Element::Float(value) => peer::Element::Float(*value),
		Element::Double(value) => peer::Element::Double(*value),
		Element::Bool(value) => peer::Element::Bool(*value),
		Element::Uuid(uuid) => peer::Element::Uuid(peer::Uuid::from_bytes(uuid.0)),
		Element::Versionstamp(stamp) => {
			peer::Element::Versionstamp(peer::Versionstamp::complete(stamp.transaction, stamp.user))
		},
		other => panic!("{other:?} is new"),
	}
}

proptest! {
	#![proptest_config(ProptestConfig {
		cases: 30_000,
		failure_persistence: None,
		..ProptestConfig::default()
	})]

	#[test]
	fn tuples_come_back_and_agree_with_the_rust_layer(items in any_tuple()) {
		let packed = pack(&items);
		prop_assert_eq!(unpack(&packed), Ok(items.clone()));
		let theirs: Vec<_> = items.iter().map(to_peer).collect();
		prop_assert_eq!(&peer::pack(&theirs), &packed);
		// The peer reads versionstamps of ones only as incomplete, and writes them all the same.
		let read: Vec<peer::Element> = peer::unpack(&packed).expect("the peer reads its own form");
		prop_assert_eq!(peer::pack(&read), packed);
	}
}

proptest! {
	#![proptest_config(ProptestConfig {
		cases: 4_000,
		failure_persistence: None,
		..ProptestConfig::default()
	})]

	#[test]
	fn the_order_of_bytes_is_that_of_items(a in any_tuple(), b in any_tuple()) {
		prop_assert_eq!(pack(&a).cmp(&pack(&b)), a.cmp(&b));
	}

	#[test]
	fn a_subspace_holds_what_extends_its_tuple(items in any_tuple(), others in any_tuple()) {
		let subspace = Subspace::new(&items);
		let extended: Vec<_> = items.iter().chain(&others).cloned().collect();
		prop_assert!(subspace.contains(&pack(&extended)));
		prop_assert_eq!(subspace.contains(&pack(&others)), others.starts_with(&items));
	}

	#[test]
	fn damaged_tuples_are_refused_or_come_back(
		items in any_tuple(),
		at in any::<prop::sample::Index>(),
		byte in any::<u8>(),
		cut in any::<bool>(),
	) {
		let mut bytes = pack(&items);
		prop_assume!(!bytes.is_empty());
		let at = at.index(bytes.len());
		if cut { bytes.truncate(at) } else { bytes[at] = byte }
		match unpack::<Vec<Element>>(&bytes) {
			Ok(items) => prop_assert_eq!(pack(&items), bytes),
			Err(error) => prop_assert!(error.at <= bytes.len()),
		}
	}
}

/// Typed and untyped packing are the same.
#[test]
fn typed_tuples_are_packed_as_their_elements() {
	fn check<T: Items>(typed: T, elements: Vec<Element>) {
		assert_eq!(pack(&typed), pack(&elements));
	}
	for value in [0, 1, -1, 255, 256, -255, -256, i64::MAX, i64::MIN] {
		check((value,), vec![value.into()]);
		check((value as u64, value as i32), vec![(value as u64).into(), (value as i32).into()]);
		check(
			(value as i8, value as u16),
			vec![i32::from(value as i8).into(), u32::from(value as u16).into()],
		);
	}
	check((u64::MAX, -i128::from(u64::MAX)), vec![u64::MAX.into(), (-i128::from(u64::MAX)).into()]);
	check(
		(1.5f32, -0.0f64, "x", Some(Null)),
		vec![1.5f32.into(), (-0.0f64).into(), "x".into(), Null.into()],
	);
	let nested = Element::Tuple(vec![Null.into(), "x".into()]);
	check((nested.clone(), true), vec![nested.clone(), true.into()]);
	check(((Element::Null, "x"), true), vec![nested, true.into()]);
}
