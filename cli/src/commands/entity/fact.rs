// SPDX-License-Identifier: Apache-2.0
//! Facts, with their texts for people and their JSON.

use std::{collections::BTreeMap, fmt};

use content_fabric_client::{
	amount::Amount,
	chain::rows::PurgeScope,
	text::{count, grouped, Text},
};
use content_fabric_identifiers::{Muid, NodeId, ProviderId};
use serde::{Serialize, Serializer};

use crate::{output::size_or_none, time::utc};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Fact {
	None,
	Text(Text),
	Number(u64),
	Flag(bool),
	Amount(Amount),
	/// A muid, whose text has its time.
	Stamp(Muid),
	/// A time in milliseconds since the Unix epoch.
	Millis(u64),
	/// A size of data in bytes. `None` if it is not known.
	#[serde(serialize_with = "size_or_none")]
	Size(Option<u64>),
	RowCounts(BTreeMap<String, u32>),
	/// The block from which a nominee may accept, and the one at which it was read.
	#[serde(serialize_with = "first")]
	Maturity(u64, u64),
	Purge(PurgeState),
	Copies(Vec<CopyState>),
}

/// A copy of a version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopyState {
	pub provider: ProviderId,
	pub node: NodeId,
	pub medallion: String,
	/// The time from which the node holds the data, in milliseconds since the Unix epoch.
	pub held: Option<u64>,
	/// False if the node was removed or its provider is being purged. `None` if that was not looked
	/// up.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub present: Option<bool>,
}

impl fmt::Display for CopyState {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { provider, node, held, present, .. } = self;
		match (present, held) {
			(Some(false), _) => write!(f, "{node} of {provider}, does not count"),
			(_, Some(at)) => {
				write!(f, "{node} of {provider}, held since {}", utc(at.saturating_mul(1_000)))
			},
			(_, None) => write!(f, "{node} of {provider}, asked"),
		}
	}
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PurgeState {
	pub scope: PurgeScope,
	/// Number of rows when it started.
	pub rows: u32,
	pub rows_left: u32,
}

fn first<S: Serializer>(block: &u64, _: &u64, serializer: S) -> Result<S::Ok, S::Error> {
	serializer.serialize_u64(*block)
}

impl Fact {
	/// Returns the fact of an id, or of another value with a text of its own.
	pub fn of(value: impl fmt::Display) -> Self {
		Self::Text(Text(value.to_string().into_bytes()))
	}

	/// Returns the fact of a value, or that there is none.
	pub fn maybe<T>(value: Option<T>, fact: impl FnOnce(T) -> Self) -> Self {
		value.map_or(Self::None, fact)
	}
}

impl From<u32> for Fact {
	fn from(number: u32) -> Self {
		Self::Number(number.into())
	}
}

impl fmt::Display for Fact {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::None => f.write_str("none"),
			Self::Text(text) => text.fmt(f),
			Self::Number(number) => f.write_str(&grouped((*number).into())),
			Self::Flag(flag) => flag.fmt(f),
			Self::Amount(amount) => amount.fmt(f),
			Self::Stamp(muid) => write!(f, "{muid}, {}", utc(muid.timestamp())),
			Self::Millis(millis) => f.write_str(&utc(millis.saturating_mul(1_000))),
			Self::Size(Some(bytes)) => f.write_str(&grouped((*bytes).into())),
			Self::Size(None) => f.write_str("not known"),
			Self::RowCounts(counts) => f.write_str(&row_counts(counts)),
			Self::Maturity(block, now) => {
				let number = grouped((*block).into());
				match block.saturating_sub(*now) {
					0 => write!(f, "block {number}, which has passed"),
					left => write!(f, "block {number}, in {}", count(left, "block", "blocks")),
				}
			},
			Self::Copies(copies) if copies.is_empty() => f.write_str("none"),
			Self::Copies(copies) => {
				let copies: Vec<_> = copies.iter().map(CopyState::to_string).collect();
				f.write_str(&copies.join("; "))
			},
			Self::Purge(PurgeState { scope, rows, rows_left }) => {
				let scope = match scope {
					PurgeScope::Rows => "of the rows",
					PurgeScope::Member => "of the member",
				};
				let (left, rows) = (grouped((*rows_left).into()), count(*rows, "row", "rows"));
				write!(f, "{scope}, {left} of {rows} left")
			},
		}
	}
}

/// Returns the numbers of rows that are not zero.
fn row_counts(counts: &BTreeMap<String, u32>) -> String {
	let counts = counts.iter().filter(|(_, rows)| **rows > 0);
	let texts =
		counts.map(|(map, rows)| format!("{} {}", map.replace('_', " "), grouped((*rows).into())));
	let texts = texts.collect::<Vec<_>>().join(", ");
	if texts.is_empty() {
		"none".into()
	} else {
		texts
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn sizes_are_digits_in_json() {
		let json = |size| serde_json::to_value(Fact::Size(size)).expect("facts have a JSON form");
		assert_eq!(json(Some(u64::MAX)), "18446744073709551615");
		assert_eq!(json(None), serde_json::Value::Null);
	}

	#[test]
	fn facts_have_a_text_for_people() {
		let muid: Muid = "5D5EAC793E61F-1BFC71B112D-0000000B".parse().expect("the muid is valid");
		for (fact, text) in [
			(Fact::Maturity(1_001, 1_000), "block 1,001, in 1 block"),
			(Fact::Maturity(1_000, 1_000), "block 1,000, which has passed"),
			(Fact::Maturity(1_000, 2_000), "block 1,000, which has passed"),
			(Fact::Stamp(muid), &format!("{muid}, 2022-01-19T08:00:30.975519Z")),
			(Fact::Millis(1_642_579_230_975), "2022-01-19T08:00:30.975Z"),
			(Fact::maybe(None, Fact::Millis), "none"),
			(Fact::Size(None), "not known"),
		] {
			assert_eq!(fact.to_string(), text);
		}
	}
}
