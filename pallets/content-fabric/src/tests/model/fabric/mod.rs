// SPDX-License-Identifier: Apache-2.0
//! The model: the fabric as plain maps, and what each call does to it.

mod apply;
mod content;
mod members;
mod nodes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frame_support::weights::Weight;
use sp_runtime::{ArithmeticError, DispatchError, TokenError};

use super::{Drawn, Origin, Outcome};
use crate::{
	identifiers::{
		ClockId, ContentObjectId, HashKind, KmsId, Medallion, Muid, NodeId, ProviderId,
		RecordKeySyntax, RecordKeyType, SpaceId, TenantId, Tid, VersionId,
	},
	mock::*,
	tests::bonds::{
		bond_reason,
		rows::{self, price},
	},
	AdmissionPolicy, Call, CollectionInfo, CollectionInfoOf, CollectionNameOf, ContentObjectInfo,
	ContentObjectInfoOf, Error, HoldReason, KeyInfo, KeyInfoOf, KmsInfo, KmsInfoOf, KmsKey,
	LastMuid, LastTid, LocatorOf, MemberId, NodeInfo, NodeInfoOf, Nodes, ProviderLevel, PurgeScope,
	RecordInfo, RecordInfoOf, RecordKeyOf, RecordKeyTypeOf, Role, SpaceRulesOf, TenantLevel,
	VersionInfo, VersionInfoOf, WeightInfo,
};

#[derive(Clone, PartialEq, Debug)]
pub struct Space {
	pub governor: AccountId,
	pub rules: SpaceRulesOf<Test>,
}

/// A provider or a tenant.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
	pub space: SpaceId,
	pub root: AccountId,
	pub root_since: Muid,
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
	pub created: Muid,
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
	/// The access keys of both kinds of member.
	pub keys: BTreeMap<(MemberId, AccountId), KeyInfoOf<Test, TenantLevel>>,
	pub nodes: BTreeMap<(ProviderId, NodeId), NodeInfoOf<Test>>,
	pub kmses: BTreeMap<(TenantId, KmsId), KmsInfoOf<Test>>,
	pub objects: BTreeMap<(TenantId, ContentObjectId), ContentObjectInfoOf<Test>>,
	pub versions: BTreeMap<(TenantId, ContentObjectId, VersionId), VersionInfoOf<Test>>,
	pub collections: BTreeMap<CollectionKey, CollectionInfoOf<Test>>,
	pub records: BTreeMap<RecordKey, RecordInfoOf<Test>>,
	/// Purges in the order in which they were started. A purge that was reaped leaves its place
	/// empty.
	queue: VecDeque<Option<MemberId>>,
	/// All medallions that nodes have or had, and the chain's own.
	medallions: BTreeSet<Medallion>,
	/// The chain's own medallion, and the clock id of its TIDs.
	chain: Option<(Medallion, ClockId)>,
	/// The timestamp of the last call that minted.
	last_minted: Option<u64>,
	/// Number of muids that the call has minted.
	minted_by_call: i32,
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

	/// Returns the next muid of the chain: of a timestamp that belongs to the call alone.
	fn mint(&mut self) -> Muid {
		self.minted_by_call += 1;
		if self.minted_by_call == 1 {
			let later = self.last_minted.map_or(0, |last| last + 1);
			self.last_minted = Some(self.now().max(later));
		}
		let timestamp = self.last_minted.expect("the call has a timestamp");
		// The first call that mints creates a space, whose muid the model does not keep.
		let medallion = self.chain.map_or(Medallion::MAX, |(medallion, _)| medallion);
		Muid::new(timestamp, medallion, self.minted_by_call).expect("is in range")
	}

	/// Learns what the chain has drawn: for itself with the first call that mints, and for a node.
	pub fn learn(&mut self, call: &Call<Test>) {
		if let (None, Some(last)) = (self.chain, LastMuid::<Test>::get()) {
			let medallion = Medallion::new(last.medallion()).expect("it is one");
			assert!(medallion.is_assignable(), "{medallion:?}");
			let tid = LastTid::<Test>::get().expect("the clock id was drawn as well");
			let clock_id = ClockId::new(tid.clock_id()).expect("it is one");
			self.chain = Some((medallion, clock_id));
			self.medallions.insert(medallion);
		}
		let Call::create_node { provider, node, .. } = call else { return };
		let info = Nodes::<Test>::get(provider, node).expect("the node was created");
		assert!(info.medallion.is_assignable(), "{info:?}");
		assert!(self.medallions.insert(info.medallion), "{info:?} has another writer's");
		let node = self.nodes.entry((*provider, *node));
		node.and_modify(|node| node.medallion = info.medallion);
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
