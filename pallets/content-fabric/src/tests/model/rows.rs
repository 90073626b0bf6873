// SPDX-License-Identifier: Apache-2.0
//! The comparison of the chain's rows and balances with the model's.

use std::{
	collections::{BTreeMap, BTreeSet},
	fmt::Debug,
};

use frame_support::traits::fungible::InspectHold;

use super::super::bonds::assert_holds_are_those_of;
use super::fabric::{level_of, Account, Member, Model, Space};
use crate::{
	mock::*, Admissions, Collections, ContentObjects, HoldReason, KeyInfo, Kmses, MemberId,
	MemberInfoOf, Nodes, ProviderKeys, Providers, PurgeScope, Records, RowCounts, Spaces,
	TenantKeys, Tenants, Versions,
};

impl Model {
	pub fn assert_rows(&self) {
		self.assert_spaces();
		self.assert_members();
		self.assert_under_members();
		self.assert_accounts();
	}

	fn assert_spaces(&self) {
		let spaces = Spaces::<Test>::iter()
			.map(|(id, info)| (id, Space { governor: info.governor, rules: info.rules }));
		assert_eq!(spaces.collect::<BTreeMap<_, _>>(), self.spaces);
		let admissions =
			Admissions::<Test>::iter_keys().map(|(space, (who, role))| (space, who, role));
		assert_eq!(admissions.collect::<BTreeSet<_>>(), self.admissions);
	}

	fn assert_members(&self) {
		let providers = Providers::<Test>::iter().map(|(id, info)| self.member(id.into(), info));
		let tenants = Tenants::<Test>::iter().map(|(id, info)| self.member(id.into(), info));
		assert_eq!(providers.chain(tenants).collect::<BTreeMap<_, _>>(), self.members);
	}

	/// Returns a member of the chain as the model knows it.
	fn member<Counts: RowCounts>(
		&self,
		member: MemberId,
		info: MemberInfoOf<Test, Counts>,
	) -> (MemberId, Member) {
		let rows = info.rows.rows();
		// The row of a member does not show this.
		let purge = self.members.get(&member).and_then(|info| info.purge);
		let started = purge.map_or(0, |(_, started, _)| started);
		if info.purge.is_none() {
			assert_eq!((rows, info.deposit), (self.rows(member), self.deposit_of(member)));
		}
		let found = Member {
			space: info.space,
			root: info.root,
			root_since: info.root_since,
			nomination: info.nomination.map(|it| (it.nominee, it.governance_matures)),
			max_held: info.max_held,
			bond: info.bond,
			own_deposit: info.own_deposit,
			purged_deposit: info.purge.map_or(0, |_| info.deposit),
			empty_since: info.empty_since,
			frozen: info.governance_delete,
			suspended: info.suspended,
			purge: info.purge.map(|scope| (scope, started, rows)),
			created: info.created,
		};
		(member, found)
	}

	/// Checks the rows of a map, except those that a purge is removing.
	fn assert_map<Key: Ord + Debug, Row: PartialEq + Debug>(
		&self,
		rows: impl Iterator<Item = (Key, Row)>,
		member: impl Fn(&Key) -> MemberId,
		known: &BTreeMap<Key, Row>,
	) {
		let rows: BTreeMap<_, _> = rows.filter(|(key, _)| self.has_rows(member(key))).collect();
		assert_eq!(rows, *known);
	}

	fn assert_under_members(&self) {
		let of_providers = ProviderKeys::<Test>::iter().map(|(id, account, key)| {
			let KeyInfo { level, granted, deposit } = key;
			((id.into(), account), KeyInfo { level: level_of(level), granted, deposit })
		});
		let of_tenants =
			TenantKeys::<Test>::iter().map(|(id, account, key)| ((id.into(), account), key));
		self.assert_map(of_providers.chain(of_tenants), |key| key.0, &self.keys);
		let nodes = Nodes::<Test>::iter().map(|(id, node, info)| ((id, node), info));
		self.assert_map(nodes, |key| key.0.into(), &self.nodes);
		let kmses = Kmses::<Test>::iter().map(|(id, kms, info)| ((id, kms), info));
		self.assert_map(kmses, |key| key.0.into(), &self.kmses);
		let objects = ContentObjects::<Test>::iter().map(|(id, object, info)| ((id, object), info));
		self.assert_map(objects, |key| key.0.into(), &self.objects);
		self.assert_map(Versions::<Test>::iter(), |key| key.0.into(), &self.versions);
		let collections = Collections::<Test>::iter().map(|(id, name, info)| ((id, name), info));
		self.assert_map(collections, |key| key.0.into(), &self.collections);
		self.assert_map(Records::<Test>::iter(), |key| key.0.into(), &self.records);
	}

	fn assert_accounts(&self) {
		let held = |reason: HoldReason, who| Balances::balance_on_hold(&reason.into(), &who);
		let accounts = ACCOUNTS.map(|who| {
			let account = Account {
				free: funds(who).0,
				provider_bond: held(HoldReason::ProviderBond, who),
				tenant_bond: held(HoldReason::TenantBond, who),
				deposit: held(HoldReason::StorageDeposit, who),
			};
			(who, account)
		});
		assert_eq!(accounts.collect::<BTreeMap<_, _>>(), self.accounts);
		for who in ACCOUNTS {
			// Nothing is on hold for a member that governance has deleted.
			let is_deleted =
				|info: &Member| info.purge.is_some_and(|(scope, ..)| scope == PurgeScope::Member);
			let of_root = self.members.iter().filter(|(_, info)| info.root == who);
			let of_root = of_root.filter(|(_, info)| !is_deleted(info));
			let members: Vec<_> = of_root.map(|(member, _)| *member).collect();
			assert_holds_are_those_of(who, &members);
		}
		assert_eq!(Balances::total_issuance(), self.issued - self.slashed);
	}
}
