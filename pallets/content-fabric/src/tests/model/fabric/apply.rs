// SPDX-License-Identifier: Apache-2.0
//! The effect of each call.

use super::*;

impl Model {
	/// Applies a call to the model, or fails with the error of the call. The model is of no use
	/// afterwards if it fails.
	pub fn apply(&mut self, drawn: &Drawn) -> Outcome {
		let origin = drawn.origin.account().copied();
		self.minted_by_call = 0;
		self.check_access(origin, &drawn.call)?;
		match drawn.call.clone() {
			Call::create_space { space, governor, rules } => {
				origin.is_none().then_some(()).ok_or(DispatchError::BadOrigin)?;
				ensure(!self.spaces.contains_key(&space), Error::SpaceAlreadyExists)?;
				self.mint();
				self.spaces.insert(space, Space { governor, rules });
				Ok(())
			},
			Call::set_space_rules { space, rules } => {
				self.spaces.entry(space).and_modify(|space| space.rules = rules);
				Ok(())
			},
			Call::set_space_governor { space, governor } => {
				self.spaces.entry(space).and_modify(|space| space.governor = governor);
				Ok(())
			},
			Call::admit { space, account, role } => {
				let admission = (space, account, role);
				ensure(!self.admissions.contains(&admission), Error::AlreadyAdmitted)?;
				let unused = self.admissions.iter().filter(|it| it.0 == space).count();
				ensure(unused < MaxAdmissions::get() as usize, Error::TooManyAdmissions)?;
				self.admissions.insert(admission);
				Ok(())
			},
			Call::revoke_admissions { space, admissions } => {
				ensure(!admissions.is_empty(), Error::EmptyBatch)?;
				for (account, role) in admissions {
					let revoked = self.admissions.remove(&(space, account, role));
					ensure(revoked, Error::AdmissionNotFound)?;
				}
				Ok(())
			},
			Call::delete_space { space } => {
				if origin.is_some() {
					self.governance(origin, space)?;
				}
				ensure(self.spaces.contains_key(&space), Error::SpaceNotFound)?;
				let empty = self.members.values().all(|member| member.space != space)
					&& self.admissions.iter().all(|admission| admission.0 != space);
				ensure(empty, Error::SpaceNotEmpty)?;
				self.spaces.remove(&space);
				Ok(())
			},
			Call::create_provider { space, id, max_held } => {
				self.create_member(origin, space, id.into(), max_held)
			},
			Call::create_tenant { space, id, max_held } => {
				self.create_member(origin, space, id.into(), max_held)
			},
			Call::top_up_bond { member, amount } => self.top_up(member, amount),
			Call::set_max_held { member, amount } => self.set_max_held(member, amount),
			Call::nominate_root { member, created, nominee } => {
				self.nominate(origin, member, created, nominee)
			},
			Call::accept_root { member, max_held } => self.accept(origin, member, max_held),
			Call::purge_member { member } => self.purge_member(member),
			Call::delete_member { member } => self.delete_member(member),
			Call::set_provider_key { id, account, level } => {
				self.set_key(origin, id.into(), account, level.map(level_of))
			},
			Call::set_tenant_key { id, account, level } => {
				self.set_key(origin, id.into(), account, level)
			},
			Call::create_node { provider, node, operator, locator } => {
				self.create_node(provider, node, operator, locator)
			},
			Call::confirm_node { provider, node } => {
				let who = Self::signed(origin)?;
				self.open(provider)?;
				let node = self.node_for(who, provider, node)?;
				ensure(node.pending, Error::NodeAlreadyConfirmed)?;
				node.pending = false;
				Ok(())
			},
			Call::set_node_locator { provider, node, locator } => {
				self.set_node_locator(provider, node, locator)
			},
			Call::set_node_operator { provider, node, operator } => {
				self.node(provider, node)?.operator = operator;
				Ok(())
			},
			Call::remove_node { provider, node }
			| Call::governance_delete_node { provider, node, .. } => self.remove_node(provider, node),
			Call::add_kms { tenant, kms, operator, locator, key } => {
				self.add_kms(tenant, kms, operator, locator, key)
			},
			Call::set_kms { tenant, kms, locator, key } => {
				self.set_kms(origin, tenant, kms, locator, key)
			},
			Call::remove_kms { tenant, kms } | Call::governance_delete_kms { tenant, kms, .. } => {
				self.remove_kms(tenant, kms)
			},
			Call::create_content_object { tenant, object } => self.create_object(tenant, object),
			Call::commit_versions { .. } => self.commit_versions(drawn),
			Call::finalize_versions { provider, node, tenant, versions } => {
				self.finalize_versions(origin, provider, node, tenant, &versions)
			},
			Call::add_copies { tenant, provider, node, versions } => {
				self.add_copies(tenant, (provider, node), &versions)
			},
			Call::remove_copies { tenant, provider, node, versions } => {
				self.remove_copies(origin, tenant, (provider, node), &versions)
			},
			Call::set_head_version { tenant, object, version } => {
				self.set_head(tenant, object, version)
			},
			Call::delete_version { tenant, object, version } => {
				self.delete_version(tenant, object, version, false)
			},
			Call::governance_delete_version { tenant, object, version, .. } => {
				self.delete_version(tenant, object, version, true)
			},
			Call::delete_content_object { tenant, object }
			| Call::governance_delete_content_object { tenant, object, .. } => {
				self.delete_object(tenant, object)
			},
			Call::create_collection { tenant, name, key_type, syntax } => {
				self.create_collection(tenant, name, key_type, syntax)
			},
			Call::delete_collection { tenant, name }
			| Call::governance_delete_collection { tenant, name, .. } => {
				self.delete_collection(tenant, name)
			},
			Call::put_records { tenant, collection, records } => {
				self.put_records(tenant, collection, &records)
			},
			Call::delete_records { tenant, collection, keys } => {
				self.delete_records(tenant, collection, &keys)
			},
			Call::governance_delete_record { tenant, collection, key, .. } => {
				self.delete_records(tenant, collection, &[key])
			},
			Call::slash { member, amount, .. } => {
				self.slash(member, amount);
				Ok(())
			},
			Call::set_suspended { member, enabled, .. } => {
				self.members.entry(member).and_modify(|info| info.suspended = enabled);
				Ok(())
			},
			Call::set_governance_delete { member, enabled, .. } => {
				self.members.entry(member).and_modify(|info| info.frozen = enabled);
				Ok(())
			},
			Call::governance_delete_provider_key { id, account, .. } => {
				self.take_key(id.into(), account)
			},
			Call::governance_delete_tenant_key { id, account, .. } => {
				self.take_key(id.into(), account)
			},
			Call::governance_delete { member, slash, .. } => {
				self.governance_delete(member, slash);
				Ok(())
			},
			Call::reap { member, limit } => self.reap(origin, member, limit),
			Call::__Ignore(..) => unreachable!("is not a call"),
		}
	}

