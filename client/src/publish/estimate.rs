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
	text::Text,
};

const ID_LEN: u128 = size_of::<TenantId>() as u128;
const VERSION_LEN: u128 = size_of::<VersionId>() as u128;
/// Length of a TID as a record key: its characters, and a byte with their number.
const TID_KEY_LEN: u128 = 14;
/// Length of the rows of members and nodes with their storage keys: more than any of them has with a
/// short locator.
const SMALL_ROW_LEN: u128 = 300;
/// Length of the value of a collection whose type of keys is no literal.
const COLLECTION_LEN: u128 = 38;
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

/// The costs by account: fees are paid by those who sign, and the rest by the roots of members.
pub(super) struct Costs {
	/// Number of accounts that sign, which come first.
	signers: usize,
	sums: Vec<(AccountId32, Cost)>,
}

impl Costs {
	/// Returns no costs of the accounts that sign. Some of them may be the same.
	pub(super) fn of(signers: &[&AccountId32]) -> Self {
		let mut costs = Self { signers: 0, sums: Vec::new() };
		signers.iter().for_each(|account| costs.add(account, Cost::NONE));
		costs.signers = costs.sums.len();
		costs
	}

	fn add(&mut self, account: &AccountId32, cost: Cost) {
		match self.sums.iter_mut().find(|(found, _)| found == account) {
			Some((_, sum)) => sum.add(cost),
			None => self.sums.push((*account, cost)),
		}
	}

	pub(super) fn estimated(self, units: &Units) -> Vec<EstimatedCost> {
		let estimates =
			self.sums.into_iter().enumerate().map(|(place, (account, cost))| EstimatedCost {
				account,
				signs: place < self.signers,
				deposits: units.amount(cost.deposits),
				bonds: units.amount(cost.bonds),
				fees: cost.fees.map(|fees| units.amount(fees)),
			});
		estimates.collect()
	}
}

