// SPDX-License-Identifier: Apache-2.0
//! Estimates the cost of publishing, so that a run without enough funds is refused before its first
//! transaction.

use content_fabric_identifiers::{Medallion, TenantId, VersionId};
use content_fabric_primitives::{DraftVersion, MemberId};
use subxt::utils::AccountId32;

use super::{
	calls::Names,
	plan::{Item, Plan, KINDS, PROVIDER, TENANT},
	publisher::Publisher,
	report::EstimatedCost,
	rounds::LANES,
	Error, NAMES, RUNS,
};
use crate::{
	amount::{known, Amount, Units},
	chain::{self, rows, storage_key_len, MuidSource, Snapshot},
};

const ID_LEN: u128 = size_of::<TenantId>() as u128;
const VERSION_LEN: u128 = size_of::<VersionId>() as u128;
/// Length of a TID as a record key: its characters, and a byte with their number.
const TID_KEY_LEN: u128 = 14;
/// Length of the rows of members, nodes and collections with their storage keys: more than
/// any of them has with a short locator.
const SMALL_ROW_LEN: u128 = 300;
/// Rows of a provider with one node, and of a tenant with two collections.
const SMALL_ROWS: [u128; LANES] = [2, 3];
/// Number of bytes of a signed transaction besides the call.
const ENVELOPE: usize = 112;

/// An estimate of what one account pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
	pub deposits: u128,
	pub bonds: u128,
	/// `None` if the runtime does not offer to compute them.
	pub fees: Option<u128>,
}

impl Cost {
	pub(super) const NONE: Self = Self { deposits: 0, bonds: 0, fees: Some(0) };

	fn add(&mut self, other: Self) {
		self.deposits = self.deposits.saturating_add(other.deposits);
		self.bonds = self.bonds.saturating_add(other.bonds);
		self.add_fees(other.fees);
	}

	fn add_fees(&mut self, fees: Option<u128>) {
		self.fees = self.fees.zip(fees).map(|(sum, fees)| sum.saturating_add(fees));
	}
}

/// Returns the costs by account. The provider and the tenant may have the same one.
pub(super) fn by_account(
	units: &Units,
	accounts: [&AccountId32; LANES],
	costs: [Cost; LANES],
) -> Vec<EstimatedCost> {
	let mut sums = vec![(accounts[PROVIDER], costs[PROVIDER])];
	match accounts[PROVIDER] == accounts[TENANT] {
		true => sums[0].1.add(costs[TENANT]),
		false => sums.push((accounts[TENANT], costs[TENANT])),
	}
	let estimates = sums.into_iter().map(|(account, cost)| EstimatedCost {
		account: *account,
		deposits: units.amount(cost.deposits),
		bonds: units.amount(cost.bonds),
		fees: cost.fees.map(|fees| units.amount(fees)),
	});
	estimates.collect()
}

pub(super) async fn ensure_affordable(
	at: &Snapshot,
	units: &Units,
	costs: &[EstimatedCost],
) -> Result<(), Error> {
	for EstimatedCost { account, deposits, bonds, fees } in costs {
		let free = at.spendable(account).await?;
		let needed = deposits.value().saturating_add(bonds.value());
		let needed = needed.saturating_add(fees.as_ref().map_or(0, Amount::value));
		if needed > free {
			return Err(Error::Funds(format!(
				"{account} can spend {}, and needs about {} (deposits {deposits}, bonds {bonds}, \
				 fees {}): transfer more to it, or publish less",
				units.amount(free),
				units.amount(needed),
				known(fees.as_ref())
			)));
		}
	}
	Ok(())
}

#[derive(Clone, Copy, Debug)]
struct Rates {
	base: u128,
	per_byte: u128,
	/// Lengths of the largest values of content objects, versions with one copy, and records.
	object: u128,
	version: u128,
	record: u128,
}

