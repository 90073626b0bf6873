// SPDX-License-Identifier: Apache-2.0
//! Events, by block and by what they are about.

use std::collections::BTreeSet;

use codec::{Decode, Encode};
use content_fabric_client::chain::FabricEvent;
use content_fabric_okvs::{disk::DiskTransaction, successor, RangeOptions, Transaction};
use scale_info::TypeInfo;

use super::{
	error::Result,
	keys,
	read::{decode, Store},
};
use crate::source::{topics, Cause, Deposited, Topic};

/// An event, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct EventRow {
	/// The place among all events of the block, which is a part of its key.
	#[codec(skip)]
	pub index: u32,
	/// The place of the transaction that deposited it. `None` for events of hooks.
	pub extrinsic: Option<u32>,
	/// Its name.
	pub name: String,
	/// Its fields, in their order. Their values are JSON.
	pub fields: Vec<(String, String)>,
	/// The transaction behind it.
	pub cause: Option<Cause>,
	/// Its subjects, and the account that signed the transaction.
	pub topics: BTreeSet<Topic>,
}

impl EventRow {
	/// Makes the rows of the events of a block. The event of a row that governance deletes follows
	/// the one with the reason, perhaps after an event of the head, and reports the same decision.
	pub fn all(events: &[Deposited]) -> Vec<Self> {
		let mut is_deletion = false;
		let row = |deposited: &Deposited| {
			let mut row = Self::new(deposited);
			row.topics.extend(is_deletion.then_some(Topic::Governance));
			is_deletion = match deposited.event {
				FabricEvent::ChildDeletedByGovernance { .. } => true,
				FabricEvent::HeadVersionSet { .. } => is_deletion,
				_ => false,
			};
			row
		};
		events.iter().map(row).collect()
	}

	fn new(Deposited { index, extrinsic, event, shown, cause }: &Deposited) -> Self {
		let fields = shown.fields.iter().map(|(name, value)| (name.clone(), value.to_string()));
		let signer = cause.as_ref().and_then(|cause| cause.signer).map(Topic::Signer);
		Self {
			index: *index,
			extrinsic: *extrinsic,
			name: shown.name.clone(),
			fields: fields.collect(),
			cause: cause.clone(),
			topics: topics(event).into_iter().chain(signer).collect(),
		}
	}
}

/// Adds the events of a block.
pub(crate) fn insert(tx: &mut DiskTransaction<'_>, block: u64, events: &[Deposited]) -> Result<()> {
	for row in EventRow::all(events) {
		for topic in &row.topics {
			tx.set(&keys::topic(topic).pack(&(block, row.index)), &[])?;
		}
		tx.set(&keys::event(block, row.index), &row.encode())?;
	}
	Ok(())
}

/// Returns the events of a block that come after a place, in their order, at most `limit`.
pub(crate) fn read_after(
	read: &impl Store,
	block: u64,
	after: Option<u32>,
	limit: usize,
) -> Result<Vec<EventRow>> {
	let events = keys::events(block);
	let first = events.pack(&(after.map_or(0, |place| u64::from(place) + 1),));
	let options = RangeOptions::default().limit(limit);
	let pairs = read.range_between(&first, successor(events.prefix()).as_deref(), options)?;
	let rows = pairs.map(|pair| {
		let (key, value) = pair?;
		let (index,) = events.unpack(&key)?;
		Ok(EventRow { index, ..decode(&value, "an event")? })
	});
	rows.collect()
}
