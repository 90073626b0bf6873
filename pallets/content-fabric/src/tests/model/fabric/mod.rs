// SPDX-License-Identifier: Apache-2.0
//! The model: the fabric as plain maps, and what each call does to it.

mod apply;
mod content;
mod members;
mod nodes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frame_support::weights::Weight;
use sp_runtime::{DispatchError, TokenError};

use super::{draw::Drawn, Origin, Outcome};
use crate::{
	identifiers::{Medallion, Muid, RecordKeySyntax, RecordKeyType, Tid},
	mock::*,
	AdmissionPolicy, Call, ContentRef, Error, HoldReason, MemberId, Nodes, ProviderLevel,
	PurgeScope, Role, TenantLevel, WeightInfo,
};

#[derive(Clone, PartialEq, Debug)]
pub struct Space {
	pub governor: AccountId,
	pub provider_bond: Balance,
	pub tenant_bond: Balance,
	pub approval: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Member {
	pub space: u8,
	pub root: AccountId,
	/// The nominee, and the block from which it may accept if governance nominated it.
	pub nomination: Option<(AccountId, Option<u64>)>,
	pub max_held: Balance,
	pub bond: Balance,
	pub own_deposit: Balance,
	/// The deposits of rows that a purge is removing.
	pub purged_deposit: Balance,
	pub empty_since: Option<u64>,
	pub frozen: bool,
	pub suspended: bool,
	/// The scope of the purge, the block in which it started, and the number of rows left.
	pub purge: Option<(PurgeScope, u64, u32)>,
	/// The chain's stamp, which only has to be equal or not.
	pub created: Muid,
	/// The call that created it.
	pub born: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Node {
	pub operator: AccountId,
	pub pending: bool,
	pub medallion: Medallion,
	pub last: Option<Muid>,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Object {
	pub head: Option<u8>,
	/// The call that committed what last became the head.
	pub head_since: u64,
	/// The call of the tenant's last decision, and the time of its block in microseconds.
	pub decided: Option<(u64, u64)>,
	/// True if that decision was to create the object.
	pub is_new: bool,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Version {
	pub originator: u8,
	pub node: u8,
	pub muid: Muid,
	/// The call by which it was committed, and its place in the list.
	pub committed: u64,
	pub finalized: bool,
	pub set_head: bool,
	pub deposit: Balance,
}

/// The type of a collection's record keys.
#[derive(Clone, PartialEq, Debug)]
pub enum Keys {
	Tid,
	Nsid,
	Any,
	Only(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Collection {
	pub keys: Keys,
	pub colon: bool,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
	pub target: ContentRef,
	pub deposit: Balance,
}

/// The funds of an account.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Account {
	pub free: Balance,
	pub provider_bond: Balance,
	pub tenant_bond: Balance,
	pub deposit: Balance,
}

/// Ids are small numbers, which stand for arrays of that byte.
#[derive(Clone)]
pub struct Model {
	pub block: u64,
	pub issued: Balance,
	pub slashed: Balance,
	pub accounts: BTreeMap<AccountId, Account>,
	pub spaces: BTreeMap<u8, Space>,
	pub admissions: BTreeSet<(u8, AccountId, Role)>,
	pub members: BTreeMap<MemberId, Member>,
	pub provider_keys: BTreeMap<(u8, AccountId), (ProviderLevel, Balance)>,
	pub tenant_keys: BTreeMap<(u8, AccountId), (TenantLevel, Balance)>,
	pub nodes: BTreeMap<(u8, u8), Node>,
	pub kmses: BTreeMap<(u8, u8), Balance>,
	pub objects: BTreeMap<(u8, u8), Object>,
	pub versions: BTreeMap<(u8, u8, u8), Version>,
	pub collections: BTreeMap<(u8, String), Collection>,
	pub records: BTreeMap<(u8, String, String), Record>,
	/// Purges in the order in which they were started. A purge that was reaped leaves its place
	/// empty.
	queue: VecDeque<Option<MemberId>>,
	/// All medallions that nodes have or had.
	medallions: BTreeSet<Medallion>,
	/// When an account was last given a level in a member, in microseconds.
	levels_since: BTreeMap<(MemberId, AccountId), u64>,
	/// Rises with every call, and with every item of a list.
	clock: u64,
	last_tid: Option<u64>,
}

fn ensure(condition: bool, error: Error<Test>) -> Outcome {
	condition.then_some(()).ok_or(error.into())
}

fn text(bytes: &[u8]) -> String {
	String::from_utf8(bytes.to_vec()).expect("drawn texts are UTF-8")
}

/// Returns the deposit for a row with keys and a value of these lengths.
fn deposit(keys: &[usize], value: usize) -> Balance {
	let key: usize = 32 + keys.iter().map(|len| 16 + len).sum::<usize>();
	DepositBase::get() + DepositPerByte::get() * (key + value) as Balance
}

fn id(member: MemberId) -> u8 {
	member.as_bytes()[0]
}

/// The names of a member's errors.
struct Names {
	not_found: Error<Test>,
	exists: Error<Test>,
	frozen: Error<Test>,
	suspended: Error<Test>,
	under_bonded: Error<Test>,
	not_empty: Error<Test>,
}

fn names(member: MemberId) -> Names {
	match member {
		MemberId::Provider(_) => Names {
			not_found: Error::ProviderNotFound,
			exists: Error::ProviderAlreadyExists,
			frozen: Error::ProviderFrozen,
			suspended: Error::ProviderSuspended,
			under_bonded: Error::ProviderUnderBonded,
			not_empty: Error::ProviderNotEmpty,
		},
		MemberId::Tenant(_) => Names {
			not_found: Error::TenantNotFound,
			exists: Error::TenantAlreadyExists,
			frozen: Error::TenantFrozen,
			suspended: Error::TenantSuspended,
			under_bonded: Error::TenantUnderBonded,
			not_empty: Error::TenantNotEmpty,
		},
	}
}

fn bond_reason(member: MemberId) -> HoldReason {
	match member {
		MemberId::Provider(_) => HoldReason::ProviderBond,
		MemberId::Tenant(_) => HoldReason::TenantBond,
	}
}

impl Account {
	fn held(&mut self, reason: HoldReason) -> &mut Balance {
		match reason {
			HoldReason::ProviderBond => &mut self.provider_bond,
			HoldReason::TenantBond => &mut self.tenant_bond,
			HoldReason::StorageDeposit => &mut self.deposit,
		}
	}
}

impl Space {
	fn new(governor: AccountId, rules: &crate::SpaceRulesOf<Test>) -> Self {
		Self {
			governor,
			provider_bond: rules.provider_bond,
			tenant_bond: rules.tenant_bond,
			approval: rules.admission == AdmissionPolicy::Approval,
		}
	}
}

impl Model {
	pub fn new() -> Self {
		let accounts: BTreeMap<_, _> = ACCOUNTS
			.map(|account| (account, Account { free: funds(account).0, ..Default::default() }))
			.collect();
		Self {
			block: 0,
			issued: accounts.values().map(|account| account.free).sum(),
			slashed: 0,
			accounts,
			spaces: BTreeMap::new(),
			admissions: BTreeSet::new(),
			members: BTreeMap::new(),
			provider_keys: BTreeMap::new(),
			tenant_keys: BTreeMap::new(),
			nodes: BTreeMap::new(),
			kmses: BTreeMap::new(),
			objects: BTreeMap::new(),
			versions: BTreeMap::new(),
			collections: BTreeMap::new(),
			records: BTreeMap::new(),
			queue: VecDeque::new(),
			medallions: BTreeSet::new(),
			levels_since: BTreeMap::new(),
			clock: 0,
			last_tid: None,
		}
	}

	pub fn begin_block(&mut self) {
		self.block = System::block_number();
	}

	/// Returns the time of the block, in microseconds.
	fn now(&self) -> u64 {
		self.block * 6_000_000
	}

	/// Learns the stamps and the medallions that the chain has chosen.
	pub fn learn(&mut self, call: &Call<Test>) {
		let member = match call {
			Call::create_node { provider, node, .. } => {
				let info = Nodes::<Test>::get(provider, node).expect("the node was created");
				assert!(info.medallion.is_assignable(), "{info:?}");
				assert!(self.medallions.insert(info.medallion), "{info:?} had another node");
				let key = (provider.0[0], node.0[0]);
				self.nodes.entry(key).and_modify(|node| node.medallion = info.medallion);
				return;
			},
			Call::create_provider { id, .. } => MemberId::Provider(*id),
			Call::create_tenant { id, .. } => MemberId::Tenant(*id),
			_ => return,
		};
		self.members.entry(member).and_modify(|info| info.created = created(member));
	}

	pub fn is_being_deleted(&self, member: MemberId) -> bool {
		let purge = self.members.get(&member).and_then(|info| info.purge);
		purge.is_some_and(|(scope, ..)| scope == PurgeScope::Member)
	}

	/// Returns whether the rows of a member count: not while they are being removed.
	pub fn has_rows(&self, member: MemberId) -> bool {
		self.members.get(&member).is_some_and(|info| info.purge.is_none())
	}
}