	/// Checks the origin and the state of the member, for the calls that do so alike.
	fn check_access(&self, origin: Origin, call: &Call<Test>) -> Outcome {
		match call {
			Call::set_space_rules { space, .. }
			| Call::set_space_governor { space, .. }
			| Call::admit { space, .. }
			| Call::revoke_admissions { space, .. } => self.governance(origin, *space),
			Call::top_up_bond { member, .. }
			| Call::set_max_held { member, .. }
			| Call::purge_member { member }
			| Call::delete_member { member } => self.by_root(origin, *member),
			Call::create_node { provider, .. }
			| Call::set_node_locator { provider, .. }
			| Call::set_node_operator { provider, .. }
			| Call::remove_node { provider, .. } => self.by_level(origin, *provider, TenantLevel::Admin),
			Call::add_kms { tenant, .. }
			| Call::remove_kms { tenant, .. }
			| Call::create_collection { tenant, .. }
			| Call::delete_collection { tenant, .. } => self.by_level(origin, *tenant, TenantLevel::Admin),
			Call::create_content_object { tenant, .. }
			| Call::add_copies { tenant, .. }
			| Call::set_head_version { tenant, .. }
			| Call::delete_version { tenant, .. }
			| Call::delete_content_object { tenant, .. }
			| Call::put_records { tenant, .. }
			| Call::delete_records { tenant, .. } => self.by_level(origin, *tenant, TenantLevel::Content),
			Call::slash { member, created, .. }
			| Call::set_suspended { member, created, .. }
			| Call::set_governance_delete { member, created, .. }
			| Call::governance_delete { member, created, .. } => self.governed(origin, *member, *created),
			Call::governance_delete_node { provider: id, created, .. }
			| Call::governance_delete_provider_key { id, created, .. } => self.frozen(origin, *id, *created),
			Call::governance_delete_tenant_key { id: tenant, created, .. }
			| Call::governance_delete_kms { tenant, created, .. }
			| Call::governance_delete_content_object { tenant, created, .. }
			| Call::governance_delete_version { tenant, created, .. }
			| Call::governance_delete_collection { tenant, created, .. }
			| Call::governance_delete_record { tenant, created, .. } => {
				self.frozen(origin, *tenant, *created)
			},
			_ => Ok(()),
		}
	}
}
