// SPDX-License-Identifier: Apache-2.0
//! The records of events in a block's state.

use std::mem;

use codec::{Compact, Decode};
use content_fabric_client::chain::{ChainEvent, FabricEvent};
use scale_decode::visitor::{decode_with_visitor, IgnoreVisitor};
use subxt::{
	events::Phase,
	metadata::{ArcMetadata, Metadata},
	utils::H256,
};

use crate::rows::PALLET;

/// An event of any pallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
	/// The place of the transaction that deposited it. `None` for events of hooks.
	pub extrinsic: Option<u32>,
	/// The name of the pallet.
	pub pallet: &'a str,
	/// The name of the event.
	pub name: &'a str,
	/// The numbers of the pallet and the event, and the fields.
	bytes: &'a [u8],
}

impl<'a> Record<'a> {
	/// Reads all records of a block. Fails with the reason.
	pub fn all(raw: &'a [u8], metadata: &'a Metadata) -> Result<Vec<Self>, String> {
		let mut left = raw;
		let Compact(count) =
			Compact::<u32>::decode(&mut left).map_err(|error| error.to_string())?;
		let mut records = Vec::new();
		for place in 0..count {
			let record = Self::next(&mut left, metadata);
			records.push(record.map_err(|reason| format!("event {place}: {reason}"))?);
		}
		match left.len() {
			0 => Ok(records),
			left => Err(format!("{left} bytes follow the last event")),
		}
	}

	fn next(left: &mut &'a [u8], metadata: &'a Metadata) -> Result<Self, String> {
		let phase = Phase::decode(left).map_err(|error| error.to_string())?;
		let start = *left;
		let kind = metadata.outer_enums().event_enum_ty();
		decode_with_visitor(left, kind, metadata.types(), IgnoreVisitor::new())
			.map_err(|error| error.to_string())?;
		let bytes = start.get(..start.len().saturating_sub(left.len())).unwrap_or_default();
		let (pallet, name) = names(bytes, metadata).ok_or("its pallet has no such event")?;
		Vec::<H256>::decode(left).map_err(|error| error.to_string())?;
		let extrinsic = match phase {
			Phase::ApplyExtrinsic(place) => Some(place),
			Phase::Initialization | Phase::Finalization => None,
		};
		Ok(Self { extrinsic, pallet, name, bytes })
	}

	/// Returns whether this is an event of the content fabric.
	pub fn is_fabric(&self) -> bool {
		self.pallet == PALLET
	}

	/// Reads an event of the content fabric. Fails with the reason.
	pub fn fabric_event(
		&self,
		metadata: &ArcMetadata,
	) -> Result<(FabricEvent, ChainEvent), String> {
		let mut shown = ChainEvent::decode(self.bytes, metadata).ok_or("it cannot be shown")?;
		let event = mem::replace(&mut shown.fabric, Ok(None))?;
		// The rows that an unknown event changes are not known, either.
		Ok((event.ok_or("this program does not know the event")?, shown))
	}
}

/// Returns the names of an event's pallet and of the event.
fn names<'a>(bytes: &[u8], metadata: &'a Metadata) -> Option<(&'a str, &'a str)> {
	let [pallet, event, ..] = bytes else { return None };
	let pallet = metadata.pallet_by_event_index(*pallet)?;
	Some((pallet.name(), &pallet.event_variant_by_index(*event)?.name))
}