impl Rates {
	fn read(at: &Snapshot) -> Result<Self, chain::Error> {
		let constant = |name| at.constant("ContentFabric", name);
		Ok(Self {
			base: constant("DepositBase")?,
			per_byte: constant("DepositPerByte")?,
			object: at.max_value_len("ContentObjects", None)?,
			version: at.max_value_len("Versions", Some(1))?,
			record: at.max_value_len("Records", None)?,
		})
	}

	/// Returns the deposit for a row with a storage key of these parts, and a value.
	fn row(&self, parts: &[u128], value: u128) -> u128 {
		self.bytes(storage_key_len(parts) + value)
	}

	fn bytes(&self, bytes: u128) -> u128 {
		self.base.saturating_add(self.per_byte.saturating_mul(bytes))
	}

	/// Returns the deposits for what a plan adds to the tenant.
	fn of_plan(&self, plan: &Plan) -> u128 {
		let mut sum = 0u128;
		let mut last_object = None;
		for item in &plan.items {
			let deposit = match item {
				Item::Commit { draft: DraftVersion { object, .. }, creates, .. } => {
					let version = self.row(&[ID_LEN, ID_LEN, VERSION_LEN], self.version);
					// The versions of an object follow one another.
					match *creates && last_object.replace(*object) != Some(*object) {
						true => version.saturating_add(self.row(&[ID_LEN, ID_LEN], self.object)),
						false => version,
					}
				},
				Item::Name { key, target, is_new: true, .. } => {
					let parts = [ID_LEN, len(NAMES) + 1, len(key) + 1];
					let no_version = target.version.map_or(VERSION_LEN, |_| 0);
					self.row(&parts, self.record.saturating_sub(no_version))
				},
				Item::Run { .. } => {
					let record = self.record.saturating_sub(VERSION_LEN);
					self.row(&[ID_LEN, len(RUNS) + 1, TID_KEY_LEN], record)
				},
				_ => 0,
			};
			sum = sum.saturating_add(deposit);
		}
		sum
	}
}

fn len(text: &str) -> u128 {
	u128::try_from(text.len()).unwrap_or(u128::MAX)
}

/// The costs of a source, by lane, and the limits of its members.
pub(super) struct Estimate {
	costs: [Cost; LANES],
	members: [MemberId; LANES],
	/// The amount on hold for each member, and its limit.
	held: [(u128, u128); LANES],
}

impl Estimate {
	pub(super) async fn new(
		publisher: &Publisher,
		at: &Snapshot,
		names: &Names,
		plan: &Plan,
		limits: &[usize; KINDS],
	) -> Result<Self, chain::Error> {
		let rates = Rates::read(at)?;
		let rules = at.get(rows::spaces(), (publisher.options.space,)).await?;
		let bonds = match rules {
			Some(space) => [space.rules.provider_bond, space.rules.tenant_bond],
			None => [publisher.options.provider_bond, publisher.options.tenant_bond],
		};
		let members = [names.provider.into(), names.tenant.into()];
		let mut costs = [Cost::NONE; LANES];
		let mut held = [(0, publisher.options.max_held); LANES];
		for lane in [PROVIDER, TENANT] {
			match at.find_member(members[lane]).await? {
				Some(member) => held[lane] = (member.held(), member.max_held),
				None => {
					costs[lane].bonds = bonds[lane];
					costs[lane].deposits =
						SMALL_ROWS[lane].saturating_mul(rates.bytes(SMALL_ROW_LEN));
				},
			}
		}
		let tenant = &mut costs[TENANT];
		tenant.deposits = tenant.deposits.saturating_add(rates.of_plan(plan));
		for (kind, limit) in limits.iter().enumerate() {
			let items: Vec<_> = plan.items.iter().filter(|item| item.kind() == kind).collect();
			let Some(first) = items.first() else { continue };
			let sample = items.len().min(*limit).max(1);
			let fee = fee(at, names, &items[..sample]).await?;
			let batches = u128::try_from(items.len().div_ceil(sample)).unwrap_or(u128::MAX);
			costs[first.lane()].add_fees(fee.map(|fee| fee.saturating_mul(batches)));
		}
		Ok(Self { costs, members, held })
	}

