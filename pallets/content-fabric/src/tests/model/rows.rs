// SPDX-License-Identifier: Apache-2.0
//! The comparison of the chain's rows and balances with those of the model.

use std::collections::{BTreeMap, BTreeSet};

use frame_support::traits::fungible::InspectHold;

use super::fabric::{
	Account, Collection, Keys, Member, Model, Node, Object, Record, Space, Version,
};
use crate::{
	identifiers::{Muid, ProviderId, RecordKeySyntax, RecordKeyType, TenantId},
	mock::*,
	AdmissionPolicy, Admissions, Collections, ContentObjects, HoldReason, Kmses, MemberId,
	MemberInfoOf, Nodes, ProviderKeys, Providers, Records, RowCounts, Spaces, TenantKeys, Tenants,
	Versions,
};

fn text(bytes: &[u8]) -> String {
	String::from_utf8(bytes.to_vec()).expect("drawn texts are UTF-8")
}

impl Model {
	fn of_provider(&self, id: u8) -> bool {
		self.has_rows(MemberId::Provider(ProviderId([id; 10])))
	}

	fn of_tenant(&self, id: u8) -> bool {
		self.has_rows(MemberId::Tenant(TenantId([id; 10])))
	}

	pub fn assert_rows(&self) {
		self.assert_spaces();
		self.assert_members();
		self.assert_under_providers();
		self.assert_under_tenants();
		self.assert_accounts();
	}

	fn assert_spaces(&self) {
		let spaces = Spaces::<Test>::iter().map(|(id, info)| {
			let space = Space {
				governor: info.governor,
				provider_bond: info.rules.provider_bond,
				tenant_bond: info.rules.tenant_bond,
				approval: info.rules.admission == AdmissionPolicy::Approval,
			};
			(id.0[0], space)
		});
		assert_eq!(spaces.collect::<BTreeMap<_, _>>(), self.spaces);
		let admissions =
			Admissions::<Test>::iter_keys().map(|(space, (who, role))| (space.0[0], who, role));
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
			space: info.space.0[0],
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

	fn assert_under_providers(&self) {
		let keys = ProviderKeys::<Test>::iter()
			.map(|(id, account, key)| ((id.0[0], account), (key.level, key.deposit)))
			.filter(|row| self.of_provider(row.0 .0));
		assert_eq!(keys.collect::<BTreeMap<_, _>>(), self.provider_keys);
		let nodes = Nodes::<Test>::iter()
			.map(|(id, node, info)| {
				let node_info = Node {
					operator: info.operator,
					pending: info.pending,
					medallion: info.medallion,
					last: info.last_muid,
					deposit: info.deposit,
				};
				((id.0[0], node.0[0]), node_info)
			})
			.filter(|row| self.of_provider(row.0 .0));
		assert_eq!(nodes.collect::<BTreeMap<_, _>>(), self.nodes);
	}

	fn assert_under_tenants(&self) {
		let keys = TenantKeys::<Test>::iter()
			.map(|(id, account, key)| ((id.0[0], account), (key.level, key.deposit)))
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(keys.collect::<BTreeMap<_, _>>(), self.tenant_keys);
		let kmses = Kmses::<Test>::iter()
			.map(|(id, kms, info)| ((id.0[0], kms.0[0]), info.deposit))
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(kmses.collect::<BTreeMap<_, _>>(), self.kmses);
		// The model numbers events in its own way, so these fields are copied from it.
		let objects = ContentObjects::<Test>::iter()
			.map(|(id, object, info)| {
				let key = (id.0[0], object.0[0]);
				let known = self.objects.get(&key);
				let is_undecided = info.head_set == Muid::default();
				let found = Object {
					head: info.head_version.map(|version| version.0[0]),
					head_since: known.map_or(0, |known| known.head_since),
					decided: known.and_then(|known| known.decided).filter(|_| !is_undecided),
					is_new: info.head_set == info.created,
					deposit: info.deposit,
				};
				(key, found)
			})
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(objects.collect::<BTreeMap<_, _>>(), self.objects);
		let versions = Versions::<Test>::iter()
			.map(|((id, object, version), info)| {
				let key = (id.0[0], object.0[0], version.0[0]);
				let found = Version {
					originator: info.originator.0[0],
					node: info.node.0[0],
					muid: info.muid,
					committed: self.versions.get(&key).map_or(0, |version| version.committed),
					finalized: info.finalized.is_some(),
					set_head: info.set_head_on_finalize,
					deposit: info.deposit,
				};
				(key, found)
			})
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(versions.collect::<BTreeMap<_, _>>(), self.versions);
		let collections = Collections::<Test>::iter()
			.map(|(id, name, info)| {
				let keys = match &info.key_type {
					RecordKeyType::Tid => Keys::Tid,
					RecordKeyType::Nsid => Keys::Nsid,
					RecordKeyType::Any => Keys::Any,
					RecordKeyType::Literal(key) => Keys::Only(text(key)),
				};
				let colon = info.syntax == RecordKeySyntax::PathSegment;
				((id.0[0], text(&name)), Collection { keys, colon, deposit: info.deposit })
			})
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(collections.collect::<BTreeMap<_, _>>(), self.collections);
		let records = Records::<Test>::iter()
			.map(|((id, name, key), info)| {
				let record = Record { target: info.target, deposit: info.deposit };
				((id.0[0], text(&name), text(&key)), record)
			})
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(records.collect::<BTreeMap<_, _>>(), self.records);
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
