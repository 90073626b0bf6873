//! About what publishing costs, so that a run without enough funds is refused before its first
//! transaction.

use content_fabric_primitives::{DraftVersion, MemberId};
use subxt::utils::AccountId32;

use super::{
	drafts::{MuidSource, Names},
	plan::{Item, Plan, KINDS, PROVIDER, TENANT},
	publisher::Publisher,
	state::OnChain,
	NAMES,
};
use crate::{
	amount::Units,
	chain::{pipeline::LANES, rows, Snapshot},
	Error,
};

/// Length of the prefix of a storage key, and of the hash before each of its parts.
const PREFIX_LEN: u128 = 32;
const HASH_LEN: u128 = 16;
/// Length of the ids of entities, and of versions.
const ID_LEN: u128 = 10;
const VERSION_LEN: u128 = 32;
/// Lengths of the values, as large as the pallet prices them.
const OBJECT_LEN: u128 = 101;
const VERSION_ROW_LEN: u128 = 97;
const RECORD_LEN: u128 = 59;
/// Length of the rows of members, nodes, KMSes and collections with their storage keys: more than
/// any of them has with a short locator.
const SMALL_ROW_LEN: u128 = 300;
/// Rows of a provider with one node, and of a tenant with one KMS and two collections.
const SMALL_ROWS: [u128; LANES] = [2, 4];
/// Number of bytes of a signed transaction besides the call.
const ENVELOPE: usize = 112;

/// About what one account pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
	pub deposits: u128,
	pub bonds: u128,
	pub fees: u128,
}

impl Cost {
	/// Returns all that the account needs.
	pub(super) fn sum(&self) -> u128 {
		self.deposits.saturating_add(self.bonds).saturating_add(self.fees)
	}

	/// Adds another cost.
	pub(super) fn add(&mut self, other: Self) {
		self.deposits = self.deposits.saturating_add(other.deposits);
		self.bonds = self.bonds.saturating_add(other.bonds);
		self.fees = self.fees.saturating_add(other.fees);
	}
}

/// The price of rows.
#[derive(Clone, Copy, Debug)]
struct Rates {
	base: u128,
	per_byte: u128,
}

impl Rates {
	fn read(at: &Snapshot) -> Result<Self, Error> {
		let constant = |name| at.constant("ContentFabric", name);
		Ok(Self { base: constant("DepositBase")?, per_byte: constant("DepositPerByte")? })
	}

	/// Returns the deposit for a row with a storage key of these parts, and a value.
	fn row(&self, parts: &[u128], value: u128) -> u128 {
		let key = parts.iter().fold(PREFIX_LEN, |sum, part| sum + HASH_LEN + part);
		self.bytes(key + value)
	}

	fn bytes(&self, bytes: u128) -> u128 {
		self.base.saturating_add(self.per_byte.saturating_mul(bytes))
	}

