// SPDX-License-Identifier: Apache-2.0
//! Finds the bad items of batches by dry runs, which cost nothing.

use futures::future::try_join_all;

use super::{Batch, Head, Node, Outcome, Work, LANES};

/// Number of dry runs at the same time.
const JOBS: usize = 8;
/// Number of items of a lane that fail one by one for the same reason, after which the others are
/// taken for suspects without dry runs of their own.
const ALIKE: usize = 16;

/// An item that has failed alone in a dry run, or is taken for one that would.
pub(super) struct Suspect<Item> {
	/// A batch with this item alone.
	pub batch: Batch<Item>,
	/// The reason of the failure.
	pub reason: String,
}

/// Divides batches, by dry runs after a block, into some that would succeed there, each for itself,
/// and the items that would fail alone.
pub(super) async fn sift<N: Node, W: Work<N>>(
	node: &N,
	work: &mut W,
	accounts: [usize; LANES],
	block: Head,
	mut batches: Vec<Batch<W::Item>>,
) -> Result<(Vec<Batch<W::Item>>, Vec<Suspect<W::Item>>), W::Error> {
	let (mut good, mut suspects) = (Vec::new(), Vec::<Suspect<W::Item>>::new());
	while !batches.is_empty() {
		if let Some(reason) = common_reason(&good, &suspects) {
			suspects.extend(
				batches
					.drain(..)
					.flat_map(singles)
					.map(|batch| Suspect { batch, reason: reason.clone() }),
			);
			break;
		}
		let jobs = batches.drain(..batches.len().min(JOBS)).collect();
		let mut halves = Vec::new();
		for (batch, outcome) in rehearse(node, work, accounts, block, jobs).await? {
			match outcome {
				Some(Ok(())) => good.push(batch),
				Some(Err(reason)) if batch.items.len() == 1 => {
					suspects.push(Suspect { batch, reason });
				},
				_ => halves.extend(batch.halves()),
			}
		}
		// The halves come first, so that few batches are known to be large at a time.
		batches.splice(..0, halves);
	}
	Ok((good, suspects))
}

/// Returns the reason for which all items of one lane have failed so far, if these are many.
fn common_reason<Item>(good: &[Batch<Item>], suspects: &[Suspect<Item>]) -> Option<String> {
	let first = suspects.first()?;
	let is_alike = |other: &Suspect<Item>| {
		(other.batch.lane, &other.reason) == (first.batch.lane, &first.reason)
	};
	let is_common = good.is_empty() && suspects.len() >= ALIKE && suspects.iter().all(is_alike);
	is_common.then(|| first.reason.clone())
}

fn singles<Item>(batch: Batch<Item>) -> impl Iterator<Item = Batch<Item>> {
	let Batch { lane, kind, stage, items } = batch;
	items.into_iter().map(move |item| Batch { lane, kind, stage, items: vec![item] })
}

/// The outcomes of dry runs. `None` for a batch that a block has no room for.
type Rehearsed<Item> = Vec<(Batch<Item>, Option<Outcome>)>;

/// Makes dry runs of batches after a block, some at a time.
pub(super) async fn rehearse<N: Node, W: Work<N>>(
	node: &N,
	work: &mut W,
	accounts: [usize; LANES],
	block: Head,
	batches: Vec<Batch<W::Item>>,
) -> Result<Rehearsed<W::Item>, W::Error> {
	let mut rehearsed = Vec::with_capacity(batches.len());
	let mut batches = batches.into_iter();
	loop {
		let mut calls = Vec::new();
		for batch in batches.by_ref().take(JOBS) {
			let call = work.call(node, &batch).await?;
			calls.push((batch, call));
		}
		if calls.is_empty() {
			return Ok(rehearsed);
		}
		let runs = calls.into_iter().map(|(batch, call)| async move {
			let outcome = match call {
				Some(call) => Some(node.rehearse(block, accounts[batch.lane], &call).await?),
				None => None,
			};
			Ok::<_, W::Error>((batch, outcome))
		});
		rehearsed.extend(try_join_all(runs).await?);
	}
}
