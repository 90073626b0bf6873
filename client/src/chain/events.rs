// SPDX-License-Identifier: Apache-2.0
//! Events: all as text and as JSON, with ids in their text forms, and the content fabric's own with
//! their types.

use std::fmt;

use codec::Decode;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, Tid, VersionId,
};
use content_fabric_primitives::KmsKey;
use indexmap::IndexMap;
use scale_decode::{error::ErrorKind, DecodeAsType};
use scale_info::{form::PortableForm, PortableRegistry, TypeDef, TypeDefPrimitive};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use subxt::{
	error::DispatchError,
	events::{Event, Events, Phase},
	ext::scale_value::{
		scale::{decode_as_type, encode_as_type},
		Composite, Primitive, Value, ValueDef,
	},
	metadata::ArcMetadata,
	utils::AccountId32,
};

use super::{config::FabricConfig, dispatch_line, Chain, Error, Snapshot};
use crate::text::{json_line, printable, Text};

/// The name of the pallet.
const FABRIC: &str = "ContentFabric";

/// An event of the content fabric, with the types of a client.
pub type FabricEvent = content_fabric_primitives::FabricEvent<
	AccountId32,
	u128,
	Text,
	Text,
	Text,
	Text,
	Vec<(ProviderId, NodeId)>,
>;

/// An event. In JSON and in text its ids and accounts have their text forms, integers of 64 or more
/// bits, such as amounts in the smallest unit, are strings of digits, and bytes that are not text
/// are hex.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainEvent {
	/// The name of the pallet.
	pub pallet: String,
	/// The name of the event in the pallet.
	pub name: String,
	/// The fields in their order, by name or by position.
	pub fields: IndexMap<String, Json>,
	/// The event, if it is one of the content fabric that this program knows. Fails with the reason
	/// if the fields of the event are not those that this program knows.
	#[serde(skip)]
	pub fabric: Result<Option<FabricEvent>, String>,
}

/// An event of a block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlockEvent {
	/// The place of the event among all events of the block.
	pub event_index: u32,
	/// The place of the transaction that deposited it. `None` for events of hooks.
	pub extrinsic_index: Option<u32>,
	/// The event.
	pub event: ChainEvent,
}

impl Chain {
	/// Returns all events of a block, and the metadata of the runtime that made it. The state after
	/// the block has other metadata if the block replaces the runtime.
	pub(super) async fn events(
		&self,
		at: &Snapshot,
	) -> Result<(Events<FabricConfig>, ArcMetadata), Error> {
		let events = at.0.events().fetch().await?;
		if !events.iter().any(|event| replaces_runtime(event.as_ref().ok())) {
			return Ok((events, at.0.metadata()));
		}
		let header = at.0.block_header().await?;
		let parent = header.parent_hash;
		let maker = self.client.at_block(parent).await?;
		Ok((maker.events().from_bytes(events.bytes().to_vec()), maker.metadata()))
	}

	/// Returns the events of the content fabric in a block, in their order.
	pub async fn fabric_events(&self, at: &Snapshot) -> Result<Vec<BlockEvent>, Error> {
		let (events, metadata) = self.events(at).await?;
		let mut read = Vec::new();
		for event in events.iter() {
			let event = event?;
			if event.pallet_name() == FABRIC {
				let extrinsic_index = match event.phase() {
					Phase::ApplyExtrinsic(place) => Some(place),
					Phase::Initialization | Phase::Finalization => None,
				};
				let event_index = event.index();
				let event = ChainEvent::read(&event, &metadata)?;
				read.push(BlockEvent { event_index, extrinsic_index, event });
			}
		}
		Ok(read)
	}
}

/// Returns whether an event says that its block replaces the runtime. Another runtime may not even
/// know the event.
fn replaces_runtime(event: Option<&Event<'_, FabricConfig>>) -> bool {
	event.is_none_or(|event| (event.pallet_name(), event.event_name()) == ("System", "CodeUpdated"))
}

impl Snapshot {
	/// Returns the names of the content fabric's events.
	pub fn fabric_event_names(&self) -> Result<Vec<String>, Error> {
		let pallet = self.metadata().pallet_by_name(FABRIC);
		let variants = pallet.and_then(|pallet| pallet.event_variants());
		let variants = variants.ok_or_else(|| Error::Metadata(format!("events of {FABRIC}")))?;
		Ok(variants.iter().map(|variant| variant.name.clone()).collect())
	}
}

