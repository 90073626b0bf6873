//! That the rows and balances of the chain are those of the model.

use std::collections::{BTreeMap, BTreeSet};

use frame_support::traits::fungible::InspectHold;

use super::fabric::{
	Account, Collection, Keys, Member, Model, Node, Object, Record, Space, Version,
};
use crate::{
	identifiers::{ProviderId, RecordKeySyntax, RecordKeyType, TenantId},
	mock::*,
	AdmissionPolicy, Admissions, Collections, ContentObjects, HoldReason, Kmses, MemberInfoOf,
	Nodes, ProviderKeys, Providers, Records, Spaces, Subject, TenantKeys, Tenants, Versions,
};

fn text(bytes: &[u8]) -> String {
	String::from_utf8(bytes.to_vec()).expect("drawn texts are UTF-8")
}

impl Model {
	/// Whether a subject's rows are listed: not while they are being deleted.
	fn has_rows(&self, subject: Subject) -> bool {
		self.members.get(&subject).is_some_and(|member| member.going.is_none())
	}

	fn of_provider(&self, id: u8) -> bool {
		self.has_rows(Subject::Provider(ProviderId([id; 10])))
	}

	fn of_tenant(&self, id: u8) -> bool {
		self.has_rows(Subject::Tenant(TenantId([id; 10])))
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
		let providers = Providers::<Test>::iter().map(|(id, info)| (Subject::Provider(id), info));
		let tenants = Tenants::<Test>::iter().map(|(id, info)| (Subject::Tenant(id), info));
		let mut found = BTreeMap::new();
		for (subject, info) in providers.chain(tenants) {
			let MemberInfoOf::<Test> { root, depositor, bond, deposit, rows, .. } = info;
			let going = info.being_deleted.then_some(rows);
			let (space, frozen) = (info.space.0[0], info.governance_delete);
			// When it was created the model counts in its own way.
			let created = self.members.get(&subject).map_or(0, |member| member.created);
			let member = Member { space, root, depositor, bond, frozen, created, going };
			found.insert(subject, member);
			if going.is_none() {
				assert_eq!((rows, deposit), (self.rows(subject), self.deposit_of(subject)));
			}
		}
		assert_eq!(found, self.members);
	}

	fn assert_under_providers(&self) {
		let keys = ProviderKeys::<Test>::iter()
			.map(|(id, account, key)| ((id.0[0], account), (key.level, key.deposit)))
			.filter(|row| self.of_provider(row.0 .0));
		assert_eq!(keys.collect::<BTreeMap<_, _>>(), self.provider_keys);
		let nodes = Nodes::<Test>::iter()
			.map(|(id, node, info)| {
				let (pending, medallion) = (info.pending, info.medallion);
				let (last, deposit) = (info.last_muid, info.deposit);
				((id.0[0], node.0[0]), Node { pending, medallion, last, deposit })
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
		let objects = ContentObjects::<Test>::iter()
			.map(|(id, object, info)| {
				let head = info.head_version.map(|version| version.0[0]);
				((id.0[0], object.0[0]), Object { head, deposit: info.deposit })
			})
			.filter(|row| self.of_tenant(row.0 .0));
		assert_eq!(objects.collect::<BTreeMap<_, _>>(), self.objects);
		let versions = Versions::<Test>::iter()
			.map(|((id, object, version), info)| {
				let key = (id.0[0], object.0[0], version.0[0]);
				let version_info = Version {
					committed: self.versions.get(&key).map_or(0, |version| version.committed),
					originator: info.originator.0[0],
					finalized: info.finalized.is_some(),
					set_head: info.set_head_on_finalize,
					deposit: info.deposit,
				};
				(key, version_info)
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