	/// Adds the costs to the sums over all sources. The provider is created only once.
	pub(super) fn add_to(&self, sums: &mut [Cost; LANES]) {
		let Cost { deposits, bonds, fees } = self.costs[PROVIDER];
		sums[PROVIDER].add_fees(fees);
		sums[PROVIDER] = Cost { deposits, bonds, ..sums[PROVIDER] };
		sums[TENANT].add(self.costs[TENANT]);
	}

	pub(super) fn ensure_within_limits(&self, units: &Units) -> Result<(), Error> {
		for lane in 0..LANES {
			let Cost { deposits, bonds, .. } = self.costs[lane];
			let (held, most) = self.held[lane];
			let needed = held.saturating_add(deposits).saturating_add(bonds);
			if needed > most && deposits > 0 {
				return Err(Error::Funds(format!(
					"{} may have {} on hold, and would need about {}: raise its limit (--max-held for \
					 one that does not exist yet), or publish less",
					self.members[lane],
					units.amount(most),
					units.amount(needed)
				)));
			}
		}
		Ok(())
	}
}

/// Returns the fee of a transaction that does items of one kind. `None` if the runtime does not
/// offer to compute it.
async fn fee(at: &Snapshot, names: &Names, items: &[&Item]) -> Result<Option<u128>, chain::Error> {
	let drafts: Vec<_> = items.iter().filter_map(|item| item.draft()).collect();
	let call = match drafts.is_empty() {
		true => names.call(at, items.iter().copied())?,
		false => {
			let medallion = Medallion::FIRST_ASSIGNABLE.get();
			let node = names.node;
			let mut muids = MuidSource { node, medallion, last: None, stands_still: false };
			names.commit(at, muids.next(0, 0)?, drafts, None)?
		},
	};
	let weight_and_fee = at.weight_and_fee(&call, call.bytes().len() + ENVELOPE).await?;
	Ok(weight_and_fee.map(|(_, fee)| fee))
}

#[cfg(test)]
mod tests {
	use super::*;

	const COSTS: [Cost; LANES] = [
		Cost { deposits: 1, bonds: 20, fees: Some(300) },
		Cost { deposits: 4, bonds: 50, fees: Some(600) },
	];

	#[test]
	fn an_account_that_is_provider_and_tenant_pays_the_sum() {
		let account = AccountId32([1; 32]);
		let costs = by_account(&Units::new(0, "UNIT"), [&account, &account], COSTS);
		let paid: Vec<_> = costs.iter().map(ToString::to_string).collect();
		let sums = "deposits 5 UNIT, bonds 70 UNIT, fees 900 UNIT";
		assert_eq!(paid, [format!("{account} would pay about: {sums}")]);
	}

	#[test]
	fn sources_share_the_provider() {
		let member = TenantId([1; 10]).into();
		let estimate = Estimate { costs: COSTS, members: [member; LANES], held: [(0, 0); LANES] };
		let mut sums = [Cost::NONE; LANES];
		estimate.add_to(&mut sums);
		assert_eq!(sums, COSTS);
		estimate.add_to(&mut sums);
		assert_eq!(sums[PROVIDER], Cost { deposits: 1, bonds: 20, fees: Some(600) });
		assert_eq!(sums[TENANT], Cost { deposits: 8, bonds: 100, fees: Some(1_200) });
	}

	#[test]
	fn an_unknown_fee_is_not_counted_as_none() {
		let mut cost = COSTS[0];
		cost.add(Cost { fees: None, ..Cost::NONE });
		assert_eq!(cost.fees, None);
		assert_eq!(known(None), "unknown");
	}
}
