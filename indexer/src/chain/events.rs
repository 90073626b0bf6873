// SPDX-License-Identifier: Apache-2.0
//! The events of a block.

use std::collections::BTreeMap;

use subxt::utils::H256;

use super::{causes::cause, error::ask, records::Record, via::via, Node};
use crate::source::{BlockRef, Cause, Deposited, Result, Runtime, SourceError};

impl Node {
	/// Returns the transactions of a block.
	pub(super) async fn transactions(&self, block: BlockRef) -> Result<Vec<Vec<u8>>> {
		let body = self.chain.rpc().chain_get_block(Some(H256(block.hash)));
		let body = ask("chain_getBlock", Some(block.number), body).await?;
		let body = body.ok_or(SourceError::Discarded { number: block.number })?;
		Ok(body.block.extrinsics.into_iter().map(|transaction| transaction.0).collect())
	}
}

/// Returns the events of the content fabric with their causes.
pub(super) fn deposited(
	records: &[Record<'_>],
	transactions: &[Vec<u8>],
	runtime: &Runtime,
	block: u64,
) -> Result<Vec<Deposited>> {
	let mut causes = causes(records, transactions, block)?;
	let fabric = (0..).zip(records).filter(|(_, record)| record.is_fabric());
	let deposited = fabric.map(|(index, record)| {
		let (event, shown) = record.fabric_event(&runtime.metadata).map_err(|reason| {
			let (name, version) = (record.name, runtime.spec_version);
			SourceError::Unknown(format!(
				"event {name} has an unknown shape at version {version} of the runtime: {reason}"
			))
		})?;
		let cause = causes.remove(&index);
		Ok(Deposited { index, extrinsic: record.extrinsic, event, shown, cause })
	});
	deposited.collect()
}

/// Returns the causes of the content fabric's events, by the events' places in the block.
fn causes(
	records: &[Record<'_>],
	transactions: &[Vec<u8>],
	block: u64,
) -> Result<BTreeMap<u32, Cause>> {
	let mut siblings = BTreeMap::<u32, Vec<(u32, &Record<'_>)>>::new();
	for (index, record) in (0..).zip(records) {
		if let Some(place) = record.extrinsic {
			siblings.entry(place).or_default().push((index, record));
		}
	}
	siblings.retain(|_, siblings| siblings.iter().any(|(_, record)| record.is_fabric()));
	let mut causes = BTreeMap::new();
	for (place, siblings) in siblings {
		let transaction = usize::try_from(place).ok().and_then(|place| transactions.get(place));
		let transaction = transaction.ok_or_else(|| {
			let count = transactions.len();
			SourceError::Node(format!(
				"block {block} has {count} transactions, and an event of transaction {place}"
			))
		})?;
		let cause = cause(transaction);
		let names: Vec<_> =
			siblings.iter().map(|(_, record)| (record.pallet, record.name)).collect();
		for ((index, record), via) in siblings.into_iter().zip(via(&names)) {
			if record.is_fabric() {
				let via = via.into_iter().map(Into::into).collect();
				causes.insert(index, Cause { via, ..cause.clone() });
			}
		}
	}
	Ok(causes)
}
