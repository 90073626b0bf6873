// SPDX-License-Identifier: Apache-2.0
//! Events, by block and by what they are about.

use std::collections::BTreeSet;

use codec::{Decode, DecodeAll, Encode};
use content_fabric_client::chain::ChainEvent;
use content_fabric_okvs::{disk::DiskError, successor, RangeOptions, Read, Transaction};
use serde_json::Value as Json;

use super::{error::Error, keys};
use crate::source::{Cause, Deposited, Topic};

/// An event, as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
	/// The place among all events of the block.
	pub index: u32,
	/// The place of the transaction that deposited it. `None` for events of hooks.
	pub extrinsic: Option<u32>,
	/// Its name.
	pub name: String,
	/// Its fields, in their order.
	pub fields: Vec<(String, Json)>,
	/// The transaction behind it.
	pub cause: Option<Cause>,
	/// Its subjects.
	pub topics: BTreeSet<Topic>,
}

/// The encoded form. Values of fields are JSON.
#[derive(Encode, Decode)]
struct Kept {
	extrinsic: Option<u32>,
	name: String,
	fields: Vec<(String, String)>,
	cause: Option<(Option<String>, String, Vec<String>)>,
	topics: Vec<Topic>,
}

impl EventRow {
	/// Makes the row of an event.
	pub(crate) fn new(deposited: &Deposited) -> Self {
		let ChainEvent { name, fields, .. } = deposited.shown.clone();
		Self {
			index: deposited.index,
			extrinsic: deposited.extrinsic,
			name,
			fields,
			cause: deposited.cause.clone(),
			topics: deposited.event.topics(),
		}
	}

	fn encode(&self) -> Vec<u8> {
		let cause = self.cause.clone();
		let kept = Kept {
			extrinsic: self.extrinsic,
			name: self.name.clone(),
			fields: self.fields.iter().map(|(k, v)| (k.clone(), v.to_string())).collect(),
			cause: cause.map(|cause| (cause.signer, cause.extrinsic_hash, cause.via)),
			topics: self.topics.iter().copied().collect(),
		};
		kept.encode()
	}

	fn decode(index: u32, bytes: &[u8]) -> Result<Self, Error> {
		let wrong = || Error::corrupted("an event");
		let kept = Kept::decode_all(&mut &bytes[..]).map_err(|_| wrong())?;
		let fields = kept.fields.into_iter().map(|(name, value)| {
			serde_json::from_str(&value).map(|value| (name, value)).map_err(|_| wrong())
		});
		Ok(Self {
			index,
			extrinsic: kept.extrinsic,
			name: kept.name,
			fields: fields.collect::<Result<_, _>>()?,
			cause: kept.cause.map(|(signer, extrinsic_hash, via)| Cause {
				signer,
				extrinsic_hash,
				via,
			}),
			topics: kept.topics.into_iter().collect(),
		})
	}
}

/// Adds the events of a block.
pub(crate) fn insert<Tx: Transaction<Error = DiskError>>(
	tx: &mut Tx,
	block: u64,
	events: &[Deposited],
) -> Result<(), Error> {
	for event in events {
		let row = EventRow::new(event);
		for topic in &row.topics {
			tx.set(&keys::topic(topic).pack(&(block, row.index)), &[])?;
		}
		tx.set(&keys::event(block, row.index), &row.encode())?;
	}
	Ok(())
}

/// Removes the events of a block.
pub(crate) fn remove<Tx: Transaction<Error = DiskError>>(
	tx: &mut Tx,
	block: u64,
) -> Result<(), Error> {
	for row in read_after(tx, block, None, usize::MAX)? {
		for topic in &row.topics {
			tx.clear(&keys::topic(topic).pack(&(block, row.index)))?;
		}
		tx.clear(&keys::event(block, row.index))?;
	}
	Ok(())
}

/// Returns the events of a block that come after a place, in their order, at most `limit`.
pub(crate) fn read_after<R: Read<Error = DiskError>>(
	read: &R,
	block: u64,
	after: Option<u32>,
	limit: usize,
) -> Result<Vec<EventRow>, Error> {
	let events = keys::events(block);
	let first = match after {
		None => events.prefix().to_vec(),
		Some(u32::MAX) => return Ok(Vec::new()),
		Some(place) => events.pack(&(place + 1,)),
	};
	let options = RangeOptions::default().limit(limit);
	let pairs = read.range_between(&first, successor(events.prefix()).as_deref(), options)?;
	let rows = pairs.map(|pair| {
		let (key, value) = pair?;
		let (index,) = events.unpack(&key).map_err(|_| Error::corrupted("an event's place"))?;
		EventRow::decode(index, &value)
	});
	rows.collect()
}

/// Returns one event of a block.
pub(crate) fn read_one<R: Read<Error = DiskError>>(
	read: &R,
	block: u64,
	index: u32,
) -> Result<Option<EventRow>, Error> {
	let bytes = read.get(&keys::event(block, index))?;
	bytes.map(|bytes| EventRow::decode(index, &bytes)).transpose()
}
