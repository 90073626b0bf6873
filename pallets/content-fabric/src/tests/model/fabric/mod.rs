//! The model: the fabric as plain maps, and what each call does to it.

mod apply;
mod members;
mod rows;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frame_support::weights::Weight;
use sp_runtime::{DispatchError, TokenError};

use super::{draw::Drawn, Origin, Outcome};
use crate::{
	identifiers::{Medallion, Muid, RecordKeySyntax, RecordKeyType, Tid},
	mock::*,
	AdmissionPolicy, Call, ContentRef, Error, HoldReason, ProviderLevel, Role, Subject,
	TenantLevel, WeightInfo,
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
	pub depositor: AccountId,
	pub bond: Balance,
	pub frozen: bool,
	/// The call by which it was created.
	pub created: u64,
	/// Rows that are left while the member is being deleted.
	pub going: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Node {
	pub pending: bool,
	pub medallion: Medallion,
	pub last: Option<Muid>,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Object {
	pub head: Option<u8>,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Version {
	pub originator: u8,
	/// The call by which it was committed.
	pub committed: u64,
	pub finalized: bool,
	pub set_head: bool,
	pub deposit: Balance,
}

/// Which keys a collection has.
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

/// What an account has.
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
	/// Milliseconds.
	pub now: u64,
	pub issued: Balance,
	pub slashed: Balance,
	pub accounts: BTreeMap<AccountId, Account>,
	pub spaces: BTreeMap<u8, Space>,
	pub admissions: BTreeSet<(u8, AccountId, Role)>,
	pub members: BTreeMap<Subject, Member>,
	pub provider_keys: BTreeMap<(u8, AccountId), (ProviderLevel, Balance)>,
	pub tenant_keys: BTreeMap<(u8, AccountId), (TenantLevel, Balance)>,
	pub nodes: BTreeMap<(u8, u8), Node>,
	pub kmses: BTreeMap<(u8, u8), Balance>,
	pub objects: BTreeMap<(u8, u8), Object>,
	pub versions: BTreeMap<(u8, u8, u8), Version>,
	pub collections: BTreeMap<(u8, String), Collection>,
	pub records: BTreeMap<(u8, String, String), Record>,
	/// Deletions in the order in which they were started. Those that were reaped leave their place.
	queue: VecDeque<Option<Subject>>,
	/// The members that have gone in this block with rows under them.
	gone: BTreeSet<Subject>,
	nodes_created: u64,
	/// Number of calls so far.
	calls: u64,
	last_tid: Option<u64>,
}

fn ensure(condition: bool, error: Error<Test>) -> Outcome {
	condition.then_some(()).ok_or(error.into())
}

fn text(bytes: &[u8]) -> String {
	String::from_utf8(bytes.to_vec()).expect("drawn texts are UTF-8")
}

/// The deposit for a row with keys and a value of these lengths.
fn deposit(keys: &[usize], value: usize) -> Balance {
	let key: usize = 32 + keys.iter().map(|len| 16 + len).sum::<usize>();
	DepositBase::get() + DepositPerByte::get() * (key + value) as Balance
}

fn id(subject: Subject) -> u8 {
	match subject {
		Subject::Provider(id) => id.0[0],
		Subject::Tenant(id) => id.0[0],
	}
}

/// What the errors of a member are called.
struct Names {
	not_found: Error<Test>,
	exists: Error<Test>,
	frozen: Error<Test>,
	under_bonded: Error<Test>,
	not_empty: Error<Test>,
}

fn names(subject: Subject) -> Names {
	match subject {
		Subject::Provider(_) => Names {
			not_found: Error::ProviderNotFound,
			exists: Error::ProviderAlreadyExists,
			frozen: Error::ProviderFrozen,
			under_bonded: Error::ProviderUnderBonded,
			not_empty: Error::ProviderNotEmpty,
		},
		Subject::Tenant(_) => Names {
			not_found: Error::TenantNotFound,
			exists: Error::TenantAlreadyExists,
			frozen: Error::TenantFrozen,
			under_bonded: Error::TenantUnderBonded,
			not_empty: Error::TenantNotEmpty,
		},
	}
}

fn bond_reason(subject: Subject) -> HoldReason {
	match subject {
		Subject::Provider(_) => HoldReason::ProviderBond,
		Subject::Tenant(_) => HoldReason::TenantBond,
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

impl Model {
	pub fn new() -> Self {
		let accounts: BTreeMap<_, _> = ACCOUNTS
			.map(|account| (account, Account { free: funds(account).0, ..Default::default() }))
			.collect();
		Self {
			now: 0,
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
			gone: BTreeSet::new(),
			nodes_created: 0,
			calls: 0,
			last_tid: None,
		}
	}

	pub fn begin_block(&mut self) {
		self.now = System::block_number() * 6_000;
		self.gone.clear();
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
