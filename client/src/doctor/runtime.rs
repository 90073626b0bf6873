// SPDX-License-Identifier: Apache-2.0
//! The runtime of the chain: whether this program knows its rows, its calls and its transactions.

use super::{Finding, Help, Topic};
use crate::chain::{
	calls::{TransferKeepAlive, FABRIC},
	rows, Error, Snapshot,
};

/// The pallet of the content fabric.
const PALLET: &str = "ContentFabric";
/// Largest number of calls that a finding names.
const NAMED: usize = 5;

/// Checks that this program can read the rows of the runtime at a block, and make its calls.
pub async fn runtime(at: &Snapshot) -> Result<Vec<Finding>, Error> {
	let name =
		format!("the runtime of version {} at block {}", at.spec_version(), at.block_number());
	let Some(pallet) = at.metadata().pallet_by_name(PALLET) else {
		let error = Error::Metadata(format!("pallet {PALLET}"));
		return Ok(vec![unfit(&name, &error)]);
	};
	let lacks = FABRIC
		.iter()
		.map(|(call, _)| *call)
		.filter(|call| pallet.call_variant_by_name(call).is_none());
	let mut found: Vec<_> = lacking(&name, lacks.collect()).into_iter().collect();
	found.extend(rows(at).await?.map(|error| unfit(&name, &error)));
	let dest = subxt::utils::AccountId32([0; 32]).into();
	let call = at.encode(TransferKeepAlive { dest, value: 0 });
	let signable = call.and_then(|call| at.ensure_signable(&call));
	found.extend(signable.err().map(|error| unfit(&name, &error)));
	Ok(found)
}

/// Reads a row of each map. Returns the first error of a row that this program does not know.
async fn rows(at: &Snapshot) -> Result<Option<Error>, Error> {
	macro_rules! first_error {
		($($map:ident),*) => {
			$(match at.first_rows(rows::$map(), (), 1).await {
				Err(error) if error.is_connection() => return Err(error),
				Err(error) => return Ok(Some(error)),
				Ok(_) => {},
			})*
		};
	}
	first_error!(
		spaces,
		providers,
		tenants,
		nodes,
		kmses,
		provider_keys,
		tenant_keys,
		content_objects,
		versions,
		collections,
		records,
		purges
	);
	Ok(None)
}

fn lacking(name: &str, calls: Vec<&str>) -> Option<Finding> {
	let more = calls.len().checked_sub(NAMED).filter(|more| *more > 0);
	let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
	let named = calls.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
	(!calls.is_empty()).then(|| {
		Finding::warning(
			Topic::Runtime,
			format!("{name} lacks calls that this program makes: {named}{more}"),
			Help {
				why: "Commands that make these calls fail.",
				cure: "Use a program of the chain's version, or upgrade the runtime".into(),
				page: "docs/releases.md#compatible-versions",
			},
		)
	})
}

fn unfit(name: &str, error: &Error) -> Finding {
	Finding::problem(
		Topic::Runtime,
		format!("{name} is not one that this program knows: {error}"),
		Help {
			why: "Rows or transactions of the chain have another form.",
			cure: "Use a program of the chain's version".into(),
			page: "docs/releases.md#compatible-versions",
		},
	)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn calls_that_are_missing_are_named_and_the_others_are_counted() {
		let seen = |calls: &[&str]| lacking("it", calls.to_vec()).map(|finding| finding.seen);
		let text = |end| Some(format!("it lacks calls that this program makes: {end}"));
		assert_eq!(seen(&[]), None);
		assert_eq!(seen(&["a", "b"]), text("a, b"));
		assert_eq!(seen(&["a", "b", "c", "d", "e"]), text("a, b, c, d, e"));
		assert_eq!(seen(&["a", "b", "c", "d", "e", "f"]), text("a, b, c, d, e and 1 more"));
	}
}
