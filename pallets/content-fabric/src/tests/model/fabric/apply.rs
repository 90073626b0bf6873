// SPDX-License-Identifier: Apache-2.0
//! The effect of each call.

use super::*;

impl Model {
	/// Applies a call to the model, or fails with the error of the call.
	pub fn apply(&mut self, drawn: &Drawn) -> Outcome {
		let origin = drawn.origin;
		match &drawn.call {
			Call::create_space { space, governor, rules } => {
				origin.is_none().then_some(()).ok_or(DispatchError::BadOrigin)?;
				let id = space.0[0];
				ensure(!self.spaces.contains_key(&id), Error::SpaceAlreadyExists)?;
				self.spaces.insert(id, Space::new(*governor, rules));
				Ok(())
			},
			Call::set_space_rules { space, rules } => {
				self.governance(origin, space.0[0])?;
				let governor = self.spaces[&space.0[0]].governor;
				self.spaces.insert(space.0[0], Space::new(governor, rules));
				Ok(())
			},
			Call::set_space_governor { space, governor } => {
				self.governance(origin, space.0[0])?;
				self.spaces.entry(space.0[0]).and_modify(|space| space.governor = *governor);
				Ok(())
			},
			Call::admit { space, account, role } => {
				let id = space.0[0];
				self.governance(origin, id)?;
				let admission = (id, *account, *role);
				ensure(!self.admissions.contains(&admission), Error::AlreadyAdmitted)?;
				let unused = self.admissions.iter().filter(|it| it.0 == id).count();
				ensure(unused < MaxAdmissions::get() as usize, Error::TooManyAdmissions)?;
				self.admissions.insert(admission);
				Ok(())
			},
			Call::revoke_admissions { space, admissions } => {
				let id = space.0[0];
				self.governance(origin, id)?;
				ensure(!admissions.is_empty(), Error::EmptyBatch)?;
				for (account, role) in admissions {
					let revoked = self.admissions.remove(&(id, *account, *role));
					ensure(revoked, Error::AdmissionNotFound)?;
				}
				Ok(())
			},
			Call::delete_space { space } => {
				let id = space.0[0];
				if origin.is_some() {
					self.governance(origin, id)?;
				}
				ensure(self.spaces.contains_key(&id), Error::SpaceNotFound)?;
				let empty = self.members.values().all(|member| member.space != id)
					&& self.admissions.iter().all(|admission| admission.0 != id);
				ensure(empty, Error::SpaceNotEmpty)?;
				self.spaces.remove(&id);
				Ok(())
			},
			Call::create_provider { space, id, max_held } => {
				self.create_member(origin, space.0[0], (*id).into(), *max_held)
			},
			Call::create_tenant { space, id, max_held } => {
				self.create_member(origin, space.0[0], (*id).into(), *max_held)
			},
			Call::top_up_bond { member, amount } => self.top_up(origin, *member, *amount),
			Call::set_max_held { member, amount } => self.set_max_held(origin, *member, *amount),
			Call::nominate_root { member, created, nominee } => {
				self.nominate(origin, *member, *created, *nominee)
			},
			Call::accept_root { member, max_held } => self.accept(origin, *member, *max_held),
			Call::purge_member { member } => self.purge_member(origin, *member),
			Call::delete_member { member } => self.delete_member(origin, *member),
			Call::set_provider_key { id, account, level } => {
				self.set_provider_key(origin, (*id).into(), *account, *level)
			},
			Call::set_tenant_key { id, account, level } => {
				self.set_tenant_key(origin, (*id).into(), *account, *level)
			},
			Call::create_node { provider, node, operator, locator } => {
				let provider = (*provider).into();
				self.by_provider_admin(origin, provider)?;
				self.create_node(provider, node.0[0], *operator, locator)
			},
			Call::confirm_node { provider, node } => {
				let (provider, node) = (MemberId::from(*provider), node.0[0]);
				let who = Self::signed(origin)?;
				self.open(provider)?;
				let pending = self.node_for(who, provider, node)?.pending;
				ensure(pending, Error::NodeAlreadyConfirmed)?;
				self.nodes.entry((id(provider), node)).and_modify(|node| node.pending = false);
				Ok(())
			},
			Call::set_node_locator { provider, node, locator } => {
				let provider = (*provider).into();
				self.by_provider_admin(origin, provider)?;
				self.set_node_locator(provider, node.0[0], locator)
			},
			Call::set_node_operator { provider, node, operator } => {
				let provider = (*provider).into();
				self.by_provider_admin(origin, provider)?;
				let node = self.nodes.get_mut(&(id(provider), node.0[0]));
				node.ok_or(Error::<Test>::NodeNotFound)?.operator = *operator;
				Ok(())
			},
			Call::remove_node { provider, node } => {
				let provider = (*provider).into();
				self.by_provider_admin(origin, provider)?;
				self.remove_node(provider, node.0[0])
			},
			Call::add_kms { tenant, kms, locator } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Admin)?;
				let key = (id(tenant), kms.0[0]);
				ensure(!self.kmses.contains_key(&key), Error::KmsAlreadyExists)?;
				let deposit = Self::kms_deposit(locator);
				self.add_rows(tenant, deposit, 0)?;
				self.kmses.insert(key, deposit);
				Ok(())
			},
			Call::set_kms_locator { tenant, kms, locator } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Admin)?;
				let key = (id(tenant), kms.0[0]);
				let before = *self.kmses.get(&key).ok_or(Error::<Test>::KmsNotFound)?;
				let after = Self::kms_deposit(locator);
				self.change_deposits(tenant, after, before)?;
				self.kmses.insert(key, after);
				Ok(())
			},
			Call::remove_kms { tenant, kms } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Admin)?;
				self.remove_kms(tenant, kms.0[0])
			},
			Call::create_content_object { tenant, object } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Content)?;
				self.create_object(tenant, object.0[0])
			},
			Call::commit_versions { .. } => self.commit_versions(drawn),
			Call::finalize_versions { originator, node, tenant, versions } => self
				.finalize_versions(
					origin,
					(*originator).into(),
					node.0[0],
					(*tenant).into(),
					versions,
				),
			Call::set_head_version { tenant, object, version } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Content)?;
				self.set_head(tenant, object.0[0], version.map(|version| version.0[0]))
			},
			Call::delete_version { tenant, object, version } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Content)?;
				self.delete_version(tenant, object.0[0], version.0[0], false)
			},
			Call::delete_content_object { tenant, object } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Content)?;
				self.delete_object(tenant, object.0[0])
			},
			Call::create_collection { tenant, name, key_type, syntax } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Admin)?;
				self.create_collection(tenant, name, key_type, *syntax)
			},
			Call::delete_collection { tenant, name } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Admin)?;
				self.delete_collection(tenant, name)
			},
			Call::put_records { tenant, collection, records } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Content)?;
				self.put_records(tenant, collection, records)
			},
			Call::delete_records { tenant, collection, keys } => {
				let tenant = (*tenant).into();
				self.by_tenant(origin, tenant, TenantLevel::Content)?;
				self.delete_records(tenant, collection, keys)
			},
			Call::slash { member, created, amount, .. } => {
				self.governed(origin, *member, *created)?;
				self.slash(*member, *amount);
				Ok(())
			},
			Call::set_suspended { member, created, enabled, .. } => {
				self.governed(origin, *member, *created)?;
				self.members.entry(*member).and_modify(|info| info.suspended = *enabled);
				Ok(())
			},
			Call::set_governance_delete { member, created, enabled, .. } => {
				self.governed(origin, *member, *created)?;
				self.members.entry(*member).and_modify(|info| info.frozen = *enabled);
				Ok(())
			},
			Call::governance_delete_node { provider, node } => {
				let provider = (*provider).into();
				self.frozen(origin, provider)?;
				self.remove_node(provider, node.0[0])
			},
			Call::governance_delete_provider_key { id, account } => {
				let provider = (*id).into();
				self.frozen(origin, provider)?;
				self.take_provider_key(provider, *account)
			},
			Call::governance_delete_tenant_key { id, account } => {
				let tenant = (*id).into();
				self.frozen(origin, tenant)?;
				self.take_tenant_key(tenant, *account)
			},
			Call::governance_delete_kms { tenant, kms } => {
				let tenant = (*tenant).into();
				self.frozen(origin, tenant)?;
				self.remove_kms(tenant, kms.0[0])
			},
			Call::governance_delete_content_object { tenant, object } => {
				let tenant = (*tenant).into();
				self.frozen(origin, tenant)?;
				self.delete_object(tenant, object.0[0])
			},
			Call::governance_delete_version { tenant, object, version } => {
				let tenant = (*tenant).into();
				self.frozen(origin, tenant)?;
				self.delete_version(tenant, object.0[0], version.0[0], true)
			},
			Call::governance_delete_collection { tenant, name } => {
				let tenant = (*tenant).into();
				self.frozen(origin, tenant)?;
				self.delete_collection(tenant, name)
			},
			Call::governance_delete_record { tenant, collection, key } => {
				let tenant = (*tenant).into();
				self.frozen(origin, tenant)?;
				self.delete_records(tenant, collection, std::slice::from_ref(key))
			},
			Call::governance_delete { member, created, slash, .. } => {
				self.governance_delete(origin, *member, *created, *slash)
			},
			Call::reap { member, limit } => self.reap(origin, *member, *limit),
			Call::__Ignore(..) => unreachable!("is not a call"),
		}
	}
}
