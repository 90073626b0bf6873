// SPDX-License-Identifier: Apache-2.0
//! The comparison of the chain's rows and balances with those of the model.

use std::{
	collections::{BTreeMap, BTreeSet},
	fmt::Debug,
};

use frame_support::traits::fungible::InspectHold;

use super::fabric::{
	level_of, Account, Collection, Member, Model, Node, Object, Record, Space, Version,
};
use crate::{
	identifiers::Muid, mock::*, Admissions, Collections, ContentObjects, HoldReason, Kmses,
	MemberId, MemberInfoOf, Nodes, ProviderKeys, Providers, Records, RowCounts, Spaces, TenantKeys,
	Tenants, Versions,
};

impl Model {
	pub fn assert_rows(&self) {
		self.assert_spaces();
		self.assert_members();
		self.assert_under_members();
		self.assert_accounts();
	}

	fn assert_spaces(&self) {
		let spaces =
			Spaces::<Test>::iter().map(|(id, info)| (id, Space::new(info.governor, &info.rules)));
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
		// The row of a member does not show these two.
		let known = self.members.get(&member);
		let started = known.and_then(|info| info.purge).map_or(0, |(_, started, _)| started);
		let born = known.map_or(0, |info| info.born);
		if info.purge.is_none() {
			assert_eq!((rows, info.deposit), (self.rows(member), self.deposit_of(member)));
		}
		let found = Member {
			space: info.space,
			root: info.root,
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
			born,
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
		let of_providers = ProviderKeys::<Test>::iter()
			.map(|(id, account, key)| ((id.into(), account), (level_of(key.level), key.deposit)));
		let of_tenants = TenantKeys::<Test>::iter()
			.map(|(id, account, key)| ((id.into(), account), (key.level, key.deposit)));
		self.assert_map(of_providers.chain(of_tenants), |key| key.0, &self.keys);
		let nodes = Nodes::<Test>::iter().map(|(id, node, info)| {
			let row = Node {
				operator: info.operator,
				pending: info.pending,
				medallion: info.medallion,
				last: info.last_muid,
				deposit: info.deposit,
			};
			((id, node), row)
		});
		self.assert_map(nodes, |key| key.0.into(), &self.nodes);
		let kmses = Kmses::<Test>::iter().map(|(id, kms, info)| ((id, kms), info.deposit));
		self.assert_map(kmses, |key| key.0.into(), &self.kmses);
		// The model numbers events in its own way, so these fields are copied from it.
		let objects = ContentObjects::<Test>::iter().map(|(id, object, info)| {
			let known = self.objects.get(&(id, object));
			let is_undecided = info.head_set == Muid::default();
			let row = Object {
				head: info.head_version,
				head_since: known.map_or(0, |known| known.head_since),
				decided: known.and_then(|known| known.decided).filter(|_| !is_undecided),
				is_new: info.head_set == info.created,
				deposit: info.deposit,
			};
			((id, object), row)
		});
		self.assert_map(objects, |key| key.0.into(), &self.objects);
		let versions = Versions::<Test>::iter().map(|(key, info)| {
			let row = Version {
				originator: info.originator,
				node: info.node,
				muid: info.muid,
				committed: self.versions.get(&key).map_or(0, |version| version.committed),
				finalized: info.finalized.is_some(),
				set_head: info.set_head_on_finalize,
				deposit: info.deposit,
			};
			(key, row)
		});
		self.assert_map(versions, |key| key.0.into(), &self.versions);
		let collections = Collections::<Test>::iter().map(|(id, name, info)| {
			let (key_type, syntax, deposit) = (info.key_type, info.syntax, info.deposit);
			((id, name), Collection { key_type, syntax, deposit })
		});
		self.assert_map(collections, |key| key.0.into(), &self.collections);
		let records = Records::<Test>::iter()
			.map(|(key, info)| (key, Record { target: info.target, deposit: info.deposit }));
		self.assert_map(records, |key| key.0.into(), &self.records);
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
		assert_eq!(Balances::total_issuance(), self.issued - self.slashed);
	}
}