impl ChainEvent {
	/// Reads an event.
	pub(crate) fn read(
		event: &Event<'_, FabricConfig>,
		metadata: &ArcMetadata,
	) -> Result<Self, Error> {
		// The bytes of the event as subxt has them start with the phase.
		let bytes = [&[event.pallet_index(), event.event_index()], event.field_bytes()].concat();
		Self::decode(&bytes, metadata)
			.ok_or_else(|| Error::Metadata("type of an event that the chain has deposited".into()))
	}

	/// Decodes an event of the runtime: the number of its pallet, its own number, and its fields.
	pub fn decode(mut bytes: &[u8], metadata: &ArcMetadata) -> Option<Self> {
		let mut fabric = bytes.get(1..)?;
		let kind = metadata.outer_enums().event_enum_ty();
		let value = decode_as_type(&mut bytes, kind, metadata.types()).ok()?;
		// The variant of a pallet, and in it the variant of an event.
		let ValueDef::Variant(pallet) = &value.value else { return None };
		let inner = pallet.values.values().next()?;
		let ValueDef::Variant(event) = &inner.value else { return None };
		let fields = match &event.values {
			Composite::Named(fields) => fields
				.iter()
				.map(|(name, value)| (name.clone(), to_json(value, metadata)))
				.collect(),
			Composite::Unnamed(fields) => {
				let fields = fields.iter().enumerate();
				fields.map(|(place, value)| (place.to_string(), to_json(value, metadata))).collect()
			},
		};
		let fabric = match pallet.name == FABRIC {
			true => fabric_event(&mut fabric, inner.context, &event.name, metadata.types()),
			false => Ok(None),
		};
		Some(Self { pallet: pallet.name.clone(), name: event.name.clone(), fields, fabric })
	}

	/// Reads an event of the runtime that was decoded as a part of another value.
	pub(super) fn from_value(value: &Value<u32>, metadata: &ArcMetadata) -> Option<Self> {
		Self::decode(&encoded(value, metadata), metadata)
	}

	/// Returns whether this is an event of the content fabric.
	pub fn is_fabric(&self) -> bool {
		self.pallet == FABRIC
	}

	/// Returns the event, if it is one of the content fabric that this program can read.
	pub fn fabric(&self) -> Option<&FabricEvent> {
		self.fabric.as_ref().ok()?.as_ref()
	}

	/// Returns a field.
	pub fn field(&self, name: &str) -> Option<&Json> {
		self.fields.get(name)
	}

	/// Returns the text of a field, or an empty one if the event has no such field.
	pub fn text(&self, field: &str) -> &str {
		self.field(field).and_then(Json::as_str).unwrap_or_default()
	}
}

impl fmt::Display for ChainEvent {
	/// Writes the name, and the fields with their values.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self.is_fabric() {
			true => f.write_str(&printable(&self.name))?,
			false => write!(f, "{}.{}", printable(&self.pallet), printable(&self.name))?,
		}
		for (name, value) in &self.fields {
			let name = printable(name);
			match value {
				Json::String(text) => write!(f, " {name}={}", printable(text))?,
				Json::Null => write!(f, " {name}=none")?,
				other => write!(f, " {name}={}", json_line(other).map_err(|_| fmt::Error)?)?,
			}
		}
		Ok(())
	}
}

/// Reads an event of the content fabric by the names of its fields. `None` if this program does not
/// know its name. Fails with the reason.
fn fabric_event(
	bytes: &mut &[u8],
	kind: u32,
	name: &str,
	types: &PortableRegistry,
) -> Result<Option<FabricEvent>, String> {
	match FabricEvent::decode_as_type(bytes, kind, types) {
		Ok(event) => Ok(Some(event)),
		Err(error) => match error.kind() {
			ErrorKind::CannotFindVariant { got, .. } if got == name => Ok(None),
			_ => Err(error.to_string()),
		},
	}
}

