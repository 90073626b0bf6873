// SPDX-License-Identifier: Apache-2.0
//! Texts of facts.

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId,
	VersionId,
};
use content_fabric_primitives::MemberId;
use serde::{Serialize, Serializer};
use subxt::utils::AccountId32;

use crate::{
	amount::Amount,
	chain::rows::PurgeScope,
	text::{count, grouped, Text},
	time::utc,
};

/// A fact with a text for people.
pub trait Fact {
	/// Returns the text.
	fn fact(&self) -> String;
}

macro_rules! facts {
	($($type:ty: $text:expr;)*) => {$(
		impl Fact for $type {
			fn fact(&self) -> String {
				let text: fn(&Self) -> String = $text;
				text(self)
			}
		}
	)*};
}

facts! {
	SpaceId: Self::to_string;
	ProviderId: Self::to_string;
	TenantId: Self::to_string;
	MemberId: Self::to_string;
	NodeId: Self::to_string;
	KmsId: Self::to_string;
	ContentObjectId: Self::to_string;
	ContentObjectPath: Self::to_string;
	VersionId: Self::to_string;
	AccountId32: Self::to_string;
	Amount: Self::to_string;
	Text: Self::to_string;
	String: Self::clone;
	&'static str: |text| (*text).to_owned();
	bool: Self::to_string;
	u32: |number| grouped((*number).into());
	u64: |number| grouped((*number).into());
	BTreeMap<String, u32>: |counts| row_counts(counts);
}

impl<T: Fact> Fact for Option<T> {
	fn fact(&self) -> String {
		self.as_ref().map_or_else(|| "none".into(), Fact::fact)
	}
}

/// Returns the numbers of rows that are not zero.
fn row_counts(counts: &BTreeMap<String, u32>) -> String {
	let counts = counts.iter().filter(|(_, rows)| **rows > 0);
	let texts =
		counts.map(|(map, rows)| format!("{} {}", map.replace('_', " "), grouped((*rows).into())));
	let texts: Vec<_> = texts.collect();
	if texts.is_empty() {
		"none".into()
	} else {
		texts.join(", ")
	}
}

/// A muid, with its time in text.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Stamp(pub Muid);

impl Fact for Stamp {
	fn fact(&self) -> String {
		format!("{}, {}", self.0, utc(self.0.timestamp()))
	}
}

/// Size of data in bytes. `None` if it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Size(pub Option<u64>);

impl Fact for Size {
	fn fact(&self) -> String {
		self.0.map_or_else(|| "not known".into(), |bytes| grouped(bytes.into()))
	}
}

/// A time in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Fact for Millis {
	fn fact(&self) -> String {
		utc(self.0.saturating_mul(1_000))
	}
}

/// The block from which a nominee may accept.
#[derive(Clone, Copy, Debug)]
pub struct Maturity {
	/// The number of the block.
	pub block: u64,
	/// The number of the block at which it was read.
	pub now: u64,
}

impl Serialize for Maturity {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.serialize_u64(self.block)
	}
}

impl Fact for Maturity {
	fn fact(&self) -> String {
		let block = grouped(self.block.into());
		match self.block.saturating_sub(self.now) {
			0 => format!("block {block}, which has passed"),
			left => format!("block {block}, in {}", count(left, "block", "blocks")),
		}
	}
}

/// A purge that is under way.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PurgeState {
	/// The scope of the removal.
	pub scope: PurgeScope,
	/// Number of rows when it started.
	pub rows: u32,
	/// Number of rows that are left.
	pub rows_left: u32,
}

impl Fact for PurgeState {
	fn fact(&self) -> String {
		let scope = match self.scope {
			PurgeScope::Rows => "of the rows",
			PurgeScope::Member => "of the member",
		};
		let rows = count(self.rows, "row", "rows");
		format!("{scope}, {} of {rows} left", grouped(self.rows_left.into()))
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn nominations_mature_with_their_block() {
		let fact = |block, now| Maturity { block, now }.fact();
		assert_eq!(fact(1_001, 1_000), "block 1,001, in 1 block");
		assert_eq!(fact(1_000, 1_000), "block 1,000, which has passed");
		assert_eq!(fact(1_000, 2_000), "block 1,000, which has passed");
	}

	#[test]
	fn times_and_absent_facts_have_a_text() {
		let muid: Muid = "5D5EAC793E61F-1BFC71B112D-0000000B".parse().expect("the muid is valid");
		assert_eq!(Stamp(muid).fact(), format!("{muid}, 2022-01-19T08:00:30.975519Z"));
		assert_eq!(Millis(1_642_579_230_975).fact(), "2022-01-19T08:00:30.975Z");
		assert_eq!(None::<Millis>.fact(), "none");
	}
}