	/// Returns the deposits for what a plan adds to the tenant.
	fn of_plan(&self, plan: &Plan, on_chain: &OnChain) -> u128 {
		let mut sum = 0u128;
		let mut last_object = None;
		for item in &plan.items {
			let deposit = match item {
				Item::Commit { draft: DraftVersion { object, .. }, .. } => {
					let version = self.row(&[ID_LEN, ID_LEN, VERSION_LEN], VERSION_ROW_LEN);
					// The versions of an object follow one another.
					let is_new = !on_chain.objects.contains_key(object)
						&& last_object.replace(*object) != Some(*object);
					match is_new {
						true => version.saturating_add(self.row(&[ID_LEN, ID_LEN], OBJECT_LEN)),
						false => version,
					}
				},
				Item::Name { key, target, is_new: true, .. } => {
					let parts = [ID_LEN, len(NAMES) + 1, len(key) + 1];
					let version = target.version.map_or(0, |_| VERSION_LEN);
					self.row(&parts, RECORD_LEN + version)
				},
				Item::Run { .. } => self.row(&[ID_LEN, len(NAMES), 14], RECORD_LEN),
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

/// The costs of a registry, by lane, and the limits of its members.
pub(super) struct Estimate {
	pub costs: [Cost; LANES],
	members: [MemberId; LANES],
	/// The amount on hold for each member, and its limit.
	held: [(u128, u128); LANES],
}

impl Estimate {
	/// Estimates what a plan costs.
	pub(super) async fn new(
		publisher: &Publisher<'_>,
		at: &Snapshot,
		names: &Names,
		plan: &Plan,
		on_chain: &OnChain,
		limits: &[usize; KINDS],
	) -> Result<Self, Error> {
		let rates = Rates::read(at)?;
		let rules = at.get(&rows::spaces(), (publisher.space.id,)).await?;
		let bonds = match rules {
			Some(space) => [space.rules.provider_bond, space.rules.tenant_bond],
			None => [publisher.rules.provider_bond, publisher.rules.tenant_bond],
		};
		let members = [names.provider.into(), names.tenant.into()];
		let mut costs = [Cost::default(); LANES];
		let mut held = [(0, publisher.max_held); LANES];
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
		tenant.deposits = tenant.deposits.saturating_add(rates.of_plan(plan, on_chain));
		for (kind, limit) in limits.iter().enumerate() {
			let items: Vec<_> = plan.items.iter().filter(|item| item.kind() == kind).collect();
			let Some(first) = items.first() else { continue };
			let sample = items.len().min(*limit).max(1);
			let fee = fee(at, names, &items[..sample]).await?;
			let batches = u128::try_from(items.len().div_ceil(sample)).unwrap_or(u128::MAX);
			let fees = &mut costs[first.lane()].fees;
			*fees = fees.saturating_add(fee.saturating_mul(batches));
		}
		Ok(Self { costs, members, held })
	}

	/// Checks that the members may hold what it costs, and that the accounts have it.
	pub(super) async fn ensure_affordable(
		&self,
		at: &Snapshot,
		units: &Units,
		accounts: [&AccountId32; LANES],
	) -> Result<(), Error> {
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
		let mut sums = vec![(accounts[PROVIDER], self.costs[PROVIDER])];
		match accounts[PROVIDER] == accounts[TENANT] {
			true => sums[0].1.add(self.costs[TENANT]),
			false => sums.push((accounts[TENANT], self.costs[TENANT])),
		}
		let minimum: u128 = at.constant("Balances", "ExistentialDeposit")?;
		for (account, cost) in sums {
			let row = at.get(&rows::accounts(), (*account,)).await?;
			let free = row.map_or(0, |row| {
				let locked = row.data.frozen.saturating_sub(row.data.reserved).max(minimum);
				row.data.free.saturating_sub(locked)
			});
			if cost.sum() > free {
				return Err(Error::Funds(format!(
					"{account} can spend {}, and needs about {} (deposits {}, bonds {}, fees {}): \
					 transfer more to it, or publish less",
					units.amount(free),
					units.amount(cost.sum()),
					units.amount(cost.deposits),
					units.amount(cost.bonds),
					units.amount(cost.fees)
				)));
			}
		}
		Ok(())
	}
}

/// Returns the fee of a transaction that does items of one kind.
async fn fee(at: &Snapshot, names: &Names, items: &[&Item]) -> Result<u128, Error> {
	let drafts: Vec<_> = items
		.iter()
		.filter_map(|item| match item {
			Item::Commit { draft, .. } => Some(*draft),
			_ => None,
		})
		.collect();
	let call = match drafts.is_empty() {
		true => names.call(at, items.iter().copied())?,
		false => {
			let medallion = content_fabric_identifiers::Medallion::FIRST_ASSIGNABLE.get();
			let muid = MuidSource::new(names.node, medallion, 0, None)?.next(names.node, 0, 0)?;
			names.commit(at, muid, drafts, None)?
		},
	};
	let weight_and_fee = at.weight_and_fee(&call, call.bytes().len() + ENVELOPE).await?;
	Ok(weight_and_fee.map_or(0, |(_, fee)| fee))
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn rows_cost_a_base_and_each_byte_of_key_and_value() {
		let rates = Rates { base: 1_000, per_byte: 2 };
		assert_eq!(rates.row(&[10, 10], 100), 1_000 + 2 * (32 + 2 * 26 + 100));
		let mut cost = Cost { deposits: 1, bonds: 2, fees: 3 };
		cost.add(Cost { deposits: u128::MAX, bonds: 0, fees: 0 });
		assert_eq!((cost.deposits, cost.sum()), (u128::MAX, u128::MAX));
	}
}
