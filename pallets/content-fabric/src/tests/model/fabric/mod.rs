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
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		RecordKeyType, SpaceId, TenantId, Tid, VersionId,
	},
	mock::*,
	tests::bonds::{
		bond_reason,
		rows::{self, price},
	},
	AdmissionPolicy, Call, CollectionNameOf, ContentRef, Error, HoldReason, MemberId, Nodes,
	ProviderLevel, PurgeScope, RecordKeyOf, RecordKeyTypeOf, Role, TenantLevel, WeightInfo,
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
	pub space: SpaceId,
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
	pub head: Option<VersionId>,
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
	pub originator: ProviderId,
	pub node: NodeId,
	pub muid: Muid,
	/// The call by which it was committed, and its place in the list.
	pub committed: u64,
	pub finalized: bool,
	pub set_head: bool,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Collection {
	pub key_type: RecordKeyTypeOf<Test>,
	pub syntax: RecordKeySyntax,
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

/// The key of a collection's row, and of a record's.
pub type CollectionKey = (TenantId, CollectionNameOf<Test>);
pub type RecordKey = (TenantId, CollectionNameOf<Test>, RecordKeyOf<Test>);

#[derive(Clone, Default)]
pub struct Model {
	pub block: u64,
	pub issued: Balance,
	pub slashed: Balance,
	pub accounts: BTreeMap<AccountId, Account>,
	pub spaces: BTreeMap<SpaceId, Space>,
	pub admissions: BTreeSet<(SpaceId, AccountId, Role)>,
	pub members: BTreeMap<MemberId, Member>,
	/// The access keys of both kinds of member: levels and deposits.
	pub keys: BTreeMap<(MemberId, AccountId), (TenantLevel, Balance)>,
	pub nodes: BTreeMap<(ProviderId, NodeId), Node>,
	/// The deposits of KMSes.
	pub kmses: BTreeMap<(TenantId, KmsId), Balance>,
	pub objects: BTreeMap<(TenantId, ContentObjectId), Object>,
	pub versions: BTreeMap<(TenantId, ContentObjectId, VersionId), Version>,
	pub collections: BTreeMap<CollectionKey, Collection>,
	pub records: BTreeMap<RecordKey, Record>,
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

/// Returns the level of a provider's access key among those that tenants have.
pub fn level_of(level: ProviderLevel) -> TenantLevel {
	match level {
		ProviderLevel::Admin => TenantLevel::Admin,
		ProviderLevel::Root => TenantLevel::Root,
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
	pub fn new(governor: AccountId, rules: &crate::SpaceRulesOf<Test>) -> Self {
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
		let issued = accounts.values().map(|account| account.free).sum();
		Self { issued, accounts, ..Default::default() }
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
				let node = self.nodes.entry((*provider, *node));
				node.and_modify(|node| node.medallion = info.medallion);
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
	pub fn has_rows(&self, member: impl Into<MemberId>) -> bool {
		self.members.get(&member.into()).is_some_and(|info| info.purge.is_none())
	}
}