/// Returns a value of a type of the chain as JSON.
pub(super) fn to_json(value: &Value<u32>, metadata: &ArcMetadata) -> Json {
	let found = metadata.types().resolve(value.context);
	let name = found.and_then(|found| found.path.ident()).unwrap_or_default();
	let kind = found.map(|found| &found.type_def);
	match (&value.value, kind) {
		_ if name == "DispatchError" => Json::String(dispatch_error(value, metadata)),
		(ValueDef::Primitive(primitive), kind) => {
			primitive_json(primitive, is_narrow(kind, metadata.types()))
		},
		(ValueDef::BitSequence(bits), _) => bits.iter().collect::<Vec<_>>().into(),
		(ValueDef::Composite(_), Some(TypeDef::Sequence(list)))
			if is_byte(list.type_param.id, metadata) =>
		{
			let bytes = encoded(value, metadata);
			let text = Vec::<u8>::decode(&mut &bytes[..]).unwrap_or_default();
			Json::String(Text(text).raw().into_owned())
		},
		(ValueDef::Composite(_), Some(TypeDef::Array(array)))
			if is_byte(array.type_param.id, metadata) =>
		{
			Json::String(format!("0x{}", hex::encode(encoded(value, metadata))))
		},
		(ValueDef::Composite(fields), _) => {
			id(&name, value, metadata).map_or_else(|| composite(fields, metadata), Json::String)
		},
		(ValueDef::Variant(variant), _) => {
			let fields = || composite(&variant.values, metadata);
			match (name.as_str(), variant.name.as_str(), variant.values.len()) {
				("MemberId", ..) | (_, "Some", 1) => fields(),
				(_, "None", 0) => Json::Null,
				(_, name, 0) => Json::String(name.into()),
				(_, name, _) => Json::Object(Map::from_iter([(name.into(), fields())])),
			}
		},
	}
}

fn is_byte(type_id: u32, metadata: &ArcMetadata) -> bool {
	let found = metadata.types().resolve(type_id);
	found.is_some_and(|found| found.type_def == TypeDef::Primitive(TypeDefPrimitive::U8))
}

fn encoded(value: &Value<u32>, metadata: &ArcMetadata) -> Vec<u8> {
	let mut bytes = Vec::new();
	// A value that was decoded as a type can be encoded as it.
	let _ = encode_as_type(value, value.context, metadata.types(), &mut bytes);
	bytes
}

/// Returns the text of an id or an account.
fn id(name: &str, value: &Value<u32>, metadata: &ArcMetadata) -> Option<String> {
	fn text<Id: Decode + fmt::Display>(bytes: &[u8]) -> Option<String> {
		Id::decode(&mut &bytes[..]).ok().map(|id| id.to_string())
	}
	let read = match name {
		"SpaceId" => text::<SpaceId>,
		"ProviderId" => text::<ProviderId>,
		"NodeId" => text::<NodeId>,
		"TenantId" => text::<TenantId>,
		"KmsId" => text::<KmsId>,
		"KmsKey" => text::<KmsKey>,
		"ContentObjectId" => text::<ContentObjectId>,
		"VersionId" => text::<VersionId>,
		"Muid" => text::<Muid>,
		"Medallion" => text::<Medallion>,
		"Tid" => text::<Tid>,
		"AccountId32" => text::<AccountId32>,
		_ => return None,
	};
	read(&encoded(value, metadata))
}

fn dispatch_error(value: &Value<u32>, metadata: &ArcMetadata) -> String {
	let bytes = encoded(value, metadata);
	match DispatchError::decode_from(&bytes[..], metadata.clone()) {
		Ok(error) => dispatch_line(&error),
		Err(_) => format!("unknown error 0x{}", hex::encode(bytes)),
	}
}

/// Returns whether all integers of a type, plain or compact, are numbers that every reader of JSON
/// takes exactly.
fn is_narrow(kind: Option<&TypeDef<PortableForm>>, types: &PortableRegistry) -> bool {
	let kind = match kind {
		Some(TypeDef::Compact(compact)) => {
			types.resolve(compact.type_param.id).map(|found| &found.type_def)
		},
		kind => kind,
	};
	use TypeDefPrimitive::{U16, U32, U8};
	matches!(kind, Some(TypeDef::Primitive(U8 | U16 | U32)))
}

/// Returns a primitive as JSON. Integers are numbers if their type is narrow, whatever they are, so
/// that a field always has the same form.
fn primitive_json(primitive: &Primitive, is_narrow: bool) -> Json {
	match primitive {
		Primitive::Bool(value) => Json::Bool(*value),
		Primitive::U128(value) => match u32::try_from(*value) {
			Ok(value) if is_narrow => value.into(),
			_ => Json::String(value.to_string()),
		},
		Primitive::I128(value) => Json::String(value.to_string()),
		Primitive::Char(value) => Json::String(value.to_string()),
		Primitive::String(value) => Json::String(value.clone()),
		Primitive::U256(bytes) | Primitive::I256(bytes) => Json::String(hex::encode(bytes)),
	}
}