pub(super) async fn ensure_affordable(
	at: &Snapshot,
	units: &Units,
	costs: &[EstimatedCost],
) -> Result<(), Error> {
	for EstimatedCost { account, signs, deposits, bonds, fees } in costs {
		let free = at.spendable(account).await?;
		let needed = deposits.value().saturating_add(bonds.value());
		let needed = needed.saturating_add(fees.as_ref().map_or(0, Amount::value));
		if needed > free {
			let role = if *signs { "" } else { ", the root, which pays the deposits," };
			return Err(Error::Funds(format!(
				"{account}{role} can spend {}, and needs about {} (deposits {deposits}, bonds {bonds}, \
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
	/// Lengths of the largest values of content objects, versions, and records.
	object: u128,
	version: u128,
	record: u128,
	/// Length of a copy in a version.
	copy: u128,
}

impl Rates {
	/// Reads the rates. Versions that are committed have this number of copies.
	fn read(at: &Snapshot, copies: u8) -> Result<Self, chain::Error> {
		let constant = |name| at.constant("ContentFabric", name);
		Ok(Self {
			base: constant("DepositBase")?,
			per_byte: constant("DepositPerByte")?,
			object: at.max_value_len("ContentObjects", None)?,
			version: at.max_value_len("Versions", Some(copies))?,
			record: at.max_value_len("Records", None)?,
			copy: at
				.max_value_len("Versions", Some(2))?
				.saturating_sub(at.max_value_len("Versions", Some(1))?),
		})
	}

	/// Returns the deposit for a row with a storage key of these parts, and a value.
	fn row(&self, parts: &[u128], value: u128) -> u128 {
		self.bytes(storage_key_len(parts) + value)
	}

	/// Returns the deposits for the rows that a member lacks besides its own: the collections of a
	/// tenant, or the node of a provider.
	async fn of_needs(
		&self,
		at: &Snapshot,
		names: &Names,
		lane: usize,
	) -> Result<u128, chain::Error> {
		let mut sum = 0u128;
		if lane == PROVIDER {
			let node = at.get(rows::nodes(), (names.provider, names.node)).await?;
			return Ok(node.map_or_else(|| self.bytes(SMALL_ROW_LEN), |_| 0));
		}
		for name in [NAMES, RUNS] {
			let key = (names.tenant, Text(name.into()));
			if at.get(rows::collections(), key).await?.is_none() {
				sum = sum.saturating_add(self.row(&[ID_LEN, len(name) + 1], COLLECTION_LEN));
			}
		}
		Ok(sum)
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
				Item::Copy { lack, removes: false, .. } if lack.is_new => {
					self.per_byte.saturating_mul(self.copy)
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
	/// The accounts that sign.
	signers: [AccountId32; LANES],
	/// The roots of the members that exist. Whoever creates a member becomes its root.
	roots: [Option<AccountId32>; LANES],
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
		let rates = Rates::read(at, u8::try_from(names.copies.len() + 1).unwrap_or(u8::MAX))?;
		let rules = at.get(rows::spaces(), (publisher.options.space,)).await?;
		let bonds = match rules {
			Some(space) => [space.rules.provider_bond, space.rules.tenant_bond],
			None => [publisher.options.provider_bond, publisher.options.tenant_bond],
		};
		let members = [names.provider.into(), names.tenant.into()];
		let mut costs = [Cost::NONE; LANES];
		let mut held = [(0, publisher.options.max_held); LANES];
		let mut roots = [None; LANES];
		for lane in [PROVIDER, TENANT] {
			match at.find_member(members[lane]).await? {
				Some(member) => {
					held[lane] = (member.held(), member.max_held);
					roots[lane] = Some(member.root);
				},
				None => {
					costs[lane].bonds = bonds[lane];
					costs[lane].deposits = rates.bytes(SMALL_ROW_LEN);
				},
			}
			// A removal needs none.
			if plan.items.iter().any(|item| item.reduced().is_none()) {
				let needs = rates.of_needs(at, names, lane).await?;
				costs[lane].deposits = costs[lane].deposits.saturating_add(needs);
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
		let signers = [*publisher.keys.provider.account(), *publisher.keys.tenant.account()];
		Ok(Self { costs, members, signers, roots, held })
	}

	/// Adds the costs of one lane to the sums over all sources. The provider is created only once:
	/// with the `first` source.
	pub(super) fn add_to(&self, sums: &mut Costs, lane: usize, first: bool) {
		let Cost { deposits, bonds, fees } = self.costs[lane];
		sums.add(&self.signers[lane], Cost { fees, ..Cost::NONE });
		if (lane == TENANT || first) && (deposits > 0 || bonds > 0) {
			let root = self.roots[lane].as_ref().unwrap_or(&self.signers[lane]);
			sums.add(root, Cost { deposits, bonds, ..Cost::NONE });
		}
	}

	pub(super) fn ensure_within_limits(&self, units: &Units) -> Result<(), Error> {
		for lane in 0..LANES {
			let Cost { deposits, bonds, .. } = self.costs[lane];
			let (held, most) = self.held[lane];
			let needed = held.saturating_add(deposits).saturating_add(bonds);
			if needed > most && deposits > 0 {
				let (member, most, needed) =
					(self.members[lane], units.amount(most), units.amount(needed));
				let remedy = match &self.roots[lane] {
					Some(root) => format!(
						"its root, {root}, can raise the limit with `fabric member set-max-held {member} \
						 '{needed}'`"
					),
					None => "raise the limit with --max-held".into(),
				};
				return Err(Error::Funds(format!(
					"{member} may have {most} on hold, and would need about {needed}: {remedy}, or \
					 publish less"
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

	/// Returns what is estimated for two sources of these signers, whose tenant has this root.
	fn estimated(signers: [u8; LANES], root: Option<u8>) -> Vec<String> {
		let (signers, member) = (signers.map(|of| AccountId32([of; 32])), TenantId([9; 10]).into());
		let roots = [None, root.map(|of| AccountId32([of; 32]))];
		let held = [(0, 0); LANES];
		let estimate = Estimate { costs: COSTS, members: [member; LANES], signers, roots, held };
		let mut sums = Costs::of(&[&signers[PROVIDER], &signers[TENANT]]);
		for first in [true, false] {
			estimate.add_to(&mut sums, PROVIDER, first);
			estimate.add_to(&mut sums, TENANT, first);
		}
		let costs = sums.estimated(&Units::new(0, "UNIT")).into_iter();
		costs.map(|cost| cost.to_string()).collect()
	}

	#[test]
	fn an_account_that_is_provider_and_tenant_pays_the_sum_and_sources_share_the_provider() {
		let account = |of| AccountId32([of; 32]);
		let one = "deposits 9 UNIT, bonds 120 UNIT, fees 1,800 UNIT";
		assert_eq!(estimated([1, 1], None), [format!("{} would pay about: {one}", account(1))]);
		let provider = "deposits 1 UNIT, bonds 20 UNIT, fees 600 UNIT";
		let tenant = "deposits 8 UNIT, bonds 100 UNIT, fees 1,200 UNIT";
		let lines = [(1, provider), (2, tenant)];
		let lines = lines.map(|(of, sums)| format!("{} would pay about: {sums}", account(of)));
		assert_eq!(estimated([1, 2], None), lines);
		assert_eq!(estimated([1, 2], Some(2)), lines);
	}

	#[test]
	fn the_root_pays_deposits_and_the_signer_fees() {
		let account = |of| AccountId32([of; 32]);
		let root =
			", which does not sign but is the root, would pay about: deposits 8 UNIT, bonds 100";
		assert_eq!(
			estimated([1, 2], Some(3))[1..],
			[
				format!(
					"{} would pay about: deposits 0 UNIT, bonds 0 UNIT, fees 1,200 UNIT",
					account(2)
				),
				format!("{}{root} UNIT, fees 0 UNIT", account(3)),
			]
		);
	}

	#[test]
	fn an_unknown_fee_is_not_counted_as_none() {
		let mut cost = COSTS[0];
		cost.add(Cost { fees: None, ..Cost::NONE });
		assert_eq!(cost.fees, None);
		assert_eq!(known(None), "unknown");
	}
}