fn composite(fields: &Composite<u32>, metadata: &ArcMetadata) -> Json {
	match fields {
		Composite::Named(fields) => {
			let fields =
				fields.iter().map(|(name, value)| (name.clone(), to_json(value, metadata)));
			Json::Object(fields.collect())
		},
		// Newtypes, such as bounded lists, are what they wrap.
		Composite::Unnamed(fields) => match &fields[..] {
			[field] => to_json(field, metadata),
			fields => fields.iter().map(|value| to_json(value, metadata)).collect(),
		},
	}
}

#[cfg(test)]
mod tests {
	use codec::Encode;
	use scale_info::{meta_type, Registry, TypeInfo};
	use serde_json::json;

	use super::*;

	/// Returns the JSON of an integer of a type.
	fn integer<T: TypeInfo + 'static>(value: u128) -> Json {
		let mut registry = Registry::new();
		let id = registry.register_type(&meta_type::<T>()).id;
		let types = PortableRegistry::from(registry);
		let kind = types.resolve(id).map(|found| &found.type_def);
		primitive_json(&Primitive::U128(value), is_narrow(kind, &types))
	}

	/// Events of a chain that this program does not know in full.
	#[derive(Encode, TypeInfo)]
	enum OtherEvent {
		SpaceSold { space: SpaceId },
		SpaceDeleted { reason: Vec<u8>, space: SpaceId },
		Admitted { space: SpaceId, role: Option<bool> },
	}

	#[test]
	fn events_are_read_by_their_names_and_those_of_their_fields() {
		let mut registry = Registry::new();
		let kind = registry.register_type(&meta_type::<OtherEvent>()).id;
		let types = PortableRegistry::from(registry);
		let read =
			|event: OtherEvent, name| fabric_event(&mut &event.encode()[..], kind, name, &types);
		let space = SpaceId([1; 10]);
		assert_eq!(read(OtherEvent::SpaceSold { space }, "SpaceSold"), Ok(None));
		let deleted = OtherEvent::SpaceDeleted { reason: vec![2], space };
		assert_eq!(read(deleted, "SpaceDeleted"), Ok(Some(FabricEvent::SpaceDeleted { space })));
		let lacking = read(OtherEvent::Admitted { space, role: None }, "Admitted");
		let reason = lacking.expect_err("it has no account, and another role");
		assert!(reason.contains("account") || reason.contains("role"), "{reason}");
	}

	#[test]
	fn the_width_of_an_integer_decides_whether_it_is_text() {
		use codec::Compact;
		assert_eq!([integer::<u8>(255), integer::<Compact<u32>>(7)], [json!(255), json!(7)]);
		assert_eq!(integer::<u32>(u32::MAX.into()), json!(u32::MAX));
		for value in [0, 1 << 53, u64::MAX] {
			let (text, value) = (json!(value.to_string()), value.into());
			assert_eq!(
				[integer::<u64>(value), integer::<u128>(value)],
				[text.clone(), text.clone()]
			);
			assert_eq!(
				[integer::<Compact<u64>>(value), integer::<Compact<u128>>(value)],
				[text.clone(), text]
			);
		}
	}

	#[test]
	fn names_and_values_of_an_event_are_shown_without_control_characters() {
		let event = |pallet: &str| ChainEvent {
			pallet: pallet.into(),
			name: "Slash\u{1b}[2J".into(),
			fields: [
				("who\u{7}".into(), "a\u{9b}".into()),
				("inner".into(), json!({ "k\u{202e}": ["\u{9b}2J", 1] })),
				("none".into(), Json::Null),
			]
			.into(),
			fabric: Ok(None),
		};
		let fields = r#" who\u{7}=a\u{9b} inner={"k\u202e":["\u009b2J",1]} none=none"#;
		assert_eq!(event(FABRIC).to_string(), format!(r"Slash\u{{1b}}[2J{fields}"));
		assert_eq!(event("Pa\r").to_string(), format!(r"Pa\r.Slash\u{{1b}}[2J{fields}"));
	}
}
